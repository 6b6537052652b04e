#!/usr/bin/env python3
"""Runs the command line from outside and compares what it says, how it ends and what files it leaves.

    run.py [--jobs N] ALIDADE DATA [NAME...]

ALIDADE is the executable, DATA the folder with the bundled data sets. A NAME is a case (fit/stream, or stream alone) or a
verb with all its cases (fit); all cases run if none is given, N (2) side by side. A case is a folder cases/VERB/NAME,
under the verb that it is about or under general:

    cmd      the shell script to run, in an empty folder of its own
    input/   files copied to that folder before
    stdout   what must come on standard output; not there: nothing
    stderr   the same for standard error
    status   the exit status; not there: 0
    files    the files that must be there afterwards beside the input, one per line; not there: none

In stdout and stderr a * stands for any part of a line, and a line ... for any number of lines. The script has ALIDADE,
DATA, PYTHON and TOOLS (this folder) in its environment.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "cases")
TIME_LIMIT = 120  # seconds


def read(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def pattern_of(expected):
    """A regular expression for the whole text."""
    parts = []
    for line in expected.splitlines():
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append("[^\n]*".join(re.escape(piece) for piece in line.split("*")) + "\n")
    return re.compile("".join(parts))


def listing(folder):
    found = set()
    for here, _, names in os.walk(folder):
        found.update(os.path.relpath(os.path.join(here, name), folder) for name in names)
    return found


def environment(alidade, data):
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    kept.update(ALIDADE=alidade, DATA=data, TOOLS=HERE, PYTHON=sys.executable, LC_ALL="C", TERM="xterm")
    return kept


def compare(folder, result, seen):
    """What is not as it should be, as a list of texts."""
    wrong = []
    status = int(read(folder, "status") or 0)
    if result.returncode != status:
        wrong.append(f"exit status {result.returncode}, expected {status}")
    for name, got in (("stdout", result.stdout), ("stderr", result.stderr)):
        text = got.decode("utf-8", "replace")
        if not pattern_of(read(folder, name)).fullmatch(text):
            wrong.append(f"{name} is\n{text}--- expected\n{read(folder, name)}---")
    expected = set(read(folder, "files").split())
    if seen != expected:
        wrong.append(f"files {sorted(seen)}, expected {sorted(expected)}")
    return wrong


def run_case(name, env):
    folder = os.path.join(CASES, name)
    with tempfile.TemporaryDirectory(prefix="alidade-cli-") as place:
        if os.path.isdir(os.path.join(folder, "input")):
            shutil.copytree(os.path.join(folder, "input"), place, dirs_exist_ok=True)
        before = listing(place)
        command = ["bash", os.path.join(folder, "cmd")]
        began = time.monotonic()
        try:
            result = subprocess.run(command, cwd=place, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                    timeout=TIME_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return name, [f"did not end within {TIME_LIMIT} s"], TIME_LIMIT
        return name, compare(folder, result, listing(place) - before), time.monotonic() - began


def all_cases():
    """fit/stream, ... in order."""
    return sorted(f"{verb}/{name}" for verb in os.listdir(CASES) for name in os.listdir(os.path.join(CASES, verb)))


def chosen(names):
    """The cases that are meant by the names."""
    known = all_cases()
    if not names:
        return known
    picked = []
    for name in names:
        hits = [case for case in known if name in (case, *case.split("/"))]
        if not hits:
            sys.exit(f"run.py: there is no case and no verb '{name}'")
        picked += [case for case in hits if case not in picked]
    return picked


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("alidade", type=os.path.abspath)
    parser.add_argument("data", type=os.path.abspath)
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def main():
    args = arguments()
    env = environment(args.alidade, args.data)
    cases = chosen(args.names)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, wrong, seconds in pool.map(lambda case: run_case(case, env), cases):
            if wrong:
                failed += 1
                print(f"FAILED {name}\n  " + "\n".join(wrong).replace("\n", "\n  "))
            elif seconds > 5:
                print(f"slow   {name} ({seconds:.1f} s)")
    print(f"{len(cases) - failed} of {len(cases)} cases passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
