#!/usr/bin/env python3
"""python.py [--quick] [--seed N]: what the Python package costs, each figure by a process of its own, times as processor time:

    memory   beyond X of 100 MB, of fit and transform with pca, pls and lda, in both storage orders and both types, and
             sparse by rows and by columns with indices of 32 and 64 bits
    drawn    the same for dense X of drawn shapes (log-uniform, up to 2e7 entries) with the default predictor and 1, 2 or 16
             threads, beside what docs/python.md promises; ends with 1 where it is more
    row      one row through transform of an estimator
    small    fit, transform and predict of 500 x 28 through an estimator, and what Python adds to the library
    import   of alidade, and how much of it is the extension
    pickle   of a model of 80 MB, beside copying as many bytes
    threads  the most threads of the workers at work in a grid search with n_jobs=2

PYTHONPATH names the package (python/tests/run.py lays one out in build/tests/run/python/*/path)."""
import os
import pickle
import subprocess
import sys
import threading
import time
import timeit

QUICK = "--quick" in sys.argv
MB = 2 ** 20


def in_use(key):
    """MB of memory that are in use (VmRSS), or were at most (VmHWM)."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024


def forget_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def dense(order, kind):
    import numpy as np
    rows, columns = (2000, 65) if QUICK else (65000, 200)
    columns = columns * 2 if kind == "float32" else columns
    rng = np.random.default_rng(0)
    X = np.empty((rows, columns), dtype=kind, order=order)
    step = max(1, rows // 64)
    for first in range(0, rows, step):
        X[first:first + step] = rng.normal(size=(min(step, rows - first), columns))
    return X, X[:, 0], X.nbytes


def sparse(order, kind):
    """A tenth of the cells has a value; X by rows has the first column of all rows, X by columns too."""
    import numpy as np
    from scipy.sparse import csc_matrix, csr_matrix
    lines, others = (2000, 400) if QUICK else (40000, 2000)
    rows, columns = (lines, others) if order == "csr" else (others * 20, lines // 20)
    long, short = (rows, columns) if order == "csr" else (columns, rows)
    each = short // 10
    rng = np.random.default_rng(0)
    indices = np.empty((long, each), dtype=kind)
    for i in range(long):
        indices[i] = np.arange(each) * 10 + rng.integers(10, size=each) * (np.arange(each) > 0)
    pointers = (np.arange(long + 1) * each).astype(kind)
    values = rng.normal(size=long * each)
    X = (csr_matrix if order == "csr" else csc_matrix)((rows, columns))
    X.indptr, X.indices, X.data = pointers, indices.reshape(-1), values
    return X, X[:, [0]].toarray()[:, 0], indices.nbytes + values.nbytes


def memory(method, order, kind):
    import alidade
    X, first, size = (dense if order in "CF" else sparse)(order, kind)
    y = (first > 0).astype(int) if method == "LDA" else first.astype(float)
    few = slice(0, 2 * X.shape[1])
    part = X[few].asformat(order) if order in ("csr", "csc") else X[few]
    getattr(alidade, method)(n_jobs=1).fit(part, y[few])  # BLAS takes its buffers
    forget_peak()
    before = in_use("VmRSS")
    getattr(alidade, method)(n_jobs=1, predictor="none").fit(X, y)
    print(f"memory   {method:4} {kind} order {order}, {X.shape[0]} x {X.shape[1]}: X {size / MB:.0f} MB, beyond it "
          f"{in_use('VmHWM') - before:.1f} MB", flush=True)


SQUARES = {"PCA": 4, "PLS": 1, "LDA": 16}  # of the smaller side of X: the most of them; lda of nearly square X has an SVD


def promised(method, rows, columns, threads):
    """MB beyond X: blocks of rows and buffers of each thread, 40 bytes per row (target, scores, what the predictor sums), squares."""
    return 4.1 + 1.5 * (threads - 1) + 40 * rows / MB + SQUARES[method] * 8 * min(rows, columns) ** 2 / MB


def draw(seed, number):
    """(rows, columns, type, threads) of a drawn set."""
    import numpy as np
    rng = np.random.default_rng([seed, number])
    while True:
        rows, columns = (int(np.exp(rng.uniform(np.log(a), np.log(b)))) for a, b in ((100, 300000), (5, 8000)))
        if rows * columns <= (2e5 if QUICK else 2e7):
            return rows, columns, str(rng.choice(["float32", "float64"])), int(rng.choice([1, 2, 16]))


def drawn(method, seed, number):
    import numpy as np
    import alidade
    rows, columns, kind, threads = draw(int(seed), int(number))
    rng = np.random.default_rng(0)
    X = np.empty((rows, columns), dtype=kind)
    for first in range(0, rows, 256):
        X[first:first + 256] = rng.normal(size=(min(256, rows - first), columns))
    y = (X[:, 0] > 0).astype(int) if method == "LDA" else X[:, 0].astype(float)
    getattr(alidade, method)(n_jobs=threads).fit(X[:100, :50].copy(), y[:100])  # BLAS takes its buffers
    forget_peak()
    before = in_use("VmRSS")
    getattr(alidade, method)(n_jobs=threads).fit(X, y)
    beyond, most = in_use("VmHWM") - before, promised(method, rows, columns, threads)
    print(f"drawn    {method:4} {kind}, {rows} x {columns}, {threads} threads: X {X.nbytes / MB:.1f} MB, beyond it {beyond:.1f} MB, promised "
          f"{most:.1f} MB", flush=True)
    return int(beyond > most)


def small():
    import numpy as np
    import alidade
    from alidade import _core, _targets
    rng = np.random.default_rng(0)
    X, y, classes = rng.normal(size=(500, 28)), rng.normal(size=500), rng.integers(0, 3, size=500)
    count = 20 if QUICK else 300

    def best(call):
        return 1e6 * min(timeit.repeat(timer=time.process_time, stmt=call, number=count, repeat=5)) / count
    for ours, target in ((alidade.PCA(n_jobs=1), None), (alidade.PLS(n_jobs=1), y), (alidade.LDA(n_jobs=1), classes)):
        given = {} if target is None else _targets.encode(target, 500, ours._facts(), "auto", "").inputs
        settings, inputs = ours._settings(), {**given, "x": X}
        fits = best(lambda: ours.fit(X, target)), best(lambda: _core.fit(ours._method, settings, inputs, 1, None))
        out = np.empty((500, ours.model_.n_components))
        maps = best(lambda: ours.transform(X)), best(lambda: _core.transform(ours.model_, X, out, 1, None))
        more = "" if target is None else f", predict {best(lambda: ours.predict(X)):.0f} us"
        print(f"small    {type(ours).__name__}: fit {fits[0]:.0f} us (library {fits[1]:.0f}), transform {maps[0]:.0f} us (library "
              f"{maps[1]:.0f}){more}", flush=True)


def row():
    import numpy as np
    import alidade
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    model, one = alidade.PLS().fit(X, X[:, 0]), X[:1].copy()
    count = 2000 if QUICK else 50000
    best = min(timeit.repeat(timer=time.process_time, stmt=lambda: model.transform(one), number=count, repeat=3)) / count
    print(f"row      transform of one row: {best * 1e6:.1f} us")


def importing():
    def seconds(code):
        return min(float(subprocess.run([sys.executable, "-c", f"import time; t = time.process_time(); {code}; "
                                         "print(time.process_time() - t)"], capture_output=True, text=True,
                                        check=True).stdout) for _ in range(2 if QUICK else 7))
    print(f"import   alidade {1e3 * seconds('import alidade'):.0f} ms, numpy {1e3 * seconds('import numpy'):.0f} ms")


def pickling():
    import numpy as np
    import alidade
    rng = np.random.default_rng(0)
    size = 200 if QUICK else 3200
    X = rng.normal(size=(size, size))
    model = alidade.KPCA(predictor="none", n_components=1, landmarks=min(size, 3000)).fit(X)
    data = pickle.dumps(model, protocol=5)
    copied = min(timeit.repeat(timer=time.process_time, stmt=lambda: bytes(bytearray(data)), number=1, repeat=5))
    written = min(timeit.repeat(timer=time.process_time, stmt=lambda: pickle.dumps(model, protocol=5), number=1, repeat=5))
    read = min(timeit.repeat(timer=time.process_time, stmt=lambda: pickle.loads(data), number=1, repeat=5))
    print(f"pickle   {len(data) / MB:.0f} MB: copied twice in {1e3 * copied:.0f} ms, dumped in {1e3 * written:.0f} ms, "
          f"loaded in {1e3 * read:.0f} ms")


def children(process):
    found = []
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/children") as file:
            found += [int(child) for child in file.read().split()]
    return found


def running(process):
    """How many threads of a process are at work, and those of its children."""
    count = 0
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/stat") as file:
            count += file.read().rsplit(")", 1)[1].split()[0] == "R"
    return count + sum(running(child) for child in children(process))


def watch(stop, seen):
    """Looks at the workers again and again; those that end meanwhile are left out."""
    while not stop.is_set():
        try:
            seen.append(sum(running(child) for child in children(os.getpid())))
        except OSError:
            pass
        time.sleep(0.002)


def searching():
    import numpy as np
    import alidade
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    rng = np.random.default_rng(0)
    rows = 500 if QUICK else 6000
    X = rng.normal(size=(rows, 300))
    y = np.digitize(X[:, 0] + X[:, 1], [-1, 0, 1])
    stop, seen = threading.Event(), []
    watcher = threading.Thread(target=watch, args=(stop, seen))
    search = GridSearchCV(make_pipeline(StandardScaler(), alidade.LDA(), LogisticRegression()),
                          {"lda__n_components": [1, 2, 3]}, cv=3, n_jobs=2)
    watcher.start()
    search.fit(X, y)
    stop.set()
    watcher.join()
    more = sum(count > 2 for count in seen)
    print(f"threads  of the workers at work: more than two in {more} of {len(seen)} looks, n_jobs=2")


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--one":
        return {"row": row, "small": small, "import": importing, "pickle": pickling, "threads": searching}[sys.argv[2]]()
    if len(sys.argv) > 1 and sys.argv[1] == "--memory":
        return memory(*sys.argv[2:5])
    if len(sys.argv) > 1 and sys.argv[1] == "--drawn":
        return drawn(*sys.argv[2:5])
    quick = ["--quick"] if QUICK else []
    seed = sys.argv[sys.argv.index("--seed") + 1] if "--seed" in sys.argv else "1"
    jobs = [["--memory", method, order, kind] for method in ("PCA", "PLS", "LDA") for order in "CF"
            for kind in ("float64", "float32")]
    jobs += [["--memory", method, order, kind] for method in ("PCA", "PLS", "LDA") for order in ("csr", "csc")
             for kind in ("int32", "int64")]
    jobs += [["--one", what] for what in ("row", "small", "import", "pickle", "threads")]
    for job in jobs:
        subprocess.run([sys.executable, os.path.abspath(__file__), *job, *quick], check=True)
    more = [["--drawn", method, seed, str(number)] for number in range(2 if QUICK else 8) for method in ("PCA", "PLS", "LDA")]
    return max(subprocess.run([sys.executable, os.path.abspath(__file__), *job, *quick]).returncode for job in more)


if __name__ == "__main__":
    sys.exit(main())
