#!/usr/bin/env python3
"""check_modelfile.py EXECUTABLE: the reader printed in docs/model-file.md reads what `alidade fit` writes, and the projection
computed from it equals that of `alidade transform`."""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "model-file.md")
ROWS = 60
# generator, target columns (the last ones of the file), further options of fit
CASES = [
    ("plane", ["y"], ["--method", "pls", "--dims", "2"]),
    ("plane", ["y"], ["--method", "pls", "--dims", "3", "--scale", "standard"]),
    ("plane", ["y"], ["--method", "pca", "--dims", "2", "--scale", "minmax", "--predictor", "linear"]),
    ("taichi", ["y"], ["--method", "pls", "--dims", "1"]),
]


def reader_of_the_page():
    with open(PAGE, encoding="utf-8") as page:
        blocks = re.findall(r"```python\n(.*?)```", page.read(), re.S)
    assert len(blocks) == 1, f"{len(blocks)} python blocks on the page, expected one"
    names = {}
    exec(blocks[0], names)  # the page is ours
    reader = blocks[0].split("\ndef project")[0]
    lines = [line for line in reader.splitlines() if line.strip()]
    assert len(lines) <= 10, f"the reader has {len(lines)} lines, the page promises ten"
    return names["read_model"], names["project"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def features_of(path, targets):
    with open(path, encoding="utf-8") as file:
        header = file.readline().strip().split(",")
    columns = [i for i, name in enumerate(header) if name not in targets]
    assert len(columns) == len(header) - len(targets), f"{path}: no columns {targets} in {header}"
    return np.loadtxt(path, delimiter=",", skiprows=1, usecols=columns, ndmin=2)


def check(executable, folder, read_model, project, case):
    generator, targets, options = case
    data, model, again, out = (os.path.join(folder, name) for name in ("data.csv", "m.ald", "m2.ald", "z.npy"))
    run(executable, "generate", generator, "--n", str(ROWS), "--seed", "3", "-o", data)
    run(executable, "fit", data, "--target", ",".join(targets), *options, "-o", model)
    run(executable, "fit", data, "--target", ",".join(targets), *options, "-o", again)
    run(executable, "transform", model, data, "-o", out)
    with open(model, "rb") as first, open(again, "rb") as second:
        assert first.read() == second.read(), "the same fit gave other bytes"
    arrays, text = read_model(model)
    x, z = features_of(data, targets), np.load(out)
    assert text["alidade.format"] == "1" and text["alidade.map"] == "linear"
    assert int(text["alidade.n_features"]) == x.shape[1]
    assert z.shape == (ROWS, int(text["alidade.n_components"]))
    difference = np.abs(project(arrays, x) - z).max() / max(1.0, np.abs(z).max())
    assert difference <= 1e-12, f"projections differ by {difference:g}"


def main():
    executable = os.path.abspath(sys.argv[1])
    read_model, project = reader_of_the_page()
    failed = 0
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(executable, folder, read_model, project, case)
            except AssertionError as error:
                failed = 1
                print(f"{case[0]} {' '.join(case[2])}: {error}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
