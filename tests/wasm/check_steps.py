#!/usr/bin/env python3
"""check_steps.py ROOT: the steps for rows as the page draws them (app/page/steps.js, by node) are those of a fit: with the
mean and the components of a model, rows that the page has prepared give the scores of the program, to rounding. Ends with
77 where there is no node or the Python package has not been built."""
import json
import os
import subprocess
import sys
import tempfile

import built

ROOT = os.path.abspath(sys.argv[1])
DATA = os.path.join(ROOT, "data", "tecator.csv")
STEPS = (("snv", []), ("msc", []), ("detrend", [2]), ("savgol", [11, 2, 1]), ("savgol", [7, 3, 0]))
built.need(ROOT, "app/page/steps.js")
folder = tempfile.TemporaryDirectory()
if not built.package(ROOT, folder.name):
    built.skip("the Python package has not been built")
sys.path.insert(0, folder.name)
import alidade  # noqa: E402
import numpy as np  # noqa: E402

with open(os.path.join(ROOT, "app", "page", "steps.js"), encoding="utf-8") as file:
    SCRIPT = "const { min, max, floor, sqrt } = Math;\n" + file.read().split("function curvePicture")[0]


def prepared(rows, kind, values):
    """By the page's script."""
    call = f"console.log(JSON.stringify(applyStep({json.dumps({'kind': kind, 'values': values})}, {json.dumps(rows.tolist())})))"
    done = subprocess.run(["node", "-"], input=SCRIPT + call, capture_output=True, text=True, check=True)
    return np.array(json.loads(done.stdout))


def main():
    table = alidade.read_table(DATA, target="fat", ignore="water,protein")
    for kind, values in STEPS:
        step = ":".join([kind, *map(str, values)])
        model = alidade.fit(table, method="pca", n_components=3, rows=step)
        rows = prepared(np.asarray(table.X), kind, values)
        scores = (rows - model.arrays["mean"]) @ np.asarray(model.arrays["components"]).T
        own = model.transform(DATA)
        # Components are orthonormal: rounding of the rows comes through, of their size at the first steps.
        off = np.abs(scores - own).max() / np.abs(own).max()
        assert off < 1e-12, (step, off)
        print(f"{step}: scores differ by {off:.0e} of their size")


main()
folder.cleanup()
