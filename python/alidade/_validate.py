"""X as the library takes it: float64 or float32 in any order, or the vectors of a sparse matrix. Nothing is copied that
can be taken as it is. The words of the errors are those that people know from scikit-learn."""
import numpy as np

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def is_sparse(X):
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def is_frame(X):
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "__array__")


def frame_names(X):
    """The names of the columns where all are texts, else None."""
    if not is_frame(X):
        return None
    names = list(X.columns)
    kinds = sorted({type(name).__name__ for name in names})
    if kinds and all(isinstance(name, str) for name in names):
        return np.asarray(names, dtype=object)
    if any(isinstance(name, str) for name in names):
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{kinds} as feature name / column name types. If you want feature names to be stored and "
                        "validated, you must convert them all to strings, by using X.columns = "
                        "X.columns.astype(str) for example.")
    return None


def sparse_parts(X, what="X"):
    """The tuple that the library takes for a sparse matrix of scipy's."""
    if X.format not in ("csr", "csc"):
        X = X.tocsr()
    if X.dtype not in FLOATS:
        refuse_complex(X, what)
        X = X.astype(np.float64)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.indices.dtype != X.indptr.dtype:
        return (X.format, *X.shape, X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data)
    return (X.format, *X.shape, X.indptr, X.indices, X.data)


def refuse_complex(X, what="X"):
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {what} has numbers of type {X.dtype}")


def _to_array(X):
    if isinstance(X, np.matrix):
        raise TypeError("np.matrix is not supported. Please convert to a numpy array with np.asarray.")
    X = np.asarray(X)
    refuse_complex(X)
    if X.dtype not in FLOATS:
        if X.dtype.kind in "mM":
            raise ValueError(f"X has numbers of type {X.dtype}; convert dates and durations to numbers first")
        X = X.astype(np.float64)
    return X


def as_dense(X):
    """A two-dimensional array that the library can look at."""
    if type(X) is not np.ndarray or X.dtype not in FLOATS:
        X = _to_array(X)
    if X.ndim != 2:
        raise ValueError(_wrong_dimensions(X))
    if not X.flags.aligned or X.strides[0] % X.itemsize or X.strides[1] % X.itemsize:
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
    if is_sparse(X):
        parts = sparse_parts(X)
        shape, dtype = X.shape, parts[-1].dtype
        check_sizes(shape, estimator)
        return parts, shape, dtype
    X = as_dense(X)
    if 0 in X.shape:
        check_sizes(X.shape, estimator)
    return X, X.shape, X.dtype


def square(given, rows, what):
    """A graph or target distances: rows x rows, dense or sparse; None stays None."""
    if given is None:
        return None
    parts = sparse_parts(given, what) if is_sparse(given) else as_dense(given)
    if tuple(given.shape if is_sparse(given) else parts.shape) != (rows, rows):
        raise ValueError(f"`{what}` has a row and a column for each of the {rows} rows of X")
    return parts


def weights(sample_weight, rows):
    """A contiguous vector of float64; None stays None."""
    if sample_weight is None:
        return None
    vector = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if vector.ndim == 0:
        vector = np.full(rows, float(vector))
    if vector.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(vector) != rows:
        raise ValueError(f"sample_weight.shape == {vector.shape}, expected {(rows,)}!")
    return vector
