#!/usr/bin/env python3
"""check_coefficients.py ALIDADE: `inspect --coefficients` as a user would take it: the formula applied to the columns of the file
gives what `predict` gives, for responses, classes and labels, with scales and with linear steps of rows; with steps that are not
linear it is applied to rows prepared by their formulas. Tolerance 1e-10 of the size of the terms that are summed."""
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(3)
n, d = 40, 12
x = rng.standard_normal((n, d)) + np.linspace(3, 5, d)
a = x @ rng.standard_normal(d) + 0.1 * rng.standard_normal(n)
b = x[:, 0] * 2 + 0.1 * rng.standard_normal(n)
kind = np.array(["low", "mid", "high"])[np.digitize(a, np.quantile(a, [0.3, 0.7]))]
names = [f"t={0.5 * j:g}s" for j in range(d)]
failures, checks = [], 0


def run(*words, status=0):
    done = subprocess.run([executable, *words], capture_output=True, text=True)
    if done.returncode != status:
        raise SystemExit(f"{words}: exit {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr


def check(name, condition):
    global checks
    checks += 1
    if not condition:
        failures.append(name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.reader(file))


def prepared(rows, steps):
    if "snv" in steps:
        rows = (rows - rows.mean(1, keepdims=True)) / rows.std(1, ddof=1, keepdims=True)
    if "unit" in steps:
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def check_model(name, target, options, steps="", link=lambda scores: scores):
    run("fit", "-q", "data.csv", "--target", target, "--ignore", ",".join({"a [mg]", "b", "kind"} - set(target.split(","))), *options,
        "-o", "m.ald")
    run("inspect", "-q", "m.ald", "--coefficients", "w.csv")
    run("predict", "-q", "m.ald", "data.csv", "-o", "p.csv", *(["--scores"] if target == "kind" else []))
    table = read("w.csv")
    head, rows = table[0], table[1:]
    w = np.array([[float(v) for v in row[5:]] for row in rows])
    got = link(prepared(x, steps) @ w[1:] + w[0])
    want = np.array([[float(v) for v in row[-w.shape[1]:]] for row in read("p.csv")[1:]])
    size = np.abs(prepared(x, steps)).max() * np.abs(w[1:]).sum(0).max() + np.abs(w[0]).max()
    check(f"{name}: {np.abs(got - want).max() / size:.3g} apart", np.abs(got - want).max() < 1e-10 * size)
    check(f"{name}: names", [row[0] for row in rows] == ["(intercept)", *names] and head[0] == "column")
    check(f"{name}: places", [row[1:3] for row in rows[1:]] == [[f"{0.5 * j:g}", "s"] for j in range(d)])
    check(f"{name}: of", all(row[4] == "column" for row in rows) != bool(steps))
    return rows


def softmax(scores):
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("data.csv", "w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, "a [mg]", "b", "kind"])
        for row, first, second, k in zip(x, a, b, kind):
            writer.writerow([*map(repr, map(float, row)), repr(float(first)), repr(float(second)), k])
    rows = check_model("pls", "a [mg]", ["--method", "pls", "--n-components", "3", "--predictor", "linear"])
    check("unit of the intercept", rows[0][3] == "mg")
    check_model("scaled", "a [mg]", ["--method", "pls", "--n-components", "3", "--predictor", "ridge", "--scale", "standard"])
    check_model("minmax", "a [mg]", ["--method", "sir", "--n-components", "1", "--predictor", "linear", "--scale", "minmax"])
    check_model("responses", "a [mg],b", ["--method", "pls", "--n-components", "2", "--predictor", "linear"])
    check_model("classes", "kind", ["--method", "lda", "--n-components", "2", "--predictor", "linear"])
    check_model("logistic", "kind", ["--method", "lda", "--n-components", "2", "--predictor", "logistic", "--scale", "standard"],
                link=softmax)
    check_model("gaussian", "kind", ["--method", "pls", "--n-components", "3", "--predictor", "gaussian"], link=softmax)
    check_model("linear steps", "a [mg]", ["--method", "pls", "--n-components", "3", "--predictor", "linear", "--rows",
                                          "detrend:1,savgol:5:2:1", "--scale", "standard"])
    check_model("snv", "a [mg]", ["--method", "pls", "--n-components", "3", "--predictor", "linear", "--rows", "snv"], "snv")
    check_model("row scale", "a [mg]", ["--method", "pls", "--n-components", "3", "--predictor", "linear", "--row-scale", "unit"], "unit")
    for options in (["--method", "pls", "--predictor", "knn"], ["--method", "kpls", "--predictor", "linear"], ["--method", "pls", "--predictor", "none"]):
        run("fit", "-q", "data.csv", "--target", "a [mg]", "--ignore", "b,kind", *options, "-o", "m.ald")
        told = run("inspect", "m.ald", "--coefficients", "w.csv", status=1)
        check("refused", "is not a linear formula in the columns: that requires a linear method with --predictor linear" in told)
    os.chdir("/")
for failure in failures:
    print(failure)
print(f"{checks} checks, {len(failures)} failed")
sys.exit(1 if failures else 0)
