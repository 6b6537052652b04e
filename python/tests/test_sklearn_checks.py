"""scikit-learn's own checks of estimators, all of them, but for those of expected_failures.py."""
import pytest

from conftest import NAMES
from expected_failures import EXPECTED
from sklearn_checks import results, surprises

pytest.importorskip("sklearn")


@pytest.mark.parametrize("name", NAMES)
def test_checks(name):
    told = surprises(name, results(name))
    assert not told, "\n".join(told)


def test_exceptions_are_few():
    """At most five checks in any version; some have one name up to scikit-learn 1.5 and two from 1.6."""
    checks = {check for _, names, _ in EXPECTED for check in names}
    assert len(checks - {"check_sample_weights_invariance"}) <= 5
