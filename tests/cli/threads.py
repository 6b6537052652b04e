#!/usr/bin/env python3
"""Few processes and threads allowed, as by ulimit -u: the result is written, and the program ends in order.

    threads.py ALIDADE DATA

The limit does not hold for root: then the command runs as a user who has nothing, and has no other processes. Ends with
77 where no such user can be had.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

ALIDADE, DATA = map(os.path.abspath, sys.argv[1:3])
NOBODY = 65533  # a number that nobody has
SKIPPED = 77


def limit(threads):
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))


def is_limited():
    """Whether the limit of one holds: then no second process can be made."""
    try:
        done = subprocess.run(["/bin/sh", "-c", "/bin/true & wait $!"], preexec_fn=lambda: limit(1),
                              stderr=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode != 0


def try_limit(folder, threads):
    out = os.path.join(folder, f"m{threads}.ald")
    words = [os.path.join(folder, "alidade"), "fit", os.path.join(folder, "iris.csv"), "--target", "y", "--method",
             "lda", "-o", out]
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(words, cwd=folder, env=environment, preexec_fn=lambda: limit(threads), capture_output=True,
                          timeout=100)
    written = os.path.exists(out)
    if done.returncode == 0 and written:
        return 0
    print(f"with {threads} threads it ends with {done.returncode}, model {'' if written else 'not '}written: "
          f"{done.stderr[-300:].decode('utf-8', 'replace')}")
    return 1


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        shutil.copy(ALIDADE, folder)
        shutil.copy(os.path.join(DATA, "iris.csv"), folder)
        if not is_limited():
            print("the number of processes cannot be limited here")
            sys.exit(SKIPPED)
        sys.exit(max(try_limit(folder, threads) for threads in (1, 2, 3, 10)))


main()
