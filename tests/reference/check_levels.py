"""The permutation tests of `alidade dimension` keep their level. Usage: check_levels.py ALIDADE [METHOD...]

Draws of normal X (n = 150, d = 4) with a target that depends on exactly k = 0, 1 or 2 directions; in how many of them the test
finds one more at 5 %. With 19 permutations a test that keeps its level does so in exactly 1 of 20. What is too many is so with a
chance below 1e-3 for a binomial of that level. ALD_LONG=1: 200 draws for every method and k; else 6 draws of two quick ones."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.stats

executable = os.path.abspath(sys.argv[1])
long_form = bool(os.environ.get("ALD_LONG"))
draws = int(os.environ.get("ALD_DRAWS", 200 if long_form else 6))
n, d, level = 150, 4, 0.05
targets = [
    lambda x, e: e,
    lambda x, e: np.sin(1.5 * x[:, 0]) + 0.5 * x[:, 0] ** 2 + 0.2 * e,
    lambda x, e: x[:, 0] * (x[:, 0] + x[:, 1] + 1.0) + 0.2 * e,
]
methods = sys.argv[2:] or (["sir", "save", "phd", "contour", "pls", "sdpp", "kdr", "gkdr"] if long_form else ["sir", "sdpp"])
failures = []


def rejected(folder, method, k, draw):
    rng = np.random.default_rng([k, draw])
    x = rng.standard_normal((n, d))
    y = targets[k](x, rng.standard_normal(n))
    path = os.path.join(folder, "t.csv")
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="a,b,c,d,y", comments="")
    call = [executable, "dimension", path, "--target", "y", "--method", method, "--max-components", str(k + 1), "--permutations", "19",
            "--every", "--seed", str(draw), "--threads", "1", "--json"]
    shown = subprocess.run(call, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return json.loads(shown)["rows"][k]["permutation_p"] <= level


with tempfile.TemporaryDirectory() as folder:
    for method in methods:
        for k in range(3):
            found = sum(rejected(folder, method, k, draw) for draw in range(draws))
            chance = scipy.stats.binom.sf(found - 1, draws, level)
            print(f"{method} k={k}: {found} of {draws} at {level:g}", flush=True)
            if chance < 1e-3:
                failures.append(f"{method}: {found} of {draws} draws with {k} directions show one more at {level:g}")
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
