"""Starting programs by mpirun, for the tests of ranks.

What a sanitizer finds in a rank goes to a file of its own, as ranks fall silent and some tests want them to fail; a test
with such a report fails, whatever else it saw."""
import atexit
import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",  # containers are
        "HWLOC_HIDE_ERRORS": "2"}  # where there is no /sys
# The sanitizers of make check, after a build that has run everything: one run of each kind.
SHORT = int(os.environ.get("ALD_SAMPLE", "1")) > 1
LEAKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "leaks.txt")
reports = tempfile.mkdtemp()


def sanitized():
    """Adds where reports go to the options of the sanitizers."""
    told = {"ASAN_OPTIONS": "", "UBSAN_OPTIONS": "", "LSAN_OPTIONS": f"suppressions={LEAKS}:print_suppressions=0:"}
    return {name: f"{os.environ.get(name, '')}:{more}log_path={reports}/{name[:4]}" for name, more in told.items()}


def tell_reports():
    found = sorted(glob.glob(f"{reports}/*"))
    for path in found:
        with open(path, encoding="utf-8", errors="replace") as file:
            print(file.read())
    shutil.rmtree(reports)
    if found:
        print("a sanitizer has found something", flush=True)
        os._exit(1)


atexit.register(tell_reports)


def command(ranks, words):
    if not shutil.which("mpirun"):
        sys.exit(77)
    return ["mpirun", "-q", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *words]


def surroundings(environment=None):
    return {**os.environ, **ROOT, **sanitized(), **(environment or {})}


def mpirun(ranks, words, environment=None, timeout=120, **others):
    """Runs it to its end; everything that was printed is in the result."""
    return subprocess.run(command(ranks, words), env=surroundings(environment), timeout=timeout, capture_output=True,
                          text=True, **others)


def ranks_of(parent):
    """The processes that mpirun has started."""
    found = []
    for path in glob.glob(f"/proc/{parent}/task/*/children"):
        with open(path, encoding="ascii") as file:
            found += [int(word) for word in file.read().split()]
    return found


def is_alive(process):
    """Whether it runs, rather than waits for mpirun to take its status."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
