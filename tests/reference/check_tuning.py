#!/usr/bin/env python3
"""check_tuning.py ALIDADE: cross-validation curves of pls, lda and ridge regression against scikit-learn's on the same folds, fitted
by the sums of parts (--no-times) and by the rows; the one-standard-error choice of alidade tune against its definition, recomputed
from the values it gives."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge

executable = os.path.abspath(sys.argv[1])
failures, checks = [], 0
N, D, FOLDS = 1500, 12, 6


def check(what, ours, theirs, tolerance):
    global checks
    checks += 1
    apart = np.max(np.abs(np.asarray(ours) - np.asarray(theirs)))
    if not apart <= tolerance:
        failures.append(f"{what}: apart by {apart:.3g}, ours {ours}, theirs {theirs}")


def run(*words):
    done = subprocess.run([executable, *words, "-q"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")
    return json.loads(done.stdout)


def data():
    rng = np.random.default_rng(8)
    x = rng.standard_normal((N, D)) @ (np.eye(D) + 0.3 * rng.standard_normal((D, D))) + 3.0
    y = x @ rng.standard_normal(D) + np.sin(x[:, 0]) + rng.standard_normal(N)
    codes = rng.integers(0, 4, N)
    x[np.arange(N), codes] += 1.5
    x[np.arange(N), 4 + codes % 2] += 1.0
    return x, y, codes, rng.permutation(N) % FOLDS


def write(path, names, columns):
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=",".join(names), comments="", fmt="%.17g")


def compare(path, target, parts, *words):
    """{(dims, ridge): values by fold}, by sums and by the rows."""
    results = []
    for times in (["--no-times"], []):
        rows = run("compare", path, "--target", target, "--split-file", parts, "--no-baselines", "--json", *words, *times)["rows"]
        results.append({(row["dims"], row["parameters"].get("ridge", 0)): row["values"] for row in rows})
    return results


def by_folds(fold, score):
    return [score(fold != k, fold == k) for k in range(FOLDS)]


def rmse(a, b):
    return float(np.sqrt(np.mean((a - b) ** 2)))


def check_pls(path, parts, x, y, fold):
    for name, curve in zip(("sums", "rows"), compare(path, "y", parts, "--ignore", "c", "--methods", "pls", "--dims", "1:6")):
        for r in range(1, 7):
            def score(train, test):
                model = PLSRegression(r, scale=False, tol=1e-12, max_iter=10000).fit(x[train], y[train])
                return rmse(model.predict(x[test]).ravel(), y[test])
            check(f"pls by {name}, {r} dims", curve[r, 0], by_folds(fold, score), 1e-8)


def check_ridge(path, parts, x, y, fold):
    """One response: the projection of opls with a ridge is the ridge solution, and the regression on it that with another slope."""
    curves = compare(path, "y", parts, "--ignore", "c", "--methods", "opls", "--dims", "1", "--grid", "ridge=0,10,1000")
    for name, curve in zip(("sums", "rows"), curves):
        for ridge in (0, 10, 1000):
            def score(train, test):
                w = Ridge(alpha=max(ridge, 1e-12)).fit(x[train], y[train]).coef_
                line = LinearRegression().fit((x[train] @ w)[:, None], y[train])
                return rmse(line.predict((x[test] @ w)[:, None]), y[test])
            check(f"opls by {name}, ridge {ridge}", curve[1, ridge], by_folds(fold, score), 1e-8)


def check_lda(path, parts, x, codes, fold):
    curves = compare(path, "c", parts, "--ignore", "y", "--methods", "lda", "--dims", "1:3", "--predictor", "gaussian")
    for name, curve in zip(("sums", "rows"), curves):
        for r in (1, 2, 3):
            def score(train, test):
                first = LinearDiscriminantAnalysis(n_components=r).fit(x[train], codes[train])
                second = LinearDiscriminantAnalysis(solver="lsqr").fit(first.transform(x[train]), codes[train])
                return np.mean(second.predict(first.transform(x[test])) == codes[test])
            check(f"lda by {name}, {r} dims", curve[r, 0], by_folds(fold, score), 1e-12)


def simplest(rows, better):
    """The rule of docs/tuning.md for one method with ridges."""
    means = np.array([row["mean"] for row in rows])
    best = rows[int(np.argmin(better * means))]
    within = better * best["mean"] + np.std(best["values"], ddof=1) / np.sqrt(len(best["values"]))

    def is_as_good(row):
        d = better * (np.array(row["values"]) - np.array(best["values"]))
        return better * row["mean"] <= within and np.mean(d) <= np.std(d, ddof=1) / np.sqrt(len(d))
    good = [row for row in rows if is_as_good(row)]
    return min(good, key=lambda row: (row["dims"], -row["parameters"].get("ridge", 0)))


def check_rule(path, folder):
    for target, other, method, better in (("y", "c", "pls", 1), ("c", "y", "lda", -1)):
        grid = ["--grid", "ridge=0,10,1000"] if method == "lda" else []
        result = run("tune", path, "--target", target, "--ignore", other, "--method", method, "--dims", "1:3", *grid, "--no-nested",
                     "-o", os.path.join(folder, "m.ald"), "--json")
        for row in result["rows"]:
            check(f"{method}: mean", row["mean"], np.mean(row["values"]), 1e-12)
        want = simplest(result["rows"], better)
        check(f"{method}: the choice", [result["chosen"]["dims"], result["chosen"]["mean"]], [want["dims"], want["mean"]], 0.0)


with tempfile.TemporaryDirectory() as folder:
    x, y, codes, fold = data()
    path, parts = os.path.join(folder, "d.csv"), os.path.join(folder, "parts.csv")
    write(path, [f"x{j}" for j in range(D)] + ["y", "c"], [x, y, codes])
    write(parts, ["part"], [[f + 10 for f in fold]])
    check_pls(path, parts, x, y, fold)
    check_ridge(path, parts, x, y, fold)
    check_lda(path, parts, x, codes, fold)
    check_rule(path, folder)
for failure in failures:
    print(failure)
print(f"{checks - len(failures)} of {checks} checks passed")
sys.exit(bool(failures))
