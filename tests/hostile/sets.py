"""Sets that are hard on a method: written to a folder, with what reads them.

Each set has a title and the columns of a file. `c` is a target of classes, `r` a real one, `u` and `v` are labels; a
method is given the first of them that it takes. A set with `options` has those besides.
"""
import math
import os
import random


class Set:
    def __init__(self, name, title, columns, options=(), sparse=None, smaller=None):
        self.name, self.title, self.columns, self.options, self.sparse = name, title, columns, list(options), sparse
        self.smaller = smaller  # the set that the methods of CUBIC are given instead


# Their cost grows with the cube of the rows, by their nature.
CUBIC = ("kplssb", "kcca", "kfda", "kdr", "mkdr", "cmvu", "ksdpp")


def classes_of_one_row(n):
    return changed(table(n, 3), c=[f"k{i}" for i in range(n)])


def normal(n, seed):
    source = random.Random(seed)
    return [round(source.gauss(0, 1), 6) for _ in range(n)]


def table(n, d, classes=2, seed=1):
    """Columns x1 .. xd of normal numbers, and targets that depend on the first."""
    columns = {f"x{j + 1}": normal(n, 100 * seed + j) for j in range(d)}
    first = columns["x1"]
    columns["c"] = [f"k{(i + (first[i] > 0)) % classes}" for i in range(n)]
    columns["r"] = [round(first[i] + 0.1 * math.sin(3 * i), 6) for i in range(n)]
    columns["u"] = [int(first[i] > 0) for i in range(n)]
    columns["v"] = [i % 2 for i in range(n)]
    return columns


def changed(columns, **others):
    return {**columns, **others}


def scaled(columns, factor):
    return {name: [repr(value * factor) for value in column] if name.startswith("x") else column
            for name, column in columns.items()}


def sparse_rows(n, d, seed=5):
    """Rows of a few entries: every seventh is empty, and so is each column from d/2 on."""
    source = random.Random(seed)
    rows = []
    for i in range(n):
        entries = sorted(source.sample(range(1, d // 2), 3)) if i % 7 else []
        rows.append(f"{i % 2} " + " ".join(f"{j}:{source.random():.4f}" for j in entries))
    rows[0] += f" {d}:1"
    return "\n".join(rows) + "\n"


def every_second(column):
    return [value if i % 2 else "" for i, value in enumerate(column)]


def make_sets():
    t = table(24, 4)
    n = len(t["c"])
    tiny = [5e-324, 1e-310, 2e-320, 0.0]
    return [
        Set("two_rows", "two rows", table(2, 3)),
        Set("three_rows", "three rows, two classes", table(3, 2)),
        Set("one_column", "one column", table(24, 1)),
        Set("more_columns", "more columns than rows: 6 rows, 20 columns", table(6, 20)),
        Set("few_rows_many_components", "4 rows, 3 components asked for", table(4, 6), ["--components", "3"]),
        Set("row_per_class", "a class of its own for each row", changed(t, c=[f"k{i}" for i in range(n)])),
        Set("one_class", "one class, one response, one label for all rows",
            changed(t, c=["k"] * n, r=[2] * n, u=[1] * n, v=[1] * n)),
        Set("lonely_class", "one class with a single row",
            changed(t, c=["a"] + ["b", "d"] * ((n - 1) // 2) + ["b"] * ((n - 1) % 2))),
        Set("many_classes", f"5000 classes of one row (300 for {', '.join(CUBIC)})", classes_of_one_row(5000),
            smaller=Set("fewer_classes", "", classes_of_one_row(300))),
        Set("constant_column", "a constant column", changed(t, x2=[3.5] * n)),
        Set("constant_columns", "all columns constant", changed(t, **{f"x{j}": [j] * n for j in range(1, 5)})),
        Set("same_columns", "two equal columns, and one that is twice another",
            changed(t, x2=t["x1"], x4=[2 * value for value in t["x3"]])),
        Set("same_rows", "every row four times", {name: column[:6] * 4 for name, column in t.items()}),
        Set("all_rows_same", "all rows equal but for the target",
            changed(t, **{f"x{j}": [t[f"x{j}"][0]] * n for j in range(1, 5)})),
        Set("denormals", "one column of denormal numbers", changed(t, x2=[repr(tiny[i % 4]) for i in range(n)])),
        Set("all_denormals", "all columns denormal", scaled(t, 1e-310)),
        Set("huge", "all columns about 1e300", scaled(t, 1e300)),
        Set("one_huge_cell", "one cell of 1e300", changed(t, x3=["1e300"] + t["x3"][1:])),
        Set("mixed_sizes", "columns of 1e-200, 1 and 1e200",
            changed(t, x1=[repr(v * 1e-200) for v in t["x1"]], x3=[repr(v * 1e200) for v in t["x3"]])),
        Set("large_offset", "columns of 1e9 plus a little", changed(t, x1=[repr(1e9 + v) for v in t["x1"]],
                                                                       x2=[repr(1e9 - v) for v in t["x2"]])),
        Set("large_integers", "integers beyond 2^53", changed(t, x1=[9007199254740993 + 10 ** 12 * i for i in range(n)])),
        Set("zero_weights", "most weights 0, the others 1",
            changed(t, w=[int(i % 4 == 0 or i < 6) for i in range(n)]), ["--weights", "w"]),
        Set("huge_weights", "weights from 1e-300 to 1e300", changed(t, w=[f"1e{-300 + 26 * i}" for i in range(n)]),
            ["--weights", "w"]),
        Set("two_labelled", "two rows with a target, the others without",
            changed(t, **{y: t[y][:2] + [""] * (n - 2) for y in "cruv"})),
        Set("missing_cells", "every second cell of two columns missing, filled with the mean",
            changed(t, x1=every_second(t["x1"]), x2=every_second(t["x2"])), ["--missing", "mean"]),
        Set("unused_label", "a label that no row has, and one that all have", changed(t, u=[0] * n, v=[1] * n)),
        Set("names", "names of any letters, with commas and quotes",
            {{"x1": "größe, \"q\"", "x2": "名前", "x3": "a\tb"}.get(k, k): v for k, v in t.items()}),
        Set("empty_sparse", "sparse rows, some of them and half of the columns empty", None,
            sparse=sparse_rows(30, 40)),
    ]


def quoted(text):
    text = str(text)
    return '"' + text.replace('"', '""') + '"' if any(letter in text for letter in ',"\n\t') else text


def write_set(one, target, folder):
    """The file with this target only (names of its columns), so that the others are no features."""
    if one.sparse:
        path = os.path.join(folder, one.name + ".svm")
        text = one.sparse
    else:
        names = [name for name in one.columns if name not in "cruv" or name in target]
        path = os.path.join(folder, f"{one.name}-{'-'.join(target)}.csv")
        lines = [",".join(quoted(name) for name in names)]
        lines += [",".join(quoted(one.columns[name][i]) for name in names) for i in range(len(one.columns["c"]))]
        text = "\n".join(lines) + "\n"
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as to:
            to.write(text)
    return path
