#!/usr/bin/env python3
"""Lets each system call that keeps a file fail once, in every command that writes.

    inject.py ALIDADE LIBRARY

LIBRARY (failing_calls.c) is loaded before the command and lets call number k of write, fsync, rename, close and unlink
fail. Then the command ends with 0 and the new files are there, or with 1 and a message. A single file is the old one
then, unless the message says that the new one is in its place; of several some may be missing, but there are no old
ones beside new ones. After the next command in the folder nothing else is left. Commands that write much have many
calls: without ALD_LONG of those in the middle only some are tried.
"""
import os
import subprocess
import sys
import tempfile

import writing

ALIDADE, LIBRARY = map(os.path.abspath, sys.argv[1:3])
MOST = 1000 if os.environ.get("ALD_LONG") else 4  # calls of one command


def run_failing(folder, words, call):
    count = os.path.join(folder, "..", os.path.basename(folder) + ".count")
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAILING_CALL=str(call), FAILING_COUNT=count)
    done = subprocess.run([ALIDADE] + words + ["-q"], cwd=folder, env=environment, capture_output=True, timeout=120)
    with open(count, encoding="ascii") as file:
        calls = int(file.read())
    os.unlink(count)
    return done, calls


def some_of(calls):
    """All, or the first and the last ones, where files are made and put in their places."""
    if calls <= MOST:
        return list(range(1, calls + 1))
    first = MOST // 3
    return list(range(1, first + 1)) + list(range(calls - MOST + first + 1, calls + 1))


def fault_of(done, now, old, new, left):
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stderr):
        return f"ends with {done.returncode} and says {done.stderr[-200:]!r}"
    if done.returncode == 0 and now != new:
        return "ends with 0 without its files"
    if not writing.is_one_kind(now, old, new):
        return writing.kinds_of(now, old, new)
    if done.returncode == 1 and now == new != old and b"is in its place" not in done.stderr:
        return "ends with 1 though the new file is there"
    return f"leaves {left}" if left else None


def try_command(folder, command, names):
    wrong = []
    old, new = writing.both_kinds(ALIDADE, folder, command, names)
    words = writing.words_of(command, True)
    _, calls = run_failing(folder, words, 0)
    tried = some_of(calls)
    for call in tried:
        writing.put_back(folder, names, old)
        done, _ = run_failing(folder, words, call)
        writing.run(ALIDADE, folder, ["convert", "data.csv", "another.csv"])
        os.unlink(os.path.join(folder, "another.csv"))
        left = sorted(set(os.listdir(folder)) - set(names) - set(writing.PREPARED))
        fault = fault_of(done, writing.contents(folder, names), old, new, left)
        if fault:
            wrong.append(f"{command}: call {call} of {calls} fails: {fault}")
        writing.remove(folder, left)
    writing.remove(folder, names)
    return wrong, len(tried)


def main():
    wrong, tried = writing.verbs_without_command(ALIDADE), 0
    with tempfile.TemporaryDirectory() as folder:
        writing.prepare(ALIDADE, folder)
        for command, names in writing.COMMANDS:
            faults, count = try_command(folder, command, names)
            wrong += faults
            tried += count
            if not count:
                wrong.append(f"{command}: no call was seen")
    for line in wrong:
        print(line)
    print(f"{tried} failing calls in {len(writing.COMMANDS)} commands, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
