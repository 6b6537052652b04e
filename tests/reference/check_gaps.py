#!/usr/bin/env python3
"""check_gaps.py ALIDADE: pca and pls over the cells that are there (--missing nipals) against NIPALS written out here with masks in
numpy: scores of the rows of the fit, of new rows with and without gaps, and predictions; the same inside compare and tune, and with weights; without
a gap it is pca and pls themselves.

Tolerance 1e-7 of the largest score: both stop when a score vector moves by less than 1e-11, and the iteration converges by the ratio
of neighbouring eigenvalues, here below 0.9."""
import os
import subprocess
import sys
import tempfile

import numpy as np

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(11)
n, fresh, d, r = 50, 15, 8, 3
x = rng.standard_normal((n + fresh, 3)) @ (rng.standard_normal((3, d)) * [[3], [2], [1]]) + 0.3 * rng.standard_normal((n + fresh, d)) + np.arange(d)
y = np.column_stack([x @ rng.standard_normal(d), x[:, 0] - x[:, 3]]) + 0.1 * rng.standard_normal((n + fresh, 2))
holes = rng.random(x.shape) < 0.12
holes[:, 5] = False
gappy = np.where(holes, np.nan, x)
failures, checks = [], 0


def along(a, there, v, axis):
    """Regression through the origin over the cells that are there."""
    shape = v[:, None] if axis == 0 else v[None, :]
    return np.where(there, a * shape, 0).sum(axis) / np.where(there, shape ** 2, 0).sum(axis)


def nipals(a, f=None):
    """W, P and the scores of a centred matrix with NaN; f: centred responses."""
    there = ~np.isnan(a)
    e, f = np.where(there, a, 0.0), None if f is None else f.copy()
    weights, loadings, scores = [], [], []
    for _ in range(r):
        s = e[:, (e ** 2).sum(0).argmax()] if f is None else f[:, (f ** 2).sum(0).argmax()]
        t = np.zeros(len(a))
        for _ in range(100000):
            w = along(e, there, s, 0)
            w /= np.linalg.norm(w)
            before, t = t, along(e, there, w, 1)
            if f is not None:
                q = f.T @ t / (t @ t)
                s = f @ q / (q @ q)
            else:
                s = t
            if np.linalg.norm(t - before) < 1e-12 * np.linalg.norm(t):
                break
        p = w if f is None else along(e, there, t, 0)
        e = np.where(there, e - np.outer(t, p), 0.0)
        if f is not None:
            f -= np.outer(t, q)
        weights.append(w)
        loadings.append(p)
        scores.append(t)
    return np.array(weights), np.array(loadings), np.array(scores).T


def scores_of(rows, weights, loadings):
    there, e, found = ~np.isnan(rows), np.where(np.isnan(rows), 0, rows), []
    for w, p in zip(weights, loadings):
        t = along(e, there, w, 1)
        e = np.where(there, e - np.outer(t, p), 0.0)
        found.append(t)
    return np.array(found).T


def save(path, rows, target):
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join([f"c{j}" for j in range(d)] + ["y1", "y2"]) + "\n")
        for row, values in zip(rows, target):
            file.write(",".join("" if np.isnan(v) else repr(float(v)) for v in [*row, *values]) + "\n")


def run(*words):
    done = subprocess.run([executable, *words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{words}: {done.stderr}")
    return done.stderr


def check(name, apart):
    global checks
    checks += 1
    if not apart < 1e-7:
        failures.append(f"{name}: {apart:.3g} apart")


def read(path):
    return np.loadtxt(path, skiprows=1, delimiter=",", ndmin=2)


def compare(name, got, want):
    for k in range(want.shape[1]):
        size = np.abs(want[:, k]).max()
        check(f"{name}, column {k + 1}", min(np.abs(got[:, k] - s * want[:, k]).max() for s in (1, -1)) / size)


def check_method(method, scale):
    mean = np.nanmean(gappy[:n], 0)
    width = np.nanstd(gappy[:n], 0) if scale == "standard" else 1.0
    f = y[:n] - y[:n].mean(0)
    told = run("fit", "train.csv", "--target", "y1,y2", "--method", method, "--n-components", str(r), "--scale", scale, "--predictor", "linear",
               "--missing", "nipals", "-o", "m.ald")
    if "cells of X without a value in 7 columns: column 'c" not in told:
        failures.append(f"the note is missing: {told}")
    w, p, t = nipals((gappy[:n] - mean) / width, f if method == "pls" else None)
    run("transform", "-q", "m.ald", "all.csv", "-o", "z.csv")
    z = read("z.csv")
    compare(f"{method} {scale}", z[:n], t)
    compare(f"{method} {scale}, new rows", z, scores_of((gappy - mean) / width, w, p))
    run("transform", "-q", "m.ald", "whole.csv", "-o", "z.csv")
    compare(f"{method} {scale}, whole rows", read("z.csv"), scores_of((x - mean) / width, w, p))
    run("predict", "-q", "m.ald", "all.csv", "-o", "p.csv")
    design = np.column_stack([np.ones(n), t])
    beta = np.linalg.lstsq(design, y[:n], rcond=None)[0]
    want = np.column_stack([np.ones(n + fresh), scores_of((gappy - mean) / width, w, p)]) @ beta
    check(f"{method} {scale}, predictions", np.abs(read("p.csv") - want).max() / np.abs(want).max())


def check_compare(method):
    """compare: fits to the training part of a given split, predicts the rest; means, scale and NIPALS of that part alone."""
    run("compare", "-q", "split.csv", "--target", "y1", "--ignore", "y2", "--split-column", "part", "--methods", method, "--components", f"1:{r}",
        "--scale", "standard", "--missing", "nipals", "--no-baselines", "--no-times", "--csv", "c.csv")
    with open("c.csv", encoding="utf-8") as file:
        rows = [line.split(",") for line in file.read().splitlines()]
    mean, width = np.nanmean(gappy[:n], 0), np.nanstd(gappy[:n], 0)
    w, p, t = nipals((gappy[:n] - mean) / width, y[:n, :1] - y[:n, :1].mean(0) if method == "pls" else None)
    z = scores_of((gappy[n:] - mean) / width, w, p)
    for k in range(1, r + 1):
        beta = np.linalg.lstsq(np.column_stack([np.ones(n), t[:, :k]]), y[:n, 0], rcond=None)[0]
        want = np.sqrt(np.mean((np.column_stack([np.ones(fresh), z[:, :k]]) @ beta - y[n:, 0]) ** 2))
        check(f"compare {method}, {k} components", abs(float(rows[k][rows[0].index("mean")]) / want - 1))


def check_tune():
    """The model of tune is that of fit with what was chosen; new rows may have gaps."""
    run("tune", "-q", "train.csv", "--target", "y1", "--ignore", "y2", "--method", "pls", "--components", "2", "--folds", "5", "--missing",
        "nipals", "--no-nested", "-o", "t.ald")
    run("fit", "-q", "train.csv", "--target", "y1", "--ignore", "y2", "--method", "pls", "--components", "2", "--missing", "nipals", "-o", "m.ald")
    for model in ("t", "m"):
        run("predict", "-q", f"{model}.ald", "all.csv", "-o", f"{model}.csv")
    check("tune", np.abs(read("t.csv") - read("m.csv")).max() / np.abs(y).max())


def check_weights(method):
    """A row of weight 2 is two rows, one of weight 0 none, gaps and all."""
    weights = rng.integers(0, 3, n)
    found = []
    for times, name in ((np.ones(n, int), "weighted"), (weights, "repeated")):
        rows = np.repeat(np.arange(n), times)
        with open("w.csv", "w", encoding="utf-8") as file:
            file.write(",".join([f"c{j}" for j in range(d)] + ["y1", "w"]) + "\n")
            for i in rows:
                cells = ["" if np.isnan(v) else repr(float(v)) for v in gappy[i]]
                file.write(",".join([*cells, repr(float(y[i, 0])), str(weights[i] if name == "weighted" else 1)]) + "\n")
        run("fit", "-q", "w.csv", "--target", "y1", "--weights", "w", "--method", method, "--n-components", str(r), "--scale", "standard",
            "--missing", "nipals", "-o", "m.ald")
        run("transform", "-q", "m.ald", "all.csv", "-o", "z.csv")
        found.append(read("z.csv"))
    compare(f"{method} with weights", *found)


def check_whole(method):
    """Where no cell is missing nothing changes."""
    found = []
    for options in ([], ["--missing", "nipals"]):
        run("fit", "-q", "full.csv", "--target", "y1,y2", "--method", method, "--n-components", str(r), "-o", "m.ald", *options)
        run("transform", "-q", "m.ald", "whole.csv", "-o", "z.csv")
        found.append(read("z.csv"))
    compare(f"{method} without gaps", *found)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    save("train.csv", gappy[:n], y[:n])
    save("all.csv", gappy, y)
    save("whole.csv", x, y)
    save("full.csv", x[:n], y[:n])
    with open("all.csv", encoding="utf-8") as file, open("split.csv", "w", encoding="utf-8") as parts:
        for i, line in enumerate(file.read().splitlines()):
            parts.write(line + (",part" if i == 0 else ",train" if i <= n else ",test") + "\n")
    check_tune()
    for method in ("pca", "pls"):
        check_whole(method)
        check_compare(method)
        check_weights(method)
        for scale in ("none", "standard"):
            check_method(method, scale)
    os.chdir("/")
for failure in failures:
    print(failure)
print(f"{checks} checks, {len(failures)} failed")
sys.exit(1 if failures else 0)
