#!/usr/bin/env python3
"""grid PROGRAM: runs the grid (grid.c) at 3 and 7 ranks, and at 2 with short messages; with ALD_LONG at
1, 2, 3, 4 and 7."""
import os
import sys
import tempfile

from mpi import mpirun

program = sys.argv[1]
failures = 0
ALL = ((1, None), (2, None), (3, None), (4, None), (7, None), (3, "1000"))
for ranks, most in ALL if os.environ.get("ALD_LONG") else ((3, None), (7, None), (2, "1000")):
    with tempfile.TemporaryDirectory() as folder:
        done = mpirun(ranks, [program, folder], environment={"ALD_RANKS_MOST": most} if most else {})
    print(f"{ranks} ranks{', short messages' if most else ''}: exit {done.returncode}\n{done.stdout}", end="")
    if done.returncode != 0:
        failures += 1
        print(done.stderr, end="")
sys.exit(failures > 0)
