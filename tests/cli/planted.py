#!/usr/bin/env python3
"""planted ALIDADE PLANTED: libraries and modules that lie in the present folder, beside the data, are not loaded; the
program finds its own ones."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ALIDADE, PLANTED = (os.path.abspath(word) for word in sys.argv[1:])
needed = subprocess.run(["readelf", "-d", ALIDADE], capture_output=True, text=True, check=False)
names = re.findall(r"NEEDED.*\[(.*)\]", needed.stdout) if needed.returncode == 0 else ["libjansson.so.4"]
with tempfile.TemporaryDirectory() as folder:
    for name in (*names, "alidade-mpi.so"):
        shutil.copy(PLANTED, f"{folder}/{name}")
    for ranks in (None, "1", "2"):  # as mpirun would say it
        extra = {"OMPI_COMM_WORLD_SIZE": ranks} if ranks else {}
        done = subprocess.run([ALIDADE, "version"], cwd=folder, env={**os.environ, **extra}, capture_output=True,
                              text=True, check=False)
        if os.path.exists(f"{folder}/planted-was-loaded"):
            sys.exit(f"ranks {ranks}: a library of the present folder was loaded")
        if ranks is None and (done.returncode or "alidade" not in done.stdout):
            sys.exit(f"alidade version: {done.returncode} {done.stdout}{done.stderr[:300]}")
print(f"none of {len(names) + 1} planted files was loaded")
