#!/usr/bin/env python3
"""How fits grow: seconds with 1, 2, 4, ... threads, and with rows, columns, components and classes doubled and doubled again, beside
the cost that the page of each method states; and memory beyond X of every method beside the stated one.

Usage: scaling.py LIBRARY [-o FILE.csv] [--plot FILE.svg] [--only growth,memory,threads] [--methods pca,lda] [--quick]

Slopes are of log seconds against log size, on one thread by processor time, so that other work on the machine does not count. A
slope above the stated one by more than 0.35 fails, and so does memory above 1.3 times the stated one and 2 MB; status 1 then.
The sizes of one slope are measured in turn in one process; every method's memory in a process of its own."""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
FIELDS = ["what", "method", "axis", "size", "value", "stated"]
SLACK, MEMORY_FACTOR, MEMORY_BASE = 0.35, 1.3, 2.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
TITLES = {"n": "rows", "d": "columns", "r": "components", "c": "classes", "threads": "threads"}

# Every method: the size it begins with (n rows, d columns, r components, c classes, labels or responses), the slopes that its page
# (docs/methods) states in those that are doubled, where a cost is a sum the steepest term, and the numbers beyond X at the size for
# memory, in doubles: k is 1 for one response, else c.
SQUARE, KERNEL = "2 * d * d + 4 * n + d * (3 * r + k)", "n * n + 2 * n * d"
TALL, WIDE_MEMORY = dict(n=20000, d=100, r=1), dict(n=20000, d=200, r=1)
KERNELS, KERNEL_MEMORY = dict(n=500, d=40, r=1), dict(n=800, d=30, r=1)
GRAPHS = dict(n=1000, d=20, r=1)
METHODS = {
    # name: target, begins with, slopes, parameters, size for memory, memory
    "pca": ("none", dict(TALL, r=4), dict(n=1, d=2, r=1), {}, dict(WIDE_MEMORY, r=3), SQUARE),
    "pls": ("real", dict(TALL, r=4), dict(n=1, d=2, r=1), {}, dict(WIDE_MEMORY, r=3), SQUARE),
    "lda": ("classes", dict(TALL, c=5), dict(n=1, d=2, c=1), {}, dict(WIDE_MEMORY, r=3, c=4), SQUARE + " + n * k"),
    "spls": ("real", dict(TALL, r=4), dict(n=1, d=1, r=1), {"n_features": 20}, dict(WIDE_MEMORY, r=3), "n * k + 8 * d"),
    "orthogonal-pls": ("real", dict(TALL, r=4), dict(n=1, d=1), {}, dict(WIDE_MEMORY, r=3), "n * (r + 2) + 12 * d"),
    "mddm": ("labels", dict(TALL, n=40000, c=4), dict(n=1, d=1, c=1), {}, dict(WIDE_MEMORY, c=4), SQUARE + " + 2 * n * k"),
    "cca": ("real", TALL, dict(n=1, d=2), {}, WIDE_MEMORY, SQUARE + " + 2 * n * k"),
    "opls": ("real", TALL, dict(n=1, d=2), {}, WIDE_MEMORY, SQUARE + " + 2 * n * k"),
    "rrr": ("real", TALL, dict(n=1, d=2), {}, WIDE_MEMORY, SQUARE + " + n * k"),
    "plssb": ("classes", dict(TALL, n=40000, c=5), dict(n=1, d=1, c=1), {}, dict(WIDE_MEMORY, c=4), SQUARE + " + n * k"),
    "hsl": ("labels", dict(TALL, c=4), dict(n=1, d=2, c=1), {}, dict(WIDE_MEMORY, c=4), SQUARE + " + 2 * n * k"),
    "sir": ("real", dict(TALL, r=2), dict(n=1, d=2), {}, dict(WIDE_MEMORY, r=3), SQUARE + " + 12 * n"),
    "save": ("real", dict(TALL, n=40000, d=50, r=2), dict(n=1, d=3), {}, dict(WIDE_MEMORY, r=3), "n * d + 4 * d * d"),
    "dr": ("real", dict(TALL, n=40000, d=50, r=2), dict(n=1, d=3), {}, dict(WIDE_MEMORY, r=3), "n * d + 6 * d * d"),
    "phd": ("real", dict(TALL, n=40000, d=50, r=2), dict(n=1, d=3), {}, dict(WIDE_MEMORY, r=3), "n * d + 4 * d * d"),
    "contour": ("real", dict(TALL, n=40000, d=50, r=2), dict(n=1, d=3), {}, dict(n=3000, d=20, r=2), "n * d + 4 * d * d"),
    "lasso-sir": ("real", dict(TALL, n=5000, d=50, r=1), dict(n=1, d=2), {"penalty": 0.1}, dict(n=3000, d=200, r=1), "3 * d * d + n * d + 12 * n"),
    "pfc": ("real", dict(TALL, r=2), dict(n=1, d=2), {}, dict(WIDE_MEMORY, r=3), "n * d + 6 * d * d + 12 * n"),
    "lad": ("real", dict(TALL, n=40000, d=50, r=2), dict(n=1, d=3), {}, dict(n=20000, d=20, r=2), "n * d + 12 * d * d"),
    "opg": ("real", dict(n=500, d=10, r=2), dict(n=2, d=2), {"max_iter": 5}, dict(n=3000, d=20, r=2), "n * d + 2 * d * d + 1e6"),
    "mave": ("real", dict(n=500, d=10, r=2), dict(n=2, d=2), {"max_iter": 5}, dict(n=3000, d=20, r=2), "n * d + 2 * d * d * r * r + 1e6"),
    "spca": ("classes", dict(TALL, c=5), dict(n=1, d=2, c=1), {}, dict(WIDE_MEMORY, r=3, c=4), SQUARE + " + n * k"),
    "lspca": ("real", dict(TALL, r=2), dict(n=1, d=2), {"max_iter": 5}, dict(WIDE_MEMORY, r=3), "2 * n * d + 6 * d * d + 4 * n"),
    "bair": ("real", dict(TALL, r=2), dict(n=1, d=2), {}, dict(WIDE_MEMORY, r=3), "2 * n * d + 2 * d * d"),
    "cfml": ("classes", dict(TALL, c=5), dict(n=1, d=3, c=1), {}, dict(WIDE_MEMORY, r=3, c=4), SQUARE + " + 2 * d * d + n * k"),
    "lfda": ("classes", dict(GRAPHS, n=2000, c=4), dict(n=2, d=2), {}, dict(n=3000, d=20, r=2, c=4), "n * d + 5 * d * d + 40 * n"),
    "nca": ("classes", dict(GRAPHS, c=4), dict(n=2, d=1), {"max_iter": 5}, dict(n=3000, d=20, r=2, c=4), "2 * n * d + 16 * 4 * n + 16 * 2 * 131072"),
    "mlkr": ("real", GRAPHS, dict(n=2, d=1), {"max_iter": 5}, dict(n=3000, d=20, r=2), "2 * n * d + 16 * 4 * n + 16 * 2 * 131072"),
    "lsir": ("classes", dict(GRAPHS, n=2000, c=4), dict(n=2, d=2), {}, dict(n=3000, d=20, r=2, c=4), "n * d + 4 * d * d + 40 * n"),
    "rsir": ("classes", dict(GRAPHS, c=4), dict(n=2, d=3), {}, dict(n=3000, d=20, r=2, c=4), "n * d + 8 * d * d + 60 * n"),
    "sdpp": ("real", dict(n=1000, d=24, r=2), dict(n=2, d=3), {"n_starts": 2}, dict(n=6000, d=20, r=2),
             "n * d + 9 * 20 * n + 6 * 3 * n * r + 3 * (d * (d + 1) / 2) ** 2"),
    "mkdr": ("classes", dict(GRAPHS, c=4), dict(n=2, d=1), {}, dict(n=3000, d=20, r=2, c=4), "n * d + 120 * n"),
    "cmvu": ("classes", dict(GRAPHS, c=4), dict(n=2, d=1), {}, dict(n=3000, d=20, r=2, c=4), "n * d + 160 * n"),
    "gkdr": ("real", dict(n=2000, d=10, r=2), dict(n=1, d=2), {}, dict(n=3000, d=20, r=2), "n * 600 + n * d"),
    "ism": ("real", dict(n=400, d=10, r=2), dict(n=2, d=1), {"max_iter": 5}, dict(n=3000, d=20, r=2), "n * 400 + n * d + 256 * n"),
    "kdr": ("real", dict(n=150, d=5, r=2), dict(n=3, d=1), {"n_starts": 1, "n_stages": 10}, dict(KERNEL_MEMORY, r=2), "2 * n * n + n * d"),
    "kpca": ("none", dict(KERNELS, n=1000, r=4), dict(n=2, d=1, r=1), {"kernel_width": 8}, dict(KERNEL_MEMORY, r=2), KERNEL),
    "kspca": ("classes", dict(KERNELS, n=1000, c=4), dict(n=2, d=1, c=1), {"kernel_width": 8}, dict(KERNEL_MEMORY, r=2, c=4), KERNEL),
    "kcca": ("classes", dict(KERNELS, c=4), dict(n=3, d=1, c=1), {"kernel_width": 8}, dict(KERNEL_MEMORY, r=2, c=4), KERNEL + " + n * n"),
    "kfda": ("classes", dict(KERNELS, c=4), dict(n=3, d=1, c=1), {"kernel_width": 8}, dict(KERNEL_MEMORY, r=2, c=4), KERNEL + " + n * n"),
    "kpls": ("real", dict(KERNELS, n=1000, r=4), dict(n=2, d=1, r=1), {"kernel_width": 8}, dict(KERNEL_MEMORY, r=2), KERNEL),
    "kplssb": ("classes", dict(KERNELS, n=1000, c=4), dict(n=2, d=1, c=1), {"kernel_width": 8}, dict(KERNEL_MEMORY, r=2, c=4), KERNEL),
    "ksdpp": ("classes", dict(n=100, d=10, r=1, c=3), dict(n=3, d=1), {"n_starts": 1}, dict(KERNEL_MEMORY, r=2, c=4), "8 * n * n"),
}


def data_of(n, d, c, kind):
    """X with d columns of falling deviation, and a response, c classes that shift the first columns, or c labels by signs of columns."""
    import numpy as np
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n, d)) * np.linspace(2, 0.5, d)
    if kind == "labels":
        return x, (x[:, :c] + rng.standard_normal((n, c)) > 0.5).astype(float)
    if kind == "classes":
        codes = rng.integers(0, c, n).astype(np.int32)
        codes[:c] = np.arange(c)
        x[np.arange(n), codes % d] += 3.0
        return x, codes
    return x, np.sin(x[:, :1]) + 0.5 * x[:, 1:2] + 0.1 * rng.standard_normal((n, 1))


def measure_one(library, words):
    """In a process of its own: peak beyond X in MB, or seconds (by the clock, of the processor) of the best of several fits of each job
    (threads, size), the jobs in turn, so that they share what else happens on the machine."""
    from alidade_ctypes import Alidade
    what, method, settings, jobs = json.loads(words)
    kind, data = METHODS[method][0], {}

    def fit(ald, size, rows=None):
        key = tuple(sorted(size.items()))
        if key not in data:
            data[key] = data_of(size["n"], size["d"], size.get("c", 4), kind)
        x, y = (a if rows is None else a[:rows].copy() for a in data[key])
        ald.fit_only(method, dict(settings, n_components=size["r"]), x, None if kind == "none" else y, labels=kind == "labels")
    if what == "memory":
        from measure import peak, reset_peak
        ald, size = Alidade(library, jobs[0][0]), jobs[0][1]
        fit(ald, size, min(size["n"], max(200, 3 * size["d"])))
        before = reset_peak()
        fit(ald, size)
        print(json.dumps(peak() - before))
        return
    contexts, best, began, rounds = {t: Alidade(library, t) for t, _ in jobs}, [[math.inf] * 2 for _ in jobs], time.perf_counter(), 0
    while rounds < 3 or time.perf_counter() - began < 1.0:  # the first round touches its memory for the first time
        for job, (threads, size) in enumerate(jobs):
            if len(contexts) > 1:
                time.sleep(0.05)  # threads of BLAS that wait busily go to sleep
            wall, processor = time.perf_counter(), time.process_time()
            fit(contexts[threads], size)
            took = time.perf_counter() - wall, time.process_time() - processor
            best[job] = [min(pair) for pair in zip(best[job], took)]
        rounds += 1
        if time.perf_counter() - began > 10.0:
            break
    print(json.dumps(best))


def run(options, what, method, settings, jobs):
    most = str(max(threads for threads, _ in jobs))
    environment = dict(os.environ, OPENBLAS_NUM_THREADS=most, OMP_NUM_THREADS=most)
    done = subprocess.run([sys.executable, os.path.abspath(__file__), options.library, "--one", json.dumps([what, method, settings, jobs])],
                          capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{method}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}")
    return json.loads(done.stdout)


class Kept:
    """What was measured, also in a file as it comes."""

    def __init__(self, path):
        self.rows, self.path = [], path
        if path:
            with open(path, "w", newline="") as file:
                csv.writer(file).writerow(FIELDS)

    def add(self, *values):
        self.rows.append(dict(zip(FIELDS, values)))
        if self.path:
            with open(self.path, "a", newline="") as file:
                csv.writer(file).writerow(values)


def chosen(options):
    return [(name, entry) for name, entry in METHODS.items() if not options.methods or name in options.methods]


def slope_of(points):
    """Least squares through log seconds against log size."""
    xs, ys = [math.log(p[0]) for p in points], [math.log(p[1]) for p in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def growth(options, kept):
    failed = 0
    for method, (_, base, stated, settings, *_) in chosen(options):
        for axis, most in stated.items():
            sizes = [dict(base, **{axis: base[axis] * factor}) for factor in ((1, 2) if options.quick else (1, 2, 4))]
            if options.quick:
                sizes = [dict(size, n=max(60, size["n"] // 10)) for size in sizes]
            times = [processor for _, processor in run(options, "seconds", method, settings, [(1, size) for size in sizes])]
            points = [(size[axis], seconds) for size, seconds in zip(sizes, times)]
            for size, seconds in points:
                kept.add("growth", method, axis, size, f"{seconds:.6f}", "")
            slope = slope_of(points)
            bad = slope > most + SLACK and not options.quick
            failed += bad
            kept.add("slope", method, axis, "", f"{slope:.2f}", most)
            print(f"{method:7} {TITLES[axis]:10} {' '.join(f'{s}: {t:.4f} s' for s, t in points):50} slope {slope:5.2f}, stated {most}"
                  + ("  STEEPER" if bad else ""), flush=True)
    return failed


def threads(options, kept):
    counts = [t for t in (1, 2, 4, 8, 16) if t <= len(os.sched_getaffinity(0))]
    for method, (_, base, _, settings, *_) in chosen(options):
        size = dict(base, n=base["n"] // 10 if options.quick else base["n"] * (4 if base["n"] > 5000 else 2))
        times = [wall for wall, _ in run(options, "seconds", method, settings, [(t, size) for t in counts])]
        for t, seconds in zip(counts, times):
            kept.add("threads", method, "threads", t, f"{seconds:.6f}", "")
        print(f"{method:7} threads    " + " ".join(f"{t}: {s:.4f} s" for t, s in zip(counts, times))
              + f"  {times[0] / times[-1]:.1f} times as fast", flush=True)
    return 0


def memory(options, kept):
    failed = 0
    for method, (kind, _, _, settings, size, formula) in chosen(options):
        size = dict(size, n=size["n"] // 4) if options.quick else size
        stated = eval(formula, {}, dict(size, k=1 if kind == "real" else size.get("c", 0))) * 8 / 1e6  # the formulas of this file
        try:
            used = run(options, "memory", method, {}, [(1, size)])
        except RuntimeError as problem:
            print(f"{method:7} not measured: {problem}", flush=True)
            failed += not options.quick
            continue
        bad = used > MEMORY_FACTOR * stated + MEMORY_BASE
        failed += bad
        kept.add("memory", method, f"{size['n']} x {size['d']}", "", f"{used:.2f}", f"{stated:.2f}")
        print(f"{method:7} {size['n']} x {size['d']}: {used:8.2f} MB beyond X, stated {stated:8.2f}" + ("  MORE" if bad else ""), flush=True)
    return failed


def panel(rows, axis, left, methods):
    """Log-log lines of seconds against one size, each from its own first point on: the slope is what is to be seen."""
    points = {m: sorted((float(r["size"]), float(r["value"])) for r in rows if r["method"] == m and r["axis"] == axis and r["size"] != "")
              for m in methods}
    points = {m: [(s / p[0][0], t / p[0][1]) for s, t in p] for m, p in points.items() if len(p) > 1}
    if not points:
        return []
    widest = max(s for p in points.values() for s, _ in p)
    values = [t for p in points.values() for _, t in p]
    low, high = min(math.log2(min(values)), -1) - 0.2, max(math.log2(max(values)), 1) + 0.2
    place_x = lambda s: left + 50 + 180 * math.log2(s) / math.log2(widest)
    place_y = lambda t: 290 - 230 * (math.log2(t) - low) / (high - low)
    out = [f'<rect x="{left + 50}" y="60" width="180" height="230" fill="none" stroke="#888"/>',
           f'<text x="{left + 140}" y="48" text-anchor="middle">{TITLES[axis]}</text>']
    for power in range(math.ceil(low), math.floor(high) + 1, 1 if high - low < 9 else 2):
        out.append(f'<line x1="{left + 50}" x2="{left + 230}" y1="{place_y(2.0 ** power):.1f}" y2="{place_y(2.0 ** power):.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{left + 45}" y="{place_y(2.0 ** power) + 4:.1f}" text-anchor="end">{2.0 ** power:g}</text>')
    for power in range(round(math.log2(widest)) + 1):
        out.append(f'<text x="{place_x(2.0 ** power):.1f}" y="307" text-anchor="middle">x {2 ** power}</text>')
    for m, p in points.items():
        line = " ".join(f"{place_x(s):.1f},{place_y(t):.1f}" for s, t in p)
        out.append(f'<polyline fill="none" stroke="{COLOURS[list(methods).index(m) % len(COLOURS)]}" stroke-width="2" points="{line}"/>')
    return out


def draw(path, rows):
    """A row of panels for each eight methods: more lines than colours would not be told apart."""
    measured = [m for m in METHODS if any(r["method"] == m and r["what"] in ("growth", "threads") for r in rows)]
    groups = [measured[i:i + len(COLOURS)] for i in range(0, len(measured), len(COLOURS))]
    axes, height = ("n", "d", "r", "c", "threads"), 330
    width = 240 * len(axes) + 20
    whole = 30 + height * max(1, len(groups))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{whole}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{whole}" fill="white"/>',
           f'<text x="{width / 2:.0f}" y="22" text-anchor="middle" font-size="14">seconds, as multiples of the first, when one size is doubled</text>']
    for g, methods in enumerate(groups):
        out.append(f'<g transform="translate(0 {height * g})">')
        for i, axis in enumerate(axes):
            out += panel(rows, axis, 240 * i, methods)
        for i, method in enumerate(methods):
            at = 60 + 140 * i
            out.append(f'<line x1="{at}" x2="{at + 25}" y1="330" y2="330" stroke="{COLOURS[i]}" stroke-width="2"/><text x="{at + 30}" y="334">{method}</text>')
        out.append("</g>")
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>", ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library")
    parser.add_argument("-o", "--output")
    parser.add_argument("--plot")
    parser.add_argument("--only", default="growth,threads,memory")
    parser.add_argument("--methods", type=lambda text: text.split(","))
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing but memory is judged: only to see that it runs")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure_one(options.library, options.one)
        return 0
    pages = {name[:-3] for name in os.listdir(os.path.join(HERE, "..", "docs", "methods")) if name.endswith(".md")}
    if pages != set(METHODS):
        sys.exit(f"scaling.py: no entry, or no page, for {', '.join(sorted(pages ^ set(METHODS)))}")
    from measure import take_fast_kernels
    take_fast_kernels(options.library)
    kept, parts = Kept(options.output), {"growth": growth, "threads": threads, "memory": memory}
    failed = sum(parts[name](options, kept) for name in options.only.split(","))
    if options.plot:
        draw(options.plot, kept.rows)
    print(f"{failed} steeper or larger than stated" if failed else "nothing is steeper or larger than stated")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
