"""Predictors and figures of merit against scikit-learn. Usage: check_predictors.py ALIDADE

The projection is what `alidade transform` writes, so a predictor here and there learns from the same numbers. Closed forms (linear,
ridge, one-vs-rest, centroid, gaussian, knn) agree to 1e-9: products of 150 rows on columns of unit deviation. The logistic fit is
iterative on both sides: 1e-6, what scikit-learn's own stopping rule leaves. Figures are of the same predictions: 1e-12."""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn import metrics
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(7)
n, d = 240, 6
x = rng.standard_normal((n, d)) @ np.diag([3, 2, 1, 1, 0.5, 0.1])
x[:, 5] += 10
codes = np.argmax(np.column_stack([x[:, 0], x[:, 1] + 0.5, -x[:, 0]]) + rng.standard_normal((n, 3)), axis=1)
real = x[:, :2] @ rng.standard_normal((2, 2)) + np.sin(x[:, :1]) + 0.3 * rng.standard_normal((n, 2))
labels = (x[:, :4] + rng.standard_normal((n, 4)) > [0, 0.5, 1, -0.5]) * 1.0
weights = rng.integers(0, 4, n) * 1.0
train, test = np.arange(n) < 150, np.arange(n) >= 150
failures, checks = [], 0


def check(name, got, want, tolerance):
    global checks
    checks += 1
    got, want = np.asarray(got, float), np.asarray(want, float)
    if got.shape != want.shape or not np.all(np.abs(got - want) <= tolerance * np.maximum(1, np.abs(want))):
        failures.append(f"{name}: {got.ravel()[:4]} and {want.ravel()[:4]}")


def run(*arguments):
    return subprocess.run([executable, *arguments], check=True, capture_output=True, text=True).stdout


class Model:
    """A pca of the training rows with a predictor; the projections of both parts."""

    def __init__(self, folder, y, task, *options, weighted=False):
        y = np.asarray(y, float).reshape(n, -1)
        names = [f"x{j + 1}" for j in range(d)] + [f"y{j + 1}" for j in range(y.shape[1])] + ["w"] * weighted
        table = np.column_stack([x, y] + [weights] * weighted)
        self.paths = [os.path.join(folder, part) for part in ("train.csv", "test.csv")]
        for path, rows in zip(self.paths, (train, test)):
            with open(path, "w", newline="") as file:
                out = csv.writer(file)
                out.writerow(names)
                out.writerows([[repr(float(v)) for v in row] for row in table[rows]])
        self.path = os.path.join(folder, "m.ald")
        target = ",".join(f"y{j + 1}" for j in range(y.shape[1]))
        run("fit", "-q", self.paths[0], "--target", target, "--task", task, "--method", "pca", "--dims", "3", "-o", self.path,
            *(["--weights", "w"] if weighted else []), *options)
        self.z, self.t = (self.matrix("transform", path) for path in self.paths)

    def matrix(self, verb, path, *options):
        out = self.path + ".npy"
        run(verb, "-q", self.path, path, "-o", out, *options)
        return np.load(out)

    def predict(self, *options):
        return self.matrix("predict", self.paths[1], *options)

    def evaluate(self):
        return json.loads(run("evaluate", "-q", self.path, self.paths[1], "--json"))


def standardized(z, t, w):
    mean = np.average(z, axis=0, weights=w)
    deviation = np.sqrt(np.average((z - mean) ** 2, axis=0, weights=w))
    return (z - mean) / deviation, (t - mean) / deviation


def weights_of(weighted):
    w = weights[train] if weighted else np.ones(train.sum())
    return w * len(w) / w.sum()


def check_regression(folder):
    for weighted in (False, True):
        w = weights_of(weighted)
        m = Model(folder, real, "regression", "--predictor", "linear", weighted=weighted)
        peer = LinearRegression().fit(m.z, real[train], w)
        check("linear", m.predict(), peer.predict(m.t), 1e-9)
        for ridge, options in ((0.01, []), (2.5, ["--predictor-ridge", "2.5"])):
            m = Model(folder, real, "regression", "--predictor", "ridge", *options, weighted=weighted)
            z, t = standardized(m.z, m.t, w)
            peer = Ridge(alpha=ridge * len(w)).fit(z, real[train], w)
            check(f"ridge {ridge}", m.predict(), peer.predict(t), 1e-9)
    for k in (1, 5):
        m = Model(folder, real, "regression", "--predictor", "knn", "--predictor-neighbors", str(k))
        check(f"knn {k}", m.predict(), KNeighborsRegressor(k).fit(m.z, real[train]).predict(m.t), 1e-9)
    scores, p = m.evaluate(), m.predict()
    check("rmse", scores["rmse"], np.mean(np.sqrt(metrics.mean_squared_error(real[test], p, multioutput="raw_values"))), 1e-12)
    check("r2", scores["r2"], metrics.r2_score(real[test], p), 1e-12)
    check("mae", scores["mae"], metrics.mean_absolute_error(real[test], p), 1e-12)
    check("r2 of y2", scores["responses"]["y2"]["r2"], metrics.r2_score(real[test, 1], p[:, 1]), 1e-12)


def check_class_scores(m, truth):
    scores, p = m.evaluate(), m.predict()[:, 0].astype(int)
    check("accuracy", scores["accuracy"], metrics.accuracy_score(truth, p), 1e-12)
    check("balanced accuracy", scores["balanced_accuracy"], metrics.balanced_accuracy_score(truth, p), 1e-12)
    check("mean one-vs-rest", scores["mean_ovr_accuracy"], np.mean([metrics.accuracy_score(truth == c, p == c) for c in range(3)]), 1e-12)
    check("confusion", scores["confusion"]["counts"], metrics.confusion_matrix(truth, p, labels=range(3)), 0)


def check_classes(folder):
    for weighted in (False, True):
        w = weights_of(weighted)
        repeated = np.repeat(np.flatnonzero(train), weights[train].astype(int)) if weighted else np.flatnonzero(train)
        order = np.searchsorted(np.flatnonzero(train), repeated)
        m = Model(folder, codes, "classification", "--predictor", "centroid", weighted=weighted)
        check("centroid", m.predict()[:, 0], NearestCentroid().fit(m.z[order], codes[repeated]).predict(m.t), 0)
        m = Model(folder, codes, "classification", "--predictor", "gaussian", weighted=weighted)
        peer = LinearDiscriminantAnalysis(solver="lsqr").fit(m.z[order], codes[repeated])
        check("gaussian", m.predict("--probabilities")[:, 1:], peer.predict_proba(m.t), 1e-9)
        for ridge, options in ((1e-3, []), (0.5, ["--predictor-ridge", "0.5"])):
            m = Model(folder, codes, "classification", "--predictor", "logistic", *options, weighted=weighted)
            z, t = standardized(m.z, m.t, w)
            peer = LogisticRegression(C=1 / (ridge * len(w)), multi_class="multinomial", tol=1e-9, max_iter=200, solver="newton-cg").fit(z, codes[train], w)
            check(f"logistic {ridge}", m.predict("--probabilities")[:, 1:], peer.predict_proba(t), 1e-6)
        m = Model(folder, codes, "classification", "--predictor", "one-vs-rest", weighted=weighted)
        z, t = standardized(m.z, m.t, w)
        peer = Ridge(alpha=1e-6 * len(w)).fit(z, np.eye(3)[codes[train]], w)
        check("one-vs-rest", m.predict("--scores")[:, 1:], peer.predict(t), 1e-9)
        check("one-vs-rest, classes", m.predict()[:, 0], np.argmax(peer.predict(t), axis=1), 0)
        check_class_scores(m, codes[test])
    for k in (1, 7, 0):
        m = Model(folder, codes, "classification", "--predictor", "knn", "--predictor-neighbors", str(k))
        peer = KNeighborsClassifier(k or 4).fit(m.z, codes[train])
        check(f"knn {k}", m.predict("--probabilities")[:, 1:], peer.predict_proba(m.t), 1e-12)
        check(f"knn {k}, classes", m.predict()[:, 0], peer.predict(m.t), 0)
        check_class_scores(m, codes[test])


def check_label_scores(m, truth):
    scores, p = m.evaluate(), m.predict("--scores")[:, 4:]
    said = (p > 0.5) * 1.0
    check("labels", m.predict(), said, 0)
    check("accuracy of labels", scores["accuracy"], 1 - metrics.hamming_loss(truth, said), 1e-12)
    for average in ("macro", "micro"):
        check(f"{average} auc", scores[f"{average}_auc"], metrics.roc_auc_score(truth, p, average=average), 1e-12)
        check(f"{average} f1", scores[f"{average}_f1"], metrics.f1_score(truth, said, average=average), 1e-12)
    each = [scores["responses"][f"y{j + 1}"] for j in range(4)]
    check("auc", [s["auc"] for s in each], metrics.roc_auc_score(truth, p, average=None), 1e-12)
    check("f1", [s["f1"] for s in each], metrics.f1_score(truth, said, average=None), 1e-12)


def check_labels(folder):
    for weighted in (False, True):
        w = weights_of(weighted)
        m = Model(folder, labels, "multilabel", "--predictor", "one-vs-rest", weighted=weighted)
        z, t = standardized(m.z, m.t, w)
        peer = Ridge(alpha=1e-6 * len(w)).fit(z, 2 * labels[train] - 1, w)
        check("one-vs-rest, labels", 2 * m.predict("--scores")[:, 4:] - 1, peer.predict(t), 1e-9)
        check_label_scores(m, labels[test])
        m = Model(folder, labels, "multilabel", "--predictor", "logistic", weighted=weighted)
        z, t = standardized(m.z, m.t, w)
        for j in range(4):
            peer = LogisticRegression(C=1e3 / len(w), tol=1e-9, max_iter=200, solver="newton-cg").fit(z, labels[train, j], w)
            check(f"logistic, label {j}", m.predict("--probabilities")[:, 4 + j], peer.predict_proba(t)[:, 1], 1e-6)
        check_label_scores(m, labels[test])
    m = Model(folder, labels, "multilabel", "--predictor", "knn", "--predictor-neighbors", "5")
    check("knn, labels", m.predict("--probabilities")[:, 4:], KNeighborsRegressor(5).fit(m.z, labels[train]).predict(m.t), 1e-12)
    check_label_scores(m, labels[test])  # scores of six values: many ties


def check_subspace(folder):
    m = Model(folder, real, "regression", "--predictor", "none", "--scale", "standard")
    known, path = rng.standard_normal((2, d)), os.path.join(folder, "known.npy")
    np.save(path, known)
    got = json.loads(run("evaluate", "-q", m.path, m.paths[1], "--subspace", path, "--json"))["subspace"]
    with open(m.path, "rb") as file:
        raw = file.read()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    cut = lambda name: np.frombuffer(raw[start:][slice(*header[name]["data_offsets"])]).reshape(header[name]["shape"])
    q = [np.linalg.qr(a.T)[0] for a in (known, cut("components") / cut("scale"))]
    cosines = np.linalg.svd(q[0].T @ q[1], compute_uv=False)
    check("angle", got["angle_degrees"], np.degrees(np.arccos(cosines.min())), 1e-9)
    check("trace correlation", got["trace_correlation"], np.mean(cosines ** 2), 1e-12)


def check_yeast(folder):
    """Rows 1-1500 for training: the macro AUC of cca with least-squares scores, .6665 without a ridge and .6767 with 100."""
    source = os.path.join(os.environ.get("ALD_SHARED_DATA", ""), "yeast.csv.gz")
    if not os.path.exists(source):
        print("ALD_SHARED_DATA has no yeast.csv.gz: left out")
        return
    with gzip.open(source, "rt") as file:
        lines = file.readlines()
    fitted, others, model = (os.path.join(folder, name) for name in ("fitted.csv", "others.csv", "yeast.ald"))
    for path, part in ((fitted, lines[:1501]), (others, lines[:1] + lines[1501:])):
        with open(path, "w") as file:
            file.writelines(part)
    for ridge, published in (("0", 0.6665), ("100", 0.6767)):
        found = []
        for solver in ("direct", "two-stage"):
            run("fit", "-q", fitted, "--target", "Class1..Class14", "--task", "multilabel", "--method", "cca", "--dims", "0", "--ridge", ridge,
                "--solver", solver, "--tol", "1e-14", "--predictor", "one-vs-rest", "-o", model)
            found.append(json.loads(run("evaluate", "-q", model, others, "--json"))["macro_auc"])
        check(f"yeast, ridge {ridge}", found[0], published, 0.003)
        check(f"yeast, ridge {ridge}, two-stage", found[1], found[0], 1e-6)


with tempfile.TemporaryDirectory() as directory:
    check_regression(directory)
    check_classes(directory)
    check_labels(directory)
    check_subspace(directory)
    check_yeast(directory)
if failures:
    sys.exit("\n".join(failures))
print(f"{checks} comparisons agree")
