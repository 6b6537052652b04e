"""Columns of a data frame or a dict as the library takes them: numbers, or different texts and their codes.

A cell becomes the text that a csv file of the table would have, so that a table in memory and its file are read alike:
True and False, dates as 2026-01-31, categories by their names, other objects by str. None, NaN, NaT and NA are cells
without a value."""
import numpy as np

from alidade._validate import refuse_masked


def columns_of(table):
    """(name, numbers, texts, codes) of each column, and the number of rows."""
    names = [str(name) for name in table]
    by_place = hasattr(table, "iloc")  # of two columns of one name each is taken
    vectors = [_column(table.iloc[:, j] if by_place else table[name]) for j, name in enumerate(table)]
    if not vectors:
        raise ValueError("the table has no columns")
    lengths = {len(numbers) if numbers is not None else len(codes) for numbers, _, codes in vectors}
    if len(lengths) > 1:
        raise ValueError(f"the columns have different lengths: {', '.join(map(str, sorted(lengths)))}")
    return tuple((name, *vector) for name, vector in zip(names, vectors)), lengths.pop()


def _column(values):
    dtype = getattr(values, "dtype", None)
    refuse_masked(values, "a column")
    if hasattr(values, "cat") and hasattr(dtype, "categories"):
        return None, [_text(level) for level in dtype.categories], np.asarray(values.cat.codes, dtype=np.int64)
    if hasattr(values, "to_numpy") and getattr(dtype, "kind", "O") in "iufb" and not isinstance(dtype, np.dtype):
        return _nullable(values, dtype)
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"a column is a vector, not an array of shape {array.shape}")
    if array.dtype.kind in "iuf":
        numbers = np.asarray(array, dtype=np.float64)
        return numbers if numbers.strides[0] and numbers.flags.aligned else numbers.copy(), None, None
    if array.dtype.kind == "b":
        return None, ["False", "True"], array.astype(np.int64)
    if array.dtype.kind == "M":
        return _dates(array)
    if array.dtype.kind in "cm":
        raise ValueError(f"a column has cells of type {array.dtype}; make numbers or texts of them")
    return _texts(array.tolist())


def _nullable(values, dtype):
    """pandas' own types, with NA."""
    if dtype.kind == "b":
        return _texts(values.to_numpy(dtype=object).tolist())
    return values.to_numpy(dtype=np.float64, na_value=np.nan), None, None


def _dates(array):
    whole = array.astype("datetime64[D]")
    missing = np.isnat(array)
    plain = bool(np.all((whole == array) | missing))
    texts = np.datetime_as_string(whole if plain else array.astype("datetime64[s]"))
    return _texts([None if gone else text.replace("T", " ") for text, gone in zip(texts.tolist(), missing)])


def _texts(cells):
    number, codes = {}, np.empty(len(cells), dtype=np.int64)
    for i, cell in enumerate(cells):
        text = _text(cell)
        codes[i] = -1 if text is None else number.setdefault(text, len(number))
    return None, list(number), codes


def _text(cell):
    """None: no value."""
    if isinstance(cell, str):
        return cell.replace("\0", "")
    if cell is None or cell != cell or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, float):
        return repr(float(cell))
    return str(cell)
