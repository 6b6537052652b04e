#!/usr/bin/env python3
"""check_wide_sdpp.py ALIDADE: sdpp with about as many columns as rows, or more, does not fit noise by default.

On the same splits its mean error is above that of pls and lda with as many components by at most one standard error
of the difference (as if the two were independent), on 60 spectra (100 columns) and, where the shared sets are there,
on colon and SRBCT (2000 and 2308 genes). SRBCT has three components: with fewer than classes less one, what minimises
J lays classes on one another (docs/methods/sdpp.md). That something was done is told; without it (ridge_rel = 0) 60
spectra, each row standardised, have more than one and a half times the error. A table with many rows is left alone."""
import json
import os
import subprocess
import sys
import tempfile

executable = os.path.abspath(sys.argv[1])
shared, bundled = os.environ.get("ALD_SHARED_DATA", ""), os.environ["ALD_DATA"]
failures, checks = [], 0


def check(holds, text):
    global checks
    checks += 1
    if not holds:
        failures.append(text)


def compare(path, target, methods, components, *options):
    """Per method and number of components: mean error and its standard error over the splits."""
    words = [executable, "compare", path, "--target", target, "--methods", methods, "--components", components, "--folds", "5",
             "--repeats", "2", "--no-baselines", "--json", *options]
    told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    table = {}
    for row in told["rows"]:
        values = row["metrics"][told["metric"]]
        mean = sum(values) / len(values)
        error = (sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)) ** 0.5
        table[row["method"], row["components"]] = (1 - mean if told["larger_is_better"] else mean, error)
    return table


def close(what, table):
    for (method, components), (mean, error) in table.items():
        if method == "sdpp":
            continue
        own, own_error = table["sdpp", components]
        allowed = (error ** 2 + own_error ** 2) ** 0.5
        check(own <= mean + allowed, f"{what}, {components} components: sdpp {own:.4g}, {method} {mean:.4g} ± {allowed:.2g}")


def fit(path, target, *options):
    with tempfile.TemporaryDirectory() as folder:
        words = [executable, "fit", path, "--target", target, "--method", "sdpp", "-o", os.path.join(folder, "m"), *options]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(bundled, "tecator.csv")) as file:
        lines = [line.rstrip("\n").split(",") for line in file]
    sixty, all_rows = (os.path.join(folder, name) for name in ("sixty.csv", "all.csv"))
    fat = lines[0].index("fat")
    for path, count, columns in (sixty, 60, list(range(100))), (all_rows, 215, list(range(0, 100, 10))):
        with open(path, "w") as file:
            file.writelines(",".join(line[c] for c in columns + [fat]) + "\n" for line in lines[:count + 1])
    spectra = compare(sixty, "fat", "sdpp,pls", "2,5")
    close("60 spectra", spectra)
    level = ("--row-scale", "standard")
    spectra = compare(sixty, "fat", "sdpp,pls", "3", *level)
    close("60 spectra standardised", spectra)
    lost = compare(sixty, "fat", "sdpp", "3", "--ridge-rel", "0", *level)["sdpp", 3][0] / spectra["sdpp", 3][0]
    check(lost > 1.5, f"60 spectra standardised: without a ridge only {lost:.2f} times the error")
    check("would fit noise: --ridge-rel" in fit(sixty, "fat"), "60 spectra: nothing is told")
    check("would fit noise" not in fit(sixty, "fat", "--ridge-rel", "0.01"), "a ridge that was given is not left alone")
    check("would fit noise" not in fit(all_rows, "fat"), "215 rows of 10 columns: a ridge is chosen")

if os.path.exists(os.path.join(shared, "srbct.csv")):
    close("colon", compare(os.path.join(shared, "colon.csv"), "y", "sdpp,lda,pls", "1"))
    close("SRBCT", compare(os.path.join(shared, "srbct.csv"), "y", "sdpp,lda,pls", "3"))

print("\n".join(failures))
print(f"{checks} checks, {len(failures)} failed")
sys.exit(bool(failures))
