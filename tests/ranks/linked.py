#!/usr/bin/env python3
"""linked FOLDER: MPI is a dependency of its module only, and HDF5 (behind matio) is not the one for MPI, which a machine may
have too."""
import os
import shutil
import subprocess
import sys

FOLDER = sys.argv[1]
# file -> libraries that it must not bring along
MUST_NOT = {
    "libalidade.so": ("libmpi", "openmpi"),
    "alidade": ("libmpi", "openmpi"),
    "alidade-mpi.so": ("libhdf5",),
}
MUST = {"alidade-mpi.so": ("libmpi",)}

if not shutil.which("ldd"):
    sys.exit(77)
failures = []
for file in sorted({*MUST_NOT, *MUST}):
    path = os.path.join(FOLDER, file)
    if not os.path.exists(path):
        failures.append(f"{file} is missing")
        continue
    text = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    failures += [f"{file} needs {name}" for name in MUST_NOT.get(file, ()) if name in text]
    failures += [f"{file} does not need {name}" for name in MUST.get(file, ()) if name not in text]
print("\n".join(failures) if failures else "each has the libraries it should have")
sys.exit(bool(failures))
