#!/usr/bin/env python3
"""check_tree.py ROOT [CHECK...]: promises about the files of the tree, each a check that can be run by its name; all of
them if none is named.

    pages    prose in Markdown is wrapped at 120 columns (tables, code and HTML are not prose)
"""
import os
import re
import sys

PAGE_WIDTH = 120
# Pages that are being rewritten; to be taken out of here when they are done.
PAGES_LATER = {"docs/architecture.md"}
NOT_OURS = re.compile(r"^(\.git|build(-.*)?|demo|__pycache__)$")

errors = []


def error(path, line, message):
    place = path if line is None else f"{path}:{line}"
    errors.append(f"{place}: {message}")


def files(root, top, *endings):
    """Paths from the root of the files in a folder and those below it, in order."""
    found = []
    for folder, folders, names in os.walk(os.path.join(root, top)):
        folders[:] = [name for name in folders if not NOT_OURS.match(name)]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(endings)]
    return sorted(found)


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return list(enumerate(file.read().split("\n"), 1))


def check_pages(root):
    for path in files(root, "", ".md"):
        in_code = False
        for number, text in lines_of(root, path):
            in_code ^= text.lstrip().startswith("```")
            prose = not in_code and not re.match(r"\s*[|<]|    ", text) and " " in text.strip()
            if prose and len(text) > PAGE_WIDTH and path not in PAGES_LATER:
                error(path, number, f"{len(text)} columns; prose is wrapped at {PAGE_WIDTH}")


CHECKS = {"pages": check_pages}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root, names = sys.argv[1], sys.argv[2:] or list(CHECKS)
    for name in names:
        if name not in CHECKS:
            sys.exit(f"check_tree.py: there is no check '{name}'; there are {', '.join(CHECKS)}")
        CHECKS[name](root)
    print("\n".join(errors) if errors else "the tree keeps its promises: " + ", ".join(names))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
