"""Who uses exported files: a C compiler, ONNX Runtime in node, SQLite, PostgreSQL."""
import csv
import ctypes
import glob
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
        kinds = ["text" if j in texts else "double precision" for j in range(len(names))]
        columns = ", ".join(f"{name} {kind}" for name, kind in zip(quoted(names), kinds))
        values = ",\n".join("(" + ", ".join("'" + cell.replace("'", "''") + "'" if cell else "NULL" for cell in row) + ")"
                            for row in rows)
        script = f"CREATE TEMP TABLE {TABLE} ({columns});\nINSERT INTO {TABLE} VALUES\n{values};\n{text}"
        told = self.run("psql", "-h", self.folder, "-q", "--csv", "-v", "ON_ERROR_STOP=1", "postgres", text=script)
        table = list(csv.reader(told.splitlines(keepends=True)))
        return table[0], [[convert(cell) for cell in row] for row in table[1:]]

    def stop(self):
        if self.bin:
            self.run("pg_ctl", "-D", self.folder, "-m", "immediate", "stop")


def convert(cell):
    try:
        return float(cell)
    except ValueError:
        return cell
