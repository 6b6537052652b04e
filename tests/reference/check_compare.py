"""alidade compare against scikit-learn pipelines on the same splits. Usage: check_compare.py ALIDADE

The splits are given as folds, so both sides train on the same rows. The baseline of all features is done again by
brute force: every penalty with every row left out by a fit of its own, and for classes by scikit-learn's logistic
regression on the folds that are dealt; what is chosen must be the same, and the figures agree to 1e-8 (numbers) and to
the last row (classes). Regression on the first components and on PLS scores is a product
of a few well-conditioned steps: 1e-8. Accuracies are counts, equal to the last row. p-values are those of scipy's t distribution on the
values that alidade reports: 1e-9."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.stats import t as student
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, mean_squared_error, r2_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(11)
n, d, folds = 200, 9, 4
x = rng.standard_normal((n, d)) @ np.diag(np.linspace(3, 0.5, d)) + np.arange(d)
y = x[:, 0] - 0.5 * x[:, 4] + 0.3 * x[:, 7] ** 2 + 0.3 * rng.standard_normal(n)
codes = np.argmax(x[:, [0, 2, 5]] - [0, 2, 5] + rng.standard_normal((n, 3)), axis=1)
parts = rng.integers(0, folds, n)
parts[:folds] = np.arange(folds)
holes = rng.random((n, d)) < 0.1
failures, checks = [], 0


def check(name, got, want, tolerance):
    global checks
    checks += 1
    got, want = np.asarray(got, float), np.asarray(want, float)
    if got.shape != want.shape or not np.all(np.abs(got - want) <= tolerance * np.maximum(1, np.abs(want))):
        failures.append(f"{name}: {got.ravel()[:4]} and {want.ravel()[:4]}")


def compare(folder, target, missing, *arguments):
    path = os.path.join(folder, "data.csv")
    with open(path, "w") as file:
        print(*[f"x{j}" for j in range(d)], "part", "y", sep=",", file=file)
        for i in range(n):
            cells = ["" if missing and holes[i, j] else repr(float(x[i, j])) for j in range(d)]
            print(*cells, "abcd"[parts[i]], target[i], sep=",", file=file)
    done = subprocess.run([executable, "compare", path, "--target", "y", "--split-column", "part", "--json", "-q", *arguments],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def rows_of(result):
    return {(row["label"], row["dims"]): row for row in result["rows"]}


def each_fold(model_of, figure, target, data=None):
    values = []
    for k in range(folds):
        train, test = parts != k, parts == k
        a, b = (x[train], x[test]) if data is None else data(train, test)
        values.append(figure(target[test], model_of().fit(a, target[train]).predict(b)))
    return values


class RidgePath:
    """The largest penalty whose squared errors, every row left out by a fit without it, are no more than a standard error
    of the differences above the least. Columns at deviation 1 by all rows."""

    def fit(self, a, target):
        self.scaler = StandardScaler().fit(a)
        z = self.scaler.transform(a)
        rows = len(target)
        lambdas = np.linalg.norm(z, 2) ** 2 * 10 ** (1 - 0.5 * np.arange(23))
        missed = np.empty((len(lambdas), rows))
        for i in range(rows):
            kept = np.arange(rows) != i
            mean, offset = z[kept].mean(axis=0), target[kept].mean()
            values, vectors = np.linalg.eigh((z[kept] - mean).T @ (z[kept] - mean))
            cross = vectors.T @ ((z[kept] - mean).T @ (target[kept] - offset))
            guess = offset + ((z[i] - mean) @ vectors) @ (cross[:, None] / (values[:, None] + lambdas))
            missed[:, i] = (target[i] - guess) ** 2
        more = missed - missed[missed.sum(axis=1).argmin()]
        error = more.std(axis=1, ddof=1) * np.sqrt(rows)
        self.model = Ridge(lambdas[np.argmax(more.sum(axis=1) <= error)], solver="cholesky").fit(z, target)
        return self

    def predict(self, b):
        return self.model.predict(self.scaler.transform(b))


class LogisticPath:
    """Seven penalties by the log loss of five folds that are dealt class by class."""

    def fit(self, a, target):
        self.scaler = StandardScaler().fit(a)
        z = self.scaler.transform(a)
        fold, next_of = np.empty(len(target), int), {}
        for i, name in enumerate(target):
            if name not in next_of:
                next_of[name] = 0
            fold[i] = next_of[name]
            next_of[name] += 1
        first = {name: k for k, name in enumerate(sorted(set(target)))}
        fold = (fold + [first[name] for name in target]) % 5
        lambdas = np.linalg.norm(z, 2) ** 2 * 10.0 ** -np.arange(7)
        losses = []
        for penalty in lambdas:
            loss = 0.0
            for k in range(5):
                kept = fold != k
                one = LogisticRegression(C=1 / penalty, tol=1e-8, max_iter=5000).fit(z[kept], target[kept])
                given = one.predict_proba(z[~kept])
                loss -= np.log(given[np.arange((~kept).sum()), np.searchsorted(one.classes_, target[~kept])]).sum()
            losses.append(loss)
        self.model = LogisticRegression(C=1 / lambdas[int(np.argmin(losses))], tol=1e-8, max_iter=5000).fit(z, target)
        return self

    def predict(self, b):
        return self.model.predict(self.scaler.transform(b))


def gaussian():
    """The covariance within classes with divisor n, as alidade's predictor has it; the default solver divides by n - classes."""
    return LinearDiscriminantAnalysis(solver="lsqr")


def rmse(truth, prediction):
    return np.sqrt(mean_squared_error(truth, np.ravel(prediction)))


def p_value(a, b, ratio):
    difference = np.asarray(a) - np.asarray(b)
    scaled = difference.mean() / np.sqrt((1 / folds + ratio) * difference.var(ddof=1))
    return 2 * student.sf(abs(scaled), folds - 1)


def filled(train, test):
    holed = np.where(holes, np.nan, x)
    means = np.nanmean(holed[train], axis=0)
    whole = np.where(holes, means, x)
    return whole[train], whole[test]


def check_numbers(folder):
    result = compare(folder, y, False, "--methods", "pls", "--dims", "1:3")
    rows = rows_of(result)
    means = [rmse(y[parts == k], np.full((parts == k).sum(), y[parts != k].mean())) for k in range(folds)]
    check("mean", rows["mean", None]["values"], means, 1e-12)
    check("all features", rows["all features", None]["values"], each_fold(RidgePath, rmse, y), 1e-8)
    check("r2", rows["all features", None]["metrics"]["r2"], each_fold(RidgePath, r2_score, y), 1e-8)
    for r in (1, 2, 3):
        pcr = each_fold(lambda: make_pipeline(PCA(r, svd_solver="full"), LinearRegression()), rmse, y)
        pls = each_fold(lambda: PLSRegression(r, scale=False), rmse, y)
        check(f"pcr {r}", rows["pcr", r]["values"], pcr, 1e-8)
        check(f"pls {r}", rows["pls", r]["values"], pls, 1e-8)
        check(f"mean of pls {r}", [rows["pls", r]["mean"], rows["pls", r]["std"]], [np.mean(pls), np.std(pls, ddof=1)], 1e-8)
    ratio = np.mean([(parts == k).sum() / (parts != k).sum() for k in range(folds)])
    best = next(row for row in result["rows"] if row["mark"] == "best")
    check("best", best["mean"], min(row["mean"] for row in result["rows"]), 0)
    for row in result["rows"]:
        if row is best:
            continue
        p = p_value(row["values"], best["values"], ratio)
        check(f"p of {row['label']}", row["p_value"], p, 1e-9)
        check(f"mark of {row['label']}", row["mark"] == "equal", p > 0.05, 0)


def check_filled(folder):
    rows = rows_of(compare(folder, y, True, "--methods", "pls", "--dims", "2", "--missing", "mean"))
    check("filled", rows["all features", None]["values"], each_fold(RidgePath, rmse, y, filled), 1e-8)
    check("filled pls", rows["pls", 2]["values"], each_fold(lambda: PLSRegression(2, scale=False), rmse, y, filled), 1e-8)


def check_classes(folder):
    names = np.array(["red", "green", "blue"])[codes]
    rows = rows_of(compare(folder, names, False, "--methods", "pca", "--dims", "2,3", "--scale", "standard"))
    check("logistic", rows["all features", None]["values"], each_fold(LogisticPath, accuracy_score, names), 1e-12)
    for r in (2, 3):
        want = each_fold(lambda: make_pipeline(StandardScaler(), PCA(r, svd_solver="full"), gaussian()),
                         accuracy_score, names)
        check(f"pca {r} and gaussian", rows["pca", r]["values"], want, 1e-12)
    rows = rows_of(compare(folder, names, False, "--methods", "pca", "--dims", "2", "--scale", "standard", "--predictor", "gaussian"))
    check("gaussian", rows["all features", None]["values"], each_fold(gaussian, accuracy_score, names), 1e-12)
    rows = rows_of(compare(folder, names, False, "--methods", "pca", "--dims", "2", "--predictor", "knn", "--predictor-neighbors", "1"))
    want = each_fold(lambda: make_pipeline(PCA(2, svd_solver="full"), KNeighborsClassifier(1)), accuracy_score, names)
    check("pca and knn", rows["pca", 2]["values"], want, 1e-12)


with tempfile.TemporaryDirectory() as here:
    check_numbers(here)
    check_filled(here)
    check_classes(here)
print(f"{checks} checks, {len(failures)} failed")
print("\n".join(failures))
sys.exit(1 if failures else 0)
