#!/usr/bin/env python3
"""check_forged.py ALIDADE FOLDER [MOST]: damaged and forged models (those that the fuzz target `model` keeps) are
refused, or exported to files that others can read: C that compiles without a warning, SQL that SQLite accepts, JSON of
finite numbers, ONNX that onnx.checker accepts (python3-onnx, where it is installed). MOST: so many, spread over the folder."""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runtimes  # noqa: E402

try:
    import onnx
except ImportError:
    onnx = None

ALIDADE, FOLDER = (os.path.abspath(path) for path in sys.argv[1:3])
MOST = int(sys.argv[3]) if len(sys.argv) > 3 else None


def no_constant(text):
    raise ValueError(f"{text} is no number of JSON")


def trouble_c(path, _):
    return runtimes.compile_c(path, os.devnull, ["-fsyntax-only"])


def trouble_json(path, _):
    with open(path, encoding="utf-8") as file:
        json.load(file, parse_constant=no_constant)


def trouble_sql(path, names):
    with open(path, encoding="utf-8") as file:
        runtimes.sqlite(names, [], file.read())


def trouble_onnx(path, _):
    if onnx:
        onnx.checker.check_model(path, full_check=True)


FORMATS = {"json": trouble_json, "c": trouble_c, "sql": trouble_sql, "onnx": trouble_onnx}


def check(model):
    """What is wrong, and how many files were written."""
    wrong, names = [], []
    with tempfile.TemporaryDirectory() as folder:
        for form, trouble_of in FORMATS.items():
            path = os.path.join(folder, "x." + form)
            words = ["--table", "the \"table\" of 'rows'"] if form == "sql" else []
            done = subprocess.run([ALIDADE, "export", model, "-o", path, "-q", *words], capture_output=True, text=True,
                                  errors="surrogateescape", timeout=120)
            if any("\udc80" <= sign <= "\udcff" for sign in done.stderr):
                wrong.append(f"{form}: a message that is no text: {ascii(done.stderr[-500:])}")
            if done.returncode not in (0, 1) or done.returncode == 1 and not done.stderr.strip():
                wrong.append(f"{form}: exit {done.returncode}: {done.stderr[-500:]}")
            if os.path.exists(path) != (done.returncode == 0):
                wrong.append(f"{form}: exit {done.returncode}, and the file is {'there' if done.returncode else 'missing'}")
            if not os.path.exists(path):
                continue
            try:
                said = trouble_of(path, names)
            except Exception as fault:  # whatever the other program finds
                said = f"{type(fault).__name__}: {fault}"
            wrong += [f"{form}: {said[:600]}"] if said else []
            if form == "json" and not said:
                with open(path, encoding="utf-8") as file:
                    names = [one["name"] for one in json.load(file)["inputs"]]
        return [f"{os.path.basename(model)}: {one}" for one in wrong], len(os.listdir(folder))


def main():
    models = sorted(os.path.join(FOLDER, name) for name in os.listdir(FOLDER))
    if MOST and len(models) > MOST:
        models = models[::len(models) // MOST + 1]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", 2))) as pool:
        results = list(pool.map(check, models))
    wrong = [line for lines, _ in results for line in lines]
    print("\n".join(wrong))
    written = sum(count for _, count in results)
    print(f"{len(models)} models, {written} files written, {len(wrong)} wrong{'' if onnx else '; ONNX was not looked at'}")
    return 1 if wrong or not written else 0


sys.exit(main())
