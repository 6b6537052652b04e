"""Tables for the tests of exports: some rows of the bundled sets, and made-up ones with categories, missing cells, labels
and names that are hard to quote."""
import csv
import math
import os
import random

DATA = os.environ.get("ALD_DATA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data"))
# Names of columns and levels that every format has to quote: keywords, quotes, newlines, backslashes, 5000 characters (C99 promises
# texts of 4095).
HARD = ["select", 'a "quoted" name', "it's", "two\nlines", "back\\slash ?? /* */ -- ;", "über $1 %s", "x" * 5000, "double"]


def table(name):
    with open(os.path.join(DATA, name), newline="") as file:
        return list(csv.reader(file))


def put(folder, name, header, rows):
    for path, part in ((f"{name}.csv", rows[10:]), (f"{name}-rows.csv", rows[:10])):
        with open(os.path.join(folder, path), "w", newline="") as file:
            csv.writer(file).writerows([header] + part)


def take(rows, count):
    return rows[:: max(1, len(rows) // count)]


def mixed(rng):
    """Eight columns with hard names, two of them categories, some cells empty; the new rows have an unknown level."""
    levels = [["red", "it's \"blue\"", "two\nlines"], ["no", "yes\\", "select", "ünknown?"]]
    rows = []
    for i in range(80):
        kind = rng.randrange(3)
        cells = [f"{rng.gauss(kind * (j % 3), 1):.3f}" for j in range(len(HARD))]
        cells[2] = levels[0][(kind + (rng.random() < 0.3)) % 3]
        cells[5] = levels[1][rng.randrange(4)]
        for j in (0, 2, 5):
            if rng.random() < 0.1:
                cells[j] = ""
        rows.append(cells + [['class "a"', "class\nb", "c'est"][kind]])
    rows[0][0], rows[0][2], rows[0][5] = "0.5", "violet", "yes\\"
    rows[1][0], rows[1][2], rows[1][5] = "", "", "no"
    return HARD + ["kind of\nthing"], rows


def labels(rng):
    rows = []
    for i in range(70):
        x = [rng.gauss(0, 1) for _ in range(8)]
        y = [int(x[0] + x[1] > 0), int(x[2] - x[3] + 0.5 * rng.gauss(0, 1) > 0), int(x[4] > 0.2)]
        rows.append([f"{v:.4f}" for v in x] + [str(v) for v in y])
    return [f"v{j}" for j in range(8)] + ["l1", "l2", "l3"], rows


def times(rng):
    """Times until an event that the first columns hasten; every third was not waited for."""
    rows = []
    for i in range(80):
        x = [rng.gauss(0, 1) for _ in range(8)]
        rows.append([f"{v:.4f}" for v in x] + [f"{rng.expovariate(1) * math.exp(-x[0] + 0.5 * x[1]) + 0.01:.4f}", str(int(i % 3 > 0))])
    return [f"v{j}" for j in range(8)] + ["time", "status"], rows


def write(folder):
    rng = random.Random(7)
    wine = table("wine.csv")
    put(folder, "wine", wine[0], take(wine[1:], 80))
    tecator = table("tecator.csv")
    columns = list(range(0, 100, 4))
    place = {name: i for i, name in enumerate(tecator[0])}
    few = take(tecator[1:], 75)
    put(folder, "tecator", [tecator[0][j] for j in columns] + ["fat"], [[row[j] for j in columns] + [row[place["fat"]]] for row in few])
    put(folder, "pair", [tecator[0][j] for j in columns] + ["fat", "protein"],
        [[row[j] for j in columns] + [row[place["fat"]], row[place["protein"]]] for row in few])
    put(folder, "mixed", *mixed(rng))
    put(folder, "labels", *labels(rng))
    put(folder, "times", *times(rng))


NUMBERS = ("tecator", "pair", "times")  # what they predict
TEXT_COLUMNS = (2, 5)  # of mixed
CLASSES = {"wine": ["1", "2", "3"], "mixed": sorted(['class "a"', "class\nb", "c'est"])}
TARGETS = {"wine": 1, "mixed": 1, "tecator": 1, "pair": 2, "labels": 3, "times": 2}


def cells(folder, name):
    """The ten rows without their target, as texts."""
    with open(os.path.join(folder, f"{name}-rows.csv"), newline="") as file:
        return [row[: -TARGETS[name]] for row in list(csv.reader(file))[1:]]


def names(folder, name):
    with open(os.path.join(folder, f"{name}-rows.csv"), newline="") as file:
        return next(csv.reader(file))[: -TARGETS[name]]
