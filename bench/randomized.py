#!/usr/bin/env python3
"""randomized.py LIBRARY: solver=randomized of pca beside scikit-learn's with the same powers and columns, on one thread by processor time
(the least of three), with what each loses of the variance along the exact components, and what ours says of its error. Prints the table
of docs/methods/pca.md."""
import os
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
import alidade_ctypes  # noqa: E402

alidade_ctypes.TOLD = ("residual", "error_estimate")
CASES = ((20000, 500, 10, "falling"), (50000, 100, 5, "flat"), (3000, 3000, 10, "flat"), (2000, 4000, 10, "ten factors and noise"),
         (2000, 4000, 20, "ten factors and noise"))


def data_of(n, d, kind):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, d))
    if kind == "falling":
        x *= 0.98 ** np.arange(d)
    return x if kind in ("flat", "falling") else x + rng.standard_normal((n, 10)) @ rng.standard_normal((10, d))


def least(function):
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        found = function()
        best = min(best, time.process_time() - began)
    return best, found


def main():
    ald = alidade_ctypes.Alidade(os.path.abspath(sys.argv[1]), 1)
    print("| X | spectrum | r | seconds | scikit-learn | `auto` | lost | scikit-learn | estimate | residual |\n"
          "|---|---|---|---|---|---|---|---|---|---|")
    for n, d, r, kind in CASES:
        x = data_of(n, d, kind)
        fit = lambda **more: ald.fit("pca", dict(n_components=r, **more), x)
        usual, exact = least(lambda: fit())
        exact = fit(solver="lanczos", tol=1e-12)
        theirs, peer = least(lambda: PCA(r, svd_solver="randomized", iterated_power=7, n_oversamples=10, random_state=0).fit(x).components_)
        ours, own = least(lambda: fit(solver="randomized"))
        centred = x - x.mean(0)
        kept = lambda w: np.square(centred @ w.T).sum()
        lost = [max(0.0, 1 - kept(w) / kept(exact)) for w in (own, peer)]
        print(f"| {n} x {d} | {kind} | {r} | {ours:.2f} | {theirs:.2f} | {usual:.2f} | {lost[0]:.1e} | {lost[1]:.1e} | "
              f"{float(ald.told['error_estimate']):.1e} | {float(ald.told['residual']):.1e} |")


if __name__ == "__main__":
    main()
