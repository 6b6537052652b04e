"""The few calls of libalidade that the benchmarks need, on numpy arrays without copies."""
import ctypes as c

import numpy as np


class Matrix(c.Structure):
    _fields_ = [("storage", c.c_int), ("type", c.c_int), ("rows", c.c_int64), ("cols", c.c_int64), ("values", c.c_void_p),
                ("row_stride", c.c_int64), ("col_stride", c.c_int64), ("pointers", c.c_void_p), ("indices", c.c_void_p),
                ("index_bits", c.c_int), ("n_pointers", c.c_int64), ("n_values", c.c_int64)]


class Target(c.Structure):
    _fields_ = [("kind", c.c_int), ("rows", c.c_int64), ("classes", c.c_void_p), ("n_classes", c.c_int64),
                ("values", Matrix), ("labelled", c.c_void_p), ("weights", c.c_void_p), ("names", c.c_void_p),
                ("events", c.c_void_p)]


class Error(c.Structure):
    _fields_ = [("status", c.c_int), ("line", c.c_int64), ("column", c.c_int64), ("message", c.c_char * 768)]


class Options(c.Structure):
    _fields_ = [("size", c.c_size_t), ("threads", c.c_int), ("backend", c.c_char_p), ("resize", c.c_void_p), ("user", c.c_void_p),
                ("log", c.c_void_p), ("log_user", c.c_void_p), ("progress", c.c_void_p), ("progress_user", c.c_void_p)]


class Inputs(c.Structure):
    _fields_ = [("size", c.c_size_t), ("x", c.POINTER(Matrix)), ("y", c.POINTER(Target)), ("graph", c.POINTER(Matrix)), ("target_distances", c.POINTER(Matrix))]


class LoadOptions(c.Structure):
    """The first fields of ald_load_options: the library takes the others as not given."""
    _fields_ = [("size", c.c_size_t)] + [(name, c.c_char_p) for name in ["format", "delimiter", "header", "comment", "target"]]


class Array(c.Structure):
    _fields_ = [("name", c.c_char_p), ("type", c.c_int), ("dims", c.c_int), ("shape", c.c_int64 * 4), ("data", c.c_void_p)]


def view(a):
    """A dense f64 or f32 array, or a CSR matrix of scipy, as a matrix; the caller keeps it alive."""
    if hasattr(a, "indptr"):
        bits = 8 * a.indices.itemsize
        return Matrix(1, 0, *a.shape, a.data.ctypes.data, 0, 0, a.indptr.ctypes.data, a.indices.ctypes.data, bits)
    size = a.itemsize
    return Matrix(0, 0 if size == 8 else 1, a.shape[0], a.shape[1], a.ctypes.data, a.strides[0] // size, a.strides[1] // size)


def graph_view(neighbours, weights):
    """The graph in which row i points to neighbours[i], an n x k array of int64 that rise along each row, as a CSR matrix."""
    n, k = neighbours.shape
    pointers = np.arange(0, n * k + 1, k, dtype=np.int64)
    matrix = Matrix(1, 0, n, n, weights.ctypes.data, 0, 0, pointers.ctypes.data, neighbours.ctypes.data, 64)
    matrix.kept = (pointers, neighbours, weights)
    return matrix


TOLD = ("convex_relative_gap",)  # what fits have decided or found, kept of the last one


class Alidade:
    def __init__(self, library, threads):
        self.lib = c.CDLL(library)
        self.error = Error()
        self.context = c.c_void_p()
        options = Options(size=c.sizeof(Options), threads=threads)
        self.call("ald_context_new", c.byref(options), c.byref(self.context))

    def blas(self):
        """The BLAS of the library in words: name, version, kernels."""
        self.lib.openblas_get_config.restype = c.c_char_p
        return self.lib.openblas_get_config().decode()

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments, c.byref(self.error))
        if status < 0:
            raise RuntimeError(self.error.message.decode())
        return status

    def fit_only(self, method, settings, x, y=None, labels=False):
        """A fit whose model is let go at once."""
        self.fit(method, settings, x, y, None, labels=labels)

    def settings(self, method, settings):
        handle = c.c_void_p()
        self.call("ald_settings_new", self.context, method.encode(), c.byref(handle))
        for name, value in settings.items():
            self.call("ald_settings_set_text", handle, name.encode(), str(value).encode())
        return handle

    def fit_handle(self, method, settings, x, y=None, graph=None, labels=False, usual_predictor=False):
        """A fitted model, to be freed by free_model. y: int32 codes are classes, a matrix is real responses, or 0/1 labels. graph: a
        view. usual_predictor: as Python and the command line choose it."""
        handle, model, target = self.settings(method, settings), c.c_void_p(), None
        if y is not None and y.dtype == np.int32:
            target = Target(kind=1, rows=y.shape[0], classes=y.ctypes.data, n_classes=int(y.max()) + 1)
        elif y is not None:
            target = Target(kind=3 if labels else 2, rows=y.shape[0], values=view(y))
        if usual_predictor:
            self.call("ald_predictor_auto", handle, target.kind if target else 0, 0, None)
        matrix = view(x)
        inputs = Inputs(c.sizeof(Inputs), c.pointer(matrix), c.pointer(target) if target else None, c.pointer(graph) if graph else None, None)
        self.call("ald_fit_inputs", self.context, handle, c.byref(inputs), c.byref(model))
        self.lib.ald_settings_free(handle)
        return model

    def free_model(self, model):
        self.lib.ald_model_free(model)

    def rows_through(self, function, model, x, out):
        """ald_transform, ald_predict or ald_predict_scores into an array of doubles."""
        matrix = view(x)
        self.call(function, self.context, model, c.byref(matrix), c.c_void_p(out.ctypes.data))
        return out

    def fit(self, method, settings, x, y=None, array_name="components", graph=None, labels=False):
        """Components of a fit (r x d, copied), or another matrix of the model (None: nothing)."""
        model = self.fit_handle(method, settings, x, y, graph, labels)
        self.lib.ald_model_text.restype = c.c_char_p
        self.iterations = int(self.lib.ald_model_text(model, b"alidade.resolved.iterations") or 0)
        self.told = {name: (self.lib.ald_model_text(model, f"alidade.resolved.{name}".encode()) or b"").decode() for name in TOLD}
        data, array = None, Array()
        if array_name:
            self.lib.ald_model_array(model, array_name.encode(), c.byref(array))
            shape = (array.shape[0], array.shape[1])
            data = np.ctypeslib.as_array(c.cast(array.data, c.POINTER(c.c_double)), shape).copy()
        self.free_model(model)
        return data

    def fit_stream(self, method, settings, path, target, between=lambda: None):
        """Survey and fit of a file in blocks; `between` is called between the two readings."""
        options = LoadOptions(size=c.sizeof(LoadOptions), target=target.encode())
        survey, model, rows = c.c_void_p(), c.c_void_p(), c.c_int64()
        handle = self.settings(method, settings)
        self.call("ald_dataset_survey", self.context, path.encode(), c.byref(options), c.byref(survey), c.byref(rows))
        between()
        self.call("ald_fit_stream", self.context, handle, path.encode(), c.byref(options), survey, c.byref(model))
        self.lib.ald_model_free(model)
        self.lib.ald_dataset_free(survey)
        self.lib.ald_settings_free(handle)
        return rows.value

    def load(self, path):
        """Reads a file as a dataset and lets it go again; its shape."""
        dataset = c.c_void_p()
        self.call("ald_dataset_load", self.context, path.encode(), None, c.byref(dataset))
        self.lib.ald_dataset_x.restype = c.POINTER(Matrix)
        x = self.lib.ald_dataset_x(dataset).contents
        shape = (x.rows, x.cols)
        self.lib.ald_dataset_free(dataset)
        return shape
