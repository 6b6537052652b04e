"""Every method fits, projects, predicts, and says the same after it was pickled."""
import pickle

import numpy as np
import pytest

import alidade
from conftest import NAMES, make, target_for


@pytest.mark.parametrize("name", NAMES)
def test_every_method(name):
    data = make()
    X, y = data[0], target_for(name, data)
    estimator = getattr(alidade, name)(n_components=1)
    Z = estimator.fit_transform(X, y)
    assert Z.shape == (60, 1) and np.isfinite(Z).all()
    again = pickle.loads(pickle.dumps(estimator))
    if not estimator._can.maps:
        assert not hasattr(estimator, "transform") and not hasattr(estimator, "predict")
        assert np.array_equal(again.embedding_, Z)
        return
    assert np.array_equal(again.transform(X), Z)
    assert np.array_equal(again.predict(X), estimator.predict(X))
    assert estimator.predict(X).shape == np.shape(y)
    if name not in ("PCA", "KPCA", "PHD", "SAVE", "CFML"):  # they do not look for what is linear in this target
        assert estimator.score(X, y) > (0.2 if y.ndim == 1 else 0.1)


def test_used_before_fit():
    with pytest.raises(ValueError, match="not fitted yet"):
        alidade.PLS().transform(np.zeros((2, 2)))
    assert not hasattr(alidade.PLS(), "components_")
