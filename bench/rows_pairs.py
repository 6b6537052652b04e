"""Rows of the benchmark: methods that compare rows with each other, by kernels, neighbours or pairs."""
import ctypes as c

from measure import class_data, parity_data, race, regression_data, same_span
from rows_dense import fits, single


def kernel(bench):
    """kpca beside the same rbf kernel of scikit-learn and as many directions; kspca, with classes, beside kpca, whose work it does."""
    import numpy as np
    from sklearn.decomposition import KernelPCA
    n, d = 800 if bench.quick else 3000, 50
    x, codes = class_data(n, d, 3, 2, 4.0)
    width = 1.5 * d ** 0.5
    settings = {"n_components": 10, "kernel_width": width}
    peers = {f"sklearn KernelPCA {s}": lambda s=s: KernelPCA(10, kernel="rbf", gamma=1 / (2 * width ** 2), eigen_solver=s, random_state=0).fit(x)
             for s in ("arpack", "randomized")}
    gram = np.empty((n, n))

    def bound():
        np.dot(x, x.T, out=gram)
        np.multiply(gram, 1 / width ** 2, out=gram)
        np.exp(gram, out=gram)
    own = fits(bench, "kpca", settings, x, None, "coefficients")
    theirs = KernelPCA(10, kernel="rbf", gamma=1 / (2 * width ** 2), eigen_solver="arpack", random_state=0).fit(x).eigenvectors_
    angle = same_span(bench.ald.fit("kpca", settings, x, None, "coefficients").T, theirs.T)
    bench.row("kpca", f"{n} x {d}, r=10", own, peers, {"Gram and exp (numpy)": bound}, note=f"sine {angle:.1e}")
    bench.row("kspca", f"{n} x {d}, r=10", fits(bench, "kspca", settings, x, codes, "coefficients"), {}, {"our kpca": own["ours"]})


def knn(bench):
    import numpy as np
    from sklearn.neighbors import NearestNeighbors
    n, d, k = 3000 if bench.quick else 50000, 50, 10
    inner = c.CDLL(bench.inner)
    x = np.random.default_rng(3).standard_normal((n, d))
    x32, near, squares = single(x), np.empty((n, k), np.int64), np.empty((n, k))

    def ours(search, rows):
        search.argtypes = [c.c_void_p, c.c_int64, c.c_int64, c.c_int64, c.c_int, c.c_void_p, c.c_void_p]

        def run():
            if search(rows.ctypes.data, n, d, k, bench.threads, near.ctypes.data, squares.ctypes.data):
                raise RuntimeError("bench_neighbours failed")
        return run

    def products():
        for i in range(0, n, 2000):
            np.dot(x32[i:i + 2000], x32.T, out=product[:len(x32[i:i + 2000])])
    product = np.empty((2000, n), np.float32)
    peer, found = NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=bench.threads).fit(x), []
    own = {"ours": ours(inner.bench_neighbours, x), "float32": ours(inner.bench_neighbours_single, x32)}
    own["ours"]()
    mine = near.copy()
    bench.row("k nearest", f"{n} x {d}, k={k}", own, {"sklearn NearestNeighbors brute": lambda: found.append(peer.kneighbors(return_distance=False))},
              {"2 n² d in single precision (numpy)": products}, note=lambda: f"{np.mean(mine == found[-1]):.4%} the same")


def sdpp(bench):
    """Whole fits: parity with many columns and with few, and with as many components as columns."""
    import numpy as np
    n, d = (300, 20) if bench.quick else (2000, 100)
    gap = lambda: f"convex optimum certified to {bench.ald.told['convex_relative_gap']}"
    x, y = parity_data(n, d)
    bench.row("sdpp, parity", f"{n} x {d}, k=20", fits(bench, "sdpp", {"n_components": 2, "n_neighbors": 20}, x, y), note=gap)
    small = parity_data(n // 4, 5)
    bench.row("sdpp, small", f"{n // 4} x 5, k=20", fits(bench, "sdpp", {"n_components": 2, "n_neighbors": 20}, *small))
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n, d))
    y = np.sin(x[:, :1]) + x[:, 1:2] / 2 + 0.1 * rng.standard_normal((n, 1))
    bench.row("sdpp, all components", f"{n} x {d}, k=10", fits(bench, "sdpp", {"n_components": d, "n_neighbors": 10}, x, y), note=gap)


def some_graph(n, k):
    """Every row points to k of the rows that come within 1000 after it."""
    import numpy as np
    from alidade_ctypes import graph_view
    steps = np.sort(np.random.default_rng(3).choice(np.arange(1, min(n - 1, 1000)), k, replace=False))
    neighbours = np.sort((np.arange(n, dtype=np.int64)[:, None] + steps) % n, axis=1)
    return graph_view(np.ascontiguousarray(neighbours), np.ones(n * k))


def million(bench):
    """Six starts beside one step of one start, which is little more than adding up A, b and c."""
    n, d = 20000 if bench.quick else 1000000, 10
    x, y = parity_data(n, d)
    x32, graph, settings = single(x), some_graph(n, 10), {"n_components": 2}
    own = {"ours": lambda: bench.ald.fit("sdpp", settings, x, y, graph=graph), "float32": lambda: bench.ald.fit("sdpp", settings, x32, y, graph=graph)}
    sums = lambda: bench.ald.fit("sdpp", {**settings, "solver": "cg", "n_starts": 1, "max_iter": 1}, x, y, graph=graph)
    bench.row("sdpp, a million rows", f"{n} x {d}, k=10", own, {}, {"A, b and c alone": sums}, note="six starts, graph given")


def step(bench):
    """A step of the conjugate gradient beside the two products with X that it cannot do without. Steps are counted: the fit may end
    before it has taken all that it was allowed."""
    import numpy as np
    n, d = bench.size
    r, x, y = 2, *parity_data(n, d)
    graph, steps, more, taken = some_graph(n, 10), 50, 300, {}
    settings = {"n_components": r, "solver": "cg", "n_starts": 1, "tol": 1e-15}
    u, v = np.empty((n, r)), np.ones((d, r))

    def products():
        for _ in range(steps):
            np.dot(x, v, out=u)
            np.dot(x.T, u, out=v)
            v[:] = 1.0

    def fit(most):
        bench.ald.fit("sdpp", {**settings, "max_iter": most}, x, y, graph=graph)
        taken[most] = bench.ald.iterations
    times, _ = race({"few": lambda: fit(2), "many": lambda: fit(2 + more), "products": products}, None, bench.rounds)
    seconds = (times["many"] - times["few"]) / (taken[2 + more] - taken[2])
    bench.report.add("sdpp, a step of cg", f"{n} x {d}, r={r}, k=10", seconds, bound=times["products"] / steps, bound_name="two products with X",
                     note=f"{taken[2 + more]} steps")


def kdr(bench):
    """50 stages of one start."""
    import numpy as np
    n, rng = 100 if bench.quick else 500, np.random.default_rng(4)
    x = rng.uniform(size=(n, 5))
    y = np.sin(2 * np.pi * x[:, :1]) * np.sin(2 * np.pi * x[:, 1:2]) + 0.1 * rng.standard_normal((n, 1))
    exact, low = ({"n_components": 2, "n_starts": 1, "random_state": 1, "rank": rank} for rank in (0, 100))
    angle = same_span(bench.ald.fit("kdr", exact, x, y), bench.ald.fit("kdr", low, x, y))
    bench.row("kdr, exact", f"{n} x 5, r=2", fits(bench, "kdr", exact, x, y))
    bench.row("kdr, rank 100", f"{n} x 5, r=2", fits(bench, "kdr", low, x, y), note=f"sine to exact {angle:.1e}")
    bench.row("gkdr", f"{n} x 5, r=2", fits(bench, "gkdr", {}, x, y))
