#!/usr/bin/env python3
"""check_edges.py ALIDADE: what check_export.py does not draw. For a few calibrated models, each in C, ONNX, SQLite and JSON
(with ALD_LONG or ALD_DATABASES also PostgreSQL and DuckDB):

rows       a cell that is not finite, or has no value and none to stand for it: native predict refuses the file, and all forms
           have NaN or NULL, no class and an empty set for this row, and what predict says for the others
           so has a row that is too large to be scaled
intervals  and prediction sets at a level: as predict --interval gives them
columns    categories with one level; unknown ones; empty texts, marks of missing cells and texts that are no numbers in SQLite
refusals   missing=nipals; dates in SQL; options of another format
rows of ONNX   none; one column, whose scale is double
size       what the program says before it writes is the size of the file"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import json_model  # noqa: E402
import runtimes  # noqa: E402
import sets  # noqa: E402

alidade = os.path.abspath(sys.argv[1])
LEVEL = 0.8
failures, counts = [], {}

# Set, target and the words of the fit.
MODELS = [
    ("wine", "y", "lda --rows snv --predictor knn"),
    ("wine", "y", "kpls --kernel cosine --predictor centroid"),
    ("tecator", "fat", "pls --rows snv --predictor linear"),
    ("pair", "fat,protein", "pls --predictor knn"),
    ("labels", "l1,l2,l3", "pls --predictor logistic --task multilabel"),
    ("labels", "l1,l2,l3", "pls --predictor linear --task multilabel"),
    ("edges", "kind of\nthing", "lda --missing mean --predictor gaussian"),
    ("tecator", "fat", "pls --rows msc --predictor linear"),
    ("tecator", "fat", "pls --row-scale unit --predictor ridge"),
]
LARGE = 8  # the one that makes the length of rows 1
TEXTS = {"edges": (2, 5, 8)}  # columns of texts


def check(kind, right, what):
    counts[kind] = counts.get(kind, 0) + 1
    if not right:
        failures.append(f"{kind}: {what}")


def run(*words):
    return subprocess.run([alidade, *words], capture_output=True, text=True)


def close(got, want):
    """Numbers within 1e-10, texts equal; None, NaN and "" alike are nothing."""
    if want is None:
        return got is None or got == "" or got == -1 or (isinstance(got, float) and math.isnan(got))
    if isinstance(want, str):
        return got == want or str(got).removesuffix(".0") == want
    return got is not None and abs(got - want) <= 1e-10 * max(1, abs(want))


def compare(kind, got, want):
    right = len(got) == len(want) and all(len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
                                          for a, b in zip(got, want))
    check(kind, right, f"{got}\ninstead of\n{want}")


def write_edges(folder):
    """The set `mixed`, with a category of one level; for the others a row of zeros, which has no shape to scale."""
    for name in ("mixed.csv", "mixed-rows.csv"):
        with open(os.path.join(folder, name), newline="") as file:
            rows = list(csv.reader(file))
        rows = [row[:-1] + ["one" if i == 0 else "only"] + row[-1:] for i, row in enumerate(rows)]
        with open(os.path.join(folder, name.replace("mixed", "edges")), "w", newline="") as file:
            csv.writer(file).writerows(rows)
    for name in ("wine", "tecator", "pair", "labels"):
        with open(os.path.join(folder, f"{name}-rows.csv"), "a", newline="") as file:
            csv.writer(file).writerow([0] * len(sets.names(folder, name)) + ["1"] * sets.TARGETS[name])


sets.TARGETS["edges"] = 1


def native(folder, name, model):
    """Prediction, scores, and intervals or sets of the ten rows; a number where it is one."""
    scores = () if name in sets.NUMBERS else ("--scores",)
    done = run("-q", "predict", model, os.path.join(folder, f"{name}-rows.csv"), "--interval", str(LEVEL), *scores)
    check("predict", done.returncode == 0, done.stderr)
    table = list(csv.reader(done.stdout.splitlines(keepends=True)))
    starts = {"scores": ("score(", "p("), "low": ("low(",), "high": ("high(",), "set": ("in(", "set(")}
    places = {key: [i for i, column in enumerate(table[0]) if column.startswith(of)] for key, of in starts.items()}
    places["prediction"] = [i for i in range(len(table[0])) if not any(i in of for of in places.values())]
    classes = name in sets.CLASSES or name == "edges"

    def value(key, cell):
        if key == "set" and name == "labels":
            return float(["", "0", "1", "0|1"].index(cell))
        return cell if key == "prediction" and classes else float(cell)
    found = {key: [[value(key, row[i]) for i in of] for row in table[1:]] for key, of in places.items()}
    numbers = not found["set"][0]
    found["intervals"] = [a + b for a, b in zip(found["low"], found["high"])] if numbers else list(found["set"])
    found["decision"] = list(found["prediction"] if numbers else found["scores"])
    return found


def bad_rows(folder, name, model):
    """Rows that are no numbers, which the program refuses: of a model that fills in means only infinite ones."""
    row = sets.cells(folder, name)[0]
    header = sets.names(folder, name)
    rows = [row[:1] + [text] + row[2:] for text in ("inf", "-inf") + (() if name == "edges" else ("nan", ""))]
    for bad in rows:
        path = os.path.join(folder, "bad.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([header, row, bad])
        done = run("-q", "predict", model, path)
        check("native refuses", done.returncode == 1, f"{name}: {bad[1]!r} is not refused: {done.stdout}")
    return rows


def check_c(path, name, cells, want, classes):
    library = runtimes.CFile(os.path.dirname(path), os.path.basename(path))
    check("C", not library.trouble, library.trouble)
    q, columns = len(want["decision"][0]), len(cells[0])
    numbers = name in sets.NUMBERS
    compare("C", library.call("predict" if numbers else "decision", cells, q), want["decision"])
    compare("C", [row[:1] for row in library.call("predict", cells, 1 if classes else q)] if classes
            else library.call("predict", cells, q),
            [[None if c is None else float(classes.index(c)) for c in row] for row in want["prediction"]] if classes
            else want["prediction"])
    got = (library.intervals if numbers else library.sets)(cells, q, LEVEL)
    compare("C intervals", [row or [None] * len(want["intervals"][0]) for row in got], want["intervals"])
    check("C intervals", (library.intervals if numbers else library.sets)(cells[:1], q, 0.9999) == [None],
          "a level that needs more errors is not refused")
    check("C names", library.names("input", columns + 1)[-1] == "" and library.names("output", q + 1)[-1] == "",
          "a number out of range has a name")
    library.library.alidade_input_name.restype = runtimes.ctypes.c_char_p
    check("C names", library.library.alidade_input_name(-1) == b"", "-1 has a name")
    library.close()


def check_json(path, cells, want, classes):
    z, s, y = json_model.run(path + ".json", cells)
    compare("JSON", s.tolist(), want["decision"])
    names = [[None if math.isnan(v) else classes[int(v)] for v in row] for row in y.tolist()] if classes else y.tolist()
    compare("JSON", names, want["prediction"])
    good = [i for i, row in enumerate(want["prediction"]) if row[0] is not None]
    compare("JSON intervals", json_model.intervals(path + ".json", s[good], LEVEL).tolist(),
            [want["intervals"][i] for i in good])


def check_sql(kind, query, path, name, cells, header, want):
    with open(path + ".sql") as file:
        names, rows = query(header, cells, file.read(), TEXTS.get(name, ()))

    def part(*starts):
        return [[row[i] for start in starts for i, column in enumerate(names) if column.startswith(start)] for row in rows]
    compare(kind, part("prediction"), want["prediction"])
    compare(kind, part("prediction") if name in sets.NUMBERS else part("probability_", "decision_"), want["decision"])
    compare(f"{kind} intervals", part("lower", "upper", "set_"), want["intervals"])


def onnx_inputs(name, header, cells):
    def number(text):
        return text and {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(text, text) or "NaN"
    if name not in TEXTS:
        return {"x": ("float64", [len(cells), len(header)], [number(text) for row in cells for text in row])}
    return {column: ("string", [len(cells), 1], [row[j] for row in cells]) if j in TEXTS[name] else
            ("float64", [len(cells), 1], [number(row[j]) for row in cells]) for j, column in enumerate(header)}


def check_onnx(name, outputs, want):
    check("ONNX", "error" not in outputs, outputs.get("error"))
    if "error" in outputs:
        return
    rows = {key: runtimes.rows_of(output) for key, output in outputs.items()}
    bad = [i for i, row in enumerate(want["prediction"]) if row[0] is None]
    check("ONNX", all(math.isnan(v) for i in bad for v in rows["scores"][i]), "a row that is no number has a projection")
    compare("ONNX", rows["prediction"], want["prediction"])
    compare("ONNX", rows.get("probabilities", rows.get("decision", rows["prediction"])), want["decision"])
    got = [a + b for a, b in zip(rows["lower"], rows["upper"])] if "lower" in rows else \
        [[float(v) for v in row] for row in rows["set"]]
    if "set" in rows:
        check("ONNX intervals", not any(v for i in bad for v in got[i]), "a row that is no number has a set")
        got = [[None] * len(row) if i in bad else row for i, row in enumerate(got)]
    compare("ONNX intervals", got, want["intervals"])


def make_models(folder):
    """Every model with its file, cells, and what is expected of these."""
    for number, (name, target, words) in enumerate(MODELS):
        path = os.path.join(folder, str(number))
        done = run("-q", "fit", os.path.join(folder, f"{name}.csv"), "--target", target, "--method", *words.split(),
                   "--intervals", "5", "-o", path + ".ald")
        check("fit", done.returncode == 0, done.stderr)
        want = native(folder, name, path + ".ald")
        bad = bad_rows(folder, name, path + ".ald")
        for part in want.values():
            part.extend([[None] * len(part[0])] * len(bad))
        for ending, more in (("c", ()), ("json", ()), ("onnx", ("--interval", str(LEVEL))),
                             ("sql", ("--interval", str(LEVEL), "--table", "the \"table\" of 'rows'"))):
            done = run("-q", "export", path + ".ald", "-o", f"{path}.{ending}", *more)
            check("export", done.returncode == 0 or (ending == "sql" and "its step" in done.stderr), done.stderr)
        yield name, path, sets.cells(folder, name) + bad, want


def check_parts(folder):
    """--what leaves out what is not asked for; --inputs columns takes numbers one by one. Gives what ONNX is to run."""
    model, table, wanted = os.path.join(folder, "2.ald"), "the \"table\" of 'rows'", []
    header, cells = sets.names(folder, "tecator"), sets.cells(folder, "tecator")
    for what, names in (("scores", {"score"}), ("prediction", {"prediction"}), ("both", {"score", "prediction"})):
        path = os.path.join(folder, what)
        for ending, more in (("c", ()), ("sql", ("--table", table)), ("onnx", ("--inputs", "columns"))):
            check("parts", run("-q", "export", model, "--what", what, "-o", f"{path}.{ending}", *more).returncode == 0, what)
        with open(path + ".c") as file:
            check("parts", ("alidade_predict(" in file.read()) == ("prediction" in names), f"C with {what}")
        with open(path + ".sql") as file:
            found, rows = runtimes.sqlite(header, cells, file.read())
        check("parts", {name.split("_")[0] for name in found} == names, f"SQL with {what}: {found}")
        wanted.append((path + ".onnx", {column: ("float64", [len(cells), 1], [row[j] for row in cells])
                                        for j, column in enumerate(header)}))
    return wanted


def check_onnx_parts(scores, prediction, both):
    for part, names in ((scores, {"scores"}), (prediction, {"prediction", "lower", "upper"}), (both, {*scores, *prediction})):
        check("parts", set(part) == names and all(part[name] == both[name] for name in names),
              f"ONNX has {set(part)} instead of {names}")


def check_plan(query, path, header):
    """DuckDB reads the table once and joins it with nothing, whose cost would grow with the square of the columns."""
    with open(path + ".sql") as file:
        plan = str(query(header, [["1"] * len(header)], "EXPLAIN " + file.read())[1])
    check("plan", "PROJECTION" in plan and "JOIN" not in plan, plan)


def check_databases(models, folder):
    servers = [("SQLite", None)] + [(kind, server) for kind, server, why in runtimes.databases(folder) if server]
    for kind, server in servers:
        try:
            for name, path, cells, want in models:
                if os.path.exists(path + ".sql"):
                    check_sql(kind, server.query if server else runtimes.sqlite, path, name, cells,
                              sets.names(folder, name), want)
                if kind == "DuckDB" and name == "tecator" and os.path.exists(path + ".sql"):
                    check_plan(server.query, path, sets.names(folder, name))
        finally:
            if server:
                server.stop()


def check_models(folder):
    models = list(make_models(folder))
    for name, path, cells, want in models:
        classes = sets.CLASSES.get("mixed" if name == "edges" else name)
        check_c(path, name, cells, want, classes)
        check_json(path, cells, want, classes)
    check_databases(models, folder)
    parts, large = check_parts(folder), large_row(folder)
    wanted = [(path + ".onnx", onnx_inputs(name, sets.names(folder, name), cells)) for name, path, cells, want in models]
    runners = runtimes.onnx_runners()
    for run in runners:
        found = run(wanted + parts + large)
        for (name, path, cells, want), outputs in zip(models, found):
            check_onnx(name, outputs, want)
        check_onnx_parts(*found[len(models):-1])
        check("large", set(found[-1]["prediction"]["data"]) == {"NaN"}, f"ONNX gives {found[-1]}")
    if not runners:
        print("skipped: ONNX Runtime: there is no onnxruntime-web, and no npm that brings it")


def check_texts(folder):
    """SQLite makes 0 of texts: cells that are no numbers make no prediction; for empty ones the mean stands, where it is
    expected to."""
    base = runtimes.sqlite3.connect(":memory:")
    for number, text, expected in ((2, "", False), (2, "abc", False), (2, "NA", False), (6, "", True), (6, "abc", False)):
        name = MODELS[number][0]
        header, row = sets.names(folder, name), sets.cells(folder, name)[0]
        with open(os.path.join(folder, f"{number}.sql")) as file:
            query = file.read()
        got = []
        for cell in (text, None):
            base.execute(f"DROP TABLE IF EXISTS {runtimes.TABLE}")
            base.execute(f"CREATE TABLE {runtimes.TABLE} ({', '.join(runtimes.quoted(header))})")
            base.execute(f"INSERT INTO {runtimes.TABLE} VALUES ({', '.join('?' * len(header))})", row[:1] + [cell] + row[2:])
            result = base.execute(query)
            place = [column[0] for column in result.description].index("prediction")
            got.append(result.fetchone()[place])
        check("texts", got[0] == (got[1] if expected else None) and (got[1] is not None) == (number == 6),
              f"{name}: {text!r} gives {got}")


def large_row(folder):
    """A row whose length is beyond all numbers is refused by predict, and no number elsewhere; PostgreSQL ends the query."""
    header, row = sets.names(folder, "tecator"), ["1e300"] * len(sets.names(folder, "tecator"))
    model = os.path.join(folder, str(LARGE))
    path = os.path.join(folder, "large.csv")
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, row])
    check("large", run("-q", "predict", model + ".ald", path).returncode == 1, "it is not refused")
    library = runtimes.CFile(folder, str(LARGE))
    check("large", math.isnan(library.call("scores", [row], 3)[0][0]), "C gives a number")
    library.close()
    check("large", math.isnan(json_model.run(model + ".json", [row])[0][0][0]), "JSON gives a number")
    with open(model + ".sql") as file:
        names, rows = runtimes.sqlite(header, [row], file.read())
    check("large", set(rows[0]) == {None}, f"SQLite gives {rows}")
    return [(model + ".onnx", onnx_inputs("tecator", header, [row]))]


def check_missing_texts(folder):
    """What a file may have for a cell without a value is one in SQL too, also of a category."""
    header = sets.names(folder, "edges")
    row = sets.cells(folder, "edges")[0]
    with open(os.path.join(folder, "6.sql")) as file:
        query = file.read()
    for text in ("NA", "n/a", "?", "null"):
        cells = row[:2] + [text] + row[3:]
        path = os.path.join(folder, "missing.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([header, cells])
        done = run("-q", "transform", os.path.join(folder, "6.ald"), path)
        check("texts", done.returncode == 0, done.stderr)
        names, rows = runtimes.sqlite(header, [cells], query)
        got = [value for name, value in zip(names, rows[0]) if name.startswith("score_")]
        compare("texts", [got], [[float(value) for value in done.stdout.splitlines()[1].split(",")]])


def check_refusals(folder):
    with open(os.path.join(folder, "gaps.csv"), "w", newline="") as file:
        csv.writer(file).writerows([["a", "b", "c", "y"]] + [[i, "" if i == 3 else i * i % 7, i % 3, i % 5] for i in range(12)])
    gaps = os.path.join(folder, "gaps.ald")
    done = run("-q", "fit", os.path.join(folder, "gaps.csv"), "--target", "y", "--method", "pls", "--missing", "nipals",
               "--components", "1", "-o", gaps)
    check("nipals", done.returncode == 0, done.stderr)
    for ending in ("c", "onnx", "sql", "json"):
        output = os.path.join(folder, f"gaps.{ending}")
        done = run("export", gaps, "-o", output)
        check("nipals", done.returncode == 1 and "solve per row" in done.stderr and "--missing mean" in done.stderr and
              not os.path.exists(output), done.stderr)
    check("nipals", json.loads(run("inspect", gaps, "--json").stdout)["exports"] == [], "inspect names formats")
    check_dates(folder)
    model = os.path.join(folder, "0.ald")
    for option, value, takes in (("--inputs", "matrix", ["onnx"]), ("--table", "t", ["sql"]), ("--keep", "a", ["sql"]),
                                 ("--interval", "0.8", ["sql", "onnx"])):
        for ending in {"c", "onnx", "sql", "json"} - set(takes):
            output = os.path.join(folder, f"option.{ending}")
            done = run("export", model, "-o", output, option, value)
            check("options", done.returncode == 2 and "leave it out" in done.stderr and not os.path.exists(output),
                  f"{option} with {ending}: {done.stderr}")


def check_dates(folder):
    """SQLite would take the year of a date for its number of days: SQL is refused, before anything is written."""
    path, output = os.path.join(folder, "dates.csv"), os.path.join(folder, "dates.sql")
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["day", "a", "y"]] + [[f"2021-{i + 1:02d}-07", i * i % 7, i + i * i % 3] for i in range(12)])
    done = run("-q", "fit", path, "--target", "y", "--method", "pls", "--components", "2", "--dates", "numbers", "-o", path + ".ald")
    check("dates", done.returncode == 0, done.stderr)
    done = run("export", path + ".ald", "-o", output)
    check("dates", done.returncode == 1 and "--dates numbers" in done.stderr and not os.path.exists(output), done.stderr)
    check("dates", json.loads(run("inspect", path + ".ald", "--json").stdout)["exports"] == ["c", "onnx", "json"], "inspect names SQL")


def check_onnx_names(folder):
    """Columns that are named like outputs, and like what these are then called."""
    path = os.path.join(folder, "outputs.csv")
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["column scores", "scores", "y"]] + [[i * i % 7, i * 3 % 5, i] for i in range(12)])
    run("-q", "fit", path, "--target", "y", "--method", "pls", "--components", "1", "-o", path + ".ald")
    done = run("-q", "export", path + ".ald", "-o", path + ".onnx", "--inputs", "columns")
    check("names", done.returncode == 0, done.stderr)
    if done.returncode == 0:
        with open(path + ".onnx", "rb") as file:
            check("names", b"column column scores" in file.read(), "the second column has no name of its own")


def check_no_rows(folder):
    """TopK of ONNX Runtime divides by the number of rows, which ends a program."""
    empty = {"x": ("float64", [0, len(sets.names(folder, "wine"))], [])}
    for runner in runtimes.onnx_runners():
        found = runner([(os.path.join(folder, "0.onnx"), empty)])[0]
        check("no rows", "error" not in found and found["prediction"]["dims"] == [0], str(found))


def check_one_column(folder):
    """ONNX Runtime makes the scale of one column, if it is a number, one of single precision."""
    path = os.path.join(folder, "one.csv")
    cells = [[f"{i * i % 7 / 3:.4f}"] for i in range(12)]
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["a", "y"]] + [row + [i] for i, row in enumerate(cells)])
    for words in ("--method pls", "--method kpls --kernel polynomial"):
        run("-q", "fit", path, "--target", "y", *words.split(), "--components", "1", "--scale", "standard", "-o", path + ".ald")
        done = run("-q", "export", path + ".ald", "-o", path + ".onnx")
        check("one column", done.returncode == 0, done.stderr)
        want = [[float(row[0])] for row in csv.reader(run("-q", "transform", path + ".ald", path).stdout.splitlines()[1:])]
        for runner in runtimes.onnx_runners():
            found = runner([(path + ".onnx", {"x": ("float64", [len(cells), 1], [row[0] for row in cells])})])
            compare("one column", runtimes.rows_of(found[0]["scores"]), want)


def check_size(folder):
    """Said before the file is there, and true to its last digit."""
    path = os.path.join(folder, "wide.csv")
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([[f"w{j}" for j in range(1000)] + ["y"]] +
                                   [[(i * j * 7919) % 1009 / 97 for j in range(1000)] + [i % 40] for i in range(120)])
    run("-q", "fit", path, "--target", "y", "--task", "classification", "--method", "pls", "--components", "70", "-o", path + ".ald")
    for ending in ("c", "json"):
        output = f"{path}.{ending}"
        done = run("export", path + ".ald", "-o", output)
        told = re.search(r"the file will have ([0-9.]+) MB\n(.*\n)*wrote", done.stderr)
        size = os.path.getsize(output)
        check("size", size > 1e6 and told and abs(float(told[1]) * 1e6 - size) <= 0.001 * size, f"{size}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        sets.write(folder)
        write_edges(folder)
        check_models(folder)
        check_texts(folder)
        check_missing_texts(folder)
        check_refusals(folder)
        check_onnx_names(folder)
        check_no_rows(folder)
        check_one_column(folder)
        check_size(folder)
    for kind in sorted(counts):
        print(f"{kind}: {counts[kind]} checks")
    for line in failures[:20]:
        print("FAILED", line)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
