#!/usr/bin/env python3
"""Every verb with each of its options and parameters alone and in pairs: nothing may end by a signal.

    sweep.py ALIDADE [--all | --shard K/N] [--jobs N] [--sample N] [--seconds S] [--seed N] [--case N] [--verb VERB]
                     [--limit S]

Made from `alidade options` and `alidade methods --json`, so that a new verb, option or parameter joins by itself: values
come from its type, its range and its choices, and, where words are wanted, from HINTS. Commands run on a set with a real
target, one with classes and one with several labels. The exit status must be 0, 1, 2, or 3 under --strict; a signal, a
report of a sanitizer or a command that does not end is a failure, told with the command that shows it again.

Without --all (or ALD_LONG=1) a sample of a fixed seed, for some seconds, but LEAST cases in any case; with it everything
alone on all sets, and all pairs on one set each. --shard K/N: of everything the part K of N (K from 1), which together are all of it;
each prints how far it is now and then. --case N runs only that one. --limit S: so long a command may take.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

SAMPLE, SAMPLE_SECONDS, TIME_LIMIT, SLOW, WORKERS = 400, 7, 120, 10, 2
# So many cases of a sample run however slow the machine is.
LEAST = 24
# Rows: methods by their parameters on few, as some take long; options on so many that cross-validation by sums is used.
SIZES = {"small": 48, "large": 200}
SETS = ("real", "classes", "labels")
TARGETS = {"real": "y", "classes": "c", "labels": "l1,l2,l3"}
COLUMNS = ("y", "c", "l1,l2,l3", "x1", "x1..x3", "#2", "g", "w", "part", "t", "nowhere", "")
# Words for options that want text or a file; of an option that is not here the ones at the end.
HINTS = {
    "method": ("pls", "lda", "sdpp", "kspca", "auto", "sir,pls", "nothing"),
    "methods": ("pls,lda", "pcr,kspca landmarks=9", "sdpp max_iter=5,opls", "auto", "pls,,lda"),
    "components": ("1", "2", "1:2", "1,2", "2,1", "0", "many"),
    "grid": ("ridge=0,1", "ridge_rel=log:1e-3:1:2", "n_components=1,2", "scale=none,standard", "predictor_ridge=lin:0:1",
             "ridge=", "=", "n_neighbors=3,4"),
    "metric": ("rmse", "accuracy", "macro_auc", "r2,mae", "none"),
    "choose-neighbors": ("3,5", "0", "99999", "x"), "continuity-k": ("1,5", "0", "99999", "x"),
    "delimiter": (",", "tab", ";", "xx", ""), "comment": ("#", "", "ab"), "x": ("X",), "y": ("Y",),
    "na": ("NA,-", "-999", "", ",,x"), "search": ("pls-da", ""),
    "title": ("a title", "<&>", ""), "response": ("y", "l2", "1", "99", "nothing"),
    "target-file": ("target.csv", "short.csv"), "split-file": ("parts.csv", "short.csv"),
    "graph-file": ("graph.csv", "short.csv"), "target-distances": ("distances.csv", "short.csv"),
    "unlabelled": ("bare.csv", "short.csv"), "subspace": ("directions.csv", "short.csv"), "config": ("config.txt",),
    "test": ("data.csv", "bare.csv"), "against": ("kspca.ald", "pls.ald"),
    "NAME": ("pls", "parity", "peaks", "nothing"), "VERB": ("fit", "pls", "nothing"), "SHELL": ("bash", "zsh", "nothing"),
}
SOME_TEXTS, SOME_FILES = ("1", "x1", "nothing", ""), ("data.csv", "short.csv", "empty.csv", "not-there.csv")
BASE = {  # what a verb wants besides the options that are tried, and what keeps it quick
    "fit": {"target": None},
    "compare": {"target": None, "methods": "pls,lda,opls", "components": "1:2"},
    "dimension": {"target": None, "permutations": "5"},
    "tune": {"target": None, "method": "pls", "components": "1", "folds": "2", "outer-folds": "2"},
    "generate": {"n": "20"},
}
MODELS = {"pls.ald": ("pls", "--keep-statistics"), "kspca.ald": ("kspca", "--components", "1"),
          "sdpp.ald": ("sdpp", "--max-iter", "5", "--components", "2")}


def write(folder, name, rows):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        for row in rows:
            file.write(",".join(str(cell) for cell in row) + "\n")


def make_inputs(folder, n, d=5):
    """A table with all kinds of targets, groups, weights, parts and a text column in it, and files that go with it."""
    draw = random.Random(5)
    names = [f"x{j + 1}" for j in range(d)]
    rows, bare = [], []
    for i in range(n):
        x = [round(draw.gauss(0, 1) + (i % 3 if j < 2 else 0), 4) for j in range(d)]
        y = round(x[0] - x[2] + 0.1 * draw.gauss(0, 1), 4)
        labels = [int(x[k] + 0.5 * draw.gauss(0, 1) > 0) for k in range(3)]
        rows.append(x + [y, "abc"[i % 3]] + labels + [i // 4, draw.choice((0.5, 1, 2)), i % 4, draw.choice("uvw")])
        bare.append(x)
    head = names + ["y", "c", "l1", "l2", "l3", "g", "w", "part", "t"]
    write(folder, "all.csv", [head] + rows)
    for kind in SETS:
        keep = [j for j, name in enumerate(head) if name in names + TARGETS[kind].split(",") + ["g", "w"]]
        write(folder, kind + ".csv", [[row[j] for j in keep] for row in [head] + rows])
    write(folder, "bare.csv", [names] + bare)
    write(folder, "target.csv", [["z"]] + [[row[d]] for row in rows])
    write(folder, "parts.csv", [["part"]] + [[row[-2]] for row in rows])
    write(folder, "short.csv", [names] + [row[:-1] + [""] for row in bare[:3]])
    write(folder, "graph.csv", [["row", "neighbour", "weight"]] + [[i + 1, (i + 1) % n + 1, 1] for i in range(n)])
    write(folder, "distances.csv", [[abs(a[d] - b[d]) for b in rows] for a in rows])
    write(folder, "directions.csv", [names, [1] + [0] * (d - 1)])
    write(folder, "empty.csv", [])
    with open(os.path.join(folder, "config.txt"), "w", encoding="utf-8") as file:
        file.write("# a comment\nthreads = 1\n")


class Sweep:
    def __init__(self, alidade, folder, limit=TIME_LIMIT):
        self.alidade, self.folder, self.limit = alidade, folder, limit
        self.verbs = {verb["name"]: verb for verb in json.loads(self.ask(".", "options"))}
        self.methods = json.loads(self.ask(".", "methods", "--json"))
        for size, rows in SIZES.items():
            os.mkdir(os.path.join(folder, size))
            make_inputs(os.path.join(folder, size), rows)
        for size, kind in itertools.product(SIZES, SETS):
            for name, words in MODELS.items():
                self.ask(size, "fit", f"{kind}.csv", "--target", TARGETS[kind], "--ignore", "g,w", "--method", *words,
                         "--predictor", {"real": "linear", "classes": "gaussian", "labels": "one-vs-rest"}[kind],
                         "-o", f"{kind}-{name}", "-q")

    def ask(self, size, *words):
        done = subprocess.run([self.alidade, *words], cwd=os.path.join(self.folder, size), capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise SystemExit(f"sweep: {shlex.join(words)}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    def items(self, verb):
        """Options of a verb, and the parameters of methods where it takes them."""
        listed = [("option", option) for option in verb["options"]]
        if not verb["has_parameters"]:
            return listed
        known, taken = set(), {option["parameter"] for option in verb["options"]}
        for method in self.methods:
            for parameter in method["parameters"]:
                if parameter["name"] not in known | taken:
                    known.add(parameter["name"])
                    listed.append(("parameter", parameter))
        return listed

    def path(self, kind, name):
        name = {"data.csv": f"{kind}.csv"}.get(name, name)
        name = f"{kind}-{name}" if name.endswith(".ald") else name
        return os.path.join("..", "small", name)

    def values(self, item, kind):
        """Texts that an option or parameter may be given; None: a flag without one."""
        what, table = item
        name, sort = table["name"], table["type"]
        if sort == "flag":
            return [None]
        if sort == "flag or file":
            return [None, f"={name}.out"]
        if table.get("choices"):
            return list(table["choices"]) + ["nothing"]
        if sort in ("file", "path"):
            if "written" in (table.get("file") or "") and "read" not in table["file"]:
                return [f"{name}." + ((table["value"] or "").partition(".")[2] or "out"), "-"]
            if table.get("file") == "read and written":
                return [f"{name}.kept"]
            return [self.path(kind, word) for word in HINTS.get(name, SOME_FILES)]
        if sort in ("integer", "int", "real"):
            return numbers(table, sort)
        if sort in ("bool", "boolean"):
            return ["0", "1", "x"]
        if (table.get("value") or "").startswith("COL"):
            return list(COLUMNS)
        return list(HINTS.get(name, SOME_TEXTS))

    def method_with(self, parameter, draw):
        return draw.choice([m["name"] for m in self.methods if any(p["name"] == parameter for p in m["parameters"])])

    def command(self, verb, kind, items, chosen, draw):
        """The words of a command with these options at these values; chosen: a value for each."""
        words = [verb["name"]]
        given = {item[1]["name"] for item in items}
        for i, operand in enumerate(verb["operands"]):
            if operand["required"] or draw.random() < 0.5:
                words.append(self.operand(verb, kind, operand, draw))
        base = dict(BASE.get(verb["name"], {}))
        for item in items:
            if item[0] == "parameter":
                naming = "methods" if "methods" in base else "method"
                base[naming] = self.method_with(item[1]["name"], draw)
                if verb["name"] == "tune":
                    base["grid"] = "predictor_ridge=0"  # the usual grids of some methods take minutes
        for option in verb["options"]:
            if option["required"] and option["name"] not in given:
                words += ["--" + option["name"]] + [f"{option['name']}{k}.out" for k in range(option["values"])]
        for name, value in base.items():
            if name not in given and not (name == "outer-folds" and "no-nested" in given):
                words += ["--" + name, TARGETS[kind] if name == "target" else value]
        for (what, table), value in zip(items, chosen):
            name = "--" + table["name"].replace("_", "-")
            if value is None or value.startswith("=") and table["type"] == "flag or file":
                words.append(name + (value or ""))
            else:
                words += [name] + [value] * table.get("values", 1)
        if all(item[0] == "option" for item in items):
            words = [word.replace("../small/", "../large/") for word in words]
        return words

    def operand(self, verb, kind, operand, draw):
        if operand["name"] == "MODEL":
            return self.path(kind, draw.choice(list(MODELS)))
        if operand["file"] == "read":
            return self.path(kind, draw.choice(("data.csv",) * 6 + ("all.csv", "bare.csv")))
        if operand["file"]:
            return "operand." + draw.choice(("csv", "npy", "svm", "tsv"))
        return draw.choice(HINTS.get(operand["name"], SOME_TEXTS))

    def cases(self, only):
        """(verb, set, items) in a fixed order."""
        for verb in self.verbs.values():
            if only and verb["name"] != only:
                continue
            items = self.items(verb)
            for item in items:
                for kind in SETS:
                    yield verb, kind, (item,)
            for number, pair in enumerate(itertools.combinations(items, 2)):
                yield verb, SETS[number % 3], pair

    def run(self, number, verb, kind, items, seed, everything):
        """What was wrong, and how many commands were run: of a pair one, of what is alone all its values if wanted."""
        failed = []
        draw = random.Random(f"{seed} {number}")
        lists = [self.values(item, kind) for item in items]
        tries = [(value,) for value in lists[0]] if len(lists) == 1 and everything else [tuple(draw.choice(v) for v in lists)]
        for chosen in tries:
            words = self.command(verb, kind, items, chosen, draw)
            wrong = self.check(words)
            if wrong:
                failed.append(f"case {number}: alidade {shlex.join(words)}\n    {wrong}")
        return failed, len(tries)

    def check(self, words):
        here, began = tempfile.mkdtemp(dir=self.folder), time.time()
        try:
            done = subprocess.run([self.alidade, *words], cwd=here, capture_output=True, stdin=subprocess.DEVNULL,
                                  timeout=self.limit)
        except subprocess.TimeoutExpired:
            return f"does not end in {self.limit:g} s"
        finally:
            shutil.rmtree(here, ignore_errors=True)
        if time.time() - began > SLOW:
            print(f"slow   alidade {shlex.join(words)} ({time.time() - began:.0f} s)", flush=True)
        text = done.stderr.decode("utf-8", "replace")
        if "Sanitizer" in text or "runtime error:" in text:
            return "\n    ".join(line for line in text.splitlines() if "rror:" in line or line.startswith("    #"))[:2000]
        allowed = (0, 1, 2, 3) if "--strict" in words else (0, 1, 2)
        if done.returncode not in allowed:
            return f"exit status {done.returncode}: {text[-300:]}"
        if done.returncode != 0 and not text.strip() and "-q" not in words:
            return f"exit status {done.returncode} without a word"
        return None


def numbers(table, sort):
    low = table["min"] if table["min"] is not None else 0
    high = table["max"] if table["max"] is not None else 100
    whole = sort != "real"
    tried = [low, 1, 2, 3, 7] if whole else [low, 0.3, 1, 2.5]
    texts = [f"{value:.0f}" if whole else f"{value:g}" for value in tried if low <= value <= high and abs(value) < 1e6]
    return list(dict.fromkeys(texts)) + ["-1", "x"]


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
    parser.add_argument("--seconds", type=float, default=SAMPLE_SECONDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--verb")
    parser.add_argument("--limit", type=float, default=TIME_LIMIT)
    asked = parser.parse_args()
    began, failures, commands = time.time(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(asked.alidade, folder, asked.limit)
        cases = list(enumerate(sweep.cases(asked.verb)))
        asked.all = asked.all or asked.shard is not None
        if asked.case is not None:
            cases = [cases[asked.case]]
        elif asked.shard:
            cases = cases[asked.shard[0] - 1::asked.shard[1]]
        elif not asked.all:
            cases = random.Random(asked.seed).sample(cases, min(asked.sample, len(cases)))

        def do(place, case):
            if not asked.all and place >= LEAST and time.time() - began > asked.seconds:
                return [], 0
            return sweep.run(case[0], *case[1], asked.seed, asked.all)

        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            for number, (failed, count) in enumerate(pool.map(do, itertools.count(), cases), 1):
                if asked.shard and number % 1000 == 0:
                    print(f"{number} of {len(cases)} cases ({time.time() - began:.0f} s)", flush=True)
                failures += failed
                commands += count
                for text in failed:
                    print("FAILED " + text, flush=True)
    print(f"{commands} commands, {len(failures)} of them failed ({time.time() - began:.0f} s)")
    if commands < LEAST // 2 and asked.case is None:
        print("sweep: too few commands were run to tell anything")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
