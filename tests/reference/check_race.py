#!/usr/bin/env python3
"""check_race ALIDADE: on five sets the race of `tune` chooses as the full search does, to a standard error."""
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ["ALD_DATA"]


def write_table(path, rows, columns, seed, classes):
    """Rows whose target depends on two of the columns, with noise."""
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join("x%d" % j for j in range(columns)) + ",y\n")
        for _ in range(rows):
            x = [draw.gauss(0, 1) for _ in range(columns)]
            value = x[0] + 0.5 * x[1] * x[1] + draw.gauss(0, 0.5)
            target = "abc"[(value > 0) + (value > 1.2)] if classes else "%.6f" % value
            file.write(",".join("%.6f" % v for v in x) + "," + target + "\n")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tables = [os.path.join(folder, name + ".csv") for name in ("numbers", "classes", "wide")]
        write_table(tables[0], 90, 5, 1, False)
        write_table(tables[1], 90, 5, 2, True)
        write_table(tables[2], 60, 12, 3, True)
        sets = ["%s:y:lda,sdpp" % os.path.join(DATA, "iris.csv"), "%s:y:lda,sdpp" % os.path.join(DATA, "wine.csv"),
                tables[0] + ":y:pls,sdpp", tables[1] + ":y:lda,sdpp", tables[2] + ":y:lda,sdpp"]
        options = ["--option=--grid=ridge_rel=0,0.01,1", "--option=--grid=n_neighbors=5,10", "--option=--n-starts=2",
                   "--option=--scale=standard", "--option=--folds=6"]
        return subprocess.run([sys.executable, os.path.join(HERE, "race_sets.py"), sys.argv[1], *options, *sets],
                              check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
