"""All that differs between versions of scikit-learn, or without it. Nothing here imports it before it is needed."""
import sys


class _NotFitted(ValueError, AttributeError):
    """An estimator was used before fit; scikit-learn's own class takes its place where it is installed."""


class _DataConversion(UserWarning):
    """A column vector was given where a vector is expected."""


def _of_sklearn(name, otherwise):
    try:
        from sklearn import exceptions
    except ImportError:
        return otherwise
    return getattr(exceptions, name)


def not_fitted_error():
    return _of_sklearn("NotFittedError", _NotFitted)


def data_conversion_warning():
    return _of_sklearn("DataConversionWarning", _DataConversion)


def output_config(estimator):
    """What set_output asks for: of the estimator, else of scikit-learn as a whole if it is in use."""
    own = estimator.__dict__.get("_sklearn_output_config")
    if own and "transform" in own:
        return own["transform"]
    config = sys.modules.get("sklearn._config")
    return config.get_config().get("transform_output", "default") if config else "default"


def old_tags(estimator):
    """Tags up to scikit-learn 1.5: a dict."""
    facts = estimator._facts()
    return {
        "requires_y": facts.requires_y,
        "X_types": ["2darray", "sparse"] if facts.sparse else ["2darray"],
        "multioutput": facts.several_responses or facts.labels,
        "multilabel": facts.labels and estimator.task in ("auto", "multilabel"),
        "allow_nan": facts.gaps,
        "preserves_dtype": ["float64", "float32"],
        "poor_score": estimator._poor_score,
        "pairwise": facts.pairwise,
    }


def all_old_tags(estimator):
    """The same with the defaults of scikit-learn."""
    from sklearn.utils._tags import _DEFAULT_TAGS
    return {**_DEFAULT_TAGS, **old_tags(estimator)}


def new_tags(estimator):
    """Tags from scikit-learn 1.6: objects."""
    from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags, TransformerTags
    facts, kind = estimator._facts(), estimator_type(estimator)
    return Tags(
        estimator_type=kind,
        target_tags=TargetTags(required=facts.requires_y, multi_output=facts.several_responses or facts.labels),
        transformer_tags=TransformerTags(preserves_dtype=["float64", "float32"]) if facts.maps else None,
        classifier_tags=ClassifierTags(poor_score=estimator._poor_score, multi_class=True, multi_label=facts.labels)
        if facts.classes or facts.labels else None,
        regressor_tags=RegressorTags(poor_score=estimator._poor_score) if facts.real else None,
        input_tags=InputTags(sparse=facts.sparse, allow_nan=facts.gaps, pairwise=facts.pairwise),
    )


def estimator_type(estimator):
    """'classifier' or 'regressor' where the method or its task leaves no choice, else None."""
    facts = estimator._facts()
    if facts.classes and (not facts.real or estimator.task == "classification"):
        return "classifier"
    if facts.real and (not facts.classes or estimator.task == "regression"):
        return "regressor"
    return None
