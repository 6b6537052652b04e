#!/usr/bin/env python3
"""check_binaries [--hardened] FOLDER...: what the loader reads in every program and library of these folders.

No element of RPATH or RUNPATH is empty or relative: the loader would take libraries from the present folder, where
downloaded data may lie. Programs and libraries of ours name only those libraries that every start needs, as the loader
looks up thousands of names for each; what a file format needs is loaded with its first file. With --hardened also what Debian's hardening-check asks for: PIE, read-only relocations, binding
at the start, no executable stack, stack protector, checked string functions, marks of what may be jumped to."""
import os
import re
import shutil
import subprocess
import sys

HARDENED = "--hardened" in sys.argv
FOLDERS = [word for word in sys.argv[1:] if word != "--hardened"]
CHECKABLE = r" (mem(cpy|move|set)|str(n?cpy|n?cat)|v?s?n?printf|v?fprintf|read|realpath)@"  # those with a checked form
LANDING = b"\xf3\x0f\x1e\xfa"  # endbr64, which begins what may be jumped to
OURS = re.compile(r"/(?:alidade|libalidade\.so[.\d]*|_core\.abi3\.so)$")
AT_START = re.compile(r"(?:libjansson|libopenblas\w*|libblas|libz|libqhull_r|libstdc\+\+|libm|libgcc_s|libc|libpthread|libdl|libasan|libubsan"
                      r"|libtsan|ld-linux[-\w]*)\.so[.\d]*")
failures = []


def readelf(*words):
    return subprocess.run(["readelf", "--wide", *words], capture_output=True, text=True, check=True).stdout


def code_of(path):
    with open(path, "rb") as file:
        return file.read()


def binaries():
    for folder in FOLDERS:
        for place, _, names in os.walk(folder):
            for path in (os.path.join(place, name) for name in sorted(names)):
                if os.path.islink(path) or not os.path.isfile(path) or path.endswith((".o", ".a")):
                    continue
                with open(path, "rb") as file:
                    head = file.read(18)
                if head[:4] == b"\x7fELF" and head[16] in (2, 3):  # a program or what is loaded
                    yield path


def check_folders(path, dynamic):
    for found in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        for element in found.split(":"):
            if not element.startswith(("/", "$ORIGIN/")) and element != "$ORIGIN":
                failures.append(f"{path}: the loader looks in {element!r} of {found!r}")


def check_needed(path, dynamic):
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) if OURS.search(path) and "/tests/" not in path else []:
        if not AT_START.fullmatch(name):
            failures.append(f"{path}: {name} is loaded at every start")


def check_hardened(path, dynamic):
    header, segments = readelf("-h", path), readelf("-l", path)
    symbols = readelf("--dyn-syms", path)
    stack = re.search(r"GNU_STACK.*", segments)
    wanted = {
        "is not position independent": re.search(r"Type:\s+DYN", header),
        "has no read-only relocations": "GNU_RELRO" in segments,
        "binds late": re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic),
        "has an executable stack": stack and "RWE" not in stack.group(),
        "has no stack protector": "__stack_chk_fail" in symbols,
        "has no checked string functions": re.search(r" __\w+_chk@", symbols) or not re.search(CHECKABLE, symbols),
    }
    if "X86-64" in header:
        wanted["has no control flow protection"] = code_of(path).count(LANDING) >= 10
    failures.extend(f"{path} {what}" for what, holds in wanted.items() if not holds)


if not shutil.which("readelf"):
    print("there is no readelf")
    sys.exit(77)
count = 0
for binary in binaries():
    entries = readelf("-d", binary)
    check_folders(binary, entries)
    check_needed(binary, entries)
    if HARDENED:
        check_hardened(binary, entries)
    count += 1
if not count:
    failures.append(f"no program in {' '.join(FOLDERS)}")
print("\n".join(failures) if failures else f"{count} programs and libraries are as they should be")
sys.exit(bool(failures))
