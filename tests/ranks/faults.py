#!/usr/bin/env python3
"""faults ALIDADE [--kills N]: what goes wrong on one rank ends all of them, with real processes.

Every case must end within 10 s with a status other than 0, one line of ours on standard error that says why (none where
a rank was killed and could not say anything), no output file and nothing else left in its folder. ALD_LONG tries more
of them, and kills 20 times."""
import argparse
import gzip
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from mpi import SHORT, command, is_alive, mpirun, ranks_of, surroundings

parser = argparse.ArgumentParser()
parser.add_argument("alidade")
parser.add_argument("--kills", type=int, default=20 if os.environ.get("ALD_LONG") else 1)
options = parser.parse_args()
ALIDADE = os.path.abspath(options.alidade)
LONGEST = 40.0 if SHORT else 10.0  # seconds; with sanitizers, where the short form runs, everything takes longer
LONG = bool(os.environ.get("ALD_LONG"))
failures = []


def check(name, what, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {what} {detail}")


def ours(text):
    return [line for line in text.splitlines() if line.startswith("alidade")]


def table(path, rows, columns=6, bad=None, text=None):
    """A csv file; row number `bad` (from 1) has a cell too few, and row number `text` a text for its first number."""
    draw = random.Random(1)
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"x{j}" for j in range(columns)) + ",y\n")
        for i in range(1, rows + 1):
            cells = [f"{draw.gauss(i % 3, 1):.6f}" for _ in range(columns - (i == bad))]
            cells[0] = "abc" if i == text else cells[0]
            file.write(",".join(cells) + f",{'abc'[i % 3]}\n")


def ends(name, folder, words, expected, ranks=3, lines=1, **others):
    """Runs it, and holds it to the rules above."""
    before = sorted(os.listdir(folder))
    began = time.monotonic()
    try:
        done = mpirun(ranks, words, timeout=60, cwd=folder, **others)
    except subprocess.TimeoutExpired:
        check(name, "hangs", False)
        return
    took = time.monotonic() - began
    said = ours(done.stderr)
    check(name, "exit status", done.returncode != 0)
    check(name, "took", took < LONGEST, f"{took:.1f} s")
    check(name, "lines", len(said) == lines, done.stderr)
    check(name, f"'{expected}' is not in", any(expected in line for line in said) or not expected, done.stderr)
    check(name, "left", sorted(os.listdir(folder)) == before, str(os.listdir(folder)))
    print(f"{name}: {took:.1f} s, {said}")


def fit(file, *more):
    return [ALIDADE, "fit", file, "--target", "y", "--method", "lda", "--stream", "-o", "m.ald", *more]


def apart(first, second, before=(), count=1):
    """The words for mpirun by which the last `count` ranks are started otherwise than rank 0."""
    return [*first, ":", "-n", str(count), *before, *second]


def wide(path):
    """A sparse file with more columns than statistics are formed of: fitted by passes over the rows."""
    draw = random.Random(1)
    with open(path, "w", encoding="ascii") as file:
        for i in range(400):
            cells = sorted({1 + i % 3, 60000, *(draw.randrange(1, 60000) for _ in range(12))})
            file.write(f"{i % 3} " + " ".join(f"{j}:{draw.gauss(1, 1):.4f}" for j in cells) + "\n")


def pass_over(*more):
    return [ALIDADE, "fit", "wide.svm", "--task", "classification", "--method", "lda", "--ridge", "1", "--stream", "-o",
            "m.ald", *more]


def limited(limit, words):
    return ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *words]


def small_disk(folder):
    """A file system of 64 KB, where one may be mounted: the model of a wide file does not fit."""
    os.mkdir(f"{folder}/disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", f"{folder}/disk"], capture_output=True)
    if mounted.returncode == 0:
        try:
            table(f"{folder}/many.csv", 300, columns=200)
            words = [*fit("many.csv", "--keep-statistics")]
            words[words.index("m.ald")] = "disk/m.ald"
            ends("a full file system", folder, words, "No space left", ranks=2)
            check("a full file system", "left", not os.listdir(f"{folder}/disk"))
        finally:
            subprocess.run(["umount", f"{folder}/disk"], check=True)
    os.rmdir(f"{folder}/disk")


def said_by_one(folder):
    wide(f"{folder}/wide.svm")
    table(f"{folder}/bad.csv", 3000, bad=2500)
    table(f"{folder}/t.csv", 600)
    os.mkdir(f"{folder}/elsewhere")
    with gzip.open(f"{folder}/t.csv.gz", "wb") as file:
        file.write(open(f"{folder}/t.csv", "rb").read())
    ends("bad cell", folder, fit("bad.csv"), "line 2501")
    ends("memory short on one rank, passes", folder, apart(pass_over(), pass_over("--max-memory", "16M")), "memory", ranks=1)
    if SHORT:
        return
    ends("address space", folder, apart(fit("t.csv"), limited("-v 250000", fit("t.csv"))), "ulimit -v", ranks=1)
    ends("disk full", folder, [*fit("t.csv")[:-1], "/dev/full"], "No space left", ranks=2)
    table(f"{folder}/text.csv", 3000, text=2500)
    ends("text among numbers", folder, fit("text.csv"), "line 2501, column 1 ('x0') holds the text 'abc' but 2999 other cells")
    ends("file missing on one rank", folder, apart(fit("t.csv"), fit("t.csv"), ["-wdir", f"{folder}/elsewhere"]), "t.csv",
         ranks=2)
    ends("memory short on one rank", folder, apart(fit("t.csv"), fit("t.csv", "--max-memory", "100K")), "memory", ranks=1)
    other_models(folder)
    state = limited("-f 0", fit("t.csv", "--checkpoint", "state", "--checkpoint-seconds", "1e-6"))
    ends("disk full for a checkpoint", folder, state, "state", ranks=2)
    if LONG:
        said_by_one_too(folder)


def other_models(folder):
    """Each rank would use its own on its rows, and the result would be a mixture."""
    for place, ridge in (("", "0"), ("elsewhere/", "1")):
        subprocess.run([*fit("t.csv")[:-1], f"{place}m.ald", "--ridge", ridge, "--keep-statistics"], cwd=folder, check=True,
                       capture_output=True)
    for verb in ("transform", "predict", "evaluate", "update") if LONG else ("predict",):
        words = [ALIDADE, verb, "m.ald", f"{folder}/t.csv"]
        words += ["-o", "z.ald" if verb == "update" else "z.csv"] if verb != "evaluate" else []
        ends(f"{verb}, another model on one rank", folder, apart(words, words, ["-wdir", f"{folder}/elsewhere"]),
             "m.ald is not the same model on all ranks", ranks=1)
    os.remove(f"{folder}/m.ald")
    os.remove(f"{folder}/elsewhere/m.ald")


def evaluates(folder):
    """Rank 0 waits for the predictions of the others."""
    subprocess.run(fit("t.csv"), cwd=folder, check=True, capture_output=True)
    words = [ALIDADE, "evaluate", "m.ald", "t.csv"]
    ends("evaluate, model missing on one rank", folder, apart(words, words, ["-wdir", f"{folder}/elsewhere"]), "m.ald", ranks=2)
    ends("evaluate, bad cell", folder, [*words[:3], "bad.csv"], "line 2501", ranks=3)
    ends("evaluate, memory short on one rank", folder, apart(words, [*words, "--max-memory", "60K"]), "memory", ranks=1)
    os.remove(f"{folder}/m.ald")


def said_by_one_too(folder):
    evaluates(folder)
    ends("compressed", folder, fit("t.csv.gz"), "unpack it", ranks=2)
    with open(f"{folder}/t.csv", encoding="ascii") as given:
        ends("standard input", folder, fit("-"), "write it to a file", ranks=2, stdin=given)
    ends("bad cell, two threads", folder, fit("bad.csv", "--threads", "2"), "line 2501", ranks=2)
    os.symlink("/proc/self/mem", f"{folder}/elsewhere/t.csv")  # opens, and cannot be read
    ends("file unreadable on one rank", folder, apart(fit("t.csv"), fit("t.csv"), ["-wdir", f"{folder}/elsewhere"]),
         "cannot be read", ranks=2)
    os.remove(f"{folder}/elsewhere/t.csv")
    os.mkfifo(f"{folder}/elsewhere/t.csv")  # opening it would wait for a writer
    ends("a pipe on one rank", folder, apart(fit("t.csv"), fit("t.csv"), ["-wdir", f"{folder}/elsewhere"]),
         "t.csv is a pipe", ranks=2)
    os.remove(f"{folder}/elsewhere/t.csv")
    table(f"{folder}/elsewhere/t.csv", 500)
    ends("another file on one rank", folder, apart(fit("t.csv"), fit("t.csv"), ["-wdir", f"{folder}/elsewhere"]),
         "not the same file", ranks=2)
    ends("memory short on rank 0", folder, apart(fit("t.csv", "--max-memory", "100K"), fit("t.csv")), "memory", ranks=1)
    ends("address space short on one rank", folder, apart(fit("t.csv"), limited("-v 60000", fit("t.csv"))), "ulimit -v", ranks=1)
    ends("address space that the loader does not bear", folder, apart(fit("t.csv"), limited("-v 40000", fit("t.csv"))), "",
         ranks=1, lines=0)
    ends("file too large", folder, limited("-f 1", fit("t.csv", "--keep-statistics")), "m.ald", ranks=2)
    table(f"{folder}/long.csv", 200000)
    kept = limited("-f 100", fit("long.csv", "--keep-rows", "file", "--max-memory", "24M"))
    ends("no room for kept rows", folder, kept, "caches rows", ranks=2)
    small_disk(folder)
    ends("a method that does not distribute", folder, [word.replace("lda", "kdr") for word in fit("t.csv")], "kdr")
    ends("a verb that does not", folder, [ALIDADE, "compare", "t.csv", "--target", "y"], "without mpirun")
    ends("without --stream", folder, [word for word in fit("t.csv") if word != "--stream"], "--stream")


def killed(folder, name, number, after, whom):
    before = sorted(os.listdir(folder))
    with subprocess.Popen(command(3, fit("large.csv")), env=surroundings(), cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as run:
        time.sleep(after)
        children = ranks_of(run.pid)
        if not children or run.poll() is not None:
            run.communicate()
            return False
        os.kill(run.pid if whom is None else children[whom % len(children)], number)
        began = time.monotonic()
        while run.poll() is None and any(is_alive(child) for child in children):
            if time.monotonic() - began > 60:
                check(name, "hangs", False)
                break
            time.sleep(0.02)
        took = time.monotonic() - began
        try:
            run.communicate(timeout=20)
        except subprocess.TimeoutExpired:  # Open MPI 4.1: a lock of PMIx_server_finalize, when all ranks have ended
            print(f"{name}: mpirun itself does not end")
            run.kill()
            run.communicate()
    left = [file for file in sorted(os.listdir(folder)) if file not in before]
    if left == ["m.ald"]:  # it was done already, and whole
        check(name, "another model", open(f"{folder}/m.ald", "rb").read() == open(f"{folder}/kept", "rb").read())
        os.remove(f"{folder}/m.ald")
        return False
    check(name, "exit status", run.returncode != 0)
    check(name, "took", took < LONGEST, f"{took:.1f} s")
    check(name, "left", not left, str(left))
    print(f"{name} after {after:.2f} s: ended {took:.1f} s later")
    return True


def kills(folder):
    draw = random.Random(7)
    table(f"{folder}/large.csv", 300000)
    began = time.monotonic()
    done = mpirun(3, fit("large.csv"), cwd=folder)
    whole = time.monotonic() - began
    check("large", "fit", done.returncode == 0, done.stderr)
    os.rename(f"{folder}/m.ald", f"{folder}/kept")
    hits = 0
    for i in range(options.kills):
        hits += killed(folder, f"kill -9 of a rank, {i}", signal.SIGKILL, draw.uniform(0.05, whole), draw.randrange(3))
    hits += killed(folder, "SIGTERM of rank 0", signal.SIGTERM, 0.5 * whole, 0)
    if LONG:
        hits += killed(folder, "SIGINT of mpirun", signal.SIGINT, 0.5 * whole, None)
        hits += killed(folder, "SIGTERM of a rank", signal.SIGTERM, 0.5 * whole, 1)
        hits += killed(folder, "SIGTERM of mpirun", signal.SIGTERM, 0.5 * whole, None)
    check("kills", "most came too late", hits >= options.kills // 2, str(hits))


def late(folder):
    """A rank that starts late is waited for."""
    table(f"{folder}/t.csv", 600)
    done = mpirun(1, apart(fit("t.csv"), ["sh", "-c", 'sleep 1; exec "$@"', "sh", *fit("t.csv")], count=2), cwd=folder)
    check("late", "fit", done.returncode == 0 and os.path.exists(f"{folder}/m.ald"), done.stderr)


for part in (said_by_one, kills, late) if LONG else (said_by_one,) if SHORT else (said_by_one, kills):
    with tempfile.TemporaryDirectory() as made:
        part(made)
print("\n".join(failures) if failures else "all faults end as they should")
sys.exit(bool(failures))
