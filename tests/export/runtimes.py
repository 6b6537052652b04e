"""Who uses exported files: a C compiler, ONNX Runtime in node, SQLite."""
import ctypes
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile

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

    def call(self, name, rows, count):
        function = getattr(self.library, "alidade_" + name)
        results = []
        for row in rows:
            x = (ctypes.c_double * len(row))(*[self.cell(j, text) for j, text in enumerate(row)])
            y = (ctypes.c_double * count)()
            function(x, y)
            results.append(list(y))
        return results

    def names(self, what, count):
        function = getattr(self.library, f"alidade_{what}_name")
        function.restype = ctypes.c_char_p
        return [function(j).decode() for j in range(count)]

    def close(self):
        os.remove(self.path)


def npm_package(folder, name):
    """The folder that has node_modules/NAME, by npm if need be; None if that cannot be."""
    if os.path.isdir(os.path.join(folder, "node_modules", name)):
        return folder
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    os.makedirs(folder, exist_ok=True)
    try:
        words = f"install --ignore-scripts --no-audit --no-fund --no-save --fetch-retries 0 --fetch-timeout 20000 {name}@1"
        subprocess.run(["npm", *words.split(), "--prefix", folder], timeout=120, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return folder if os.path.isdir(os.path.join(folder, "node_modules", name)) else None


def rows_of(output):
    """The numbers or texts of an output, row by row."""
    width = output["dims"][1] if len(output["dims"]) > 1 else 1
    data = output["data"]
    return [data[i:i + width] for i in range(0, len(data), width)]


def run_onnx(modules, models):
    """[(path, {name: (type, dims, data)})] -> a dictionary of outputs each, or {"error": ...}."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([{"path": path, "inputs": {name: {"type": kind, "dims": dims, "data": data}
                                             for name, (kind, dims, data) in inputs.items()}}
                   for path, inputs in models], file)
        file.flush()
        done = subprocess.run(["node", os.path.join(HERE, "onnx_run.mjs"), modules, file.name], capture_output=True, text=True)
    if done.returncode:
        return [{"error": done.stderr[-400:]}] * len(models)
    return [json.loads(line) for line in done.stdout.splitlines()]


def sqlite(names, rows, text):
    """The names of the columns and the rows that the SELECT gives for a table with these cells; "" is NULL."""
    base = sqlite3.connect(":memory:")
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    table = '"the ""table"" of \'rows\'"'
    base.execute(f"CREATE TABLE {table} ({quoted})")
    base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})", [[cell or None for cell in row] for row in rows])
    result = base.execute(text)
    return [column[0] for column in result.description], result.fetchall()
