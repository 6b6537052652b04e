#!/usr/bin/env python3
"""eigenpairs PROGRAM: eigenpairs over ranks (eigenpairs.c) at 2 and 3 of them, with ALD_LONG at 1 to 4. PETSc reads no options and prints nothing; a rank
that is killed ends all, and with ALD_LONG one that fails alone."""
import os
import signal
import subprocess
import sys
import tempfile
import time

from mpi import SHORT, command, mpirun, ranks_of, surroundings

PROGRAM = os.path.abspath(sys.argv[1])
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name} {detail}")


def compare(ranks, folder):
    noisy = {"PETSC_OPTIONS": "-log_view -eps_view -eps_type lapack -eps_max_it 1", "HOME": folder}
    done = mpirun(ranks, [PROGRAM], environment=noisy, cwd=folder)
    if done.returncode == 77:
        sys.exit(77)
    check(f"{ranks} ranks", done.returncode == 0, f"exit {done.returncode}: {done.stdout}{done.stderr}")
    check(f"{ranks} ranks", done.stdout == f"{ranks} ranks: 0 failures\n" and not done.stderr, done.stdout + done.stderr)


def kill(folder):
    with subprocess.Popen(command(3, [PROGRAM, "200000"]), env=surroundings(), cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as run:
        for _ in range(3):
            run.stdout.readline()
        time.sleep(0.3)
        os.kill(ranks_of(run.pid)[1], signal.SIGKILL)
        began = time.monotonic()
        try:
            run.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            run.kill()
        took = time.monotonic() - began
    check("a rank that is killed", run.returncode != 0 and took < 10, f"exit {run.returncode} after {took:.1f} s")


def fail_alone(folder):
    began = time.monotonic()
    done = mpirun(3, [PROGRAM, "alone"], cwd=folder, timeout=60)
    took = time.monotonic() - began
    check("a rank that fails alone", done.returncode != 0 and took < 15, f"exit {done.returncode} after {took:.1f} s")


with tempfile.TemporaryDirectory() as made:
    with open(f"{made}/.petscrc", "w", encoding="ascii") as file:
        file.write("-help\n-eps_view\n-log_view\n-eps_type lapack\n")
    for count in (1, 2, 3, 4) if os.environ.get("ALD_LONG") else (2,) if SHORT else (2, 3):
        compare(count, made)
    if not SHORT:
        kill(made)
    if os.environ.get("ALD_LONG"):
        fail_alone(made)
print("\n".join(failures) if failures else "eigenpairs over ranks are those of LAPACK")
sys.exit(bool(failures))
