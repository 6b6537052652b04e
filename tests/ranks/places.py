#!/usr/bin/env python3
"""places ALIDADE: a row that is not as it should be, in the last rank's portion, is named by transform, predict,
evaluate and update as one process names it: by its line or row of the whole file. One message, and no output file."""
import csv
import os
import random
import subprocess
import sys
import tempfile

import numpy

from mpi import SHORT, mpirun

ALIDADE = os.path.abspath(sys.argv[1])
ROWS, BAD = 120, 100
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name} {detail}")


def rows():
    draw = random.Random(1)
    return [[f'name "{i}",\nof\n\n{i}', *[f"{draw.gauss(i % 3, 1):.6f}" for _ in range(4)], "abc"[i % 3]]
            for i in range(ROWS)]


def write_csv(path, cell=None, column=2):
    """Cells with line ends and quotes, so that a portion may begin within one."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "a", "b", "c", "d", "y"])
        for i, row in enumerate(rows()):
            writer.writerow([*row[:column], cell, *row[column + 1:]] if cell is not None and i == BAD else row)


def write_svm(path, cell=None):
    with open(path, "w", encoding="ascii") as file:
        for i, row in enumerate(rows()):
            cells = [f"{j}:{row[j]}" for j in range(1, 5)]
            file.write(f"{i % 3} " + " ".join([cell, *cells[1:]] if cell and i == BAD else cells) + "\n")


def write_npy(path, values=None):
    table = numpy.array([[*map(float, row[1:5]), i % 3] for i, row in enumerate(rows())])
    if values:
        table[BAD, :len(values)] = values
    numpy.save(path, table)


def fit(folder, file, *more):
    subprocess.run([ALIDADE, "fit", file, "--method", "lda", *more], cwd=folder, check=True, capture_output=True)


def said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("alidade")]


def same_message(folder, ranks, expected, verb, model, file):
    words = [ALIDADE, verb, model, file, *(["-o", "out.csv"] if verb != "evaluate" else [])]
    one = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    many = mpirun(ranks, words, cwd=folder)
    name = f"{verb} {file} by {ranks}"
    check(name, one.returncode == many.returncode == 1, f"exit {one.returncode} and {many.returncode}")
    check(name, said(one) == said(many) and len(said(one)) == 1, f"{said(one)}\nagainst\n{said(many)}")
    check(name, expected in many.stderr, f"{expected} is not in {many.stderr}")
    check(name, not os.path.exists(f"{folder}/out.csv"), "left a file")


def same_refusal(folder, ranks, expected, file, *more):
    """A fit, which reads in blocks."""
    words = [ALIDADE, "fit", file, "--stream", "-o", "out.ald", *more]
    one = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    many = mpirun(ranks, words, cwd=folder)
    check(f"fit {file}", one.returncode == many.returncode == 1, f"exit {one.returncode} and {many.returncode}")
    check(f"fit {file}", said(one) == said(many) and expected in many.stderr, f"{said(one)}\nagainst\n{said(many)}")


def parts(folder):
    """A text among numbers is in one of several files; a file of no rows has nothing to divide."""
    for k, bad in ((1, None), (2, BAD), (3, None)):
        write_csv(f"{folder}/part-{k}.csv", "oops" if bad else None)
    line = 1 + 4 * (BAD + 1)
    same_refusal(folder, 3, f"part-2.csv: line {line}, column 3", "part-*.csv", "--target", "y", "--method", "lda", "--id",
                 "name")
    numpy.save(f"{folder}/none.npy", numpy.zeros((0, 4)))
    same_refusal(folder, 2, "there are no rows", "none.npy", "--method", "pca")


with tempfile.TemporaryDirectory() as made:
    if not SHORT:
        parts(made)
    for name, write in (("t.csv", write_csv), ("t.svm", write_svm), ("t.npy", write_npy)):
        write(f"{made}/{name}")
    fit(made, "t.csv", "--target", "y", "--id", "name", "--keep-statistics", "-o", "c.ald")
    fit(made, "t.svm", "--task", "classification", "--keep-statistics", "-o", "s.ald")
    fit(made, "t.npy", "--target", "5", "--task", "classification", "--row-scale", "standard", "-o", "n.ald")
    write_csv(f"{made}/text.csv", "oops")
    write_csv(f"{made}/hole.csv", "")
    write_csv(f"{made}/untold.csv", "", 5)
    write_svm(f"{made}/text.svm", "1:oops")
    write_npy(f"{made}/infinite.npy", [1.0, numpy.inf])
    write_npy(f"{made}/large.npy", [1e308, -1e308, 1e308])
    line = 1 + 4 * (BAD + 1)  # the header, and four lines of each row, in the last of which its cells stand
    same_message(made, 2, f"line {line}, column 3", "transform", "c.ald", "text.csv")
    if not SHORT:
        same_message(made, 3, f"line {line}, column 3", "predict", "c.ald", "hole.csv")
        same_message(made, 3, f"row {BAD + 1} has no target", "evaluate", "c.ald", "untold.csv")
        same_message(made, 3, f"row {BAD + 1} has no target", "update", "c.ald", "untold.csv")
        same_message(made, 2, f"line {BAD + 1}, column", "transform", "s.ald", "text.svm")
        same_message(made, 3, f"line {BAD + 1}, column", "update", "s.ald", "text.svm")
        same_message(made, 3, f"row {BAD + 1}, column 2", "transform", "n.ald", "infinite.npy")
        for verb, ranks in (("transform", 2), ("predict", 3), ("evaluate", 2)):
            same_message(made, ranks, f"row {BAD + 1} are too large", verb, "n.ald", "large.npy")
print("\n".join(failures[:10]) if failures else "rows are named as one process names them")
sys.exit(bool(failures))
