#!/usr/bin/env python3
"""check_export.py CASES ALIDADE: every method that maps new rows, with predictors, kernels and preparations in turn (with
ALD_LONG all that go together), exported and used by others. CASES (cases.c) makes the models and says what the library
makes of ten rows, by its plain loops and by its usual backend.

C      compiled with -std=c99 -Wall -Wextra -Wconversion -Werror, equal to the plain loops to the last bit and within 1e-12
       of the usual backend; its self-test; some also as C++ and in single precision
ONNX   onnx.checker and strict shape inference (python3-onnx); ONNX Runtime in node within 1e-10, classes equal
SQL    SQLite within 1e-10, classes equal
JSON   the steps as docs/export.md describes them, recomputed by numpy, within 1e-10

Tolerances are relative to the largest of 1 and the numbers of the column, and at least ten times what the library's two
backends differ by: a kernel model whose coefficients are large and cancel is known to no more digits. What is not on this machine is skipped with a line."""
import json
import math
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import runtimes  # noqa: E402
import sets  # noqa: E402

program, executable = (os.path.abspath(path) for path in sys.argv[1:3])
long_form = bool(os.environ.get("ALD_LONG"))
failures, counts, skipped, worst = [], {}, [], {}


def check(kind, case, right, what):
    counts[kind] = counts.get(kind, 0) + 1
    if not right:
        failures.append(f"{kind}, case {case['case']} ({case['set']}: {case['words']}): {what}")


def apart(got, want):
    """The largest difference of two tables, in units of the larger of 1 and the largest number of the column."""
    most = 0.0
    for column in range(len(want[0])):
        size = max([1.0] + [abs(row[column]) for row in want])
        for a, b in zip(got, want):
            here = abs(a[column] - b[column]) / size
            most = max(most, here if here == here else math.inf)
    return most


def compare(kind, case, name, got, tolerance, against="native"):
    want = case[f"{against}_{name}"]
    here = apart(got, want)
    tolerance = max(tolerance, 10 * apart(case[f"plain_{name}"], want))
    worst[kind] = max(worst.get(kind, (0.0, "")), (here, case["words"]))
    check(kind, case, here <= tolerance, f"{name} differs by {here:.2g}")


def check_c(case, folder, cells):
    library = runtimes.CFile(folder, case["case"], flags=["-O0"])
    check("C compiled", case, not library.trouble, library.trouble)
    if library.trouble:
        return
    n, r = len(cells), len(case["plain_z"][0])
    z = library.call("scores", cells, r)
    check("C bits", case, z == case["plain_z"], "the projection is not the plain backend's")
    compare("C", case, "z", z, 1e-12)
    if "plain_s" in case:
        s = library.call("decision", cells, len(case["plain_s"][0]))
        y = library.call("predict", cells, len(case["plain_y"][0]))
        check("C bits", case, s == case["plain_s"], "the scores are not the plain backend's")
        check("C bits", case, y == case["plain_y"], "the prediction is not the plain backend's")
        compare("C", case, "s", s, 1e-12)
    library.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        sets.write(folder)
        command = [program, folder] + (["all"] if long_form else [])
        cases = [json.loads(line) for line in subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                                             text=True).stdout.splitlines()]
        fitted = [case for case in cases if "unfitted" not in case]
        for case in fitted:
            cells = sets.cells(folder, case["set"])
            if "plain_z" not in case:
                check("refused", case, len(case["refused"]) == 4, "a model without a map was exported")
                continue
            check("refused", case, "c" not in case["refused"], case["refused"].get("c"))
            if "c" not in case["refused"]:
                check_c(case, folder, cells)
        methods = {case["words"].split()[0] for case in fitted}
        for case in cases:
            if case["words"].split()[0] not in methods:
                failures.append(f"no case of {case['words'].split()[0]} could be fitted: {case['unfitted']}")
        print(f"{len(cases)} cases, {len(fitted)} fitted, {len(methods)} methods")
    for line in skipped:
        print("skipped:", line)
    for kind in sorted(counts):
        where = f", largest difference {worst[kind][0]:.2g} ({worst[kind][1]})" if kind in worst else ""
        print(f"{kind}: {counts[kind]} comparisons{where}")
    for line in failures[:40]:
        print("FAILED", line)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
