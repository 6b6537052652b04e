"""Starting programs by mpirun, for the tests of ranks."""
import glob
import os
import shutil
import subprocess
import sys

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",  # containers are
        "OMPI_MCA_mpi_yield_when_idle": "1",  # cores are shared with other tests
        "HWLOC_HIDE_ERRORS": "2"}  # where there is no /sys


def command(ranks, words):
    if not shutil.which("mpirun"):
        sys.exit(77)
    return ["mpirun", "-q", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *words]


def surroundings(environment=None):
    return {**os.environ, **ROOT, **(environment or {})}


def mpirun(ranks, words, environment=None, timeout=120, **others):
    """Runs it to its end; everything that was printed is in the result."""
    return subprocess.run(command(ranks, words), env=surroundings(environment), timeout=timeout, capture_output=True,
                          text=True, **others)


def ranks_of(parent):
    """The processes that mpirun has started."""
    found = []
    for path in glob.glob(f"/proc/{parent}/task/*/children"):
        with open(path, encoding="ascii") as file:
            found += [int(word) for word in file.read().split()]
    return found
