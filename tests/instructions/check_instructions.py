#!/usr/bin/env python3
"""check_instructions.py ALIDADE [--only FIT] [--update]: instructions of twelve small fits, beside those that are kept in counts.json.

Seconds depend on the machine and on what else runs there; instructions of our own functions do not. They are counted by
valgrind's callgrind on one thread, without those of BLAS and of the system's libraries. A fit that takes more than 5 % more
fails, and the functions that grew most are named. Another compiler makes other code: the counts of one that is not the one of
counts.json are not compared (status 77). After a change that is worth its instructions: --update."""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts.json")
LIMIT = 1.05
TABLES = {"real": "parity --n 200 --seed 1", "classes": "xor --n 200 --seed 1", "words": "rcv1 --n 150 --d 1010 --seed 1"}
FITS = {
    "pca": "real --method pca --components 2",
    "pls": "real --method pls --components 2",
    "lda": "classes --method lda",
    "cca, two-stage, sparse": "words --method cca --solver two-stage --ridge 1",
    "spca": "real --method spca --components 2",
    "sir": "real --method sir --components 2",
    "rsir": "classes --method rsir --components 1",
    "kpca": "real --method kpca --components 2",
    "kspca": "classes --method kspca --components 2",
    "kdr": "real --method kdr --components 2 --n-starts 1 --n-stages 10",
    "sdpp": "real --method sdpp --components 2",
    "gkdr": "real --method gkdr --components 2",
}


def names(text, known):
    """A name of callgrind's file: (3) stands for what (3) NAME was before."""
    number, name = re.match(r"\((\d+)\)(?: (.*))?$", text).groups()
    if name:
        known[number] = name
    return known[number]


def own_counts(path, program):
    """Instructions of each function of the program itself."""
    objects, functions, counts = {}, {}, collections.Counter()
    inside, function, skip = False, "", False
    with open(path) as file:
        for line in file:
            if line.startswith("ob="):
                inside = names(line[3:].strip(), objects).endswith(program)
            elif line.startswith("cob="):
                names(line[4:].strip(), objects)
            elif line.startswith("fn="):
                function = names(line[3:].strip(), functions)
            elif line.startswith("cfn="):
                names(line[4:].strip(), functions)
            elif line.startswith("calls="):
                skip = True  # the next line has the cost of what was called
            elif line[:1].isdigit() or line[:1] in "+-*":
                if inside and not skip:
                    counts[re.sub(r"'\d+$", "", function)] += int(line.split()[1])
                skip = False
    return counts


def count(alidade, name, folder):
    table, *words = FITS[name].split()
    data, out = os.path.join(folder, table + (".svm" if table == "words" else ".csv")), os.path.join(folder, "callgrind.out")
    if not os.path.exists(data):
        subprocess.run([alidade, "generate", *TABLES[table].split(), "-q", "-o", data], check=True)
    target = [] if table == "words" else ["--target", "y"]
    # Kernels that valgrind can run, so that the program need not start itself again.
    environment = dict(os.environ, OPENBLAS_CORETYPE="Haswell", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", alidade, "fit", data, *target, *words,
                           "--threads", "1", "-q", "-o", os.path.join(folder, "m.ald")],
                          env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"{name}: {done.stderr[-600:]}")
    return own_counts(out, os.path.basename(os.path.realpath(alidade)))


def compiler(alidade):
    """As the compiler has left its name in the program."""
    with open(alidade, "rb") as file:
        found = re.search(rb"(GCC: \([^)]*\) [0-9.]+|clang version [0-9.]+)", file.read())
    return found.group(1).decode() if found else "unknown"


def grown(now, kept):
    """The functions whose counts grew most, as text."""
    more = sorted(((now.get(f, 0) - kept.get(f, 0), f) for f in set(now) | set(kept)), reverse=True)[:3]
    return ", ".join(f"{f} by {m / 1e6:.2f} million" for m, f in more if m > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("alidade")
    parser.add_argument("--only", choices=list(FITS), action="append")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind on this machine")
        return 77
    alidade = os.path.abspath(options.alidade)
    kept = {"compiler": "", "fits": {}}
    if os.path.exists(KEPT):
        with open(KEPT) as file:
            kept = json.load(file)
    if not options.update and kept["compiler"] != compiler(alidade):
        print(f"skipped: the counts are of {kept['compiler']}, this is {compiler(alidade)}; --update makes others")
        return 77
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only or FITS:
            counts = count(alidade, name, folder)
            total, before = sum(counts.values()), kept["fits"].get(name, {"total": 0, "functions": {}})
            worse = total > LIMIT * before["total"]
            wrong += worse and not options.update
            print(f"{name:24} {total / 1e6:9.3f} million, kept {before['total'] / 1e6:9.3f}"
                  + (f"  MORE: {grown(counts, before['functions'])}" if worse and not options.update else ""), flush=True)
            kept["fits"][name] = {"total": total, "functions": {f: c for f, c in sorted(counts.items()) if c > 0.005 * total}}
    if options.update:
        kept["compiler"] = compiler(alidade)
        with open(KEPT, "w") as file:
            json.dump(kept, file, indent=1)
            file.write("\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
