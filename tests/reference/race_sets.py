#!/usr/bin/env python3
"""race_sets ALIDADE DATA...: what the race of `tune` costs in quality and saves in work.

For each DATA=FILE:TARGET[:METHODS] the same search is done with --race on and off (no nested folds, default grids, 1 to
3 components). Printed are the cells (fits judged on a fold) of both, whether the choice is the same, and by how many
standard errors of the best mean the racing choice is worse, both measured by the figures of the full search. Ends with
1 where that is more than one standard error."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile


def search(alidade, data, target, methods, race, seed, extra):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([alidade, "tune", data, "--target", target, "--method", methods, "--components", "1:3",
                        "--no-nested", "--race", race, "--seed", str(seed), "-q", "-o", os.path.join(folder, "m.ald"),
                        "--json=" + out, *extra], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(out, encoding="utf-8") as file:
            return json.load(file), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def name_of(row):
    return row["method"], row["components"], tuple(sorted(row["parameters"].items()))


def cells_of(result):
    return sum(row["count"] for row in result["rows"])


def compare(full, raced):
    """Standard errors by which the racing choice is worse, by the figures of the full search."""
    means = {name_of(row): row["mean"] for row in full["rows"]}
    loss = means[name_of(full["chosen"])] - means[name_of(raced["chosen"])]
    return (loss if full["larger_is_better"] else -loss) / (full["best"]["std_error"] or 1.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("alidade")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    args = parser.parse_args()
    worst = 0.0
    for item in args.data:
        path, target, *methods = item.split(":")
        for seed in range(args.seeds):
            setup = (args.alidade, path, target, methods[0] if methods else "lda,pls,sdpp")
            full, full_seconds = search(*setup, "off", seed, args.option)
            raced, seconds = search(*setup, "on", seed, args.option)
            loss = compare(full, raced)
            worst = max(worst, loss)
            same = name_of(full["chosen"]) == name_of(raced["chosen"])
            print("%-18s seed %d  cells %5d of %5d  processor %6.2f of %6.2f s  %s" % (
                os.path.basename(path), seed, cells_of(raced), cells_of(full), seconds, full_seconds,
                "same choice" if same else "other choice, worse by %.2f standard errors" % loss), flush=True)
    return 1 if worst > 1.0 else 0


if __name__ == "__main__":
    sys.exit(main())
