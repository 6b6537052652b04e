"""Intervals and sets of `alidade predict --interval`. Usage: check_intervals.py ALIDADE

1. They are what the definition says: errors of ten fits, each without a part of the rows, are measured here from a model
   that alidade calibrate gave errors, and the interval of each row is its prediction and the k-th smallest error,
   k = ceil((m + 1) level).
2. They contain the truth as often as they should: draws of ten sets (six synthetic, four real; two of numbers with
   several responses, three of classes, one of labels), three fifths of the rows to learn from, level 0.9. The mean
   coverage over the draws must be within 0.88 and 0.92, in few draws (ALD_LONG not set) give or take four standard
   errors of it.
   Models by fit --intervals (folds), by fit --stream and calibrate on rows that the fit has not seen (streamed), and by
   fit --intervals and update (updated).
ALD_DRAWS: how many draws (200 with ALD_LONG=1, else 6). ALD_JOBS: how many at once (1)."""
import concurrent.futures
import csv
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

executable = os.path.abspath(sys.argv[1])
long_form = bool(os.environ.get("ALD_LONG"))
draws = int(os.environ.get("ALD_DRAWS", 200 if long_form else 6))
here = os.path.dirname(os.path.abspath(__file__))
bundled = os.environ.get("ALD_DATA") or os.path.join(here, "..", "..", "data")
failures = []


def alidade(folder, *words):
    done = subprocess.run([executable, *words, "-q"] if words[0] != "predict" else [executable, *words], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("alidade %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def check(good, what):
    if not good:
        failures.append(what)


def write(path, names, rows):
    with open(path, "w", newline="") as stream:
        csv.writer(stream).writerows([names, *rows])


def read(text):
    rows = list(csv.reader(text.splitlines()))
    return rows[0], rows[1:]


# ---------------------------------------------------------------------------------------------------------------------
# Sets: a function of (rng) -> names, rows as lists of texts, target columns

def numbers_set(noise):
    def draw(rng):
        x = rng.standard_normal((400, 5))
        y = x[:, 0] + 0.5 * x[:, 1] + noise(rng, x)
        return ["a", "b", "c", "d", "e", "y"], np.column_stack([x, y]).tolist(), ["y"]
    return draw


def two_responses(rng):
    x = rng.standard_normal((400, 6))
    y = x[:, :2] @ [[1, 0.5], [0.3, -1]] + rng.laplace(size=(400, 2))
    return ["a", "b", "c", "d", "e", "f", "y", "z"], np.column_stack([x, y]).tolist(), ["y", "z"]


def overlapping_classes(rng):
    y = rng.integers(0, 3, 400)
    x = rng.standard_normal((400, 4)) + np.eye(4)[y] * 1.5
    return ["a", "b", "c", "d", "y"], [[*row, "KLM"[c]] for row, c in zip(x.tolist(), y)], ["y"]


def some_labels(rng):
    x = rng.standard_normal((400, 5))
    on = (x[:, :3] + rng.logistic(size=(400, 3)) > 0).astype(int)
    return ["a", "b", "c", "d", "e", "u", "v", "w"], [[*row, *bits] for row, bits in zip(x.tolist(), on.tolist())], ["u", "v", "w"]


def file_set(name, targets, ignored=()):
    with open(os.path.join(bundled, name)) as stream:
        names, rows = read(stream.read())
    kept = [k for k, column in enumerate(names) if column not in ignored]
    names, rows = [names[k] for k in kept], [[row[k] for k in kept] for row in rows]
    unique = [list(row) for row in dict.fromkeys(map(tuple, rows))]  # tecator has equal rows
    return lambda rng: (names, unique, targets)


SETS = {
    "normal noise": (numbers_set(lambda rng, x: rng.standard_normal(len(x))), "pls"),
    "heavy tails": (numbers_set(lambda rng, x: rng.standard_t(2, len(x))), "pls"),
    "noise that grows": (numbers_set(lambda rng, x: np.abs(x[:, 0]) * rng.standard_normal(len(x))), "pls"),
    "two responses": (two_responses, "cca"),
    "three classes": (overlapping_classes, "lda"),
    "labels": (some_labels, "cca"),
    "tecator": (file_set("tecator.csv", ["fat"], ["water", "protein"]), "pls"),
    "tecator, three": (file_set("tecator.csv", ["water", "fat", "protein"]), "pls"),
    "iris": (file_set("iris.csv", ["y"]), "lda"),
    "wine": (file_set("wine.csv", ["y"]), "lda"),
}


def covered(names, rows, targets, header, predicted):
    """The share of targets that the interval or set contains, over rows and responses."""
    inside = []
    for truth, row in zip(rows, predicted):
        for target in targets:
            value = truth[names.index(target)]
            if "low(%s)" % target in header:
                inside.append(float(row[header.index("low(%s)" % target)]) <= float(value) <= float(row[header.index("high(%s)" % target)]))
            elif "set(%s)" % target in header:
                inside.append(str(value) in row[header.index("set(%s)" % target)].split("|"))
            else:
                inside.append(row[header.index("in(%s)" % value)] == "1")
    return np.mean(inside)


def one_draw(name, way, number):
    draw, method = SETS[name]
    rng = np.random.default_rng([number, len(name)])
    names, rows, targets = draw(rng)
    order = rng.permutation(len(rows))
    known = 3 * len(rows) // 5
    parts = {"train.csv": order[:known], "test.csv": order[known:], "first.csv": order[: known // 2],
             "second.csv": order[known // 2:known]}
    fit = ["--target", ",".join(targets), "--method", method, "--components", "2" if method != "pls" else "5",
           "--components-rule", "at-most", "--predictor", usual(targets, rows, names), "-o", "m.ald"]
    with tempfile.TemporaryDirectory() as folder:
        for file, places in parts.items():
            write(os.path.join(folder, file), names, [rows[k] for k in places])
        for words in WAYS[way]:
            alidade(folder, *words, *(fit if words[0] == "fit" else ()))
        header, predicted = read(alidade(folder, "predict", "m.ald", "test.csv", "--interval", "0.9"))
    return covered(names, [rows[k] for k in parts["test.csv"]], targets, header, predicted)


WAYS = {
    "folds": [["fit", "train.csv", "--intervals", "10"]],
    "streamed": [["fit", "first.csv", "--stream"], ["calibrate", "m.ald", "second.csv", "-o", "m.ald"]],
    "updated": [["fit", "first.csv", "--keep-statistics", "--intervals", "10"],
                ["update", "m.ald", "second.csv", "-o", "m.ald"]],
}


def usual(targets, rows, names):
    values = {str(row[names.index(targets[0])]) for row in rows}
    if values <= {"0", "1"}:
        return "one-vs-rest"
    return "gaussian" if len(values) < 5 else "linear"


def check_coverage():
    cases = [(name, way) for name in SETS for way in WAYS]
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("ALD_JOBS", 1))) as pool:
        found = {case: [pool.submit(one_draw, *case, number) for number in range(draws)] for case in cases}
        for (name, way), futures in found.items():
            shares = [future.result() for future in futures]
            error = np.std(shares, ddof=1) / math.sqrt(draws)
            slack = 0.0 if draws >= 100 else 4 * error + 0.005
            print("| %-16s | %-8s | %.3f | %.4f |" % (name, way, np.mean(shares), error), flush=True)
            check(0.88 - slack <= np.mean(shares) <= 0.92 + slack, "%s, %s: coverage %.3f" % (name, way, np.mean(shares)))


# ---------------------------------------------------------------------------------------------------------------------
# The definition

def check_definition(folder):
    rng = np.random.default_rng(7)
    names, rows, targets = SETS["normal noise"][0](rng)
    for file, part in (("train.csv", rows[:150]), ("held.csv", rows[150:199]), ("new.csv", rows[199:])):
        write(os.path.join(folder, file), names, part)
    alidade(folder, "fit", "train.csv", "--target", "y", "--method", "pls", "-o", "m.ald")
    alidade(folder, "calibrate", "m.ald", "held.csv", "-o", "c.ald")
    predicted = [float(row[0]) for row in read(alidade(folder, "predict", "c.ald", "held.csv"))[1]]
    errors = sorted(abs(p - row[-1]) for p, row in zip(predicted, rows[150:199]))
    for level in (0.5, 0.8, 0.9, 0.98):
        wanted = errors[math.ceil((len(errors) + 1) * level - 1e-9) - 1]
        for row in read(alidade(folder, "predict", "c.ald", "new.csv", "--interval", str(level)))[1]:
            value, low, high = map(float, row)
            check(abs(value - low - wanted) < 1e-9 and abs(high - value - wanted) < 1e-9, "level %g: %s, not %g" % (level, row, wanted))
    for words, reason in ((["predict", "c.ald", "new.csv", "--interval", "0.99"], "needs the errors of 99 rows"),
                          (["predict", "m.ald", "new.csv", "--interval", "0.9"], "fit it again with --intervals"),
                          (["predict", "c.ald", "new.csv", "--interval", "1"], "expected a number"),
                          (["fit", "train.csv", "--target", "y", "--stream", "--intervals", "5", "-o", "n.ald"], "alidade calibrate")):
        done = subprocess.run([executable, *words], cwd=folder, capture_output=True, text=True)
        check(done.returncode != 0 and reason in done.stderr, "%s: %s" % (" ".join(words), done.stderr))
    check(not os.path.exists(os.path.join(folder, "n.ald")), "a refused fit left a model")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        check_definition(work)
    check_coverage()
    for failure in failures:
        print("FAILED", failure)
    sys.exit(1 if failures else 0)
