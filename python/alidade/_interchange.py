"""Columns of a frame by the interchange protocol (https://data-apis.org/dataframe-protocol)."""
from __future__ import annotations

import numpy as np

from alidade._frames import bits, decoded, joined, texts, times, vector, with_missing

LETTERS = {0: "i", 1: "u", 2: "f"}
BOOLEAN, TEXT, DATE, CATEGORY = 20, 21, 22, 23
NO_NULLS, NAN, SENTINEL, BITS, BYTES = range(5)


def columns(data):
    """(names, vectors)."""
    frame = data.__dataframe__(allow_copy=True)
    names = [str(name) for name in frame.column_names()]
    return names, [joined([_column(part, name) for part in frame.get_column(j).get_chunks()])
                   for j, name in enumerate(names)]


def _number(column):
    """A method in some libraries, a property in others."""
    size = column.size
    return int(size() if callable(size) else size)


def _buffer(buffers, name, first, count):
    """A vector of a buffer of numbers, or of booleans in bits or bytes."""
    memory, (kind, width, _, _) = buffers[name]
    if width == 1:
        return bits(memory.ptr, first, count)
    return vector(memory.ptr, f"{'u' if kind == BOOLEAN else LETTERS.get(kind, 'i')}{width // 8}", first, count)


def _present(column, buffers, values):
    """Which cells are there; None: all."""
    how, value = column.describe_null
    if how == SENTINEL:
        return values != value
    if how not in (BITS, BYTES) or buffers["validity"] is None:
        return None
    return _buffer(buffers, "validity", column.offset, _number(column)).astype(bool) != bool(value)


def _column(column, name):
    kind, width, word, _ = column.dtype
    buffers, first, count = column.get_buffers(), column.offset, _number(column)
    if kind in (*LETTERS, BOOLEAN):
        values = _buffer(buffers, "data", first, count)
        return with_missing(values.astype(bool) if kind == BOOLEAN else values, _present(column, buffers, values))
    if kind == TEXT:
        offsets = _buffer(buffers, "offsets", first, count + 1)
        return texts(offsets, buffers["data"][0].ptr, _present(column, buffers, offsets))
    if kind == DATE:
        values = vector(buffers["data"][0].ptr, f"i{width // 8}", first, count)
        return with_missing(times(values, word), _present(column, buffers, values))
    if kind == CATEGORY:
        codes = _buffer(buffers, "data", first, count)
        told = column.describe_categorical
        levels = joined([_column(part, name) for part in told["categories"].get_chunks()])
        return decoded(with_missing(codes, _present(column, buffers, codes)), levels)
    raise ValueError(f"column '{name}' has cells of the type '{word}'; give numbers, texts, categories, booleans or dates")
