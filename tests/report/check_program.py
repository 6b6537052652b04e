#!/usr/bin/env python3
"""check_program.py ALIDADE DATA: pages that the program itself makes, in a real browser: everything that check_pages.py
looks at, and that the scores saved from the page are, byte for byte, what `alidade transform` writes. DATA is the folder
of the bundled data sets. Some of the pages, all of them with ALD_LONG. Ends with 77 where there is no browser."""
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import assemble  # noqa: E402
import browser  # noqa: E402
import check_pages  # noqa: E402

ALIDADE, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
RANDOM = random.Random(7)

# name -> target, words of the fit, words of the report; the files are made below
PAGES = {
    "tecator": ("fat", "--ignore water,protein --method pls --components 3 --predictor linear --outlier-limits 1",
                "--resamples 3 --folds 3"),
    "responses": ("fat,water,protein", "--method pls --components 4 --predictor linear", "--quick"),
    "iris": ("y", "--method lda", "--resamples 3 --folds 3"),
    "kernel": ("y", "--method kfda --scale standard", "--quick"),
    "two": ("kind", "--method lda", "--quick"),
    "letters": ("kind", "--method lda --components 3", "--quick"),
    "labels": ("l1,l2,l3", "--task multilabel --method opls", "--quick"),
    "wide": ("y", "--method pls --components 2 --predictor linear", "--quick"),
    "bare": (None, "--method pca --components 2", "--quick"),
    "sdpp": ("y", "--method sdpp", "--quick"),
    "hostile": ("y", "--task classification --method pls --components 2 --predictor linear --id name,site", "--quick"),
}
USUAL = ("tecator", "iris", "hostile")
HOSTILE = ['</script><img src=x onerror="window.ran=1">', "<b>x</b>", 'say "a, b"', "two\nlines", "n" * 300, "\u05e9\u05dc\u05d5\u05dd",
           "\U0001f52d", "", " blank "]
FILES = {"tecator": "tecator.csv", "responses": "tecator.csv", "iris": "iris.csv", "kernel": "wine.csv"}


def run(*words):
    done = subprocess.run([ALIDADE, *words, "-q"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{words}: exit {done.returncode}\n{done.stderr}")


def write(path, head, rows):
    with open(path, "w", encoding="utf-8") as file:
        for row in [head, *rows]:
            file.write(",".join(str(cell) for cell in row) + "\n")


def make_files():
    def normals(n):
        return [RANDOM.gauss(0, 1) for _ in range(n)]
    for name, classes, n in (("two", 2, 60), ("letters", 26, 260)):
        write(f"{name}.csv", ["a", "b", "c", "d", "kind"],
              [[value + (i % classes) * (k + 1) / 4 for k, value in enumerate(normals(4))] + [chr(65 + i % classes)] for i in range(n)])
    rows = [normals(5) for _ in range(70)]
    write("labels.csv", ["a", "b", "c", "d", "e", "l1", "l2", "l3"], [row + [int(v > 0) for v in row[:3]] for row in rows])
    write("wide.csv", [f"g{j}x" if j % 2 else f"gene {j}" for j in range(5000)] + ["y"], [(row := normals(5000)) + [row[0] - row[1]] for _ in range(30)])
    write("bare.csv", ["name"] + ["a", "b", "c"], [[f"row {i}"] + normals(3) for i in range(40)])
    write("sdpp.csv", ["a", "b", "c", "y"], [(row := normals(3)) + [row[0] ** 2 + row[1]] for _ in range(60)])


def make_hostile():
    """Names of rows, columns and classes that would like to be markup; values of all sizes."""
    def quoted(text):
        return '"' + text.replace('"', '""') + '"'
    write("hostile.csv", map(quoted, ["name", "site", *HOSTILE[:4], "y"]),
          [[quoted(f"{HOSTILE[i % 9]}{i}"), quoted(HOSTILE[i % 7]), *[(i * k * 7919 % 101 - 50) * 10.0 ** (k - 5) + i % 3 * 20.0 * (k < 3) for k in range(1, 5)],
            quoted(HOSTILE[i % 3])] for i in range(36)])


def make_page(name, target, fit, report):
    data = os.path.join(DATA, FILES[name]) if name in FILES else f"{name}.csv"
    words = (["--target", target] if target else ["--id", "name"]) + fit.split()
    run("fit", data, *words, "-o", f"{name}.ald")
    run("report", f"{name}.ald", data, *report.split(), "-o", f"{name}.html")
    run("transform", f"{name}.ald", data, "-o", f"{name}-scores.csv")


def data_of(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(re.search(r'id="alidade-data">(.*?)</script>', file.read(), re.S).group(1))


def check_saved_scores(page, name):
    saved = page.run("csvText(...allPictures.find(({ view }) => view.key === 'scores').view.table())")
    with open(f"{name}-scores.csv", encoding="utf-8") as file:
        check_pages.check(saved == file.read(), name, "the scores that are saved are not the file that transform writes")


def check_commands(name, data):
    """The commands of the page, run as they stand, make the same page."""
    path = os.pathsep.join([os.path.dirname(ALIDADE), os.environ["PATH"]])
    for command in data["commands"]:
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PATH": path})
    with open(f"{name}.html", "rb") as first, open("report.html", "rb") as again:
        check_pages.check(first.read() == again.read(), name, "its commands make another page")
    check_pages.check(len(data["commands"]) == 2, name, "the commands are not both told")


def check_script(name):
    """The script compiled in is that of the sources, squeezed as assemble.py does it."""
    with open(f"{name}.html", encoding="utf-8") as file:
        found = re.search("<script>(.*?)</script>", file.read(), re.S).group(1)
    check_pages.check(found == assemble.sources(".js"), name, "another script than that of the sources")


def check_all():
    chrome = browser.Browser()
    try:
        page = check_pages.Page(chrome)
        for name, words in PAGES.items():
            if name not in USUAL and not os.environ.get("ALD_LONG"):
                continue
            make_page(name, *words)
            data = data_of(f"{name}.html")
            check_pages.check_page(page, name, data, f"{name}.html", name == "iris")
            check_saved_scores(page, name)
            if name in ("tecator", "hostile"):  # columns ignored, columns that name the rows
                check_commands(name, data)
            check_script(name)
        for name, words in (("compare", ["--methods", "lda,pls", "--folds", "3"]),
                            ("tune", ["--method", "lda", "--folds", "3", "--outer-folds", "3", "-o", "t.ald"])):
            run(name, os.path.join(DATA, "iris.csv"), "--target", "y", *words, "--report", f"{name}.html")
            check_pages.check_page(page, name, data_of(f"{name}.html"), f"{name}.html", False)
    finally:
        chrome.close()


if not browser.find():
    print("no browser: skipped")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_files()
    make_hostile()
    check_all()
    os.chdir("/")
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{len(check_pages.failures)} failures; the browser and the program used {used.ru_utime + used.ru_stime:.1f} s")
sys.exit(bool(check_pages.failures))
