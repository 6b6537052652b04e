"""Devices: which one a call computes on, and arrays that live on a card (`__cuda_array_interface__`: PyTorch, CuPy, JAX,
Numba), which the library takes as they are."""
from __future__ import annotations

import sys

import numpy as np

from alidade import _core


def call(name, function, *arguments):
    """The function, computing on the device of that name."""
    if name == "cpu":
        return function(*arguments)
    if not isinstance(name, str):
        raise TypeError(f"`device` is the text cpu, cuda, cuda:N or auto, not {name!r}")
    before = _core.use_device(name)
    try:
        return function(*arguments)
    finally:
        _core.use_device(before)


def lives_there(X):
    """Whether it is an array in the memory of a card."""
    return type(X) is not np.ndarray and hasattr(X, "__cuda_array_interface__")


def name_for(asked, X):
    """The device asked for; for an array on a card that card, where none is."""
    if asked != "cpu" or not lives_there(X):
        return asked
    device = getattr(X, "device", None)
    number = getattr(device, "index", None)
    number = getattr(device, "id", 0) if not isinstance(number, int) else number
    return f"cuda:{number}"


def matrix(X, what="X"):
    """(what the library takes, its shape, its type) of an array on a card."""
    facts = X.__cuda_array_interface__
    shape, dtype = tuple(facts["shape"]), np.dtype(facts["typestr"])
    if len(shape) != 2:
        raise ValueError(f"Expected 2D array, got {len(shape)}D array instead: {what} on a device has rows and columns.")
    if dtype not in (np.dtype("<f8"), np.dtype("<f4")) or facts.get("mask") is not None:
        raise ValueError(f"{what} on a device has numbers of type {dtype}; float64 or float32 without a mask is expected")
    strides = facts.get("strides") or (shape[1] * dtype.itemsize, dtype.itemsize)
    if any(stride % dtype.itemsize for stride in strides):
        raise ValueError(f"{what} on a device: its strides are no whole numbers of entries")
    given = ("device", shape[0], shape[1], facts["data"][0], strides[0] // dtype.itemsize,
             strides[1] // dtype.itemsize, dtype.char)
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


def to_host(values):
    """An array on a card as one of numpy's; anything else as it is."""
    if not lives_there(values):
        return values
    if hasattr(values, "cpu"):
        return values.detach().cpu().numpy()
    return values.get() if hasattr(values, "get") else np.asarray(values)
