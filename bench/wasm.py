#!/usr/bin/env python3
"""wasm.py ROOT: processor seconds of the program as WebAssembly under node (`make app`) beside the native one on one
thread, as a table in Markdown. Each command runs three times with each, alternately, and the least counts; `version`
shows what a start costs, which all others contain."""
import os
import random
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
DATA = os.path.join(ROOT, "data")
PROGRAMS = ([os.path.join(ROOT, "build", "alidade")],
            ["node", os.path.join(ROOT, "app", "alidade.mjs"), os.path.join(ROOT, "build-wasm")])
TIMES = 3
COMMANDS = (
    ("start", "version"),
    ("pca, 1000 x 200", "fit real.csv --target y --method pca --n-components 5 -o m.ald --threads 1"),
    ("pls, 1000 x 200", "fit real.csv --target y --method pls --n-components 5 -o m.ald --threads 1"),
    ("lda, 1000 x 200", "fit classes.csv --target y --method lda -o m.ald --threads 1"),
    ("kfda, 1000 x 200", "fit classes.csv --target y --method kfda -o m.ald --threads 1"),
    ("kfda, 2000 x 50", "fit more.csv --target y --method kfda -o m.ald --threads 1"),
    ("pca, 20000 x 100", "fit long.csv --target y --method pca --n-components 5 -o m.ald --threads 1"),
    ("tune, wine", f"tune {DATA}/wine.csv --target y -o m.ald --threads 1"),
    ("tune, spectra (tecator)", f"tune {DATA}/tecator.csv --target fat --ignore water,protein -o m.ald --threads 1"),
    ("tune, 1000 x 200, number", "tune real.csv --target y -o m.ald --threads 1"),
    ("tune, 1000 x 200, classes", "tune classes.csv --target y -o m.ald --threads 1"),
)


def write(name, rows, cols, target):
    """Eight hidden variables, each in all columns; the target depends on three of them."""
    draw = random.Random(1).gauss
    weights = [[draw(0, 1) for _ in range(cols)] for _ in range(8)]
    with open(name, "w") as file:
        file.write(",".join(f"x{j}" for j in range(cols)) + ",y\n")
        for _ in range(rows):
            hidden = [draw(0, 1) for _ in range(8)]
            cells = [sum(h * w[j] for h, w in zip(hidden, weights)) + 0.5 * draw(0, 1) for j in range(cols)]
            file.write(",".join(f"{cell:.6g}" for cell in cells) + f",{target(hidden)}\n")


def measure(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(words, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    write("real.csv", 1000, 200, lambda h: f"{h[0] + 0.5 * h[1] + 0.3 * h[2]:.6g}")
    write("classes.csv", 1000, 200, lambda h: "abc"[(h[0] > -0.5) + (h[0] + h[1] > 0.5)])
    write("more.csv", 2000, 50, lambda h: "abc"[(h[0] > -0.5) + (h[0] + h[1] > 0.5)])
    write("long.csv", 20000, 100, lambda h: f"{h[0]:.6g}")
    print("| | native | WebAssembly | times |\n| --- | --- | --- | --- |")
    for name, line in COMMANDS:
        runs = [[measure(program + line.split()) for program in PROGRAMS] for _ in range(TIMES)]
        native, wasm = (min(column) for column in zip(*runs))
        times = f"{wasm / native:.1f}" if native > 0.05 else ""  # shorter ones measure the start
        print(f"| {name} | {native:.2f} s | {wasm:.2f} s | {times} |", flush=True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
