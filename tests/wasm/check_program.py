#!/usr/bin/env python3
"""check_program.py ROOT NATIVE: the program of `make app` under node does what the native one does.

Models of several methods are fitted by both, and each reads those of the other: scores agree to 1e-9 of their size.
A command that writes two files at once leaves both; messages and exit statuses are the same. With ALD_LONG the default
search is compared too. Ends with 77 where the program has not been built (built.py).
"""
import csv
import os
import subprocess
import sys

import built

ROOT, NATIVE = map(os.path.abspath, sys.argv[1:3])
FOLDER = os.path.join(ROOT, "build-wasm")
DATA = os.path.join(ROOT, "data")
WASM = ["node", os.path.join(ROOT, "app", "alidade.mjs"), FOLDER]
PROGRAMS = {"native": [NATIVE], "wasm": WASM}

# Data, target, method and its options.
MODELS = (
    ("tecator.csv", "fat", "pca", ["--n-components", "4"]),
    ("tecator.csv", "fat", "pls", ["--n-components", "6"]),
    ("wine.csv", "y", "lda", []),
    ("wine.csv", "y", "kfda", ["--n-components", "2"]),
    ("wine.csv", "y", "sdpp", ["--n-components", "2"]),
)


def run(program, *words):
    return subprocess.run(PROGRAMS[program] + list(words), capture_output=True, text=True)


def made(program, *words):
    result = run(program, *words)
    assert result.returncode == 0, f"{program} {' '.join(words)}: {result.returncode}\n{result.stderr}"
    return result


def numbers(path):
    with open(path, newline="") as file:
        return [[float(cell) for cell in row if cell.replace(".", "").replace("-", "").replace("e", "").isdigit()]
                for row in csv.reader(file)]


def difference(a, b):
    """The largest difference of two tables, relative to the largest number of the first."""
    a, b = numbers(a), numbers(b)
    assert [len(row) for row in a] == [len(row) for row in b] and sum(map(len, a)) > 0
    size = max(abs(x) for row in a for x in row)
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q)) / size


def check_model(data, target, method, options):
    path = os.path.join(DATA, data)
    for program, other in (("native", "wasm"), ("wasm", "native")):
        made(program, "fit", path, "--target", target, "--method", method, *options, "-o", program + ".ald")
        made(other, "transform", program + ".ald", path, "-o", program + ".csv")
    found = difference("native.csv", "wasm.csv")
    assert found < 1e-9, f"{method}: scores differ by {found:.1e} of their size"
    return found


def check_two_files():
    made("wasm", "split", os.path.join(DATA, "wine.csv"), "--seed", "3", "-o", "train.csv", "test.csv")
    made("native", "split", os.path.join(DATA, "wine.csv"), "--seed", "3", "-o", "n1.csv", "n2.csv")
    for a, b in (("train.csv", "n1.csv"), ("test.csv", "n2.csv")):
        assert open(a, "rb").read() == open(b, "rb").read(), a
    left = [name for name in os.listdir() if name.startswith(".alidade-")]
    assert not left, left


def check_messages():
    for words in (["fit", "absent.csv", "--target", "y", "-o", "m.ald"], ["nothing"], ["methods", "pls"],
                  ["fit", os.path.join(DATA, "wine.csv"), "--target", "z", "-o", "m.ald"]):
        native, wasm = run("native", *words), run("wasm", *words)
        assert (native.returncode, native.stdout, native.stderr) == (wasm.returncode, wasm.stdout, wasm.stderr), words


def check_search():
    path = os.path.join(DATA, "wine.csv")
    for program in PROGRAMS:
        made(program, "tune", path, "--target", "y", "-o", program + ".ald")
        made(program, "predict", program + ".ald", path, "-o", program + ".csv")
    assert open("native.csv").read().split(",")[0] == open("wasm.csv").read().split(",")[0]
    assert difference("native.csv", "wasm.csv") < 1e-6


def main():
    built.need(ROOT, "build-wasm/alidade.wasm")
    for model in MODELS:
        print(f"{model[2]:6} scores differ by {check_model(*model):.1e} of their size")
    check_two_files()
    check_messages()
    if built.LONG:
        check_search()


main()
