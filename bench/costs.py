#!/usr/bin/env python3
"""costs.py LIBRARY [--methods sdpp,kdr,...] [--shapes K] [--seed S]: does a fit of the methods without peers take as long as the library
says before it begins?

What it expects, seconds on one thread, is what `--verbose` prints and what the time left begins with. Drawn are K shapes a method: rows
and columns (a factor of 4 down and up from the size that scaling.py begins with, log-uniform), twice as many rows as columns at least,
and 1 to 3 components. Processor time on one thread, the least of three. Another machine may be faster by one factor for all methods: the
median over all shapes of expected / measured, which all are divided by. Printed are that factor, and of each method the least, median and
largest ratio and how many are within a factor of two; with 1 ends what has one outside."""
import argparse
import ctypes
import os
import random
import re
import statistics
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from scaling import METHODS, data_of  # noqa: E402

PEERLESS = ["sdpp", "kdr", "rsir", "lsir", "mkdr", "cmvu", "nca", "mlkr", "opg", "mave", "ism"]
EXPECTED = re.compile(r"expected on one thread: about ([-+.e0-9]+) s")
LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


def draw(method, seed, number):
    base, sequence = METHODS[method][1], random.Random(f"{method} {seed} {number}")
    n, d = (round(base[axis] * 4 ** sequence.uniform(-1, 1)) for axis in "nd")
    d = max(d, 4)
    return max(n, 2 * d, 24), d, min(sequence.randint(1, 3), base.get("c", 4) - 1)


class Clock:
    """A context that listens to what fits are expected to take."""

    def __init__(self, library):
        from alidade_ctypes import Alidade, Options
        self.lines, self.ald = [], Alidade(library, 1)
        self.listen = LOG(lambda user, level, line: self.lines.append(line.decode()))
        options = Options(size=ctypes.sizeof(Options), threads=1, log=ctypes.cast(self.listen, ctypes.c_void_p))
        self.ald.call("ald_context_new", ctypes.byref(options), ctypes.byref(self.ald.context))

    def fit(self, method, n, d, r):
        """Seconds expected and measured."""
        kind, base, _, settings, *_ = METHODS[method]
        x, y = data_of(n, d, base.get("c", 4), kind)
        best = float("inf")
        for _ in range(3):
            self.lines.clear()
            began = time.process_time()
            self.ald.fit_only(method, dict(settings, n_components=r), x, y)
            best = min(best, time.process_time() - began)
        return next(float(found[1]) for found in map(EXPECTED.search, self.lines) if found), best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--methods", default=",".join(PEERLESS))
    parser.add_argument("--shapes", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    measure.take_fast_kernels(options.library)
    clock, outside = Clock(os.path.abspath(options.library)), 0
    methods = options.methods.split(",")
    shapes = {method: [draw(method, options.seed, i) for i in range(options.shapes)] for method in methods}
    times = {method: [clock.fit(method, *shape) for shape in shapes[method]] for method in methods}
    machine = statistics.median(expected / took for method in methods for expected, took in times[method])
    print(f"expected / measured, median of all: {machine:.2f}" + ("" if 0.2 <= machine <= 5 else ": no machine differs by that"))
    outside += not 0.2 <= machine <= 5
    for method in methods:
        ratios = [expected / took / machine for expected, took in times[method]]
        bad = [i for i, ratio in enumerate(ratios) if not 0.5 <= ratio <= 2]
        outside += len(bad)
        print(f"{method:5} {min(ratios):.2f}, {statistics.median(ratios):.2f}, {max(ratios):.2f}; {len(ratios) - len(bad)} of {len(ratios)} "
              "within a factor of two" + "".join("\n        {} x {}, r={}".format(*shapes[method][i])
                                                  + f": {times[method][i][1]:.4f} s, expected {ratios[i]:.2f} times" for i in bad), flush=True)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
