"""Every method fits, projects, predicts, and says the same after it was pickled."""
import copy
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


def test_pickles_of_all_protocols():
    X, y, _, _ = make()
    model = alidade.PLS().fit(X, y).model_
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(model, protocol=protocol))
        assert alidade._core.to_bytes(again) == alidade._core.to_bytes(model)
    buffers = []
    data = pickle.dumps(model, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 200 and len(buffers) == 1
    assert pickle.loads(data, buffers=buffers).n_components == 2
    assert copy.deepcopy(model).method == "pls"


@pytest.mark.parametrize("name", ["PCA", "KPCA"])
@pytest.mark.parametrize("y", [np.ones(60), np.full(60, 3), np.full(60, "a"), np.ones((60, 2), dtype=int)])
def test_a_target_that_says_nothing(name, y):
    """Unsupervised methods take it, as in a fold with one class, and predict it."""
    X = make()[0]
    fitted = getattr(alidade, name)().fit(X, y)
    assert np.array_equal(fitted.transform(X), getattr(alidade, name)().fit(X).transform(X))
    assert (np.round(fitted.predict(X), 9) == y).all() if y.dtype.kind == "f" else (fitted.predict(X) == y).all()


def test_a_value_that_is_given_is_taken():
    """Where the method may choose another value than the default, the default can be asked for, in a clone too."""
    from sklearn.base import clone
    X, y, _, _ = make(1100)
    assert alidade.KDR().rank is None and alidade.RSIR().eta is None and alidade.SDPP().ridge_rel is None
    for rank, solver in ((0, "exact"), (None, "low-rank")):
        estimator = clone(alidade.KDR(1, rank=rank, n_starts=1, n_stages=1)).fit(X, y)
        assert alidade.Model(estimator.model_).resolved["solver"] == solver
    wide, response = make(30, 40)[:2]
    for ridge, chosen in ((0.0, False), (None, True)):
        estimator = alidade.SDPP(1, ridge_rel=ridge, max_iter=5).fit(wide, response)
        assert ("ridge_rel" in alidade.Model(estimator.model_).resolved) == chosen
    classes = np.where(np.arange(30) < 20, -1, np.arange(30) % 2)
    fits = [alidade.RSIR(1, **given).fit(wide, classes).components_ for given in ({}, {"eta": 10.0}, {"eta": 1.0})]
    assert np.allclose(fits[0], fits[1]) and not np.allclose(fits[0], fits[2])
