#!/usr/bin/env python3
"""table.py BENCH.csv [--machine TEXT] PAGE...: writes the table of speeds into each page, between <!-- speed --> and <!-- /speed -->, from what
bench.py has measured. The last of several peers is left out where another is faster: the fastest one counts."""
import argparse
import csv
import os
import sys

BEGIN, END = "<!-- speed -->", "<!-- /speed -->"
SHOWN = ("pca", "pls, 1 response", "pls, 10 responses", "lda", "cca, 10 responses", "nearest neighbours, k=10", "kpca", "read csv")


def fastest(rows):
    """Of rows with the same work, that of the fastest peer."""
    best = {}
    for row in rows:
        key = (row["what"], row["size"])
        if row["what"] in SHOWN and (key not in best or float(row["peer"]) < float(best[key]["peer"])):
            best[key] = row
    return sorted(best.values(), key=lambda row: SHOWN.index(row["what"]))


def machine():
    """This one, in words."""
    name = "this machine"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            name = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), name)
    return f"{name}, {os.cpu_count()} cores"


def table(rows, where):
    lines = [BEGIN, "", f"Measured on: {where}.", "", "| work | size | threads | alidade | the fastest peer | ratio |", "|---|---|---|---|---|---|"]
    for row in fastest(rows):
        lines.append(f"| {row['what']} | {row['size']} | {row['threads']} | {float(row['ours']):.3g} s "
                     f"| {float(row['peer']):.3g} s, {row['peer_name']} | {float(row['ratio']):.3g} |")
    return "\n".join(lines + ["", END])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bench")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--machine", default=machine())
    options = parser.parse_args()
    with open(options.bench, newline="") as file:
        text = table(list(csv.DictReader(file)), options.machine)
    for path in options.pages:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        if BEGIN not in page or END not in page:
            sys.exit(f"{path} has no {BEGIN} ... {END}")
        page = page[:page.index(BEGIN)] + text + page[page.index(END) + len(END):]
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    main()
