#!/usr/bin/env python3
"""Lets every call that keeps a file, asks for memory or starts a thread fail once, in every command that writes.

    inject.py ALIDADE LIBRARY [--kind KIND]... [--most N] [--jobs N] [--fits] [--only WORD]

LIBRARY (failing_calls.c) is loaded before the command and lets call number k of one kind fail. Then the command ends
with 0 and the new files are there (tables may say which fit lacked memory), or with 1 and a message. A single file is
the old one then, unless the message says that the new one is in its place; of several some may be missing, but there
are no old ones beside new ones. After the next command in the folder nothing else is left. Without ALD_LONG only N
calls of a kind are tried in a command: the first and the last of those that keep files, some of the others. --fits: also
in a fit by every method, as with ALD_LONG. --only: the commands with this word.
"""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

import writing

LONG = bool(os.environ.get("ALD_LONG"))
KINDS = {"files": 4, "memory": 3, "threads": 1}  # calls of one command without ALD_LONG
PART = 200
parser = argparse.ArgumentParser()
parser.add_argument("alidade", type=os.path.abspath)
parser.add_argument("library", type=os.path.abspath)
parser.add_argument("--kind", action="append", choices=list(KINDS))
parser.add_argument("--most", type=int, default=10 ** 6 if LONG else None)
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--fits", action="store_true", default=LONG)
parser.add_argument("--only")
options = parser.parse_args()
ALIDADE, LIBRARY = options.alidade, options.library
# Without memory for the environment OpenBLAS would take other kernels, whose last digits differ.
os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")


def run_failing(folder, words, kind, call):
    count = os.path.join(folder, "..", os.path.basename(folder) + ".count")
    # Two threads, so that one is started where there are two cores.
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAILING_KIND=kind, FAILING_CALL=str(call), FAILING_COUNT=count,
                       OMP_NUM_THREADS="2")
    done = subprocess.run([ALIDADE] + words + ["-q"], cwd=folder, env=environment, capture_output=True, timeout=120)
    try:
        with open(count, encoding="ascii") as file:
            calls = int(file.read())
        os.unlink(count)
    except FileNotFoundError:  # it was ended otherwise, which its status says
        calls = 0
    return done, calls


def some_of(calls, kind):
    """All; or of files the first and the last, where they are made and put in their places; or some in between."""
    most = options.most or KINDS[kind]
    if calls <= most:
        return list(range(1, calls + 1))
    if kind != "files":
        return sorted({1 + (2 * i + 1) * calls // (2 * most) for i in range(most)})
    first = most // 3
    return list(range(1, first + 1)) + list(range(calls - most + first + 1, calls + 1))


def says_why(now, old, new):
    """A table of several fits has one that lacked memory, and says so; nothing old is left beside it."""
    return any(b"out of memory" in (a or b"") for a in now) and all(a == c or a != b for a, b, c in zip(now, old, new))


def fault_of(done, now, old, new, left):
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stderr):
        return f"ends with {done.returncode} and says {done.stderr[-200:]!r}"
    if done.returncode == 0 and says_why(now, old, new):
        return f"leaves {left}" if left else None
    if done.returncode == 0 and now != new:
        return "ends with 0 without its files"
    if not writing.is_one_kind(now, old, new):
        return writing.kinds_of(now, old, new)
    if done.returncode == 1 and now == new != old and b"is in its place" not in done.stderr:
        return "ends with 1 though the new file is there"
    return f"leaves {left}" if left else None


def others_in(folder, names):
    return sorted(set(os.listdir(folder)) - set(names) - set(writing.PREPARED))


def try_call(folder, command, names, old, new, kind, call):
    """What was wrong when this call failed, or None."""
    writing.put_back(folder, names, old)
    done, _ = run_failing(folder, writing.words_of(command, True), kind, call)
    left = others_in(folder, names)
    if left:
        writing.run(ALIDADE, folder, ["convert", "data.csv", "another.csv"])
        os.unlink(os.path.join(folder, "another.csv"))
        left = others_in(folder, names)
    fault = fault_of(done, writing.contents(folder, names), old, new, left)
    writing.remove(folder, left)
    return fault and f"{command}: call {call} ({kind}) fails: {fault}"


def try_calls(prepared, command, names, old, new, kind, calls):
    """In a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(prepared, folder, dirs_exist_ok=True)
        return kind, len(calls), [fault for call in calls
                                  if (fault := try_call(folder, command, names, old, new, kind, call))]


def parts_of(prepared, command, names):
    """Arguments of try_calls: of each kind PART calls at a time, so that many cores share a long command."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(prepared, folder, dirs_exist_ok=True)
        old, new = writing.both_kinds(ALIDADE, folder, command, names)
        for kind in options.kind or KINDS:
            _, calls = run_failing(folder, writing.words_of(command, True), kind, 0)
            tried = some_of(calls, kind)
            if kind == "files" and not tried:
                raise SystemExit(f"{command}: no call was seen")
            for at in range(0, len(tried), PART):
                yield prepared, command, names, old, new, kind, tried[at:at + PART]


def main():
    wrong, tried = writing.verbs_without_command(ALIDADE), {}
    print("\n".join(wrong), end="\n" * bool(wrong))
    commands = writing.COMMANDS + (list(writing.fits(ALIDADE)) if options.fits else [])
    commands = [one for one in commands if options.only is None or options.only in one[0].split()]
    with tempfile.TemporaryDirectory() as prepared, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        writing.prepare(ALIDADE, prepared)
        parts = pool.map(lambda one: list(parts_of(prepared, *one)), commands)
        for kind, count, faults in pool.map(lambda part: try_calls(*part), [part for some in parts for part in some]):
            print("\n".join(faults), end="\n" * bool(faults), flush=True)
            wrong += faults
            tried[kind] = tried.get(kind, 0) + count
            if LONG:
                print(f"{sum(tried.values())} calls, {len(wrong)} wrong", flush=True)
    print(f"failing calls in {len(commands)} commands: " +
          ", ".join(f"{count} of {kind}" for kind, count in tried.items()) + f"; {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
