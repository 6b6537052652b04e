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


def _poor_score(facts):
    """Methods for a real response alone look for where it bends, not for what predicts it linearly."""
    return not facts.classes and not facts.labels


def old_tags(estimator):
    """Tags up to scikit-learn 1.5: a dict."""
    facts = estimator._facts()
    return {
        "requires_y": facts.requires_y,
        "X_types": ["2darray", "sparse"] if facts.sparse else ["2darray"],
        "multioutput": facts.several_responses or facts.labels,
        "multilabel": facts.labels and estimator.task != "regression",
        "allow_nan": facts.gaps,
        "preserves_dtype": ["float64", "float32"],
        "poor_score": _poor_score(facts),
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
    classifies = (facts.classes or facts.labels) and kind != "regressor"
    return Tags(
        estimator_type=kind,
        target_tags=TargetTags(required=facts.requires_y, multi_output=facts.several_responses or facts.labels),
        transformer_tags=TransformerTags(preserves_dtype=["float64", "float32"]) if facts.maps else None,
        classifier_tags=ClassifierTags(poor_score=_poor_score(facts), multi_class=True, multi_label=facts.labels)
        if classifies else None,
        regressor_tags=RegressorTags(poor_score=_poor_score(facts)) if facts.real and kind != "classifier" else None,
        input_tags=InputTags(sparse=facts.sparse, allow_nan=facts.gaps, pairwise=facts.pairwise),
    )


def estimator_type(estimator):
    """'classifier' or 'regressor' where the method, its task or, after fit, its target leaves no choice, else None."""
    facts, target = estimator._facts(), estimator.__dict__.get("_target")
    if facts.classes and (not facts.real or estimator.task == "classification"):
        return "classifier"
    if facts.real and (not facts.classes or estimator.task == "regression"):
        return "regressor"
    if target is None or not estimator._prediction[1]:
        return None
    return "regressor" if target.kind == "real" else "classifier"
