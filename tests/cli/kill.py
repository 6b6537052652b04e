#!/usr/bin/env python3
"""Kills commands that write, at random instants, and looks at what is left.

    kill.py ALIDADE DATA [ROUNDS [SEED]]

After each kill -9 the next command in the folder runs. Then the files of the killed command are the old ones or the new
ones, all of one kind, each equal byte by byte to what the command writes undisturbed, and nothing else is in the
folder. Made for a few rounds in the usual tests and for hundreds in the long ones.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ALIDADE, DATA = map(os.path.abspath, sys.argv[1:3])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 84 if os.environ.get("ALD_LONG") else 6  # of each command
RANDOM = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
# What writes, and the files that belong together. SEED makes old and new files differ.
COMMANDS = [
    ("split data.csv --seed SEED -o train.csv test.csv", ["train.csv", "test.csv"]),
    ("fit data.csv --target y --method pls --dims 2 --row-scale SCALE -o m.ald", ["m.ald"]),
    ("tune data.csv --target y --method pls --dims 1:2 --folds 3 --no-nested --seed SEED --csv t.csv -o m.ald",
     ["m.ald", "t.csv"]),
    ("compare data.csv --target y --methods pls --dims 1 --splits 2 --no-times --seed SEED --csv c.csv --json=c.json",
     ["c.csv", "c.json"]),
    ("convert data.csv out.npy", ["out.npy"]),
    ("generate plane --n 20000 --seed SEED -o g.csv", ["g.csv"]),
]


def words_of(command, new):
    return command.replace("SEED", "2" if new else "1").replace("SCALE", "standard" if new else "none").split()


def run(folder, words):
    subprocess.run([ALIDADE] + words + ["-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120)


def contents(folder, names):
    found = []
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            found.append(file.read())
    return found


def kill_at(folder, words, seconds):
    child = subprocess.Popen([ALIDADE] + words + ["-q"], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    child.wait()


def prepare(folder):
    run(folder, "generate plane --n 4000 --seed 3 -o data.csv".split())


def try_command(command, names, rounds):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        run(folder, words_of(command, True))
        new = contents(folder, names)
        began = time.monotonic()
        run(folder, words_of(command, True))
        whole = time.monotonic() - began
        run(folder, words_of(command, False))
        old = contents(folder, names)
        for i in range(rounds):
            for name, bytes_ in zip(names, old):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(bytes_)
            instant = whole * RANDOM.choice((RANDOM.random() * 1.1, 0.7 + RANDOM.random() * 0.4))
            kill_at(folder, words_of(command, True), instant)
            run(folder, ["convert", names[0] if names[0].endswith(".csv") else "data.csv", "another.csv"])
            os.unlink(os.path.join(folder, "another.csv"))
            now = contents(folder, names)
            left = sorted(set(os.listdir(folder)) - set(names) - {"data.csv"})
            if now not in (old, new) or left:
                wrong.append(f"{command}: killed after {instant:.4f} s: {left or 'files of two kinds, or damaged'}")
                for name in left:
                    shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    return wrong


def main():
    wrong = [line for command, names in COMMANDS for line in try_command(command, names, ROUNDS)]
    for line in wrong:
        print(line)
    print(f"{len(COMMANDS) * ROUNDS} kills of {len(COMMANDS)} commands, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
