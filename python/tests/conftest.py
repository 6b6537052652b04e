"""What the tests share: data, and the estimators with data that each of them takes."""
import os

import alidade  # before numpy, so that OpenBLAS has the kernels that the command line takes
from alidade._names import CLASSES

import numpy as np
import pytest

DATA = os.environ.get("ALD_DATA", os.path.join(os.path.dirname(__file__), "..", "..", "data"))
NAMES = sorted(CLASSES)


def make(rows=60, columns=5, seed=0):
    """(X, a response, classes, labels)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    y = X[:, 0] + np.sin(X[:, 1]) + 0.1 * rng.normal(size=rows)
    classes = np.digitize(X[:, 0] + 0.3 * rng.normal(size=rows), [-0.5, 0.5])
    labels = (X[:, :3] + 0.3 * rng.normal(size=(rows, 3)) > 0).astype(int)
    return X, y, classes, labels


def target_for(name, data):
    """The target that suits the method best."""
    facts = getattr(alidade, name)._can
    _, y, classes, labels = data
    if facts.real:
        return y
    return classes if facts.classes else labels


@pytest.fixture
def data():
    return make()
