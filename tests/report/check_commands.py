#!/usr/bin/env python3
"""check_commands.py ALIDADE: the commands that a page lists, run by a shell as they stand, make the same model and the same
page, byte for byte, however the file was read and the columns were taken; where the command of the fit cannot be given the page says why."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ALIDADE = os.path.abspath(sys.argv[1])
RANDOM = random.Random(5)
PLS = "--method pls --components 2"
LAYOUT = "--skip 2 --delimiter ;"
failures = []

# name -> file, words of fit, words of report
REPEATED = {
    "mixed": ("mixed.csv", f"{LAYOUT} --decimal comma --na=-999,none --dates numbers --missing mean --categorical code "
              f"--id sample --weights w --target y {PLS}", LAYOUT),
    "found": ("mixed.csv", f"{LAYOUT} --na=-999,none --missing drop --encode ordinal --dates categories --target y {PLS}", LAYOUT),
    "nipals": ("mixed.csv", f"{LAYOUT} --na=-999,none --missing nipals --ignore colour,day --id sample,#9 --target y {PLS}",
               f"{LAYOUT} --missing mean"),
    "classes": ("mixed.csv", f"{LAYOUT} --na=-999,none --missing mean --target colour --ignore sample..day,w --method lda "
                "--predictor none", LAYOUT),
    "task": ("mixed.csv", f"{LAYOUT} --na=-999,none --missing mean --target code --task regression --ignore note {PLS}", LAYOUT),
    "rows": ("mixed.csv", f"{LAYOUT} --na=-999,none --missing mean --ignore sample,day,note,colour --target y --rows "
             f"snv,detrend:1 --scale standard --keep-statistics {PLS}", LAYOUT),
    "none": ("mixed.csv", f"{LAYOUT} --na=-999,none --missing mean --id sample --method pca --components 2", LAYOUT),
    "names": ("names.csv", f"--target #4,#5 --id #1 {PLS}", ""),
    "plain": ("plain.csv", f"--header no --ignore 2 --target 4 {PLS}", "--header no"),
    "turned": ("turned.csv", f"--transpose --target y {PLS}", ""),
    "thousands": ("thousands.csv", f"--thousands blank --target y {PLS}", ""),
    "unlabelled": ("holes.csv", f"--unlabelled-rows drop --target y {PLS}", ""),
    "sparse": ("rows.svm", f"--task regression {PLS}", ""),
    "second": ("plain.csv", f"--header no --target-file second.csv {PLS}", "--header no --target-file second.csv"),
    "chosen": ("plain.csv", "--header no --target 4 --method sdpp --choose-neighbors 4,8", "--header no"),
    "config": ("plain.csv", f"--header no --target 4 {PLS}", "--config page.conf"),
}
# name -> file, words of fit, words of report, the file of the report, what is said
UNKNOWN = {
    "distances": ("plain.csv", "--header no --method sdpp --target-distances square.csv", "--header no", "plain.csv", "target distances"),
    "graph": ("plain.csv", "--header no --target 4 --method sdpp --graph-file square.csv", "--header no", "plain.csv", "neighbours"),
    "others": ("plain.csv", f"--header no --target 4 {PLS}", "--header no", "fewer.csv", "a different number of rows"),
    "lost": ("names.csv", f"--target #5 --ignore #1 {PLS}", "", "lost.csv", "no target"),
}


def normals(n):
    return [RANDOM.gauss(0, 1) for _ in range(n)]


def write(path, rows, between=",", before=""):
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + "".join(between.join(str(cell) for cell in row) + "\n" for row in rows))


def mixed_row(i):
    a, b, c = normals(3)
    numbers = [f"{value:.3f}".replace(".", ",") for value in (a, b, 1000 * c, 1 + i % 3, 2 * a - b + i % 3)]
    if i in (4, 17):
        numbers[0] = "none" if i == 4 else "-999"
    return [f"s{i:02d}", f"2026-01-{i % 7 + 1:02d}", *numbers[:3], ("red", "green", "dark blue")[i % 3], (1, 2, 5)[i * i % 3], numbers[3],
            f"note {i}", numbers[4]]


def make_files():
    write("mixed.csv", [["sample", "day", "a", "b, wet", "c", "colour", "code", "w", "note", "y"], *map(mixed_row, range(60))], ";",
          "of the laboratory\n\n")
    table = [normals(3) for _ in range(30)]
    table = [row + [row[0] - row[1] + value] for row, value in zip(table, normals(30))]
    write("plain.csv", table)
    write("fewer.csv", table[:20])
    write("second.csv", [[row[0] + row[3], row[1]] for row in table])
    write("square.csv", [[abs(i - j) * (abs(i - j) < 4) for j in range(30)] for i in range(30)])
    names = ['"who\'s"', "$b", '" c"', '"y, first"', "-y"]
    write("names.csv", [names, *([f"n{i}", *row] for i, row in enumerate(table))])
    write("lost.csv", [names[:4], *([f"n{i}", *row[:3]] for i, row in enumerate(table))])
    write("turned.csv", [["gene", *(f"s{i}" for i in range(30))], *([name, *cells] for name, cells in zip("abcy", zip(*table)))])
    write("thousands.csv", [["a", "b", "y"], *([f"{1 + i} {i * 7919 % 1000:03d}.5", i * 31 % 17, i * 3] for i in range(30))])
    write("holes.csv", [["a", "b", "c", "y"], *(row[:3] + [row[3] if i % 9 else ""] for i, row in enumerate(table))])
    write("rows.svm", [[row[3], *(f"{j + 1}:{row[j]}" for j in range(3))] for row in table], " ")
    write("page.conf", [["header = no"], ["folds = 3"]])


def run(words):
    done = subprocess.run([ALIDADE, *words, "-q"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{words}: exit {done.returncode}\n{done.stderr}")


def make(name, data, fit, report, shown):
    """The lines of the page of a model."""
    run(["fit", data, *fit.split(), "-o", f"{name}.ald"])
    run(["report", f"{name}.ald", shown, *report.split(), "--quick", "-o", f"{name}.html"])
    with open(f"{name}.html", encoding="utf-8") as file:
        return json.loads(re.search(r'id="alidade-data">(.*?)</script>', file.read(), re.S).group(1))["commands"]


def check(good, name, what, lines):
    if not good:
        failures.append(name)
        print(f"{name}: {what}:", *lines, sep="\n    ")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_repeated(name, data, fit, report):
    lines = make(name, data, fit, report, data)
    before = read(f"{name}.ald"), read(f"{name}.html")
    os.remove(f"{name}.ald")
    path = os.pathsep.join([os.path.dirname(ALIDADE), os.environ["PATH"]])
    for line in lines:
        done = subprocess.run(line, shell=True, capture_output=True, text=True, env={**os.environ, "PATH": path})
        check(done.returncode == 0, name, done.stderr, [line])
    made = os.path.exists(f"{name}.ald") and os.path.exists("report.html")
    check(made and before[0] == read(f"{name}.ald"), name, "its commands make another model", lines)
    check(made and before[1] == read("report.html"), name, "its commands make another page", lines)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_files()
    for case, words in REPEATED.items():
        check_repeated(case, *words)
    for case, (source, fitted, reported, shown, said) in UNKNOWN.items():
        told = make(case, source, fitted, reported, shown)
        check(len(told) == 2 and told[0].startswith("# ") and said in told[0], case, f"does not say '{said}'", told)
    os.chdir("/")
print(f"{len(REPEATED) + len(UNKNOWN)} models, {len(failures)} failures")
sys.exit(bool(failures))
