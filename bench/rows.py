#!/usr/bin/env python3
"""The rows of docs/performance.md: ours, the peer (scikit-learn, pandas) and the bound in one process, in turn, best of several, for
each number of threads in a process of its own. Usage: rows.py LIBRARY [--threads 2,16] [--rows pca,csv,...] [--quick] [-o FILE.csv]

LIBRARY is a libalidade.so with libalidade-bench.so beside it. X'X is dsyrk of the BLAS that LIBRARY is linked with, and numpy's product."""
import argparse
import csv
import ctypes as c
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bench import peak, read_through, regression_data, reset_peak, same_span, seconds_of, write_npy  # noqa: E402

FIELDS = ["row", "threads", "ours", "peer", "bound", "peer_ratio", "bound_ratio", "peer_name", "bound_name", "note"]
REST = 0.3  # seconds: numpy's BLAS waits busily for more than 0.05


def best_of(repeats, *functions):
    """Least time of each function, run in turn. Threads of one BLAS that still wait busily for more work slow the next down: they are
    given the time to go to sleep."""
    best = [float("inf")] * len(functions)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            time.sleep(REST)
            best[i] = min(best[i], seconds_of(function))
    return best


class Rows:
    """Prints and keeps the rows of one number of threads."""

    def __init__(self, threads, path):
        self.threads, self.file = threads, open(path, "a", newline="") if path else None
        self.writer = csv.writer(self.file) if path else None

    def add(self, row, ours, peer=None, peer_name="", bound=None, bound_name="", note=""):
        ahead = peer / ours if peer else None
        above = ours / bound if bound else None
        shown = [f"{v:.4f}" if v else "" for v in (ours, peer, bound)] + [f"{v:.2f}" if v else "" for v in (ahead, above)]
        print(f"{row:22} {self.threads:3} threads  ours {shown[0]:>8}  peer {shown[1]:>8}  bound {shown[2]:>8}  "
              f"ahead {shown[3]:>6}  of the bound {shown[4]:>5}  {peer_name}; {bound_name} {note}", flush=True)
        if self.writer:
            self.writer.writerow([row, self.threads, *shown, peer_name, bound_name, note])
            self.file.flush()


class Bench:
    def __init__(self, options, threads):
        from alidade_ctypes import Alidade
        self.library, self.threads, self.quick = options.library, threads, options.quick
        self.ald = Alidade(options.library, threads)
        self.out = Rows(threads, options.output)
        self.folder = options.folder
        self.n, self.d = (4000, 100) if options.quick else (20000, 500)
        self.repeats = 2 if options.quick else 7

    def syrk(self, x):
        """A call of dsyrk for x'x by the library's own BLAS; x may be single: it is made double first."""
        import numpy as np
        blas = self.ald.lib
        x = np.ascontiguousarray(x, dtype=np.float64)
        gram = np.zeros((x.shape[1],) * 2)
        blas.cblas_dsyrk.argtypes = [c.c_int] * 5 + [c.c_double, c.c_void_p, c.c_int, c.c_double, c.c_void_p, c.c_int]

        def run():
            blas.openblas_set_num_threads(self.threads)
            blas.cblas_dsyrk(101, 121, 112, x.shape[1], x.shape[0], 1.0, x.ctypes.data, x.shape[1], 0.0, gram.ctypes.data, x.shape[1])
        return run

    def compare(self, row, ours, peers, bounds, note="", repeats=None):
        """The fastest of the peers and the lower of the bounds; each is a dict of functions."""
        functions = [ours, *peers.values(), *bounds.values()]
        times = best_of(repeats or self.repeats, *functions)
        of_peers = dict(zip(peers, times[1:1 + len(peers)]))
        of_bounds = dict(zip(bounds, times[1 + len(peers):]))
        peer = min(of_peers, key=of_peers.get, default="")
        bound = min(of_bounds, key=of_bounds.get, default="")
        note += "".join(f", {name} {value:.4f}" for name, value in [*of_peers.items(), *of_bounds.items()])
        self.out.add(row, times[0], of_peers.get(peer), peer, of_bounds.get(bound), bound, note)
        return times[0]

    def bounds(self, x):
        import numpy as np
        return {"X'X (dsyrk)": self.syrk(x), "X'X (numpy)": lambda: np.dot(x.T, x)}

    def pca(self):
        from sklearn.decomposition import PCA
        x, _ = regression_data(self.n, self.d, 1)
        peers = {f"PCA {s}": lambda s=s: PCA(10, svd_solver=s, random_state=0).fit(x) for s in ("auto", "full", "randomized", "arpack")}
        if self.repeats > 2:
            del peers["PCA full"], peers["PCA arpack"]
            try:
                PCA(10, svd_solver="covariance_eigh").fit(x[:100])
                peers["PCA covariance_eigh"] = lambda: PCA(10, svd_solver="covariance_eigh").fit(x)
            except ValueError:  # before scikit-learn 1.5
                pass
        angle = same_span(self.ald.fit("pca", {"n_components": 10}, x), PCA(10, svd_solver="full").fit(x).components_)
        f64 = self.compare("pca", lambda: self.ald.fit("pca", {"n_components": 10}, x), peers, self.bounds(x), f"sine {angle:.1e}")
        self.single("pca", f64, {"n_components": 10}, x, None)

    def single(self, method, f64, settings, x, y):
        """The same fit of the data in single precision, with the time in double as its bound."""
        import numpy as np
        x32 = x.astype(np.float32)
        array = "coefficients" if method == "kpca" else "components"
        times = best_of(self.repeats, lambda: self.ald.fit(method, settings, x32, y, array), lambda: self.ald.fit(method, settings, x, y, array))
        self.out.add(f"{method}, float32", times[0], bound=min(times[1], f64), bound_name="ours in double")

    def pls(self):
        from sklearn.cross_decomposition import PLSRegression
        x, y = regression_data(self.n, self.d, 1)
        peers = {"PLSRegression": lambda: PLSRegression(10, scale=False).fit(x, y)}
        f64 = self.compare("pls", lambda: self.ald.fit("pls", {"n_components": 10}, x, y), peers, self.bounds(x))
        self.single("pls", f64, {"n_components": 10}, x, y)

    def lda(self):
        import numpy as np
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Peer
        x, _ = regression_data(self.n, self.d, 1)
        codes = np.random.default_rng(2).integers(0, 10, self.n).astype(np.int32)
        x[np.arange(self.n), codes] += 2.0
        peers = {f"LDA {s}": lambda s=s: Peer(solver=s).fit(x, codes) for s in ("lsqr", "eigen")}
        settings = {"n_components": 9}
        f64 = self.compare("lda", lambda: self.ald.fit("lda", settings, x, codes), peers, self.bounds(x))
        self.single("lda", f64, settings, x, codes)

    def kpca(self):
        from sklearn.decomposition import KernelPCA
        n, d = 800 if self.quick else 3000, 50
        x, _ = regression_data(n, d, 1)
        x[:, :3] += 4.0
        width = 1.5 * d ** 0.5
        settings = {"n_components": 10, "kernel_width": width}
        peers = {f"KernelPCA {s}": lambda s=s: KernelPCA(10, kernel="rbf", gamma=1 / (2 * width ** 2), eigen_solver=s, random_state=0).fit(x)
                 for s in ("arpack", "randomized")}
        f64 = self.compare("kpca", lambda: self.ald.fit("kpca", settings, x, None, "coefficients"), peers, self.kernel_bound(x, width))
        self.single("kpca", f64, settings, x, None)

    def kernel_bound(self, x, width):
        import numpy as np

        def run():
            gram = np.dot(x, x.T)
            gram /= width ** 2
            np.exp(gram, out=gram)
        return {"Gram and exp (numpy)": run}

    def knn(self):
        import numpy as np
        from sklearn.neighbors import NearestNeighbors
        n, d, k = 5000 if self.quick else 50000, 50, 10
        folder = os.path.dirname(os.path.abspath(self.library))
        inner = c.CDLL(os.path.join(folder, "libalidade-bench.so"))
        for search in (inner.bench_neighbours, inner.bench_neighbours_single):
            search.argtypes = [c.c_void_p, c.c_int64, c.c_int64, c.c_int64, c.c_int, c.c_void_p, c.c_void_p]
        x = np.random.default_rng(3).standard_normal((n, d))
        near, squares, x32 = np.empty((n, k), np.int64), np.empty((n, k)), x.astype(np.float32)
        product = np.empty((2000, n), np.float32)

        def ours(search, rows):
            return lambda: search(rows.ctypes.data, n, d, k, self.threads, near.ctypes.data, squares.ctypes.data)

        def products():
            for i in range(0, n, 2000):
                np.dot(x32[i:i + 2000], x32.T, out=product[:len(x32[i:i + 2000])])
        peer = NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=self.threads).fit(x)
        double = ours(inner.bench_neighbours, x)
        f64 = self.compare("k nearest", double, {"NearestNeighbors brute": peer.kneighbors}, {"2 n^2 d in single (numpy)": products},
                           repeats=2 if self.threads < 8 else 3)
        same = np.mean(near == peer.kneighbors(return_distance=False))
        print(f"  {same:.4%} of the neighbours are the same")
        times = best_of(3, ours(inner.bench_neighbours_single, x32), double)
        self.out.add("k nearest, float32", times[0], bound=min(times[1], f64), bound_name="ours in double")

    def csv(self):
        import numpy as np
        import pandas as pd
        shapes = {}
        for digits in (17, 6):
            path = os.path.join(self.folder, f"table{digits}.csv")
            size = os.path.getsize(path)
            shapes[digits] = self.ald.load(path)
            buffer = np.ones(shapes[digits])
            bound = {"file read, matrix written": lambda p=path, b=buffer: (read_through(p), b.fill(1.0))}
            self.compare(f"csv, {digits} digits", lambda p=path: self.ald.load(p), {"read_csv": lambda p=path: pd.read_csv(p, engine="c")},
                         bound, f"{size / 1e6:.0f} MB", 3)
            del buffer
        rows, cols = shapes[17]
        self.csv_memory(os.path.join(self.folder, "table17.csv"), 8e-6 * rows * cols)

    def csv_memory(self, path, matrix):
        """Beyond the matrix, in MB; in a process that has read something before."""
        before = reset_peak()
        self.ald.load(path)
        used = peak() - before
        print(f"  csv: memory {used:.0f} MB beside what the process had, the matrix has {matrix:.0f} MB ({used / matrix:.2f} times)")

    def stream(self):
        path, single = (os.path.join(self.folder, name) for name in ("stream.npy", "single.npy"))

        def fit(file):
            return lambda: self.ald.fit_stream("lda", {"n_components": 2}, file, "100")
        # Each fit comes after the other file was read: neither finds its own in the processor's cache.
        ours, read, f32, _ = best_of(3 if self.quick else 5, fit(path), lambda: read_through(path), fit(single), lambda: read_through(single))
        survey = min(seconds_of(lambda: self.survey(path)) for _ in range(3))
        self.out.add("lda --stream", ours, bound=read, bound_name="reading the file", note=f"survey alone {survey:.4f}")
        self.out.add("lda --stream, float32", f32, bound=ours, bound_name="ours in double")

    def survey(self, path):
        from alidade_ctypes import LoadOptions
        options = LoadOptions(size=c.sizeof(LoadOptions), target=b"100")
        survey, rows = c.c_void_p(), c.c_int64()
        self.ald.call("ald_dataset_survey", self.ald.context, path.encode(), c.byref(options), c.byref(survey), c.byref(rows))
        self.ald.lib.ald_dataset_free(survey)


def write_table(path, megabytes, digits):
    """Ten times the same rows, so that it is made quickly."""
    import numpy as np
    cols = 50
    rows = int(megabytes * 1e5 / (cols * (digits + 3)))
    block = np.random.default_rng(1).standard_normal((rows, cols))
    text = "\n".join(",".join(f"{v:.{digits}g}" for v in row) for row in block) + "\n"
    with open(path, "w") as file:
        file.write(",".join(f"c{j}" for j in range(cols)) + "\n")
        for _ in range(10):
            file.write(text)


def make_files(folder, rows, quick):
    if "csv" in rows:
        write_table(os.path.join(folder, "table17.csv"), 5 if quick else 200, 17)
        write_table(os.path.join(folder, "table6.csv"), 5 if quick else 200, 6)
    if "stream" in rows:
        write_npy(os.path.join(folder, "stream.npy"), 10 if quick else 400, 100)
        write_npy(os.path.join(folder, "single.npy"), 10 if quick else 400, 100, "<f4")


ROWS = ["pca", "pls", "lda", "kpca", "knn", "csv", "stream"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--threads", default="2,16")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--quick", action="store_true", help="smaller sizes, two repeats: only to see that it runs")
    parser.add_argument("-o", "--output")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser.parse_args()


OLD_CORES = ("Prescott", "Core2", "Nehalem", "Penryn", "Katmai", "Barcelona", "Atom")


def take_fast_kernels(library):
    """Debian's OpenBLAS takes kernels from before AVX where it does not know the processor; it is told before it begins."""
    if "OPENBLAS_CORETYPE" in os.environ:
        return
    core = subprocess.run([sys.executable, "-c", "import ctypes as c, sys; b = c.CDLL(sys.argv[1]); b.openblas_get_corename.restype = c.c_char_p; "
                           "print(b.openblas_get_corename().decode())", library], check=True, capture_output=True, text=True).stdout.strip()
    with open("/proc/cpuinfo") as file:
        flags = file.read()
    if core in OLD_CORES and "avx2" in flags:
        os.environ["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512vl" in flags else "Haswell"


def child(options):
    """One number of threads."""
    bench = Bench(options, int(options.threads))
    import sklearn
    print(f"-- {options.threads} threads, scikit-learn {sklearn.__version__}, {describe(bench.ald.lib)}", flush=True)
    for row in options.rows.split(","):
        took = seconds_of(getattr(bench, row))
        print(f"  ({row}: {took:.1f} s)", flush=True)


def describe(blas):
    blas.openblas_get_config.restype = c.c_char_p
    return blas.openblas_get_config().decode()


def main():
    options = arguments()
    if options.folder:
        child(options)
        return
    take_fast_kernels(options.library)
    if options.output:
        with open(options.output, "w", newline="") as file:
            csv.writer(file).writerow(FIELDS)
    with tempfile.TemporaryDirectory() as folder:
        make_files(folder, options.rows.split(","), options.quick)
        for threads in options.threads.split(","):
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
            command = [sys.executable, os.path.abspath(__file__), options.library, "--folder", folder, "--threads", threads, "--rows", options.rows]
            command += ["--quick"] * options.quick + (["-o", options.output] if options.output else [])
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
