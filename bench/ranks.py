#!/usr/bin/env python3
"""ranks ALIDADE [--rows N] [--columns D] [--ranks 1,2] [--methods pca,lda,pls] [--format npy|csv|svm] [--entries E]
[--components R] [--repeat N] [--folder F] [--file FILE] [--set METHOD=WORDS] [--quick]: how well several ranks share a fit
(docs/clusters.md).

With --entries an svmlight file has that many entries per row, as documents have words: of 20 topics, which are the
classes, each with its own words. --file keeps the file there, and takes it when it exists. --set lda='--ridge-rel 0.01'
gives words to the fits of one method.

Ranks on one machine share its cores, and other programs do too: what is told is the processor time of the busiest rank,
as the wall clock says nothing here. Efficiency at P ranks is the time of one rank, divided by P times that of the busiest
of P. The memory of a rank is the most that it had resident."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1"}  # as Open MPI does by itself where ranks are more than cores


def child(report, words):
    """One rank: runs the program and writes down what it used."""
    code = subprocess.run(words, check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rank = os.environ["OMPI_COMM_WORLD_RANK"]
    with open(f"{report}.{rank}", "w", encoding="ascii") as file:
        json.dump({"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024}, file)
    return code


def make(path, rows, columns, kind):
    import numpy
    draw = numpy.random.default_rng(1)
    step = max(1, 20_000_000 // columns)
    out = numpy.lib.format.open_memmap(path, "w+", shape=(rows, columns + 1)) if kind == "npy" else open(path, "w")
    if kind == "csv":
        out.write(",".join([f"x{j}" for j in range(columns)] + ["y"]) + "\n")
    for at in range(0, rows, step):
        count = min(step, rows - at)
        y = numpy.arange(at, at + count) % 5
        x = draw.standard_normal((count, columns))
        x[:, :5] += 2 * (y[:, None] == numpy.arange(5)[:min(5, columns)])
        if kind == "npy":
            out[at:at + count, :-1], out[at:at + count, -1] = x, y
        elif kind == "csv":
            numpy.savetxt(out, numpy.column_stack([x, y]), fmt="%.6g", delimiter=",")
        else:
            for row, label in zip(x, y):
                at_least = numpy.flatnonzero(numpy.abs(row) > 2)
                out.write(f"{label} " + " ".join(f"{j + 1}:{row[j]:.6g}" for j in at_least) + "\n")
    del out


def make_sparse(path, rows, columns, entries):
    import numpy
    draw = numpy.random.default_rng(1)
    topics, step = 20, 2000
    orders = [draw.permutation(columns) for _ in range(topics + 1)]  # the last one is of words that all use
    with open(path, "w", encoding="ascii") as out:
        for at in range(0, rows, step):
            count = min(step, rows - at)
            topic = draw.integers(0, topics, count)
            place = (columns ** draw.random((count, entries))).astype(int) - 1  # about 1 / place
            common = draw.random((count, entries)) < 0.5
            value = 1 + draw.integers(0, 999, (count, entries)) / 1000
            for i in range(count):
                words = numpy.where(common[i], orders[topics][place[i]], orders[topic[i]][place[i]])
                unique, first = numpy.unique(words, return_index=True)
                cells = zip((unique + 1).tolist(), value[i, first].tolist())
                out.write(f"{topic[i]} " + " ".join([f"{j}:{v:.3f}" for j, v in cells]) + "\n")


def run(program, ranks, words, folder):
    report = os.path.join(folder, "used")
    began = time.monotonic()
    done = subprocess.run(["mpirun", "-q", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sys.executable,
                           os.path.abspath(__file__), "--child", report, program, *words],
                          env={**os.environ, **ROOT}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    used = [json.load(open(f"{report}.{rank}", encoding="ascii")) for rank in range(ranks)]
    return (max(u["seconds"] for u in used), max(u["megabytes"] for u in used), time.monotonic() - began)


def fit(path, kind, method, columns, components, folder, more):
    target = {"npy": ["--target", str(columns + 1)], "csv": ["--target", "y"], "svm": []}[kind]
    task = ["--task", "classification"] if method == "lda" else []
    return ["fit", path, *target, *task, "--method", method, "--components", str(components), "--stream", "--threads", "1",
            "-q", "-o", os.path.join(folder, "t.ald"), *more]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alidade")
    parser.add_argument("--rows", type=int, default=125_000)
    parser.add_argument("--columns", type=int, default=2000)
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--methods", default="pca,lda,pls")
    parser.add_argument("--format", choices=("npy", "csv", "svm"), default="npy")
    parser.add_argument("--entries", type=int)
    parser.add_argument("--components", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=1, help="the least of so many runs")
    parser.add_argument("--folder")
    parser.add_argument("--file")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--quick", action="store_true", help="small, to see that it runs")
    o = parser.parse_args()
    if o.quick:
        o.rows, o.columns, o.methods = 2000, 20, "lda"
    more = dict(word.split("=", 1) for word in o.set)
    counts = [int(word) for word in o.ranks.split(",")]
    program = os.path.abspath(o.alidade)
    with tempfile.TemporaryDirectory(dir=o.folder) as folder:
        path = o.file or os.path.join(folder, f"t.{o.format}")
        if o.entries and not os.path.exists(path):
            make_sparse(path, o.rows, o.columns, o.entries)
        elif not os.path.exists(path):
            make(path, o.rows, o.columns, o.format)
        print(f"{o.rows} x {o.columns}, {o.format}, {os.path.getsize(path) / 1e9:.2f} GB")
        print(f"{'method':8}{'ranks':>6}{'busiest s':>11}{'efficiency':>12}{'MB per rank':>12}{'wall s':>8}")
        for method in o.methods.split(","):
            first = None
            for count in counts:
                words = fit(path, o.format, method, o.columns, o.components, folder, more.get(method, "").split())
                seconds, megabytes, wall = min(run(program, count, words, folder) for _ in range(o.repeat))
                first = first if first is not None else seconds * counts[0]
                print(f"{method:8}{count:6}{seconds:11.2f}{first / (count * seconds):12.2f}{megabytes:11.0f}{wall:8.1f}",
                      flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(child(sys.argv[2], sys.argv[3:]))
    main()
