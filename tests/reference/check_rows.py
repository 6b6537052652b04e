#!/usr/bin/env python3
"""check_rows.py ALIDADE: the preparations of rows (--rows) against scipy.signal.savgol_filter, numpy's polynomials and the
formulas: rows prepared here and given to a fit must predict what a fit with --rows predicts, for rows of the fit and new ones, in
memory and in blocks, updated and in cross-validation.

Tolerance: 1e-8 of the spread of the response. The least squares of pls on three components lose about the square of the
condition of the scores (here below 1e3) of the 16 digits; a wrong end of a window or a wrong divisor shows at 1e-3."""
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.signal import savgol_filter

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(5)
n, fresh, d = 60, 25, 31
grid = np.linspace(0, 1, d)
amounts = rng.uniform(0.2, 2, (n + fresh, 3))
peaks = np.exp(-((grid - np.array([[0.25], [0.5], [0.8]])) ** 2) / 0.01)
x = (amounts @ peaks) * rng.uniform(0.7, 1.4, (n + fresh, 1)) + rng.uniform(-1, 1, (n + fresh, 1)) + rng.normal(size=(n + fresh, 1)) * grid
x += 0.01 * rng.standard_normal(x.shape)
y = amounts @ [1.0, -2.0, 0.5] + 0.01 * rng.standard_normal(n + fresh)
failures, checks = [], 0


def snv(rows, seen):
    return (rows - rows.mean(1, keepdims=True)) / rows.std(1, ddof=1, keepdims=True)


def detrend(degree):
    def run(rows, seen):
        t = np.linspace(-1, 1, rows.shape[1])
        fit = np.polynomial.legendre.legvander(t, degree)
        return rows - rows @ fit @ np.linalg.pinv(fit)
    return run


def savgol(window, degree, derivative=0):
    return lambda rows, seen: savgol_filter(rows, window, degree, derivative, axis=1, mode="interp")


def msc(rows, seen):
    reference = seen.mean(0)
    out = []
    for row in rows:
        b, a = np.polyfit(reference, row, 1)
        out.append((row - a) / b)
    return np.array(out)


def prepared(steps, rows, seen):
    """Both sets by the same steps; what is learned is learned from `seen`."""
    for step in steps:
        rows, seen = step(rows, seen), step(seen, seen)
    return rows


CASES = {
    "snv": [snv],
    "detrend": [detrend(2)],
    "detrend:0": [detrend(0)],
    "detrend:5": [detrend(5)],
    "msc": [msc],
    "savgol:11:2": [savgol(11, 2)],
    "savgol:11:2:1": [savgol(11, 2, 1)],
    "savgol:7:3:2": [savgol(7, 3, 2)],
    "savgol:31:4:1": [savgol(31, 4, 1)],
    "snv,savgol:11:2:1": [snv, savgol(11, 2, 1)],
    "savgol:11:2:1,snv": [savgol(11, 2, 1), snv],
    "detrend:1,msc,savgol:9:2": [detrend(1), msc, savgol(9, 2)],
    "msc,savgol:5:2:1,msc": [msc, savgol(5, 2, 1), msc],
}


def run(*words):
    return subprocess.run([executable, *words], check=True, capture_output=True, text=True).stdout


def save(name, rows, target):
    with open(name, "w", encoding="utf-8") as file:
        file.write(",".join([f"{900 + 2 * j}nm" for j in range(rows.shape[1])] + ["y"]) + "\n")
        for row, value in zip(rows, target):
            file.write(",".join(repr(float(v)) for v in [*row, value]) + "\n")


def compare(name, got, want):
    global checks
    checks += 1
    apart = np.abs(got - want).max() / y.std()
    if not apart < 1e-8:
        failures.append(f"{name}: predictions are {apart:.3g} apart")


def predictions(*options, model="m.ald", data="new.csv"):
    run("fit", "-q", "train.csv", "--target", "y", "--method", "pls", "--n-components", "3", "--predictor", "linear", "-o", model, *options)
    return predicted(model, data)


def predicted(model, data):
    run("predict", "-q", model, data, "-o", "p.csv")
    return np.loadtxt("p.csv", skiprows=1, delimiter=",")


def check_cases():
    for words, steps in CASES.items():
        save("train.csv", prepared(steps, x[:n], x[:n]), y[:n])
        save("new.csv", prepared(steps, x, x[:n]), y)
        want = predictions()
        save("train.csv", x[:n], y[:n])
        save("new.csv", x, y)
        compare(words, predictions("--rows", words), want)
        compare(words + " in blocks", predictions("--rows", words, "--stream"), want)
        compare(words + " scaled", predictions("--rows", words, "--scale", "standard"),
                predictions("--rows", words, "--scale", "standard", "--stream"))


def check_update():
    """Rows that came later are prepared as those before: by the reference of the first fit."""
    for words in ("snv,savgol:11:2:1", "msc"):
        first = 40
        seen = x[:first] if "msc" in words else x[:n]
        save("train.csv", prepared(CASES[words], x[:n], seen), y[:n])
        save("new.csv", prepared(CASES[words], x, seen), y)
        want = predictions()
        save("train.csv", x[:first], y[:first])
        save("more.csv", x[first:n], y[first:n])
        save("new.csv", x, y)
        predictions("--rows", words, "--keep-statistics")
        run("update", "-q", "m.ald", "more.csv", "-o", "u.ald")
        compare(words + " updated", predicted("u.ald", "new.csv"), want)


def check_judged():
    """In every fold what is learned is learned from its training rows: the same figure as by hand."""
    parts = np.arange(n) % 3
    for words in ("msc", "snv,savgol:11:2:1"):
        errors = []
        for part in range(3):
            train, test = x[:n][parts != part], x[:n][parts == part]
            save("train.csv", prepared(CASES[words], train, train), y[:n][parts != part])
            save("new.csv", prepared(CASES[words], test, train), y[:n][parts == part])
            errors.append(np.sqrt(np.mean((predictions() - y[:n][parts == part]) ** 2)))
        with open("all.csv", "w", encoding="utf-8") as file:
            file.write(",".join([f"f{j}" for j in range(d)] + ["y", "part"]) + "\n")
            for row, value, part in zip(x[:n], y[:n], parts):
                file.write(",".join(repr(float(v)) for v in [*row, value]) + f",p{part}\n")
        run("compare", "-q", "all.csv", "--target", "y", "--methods", "pls", "--components", "3", "--predictor", "linear",
            "--split-column", "part", "--rows", words, "--csv", "c.csv")
        compare(words + " judged", np.array(read_rmse("c.csv")), np.array([np.mean(errors)]))


def read_rmse(path):
    with open(path, encoding="utf-8") as file:
        head, *rows = [line.rstrip("\n").split(",") for line in file]
    return [float(row[head.index("mean")]) for row in rows if row[0] == "pls"]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_cases()
    check_update()
    check_judged()
    os.chdir("/")
for failure in failures:
    print(failure)
print(f"{checks} checks, {len(failures)} failed")
sys.exit(1 if failures else 0)
