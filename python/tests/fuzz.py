#!/usr/bin/env python3
"""fuzz.py [CALLS] [SEED]: calls of the package with arguments that are wrong in every way: types, shapes, NaN, strides,
objects, closed buffers, huge numbers. Exceptions are fine; anything else is not. A call that ends the process is found
by the tests, as this is run as a process of its own, once under the address sanitizer:

    LD_PRELOAD=$(cc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=... python3 fuzz.py 2000
"""
import gc
import mmap
import sys
import warnings

import numpy as np

import alidade
from alidade import _core
from alidade._names import CLASSES

SLOW = {"KDR", "MKDR", "CMVU", "KSDPP", "GKDR"}
NAMES = sorted(set(CLASSES) - SLOW)


def closed_map():
    block = mmap.mmap(-1, 4096)
    block.close()
    return block


def closed_view():
    view = memoryview(np.ones((3, 3)))
    view.release()
    return view


class Liar:
    """Says that it is an array, and is none."""
    shape, dtype, ndim = (3, 3), np.dtype(float), 2

    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array after all")


class LyingSparse:
    """Looks like a sparse matrix of scipy's; its vectors do not fit."""
    format, dtype, nnz, has_canonical_format = "csr", np.dtype(float), 3, True

    def __init__(self, shape, indptr, indices, data):
        self.shape, self.indptr, self.indices, self.data = shape, indptr, indices, data

    def tocsr(self):
        return self


def lying_sparse(rng):
    pointers = rng.integers(-3, 9, size=rng.integers(0, 8)).astype(rng.choice([np.int32, np.int64]))
    indices = rng.integers(-3, 9, size=rng.integers(0, 8)).astype(pointers.dtype if rng.random() < 0.8 else np.int16)
    data = rng.normal(size=len(indices) if rng.random() < 0.7 else rng.integers(0, 8))
    return LyingSparse((int(rng.integers(-2, 9)), int(rng.integers(-2, 9))), pointers, indices, data)


def array(rng):
    """An array of some shape, type and order, with values that are sometimes none."""
    shape = tuple(int(rng.choice([0, 1, 2, 3, 12, 30])) for _ in range(rng.choice([0, 1, 2, 2, 2, 2, 3])))
    values = rng.normal(size=shape) * rng.choice([1.0, 1e-300, 1e300, 1e5])
    if values.size and rng.random() < 0.3:
        values.flat[rng.integers(values.size)] = rng.choice([np.nan, np.inf, -np.inf, 0.0])
    kind = rng.choice(["f8", "f4", "f2", ">f8", "i4", "u1", "c16", "O", "U", "M8[D]", "?", "f8", "f8"])
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = values.astype(kind)
        except (ValueError, TypeError):
            pass
    return rng.choice([lambda v: v, np.asfortranarray, lambda v: v[::-1], lambda v: v.T, lambda v: v[..., ::2],
                       lambda v: np.broadcast_to(v, (3, *v.shape)), lambda v: np.lib.stride_tricks.as_strided(
                           v, strides=tuple(0 for _ in v.shape))])(values) if values.ndim else values


ODDITIES = [None, 0, -1, 2 ** 70, 1e308, float("nan"), "text", b"bytes", [], [[]], [[1, 2], [3]], {}, {"a": 1}, object(),
            Liar(), np.matrix("1 2; 3 4"), range(5), bytearray(24), np.array(3.0), (), ("csr",), ("csr", 3, 3, 1, 2, 3)]


def thing(rng):
    """Anything at all."""
    choice = rng.random()
    if choice < 0.55:
        return array(rng)
    if choice < 0.65:
        return lying_sparse(rng)
    if choice < 0.7:
        return closed_map() if rng.random() < 0.5 else closed_view()
    return ODDITIES[rng.integers(len(ODDITIES))]


def fair(rng):
    rows = int(rng.choice([5, 20, 40]))
    X = rng.normal(size=(rows, 4))
    return X, rng.choice([lambda: X[:, 0] + X[:, 1] ** 2, lambda: (X[:, 0] > 0) * 1, lambda: (X[:, :3] > 0) * 1])()


def call_estimator(rng):
    cls = getattr(alidade, str(rng.choice(NAMES)))
    parameters = {}
    for name in cls().get_params():
        if name not in ("progress", "max_iter", "n_starts", "landmarks", "features") and rng.random() < 0.015:
            parameters[name] = rng.choice([None, -1, 0, 3, 2 ** 65, 0.5, float("nan"), "word", True, object()])
    X, y = fair(rng)
    X = thing(rng) if rng.random() < 0.35 else X
    y = thing(rng) if rng.random() < 0.25 else y
    extra = {"sample_weight": thing(rng)} if cls._can.weights and rng.random() < 0.15 else {}
    if cls._can.graph and rng.random() < 0.3:
        extra["graph" if rng.random() < 0.5 else "target_distances"] = thing(rng)
    for name in ("response_kernel", "start"):
        if getattr(cls._can, name) and rng.random() < 0.3:
            extra[name] = thing(rng)
    ours = cls(**parameters).fit(X, y, **extra)
    for use in ("transform", "predict", "predict_proba", "inverse_transform"):
        if hasattr(ours, use) and rng.random() < 0.6:
            getattr(ours, use)(thing(rng) if rng.random() < 0.2 else X)


def call_core(rng):
    """The extension itself, past all that Python checks."""
    model = _core.fit("pca", {}, {"x": rng.normal(size=(12, 3))}, 1, None)
    name = str(rng.choice(["fit", "transform", "scores", "decide", "array", "texts", "text", "prediction_shape", "load",
                           "coefficients", "from_bytes", "to_bytes", "predictor_gives", "inputs"]))
    if name == "inputs":
        keys = ["x", "kind", "y", "n_classes", "labelled", "weights", "names", "graph", "target_distances",
                "response_kernel", "start", "feature_names", "row_names", "target_name", "nonsense"]
        given = {key: thing(rng) for key in keys if rng.random() < 0.15}
        given.setdefault("x", rng.normal(size=(12, 3)))
        if rng.random() < 0.5:
            given["kind"] = str(rng.choice(["classes", "real", "labels", "none"]))
        return _core.fit(str(rng.choice(["pls", "lda", "sdpp", "kpca", "hsl"])), {}, given, 1, None)
    arguments = [thing(rng) for _ in range(rng.integers(0, 6))]
    if arguments and rng.random() < 0.8:
        arguments[0] = model
    if name in ("transform", "scores") and rng.random() < 0.8:
        arguments = [model, thing(rng), np.empty((int(rng.choice([1, 3, 12])), 2)), 1, None]
    if name == "from_bytes" and rng.random() < 0.7:
        data = bytearray(_core.to_bytes(model))
        data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        arguments = [data[:rng.integers(len(data) + 1)] if rng.random() < 0.3 else data]
    return getattr(_core, name)(*arguments)


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    done, refused = 0, {}
    for number in range(calls):
        try:
            (call_core if number % 3 == 0 else call_estimator)(rng)
            done += 1
        except Exception as error:
            refused[type(error).__name__] = refused.get(type(error).__name__, 0) + 1
        if number % 200 == 0:
            gc.collect()
    print(f"{calls} calls: {done} done, refused: {refused}")
    return 1 if "SystemError" in refused else 0


if __name__ == "__main__":
    sys.exit(main())
