"""Matrices that come beside X: a kernel of the response, a start; and a number for each component."""
import numpy as np
import pytest
from scipy import sparse

import alidade
from alidade import _core

rng = np.random.default_rng(4)
X = rng.standard_normal((60, 4))
Y = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(60)
K = np.exp(-(Y[:, None] - Y) ** 2 / 2)


def told(fitted, name):
    return _core.text(fitted.model_, f"alidade.resolved.{name}")


def apart(a, b):
    return max(min(np.abs(p - q).max(), np.abs(p + q).max()) / np.abs(p).max() for p, q in zip(a.T, b.T))


@pytest.mark.parametrize("name", ["KCCA", "KPLSSB", "KSPCA", "SPCA"])
def test_response_kernel(name):
    make = getattr(alidade, name)
    known = make(2, response_kernel="rbf", response_width=1.0).fit(X, Y).transform(X)
    for kernel in (K, sparse.csr_matrix(K)):
        assert apart(known, make(2, response_kernel="given").fit(X, Y, response_kernel=kernel).transform(X)) < 1e-8
    without = make(2, response_kernel="given").fit(X, None, response_kernel=K)
    assert apart(known, without.transform(X)) < 1e-8
    assert not hasattr(without, "predict")
    with pytest.raises(ValueError, match="needs the matrix: give it to `fit` as `response_kernel`"):
        make(2, response_kernel="given").fit(X, Y)
    with pytest.raises(ValueError, match="a row and a column for each of the 60 rows"):
        make(2, response_kernel="given").fit(X, Y, response_kernel=K[:5])
    with pytest.raises(ValueError, match="cannot be divided"):
        make(2, response_kernel="given", intervals=5).fit(X, Y, response_kernel=K)


def test_start():
    classes = (Y > 0).astype(int)
    first = alidade.NCA(2, init="pca", max_iter=500).fit(X, classes)
    again = alidade.NCA(2, max_iter=500).fit(X, classes, start=first.components_)
    assert told(again, "start") == "given"
    assert np.isclose(float(told(again, "objective")), float(told(first, "objective")), rtol=1e-3)
    alidade.MLKR(1).fit(X, Y, start=np.eye(4)[:1])
    with pytest.raises(ValueError, match="a number for each of the 4 columns"):
        alidade.NCA(2).fit(X, classes, start=np.eye(3))


def test_names_of_start():
    """They may be left out, but not stand in another order."""
    pandas = pytest.importorskip("pandas")
    frame, start = pandas.DataFrame(X, columns=list("abcd")), pandas.DataFrame(np.eye(4)[:1], columns=list("abcd"))
    first = alidade.MLKR(1).fit(frame, Y, start=start)
    assert np.array_equal(alidade.MLKR(1).fit(frame, Y, start=start.to_numpy()).components_, first.components_)
    with pytest.raises(ValueError, match="column 3 of `start` is 'd', but that of X is 'c'"):
        alidade.MLKR(1).fit(frame, Y, start=start[list("abdc")])


def test_features_of_each_component():
    fitted = alidade.SPLS(2, n_features=[1, 3]).fit(X, Y)
    assert list((np.asarray(_core.array(fitted.model_, "weights")) != 0).sum(1)) == [1, 3]
    assert (alidade.SPLS(2, n_features=(2, 2)).fit(X, Y).components_ == alidade.SPLS(2, n_features=2).fit(X, Y).components_).all()
    named = alidade.fit({**{f"x{i}": X[:, i] for i in range(4)}, "y": Y}, target="y", method="spls", n_features=[1, 3], n_components=2)
    assert list((np.asarray(_core.array(named._core, "weights")) != 0).sum(1)) == [1, 3]
    with pytest.raises(TypeError, match="a number, a word or a list"):
        alidade.SPLS(2, n_features=np.array([1, 3])).fit(X, Y)
    with pytest.raises(ValueError, match="one for each"):
        alidade.SPLS(3, n_features=[1, 3]).fit(X, Y)


def test_methods_are_a_str():
    with pytest.raises(TypeError, match="names separated by commas"):
        alidade.compare(X, Y, methods=["pls", "spls"])
