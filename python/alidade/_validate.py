"""X as the library takes it: float64 or float32 in any order, or the vectors of a sparse matrix. Nothing is copied that
can be taken as it is. The words of the errors are those that people know from scikit-learn.

The places of a sparse matrix (`indptr`, `indices`) are copied, with 32 bits where these suffice, before they are checked:
scipy and the library follow them without looking again, and another thread may write into those of the caller."""
import numpy as np

from alidade import _device, _sparse

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def is_sparse(X):
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def is_frame(X):
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "__array__")


def refuse_twice(names):
    """Columns are found by their names."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has two columns named {twice!r}, and columns are found by their names: rename one of them, "
                         "or leave it out")


def frame_names(X):
    """The names of the columns where all are texts, else None."""
    if not is_frame(X):
        return None
    names = list(X.columns)
    kinds = sorted({type(name).__name__ for name in names})
    if kinds and all(isinstance(name, str) for name in names):
        refuse_twice(names)
        return np.asarray(names, dtype=object)
    if any(isinstance(name, str) for name in names):
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{kinds} as feature name / column name types. If you want feature names to be stored and "
                        "validated, you must convert them all to strings, by using X.columns = "
                        "X.columns.astype(str) for example.")
    return None


def sparse_parts(X, what="X", storage=None):
    """The tuple that the library takes for a sparse matrix of scipy's; `storage`: "csr" or "csc", where one is wanted."""
    refuse_kind(X, what)
    return _sparse.parts(X, what, storage)


def refuse_masked(given, what):
    """A mask would be lost on the way."""
    if isinstance(given, np.ma.MaskedArray):
        raise ValueError(f"{what} is a masked array, and its mask would be lost: fill the masked cells first, with "
                         "`.filled(value)`")


def refuse_kind(X, what="X"):
    """Numbers that are no real ones."""
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {what} has numbers of type {X.dtype}")
    if X.dtype.kind in "mM":
        raise ValueError(f"{what} has numbers of type {X.dtype}; convert dates and durations to numbers first")


def _to_array(X, what):
    if isinstance(X, np.matrix):
        raise TypeError("np.matrix is not supported. Please convert to a numpy array with np.asarray.")
    refuse_masked(X, what)
    X = np.asarray(X)
    refuse_kind(X, what)
    return X if X.dtype in FLOATS else X.astype(np.float64)


def as_dense(X, what="X"):
    """A two-dimensional array that the library can look at."""
    if type(X) is not np.ndarray or X.dtype not in FLOATS:
        X = _to_array(X, what)
    if X.ndim != 2:
        raise ValueError(_wrong_dimensions(X))
    repeated = any(stride == 0 and count > 1 for stride, count in zip(X.strides, X.shape))  # by np.broadcast_to
    if repeated or not X.flags.aligned or X.strides[0] % X.itemsize or X.strides[1] % X.itemsize:
        X = X.copy()
    return X


def _wrong_dimensions(X):
    if X.ndim > 2:
        return f"Found array with dim {X.ndim}. 2 dimensions are expected: rows and columns."
    kind = "scalar array" if X.ndim == 0 else "1D array"
    return (f"Expected 2D array, got {kind} instead:\narray={X}.\nReshape your data either using array.reshape(-1, 1) if "
            "your data has a single feature or array.reshape(1, -1) if it contains a single sample.")


def check_sizes(shape, estimator):
    for count, what in zip(shape, ("sample", "feature")):
        if count < 1:
            raise ValueError(f"Found array with 0 {what}(s) (shape={tuple(shape)}) while a minimum of 1 is required by "
                             f"{type(estimator).__name__}.")


def matrix(X, estimator):
    """(what the library takes, its shape, its type)."""
    if _device.lives_there(X):
        given = _device.matrix(X)
        check_sizes(given[1], estimator)
        return given
    if is_sparse(X):
        check_sizes(X.shape, estimator)
        parts = sparse_parts(X)
        return parts, X.shape, parts[-1].dtype
    X = as_dense(X)
    if 0 in X.shape:
        check_sizes(X.shape, estimator)
    return X, X.shape, X.dtype


def square(given, rows, what):
    """A graph, target distances or a kernel of the response: rows x rows, dense or sparse; None stays None."""
    if given is None:
        return None
    parts = sparse_parts(given, what) if is_sparse(given) else as_dense(given, what)
    if tuple(given.shape if is_sparse(given) else parts.shape) != (rows, rows):
        raise ValueError(f"`{what}` has a row and a column for each of the {rows} rows of X")
    return parts


def start(given, columns, names):
    """Directions to start from over columns of these names (or None), a row each; None stays None."""
    if given is None:
        return None
    parts = sparse_parts(given, "start") if is_sparse(given) else as_dense(given, "start")
    shape = tuple(given.shape if is_sparse(given) else parts.shape)
    if len(shape) != 2 or shape[1] != columns:
        raise ValueError(f"`start` has a row for each component, of a number for each of the {columns} columns of X")
    own = frame_names(given)
    if own is not None and names is not None and list(own) != list(names):
        place, wanted, found = next((j, a, b) for j, (a, b) in enumerate(zip(names, own), 1) if a != b)
        raise ValueError(f"column {place} of `start` is {found!r}, but that of X is {wanted!r}: `start` has the columns of X in "
                         "their order")
    return parts


def weights(sample_weight, rows):
    """A contiguous vector of float64; None stays None."""
    if sample_weight is None:
        return None
    refuse_masked(sample_weight, "sample_weight")
    vector = np.asarray(sample_weight)
    refuse_kind(vector, "sample_weight")
    vector = np.require(vector, np.float64, ("C_CONTIGUOUS", "ALIGNED"))
    if vector.ndim == 0:
        vector = np.full(rows, float(vector))
    if vector.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(vector) != rows:
        raise ValueError(f"sample_weight.shape == {vector.shape}, expected {(rows,)}!")
    return vector


def judging_weights(sample_weight, rows):
    """The same for figures that numpy computes: what a fit refuses is refused."""
    vector = weights(sample_weight, rows)
    if vector is not None and not (np.isfinite(vector).all() and (vector >= 0).all() and vector.any()):
        raise ValueError("sample_weight must have finite numbers that are not negative, and one above 0")
    return vector
