#!/usr/bin/env python3
"""check_deps.py ROOT: the dependency rule and a few other promises about the tree.

Nothing upstream knows what is downstream: a wing may include the wings before it (WINGS), and a room of a wing those
rooms that ROOMS lists. Public headers (<alidade/...>) are open to all.
"""
import collections
import os
import re
import sys

# The wings of src/, in order: each may include the wings before it.
WINGS = ("base", "math", "io", "data", "methods", "cluster", "fit", "judge", "show", "api")

# Within a wing: room -> the other rooms of the wing that it may include; each only those that stand above it.
ROOMS = {
    "base": {
        "numbers": set(),
        "core": {"numbers"},
        "settings": {"core", "numbers"},
        "threads": {"core"},
    },
    "math": {
        "backend": set(),
        "device": set(),
        "linalg": {"backend", "device"},
        "operator": {"backend", "device", "linalg"},
        "solvers": {"linalg", "operator"},
        "near": {"linalg", "operator"},
        "graph": {"linalg", "near", "operator"},
        "kernel": {"linalg", "operator", "solvers"},
        "optimize": {"graph", "linalg", "operator", "solvers"},
        "convex": {"linalg", "optimize", "solvers"},
    },
    "io": {
        "files": set(),
        "table": set(),
        "modelfile": {"files"},
        "generating": {"table"},
        "reading": {"files", "table"},
        "csv": {"reading", "table"},
        "formats": {"reading", "table"},
        "writing": {"files", "reading", "table"},
    },
    "data": {
        "levels": set(),
        "encode": {"levels"},
        "arrays": {"encode"},
        "writing": {"encode"},
    },
    "methods": {
        "engines": set(),
        "moments": {"engines"},
        "gaps": {"engines"},
        "predict": set(),
        "sdpp": {"engines"},
        "kdr": {"engines"},
        "rsir": {"engines"},
        "linear": {"engines", "gaps", "moments", "predict"},
        "inverse": {"engines", "moments", "rsir"},
        "kernel": {"engines", "kdr"},
        "distances": {"engines", "sdpp"},
    },
    "cluster": {
        "ranks": set(),
        "mpi": {"ranks"},
        "sharing": {"ranks"},
        "divided": {"ranks", "sharing"},
    },
    "fit": {
        "checkpoints": set(),
        "prepare": set(),
        "fitting": {"prepare"},
        "streaming": {"checkpoints", "fitting", "prepare"},
        "from_files": {"checkpoints", "fitting", "prepare", "streaming"},
        "updating": {"fitting", "prepare"},
    },
    "judge": {
        "splitting": set(),
        "evaluate": set(),
        "measuring": {"evaluate"},
        "choosing": set(),
        "cells": {"measuring", "splitting"},
        "compare": {"cells", "choosing", "splitting"},
        "dimension": {"evaluate", "measuring", "splitting"},
    },
    "show": {
        "canvas": set(),
        "plotting": {"canvas"},
        "report": set(),
        "export": set(),
    },
    "api": {},
}
MOST_EDGES = 80

# header of another library -> who may include it
LIBRARIES = {
    "Python.h": {"python"},
    "R.h": {"r"},
    "Rinternals.h": {"r"},
    "R_ext/Rdynload.h": {"r"},
    "R_ext/Utils.h": {"r"},
    "cblas.h": {"math/backend", "base/threads"},
    "openblas_config.h": {"math/backend"},
    "pthread.h": {"base/threads"},
    "locale.h": {"base/numbers"},
    "zlib.h": {"io/files", "io/formats", "io/reading"},
    "matio.h": {"io/formats"},
    "libqhull_r/qhull_ra.h": {"math/graph"},
    "jansson.h": {"base/core", "cli"},
    "dlfcn.h": {"base/core", "io/formats", "math/backend"},
    "link.h": {"math/backend"},
    "mpi.h": {"cluster/mpi"},
    "immintrin.h": {"math/near"},
}

C_LIBRARY = set("""assert ctype errno fcntl fenv float inttypes limits math sched signal stdarg stdatomic stdbool stddef
stdint stdio stdlib string strings time unistd sys/file sys/ioctl sys/mman sys/resource sys/stat sys/time sys/types
sys/auxv sys/wait dirent glob poll
""".split())

# Names of BLAS and LAPACK themselves, wherever they are declared.
BLAS_CALL = re.compile(r"\b(?:(?:cblas_|openblas_)\w+|[sd][a-z]{4,5}_)\s*\(")
# How many threads BLAS has is the business of src/base/threads.
BLAS_THREADS = re.compile(r"\bopenblas_[gs]et_num_threads\b")
# Dense algebra is written with views (src/math/linalg/view.h): lists of sizes and strides are for those that carry it out.
OPERATIONS = "gemm|syrk|eigen|svd|qr|triangle|cholesky|solve_triangular"
BARE_ALGEBRA = re.compile(rf"\bald_(?:gemm|syrk)\w*\s*\(|->\s*(?:{OPERATIONS})\s*\(")
# A run that nobody has begun has no memory; a constant one only carries settings.
BARE_RUN = re.compile(r"(?<!const )\bald_run \w+ = ")
# What a library must leave to the program that uses it.
PASSES_MESSAGE = re.compile(r"messages(->|\.)(?!settle|leave|stop_all)\w+\(")
NOT_IN_LIBRARY = re.compile(r"\b(?:printf|puts|putchar|perror|exit|_exit|abort|rand|srand|setlocale|uselocale)\s*\(")
# The one file that forks; it ends the child, not the program.
# Programs on the public headers, and the folder of their own ones.
PROGRAMS = {"cli": "cli", "python": "python/src", "r": "r/alidade/src"}
ENDS_ITS_CHILD = "src/io/reading/table_child.c"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# The character classes keep this file from finding itself.
MACHINE_PATH = re.compile(r"/(?:wor[k]|far[m]|roo[t]|hom[e])/")
NOT_OURS = re.compile(r"^(\.git|build(-.*)?|demo|corpus|__pycache__|Makevars)$")  # the last: R installed from the tree

errors = []
used = collections.defaultdict(set)  # wing/room -> rooms of its wing that it includes


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


def room_of(path):
    """"wing/room" of a path below src/; the wing alone for a file that stands in no room of it."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def may_include(owner, other):
    wing, room = (owner.split("/") + [None])[:2]
    other_wing, other_room = (other.split("/") + [None])[:2]
    if wing != other_wing:
        return WINGS.index(other_wing) < WINGS.index(wing)
    return room is None or room == other_room or other_room in ROOMS[wing][room]


def check_src_include(path, line, owner, header):
    other = room_of(header)
    if other.split("/")[0] not in WINGS:
        error(path, line, f'"{header}": write includes from src/, as "wing/room/name.h"')
    elif not may_include(owner, other):
        error(path, line, f'src/{owner} may not include src/{other} ("{header}")')
    elif "/" in other:
        used[owner].add(other.split("/")[1] if owner.split("/")[0] == other.split("/")[0] else other)


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
        if owner != "math/backend" and BLAS_CALL.search(text) and not (owner == "base/threads" and BLAS_THREADS.search(text)):
            error(path, number, "only src/math/backend calls BLAS and LAPACK")
        if owner not in ("math/backend", "math/linalg", "math/operator") and BARE_ALGEBRA.search(text):
            error(path, number, "dense algebra outside src/math/linalg takes views: ald_product, ald_gram, ald_eigen, ...")
        if BARE_RUN.search(text):
            error(path, number, "a run is begun, or forked from another (src/base/core/run.h)")
        if owner != "cli" and not path.endswith(ENDS_ITS_CHILD) and NOT_IN_LIBRARY.search(text):
            error(path, number, "the library does not print, end the program, call rand() or change the locale")


def check_messages(root):
    """Elements of messages are counted in an int; communicator.c, and meeting.c for it, cut longer ones into pieces, so
    that they alone call what passes them."""
    for path in c_files(root, "src"):
        for number, text in lines_of(root, path):
            if PASSES_MESSAGE.search(text) and path not in ("src/cluster/ranks/communicator.c", "src/cluster/ranks/meeting.c"):
                error(path, number, "messages are passed by the functions of src/cluster/ranks/communicator.h, which cut long ones")


def check_order():
    """Every room may include only rooms that stand above it, and the list stays a short one."""
    edges = 0
    for wing, rooms in ROOMS.items():
        above = set()
        for room, others in rooms.items():
            edges += len(others)
            for other in sorted(others - above):
                error("tests/deps/check_deps.py", None, f"{wing}/{room} may include {other}, which does not stand above it")
            above.add(room)
    if edges > MOST_EDGES:
        error("tests/deps/check_deps.py", None, f"{edges} edges between rooms; at most {MOST_EDGES}")


def check_used():
    """What the list allows and nobody does is taken out of it."""
    for wing, rooms in ROOMS.items():
        for room, others in rooms.items():
            for other in sorted(others - used[f"{wing}/{room}"]):
                error("tests/deps/check_deps.py", None, f"{wing}/{room} may include {other}, but does not")


BEING_MOVED = {"src/base/settings/method.h"}


def check_headers(root):
    """A header with functions is implemented by the file of its name, or is the front door of its room."""
    for path in c_files(root, "src"):
        stem = os.path.join(root, path[:-2])
        if not path.endswith(".h") or any(os.path.exists(stem + end) for end in (".c", ".cpp")):
            continue
        if os.path.basename(stem) == os.path.basename(os.path.dirname(stem)) or path in BEING_MOVED:
            continue
        text = "\n".join(line for _, line in lines_of(root, path))
        if re.search(r"^(?!static|typedef|extern)[a-z][\w *]*\bald_\w+\([^;{]*\)[^;{]*;", text, re.M):
            error(path, None, "declares functions, but there is no file of its name that implements them")


def check_dependency_rule(root):
    for wing in sorted(os.listdir(os.path.join(root, "src"))):
        if wing not in WINGS:
            error(f"src/{wing}", None, "a wing that the list in check_deps.py does not know")
            continue
        for room in os.listdir(os.path.join(root, "src", wing)):
            if os.path.isdir(os.path.join(root, "src", wing, room)) and room not in ROOMS[wing]:
                error(f"src/{wing}/{room}", None, "a room that the list in check_deps.py does not know: add it there")
    for path in c_files(root, "src"):
        check_includes(root, path, room_of(path.removeprefix("src/")))
    for owner, folder in PROGRAMS.items():
        for path in c_files(root, folder):
            check_includes(root, path, owner)


def check_machine_paths(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not NOT_OURS.match(name)]
        for name in (name for name in names if not NOT_OURS.match(name)):
            path = os.path.relpath(os.path.join(folder, name), root)
            try:
                for number, text in lines_of(root, path):
                    if MACHINE_PATH.search(text):
                        error(path, number, "an absolute path of somebody's machine")
            except UnicodeDecodeError:
                pass  # not text


def check_architecture(root):
    """The page names every wing, and every room of a wing in the line of the wing."""
    page = "docs/architecture.md"
    said = {}
    for _, text in lines_of(root, page):
        row = re.match(r"\| `(\w+)` \|(.*)", text)
        if row:
            said[row.group(1)] = set(re.findall(r"`(\w+)`", row.group(2)))
    for wing, rooms in ROOMS.items():
        if wing not in said:
            error(page, None, f"the table does not have `{wing}`")
        for room in sorted(set(rooms) - said.get(wing, set())):
            error(page, None, f"the line of `{wing}` does not have `{room}`")


def check_way(root):
    """Every function in the figure "The way of a fit" is defined in the file that the figure names."""
    page = "docs/architecture.md"
    found = 0
    for number, text in lines_of(root, page):
        line = re.match(r"\s*([\w.*]+) +((?:\w+/)+\w+\.c)\b", text)
        if not line:
            continue
        found += 1
        path = line.group(2) if line.group(2).startswith("cli/") else os.path.join("src", line.group(2))
        name = line.group(1).split(".")[0].replace("*", "")
        if not os.path.exists(os.path.join(root, path)):
            error(page, number, f"there is no {path}")
        elif not re.search(rf"^[\w *]*\b{name}\w*[ (=]", "\n".join(text for _, text in lines_of(root, path)), re.M):
            error(page, number, f"{path} does not define {line.group(1)}")
    if found < 20:
        error(page, None, f"only {found} functions in the figure of the way of a fit")


def check_method_pages(root):
    for number, text in lines_of(root, "src/methods/methods.def"):
        found = re.match(r"ALD_METHOD\((\w+)\)", text)
        if found and not os.path.exists(os.path.join(root, "docs", "methods", found.group(1).replace("_", "-") + ".md")):
            error("src/methods/methods.def", number, f"there is no docs/methods/{found.group(1).replace('_', '-')}.md")


def main():
    root = sys.argv[1]
    check_order()
    check_messages(root)
    check_dependency_rule(root)
    check_used()
    check_headers(root)
    check_machine_paths(root)
    check_architecture(root)
    check_way(root)
    check_method_pages(root)
    print("\n".join(errors) if errors else "the tree keeps its rules")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
