#!/usr/bin/env python3
"""How fits grow: seconds with 1, 2, 4, ... threads, and with rows, columns, components and classes doubled and doubled again, beside
the cost that the page of each method states; and memory beyond X of every method beside the stated one.

Usage: scaling.py LIBRARY [-o FILE.csv] [--plot FILE.svg] [--only growth,memory,threads] [--methods pca,lda] [--quick]

Slopes are of log seconds against log size, on one thread by processor time, so that other work on the machine does not count. A
slope above the stated one by more than 0.35 fails, and so does memory above 1.3 times the stated one and 8 MB; status 1 then.
Every measurement is a process of its own."""
import argparse
import csv
import math
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
SLACK, MEMORY_FACTOR, MEMORY_BASE = 0.35, 1.3, 8.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
TITLES = {"n": "rows", "d": "columns", "r": "components", "c": "classes", "threads": "threads"}

# What is measured, the size it begins with, and the slopes that the pages state (docs/methods): in n rows, d columns, r components, c
# classes. A slope that is not there is not measured. Where a cost is a sum, the slope of its steepest term.
GROWTH = {
    "pca": (dict(n=20000, d=100, r=4), dict(n=1, d=2, r=1), {}),
    "pls": (dict(n=20000, d=100, r=4), dict(n=1, d=2, r=1), {}),
    "lda": (dict(n=20000, d=100, r=2, c=5), dict(n=1, d=2, c=1), {}),
    "cca": (dict(n=20000, d=100, r=1), dict(n=1, d=2), {}),
    "sir": (dict(n=20000, d=100, r=2), dict(n=1, d=2), {}),
    "kpca": (dict(n=500, d=40, r=4), dict(n=2, d=1, r=1), {"kernel_width": 8}),
    "kdr": (dict(n=150, d=5, r=2), dict(n=3, d=1), {"n_starts": 1, "n_stages": 10}),
    "sdpp": (dict(n=1000, d=24, r=2), dict(n=2, d=3), {"n_starts": 2}),
}

# Numbers beyond X, as the pages state them, in doubles: n rows, d columns, r components, k classes or responses.
SQUARE, KERNEL = "2 * d * d + 4 * n + d * (3 * r + k)", "n * n + 2 * n * d"
MEMORY = {
    "pca": (SQUARE, "real"), "pls": (SQUARE, "real"), "plssb": (SQUARE, "real"), "rrr": (SQUARE + " + n * k", "real"),
    "lda": (SQUARE + " + n * k", "classes"), "cca": (SQUARE + " + 2 * n * k", "real"), "opls": (SQUARE + " + 2 * n * k", "real"),
    "sir": (SQUARE + " + 12 * n", "real"), "save": ("n * d + 4 * d * d", "real"), "phd": ("n * d + 4 * d * d", "real"),
    "contour": ("n * d + 4 * d * d", "real"), "spca": (SQUARE + " + n * 100", "real"), "bair": ("n * d + 2 * d * d", "real"),
    "cfml": (SQUARE + " + 2 * d * d + n * k", "classes"), "lsir": ("n * d + 4 * d * d + 40 * n", "classes"),
    "rsir": ("n * d + 8 * d * d + 60 * n", "classes"), "sdpp": ("n * d + 100 * n + 3 * (d * (d + 1) / 2) ** 2", "real"),
    "kpca": (KERNEL, "real"), "kspca": (KERNEL, "classes"), "kcca": (KERNEL + " + n * n", "classes"), "kfda": (KERNEL + " + n * n", "classes"),
    "kpls": (KERNEL, "real"), "kplssb": (KERNEL, "classes"), "ksdpp": ("8 * n * n", "classes"),
    "kdr": ("2 * n * n + n * d", "real"), "gkdr": ("n * 600 + n * d", "real"),
}
MEMORY_SIZES = {"kernel": dict(n=800, d=30, r=2), "sdpp": dict(n=3000, d=20, r=2), "wide": dict(n=20000, d=200, r=3)}


def data_of(n, d, c, kind):
    """X with d columns of falling deviation, and a response or c classes that shift the first columns."""
    import numpy as np
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n, d)) * np.linspace(2, 0.5, d)
    if kind == "classes":
        codes = rng.integers(0, c, n).astype(np.int32)
        codes[:c] = np.arange(c)
        x[np.arange(n), codes % d] += 3.0
        return x, codes
    return x, np.sin(x[:, :1]) + 0.5 * x[:, 1:2] + 0.1 * rng.standard_normal((n, 1))


def kind_of(method):
    return "classes" if method in ("lda", "kspca") else MEMORY.get(method, (None, "real"))[1]


def measure_one(library, words):
    """In a process of its own: seconds (wall and processor) of the best of a few fits, or the peak beyond X in MB."""
    from alidade_ctypes import Alidade
    from bench import peak, reset_peak
    what, method, threads, settings, n, d, c = words[0], words[1], int(words[2]), eval(words[3]), *map(int, words[4:7])  # our own words
    ald = Alidade(library, threads)
    x, y = data_of(n, d, c, kind_of(method))
    target = None if method in ("pca", "kpca") else y

    def fit(rows=None):
        ald.fit_only(method, settings, x[:rows].copy() if rows else x, None if target is None else (target[:rows].copy() if rows else target))
    if what == "memory":
        fit(min(n, max(200, 3 * d)))
        before = reset_peak()
        fit()
        print(peak() - before, 0.0)
        return
    best, used, started = math.inf, math.inf, time.perf_counter()
    while True:
        wall, processor = time.perf_counter(), time.process_time()
        fit()
        best, used = min(best, time.perf_counter() - wall), min(used, time.process_time() - processor)
        if time.perf_counter() - started > 1.0:
            break
    print(best, used)


def run(options, what, method, threads, settings, size):
    words = [what, method, str(threads), repr(dict(settings, n_components=size["r"])), str(size["n"]), str(size["d"]), str(size.get("c", 4))]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
    done = subprocess.run([sys.executable, os.path.abspath(__file__), options.library, "--one", *words], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{method}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}")
    return tuple(map(float, done.stdout.split()))


def slope_of(points):
    """Least squares through log seconds against log size."""
    xs, ys = [math.log(p[0]) for p in points], [math.log(p[1]) for p in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def growth(options, rows):
    failed = 0
    for method, (base, stated, settings) in GROWTH.items():
        if options.methods and method not in options.methods:
            continue
        for axis, most in stated.items():
            points = []
            for factor in (1, 2) if options.quick else (1, 2, 4):
                size = dict(base, **{axis: base[axis] * factor})
                if options.quick:
                    size["n"] = max(60, size["n"] // 10)
                points.append((size[axis], run(options, "seconds", method, 1, settings, size)[1]))
                rows.append(dict(what="growth", method=method, axis=axis, size=size[axis], value=f"{points[-1][1]:.6f}", stated=""))
            slope = slope_of(points)
            bad = slope > most + SLACK and not options.quick
            failed += bad
            rows.append(dict(what="slope", method=method, axis=axis, size="", value=f"{slope:.2f}", stated=most))
            print(f"{method:6} {TITLES[axis]:10} {' '.join(f'{s}: {t:.4f} s' for s, t in points):50} slope {slope:5.2f}, stated {most}"
                  + ("  STEEPER" if bad else ""), flush=True)
    return failed


def threads(options, rows):
    counts = [t for t in (1, 2, 4, 8, 16) if t <= (os.cpu_count() or 1)]
    for method, (base, _, settings) in GROWTH.items():
        if options.methods and method not in options.methods:
            continue
        size = dict(base, n=base["n"] // 10 if options.quick else base["n"] * (4 if base["n"] > 5000 else 2))
        times = [run(options, "seconds", method, t, settings, size)[0] for t in counts]
        rows += [dict(what="threads", method=method, axis="threads", size=t, value=f"{s:.6f}", stated="") for t, s in zip(counts, times)]
        print(f"{method:6} threads    " + " ".join(f"{t}: {s:.4f} s" for t, s in zip(counts, times))
              + f"  {times[0] / times[-1]:.1f} times as fast", flush=True)
    return 0


def memory(options, rows):
    failed = 0
    for method, (formula, kind) in MEMORY.items():
        if options.methods and method not in options.methods:
            continue
        name = "sdpp" if method in ("sdpp", "gkdr", "contour", "lsir", "rsir") else "kernel" if method.startswith("k") else "wide"
        size = dict(MEMORY_SIZES[name])
        if options.quick:
            size["n"] = size["n"] // 4
        k = 4 if kind == "classes" else 1
        size["r"] = min(size["r"], 1 if method in ("plssb", "rrr", "cca", "opls", "kcca", "kplssb") and k == 1 else 3)
        stated = eval(formula, {}, dict(size, k=k)) * 8 / 1e6  # the formulas of this file
        try:
            used = run(options, "memory", method, 1, {}, size)[0]
        except RuntimeError as problem:
            print(f"{method:6} not measured: {problem}", flush=True)
            failed += not options.quick
            continue
        bad = used > MEMORY_FACTOR * stated + MEMORY_BASE
        failed += bad
        rows.append(dict(what="memory", method=method, axis=f"{size['n']} x {size['d']}", size="", value=f"{used:.2f}", stated=f"{stated:.2f}"))
        print(f"{method:6} {size['n']} x {size['d']}: {used:8.2f} MB beyond X, stated {stated:8.2f}" + ("  MORE" if bad else ""), flush=True)
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
    methods, axes = list(GROWTH), ("n", "d", "r", "c", "threads")
    width = 240 * len(axes) + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="360" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="360" fill="white"/>',
           f'<text x="{width / 2:.0f}" y="22" text-anchor="middle" font-size="14">seconds, as multiples of the first, when one size is doubled</text>']
    for i, axis in enumerate(axes):
        out += panel(rows, axis, 240 * i, methods)
    for i, method in enumerate(methods):
        at = 60 + 120 * i
        out.append(f'<line x1="{at}" x2="{at + 25}" y1="338" y2="338" stroke="{COLOURS[i % len(COLOURS)]}" stroke-width="2"/><text x="{at + 30}" y="342">{method}</text>')
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
    parser.add_argument("--one", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure_one(options.library, options.one)
        return 0
    from alidade_ctypes import start_with_fast_kernels
    start_with_fast_kernels(options.library)
    rows, parts = [], {"growth": growth, "threads": threads, "memory": memory}
    failed = sum(parts[name](options, rows) for name in options.only.split(","))
    if options.output:
        with open(options.output, "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=["what", "method", "axis", "size", "value", "stated"])
            writer.writeheader()
            writer.writerows(rows)
    if options.plot:
        draw(options.plot, rows)
    print(f"{failed} steeper or larger than stated" if failed else "nothing is steeper or larger than stated")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
