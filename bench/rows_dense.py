"""Rows of the benchmark: methods on a dense table of 20000 x 500, whose bound is X'X."""
import ctypes as c
import os
import subprocess

from measure import class_data, peak_of, race, regression_data, same_span, seconds_of


def single(x):
    import numpy as np
    return x.astype(np.float32)


def syrk(bench, x):
    """A call of dsyrk for x'x by the BLAS of the library."""
    import numpy as np
    blas, gram = bench.ald.lib, np.zeros((x.shape[1],) * 2)
    blas.cblas_dsyrk.argtypes = [c.c_int] * 5 + [c.c_double, c.c_void_p, c.c_int, c.c_double, c.c_void_p, c.c_int]

    def run():
        blas.openblas_set_num_threads(bench.threads)
        blas.cblas_dsyrk(101, 121, 112, x.shape[1], x.shape[0], 1.0, x.ctypes.data, x.shape[1], 0.0, gram.ctypes.data, x.shape[1])
    return run


def squares(bench, x):
    """X'X in two ways; the faster one is the bound."""
    import numpy as np
    gram = np.empty((x.shape[1],) * 2)
    return {"X'X (dsyrk)": syrk(bench, x), "X'X (numpy)": lambda: np.dot(x.T, x, out=gram)}


def fits(bench, method, settings, x, y=None, array="components"):
    """Ours in double and in single precision."""
    x32 = single(x)
    return {"ours": lambda: bench.ald.fit(method, settings, x, y, array), "float32": lambda: bench.ald.fit(method, settings, x32, y, array)}


def pca(bench):
    from sklearn.decomposition import PCA
    n, d = bench.size
    x, _ = regression_data(n, d, 1)
    solvers = ["auto", "randomized", "covariance_eigh"]
    try:
        PCA(2, svd_solver="covariance_eigh").fit(x[:100, :10])
    except ValueError:  # before scikit-learn 1.5
        solvers[2] = "full"
    peers = {f"sklearn PCA {s}": lambda s=s: PCA(10, svd_solver=s, random_state=0).fit(x) for s in solvers}
    angle = same_span(bench.ald.fit("pca", {"n_components": 10}, x), PCA(10, svd_solver=solvers[2]).fit(x).components_)
    bench.row("pca", f"{n} x {d}, r=10", fits(bench, "pca", {"n_components": 10}, x), peers, squares(bench, x),
              memory=peak_of(bench.library, bench.threads, "pca", n, d), note=f"sine {angle:.1e}")


def several_responses(bench):
    """The size for several responses: scikit-learn's power iterations take minutes at the size of the others."""
    return (1000, 50) if bench.quick else (5000, 200)


def pls(bench):
    from sklearn.cross_decomposition import PLSRegression
    for q in (1, 10):
        n, d = bench.size if q == 1 else several_responses(bench)
        x, y = regression_data(n, d, q)
        peer = PLSRegression(10, scale=False)
        own = fits(bench, "pls", {"n_components": 10}, x, y)
        bench.row("pls" if q == 1 else f"pls, {q} responses", f"{n} x {d}, r=10", own, {"sklearn PLSRegression": lambda: peer.fit(x, y)},
                  squares(bench, x), memory=peak_of(bench.library, bench.threads, "pls", n, d) if q == 1 else None)


R_PLS = """library(pls); args <- commandArgs(TRUE); n <- as.integer(args[2]); d <- as.integer(args[3]); r <- as.integer(args[4])
x <- matrix(readBin(args[1], "double", n * (d + 1)), n, d + 1); data <- list(y = x[, d + 1], x = x[, 1:d])
times <- sapply(1:3, function(i) system.time(plsr(y ~ x, ncomp = r, data = data, method = "kernelpls"))[["elapsed"]])
cat(min(times), as.character(packageVersion("pls")))"""


def r(bench):
    """R's pls on the same numbers, in a process of its own; left out where there is no R or no such package."""
    import numpy as np
    n, d = bench.size
    x, y = regression_data(n, d, 1)
    path = os.path.join(bench.folder, "pls.bin")
    np.asfortranarray(np.c_[x, y]).T.tofile(path)
    try:
        out = subprocess.run(["Rscript", "-e", R_PLS, path, str(n), str(d), "10"], check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        print("r: left out, as there is no R with its package pls here", flush=True)
        return
    ours = race(fits(bench, "pls", {"n_components": 10}, x, y))[0]["ours"]
    bench.report.add("pls", f"{n} x {d}, r=10", ours, peer=float(out[0]), peer_name=f"R pls {out[1]} kernelpls")


def lda(bench):
    import numpy as np
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Peer
    n, d = bench.size
    x, codes = class_data(n, d, 10, 2)
    peers = {f"sklearn LDA {s}": lambda s=s: Peer(solver=s).fit(x, codes) for s in ("lsqr", "eigen")}
    members, sums = np.ascontiguousarray(np.eye(10)[codes].T), np.empty((10, d))
    bounds = {f"{name} and class sums": lambda f=f: (f(), np.dot(members, x, out=sums)) for name, f in squares(bench, x).items()}
    theirs = Peer(solver="eigen").fit(x, codes).scalings_[:, :9].T
    angle = same_span(bench.ald.fit("lda", {"n_components": 9}, x, codes), theirs)
    bench.row("lda", f"{n} x {d}, 10 classes", fits(bench, "lda", {"n_components": 9}, x, codes), peers, bounds, note=f"sine {angle:.1e}")


def cca(bench):
    from sklearn.cross_decomposition import CCA
    n, d = several_responses(bench)
    x, y = regression_data(n, d, 10)
    peer = CCA(5, scale=False)
    bench.row("cca, 10 responses", f"{n} x {d}, r=5", fits(bench, "cca", {"n_components": 5}, x, y), {"sklearn CCA": lambda: peer.fit(x, y)},
              squares(bench, x))


def folds(bench):
    """Ten folds over some ridges of lda: by sums of parts, and with a fit of the rows each."""
    fold = c.CDLL(bench.inner).bench_folds
    fold.argtypes = [c.c_void_p, c.c_void_p] + [c.c_int64] * 3 + [c.c_int] * 3 + [c.c_void_p]
    n, d, totals = bench.size[0], 100, [c.c_double(), c.c_double()]
    x, codes = class_data(n, d, 5, 5)

    def run(ridges, refit):
        if fold(x.ctypes.data, codes.ctypes.data, n, d, 5, ridges, refit, bench.threads, c.byref(totals[refit])):
            raise RuntimeError("bench_folds failed")
    for ridges in (1, 9):
        times, _ = race({"ours": lambda: run(ridges, 0)}, {"refitted": lambda: run(ridges, 1)}, 2 if bench.quick else 5)
        apart = abs(totals[0].value - totals[1].value) / ridges
        bench.report.add("10 folds of lda" + (f", {ridges} ridges" if ridges > 1 else ""), f"{n} x {d}, 5 classes", times["ours"],
                         peer=times["refitted"], peer_name="our lda refitted", note=f"accuracies apart by {apart:.1e}")
