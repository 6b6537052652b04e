#!/usr/bin/env python3
"""check_report.py ALIDADE: the data in the page of `alidade report` against what other commands say of the same model:
scores are what `transform` writes, to the last bit; predictions of test rows those of `predict`; figures those of
`evaluate` and of `compare` on the same folds. Names that look like markup come out as they went in. The same input gives
the same bytes. With ALD_LONG also a page of more than 200,000 rows."""
import base64
import csv
import html
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy import stats

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(5)
TYPES = {"u8": "u1", "u16": "<u2", "u32": "<u4", "f32": "<f4", "f64": "<f8"}
# In single precision, and through sums in another order.
SINGLE, DOUBLE = 2e-7, 1e-9
failures, checks = [], 0

HOSTILE = ['</script><img src=x onerror="alert(1)">', "<!--<script>", '"quoted", \'twice\'', "two\nlines", "n" * 300,
           "\u05e9\u05dc\u05d5\u05dd \u202egnol", "\U0001f600 emoji", "\u2028\u2029 ends", "\\u003c \\", "&amp; &lt;", "@DATA@"]


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


def near(a, b, tolerance):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance * np.maximum(1.0, np.abs(b))))


def numbers(column):
    (kind, text), = column.items()
    return np.frombuffer(base64.b64decode(text), TYPES[kind])


def page_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    found = re.findall(r'<script type="application/json" id="alidade-data">(.*?)</script>', text, re.S)
    check(f"{path}: one element of data", len(found) == 1)
    check(f"{path}: nothing looks like markup", not re.search(r"[<>&\u2028\u2029]", found[0]))
    return json.loads(found[0]), text


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def write(path, head, columns):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(zip(*columns))


def figure(text, name):
    return json.loads(text)[name]


def made(n, d):
    x = rng.standard_normal((n, d))
    response = x[:, 0] - 2 * x[:, 1] + 0.3 * rng.standard_normal(n)
    kinds = np.array(["low", "mid", "high"])[np.digitize(response, [-1, 1])]
    columns = [[repr(float(v)) for v in x[:, j]] for j in range(d)]
    return columns, [repr(float(v)) for v in response], list(kinds), x, response


def check_regression():
    columns, response, _, x, y = made(90, 6)
    head = [f"{850 + 2 * j}nm" for j in range(6)] + ["fat (%)"]
    write("train.csv", head, [c[:60] for c in columns] + [response[:60]])
    write("test.csv", head, [c[60:] for c in columns] + [response[60:]])
    run("fit", "-q", "train.csv", "--target", "fat (%)", "--method", "pls", "--components", "2", "--predictor", "linear",
        "-o", "m.ald")
    run("report", "-q", "m.ald", "train.csv", "--test", "test.csv", "--resamples", "3", "-o", "r.html")
    data, text = page_of("r.html")
    for part, path in enumerate(("train.csv", "test.csv")):
        run("transform", "-q", "m.ald", path, "-o", "z.csv")
        z = np.array([[float(v) for v in row] for row in read("z.csv")[1:]])
        own = numbers(data["rows"]["part"]) == part
        check(f"scores of {path}", all((numbers(data["scores"][k])[own] == z[:, k]).all() for k in range(2)))
    run("predict", "-q", "m.ald", "test.csv", "-o", "p.csv")
    p = [float(row[0]) for row in read("p.csv")[1:]]
    check("predictions of test rows", near(numbers(data["predicted"][0])[60:], p, SINGLE))
    check("measured", near(numbers(data["response"][0]), y, SINGLE))
    top = data["headline"]
    rmse = figure(run("evaluate", "m.ald", "test.csv", "--json", "-q"), "rmse")
    check("the figure is that of the test rows", top["source"] == "test" and near(top["value"], rmse, 1e-12))
    check("it lies in its interval", top["low"] < top["value"] < top["high"] and top["n"] == 30)
    training = figure(run("evaluate", "m.ald", "train.csv", "--json", "-q"), "rmse")
    check("the training figure", near(top["training"], training, 1e-12))
    mean = np.sqrt(np.mean((y[60:] - y[:60].mean()) ** 2))
    check("the baseline", near(top["baselines"][0]["value"], mean, 1e-12) and len(top["baselines"]) == 2)
    check("names are places", [c["numeric_name"] for c in data["columns"]] == [850 + 2 * j for j in range(6)])
    check("units", data["responses"] == [{"name": "fat (%)", "unit": "%"}] and data["columns_axis"]["unit"] == "nm")
    check("hashes", all(hash_of(text, tag) in text for tag in ("script", "style")))
    digest = subprocess.run(["sha256sum", "train.csv"], capture_output=True, text=True).stdout.split()[0]
    check("digest", data["files"][1]["sha256"] == digest)
    check_columns(data)
    check_limits(data)
    check_permutation(data)
    check_folds(y[:60])
    check_groups()
    check_same_bytes()
    check_repeats(data["commands"])


def hash_of(text, tag):
    import hashlib
    body = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S)[-1]
    return "'sha256-" + base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() + "'"


def check_columns(data):
    """Weights, loadings, importance, the formula, what is explained and the stability, as other commands tell them."""
    told = json.loads(run("evaluate", "m.ald", "train.csv", "--stability", "--resamples", "3", "--explained", "--importance",
                          "--importance-file", "i.csv", "--json", "-q"))
    run("inspect", "-q", "m.ald", "--coefficients", "w.csv")
    table = dict(zip(read("i.csv")[0], zip(*read("i.csv")[1:])))
    for k in (1, 2):
        for kind, shown in (("standardized", "weights"), ("loadings", "loadings")):
            want = [float(v) for v in table[f"{kind}_{k}"]]
            check(f"{shown} {k}", near(numbers(data[shown][k - 1]), want, SINGLE))
    check("importance", near(numbers(data["importance"]["values"]), [float(v) for v in table["vip"]], SINGLE))
    formula = [float(row[-1]) for row in read("w.csv")[2:]]
    x = np.array([[float(v) for v in row[:6]] for row in read("train.csv")[1:]])
    check("deviations", near(numbers(data["deviations"]), x.std(axis=0), 1e-5))
    check("coefficients", near(numbers(data["coefficients"][0]), formula * x.std(axis=0), 1e-5))
    for key, name in (("explained_x", "x"), ("explained_y", "target")):
        check(key, near(np.cumsum([c[key] for c in data["components"]]), told["explained"][name], 1e-12))
    rows = told["stability"]["rows"]
    check("stability", near([a["mean"] for a in data["stability"]["angles"]], [r["mean_angle_degrees"] for r in rows], DOUBLE))
    check("resamples", data["importance"]["resamples"] == 3 and len(numbers(data["importance"]["frequency"])) == 6)
    values = {one["column"]: numbers(one["values"]) for one in data["column_values"]}
    first = [float(row[0]) for path in ("train.csv", "test.csv") for row in read(path)[1:]]
    check("values of columns", len(values) == 6 and near(values[0], first, SINGLE))


def check_limits(data):
    """Where the model keeps no limit of Q, it is that of the training rows: moments matched to g chi^2_h."""
    q = numbers(data["outliers"]["q"])[:60].astype(float)
    mean, variance = q.mean(), q.var(ddof=1)
    limit = variance / (2 * mean) * stats.chi2.ppf(0.95, 2 * mean ** 2 / variance)
    check("limit of Q", near(data["outliers"]["q_limit"], limit, 1e-5))


def check_permutation(data):
    """A column that decides the target loses what shuffling costs on average: as many other shuffles say."""
    run("inspect", "-q", "m.ald", "--coefficients", "w.csv")
    slope = np.array([float(row[-1]) for row in read("w.csv")[2:]])
    x = np.array([[float(v) for v in row[:6]] for row in read("test.csv")[1:]])
    error = numbers(data["predicted"][0])[60:].astype(float) - numbers(data["response"][0])[60:]
    found = {one["name"]: one for one in data["permutation"]["columns"]}
    check("permutation of test rows", data["permutation"]["of"] == "test" and len(found) == 6)
    for j in range(6):
        losses = []
        for _ in range(400):
            moved = error + slope[j] * (rng.permutation(x[:, j]) - x[:, j])
            losses.append(np.sqrt(np.mean(moved ** 2)) - np.sqrt(np.mean(error ** 2)))
        one = found[f"{850 + 2 * j}nm"]
        # ten shuffles against four hundred: within five standard errors of their mean
        check(f"loss of column {j}", abs(one["value"] - np.mean(losses)) <= 5 * np.std(losses) / np.sqrt(10) + 1e-9
              and one["low"] <= one["value"] <= one["high"])


def check_certainty():
    """Intervals and sets as predict gives them."""
    run("fit", "-q", "train.csv", "--target", "fat (%)", "--method", "pls", "--components", "2", "--predictor", "linear",
        "--intervals", "5", "-o", "c.ald")
    run("report", "-q", "c.ald", "train.csv", "--quick", "-o", "c.html")
    data, _ = page_of("c.html")
    run("predict", "-q", "c.ald", "test.csv", "--interval", "0.9", "-o", "p.csv")
    value, low, high = (float(cell) for cell in read("p.csv")[1])
    check("half of an interval", data["certainty"]["level"] == 0.9 and data["certainty"]["rows"] == 60
          and near(data["certainty"]["errors"], [(high - low) / 2], 1e-6) and low < value < high)


def check_said():
    """What the page says of the fit: streamed, chosen, the folds, the predictor on all features."""
    run("fit", "-q", "train.csv", "--target", "fat (%)", "--method", "pls", "--components", "2", "--stream", "-o", "s.ald")
    run("report", "-q", "s.ald", "train.csv", "-o", "s.html")
    data, _ = page_of("s.html")
    check("streamed", any("streamed" in words for words in data["preparation"]))
    check("nothing was chosen", data["curve"]["rule"] is None)
    check("together and by folds", " rows together" in data["headline"]["sentence"]
          and "the mean over them is" in data["headline"]["sentence"])
    run("fit", "-q", "train.csv", "--target", "fat (%)", "--method", "pls", "--components", "2", "--predictor", "knn", "-o",
        "k.ald")
    run("report", "-q", "k.ald", "train.csv", "-o", "k.html")
    data, _ = page_of("k.html")
    check("not streamed", not any("streamed" in words for words in data["preparation"]))
    check_loadings()
    check("all features by neighbours", data["headline"]["baselines"][1]["name"] == "all features, knn")


def check_loadings():
    """Where names are no numbers, loadings are in standard deviations of their columns."""
    x = rng.standard_normal((50, 3)) * [1, 50, 0.1]
    write("u.csv", ["a", "b", "c", "y"], [*x.T.tolist(), (x / [1, 50, 0.1]).sum(axis=1).tolist()])
    run("fit", "-q", "u.csv", "--target", "y", "--method", "pls", "--components", "1", "--scale", "standard", "-o", "u.ald")
    run("report", "-q", "u.ald", "u.csv", "-o", "u.html")
    data, _ = page_of("u.html")
    run("transform", "-q", "u.ald", "u.csv", "-o", "z.csv")
    z = np.array([float(row[0]) for row in read("z.csv")[1:]])
    want = [np.polyfit(z, column, 1)[0] / column.std() for column in x.T]
    check("loadings in standard deviations", near(numbers(data["loadings"][0]), want, 1e-5))


def check_calibration():
    """The points of `plot --kind calibration`: rows of the test part in ten steps of their probability."""
    n = 300
    z = rng.standard_normal(n)
    noisy = (z + 1.2 * rng.standard_normal(n) > 0).astype(int)
    write("p.csv", ["z", "w", "y"], [z.tolist(), rng.standard_normal(n).tolist(), [("no", "yes")[k] for k in noisy]])
    run("fit", "-q", "p.csv", "--target", "y", "--method", "lda", "--predictor", "logistic", "-o", "p.ald")
    run("plot", "-q", "p.ald", "p.csv", "--test", "p.csv", "--kind", "calibration", "-o", "p.svg")
    run("predict", "-q", "p.ald", "p.csv", "--probabilities", "-o", "q.csv")
    given = np.array([float(row[2]) for row in read("q.csv")[1:]])
    with open("p.svg", encoding="utf-8") as file:
        paths = re.findall(r'<path fill="none" ([^>]*) d="([^"]*)"', file.read())
    corners, drawn = [np.array(re.findall(r"-?[\d.]+", d), float).reshape(-1, 2) for _, d in paths]
    drawn = (drawn - corners[0]) / (corners[1] - corners[0])
    step = np.minimum(9, np.floor(10 * given)).astype(int)
    want = [[given[step == s].mean(), noisy[step == s].mean()] for s in range(10) if (step == s).any()]
    check("calibration", drawn.shape == np.shape(want) and np.abs(drawn - want).max() < 1e-3)
    run("fit", "-q", "p.csv", "--target", "y", "--method", "lda", "--predictor", "centroid", "-o", "p.ald")
    check("scores are no probabilities", "probabilities" in run("plot", "p.ald", "p.csv", "--kind", "calibration", "-o",
                                                              "no.svg", status=1))


def check_folds(y):
    """Without test rows: the same folds as `compare --folds 10`, whose rmsecv is of all rows together."""
    run("report", "-q", "m.ald", "train.csv", "--resamples", "0", "-o", "cv.html")
    data, _ = page_of("cv.html")
    top = data["headline"]
    error = numbers(data["predicted"][0]).astype(float) - y
    check("cross-validation", top["source"] == "cross-validation" and data["stability"] is None)
    check("the figure is that of the predictions shown", near(np.sqrt(np.mean(error ** 2)), top["value"], 10 * SINGLE))
    table = json.loads(run("compare", "train.csv", "--target", "fat (%)", "--methods", "pls", "--components", "1:3", "--folds",
                           "10", "--metric", "rmsecv", "--predictor", "linear", "--no-times", "--json", "-q"))
    rows = {(row["label"], row["components"]): row["mean"] for row in table["rows"]}
    curve = {point["components"]: point["mean"] for point in data["curve"]["points"]}
    for k in (1, 2, 3):
        check(f"curve at {k}", near(curve[k], rows["pls", k], DOUBLE))
    check("chosen", data["curve"]["chosen"] == 2 and near(top["value"], curve[2], 1e-15))
    check("baselines of the folds", near([b["value"] for b in top["baselines"]],
                                         [value for (name, k), value in rows.items() if not k][:2], DOUBLE))


def check_groups():
    """Rows of one group stay together, as in `compare --groups`."""
    rows = read("train.csv")
    write("g.csv", rows[0] + ["patient"], [*zip(*rows[1:]), [f"p{i // 4}" for i in range(len(rows) - 1)]])
    run("fit", "-q", "g.csv", "--target", "fat (%)", "--ignore", "patient", "--method", "pls", "--components", "2",
        "--predictor", "linear", "-o", "g.ald")
    run("report", "-q", "g.ald", "g.csv", "--groups", "patient", "--folds", "5", "--resamples", "0", "-o", "g.html")
    data, _ = page_of("g.html")
    table = json.loads(run("compare", "g.csv", "--target", "fat (%)", "--groups", "patient", "--methods", "pls", "--components",
                           "2", "--folds", "5", "--metric", "rmsecv", "--predictor", "linear", "--no-times", "--json", "-q"))
    mean = next(row["mean"] for row in table["rows"] if row["label"] == "pls")
    check("groups", near(data["headline"]["value"], mean, DOUBLE) and "15 groups" in data["headline"]["sentence"])


def check_same_bytes():
    """Names of the output and numbers of threads leave no trace."""
    for name, threads in (("a.html", "1"), ("b.html", "2")):
        run("report", "-q", "m.ald", "train.csv", "--resamples", "4", "--threads", threads, "-o", name)
    with open("a.html", "rb") as a, open("b.html", "rb") as b:
        check("the same bytes", a.read() == b.read())


def check_repeats(commands):
    """The fit that the page names makes the same model."""
    with open("m.ald", "rb") as file:
        before = file.read()
    line = commands[0].replace("alidade", f"'{executable}'", 1)
    subprocess.run(line + " -q", shell=True, check=True)
    with open("m.ald", "rb") as file:
        check("the command repeats the model", file.read() == before)


def check_classes():
    columns, _, kinds, _, _ = made(90, 4)
    write("c.csv", ["a", "b", "c", "d", "kind"], columns + [kinds])
    run("fit", "-q", "c.csv", "--target", "kind", "--method", "lda", "--predictor", "gaussian", "-o", "c.ald")
    run("report", "-q", "c.ald", "c.csv", "--quick", "-o", "c.html")
    data, _ = page_of("c.html")
    truth = np.array([data["classes"].index(kind) for kind in kinds])
    scores = np.array([numbers(column) for column in data["probabilities"]])
    predicted = numbers(data["predicted"][0])
    check("class codes", (numbers(data["response"][0]) == truth).all())
    check("the class of the largest score", (scores.argmax(0) == predicted).all())
    check("probabilities", near(scores.sum(0), np.ones(90), 1e-6) and data["probabilities_are"] == "probabilities")
    check("accuracy", near(data["headline"]["value"], np.mean(predicted == truth), 1e-12))
    check("quick", data["stability"] is None and data["curve"] is None and len(data["headline"]["baselines"]) == 1)
    training = figure(run("evaluate", "c.ald", "c.csv", "--json", "-q"), "accuracy")
    check("training accuracy", near(data["headline"]["training"], training, 1e-12))
    write("x.csv", ["a", "b", "c", "d"], columns)
    run("report", "-q", "c.ald", "x.csv", "-o", "x.html")
    data, _ = page_of("x.html")
    check("without a target", data["headline"]["value"] is None and data["response"] is None and data["task"] == "none")
    check("with scores of the components", len(numbers(data["scores"][0])) == 90)


def check_labels():
    columns, _, _, x, _ = made(80, 4)
    write("l.csv", ["a", "b", "c", "d", "l1", "l2"], columns + [(x[:, j] > 0).astype(int).tolist() for j in range(2)])
    run("fit", "-q", "l.csv", "--target", "l1,l2", "--task", "multilabel", "--method", "opls", "--predictor", "one-vs-rest",
        "-o", "l.ald")
    run("report", "-q", "l.ald", "l.csv", "--resamples", "0", "-o", "l.html")
    data, _ = page_of("l.html")
    check("labels", data["task"] == "multilabel" and [r["name"] for r in data["responses"]] == ["l1", "l2"])
    auc = []
    for k in range(2):
        truth, score = numbers(data["response"][k]) > 0, numbers(data["predicted"][k])
        auc.append(np.mean([(a > b) + 0.5 * (a == b) for a in score[truth] for b in score[~truth]]))
    check("their auc", near(data["headline"]["value"], np.mean(auc), 1e-3))


def check_hostile():
    n = 4 * len(HOSTILE)
    names = [HOSTILE[i % len(HOSTILE)] + ("" if i < len(HOSTILE) else f" {i}") for i in range(n)]
    kinds = [HOSTILE[i % 3] for i in range(n)]
    features = HOSTILE[:8]
    columns = [[repr(float(v)) for v in rng.standard_normal(n)] for _ in features]
    write("h.csv", ["row", *features, HOSTILE[8]], [names, *columns, kinds])
    run("fit", "-q", "h.csv", "--id", "row", "--target", "#10", "--method", "lda", "--ridge", "1", "-o", "h.ald")
    run("report", "-q", "h.ald", "h.csv", "--quick", "--title", HOSTILE[0], "-o", "h.html")
    data, text = page_of("h.html")
    check("names of columns", [c["name"] for c in data["columns"]] == features)
    check("names of rows", data["rows"]["names"] == names)
    check("names of classes", sorted(data["classes"]) == sorted(set(kinds)))
    check("name of the target", data["target_name"] == HOSTILE[8])
    check("title", data["title"] == HOSTILE[0] and f"<title>{html.escape(HOSTILE[0], False)}".replace('"', "&quot;") in text)
    check("no markup", "<img" not in text and text.count("</script>") == 2)
    run("compare", "-q", "h.csv", "--id", "row", "--target", "#10", "--methods", "lda ridge=1", "--components", "1", "--folds",
        "2", "--no-times", "--report", "hc.html")
    page_of("hc.html")


def check_tuned():
    run("tune", "-q", "train.csv", "--target", "fat (%)", "--method", "pls", "--components", "1:3", "--folds", "3", "--outer-folds",
        "3", "--report", "t.html", "-o", "t.ald")
    data, _ = page_of("t.html")
    path = data["tune"]["path"]
    check("path", data["kind"] == "tune" and [step["components"] for step in path] == [1, 2, 3])
    check("chosen by a rule", data["curve"]["rule"].startswith("Chosen"))
    check("chosen", path[data["tune"]["chosen"]]["components"] == len(data["components"]))
    check("the choice is judged", "choice" in data["headline"]["sentence"])
    check("a short search is shown whole", not any(step["folded"] for step in path) and not data["tune"].get("words"))
    check_long_search()


def check_long_search():
    """The table has the step taken, and the best of every method and number of components."""
    run("tune", "-q", "train.csv", "--target", "fat (%)", "--method", "pls,pca", "--components", "1:5", "--grid",
        "scale=none,standard", "--grid", "predictor_ridge=0,1,2", "--predictor", "ridge", "--folds", "3", "--no-nested",
        "--report", "l.html", "-o", "l.ald")
    tune = page_of("l.html")[0]["tune"]
    path, order = tune["path"], lambda step: (step["stopped"], step["mean"], step["step"])
    wanted = {path[tune["chosen"]]["step"]}
    for kind in ("method", "components"):
        for value in {step[kind] for step in path}:
            wanted.add(min((step for step in path if step[kind] == value), key=order)["step"])
    check("a long search is folded", len(path) > 40 and {step["step"] for step in path if not step["folded"]} == wanted)
    check("the rest is counted", f"all {len(path)} steps; {sum(step['stopped'] for step in path)} of them" in tune["words"])


def check_sample():
    n = 200_003
    x = rng.standard_normal((n, 2))
    np.save("big.npy", np.column_stack([x, x[:, 0] + rng.standard_normal(n)]))
    run("fit", "-q", "big.npy", "--target", "3", "--method", "pls", "--components", "2", "--predictor", "linear", "-o", "b.ald")
    run("report", "-q", "b.ald", "big.npy", "--quick", "--folds", "2", "-o", "b.html")
    data, _ = page_of("b.html")
    grids = data["density"]["scores"] + data["density"]["predicted"]
    check("sample", data["rows"]["sampled"] and data["rows"]["n"] == n and len(numbers(data["scores"][0])) == 50_000)
    check("density", len(grids) == 2 and all(numbers(grid["counts"]).sum() == n for grid in grids))
    ids = numbers(data["rows"]["ids"])
    check("rows of the sample", (np.diff(ids.astype(int)) > 0).all() and ids[-1] <= n)
    check("it says so", any("50000 of 200003" in warning for warning in data["warnings"]))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_regression()
    check_classes()
    check_labels()
    check_hostile()
    check_tuned()
    check_certainty()
    check_said()
    check_calibration()
    if os.environ.get("ALD_LONG"):
        check_sample()
    os.chdir("/")
for name in failures:
    print(f"FAILED {name}")
print(f"{checks} checks, {len(failures)} failed")
sys.exit(bool(failures))
