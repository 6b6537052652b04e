#!/usr/bin/env python3
"""wasm.py ROOT [WORD]: processor seconds of the program as WebAssembly under node (`make app`) beside the native one on one
thread, as a table in Markdown: user and system together, which the kernel counts exactly (of a few milliseconds it only
guesses which is which). A native command runs TIMES times and the least counts. WebAssembly runs as in the page: compiled
once, then the command in fresh instances; the first contains the compilation by the engine, the least of the others is
what a page takes that has been used. "Start" is a command that computes nothing; the last column compares what the
others take beyond it. With WORD only the start and the commands that have it in their names."""
import os
import random
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
DATA = os.path.join(ROOT, "data")
NATIVE = [os.path.join(ROOT, "build", "alidade")]
WASM = ["node", os.path.join(ROOT, "bench", "wasm_again.mjs"), os.path.join(ROOT, "build-wasm")]
TIMES = 7
COMMANDS = (
    ("start", "methods pca -q"),
    ("pca, 1000 x 200", "fit real.csv --target y --method pca --n-components 5 -o m.ald --threads 1"),
    ("pls, 1000 x 200", "fit real.csv --target y --method pls --n-components 5 -o m.ald --threads 1"),
    ("lda, 1000 x 200", "fit classes.csv --target y --method lda -o m.ald --threads 1"),
    ("kfda, 1000 x 200", "fit classes.csv --target y --method kfda -o m.ald --threads 1"),
    ("kfda, 2000 x 50", "fit more.csv --target y --method kfda -o m.ald --threads 1"),
    ("pca, 20000 x 100", "fit long.csv --target y --method pca --n-components 5 -o m.ald --threads 1"),
    ("pls, 20000 x 100", "fit long.csv --target y --method pls --n-components 5 -o m.ald --threads 1"),
    ("lda, 10000 x 200", "fit wide.csv --target y --method lda -o m.ald --threads 1"),
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
    spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = spent()
    subprocess.run(words, check=True, capture_output=True)
    return spent() - before


def main():
    write("real.csv", 1000, 200, lambda h: f"{h[0] + 0.5 * h[1] + 0.3 * h[2]:.6g}")
    write("classes.csv", 1000, 200, lambda h: "abc"[(h[0] > -0.5) + (h[0] + h[1] > 0.5)])
    write("more.csv", 2000, 50, lambda h: "abc"[(h[0] > -0.5) + (h[0] + h[1] > 0.5)])
    write("long.csv", 20000, 100, lambda h: f"{h[0]:.6g}")
    write("wide.csv", 10000, 200, lambda h: "abc"[(h[0] > -0.5) + (h[0] + h[1] > 0.5)])
    print("| | native | WebAssembly, first | again | times, without the start |\n| --- | --- | --- | --- | --- |")
    start = None
    chosen = sys.argv[2] if len(sys.argv) > 2 else ""
    for name, line in COMMANDS[:1] + tuple(one for one in COMMANDS[1:] if chosen in one[0]):
        words = line.split()
        native = min(measure(NATIVE + words) for _ in range(1 if "tune" in line else TIMES))
        file = words[1] if os.path.exists(words[1]) else "real.csv"
        first, again = map(float, subprocess.run(WASM + [str(TIMES if native < 1 else 2), file, *words], check=True,
                                                 capture_output=True, text=True).stdout.split())
        start = start or (native, again)
        times = (again - start[1]) / (native - start[0]) if name != "start" else 0
        print(f"| {name} | {native:.3f} s | {first:.2f} s | {again:.3f} s | {times:.1f} |", flush=True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
