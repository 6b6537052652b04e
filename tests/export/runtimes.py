"""Who uses exported files: a C compiler, ONNX Runtime in node and in Python, DuckDB in node, SQLite, PostgreSQL."""
import csv
import ctypes
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile

import numpy as np

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

HERE = os.path.dirname(os.path.abspath(__file__))

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
C, CXX = ("cc", "-std=c99"), ("c++", "-x", "c++")


def compile_c(source, output, flags=(), compiler=C):
    """What the compiler says, "" if nothing."""
    command = [*compiler, "-ffp-contract=off", *WARNINGS, *flags, "-o", output, source, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr if done.returncode or done.stderr else ""


class CFile:
    """An exported C file as a shared library."""

    def __init__(self, folder, case, flags=()):
        self.path = os.path.join(folder, f"{case}.so")
        self.trouble = compile_c(os.path.join(folder, f"{case}.c"), self.path, ["-shared", "-fPIC", *flags])
        if self.trouble:
            return
        self.library = ctypes.CDLL(self.path)
        self.library.alidade_input_name.restype = ctypes.c_char_p
        if hasattr(self.library, "alidade_code"):
            self.library.alidade_code.restype = ctypes.c_double

    def cell(self, j, text):
        try:
            return float(text)
        except ValueError:
            pass
        if hasattr(self.library, "alidade_code"):
            return self.library.alidade_code(j, text.encode())
        return float("nan")

    def row(self, cells):
        return (ctypes.c_double * len(cells))(*[self.cell(j, text) for j, text in enumerate(cells)])

    def call(self, name, rows, count):
        results = []
        for row in rows:
            y = (ctypes.c_double * count)()
            getattr(self.library, "alidade_" + name)(self.row(row), y)
            results.append(list(y))
        return results

    def intervals(self, rows, count, level):
        """Low and high of each response side by side; None where the function returns 1."""
        results = []
        for row in rows:
            low, high = (ctypes.c_double * count)(), (ctypes.c_double * count)()
            failed = self.library.alidade_interval(self.row(row), ctypes.c_double(level), low, high)
            results.append(None if failed else list(low) + list(high))
        return results

    def sets(self, rows, count, level):
        results = []
        for row in rows:
            found = (ctypes.c_int * count)()
            results.append(None if self.library.alidade_set(self.row(row), ctypes.c_double(level), found) else list(found))
        return results

    def names(self, what, count):
        function = getattr(self.library, f"alidade_{what}_name")
        function.restype = ctypes.c_char_p
        return [function(j).decode() for j in range(count)]

    def close(self):
        os.remove(self.path)


def real(value):
    """A number of JavaScript, where those that are not finite are texts."""
    return float(value) if value in ("NaN", "Infinity", "-Infinity") else value


def npm_package(name, version, folder):
    """The folder that has node_modules/NAME, by npm if need be; None if that cannot be. Each package has a folder of its
    own, as npm takes away what it was not asked for."""
    if os.path.isdir(os.path.join(folder, "node_modules", name)):
        return folder
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    parent = os.path.dirname(os.path.abspath(folder))
    os.makedirs(parent, exist_ok=True)
    words = f"install --ignore-scripts --no-audit --no-fund --no-save --fetch-retries 0 --fetch-timeout 20000 {name}@{version}"
    with tempfile.TemporaryDirectory(dir=parent) as room:  # an installation that is cut short leaves nothing
        whole = os.path.join(room, "whole")
        os.makedirs(whole)
        try:
            subprocess.run(["npm", *words.split(), "--prefix", whole], timeout=120, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=True)
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(whole, folder)
        except (OSError, subprocess.SubprocessError):
            return None
    return folder if os.path.isdir(os.path.join(folder, "node_modules", name)) else None


def rows_of(output):
    """The numbers or texts of an output, row by row."""
    width = output["dims"][1] if len(output["dims"]) > 1 else 1
    data = [real(value) for value in output["data"]]
    return [data[i:i + width] for i in range(0, len(data), width)]


def onnx_in_python(models):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    results = []
    for path, inputs in models:
        try:
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            feeds = {name: np.array(data, dtype=object if kind == "string" else float).reshape(dims)
                     for name, (kind, dims, data) in inputs.items()}
            found = zip(session.get_outputs(), session.run(None, feeds))
            results.append({output.name: {"dims": list(value.shape), "data": value.ravel().tolist()} for output, value in found})
        except Exception as error:  # what it throws is its own
            results.append({"error": str(error)})
    return results


def onnx_runners():
    """The functions that run models, [(path, {name: (type, dims, data)})], and give a dictionary of outputs each, or
    {"error": ...}; none where there is no ONNX Runtime."""
    modules = npm_package("onnxruntime-web", "1", "npm")
    return ([lambda models: onnx_in_node(modules, models)] if modules else []) + ([onnx_in_python] if onnxruntime else [])


def onnx_in_node(modules, models):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([{"path": path, "inputs": {name: {"type": kind, "dims": dims, "data": data}
                                             for name, (kind, dims, data) in inputs.items()}}
                   for path, inputs in models], file)
        file.flush()
        done = subprocess.run(["node", os.path.join(HERE, "onnx_run.mjs"), modules, file.name], capture_output=True, text=True)
    if done.returncode:
        return [{"error": done.stderr[-400:]}] * len(models)
    return [json.loads(line) for line in done.stdout.splitlines()]


def quoted(names):
    return ['"' + name.replace('"', '""') + '"' for name in names]


TABLE = '"the ""table"" of \'rows\'"'


def sqlite(names, rows, text, texts=()):
    """The names of the columns and the rows that the SELECT gives for a table with these cells; "" is NULL."""
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE {TABLE} ({', '.join(quoted(names))})")
    base.executemany(f"INSERT INTO {TABLE} VALUES ({', '.join('?' * len(names))})",
                     [[cell or None for cell in row] for row in rows])
    result = base.execute(text)
    return [column[0] for column in result.description], result.fetchall()


def statements(names, rows, text, texts):
    """A table with these cells as a database with types has it, and the SELECT."""
    kinds = ["text" if j in texts else "double precision" for j in range(len(names))]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(quoted(names), kinds))
    values = ",\n".join("(" + ", ".join("'" + cell.replace("'", "''") + "'" if cell else "NULL" for cell in row) + ")"
                        for row in rows)
    return f"CREATE TEMP TABLE {TABLE} ({columns})", f"INSERT INTO {TABLE} VALUES\n{values}", text


class Postgres:
    """A server of PostgreSQL for the length of a test, where it is installed; its programs do not run as root."""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.bin, self.folder = found[-1] if found else None, os.path.join(folder, "postgres")
        self.user = []
        if not self.bin:
            return
        os.makedirs(self.folder)
        if os.geteuid() == 0:
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(self.folder, "postgres", "postgres")
            os.chmod(folder, 0o755)
        self.run("initdb", "-D", self.folder, "-A", "trust", "-E", "UTF8", "--no-sync")
        self.run("pg_ctl", "-D", self.folder, "-w", "-o", f"-k {self.folder} -c listen_addresses='' -c fsync=off", "-l",
                 os.path.join(self.folder, "log"), "start")

    def run(self, program, *words, text=None):
        return subprocess.run([*self.user, os.path.join(self.bin, program), *words], input=text, check=True,
                              capture_output=True, text=True, cwd="/").stdout

    def query(self, names, rows, text, texts=()):
        script = ";\n".join(statements(names, rows, text, texts))
        told = self.run("psql", "-h", self.folder, "-q", "--csv", "-v", "ON_ERROR_STOP=1", "postgres", text=script)
        table = list(csv.reader(told.splitlines(keepends=True)))
        return table[0], [[convert(cell) for cell in row] for row in table[1:]]

    def stop(self):
        if self.bin:
            self.run("pg_ctl", "-D", self.folder, "-m", "immediate", "stop")


class DuckDB:
    """DuckDB in node, where npm brings it."""

    def __init__(self):
        modules = npm_package("@duckdb/node-api", "latest", "npm-duckdb")
        self.process = modules and subprocess.Popen(["node", os.path.join(HERE, "duckdb_run.mjs"), modules], text=True,
                                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def query(self, names, rows, text, texts=()):
        *setup, query = statements(names, rows, text, texts)
        self.process.stdin.write(json.dumps([f"DROP TABLE IF EXISTS {TABLE}", *setup, query]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["names"], [[real(cell) for cell in row] for row in answer["rows"]]

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def databases(folder):
    """Name, server and the reason where there is none: with ALD_LONG or ALD_DATABASES."""
    if not os.environ.get("ALD_LONG") and not os.environ.get("ALD_DATABASES"):
        return []
    postgres, duck = Postgres(folder), DuckDB()
    return [("PostgreSQL", postgres if postgres.bin else None, "it is not installed"),
            ("DuckDB", duck if duck.process else None, "there is no @duckdb/node-api, and no npm that brings it")]


def convert(cell):
    try:
        return float(cell)
    except ValueError:
        return cell
