"""Devices: which one a call computes on, and arrays that live on a card, which the library takes as they are: those with
`__cuda_array_interface__` (PyTorch, CuPy, Numba, JAX), or with DLPack alone."""
from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np

from alidade import _core

CUDA, DEFAULT_STREAM = 2, 1  # numbers of DLPack


@contextmanager
def on(name):
    """Calls of this thread compute on the device of that name meanwhile."""
    if name == "cpu":
        yield
        return
    if not isinstance(name, str):
        raise TypeError(f"`device` is the text cpu, cuda, cuda:N or auto, not {name!r}")
    before = _core.use_device(name)
    try:
        yield
    finally:
        _core.use_device(before)


def call(name, function, *arguments):
    """The function, computing on that device."""
    with on(name):
        return function(*arguments)


def _dlpack_number(X):
    """The number of the card that X is on, by DLPack; None: on none, or it does not say."""
    try:
        kind, number = X.__dlpack_device__()
    except Exception:  # of types, devices and shards that its library does not hand out
        return None
    return int(number) if int(kind) == CUDA else None


def lives_there(X):
    """Whether it is an array in the memory of a card."""
    return type(X) is not np.ndarray and (hasattr(X, "__cuda_array_interface__") or _dlpack_number(X) is not None)


def name_for(asked, X):
    """The device asked for; for an array on a card that card, where none is."""
    if asked != "cpu" or not lives_there(X):
        return asked
    number = _dlpack_number(X)
    if number is None:
        device = getattr(X, "device", None)
        number = getattr(device, "index", None)
        number = getattr(device, "id", 0) if not isinstance(number, int) else number
    return f"cuda:{number}"


def _capsule(X):
    """X by DLPack, of the version that its library has; work on the default stream comes after what X waits for."""
    try:
        return X.__dlpack__(stream=DEFAULT_STREAM, max_version=(1, 0))
    except TypeError:  # libraries from before version 1.0 of the protocol
        return X.__dlpack__(stream=DEFAULT_STREAM)


def _described(X):
    """(shape, strides in bytes or None, type, address, what keeps it alive)."""
    if not hasattr(X, "__cuda_array_interface__"):
        capsule = _capsule(X)
        shape, strides, typestr, address = _core.dlpack(capsule)
        size = np.dtype(typestr).itemsize
        return shape, strides and tuple(size * stride for stride in strides), np.dtype(typestr), address, capsule
    facts = X.__cuda_array_interface__
    dtype = np.dtype(facts["typestr"])
    if dtype not in (np.dtype("<f8"), np.dtype("<f4")) or facts.get("mask") is not None:
        raise ValueError(f"an array on a device has numbers of type {dtype}; float64 or float32 without a mask is expected")
    return tuple(facts["shape"]), facts.get("strides"), dtype, facts["data"][0], X


def matrix(X):
    """(what the library takes, its shape, its type) of an array on a card."""
    shape, strides, dtype, address, owner = _described(X)
    if len(shape) != 2:
        raise ValueError(f"Expected 2D array, got {len(shape)}D array instead: an array on a device has rows and columns.")
    strides = strides or (shape[1] * dtype.itemsize, dtype.itemsize)
    if any(stride % dtype.itemsize for stride in strides):
        raise ValueError("an array on a device: its strides are no whole numbers of entries")
    given = ("device", shape[0], shape[1], address, strides[0] // dtype.itemsize, strides[1] // dtype.itemsize, dtype.char,
             owner)
    return given, shape, dtype


def empty_like(X, shape):
    """An array on the same card, of the same library and type; None where it makes none that can be written."""
    if hasattr(X, "new_empty"):
        return X.new_empty(shape)
    cupy = sys.modules.get("cupy")
    if cupy is None or not isinstance(X, cupy.ndarray):
        return None
    with X.device:
        return cupy.empty(shape, dtype=X.dtype)


def _from_tensor(values):
    """Into memory of numpy, whose large pages take half the time of PyTorch's own."""
    torch = sys.modules["torch"]
    host = torch.from_numpy(np.empty(tuple(values.shape), dtype=str(values.dtype).rpartition(".")[2]))
    return host.copy_(values).numpy()


def to_host(values):
    """An array on a card as one of numpy's; anything else as it is."""
    if not lives_there(values):
        return values
    if hasattr(values, "cpu") and "torch" in sys.modules:
        return _from_tensor(values.detach())
    return values.get() if hasattr(values, "get") else np.asarray(values)
