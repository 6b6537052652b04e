"""Who uses exported files: a C compiler."""
import ctypes
import os
import subprocess

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
CC = os.environ.get("CC", "cc")


def compile_c(source, output, flags=(), compiler=(CC, "-std=c99")):
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

    def close(self):
        os.remove(self.path)
