"""A frame that offers Arrow's C stream and nothing else, as polars and pyarrow do: its buffers are laid out by hand."""
import ctypes

import numpy as np

from alidade._arrow import Array, Release, Schema, Stream

NUMBERS = {"int8": "c", "uint8": "C", "int32": "i", "int64": "l", "float32": "f", "float64": "g"}


def bitmap(flags):
    return np.packbits(np.asarray(flags, dtype=bool), bitorder="little")


def layout(values):
    """(format, buffers, levels or None) of a column; None is a missing cell."""
    if isinstance(values, tuple):  # categories: codes and levels
        codes, levels = values
        valid = bitmap([code is not None for code in codes])
        return "c", [valid, np.array([code or 0 for code in codes], dtype=np.int8)], levels
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        return "tdD", [None, values.astype("M8[D]").astype(np.int32)], None
    if isinstance(values, np.ndarray) and values.dtype.kind == "b":
        return "b", [None, bitmap(values)], None
    if isinstance(values, np.ndarray):
        return NUMBERS[str(values.dtype)], [None, values], None
    valid = bitmap([value is not None for value in values])
    if any(isinstance(value, str) for value in values):
        data = [(value or "").encode() for value in values]
        offsets = np.cumsum([0, *map(len, data)]).astype(np.int32)
        return "u", [valid, offsets, np.frombuffer(b"".join(data) or b"\0", dtype=np.uint8)], None
    return "l", [valid, np.array([value or 0 for value in values], dtype=np.int64)], None


def views(values):
    """Texts as polars lends them: 16 bytes each, long ones behind."""
    table, more = b"", b""
    for value in values:
        text = value.encode()
        size = len(text).to_bytes(4, "little")
        if len(text) <= 12:
            table += size + text.ljust(12, b"\0")
        else:
            table += size + text[:4] + (0).to_bytes(4, "little") + len(more).to_bytes(4, "little")
            more += text
    return "vu", [None, np.frombuffer(table, np.uint8), np.frombuffer(more or b"\0", np.uint8)], None


class Producer:
    """batches: lists of (name, values), values as `layout` takes them, or a layout."""
    lent = 0

    def __init__(self, *batches, shift=0):
        self.batches, self.shift, self.kept = batches, shift, []

    def keep(self, thing):
        self.kept.append(thing)
        return thing

    def release(self, kind):
        def done(pointer):
            Producer.lent -= 1
            ctypes.memset(ctypes.byref(pointer.contents, kind.release.offset), 0, kind.release.size)
        Producer.lent += 1
        return self.keep(Release[kind](done))

    def children(self, kind, made):
        return self.keep((ctypes.POINTER(kind) * len(made))(*(ctypes.pointer(self.keep(child)) for child in made)))

    def schema(self, word, name="", children=(), levels=None):
        made = self.keep(Schema(format=word.encode(), name=name.encode(), n_children=len(children)))
        made.children = self.children(Schema, children)
        if levels is not None:
            made.dictionary = ctypes.pointer(levels)
        return made

    def array(self, length, buffers, children=(), levels=None):
        buffers = [None if part is None else self.keep(np.ascontiguousarray(part)) for part in buffers]
        places = self.keep((ctypes.c_void_p * max(1, len(buffers)))(*(None if p is None else p.ctypes.data for p in buffers)))
        made = self.keep(Array(length=length, null_count=-1, n_buffers=len(buffers), n_children=len(children)))
        made.buffers, made.children = places, self.children(Array, children)
        if levels is not None:
            made.dictionary = ctypes.pointer(levels)
        return made

    def column(self, name, values):
        word, buffers, levels = values if isinstance(values, tuple) and isinstance(values[0], str) else layout(values)
        length = len(values[0]) if isinstance(values, tuple) and levels is not None else self.rows
        inner = None if levels is None else layout(levels)
        return (self.schema(word, name, (), None if inner is None else self.schema(inner[0])),
                self.array(length, buffers, (), None if inner is None else self.array(len(levels), inner[1])))

    def batch(self, columns):
        self.rows = len(columns[0][1])
        made = [self.column(name, values) for name, values in columns]
        top = self.array(self.rows - self.shift, [None], [array for _, array in made])
        top.offset = self.shift
        return self.schema("+s", "", [schema for schema, _ in made]), top

    def __arrow_c_stream__(self, requested_schema=None):
        made = [self.batch(columns) for columns in self.batches]
        queue = [array for _, array in made]

        def lend(kind, source, target):
            ctypes.memmove(target, ctypes.byref(source), ctypes.sizeof(kind))
            target.contents.release = self.release(kind)
            return 0

        def get_next(stream, target):
            if queue:
                return lend(Array, queue.pop(0), target)
            ctypes.memset(target, 0, ctypes.sizeof(Array))
            return 0
        kinds = dict(Stream._fields_)
        stream = self.keep(Stream(
            get_schema=kinds["get_schema"](lambda stream, target: lend(Schema, made[0][0], target)),
            get_next=kinds["get_next"](get_next), get_last_error=kinds["get_last_error"](lambda stream: None),
            release=Release[Stream](lambda stream: None)))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(stream), b"arrow_array_stream", None)
