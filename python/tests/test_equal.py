"""Equal to scikit-learn where both have the method, and to the command line to the last bit."""
import csv
import os
import subprocess

import numpy as np
import pytest

import alidade
from alidade import _core
from alidade._kernels import name
from conftest import DATA, make

TOLERANCE = 1e-8


def signs(a, b):
    """b with the signs of its columns turned to those of a."""
    return b * np.sign((a * b).sum(axis=0))


def test_pca():
    peer = pytest.importorskip("sklearn.decomposition").PCA(n_components=3)
    X = make(80, 7)[0]
    ours = alidade.PCA(n_components=3).fit(X)
    assert np.allclose(signs(peer.fit_transform(X), ours.transform(X)), peer.transform(X), atol=TOLERANCE)
    assert np.allclose(ours.explained_variance_ratio_, peer.explained_variance_ratio_, atol=TOLERANCE)
    assert np.allclose(ours.explained_variance_, peer.explained_variance_, atol=TOLERANCE)
    assert np.allclose(ours.mean_, peer.mean_, atol=TOLERANCE)
    assert np.allclose(ours.inverse_transform(ours.transform(X)), peer.inverse_transform(peer.transform(X)),
                       atol=TOLERANCE)


def many_columns(structure):
    rng = np.random.default_rng(0)
    return structure * rng.normal(size=(1000, 3)) @ rng.normal(size=(3, 740)) + rng.normal(size=(1000, 740))


@pytest.mark.parametrize("structure,solver", [(1.0, "lanczos"), (0.0, "direct")])
def test_pca_of_many_columns(structure, solver):
    """Where a square is dear Lanczos is tried first, to the same digits, and given up where the spectrum is flat."""
    X = many_columns(structure)
    ours = alidade.PCA(n_components=3).fit(X)
    exact = alidade.PCA(n_components=3, solver="direct").fit(X)
    assert alidade.Model(ours.model_).resolved["solver"] == solver
    assert np.allclose(signs(exact.components_.T, ours.components_.T), exact.components_.T, atol=1e-11)
    assert np.allclose(ours.explained_variance_, exact.explained_variance_, rtol=1e-12)


def test_pca_of_many_columns_as_scikit_learn():
    X = many_columns(1.0)
    peer = pytest.importorskip("sklearn.decomposition").PCA(n_components=3, svd_solver="full").fit(X)
    ours = alidade.PCA(n_components=3).fit(X)
    assert np.allclose(signs(peer.components_.T, ours.components_.T), peer.components_.T, atol=TOLERANCE)
    assert np.allclose(ours.explained_variance_, peer.explained_variance_, rtol=1e-10)


@pytest.mark.parametrize("responses", [1, 3])
def test_pls(responses):
    module = pytest.importorskip("sklearn.cross_decomposition")
    X = make(80, 7)[0]
    Y = X @ np.random.default_rng(1).normal(size=(7, responses)) + 0.3 * make(80, responses, 2)[0] if responses > 1 \
        else make(80, 7)[1]
    peer = module.PLSRegression(n_components=3, scale=False, max_iter=100000, tol=1e-16).fit(X, Y)
    ours = alidade.PLS(n_components=3).fit(X, Y)
    assert np.allclose(ours.predict(X).reshape(80, -1), peer.predict(X).reshape(80, -1), atol=TOLERANCE)
    coefficients = peer.coef_ if peer.coef_.shape == ours.coef_.shape else peer.coef_.T
    assert np.allclose(ours.coef_, coefficients, atol=TOLERANCE)
    assert np.allclose(signs(peer.transform(X), ours.transform(X)), peer.transform(X), atol=TOLERANCE)
    assert np.allclose(X @ ours.coef_.T + ours.intercept_, ours.predict(X).reshape(80, -1), atol=TOLERANCE)


def directions_agree(peer, ours, X):
    """Up to their lengths and origins: scikit-learn's have unit variance within the classes, ours unit scatter in total."""
    a, b = ((z - z.mean(axis=0)) / z.std(axis=0) for z in (peer.transform(X), ours.transform(X)))
    return np.allclose(signs(a, b), a, atol=TOLERANCE)


def divides_by_n(module, solver, X, classes):
    slopes, known = (module.LinearDiscriminantAnalysis(solver=name).fit(X, classes).coef_ for name in (solver, "lsqr"))
    ratio = np.linalg.norm(slopes - slopes.mean(axis=0)) / np.linalg.norm(known - known.mean(axis=0))
    return abs(ratio - 1) < 1e-6


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_lda(solver):
    """The gaussian rule divides the scatter within the C classes by n, as scikit-learn's solvers lsqr and eigen do; svd
    divided by n - C in older versions (1.2 does, 1.9 does not), which its own decisions beside those of lsqr tell. That
    multiplies squared distances by (n - C)/n, and the shares of the classes stay."""
    module = pytest.importorskip("sklearn.discriminant_analysis")
    X, _, classes, _ = make(120, 6)
    peer = module.LinearDiscriminantAnalysis(n_components=2, solver=solver).fit(X, classes)
    ours = alidade.LDA(n_components=2).fit(X, classes)
    assert solver == "lsqr" or directions_agree(peer, ours, X)
    assert np.array_equal(peer.predict(X), ours.predict(X))
    p = ours.predict_proba(X)
    if not divides_by_n(module, solver, X, classes):
        factor = (len(X) - len(ours.classes_)) / len(X)
        p = p ** factor * np.bincount(classes) ** (1 - factor)
        p /= p.sum(axis=1, keepdims=True)
    assert np.allclose(peer.predict_proba(X), p, atol=TOLERANCE)


def test_cca():
    module = pytest.importorskip("sklearn.cross_decomposition")
    X = make(100, 5)[0]
    Y = X[:, :3] @ np.random.default_rng(4).normal(size=(3, 3)) + make(100, 3, 5)[0]
    peer = module.CCA(n_components=1, max_iter=100000, tol=1e-26).fit(X, Y)
    ours = alidade.CCA(n_components=1).fit(X, Y)
    a, b = peer.transform(X), ours.transform(X)
    a, b = a / a.std(axis=0), b / b.std(axis=0)
    assert np.allclose(signs(a, b), a, atol=TOLERANCE)


def table(name):
    with open(os.path.join(DATA, name), newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def environment():
    """That of this process: both take the same kernels of OpenBLAS by default, unless numpy loaded old ones before."""
    if not _core.about()["faster"]:
        return dict(os.environ)
    return {**os.environ, "OPENBLAS_CORETYPE": name(_core.about()["backend"])}


COMMANDS = [
    ("PCA", "pca", {}, []),
    ("LDA", "lda", {"ridge_rel": 0.01}, ["--ridge-rel", "0.01"]),
    ("PLS", "pls", {"n_components": 3, "scale": "standard"}, ["--components", "3", "--scale", "standard"]),
    ("KPCA", "kpca", {"kernel_width": 2.0}, ["--kernel-width", "2"]),
    ("SDPP", "sdpp", {"max_iter": 20}, ["--max-iter", "20"]),
]


@pytest.mark.parametrize("name,method,parameters,options", COMMANDS)
def test_command_line(name, method, parameters, options, tmp_path):
    program = os.environ.get("ALIDADE")
    if not program:
        pytest.skip("ALIDADE names no program")
    header, rows = table("iris.csv")
    at = header.index("y")
    X = np.array([[float(c) for i, c in enumerate(row) if i != at] for row in rows])
    y = np.array([row[at] for row in rows])
    model, scores = str(tmp_path / "m.ald"), str(tmp_path / "z.npy")
    path = os.path.join(DATA, "iris.csv")
    subprocess.run([program, "fit", path, "--target", "y", "--method", method, "-q", "--threads", "1", "-o", model,
                    *options], check=True, env=environment())
    subprocess.run([program, "transform", model, path, "-q", "--threads", "1", "-o", scores], check=True, env=environment())
    ours = getattr(alidade, name)(components_rule="exactly", n_jobs=1, **parameters).fit(X, y)
    assert ours.transform(X).tobytes() == np.load(scores).astype(float).tobytes()
    theirs = _core.load(model)
    assert _core.array_names(theirs) == _core.array_names(ours.model_)
    for array in _core.array_names(theirs):
        assert bytes(_core.array(theirs, array)) == bytes(_core.array(ours.model_, array)), array
    told, mine = _core.texts(theirs), _core.texts(ours.model_)
    assert {k: v for k, v in told.items() if k in mine and "sum" not in k} == \
        {k: v for k, v in mine.items() if "sum" not in k}


def test_models_pass_both_ways(tmp_path):
    program = os.environ.get("ALIDADE")
    if not program:
        pytest.skip("ALIDADE names no program")
    X, y, _, _ = make()
    ours = alidade.PLS().fit(X, y)
    model, rows, scores = (str(tmp_path / name) for name in ("m.ald", "x.npy", "z.npy"))
    _core.save(ours.model_, model)
    np.save(rows, X)
    subprocess.run([program, "transform", model, rows, "-q", "--threads", "1", "-o", scores], check=True, env=environment())
    assert np.load(scores).tobytes() == ours.transform(X).tobytes()
    again = _core.load(model)
    assert _core.to_bytes(again) == _core.to_bytes(ours.model_)
