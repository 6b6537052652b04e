#!/usr/bin/env python3
"""sklearn_checks.py [CLASS]...: runs scikit-learn's checks of estimators on all classes, or on those named, and tells
which fail, without pytest. Ends with 1 where one fails that expected_failures.py does not have, or passes that it has."""
import os
import sys
import warnings

import alidade
from alidade._names import CLASSES
from expected_failures import reason

# Shorter fits of the same code, which take a tenth of the time of all checks; ALD_LONG=1: the defaults.
SHORTER = {} if os.environ.get("ALD_LONG") else {
    "KSDPP": {"solver": "cg", "n_starts": 1}, "KSDPPClassifier": {"solver": "cg", "n_starts": 1},
    "KDR": {"n_starts": 1}, "KDRClassifier": {"n_starts": 1}}


def all_checks(estimator):
    """(name, function) of every check; they are listed in one way up to scikit-learn 1.5, in another from 1.6."""
    from sklearn.utils import estimator_checks
    listed = getattr(estimator_checks, "estimator_checks_generator", None)
    pairs = listed(estimator) if listed else estimator_checks.check_estimator(estimator, generate_only=True)
    for instance, check in pairs:
        yield getattr(check, "func", check).__name__, lambda: check(instance)


def results(name):
    """Check -> what it says where it fails, or None."""
    said = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for check, run in all_checks(getattr(alidade, name)(**SHORTER.get(name, {}))):
            said.setdefault(check, None)
            try:
                run()
            except Exception as error:
                if type(error).__name__ not in ("SkipTest", "Skipped"):
                    said[check] = f"{type(error).__name__}: {error} <- {error.__cause__ or error.__context__}"
    return said


def surprises(name, said):
    """Sentences on what is not as expected_failures.py has it."""
    wrong = [f"{name}: {check} fails: {text}" for check, text in said.items() if text and not reason(name, check)]
    return wrong + [f"{name}: {check} is expected to fail, and passes" for check, text in said.items()
                    if not text and reason(name, check)]


def main():
    import sklearn
    told, count, failed = [], 0, []
    for name in sys.argv[1:] or sorted(CLASSES):
        said = results(name)
        told += surprises(name, said)
        count += len(said)
        failed += [f"{name}: {check}" for check, text in said.items() if text and reason(name, check)]
    print(f"scikit-learn {sklearn.__version__}, Python {sys.version.split()[0]}: {count} checks")
    print(f"{len(failed)} fail as expected:", *failed, sep="\n  ")
    print(f"{len(told)} are not as expected:", *told, sep="\n  ")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
