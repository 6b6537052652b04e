"""built.py ROOT [JOBS]: builds what the tests of this folder use, by tools/app, where emscripten is installed: a second
where nothing has changed, else what has. Ends with 77 where it cannot be built. The tests ask for files of it by `need`."""
import os
import shutil
import subprocess
import sys

LONG = bool(os.environ.get("ALD_LONG"))


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def build(root, targets="", jobs="2"):
    if not shutil.which("emcc") or not shutil.which("node"):
        skip("no emscripten or no node on this machine (Debian: apt-get install emscripten nodejs dpkg-dev)")
    status = subprocess.run([os.path.join(root, "tools", "app"), jobs], env={**os.environ, "TARGETS": targets}).returncode
    if status == 3:
        skip("the source packages of jansson and zlib could not be fetched")
    if status != 0:
        sys.exit(status)


def need(root, name):
    """The path of a file that has been built."""
    path = os.path.join(root, name)
    if not shutil.which("node"):
        skip("no node on this machine")
    if not os.path.exists(path):
        skip(f"{name} has not been built: `make app` does it (Debian's emscripten)")
    return path


def package(root, folder):
    """The Python package of this build in a folder, and whether it has been built."""
    core = os.path.join(root, "build", "python", "_core.abi3.so")
    if not os.path.exists(core):
        return False
    shutil.copytree(os.path.join(root, "python", "alidade"), os.path.join(folder, "alidade"))
    shutil.copy(core, os.path.join(folder, "alidade"))
    return True


if __name__ == "__main__":
    build(os.path.abspath(sys.argv[1]), jobs=(sys.argv[2:] or ["2"])[0])
