#!/usr/bin/env python3
"""Runs the command line on tiny data under valgrind: what is decided by memory that was never written or is gone.

    sweep.py ALIDADE [METHOD...]

Every method is fitted on each kind of data that it takes, then on one of them with each value of each of its choices
and with the options of WAYS, and the model is used. Methods and options are those that the executable tells (alidade
methods --json), so that a new method is here the day it is registered; SCRIPTS are the verbs around them. A refusal is
an answer, but not of plain data. With names only those methods, without the scripts. Some 700 runs. Ends with 77
where there is no valgrind.
"""
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

VALGRIND = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]
TIME_LIMIT = 600  # seconds

# Parameters of every method are varied for these; their code is shared.
COMMON = ("n_components", "scale", "row_scale", "predictor", "predictor_neighbors", "predictor_ridge",
          "keep_statistics", "random_state")
VARIED = ("pca", "lda", "kpca")

# Data by what it needs of a method (capabilities, all of them), with the options that read it.
DATA = {
    "classes.csv": ({"classes"}, ["--target", "y"]),
    "real.csv": ({"real"}, ["--target", "y"]),
    "responses.csv": ({"real", "several-responses"}, ["--target", "y1,y2"]),
    "labels.csv": ({"multi-label"}, ["--target", "a,b,c"]),
    "classes.svm": ({"classes", "sparse"}, []),
    "labels.svm": ({"multi-label", "sparse"}, []),
    "wide.csv": ({"real"}, ["--target", "y"]),
    "weights.csv": ({"classes", "weights"}, ["--target", "y", "--weights", "w"]),
    "some.csv": ({"classes", "unlabelled-rows"}, ["--target", "y"]),
    "rows.csv": ({"no-target"}, []),
}

# Ways of fitting that no single choice shows: names of parameters that a method must have, and what they are set to.
WAYS = [
    {"n_components": "0"},
    {"n_components": "1"},
    {"max_iter": "1"},
    {"tol": "1e-3"},
    {"ridge": "0.5"},
    {"ridge_rel": "0.01"},
    {"rank": "5"},
    {"rank": "0"},
    {"standardize": "0"},
    {"features": "6"},
    {"landmarks": "8", "landmark_choice": "uniform"},
    {"landmarks": "8", "landmark_choice": "kmeans"},
    {"landmarks": "8", "landmark_choice": "leverage"},
    {"landmarks": "8", "pca_dims": "3"},
    {"kernel": "isomap", "graph": "natural", "n_neighbors": "6"},
    {"pca_dims": "3"},
    {"early_stopping": "0.3"},
    {"repulsion": "0.1"},
    {"manifold": "0.1"},
    {"penalty": "l1", "penalty_weight": "0.01"},
    {"penalty": "l21", "penalty_weight": "0.01", "solver": "cg"},
    {"divergence": "kl", "repulsion": "0.1"},
    {"divergence": "itakura-saito", "solver": "cg"},
    {"solver": "first-order", "n_components": "0"},
    {"graph": "epsilon", "radius": "1.5"},
    {"graph": "full", "n_starts": "3"},
    {"n_starts": "1"},
    {"n_neighbors": "3"},
    {"n_basis": "4"},
    {"nu": "0.5"},
    {"eta": "0"},
    {"n_slices": "3"},
    {"n_features": "2"},
    {"version": "1"},
    {"fraction": "1"},
    {"kernel_width": "0.7", "response_width": "0.4"},
]

# What is done besides: a script with the executable as $A, in a folder with the data.
SCRIPTS = {
    "predictors": """
        for p in linear ridge knn; do $A fit real.csv --target y --method pls --predictor $p -o m.ald
          $A predict m.ald real.csv --json -o p.csv && $A evaluate m.ald real.csv --metric all; done
        for p in centroid gaussian logistic knn; do
          $A fit classes.csv --target y --method lda --predictor $p -o m.ald
          $A predict m.ald classes.csv --scores -o p.csv && $A evaluate m.ald classes.csv --metric all --json=e.json
          $A plot m.ald classes.csv --kind confusion -o c.svg; done
        for p in one-vs-rest logistic knn; do $A fit labels.csv --target a,b,c --method cca --predictor $p -o m.ald
          $A predict m.ald labels.csv --scores && $A evaluate m.ald labels.csv --metric all; done""",
    "continuity": """
        $A fit real.csv --target y --method sdpp --choose-neighbors 3,5,8 --n-starts 2 -o m.ald
        $A evaluate m.ald real.csv --continuity --hsic --permutations 19
        $A plot m.ald real.csv --kind continuity -o k.svg && $A plot m.ald --kind eigengap -o g.svg""",
    "stream": """
        for m in pca lda cfml; do $A fit classes.csv --target y --method $m --stream --keep-statistics -o m.ald
          $A update m.ald classes.csv -o n.ald && $A update n.ald classes.csv --remove -o n.ald; done
        for m in pls cca opls sir; do $A fit real.csv --target y --method $m --dims 1 --stream -o m.ald; done
        $A fit labels.svm --method hsl --stream --keep-statistics -o m.ald && $A update m.ald labels.svm -o n.ald""",
    "pairs": """
        for m in sdpp ksdpp; do
          $A fit real.csv --target y --method $m --graph-file pairs.csv -o m.ald
          $A fit rows.csv --method $m --target-distances pairs.csv -o m.ald; done""",
    "more rows": """
        for m in rsir lsir mkdr cmvu; do $A fit classes.csv --target y --unlabelled rows.csv --method $m -o m.ald; done
        $A fit classes.csv --target y --unlabelled rows.csv --method sdpp --manifold 0.1 -o m.ald
        $A evaluate m.ald classes.csv --subspace directions.csv""",
}


def write(place, name, lines):
    with open(os.path.join(place, name), "w", encoding="ascii") as file:
        file.writelines(line + "\n" for line in lines)


def csv(place, name, header, rows):
    write(place, name, [header] + [",".join(str(cell) for cell in row) for row in rows])


def make_data(place):
    """26 rows of 4 columns, a target of each kind; 18 of 30 columns."""
    draw = random.Random(1)
    x = [[draw.gauss(0, 1) for _ in range(4)] for _ in range(26)]
    y = [2 * row[0] + row[1] ** 2 + 0.1 * draw.gauss(0, 1) for row in x]
    classes = [min(2, int(abs(value))) for value in y]
    labels = [[int(row[j] + 0.3 * draw.gauss(0, 1) > 0) for j in range(3)] for row in x]
    head = "x1,x2,x3,x4"
    csv(place, "rows.csv", head, x)
    csv(place, "real.csv", head + ",y", [row + [value] for row, value in zip(x, y)])
    csv(place, "responses.csv", head + ",y1,y2", [row + [value, value * row[2]] for row, value in zip(x, y)])
    csv(place, "classes.csv", head + ",y", [row + [f"c{c}"] for row, c in zip(x, classes)])
    some = [f"c{c}" if i % 3 else "" for i, c in enumerate(classes)]
    csv(place, "some.csv", head + ",y", [row + [cell] for row, cell in zip(x, some)])
    csv(place, "labels.csv", head + ",a,b,c", [row + label for row, label in zip(x, labels)])
    csv(place, "weights.csv", head + ",y,w", [row + [f"c{c}", i % 4] for i, (row, c) in enumerate(zip(x, classes))])
    wide = [[draw.gauss(0, 1) for _ in range(30)] for _ in range(18)]
    csv(place, "wide.csv", ",".join(f"x{j}" for j in range(30)) + ",y", [row + [row[0] - row[1]] for row in wide])
    entries = [" ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v > -0.7) for row in x]
    write(place, "classes.svm", [f"{c} {entry}" for c, entry in zip(classes, entries)])
    names = [",".join(str(j + 1) for j in range(3) if label[j]) for label in labels]
    write(place, "labels.svm", [f"{name} {entry}" for name, entry in zip(names, entries)])
    gram = [[sum(a * b for a, b in zip(p, q)) for q in x] for p in x]
    csv(place, "gram.csv", ",".join(f"k{j}" for j in range(26)) + ",y", [k + [f"c{c}"] for k, c in zip(gram, classes)])
    csv(place, "grams.csv", ",".join(f"k{j}" for j in range(26)) + ",y", [k + [v] for k, v in zip(gram, y)])
    pairs = [(i + 1, (i + step) % 26 + 1, abs(y[i] - y[(i + step) % 26])) for i in range(26) for step in (1, 2, 5)]
    csv(place, "pairs.csv", "row,neighbour,weight", pairs)
    csv(place, "directions.csv", head, [[1, 0, 0, 0], [0, 1, 0, 0]])


def option(name, value):
    if name == "keep_statistics":
        return ["--keep-statistics"]
    return ["--" + name.replace("_", "-"), value]


def values(parameter):
    if parameter["name"] == "keep_statistics":
        return ["1"]
    return ["0", "1"] if parameter["type"] == "boolean" else parameter["choices"]


def takes(parameters, way):
    """Whether a method has all these parameters, with these values among their choices."""
    return all(name in parameters and value in (parameters[name]["choices"] or [value]) for name, value in way.items())


def fits(method):
    """(data, options, whether it must not be refused) of each fit of a method."""
    able = set(method["capabilities"])
    parameters = {parameter["name"]: parameter for parameter in method["parameters"]}
    kinds = [name for name, (needs, _) in DATA.items() if needs <= able]
    for name in kinds:
        unlabelled = name == "some.csv" and "manifold" in parameters
        yield name, option("manifold", "0.1") if unlabelled else [], True
    plain = kinds[0]
    for name, parameter in parameters.items():
        if name not in COMMON or method["name"] in VARIED:
            for value in values(parameter):
                data = plain
                if value == "precomputed":
                    data = "gram.csv" if "classes" in able else "grams.csv"
                yield data, option(name, value), False
    for way in WAYS:
        if takes(parameters, way):
            options = [text for name, value in way.items() for text in option(name, value)]
            yield plain, options, False
    if "sparse" in able:
        for choice in ("scale", "row_scale"):
            for value in parameters[choice]["choices"][1:]:
                yield ("classes.svm" if "classes" in able else "labels.svm"), option(choice, value), False


def reading(data):
    return DATA[data][1] if data in DATA else ["--target", "y"]


def watched(command, place):
    """The status and what was told; 9: valgrind has found something."""
    try:
        ended = subprocess.run(VALGRIND + command, cwd=place, capture_output=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return 9, f"did not end within {TIME_LIMIT} s"
    return ended.returncode, ended.stderr.decode("utf-8", "replace")


def try_fit(alidade, place, number, method, data, options, plain):
    """What is wrong (or None), and whether there was a model."""
    model = f"{number}.ald"
    command = [alidade, "fit", data, *reading(data), "--method", method, *options, "--threads", "2", "-o", model]
    if "--n-components" not in options:
        command += ["--dims", "1" if plain else "2"]
    status, told = watched(command, place)
    fitted = os.path.exists(os.path.join(place, model))
    if fitted and status == 0:
        status, told = watched([alidade, "transform", model, data, "-o", f"{number}.csv"], place)
    refused = status in (1, 2)  # transform too: places of given rows have no map
    if status == 0 or (refused and (fitted or not plain)):
        return None, fitted
    return " ".join(command[1:]) + f"\nexit status {status}\n{told}", fitted


def try_script(place, name, script, alidade):
    env = {**os.environ, "A": " ".join(VALGRIND + [alidade])}
    ended = subprocess.run(["bash", "-ec", script], cwd=place, env=env, capture_output=True, check=False,
                           timeout=TIME_LIMIT)
    if ended.returncode:
        return f"{name}: exit status {ended.returncode}\n" + ended.stderr.decode("utf-8", "replace")
    return None


def sweep(alidade, place, methods, pool):
    """The number of fits, of those refused, and what is wrong."""
    jobs = [(method["name"], *fit) for method in methods for fit in fits(method)]
    calls = [pool.submit(try_fit, alidade, place, number, *job) for number, job in enumerate(jobs)]
    refused, wrong = 0, 0
    for call in calls:
        problem, fitted = call.result()
        refused += not fitted
        wrong += tell(problem)
    return len(jobs), refused, wrong


def tell(problem):
    if problem:
        print("FAILED " + problem, flush=True)
    return problem is not None


def run_scripts(alidade, place):
    wrong = 0
    for number, (name, script) in enumerate(SCRIPTS.items()):
        folder = os.path.join(place, f"script{number}")
        os.mkdir(folder)
        make_data(folder)
        wrong += tell(try_script(folder, name, script, alidade))
    return wrong


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("there is no valgrind on this machine")
        sys.exit(77)
    alidade, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
    methods = json.loads(subprocess.run([alidade, "methods", "--json"], capture_output=True, check=True).stdout)
    methods = [method for method in methods if not chosen or method["name"] in chosen]
    with tempfile.TemporaryDirectory(prefix="alidade-memory-") as place, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        make_data(place)
        count, refused, wrong = sweep(alidade, place, methods, pool)
        if not chosen:
            wrong += run_scripts(alidade, place)
    print(f"{count} fits, {refused} of them refused, {wrong} faults")
    sys.exit(1 if wrong or 2 * refused > count else 0)


if __name__ == "__main__":
    main()
