#!/usr/bin/env python3
"""columns PROGRAM ALIDADE: pca over ranks by every route (columns.c); with ALD_LONG at 1, 2, 3, 4 and 7 of them. Then the
command line without its module for SLEPc: it says so where it is asked for, and does without it where it is not."""
import os
import shutil
import subprocess
import sys
import tempfile

import numpy

from mpi import SHORT, mpirun

ROUTES = ("scatter", "krylov-schur", "lanczos", None)
# ranks, route, numbers of a message (None: as many as there are)
FEW = ((3, "scatter", "100"), (2, "krylov-schur", None), (3, None, None))
ONE = ((2, "scatter", "100"),)
MANY = [(ranks, route, most) for ranks in (1, 2, 3, 4, 7) for route in ROUTES for most in (None, "100")]
failures = 0
for count, name, most in MANY if os.environ.get("ALD_LONG") else ONE if SHORT else FEW:
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"ALD_RANKS_ROUTE": name, "ALD_RANKS_MOST": most}
        done = mpirun(count, [sys.argv[1], folder], environment={key: value for key, value in chosen.items() if value})
    print(f"{name or 'by the rule'}, {count} ranks: exit {done.returncode}\n{done.stdout}{done.stderr}", end="")
    failures += done.returncode != 0 or done.stdout != f"{count} ranks: 0 failures\n"

def fit(folder, *more, **environment):
    return mpirun(2, ["./alidade", "fit", "wide.npy", "--method", "pca", "--components", "2", "--stream", "-q", "-o", "m.ald",
                      *more], cwd=folder, environment=environment)


if SHORT:
    sys.exit(failures > 0)
with tempfile.TemporaryDirectory() as folder:
    for file in (sys.argv[2], os.path.join(os.path.dirname(sys.argv[2]), "alidade-mpi.so")):
        shutil.copy(file, folder)
    numpy.save(f"{folder}/wide.npy", numpy.random.default_rng(1).standard_normal((30, 5001)))
    asked = fit(folder, "--solver", "direct")
    said = [line for line in asked.stderr.splitlines() if line.startswith("alidade")]
    refused = asked.returncode != 0 and len(said) == 1 and "slepc64-dev" in said[0] and "--solver lanczos" in said[0]
    left = fit(folder, ALD_RANKS_ROUTE="scatter")
    inspected = subprocess.run(["./alidade", "inspect", "m.ald"], cwd=folder, capture_output=True, text=True).stdout
    told = all(f"{way} (no SLEPc)" in inspected for way in ("scatter", "krylov-schur"))
    if not refused or left.returncode != 0 or not told:
        print("without SLEPc:", asked.stderr, left.stderr, inspected)
        failures += 1
sys.exit(failures > 0)
