#!/usr/bin/env python3
"""How long does a command go without a look at the wish to stop (Ctrl-C, the progress callback)?

    silence.py SILENCE [--only WORD]... [--limit SECONDS] [--stop SECONDS] [--folder FOLDER]

SILENCE is the program of silence.c. Commands of all verbs run on sets that are large enough to keep them busy; each is
interrupted after a while, and tells the longest time that it did not look. What counts is the processor's time of the
caller's own thread, which does not grow on a busy machine. --only: the commands with this word. --folder: where the
sets are made, and found again by the next call. Fails above the limit, half a second by default, and where a command is
wrong. It takes half an hour, so that it is skipped unless ALD_LONG is set or a word is given.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    sys.exit(77)

METHODS = ("pca pls lda cca opls rrr sir spca plssb bair cfml save phd contour sdpp kpca kspca kpls kplssb kcca kfda "
           "kdr gkdr rsir lsir mkdr ksdpp cmvu").split()
NEEDED = ("kept.ald", "kept2.ald", "plain.ald", "kernel.ald", "many.ald", "knn.ald")  # by later commands: not stopped
CLASSES_ONLY, REAL_ONLY = {"lda", "cfml", "kfda"}, {"phd", "contour"}


def save_set(name, x, y):
    np.save(f"{name}.npy", x)
    np.save(f"{name}-y.npy", y)


def make_sets():
    draw = np.random.default_rng(1)
    x = draw.standard_normal((6000, 300))
    save_set("responses", x, x @ draw.standard_normal((300, 3000)) + draw.standard_normal((6000, 3000)))
    save_set("classes", draw.standard_normal((10000, 40)), np.arange(10000.0)[:, None] // 2)
    x = draw.standard_normal((300000, 60))
    save_set("tall", x, x[:, :1] + draw.standard_normal((300000, 1)))
    x = draw.standard_normal((200, 20000))
    save_set("wide", x, x[:, :1] + draw.standard_normal((200, 1)))
    save_set("wide-classes", x, np.digitize(x[:, :1], (-0.5, 0.5)).astype(float))
    x = draw.standard_normal((4000, 50))
    save_set("rows", x, np.sin(x[:, :1]) + draw.standard_normal((4000, 1)))
    x = draw.standard_normal((20000, 400))
    save_set("large", x, x[:, :1] + draw.standard_normal((20000, 1)))
    save_set("large-classes", x, np.digitize(x[:, :1], np.linspace(-1.5, 1.5, 9)).astype(float))
    np.savetxt("text.csv", draw.standard_normal((100000, 60)), delimiter=",", fmt="%.17g",
               header=",".join(f"c{k}" for k in range(60)), comments="")
    with open("claims.svm", "w", encoding="ascii") as file:  # columns that no row has
        file.write("1 1:1 60000000:2\n0 2:1 3:1\n1 1:2 2:5\n0 3:3\n")


def fits():
    for name in METHODS:
        sets = ["responses", "classes", "tall", "wide-classes" if name in CLASSES_ONLY else "wide", "rows", "large"]
        if name in CLASSES_ONLY:
            sets = ["classes", "wide-classes", "large-classes"]
        if name in REAL_ONLY:
            sets = ["tall", "wide", "rows", "large"]
        for one in sets:
            task = " --task classification" if "classes" in one else ""
            yield f"fit {one}.npy --target-file {one}-y.npy{task} --method {name} -o m.ald"


def others():
    data = "{0}.npy --target-file {0}-y.npy".format
    classes = f"{data('large-classes')} --task classification"
    for method in ("pca", "sir", "lda"):
        yield f"fit claims.svm --max-columns 60000000 --method {method} --components 1 -o m.ald"
    for one in ("rows", "large", "wide"):
        yield f"compare {data(one)} --methods auto --components 1:3 --folds 5"
        yield f"tune {data(one)} --method pls,sir -o t.ald"
        yield f"dimension {data(one)} --method sir"
    yield f"compare {classes} --methods lda,pls --components 1:3 --folds 5"
    yield f"compare {data('wide-classes')} --task classification --methods lda,sdpp,kdr --components 1:3 --folds 5"
    yield f"tune {classes} --method lda -o t.ald"
    yield f"tune {data('rows')} --method sdpp -o t.ald"
    yield f"tune {data('rows')} --method kpls -o t.ald"
    yield f"dimension {data('rows')} --method sdpp"
    yield f"dimension {data('rows')} --method kdr"
    yield f"fit {data('rows')} --method sdpp --choose-neighbors 8,16,32 -o t.ald"
    yield f"fit {data('large')} --method pls --keep-statistics -o kept.ald"
    yield f"update kept.ald {data('large')} -o kept2.ald"
    yield f"calibrate kept.ald {data('large')} -o kept3.ald"
    yield "merge kept.ald kept2.ald -o both.ald"
    yield f"fit {data('large')} --method pls --outlier-limits 1 -o plain.ald"
    for what in ("--hsic", "--continuity", "--stability", "--importance", "--explained", "--metric all"):
        yield f"evaluate plain.ald {data('large')} {what}"
    yield f"report plain.ald {data('large')} -o r.html"
    yield f"compare {data('large')} --methods pls,opls --components 1:3 --folds 5 --choose --race on --report r.html"
    yield f"tune {data('rows')} --method pls,kspca --race on --report r.html -o t.ald"
    yield f"fit {data('rows')} --method kpls -o kernel.ald"
    yield f"report kernel.ald {data('rows')} -o r.html"
    for what in ("--hsic --permutations 2000", "--continuity", "--stability", "--explained"):
        yield f"evaluate kernel.ald {data('rows')} {what}"
    yield "predict kernel.ald rows.npy -o p.csv"
    yield "transform plain.ald large.npy -o t.csv"
    yield "fit text.csv --target c0 --method pls -o m.ald"
    yield "fit text.csv --target c0 --method pls --stream -o m.ald"
    yield "convert text.csv o.npy"
    yield "convert text.csv o.svmlight"
    yield "convert text.csv o.csv.gz"
    yield "split text.csv --train 0.5 -o a.csv b.csv"
    yield f"fit {data('responses')} --method pls -o many.ald"
    yield "predict many.ald responses.npy -o p.csv"
    yield "inspect many.ald"
    yield "inspect many.ald --coefficients f.csv"
    for kind in ("projection", "scores", "predicted", "outliers", "continuity"):
        yield f"plot plain.ald {data('large')} --kind {kind} -o p.svg"
    yield "plot many.ald --kind coefficients -o p.svg"
    for step in ("snv", "msc", "detrend:2", "savgol:11:2:1"):
        yield f"fit {data('large')} --method pls --rows {step} -o m.ald"
    yield f"fit {data('large')} --method pls --predictor knn -o m.ald"
    yield f"fit {classes} --method lda --predictor logistic -o m.ald"
    yield f"fit {classes} --method lda --predictor knn -o knn.ald"
    yield "predict knn.ald large-classes.npy -o p.csv"


def measure(program, words, stop):
    """Status, silences (own seconds, seconds, what was told), seconds from the signal to the end, and of all."""
    began = time.monotonic()
    child = subprocess.Popen([program] + words + ["-q"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             env=dict(os.environ, SILENCE="silence.txt"))
    try:
        _, told = child.communicate(timeout=stop)
        after = 0.0
    except subprocess.TimeoutExpired:
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, told = child.communicate()
        after = time.monotonic() - sent
    whole = time.monotonic() - began
    if os.environ.get("SILENCE_TRACE"):
        print(told.decode(), end="")
    lines = open("silence.txt", encoding="utf-8").read().splitlines() if os.path.exists("silence.txt") else []
    silences = sorted({(float(line.split()[0]), float(line.split()[1]), line.split(" ", 2)[2]) for line in lines})
    if child.returncode not in (0, 130) or not silences:
        silences.append((0.0 if silences else 99.0, 0.0, told.decode()[-300:].strip()))
    return child.returncode, silences, after, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--limit", type=float, default=0.5)
    parser.add_argument("--stop", type=float, default=8.0)
    parser.add_argument("--folder")
    options = parser.parse_args()
    if not options.only and not os.environ.get("ALD_LONG"):
        return 77
    program = os.path.abspath(options.program)
    too_long = 0
    with tempfile.TemporaryDirectory() as made:
        os.chdir(options.folder or made)
        if not os.path.exists("text.csv"):
            make_sets()
        for line in list(fits()) + list(others()):
            if options.only and not any(word in line for word in options.only):
                continue
            stop = 1200.0 if line.endswith(NEEDED) else options.stop
            code, silences, after, whole = measure(program, line.split(), stop)
            own = max(silence[0] for silence in silences)
            too_long += own > options.limit or code == 2  # 2: the command itself is wrong
            print(f"{own:.2f}  {line}  (status {code}, {whole:.1f} s, stopped in {after:.2f} s)", flush=True)
            for seconds, clock, stages in silences:
                if seconds > 0.3 or code not in (0, 130):
                    print(f"    {seconds:.2f} {clock:.2f} {stages}", flush=True)
    print(f"{too_long} above {options.limit} s")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
