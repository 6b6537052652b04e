#!/usr/bin/env python3
"""check_abi LIBRARY CC INCLUDE [--update]: compares the symbols that the shared library exports, and the sizes and
offsets of the public structs and the values of the enums, with tests/abi/abi.txt.

What is in that file is what programs were compiled against. A line that is gone or changed breaks them: a struct with a
size may grow at its end, a function may be added, nothing else. --update writes the file anew."""
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

kept = os.path.join(os.path.dirname(os.path.abspath(__file__)), "abi.txt")


def symbols(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted(line.split()[-1].split("@")[0] for line in out.splitlines())


def declarators(body):
    """The names of the fields of a struct, in order."""
    for declaration in body.split(";"):
        declaration = " ".join(declaration.split())
        pointer = re.search(r"\(\*(\w+)\)\(", declaration)
        if pointer:
            yield pointer.group(1)
        elif declaration:
            for part in declaration.split(","):
                yield re.search(r"(\w+)\s*(\[\w+\])?$", part.strip()).group(1)


def program(include):
    lines = []
    for path in sorted(glob.glob(os.path.join(include, "alidade", "*.h"))):
        text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
        for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.S):
            lines.append(f'printf("struct {name} %zu\\n", sizeof({name}));')
            for field in declarators(body):
                lines.append(f'printf("  {field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
        for body in re.findall(r"\benum\b[^;{]*\{(.*?)\}", text, re.S):
            for constant in re.findall(r"\b(ALD_\w+)\s*=", body):
                lines.append(f'printf("enum {constant} %d\\n", (int){constant});')
    return ("#include <alidade/alidade.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n"
            + "\n".join(lines) + "\nreturn 0;\n}\n")


def structs(cc, include):
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "abi.c"), os.path.join(folder, "abi")
        open(source, "w", encoding="utf-8").write(program(include))
        subprocess.run([cc, "-std=c11", f"-I{include}", source, "-o", made], check=True)
        return subprocess.run([made], check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    library, cc, include = sys.argv[1:4]
    found = [f"symbol {name}" for name in symbols(library)] + structs(cc, include)
    if sys.argv[4:] == ["--update"]:
        open(kept, "w", encoding="utf-8").write("\n".join(found) + "\n")
        print(f"wrote {len(found)} lines to {kept}")
        return 0
    known = open(kept, encoding="utf-8").read().splitlines()
    changes = [line for line in difflib.unified_diff(known, found, "abi.txt", "now", n=2, lineterm="")]
    if not changes:
        print(f"{len(found)} lines of the interface are as they were")
        return 0
    print("\n".join(changes))
    print("\nThe binary interface has changed. Lines that are gone or changed (-) break programs that were compiled before:\n"
          "add fields at the end of structs that have a size, and new functions, instead. If that is what you mean, write\n"
          f"it down: {sys.argv[0]} {' '.join(sys.argv[1:4])} --update")
    return 1


sys.exit(main())
