#!/usr/bin/env python3
"""check_export.py CASES ALIDADE: every method that maps new rows, with predictors, kernels and preparations in turn (with
ALD_LONG all that go together), exported and used by others. CASES (cases.c) makes the models and says what the library
makes of ten rows, by its plain loops and by its usual backend.

C      compiled with -std=c99 -Wall -Wextra -Wconversion -Werror, equal to the plain loops to the last bit and within 1e-12
       of the usual backend; some, with ALD_LONG every fourth, also as C++ and in single precision, with self-tests
ONNX   onnx.checker and strict shape inference (python3-onnx); ONNX Runtime in node, and in Python
       where it is installed, within 1e-10, classes equal
SQL    SQLite within 1e-10, classes equal; with ALD_LONG or ALD_DATABASES also PostgreSQL, where it is installed, and
       DuckDB, where npm brings it
JSON   the steps as docs/export.md describes them, recomputed by numpy, within 1e-10

Tolerances are relative to the largest of 1 and the numbers of the column, and at least ten times what the library's two
backends differ by, and one rounding of the largest sum of terms in the projection: where coefficients are large and
cancel it is known to no more digits. What is not on this machine is skipped with a line. ALD_FORMS="c,json" checks some
of the forms; with ALD_LONG, ALD_PART="3 16" every sixteenth case and damaged model."""
import glob
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import json_model  # noqa: E402
import runtimes  # noqa: E402
import sets  # noqa: E402

program, executable = (os.path.abspath(path) for path in sys.argv[1:3])
long_form = bool(os.environ.get("ALD_LONG"))
forms = os.environ.get("ALD_FORMS", "c,onnx,sql,json").split(",")
part = os.environ.get("ALD_PART", "").split()
failures, counts, skipped, worst, beyond = [], {}, [], {}, []
ROUNDING = sys.float_info.epsilon


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
    if kind == "C" and here > tolerance:
        beyond.append((here, case["condition"], case["words"]))
    tolerance = max(tolerance, 10 * apart(case[f"plain_{name}"], want), ROUNDING * case["condition"])
    if apart(case[f"plain_{name}"], want) <= 1e-13:
        worst[kind] = max(worst.get(kind, (0.0, "")), (here, case["words"]))
    check(kind, case, here <= tolerance, f"{name} differs by {here:.2g}")


def check_digits(case, folder):
    """The rows of the self-test have no digit in which builds of the library may differ: the file is the same for all."""
    with open(os.path.join(folder, f"{case['case']}.c"), encoding="utf-8") as file:
        tables = re.findall(r"real test_[yz]\[\d+\] = \{([^}]*)\}", file.read())
    numbers = [float(text) for table in tables for text in table.split(",")]
    check("C self-test digits", case, numbers and all(value == float(f"{value:.10f}" if abs(value) < 1 else f"{value:.10g}")
                                                      for value in numbers), str(numbers))


def check_c(case, folder, cells):
    check_digits(case, folder)
    library = runtimes.CFile(folder, case["case"], flags=["-O0"])
    check("C compiled", case, not library.trouble, library.trouble)
    if library.trouble:
        return
    n, r = len(cells), len(case["plain_z"][0])
    z = library.call("scores", cells, r)
    check("C bits", case, z == case["plain_z"], "the projection is not the plain backend's")
    compare("C", case, "z", z, 1e-12)
    if "plain_s" in case:
        s = library.call("predict" if case["set"] in sets.NUMBERS else "decision", cells, len(case["plain_s"][0]))
        y = library.call("predict", cells, len(case["plain_y"][0]))
        check("C bits", case, s == case["plain_s"], "the scores are not the plain backend's")
        check("C bits", case, y == case["plain_y"], "the prediction is not the plain backend's")
        compare("C", case, "s", s, 1e-12)
    columns = sets.names(folder, case["set"])
    check("C names", case, library.names("input", len(columns)) == columns, "the names of the columns differ")
    if case["set"] in sets.CLASSES:
        check("C names", case, library.names("output", 3) == sets.CLASSES[case["set"]], "the names of the classes differ")
    library.close()
    if case["case"] % (4 if long_form else 12) == 0:
        check_other_c(case, folder)


def check_other_c(case, folder):
    """As C++ and in single precision; the self-tests of all."""
    source, output = (os.path.join(folder, f"{case['case']}.{ending}") for ending in ("c", "test"))
    for compiler in (runtimes.C, runtimes.CXX):
        for flags in ([], ["-DALIDADE_FLOAT"]):
            trouble = runtimes.compile_c(source, output, ["-O0", "-DALIDADE_SELF_TEST", *flags], compiler)
            check("C compiled", case, not trouble, trouble)
            if trouble:
                continue
            said = subprocess.run([output], capture_output=True, text=True)
            if not flags:  # single precision is as good as the model's conditioning lets it be
                check("C self-test", case, said.returncode == 0, said.stdout)


def check_json(case, folder, cells):
    z, s, y = json_model.run(os.path.join(folder, f"{case['case']}.json"), cells)
    compare("JSON", case, "z", z.tolist(), 1e-10)
    if "native_s" in case:
        compare("JSON", case, "s", s.tolist(), 1e-10)
        check("JSON classes", case, y.tolist() == case["native_y"] or case["set"] in sets.NUMBERS, "the decision differs")


def number(text):
    value = float(text or "nan")
    return value if math.isfinite(value) else {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), "NaN")


def onnx_inputs(case, folder, cells):
    """By columns where some are texts, else one matrix."""
    columns = sets.names(folder, case["set"])
    if case["set"] != "mixed":
        return {"x": ("float64", [len(cells), len(columns)], [number(text) for row in cells for text in row])}
    texts = sets.TEXT_COLUMNS
    return {name: ("string", [len(cells), 1], [row[j] for row in cells]) if j in texts
            else ("float64", [len(cells), 1], [number(row[j]) for row in cells]) for j, name in enumerate(columns)}


def compare_onnx(case, outputs):
    if "error" in outputs:
        check("ONNX", case, False, outputs["error"])
        return
    compare("ONNX", case, "z", runtimes.rows_of(outputs["scores"]), 1e-10)
    if "native_s" not in case:
        return
    name = [key for key in ("probabilities", "decision", "prediction") if key in outputs][0]
    compare("ONNX", case, "s", runtimes.rows_of(outputs[name]), 1e-10)
    got = runtimes.rows_of(outputs["prediction"])
    if case["set"] in sets.CLASSES:
        check("ONNX classes", case, [sets.CLASSES[case["set"]].index(row[0]) for row in got] ==
              [int(row[0]) for row in case["native_y"]], "the classes differ")
    elif case["set"] == "labels":
        check("ONNX classes", case, got == case["native_y"], "the labels differ")


def check_onnx(cases, folder):
    models = [(os.path.join(folder, f"{case['case']}.onnx"), onnx_inputs(case, folder, sets.cells(folder, case["set"])))
              for case in cases]
    runners = runtimes.onnx_runners()
    for run in runners:
        for case, outputs in zip(cases, run(models)):
            compare_onnx(case, outputs)
    if not runners:
        skipped.append("ONNX Runtime: there is no onnxruntime-web, and no npm that brings it")
    try:
        import onnx
    except ImportError:
        skipped.append("onnx.checker: there is no python3-onnx")
        return
    for case in cases:
        trouble = ""
        try:
            model = onnx.load(os.path.join(folder, f"{case['case']}.onnx"))
            onnx.checker.check_model(model, full_check=True)
            onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        except Exception as error:  # what it throws is its own
            trouble = str(error)
        check("ONNX checker", case, not trouble, trouble)


def damage(rng, model):
    """A model file with some of its bytes changed, of the header more often, and without its sums."""
    length = int.from_bytes(model[:8], "little")
    text = json.loads(model[8:8 + length])
    texts = text["__metadata__"]
    for key in [key for key in texts if key.startswith("alidade.sum")]:
        del texts[key]
    for _ in range(rng.randrange(3)):
        key = rng.choice(sorted(texts))
        value = texts[key]
        at = rng.randrange(len(value) + 1)
        texts[key] = value[:at] + rng.choice(['"', "\\", "\n", "*/", "1e999", "??/", "-", "\u00e9", "\x01", "0"]) + value[at + rng.randrange(2):]
    header = json.dumps(text).encode()
    header += b" " * (-len(header) % 8)
    arrays = bytearray(model[8 + length:])
    for _ in range(rng.randrange(3)):
        at = 8 * rng.randrange(max(1, len(arrays) // 8))
        arrays[at:at + 8] = struct.pack("<d", rng.choice([math.nan, math.inf, -1e300, 1e-320, 0.0, 1e17, -0.0]))
    return len(header).to_bytes(8, "little") + header + bytes(arrays[:len(model) - 8 - length])


def check_damaged(folder):
    """Damaged models, and those of the fuzz corpus, are refused, or give a file that compiles and reads."""
    this, parts = (int(word) for word in part or ("0", "1"))
    rng = random.Random(11 + this)
    corpus = sorted(glob.glob(os.path.join(here, "..", "fuzz", "corpus", "model", "*")))[this::parts]
    whole = []
    for words in (["wine", "y", "lda"], ["mixed", "kind of\nthing", "pls", "--missing", "mean"],
                  ["tecator", "fat", "kpls", "--rows", "snv", "--predictor", "knn"]):
        path = os.path.join(folder, f"{words[0]}.ald")
        subprocess.run([executable, "-q", "fit", os.path.join(folder, f"{words[0]}.csv"), "--target", words[1],
                        "--method", *words[2:], "-o", path], check=True)
        with open(path, "rb") as file:
            whole.append(file.read())
    inputs = corpus + [None] * (2000 // parts if long_form else 30)
    for number, path in enumerate(inputs):
        case = {"case": number, "set": "damaged", "words": os.path.basename(path or "drawn")}
        if not path:
            path = os.path.join(folder, "damaged.ald")
            with open(path, "wb") as file:
                file.write(damage(rng, rng.choice(whole)))
        source = os.path.join(folder, "damaged.c")
        done = subprocess.run([executable, "-q", "export", path, "-o", source], capture_output=True, text=True)
        check("damaged", case, done.returncode in (0, 1) and (done.returncode == 0) == os.path.exists(source), done.stderr)
        if os.path.exists(source):
            trouble = runtimes.compile_c(source, os.devnull, ["-fsyntax-only"])
            check("damaged, compiled", case, not trouble, trouble)
            os.remove(source)


# Why SQL may refuse: these steps.
NOT_IN_SQL = ("kernel", "waves", "neighbours", "compare", "columns")


def check_sql(case, folder, cells, kind, query):
    if "sql" in case["refused"]:
        check(f"{kind} refused", case, any(f"its step {step}:" in case["refused"]["sql"] for step in NOT_IN_SQL),
              case["refused"]["sql"])
        return
    with open(os.path.join(folder, f"{case['case']}.sql")) as file:
        text = file.read()
    texts = sets.TEXT_COLUMNS if case["set"] == "mixed" else ()
    names, rows = query(sets.names(folder, case["set"]), cells, text, texts)
    check(kind, case, not any(name.startswith("ald_") for name in names), "the result has a column of no use")
    place = {name: [i for i, column in enumerate(names) if column.startswith(name)] for name in
             ("score_", "prediction", "probability_", "decision_")}
    compare(kind, case, "z", [[row[i] for i in place["score_"]] for row in rows], 1e-10)
    if "native_s" not in case:
        return
    scores = place["probability_"] or place["decision_"] or place["prediction"]
    compare(kind, case, "s", [[row[i] for i in scores] for row in rows], 1e-10)
    decided = [[row[i] for i in place["prediction"]] for row in rows]
    if case["set"] in sets.CLASSES:
        found = [str(int(row[0])) if isinstance(row[0], float) else row[0] for row in decided]
        check(f"{kind} classes", case, [sets.CLASSES[case["set"]].index(name) for name in found] ==
              [int(row[0]) for row in case["native_y"]], "the classes differ")
    elif case["set"] == "labels":
        check(f"{kind} classes", case, decided == case["native_y"], "the labels differ")


def check_databases(cases, folder):
    for name, server, why in runtimes.databases(folder):
        if not server:
            skipped.append(f"{name}: {why}")
            continue
        try:
            for case in cases:
                check_sql(case, folder, sets.cells(folder, case["set"]), name, server.query)
        finally:
            server.stop()


def main():
    with tempfile.TemporaryDirectory() as folder:
        sets.write(folder)
        command = [program, folder] + (["all"] if long_form else []) + part
        cases = [json.loads(line) for line in subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                                             text=True).stdout.splitlines()]
        fitted = [case for case in cases if "unfitted" not in case]
        mapped = [case for case in fitted if "plain_z" in case]
        for case in fitted:
            expected = set() if case in mapped else {"c", "onnx", "sql", "json"}
            check("refused", case, set(case["refused"]) - {"sql"} == expected - {"sql"}, str(case["refused"]))
        for case in mapped:
            case["condition"] = json_model.condition(os.path.join(folder, f"{case['case']}.json"), sets.cells(folder, case["set"]))
        for case in mapped:
            cells = sets.cells(folder, case["set"])
            if "c" in forms:
                check_c(case, folder, cells)
            if "json" in forms:
                check_json(case, folder, cells)
            if "sql" in forms:
                check_sql(case, folder, cells, "SQLite", runtimes.sqlite)
        if "onnx" in forms:
            check_onnx(mapped, folder)
        if "sql" in forms:
            check_databases(mapped, folder)
        if "c" in forms:
            check_damaged(folder)
        methods = {case["words"].split()[0] for case in fitted}
        for case in cases:
            if "unfitted" in case and (case["unfitted"].startswith("it takes") or "lad has no likelihood" in case["unfitted"]):
                skipped.append(f"{case['words']}: {case['unfitted']}")
            elif case["words"].split()[0] not in methods:
                failures.append(f"no case of {case['words'].split()[0]} could be fitted: {case['unfitted']}")
        print(f"{len(cases)} cases, {len(fitted)} fitted, {len(methods)} methods")
    for line in skipped:
        print("skipped:", line)
    for kind in sorted(counts):
        where = f", largest difference where the backends agree to 1e-13: {worst[kind][0]:.2g} ({worst[kind][1]})" if kind in worst else ""
        print(f"{kind}: {counts[kind]} comparisons{where}")
    for here, condition, words in sorted(beyond, reverse=True)[:20]:
        print(f"C further than 1e-12 from the usual backend: {here:.2g} where sums cancel to 1 part in {condition:.2g} ({words})")
    for line in failures[:40]:
        print("FAILED", line)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
