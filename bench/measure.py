"""What the benchmarks measure with: times of several functions in turn, memory at its peak, the data, and the report with its bars."""
import contextlib
import csv
import ctypes
import os
import subprocess
import sys
import time

FIELDS = ["row", "size", "threads", "ours", "float32", "peer", "peer_name", "ahead", "bound", "bound_name", "of_bound", "memory", "bars",
          "verdict", "note", "machine", "busy", "busy_peer", "of_fair"]
SLOW = 4.0  # seconds: a peer that takes longer is timed once
REST = 0.3  # seconds: threads of numpy's BLAS wait busily for more work, and slow others down, for more than 0.05
FLOAT32_NOISE = 1.05  # as long as double, to what two measurements of the same thing differ by

# What must hold: for each row the quantity, its limit up to four threads and with more (None: not judged). ahead: times the fastest
# peer, at least; of bound: times the bound, seconds, and MB of memory, at most.
BARS = {
    "pca": [("of bound", 1.3, 1.5), ("ahead", 1, 1), ("memory", 8, None)],
    "pls": [("of bound", 1.25, 1.25), ("ahead", 4, 4), ("memory", 8, 8)],
    "pls, 10 responses": [("ahead", 5, 5)],
    "lda": [("of bound", 1.4, 1.4), ("ahead", 4, 4)],
    "cca, 10 responses": [("ahead", 50, 50)],
    "kpca": [("ahead", 2, 2)],
    "kspca": [("of bound", 1.3, 1.3)],
    "k nearest": [("ahead", 4, 4)],
    "csv, 17 digits": [("ahead", 4, 10), ("memory", 88, 88)],
    "csv, 6 digits": [("ahead", 1, 1), ("memory", 195.5, 195.5)],
    "lda --stream": [("of bound", None, 2)],
    "lda --stream, from the disk": [("of bound", 3, 3)],
    "sdpp, parity": [("seconds", 0.6, None)],
    "sdpp, small": [("seconds", 0.1, 0.1)],
    "sdpp, all components": [("seconds", 2.5, 2.5)],
    "sdpp, a million rows": [("of bound", 1.4, 1.4)],
    "sdpp, a step of cg": [("of bound", 1.5, 2)],
    "kdr, exact": [("seconds", 0.3, 0.3)],
    "kdr, rank 100": [("seconds", 0.5, 0.5)],
    "gkdr": [("seconds", 0.5, 0.5)],
    "two-stage, news20": [("seconds", 1.5, 1.5)],
    "two-stage": [("ahead", 3, 3)],
    "10 folds of lda": [("ahead", 1, 1)],
    "10 folds of lda, 9 ridges": [("ahead", 4, 3)],
}


def seconds_of(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def race(own, others=None, rounds=7, seconds=10.0):
    """Least time of each function of two dicts, run in turn, and the names of those that were run only once. `own` are run at least
    three times, all until `rounds` or `seconds` are over; of `others`, the peers, slow ones only once. Each round begins with another
    one: what comes after whom matters, as it finds more or less of X in the cache."""
    functions, best, once = {**own, **(others or {})}, {}, set()
    names = list(functions)
    began = time.perf_counter()
    for i in range(rounds):
        late = time.perf_counter() - began > seconds
        if late and i >= min(rounds, 3):
            break
        for name in names[i % len(names):] + names[:i % len(names)]:
            if i and name not in own and (late or best[name] > SLOW):
                if i == 1:
                    once.add(name)
                continue
            time.sleep(REST if name in own else 0.05)
            best[name] = min(best.get(name, float("inf")), seconds_of(functions[name]))
    return best, once


@contextlib.contextmanager
def busy_loops(count):
    """So many programs that do nothing but compute, beside what is measured."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        time.sleep(0.5)
        yield
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()


def median_of(function, times=3):
    return sorted(seconds_of(function) for _ in range(times))[times // 2]


def fair_share(seconds, threads, loops, cores):
    """What a program with so many threads takes beside so many loops, where every thread gets as much of the processors."""
    return seconds * max(1.0, (loops + threads) / cores)


def with_version(peer_name):
    """The name of a peer as the tables show it: with the version that was measured."""
    for short, module, full in (("sklearn ", "sklearn", "scikit-learn"), ("pandas ", "pandas", "pandas"), ("scipy ", "scipy", "scipy")):
        if peer_name.startswith(short):
            return f"{full} {getattr(sys.modules.get(module), '__version__', '')} {peer_name[len(short):]}"
    return peer_name


def machine(blas):
    """This machine in words, with the BLAS of the library."""
    name = "unknown processor"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            name = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), name)
    return f"{name}, {len(os.sched_getaffinity(0))} cores, {' '.join(blas.split()[:2])}"


def values_of(ours, float32=None, peer=None, bound=None, memory=None):
    """What bars are about."""
    return {"ahead": peer / ours if peer else None, "of bound": ours / bound if bound else None, "seconds": ours, "memory": memory,
            "float32": float32 / ours if float32 else None}


class Report:
    """Prints the rows of one number of threads as they come, and adds them to a file of comma-separated values."""

    def __init__(self, threads, path, where, judged=True):
        self.threads, self.path, self.where, self.judged = threads, path, where, judged

    def judge(self, row, values):
        """The bars of a row in words, and whether they hold. values: quantity to number or None (values_of)."""
        bars, missed = [], []
        if not self.judged:
            return "", ""
        wanted = [(what, few if self.threads <= 4 else many) for what, few, many in BARS.get(row, [])]
        if values["float32"]:
            wanted.append(("float32", FLOAT32_NOISE))
        for what, limit in wanted:
            if limit is None or values[what] is None:
                continue
            least = what == "ahead"
            bars.append(f"{what} {'≥' if least else '≤'} {limit:g}")
            if (values[what] < limit) if least else (values[what] > limit):
                missed.append(f"{what} {values[what]:.3g}")
        verdict = f"missed: {', '.join(missed)}" if missed else ("held" if bars else "")
        return "; ".join(bars), verdict

    def add(self, row, size, ours, float32=None, peer=None, peer_name="", bound=None, bound_name="", memory=None, note="", busy=(None,) * 3):
        """busy: seconds beside busy loops, ours and the peer's, and ours over the fair share."""
        ahead, of_bound = peer / ours if peer else None, ours / bound if bound else None
        bars, verdict = self.judge(row, values_of(ours, float32, peer, bound, memory))
        text = lambda v, form: format(v, form) if v else ""
        line = [row, size, self.threads, *(text(v, ".4g") for v in (ours, float32, peer)), with_version(peer_name), text(ahead, ".3g"),
                text(bound, ".4g"), bound_name, text(of_bound, ".3g"), text(memory, ".4g"), bars, verdict, note, self.where,
                *(text(v, ".4g") for v in busy)]
        shown = dict(zip(FIELDS, line))
        print(f"{row:26} {size:>22} {shown['ours']:>8} {shown['float32']:>8} {shown['peer']:>8} {shown['ahead']:>6} {shown['bound']:>8} "
              f"{shown['of_bound']:>6}  {verdict or '-':28} [{bars}] {shown['peer_name']}; {bound_name}; {note}"
              + (f"; busy {shown['busy']} s, peer {shown['busy_peer'] or '-'} s, {shown['of_fair']} of the fair share" if busy[0] else ""), flush=True)
        if self.path:
            with open(self.path, "a", newline="") as file:
                csv.writer(file).writerow(line)


def head():
    print(f"{'work':26} {'size':>22} {'ours':>8} {'float32':>8} {'peer':>8} {'ahead':>6} {'bound':>8} {'of it':>6}  verdict", flush=True)


def same_span(a, b):
    """Sine of the largest angle between the spans of rows."""
    import numpy as np
    qa, qb = np.linalg.qr(a.T)[0], np.linalg.qr(b.T)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def regression_data(n, d, q):
    import numpy as np
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, d)) * np.linspace(3, 0.2, d) + rng.standard_normal(d)
    y = x[:, :q] + x[:, q:2 * q] * 0.5 + rng.standard_normal((n, q))
    return x, np.ascontiguousarray(y)


def class_data(n, d, classes, seed, shift=2.0):
    """The same X with the mean of each class moved along a column of its own."""
    import numpy as np
    x, _ = regression_data(n, d, 1)
    codes = np.random.default_rng(seed).integers(0, classes, n).astype(np.int32)
    x[np.arange(n), codes] += shift
    return x, codes


def parity_data(n, d):
    import numpy as np
    rng = np.random.default_rng(1)
    x = rng.random((n, d))
    return x, (np.sin(2 * np.pi * x[:, :1]) * np.sin(2 * np.pi * x[:, 1:2]) + 0.1 * rng.standard_normal((n, 1)))


def status_field(name):
    with open("/proc/self/status") as file:
        return next(float(line.split()[1]) / 1e3 for line in file if line.startswith(name))


def resident():
    return status_field("VmRSS")


def peak():
    return status_field("VmHWM")


def reset_peak():
    """Begins to look for a peak anew; what malloc keeps of memory that was given back is not to hide what comes."""
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return resident()


def peak_of(library, threads, what, *arguments):
    """The growth of resident memory at its peak, in MB, of a task in a process of its own; None where the system does not tell it."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), library, str(threads), what, *map(str, arguments)],
                          check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"{what}: memory not measured: {(done.stderr.strip().splitlines() or ['failed'])[-1]}", flush=True)
        return None
    return float(done.stdout.split()[-1])


def peak_task(library, threads, what, *arguments):
    """Runs in that process: reading a file, streaming it, or a fit of 20000 x 500 after a small one."""
    from alidade_ctypes import Alidade
    ald = Alidade(library, int(threads))
    if what in ("load", "stream"):
        before = resident()
        if what == "load":
            ald.load(arguments[0])
        else:
            ald.fit_stream("lda", {"n_components": 2}, arguments[0], "100")
    else:
        x, y = regression_data(*map(int, arguments), 1)
        ald.fit(what, {"n_components": 2}, x[:600, :30].copy(), y[:600])
        before = reset_peak()
        ald.fit(what, {"n_components": 10}, x, y)
    print(peak() - before)


OLD_CORES = ("Prescott", "Core2", "Nehalem", "Penryn", "Katmai", "Barcelona", "Atom")


def take_fast_kernels(library):
    """Debian's OpenBLAS takes kernels from before AVX where it does not know the processor; it is told before it begins, as `alidade`
    does by itself. What processes that are started from here take is meant."""
    if "OPENBLAS_CORETYPE" in os.environ:
        return
    ask = "import ctypes as c, sys; b = c.CDLL(sys.argv[1]); b.openblas_get_corename.restype = c.c_char_p; print(b.openblas_get_corename().decode())"
    core = subprocess.run([sys.executable, "-c", ask, os.path.abspath(library)], check=True, capture_output=True, text=True).stdout.strip()
    with open("/proc/cpuinfo") as file:
        flags = file.read()
    if core in OLD_CORES and "avx2" in flags:
        os.environ["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512vl" in flags else "Haswell"


if __name__ == "__main__":
    peak_task(*sys.argv[1:])
