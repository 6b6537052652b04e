#!/usr/bin/env python3
"""Benchmarks beside the peers: both run in this process on the same arrays with the same number of threads, alternately,
best of five. Prints ratios and writes a CSV. Usage: bench.py LIBRARY [-o FILE.csv] [--threads N] [--quick] [--stream-megabytes M]"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def best_of(repeats, *functions):
    """Least time of each function, run in turn."""
    best = [float("inf")] * len(functions)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def same_span(a, b):
    """Sine of the largest angle between the spans of rows."""
    import numpy as np
    qa, qb = np.linalg.qr(a.T)[0], np.linalg.qr(b.T)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def with_version(peer_name):
    """The name of a peer as the table shows it: with the version that was measured."""
    for short, module, full in (("sklearn ", "sklearn", "scikit-learn"), ("pandas.", "pandas", "pandas")):
        if peer_name.startswith(short):
            version = getattr(sys.modules.get(module), "__version__", "")
            return f"{full} {version} {peer_name[len(short):]}"
    return peer_name


class Report:
    def __init__(self, threads):
        self.rows, self.threads = [], threads
        print(f"{'what':34} {'size':>16} {'ours':>9} {'peer':>9} {'ratio':>7}  peer")

    def add(self, what, size, ours, peer, peer_name, bar, note=""):
        ratio, peer_name = peer / ours, with_version(peer_name)
        self.rows.append(dict(what=what, size=size, threads=self.threads, ours=f"{ours:.6g}", peer=f"{peer:.6g}",
                              ratio=f"{ratio:.4g}", bar=bar, peer_name=peer_name, note=note))
        missed = "  MISSED" if ratio < float(bar.split()[1]) else ""
        print(f"{what:34} {size:>16} {ours:9.4f} {peer:9.4f} {ratio:7.2f}  {peer_name}  [bar {bar}]{missed} {note}", flush=True)

    def write(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(self.rows[0]))
            writer.writeheader()
            writer.writerows(self.rows)


def regression_data(n, d, q):
    import numpy as np
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, d)) * np.linspace(3, 0.2, d) + rng.standard_normal(d)
    y = x[:, :q] + x[:, q:2 * q] * 0.5 + rng.standard_normal((n, q))
    return x, np.ascontiguousarray(y)


def bench_pca(ald, report, repeats, n, d, r):
    from sklearn.decomposition import PCA
    x, _ = regression_data(n, d, 1)
    solvers = ["auto", "full", "randomized"]
    fits = [lambda s=s: PCA(r, svd_solver=s, random_state=0).fit(x) for s in solvers]
    times = best_of(repeats, lambda: ald.fit("pca", {"n_components": r}, x), *fits)
    angle = same_span(ald.fit("pca", {"n_components": r}, x), PCA(r, svd_solver="full").fit(x).components_)
    for solver, peer in zip(solvers, times[1:]):
        report.add("pca", f"{n} x {d}, r={r}", times[0], peer, f"sklearn PCA {solver}", ">= 3", f"sine {angle:.1e}")


def bench_pls(ald, report, repeats, n, d, q, r):
    import numpy as np
    from sklearn.cross_decomposition import PLSRegression
    x, y = regression_data(n, d, q)
    peer = PLSRegression(r, scale=False)
    ours, theirs = best_of(repeats, lambda: ald.fit("pls", {"n_components": r}, x, y), lambda: peer.fit(x, y))
    angle = same_span(ald.fit("pls", {"n_components": r}, x, y), peer.x_rotations_.T)
    report.add(f"pls, {q} response{'s' * (q > 1)}", f"{n} x {d}, r={r}", ours, theirs, "sklearn PLSRegression", ">= 5", f"sine {angle:.1e}")
    if q > 1:
        return
    buffer = np.empty((d, d))
    square, read = best_of(repeats, lambda: np.dot(x.T, x, out=buffer), lambda: x.sum())
    bound = min(square, 2 * r * read)
    report.add("pls beside its bound", f"{n} x {d}, r={r}", ours, bound, "X'X once or X read 2r times", ">= 0.33",
               f"X'X {square:.3f} s, one read {read:.4f} s")


R_PLS = """library(pls); args <- commandArgs(TRUE); n <- as.integer(args[2]); d <- as.integer(args[3]); r <- as.integer(args[4])
x <- matrix(readBin(args[1], "double", n * (d + 1)), n, d + 1); data <- list(y = x[, d + 1], x = x[, 1:d])
times <- sapply(1:3, function(i) system.time(plsr(y ~ x, ncomp = r, data = data, method = "kernelpls"))[["elapsed"]])
cat(min(times), as.character(packageVersion("pls")))"""


def bench_r_pls(ald, report, repeats, n, d, r, folder):
    """R's pls on the same numbers, in a process of its own; left out where there is no R or no such package."""
    import numpy as np
    x, y = regression_data(n, d, 1)
    path = os.path.join(folder, "pls.bin")
    np.asfortranarray(np.c_[x, y]).T.tofile(path)
    try:
        out = subprocess.run(["Rscript", "-e", R_PLS, path, str(n), str(d), str(r)], check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        print("no R with its package pls here")
        return
    ours = best_of(repeats, lambda: ald.fit("pls", {"n_components": r}, x, y))[0]
    report.add("pls, 1 response", f"{n} x {d}, r={r}", ours, float(out[0]), f"R pls {out[1]} kernelpls", ">= 4")


def bench_lda(ald, report, repeats, n, d, classes):
    import numpy as np
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    x, _ = regression_data(n, d, 1)
    codes = np.random.default_rng(2).integers(0, classes, n).astype(np.int32)
    x[np.arange(n), codes] += 2.0
    solvers = ["svd", "lsqr", "eigen"]
    fits = [lambda s=s: LinearDiscriminantAnalysis(solver=s).fit(x, codes) for s in solvers]
    settings = {"n_components": classes - 1}
    times = best_of(repeats, lambda: ald.fit("lda", settings, x, codes), *fits)
    peer = LinearDiscriminantAnalysis(solver="eigen").fit(x, codes).scalings_[:, :classes - 1].T
    angle = same_span(ald.fit("lda", settings, x, codes), peer)
    for solver, seconds in zip(solvers, times[1:]):
        report.add("lda", f"{n} x {d}, {classes} classes", times[0], seconds, f"sklearn LDA {solver}", ">= 4", f"sine {angle:.1e}")


def some_graph(n, k):
    """Every row points to k of the rows that come within 1000 after it."""
    import numpy as np
    from alidade_ctypes import graph_view
    steps = np.sort(np.random.default_rng(3).choice(np.arange(1, min(n - 1, 1000)), k, replace=False))
    neighbours = np.sort((np.arange(n, dtype=np.int64)[:, None] + steps) % n, axis=1)
    return graph_view(np.ascontiguousarray(neighbours), np.ones(n * k))


def parity_data(n, d):
    import numpy as np
    rng = np.random.default_rng(1)
    x = rng.random((n, d))
    return x, (np.sin(2 * np.pi * x[:, :1]) * np.sin(2 * np.pi * x[:, 1:2]) + 0.1 * rng.standard_normal((n, 1)))


def bench_sdpp_step(ald, report, repeats, n, d, r):
    """A step of the conjugate gradient beside the two products with X that it cannot do without. Steps are counted: the fit may end
    before it has taken all that it was allowed."""
    import numpy as np
    x, y = parity_data(n, d)
    graph, steps, more, taken = some_graph(n, 10), 50, 300, {}
    settings = {"n_components": r, "solver": "cg", "n_starts": 1, "tol": 1e-15}
    u, v = np.empty((n, r)), np.ones((d, r))

    def products():
        for _ in range(steps):
            np.dot(x, v, out=u)
            np.dot(x.T, u, out=v)
            v[:] = 1.0

    def fit(most):
        ald.fit("sdpp", {**settings, "max_iter": most}, x, y, graph=graph)
        taken[most] = ald.iterations

    few, many, plain = best_of(repeats, lambda: fit(2), lambda: fit(2 + more), products)
    step = (many - few) / (taken[2 + more] - taken[2])
    report.add("sdpp: a step of cg", f"{n} x {d}, r={r}, k=10", step, plain / steps, "two products with X", ">= 0.667",
               f"{taken[2 + more]} steps")


def bench_sdpp_rows(ald, report, repeats, n, d):
    """Six starts beside one step of one start, which is little more than adding up A, b and c."""
    x, y = parity_data(n, d)
    graph = some_graph(n, 10)
    whole, sums = best_of(repeats, lambda: ald.fit("sdpp", {"n_components": 2}, x, y, graph=graph),
                          lambda: ald.fit("sdpp", {"n_components": 2, "solver": "cg", "n_starts": 1, "max_iter": 1}, x, y, graph=graph))
    report.add("sdpp: six starts, given graph", f"{n} x {d}, k=10", whole, sums, "A, b and c alone", ">= 0.714")


def bench_sdpp_parity(ald, report, repeats, n, d, k, limit):
    x, y = parity_data(n, d)
    whole = best_of(repeats, lambda: ald.fit("sdpp", {"n_components": 2, "n_neighbors": k}, x, y))[0]
    report.add("sdpp: parity, whole fit", f"{n} x {d}, k={k}", whole, limit, f"{limit} s", ">= 1")


def bench_sdpp_all(ald, report, repeats, limit):
    """As many components as columns: the convex optimum, of lower rank, is the result, and no start can improve on it."""
    import numpy as np
    rng = np.random.default_rng(1)
    x = rng.standard_normal((2000, 100))
    y = np.sin(x[:, :1]) + x[:, 1:2] / 2 + 0.1 * rng.standard_normal((2000, 1))
    whole = best_of(repeats, lambda: ald.fit("sdpp", {"n_components": 100, "n_neighbors": 10}, x, y))[0]
    report.add("sdpp: all components", "2000 x 100, k=10", whole, limit, f"{limit} s", ">= 1")


def bench_cca(ald, report, repeats, n, d, q, r):
    from sklearn.cross_decomposition import CCA
    x, y = regression_data(n, d, q)
    peer = CCA(r, scale=False)
    ours, theirs = best_of(repeats, lambda: ald.fit("cca", {"n_components": r}, x, y), lambda: peer.fit(x, y))
    report.add(f"cca, {q} responses", f"{n} x {d}, r={r}", ours, theirs, "sklearn CCA", ">= 50")


def bench_neighbours(library, report, repeats, n, d, k):
    import ctypes as c
    import numpy as np
    from sklearn.neighbors import NearestNeighbors
    search = c.CDLL(os.path.join(os.path.dirname(os.path.abspath(library)), "libalidade-bench.so")).bench_neighbours
    search.argtypes = [c.c_void_p, c.c_int64, c.c_int64, c.c_int64, c.c_int, c.c_void_p, c.c_void_p]
    x = np.random.default_rng(3).standard_normal((n, d))
    near, squares = np.empty((n, k), np.int64), np.empty((n, k))

    def ours():
        if search(x.ctypes.data, n, d, k, report.threads, near.ctypes.data, squares.ctypes.data):
            raise RuntimeError("bench_neighbours failed")
    peer = NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=report.threads).fit(x)
    times = best_of(repeats, ours, peer.kneighbors)
    same = np.mean(near == peer.kneighbors(return_distance=False))
    report.add(f"nearest neighbours, k={k}", f"{n} x {d}", *times, "sklearn NearestNeighbors brute", ">= 2", f"{same:.4%} the same")


def bench_folds(library, report, repeats, n, d, ridges):
    """Ten folds over some ridges of lda: by sums of parts, and with a fit of the rows each."""
    import ctypes as c
    import numpy as np
    fold = c.CDLL(os.path.join(os.path.dirname(os.path.abspath(library)), "libalidade-bench.so")).bench_folds
    fold.argtypes = [c.c_void_p, c.c_void_p] + [c.c_int64] * 3 + [c.c_int] * 3 + [c.c_void_p]
    x, _ = regression_data(n, d, 1)
    codes = np.random.default_rng(5).integers(0, 5, n).astype(np.int32)
    x[np.arange(n), codes] += 2.0
    totals = [c.c_double(), c.c_double()]

    def run(refit):
        if fold(x.ctypes.data, codes.ctypes.data, n, d, 5, ridges, refit, report.threads, c.byref(totals[refit])):
            raise RuntimeError("bench_folds failed")
    times = best_of(repeats, lambda: run(0), lambda: run(1))
    report.add(f"10 folds of lda, ridges: {ridges}", f"{n} x {d}", *times, "our lda refitted", ">= 4" if ridges > 1 else ">= 1",
               f"accuracies apart by {abs(totals[0].value - totals[1].value) / ridges:.1e}")


def bench_kernel(ald, report, repeats, n, d, r):
    """The same rbf kernel and as many directions; classes for kspca, which does the work of kpca and a little more."""
    import numpy as np
    from sklearn.decomposition import KernelPCA
    x, _ = regression_data(n, d, 1)
    codes = np.random.default_rng(2).integers(0, 3, n).astype(np.int32)
    x[np.arange(n), codes] += 4.0
    width = 1.5 * d ** 0.5
    settings = {"n_components": r, "kernel_width": width}
    peer = KernelPCA(r, kernel="rbf", gamma=1 / (2 * width ** 2), eigen_solver="arpack", random_state=0)
    ours, supervised, theirs = best_of(repeats, lambda: ald.fit("kpca", settings, x, None, "coefficients"),
                                       lambda: ald.fit("kspca", settings, x, codes, "coefficients"), lambda: peer.fit(x))
    angle = same_span(ald.fit("kpca", settings, x, None, "coefficients").T, peer.eigenvectors_.T)
    report.add("kpca", f"{n} x {d}, r={r}", ours, theirs, "sklearn KernelPCA arpack", ">= 1.5", f"sine {angle:.1e}")
    report.add("kspca beside kpca", f"{n} x {d}, r={r}", supervised, ours, "our kpca", ">= 0.77")


def bench_kdr(ald, report, repeats, n):
    """Beside what was set as its budget, for want of a peer: 50 stages of one start."""
    import numpy as np
    rng = np.random.default_rng(4)
    x = rng.uniform(size=(n, 5))
    y = np.sin(2 * np.pi * x[:, :1]) * np.sin(2 * np.pi * x[:, 1:2]) + 0.1 * rng.standard_normal((n, 1))
    exact, low = ({"n_components": 2, "n_starts": 1, "random_state": 1, "rank": rank} for rank in (0, 100))
    times = best_of(repeats, lambda: ald.fit("kdr", exact, x, y), lambda: ald.fit("kdr", low, x, y), lambda: ald.fit("gkdr", {}, x, y))
    angle = same_span(ald.fit("kdr", exact, x, y), ald.fit("kdr", low, x, y))
    for what, seconds, budget in zip(("kdr, exact", "kdr, rank 100", "gkdr"), times, (0.3, 0.5, 0.5)):
        report.add(what, f"{n} x 5, r=2", seconds, budget, "its budget", ">= 1", f"sine {angle:.1e}" if what == "kdr, rank 100" else "")


def text_data(n, d, words):
    """Sparse counts like those of text: words of falling frequency, 20 classes that each have words of their own; rows of length 1."""
    import numpy as np
    import scipy.sparse as sparse
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 20, n).astype(np.int32)
    columns = (d ** rng.random((n, words)) - 1).astype(np.int64)
    own = rng.random((n, words)) < 0.1
    columns[own] = (codes[:, None] * (d // 20) + (d // 20) * rng.random((n, words)) ** 2).astype(np.int64)[own]
    x = sparse.csr_matrix((np.ones(n * words), (np.repeat(np.arange(n), words), columns.ravel())), shape=(n, d))
    return sparse.csr_matrix(x.multiply(1 / np.sqrt(x.multiply(x).sum(1)))), codes


def bench_text(ald, report, repeats, n, d, words):
    """lda of sparse text by two stages, beside scipy's LSQR of one class, which is what there is, times the classes."""
    import numpy as np
    from scipy.sparse.linalg import LinearOperator, lsqr
    x, codes = text_data(n, d, words)
    mean = np.asarray(x.mean(0)).ravel()
    one = (codes == 0) / np.sqrt((codes == 0).sum())
    columns = x.T.tocsr()
    z = LinearOperator(x.shape, matvec=lambda v: x @ v - mean @ v, rmatvec=lambda u: columns @ u - mean * u.sum())
    settings = {"n_components": 2, "solver": "two-stage", "ridge": 1}
    ours, theirs = best_of(repeats, lambda: ald.fit("lda", settings, x, codes), lambda: lsqr(z, one, damp=1.0, atol=1e-6, btol=1e-6))
    report.add("lda, two-stage, 20 classes", f"{n} x {d}, {x.nnz / 1e6:.1f} million", ours, 20 * theirs, "20 times scipy's lsqr of one class", ">= 3")


def write_csv(path, rows, cols, digits):
    import numpy as np
    rng = np.random.default_rng(1)
    with open(path, "w") as file:
        file.write(",".join(f"c{j}" for j in range(cols)) + "\n")
        for start in range(0, rows, 1000):
            block = rng.standard_normal((min(1000, rows - start), cols))
            file.write("\n".join(",".join(f"{v:.{digits}g}" for v in row) for row in block) + "\n")


def bench_csv(ald, report, repeats, megabytes, digits, folder):
    import pandas as pd
    path, cols = os.path.join(folder, f"table{digits}.csv"), 50
    rows = int(megabytes * 1e6 / (cols * (digits + 3)))
    write_csv(path, rows, cols, digits)
    size = os.path.getsize(path) / 1e6
    ours, theirs = best_of(repeats, lambda: ald.load(path), lambda: pd.read_csv(path, engine="c"))
    extra = peak_of("load", path)[1] - rows * cols * 8 / 1e6
    report.add("read csv", f"{size:.0f} MB, {digits} digits", ours, theirs, "pandas.read_csv (c)", ">= 1", f"{extra:.0f} MB beyond the matrix")
    os.remove(path)


def write_npy(path, megabytes, cols, dtype="<f8"):
    """Rows of normals in blocks, so many that they take these megabytes in double; the last column is one of five classes."""
    import numpy as np
    rng = np.random.default_rng(3)
    rows = int(megabytes * 1e6 / (8 * cols))
    array = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=(rows, cols))
    for start in range(0, rows, 50000):
        codes = rng.integers(0, 5, min(50000, rows - start))
        block = rng.standard_normal((len(codes), cols))
        block[np.arange(len(codes)), codes] += 2.0
        block[:, -1] = codes
        array[start:start + len(codes)] = block
    array.flush()
    return rows


def read_through(path):
    buffer = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def evict(path):
    """Takes the file out of the page cache, so that the next reading is one of the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def seconds_of(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def bench_stream(ald, report, repeats, megabytes, folder):
    """Beside a plain reading of the file. Cold: from the disk, in both readings of the fit; warm: from the page cache."""
    path = os.path.join(folder, "stream.npy")
    rows = write_npy(path, megabytes, 100)
    fit = {False: float("inf"), True: float("inf")}
    read = dict(fit)
    for _ in range(repeats):
        for cold in (True, False):
            leave = (lambda: evict(path)) if cold else (lambda: None)
            leave()
            read[cold] = min(read[cold], seconds_of(lambda: read_through(path)))
            leave()
            waited = []
            whole = seconds_of(lambda: ald.fit_stream("lda", {"n_components": 2}, path, "100",
                                                      lambda: waited.append(seconds_of(leave))))
            fit[cold] = min(fit[cold], whole - waited[0])
    _, used = peak_of("stream", path)
    for cold in (True, False):
        report.add(f"lda --stream, {'cold' if cold else 'warm'}", f"{megabytes:.0f} MB, {rows} x 100", fit[cold], read[cold],
                   "reading the file", ">= 0.33" if cold else ">= 0", f"{used:.0f} MB of memory")
    os.remove(path)


def peak_of(what, *arguments):
    """Peak memory in MB before and after a task in a process of its own."""
    out = subprocess.run([sys.executable, os.path.abspath(__file__), LIBRARY, "--peak", what, *arguments],
                         check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), float(out[1])


def peak_task(library, what, arguments):
    """Runs in a process of its own: the growth of resident memory at its peak."""
    import numpy as np
    from alidade_ctypes import Alidade
    ald = Alidade(library, 2)
    if what in ("load", "stream"):
        before = resident()
        if what == "load":
            ald.load(arguments[0])
        else:
            ald.fit_stream("lda", {"n_components": 2}, arguments[0], "100")
        print(before, peak() - before)
        return
    x, y = regression_data(20000, 500, 1)
    x = np.ascontiguousarray(x)
    ald.fit(what, {"n_components": 2}, x[:600, :30].copy(), y[:600])
    before = reset_peak()
    ald.fit(what, {"n_components": 10}, x, y)
    print(before, peak() - before)


def status_field(name):
    with open("/proc/self/status") as file:
        return next(float(line.split()[1]) / 1e3 for line in file if line.startswith(name))


def resident():
    return status_field("VmRSS")


def peak():
    return status_field("VmHWM")


def reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return resident()


def bench_memory(report):
    for method in ("pca", "pls"):
        _, grown = peak_of(method)
        report.add(f"{method}: memory beyond X (MB)", "20000 x 500, r=10", grown, 8.0, "10 % of X", ">= 1")


def rows_of(ald, report, options, folder):
    """What is measured, by name, in the order of the table."""
    quick = options.quick
    n, d, repeats, megabytes = (2000, 100, 2, 5) if quick else (20000, 500, 5, 200)
    few, two = min(repeats, 3), min(repeats, 2)
    rows = {
        "pca": lambda: bench_pca(ald, report, repeats, n, d, 10),
        "pls": lambda: [bench_pls(ald, report, repeats, n, d, q, 10) for q in (1, 10)],
        "lda": lambda: bench_lda(ald, report, repeats, n, d, 10),
        "cca": lambda: bench_cca(ald, report, two, n, d, 10, 5),
        "neighbours": lambda: bench_neighbours(LIBRARY, report, two, n if quick else 50000, 50, 10),
        "folds": lambda: [bench_folds(LIBRARY, report, few, n, 100, ridges) for ridges in (1, 9)],
        "kernel": lambda: bench_kernel(ald, report, repeats, 800 if quick else 3000, 50, 10),
        "kdr": lambda: bench_kdr(ald, report, repeats, 100 if quick else 500),
        "text": lambda: bench_text(ald, report, few, *((200, 500, 10) if quick else (16000, 62000, 130))),
        "sdpp_step": lambda: bench_sdpp_step(ald, report, repeats, n, d, 2),
        "sdpp_rows": lambda: bench_sdpp_rows(ald, report, few, 20000 if quick else 1000000, 10),
        "sdpp_small": lambda: bench_sdpp_parity(ald, report, repeats, 500, 5, 20, 0.1),
    }
    if not quick:
        rows["sdpp_parity"] = lambda: bench_sdpp_parity(ald, report, few, 2000, 100, 20, 0.6)
        rows["sdpp_all"] = lambda: bench_sdpp_all(ald, report, few, 2.5)
    rows["r"] = lambda: bench_r_pls(ald, report, repeats, n, d, 10, folder)
    rows["csv"] = lambda: [bench_csv(ald, report, few, megabytes, digits, folder) for digits in (17, 6)]
    rows["stream"] = lambda: bench_stream(ald, report, few, megabytes if quick else options.stream_megabytes, folder)
    if not quick:
        rows["memory"] = lambda: bench_memory(report)
    return rows


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("-o", "--output")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, two repeats: only to see that it runs")
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of rows: pca,pls,lda,...")
    parser.add_argument("--stream-megabytes", type=float, default=400, help="size of the file that is streamed, made here")
    parser.add_argument("--peak", nargs="+", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    global LIBRARY
    options = arguments()
    LIBRARY = options.library
    if options.peak:
        peak_task(LIBRARY, options.peak[0], options.peak[1:])
        return
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(options.threads)
    from alidade_ctypes import Alidade, start_with_fast_kernels
    start_with_fast_kernels(LIBRARY)
    ald, report = Alidade(LIBRARY, options.threads), Report(options.threads)
    with tempfile.TemporaryDirectory() as folder:
        rows = rows_of(ald, report, options, folder)
        for name in options.only or rows:
            rows[name]()
    if options.output:
        report.write(options.output)


if __name__ == "__main__":
    main()
