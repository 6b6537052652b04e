"""What is in use beyond X, at its peak: X is copied neither by fit nor by transform, whatever its storage."""
import subprocess
import sys
import textwrap

import pytest

CASES = """
    import numpy as np
    import alidade

    def in_use(key):
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024

    rng = np.random.default_rng(0)
    rows, columns = 60000, 100

    def sparse(storage, kind):
        from scipy.sparse import csc_matrix, csr_matrix
        long, each = (rows, columns // 5) if storage == "csr" else (columns, rows // 5)
        indices = np.tile(np.arange(each, dtype=kind) * 5, long) + np.repeat(np.arange(long) % 5, each).astype(kind)
        X = (csr_matrix if storage == "csr" else csc_matrix)((rows, columns))
        X.indptr, X.indices, X.data = (np.arange(long + 1) * each).astype(kind), indices, rng.normal(size=long * each)
        return X, X[:400].asformat(storage), X.data.nbytes + X.indices.nbytes

    def dense(order, kind):
        X = np.empty((rows // 6, columns), dtype=kind, order=order)
        X[:] = rng.normal(size=X.shape)
        return X, X[:400], X.nbytes

    for storage, kind in {storages}:
        X, few, size = (sparse if storage.startswith("cs") else dense)(storage, kind)
        y = np.arange(X.shape[0]) % 3
        estimator = alidade.{maker}
        estimator.fit(few, y[:400]).transform(few)  # BLAS takes its buffers
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = in_use("VmRSS")
        z = estimator.fit(X, y).transform(X)
        print(size / 2 ** 20, in_use("VmHWM") - before - z.nbytes / 2 ** 20)
"""
SPARSE = [(storage, kind) for storage in ("csr", "csc") for kind in ("int32", "int64")]


def beyond(maker, storages):
    """MB of X and MB beyond it, of each storage."""
    code = textwrap.dedent(CASES).format(maker=maker, storages=storages)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [[float(text) for text in line.split()] for line in done.stdout.splitlines()]


def test_dense():
    found = beyond("LDA(n_jobs=1, predictor='none')", [("C", "float64"), ("F", "float32")])
    assert all(size > 3.8 and more < 2.8 for size, more in found), found


@pytest.mark.parametrize("method", ["PCA", "PLS", "LDA"])
def test_many_rows(method):
    """With the default predictor: at most 4.1 MB and 40 bytes per row, as docs/python.md promises."""
    code = f"""
        import numpy as np
        import alidade
        def in_use(key):
            with open("/proc/self/status") as file:
                return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024
        X = np.empty((200000, 20), dtype="f4")
        for first in range(0, 200000, 1000):
            X[first:first + 1000] = np.random.default_rng(first).normal(size=(1000, 20))
        y = (X[:, 0] > 0).astype(int) if {method!r} == "LDA" else X[:, 0].astype(float)
        alidade.{method}(n_jobs=1).fit(X[:400], y[:400])
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = in_use("VmRSS")
        alidade.{method}(n_jobs=1).fit(X, y)
        print(in_use("VmHWM") - before)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) <= 4.1 + 40 * 200000 / 2 ** 20


@pytest.mark.parametrize("maker", ["PCA(n_jobs=1, predictor='none', solver='lanczos', n_components=1, max_iter=5)",
                                   "PLS(n_jobs=1, predictor='none', task='regression')"])
def test_sparse(maker):
    pytest.importorskip("scipy")
    found = beyond(maker, SPARSE)
    # 1.2 million entries: copies of their places take 4.6 MB.
    assert all(size > 13 and more < 10 for size, more in found), found


def test_sparse_squares():
    """A square of the columns is formed 64 columns at a time: so many numbers per row."""
    pytest.importorskip("scipy")
    found = beyond("LDA(n_jobs=1, predictor='none', solver='direct')", SPARSE[::2])
    assert all(more < 64 * 8 * 60000 / 2 ** 20 + 10 for _, more in found), found
