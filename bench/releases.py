#!/usr/bin/env python3
"""releases.py OLD NEW [-o FILE.csv] [--threads 2,16] [--only pca,csv,...,drawn] [--methods sdpp,kdr,...] [--shapes K] [--seed S]
[--rounds R] [--seconds T] [--quick]: two releases of the library on the same work, without other peers.

OLD and NEW are files libalidade.so with libalidade-bench.so beside each. The work is that of the rows of bench.py, and `drawn`: methods
that no other package has, on K shapes each, drawn by the seed around the size that scaling.py begins with (n and d by a factor of 4
down and up, log-uniform; 1 to 3 components). Each library is in a process of its own, and the two take turns, R times each or until T
seconds of one work are over; the median of each counts. Printed is new over old for each row and function, above 1.05 marked: then
that row is measured once more, and both sets count."""
import argparse
import csv
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bench as rows  # noqa: E402
import measure  # noqa: E402
import rows_dense  # noqa: E402
import rows_files  # noqa: E402
import rows_pairs  # noqa: E402

PEERLESS = ("sdpp", "kdr", "rsir", "lsir", "mkdr", "cmvu")
FIELDS = ["row", "size", "function", "threads", "old", "new", "ratio", "rounds", "machine"]
SLOWER = 1.05
REST = 0.3  # seconds: threads of OpenBLAS wait busily after a call, and would slow down the other process


def drawn(bench):
    """Methods without peers on drawn shapes."""
    from scaling import METHODS, data_of
    for method in bench.methods:
        kind, base, _, settings, *_ = METHODS[method]
        sequence = random.Random(f"{method} {bench.seed}")
        for _ in range(bench.shapes):
            n, d = (max(12, round(base[axis] * 4 ** sequence.uniform(-1, 1))) for axis in "nd")
            n, r = max(n, 2 * d) // (10 if bench.quick else 1) + 30, min(sequence.randint(1, 3), base.get("c", 4) - 1)
            x, y = data_of(n, d, base.get("c", 4), kind)
            fit = rows_dense.fits(bench, method, dict(settings, n_components=r), x, y, None)["ours"]
            bench.row(method, f"{n} x {d}, r={r}", {"ours": fit})


class Worker:
    """One library in this process. It says where it has arrived and waits for requests: `run NAME` is a timed call, `next` leaves."""

    def __init__(self, options):
        self.name, self.count = "", 0
        rows.ROWS["drawn"] = drawn
        rows.Bench.row = lambda bench, row, size, own, *_, **__: self.serve(row, size, own)
        for module in (rows_dense, rows_pairs, rows_files):
            module.race, module.peak_of = self.race, lambda *_: None
        rows_files.on_disk = lambda folder: False
        measure.REST = 0
        sys.stdout = sys.stderr  # what the rows print; requests are answered on the true one
        self.bench = rows.Bench(options)
        self.bench.methods, self.bench.shapes, self.bench.seed = options.methods.split(","), options.shapes, options.seed
        self.bench.report.add = lambda *_, **__: None

    def race(self, own, *_):
        """Stands in for measure.race: times of ours only; the others count as one second."""
        self.count += 1
        best = self.serve(f"{self.name} ({self.count})", "", {name: f for name, f in own.items() if name != "products"})
        return {**{"lsqr": 1.0, "refitted": 1.0, "products": 1.0}, **best}, ()

    def serve(self, row, size, own):
        best = {}
        answer("at", row, size, *[name for name in own if name in ("ours", "float32", "few", "many")])
        for line in sys.stdin:
            word, _, name = line.rstrip("\n").partition("\t")
            if word == "next":
                break
            seconds = measure.seconds_of(own[name])
            best[name] = min(best.get(name, seconds), seconds)
            answer("took", repr(seconds))
        return {name: best.get(name, 1.0 + i) for i, name in enumerate(own)}

    def run(self):
        for line in sys.stdin:
            self.name, self.count = line.strip(), 0
            try:
                rows.ROWS[self.name](self.bench)
                answer("done", self.bench.report.where)
            except Exception as problem:  # the other library may have what this one lacks
                answer("failed", str(problem).replace("\n", " "))


def answer(*words):
    print(*words, sep="\t", file=sys.__stdout__, flush=True)


class Library:
    """A worker, from outside."""

    def __init__(self, options, library, threads, folder):
        command = [sys.executable, os.path.abspath(__file__), "--worker", library, library, "--threads", threads, "--folder", folder,
                   "--methods", options.methods, "--shapes", str(options.shapes), "--seed", str(options.seed), *["--quick"] * options.quick]
        environment = dict(os.environ, OPENBLAS_NUM_THREADS=threads, OMP_NUM_THREADS=threads)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)

    def ask(self, *words):
        if self.process.poll() is None:
            print(*words, sep="\t", file=self.process.stdin, flush=True)
        found = self.process.stdout.readline().rstrip("\n").split("\t")
        if not found[0]:
            sys.exit(f"releases.py: the process of {self.process.args[3]} ended; by hand: {' '.join(self.process.args)}")
        return found

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def turns(options, libraries, function):
    """Seconds of each library, in turn; who begins changes."""
    times, began = ([], []), time.perf_counter()
    for i in range(options.rounds):
        if i >= 3 and time.perf_counter() - began > options.seconds:
            break
        for which in ((0, 1), (1, 0))[i % 2]:
            time.sleep(0 if options.quick else REST)
            times[which].append(float(libraries[which].ask("run", function)[1]))
    return times


def compared(options, libraries, function):
    """Medians of both and how many times each ran; what looks slower gets a second look."""
    times = turns(options, libraries, function)
    if statistics.median(times[1]) > SLOWER * statistics.median(times[0]) and not options.quick:
        times = [a + b for a, b in zip(times, turns(options, libraries, function))]
    return *(statistics.median(t) for t in times), len(times[0])


def row_of(options, libraries, name, threads, write):
    """All places at which the rows of this name wait, in both libraries."""
    at = [library.ask(name) for library in libraries]
    while at[0][0] == at[1][0] == "at":
        if at[0] != at[1]:
            raise RuntimeError(f"{name}: the libraries are at different places, {at[0]} and {at[1]}")
        for function in at[0][3:]:
            old, new, count = compared(options, libraries, function)
            write(at[0][1], at[0][2], function, threads, old, new, count)
        at = [library.ask("next") for library in libraries]
    for which, found in enumerate(at):
        if found[0] == "failed":
            print(f"{name}: the {('old', 'new')[which]} library: {found[1]}", flush=True)
        while found[0] == "at":
            found = libraries[which].ask("next")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("-o", "--output", default=os.devnull)
    parser.add_argument("--threads", default=",".join(str(t) for t in sorted({2, min(16, len(os.sched_getaffinity(0)))}) if t > 1))
    parser.add_argument("--only", default=",".join([name for name in rows.ROWS if name not in ("news20", "r")] + ["drawn"]))
    parser.add_argument("--methods", default=",".join(PEERLESS))
    parser.add_argument("--shapes", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--quick", action="store_true", help="smaller sizes: only to see that it runs")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.library, options.stream_megabytes, options.busy, options.alone = options.new, 10 if options.quick else 200, False, True
    if options.worker:
        options.output = None
    return options


def main():
    options = arguments()
    if options.worker:
        Worker(options).run()
        return
    measure.take_fast_kernels(options.new)
    slower = []
    with tempfile.TemporaryDirectory() as folder, open(options.output, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(FIELDS)

        def write(row, size, function, threads, old, new, count):
            mark = "  SLOWER" if new > SLOWER * old else ""
            slower.extend([f"{row} {size} {function}, {threads} threads: {new / old:.3f}"] * bool(mark))
            print(f"{row:26} {size:>22} {function:8} {threads:>3} {old:9.5f} {new:9.5f} {new / old:6.3f}  of {count}{mark}", flush=True)
            table.writerow([row, size, function, threads, f"{old:.6g}", f"{new:.6g}", f"{new / old:.4g}", count, os.uname().machine])
            file.flush()
        for threads in options.threads.split(","):
            libraries = [Library(options, library, threads, folder) for library in (options.old, options.new)]
            for name in options.only.split(","):
                row_of(options, libraries, name, threads, write)
            for library in libraries:
                library.end()
    print(f"{len(slower)} slower by more than {100 * SLOWER - 100:.0f} %" + "".join(f"\n  {text}" for text in slower))


if __name__ == "__main__":
    main()
