#!/usr/bin/env python3
"""memory ALIDADE: what a rank has in memory beyond the program itself, against the working set that docs/clusters.md states.

npy: two times the moments and the blocks. csv: the blocks, and the share of the rows where they are kept. Rank 1 is looked
at: rank 0 fits besides. The program itself is what a fit of a few rows takes. With ALD_LONG only."""
import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy

from mpi import mpirun

MEGABYTE = 1e6
SLACK = 8 * MEGABYTE  # of the allocator and of the libraries


def child(report, words):
    code = subprocess.run(words, check=False).returncode
    if os.environ["OMPI_COMM_WORLD_RANK"] == "1":
        with open(report, "w", encoding="ascii") as file:
            json.dump(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file)
    return code


def used(folder, file, *more):
    """The most bytes that rank 1 of 2 had resident."""
    text = file.endswith("csv")
    target = "y" if text else str(numpy.load(f"{folder}/{file}", mmap_mode="r").shape[1])
    words = [os.path.abspath(sys.argv[1]), "fit", file, "--target", target, "--method", "lda", "--task", "classification",
             "--stream", "--threads", "1", "-q", "-o", "m.ald", *more]
    report = f"{folder}/used"
    done = mpirun(2, [sys.executable, os.path.abspath(__file__), "--child", report, *words], cwd=folder)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.load(open(report, encoding="ascii"))


def write(path, rows, columns):
    x = numpy.random.default_rng(1).standard_normal((rows, columns + 1)).round(3)
    x[:, -1] = numpy.arange(rows) % 3
    if path.endswith(".npy"):
        numpy.save(path, x)
        return
    lines = [",".join(f"{cell:g}" for cell in row) + "\n" for row in x[:3000]]
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join([*(f"x{j}" for j in range(columns)), "y"]) + "\n")
        file.writelines(lines * (rows // 3000))


def main():
    failures = 0
    columns, rows = 700, 8000
    text_rows, text_columns = 300000, 20
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/few.csv", 3000, 2)
        write(f"{folder}/t.npy", rows, columns)
        write(f"{folder}/t.csv", text_rows, text_columns)
        program = used(folder, "few.csv")
        moments = 2 * 8 * columns * (columns + 3)
        block = 2 * max(2 * MEGABYTE, 512 * 8 * (columns + 1))  # as it is read, and as numbers
        text = 4 * 2 * MEGABYTE  # 2 MB, what was read ahead, and both as numbers at most
        share = 8 * (text_columns + 1) * text_rows / 2
        for file, more, stated in (("t.npy", [], moments + block), ("t.csv", ["--keep-rows", "none"], text),
                                   ("t.csv", [], text + share)):
            taken = used(folder, file, *more) - program
            holds = taken <= stated + SLACK
            failures += not holds
            print(f"{file} {' '.join(more)}: {taken / MEGABYTE:.1f} MB, stated {stated / MEGABYTE:.1f} MB, "
                  f"its rows as numbers {(share if file == 't.csv' else 4 * rows * columns) / MEGABYTE:.1f} MB"
                  f"{'' if holds else ': too much'}")
    return failures > 0


if sys.argv[1] == "--child":
    sys.exit(child(sys.argv[2], sys.argv[3:]))
sys.exit(main() if os.environ.get("ALD_LONG") else 77)
