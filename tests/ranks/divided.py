#!/usr/bin/env python3
"""divided ALIDADE: methods that keep their rows on the ranks. Ranks without rows, fewer rows than ranks; what several
ranks do not do is refused with one sentence, before anything is read."""
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy

from mpi import SHORT, mpirun

ALIDADE = os.path.abspath(sys.argv[1])
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name} {detail}")


def table(path, rows, columns):
    draw = random.Random(3)
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"x{j}" for j in range(columns)) + ",y\n")
        for _ in range(rows):
            cells = [draw.gauss(0, 1) for _ in range(columns)]
            file.write(",".join(f"{cell:.6f}" for cell in cells) + f",{cells[0] + cells[1] ** 2:.6f}\n")


def sparse(path, rows, columns):
    """A few columns that matter, and a few of the others in each row."""
    draw = random.Random(7)
    with open(path, "w", encoding="ascii") as file:
        for i in range(rows):
            cells = {j: draw.gauss(0, 1) for j in range(3)}
            cells.update({j: draw.gauss(0, 0.3) for j in draw.sample(range(3, columns), 6)})
            if i == rows - 1:
                cells[columns - 1] = 0.1
            file.write(f"{cells[0] + cells[1] ** 2:.6f} ")
            file.write(" ".join(f"{j + 1}:{value:.6f}" for j, value in sorted(cells.items())) + "\n")


def graph(path, rows):
    """Weights of a few neighbours of each row, most of them one way only; row 1 has none."""
    draw = random.Random(4)
    edges = {(i, draw.randrange(1, rows + 1)): draw.uniform(0.5, 2) for i in range(2, rows + 1) for _ in range(4)}
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{rows} {rows} {len(edges)}\n")
        for (i, j), weight in edges.items():
            file.write(f"{i} {j} {weight:.6f}\n")


def arrays(path):
    """The numbers of a model file, whose layout is that of safetensors."""
    with open(path, "rb") as file:
        data = file.read()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    return {name: numpy.frombuffer(data[end + entry["data_offsets"][0]:end + entry["data_offsets"][1]], "<f8")
            for name, entry in header.items() if name != "__metadata__" and entry["dtype"] == "F64"}


def fit(file, method, *more):
    target = ["--task", "regression"] if file.endswith(".svm") else ["--target", "y"]
    return [ALIDADE, "fit", file, *target, "--method", method, *more]


def same(folder, ranks, file, method, *more, tolerance=1e-9, path=()):
    """By all ranks as by one process; arrays of `path` tell of the way there, which may be another."""
    subprocess.run([*fit(file, method, *more), "-o", "one.ald"], cwd=folder, capture_output=True, check=True)
    done = mpirun(ranks, [*fit(file, method, *more), "--stream", "-o", "all.ald"], cwd=folder)
    name = f"{method} {file} by {ranks}"
    check(name, done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    one, together = arrays(f"{folder}/one.ald"), arrays(f"{folder}/all.ald")
    check(name, one.keys() == together.keys(), str(one.keys() ^ together.keys()))
    for key in one.keys() - set(path):
        numbers = one[key]
        apart = numpy.abs(numbers - together[key]).max() / max(1.0, numpy.abs(numbers).max())
        check(name, apart < tolerance, f"{key}: {apart}")


def by_one(folder, file, method, *more):
    """A stream in one process and mpirun -n 1 take the same and give the same."""
    words = [*fit(file, method, *more), "--stream", "-q", "-o"]
    alone = subprocess.run([*words, "one.ald"], cwd=folder, capture_output=True, text=True, check=False)
    done = mpirun(1, [*words, "all.ald"], cwd=folder)
    name = f"{method} {more} by one"
    check(name, alone.returncode == done.returncode == 0, alone.stderr + done.stderr)
    with open(f"{folder}/one.ald", "rb") as one, open(f"{folder}/all.ald", "rb") as other:
        check(name, one.read() == other.read(), "other bytes")


def refused(folder, expected, file, method, *more):
    done = mpirun(2, [*fit(file, method, *more), "--stream", "-o", "none.ald"], cwd=folder)
    said = [line for line in done.stderr.splitlines() if line.startswith("alidade")]
    check(f"{method} {more}", done.returncode != 0 and len(said) == 1 and expected in said[0], done.stderr)
    check(f"{method} {more}", not os.path.exists(f"{folder}/none.ald"), "left a model")


def more(made):
    by_one(made, "some.csv", "sdpp", "--n-components", "2", "--ridge-rel", "0.01")
    by_one(made, "some.csv", "kpls", "--n-components", "2", "--landmarks", "9", "--scale", "standard")
    same(made, 3, "some.csv", "sdpp", "--n-components", "0", "--ridge-rel", "0.01")
    same(made, 2, "wide.csv", "sdpp", "--n-components", "2", "--pca-dims", "4")
    graph(f"{made}/graph.mtx", 40)
    graph(f"{made}/small.mtx", 20)
    same(made, 3, "some.csv", "sdpp", "--n-components", "2", "--graph-file", "graph.mtx")
    refused(made, "20", "some.csv", "sdpp", "--graph-file", "small.mtx")
    refused(made, "--graph-file", "some.csv", "pls", "--graph-file", "graph.mtx")
    # beyond 62 columns gradients are summed, and both end where the tolerance of the gradient, 1e-8, is reached
    same(made, 3, "wide.csv", "sdpp", "--n-components", "2", "--ridge-rel", "0.05", tolerance=1e-6,
         path=("spectrum", "objective_history"))
    refused(made, "2001", "wider.csv", "sdpp", "--n-components", "1", "--ridge-rel", "0.1", "--n-neighbors", "2")
    # beyond 2000 columns all is done by products
    ridge = ["--n-components", "2", "--ridge-rel", "0.1", "--n-starts", "1"]
    same(made, 3, "wider.svm", "sdpp", *ridge, tolerance=1e-6, path=("objective_history",))
    same(made, 2, "wider.svm", "sdpp", *ridge, "--penalty", "l21", "--penalty-weight", "0.02", "--scale", "standard",
         "--predictor", "none", tolerance=1e-6, path=("objective_history",))
    refused(made, "more than 2000 columns", "wider.svm", "sdpp", "--n-components", "0")
    same(made, 4, "some.csv", "sdpp", "--n-components", "2", "--graph", "epsilon", "--radius", "0.7")
    for ranks, kind in ((3, "natural"), (7, "enclosing")):
        same(made, ranks, "some.csv", "sdpp", "--n-components", "2", "--graph", kind)
    # proximal steps end where they are shorter than the tolerance, 1e-8 of W
    for ranks, file, kind in ((3, "some.csv", "l1"), (2, "some.csv", "l21"), (3, "wide.csv", "l21")):
        same(made, ranks, file, "sdpp", "--n-components", "2", "--penalty", kind, "--ridge-rel", "0.05",
             "--penalty-weight", "0.02", tolerance=1e-6, path=("spectrum", "objective_history"))
    refused(made, "as it has a graph of its own", "some.csv", "sdpp", "--manifold", "0.1")
    refused(made, "beside --pca-dims", "some.csv", "sdpp", "--penalty", "l1", "--pca-dims", "2")
    same(made, 3, "wide.csv", "ksdpp", "--n-components", "2", "--landmarks", "70", "--ridge-rel", "0.05", tolerance=1e-5,
         path=("spectrum", "objective_history"))
    refused(made, "--response-kernel rbf", "some.csv", "ksdpp", "--landmarks", "9", "--response-kernel", "rbf")
    refused(made, "--landmarks 1000", "some.csv", "kpca", "--n-components", "1")
    refused(made, "leverage", "some.csv", "kpca", "--landmarks", "9", "--landmark-choice", "leverage")


with tempfile.TemporaryDirectory() as made:
    table(f"{made}/few.csv", 5, 2)
    table(f"{made}/some.csv", 40, 3)
    table(f"{made}/wide.csv", 150, 66)
    table(f"{made}/wider.csv", 6, 2001)
    sparse(f"{made}/wider.svm", 2050, 2100)
    same(made, 2 if SHORT else 7, "few.csv", "sdpp", "--n-components", "1", "--predictor", "knn")
    same(made, 2 if SHORT else 7, "few.csv", "kpls", "--n-components", "1", "--landmarks", "3", "--predictor", "linear")
    if not SHORT:
        more(made)
print("\n".join(failures) if failures else "rows that stay with their ranks: as by one process")
sys.exit(bool(failures))
