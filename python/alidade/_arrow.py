"""Columns of a stream of Arrow's C data interface (https://arrow.apache.org/docs/format/CStreamInterface.html)."""
from __future__ import annotations

import ctypes

import numpy as np

from alidade._frames import NUMBERS, bits, decoded, joined, texts, times, vector, with_missing


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


Release = {made: ctypes.CFUNCTYPE(None, ctypes.POINTER(made)) for made in (Schema, Array, Stream)}
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)), ("release", Release[Schema]), ("private_data", ctypes.c_void_p)]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)),
    ("release", Release[Array]), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", Release[Stream]), ("private_data", ctypes.c_void_p)]


def columns(data):
    """(names, vectors) of a frame; (None, [vector]) of a single column. What was lent is given back."""
    capsule = data.__arrow_c_stream__()  # its owner releases the stream
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = ctypes.cast(pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(Stream))
    schema = Schema()
    _call(stream, stream.contents.get_schema, schema)
    try:
        return _read(stream, schema)
    finally:
        _release(schema)


def _call(stream, function, made):
    if function(stream, ctypes.byref(made)):
        said = stream.contents.get_last_error(stream)
        raise ValueError(f"the frame could not be read: {said.decode('utf-8', 'replace') if said else 'its stream failed'}")


def _release(made):
    if made.release:
        made.release(ctypes.byref(made))


def _read(stream, schema):
    is_frame = schema.format == b"+s"
    kinds = [schema.children[j].contents for j in range(schema.n_children)] if is_frame else [schema]
    parts = [[] for _ in kinds]
    while True:
        batch = Array()
        _call(stream, stream.contents.get_next, batch)
        if not batch.release:
            break
        try:
            for j, kind in enumerate(kinds):
                array, first = (batch.children[j].contents, batch.offset) if is_frame else (batch, 0)
                parts[j].append(_column(kind, array, first, batch.length))
        finally:
            _release(batch)
    names = [(kind.name or b"").decode("utf-8", "replace") for kind in kinds]
    return names if is_frame else None, [joined(part or [np.empty(0)]) for part in parts]


def _present(array, first, count):
    """Which cells are there; None: all."""
    if array.n_buffers < 1 or not array.buffers[0] or array.null_count == 0:
        return None
    return bits(array.buffers[0], first, count)


def _column(schema, array, first, count):
    first, kind = array.offset + first, schema.format.decode()
    present = _present(array, first, count)
    if schema.dictionary:
        codes = with_missing(vector(array.buffers[1], NUMBERS[kind], first, count), present)
        levels = array.dictionary.contents
        return decoded(codes, _column(schema.dictionary.contents, levels, 0, levels.length))
    if kind in NUMBERS:
        return with_missing(vector(array.buffers[1], NUMBERS[kind], first, count), present)
    if kind == "b":
        return with_missing(bits(array.buffers[1], first, count), present)
    if kind in ("u", "U"):
        offsets = vector(array.buffers[1], "i4" if kind == "u" else "i8", first, count + 1)
        return texts(offsets, array.buffers[2], present)
    if kind == "vu":
        return with_missing(_views(array, first, count), present)
    if kind in ("tdD", "tdm") or kind[:2] == "ts":
        numbers = vector(array.buffers[1], "i4" if kind == "tdD" else "i8", first, count)
        return with_missing(times(numbers, kind), present)
    if kind == "n":
        return np.full(count, None, dtype=object)
    raise ValueError(f"column '{(schema.name or b'').decode('utf-8', 'replace')}' has cells of Arrow's type '{kind}'; give "
                     "numbers, texts, categories, booleans or dates")


def _views(array, first, count):
    """Texts of at most 12 bytes lie in their view, others in the buffers behind."""
    found = np.empty(count, dtype=object)
    views = vector(array.buffers[1], "u1", 16 * first, 16 * count).reshape(count, 16)
    for i, view in enumerate(views):
        size, _, buffer, offset = (int(number) for number in view.view("i4"))
        text = view[4:4 + size].tobytes() if size <= 12 else vector(array.buffers[2 + buffer], "u1", offset, size).tobytes()
        found[i] = text.decode("utf-8", "replace")
    return found
