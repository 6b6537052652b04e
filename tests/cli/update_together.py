#!/usr/bin/env python3
"""Updates of one model at the same time: the rows of all of them are in it afterwards.

    update_together.py ALIDADE DATA [ROUNDS]
"""
import os
import subprocess
import sys
import tempfile

ALIDADE, DATA = map(os.path.abspath, sys.argv[1:3])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
AT_ONCE = 2


def rows_in(model):
    text = subprocess.run([ALIDADE, "inspect", model], capture_output=True, text=True, check=True).stdout
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("rows ")))


def main():
    with open(os.path.join(DATA, "iris.csv"), encoding="utf-8") as file:
        header, *rows = file.read().splitlines()
    lost = 0
    with tempfile.TemporaryDirectory() as folder:
        def put(name, some):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write("\n".join([header] + some) + "\n")
        put("all.csv", rows)
        for i in range(AT_ONCE):
            put(f"more{i}.csv", rows[i::AT_ONCE][:10 + i])
        for _ in range(ROUNDS):
            subprocess.run([ALIDADE, "fit", "all.csv", "--target", "y", "--method", "lda", "--keep-statistics", "-q",
                            "-o", "m.ald"], cwd=folder, check=True)
            several = [subprocess.Popen([ALIDADE, "update", "m.ald", f"more{i}.csv", "-q", "-o", "m.ald"], cwd=folder)
                       for i in range(AT_ONCE)]
            done = [process.wait(timeout=60) for process in several]
            expected = len(rows) + sum(10 + i for i in range(AT_ONCE) if done[i] == 0)
            found = rows_in(os.path.join(folder, "m.ald"))
            if any(done) or found != expected:
                lost += 1
                print(f"exit {done}: {found} rows, expected {expected}")
        left = [name for name in os.listdir(folder) if name.startswith(".")]
    print(f"{lost} of {ROUNDS} rounds lost rows; left behind: {left}")
    sys.exit(1 if lost or left else 0)


main()
