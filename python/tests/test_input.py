"""X in every storage, y of every kind: the same results, without a copy where there need not be one."""
import numpy as np
import pytest

import alidade
from conftest import make

X, Y, CLASSES, LABELS = make(90, 6)


def strided(values):
    wide = np.zeros((values.shape[0] * 2, values.shape[1] * 3))
    wide[::2, ::3] = values
    return wide[::2, ::3]


def reversed_memory(values):
    return values[::-1, ::-1].copy()[::-1, ::-1]


def packed(values):
    """A field of records of 12 bytes: rows are no whole number of doubles apart."""
    records = np.zeros(values.shape, dtype=[("value", "f8"), ("more", "i4")])
    records["value"] = values
    return records["value"]


STORAGES = {
    "fortran": np.asfortranarray,
    "strided": strided,
    "reversed": reversed_memory,
    "packed": packed,
    "big endian": lambda values: values.astype(">f8"),
    "list": lambda values: values.tolist(),
    "read only": lambda values: np.frombuffer(values.tobytes()).reshape(values.shape),
    "objects": lambda values: values.astype(object),
}


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("name", ["PCA", "PLS", "KPLS"])
def test_dense(name, storage):
    expected = getattr(alidade, name)().fit(X, Y).transform(X)
    given = STORAGES[storage](X)
    estimator = getattr(alidade, name)().fit(given, Y)
    assert np.allclose(estimator.transform(given), expected, atol=1e-10)


def test_float32_stays():
    small = X.astype(np.float32)
    ours = alidade.PCA().fit(small)
    assert ours.transform(small).dtype == np.float32
    assert np.allclose(ours.transform(small), alidade.PCA().fit(X).transform(X), atol=1e-5)


@pytest.mark.parametrize("storage", ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array"])
@pytest.mark.parametrize("bits", [np.int32, np.int64])
def test_sparse(storage, bits):
    sparse = pytest.importorskip("scipy.sparse")
    thin = np.where(np.abs(X) > 0.7, X, 0.0)
    given = getattr(sparse, storage)(thin)
    if storage != "coo_matrix":
        given.indices, given.indptr = given.indices.astype(bits), given.indptr.astype(bits)
    expected = alidade.PLS().fit(thin, Y)
    ours = alidade.PLS().fit(given, Y)
    assert np.allclose(ours.transform(given), expected.transform(thin), atol=1e-10)
    assert np.allclose(ours.predict(given), expected.predict(thin), atol=1e-10)


def test_sparse_out_of_order():
    sparse = pytest.importorskip("scipy.sparse")
    given = sparse.csr_matrix((np.ones(4), np.array([1, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 2))
    kept = given.indices.copy()
    assert np.allclose(alidade.PCA().fit(sparse.vstack([given, given * 2, given[::-1]])).mean_, [2 / 3, 2])
    assert np.array_equal(given.indices, kept)


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcdef"), index=range(10, 100))
    ours = alidade.PLS().set_output(transform="pandas").fit(frame, pandas.Series(Y, name="fat"))
    out = ours.transform(frame)
    assert list(out.columns) == ["pls0", "pls1"] and list(out.index) == list(frame.index)
    assert list(ours.feature_names_in_) == list("abcdef")
    with pytest.raises(ValueError, match="in the same order"):
        ours.transform(frame[list("fedcba")])
    with pytest.raises(ValueError, match="unseen at fit time"):
        ours.transform(frame.rename(columns={"a": "z"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        ours.transform(X)
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        alidade.PLS().fit(X, Y).transform(frame)


KINDS = {
    "texts": (lambda c: np.array(["low", "mid", "high"])[c], "classes"),
    "objects": (lambda c: np.array(["a", ("b", 1), 3], dtype=object)[c], "classes"),
    "booleans": (lambda c: c > 0, "classes"),
    "whole numbers": (lambda c: c * 10, "classes"),
    "small integers": (lambda c: c.astype(np.int8), "classes"),
    "numbers": (lambda c: c + 0.5, "real"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_targets(kind):
    make_y, expected = KINDS[kind]
    y = make_y(CLASSES)
    ours = alidade.PLS(n_components=2).fit(X, y)
    assert ours._target.kind == expected
    predicted = ours.predict(X)
    if expected == "classes":
        right = np.array([a == b for a, b in zip(predicted, y)])
        assert right.mean() > 0.6 and len(ours.classes_) == (2 if kind == "booleans" else 3)
        assert np.allclose(ours.predict_proba(X).sum(axis=1), 1)
    else:
        assert ours.score(X, y) > 0.5


def test_task_decides():
    assert alidade.PLS(task="regression").fit(X, CLASSES)._target.kind == "real"
    assert alidade.PLS(task="classification").fit(X, CLASSES.astype(float))._target.kind == "classes"
    assert alidade.PLS(task="regression").fit(X, LABELS)._target.kind == "real"
    with pytest.raises(ValueError, match="`task` is one of"):
        alidade.PLS(task="guess").fit(X, Y)


def test_several_responses_and_labels():
    sparse = pytest.importorskip("scipy.sparse")
    both = np.column_stack([Y, X[:, 2]])
    assert alidade.PLS(n_components=4).fit(X, both).predict(X).shape == (90, 2)
    dense, thin = alidade.CCA().fit(X, LABELS), alidade.CCA().fit(X, sparse.csr_matrix(LABELS))
    assert set(np.unique(dense.predict(X))) == {0, 1} and dense.predict(X).shape == (90, 3)
    assert np.array_equal(dense.predict(X), thin.predict(X))
    assert dense.score(X, LABELS) > 0.4
    assert alidade.HSL(predictor="logistic").fit(X, LABELS).predict_proba(X).shape == (90, 3)


@pytest.mark.parametrize("name", ["SDPP", "RSIR", "LSIR"])
def test_unlabelled_rows(name):
    extra = {"manifold": 0.1} if name == "SDPP" else {}
    estimator = getattr(alidade, name)(n_components=1, **extra)
    classes = CLASSES.copy()
    classes[::3] = -1
    words = np.array(["a", "b", "c"], dtype=object)[CLASSES]
    words[::3] = None
    a, b = estimator.fit(X, classes).transform(X), estimator.fit(X, words).transform(X)
    assert np.allclose(a, b, atol=1e-10)
    numbers = Y.copy()
    numbers[::3] = np.nan
    assert np.isfinite(estimator.fit(X, numbers).transform(X)).all()
    with pytest.raises(ValueError, match="contains NaN"):
        alidade.PLS().fit(X, numbers)


def test_graph_and_distances():
    sparse = pytest.importorskip("scipy.sparse")
    distances = np.abs(Y[:, None] - Y[None, :])
    graph = (np.abs(X[:, :1] - X[:, 0][None, :]) < 0.5).astype(float) - np.eye(90)
    graph = np.maximum(graph, 0)
    a = alidade.SDPP(n_components=1).fit(X, Y, graph=graph).transform(X)
    b = alidade.SDPP(n_components=1).fit(X, None, graph=sparse.csr_matrix(graph), target_distances=distances)
    assert np.allclose(a, b.transform(X), atol=1e-6)
    with pytest.raises(ValueError, match="`graph` has a row and a column for each"):
        alidade.SDPP().fit(X, Y, graph=graph[:5])


def test_weights():
    weight = np.arange(90) % 3
    a = alidade.PLS().fit(X, Y, sample_weight=weight)
    b = alidade.PLS().fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
    assert np.allclose(a.transform(X), b.transform(X), atol=1e-10)
    with pytest.raises(ValueError, match="row 3 has -1; a weight is a number >= 0"):
        alidade.PLS().fit(X, Y, np.where(np.arange(90) == 3, -1.0, 1.0))


def test_one_column_of_y():
    with pytest.warns(UserWarning, match="column-vector y"):
        assert alidade.PLS().fit(X, Y[:, None]).predict(X).shape == (90,)
