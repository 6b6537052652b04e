"""What `make app` has built, and whether it is of the present sources."""
import os
import shutil
import subprocess
import sys

LONG = bool(os.environ.get("ALD_LONG"))


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def newest(*folders):
    return max(os.path.getmtime(os.path.join(place, name)) for folder in folders
               for place, _, names in os.walk(folder) for name in names)


def need(root, name, targets=""):
    """The path of a file that tools/app makes. With ALD_LONG it is made, where emscripten is there; a build takes about
    150 s of processor time, so that otherwise a file that is missing or older than its sources skips the test."""
    path = os.path.join(root, name)
    if not shutil.which("node"):
        skip("no node on this machine")
    if LONG and shutil.which("emcc"):
        subprocess.run([os.path.join(root, "tools", "app"), "2"], check=True, env={**os.environ, "TARGETS": targets})
    if not os.path.exists(path):
        skip(f"{name} has not been built: `make app` does it (Debian's emscripten; ALD_LONG=1 does it in this test)")
    if newest(*(os.path.join(root, folder) for folder in ("src", "cli", "include"))) > os.path.getmtime(path):
        skip(f"{name} is older than its sources: `make app` builds it anew")
    return path
