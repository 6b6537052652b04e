"""scikit-learn's own checks of estimators, all of them, but for those of expected_failures.py."""
import warnings

import pytest

import alidade
from conftest import NAMES
from expected_failures import EXPECTED, reason

checks = pytest.importorskip("sklearn.utils.estimator_checks")


def all_checks(estimator):
    """(name, function) of every check; they are listed in one way up to scikit-learn 1.5, in another from 1.6."""
    listed = getattr(checks, "estimator_checks_generator", None)
    pairs = listed(estimator) if listed else checks.check_estimator(estimator, generate_only=True)
    for instance, check in pairs:
        yield getattr(check, "func", check).__name__, lambda: check(instance)


def failures(name):
    """The names of the checks that fail, with what they say."""
    failed = {}
    for check, run in all_checks(getattr(alidade, name)()):
        try:
            run()
        except Exception as error:
            if type(error).__name__ != "SkipTest":
                failed[check] = f"{type(error).__name__}: {error} <- {error.__cause__ or error.__context__}"
    return failed


@pytest.mark.parametrize("name", NAMES)
def test_checks(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        failed = failures(name)
    others = {check: text for check, text in failed.items() if not reason(name, check)}
    assert not others, others
    expected = [names for names in EXPECTED if names[0] == name]
    passed = [names for names in expected if not set(names[1:]) & set(failed)]
    assert not passed, f"expected to fail, and passed: {passed}"


def test_exceptions_are_few():
    assert len(EXPECTED) <= 5
