#!/usr/bin/env python3
"""ranks_model ALIDADE MESSAGES [--plot FILE.svg] [--network LATENCY,GBIT] [--storage GB] [--quick]: what a fit by moments
on P ranks costs (docs/clusters.md), by a model whose constants are measured here, drawn to 1000 ranks.

With n rows, d columns and b bytes in the file, the seconds of one rank by itself are

    start + pass b + multiply n d^2 + solve d^3

and those of P ranks, where the tree has s = ceil(log2 P) steps that send and add 8 d^2 bytes each,

    start + max(pass b / P, passes b / storage) + multiply n d^2 / P + s (latency + 8 d^2 / bandwidth + add d^2) + solve d^3.

The first four constants come from fits by one rank of files of several sizes (processor time, least squares of relative
errors, and the error at a size that was left out is told); those of messages from MESSAGES, the program of
tests/ranks/messages.c, on two ranks of this machine. For a cluster, --network gives latency (microseconds) and
bandwidth (Gbit/s) of its network, and --storage what its file system delivers to all ranks together (GB/s)."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, os.pardir, "experiments")]
import chart  # noqa: E402
import ranks  # noqa: E402

PASSES = 2  # times that an npy file is read: survey and moments
SIZES = [(2000, 100), (200_000, 100), (20_000, 400), (80_000, 400), (4000, 1000), (20_000, 1000), (2500, 1600), (40_000, 800)]
LEFT_OUT = (30_000, 600)
QUICK = [(1000, 20), (20_000, 20), (1000, 100), (4000, 100), (500, 200)]


def seconds_of(program, rows, columns, folder):
    path = os.path.join(folder, "t.npy")
    ranks.make(path, rows, columns, "npy")
    words = ranks.fit(path, "npy", "lda", columns, 2, folder, [])
    return min(ranks.run(program, 1, words, folder)[0] for _ in range(3)), os.path.getsize(path)


def features(rows, columns, size):
    return [1.0, size, rows * columns**2, columns**3]


def fitted(seen):
    """Constants that are not negative, of the least sum of squared relative errors: of all subsets the best that is."""
    a = np.array([features(*where, size) for where, size, _ in seen]) / np.array([[s] for _, _, s in seen])
    best = None
    for mask in range(1, 16):
        chosen = [k for k in range(4) if mask >> k & 1]
        found, *_ = np.linalg.lstsq(a[:, chosen] / np.abs(a[:, chosen]).max(0), np.ones(len(a)), rcond=None)
        error = np.sum((a[:, chosen] / np.abs(a[:, chosen]).max(0) @ found - 1) ** 2)
        if (found >= 0).all() and (best is None or error < best[0]):
            constants = np.zeros(4)
            constants[chosen] = found / np.abs(a[:, chosen]).max(0)
            best = error, constants
    return best[1]


def messages(program, seconds):
    done = subprocess.run(["mpirun", "-q", "--oversubscribe", "-n", "2", program, str(seconds)],
                          env={**os.environ, **ranks.ROOT}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    return json.loads(done.stdout)


def predicted(own, wire, storage, rows, columns, count):
    start, once, multiply, solve = own
    size = 8.0 * rows * columns
    square = 8.0 * columns**2
    steps = math.ceil(math.log2(count))
    reading = max(once * size / count, PASSES * size / storage) if storage else once * size / count
    return (start + reading + multiply * rows * columns**2 / count
            + steps * (wire["latency"] + square / wire["bandwidth"] + square / wire["add"]) + solve * columns**3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alidade")
    parser.add_argument("messages")
    parser.add_argument("--plot")
    parser.add_argument("--network", help="latency in microseconds, bandwidth in Gbit/s: 2,100")
    parser.add_argument("--storage", type=float, help="GB/s of all ranks together")
    parser.add_argument("--quick", action="store_true", help="small, to see that it runs")
    o = parser.parse_args()
    program = os.path.abspath(o.alidade)
    with tempfile.TemporaryDirectory() as folder:
        seen = []
        for where in QUICK if o.quick else SIZES:
            seconds, size = seconds_of(program, *where, folder)
            seen.append((where, size, seconds))
        own = fitted(seen)
        if not o.quick:
            seconds, size = seconds_of(program, *LEFT_OUT, folder)
            told = float(np.dot(features(*LEFT_OUT, size), own))
            print(f"left out: {LEFT_OUT[0]} x {LEFT_OUT[1]} took {seconds:.2f} s, the model says {told:.2f}")
    here_wire = messages(os.path.abspath(o.messages), 0.05 if o.quick else 1.0)
    print(f"start {own[0]:.3f} s, pass {own[1] * 1e9:.2f} s per GB, multiply {own[2] * 1e9:.3f} ns, solve {own[3] * 1e9:.2f} ns")
    print(f"here: latency {here_wire['latency'] * 1e6:.0f} us, send {here_wire['send'] / 1e9:.2f} GB/s, sum {here_wire['sum'] / 1e9:.2f} GB/s")
    wire = {"latency": here_wire["latency"], "bandwidth": here_wire["send"], "add": 2.0 * here_wire["sum"]}
    if o.network:
        latency, gbit = map(float, o.network.split(","))
        wire["latency"], wire["bandwidth"] = latency * 1e-6, gbit * 1e9 / 8
    storage = o.storage * 1e9 if o.storage else None
    counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]
    jobs = [("2 GB", 125_000, 2000), ("200 GB", 12_500_000, 2000), ("10 TB", 625_000_000, 2000)]
    lines = [(f"{name}: {rows} x {columns}", [(p, predicted(own, wire, storage, rows, columns, p)) for p in counts])
             for name, rows, columns in jobs]
    print(f"{'ranks':>8}" + "".join(f"{name:>28}" for name, _ in lines))
    for k, p in enumerate(counts):
        print(f"{p:8}" + "".join(f"{points[k][1]:20.1f} s{points[0][1] / points[k][1] / p:6.2f}" for _, points in lines))
    if o.plot:
        chart.lines(o.plot, lines, "seconds of lda by moments", "ranks", "seconds", x_log=True, y_log=True, width=640)


if __name__ == "__main__":
    main()
