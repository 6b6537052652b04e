#!/usr/bin/env python3
"""Benchmarks beside the peers and the bounds: all run in one process on the same arrays with the same number of threads, in turn, best of
several; each number of threads in a process of its own. Prints the rows with what must hold of them, held or missed, and adds each to a
CSV file as it comes; bench/table.py makes tables of it.

Usage: bench.py LIBRARY [-o FILE.csv] [--threads 2,16] [--only pca,csv,...] [--quick] [--busy] [--alone] [--stream-megabytes M]
LIBRARY is a libalidade.so with libalidade-bench.so beside it."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
import rows_dense  # noqa: E402
import rows_files  # noqa: E402
import rows_pairs  # noqa: E402

# By name, in the order of the tables.
ROWS = {"pca": rows_dense.pca, "pls": rows_dense.pls, "lda": rows_dense.lda, "kernel": rows_pairs.kernel, "knn": rows_pairs.knn,
        "csv": rows_files.csv, "sdpp": rows_pairs.sdpp, "million": rows_pairs.million, "stream": rows_files.stream, "kdr": rows_pairs.kdr,
        "news20": rows_files.news20, "text": rows_files.text, "cca": rows_dense.cca, "folds": rows_dense.folds, "step": rows_pairs.step,
        "r": rows_dense.r}


class Bench:
    """What the rows are given."""

    def __init__(self, options):
        from alidade_ctypes import Alidade
        self.library, self.folder, self.quick = os.path.abspath(options.library), options.folder, options.quick
        self.threads, self.megabytes, self.busy, self.alone = int(options.threads), options.stream_megabytes, options.busy, options.alone
        self.inner = os.path.join(os.path.dirname(self.library), "libalidade-bench.so")
        self.size, self.rounds = ((2000, 100), 2) if self.quick else ((20000, 500), 7)
        measure.REST *= not self.quick
        self.ald = Alidade(self.library, self.threads)
        where = measure.machine(self.ald.blas())
        print(f"-- {where}, {self.threads} thread{'s' * (self.threads > 1)}", flush=True)
        self.report = measure.Report(self.threads, options.output, where, not self.quick)

    def row(self, row, size, own, peers=None, bounds=None, memory=None, note=""):
        """A row of functions by their names: own has `ours`, and `float32` where there is one. The fastest of the peers and the lower of
        the bounds count."""
        peers, bounds = ({}, {}) if self.alone else (peers or {}, bounds or {})
        times, once = measure.race({**own, **bounds}, peers, self.rounds)
        values = measure.values_of(times["ours"], times.get("float32"), None, min((times[name] for name in bounds), default=None))
        if self.report.judge(row, values)[1].startswith("missed"):  # a second look, without the peers, at what is a matter of noise
            more = measure.race({**own, **bounds}, None, 2 * self.rounds)[0]
            times = {name: min(seconds, more.get(name, seconds)) for name, seconds in times.items()}
        peer, bound = min(peers, key=times.get, default=""), min(bounds, key=times.get, default="")
        notes = [note() if callable(note) else note] if note and not self.alone else []
        notes += [f"{name} {times[name]:.4g} s" + " (once)" * (name in once) for name in (*peers, *bounds) if name not in (peer, bound) or name in once]
        busy = self.beside_loops(own["ours"], times["ours"], peers.get(peer))
        self.report.add(row, size, times["ours"], times.get("float32"), times.get(peer), peer, times.get(bound), bound, memory, ", ".join(notes), busy)

    def beside_loops(self, ours, quiet, peer):
        """Ours, the peer's and ours over the fair share, beside twice as many busy loops as there are cores: the median of three, as the
        least would be the luckiest. Nothing without --busy."""
        if not self.busy:
            return None, None, None
        cores = len(os.sched_getaffinity(0))
        with measure.busy_loops(2 * cores):
            seconds = measure.median_of(ours)
            return seconds, peer and measure.median_of(peer, 1), seconds / measure.fair_share(quiet, self.threads, 2 * cores, cores)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("-o", "--output")
    parser.add_argument("--threads", default=",".join(str(t) for t in sorted({2, min(16, len(os.sched_getaffinity(0)))}) if t > 1),
                        help="numbers of threads (2 and as many as there are cores, up to 16)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, two repeats: only to see that it runs")
    parser.add_argument("--busy", action="store_true", help="each row also beside twice as many busy loops as there are cores")
    parser.add_argument("--alone", action="store_true", help="double and single precision only, without peers and bounds")
    parser.add_argument("--only", default=",".join(ROWS), help=f"names of rows ({','.join(ROWS)})")
    parser.add_argument("--stream-megabytes", type=float, default=400, help="size of the file that is streamed, made here")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser.parse_args()


def child(options):
    """One number of threads; a row that fails does not keep the others from being measured."""
    bench, failed = Bench(options), 0
    measure.head()
    for name in options.only.split(","):
        try:
            took = measure.seconds_of(lambda: ROWS[name](bench))
            print(f"  ({name}: {took:.1f} s)", flush=True)
        except Exception:  # whatever it is, it is told
            traceback.print_exc()
            failed += 1
    return 1 if failed else 0


def verdicts(path):
    """How many bars were held, of a file of rows."""
    with open(path, newline="") as file:
        found = [(row["row"], row["threads"], row["verdict"]) for row in csv.DictReader(file)]
    missed = [f"{row} at {threads} threads ({verdict[len('missed: '):]})" for row, threads, verdict in found if verdict.startswith("missed")]
    print(f"bars: {sum(verdict == 'held' for *_, verdict in found)} rows held, {len(missed)} missed" + "".join(f"\n  {text}" for text in missed))


def main():
    options = arguments()
    unknown = set(options.only.split(",")) - set(ROWS)
    if unknown:
        sys.exit(f"bench.py: there is no row {', '.join(sorted(unknown))}; there are {', '.join(ROWS)}")
    if options.folder:
        return child(options)
    measure.take_fast_kernels(options.library)
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        path = options.output or os.path.join(folder, "bench.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerow(measure.FIELDS)
        for threads in options.threads.split(","):
            environment = dict(os.environ, OPENBLAS_NUM_THREADS=threads, OMP_NUM_THREADS=threads, LOKY_MAX_CPU_COUNT=threads)
            command = [sys.executable, os.path.abspath(__file__), options.library, "--folder", folder, "--threads", threads, "--only", options.only,
                       "--stream-megabytes", str(options.stream_megabytes), "-o", path, *["--quick"] * options.quick, *["--busy"] * options.busy,
                       *["--alone"] * options.alone]
            status |= subprocess.run(command, env=environment, check=False).returncode
        if not options.quick:
            verdicts(path)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
