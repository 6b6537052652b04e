#!/usr/bin/env python3
"""No command writes over a file that it reads, or writes two results to one file.

    paths.py ALIDADE DATA

Made from `alidade options`: of every verb, every pair of files of which one is written is given the same file, plainly,
by another spelling, through a link, and where nothing is yet. Each must be refused with status 2, and no file may have
changed. A new option that names a file joins by itself; one that does not say how is an error.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

ALIDADE, DATA = map(os.path.abspath, sys.argv[1:3])
FIXED = {  # values that are wanted besides the files
    "method": "pls", "methods": "pls", "target": "#1", "importance": None,
}
SPELLINGS = (("held.svg", "held.svg"), ("held.svg", "./held.svg"), ("link.svg", "sub/../held.svg"),
             ("new.svg", "./new.svg"), ("dangling.svg", "new.svg"))
REASONS = ("would overwrite", "both name", "are one file", "twice; give two files")
failures = []
tried = 0


def run(folder, words):
    return subprocess.run([ALIDADE] + words, cwd=folder, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)


def listing(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.islink(path):
            found[name] = "-> " + os.readlink(path)
        elif os.path.isfile(path):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


def files_of(verb):
    """Places of the command line that take a file: (kind, index or option, part)."""
    places = [("operand", i, 0, operand["file"]) for i, operand in enumerate(verb["operands"]) if operand["file"]]
    for option in verb["options"]:
        if option["type"] in ("file", "flag or file"):
            if not option["file"]:
                failures.append(f"{verb['name']} --{option['name']} does not say whether its file is read or written")
                continue
            places += [("option", option["name"], part, option["file"]) for part in range(option["values"])]
    return places


def is_written(place):
    return "written" in place[3]


def command(verb, given):
    """The words of the command line; `given` maps places to paths, all others get harmless ones."""
    words = [verb["name"]]
    for i, operand in enumerate(verb["operands"]):
        if operand["required"] or ("operand", i, 0) in given:
            usual = {"MODEL": "model.ald", "OUT": "free-out.csv"}.get(operand["name"], "data.csv")
            words.append(given.get(("operand", i, 0), usual))
    for option in verb["options"]:
        name = option["name"]
        keys = [("option", name, part) for part in range(option["values"])]
        if any(key in given for key in keys):
            values = [given.get(key, f"free-{name}-{key[2]}.svg") for key in keys]
            words += [f"--{name}={values[0]}"] if option["type"] == "flag or file" else [f"--{name}"] + values
        elif option["required"] and option["type"] == "file":
            words += [f"--{name}"] + [f"free-{name}-{part}.svg" for part in range(option["values"])]
        elif option["required"] or (name == "target" and option["type"] == "text"):
            words += [f"--{name}", FIXED[name]]
    return words


def try_pair(verb, a, b, spellings):
    global tried
    with tempfile.TemporaryDirectory() as folder:
        for name, source in (("data.csv", DATA + "/iris.csv"), ("model.ald", MODEL)):
            with open(source, "rb") as file, open(os.path.join(folder, name), "wb") as copy:
                copy.write(file.read())
        with open(os.path.join(folder, "held.svg"), "w", encoding="utf-8") as file:
            file.write("# a config file without options\n")
        os.mkdir(os.path.join(folder, "sub"))
        os.symlink("held.svg", os.path.join(folder, "link.svg"))
        os.symlink("new.svg", os.path.join(folder, "dangling.svg"))
        before = listing(folder)
        words = command(verb, {a[:3]: spellings[0], b[:3]: spellings[1]})
        result = run(folder, words)
        tried += 1
        if result.returncode != 2 or not any(reason in result.stderr for reason in REASONS):
            failures.append(f"{' '.join(words)}: status {result.returncode}: {result.stderr.strip()[:200]}")
        if listing(folder) != before:
            failures.append(f"{' '.join(words)}: files have changed")


def main():
    global MODEL
    place = tempfile.mkdtemp()
    MODEL = os.path.join(place, "model.ald")
    subprocess.run([ALIDADE, "fit", DATA + "/iris.csv", "--target", "y", "--method", "lda", "-q", "-o", MODEL],
                   check=True)
    verbs = json.loads(subprocess.run([ALIDADE, "options"], capture_output=True, check=True).stdout)
    pairs = 0
    for verb in verbs:
        in_place = {option["name"] for option in verb["options"] if option["in_place"]}
        for a, b in itertools.combinations(files_of(verb), 2):
            if not (is_written(a) or is_written(b)):
                continue
            if a[:2] == ("operand", 0) and b[1] in in_place:
                continue
            pairs += 1
            for spellings in SPELLINGS[:3] if "config" in (a[1], b[1]) else SPELLINGS:  # a config file is there
                try_pair(verb, a, b, spellings)
    os.unlink(MODEL)
    os.rmdir(place)
    for failure in failures:
        print(failure)
    print(f"{pairs} pairs of files of {len(verbs)} verbs, {tried} commands, {len(failures)} failures")
    sys.exit(1 if failures or pairs < 40 else 0)


main()
