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
    """At most five pairs of a class and a check over all versions, and at most three from scikit-learn 1.6 on."""
    pairs = {(name, check) for names, checks, _ in EXPECTED for name in names for check in checks}
    assert len(pairs) <= 5
    assert len(pairs - UP_TO_1_5) <= 3
