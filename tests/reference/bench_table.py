#!/usr/bin/env python3
"""bench_table.py TABLE: bench/table.py fills the marks of a page from made-up measurements, the fastest peer counts, and what
was not measured is left as it was; the bars of bench/measure.py are held and missed as they should be."""
import contextlib
import csv
import io
import os
import subprocess
import sys
import tempfile

PAGE = """# A page

<!-- speed -->
stale
<!-- /speed -->
between
<!-- speed: pca -->
<!-- /speed -->
<!-- speed: shapes -->
<!-- /speed -->
<!-- speed: shapes, last -->
<!-- /speed -->
<!-- speed: slopes -->
kept
<!-- /speed -->
"""


def measured(path, folder):
    """Rows as a benchmark at 2 and 16 threads would add them."""
    sys.path.insert(0, folder)
    import measure
    with open(path, "w", newline="") as file:
        csv.writer(file).writerow(measure.FIELDS)
    with contextlib.redirect_stdout(io.StringIO()):
        few, many = (measure.Report(threads, path, "a machine") for threads in (2, 16))
        few.add("pca", "9 x 3", 0.13, float32=0.13, peer=0.26, peer_name="slow peer", bound=0.1, bound_name="X'X", memory=7.0)
        few.add("pca", "9 x 3", 0.13, peer=0.195, peer_name="fast peer", bound=0.1, bound_name="X'X",
                busy=(0.5, 2.0, 0.5 / measure.fair_share(0.13, 2, 4, 2)))
        many.add("pca", "9 x 3", 0.16, float32=0.2, peer=0.15, peer_name="fast peer", bound=0.1, bound_name="X'X")
        many.add("gkdr", "9 x 3", 0.51)


def drawn(path, folder):
    """Fits of three shapes as shapes.py would add them; the library was not measured on one."""
    sys.path.insert(0, folder)
    import shapes
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, shapes.FIELDS, restval="")
        writer.writeheader()
        for n, ahead, library in ((100, "0.5", "2"), (200, "4", ""), (300, "3", "3")):
            writer.writerow({"method": "pls", "work": "fit", "n": n, "d": 5, "r": 2, "q": 0, "kind": "flat", "threads": 2, "python": 1, "library": 1,
                             "peer": 1, "solver": "P", "ahead": ahead, "library_ahead": library, "seed": 7, "machine": "a machine"})


def check(what, holds):
    if not holds:
        sys.exit(f"failed: {what}")


def main():
    table, folder = os.path.abspath(sys.argv[1]), os.path.dirname(os.path.abspath(sys.argv[1]))
    with tempfile.TemporaryDirectory() as place:
        path, page = os.path.join(place, "b.csv"), os.path.join(place, "p.md")
        measured(path, folder)
        others = os.path.join(place, "s.csv")
        drawn(others, folder)
        with open(page, "w") as file:
            file.write(PAGE)
        for _ in range(2):  # a second time changes nothing
            subprocess.run([sys.executable, table, path, others, page], check=True)
            with open(page) as file:
                text = file.read()
            check("short table", "| pca | 9 x 3 | fast peer | 0.13 s, 0.195 s, **1.5** | 0.16 s, 0.15 s, **0.938** | 0.5 s, 1.28, 2 s |" in text and "slow peer" not in text)
            check("old text is gone, text between stays", "stale" not in text and "\nbetween\n" in text)
            check("beside busy loops", "| 0.5 s, 1.28 of the fair share |" in text and "| the peer there | 2 s |" in text)
            check("one row by threads", "| ours | 0.13 s | 0.16 s |" in text)
            check("a bar that depends on the threads", "| does it | held | missed: of bound 1.6, ahead 0.938, float32 1.25 |" in text)
            check("what has no peer is not in the short table", "gkdr" not in text)
            check("drawn shapes", "| fit, 2 threads | 3.00, 0.50, 1 of 3 |" in text and "; seeds 7." in text)
            check("the shape least ahead comes first", text.index("| pls | 100 x 5") < text.index("| pls | 300 x 5") < text.index("| pls | 200 x 5"))
            check("what was not measured stays", "<!-- speed: slopes -->\nkept\n" in text)
        with open(path, newline="") as file:
            verdicts = [row["verdict"] for row in csv.DictReader(file)]
        check(f"verdicts {verdicts}", verdicts[0] == "held" and verdicts[3] == "missed: seconds 0.51")
    print("tables are made as they should")


if __name__ == "__main__":
    main()
