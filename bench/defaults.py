#!/usr/bin/env python3
"""What a person gets without asking: default `alidade tune` beside scikit-learn's usual models, on twelve data sets.

    defaults.py run --alidade ALIDADE -o RESULTS.json [--set NAME,...] [--splits N] [--jobs N] [--only MODEL,...]
                    [--limit SECONDS]
    defaults.py page RESULTS.json [-o docs/results/defaults.md]

run draws N splits (10) of each set, 70 % of the rows to learn from, 30 % to be judged on; classes keep their shares.
Every model sees the training rows alone. RESULTS.json gains what is missing: a run may be stopped and started again.
A process has one thread, and --jobs of them run at once; times are processor times. --limit ends the run after that
many seconds with what is there.

The honest figure that tune prints is judged on the sets of HONEST, on twice as many splits of their own, of the same
sizes, in which every row is tested equally often (EVEN + 0, 1, ...). Of splits that are drawn freely, some rows are
tested more often than others and learned from less often; if these are hard ones the test figure is low and the honest
one high, which says nothing of either. Here both means are over all rows alike. By exchangeability the honest figure of
one split has the expectation of a test figure with the rows of one outer fold less to learn from: what can be left
beside noise is that pessimism. The splits share their rows, so that the standard deviation s of J test figures over
sqrt(J) is not the standard error of their mean, as if there were J times as many rows: it is
s sqrt(1/J + n_test/n_train) (Nadeau and Bengio 2003, Inference for the generalization error), as in `alidade compare`.
The honest figure is to be within one of these of the test figure, on all sets of HONEST; the page shows s / sqrt(J) too.

Figures: root mean squared error for numbers, accuracy for classes, macro AUC for labels. A model is `within k standard
errors` of another if the mean of the paired differences over the splits is at most k of its standard errors,

    mean(a - b) <= k sd(a - b) / sqrt(splits),

in the direction that is worse. The sets and the models were declared before the search was written; the sets of OTHERS
were not looked at while it was.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import argparse
import concurrent.futures
import csv
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("ALD_SHARED_DATA") or os.path.join(HERE, "..", "..", "shared", "data")

# name -> file, target columns, columns that are no features, rows that are drawn (0: all)
SETS = {
    "tecator": ("tecator.csv", ["fat"], ["water", "protein"], 0),
    "autoprice": ("autoprice.csv", ["price"], [], 0),
    "servo": ("servo.csv", ["y"], [], 0),
    "sonar": ("sonar.csv", ["y"], [], 0),
    "ionosphere": ("ionosphere.csv", ["y"], [], 0),
    "heart": ("heart-cleveland.csv", ["y"], [], 0),
    "segmentation": ("segmentation.csv", ["y"], [], 0),
    "optdigits": ("optdigits.csv", ["y"], [], 1500),
    "colon": ("colon.csv", ["y"], [], 0),
    "srbct": ("srbct.csv", ["y"], [], 0),
    "yeast": ("yeast.csv.gz", ["Class%d" % k for k in range(1, 15)], [], 0),
    "news20": ("news20.svm.gz", ["label"], [], 800),
}
OTHERS = {
    "parkinsons": ("parkinsons.csv", ["y"], [], 0),
    "glass": ("glass.csv", ["y"], ["Id"], 0),
    "satimage": ("satimage.csv", ["y"], [], 2000),
    "balance": ("balance.csv", ["y"], [], 0),
    "lymphoma": ("lymphoma.csv.gz", ["y"], ["class9"], 0),
    "scene": ("scene.csv.gz", ["Beach", "Sunset", "FallFoliage", "Field", "Mountain", "Urban"], [], 0),
    "ducks": ("ducks.csv", ["y"], [], 0),
}
KINDS = {"tecator": "numbers", "autoprice": "numbers", "servo": "numbers", "ducks": "numbers",
         "yeast": "labels", "scene": "labels"}
TASKS = {"numbers": "regression", "classes": "classification", "labels": "multilabel"}
METRICS = {"numbers": "rmse", "classes": "accuracy", "labels": "macro_auc"}
LONG = ("news20", "yeast", "scene", "lymphoma", "optdigits", "satimage")
HONEST = ("autoprice", "sonar", "ionosphere", "heart")
LINEAR = ("ridge", "logistic", "pls", "lda")
OURS = "alidade"
EVEN = 100  # the first of the splits for the honest figure
SEED = 4000  # of these splits; 3000 before there were more than ten outer folds, so that no run is looked at twice


# ---------------------------------------------------------------------------------------------------------------------
# The data

def open_text(path):
    return gzip.open(path, "rt") if path.endswith(".gz") else open(path)


class Table:
    """Lines of a file as they are, and the same as numbers for the peers."""

    def __init__(self, name):
        file, self.targets, self.ignored, self.wanted = {**SETS, **OTHERS}[name]
        self.kind = KINDS.get(name, "classes")
        self.sparse = ".svm" in file
        with open_text(os.path.join(DATA, file)) as stream:
            lines = stream.read().splitlines()
        self.header = [] if self.sparse else [lines.pop(0)]
        self.lines = numpy.array(lines, dtype=object)
        if self.wanted:
            rows = numpy.random.default_rng(0).permutation(len(lines))[: self.wanted]
            self.lines = self.lines[numpy.sort(rows)]
        self.read_sparse() if self.sparse else self.read_dense()

    def read_dense(self):
        names = next(csv.reader(self.header))
        cells = numpy.array(list(csv.reader(self.lines)), dtype=object)
        features = [k for k, name in enumerate(names) if name not in self.targets + self.ignored]
        self.x = cells[:, features].astype(float)
        y = cells[:, [names.index(target) for target in self.targets]]
        if self.kind == "classes":
            self.y = y[:, 0].astype(str)
        else:
            self.y = y.astype(float) if self.kind == "labels" else y[:, 0].astype(float)

    def read_sparse(self):
        import io
        from sklearn.datasets import load_svmlight_file
        self.x, y = load_svmlight_file(io.BytesIO("\n".join(self.lines).encode()))
        self.y = y.astype(int).astype(str)

    def groups(self):
        if self.kind != "classes":
            return [numpy.arange(len(self.lines))]
        return [numpy.flatnonzero(self.y == value) for value in numpy.unique(self.y)]

    def split(self, number):
        if number >= EVEN:
            return self.even_split(number - EVEN)
        rng = numpy.random.default_rng(1000 + number)
        chosen = numpy.zeros(len(self.lines), dtype=bool)
        for group in self.groups():
            chosen[rng.permutation(group)[: max(1, round(0.7 * len(group)))]] = True
        return numpy.flatnonzero(chosen), numpy.flatnonzero(~chosen)

    def even_split(self, number):
        """In every split those rows are tested that were tested least before; which of them is drawn."""
        rng = numpy.random.default_rng(SEED)
        tested = numpy.zeros(len(self.lines), dtype=int)
        for _ in range(number + 1):
            test = numpy.zeros(len(self.lines), dtype=bool)
            for group in self.groups():
                order = group[numpy.argsort(tested[group] + rng.random(len(group)))]
                test[order[: len(group) - max(1, round(0.7 * len(group)))]] = True
            tested += test
        return numpy.flatnonzero(~test), numpy.flatnonzero(test)

    def write(self, path, rows):
        with open(path, "w") as stream:
            stream.write("\n".join(self.header + list(self.lines[rows])) + "\n")


# ---------------------------------------------------------------------------------------------------------------------
# The models

def figure(kind, truth, predicted):
    from sklearn.metrics import roc_auc_score
    if kind == "numbers":
        return float(numpy.sqrt(numpy.mean((truth - numpy.ravel(predicted)) ** 2)))
    if kind == "classes":
        return float(numpy.mean(truth == predicted))
    both = [k for k in range(truth.shape[1]) if 0 < truth[:, k].sum() < len(truth)]
    return float(numpy.mean([roc_auc_score(truth[:, k], predicted[:, k]) for k in both]))


def peers(table):
    """name -> a function that makes the model"""
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.cross_decomposition import PLSRegression
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler, StandardScaler
    from sklearn.svm import SVC, SVR

    def scaled(model):
        return make_pipeline(MaxAbsScaler() if table.sparse else StandardScaler(), model)

    def search(model, grid):
        return GridSearchCV(model, grid, cv=5)

    d = table.x.shape[1]
    penalties = [1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100]
    logistic = lambda: search(scaled(LogisticRegression(max_iter=2000)), {"logisticregression__C": penalties})
    if table.sparse:  # lbfgs takes minutes with tens of thousands of columns
        logistic = lambda: search(scaled(OneVsRestClassifier(LogisticRegression(solver="liblinear"))),
                                  {"onevsrestclassifier__estimator__C": penalties})
    widths = [0.1 / d, 0.3 / d, 1 / d, 3 / d] if not table.sparse else ["scale"]
    machine = lambda: search(scaled(SVC()), {"svc__C": [1, 10, 100], "svc__gamma": widths})
    if table.kind == "numbers":
        values = numpy.arange(1, min(20, d, int(0.5 * len(table.y))) + 1)
        return {
            "ridge": lambda: scaled(RidgeCV(alphas=numpy.logspace(-6, 6, 25))),
            "pls": lambda: search(PLSRegression(), {"n_components": values, "scale": [True, False]}),
            "svm": lambda: TransformedTargetRegressor(search(scaled(SVR()), {"svr__C": [1, 10, 100], "svr__gamma": widths}),
                                                      transformer=StandardScaler()),
            "forest": lambda: RandomForestRegressor(300, random_state=0),
        }
    if table.kind == "labels":
        return {
            "ridge": lambda: scaled(RidgeCV(alphas=numpy.logspace(-3, 6, 10))),
            "logistic": lambda: OneVsRestClassifier(logistic()),
            "svm": lambda: OneVsRestClassifier(search(scaled(SVC()), {"svc__C": [1, 10], "svc__gamma": widths[1:3]})),
            "forest": lambda: RandomForestClassifier(300, random_state=0),
        }
    models = {"logistic": logistic, "svm": machine, "forest": lambda: RandomForestClassifier(300, random_state=0)}
    if not table.sparse:
        shrinkages = {"shrinkage": ["auto", 0.01, 0.1, 0.3, 0.6, 0.9]}
        wide = d > 500  # the eigenvectors of d x d matrices, six times five times: only the usual shrinkage then
        models["lda"] = lambda: (LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto") if wide else
                                 search(LinearDiscriminantAnalysis(solver="lsqr"), shrinkages))
    return models


def run_peer(table, name, train, test):
    before = time.process_time()
    model = peers(table)[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(table.x[train], table.y[train])
        seconds = time.process_time() - before
        if table.kind != "labels":
            predicted = model.predict(table.x[test])
        elif name == "forest":
            predicted = numpy.column_stack([1 - part[:, 0] for part in model.predict_proba(table.x[test])])
        elif name == "ridge":
            predicted = model.predict(table.x[test])
        else:
            predicted = model.decision_function(table.x[test])
    return {"figure": figure(table.kind, table.y[test], predicted), "seconds": seconds}


def run_ours(table, alidade, train, test):
    with tempfile.TemporaryDirectory() as folder:
        ending = ".svm" if table.sparse else ".csv"
        paths = {part: os.path.join(folder, part + ending) for part in ("train", "test")}
        table.write(paths["train"], train)
        table.write(paths["test"], test)
        model = os.path.join(folder, "model.ald")
        reading = [] if table.sparse else ["--target", ",".join(table.targets)]
        if table.ignored:
            reading += ["--ignore", ",".join(table.ignored)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        tuned = subprocess.run([alidade, "tune", paths["train"], *reading, "--task", TASKS[table.kind], "--threads", "1",
                                "--json", "-o", model], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if tuned.returncode != 0:
            return {"error": tuned.stderr[-500:]}
        judged = subprocess.run([alidade, "evaluate", model, paths["test"], "--threads", "1", "--json"],
                                capture_output=True, text=True)
        if judged.returncode != 0:
            return {"error": judged.stderr[-500:]}
        said = json.loads(tuned.stdout)
        return {"figure": json.loads(judged.stdout)[METRICS[table.kind]],
                "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "chosen": chosen_words(said), "honest": honest_figure(said)}


def chosen_words(said):
    chosen = said["chosen"]
    values = ["%s=%s" % item for item in chosen["parameters"].items()]
    return " ".join([chosen["method"], *values, "components=%s" % chosen["components"]])


def honest_figure(said):
    return (said.get("nested") or {}).get("mean")


TABLES = {}


def one(job):
    name, split, model, alidade = job
    if name not in TABLES:
        TABLES[name] = Table(name)
    table = TABLES[name]
    train, test = table.split(split)
    try:
        result = run_ours(table, alidade, train, test) if model == OURS else run_peer(table, model, train, test)
    except Exception as error:  # one model that fails leaves the others' figures
        result = {"error": "%s: %s" % (type(error).__name__, error)}
    return {"set": name, "split": split, "model": model, "kind": table.kind, **result}


def wanted_jobs(arguments, names):
    """What takes long comes first, but for what a run that is stopped may lack: other sets, then one machine a label."""
    jobs = []
    for name in names:
        if not os.path.exists(os.path.join(DATA, {**SETS, **OTHERS}[name][0])):
            print("%s: skipped, there is no %s" % (name, {**SETS, **OTHERS}[name][0]))
            continue
        TABLES.setdefault(name, Table(name))
        models = [OURS, *peers(TABLES[name])]
        wanted = arguments.only.split(",") if arguments.only else models
        splits = arguments.splits
        jobs += [(name, split, model, arguments.alidade) for split in range(splits) for model in wanted if model in models]
        if name in HONEST and OURS in wanted:
            jobs += [(name, EVEN + split, OURS, arguments.alidade) for split in range(2 * splits)]
    return sorted(jobs, key=lambda job: (KINDS.get(job[0]) == "labels" and job[2] in ("svm", "logistic"),
                                         job[0] in OTHERS, job[0] not in LONG, job[1]))


def keep(known, path):
    with open(path + ".new", "w") as stream:
        json.dump(known, stream, indent=0)
    os.replace(path + ".new", path)


def print_line(result):
    print("%-13s %2d %-9s %s" % (result["set"], result["split"], result["model"],
                                 result.get("error") or "%.4f  %.1f s  %s" % (
                                     result["figure"], result["seconds"], result.get("chosen", ""))), flush=True)


def run(arguments):
    known = []
    if os.path.exists(arguments.output):
        with open(arguments.output) as stream:
            known = json.load(stream)
    if arguments.again:
        known = [row for row in known if row["model"] not in arguments.again.split(",")]
    done = {(row["set"], row["split"], row["model"]) for row in known if "figure" in row}
    known = [row for row in known if "figure" in row]
    names = arguments.set.split(",") if arguments.set else list(SETS)
    if arguments.set == "all":
        names = [*SETS, *OTHERS]
    jobs = [job for job in wanted_jobs(arguments, names) if job[:3] not in done]
    pool = concurrent.futures.ProcessPoolExecutor(arguments.jobs)
    futures = [pool.submit(one, job) for job in jobs]
    try:
        for future in concurrent.futures.as_completed(futures, timeout=arguments.limit):
            known.append(future.result())
            print_line(known[-1])
            keep(known, arguments.output)
    except concurrent.futures.TimeoutError:
        print("the time is up: %d of %d jobs are done" % (sum(future.done() for future in futures), len(futures)))
        for process in list(pool._processes.values()):
            process.kill()
    pool.shutdown()
    print_table(known)


# ---------------------------------------------------------------------------------------------------------------------
# The page

def figures(results, name, model):
    return {row["split"]: row for row in results if row["set"] == name and row["model"] == model and "figure" in row}


def loss(ours, theirs, kind):
    """How much worse we are, in paired standard errors."""
    splits = sorted(set(ours) & set(theirs))
    sign = 1 if kind == "numbers" else -1
    differences = numpy.array([sign * (ours[k]["figure"] - theirs[k]["figure"]) for k in splits])
    error = differences.std(ddof=1) / numpy.sqrt(len(splits)) if len(splits) > 1 else 0.0
    if differences.mean() <= 0:
        return 0.0
    return differences.mean() / error if error > 0 else float("inf")


def mean(rows):
    return numpy.mean([row["figure"] for row in rows.values()])


def best_of(results, name, kind, models):
    sign = 1 if kind == "numbers" else -1
    found = {model: figures(results, name, model) for model in models}
    found = {model: rows for model, rows in found.items() if rows}
    return min(found.items(), key=lambda item: sign * mean(item[1])) if found else (None, {})


def table_rows(results):
    for name in [name for name in {**SETS, **OTHERS} if any(row["set"] == name for row in results)]:
        ours = figures(results, name, OURS)
        compared = {row["split"] for row in results if row["set"] == name and row["model"] != OURS}
        ours = {split: row for split, row in ours.items() if split in compared}
        if not ours:
            continue
        kind = next(row["kind"] for row in results if row["set"] == name)
        everyone = sorted({row["model"] for row in results if row["set"] == name} - {OURS})
        linear, linear_rows = best_of(results, name, kind, [model for model in everyone if model in LINEAR])
        best, best_rows = best_of(results, name, kind, everyone)
        yield {"set": name, "kind": kind, "splits": len(ours), "ours": mean(ours),
               "seconds": numpy.mean([row["seconds"] for row in ours.values()]),
               "linear": linear, "linear_mean": mean(linear_rows), "linear_loss": loss(ours, linear_rows, kind),
               "best": best, "best_mean": mean(best_rows), "best_loss": loss(ours, best_rows, kind),
               "peer_seconds": numpy.mean([row["seconds"] for row in best_rows.values()]),
               "honest": numpy.mean([row["honest"] for row in ours.values() if row.get("honest") is not None] or [numpy.nan])}


def markdown(results):
    lines = ["| set | figure | default tune | best linear | behind, se | best of all | behind, se | honest figure | s | its s |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    rows = list(table_rows(results))
    for row in rows:
        lines.append("| %s | %s | %.4g | %s %.4g | %.1f | %s %.4g | %.1f | %.4g | %.1f | %.1f |" % (
            row["set"], METRICS[row["kind"]], row["ours"], row["linear"], row["linear_mean"], row["linear_loss"],
            row["best"], row["best_mean"], row["best_loss"], row["honest"], row["seconds"], row["peer_seconds"]))
    lines.append("")
    lines.append("Within one standard error of the best linear model on %d of %d sets, within two of the best of all on %d." % (
        sum(row["linear_loss"] <= 1 for row in rows), len(rows), sum(row["best_loss"] <= 2 for row in rows)))
    return "\n".join(lines)


def honest_rows(results):
    """Test figure and honest figure of default tune, and their difference in standard errors of the test figure."""
    lines = ["| set | splits | test figure | honest figure | se | apart, se | s / sqrt(splits) | apart |", "|---|---|---|---|---|---|---|---|"]
    for name in HONEST:
        rows = [row for split, row in figures(results, name, OURS).items() if split >= EVEN and row.get("honest") is not None]
        if len(rows) < 2:
            continue
        test, honest = (numpy.array([row[key] for row in rows]) for key in ("figure", "honest"))
        apart, bare = abs(honest.mean() - test.mean()), test.std(ddof=1) / numpy.sqrt(len(rows))
        error = test.std(ddof=1) * numpy.sqrt(1 / len(rows) + 3 / 7)
        lines.append("| %s | %d | %.4g | %.4g | %.2g | %.1f | %.2g | %.1f |" % (
            name, len(rows), test.mean(), honest.mean(), error, apart / error, bare, apart / bare))
    return "\n".join(lines)


def without_figure(results):
    known = {row["set"] for row in results if row["model"] == OURS and "figure" in row}
    return [name for name in {**SETS, **OTHERS} if name not in known]


def print_table(results):
    print(markdown(results))


def page(arguments):
    with open(arguments.results) as stream:
        results = json.load(stream)
    missing = without_figure(results)
    text = PAGE % ("All sets ended." if not missing else "Default tune did not end in the time of this run on: %s." % ", ".join(missing),
                   markdown([row for row in results if row["set"] in SETS]),
                   markdown([row for row in results if row["set"] in OTHERS]), honest_rows(results))
    with open(arguments.output, "w") as stream:
        stream.write(text)


PAGE = """# Default tune beside the usual models

`alidade tune TRAIN --target COLS -o MODEL` with no further option, and scikit-learn's ridge regression or logistic
regression, PLS or shrinkage discriminant analysis by cross-validation, a support vector machine with an rbf kernel
and a small grid, and a forest of 300 trees. Ten splits per set, 70 %% of the rows to learn from; the figures are means
over the splits on the other 30 %%. "Behind, se": how much worse default tune is, in standard errors of the paired
difference; 0.0 where it is not worse. The honest figure is the one that tune prints, from its outer folds. Seconds are
processor seconds per split, on one thread. Made by `bench/defaults.py run` and `bench/defaults.py page`.

%s

%s

Sets that are kept to judge it (of parkinsons and glass figures of inner folds were looked at once, when the widths were
chosen):

%s

The honest figure, which stems from outer folds of the training rows, beside the test figure, over splits of the same
sizes in which every row is tested equally often, so that both are means over the same rows. The splits share
their rows: the standard error of the test figure is s sqrt(1/J + n_test/n_train) (Nadeau and Bengio 2003), with s the
standard deviation of the J test figures. Beside it stands s / sqrt(J), which takes the splits for J independent ones.

%s
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("run")
    verb.add_argument("--alidade", default=os.path.join(HERE, "..", "build", "alidade"))
    verb.add_argument("-o", "--output", required=True)
    verb.add_argument("--set", default="", help="names; all: those of OTHERS too")
    verb.add_argument("--only", default="")
    verb.add_argument("--again", default="", help="models whose kept figures are measured anew")
    verb.add_argument("--splits", type=int, default=10)
    verb.add_argument("--jobs", type=int, default=2)
    verb.add_argument("--limit", type=float, default=None)
    verb = verbs.add_parser("page")
    verb.add_argument("results")
    verb.add_argument("-o", "--output", default=os.path.join(HERE, "..", "docs", "results", "defaults.md"))
    arguments = parser.parse_args()
    (run if arguments.verb == "run" else page)(arguments)


if __name__ == "__main__":
    sys.exit(main())
