#!/usr/bin/env python3
"""python_peers.py [NAME]...: the estimators of alidade beside those of scikit-learn that people use for the same, as a
table in Markdown: processor seconds of a fit on one thread (the best of three), memory beyond X at its peak, and the
figure of merit on rows that had no part in the fit. Each fit is in a process of its own. Run it where alidade can be
imported, with ALD_SHARED_DATA for the sets that are not made here.

docs/python.md has the table."""
import json
import os
import subprocess
import sys
import time
import warnings

import numpy as np

CASES = {}


def case(name, peers, ours, what):
    """scikit-learn's and alidade's: (label, a function that makes the estimator)."""
    def add(data):
        CASES[name] = (data, [(f"sklearn {label}", make) for label, make in peers] +
                       [(f"**{label}**", make) for label, make in ours], what)
        return data
    return add


def _split(X, y, train):
    parts = (None, None) if y is None else (y[:train], y[train:])
    return X[:train], parts[0], X[train:], parts[1]


def _made(rows, columns, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 10)) @ rng.normal(size=(10, columns)) + rng.normal(size=(rows, columns))


def _public(name, target):
    import alidade
    table = alidade.read_table(os.path.join(os.environ["ALD_SHARED_DATA"], name), target=target)
    order = np.random.default_rng(0).permutation(table.n_rows)
    return table.X[order], table.y[order]


def _explained(model, X, y):
    z = model.transform(X)
    return float(z.var(axis=0).sum() / X.var(axis=0).sum())


def _score(model, X, y):
    return float(model.score(X, y))


def _neighbours(model, X, y):
    """Accuracy of the 5 nearest of the projected training rows."""
    from sklearn.neighbors import KNeighborsClassifier
    Xt, yt = model.seen_
    return float(KNeighborsClassifier(5).fit(model.transform(Xt), yt).score(model.transform(X), y))


def _correlation(model, X, y):
    """Of the first pair of canonical variables, by least squares of the scores on the responses."""
    z = model.transform(X)
    z = np.asarray(z)[:, 0] - np.asarray(z)[:, 0].mean()
    q = np.linalg.lstsq(y - y.mean(axis=0), z, rcond=None)[0]
    return float(np.corrcoef(z, (y - y.mean(axis=0)) @ q)[0, 1])


def _sk(path, **parameters):
    def make():
        from importlib import import_module
        module, name = path.rsplit(".", 1)
        return getattr(import_module("sklearn." + module), name)(**parameters)
    return make


def _ours(name, **parameters):
    def make():
        import alidade
        return getattr(alidade, name)(n_jobs=1, **parameters)
    return make


SK_LDA, SK_NCA = "discriminant_analysis.LinearDiscriminantAnalysis", "neighbors.NeighborhoodComponentsAnalysis"
NCA_OF_TWO = ("NeighborhoodComponentsAnalysis", _sk(SK_NCA, n_components=2, random_state=0))


@case("pca", [("PCA", _sk("decomposition.PCA", n_components=10, svd_solver="full"))],
      [("PCA", _ours("PCA", n_components=10))], ("share of X", _explained))
def pca():
    X = _made(22_000, 500)
    return _split(X, None, 20_000)


@case("pca, 10 of 2000 columns",
      [("PCA, randomized", _sk("decomposition.PCA", n_components=10, svd_solver="randomized", random_state=0))],
      [("PCA", _ours("PCA", n_components=10))], ("share of X", _explained))
def pca_wide():
    X = _made(5_500, 2_000)
    return _split(X, None, 5_000)


@case("pls, one response", [("PLSRegression", _sk("cross_decomposition.PLSRegression", n_components=5, scale=False))],
      [("PLS", _ours("PLS", n_components=5))], ("R2", _score))
def pls():
    X = _made(22_000, 500)
    rng = np.random.default_rng(1)
    return _split(X, X @ rng.normal(size=500) + 20 * rng.normal(size=len(X)), 20_000)


@case("pls, ten responses", [("PLSRegression", _sk("cross_decomposition.PLSRegression", n_components=5, scale=False))],
      [("PLS", _ours("PLS", n_components=5))], ("R2", _score))
def pls_many():
    X = _made(22_000, 500)
    rng = np.random.default_rng(1)
    return _split(X, X @ rng.normal(size=(500, 10)) + 20 * rng.normal(size=(len(X), 10)), 20_000)


@case("lda", [("LinearDiscriminantAnalysis", _sk(SK_LDA))],
      [("LDA", _ours("LDA", n_components=9))], ("accuracy", _score))
def lda():
    X = _made(22_000, 500)
    y = np.argmax(X[:, :10] + np.random.default_rng(1).normal(size=(len(X), 10)), axis=1)
    return _split(X, y, 20_000)


@case("lda, 63 rows of 2308 genes",
      [("LinearDiscriminantAnalysis", _sk(SK_LDA)),
       ("the same, lsqr with shrinkage", _sk(SK_LDA, solver="lsqr", shrinkage="auto"))],
      [("LDA", _ours("LDA", n_components=3)),
       ("LDA, ridge_rel=0.1", _ours("LDA", n_components=3, ridge_rel=0.1))], ("accuracy", _score))
def lda_genes():
    return _split(*_public("srbct.csv", "y"), 63)


@case("cca", [("CCA", _sk("cross_decomposition.CCA", n_components=2, scale=False))],
      [("CCA", _ours("CCA", n_components=2))], ("correlation", _correlation))
def cca():
    X = _made(12_000, 200)
    rng = np.random.default_rng(1)
    return _split(X, X @ rng.normal(size=(200, 10)) + 20 * rng.normal(size=(len(X), 10)), 10_000)


@case("nca, digits, two components", [NCA_OF_TWO],
      [("LDA", _ours("LDA", n_components=2, ridge_rel=0.01)),
       ("KFDA", _ours("KFDA", n_components=2))], ("5-NN accuracy", _neighbours))
def nca():
    return _split(*_public("optdigits.csv", "y"), 1_500)


@case("nca, wine standardised, two components", [NCA_OF_TWO],
      [("LDA", _ours("LDA", n_components=2)), ("SDPP", _ours("SDPP", n_components=2))], ("5-NN accuracy", _neighbours))
def nca_wine():
    X, y = _public("wine.csv", "y")
    return _split((X - X[:120].mean(axis=0)) / X[:120].std(axis=0), y, 120)


def memory_now(key):
    """VmRSS or VmHWM, the peak, in MB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(key))


def forget_peak():
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def measure(name, number):
    """One estimator of one case, in this process: seconds, memory in MB and the figure."""
    data, entries, (_, judge) = CASES[name]
    make = entries[number][1]
    Xt, yt, X, y = data()
    warnings.simplefilter("ignore")
    small = np.zeros((8, 2)) + np.arange(8)[:, None] ** [1, 2]
    try:  # what is imported and made once does not count
        classes = getattr(yt, "dtype", X.dtype).kind in "OiU"
        make().set_params(n_components=1).fit(small, [0, 1] * 4 if classes else small[:, 0])
    except ValueError:
        pass
    forget_peak()
    before = memory_now("VmRSS")
    best = np.inf
    for _ in range(3):
        began = time.process_time()
        model = make().fit(Xt, yt)
        best = min(best, time.process_time() - began)
        if best > 5:
            break
    memory = memory_now("VmHWM") - before
    model.__dict__["seen_"] = (Xt, yt)
    return {"seconds": best, "memory": memory, "figure": judge(model, X, y)}


def environment():
    """One thread, and the fast kernels of OpenBLAS for both."""
    from alidade import _core
    faster = _core.about()["faster"]
    more = {"OPENBLAS_CORETYPE": faster} if faster else {}
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **more}


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
        return
    wanted = sys.argv[1:] or list(CASES)
    print("| data | estimator | processor seconds | MB beyond X | |\n| --- | --- | --- | --- | --- |")
    for name in wanted:
        _, entries, (figure, _) = CASES[name]
        for number, (label, _) in enumerate(entries):
            done = subprocess.run([sys.executable, __file__, "--one", name, str(number)], capture_output=True, text=True,
                                  env=environment(), check=False)
            if done.returncode:
                print(f"| {name} | {label} | {done.stderr.strip().splitlines()[-1]} | | |", flush=True)
                continue
            found = json.loads(done.stdout)
            print(f"| {name if number == 0 else ''} | {label} | {found['seconds']:.3g} | {found['memory']:.0f} | {figure} "
                  f"{found['figure']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
