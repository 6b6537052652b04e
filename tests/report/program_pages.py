"""Pages that the program itself writes: the same script as in the sources, scores as `transform` writes them."""
import os
import re
import subprocess

import assemble

NAMES = ['</script><img src=x onerror="window.ran=1">', "<b>x</b>", 'say "a, b"', "two\nlines", "n" * 300, "\u05e9\u05dc\u05d5\u05dd", "\U0001f52d", "", " blank "]


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def hostile_table(path):
    """Names of rows and columns and classes that would like to be markup; scores of all sizes."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(",".join(map(quoted, ["the <i>name</i>", *NAMES[:4], "y"])) + "\n")
        for i in range(36):
            cells = [(i * k * 7919 % 101 - 50) * 10.0 ** (k - 5) + (i % 3) * 20.0 * (k < 3) for k in range(1, 5)]
            file.write(",".join([quoted(f"{NAMES[i % 9]}{i}"), *map(repr, cells), quoted(NAMES[i % 3])]) + "\n")


def run(alidade, folder, *words):
    done = subprocess.run([alidade, *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"alidade {' '.join(words)}: {done.stderr}")
    return done.stdout


def models(alidade, data, folder):
    """(name, model, table) of each; made in the folder."""
    hostile = os.path.join(folder, "hostile.csv")
    hostile_table(hostile)
    wine, tecator = (os.path.join(data, f"{name}.csv") for name in ("wine", "tecator"))
    fits = {
        "meat": (tecator, "--target fat,water --ignore protein --method pls --components 3 --row-scale standard --predictor linear --outlier-limits 1"),
        "wine": (wine, "--target y --task classification --method lda --scale standard --predictor gaussian"),
        "kernel": (wine, "--target y --task classification --method kpls --components 2 --scale standard --predictor knn"),
        "plain": (wine, "--method pca --components 2 --scale standard"),
        "hostile": (hostile, "--target y --task classification --method pls --components 2 --predictor linear"),
    }
    for name, (table, words) in fits.items():
        more = ["--id", "the <i>name</i>"] if name == "hostile" else []
        run(alidade, folder, "fit", table, *words.split(), *more, "-q", "-o", f"{name}.ald")
        run(alidade, folder, "report", f"{name}.ald", table, "--resamples", "3", "--folds", "3", "-q", "-o", f"{name}.html")
        yield name, f"{name}.ald", table


def check_program(page, alidade, data, folder, check):
    for name, model, table in models(alidade, data, folder):
        path = os.path.join(folder, f"{name}.html")
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        check(re.search("<script>(.*?)</script>", text, re.S).group(1) == assemble.sources(".js"), name, "another script than that of the sources")
        page.open(path)
        page.settle()
        scores = page.run("csvText(...pictures.find(({ view }) => view.key === 'scores').view.table())")
        check(scores == run(alidade, folder, "transform", model, table), name, "the scores that are saved are not those of transform")
        check(page.run("typeof window.ran") == "undefined" and page.run("document.querySelectorAll('img, b, i').length") == 0, name, "a name has become markup")
        check(not page.complaints(), name, f"the browser complains: {page.complaints()[:3]}")
    wine = os.path.join(data, "wine.csv")
    run(alidade, folder, "compare", wine, "--target", "y", "--task", "classification", "--methods", "pca,lda", "--components", "1:2", "--splits", "3", "--report", "compare.html", "-q")
    run(alidade, folder, "tune", wine, "--target", "y", "--task", "classification", "--method", "lda", "--components", "1:2", "--report", "tune.html", "-q", "-o", "tuned.ald")
    for name in ("compare", "tune"):
        page.open(os.path.join(folder, f"{name}.html"))
        page.settle()
        check(page.run("pictures.length") >= (2 if name == "compare" else 5), name, "pictures are missing")
        check(not page.complaints(), name, f"the browser complains: {page.complaints()[:3]}")
