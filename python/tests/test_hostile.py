"""Input that would end the process or be taken for something else: refused with a sentence."""
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import alidade
from conftest import make

X, Y, CLASSES, _ = make(60, 5)

BROKEN = {
    "indptr far away": "A.indptr[3] = 10 ** 8",
    "indptr negative": "A.indptr[3] = -10 ** 8",
    "indptr falls": "A.indptr[3] = A.indptr[2] - 1",
    "indptr short": "A.indptr = A.indptr[:2]",
    "an index far away": "A.indices[3] = 10 ** 8",
    "fewer values": "A.data = A.data[:5]",
    "coo": "A = A.tocoo(); A.row[3] = 10 ** 6",
    "bsr": "A = sparse.bsr_matrix(A, blocksize=(2, 1)); A.indptr[3] = 10 ** 8",
    "bsr index": "A = sparse.bsr_matrix(A, blocksize=(2, 1)); A.indices[3] = 10 ** 6",
}
USES = {"X": "alidade.PCA().fit(A)", "transform": "fitted.transform(A)", "y": "alidade.CCA().fit(X, A)",
        "score": "alidade.CCA().fit(X, (X > 0).astype(int)).score(X, A)",
        "graph": "alidade.SDPP(n_components=1).fit(X, X[:, 0], graph=A)"}


def in_a_process(code):
    """What a program prints; a crash fails the test."""
    start = """
        import numpy as np
        import alidade
        from scipy import sparse
        X = np.random.default_rng(0).normal(size=(60, 5))
        fitted = alidade.PCA().fit(X)
        A = sparse.csr_matrix((X > 0).astype(float))
    """
    text = textwrap.dedent(start) + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", text], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


@pytest.mark.parametrize("use", USES)
def test_broken_sparse(use):
    """scipy follows such vectors anywhere."""
    pytest.importorskip("scipy")
    tried = "".join(f"""
        A = sparse.csr_matrix((X > 0).astype(float))
        {how}
        try:
            {USES[use]}
        except ValueError as error:
            assert str(error)
        else:
            print({name!r})
    """ for name, how in BROKEN.items())
    assert in_a_process(tried) == ""


def test_indices_change_during_the_fit():
    """A progress function, or another thread, writes into the matrix: the fit is that of the matrix as it was given."""
    pytest.importorskip("scipy")
    assert in_a_process("""
        A = sparse.random(4000, 300, 0.1, format="csr", random_state=0)
        places = A.indices.copy(), A.indptr.copy()
        def spoil(stage, done):
            A.indices[:] = 2 ** 30
            A.indptr[1:] = 2 ** 30
        for make in (lambda **k: alidade.PCA(solver="lanczos", n_jobs=1, **k), lambda **k: alidade.KPCA(n_jobs=1, **k)):
            expected = make().fit(A).transform(A[:9])
            ours = make(progress=spoil).fit(A)
            assert (A.indices == 2 ** 30).all()
            A.indices[:], A.indptr[:] = places
            ours.progress = None
            assert np.array_equal(ours.transform(A[:9]), expected)
        print("equal")
    """) == "equal\n"


def unaligned(array):
    shifted = np.zeros(array.nbytes + 1, dtype=np.uint8)
    shifted[1:] = np.frombuffer(array.tobytes(), dtype=np.uint8)
    found = shifted[1:].view(array.dtype).reshape(array.shape)
    assert not found.flags.aligned
    return found


def test_unaligned():
    sparse = pytest.importorskip("scipy.sparse")
    A = sparse.csr_matrix(np.where(X > 0, X, 0))
    expected = alidade.PCA().fit(A).mean_
    for kind in (np.int32, np.int64):
        A.indices, A.indptr = (unaligned(part.astype(kind)) for part in (A.indices, A.indptr))
        assert np.array_equal(alidade.PCA().fit(A).mean_, expected)
    parts = ("csr", *A.shape, A.indptr, A.indices, A.data)
    with pytest.raises(TypeError, match="aligned"):
        alidade._core.fit("pca", {}, {"x": parts})


def test_unaligned_dense():
    """Fields of a packed record are like that."""
    expected, two = alidade.PLS(n_components=2).fit(X, Y, np.abs(Y)).coef_, np.stack([Y, X[:, 1]], axis=1)
    assert np.array_equal(alidade.PLS(n_components=2).fit(unaligned(X), unaligned(Y), unaligned(np.abs(Y))).coef_, expected)
    assert np.array_equal(alidade.CCA(1).fit(X, unaligned(two)).components_, alidade.CCA(1).fit(X, two).components_)


def test_numbers_that_stand_for_many():
    """A row, or a number, that numpy shows again and again without storing it."""
    row, column = np.broadcast_to(X[0], (9, 5)), np.broadcast_to(X[:, :1], (60, 5))
    fitted = alidade.PCA(n_components=1).fit(column)
    assert np.array_equal(fitted.components_, alidade.PCA(n_components=1).fit(column.copy()).components_)
    assert np.array_equal(fitted.transform(row), fitted.transform(row.copy()))
    one = alidade.PLS(n_components=1).fit(X, Y, 1.0)
    assert np.array_equal(one.coef_, alidade.PLS(n_components=1).fit(X, Y, np.ones(60)).coef_)


def test_a_progress_function_that_fits():
    """It may, but not without end."""
    deep = []

    def again(stage, done):
        deep.append(stage)
        alidade.KDR(n_components=1, progress=again).fit(X, Y)
    with pytest.raises(RecursionError, match="`progress`"):
        alidade.KDR(n_components=1, progress=again).fit(X, Y)
    assert len(deep) == 4

    def once(stage, done):
        alidade.PCA().fit(X)
    alidade.KDR(n_components=1, progress=once).fit(X, Y)
    alidade.KDR(n_components=1).fit(X, Y)


SQUARE = np.abs(X @ X.T)
NOT_REAL = {
    "complex": lambda values: values.astype(complex),
    "dates": lambda values: (1000 * np.abs(values)).astype(np.int64).astype("M8[s]"),
    "durations": lambda values: (1000 * np.abs(values)).astype(np.int64).astype("m8[s]"),
    "masked": lambda values: np.ma.masked_greater(np.abs(values), 0.5),
}
TAKERS = {
    "X": lambda wrong: alidade.PCA().fit(wrong(X)),
    "X of transform": lambda wrong: alidade.PCA().fit(X).transform(wrong(X)),
    "y": lambda wrong: alidade.PLS().fit(X, wrong(Y)),
    "y as classes": lambda wrong: alidade.LDA().fit(X, wrong(CLASSES)),
    "y as numbers": lambda wrong: alidade.PLS(task="regression").fit(X, wrong(Y)),
    "y of score": lambda wrong: alidade.PLS().fit(X, Y).score(X, wrong(Y)),
    "weights": lambda wrong: alidade.PLS().fit(X, Y, wrong(np.abs(Y))),
    "weights of score": lambda wrong: alidade.PLS().fit(X, Y).score(X, Y, wrong(np.abs(Y))),
    "graph": lambda wrong: alidade.SDPP(n_components=1).fit(X, Y, graph=wrong(SQUARE)),
    "distances": lambda wrong: alidade.SDPP(n_components=1).fit(X, None, target_distances=wrong(SQUARE)),
    "kernel": lambda wrong: alidade.KCCA(1, response_kernel="given").fit(X, Y, response_kernel=wrong(SQUARE)),
    "start": lambda wrong: alidade.NCA(2).fit(X, CLASSES, start=wrong(X[:2])),
    "scores": lambda wrong: alidade.PCA().fit(X).inverse_transform(wrong(X[:, :2])),
    "a matrix of a table": lambda wrong: alidade.read_table(wrong(X), y=Y),
    "y of a table": lambda wrong: alidade.read_table(X, y=wrong(Y)),
    "weights of a table": lambda wrong: alidade.read_table(X, y=Y, sample_weight=wrong(np.abs(Y))),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("kind", NOT_REAL)
def test_no_real_numbers(kind, taker):
    with pytest.raises(ValueError, match="Complex data not supported|convert dates and durations|masked array"):
        TAKERS[taker](NOT_REAL[kind])


def test_masked_column():
    with pytest.raises(ValueError, match="masked array"):
        alidade.read_table({"a": np.ma.masked_greater(Y, 0), "y": Y}, target="y")


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -1.0])
def test_weights_of_score(wrong):
    """What a fit refuses; numpy would go on with it."""
    for model, y in ((alidade.PLS().fit(X, Y), Y), (alidade.LDA().fit(X, CLASSES), CLASSES)):
        given = np.ones(len(y))
        given[3] = wrong
        with pytest.raises(ValueError, match="sample_weight"):
            model.score(X, y, given)
        with pytest.raises(ValueError, match="one above 0"):
            model.score(X, y, np.zeros(len(y)))
