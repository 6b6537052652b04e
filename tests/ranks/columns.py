#!/usr/bin/env python3
"""columns PROGRAM ALIDADE: pca of many columns over ranks (columns.c); with ALD_LONG on 1, 2, 3, 4 and 7 of them. Then what
the command line says to `--solver direct`, whose square of the columns no rank could hold."""
import os
import sys
import tempfile

import numpy

from mpi import SHORT, mpirun

# ranks, numbers of a message (None: as many as there are)
FEW = ((3, "100"), (2, None))
MANY = [(ranks, most) for ranks in (1, 2, 3, 4, 7) for most in (None, "100")]
failures = 0
for count, most in MANY if os.environ.get("ALD_LONG") else FEW[:1] if SHORT else FEW:
    with tempfile.TemporaryDirectory() as folder:
        done = mpirun(count, [sys.argv[1], folder], environment={"ALD_RANKS_MOST": most} if most else {})
    print(f"{count} ranks: exit {done.returncode}\n{done.stdout}{done.stderr}", end="")
    failures += done.returncode != 0 or done.stdout != f"{count} ranks: 0 failures\n"

if SHORT:
    sys.exit(failures > 0)
with tempfile.TemporaryDirectory() as folder:
    numpy.save(f"{folder}/wide.npy", numpy.random.default_rng(1).standard_normal((30, 5001)))
    done = mpirun(2, [os.path.abspath(sys.argv[2]), "fit", "wide.npy", "--method", "pca", "--components", "2", "--stream", "-q",
                      "--solver", "direct", "-o", "m.ald"], cwd=folder)
    said = [line for line in done.stderr.splitlines() if line.startswith("alidade")]
    if done.returncode == 0 or len(said) != 1 or "lanczos" not in said[0]:
        print("--solver direct:", done.stderr)
        failures += 1
sys.exit(failures > 0)
