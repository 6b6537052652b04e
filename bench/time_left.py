#!/usr/bin/env python3
"""How good is the time left that commands tell? From a tenth of the work on it should be within a factor of two.

    time_left.py ALIDADE DATA_FOLDER [--threads N] [--only WORD] [--show]

Every command runs on a terminal of its own; what its bar tells is compared with what was left when it ended. Time is
the processor time of the command (work_clock.c, preloaded), so that other work on the machine does not count. What is
told within the last second, or while less than a second is left, is not looked at, and half a second of rounding is
forgiven. --show prints what was told when. DATA_FOLDER has the sets of the papers.
"""
import argparse
import os
import pty
import re
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BAR = re.compile(r"([a-z0-9' ]+) (?:\[[=> ]*\] +(\d+) %,|\.\.\.) (?:(\d+):(\d\d) (min|h)|(\d+) s)( left)?")

COMMANDS = {
    "compare classes": "compare {data}/ionosphere.csv --target y --methods lda,pls,sdpp,kpls --components 1:3",
    "compare numbers": "compare {data}/tecator.csv --target fat --ignore water,protein --methods pls,sdpp,sir --components 1:4",
    "compare digits": "compare {data}/optdigits.csv --target y --methods lda,pls,sdpp,sir --components 1:2 --folds 4",
    "compare kernels": "compare {data}/sonar.csv --target y --methods kernel --components 1:2 --folds 5",
    "compare all": "compare {data}/autoprice.csv --target price --methods all --components 1:2 --splits 6",
    "compare wide": "compare {data}/srbct.csv --target y --methods pls,lda,bair,sdpp --components 1:3 --folds 5",
    "compare labels": "compare {data}/yeast.csv.gz --target Class1..Class14 --methods pls,cca,lda,spca --components 1:4 --folds 3",
    "compare choose": "compare {data}/wine.csv --target y --methods lda,pls,sdpp --components 1:2 --folds 5 --choose",
    "fit sdpp narrow": "fit {data}/satimage.csv --target y --method sdpp -o {out}/m.ald",
    "fit sdpp numbers": "fit {data}/tecator.csv --target fat --ignore water,protein --method sdpp -o {out}/m.ald",
    "fit sdpp wide": "fit {data}/coil20.csv.gz --target y --ignore angle --method sdpp -o {out}/m.ald",
    "fit sdpp digits": "fit {data}/optdigits.csv --target y --method sdpp -o {out}/m.ald",
    "fit sdpp labels": "fit {data}/yeast.csv.gz --target Class1..Class14 --method sdpp -o {out}/m.ald",
    "fit sdpp scenes": "fit {data}/scene.csv.gz --target Beach..Urban --method sdpp -o {out}/m.ald",
    "fit sdpp letters": "fit {data}/isolet5.csv.gz --target y --method sdpp -o {out}/m.ald",
    "fit ksdpp": "fit {data}/segmentation.csv --target y --method ksdpp -o {out}/m.ald",
    "fit kdr": "fit {data}/satimage.csv --target y --method kdr -o {out}/m.ald",
    **{f"fit {m}": "fit {data}/isolet5.csv.gz --target y --method " + m + " -o {out}/m.ald" for m in ("rsir", "lsir", "mkdr", "cmvu")},
    "tune": "tune {data}/wine.csv --target y --methods lda,pls,sdpp --components 1:2 -o {out}/m.ald",
    "dimension": "dimension {data}/satimage.csv --target y --method lda",
    "dimension sir": "dimension {data}/tecator.csv --target fat --ignore water,protein --method sir",
    "dimension pls": "dimension {data}/tecator.csv --target fat --ignore water,protein --method pls",
    "stream pls": "fit {out}/long.csv --target y --method pls --stream -o {out}/m.ald",
    "stream lda": "fit {out}/long.csv --target g --ignore y --method lda --stream -o {out}/m.ald",
    "stream passes": "fit {out}/wide.csv --target y --method pls --stream -o {out}/m.ald",
}


def make_streams(folder):
    """Two tables that are read block by block: many rows, and more columns than moments are kept of."""
    import numpy as np
    random = np.random.default_rng(0)
    for name, rows, columns in (("long", 100000, 40), ("wide", 1500, 6000)):
        with open(f"{folder}/{name}.csv", "w") as file:
            file.write(",".join(f"x{j}" for j in range(columns)) + ",y,g\n")
            for _ in range(rows):
                x = random.standard_normal(columns)
                file.write(",".join("%.5g" % v for v in x) + ",%.5g,c%d\n" % (x[:5].sum(), x[0] > 0))


def seconds_of(match):
    large, small, unit, seconds = match.groups()[2:6]
    if seconds:
        return float(seconds)
    return float(large) * (60 if unit == "min" else 3600) + float(small) * (1 if unit == "min" else 60)


def work_of(pid, threads):
    """Processor time so far, by the clock of another process."""
    return time.clock_gettime((~pid << 3) | 2) / threads


def watch(command, preload, threads):
    """[(when, part done, told seconds or None, stage)], and the time of the whole."""
    environment = dict(os.environ, LD_PRELOAD=preload, WORK_THREADS=str(threads), TERM="xterm", COLUMNS="100")
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment)
    told, whole = [], b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            break
        if not block:
            break
        whole += block
        try:
            now = work_of(child, threads)
        except OSError:
            continue
        for match in BAR.finditer(block.decode("utf-8", "replace")):
            told.append((now, float(match.group(2) or 0) / 100, seconds_of(match) if match.group(7) else None, match.group(1).strip()))
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed:\n{whole.decode('utf-8', 'replace')[-1000:]}")
    return told, (usage.ru_utime + usage.ru_stime) / threads


def judge(told, total):
    good = looked = 0
    for when, _, left, _ in told:
        truth = total - when
        if when < 0.1 * total or truth < 1.0:
            continue
        looked += 1
        good += left is not None and truth / 2 - 0.5 <= left <= truth * 2 + 0.5
    return good, looked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alidade")
    parser.add_argument("data")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        preload = f"{folder}/work_clock.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", preload, f"{HERE}/work_clock.c"], check=True)
        if options.only in "stream pls stream lda stream passes":
            make_streams(folder)
        sums = {}
        for name, line in COMMANDS.items():
            if options.only not in name:
                continue
            command = [options.alidade] + line.format(data=options.data, out=folder).split()
            told, total = watch(command + ["--threads", str(options.threads)], preload, options.threads)
            good, looked = judge(told, total)
            falls = sum(b[1] < a[1] for a, b in zip(told, told[1:]))
            print(f"{name:18} {total:6.1f} s  {good:4} of {looked:4} within a factor of two" + (f", {falls} steps back" if falls else ""), flush=True)
            for when, part, left, stage in told if options.show else []:
                print(f"    {when:7.1f} s {100 * part:3.0f} %  told {-1 if left is None else left:5.0f}  true {total - when:7.1f}  {stage}")
            a, b = sums.get(name.split()[0], (0, 0))
            sums[name.split()[0]] = (a + good, b + looked)
        for name, (good, looked) in sums.items():
            print(f"all of {name:11} {good} of {looked}")


if __name__ == "__main__":
    main()
