#!/usr/bin/env python3
"""ranks_eigen ALIDADE [--kind sparse|dense] [--rows N] [--columns D] [--ranks 1,2] [--routes scatter,lanczos,krylov-schur]
[--components R] [--folder F] [--quick]: pca of more than 5000 columns by each way there is (docs/clusters.md).

What is told is the processor time of the busiest rank and the most memory that one had; then what the rule chooses
(src/cluster/strips/route.h), and what it expected."""
import argparse
import os
import subprocess
import sys
import tempfile

from ranks import run

MOST_SQUARE = 40000  # columns of a scatter that is divided over ranks
# rows, columns, and words of a row (sparse: 23 million entries)
SIZES = {"sparse": (200_000, 50_000, 117), "dense": (20_000, 8_000, None)}


def make_sparse(path, rows, columns, each):
    """Counts of words: some words are common, and every tenth of the rows has words of its own."""
    import numpy
    draw = numpy.random.default_rng(1)
    weight = 1 / (numpy.arange(columns) + 50.0)
    common = numpy.cumsum(weight / weight.sum())
    with open(path, "w", encoding="ascii") as out:
        for i in range(rows):
            words = numpy.searchsorted(common, draw.random(each))
            words[: each // 4] = (words[: each // 4] * 10 + i % 10) % columns
            found, count = numpy.unique(words, return_counts=True)
            out.write(f"{i % 5} " + " ".join(f"{j + 1}:{c}" for j, c in zip(found.tolist(), count.tolist())) + "\n")


def make_dense(path, rows, columns, each):
    """Thirty factors of falling size, and noise."""
    import numpy
    draw = numpy.random.default_rng(1)
    factors = draw.standard_normal((30, columns)) * (0.9 ** numpy.arange(30))[:, None]
    out = numpy.lib.format.open_memmap(path, "w+", shape=(rows, columns))
    for at in range(0, rows, 1000):
        count = min(1000, rows - at)
        out[at:at + count] = draw.standard_normal((count, 30)) @ factors + draw.standard_normal((count, columns))
    del out


def told(program, model):
    text = subprocess.run([program, "inspect", model], capture_output=True, text=True, check=True).stdout
    return [" ".join(line.split()) for line in text.splitlines() if "solver" in line or "products" in line]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alidade")
    parser.add_argument("--kind", choices=tuple(SIZES), default="sparse")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--routes", default="lanczos,krylov-schur,scatter,by the rule")
    parser.add_argument("--components", default="10")
    parser.add_argument("--folder")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rows, columns, each = SIZES[options.kind]
    rows, columns = options.rows or rows, options.columns or columns
    if options.quick:
        rows, columns = 300, 5100
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or made
        path = os.path.join(folder, f"{rows}x{columns}.{'svm' if options.kind == 'sparse' else 'npy'}")
        if not os.path.exists(path):
            (make_sparse if options.kind == "sparse" else make_dense)(path, rows, columns, each)
        program = os.path.abspath(options.alidade)
        model = os.path.join(made, "m.ald")
        words = ["fit", path, "--method", "pca", "--components", options.components, "--stream", "--threads", "1", "-q",
                 "-o", model]
        for ranks in (int(word) for word in options.ranks.split(",")):
            for route in options.routes.split(","):
                if route == "scatter" and columns > MOST_SQUARE:
                    continue
                os.environ["ALD_RANKS_ROUTE"] = route
                seconds, megabytes, wall = run(program, ranks, words, made)
                print(f"{options.kind} {rows} x {columns}, {ranks} ranks, {route}: {seconds:.1f} s, {megabytes:.0f} MB, "
                      f"{wall:.1f} s on the clock; {'; '.join(told(program, model))}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
