#!/usr/bin/env python3
"""shapes.py BUILD [-o FILE.csv] [--seed S] [--threads 2,16] [--seconds T] [--shapes K] [--entries E] [--methods pca,pls,...]: how
fast we are on shapes that nobody chose, as users call it, beside scikit-learn's fastest solver of equal accuracy.

Shapes are drawn by the seed, for each method its own sequence: n from 100 to 300,000, d from 5 to 8,000, both log-uniform, up to 2e7
entries (kpca: up to 4472 rows; cca: up to 1e6 entries); 1 to 20 components, 2 to 12 classes, 1 to 6 responses (cca: 2 to 10); columns
alike, of falling spread, or ten factors and noise. BUILD is a folder with libalidade.so and python/_core.abi3.so. Measured are

    fit            with the usual predictor, through the Python package and through the library (pca and kpca: without a target)
    transform, predict, predict_proba, score of the training rows (score: in Python only)

one shape of each method after the other until T seconds are over or K shapes of each are done, each number of threads in a process of its
own. Ours and the peer run in turn, the least of several counts. bench/shapes_works.py says which solvers are peers and how their accuracy
is judged; of those as accurate as ours the fastest counts. Rows are printed and added to FILE.csv as they come; at the end stand median,
least and the share below one for each method, and bench/table.py makes tables of them."""
import argparse
import csv
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402

FIELDS = ["method", "work", "n", "d", "r", "q", "kind", "threads", "python", "library", "peer", "solver", "ahead", "library_ahead", "apart",
          "seed", "number", "peer_version", "machine"]
REST = 0.1  # seconds before another maker's turn: idle threads of a BLAS wait busily for up to a tenth
ENOUGH = 0.02  # seconds of short calls in one turn
ONCE = 0.5  # seconds of a call that is not repeated in its turn
ROUNDS = 3
SLOW = 3.0  # seconds: what takes longer is measured once


def turn(function):
    """Least time of a call, of two, or of several in a row where it is short: the first one finds sleeping processors."""
    best = total = measure.seconds_of(function)
    for i in range(20):
        if total > (ONCE if i == 0 else ENOUGH):
            break
        seconds = measure.seconds_of(function)
        best, total = min(best, seconds), total + seconds
    return best


def race(own, peers):
    """Least seconds of each function of two dicts: ours and the peers in turn, with a rest before each turn."""
    best = {}
    for i in range(ROUNDS):
        for functions in (own, peers) if i % 2 == 0 else (peers, own):
            left = [name for name in functions if best.get(name, 0) < SLOW]
            time.sleep(REST if left else 0)
            for name in left:
                best[name] = min(best.get(name, float("inf")), turn(functions[name]))
    return best


def judged(case, ours, peers):
    """Fitted peers that are as accurate as ours, by name, fastest first, and how far ours is behind the best of all, relatively."""
    figure, seconds, fitted, figures = case.figure(ours), {}, {}, {}
    for name, make in peers.items():
        model = make()
        try:
            seconds[name] = measure.seconds_of(lambda m=model: m.fit(case.x, case.flat_y))
            figures[name], fitted[name] = case.figure(model), model
        except Exception as error:  # a solver that refuses such data is no peer
            print(f"  {name}: {str(error).splitlines()[0][:90]}", flush=True)
    scale = abs(figure) or 1.0
    equal = [name for name in fitted if figures[name] >= figure - case.tolerance * scale]
    behind = max([0.0] + [(value - figure) / scale for value in figures.values()])
    return {name: fitted[name] for name in sorted(equal, key=seconds.get)}, behind


class Shapes:
    """What is measured with one number of threads."""

    def __init__(self, options):
        from alidade_ctypes import Alidade
        self.threads, self.seed, self.path = int(options.threads), options.seed, options.output
        self.ald = Alidade(os.path.join(os.path.abspath(options.build), "libalidade.so"), self.threads)
        self.where = measure.machine(self.ald.blas())
        print(f"-- {self.where}, {self.threads} threads, seed {self.seed}", flush=True)

    def fits(self, case, peers):
        """Times of fits; of the peers the two that were fastest alone are looked at."""
        own = {"python": lambda: case.estimator(self.threads).fit(case.x, case.flat_y),
               "library": lambda: self.ald.free_model(case.library_fit(self.ald))}
        makers = case.peers()
        others = {name: lambda m=makers[name]: m().fit(case.x, case.flat_y) for name in list(peers)[:2]}
        times = race(own, others)
        best = min(others, key=times.get, default="")
        return times["python"], times["library"], times.get(best), best

    def rows(self, case, ours, model, peers, work):
        """Times of one work on rows, by the fastest solver that has it."""
        own = {"python": lambda: getattr(ours, work)(*([case.x, case.flat_y] if work == "score" else [case.x]))}
        library = case.library_works(self.ald, model).get(work)
        if library:
            own["library"] = library
        name = next((name for name, peer in peers.items() if getattr(peer, "solver", "") != "lsqr" or work != "transform"), "")
        peer = peers.get(name)
        others = {name: lambda: getattr(peer, work)(*([case.x, case.flat_y] if work == "score" else [case.x]))} if peer else {}
        times = race(own, others)
        return times["python"], times.get("library"), times.get(name), name

    def measure(self, case, number):
        ours = case.estimator(self.threads).fit(case.x, case.flat_y)
        peers, behind = judged(case, ours, case.peers())
        model = case.library_fit(self.ald)
        for work in case.works:
            found = self.fits(case, peers) if work == "fit" else self.rows(case, ours, model, peers, work)
            self.add(case, work, number, *found, behind)
        self.ald.free_model(model)

    def add(self, case, work, number, python, library, peer, solver, behind):
        import sklearn
        text = lambda value, form: format(value, form) if value else ""
        line = [case.method, work, case.n, case.d, case.r, case.q, case.kind, self.threads, *(text(v, ".4g") for v in (python, library, peer)),
                solver, text(peer and peer / python, ".3g"), text(peer and library and peer / library, ".3g"), f"{behind:.1e}", self.seed,
                number, sklearn.__version__, self.where]
        shown = dict(zip(FIELDS, line))
        size = f"{case.n} x {case.d}, r={case.r}" + (f", q={case.q}" if case.q else "") + f" {case.kind}"
        late = " behind the best by " + shown["apart"] if behind > case.tolerance else ""
        print(f"{case.method:5} {work:13} {size:34} {shown['python']:>9} {shown['library']:>9} {shown['peer']:>9} "
              f"{shown['ahead']:>6} {shown['library_ahead']:>6}  {solver}{late}", flush=True)
        with open(self.path, "a", newline="") as file:
            csv.writer(file).writerow(line)


def child(options):
    from shapes_works import CASES
    shapes, began, failed = Shapes(options), time.perf_counter(), 0
    warnings.simplefilter("ignore")
    print(f"{'':5} {'work':13} {'shape':34} {'python':>9} {'library':>9} {'peer':>9} {'ahead':>6} {'lib.':>6}  solver", flush=True)
    for number in range(options.shapes):
        for method in options.methods.split(","):
            if time.perf_counter() - began > options.seconds:
                return failed
            try:
                case = CASES[method](options.seed, number, options.entries)
                shapes.measure(case, number)
            except Exception:  # whatever it is, it is shown, and the others are measured
                print(f"{method}, shape {number}:", flush=True)
                traceback.print_exc()
                failed = 1
    return failed


def summary(values):
    """Median, least, and how many are below one."""
    return f"{statistics.median(values):.2f}, {min(values):.2f}, {sum(v < 1 for v in values)} of {len(values)}" if values else ""


def groups(rows):
    """Times ahead of the peer by (work, caller, threads) and method, in the order of the rows."""
    found = {}
    for row in rows:
        for caller, name in (("Python", "ahead"), ("library", "library_ahead")):
            if row[name]:
                key = row["work"], caller, int(row["threads"])
                found.setdefault(key, {}).setdefault(row["method"], []).append(float(row[name]))
    return found


def print_summary(path):
    with open(path, newline="") as file:
        found = groups(csv.DictReader(file))
    methods = list(dict.fromkeys(m for of_method in found.values() for m in of_method))
    print("\ntimes ahead of the peer: median, least, below one\n" + f"{'':32}" + "".join(f"{m:>22}" for m in methods))
    for (work, caller, threads), of_method in sorted(found.items(), key=lambda item: (item[0][2], item[0][1])):
        print(f"{work:13} {caller:8} {threads:>2} threads" + "".join(f"{summary(of_method.get(m, [])):>22}" for m in methods))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the folder with libalidade.so and python/_core.abi3.so")
    parser.add_argument("-o", "--output")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=200, help="for each number of threads; the shape at hand is finished (200)")
    parser.add_argument("--shapes", type=int, default=12, help="of each method, at most (12)")
    parser.add_argument("--entries", type=float, default=2e7, help="of X, at most (2e7)")
    parser.add_argument("--methods", default="pca,pls,lda,kpca,cca")
    parser.add_argument("--threads", default=",".join(str(t) for t in sorted({2, min(16, len(os.sched_getaffinity(0)))})),
                        help="numbers of threads (2 and as many as there are cores, up to 16)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def lay_out(build, folder):
    """The package of this tree with the extension of a build, as links, where Python finds them."""
    package = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python", "alidade")
    target = os.path.join(folder, "alidade")
    os.makedirs(target)
    for name in os.listdir(package):
        if name != "__pycache__":
            os.symlink(os.path.join(package, name), os.path.join(target, name))
    os.symlink(os.path.join(os.path.abspath(build), "python", "_core.abi3.so"), os.path.join(target, "_core.abi3.so"))


def main():
    options = arguments()
    if options.child:
        return child(options)
    if not importlib.util.find_spec("sklearn") or not os.path.exists(os.path.join(options.build, "python", "_core.abi3.so")):
        print(f"skipped: scikit-learn and {options.build}/python/_core.abi3.so (python3-dev) are wanted")
        return 77
    measure.take_fast_kernels(os.path.join(options.build, "libalidade.so"))
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        lay_out(options.build, folder)
        path = options.output or os.path.join(folder, "shapes.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerow(FIELDS)
        for threads in options.threads.split(","):
            paths = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
            environment = dict(os.environ, OPENBLAS_NUM_THREADS=threads, OMP_NUM_THREADS=threads, LOKY_MAX_CPU_COUNT=threads, PYTHONPATH=paths,
                               PYTHONDONTWRITEBYTECODE="1")
            command = [sys.executable, os.path.abspath(__file__), options.build, "--child", "-o", path, "--threads", threads]
            for name in ("seed", "seconds", "shapes", "entries", "methods"):
                command += [f"--{name}", str(getattr(options, name))]
            status |= subprocess.run(command, env=environment, check=False).returncode
        print_summary(path)
    return status


if __name__ == "__main__":
    sys.exit(main())
