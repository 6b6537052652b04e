#!/usr/bin/env python3
"""grid PROGRAM: runs a grid (grid.c, passes.c) at 3 and 7 ranks, and at 2 with short messages; with ALD_LONG at
1, 2, 3, 4 and 7. Passes are many rounds of messages: but for 3 ranks some cases of them are run. Memory that runs out
(shortage.c) is tried at 3 ranks."""
import os
import sys
import tempfile

from mpi import SHORT, mpirun

program = sys.argv[1]
failures = 0
ALL = ((1, None), (2, None), (3, None), (4, None), (7, None), (3, "1000"))
FEW = ((3, None), (7, None), (2, "1000"))
runs = ALL if os.environ.get("ALD_LONG") else FEW
if "shortage" in program:
    runs = ((3, None),)
for ranks, most in FEW[2:] if SHORT else runs:
    with tempfile.TemporaryDirectory() as folder:
        environment = {"ALD_RANKS_MOST": most} if most else {}
        if "passes" in program and ranks != 3 and not os.environ.get("ALD_LONG"):
            environment["ALD_SAMPLE"] = "23" if SHORT else str(ranks + 2)
        done = mpirun(ranks, [program, folder], environment=environment, timeout=800)
    print(f"{ranks} ranks{', short messages' if most else ''}: exit {done.returncode}\n{done.stdout}", end="")
    if done.returncode != 0:
        failures += 1
        print(done.stderr, end="")
sys.exit(failures > 0)
