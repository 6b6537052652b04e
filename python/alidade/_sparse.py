"""The vectors of a sparse matrix of scipy's, in places of our own that were checked: `indptr` and `indices` are copied first,
because scipy's own functions follow broken ones to anywhere in memory, and so that nobody can change them afterwards."""
import numpy as np

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
MOST_32 = np.iinfo(np.int32).max
COMPRESSED = ("csr", "csc")


def parts(X, what, storage=None):
    """(storage, rows, columns, indptr, indices, data) as the library takes them, sorted and without duplicates."""
    if X.format not in COMPRESSED or (storage and X.format != storage):
        X = _compressed(X, what, storage or "csr")
    indptr, indices = _places(X, what, X.shape[X.format == "csc"])
    data = X.data if X.data.dtype in FLOATS else X.data.astype(np.float64)
    made = _matrix(X.format, X.shape, indptr, indices, data)
    if not made.has_canonical_format:
        made.data = data.copy()
        made.sum_duplicates()
    return (X.format, *X.shape, made.indptr, made.indices, made.data)


def dense(X, what):
    """All cells."""
    storage, rows, columns, indptr, indices, data = parts(X, what, "csr")
    _refuse_outside(what, X, (indices, columns))
    cells = np.zeros((rows, columns))
    cells[np.repeat(np.arange(rows), np.diff(indptr)), indices] = data
    return cells


def _places(X, what, lines):
    """Copies of indptr and indices: the first begins at 0, never falls and ends within the second."""
    kind = np.int32 if max(len(X.indices), *X.shape) < MOST_32 else np.int64
    indptr, indices = _copy(X.indptr, kind, what, "indptr"), _copy(X.indices, kind, what, "indices")
    if len(indptr) != lines + 1 or indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any() or indptr[-1] > len(indices):
        raise ValueError(f"{what}: `indptr` of a {X.format} matrix of {lines} lines has {lines + 1} numbers, from 0, none "
                         f"below the one before it, and at most {len(indices)}, the number of indices; this one has not")
    if len(indices) != len(X.data):
        raise ValueError(f"{what}: there are {len(indices)} indices and {len(X.data)} values")
    return indptr, indices


def _copy(vector, kind, what, name):
    """Contiguous and aligned."""
    vector = np.asarray(vector)
    if vector.ndim != 1 or vector.dtype.kind not in "iu":
        raise ValueError(f"{what}: `{name}` is a vector of whole numbers, not of {vector.dtype}, shape {vector.shape}")
    if vector.dtype.itemsize > np.dtype(kind).itemsize and len(vector) and not -1 <= vector.min() <= vector.max() <= MOST_32:
        raise ValueError(f"{what}: `{name}` has a number beyond the size of the matrix")
    return np.array(vector, dtype=kind)


def _matrix(storage, shape, indptr, indices, data, **more):
    from scipy import sparse
    made = getattr(sparse, f"{storage}_matrix")(shape, dtype=data.dtype, **more)
    made.indptr, made.indices, made.data = indptr, indices, data
    return made


def _refuse_outside(what, X, *places):
    """places: (numbers, how many there may be) pairs"""
    for at, count in places:
        if len(at) and not 0 <= at.min() <= at.max() < count:
            raise ValueError(f"{what}: a place of the {X.format} matrix is outside of its {X.shape[0]} x {X.shape[1]} cells")


def _compressed(X, what, storage):
    """Another storage as csr or csc, of places that are within the matrix."""
    if X.format == "coo":
        from scipy.sparse import coo_matrix
        row, col = (_copy(at, np.int64, what, name) for at, name in ((X.row, "row"), (X.col, "col")))
        _refuse_outside(what, X, (row, X.shape[0]), (col, X.shape[1]))
        return coo_matrix((X.data, (row, col)), shape=X.shape).asformat(storage)
    if X.format in (*COMPRESSED, "bsr"):
        along = int(X.format == "csc")
        high, wide = (count // size for count, size in zip(X.shape, getattr(X, "blocksize", (1, 1))))
        indptr, indices = _places(X, what, (high, wide)[along])
        _refuse_outside(what, X, (indices, (wide, high)[along]))
        more = {"blocksize": X.blocksize} if X.format == "bsr" else {}
        return _matrix(X.format, X.shape, indptr, indices, X.data, **more).asformat(storage)
    return X.asformat(storage)
