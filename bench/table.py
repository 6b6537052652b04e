#!/usr/bin/env python3
"""table.py FILE.csv... PAGE.md...: writes tables of what bench.py, shapes.py, growth.py and scaling.py have measured into pages, between
a mark and <!-- /speed -->.

    <!-- speed -->             the works that have a peer, for the README
    <!-- speed: all -->        every row, with its bound and what must hold of it
    <!-- speed: pca; lda -->   one or several rows: ours, the peer and the bound, a column for each number of threads
    <!-- speed: shapes -->     drawn shapes: times ahead of the peer through Python, median, least and how many are below one (shapes.py)
    <!-- speed: shapes, library -->   the same through the library
    <!-- speed: shapes, last -->   the fits that are least ahead
    <!-- speed: routes -->     the routes of the two-stage methods (growth.py)
    <!-- speed: slopes -->     slopes and memory of every method beside the stated ones (scaling.py)
    <!-- speed: threads -->    every method with 1, 2, 4, ... threads (scaling.py)

Of several peers the fastest one counts. What none of the files has leaves its table as it was."""
import csv
import os
import re
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
import shapes  # noqa: E402

END = "<!-- /speed -->"
MARK = re.compile(r"<!-- speed(?:: ([^>]*))? -->\n.*?" + re.escape(END), re.S)
KINDS = {"route": "routes", "axis": "scaling", "solver": "shapes"}  # of a file, by a field of it
FIGURES = {"ours": "{ours} s", "ours, rows in single precision": "{float32} s", "the fastest peer": "{peer} s, {peer_name}",
           "bound": "{bound} s, {bound_name}", "ahead of the peer": "{ahead} times", "of the bound": "{of_bound} times",
           "memory": "{memory} MB", "beside twice as many busy loops as cores": "{busy} s, {of_fair} of the fair share",
           "the peer there": "{busy_peer} s", "must hold": "{bars}", "does it": "{verdict}"}

TITLES = {"two-stage": "lda of sparse text, two stages", "two-stage, news20": "lda of news20, two stages", "k nearest": "nearest neighbours",
          "csv, 17 digits": "read csv, 17 digits", "csv, 6 digits": "read csv, 6 digits"}


def number(text):
    return float(text) if text else float("inf")


def judged(row):
    """A row with what must hold of it now, which may have changed since it was measured."""
    ours, *others = (float(row[name]) if row[name] else None for name in ("ours", "float32", "peer", "bound", "memory"))
    bars, verdict = measure.Report(int(row["threads"]), None, "").judge(row["row"], measure.values_of(ours, *others))
    return dict(row, bars=bars, verdict=verdict)


def read(paths):
    """What was measured, by kind: rows of the benchmark in their order, for each (row, size) a dict by number of threads, of two peers
    of one file the faster one, and of two files the later; routes and scaling as they stand in the files."""
    found, origin = {"works": {}, "routes": [], "scaling": [], "shapes": []}, {}
    for path in paths:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        kind = next((kind for field, kind in KINDS.items() if field in rows[0]), "works")
        if kind != "works":
            found[kind] += rows
            continue
        for row in map(judged, rows):
            of_threads = found["works"].setdefault((row["row"], row["size"]), {})
            key = row["row"], row["size"], int(row["threads"])
            kept = of_threads.get(key[2])
            if kept is None or origin[key] != path or number(row["peer"]) < number(kept["peer"]):
                of_threads[key[2]], origin[key] = row, path
    return found


def measured_on(works):
    machines = dict.fromkeys(row["machine"] for of_threads in works.values() for row in of_threads.values())
    return f"Measured on: {'; '.join(machines)}."


def line(cells):
    return "| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |"


def head(names):
    return [line(names), "|" + "---|" * len(names)]


def counts(works):
    return sorted({t for of_threads in works.values() for t in of_threads})


def short(text):
    """Three digits."""
    return f"{float(text):.3g}" if text else ""


def against_peers(works):
    """A line for each work that has a peer of another maker, a column for each number of threads: ours, the peer, how many times as fast."""
    columns = counts(works)
    busy = any(row.get("busy") for of_threads in works.values() for row in of_threads.values())
    lines = head(["work", "size", "the fastest peer", *(f"{t} thread{'s' * (t > 1)}: ours, peer, ratio" for t in columns),
                  *[f"busy, {columns[0]} threads: ours, of the fair share, peer"] * busy])
    for (work, size), of_threads in works.items():
        compared = [of_threads.get(t, {}) for t in columns]
        first = next((row for row in compared if row.get("peer")), None)
        if first and not first["peer_name"].startswith("our"):
            cells = [f"{short(row['ours'])} s, {short(row['peer'])} s, **{short(row['ahead'])}**" if row.get("peer") else "" for row in compared]
            row = compared[0]
            beside = f"{short(row['busy'])} s, {short(row['of_fair'])}, {short(row['busy_peer'])} s" if row.get("busy") else ""
            lines.append(line([TITLES.get(work, work), size, first["peer_name"], *cells, *[beside] * busy]))
    return lines


def everything(works):
    lines = []
    for threads in counts(works):
        lines += ["", f"With {threads} threads:", ""] if lines else [f"With {threads} threads:", ""]
        lines += head(["work", "size", "alidade", "single", "peer", "ahead", "bound", "of it", "MB", "must hold", "does it", "peer's name", "bound's name"])
        for (work, size), of_threads in works.items():
            row = of_threads.get(threads)
            if row:
                lines.append(line([TITLES.get(work, work), size, *(short(row[name]) for name in ("ours", "float32", "peer", "ahead", "bound", "of_bound", "memory")),
                                   row["bars"], row["verdict"], row["peer_name"], row["bound_name"]]))
    return lines


def cell(form, row):
    """A form filled with what a row has; empty where it lacks its first word."""
    first = re.match(r"\{(\w+)\}", form).group(1)
    shown = {name: short(text) if re.fullmatch(r"[0-9.]+(e[+-]?[0-9]+)?", text) else text for name, text in row.items()}
    return form.format(**shown) if row.get(first) else ""


def figures(title, of_threads):
    """Ours, peer, bound and so on of one work: a line each, a column for each number of threads."""
    lines = head([title, *(f"{t} thread{'s' * (t > 1)}" for t in sorted(of_threads))])
    for name, form in FIGURES.items():
        cells = [cell(form, of_threads[t]) for t in sorted(of_threads)]
        if any(cells):
            lines.append(line([name, *cells]))
    return lines


def routes(rows):
    return head(["route", "rows", "columns", "seconds", "iterations of LSQR"]) + \
        [line([row["route"], row["n"], row["d"], short(row["seconds"]), row["iterations"]]) for row in rows]


AXES = {"n": "rows", "d": "columns", "r": "components", "c": "classes"}


def slopes(rows):
    """A line for each method: slope (stated), and memory in MB (stated)."""
    found = {}
    for row in rows:
        if row["what"] in ("slope", "memory"):
            key = row["axis"] if row["what"] == "slope" else "memory"
            found.setdefault(row["method"], {})[key] = f"{row['value']} ({row['stated']})"
    lines = head(["method", *AXES.values(), "MB beyond X"])
    return lines + [line([method, *(of.get(axis, "") for axis in (*AXES, "memory"))]) for method, of in found.items()]


def of_threads(rows):
    """Seconds of each method with each number of threads, and how many times as fast with most."""
    seconds = {}
    for row in rows:
        if row["what"] == "threads":
            seconds.setdefault(row["method"], {})[int(row["size"])] = float(row["value"])
    columns = sorted({t for of in seconds.values() for t in of})
    lines = head(["method", *(f"{t} thread{'s' * (t > 1)}" for t in columns), "times as fast"])
    return lines + [line([method, *(f"{of[t]:.3g} s" for t in columns), f"{of[columns[0]] / of[columns[-1]]:.1f}"])
                    for method, of in seconds.items()]


def drawn(rows, caller):
    """A line for each work and number of threads, a column for each method."""
    found = {key: of for key, of in shapes.groups(rows).items() if key[1] == caller}
    methods = list(dict.fromkeys(row["method"] for row in rows))
    seeds = sorted({int(row["seed"]) for row in rows})
    run = len(seeds) > 2 and seeds[-1] - seeds[0] == len(seeds) - 1
    shown = f"{seeds[0]} to {seeds[-1]}" if run else ", ".join(map(str, seeds))
    machines = "; ".join(dict.fromkeys(row["machine"] for row in sorted(rows, key=lambda row: int(row["threads"]))))
    lines = textwrap.wrap(f"Measured on: {machines}; scikit-learn {rows[0]['peer_version']}; seeds {shown}.", 120) + [""]
    lines += head(["median, least, below one", *methods])
    for work, _, threads in sorted(found, key=lambda key: key[2]):
        of_method = found[work, caller, threads]
        lines.append(line([f"{work}, {threads} threads", *(shapes.summary(of_method.get(method, [])) for method in methods)]))
    return lines


def least_ahead(rows):
    fits = sorted((row for row in rows if row["work"] == "fit" and row["ahead"]), key=lambda row: float(row["ahead"]))[:10]
    lines = head(["method", "shape", "threads", "Python", "library", "peer", "its solver", "ahead"])
    for row in fits:
        size = f"{row['n']} x {row['d']}, r={row['r']}" + (f", q={row['q']}" if row["q"] != "0" else "") + f", {row['kind']}"
        lines.append(line([row["method"], size, row["threads"], *(f"{short(row[name])} s" for name in ("python", "library", "peer")), row["solver"],
                           row["ahead"]]))
    return lines


def chosen(works, names):
    lines = []
    for name in names.split("; "):
        for key in works:
            if key[0] == name:
                lines += [""] * bool(lines) + figures(f"{name}, {key[1]}", works[key])
    return lines


def table(found, wanted):
    """Lines for a mark; none where nothing of it was measured."""
    works, grown = found["works"], found["scaling"]
    if wanted in (None, "all"):
        return [measured_on(works), "", *(everything(works) if wanted else against_peers(works))] if works else []
    if wanted.startswith("shapes"):
        rows, what = found["shapes"], wanted.removeprefix("shapes").lstrip(", ")
        return (least_ahead(rows) if what == "last" else drawn(rows, what or "Python")) if rows else []
    if wanted == "routes":
        return routes(found["routes"]) if found["routes"] else []
    if wanted in ("slopes", "threads"):
        lines = slopes(grown) if wanted == "slopes" else of_threads(grown)
        return lines if len(lines) > 2 else []
    return chosen(works, wanted)


def fill(page, found):
    def replace(match):
        lines = table(found, match.group(1))
        return "\n".join([match.group(0).split("\n", 1)[0], "", *lines, "", END]) if lines else match.group(0)
    return MARK.sub(replace, page)


def main():
    files = [path for path in sys.argv[1:] if path.endswith(".csv")]
    pages = [path for path in sys.argv[1:] if path.endswith(".md")]
    if not files or not pages or len(files) + len(pages) != len(sys.argv) - 1:
        sys.exit(__doc__.split("\n")[0])
    found = read(files)
    for path in pages:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        if not MARK.search(page):
            sys.exit(f"{path} has no <!-- speed --> ... {END}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(fill(page, found))


if __name__ == "__main__":
    main()
