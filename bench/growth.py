#!/usr/bin/env python3
"""How the routes of the two-stage methods grow with rows and columns, on generated sparse multi-label text (rcv1), ridge 1.
Writes a CSV and a picture. Usage: growth.py ALIDADE -o FILE.csv --plot FILE.svg [--quick]

Routes: two-stage (LSQR), direct (X'X), dual (X X'), and the dense singular value decomposition that MATLAB scripts use (numpy, X made dense)."""
import argparse
import csv
import json
import os
import subprocess
import tempfile
import time

import numpy as np

SOLVERS = ("two-stage", "direct", "dual")
COLOURS = {"two-stage": "#0072b2", "direct": "#d55e00", "dual": "#009e73", "dense svd": "#999999"}


def read_svm(path, d):
    """Dense X of an svmlight file."""
    with open(path) as file:
        rows = file.read().splitlines()
    x = np.zeros((len(rows), d))
    for i, row in enumerate(rows):
        for item in row.split()[1 if ":" not in row.split()[0] else 0:]:
            j, value = item.split(":")
            x[i, int(j) - 1] = float(value)
    return x


def fit_seconds(alidade, data, solver, folder):
    """Time of the fit alone, as the program tells it, and LSQR's iterations."""
    model = os.path.join(folder, "m.ald")
    told = subprocess.run([alidade, "fit", data, "--method", "cca", "--components", "0", "--ridge", "1", "--solver", solver, "-o", model, "--json"],
                          check=True, capture_output=True, text=True).stdout
    resolved = json.loads(subprocess.run([alidade, "inspect", model, "--json"], check=True, capture_output=True, text=True).stdout)["resolved"]
    return json.loads(told)["fit_seconds"], resolved.get("iterations", "")


def measure(alidade, n, d, solvers, repeats):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "t.svm")
        subprocess.run([alidade, "generate", "rcv1", "-q", "--n", str(n), "--d", str(d), "--seed", "1", "-o", data], check=True)
        for solver in solvers:
            times = [fit_seconds(alidade, data, solver, folder) for _ in range(repeats)]
            seconds, iterations = min(times)
            rows.append(dict(route=solver, n=n, d=d, seconds=f"{seconds:.4f}", iterations=iterations))
        x = read_svm(data, d)
        x -= x.mean(0)
        start = time.perf_counter()
        np.linalg.svd(x, full_matrices=False)
        rows.append(dict(route="dense svd", n=n, d=d, seconds=f"{time.perf_counter() - start:.4f}", iterations=""))
    for row in rows:
        print(f"{row['route']:10} {n:6} x {d:<6} {row['seconds']:>9} s {row['iterations']}", flush=True)
    return rows


def panel(rows, key, left, title):
    """Log-log lines of seconds against n or d."""
    values = sorted({r[key] for r in rows})
    seconds = [float(r["seconds"]) for r in rows]
    low, high = np.log10(min(seconds)) - 0.1, np.log10(max(seconds)) + 0.1
    place_x = lambda v: left + 60 + 300 * (np.log10(v) - np.log10(values[0])) / (np.log10(values[-1]) - np.log10(values[0]))
    place_y = lambda s: 300 - 240 * (np.log10(s) - low) / (high - low)
    out = [f'<rect x="{left + 60}" y="60" width="300" height="240" fill="none" stroke="#888"/>',
           f'<text x="{left + 210}" y="45" text-anchor="middle">{title}</text>']
    for v in values:
        out.append(f'<text x="{place_x(v):.1f}" y="318" text-anchor="middle">{v}</text>')
    for power in range(int(np.ceil(low)), int(np.floor(high)) + 1):
        out.append(f'<text x="{left + 54}" y="{place_y(10.0 ** power) + 4:.1f}" text-anchor="end">{10.0 ** power:g} s</text>')
        out.append(f'<line x1="{left + 60}" x2="{left + 360}" y1="{place_y(10.0 ** power):.1f}" y2="{place_y(10.0 ** power):.1f}" stroke="#ddd"/>')
    for route, colour in COLOURS.items():
        points = sorted((r[key], float(r["seconds"])) for r in rows if r["route"] == route)
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="' + " ".join(f"{place_x(v):.1f},{place_y(s):.1f}" for v, s in points) + '"/>')
    return out


def write_plot(path, by_rows, by_columns):
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="820" height="380" font-family="sans-serif" font-size="12">', '<rect width="820" height="380" fill="white"/>']
    out += panel(by_rows, "n", 0, f"seconds against rows, {by_rows[0]['d']} columns")
    out += panel(by_columns, "d", 400, f"seconds against columns, {by_columns[0]['n']} rows")
    for i, (route, colour) in enumerate(COLOURS.items()):
        out.append(f'<line x1="{150 + 140 * i}" x2="{175 + 140 * i}" y1="350" y2="350" stroke="{colour}" stroke-width="2"/><text x="{180 + 140 * i}" y="354">{route}</text>')
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>", ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("alidade")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--plot", required=True)
    parser.add_argument("--quick", action="store_true", help="small sizes: only to see that it runs")
    options = parser.parse_args()
    sizes = ((200, 300), (1010, 1200), 1) if options.quick else ((500, 1000, 2000, 3000), (1100, 2000, 3500, 5000), 2)
    by_rows = [row for n in sizes[0] for row in measure(options.alidade, n, sizes[1][-1], SOLVERS, sizes[2])]
    by_columns = [row for d in sizes[1][:-1] for row in measure(options.alidade, sizes[0][-1], d, SOLVERS, sizes[2])]
    by_columns += [row for row in by_rows if row["n"] == sizes[0][-1]]  # both end with the largest
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(by_rows[0]))
        writer.writeheader()
        writer.writerows(by_rows + by_columns[:-len(COLOURS)])
    write_plot(options.plot, by_rows, by_columns)


if __name__ == "__main__":
    main()
