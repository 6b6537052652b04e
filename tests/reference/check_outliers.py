#!/usr/bin/env python3
"""check_outliers ALIDADE: Hotelling's T^2 and the residual Q of rows, and their limits, against numpy and scipy, from the
definitions; through the shared library beside the executable."""
import ctypes as c
import os
import sys

import numpy as np
from scipy import stats

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(root, "bench"))
from alidade_ctypes import Error, Matrix, Target, view  # noqa: E402

library = os.path.join(os.path.dirname(sys.argv[1]), "libalidade.so")
if not os.path.exists(library):
    print(f"{library} is not there")
    sys.exit(77)
with open(library, "rb") as file:
    if b"__asan_init" in file.read():
        print("the address sanitizer must be there before Python")
        sys.exit(77)
lib = c.CDLL(library)


class Limits(c.Structure):
    _fields_ = [("size", c.c_size_t)] + [(name, c.c_double) for name in ("t2_95", "t2_99", "q_95", "q_99")]


class Array(c.Structure):
    _fields_ = [("name", c.c_char_p), ("type", c.c_int), ("dims", c.c_int), ("shape", c.c_int64 * 4), ("data", c.c_void_p)]


def call(name, *arguments):
    error = Error()
    status = getattr(lib, name)(*arguments, c.byref(error))
    if status < 0:
        raise SystemExit(f"{name}: {error.message.decode()}")


def array(model, name):
    found = Array()
    assert lib.ald_model_array(model, name.encode(), c.byref(found)), name
    shape = tuple(found.shape[: found.dims])
    return np.ctypeslib.as_array(c.cast(found.data, c.POINTER(c.c_double)), shape).copy()


def fit(context, method, settings, x, y, weights):
    handle, model = c.c_void_p(), c.c_void_p()
    call("ald_settings_new", context, method.encode(), c.byref(handle))
    for key, value in dict(settings, outlier_limits=1).items():
        call("ald_settings_set_text", handle, key.encode(), str(value).encode())
    target = Target(kind=2, rows=len(x), values=view(y), weights=weights.ctypes.data if weights is not None else None)
    call("ald_fit", context, handle, c.byref(view(x)), c.byref(target), c.byref(model))
    lib.ald_settings_free(handle)
    return model


def outliers(context, model, x):
    t2, q, limits = np.empty(len(x)), np.empty(len(x)), Limits(size=c.sizeof(Limits))
    call("ald_outliers", context, model, c.byref(view(x)), c.c_void_p(t2.ctypes.data), c.c_void_p(q.ctypes.data),
         c.byref(limits))
    return t2, q, limits


def expected(train, rows, components, w):
    """From prepared rows: T^2 and Q of `rows` and the four limits."""
    n, k = w.sum(), len(components)
    scores, new = train @ components.T, rows @ components.T
    mean = w @ scores / n
    about = scores - mean
    covariance = (about * w[:, None]).T @ about / (n - 1)
    root = np.sqrt(w)[:, None]
    loadings = np.linalg.lstsq(root * scores, root * train, rcond=None)[0]
    t2 = np.einsum("ij,jk,ik->i", new - mean, np.linalg.inv(covariance), new - mean)
    residual = lambda z, t: ((z - t @ loadings) ** 2).sum(axis=1)
    fitted = residual(train, scores)
    a = w @ fitted / n
    v = w @ (fitted - a) ** 2 / (n - 1)
    limits = [k * (n * n - 1) / (n * (n - k)) * stats.f.ppf(p, k, n - k) for p in (0.95, 0.99)]
    limits += [v / (2 * a) * stats.chi2.ppf(p, 2 * a * a / v) for p in (0.95, 0.99)]
    return t2, residual(rows, new), limits


def check(context, method, settings, weighted):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 7)) @ rng.normal(size=(7, 7)) + 3.0
    y = (x[:, :1] - x[:, 1:2] + rng.normal(size=(60, 1))).copy()
    rows = x[:20] + rng.normal(size=(20, 7))
    weights = rng.uniform(0.2, 2.0, size=60) if weighted else None
    model = fit(context, method, settings, x, y, weights)
    t2, q, limits = outliers(context, model, rows)
    mean, components = array(model, "mean"), array(model, "components")
    scale = array(model, "scale") if settings.get("scale") else np.ones(7)
    w = weights if weighted else np.ones(60)
    want = expected((x - mean) / scale, (rows - mean) / scale, components, w)
    found = [limits.t2_95, limits.t2_99, limits.q_95, limits.q_99]
    for name, one, two in (("T2", t2, want[0]), ("Q", q, want[1]), ("limits", found, want[2])):
        worst = np.max(np.abs(np.asarray(one) - two) / np.max(np.abs(two)))
        print(f"{method} {settings} weighted={weighted} {name}: {worst:.1e}")
        assert worst < 1e-9, (one, two)
    lib.ald_model_free(model)


lib.ald_model_free.argtypes = lib.ald_settings_free.argtypes = [c.c_void_p]
context = c.c_void_p()
call("ald_context_new", None, c.byref(context))
for weighted in (False, True):
    check(context, "pca", {"n_components": 3}, weighted)
    check(context, "pls", {"n_components": 3, "scale": "standard"}, weighted)
check(context, "sir", {"n_components": 2, "n_slices": 6}, False)
check(context, "opls", {"n_components": 1, "ridge": 0.5}, False)
lib.ald_context_free.argtypes = [c.c_void_p]
lib.ald_context_free(context)
print("T^2, Q and their limits are as numpy and scipy have them")
