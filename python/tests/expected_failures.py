"""The checks of scikit-learn's check_estimator that an estimator does not pass, and why. There are no others, and each of
these fails: test_sklearn_checks.py holds both. A check has the names that versions of scikit-learn gave it."""

EXPECTED = {
    ("PHD", "check_estimators_dtypes"):
        "the response of this check is a linear function of X: what remains of it has no curvature, and phd says so",
    ("PHD", "check_regressors_no_decision_function"):
        "the same: a response that X fits exactly",
    ("SDPP", "check_sample_weights_invariance", "check_sample_weight_equivalence_on_dense_data",
     "check_sample_weight_equivalence"):
        "rows of weight 0 leave, but the check also shuffles rows, and several are equally far from each other: which of "
        "equal neighbours counts depends on their order",
    ("KSDPP", "check_methods_subset_invariance"):
        "the map goes through all 20 rows, so the spread within classes is rounding and the gaussian predictor divides by "
        "it: scores differ by 5e-15 between one row and many, probabilities by 2e-7",
}


def reason(estimator, check):
    """Why this check fails for this class, or None."""
    for (name, *checks), text in EXPECTED.items():
        if name == estimator and check in checks:
            return text
    return None
