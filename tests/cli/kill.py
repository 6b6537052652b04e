#!/usr/bin/env python3
"""Kills commands that write, at random instants, and looks at what is left.

    kill.py ALIDADE DATA [ROUNDS [SEED]]

After each kill -9 the next command in the folder runs. Then the files of the killed command are the old ones or the new
ones, all of one kind, each equal byte by byte to what the command writes undisturbed; of several some may be missing,
but not the first; and nothing else is in the folder. A comparison with a journal is killed and resumed until it ends:
its table is that of a run that was left alone. Made for a few rounds in the usual tests and for hundreds in the long
ones.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import writing

ALIDADE = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 84 if os.environ.get("ALD_LONG") else 3  # of each command
RANDOM = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
RESUMED = "compare data.csv --target y --methods pls,sir --dims 1:2 --splits 4 --no-times --resume j.jsonl --csv c.csv"


def kill_at(folder, words, seconds):
    child = subprocess.Popen([ALIDADE] + words + ["-q"], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    child.wait()


def duration(folder, words):
    began = time.monotonic()
    writing.run(ALIDADE, folder, words)
    return time.monotonic() - began


def try_command(folder, command, names, rounds):
    wrong = []
    old, new = writing.both_kinds(ALIDADE, folder, command, names)
    whole = duration(folder, writing.words_of(command, True))
    for _ in range(rounds):
        writing.put_back(folder, names, old)
        instant = whole * RANDOM.choice((RANDOM.random() * 1.1, 0.7 + RANDOM.random() * 0.4))
        kill_at(folder, writing.words_of(command, True), instant)
        writing.run(ALIDADE, folder, ["convert", "data.csv", "another.csv"])
        os.unlink(os.path.join(folder, "another.csv"))
        now = writing.contents(folder, names)
        left = sorted(set(os.listdir(folder)) - set(names) - set(writing.PREPARED))
        if left or not writing.is_one_kind(now, old, new):
            wrong.append(f"{command}: killed after {instant:.4f} s: {left or writing.kinds_of(now, old, new)}")
            writing.remove(folder, left)
    writing.remove(folder, names)
    return wrong


def try_resumed(folder, rounds):
    wrong = []
    whole = duration(folder, RESUMED.split())
    expected = writing.contents(folder, ["c.csv"])
    for _ in range(rounds):
        writing.remove(folder, ("c.csv", "j.jsonl"))
        for _ in range(RANDOM.randint(1, 3)):
            kill_at(folder, RESUMED.split(), whole * RANDOM.random())
        writing.run(ALIDADE, folder, RESUMED.split())
        if writing.contents(folder, ["c.csv"]) != expected:
            wrong.append(f"{RESUMED}: another table after it was killed and resumed")
    return wrong


def main():
    wrong = writing.verbs_without_command(ALIDADE)
    with tempfile.TemporaryDirectory() as folder:
        writing.prepare(ALIDADE, folder)
        for command, names in writing.COMMANDS:
            wrong += try_command(folder, command, names, ROUNDS)
        wrong += try_resumed(folder, ROUNDS)
    for line in wrong:
        print(line)
    commands = len(writing.COMMANDS) + 1
    print(f"{commands * ROUNDS} rounds of kills of {commands} commands, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
