#!/usr/bin/env python3
"""divided PROGRAM: pca over ranks by every route (divided.c); with ALD_LONG at 1, 2, 3, 4 and 7 of them."""
import os
import sys
import tempfile

from mpi import mpirun

ROUTES = ("scatter", "krylov-schur", "lanczos", None)
FEW = ((3, "scatter"), (2, "krylov-schur"), (3, None))
MANY = [(ranks, route) for ranks in (1, 2, 3, 4, 7) for route in ROUTES]
failures = 0
for count, name in MANY if os.environ.get("ALD_LONG") else FEW:
    with tempfile.TemporaryDirectory() as folder:
        done = mpirun(count, [sys.argv[1], folder], environment={"ALD_RANKS_ROUTE": name} if name else {})
    print(f"{name or 'by the rule'}, {count} ranks: exit {done.returncode}\n{done.stdout}{done.stderr}", end="")
    failures += done.returncode != 0 or done.stdout != f"{count} ranks: 0 failures\n"
sys.exit(failures > 0)
