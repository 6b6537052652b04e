"""The permutation tests of `alidade dimension` keep their level. Usage: check_levels.py ALIDADE [CASE...]

Draws of a set whose target depends on exactly k = 0, 1 or 2 directions of X; in how many of them the test finds one more
at 5 %. With 19 permutations a test that keeps its level does so in exactly 1 of 20. What is too many is so with a chance
below 1e-3 for a binomial of that level. X is normal (n = 150, for kdr 80; d = 4) but for parity, the synthetic set (n = 600).

A case is METHOD:KIND (real, several, classes, labels, parity, variances, own) or METHOD for its first kind; variances:
columns of unlike variances, and the target depends on the first k; own: the target is made of the first k components of
the method itself, of which the rest are thus independent. METHOD+linear: with the linear kernel, for which k directions
are k components. ALD_LONG=1: 8 draws of every case and k (a few minutes of two cores); else 6 draws of two quick ones.
ALD_DRAWS: how many draws, 200 for the table of the page (hours); ALD_JOBS: how many at once (2); ALD_TABLE: a file for the
table of counts; ALD_PAGE: docs/dimension.md, where it takes the place of the one between the lines <!-- levels -->
and <!-- end -->."""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.stats

executable = os.path.abspath(sys.argv[1])
long_form = bool(os.environ.get("ALD_LONG"))
draws = int(os.environ.get("ALD_DRAWS", 8 if long_form else 6))
level = 0.05

# What each kind of target is made of: the informative directions are x1 and x2, the noise has a column per response.
signals = {
    "real": [lambda x: 0, lambda x: np.sin(1.5 * x[:, :1]) + 0.5 * x[:, :1] ** 2,
             lambda x: x[:, :1] * (x[:, :1] + x[:, 1:2] + 1.0)],
    "several": [lambda x: 0, lambda x: np.hstack([x[:, :1], x[:, :1] ** 2, np.sin(x[:, :1]), -x[:, :1]]),
                lambda x: np.hstack([x[:, :1], x[:, 1:2], np.sin(x[:, :1] + x[:, 1:2]), -x[:, :1]])],
}
strength = {"real": 0.2, "several": 0.5}


def numbers(kind, k, x, rng):
    width = 1 if kind == "real" else 4
    signal = signals[kind][k](x)
    return signal + (strength[kind] if k else 1.0) * rng.standard_normal((len(x), width))


def classes(k, x, rng):
    """Four classes by noisy scores that depend on the first k columns."""
    corners = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], float)[:, :k]
    scores = 3.0 * x[:, :k] @ corners.T + rng.gumbel(size=(len(x), 4))
    return np.array(["A", "B", "C", "D"])[scores.argmax(axis=1)][:, None]


def labels(k, x, rng):
    """Four labels, each by a threshold of its own; never all absent in one row."""
    corners = np.array([[1, 0], [0, 1], [1, 1], [1, -1]], float)[:, :k]
    on = 2.0 * x[:, :k] @ corners.T + rng.logistic(size=(len(x), 4)) > 0
    return on.astype(int)


def own_components(method, k, x, rng):
    """A number that is the sum of the first k components of the method, and noise."""
    with tempfile.TemporaryDirectory() as folder:
        rows, model, scores = (os.path.join(folder, name) for name in ("x.npy", "m.ald", "z.npy"))
        np.save(rows, x)
        subprocess.run([executable, "fit", rows, "--method", method, "--components", "2", "-q", "-o", model], check=True)
        subprocess.run([executable, "transform", model, rows, "-q", "-o", scores], check=True)
        z = np.load(scores)
    return (z / z.std(axis=0))[:, :k].sum(axis=1, keepdims=True) + 0.5 * rng.standard_normal((len(x), 1))


def write_set(path, method, kind, k, draw):
    rng = np.random.default_rng([k, draw])
    x = rng.standard_normal((80 if method == "kdr" else 150, 4))
    make = {"classes": classes, "labels": labels}.get(kind)
    y = make(k, x, rng) if make else numbers("real" if kind in ("variances", "own") else kind, k, x, rng)
    if kind == "variances":
        x = x * [8, 4, 2, 1]
    if kind == "own" and k > 0:
        y = own_components(method, k, x, rng)
    names = ["a", "b", "c", "d"] + [f"y{j}" for j in range(y.shape[1])]
    rows = [",".join([repr(float(v)) for v in xi] + [str(v) for v in yi]) for xi, yi in zip(x, y)]
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join([",".join(names)] + rows) + "\n")
    return ",".join(names[4:])


def target_of(path, method, kind, k, draw):
    if kind != "parity":
        return write_set(path, method, kind, k, draw)
    call = [executable, "generate", "parity", "--n", "600", "--seed", str(draw + 1), "-q", "-o", path]
    subprocess.run(call, check=True)
    return "y"


def rejected(job):
    (name, kind, k), draw = job
    method, _, kernel = name.partition("+")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.csv")
        target = target_of(path, method, kind, k, draw)
        call = [executable, "dimension", path, "--target", target, "--method", method, "--max-components", str(k + 1),
                "--permutations", "19", "--every", "--seed", str(draw), "--threads", "1", "--json"]
        call += ["--task", "multilabel"] if kind == "labels" else []
        call += ["--kernel", kernel] if kernel else []
        done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rows = json.loads(done.stdout)["rows"] if done.returncode == 0 else []
    if len(rows) <= k:
        sys.exit(f"{method}:{kind} k={k} draw {draw}: " + (done.stderr.strip() or "no such component"))
    return rows[k]["permutation_p"] <= level


kinds = {
    "real": "sir save dr pfc lad opg mave phd contour pls spls orthogonal-pls sdpp mlkr kdr gkdr ism rsir lsir spca lspca kpls kspca kspca+linear mkdr ksdpp cmvu",
    "several": "sir dr cca opls rrr plssb pls gkdr spca kplssb kcca kpls+linear kplssb+linear kcca+linear",
    "classes": "lda sir save dr cfml lfda nca rsir lsir sdpp kdr gkdr pls spca lspca kfda kfda+linear",
    "variances": "pca bair",
    "own": "kpca",
    "labels": "hsl mddm sdpp gkdr",
    "parity": "sdpp",
}
every = [(method, kind) for kind, names in kinds.items() for method in names.split()]


def chosen():
    if len(sys.argv) <= 2:
        return every if long_form else [("sir", "real"), ("sdpp", "real")]
    given = []
    for word in sys.argv[2:]:
        method, _, kind = word.partition(":")
        given.append(next(c for c in every if c[0] == method and kind in ("", c[1])))
    return given


# One direction has several curved components: only k = 0 can be asked with a target that depends on k directions. Of lsir
# with classes alidade tests no more, as local means also see what the first components, which are estimated, have missed.
first_only = {"kpls", "kspca", "kplssb", "kcca", "kfda", "mkdr", "ksdpp", "cmvu"}


def cells():
    for method, kind in chosen():
        only_first = method in first_only or (method, kind) == ("lsir", "classes")
        for k in [2] if kind == "parity" else range(1 if only_first else 3):
            yield method, kind, k


def count_all():
    """How many draws of each cell are rejected, told as soon as it is known. The slow methods begin first, so that none is
    left alone at the end."""
    slow = ["kdr", "cmvu", "ksdpp", "mkdr", "sdpp", "rsir", "gkdr"]
    order = sorted(cells(), key=lambda cell: (slow.index(cell[0]) if cell[0] in slow else len(slow), -cell[2]))
    found = {}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("ALD_JOBS", "2"))) as pool:
        begun = [(cell, [pool.submit(rejected, (cell, draw)) for draw in range(draws)]) for cell in order]
        for cell, jobs in begun:
            found[cell] = sum(job.result() for job in jobs)
            print("{}:{} k={}: ".format(*cell) + f"{found[cell]} of {draws} at {level:g}", flush=True)
    return found


def table(found):
    lines = ["| method | target | k = 0 | k = 1 | k = 2 |", "| --- | --- | ---: | ---: | ---: |"]
    for method, kind in chosen():
        counts = [str(found.get((method, kind, k), "")) for k in range(3)]
        shown = method.replace("+linear", ", linear kernel")
        lines.append(f"| {shown} | {kind} | " + " | ".join(counts) + " |")
    return "\n".join(lines) + "\n"


counted = count_all()
if os.environ.get("ALD_TABLE"):
    with open(os.environ["ALD_TABLE"], "w", encoding="ascii") as shown:
        shown.write(f"Rejected at {level:g}, of {draws} draws.\n\n" + table(counted))
if os.environ.get("ALD_PAGE"):
    with open(os.environ["ALD_PAGE"], encoding="utf-8") as page:
        before, _, rest = page.read().partition("<!-- levels -->\n")
    with open(os.environ["ALD_PAGE"], "w", encoding="utf-8") as page:
        page.write(before + "<!-- levels -->\n" + table(counted) + "<!-- end -->" + rest.partition("<!-- end -->")[2])
failures = []
for (name, sort, directions), times in counted.items():
    if scipy.stats.binom.sf(times - 1, draws, level) < 1e-3:
        failures.append(f"{name} ({sort}): {times} of {draws} draws with {directions} directions show one more at {level:g}")
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
