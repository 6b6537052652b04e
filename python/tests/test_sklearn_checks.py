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
    """Five reasons, and at most thirty pairs of a class and a check over all versions."""
    pairs = {(name, check) for names, checks, _ in EXPECTED for name in names for check in checks}
    assert len(EXPECTED) == 5 and len(pairs) <= 30 and UP_TO_1_5 <= pairs
