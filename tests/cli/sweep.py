#!/usr/bin/env python3
"""Commands that mean something, with one to four options and parameters: nothing may end by a signal.

    sweep.py ALIDADE [--all | --shard K/N] [--jobs N] [--sample N] [--seconds S] [--seed N] [--case N] [--limit S]
             [--only WORD,...]

Made from `alidade options` and `alidade methods --json`, so that a new verb, option or parameter joins by itself. The
tables below say what belongs together: which values fit a set, what an option needs beside it, and what excludes what.
One value in WRONG is a wrong one all the same. Commands run on nine sets: a real target, classes, labels, two real
responses, times until an event, one with missing cells, dates and words, a sparse one, a wide one with decimal commas
and a workbook; and on models of three methods, or of any method that takes the set. The exit status must be 0, 1, 2, or 3
under --strict; a signal, a report of a sanitizer or a command that does not end is a failure, told with the command
that shows it again. At least PAST of the commands must get past the parser, which ends with 2.

First comes every option and every parameter alone, then drawn ones, COMMANDS in all. Without --all (or ALD_LONG=1) a
sample of them, for some seconds, but LEAST in any case. --shard K/N: of all the part K of N (K from 1). --case N runs
only that one. --only: those that have one of these words, as a verb, an option, a value or the method of a model.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

COMMANDS, SAMPLE, SAMPLE_SECONDS, TIME_LIMIT, SLOW, WORKERS = 20000, 400, 7, 120, 10, 2
LEAST, PAST, WRONG, MOST_OPTIONS = 24, 0.7, 25, 4
ROWS, WIDE_ROWS, WIDE_COLUMNS = 60, 24, 50


class Set:
    """A file and how it is read."""

    def __init__(self, file, target, needs, columns, trait, formats=(), rows=ROWS, wants=(), task=None):
        self.file, self.target, self.needs, self.columns = file, target, needs, columns
        self.trait = trait  # a capability that methods for its target have
        self.formats, self.rows = formats, rows
        self.wants = {trait, *wants}  # all of them
        self.task = task or trait  # what predictors and metrics it has


PLAIN = ("x1", "x1..x3", "#2", "g")
SETS = {
    "real": Set("real.csv", "y", {}, PLAIN, "real", ("csv",)),
    "classes": Set("classes.tsv", "c", {}, PLAIN, "classes", ("tsv",)),
    "labels": Set("labels.csv", "l1,l2,l3", {}, PLAIN, "multi-label", ("csv",)),
    "several": Set("real.csv", "y,x5", {}, PLAIN, "real", ("csv",), wants=("several-responses",)),
    "timed": Set("timed.csv", "time", {"event": "died"}, PLAIN, "real", ("csv",), task="timed"),
    "gaps": Set("gaps.csv", "y", {"missing": "mean"}, PLAIN + ("t", "day"), "real", ("csv",)),
    "sparse": Set("sparse.svm", None, {}, ("#2", "#1..#3"), "classes", ("svmlight",), wants=("sparse",)),
    "wide": Set("wide.csv", "y", {"delimiter": ";", "decimal": "comma"}, PLAIN[:3], "real", ("csv",), WIDE_ROWS),
    "book": Set("book.xlsx", "y", {"sheet": "data"}, PLAIN, "real", ("xlsx",)),
}
PREDICTORS = {"real": ("linear", "ridge", "knn"), "classes": ("gaussian", "logistic", "knn", "centroid"),
              "multi-label": ("one-vs-rest", "logistic", "knn"), "timed": ("cox", "linear", "knn")}
METRICS = {"real": ("rmse", "r2", "mae"), "classes": ("accuracy", "auc"), "multi-label": ("auc",), "timed": ("concordance",)}
TASKS = {"real": "regression", "classes": "classification", "multi-label": "multilabel", "timed": "regression"}
MODELS = {"linear.ald": ("pls", "--keep-statistics", "--outlier-limits", "1"), "kernel.ald": ("kspca",),
          "distances.ald": ("sdpp", "--max-iter", "5")}

# Values of options that want words. Those of a set are filled in by Sweep.words.
WORDS = {
    "na": ("NA,-", "-999"), "comment": ("#",), "sheet": ("1", "2", "data"), "device": ("cpu", "auto", "cuda"), "table": ("t", 'a "b" ;'), "thousands": ("'",), "max-memory": ("100M", "1G"), "title": ("a <title>", ""),
    "choose-neighbors": ("3,5",), "continuity-k": ("1,5",), "search": ("pls-da", "slices"), "response": ("1", "2"),
    "NAME": ("parity", "plane"), "VERB": ("fit", "plot"), "SHELL": ("bash", "zsh", "fish"), "rows": ("snv", "msc", "detrend:1"),
}
INTEGERS = {"max-line": ("1000000",), "max-columns": ("1000",), "threads": ("1", "2"), "width": ("300",), "height": ("200",),
            "n": ("20",), "d": ("9",), "max_iter": ("1", "7"), "n_starts": ("1",), "n_components": ("1", "2"),
            "folds": ("2", "3"), "repeats": ("1", "2"), "permutations": ("19", "25"), "components": ("1", "2"), "random": ("3",),
            "resamples": ("2", "5"), "skip": ("0",), "splits": ("1", "2"), "inner-folds": ("2",), "outer-folds": ("2", "3"),
            "intervals": ("2", "3"), "max-components": ("1", "2"), "n_stages": ("2",), "n_basis": ("3",), "n_features": ("1", "3", "2,1")}
REALS = {"checkpoint-seconds": ("1e-6", "5"), "train": ("0.5", "0.8"), "noise": ("0", "0.1"), "radius": ("1", "30"),
         "eyes": ("0.5",), "time-limit": ("0.01", "5"), "interval": ("0.9", "0.5"), "early_stopping": ("0", "0.3")}
FILES = {"target-file": "target.csv", "split-file": "parts.csv", "graph-file": "graph.csv", "unlabelled": "bare",
         "target-distances": "distances.csv", "subspace": "directions.csv", "start-file": "directions.csv",
         "response-kernel-file": "kernel.csv", "config": "config.txt", "test": "data",
         "against": "linear.ald"}
BAD = ("", "-1", "x", "nothing", "1e400", "99999999999999999999", "../short.csv", "../empty.csv", "not-there.csv", "\u00e9\x1b[31m")

# What an option wants beside itself; None: a flag.
NEEDS = {
    "keep-rows": {"stream": None}, "checkpoint": {"stream": None}, "checkpoint-seconds": {"stream": None, "checkpoint": "state"},
    "continuity-k": {"continuity": None}, "permutations": {"hsic": None}, "resample": {"stability": None},
    "resamples": {"stability": None}, "stability-file": {"stability": None}, "stability-plot": {"stability": None},
    "leading": {"stability": None}, "importance-file": {"importance": None}, "inner-folds": {"choose": None},
    "rule": {"choose": None}, "race": {"choose": None}, "random": {"grid": "predictor_ridge=0,0.1,1,10"}, "repeats": {"folds": "2"}, "importance": {"kind": "importance"},
    "penalty_weight": {"penalty": "l1"}, "degree": {"kernel": "polynomial"}, "coef0": {"kernel": "polynomial"},
    "landmark_choice": {"landmarks": "9"}, "predictor_neighbors": {"predictor": "knn"},
    "parts": {"output": "parts.csv"}, "radius": {"graph": "epsilon"}, "response-kernel-file": {"response_kernel": "given"},
}
# Of each group at most one.
APART = [
    ("stream", "graph-file", "target-distances", "response-kernel-file", "start-file", "unlabelled", "transpose", "choose-neighbors", "target-file", "intervals"),
    ("folds", "splits", "split-file", "split-column", "train"), ("no-nested", "outer-folds"), ("target", "target-file"),
    ("probabilities", "scores", "interval", "parts"), ("quiet", "verbose"), ("stratify", "groups", "no-stratify"),
    ("quick", "folds", "groups", "resamples"), ("card", "coefficients", "against", "json", "verbose"),
    ("landmarks", "features", "precomputed"), ("ridge", "ridge_rel"), ("target-distances", "target-file"),
    ("split-column", "split-file", "stratify", "groups"),
]
# Of a file of text with names; and what options want of a method.
OF_TEXT = {"delimiter", "decimal", "header", "comment", "skip", "na", "thousands", "dates", "categorical", "encode", "weights",
           "id", "ignore", "groups", "split-column", "keep"}
NOT_IN_BOOKS = {"delimiter", "decimal", "thousands", "comment"}
WANTED = {"stream": "streaming", "graph-file": "graph", "target-distances": "target-distances", "unlabelled": "unlabelled-rows",
          "response-kernel-file": "response-kernel", "start-file": "start",
          "weights": "weights", "checkpoint": "streaming", "keep-rows": "streaming", "checkpoint-seconds": "streaming"}
# Seldom fitted again and again.
DEAR = {"bair", "kdr", "gkdr", "mkdr", "cmvu", "sdpp", "ksdpp", "lspca", "nca", "mlkr", "opg", "mave", "ism"}
# What belongs to a file of another kind, and what ends a command before it begins: seldom.
SELDOM = {"x", "y", "sheet", "parts", "transpose", "help", "header", "skip", "format", "max-memory"}
BASE = {
    "compare": {"components": "1:2", "splits": "2"}, "dimension": {"permutations": "19"},
    "tune": {"components": "1", "folds": "2", "no-nested": None}, "generate": {"n": "20"}, "report": {"quick": None},
}


def write(folder, name, rows, mark=","):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        for row in rows:
            file.write(mark.join(str(cell) for cell in row) + "\n")


def write_book(folder, name, rows):
    """A workbook: an empty sheet, and these rows on the one that is named data."""
    place = "http://schemas.openxmlformats.org/"
    main, office = place + "spreadsheetml/2006/main", place + "officeDocument/2006/relationships"
    links = lambda kind, *targets: f'<Relationships xmlns="{place}package/2006/relationships">' + "".join(
        f'<Relationship Id="r{k}" Type="{office}/{kind}" Target="{one}"/>' for k, one in enumerate(targets, 1)) + "</Relationships>"
    cell = lambda value: f"<c><v>{value}</v></c>" if isinstance(value, (int, float)) else f'<c t="str"><v>{value}</v></c>'
    sheets = ["", "".join("<row>" + "".join(map(cell, row)) + "</row>" for row in rows)]
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("_rels/.rels", links("officeDocument", "xl/workbook.xml"))
        book.writestr("xl/_rels/workbook.xml.rels", links("worksheet", "worksheets/s1.xml", "worksheets/s2.xml"))
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="no" sheetId="1" '
                                         'r:id="r1"/><sheet name="data" sheetId="2" r:id="r2"/></sheets></workbook>')
        for k, text in enumerate(sheets, 1):
            book.writestr(f"xl/worksheets/s{k}.xml", f'<worksheet xmlns="{main}"><sheetData>{text}</sheetData></worksheet>')


def draw_rows(n, d):
    """x1.. and y, a class, three labels, group, weight, part, a word and a day."""
    draw = random.Random(5)
    rows = []
    for i in range(n):
        x = [round(draw.gauss(0, 1) + (i % 3 if j < 2 else 0), 4) for j in range(d)]
        y = round(x[0] - x[2] + 0.1 * draw.gauss(0, 1), 4)
        labels = [int(x[k] + 0.5 * draw.gauss(0, 1) > 0) for k in range(3)]
        rows.append(x + [y, "abc"[i % 3]] + labels + [i // 4, draw.choice((0.5, 1, 2)), i % 4, draw.choice("uvw"),
                                                      f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}"])
    return [f"x{j + 1}" for j in range(d)] + ["y", "c", "l1", "l2", "l3", "g", "w", "part", "t", "day"], rows


def some_columns(head, rows, names):
    places = [head.index(name) for name in names]
    return [names] + [[row[k] for k in places] for row in rows]


def make_inputs(folder):
    head, rows = draw_rows(ROWS, 5)
    names, extra = head[:5], ["g", "w", "part"]
    write(folder, "real.csv", some_columns(head, rows, names + ["y"] + extra))
    write_book(folder, "book.xlsx", some_columns(head, rows, names + ["y"] + extra))
    write_book(folder, "book-bare.xlsx", some_columns(head, rows, names))
    write(folder, "classes.tsv", some_columns(head, rows, names + ["c"] + extra), "\t")
    timed = [[*row[:5], round(2.7 ** (-row[5] / 3), 4), int(i % 3 > 0), *row[10:13]] for i, row in enumerate(rows)]
    write(folder, "timed.csv", [names + ["time", "died"] + extra] + timed)
    write(folder, "labels.csv", some_columns(head, rows, names + ["l1", "l2", "l3"] + extra))
    gaps = some_columns(head, rows, names + ["y", "t", "day"] + extra)
    for i in range(2, len(gaps), 7):
        gaps[i][i % 5] = ("", "NA")[i % 2]
    write(folder, "gaps.csv", gaps)
    sparse = [[("abc".index(row[6]))] + [f"{j + 1}:{row[j]}" for j in range(5) if (i + j) % 3] for i, row in enumerate(rows)]
    write(folder, "sparse.svm", sparse, " ")
    for name in ("real", "labels", "gaps", "timed"):
        write(folder, name + "-bare.csv", some_columns(head, rows, names))
    write(folder, "classes-bare.tsv", some_columns(head, rows, names), "\t")
    write(folder, "sparse-bare.svm", sparse, " ")
    wide_head, wide = draw_rows(WIDE_ROWS, WIDE_COLUMNS)
    comma = [[str(cell).replace(".", ",") for cell in row] for row in some_columns(wide_head, wide, wide_head[:WIDE_COLUMNS] + ["y"])]
    write(folder, "wide.csv", comma, ";")
    write(folder, "wide-bare.csv", [row[:-1] for row in comma], ";")
    for kind, one in SETS.items():
        have = wide if kind == "wide" else rows
        n, d = len(have), WIDE_COLUMNS if kind == "wide" else 5
        write(folder, f"{kind}-target.csv", [["z"]] + [[row[d]] for row in have])
        write(folder, f"{kind}-parts.csv", [["part"]] + [[("train", "test")[row[-3] % 2]] for row in have])
        write(folder, f"{kind}-graph.csv", [["row", "neighbour", "weight"]] + [[i + 1, (i + 1) % n + 1, 1] for i in range(n)])
        write(folder, f"{kind}-distances.csv", [[abs(a[d] - b[d]) for b in have] for a in have])
        write(folder, f"{kind}-kernel.csv", [[a[d] * b[d] for b in have] for a in have])
        write(folder, f"{kind}-directions.csv", [[f"x{j + 1}" for j in range(d)], [1] + [0] * (d - 1)])
    write(folder, "short.csv", [names, [1, 2, 3]])
    write(folder, "empty.csv", [])
    with open(os.path.join(folder, "config.txt"), "w", encoding="utf-8") as file:
        file.write("# a comment\nthreads = 1\n")


class Sweep:
    def __init__(self, alidade, folder, limit=TIME_LIMIT):
        self.alidade, self.folder, self.limit = alidade, folder, limit
        self.verbs = {verb["name"]: verb for verb in json.loads(self.ask("options"))}
        self.methods = {method["name"]: method for method in json.loads(self.ask("methods", "--json"))}
        self.fitting = collections.defaultdict(threading.Lock)
        make_inputs(folder)
        for kind in SETS:
            for name, words in MODELS.items():
                # what keeps sums of rows refuses times with events
                self.fit(kind, name, *(words[:1] + words[2:] if kind == "timed" and "--keep-statistics" in words else words))
            shutil.copy(os.path.join(folder, f"{kind}-linear.ald"), os.path.join(folder, f"{kind}-other.ald"))

    def fit(self, kind, name, *words):
        one = SETS[kind]
        self.ask("fit", one.file, *self.spell(dict(one.needs, target=one.target)), "--method", *words,
                 *([] if kind in ("sparse", "wide") else ["--ignore", "g,w,part"]), "--predictor",
                 PREDICTORS[one.task][0], "--components", "1", "-o", f"{kind}-{name}", "-q")

    def model(self, kind, draw):
        """One of MODELS, or by any method that takes the set, fitted when it is first wanted."""
        if draw.random() < 0.5:
            return draw.choice(list(MODELS))
        method = draw.choice(self.fitting_methods(SETS[kind]))
        few = ("--max-iter", "5") if any(p["name"] == "max_iter" for p in method["parameters"]) else ()
        name = method["name"] + ".ald"
        with self.fitting[kind, name]:
            if not os.path.exists(os.path.join(self.folder, f"{kind}-{name}")):
                try:
                    self.fit(kind, name, method["name"], *few)
                except SystemExit as why:
                    if ": exit 1\n" not in str(why) or "Sanitizer" in str(why):
                        raise
                    # the set is not for it
                    shutil.copy(os.path.join(self.folder, f"{kind}-linear.ald"), os.path.join(self.folder, f"{kind}-{name}"))
        return name

    def ask(self, *words):
        done = subprocess.run([self.alidade, *words], cwd=self.folder, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise SystemExit(f"sweep: {shlex.join(words)}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    @staticmethod
    def spell(options):
        """Words of options with these values; None is a flag, a list several words."""
        words = []
        for name, value in options.items():
            if name == "target" and value is None:
                continue
            spelled = "--" + name.replace("_", "-")
            if value is None or isinstance(value, str) and value.startswith("="):
                words.append(spelled + (value or ""))
            else:
                words += [spelled] + (value if isinstance(value, list) else [value])
        return words

    # --- what an option may be

    def words(self, name, kind, one, verb, draw):
        """Of an option that wants words of its own, for this set; None: it is not one of them."""
        method = lambda: draw.choice([m["name"] for m in self.fitting_methods(one) if m["name"] not in DEAR])
        kinds = form_choices(verb)
        known = {
            "method": lambda: method(), "methods": lambda: f"{method()},{method()}",
            "target": lambda: one.target or "#1", "task": lambda: draw.choice((TASKS[one.task], "auto")),
            "format": lambda: draw.choice(kinds) if one.formats[0] not in kinds else one.formats[0], "delimiter": lambda: one.needs.get("delimiter", "tab" if kind == "classes" else ","),
            "decimal": lambda: one.needs.get("decimal", "point"), "header": lambda: "auto",
            "metric": lambda: draw.choice(METRICS[one.task]), "predictor": lambda: draw.choice(PREDICTORS[one.task] + ("none",)),
            "grid": lambda: draw.choice(("scale=none,standard", "predictor_ridge=0,1")),
            "event": lambda: one.needs.get("event", one.columns[0]), "split-column": lambda: "part", "groups": lambda: "g", "weights": lambda: "w", "keep": lambda: one.columns[0],
            "missing": lambda: draw.choice(("mean", "drop")), "kernel": lambda: draw.choice(("linear", "rbf", "laplacian", "cosine")),
        }
        if name == "components" and verb["name"] in ("compare", "tune", "plot"):
            return "1" if verb["name"] == "plot" else draw.choice(("1", "1:2", "1,2"))
        return known[name]() if name in known else None

    def value(self, table, kind, verb, draw):
        name, sort, one = table["name"], table["type"], SETS[kind]
        if sort == "flag":
            return None
        if draw.randrange(WRONG) == 0:
            return draw.choice(BAD)
        said = self.words(name, kind, one, verb, draw)
        if said is not None:
            return said
        if sort == "flag or file":
            return draw.choice((None, f"={name}.out"))
        if table.get("choices"):
            return draw.choice(table["choices"])
        if sort in ("file", "path"):
            return self.file(table, kind, verb, draw)
        if sort in ("integer", "integers", "int"):
            return draw.choice(INTEGERS.get(name) or [str(k) for k in (0, 1, 2, 3, 7) if in_range(k, table)])
        if sort == "real":
            return draw.choice(REALS.get(name) or [str(k) for k in (0, 1e-9, 0.3, 1, 2.5) if in_range(k, table)])
        if sort in ("bool", "boolean"):
            return draw.choice(("0", "1"))
        if (table.get("value") or "").startswith("COL"):
            return draw.choice(one.columns)
        return draw.choice(WORDS.get(name, ("1", "x1")))

    def file(self, table, kind, verb, draw):
        name, access, forms = table["name"], table.get("file") or "", form_choices(verb)
        if "written" in access:
            ending = (table["value"] or "").partition(".")[2] or ("kept" if "read" in access else "csv")
            if forms and "csv" not in forms:
                ending = draw.choice(forms)
            values = [f"{name}{k}.{ending}" for k in range(table["values"])]
            return values if len(values) > 1 else values[0]
        return self.path(kind, FILES.get(name, "data"))

    @staticmethod
    def path(kind, name):
        one = SETS[kind]
        if name == "data":
            return os.path.join("..", one.file)
        if name == "bare":
            return os.path.join("..", one.file.replace(".", "-bare."))
        return os.path.join("..", name if name == "config.txt" else f"{kind}-{name}")

    # --- commands

    def items(self, verb):
        """Options of a verb, and the parameters of methods where it takes them: (method, table); method None: an option."""
        listed = [(None, option) for option in verb["options"] if not option["required"]]
        known = {option["parameter"] for option in verb["options"]}
        for method in self.methods.values() if verb["has_parameters"] else ():
            for parameter in method["parameters"]:
                if parameter["name"] not in known:
                    known.add(parameter["name"])
                    listed.append((method["name"], parameter))
        return listed

    def fitting_methods(self, one, names=()):
        """For this set, with what these options want of a method."""
        wanted = one.wants | {WANTED[name] for name in names if name in WANTED}
        return [method for method in self.methods.values() if wanted <= set(method["capabilities"])]

    def some_items(self, verb, kind, draw):
        """A method and options of the verb, or parameters of the method, that go together."""
        chosen = []
        for _ in range(draw.randint(1, MOST_OPTIONS)):
            names = [item["name"] for item in chosen]
            pool = [option for option in verb["options"] if not option["required"] and goes_with(option["name"], names, kind) and
                    (option["name"] not in SELDOM or draw.random() < 0.1)]
            chosen += [draw.choice(pool)] if pool else []
        fitting = self.fitting_methods(SETS[kind], [item["name"] for item in chosen])
        if verb["name"] in ("compare", "tune", "dimension") and draw.random() < 0.95:
            fitting = [method for method in fitting if method["name"] not in DEAR]
        method = draw.choice(fitting or list(self.methods.values()))
        if verb["has_parameters"]:
            taken = {option["parameter"] for option in verb["options"]} | {"n_components"}  # all have --components
            for k in range(len(chosen)):
                others = [item["name"] for item in chosen[:k] + chosen[k + 1:]]
                pool = [p for p in method["parameters"] if p["name"] not in taken and goes_with(p["name"], others, kind)]
                if draw.random() < 0.5:
                    chosen[k] = draw.choice(pool)
        return method, chosen

    def command(self, verb, kind, method, chosen, draw):
        one, allowed = SETS[kind], {item["name"] for item in verb["options"]}
        known = allowed | ({p["name"] for p in method["parameters"]} if verb["has_parameters"] else set())
        options = {}
        for item in chosen:
            options[item["name"]] = self.value(item, kind, verb, draw)
            options.update((name, value) for name, value in NEEDS.get(item["name"], {}).items()
                           if name in known and name not in options)
        for item in verb["options"]:
            if item["required"]:
                options[item["name"]] = self.file(item, kind, verb, draw)
        if {"target", "ignore"} <= allowed and "target-file" not in options:
            options.setdefault("target", one.target)
        for name, value in one.needs.items():
            if name in allowed and "DATA" in [operand["name"] for operand in verb["operands"]]:
                options.setdefault(name, value)
        for name, value in BASE.get(verb["name"], {}).items():
            if goes_with(name, options, kind):
                options.setdefault(name, value)
        for name in {"method", "methods"} & allowed:
            options.setdefault(name, method["name"])
        if "ignore" in allowed and kind not in ("sparse", "wide"):
            options.setdefault("ignore", ",".join(c for c in ("g", "w", "part") if c not in options.values()))
        words = [verb["name"]]
        for number, operand in enumerate(verb["operands"]):
            if operand["required"] or verb["name"] == "generate" or draw.random() < 0.7:
                words.append(self.operand(verb, kind, operand, number, draw))
        return words + self.spell(options)

    def operand(self, verb, kind, operand, number, draw):
        if operand["name"] == "MODEL":
            if verb["name"] == "merge":
                return self.path(kind, ("linear.ald", "other.ald")[number])
            return self.path(kind, "linear.ald" if verb["name"] == "update" else self.model(kind, draw))
        if operand["file"] == "read":
            return self.path(kind, "data")
        if operand["file"]:
            return "operand." + draw.choice(("csv", "npy", "svm", "tsv"))
        return draw.choice(WORDS.get(operand["name"], ("1",)))

    def cases(self):
        """(verb, set, items or None: they are drawn): first everything alone."""
        kinds = itertools.cycle(SETS)
        listed = []
        for verb in self.verbs.values():
            for owner, item in self.items(verb):
                kind = next(kinds)
                named = [m for m in self.fitting_methods(SETS[kind]) if item in m["parameters"]]
                method = named[0] if named else self.methods[owner or "pls"]
                listed.append((verb, kind, (method, [item])))
        many = [verb for verb in self.verbs.values() for _ in range(len(verb["options"]) // 6)]
        while len(listed) < COMMANDS:
            listed.append((many[len(listed) % len(many)], next(kinds), None))
        return listed

    def run(self, number, verb, kind, items, seed, only=()):
        """Why it failed, or None; the exit status; the words. None: it has none of the words that it should have."""
        draw = random.Random(f"{seed} {number}")
        method, items = items or self.some_items(verb, kind, draw)
        words = self.command(verb, kind, method, items, draw)
        if only and not any(has_word(words, one) for one in only):
            return None
        wrong, code, text = self.check(words)
        return wrong and f"case {number}: alidade {shlex.join(words)}\n    {wrong}", code, words, text

    def check(self, words):
        here, began = tempfile.mkdtemp(dir=self.folder), time.time()
        try:
            done = subprocess.run([self.alidade, *words], cwd=here, capture_output=True, stdin=subprocess.DEVNULL,
                                  timeout=self.limit)
        except subprocess.TimeoutExpired:
            return f"does not end in {self.limit:g} s", None, ""
        finally:
            shutil.rmtree(here, ignore_errors=True)
        if time.time() - began > SLOW:
            print(f"slow   alidade {shlex.join(words)} ({time.time() - began:.0f} s)", flush=True)
        text = done.stderr.decode("utf-8", "replace")
        return fault_of(words, done.returncode, text), done.returncode, text


def fault_of(words, code, text):
    if "Sanitizer" in text or "runtime error:" in text:
        return "\n    ".join(line for line in text.splitlines() if "rror:" in line or line.startswith("    #"))[:2000]
    if code not in ((0, 1, 2, 3) if "--strict" in words else (0, 1, 2)):
        return f"exit status {code}: {text[-300:]}"
    if code != 0 and not text.strip() and "--quiet" not in words:
        return f"exit status {code} without a word"
    return None


def has_word(words, wanted):
    """As a verb, an option, a value, or the method of a model. The option --NAME- is all whose names begin so."""
    return any(wanted in word.split(",") or word == "--" + wanted or wanted.endswith("-") and word.startswith("--" + wanted)
               or word.endswith(f"-{wanted}.ald") for word in words)


def form_choices(verb):
    """Formats that a verb reads, or writes."""
    return next((option["choices"] for option in verb["options"] if option["name"] == "format"), [])


def goes_with(name, others, kind):
    """Whether an option may stand beside these, for this set."""
    if name in others or kind == "sparse" and name in OF_TEXT or kind == "book" and name in NOT_IN_BOOKS:
        return False
    return not any(name in group and set(others) & set(group) for group in APART)


def in_range(value, table):
    low, high = table.get("min"), table.get("max")
    return (low is None or value >= low) and (high is None or value <= high)


def shard_of(text):
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text}: expected K/N such as 1/16")
    return int(part), int(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alidade", type=os.path.abspath)
    parser.add_argument("--all", action="store_true", default=bool(os.environ.get("ALD_LONG")))
    parser.add_argument("--shard", type=shard_of)
    parser.add_argument("--jobs", type=int, default=WORKERS)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--limit", type=float, default=TIME_LIMIT)
    parser.add_argument("--show", action="store_true", help="the commands that do not get past the parser")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    asked = parser.parse_args()
    began, failures, codes = time.time(), 0, {}
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(asked.alidade, folder, asked.limit)
        cases = list(enumerate(sweep.cases()))
        asked.all = asked.all or asked.shard is not None
        if asked.case is not None:
            cases = [cases[asked.case]]
        elif asked.shard:
            cases = cases[asked.shard[0] - 1::asked.shard[1]]
        elif not asked.all:
            cases = random.Random(asked.seed).sample(cases, min(asked.sample, len(cases)))

        def do(place, case):
            if place >= LEAST and time.time() - began > (asked.seconds or (math.inf if asked.all else SAMPLE_SECONDS)):
                return None
            return sweep.run(case[0], *case[1], asked.seed, asked.only)

        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            for number, result in enumerate(pool.map(do, itertools.count(), cases), 1):
                if asked.shard and number % 1000 == 0:
                    print(f"{number} of {len(cases)} commands ({time.time() - began:.0f} s)", flush=True)
                if not result:
                    continue
                wrong, code, words, text = result
                codes[code] = codes.get(code, 0) + 1
                if wrong:
                    failures += 1
                    print("FAILED " + wrong, flush=True)
                if asked.show and code in (1, 2):
                    print(code, shlex.join(words), "\n    ", text.strip()[:300].replace("\n", " / "), flush=True)
    commands = sum(codes.values())
    past = 1 - codes.get(2, 0) / max(commands, 1)
    print(f"{commands} commands, {100 * past:.0f} % of them past the parser, {codes.get(0, 0)} with a result, "
          f"{failures} failed ({time.time() - began:.0f} s)")
    if asked.case is None and not asked.only and (commands < LEAST // 2 or past < PAST and commands > 100):
        print("sweep: too few commands got far enough to mean anything")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
