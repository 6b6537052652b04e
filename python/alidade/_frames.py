"""Data frames of any library, by the protocols that they offer: Arrow's C stream (`__arrow_c_stream__`, as of polars, pyarrow,
duckdb) or the interchange protocol (`__dataframe__`). pandas has a way of its own (_columns.py).

Numbers become vectors of their type, with NaN in float64 where cells are missing; texts and categories objects, with None;
dates datetime64."""
from __future__ import annotations

import numpy as np

from alidade._validate import refuse_twice

NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4",
           "g": "f8"}
UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


class Frame(dict):
    """Columns by name, in order. It looks enough like a data frame for the estimators: names, types, an array."""

    @property
    def columns(self):
        return list(self)

    @property
    def dtypes(self):
        return [values.dtype for values in self.values()]

    @property
    def shape(self):
        return len(next(iter(self.values()), ())), len(self)

    def __array__(self, dtype=None, copy=None):
        made = np.column_stack(list(self.values())) if self else np.empty((0, 0))
        return made if dtype is None else made.astype(dtype)


def offers(data):
    """Whether it is a frame, or a column, by one of the protocols and not pandas'."""
    return not isinstance(data, (np.ndarray, dict)) and not hasattr(data, "iloc") and (
        hasattr(data, "__arrow_c_stream__") or hasattr(data, "__dataframe__"))


def taken(data):
    """A Frame of what offers one, a vector of a single column; anything else as it is."""
    if not offers(data):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        from alidade._arrow import columns
    else:
        from alidade._interchange import columns
    names, vectors = columns(data)
    if names is None:
        return vectors[0]
    refuse_twice(names)
    return Frame(zip(names, vectors))


# -- memory ------------------------------------------------------------------------------------------------------------
def vector(address, kind, first, count):
    """A copy of `count` numbers of this type in memory, behind `first` others."""
    import ctypes
    if not count:
        return np.empty(0, dtype=kind)
    size = np.dtype(kind).itemsize
    block = (ctypes.c_char * (size * count)).from_address(address + size * first)
    return np.frombuffer(block, dtype=kind).copy()


def bits(address, first, count):
    """Bits, the lowest of a byte first, as booleans."""
    whole = vector(address, "u1", first // 8, (first % 8 + count + 7) // 8)
    return np.unpackbits(whole, bitorder="little")[first % 8:first % 8 + count].astype(bool)


def with_missing(values, present):
    """Numbers with NaN, dates with NaT, other cells with None where nothing is present; `present` None: all are."""
    if present is None or present.all():
        return values
    if values.dtype.kind in "iuf":
        return np.where(present, values.astype(np.float64), np.nan)
    if values.dtype.kind == "M":
        return np.where(present, values, np.datetime64("NaT"))
    return np.where(present, values.astype(object), None)


def texts(offsets, address, present):
    """Texts between the offsets."""
    data = vector(address, "u1", 0, int(offsets[-1])).tobytes() if len(offsets) else b""
    found = np.empty(len(offsets) - 1, dtype=object)
    found[:] = [data[a:b].decode("utf-8", "replace") for a, b in zip(offsets[:-1], offsets[1:])]
    return with_missing(found, present)


def decoded(codes, levels):
    """Levels by their codes; a code below 0 or NaN is no cell."""
    there = ~np.isnan(codes) & (codes >= 0) if codes.dtype.kind == "f" else codes >= 0
    cells = np.full(len(codes), None, dtype=object)
    cells[there] = np.asarray(levels, dtype=object)[codes[there].astype(np.intp)]
    return cells


def joined(parts):
    """One vector of the parts of a column; numbers that lack cells in one part are floats in all."""
    return np.concatenate(parts) if len(parts) != 1 else parts[0]


def times(numbers, kind):
    """Dates of numbers by Arrow's words for them: tdD days, tdm and ts?: since 1970."""
    unit = "D" if kind == "tdD" else UNITS[kind[2]]
    return numbers.astype(np.int64).astype(f"datetime64[{unit}]")
