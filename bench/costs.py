#!/usr/bin/env python3
"""costs.py LIBRARY [--methods sdpp,kdr,...] [--shapes K] [--seed S]: is the cost that the pages of the methods without peers state what the
clock says?

The terms of a cost are those of docs/methods; their factors, seconds per operation, are found by least squares of relative errors
(none negative) on K drawn shapes and then predict K others. Drawn are rows and columns (a factor of 4 down and up from the size that
scaling.py begins with, log-uniform) and 1 to 3 components. Processor time on one thread, the least of three. Printed are the factors,
the least, median and largest ratio of predicted to measured, and how many are within a factor of two; with 1 ends what has one outside."""
import argparse
import os
import random
import statistics
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from scaling import METHODS, data_of  # noqa: E402

# Of n rows, d columns, r components, k neighbours and M basis functions (both 20 where not set), s = d (d + 1) / 2.
TERMS = {
    "sdpp": {"n² d": lambda n, d, r: n * n * d, "pairs s²": lambda n, d, r: 20 * n * (d * (d + 1) / 2) ** 2,
             "100 steps of s² + d³": lambda n, d, r: 100 * ((d * (d + 1) / 2) ** 2 + d ** 3), "100 r steps of s²": lambda n, d, r: 100 * r * (d * (d + 1) / 2) ** 2, "pairs": lambda n, d, r: 20 * n,
             "r pairs": lambda n, d, r: 20 * n * r},
    "kdr": {"n³ + 5 n² 20, r > 1": lambda n, d, r: (r > 1) * (n ** 3 + 100 * n * n), "n 20²": lambda n, d, r: n * 400,
            "n² 20, r > 1": lambda n, d, r: (r > 1) * n * n * 20, "n²": lambda n, d, r: n * n},
    "rsir": {"n² d": lambda n, d, r: n * n * d, "n d² + d³": lambda n, d, r: n * d * d + d ** 3, "n d": lambda n, d, r: n * d},
    "lsir": {"n² d": lambda n, d, r: n * n * d, "n d²": lambda n, d, r: n * d * d, "n": lambda n, d, r: n},
    "mkdr": {"n² d": lambda n, d, r: n * n * d, "n (Lanczos)": lambda n, d, r: n, "steps of M³": lambda n, d, r: 8000 * r},
    "cmvu": {"n² d": lambda n, d, r: n * n * d, "n M⁴": lambda n, d, r: n * 20 ** 4, "M⁶": lambda n, d, r: 20 ** 6},
}


def draw(method, seed, number):
    base, sequence = METHODS[method][1], random.Random(f"{method} {seed} {number}")
    n, d = (max(12, round(base[axis] * 4 ** sequence.uniform(-1, 1))) for axis in "nd")
    return max(n, 2 * d), d, min(sequence.randint(1, 3), base.get("c", 4) - 1)


def seconds(ald, method, n, d, r):
    kind, base, _, settings, *_ = METHODS[method]
    x, y = data_of(n, d, base.get("c", 4), kind)
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        ald.fit_only(method, dict(settings, n_components=r), x, y)
        best = min(best, time.process_time() - began)
    return best


def main():
    import numpy as np
    from scipy.optimize import nnls
    from alidade_ctypes import Alidade
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--methods", default=",".join(TERMS))
    parser.add_argument("--shapes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    measure.take_fast_kernels(options.library)
    ald, outside = Alidade(os.path.abspath(options.library), 1), 0
    for method in options.methods.split(","):
        shapes = [draw(method, options.seed, i) for i in range(2 * options.shapes)]
        took = np.array([seconds(ald, method, *shape) for shape in shapes])
        terms = np.array([[term(*shape) for term in TERMS[method].values()] for shape in shapes], float) / took[:, None]
        scale = terms[:options.shapes].mean(0)
        factors = nnls(terms[:options.shapes] / scale, np.ones(options.shapes))[0] / scale
        ratios = list((terms @ factors)[options.shapes:])
        bad = [(shapes[options.shapes + i], took[options.shapes + i], v) for i, v in enumerate(ratios) if not 0.5 <= v <= 2]
        outside += len(bad)
        print(f"{method:5} " + ", ".join(f"{f:.1e} ({name})" for name, f in zip(TERMS[method], factors) if f) + f": {min(ratios):.2f}, "
              f"{statistics.median(ratios):.2f}, {max(ratios):.2f}; {len(ratios) - len(bad)} of {len(ratios)} within a factor of two"
              + "".join(f"\n        {n} x {d}, r={r}: {t:.4f} s, predicted {v:.2f} times" for (n, d, r), t, v in bad), flush=True)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
