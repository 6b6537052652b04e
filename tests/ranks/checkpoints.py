#!/usr/bin/env python3
"""checkpoints ALIDADE [--kills N]: runs with --checkpoint that are killed again and again and resume, with real processes.

A run of one process is killed ten times, a run of three ranks twice (ten times with ALD_LONG), at random instants. The
state must never go back, and the model must have the bytes of a run that was left alone. Another number of ranks begins
anew, says so, and leaves nothing of the first. So do fits of more than 5000 columns, by LSQR and Lanczos (with ALD_LONG:
ten times each, on several ranks, and all the ways to eigenvectors), which read the file again and again."""
import argparse
import glob
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

import numpy

from mpi import SHORT, command, surroundings

parser = argparse.ArgumentParser()
parser.add_argument("alidade")
LONG = bool(os.environ.get("ALD_LONG"))
parser.add_argument("--kills", type=int, default=10 if LONG else 2)
options = parser.parse_args()
PATIENCE = 600 if LONG else 60  # seconds
ALIDADE = os.path.abspath(options.alidade)
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


def table(path, times, rows=5000):
    """The same rows so many times; a category, cells without a value, weights."""
    draw = random.Random(3)
    lines = []
    for i in range(rows):
        cells = [f"{draw.gauss(i % 3, 1):.12f}" for _ in range(6)] + ["" if i % 11 == 0 else f"{draw.random():.6f}"]
        lines.append(",".join(cells) + f",{'rgbs'[draw.randrange(4)]},{i % 4},{'abc'[i % 3]}\n")
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"x{j}" for j in range(7)) + ",colour,w,y\n")
        for _ in range(times):
            file.write("".join(lines))


def fit(out, *more, checkpoint=True):
    words = [ALIDADE, "fit", "t.csv", "--target", "y", "--weights", "w", "--missing", "mean", "--method", "lda", "--stream",
             "--keep-statistics", "--scale", "standard", "-q", "-o", out, *more]
    return [*words, "--checkpoint", "state", "--checkpoint-seconds", "0.001"] if checkpoint else words


def reached(path):
    """(whether sums are being formed, the next block) of a state; None: there is none."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return None
    settings, = struct.unpack_from("<q", content, 32 + 16)  # behind the record of the key and the head of the next
    numbers = struct.unpack_from("<6q", content, 32 + 56 + 16)
    return int(settings != 0), numbers[0] + 1000000 * numbers[5]


def states(folder):
    return {os.path.basename(path): reached(path) for path in glob.glob(f"{folder}/state.*.*[0-9]")}


def children(parent):
    found = []
    for path in glob.glob(f"/proc/{parent}/task/*/children"):
        with open(path, encoding="ascii") as file:
            found += [int(word) for word in file.read().split()]
    return found


def start(ranks, words):
    return command(ranks, words) if ranks > 1 else words


def until_killed(folder, words, ready, ranks):
    """Starts it and kills it, or one of its ranks, as soon as it is ready; whether it was still there."""
    with subprocess.Popen(start(ranks, words), env=surroundings(), cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None and not ready():
            time.sleep(0.002)
        whom = children(run.pid)[-1:] if ranks > 1 else [run.pid]
        hit = run.poll() is None and whom
        if hit:
            os.kill(whom[0], signal.SIGKILL)
        said = run.communicate(timeout=PATIENCE)[1]
    if ranks == 1 and hit and run.returncode != 0:
        check("killed", run.returncode == -signal.SIGKILL, said)
    return bool(hit) and run.returncode != 0  # one that ended before the signal came was not hit


def finish(name, folder, ranks, words):
    done = subprocess.run(start(ranks, words), env=surroundings(), cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    check(name, done.returncode == 0, done.stderr)


def begun_anew(folder):
    """Where a fast machine was done before it was killed: the next run is another one from the beginning."""
    done = os.path.exists(f"{folder}/m.ald")
    if done:
        os.remove(f"{folder}/m.ald")
    return done


def killed(folder, ranks, kills, *more):
    """Killed `kills` times, then left alone."""
    draw = random.Random(ranks)
    name = f"{ranks} ranks, {' '.join(more)}"
    finish(name, folder, ranks, fit("whole.ald", *more, checkpoint=False))
    hits, moved = 0, 0
    for _ in range(kills):
        before = states(folder)
        pause = draw.uniform(0.0, 0.05)
        hit = until_killed(folder, fit("m.ald", *more), lambda: states(folder) != before and not time.sleep(pause), ranks)
        if begun_anew(folder):
            continue
        hits += hit
        now = states(folder)
        for state, value in now.items():
            check(name, value >= before.get(state, value), f"{state} went back from {before.get(state)} to {value}")
        moved += now != before
    check(name, moved == hits and hits >= kills // 2, f"{moved} of {hits} runs went on")
    finish(name, folder, ranks, fit("m.ald", *more))
    same = open(f"{folder}/m.ald", "rb").read() == open(f"{folder}/whole.ald", "rb").read()
    check(name, same, f"other bytes after {hits} kills")
    check(name, not glob.glob(f"{folder}/state*"), "the checkpoint is still there")
    print(f"{name}: killed {hits} times, {moved} went on")
    os.remove(f"{folder}/m.ald")


def has_sums(folder, count):
    return [bool(value and value[0]) for name, value in states(folder).items()
            if name.startswith(f"state.{count}.")].count(True) == count


def killed_in_sums(folder):
    """With rows kept in memory, which are gone then."""
    finish("sums", folder, 1, fit("whole.ald", checkpoint=False))
    hit = until_killed(folder, fit("m.ald"), lambda: has_sums(folder, 1), 1)
    check("sums", hit and states(folder)["state.1.0"][0] == 1, "it was not killed while it formed sums")
    finish("sums", folder, 1, fit("m.ald"))
    check("sums", open(f"{folder}/m.ald", "rb").read() == open(f"{folder}/whole.ald", "rb").read(), "other bytes")
    os.remove(f"{folder}/m.ald")


def arrays(path):
    content = open(path, "rb").read()
    size = struct.unpack_from("<Q", content)[0]
    head = json.loads(content[8:8 + size])
    kinds = {"F64": "<f8", "I64": "<i8", "F32": "<f4", "I32": "<i4", "U8": "u1"}
    return {name: numpy.frombuffer(content[8 + size + about["data_offsets"][0]:8 + size + about["data_offsets"][1]],
                                   kinds[about["dtype"]]).astype(float)
            for name, about in head.items() if name != "__metadata__"}


def assert_alike(name, first, second, tolerance=1e-11):
    one, two = arrays(first), arrays(second)
    for array, values in one.items():
        if array == "statistics/lost":  # a bound, which depends on the order of the sums
            continue
        apart = numpy.abs(values - two[array]).max() if values.size else 0.0
        check(name, apart <= tolerance * max(1.0, numpy.linalg.norm(values)), f"{array} differs by {apart}")


def begins_anew(name, folder, words, ranks, tolerance=1e-11):
    """Another number of ranks than that of the checkpoint: it says so, and the model is the same to rounding."""
    done = subprocess.run(start(ranks, [word for word in words if word != "-q"]), env=surroundings(), cwd=folder,
                          capture_output=True, text=True, timeout=PATIENCE)
    check(name, done.returncode == 0 and "the fit starts over" in done.stderr, done.stderr)
    assert_alike(name, f"{folder}/whole.ald", f"{folder}/m.ald", tolerance)
    check(name, not glob.glob(f"{folder}/state*"), "the checkpoint is still there")
    os.remove(f"{folder}/m.ald")


def others(folder):
    """One process is killed in its sums, three ranks in their survey."""
    until_killed(folder, fit("m.ald", "--keep-rows", "none"), lambda: has_sums(folder, 1), 1)
    check("others", has_sums(folder, 1), f"{states(folder)}")
    begins_anew("others", folder, fit("m.ald"), 2)
    until_killed(folder, fit("m.ald", "--keep-rows", "none"), lambda: len(states(folder)) == 3, 3)
    check("survey", len(states(folder)) == 3, f"three ranks were not killed in their survey: {states(folder)}")
    begins_anew("survey", folder, fit("m.ald", "--keep-rows", "none"), 2)


def wide(path, rows):
    """6000 sparse columns in three classes; a few columns stand out, as a spectrum without any takes long."""
    draw = random.Random(8)
    with open(path, "w", encoding="ascii") as file:
        for i in range(rows):
            columns = sorted(draw.sample(range(50, 6000), 20))
            cells = [f"{1 + j}:{draw.gauss(i % 3 == j % 3, 9 - j):.4f}" for j in range(8)]
            file.write(f"{i % 3} {' '.join(cells)} {' '.join(f'{j}:{draw.gauss(0, 1):.4f}' for j in columns)} 6000:1\n")


def pass_fit(out, method, checkpoint=True):
    words = [ALIDADE, "fit", "w.svm", *method, "--tol", "1e-13", "--stream", "--keep-rows", "none", "--threads", "1", "-q", "-o",
             out]
    return [*words, "--checkpoint", "state", "--checkpoint-seconds", "0.001"] if checkpoint else words


def files(folder, ending=""):
    return {path: os.stat(path).st_mtime_ns for path in glob.glob(f"{folder}/state*{ending}") if os.path.exists(path)}


LSQR = ["--method", "lda", "--ridge", "1", "--predictor", "linear"]
LANCZOS = ["--method", "pca", "--n-components", "3", "--solver", "lanczos"]


def killed_in_passes(folder, ranks, kills, method):
    """Each time after another state was written, so each time it has gone on."""
    draw = random.Random(ranks)
    name = f"{ranks} ranks, {' '.join(method)}"
    finish(name, folder, ranks, pass_fit("whole.ald", method, checkpoint=False))
    hits = 0
    for _ in range(kills):
        before = files(folder, ".now") or files(folder, ".steps")
        pause = draw.uniform(0.0, 0.02)
        hit = until_killed(folder, pass_fit("m.ald", method), lambda: before != (
            files(folder, ".now") or files(folder, ".steps")) and not time.sleep(pause), ranks)
        hits += not begun_anew(folder) and hit
    check(name, hits >= kills // 2, f"only {hits} kills")
    finish(name, folder, ranks, pass_fit("m.ald", method))
    same = open(f"{folder}/m.ald", "rb").read() == open(f"{folder}/whole.ald", "rb").read()
    check(name, same, f"other bytes after {hits} kills")
    check(name, not glob.glob(f"{folder}/state*"), "the checkpoint is still there")
    print(f"{name}: killed {hits} times")
    os.remove(f"{folder}/m.ald")


def mixed(folder):
    """A rank that was killed before its state was in its place has an older one than the others."""
    finish("mixed", folder, 2, pass_fit("whole.ald", LSQR, checkpoint=False))
    until_killed(folder, pass_fit("m.ald", LSQR), lambda: len(files(folder, ".now")) == 2, 2)
    older = open(f"{folder}/state.2.1.now", "rb").read()
    before = files(folder, ".2.0.now")
    until_killed(folder, pass_fit("m.ald", LSQR), lambda: files(folder, ".2.0.now") != before and not time.sleep(0.1), 2)
    check("mixed", not os.path.exists(f"{folder}/m.ald"), "it was done before it was killed")
    with open(f"{folder}/state.2.1.now", "wb") as file:
        file.write(older)
    finish("mixed", folder, 2, pass_fit("m.ald", LSQR))
    check("mixed", open(f"{folder}/m.ald", "rb").read() == open(f"{folder}/whole.ald", "rb").read(), "other bytes")
    os.remove(f"{folder}/m.ald")


def others_in_passes(folder, method):
    """Other settings are refused, another number of ranks begins anew."""
    until_killed(folder, pass_fit("m.ald", method), lambda: files(folder, ".now"), 1)
    check("others", files(folder, ".now"), f"no state in {files(folder)}")
    done = subprocess.run(pass_fit("m.ald", [*method, "--scale", "standard"]), cwd=folder, capture_output=True, text=True,
                          timeout=PATIENCE)
    check("others", "state is a checkpoint of a fit with other settings" in done.stderr, done.stderr)
    begins_anew("others", folder, pass_fit("m.ald", method), 2, 1e-8)


def passes(folder):
    wide(f"{folder}/w.svm", 300 if SHORT else 20000 if LONG else 2000)
    if SHORT:
        killed_in_passes(folder, 2, 1, LSQR)
        return
    for ranks in (1, 3) if LONG else (1,):
        killed_in_passes(folder, ranks, options.kills, LSQR)
    killed_in_passes(folder, 2, options.kills, LANCZOS)
    mixed(folder)
    finish("others", folder, 1, pass_fit("whole.ald", LSQR, checkpoint=False))
    others_in_passes(folder, LSQR)


def refused(folder):
    """A checkpoint of something else is not touched."""
    with open(f"{folder}/state", "w", encoding="ascii") as file:
        file.write("a file of somebody, which is not short at all")
    for words, expected in ((fit("m.ald"), "is not a checkpoint"), (fit("m.ald", "--ignore", "x1"), "is not a checkpoint")):
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
        check("refused", done.returncode != 0 and expected in done.stderr, done.stderr)
    os.remove(f"{folder}/state")
    until_killed(folder, fit("m.ald", "--keep-rows", "none"), lambda: has_sums(folder, 1), 1)
    for more, expected in ((["--ignore", "x1"], "other data"), (["--ridge", "3"], "settings")):
        done = subprocess.run(fit("m.ald", *more), cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
        check("refused", done.returncode != 0 and expected in done.stderr, done.stderr)
    with open(f"{folder}/state", "r+b") as file:
        content = file.read()
        file.seek(14)  # the format, behind the length and the letters ALDCHK
        file.write(b"9")
    done = subprocess.run(fit("m.ald"), cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    check("refused", done.returncode != 0 and "another version" in done.stderr, done.stderr)
    with open(f"{folder}/state", "wb") as file:
        file.write(content)
    for path in glob.glob(f"{folder}/state*"):
        with open(path, "r+b") as file:
            file.seek(30)
            file.write(b"\x55")
    done = subprocess.run(fit("m.ald"), cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    check("refused", done.returncode != 0 and "is damaged" in done.stderr, done.stderr)


with tempfile.TemporaryDirectory() as made:
    table(f"{made}/t.csv", 4 if SHORT else 200 if LONG else 40)
    if SHORT:
        killed(made, 2, 1, "--keep-rows", "none")
    else:
        killed(made, 1, 10, "--threads", "2")
        killed_in_sums(made)
        killed(made, 3, options.kills, "--keep-rows", "none")
        others(made)
        refused(made)
    for path in glob.glob(f"{made}/state*"):
        os.remove(path)
    passes(made)
print("\n".join(failures[:10]) if failures else "runs that were killed resume")
sys.exit(bool(failures))
