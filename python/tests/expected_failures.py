"""The checks of scikit-learn's check_estimator that an estimator does not pass, and why. There are no others, and each of
these fails where the installed version has the check: test_sklearn_checks.py holds both."""

EXPECTED = [
    (("PHD",), ("check_estimators_dtypes", "check_regressors_no_decision_function"),
     "the response of these checks is a linear function of X: what remains of it has no curvature, and phd says so"),
    (("KSDPPClassifier", "LFDA", "LSIRClassifier", "RSIRClassifier", "SDPPClassifier"), ("check_classifiers_classes",),
     "its classes are -1 and 1, and -1 marks rows without a label, as in scikit-learn's own classifiers for such rows, which "
     "are left out of this check by their names"),
    (("LFDA", "SDPP", "SDPPClassifier"), ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"),
     "a row that is there twice is its own nearest neighbour, so it is not a row of weight two (from 1.6)"),
    (("LAD", "LADClassifier"), ("check_estimators_dtypes", "check_sample_weights_shape", "check_sample_weights_not_overwritten",
                "check_sample_weights_invariance", "check_dtype_object", "check_estimator_sparse_data"),
     "slices of the few rows of these checks have no more rows than columns, and lad, which has no likelihood then, says so"),
    (("SAVE", "SAVEClassifier"), ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"),
     "its 9 distinct rows in 30 columns give the three largest eigenvalues all 1.7, so no direction among theirs is determined (from 1.6)"),
]

# Those that newer versions make of other data, which have curvature: seen to pass with 1.9.
UP_TO_1_5 = {("PHD", "check_estimators_dtypes")}


def is_new():
    """Whether scikit-learn is 1.6 or later."""
    import sklearn
    return tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 6)


def reason(estimator, check):
    """Why this check fails for this class, or None."""
    if (estimator, check) in UP_TO_1_5 and is_new():
        return None
    for names, checks, text in EXPECTED:
        if estimator in names and check in checks:
            return text
    return None
