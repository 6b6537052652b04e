"""scikit-learn's own checks of estimators, all of them, but for those of expected_failures.py."""
import pytest

from conftest import NAMES
from expected_failures import EXPECTED, UP_TO_1_5
from sklearn_checks import results, surprises

pytest.importorskip("sklearn")


@pytest.mark.parametrize("name", NAMES)
def test_checks(name):
    told = surprises(name, results(name))
    assert not told, "\n".join(told)


def test_exceptions_are_few():
    """At most five pairs of a class and a check over all versions, and at most three in any one of them."""
    pairs = {(name, check) for names, checks, _ in EXPECTED for name in names for check in checks}
    old = {"check_sample_weights_invariance"}
    assert len(pairs) <= 5
    assert len([pair for pair in pairs if pair[1] not in old and pair not in UP_TO_1_5]) <= 3
    assert len([pair for pair in pairs if "equivalence" not in pair[1]]) <= 3
