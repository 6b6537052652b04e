#!/usr/bin/env python3
"""judging.py BUILD [--repeats K]: what a comparison and a tuning cost beside the fits that they need, in processor time on one thread.

For each method and shape, ten folds: the ten fits of the training parts with their predictions of the test parts, one after the other
through the Python package; `compare` of the same (one setting, one number of components), as a multiple of them; `compare` of a grid of
settings with all numbers of components, as a multiple of ten fits for every setting, each with the largest number of components; and
`tune` of that grid, as a multiple of the same and of the eleven fits that follow it: of all rows, and ten for the errors that the model
keeps. BUILD is a folder with python/_core.abi3.so; the least of K repeats counts."""
import argparse
import os
import subprocess
import sys
import time
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = [(500, 30), (5000, 100), (100, 2000)]
KERNEL_SHAPES = [(500, 30), (1000, 8), (100, 2000)]
RIDGES = "ridge_rel=1e-4,1e-3,1e-2,1e-1,1"
WORKS = [("pca", 0, 5, None, SHAPES), ("pls", 0, 5, None, SHAPES), ("lda", 4, 3, RIDGES, SHAPES), ("cca", 0, 1, RIDGES, SHAPES),
         ("kfda", 4, 3, RIDGES, KERNEL_SHAPES), ("kpls", 0, 5, "kernel_width=2,4,8", KERNEL_SHAPES)]


def draw(rng, n, d, classes):
    import numpy as np
    x = rng.normal(size=(n, d)) * rng.uniform(0.3, 3, d) + rng.normal(size=(n, 3)) @ rng.normal(size=(3, d))
    y = x[:, :5].sum(1) + 0.5 * rng.normal(size=n)
    if not classes:
        return x, y
    return x, np.array([f"c{v}" for v in np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))])


def spent(work, repeats):
    least = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
    return least


def fit_folds(estimator, x, y):
    import numpy as np
    part = np.arange(len(x)) % 10
    for k in range(10):
        estimator.fit(x[part != k], y[part != k]).predict(x[part == k])


def measure(repeats):
    import alidade
    import numpy as np
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(1)
    print("method       shape  ten fits, s  compare  compare of a grid  tune of a grid")
    for name, classes, r, grid, shapes in WORKS:
        predictor = "gaussian" if classes else "linear"
        words, dims = f"{name} predictor={predictor}", list(range(1, r + 1))
        for n, d in shapes:
            x, y = draw(rng, n, d, classes)
            estimator = getattr(alidade, name.upper())(n_components=r, predictor=predictor, n_jobs=1)
            common = {"y": y, "methods": words, "folds": 10, "n_jobs": 1}
            fits = spent(lambda: fit_folds(estimator, x, y), repeats)
            one = spent(lambda: alidade.compare(x, components=[r], baselines=False, **common), repeats)
            name_of, values = grid.split("=") if grid else ("", "")
            needed = sum(spent(lambda: fit_folds(estimator.set_params(**{name_of: float(value)}), x, y), 1)
                         for value in values.split(",")) if grid else fits
            all_of = spent(lambda: alidade.compare(x, components=dims, baselines=False, grid=grid, **common), repeats)
            tuned = spent(lambda: alidade.tune(x, components=dims, nested=False, grid=grid, **common), repeats)
            print(f"{name:6} {n:>6} x {d:<4} {fits:10.4f} {one / fits:8.2f} {all_of / needed:18.2f} {tuned / (needed + 1.1 * fits):15.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        return measure(arguments.repeats)
    core = os.path.join(os.path.abspath(arguments.build), "python", "_core.abi3.so")
    run = os.path.join(os.path.dirname(HERE), "python", "tests", "run.py")
    command = [sys.executable, run, core, "--run", os.path.abspath(__file__), arguments.build, "--inside", "--repeats", str(arguments.repeats)]
    return subprocess.run(command, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, cwd=arguments.build).returncode


if __name__ == "__main__":
    sys.exit(main())
