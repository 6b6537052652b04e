#!/usr/bin/env python3
"""All methods beside each other: the figure of `alidade compare` and the seconds of a fit, on eight data sets.

    methods.py run --alidade ALIDADE -o RESULTS.json [--jobs N] [--each SECONDS] [--limit SECONDS] [--set NAME,...] [--only METHOD,...]
    methods.py page RESULTS.json [-o docs/results/methods.md]

Every method has one process with one thread per set, the settings it has without asking, and the number of components of the set, or
as many as it has where that is fewer. A method that takes more than --each seconds on a set has that as its reason; --limit ends the
whole run. RESULTS.json gains what is missing, so that a run may be stopped and started again."""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("ALD_SHARED_DATA") or os.path.join(HERE, "..", "..", "shared", "data")

# name -> file, components, splits, what else the command says
SETS = {
    "wine": ("wine.csv", 2, 10, "--target y --scale standard"),
    "segmentation": ("segmentation.csv", 2, 10, "--target y --scale standard"),
    "sonar": ("sonar.csv", 2, 10, "--target y --scale standard"),
    "ionosphere": ("ionosphere.csv", 2, 10, "--target y --scale standard"),
    "tecator": ("tecator.csv", 4, 10, "--target fat --ignore water,protein --groups duplicates --row-scale standard"),
    "autoprice": ("autoprice.csv", 4, 10, "--target price --scale standard"),
    "servo": ("servo.csv", 4, 10, "--target y --scale standard"),
    "yeast": ("yeast.csv.gz", 5, 2, "--target Class1..Class14 --scale standard"),
}
METRICS = {name: "rmse" if name in ("tecator", "autoprice", "servo") else "accuracy" for name in SETS}
METRICS["yeast"] = "macro_auc"
FORMS = {"accuracy": "{:.3f}", "macro_auc": "{:.3f}"}


def command(arguments, name, method, components):
    file, _, splits, more = SETS[name]
    return [arguments.alidade, "compare", os.path.join(DATA, file), "--methods", method, "--components", str(components), "--splits",
            str(splits), "--seed", "1", "--threads", "1", *more.split()]


def compare(arguments, name, method, components, each):
    """The rows of one comparison, or what stopped it."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        try:
            done = subprocess.run(command(arguments, name, method, components) + [f"--json={file.name}", "-q"], capture_output=True, text=True,
                                  timeout=max(each, 1))
        except subprocess.TimeoutExpired:
            return None, f"more than {arguments.each:.0f} s"
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["?"])[-1]
        with open(file.name, encoding="utf-8") as text:
            return json.load(text), None


def there_are(error):
    """How many components the method says it has; 0: it says nothing of that."""
    few = re.search(r"(?:only|has) (\d+) (?:directions|component)", error or "")
    next_one = re.search(r"component (\d+) has no coefficient", error or "")
    return int(few.group(1)) if few else int(next_one.group(1)) - 1 if next_one else 0


def one(arguments, name, method):
    components, began = SETS[name][1], time.time()
    found, error = compare(arguments, name, method, components, arguments.each)
    while 0 < (fewer := there_are(found["rows"][-1]["error"] if found else error)) < components:
        components = fewer
        found, error = compare(arguments, name, method, components, arguments.each)
    result = {"set": name, "method": method, "components": components, "error": error, "wall": time.time() - began}
    if found:
        row = found["rows"][-1]
        result.update(metric=found["metric"], mean=row["mean"], std=row["std"], seconds=row["fit_seconds"], note=row["error"])
        result["error"] = row["error"] if row["mean"] is None else None
        result["baselines"] = {r["label"]: [r["mean"], r["std"], r["fit_seconds"]] for r in found["rows"][:-1] if r["components"] in (0, None)}
    return result


def methods(arguments):
    said = json.loads(subprocess.run([arguments.alidade, "methods", "--json"], capture_output=True, text=True, check=True).stdout)
    return [m["name"] for m in (said["methods"] if isinstance(said, dict) else said)]


def keep(results, path):
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    os.replace(path + ".part", path)


def run(arguments):
    results, began = [], time.time()
    if os.path.exists(arguments.output):
        with open(arguments.output, encoding="utf-8") as file:
            results = json.load(file)
    known = {(r["set"], r["method"]) for r in results}
    names = arguments.set.split(",") if arguments.set else list(SETS)[::-1]
    all_methods = arguments.only.split(",") if arguments.only else methods(arguments)[::-1]  # the slow ones first
    jobs = [(name, method) for name in names for method in all_methods if (name, method) not in known]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def work(job):
            return one(arguments, *job) if time.time() - began < arguments.limit else None
        for result in pool.map(work, jobs):
            if not result:
                continue
            results.append(result)
            print(f"{result['set']:14} {result['method']:16} {result.get('mean') or result['error']}", flush=True)
            keep(results, arguments.output)


REASONS = {}  # what hinders a method -> its letter


def reason(error):
    if "cannot take" in error:
        return "-"
    short = re.sub(r"slice \d+ of \d+ \(\d.\d+ of the rows\)", "a slice", re.sub(r"component \d+", "a component", error))
    short = re.sub(r" \(\d+\);", ";", re.sub(r"^(mkdr|cmvu)", "the method", short))
    return REASONS.setdefault(short, chr(ord("a") + len(REASONS)))


def cell(result):
    if not result:
        return ""
    if result["error"]:
        return reason(result["error"])
    if result["metric"] != METRICS[result["set"]]:
        return "-"  # it took the numbers of classes for numbers
    form = FORMS.get(result["metric"], "{:.2f}")
    fewer = f" ({result['components']})" if result["components"] < SETS[result["set"]][1] else ""
    return form.format(result["mean"]) + fewer


def seconds(result):
    return "" if not result or result["error"] or result["metric"] != METRICS[result["set"]] else f"{result['seconds']:.2g}"


def table(results, names, show, baselines):
    by = {(r["set"], r["method"]): r for r in results}
    order = list(dict.fromkeys(r["method"] for r in results))[::-1]
    lines = ["| method | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    if baselines:
        for place, label in ((0, "mean or majority"), (1, "all features")):
            values = []
            for name in names:
                first = next((r for r in results if r["set"] == name and r.get("baselines")), None)
                entry = list(first["baselines"].values())[place:place + 1] if first else []
                values.append(FORMS.get(first["metric"], "{:.2f}").format(entry[0][0]) if entry and entry[0][0] is not None else "")
            lines.append(f"| {label} | " + " | ".join(values) + " |")
    lines += [f"| {m} | " + " | ".join(show(by.get((name, m))) for name in names) + " |" for m in order]
    return "\n".join(lines)


def reasons():
    return "\n".join(textwrap.fill(f"- {letter}: {text}", 120, subsequent_indent="  ") for text, letter in REASONS.items())


def page(arguments):
    with open(arguments.results, encoding="utf-8") as file:
        results = json.load(file)
    names = [name for name in SETS if any(r["set"] == name for r in results)]
    commands = "\n".join(f"alidade compare {SETS[n][0]} {SETS[n][3]} --methods METHOD --components {SETS[n][1]} --splits {SETS[n][2]} --seed 1"
                         for n in names)
    text = f"""# All methods beside each other

Accuracy of classes (wine, segmentation, sonar, ionosphere), root mean squared error of numbers (tecator, autoprice,
servo) and macro AUC of labels (yeast), in the mean over splits, with the settings that a method has without asking and
the usual predictor: no parameter was tuned. A number in parentheses is how many components the method has where that is
fewer than were asked for; - stands where a method takes no such target, a letter for a reason below. Made by
`bench/methods.py`, one thread for each fit, 16 processes at once on a machine of 16 cores; [which method for
what](../which-method.md) draws its advice from here.

```
{commands}
```

## Figures

{table(results, names, cell, 1)}

{reasons()}

opg fits slopes to 100 collinear columns of some 143 spectra, which depend on rounding: by the kernels that OpenBLAS
takes (`OPENBLAS_CORETYPE`) its error on Tecator is 3.8 to 4.3.

No parameter was tuned and components are few: a method that is behind here may be ahead with other settings. kcca,
which default `alidade tune` tries, has the best figure of wine, tecator, autoprice, servo and yeast, kfda of
ionosphere, kdr of segmentation and ksdpp of sonar. None of dr, pfc, lad, lasso-sir, opg, mave, lfda, nca, mlkr, spls,
orthogonal-pls, lspca, ism and mddm has the best of any set, so none of them was added to the race of default tune,
whose time is short.

## Seconds of a fit

{table(results, names, seconds, 0)}
"""
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("run")
    verb.add_argument("--alidade", default=os.path.join(HERE, "..", "build", "alidade"))
    verb.add_argument("-o", "--output", required=True)
    verb.add_argument("--set", default="")
    verb.add_argument("--only", default="")
    verb.add_argument("--jobs", type=int, default=2)
    verb.add_argument("--each", type=float, default=60)
    verb.add_argument("--limit", type=float, default=1e9)
    verb = verbs.add_parser("page")
    verb.add_argument("results")
    verb.add_argument("-o", "--output", default=os.path.join(HERE, "..", "docs", "results", "methods.md"))
    arguments = parser.parse_args()
    sys.exit({"run": run, "page": page}[arguments.verb](arguments))


if __name__ == "__main__":
    main()
