#!/usr/bin/env python3
"""memory ALIDADE: what a rank has in memory beyond the program itself, against the working set that docs/clusters.md states.

Each case is a file, more words of the command and the bytes that the tables of that page come to: npy, csv and svmlight, by
moments and by passes, rows kept and not. Rank 1 is looked at: rank 0 fits besides. The program itself is what a fit of a few
rows takes. With ALD_LONG all cases, on larger files; without it those of csv."""
import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy

from mpi import mpirun

MEGABYTE = 1e6
SLACK = 2 * MEGABYTE  # of the allocator, of MPI's buffers and of the libraries
CLASSES = 3


def child(report, words):
    code = subprocess.run(words, check=False).returncode
    if os.environ["OMPI_COMM_WORLD_RANK"] == "1":
        with open(report, "w", encoding="ascii") as file:
            json.dump(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file)
    return code


def used(folder, file, *more):
    """The most bytes that rank 1 of 2 had resident."""
    target = {"csv": ["--target", "y"], "svm": []}.get(file.split(".")[1])
    if target is None:
        target = ["--target", str(numpy.load(f"{folder}/{file}", mmap_mode="r").shape[1])]
    words = [os.path.abspath(sys.argv[1]), "fit", file, *target, "--method", "lda", "--task", "classification", "--stream",
             "--threads", "1", "-q", "-o", "m.ald", *more]
    report = f"{folder}/used"
    done = mpirun(2, [sys.executable, os.path.abspath(__file__), "--child", report, *words], cwd=folder)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.load(open(report, encoding="ascii"))


def write(path, rows, columns):
    """Numbers, the class behind them; the rows of a text repeat, which are long to write."""
    if path.endswith(".npy"):
        x = numpy.lib.format.open_memmap(path, "w+", shape=(rows, columns + 1))
        for at in range(0, rows, 500):
            x[at:at + 500] = numpy.random.default_rng(at).standard_normal(x[at:at + 500].shape)
        x[:, -1] = numpy.arange(rows) % CLASSES
        return
    x = numpy.random.default_rng(1).standard_normal((3000, columns)).round(3)
    lines = [",".join(f"{cell:g}" for cell in row) + f",{i % CLASSES}\n" for i, row in enumerate(x)]
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join([*(f"x{j}" for j in range(columns)), "y"]) + "\n")
        file.writelines(lines * (rows // 3000))


def write_sparse(path, rows, columns, entries):
    draw = numpy.random.default_rng(1)
    lines = []
    for i in range(1000):
        at = numpy.unique(draw.integers(1, columns + 1, entries))
        lines.append(f"{i % CLASSES} " + " ".join(f"{j}:{draw.random():.3f}" for j in at) + "\n")
    lines[0] = f"0 {columns}:1\n"
    with open(path, "w", encoding="ascii") as file:
        file.writelines(lines * (rows // 1000))
    return sum(line.count(":") for line in lines) * (rows // 1000)


def block(row_bytes, numbers_per_byte):
    """Text: what is read ahead, the block that was cut of it, the parser's buffer, and the numbers."""
    size = max(2 * MEGABYTE, 512 * row_bytes)
    return 2 * size + MEGABYTE + numbers_per_byte * size


def moments(columns):
    """Of a block, and the sum so far."""
    return 2 * 8 * columns * (columns + CLASSES)


def passes(rows, columns):
    """LSQR for two components, of a rank of two, with the columns of a block while they are matched."""
    return 8 * (rows / 2 * (CLASSES + 1) + columns * (6 * CLASSES + 4 * 2 + 10 + 16))


def csv_cases(folder, rows, columns=20):
    write(f"{folder}/t.csv", rows, columns)
    size = os.path.getsize(f"{folder}/t.csv")
    working = block(0, 8 * (columns + 1) * rows / size)
    share = (8 * (columns + 1) + 4) * rows / 2  # and the class
    return [("t.csv", ["--keep-rows", "none"], working), ("t.csv", [], working + share)]


def npy_cases(folder):
    columns, rows, wide, few = 700, 8000, 6000, 2000
    write(f"{folder}/t.npy", rows, columns)
    write(f"{folder}/w.npy", few, wide)
    return [("t.npy", [], 512 * 8 * (columns + 1) + 2 * MEGABYTE + moments(columns)),
            ("w.npy", [], 512 * 8 * (wide + 1) + 2 * MEGABYTE + passes(few, wide))]


def svm_cases(folder, name, rows, columns, entries):
    count = write_sparse(f"{folder}/{name}", rows, columns, entries)
    size = os.path.getsize(f"{folder}/{name}")
    working = block(size / rows, (16 * count + 25 * rows) / size)
    share = (16 * count + 29 * rows) / 2  # and the class
    square = 64 * 8 * (2 * MEGABYTE * rows / size + 2 * columns)  # 64 columns of it at a time
    working += moments(columns) + square if columns <= 5000 else passes(rows, columns)
    return [(name, ["--keep-rows", "none"], working), (name, [], working + share)]


def cases(folder):
    if not os.environ.get("ALD_LONG"):
        return csv_cases(folder, 90000)
    return [*csv_cases(folder, 300000), *npy_cases(folder), *svm_cases(folder, "t.svm", 100000, 700, 20),
            *svm_cases(folder, "w.svm", 30000, 20000, 50)]


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/few.csv", 3000, 2)
        program = used(folder, "few.csv")
        for file, more, stated in cases(folder):
            taken = used(folder, file, *more) - program
            holds = taken <= stated + SLACK
            failures += not holds
            print(f"{file} {' '.join(more)}: {taken / MEGABYTE:.1f} MB, stated {stated / MEGABYTE:.1f} MB"
                  f"{'' if holds else ': too much'}")
    return failures > 0


if sys.argv[1] == "--child":
    sys.exit(child(sys.argv[2], sys.argv[3:]))
sys.exit(main())
