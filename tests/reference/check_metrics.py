"""The figures of alidade evaluate and compare against scikit-learn. Usage: check_metrics.py ALIDADE

Figures are recomputed from the predictions and probabilities that alidade writes with 17 digits: 1e-10. Those of all test
rows together, rmsecv, bias, sep, rpd and q2, from predictions made fold by fold: 1e-9, as sep is a difference of sums."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn import metrics

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(5)
failures, checks = [], 0


def check(name, got, want, tolerance=1e-10):
    global checks
    checks += 1
    if got is None or not abs(got - want) <= tolerance * max(1, abs(want)):
        failures.append(f"{name}: {got} and {want}")


def run(folder, *arguments):
    done = subprocess.run([executable, *arguments], capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise SystemExit(f"{arguments}: {done.stderr}")
    return done.stdout


def write(folder, x, target, names=("y",), parts=None):
    with open(os.path.join(folder, "data.csv"), "w") as file:
        print(*[f"x{j}" for j in range(x.shape[1])], *names, *(["part"] if parts is not None else []), sep=",", file=file)
        for i, row in enumerate(x):
            last = [f"p{parts[i]}"] if parts is not None else []
            print(*[repr(float(v)) for v in row], *np.atleast_1d(target[i]), *last, sep=",", file=file)


def table(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def specificity(truth, guess, names):
    values = []
    for name in names:
        others = truth != name
        values.append(np.mean(guess[others] != name))
    return np.mean(values)


def check_classes(folder, classes, predictor):
    x = rng.standard_normal((90, 4))
    names = np.array(["a", "b", "c", "e"][:classes])
    y = names[np.argmax(x[:, :classes] + 1.5 * rng.standard_normal((90, classes)), axis=1)]
    write(folder, x, y)
    run(folder, "fit", "data.csv", "--target", "y", "--task", "classification", "--method", "pca", "--components", "3",
        "--predictor", predictor, "-q", "-o", "m.ald")
    got = json.loads(run(folder, "evaluate", "m.ald", "data.csv", "--json", "-q"))
    out = table(run(folder, "predict", "m.ald", "data.csv", "--probabilities", "-q"))
    guess = np.array(out["y"])
    p = np.array([[float(v) for v in out[name]] for name in out if name != "y"]).T
    what = f"{classes} classes, {predictor}: "
    if classes == 2:
        check(what + "auc", got["auc"], metrics.roc_auc_score(y == "b", p[:, 1]))
        check(what + "sensitivity", got["sensitivity"], metrics.recall_score(y, guess, pos_label="b"))
        check(what + "specificity", got["specificity"], metrics.recall_score(y, guess, pos_label="a"))
        check(what + "brier", got["brier"], metrics.brier_score_loss(y == "b", p[:, 1]))
    else:
        check(what + "auc", got["auc"], metrics.roc_auc_score(y, p, multi_class="ovr", average="macro"))
        check(what + "sensitivity", got["sensitivity"], metrics.recall_score(y, guess, average="macro"))
        check(what + "specificity", got["specificity"], specificity(y, guess, names))
        check(what + "brier", got["brier"], np.mean(np.sum((p - (y[:, None] == names)) ** 2, axis=1)))
    check(what + "mcc", got["mcc"], metrics.matthews_corrcoef(y, guess))
    check(what + "log_loss", got["log_loss"], metrics.log_loss(y, p, labels=names))


def check_numbers(folder):
    x = rng.standard_normal((80, 4)) + [1, 2, 3, 4]
    y = x[:, 0] - 0.5 * x[:, 2] + rng.standard_normal(80)
    parts = np.arange(80) % 3
    parts[:9] = 0  # of different sizes
    write(folder, x, y, parts=parts)
    run(folder, "fit", "data.csv", "--target", "y", "--ignore", "part", "--method", "pls", "--components", "1", "--predictor", "linear",
        "-q", "-o", "m.ald")
    got = json.loads(run(folder, "evaluate", "m.ald", "data.csv", "--json", "-q"))
    p = np.array([float(v) for v in table(run(folder, "predict", "m.ald", "data.csv", "-q"))["y"]])
    sep = np.std(p - y, ddof=1)
    check("bias", got["bias"], np.mean(p - y))
    check("sep", got["sep"], sep)
    check("rpd", got["rpd"], np.std(y, ddof=1) / sep)
    check("q2", got["q2"], metrics.r2_score(y, p))
    means = np.array([y[parts != k].mean() for k in range(3)])
    for metric, want in (("rmsecv", np.sqrt(np.mean((y - means[parts]) ** 2))), ("q2", 0.0)):
        rows = json.loads(run(folder, "compare", "data.csv", "--target", "y", "--methods", "pls", "--components", "1",
                              "--split-column", "part", "--metric", metric, "--no-times", "--json", "-q"))["rows"]
        check(metric + " of the mean", rows[0]["mean"], want)
        values = rows[-1]["metrics"]["rmsecv"]
        missed = np.sum([np.sum(parts == k) * values[k] ** 2 for k in range(3)])
        total = np.sum((y - means[parts]) ** 2)
        check(metric + " of pls", rows[-1]["mean"], np.sqrt(missed / 80) if metric == "rmsecv" else 1 - missed / total)
        tuned = run(folder, "tune", "data.csv", "--target", "y", "--ignore", "part", "--method", "pls", "--components", "1:2",
                    "--metric", metric, "--no-nested", "-q", "-o", "t.ald")
        check("tune by " + metric, 1.0 if metric in tuned else 0.0, 1.0)


def fold_predictions(folder, x, y, names, parts):
    """Of every row by a fit to the rows of the other parts."""
    found = np.full((len(x), len(names)), np.nan)
    for part in np.unique(parts):
        train, test = parts != part, parts == part
        for rows, file in ((train, "train.csv"), (test, "test.csv")):
            write(folder, x[rows], y[rows], names)
            os.replace(os.path.join(folder, "data.csv"), os.path.join(folder, file))
        run(folder, "fit", "train.csv", "--target", ",".join(names), "--task", "regression", "--method", "pls", "--components", "2", "-q", "-o", "f.ald")
        guess = table(run(folder, "predict", "f.ald", "test.csv", "-q"))
        found[test] = np.array([[float(v) for v in guess[name]] for name in names]).T
    return found


def check_pooled(folder, names, parts, rows=60):
    """All five figures of the test rows together, from predictions made fold by fold: of JSON, and as the figure of the table."""
    x = rng.standard_normal((rows, 5)) + 3
    y = np.column_stack([x @ rng.standard_normal(5) + 100 + 0.5 * rng.standard_normal(rows) for _ in names])
    p = fold_predictions(folder, x, y, names, parts)
    trained = np.array([y[parts != part].mean(0) for part in parts])
    e, cells = p - y, y.size
    sep = np.sqrt(np.sum((e - e.mean()) ** 2) / (cells - 1))
    want = {"rmsecv": np.sqrt(np.mean(e ** 2)), "bias": e.mean(), "sep": sep, "q2": 1 - np.sum(e ** 2) / np.sum((y - trained) ** 2),
            "rpd": np.sqrt(np.sum((y - y.mean(0)) ** 2) / (cells - 1)) / sep}
    write(folder, x, y, names, parts)
    for metric, value in want.items():
        row = json.loads(run(folder, "compare", "data.csv", "--target", ",".join(names), "--task", "regression", "--methods", "pls",
                             "--components", "2", "--split-column", "part", "--metric", metric, "--no-times", "--no-baselines", "--json", "-q"))["rows"][0]
        check(f"{metric} of all test rows, {len(names)} responses", row["mean"], value, 1e-9)
        for name, figure in want.items():
            check(f"{name} in JSON beside {metric}", row["pooled"][name], figure, 1e-9)


with tempfile.TemporaryDirectory() as here:
    for count in (2, 4):
        for kind in ("gaussian", "logistic", "knn"):
            check_classes(here, count, kind)
    check_numbers(here)
    uneven = np.minimum(np.arange(60) % 7, 4)
    check_pooled(here, ["y"], uneven)
    check_pooled(here, ["y", "z"], uneven)
    check_pooled(here, ["y"], np.arange(12), 12)  # a part has one row, and no sep of its own
print(f"{checks} checks, {len(failures)} failed")
print("\n".join(failures))
sys.exit(1 if failures else 0)
