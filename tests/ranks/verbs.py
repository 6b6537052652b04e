#!/usr/bin/env python3
"""verbs ALIDADE: transform, predict, update, evaluate and merge on ranks against one process: the same file, row by
row, the same figures and the same warnings. ALD_LONG tries more numbers of ranks."""
import csv
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy

from mpi import SHORT, mpirun

ALIDADE = os.path.abspath(sys.argv[1])
ALL = [2, 3, 4, 7] if os.environ.get("ALD_LONG") else None
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name} {detail}")


def table(path, rows, seed, colours="rgb", classes=("one", "two", "a\nb")):
    """Names with line ends and quotes, a category, cells without a value."""
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "a", "b", "c", "colour", "y"])
        for i in range(rows):
            numbers = [f"{draw.gauss(i % 3, 1):.6f}" for _ in range(3)]
            writer.writerow([f'row "{i}",\nof {seed}', *numbers[:2], numbers[2] if i % 9 else "",
                             colours[i % len(colours)], classes[i % len(classes)]])


def alone(*words, folder):
    return subprocess.run([ALIDADE, *words], cwd=folder, capture_output=True, text=True, check=True)


def together(ranks, *words, folder):
    done = mpirun(ranks, [ALIDADE, *words], cwd=folder)
    check(" ".join(words), done.returncode == 0, f"by {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def same_csv(name, a, b):
    one, two = read(a), read(b)
    check(name, len(one) == len(two) and one[0] == two[0], f"{len(one)} rows against {len(two)}")
    for x, y in zip(one, two):
        for p, q in zip(x, y):
            try:
                alike = abs(float(p) - float(q)) <= 1e-12 * max(1.0, abs(float(p)))
            except ValueError:
                alike = p == q
            check(name, alike and len(x) == len(y), f"{x} against {y}")


def same_model(name, a, b, folder):
    """By what they do to rows."""
    for model, out in ((a, "p.csv"), (b, "q.csv")):
        alone("predict", model, "t.csv", "--probabilities", "--missing", "mean", "-o", out, folder=folder)
    one, two = read(f"{folder}/p.csv"), read(f"{folder}/q.csv")
    for x, y in zip(one[1:], two[1:]):
        apart = max(abs(float(p) - float(q)) for p, q in zip(x[2:], y[2:]))
        check(name, x[1] == y[1] and apart < 1e-9, f"{x} against {y}")


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def same_output(name, counts, *words, folder):
    """What is printed, and what is told, in every byte."""
    one = alone(*words, folder=folder)
    for count in counts:
        many = together(count, *words, folder=folder)
        check(f"{name}, {count} ranks", one.stdout == many.stdout, f"{one.stdout}\nagainst\n{many.stdout}")
        check(f"{name}, {count} ranks", one.stderr == many.stderr, f"{one.stderr}\nagainst\n{many.stderr}")


def evaluated(folder):
    """Figures, and warnings that count the rows of all ranks; rows without a target, the first rank having no other."""
    reading = ["--missing", "drop", "--metric", "all"]
    same_output("evaluate", ALL or [7], "evaluate", "m.ald", "x.csv", *reading, folder=folder)
    head, *rows = read(f"{folder}/u.csv")
    write(f"{folder}/few.csv", [head, *[[*row[:5], "" if i < 30 else row[5]] for i, row in enumerate(rows)]])
    same_output("evaluate, few targets", ALL or [3], "evaluate", "m.ald", "few.csv", "--unlabelled-rows", "drop",
                "--missing", "mean", "--continuity", "--hsic", "--json", folder=folder)
    alone("fit", "t.csv", "--target", "b", "--method", "pls", "--ignore", "name,y", *reading[:2], "-o", "n.ald",
          folder=folder)
    same_output("evaluate, numbers, of training", ALL or [2], "evaluate", "n.ald", "t.csv", *reading, folder=folder)
    with open(f"{folder}/labels.svm", "w", encoding="ascii") as file:
        file.writelines(f"{i % 3},{3 + i % 2} 1:{i % 7} 2:{i % 5} 3:{i % 11}\n" for i in range(40))
    alone("fit", "labels.svm", "--method", "hsl", "-o", "l.ald", folder=folder)
    same_output("evaluate, labels", ALL or [3], "evaluate", "l.ald", "labels.svm", "--metric", "all", folder=folder)
    refused = mpirun(2, [ALIDADE, "evaluate", "m.ald", "u.csv", "--stability"], cwd=folder)
    check("stability", refused.returncode == 2 and "without mpirun" in refused.stderr, refused.stderr)


def same_numbers(name, one, two):
    """Objects, lists, texts, and numbers to 1e-11."""
    if isinstance(one, dict):
        check(name, one.keys() == two.keys(), f"{one.keys()} against {two.keys()}")
        for key in one:
            same_numbers(f"{name} {key}", one[key], two[key])
    elif isinstance(one, list):
        check(name, len(one) == len(two), f"{len(one)} against {len(two)}")
        for a, b in zip(one, two):
            same_numbers(name, a, b)
    elif isinstance(one, float):
        check(name, abs(one - two) <= 1e-11 * max(1.0, abs(one)), f"{one} against {two}")
    else:
        check(name, one == two, f"{one} against {two}")


def measured(folder):
    """What is told of the projection itself: of classes, numbers, no target, sparse rows, a map that is not linear; with
    ranks all of whose rows are left out. And the file of the importances."""
    write(f"{folder}/known.csv", [[1, 0, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0]])
    head, *rows = read(f"{folder}/t.csv")
    write(f"{folder}/gone.csv", [head, *[[*row[:2], "" if i < 60 else row[2], *row[3:]] for i, row in enumerate(rows)]])
    alone("fit", "t.csv", "--method", "pca", "--ignore", "name,y", "--missing", "mean", "--n-components", "2", "-o",
          "a.ald", folder=folder)
    alone("fit", "t.csv", "--target", "b", "--method", "kpls", "--ignore", "name,y", "--missing", "mean", "--n-components",
          "2", "-o", "k.ald", folder=folder)
    drop, fill = ["--missing", "drop"], ["--missing", "mean"]
    linear = ["--explained", "--importance", "--importance-file", "f.csv"]
    for ranks, words in ((7, ["m.ald", "gone.csv", *linear, "--subspace", "known.csv", *drop]),
                         (3, ["n.ald", "t.csv", *linear, *fill]), (2, ["a.ald", "t.csv", *linear, *fill]),
                         (3, ["l.ald", "labels.svm", *linear]), (3, ["k.ald", "t.csv", "--explained", *fill])):
        name = f"evaluate {' '.join(words)} by {ranks}"
        one = json.loads(alone("evaluate", *words, "--json", folder=folder).stdout)
        if "--importance" in words:
            os.rename(f"{folder}/f.csv", f"{folder}/one-f.csv")
        many = together(ranks, "evaluate", *words, "--json", folder=folder)
        same_numbers(name, one, json.loads(many.stdout or "null"))
        if "--importance" in words:
            same_csv(name, f"{folder}/one-f.csv", f"{folder}/f.csv")


def new_classes(folder):
    """Classes that only some ranks have, in another order than one process numbers them; all rows of rank 0 are left
    out."""
    table(f"{folder}/new.csv", 40, 5, classes=("one", "zoo", "two", "ant"))
    head, *rows = read(f"{folder}/new.csv")
    holes = [[*row[:3], "", *row[4:]] for row in rows]
    write(f"{folder}/new.csv", [head, *holes, *sorted(rows, key=lambda row: row[5], reverse=True)])
    words = ["update", "m.ald", "new.csv", "--missing", "drop", "-o"]
    one = alone(*words, "one.ald", folder=folder).stderr
    many = together(3, *words, "all.ald", folder=folder).stderr
    check("new classes", one.replace("one.ald", "all.ald") == many and "there are 5 now" in many, one + many)
    same_model("new classes", "one.ald", "all.ald", folder)


def merged(folder):
    """The same bytes."""
    alone("fit", "u.csv", "--target", "y", "--method", "lda", "--keep-statistics", "--id", "name", "--missing", "mean",
          "-o", "part.ald", folder=folder)
    alone("merge", "m.ald", "part.ald", "-o", "one.ald", folder=folder)
    together(3, "merge", "m.ald", "part.ald", "-o", "all.ald", folder=folder)
    with open(f"{folder}/one.ald", "rb") as one, open(f"{folder}/all.ald", "rb") as many:
        check("merge", one.read() == many.read(), "has other bytes")


def own_files(folder):
    """--parts: a file per rank, with the rows of one process in their order; all or none."""
    words = ["predict", "m.ald", "u.csv", "--keep", "colour", "--missing", "drop", "--probabilities", "-o"]
    alone(*words, "one.csv", folder=folder)
    said = together(3, *words, "own.csv", "--parts", folder=folder).stderr
    check("parts", "own-1-of-3.csv ... own-3-of-3.csv: 50 rows" in said, said)
    found = [read(f"{folder}/own-{rank}-of-3.csv") for rank in (1, 2, 3)]
    write(f"{folder}/own.csv", [found[0][0], *[row for rows in found for row in rows[1:]]])
    same_csv("parts", f"{folder}/one.csv", f"{folder}/own.csv")
    check("parts", all(rows[0] == found[0][0] and len(rows) > 1 for rows in found), "a file without header or rows")
    alone("transform", "m.ald", "u.csv", "-o", "one.npy", folder=folder)
    together(2, "transform", "m.ald", "u.csv", "-o", "own.npy", "--parts", folder=folder)
    arrays = [numpy.load(f"{folder}/own-{rank}-of-2.npy") for rank in (1, 2)]
    check("parts, npy", numpy.abs(numpy.vstack(arrays) - numpy.load(f"{folder}/one.npy")).max() < 1e-12)
    os.makedirs(f"{folder}/own/o-2-of-3.csv")
    refused = mpirun(3, [ALIDADE, "transform", "m.ald", "u.csv", "-o", "own/o.csv", "--parts"], cwd=folder)
    check("parts, one that fails", refused.returncode == 1 and refused.stderr.count("alidade") == 1, refused.stderr)
    check("parts, one that fails", os.listdir(f"{folder}/own") == ["o-2-of-3.csv"], str(os.listdir(f"{folder}/own")))


def parts(folder):
    """The same rows in several files, one compressed and one of a single row, by a pattern."""
    rows = read(f"{folder}/t.csv")
    for number, (begin, end) in enumerate(((1, 40), (40, 41), (41, 90), (90, len(rows)))):
        name = f"{folder}/part-{number}.csv"
        with gzip.open(name + ".gz", "wt", encoding="utf-8", newline="") if number == 2 else open(
                name, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([rows[0], *rows[begin:end]])


def shortly(folder):
    """Each verb once, for the sanitizers; transform is in places.py."""
    table(f"{folder}/t.csv", 30, 1)
    alone("fit", "t.csv", "--target", "y", "--method", "lda", "--keep-statistics", "--id", "name", "--missing", "mean", "-o",
          "m.ald", folder=folder)
    together(2, "update", "m.ald", "t.csv", "-o", "all.ald", folder=folder)
    together(2, "predict", "m.ald", "t.csv", "--json", folder=folder)
    together(2, "evaluate", "m.ald", "t.csv", "--continuity", folder=folder)


if SHORT:
    with tempfile.TemporaryDirectory() as made:
        shortly(made)
    print("\n".join(failures[:10]))
    sys.exit(bool(failures))
with tempfile.TemporaryDirectory() as made:
    table(f"{made}/t.csv", 101, 1)
    table(f"{made}/u.csv", 50, 2)
    reading = ["--id", "name", "--missing", "mean"]
    alone("fit", "t.csv", "--target", "y", "--method", "lda", "--keep-statistics", *reading, "-o", "m.ald", folder=made)
    for verb, missing, count in (("transform", "mean", 7), ("transform", "drop", 3), ("predict", "mean", 2)):
        words = [verb, "m.ald", "u.csv", "--keep", "colour", "--missing", missing, "-o"]
        alone(*words, "one.csv", folder=made)
        said = together(count, *words, "all.csv", folder=made).stderr
        check(verb, "all.csv: 50 rows" in said, said)
        same_csv(f"{verb}, {missing}, {count} ranks", f"{made}/one.csv", f"{made}/all.csv")
    alone("transform", "m.ald", "u.csv", "-o", "one.npy", folder=made)
    together(3, "transform", "m.ald", "u.csv", "-o", "all.npy", folder=made)
    apart = numpy.abs(numpy.load(f"{made}/one.npy") - numpy.load(f"{made}/all.npy")).max()
    check("npy", apart < 1e-12, str(apart))
    alone("update", "m.ald", "u.csv", "-o", "one.ald", folder=made)
    together(3, "update", "m.ald", "u.csv", "-o", "all.ald", folder=made)
    same_model("update", "one.ald", "all.ald", made)
    together(2, "update", "all.ald", "u.csv", "--remove", "-o", "all.ald", folder=made)  # in its place, which is locked
    same_model("update --remove", "m.ald", "all.ald", made)
    table(f"{made}/x.csv", 60, 4, colours="rgbxz")
    same_output("predict --json", ALL or [3], "predict", "m.ald", "x.csv", "--json", "--probabilities", "--missing",
                "drop", folder=made)
    evaluated(made)
    measured(made)
    own_files(made)
    new_classes(made)
    merged(made)
    parts(made)
    words = ["--target", "y", "--method", "lda", "--keep-statistics", *reading, "--stream", "-o"]
    alone("fit", "part-*", *words, "all.ald", folder=made)
    same_model("parts, alone", "m.ald", "all.ald", made)
    together(7, "fit", "part-*", *words, "all.ald", folder=made)
    same_model("parts, 7 ranks, three of them without rows", "m.ald", "all.ald", made)
    few = mpirun(3, [ALIDADE, "transform", "m.ald", "few.csv"], cwd=made) if not table(f"{made}/few.csv", 1, 3) else None
    check("few rows", few.returncode != 0 and "start fewer" in few.stderr, few.stderr)
print("\n".join(failures[:10]) if failures else "the verbs do on ranks what they do alone")
sys.exit(bool(failures))
