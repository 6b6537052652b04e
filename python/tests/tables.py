"""A table with everything that the schema knows, and the program beside the package."""
import os
import re
import subprocess

import numpy as np
import pytest

from alidade import _core

# In a build of the tree the program stands beside the folder of the extension; else the environment says where it is.
BUILT = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(_core.__file__))), "alidade")
PROGRAM = os.environ.get("ALD_PROGRAM", BUILT)
needs_program = pytest.mark.skipif(not os.path.isfile(PROGRAM), reason="there is no program alidade (ALD_PROGRAM)")


def mixed(rows=60, seed=3):
    """A dict of columns: names of rows, numbers with gaps, categories, truth values, codes, dates, two targets."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    x[5, 1] = np.nan
    colours = np.array(["red", "blue", "green"], dtype=object)[rng.integers(0, 3, rows)]
    colours[7] = None
    score = x[:, 0] + (colours == "red") + 0.1 * rng.normal(size=rows)
    days = np.datetime64("2026-01-01") + rng.integers(0, 300, rows)
    return {
        "sample": [f"s{i:03d}" for i in range(rows)], "a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "colour": colours,
        "open": x[:, 2] > 0, "code": [f"{i % 4:03d}" for i in range(rows)], "day": days,
        "size": rng.integers(1, 9, rows), "score": score, "kind": np.where(score > 0.3, "high", "low"),
    }


def write_csv(table, path):
    """What the columns look like in a file."""
    def text(value):
        if value is None or value != value:
            return ""
        return repr(float(value)) if isinstance(value, float) else str(value)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(table) + "\n")
        for row in zip(*table.values()):
            file.write(",".join(text(value) for value in row) + "\n")


def environment():
    """With the kernels of OpenBLAS that this process has: others round differently."""
    core = re.search(r"(\w+) MAX_THREADS", _core.about()["backend"])
    return {**os.environ, "OPENBLAS_CORETYPE": core.group(1)} if core else dict(os.environ)


def run(*arguments, fails=False):
    """Standard output of the program."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment())
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout
