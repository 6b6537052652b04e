#!/usr/bin/env python3
"""run.py CORE [PYTEST-ARGUMENT]...: runs the tests on the package of this tree with the extension CORE
(build/python/_core.abi3.so), in the current folder. Ends with 77 where pytest, numpy or the extension are not there.

run.py CORE --run SCRIPT [ARGUMENT]...: runs a script of Python instead."""
import importlib.util
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
package = os.path.join(os.path.dirname(here), "alidade")


def lay_out(core, folder):
    """A folder with the files of the package and the extension, as links: what Python imports."""
    target = os.path.join(folder, "alidade")
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(target):
        os.remove(os.path.join(target, name))
    for name in os.listdir(package):
        if name != "__pycache__":
            os.symlink(os.path.join(package, name), os.path.join(target, name))
    os.symlink(os.path.abspath(core), os.path.join(target, "_core.abi3.so"))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not all(importlib.util.find_spec(name) for name in ("pytest", "numpy")) or not os.path.exists(sys.argv[1]):
        print(f"skipped: python3-pytest, python3-numpy and {sys.argv[1]} (python3-dev) are wanted")
        return 77
    folder = os.path.join(os.getcwd(), "path")
    lay_out(sys.argv[1], folder)
    environment = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
    arguments = sys.argv[2:] or [here]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--rootdir", here, *arguments]
    if arguments[0] == "--run":
        command = [sys.executable, *arguments[1:]]
    os.execve(sys.executable, command, environment)


if __name__ == "__main__":
    sys.exit(main())
