"""Names and number of the columns: learned at fit, checked afterwards, as scikit-learn does."""
import warnings

import numpy as np

from alidade._validate import frame_names


def learn(estimator, X, columns):
    """n_features_in_, and feature_names_in_ where X has names of its own."""
    names = frame_names(X)
    estimator.n_features_in_ = columns
    if names is not None:
        estimator.feature_names_in_ = names
    elif "feature_names_in_" in estimator.__dict__:
        del estimator.feature_names_in_


def check(estimator, X, columns):
    check_names(estimator, X)
    if columns != estimator.n_features_in_:
        raise ValueError(f"X has {columns} features, but {type(estimator).__name__} is expecting "
                         f"{estimator.n_features_in_} features as input.")


def check_names(estimator, X):
    fitted = estimator.__dict__.get("feature_names_in_")
    given = frame_names(X)
    if fitted is None and given is None:
        return
    name = type(estimator).__name__
    if fitted is None:
        warnings.warn(f"X has feature names, but {name} was fitted without feature names", UserWarning, stacklevel=5)
    elif given is None:
        warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature names", UserWarning,
                      stacklevel=5)
    elif len(fitted) != len(given) or np.any(fitted != given):
        raise ValueError(_difference(fitted, given))


def _listed(title, names, most=5):
    lines = [f"- {name}" for name in names[:most]] + ["- ..."] * (len(names) > most)
    return title + "\n" + "\n".join(lines) + "\n" if names else ""


def _difference(fitted, given):
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    text = "The feature names should match those that were passed during fit.\n"
    text += _listed("Feature names unseen at fit time:", unseen)
    text += _listed("Feature names seen at fit time, yet now missing:", missing)
    if not unseen and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    return text


def names_out(estimator, input_features):
    """Names of the components: the class in small letters and a number."""
    if input_features is not None:
        _check_given(estimator, input_features)
    stem = type(estimator).__name__.lower()
    return np.asarray([f"{stem}{i}" for i in range(estimator.model_.n_components)], dtype=object)


def _check_given(estimator, input_features):
    given = np.asarray(input_features, dtype=object)
    fitted = estimator.__dict__.get("feature_names_in_")
    if fitted is not None and not np.array_equal(fitted, given):
        raise ValueError("input_features is not equal to feature_names_in_")
    if len(given) != estimator.n_features_in_:
        raise ValueError(f"input_features should have length equal to number of features ({estimator.n_features_in_}), "
                         f"got {len(given)}")
