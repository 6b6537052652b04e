#!/usr/bin/env python3
"""check_deps.py ROOT: the dependency rule and a few other promises about the tree.

Nothing upstream knows what is downstream: MAY_INCLUDE is the whole rule. Public headers (<alidade/...>) are open to all.
"""
import os
import re
import sys

# folder of src/ -> the other folders of src/ whose headers it may include; each only those that stand above it
MAY_INCLUDE = {
    "numbers": set(),
    "core": {"numbers"},
    "ranks": {"core"},
    "files": {"core", "numbers", "ranks"},
    "mpi": {"core", "ranks"},
    "slepc": {"core", "ranks"},
    "progress": {"core"},
    "table": {"core", "numbers"},
    "levels": {"core", "numbers", "table"},
    "threads": {"core", "progress"},
    "backend": {"core", "numbers", "threads"},
    "generating": {"core", "numbers", "table"},
    "modelfile": {"core", "files", "numbers", "ranks"},
    "reading": {"core", "files", "numbers", "ranks", "table"},
    "csv": {"core", "numbers", "reading", "table", "threads"},
    "arff": {"core", "numbers", "reading", "table"},
    "linalg": {"backend", "core", "numbers", "threads"},
    "pairs": {"core", "linalg", "threads"},
    "preparing": {"core", "levels", "numbers", "reading", "table"},
    "spectra": {"core", "linalg"},
    "arrays": {"core", "preparing", "table"},
    "evaluate": {"core", "linalg", "numbers", "threads"},
    "near": {"core", "linalg", "numbers", "threads"},
    "graph": {"core", "linalg", "near", "numbers", "threads"},
    "canvas": {"core", "numbers"},
    "plotting": {"canvas", "core", "numbers", "preparing", "table"},
    "solvers": {"core", "linalg", "numbers"},
    "strips": {"core", "linalg", "numbers", "ranks", "solvers"},
    "writing": {"files", "numbers", "preparing", "ranks", "reading", "table"},
    "kernel": {"core", "linalg", "numbers", "solvers", "threads"},
    "divided": {"core", "graph", "kernel", "linalg", "near", "numbers", "ranks"},
    "optimize": {"core", "linalg", "numbers", "pairs", "progress", "solvers", "threads"},
    "predict": {"core", "graph", "linalg", "numbers"},
    "engines": {"core", "divided", "graph", "kernel", "linalg", "numbers", "ranks", "solvers", "strips", "threads"},
    "gaps": {"core", "engines", "linalg"},
    "kdr": {"core", "engines", "kernel", "linalg", "numbers", "threads"},
    "moments": {"core", "engines", "linalg", "numbers", "ranks"},
    "rsir": {"core", "engines", "graph", "linalg", "optimize"},
    "sdpp": {"core", "divided", "engines", "graph", "linalg", "numbers", "optimize", "pairs", "progress", "ranks"},
    "sharing": {"core", "engines", "levels", "linalg", "preparing", "ranks"},
    "api": {"arrays", "backend", "core", "csv", "engines", "files", "gaps", "generating", "kernel", "linalg",
           "modelfile", "moments", "numbers", "predict", "preparing", "ranks", "reading", "sharing", "spectra", "threads",
           "writing"},
    "methods": {"core", "engines", "gaps", "graph", "kdr", "linalg", "moments", "numbers", "optimize", "pairs", "rsir",
                "sdpp", "solvers", "threads"},
    "updating": {"api", "core", "engines", "modelfile", "moments", "numbers", "predict", "preparing", "ranks",
                "spectra"},
    "choosing": {"api", "core", "kernel", "numbers", "predict"},
    "measuring": {"api", "core", "engines", "evaluate", "kernel", "linalg", "moments", "numbers", "preparing", "ranks",
                  "sharing", "solvers", "threads"},
    "splitting": {"api", "core", "linalg", "table"},
    "checkpoints": {"core", "files", "linalg", "moments", "preparing", "ranks", "reading"},
    "streaming": {"api", "checkpoints", "core", "engines", "files", "linalg", "moments", "preparing", "progress", "ranks",
                  "reading", "sharing", "spectra", "table", "threads"},
    "fitting": {"api", "checkpoints", "core", "divided", "engines", "gaps", "linalg", "modelfile", "predict", "preparing", "ranks",
                "reading", "spectra", "streaming"},
    "cells": {"api", "core", "engines", "linalg", "moments", "numbers", "predict", "solvers", "splitting", "threads"},
    "journal": {"cells", "core", "linalg", "numbers", "splitting"},
    "dimension": {"api", "core", "evaluate", "linalg", "measuring", "numbers", "predict", "progress", "splitting",
                  "threads"},
    "report": {"core", "dimension", "linalg", "numbers", "preparing"},
    "judge": {"api", "cells", "choosing", "core", "journal", "linalg", "numbers", "predict", "preparing", "progress",
              "splitting", "threads"},
}

# header of another library -> who may include it
LIBRARIES = {
    "Python.h": {"python"},
    "cblas.h": {"backend", "threads"},
    "lapacke.h": {"backend"},
    "openblas_config.h": {"backend"},
    "pthread.h": {"threads"},
    "locale.h": {"numbers"},
    "zlib.h": {"files", "reading"},
    "matio.h": {"reading"},
    "libqhull_r/qhull_ra.h": {"graph"},
    "dsdp5.h": {"optimize"},
    "jansson.h": {"core", "cli"},
    "dlfcn.h": {"ranks"},
    "mpi.h": {"mpi"},
    "slepceps.h": {"slepc"},
    "immintrin.h": {"near"},
}

C_LIBRARY = set("""assert ctype errno fcntl fenv float inttypes limits math sched signal stdarg stdatomic stdbool stddef
stdint stdio stdlib string strings time unistd sys/file sys/ioctl sys/mman sys/resource sys/stat sys/time sys/types
sys/wait dirent glob poll
""".split())

# Names of BLAS and LAPACK themselves, wherever they are declared.
BLAS_CALL = re.compile(r"\b(?:cblas_|LAPACKE_|openblas_)\w+\s*\(")
# How many threads BLAS has is the business of src/threads.
BLAS_THREADS = re.compile(r"\bopenblas_[gs]et_num_threads\b")
# Dense algebra is written with views (src/linalg/view.h): lists of sizes and strides are for those that carry it out.
OPERATIONS = "gemm|syrk|eigen|svd|qr|triangle|cholesky|solve_triangular"
BARE_ALGEBRA = re.compile(rf"\bald_(?:gemm|syrk)\w*\s*\(|->\s*(?:{OPERATIONS})\s*\(")
# A run that nobody has begun has no memory; a constant one only carries settings.
BARE_RUN = re.compile(r"(?<!const )\bald_run \w+ = ")
# What a library must leave to the program that uses it.
PASSES_MESSAGE = re.compile(r"messages(->|\.)(?!settle|leave|stop_all)\w+\(")
NOT_IN_LIBRARY = re.compile(r"\b(?:printf|puts|putchar|perror|exit|_exit|abort|rand|srand|setlocale|uselocale)\s*\(")
# The one file that forks; it ends the child, not the program.
# Programs on the public headers, and the folder of their own ones.
PROGRAMS = {"cli": "cli", "python": "python/src"}
ENDS_ITS_CHILD = "src/reading/table_child.c"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# The character classes keep this file from finding itself.
MACHINE_PATH = re.compile(r"/(?:wor[k]|far[m]|roo[t]|hom[e])/")
NOT_OURS = re.compile(r"^(\.git|build(-.*)?|demo|corpus|__pycache__)$")

errors = []


def error(path, line, message):
    place = path if line is None else f"{path}:{line}"
    errors.append(f"{place}: {message}")


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return list(enumerate(file.read().split("\n"), 1))


def c_files(root, top):
    for folder, _, names in os.walk(os.path.join(root, top)):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".def")):
                yield os.path.relpath(os.path.join(folder, name), root)


def check_system_include(path, line, owner, header):
    if header.startswith("alidade/"):
        return
    if header in LIBRARIES:
        if owner not in LIBRARIES[header]:
            error(path, line, f"only {', '.join(sorted(LIBRARIES[header]))} may include <{header}>")
    elif header.removesuffix(".h") not in C_LIBRARY:
        error(path, line, f"<{header}> is neither the C library's nor in the table of libraries")


def check_src_include(path, line, owner, header):
    folder = header.split("/")[0]
    if "/" not in header or folder not in MAY_INCLUDE:
        error(path, line, f'"{header}": write includes from src/, as "folder/name.h"')
    elif folder != owner and folder not in MAY_INCLUDE[owner]:
        error(path, line, f'src/{owner} may not include src/{folder} ("{header}")')


def check_program_include(root, path, line, owner, header):
    if not os.path.exists(os.path.join(root, PROGRAMS[owner], header)):
        error(path, line, f'{owner} may include its own headers and <alidade/...> only ("{header}")')


def check_includes(root, path, owner):
    for number, text in lines_of(root, path):
        found = INCLUDE.match(text)
        if found and found.group(1) == "<":
            check_system_include(path, number, owner, found.group(2))
        elif found and owner in PROGRAMS:
            check_program_include(root, path, number, owner, found.group(2))
        elif found:
            check_src_include(path, number, owner, found.group(2))
        if owner != "backend" and BLAS_CALL.search(text) and not (owner == "threads" and BLAS_THREADS.search(text)):
            error(path, number, "only src/backend calls BLAS and LAPACK")
        if owner not in ("backend", "linalg") and BARE_ALGEBRA.search(text):
            error(path, number, "dense algebra outside src/linalg takes views: ald_product, ald_gram, ald_eigen, ...")
        if BARE_RUN.search(text):
            error(path, number, "a run is begun, or forked from another (src/core/run.h)")
        if owner != "cli" and not path.endswith(ENDS_ITS_CHILD) and NOT_IN_LIBRARY.search(text):
            error(path, number, "the library does not print, end the program, call rand() or change the locale")


def check_messages(root):
    """Elements of messages are counted in an int; communicator.c, and meeting.c for it, cut longer ones into pieces, so
    that they alone call what passes them."""
    for path in c_files(root, "src"):
        for number, text in lines_of(root, path):
            if PASSES_MESSAGE.search(text) and path not in ("src/ranks/communicator.c", "src/ranks/meeting.c"):
                error(path, number, "messages are passed by the functions of src/ranks/communicator.h, which cut long ones")


def check_order():
    above = set()
    for folder, may_include in MAY_INCLUDE.items():
        for other in sorted(may_include - above):
            error("tests/deps/check_deps.py", None, f"{folder} may include {other}, which does not stand above it")
        above.add(folder)


BEING_MOVED = {"src/core/method.h"}


def check_headers(root):
    """A header with functions is implemented by the file of its name, or is the front door of its room."""
    for folder in sorted(os.listdir(os.path.join(root, "src"))):
        for path in c_files(root, os.path.join("src", folder)):
            stem = os.path.join(root, path[:-2])
            if not path.endswith(".h") or any(os.path.exists(stem + end) for end in (".c", ".cpp")):
                continue
            if os.path.basename(stem) == folder or path in BEING_MOVED:
                continue
            text = "\n".join(line for _, line in lines_of(root, path))
            if re.search(r"^(?!static|typedef|extern)[a-z][\w *]*\bald_\w+\([^;{]*\)[^;{]*;", text, re.M):
                error(path, None, "declares functions, but there is no file of its name that implements them")


def check_dependency_rule(root):
    for folder in sorted(os.listdir(os.path.join(root, "src"))):
        if folder not in MAY_INCLUDE:
            error(f"src/{folder}", None, "a folder that the table in check_deps.py does not know: add it there")
            continue
        for path in c_files(root, os.path.join("src", folder)):
            check_includes(root, path, folder)
    for owner, folder in PROGRAMS.items():
        for path in c_files(root, folder):
            check_includes(root, path, owner)


def check_machine_paths(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not NOT_OURS.match(name)]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            try:
                for number, text in lines_of(root, path):
                    if MACHINE_PATH.search(text):
                        error(path, number, "an absolute path of somebody's machine")
            except UnicodeDecodeError:
                pass  # not text


def check_architecture(root):
    """Every folder of src/ has its line in the table of the page, and the line says what MAY_INCLUDE says."""
    page = "docs/architecture.md"
    told = {}
    for number, text in lines_of(root, page):
        row = re.match(r"\| `src/(\w+)` \| ([^|]*) \|", text)
        if row:
            told[row.group(1)] = number, set(re.findall(r"`(\w+)`", row.group(2)))
    for folder in sorted(os.listdir(os.path.join(root, "src"))):
        if folder not in told:
            error(page, None, f"the table does not have `src/{folder}`")
    for folder, (number, may_include) in told.items():
        if may_include != MAY_INCLUDE.get(folder):
            error(page, number, f"says something else about src/{folder} than the table in check_deps.py")


def check_method_pages(root):
    for number, text in lines_of(root, "src/methods/methods.def"):
        found = re.match(r"ALD_METHOD\((\w+)\)", text)
        if found and not os.path.exists(os.path.join(root, "docs", "methods", found.group(1) + ".md")):
            error("src/methods/methods.def", number, f"there is no docs/methods/{found.group(1)}.md")


def main():
    root = sys.argv[1]
    check_order()
    check_messages(root)
    check_dependency_rule(root)
    check_headers(root)
    check_machine_paths(root)
    check_architecture(root)
    check_method_pages(root)
    print("\n".join(errors) if errors else "the tree keeps its rules")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
