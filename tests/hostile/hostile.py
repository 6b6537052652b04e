#!/usr/bin/env python3
"""Every method on sets that are hard on it (sets.py): what does it say, and is what it gives sound?

    hostile.py ALIDADE [--page PAGE [--check]] [--sample N] [--only SET] [--jobs N]

A fit ends by itself within TIME_LIMIT seconds, with 0 or a refusal of one sentence. With 0 the model has no number that
is not finite, its projection of the rows is finite, and neither is all zeros. --page writes docs/hostile.md; --check
tells whether it is stale instead. --sample N: every N-th pair of set and method only. Ends with 1 if anything fails.
Where ALD_LONG is set the sample is everything, with ALD_SAMPLE=K it is every K-th of its pairs.
"""
import argparse
import concurrent.futures
import json
import math
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile

import sets

TIME_LIMIT = 20  # seconds of the processor; the sanitizers take longer
# Of what the target may be, the first that a method takes.
TARGETS = [("classes", ("c",)), ("real", ("r",)), ("multi-label", ("u", "v"))]


def known_methods(alidade):
    done = subprocess.run([alidade, "methods", "--json"], capture_output=True, text=True, check=True)
    return [(method["name"], method["capabilities"]) for method in json.loads(done.stdout)]


def target_of(one, capabilities):
    """The columns of the target; None: the file has its own."""
    if one.sparse:
        return None
    if one.name == "unused_label" and "multi-label" in capabilities:
        return ("u", "v")
    return next(columns for name, columns in TARGETS if name in capabilities)


def limit_time():
    seconds = TIME_LIMIT * (10 if os.environ.get("ALD_SAMPLE") else 1)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def run(line, folder):
    try:
        done = subprocess.run(line, cwd=folder, capture_output=True, timeout=30 * TIME_LIMIT, preexec_fn=limit_time)
    except subprocess.TimeoutExpired:
        return "timeout", b"", b""
    return done.returncode, done.stdout, done.stderr


def numbers_of_model(path):
    """Names and F64 values of the arrays (safetensors layout)."""
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    for name, array in header.items():
        if name == "__metadata__" or array["dtype"] != "F64":
            continue
        begin, end = array["data_offsets"]
        yield name, struct.unpack(f"<{(end - begin) // 8}d", data[begin:end])


# What carries the projection; statistics and such may be zeros.
CARRIERS = ("components", "coefficients", "embedding", "scores")


def unsound_model(path):
    carriers = []
    for name, values in numbers_of_model(path):
        if not all(math.isfinite(value) for value in values):
            return f"{name} has a number that is not finite"
        if name in CARRIERS and values:
            carriers.append(any(value != 0.0 for value in values))
    return "all directions are zero" if carriers and not any(carriers) else None


def unsound_rows(text):
    rows = [line.split(",") for line in text.decode().splitlines()[1:]]
    values = [float(cell) for row in rows for cell in row]
    if not values:
        return "the projection has no rows"
    if not all(math.isfinite(value) for value in values):
        return "the projection is not finite"
    return None if any(value != 0.0 for value in values) else "the projection is all zeros"


class Outcome:
    """What one method said to one set: kind is ok, warning or refused; fault: what must not be."""

    def __init__(self, kind, text, fault=None):
        self.kind, self.text, self.fault = kind, text, fault


def sentences(stderr, method, data):
    """The warnings, or the refusal, without what differs from machine to machine."""
    text = stderr.decode("utf-8", "replace").replace(os.path.basename(data) + ": ", "").replace(data + ": ", "")
    text = text.replace(os.path.basename(data), "FILE").replace(data, "FILE")
    text = re.sub(rf"\b{method}\b", "METHOD", text)
    text = re.sub(r"-?\b\d+(\.\d+)?e[+-]?\d+\b|-?\b\d+\.\d+\b", "#", text)
    # Of several singular slices another is met first where other kernels of the linear algebra library round otherwise.
    text = re.sub(r"inside slice \d+ of (\d+) \([^)]*\)", r"inside slice # of \1 (# of the rows)", text)
    lines = [line for line in text.splitlines() if line.startswith("alidade fit: ")]
    told = [re.sub(r"^alidade fit: (warning: )?", "", line) for line in lines]
    return list(dict.fromkeys(told))


def fit_line(alidade, one, method, capabilities, target, data, model):
    line = [alidade, "fit", os.path.basename(data), "--method", method, "-o", model] + one.options
    if target:
        line += ["--target", ",".join(target)]
    if "--components" not in one.options:
        line += ["--components", "1"]
    return line


def try_pair(alidade, folder, one, method, capabilities):
    if one.smaller and method in sets.CUBIC:
        one = one.smaller
    target = target_of(one, capabilities)
    data = sets.write_set(one, target, folder)
    model = f"{one.name}-{method}.ald"
    code, _, stderr = run(fit_line(alidade, one, method, capabilities, target, data, model), folder)
    told = sentences(stderr, method, data)
    text = " ".join(told)
    if code in (1, 2):
        written = os.path.exists(os.path.join(folder, model))
        return Outcome("refused", told[-1] if told else "", "a model in spite of it" if written else None)
    if code != 0:
        return Outcome("failed", text, f"ends with {code}: {stderr[-600:].decode('utf-8', 'replace')}")
    path = os.path.join(folder, model)
    fault = unsound_model(path)
    if not fault and "new-rows" in capabilities:
        code, rows, stderr = run([alidade, "transform", model, os.path.basename(data), "-o", "-"] +
                                 (["--missing", "mean"] if "--missing" in one.options else []), folder)
        fault = unsound_rows(rows) if code == 0 else f"transform: {stderr.decode('utf-8', 'replace').strip()}"
    os.remove(path)
    return Outcome("warning" if told else "ok", text, fault)


def all_pairs(options, methods):
    pairs = [(one, method, capabilities) for one in sets.make_sets() for method, capabilities in methods
             if not options.only or one.name in options.only]
    step = 1 if os.environ.get("ALD_LONG") else options.sample * int(os.environ.get("ALD_SAMPLE", 1))
    return pairs[::step]


def page(outcomes, methods):
    """Markdown: for each set what the methods say, those that say the same together."""
    order = [name for name, _ in methods]
    lines = ["# Every method on hostile sets", "",
             "What `alidade fit` says to data that are hard on a method. The page is made by",
             "`tests/hostile/hostile.py build/alidade --page docs/hostile.md`, which also sees to it that what is given",
             "with exit status 0 has no NaN, no infinite number and not only zeros, and that every fit ends within",
             f"{TIME_LIMIT} seconds. A method is given classes where it takes them, else a real response, else labels;",
             "one component is asked for where nothing else is said. METHOD stands for the name of the method and # for",
             "a number that depends on the rounding of the machine. ok: without a word of warning. What people who mean",
             "harm may hold, and what is promised then, is in [SECURITY.md](../SECURITY.md).", ""]
    titles = {one.name: one.title for one in sets.make_sets()}
    for name in dict.fromkeys(key[0] for key in outcomes):
        lines += [f"## {titles[name][0].upper()}{titles[name][1:]}", "", "| methods | what they say |", "| --- | --- |"]
        groups = {}
        for method in order:
            if (name, method) in outcomes:
                found = outcomes[name, method]
                groups.setdefault((found.kind, found.text), []).append(method)
        rank = {"ok": 0, "warning": 1, "refused": 2, "failed": 3}
        for (kind, text), who in sorted(groups.items(), key=lambda group: (rank[group[0][0]], -len(group[1]))):
            said = kind if kind == "ok" else f"{kind}: {text}".replace("|", "\\|")
            lines.append(f"| {', '.join(who)} | {said} |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def write_page(options, text):
    old = open(options.page, encoding="utf-8").read() if os.path.exists(options.page) else ""
    if old == text:
        return 0
    if options.check:
        print(f"{options.page} is stale: run {sys.argv[0]} ALIDADE --page {options.page}")
        return 1
    with open(options.page, "w", encoding="utf-8") as to:
        to.write(text)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alidade")
    parser.add_argument("--page")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    alidade = os.path.abspath(options.alidade)
    methods = known_methods(alidade)
    pairs = all_pairs(options, methods)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for one, method, capabilities in pairs:
            one = one.smaller if one.smaller and method in sets.CUBIC else one
            sets.write_set(one, target_of(one, capabilities), folder)
        found = list(pool.map(lambda pair: try_pair(alidade, folder, *pair), pairs))
    outcomes = {(one.name, method): outcome for (one, method, _), outcome in zip(pairs, found)}
    faults = [(key, outcome) for key, outcome in outcomes.items() if outcome.fault]
    for (name, method), outcome in faults:
        print(f"{name} {method}: {outcome.kind}: {outcome.fault}")
    kinds = [outcome.kind for outcome in outcomes.values()]
    print(f"{len(outcomes)} fits: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds))))
    whole = len(pairs) == len(sets.make_sets()) * len(methods)
    stale = write_page(options, page(outcomes, methods)) if options.page and whole else 0
    return 1 if faults or stale else 0


if __name__ == "__main__":
    sys.exit(main())
