"""beside_processor.py equal | tensors | times ROWS: fits on a card through the Python package, beside the processor.

equal     every method, X in double and in single precision: scores on the card and on the processor, relative to the
          largest, and the bytes of two fits on the card. More than 1e-9 (double) or 1e-4 (single) fails, unless the
          processor's own scores move by a tenth of it or more where X changes in its last digit: searches that end at
          another place then have no nine digits to compare. Both figures are printed.
tensors   PyTorch's (also by DLPack alone, by columns, every second row, single precision, at an odd address), CuPy's
          and JAX's arrays where they are
times     kdr, compare and rsir from memory, pca and lda beside scikit-learn, and fits of 10^6 x 1000 that are PyTorch's, beside
          covariance and eigh of PyTorch and of CuPy

Ends with the number of failures. ON_STAND_IN set: small sizes, and no large eigenproblems, which that card does not have.
"""
import os
import sys
import time
import warnings

import numpy as np

import alidade
from alidade import _core
from alidade._names import CLASSES

warnings.simplefilter("ignore")
SMALL = bool(os.environ.get("ON_STAND_IN"))
SECONDS = 190  # of all methods
BARS = {"double": (np.float64, 1e-9), "single": (np.float32, 1e-4)}
OF_CLASSES = {"LDA", "CFML", "KFDA", "NCA", "LFDA", "SAVE", "DR", "HSL", "OPLS"}
random = np.random.default_rng(5)


def data(n, d):
    """X of three factors and noise, a number, three classes of it, and three responses."""
    factors = random.normal(size=(n, 3))
    x = random.normal(size=(n, d)) + factors @ random.normal(size=(3, d)) * 2 + 0.3
    y = factors[:, 0] - 2 * factors[:, 1] + 0.1 * random.normal(size=n)
    several = np.column_stack([y, factors[:, 1] + 0.1 * random.normal(size=n), factors[:, 2]])
    return x, y, np.digitize(y, [-1.5, 1.5]), several


def apart(a, b):
    return float(np.abs(a - b).max() / np.abs(a).max())


def fitted(name, x, target, device, **more):
    return getattr(alidade, name)(n_components=2, device=device, **more).fit(x, target)


def first(name, x, targets):
    """The first target that the method takes, and the fit of it on the processor."""
    _, y, classes, several = targets
    for target in (classes, y, several) if name.endswith("Classifier") or name in OF_CLASSES else (y, classes, several):
        try:
            return target, fitted(name, x, target, "cpu")
        except (ValueError, TypeError):
            continue
    return None, None


def scores(model, x):
    try:
        return model.transform(x)
    except (AttributeError, ValueError):
        return model.embedding_


def rounding(name, x, target, ours):
    """How far the processor's own scores move where X changes in its last digit: the most of five changes."""
    changes = (1 + 2 * np.finfo(x.dtype).eps * np.sign(random.normal(size=x.shape)) for _ in range(5))
    return max(apart(ours, scores(fitted(name, (x * c).astype(x.dtype), target, "cpu"), x)) for c in changes)


def beside(name, x, targets, bar):
    """A line about the method, and whether it is equal; None: it does not take such data."""
    target, here = first(name, x, targets)
    if here is None:
        return None
    there, again = (fitted(name, x, target, "cuda") for _ in range(2))
    ours = scores(here, x)
    off, same = apart(ours, scores(there, x)), _core.to_bytes(there.model_) == _core.to_bytes(again.model_)
    moved = rounding(name, x, target, ours) if off > bar else None
    where = _core.text(there.model_, "alidade.resolved.device") or "processor"
    line = f"{off:.1e} apart, {'the same' if same else 'OTHER'} bytes twice, {where}"
    return line + ("" if moved is None else f"; the processor by {moved:.1e} for X changed by rounding"), same and (
        off <= bar or off <= 10 * moved)


def every_method(precision, began):
    """Number of failures over all methods."""
    kind, bar = BARS[precision]
    x, *rest = data(400, 20)
    targets, bad, seen, late = (x, *rest), 0, 0, []
    for name in [n for n in CLASSES if not (n.endswith("Classifier") and n[:-10] in CLASSES)]:
        if time.time() - began > SECONDS:
            late.append(name)
            continue
        try:
            found = beside(name, x.astype(kind), targets, bar)
        except Exception as error:  # whatever it is, it is a failure of this method
            found = f"{error}", False
        if found:
            seen += 1
            bad += not found[1]
            print(("" if found[1] else "  FAILED ") + f"{precision} {name}: {found[0]}", flush=True)
        else:
            print(f"  {precision} {name} takes none of these targets")
    print(f"  {precision}: {seen} methods, {bad} failures; no time for {len(late)} {' '.join(late)}")
    return bad + len(late)


def large_eigenproblems():
    x, _, classes, several = data(2500, 1100)
    bad = 0
    for name, more in (("PCA", {"solver": "direct"}), ("LDA", {}), ("CCA", {}), ("KPCA", {"solver": "direct"})):
        here, there = (fitted(name, x, classes if name == "LDA" else several, device, **more) for device in ("cpu", "cuda"))
        off = apart(here.transform(x), there.transform(x))
        bad += not off <= 1e-9
        print(f"  {name} 2500 x 1100: {off:.1e} apart{'' if off <= 1e-9 else ' FAILED'}")
    return bad


def equal():
    began = time.time()
    return sum(every_method(precision, began) for precision in BARS) + (0 if SMALL else large_eigenproblems())


class Packed:
    """An array that describes itself by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)


def forms(torch, x):
    """The same rows as tensors that lie differently, and how near their results must be."""
    tensor = torch.tensor(x, device="cuda")
    odd = torch.empty(1 + x.size, dtype=torch.float64, device="cuda")[1:].view(*x.shape)  # 8 bytes beside a pair
    odd.copy_(tensor)
    return {"a tensor": (tensor, 1e-9), "DLPack": (Packed(tensor), 1e-9), "single": (tensor.float(), 1e-4),
            "by columns": (torch.tensor(x.T.copy(), device="cuda").T, 1e-9), "at an odd address": (odd, 1e-9),
            "every second row": (torch.tensor(np.repeat(x, 2, axis=0), device="cuda")[::2], 1e-9)}


def tensors_of_torch():
    try:
        import torch
    except ImportError:
        print("  torch: absent")
        return 0
    x, y, classes, several = data(20000, 50)
    bad = 0
    for name, target in (("PCA", several), ("PLS", several), ("LDA", classes), ("CCA", several), ("SDPP", y), ("KPCA", several)):
        n = 2000 if name in ("SDPP", "KPCA") else len(x)
        want = fitted(name, x[:n], target[:n], "cpu").transform(x[:n])
        for what, (given, bar) in forms(torch, x[:n]).items():
            found = fitted(name, given, torch.tensor(target[:n], device="cuda"), "cpu").transform(given)
            off = apart(want, found.cpu().numpy() if hasattr(found, "cpu") else found)
            bad += not off <= bar
            print(f"  {name} {what}: {off:.1e} apart, transform gives {type(found).__name__}{'' if off <= bar else ' FAILED'}")
    try:
        alidade.PCA(n_components=2).fit(torch.ones((30, 4), device="cuda", dtype=torch.int64))
        print("  whole numbers: FAILED, they were taken")
        return bad + 1
    except (ValueError, TypeError) as error:
        print(f"  whole numbers are refused: {error}"[:110])
    return bad


def arrays_of(module):
    x = data(20000, 50)[0]
    try:
        library = __import__(module)
    except ImportError:
        print(f"  {module}: absent")
        return 0
    array = library.numpy.asarray(x) if module == "jax" else library.asarray(x)
    wanted, found = (alidade.PCA(n_components=2).fit(a).components_ for a in (x, array))
    off = apart(wanted, found)
    print(f"  {module}: {off:.1e} apart{'' if off <= 1e-4 else ' FAILED'}")  # JAX's are single by default
    return not off <= 1e-4


def tensors():
    return tensors_of_torch() + arrays_of("cupy") + arrays_of("jax")


def best(what, call, times=3):
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - began)
    print(f"{what}: {min(seconds):.3f} s", flush=True)


def covariance_of_cupy(tensor):
    try:
        import cupy
    except ImportError:
        return
    x = cupy.from_dlpack(tensor)

    def by_hand():
        centred = x - x.mean(0)
        cupy.linalg.eigh(centred.T @ centred)
        cupy.cuda.get_current_stream().synchronize()

    best("CuPy's covariance and eigh of it", by_hand)


def times_beside_sklearn(x, classes):
    try:
        from sklearn.decomposition import PCA
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    except ImportError:
        return
    shape = f"{len(x)} x {x.shape[1]} in memory"
    best(f"PCA of {shape}", lambda: alidade.PCA(n_components=5, predictor="none", device="cuda").fit(x))
    best("scikit-learn's", lambda: PCA(5, svd_solver="covariance_eigh").fit(x), 2)
    best(f"LDA of {shape}", lambda: alidade.LDA(n_components=2, predictor="none", device="cuda").fit(x, classes))
    best("scikit-learn's", lambda: LinearDiscriminantAnalysis(n_components=2).fit(x, classes), 1)


def times_on_card(torch):
    n = 10**6
    x, y = (torch.randn((n, k), dtype=torch.float64, device="cuda") for k in (1000, 10))

    def by_hand():
        centred = x - x.mean(0)
        torch.linalg.eigh(centred.T @ centred)
        torch.cuda.synchronize()

    best(f"PyTorch's covariance and eigh, {n} x 1000", by_hand)
    covariance_of_cupy(x)
    best("PCA of that tensor", lambda: alidade.PCA(n_components=5, predictor="none").fit(x))
    best("PLS of that tensor", lambda: alidade.PLS(n_components=10, predictor="none").fit(x, y))
    best("CCA of that tensor", lambda: alidade.CCA(n_components=5, predictor="none").fit(x, y))
    classes = torch.randint(0, 100, (n,), device="cuda")
    best("LDA of that tensor", lambda: alidade.LDA(n_components=5, predictor="none").fit(x, classes))
    model = alidade.PCA(n_components=5, predictor="none").fit(x)
    best("transform of that tensor", lambda: model.transform(x))


def times():
    rows = int(sys.argv[2])
    x, y, *_ = data(200 if SMALL else 2000, 10)
    best(f"kdr rank=0, 50 stages, 6 starts, {len(x)} x 10",
         lambda: alidade.KDR(n_components=2, rank=0, n_stages=50, n_starts=6, device="cuda").fit(x, y), 2)
    wide, number, classes, _ = data(rows, 20 if SMALL else 500)
    narrow = wide[:, :50]
    times_beside_sklearn(wide, classes)
    best(f"compare pca,pls,lda over 10 splits of {rows} x {wide.shape[1]}",
         lambda: alidade.compare(wide, y=classes.astype(str), methods="pca,pls,lda", splits=10, device="cuda"), 2)
    best(f"rsir {rows} x {narrow.shape[1]}", lambda: alidade.RSIR(n_components=2, device="cuda").fit(narrow, number), 2)
    try:
        import torch
    except ImportError:
        return 0
    times_on_card(torch)
    return 0


if __name__ == "__main__":
    sys.exit(min(100, {"equal": equal, "tensors": tensors, "times": times}[sys.argv[1]]()))
