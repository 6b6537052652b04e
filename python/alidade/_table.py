"""read_table, and the Table that everything for whole tables works on."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from alidade import _hints as t
from alidade import _core, _frames, _targets, _validate
from alidade._columns import columns_of
from alidade._facts import Facts
from alidade._progress import hearing
from alidade._threads import threads


# How a table is read: the options of `alidade fit` of the same names.
LISTS = ("target", "event", "ignore", "categorical", "groups", "id", "keep", "weights", "split")
TEXTS = ("format", "delimiter", "header", "comment", "target_file", "graph_file", "distances_file", "response_kernel_file",
         "start_file", "unlabelled_file",
         "x_variable", "y_variable", "task", "encode", "missing", "split_file", "unlabelled_rows", "hdf5", "unseen",
         "decimal", "na", "dates", "thousands", "keep_rows", "sheet")
FLAGS = ("transpose", "prefer_real", "keep_missing", "keep_zeros", "no_target", "with_weights", "new_classes")
OPTIONS = frozenset((*LISTS, *TEXTS, *FLAGS, "block_bytes", "skip", "max_columns", "max_line"))
ANY_NUMBERS = Facts(["real", "several-responses", "no-target", "unlabelled-rows"])
ANY_TARGET = Facts(["classes", "real", "multi-label", "several-responses", "no-target", "unlabelled-rows"])


def split_options(options):
    """(how to read, everything else), two dicts."""
    reading = {name: value for name, value in options.items() if name in OPTIONS and value is not None}
    return reading, {name: value for name, value in options.items() if name not in OPTIONS}


def is_path(data):
    return isinstance(data, (str, bytes, os.PathLike))


def is_columns(data):
    return isinstance(data, dict) or _validate.is_frame(data)


class Table:
    """Rows with their target, as the library reads them.

    Made by :func:`alidade.read_table`. Pass it instead of a path or a data frame, so that the data are read once.

    Attributes
    ----------
    n_rows, n_features : int
        Shape of X; a categorical column gives several features.
    feature_names, row_names, class_names, response_names : list of str or None
    kind : str
        The kind of target: "none", "classes", "real" or "labels".
    note : str
        How the target was interpreted, and why.
    index : pandas.Index or None
        That of the data frame it was made from.
    """

    n_rows: int
    n_features: int
    file_rows: int
    kind: str
    note: str | None
    sparse: bool
    feature_names: list[str] | None
    row_names: list[str] | None
    class_names: list[str] | None
    response_names: list[str] | None

    def __init__(self, core: Any, source: str, index: Any = None) -> None:
        self._core = core
        self._source = source
        self._named = source != "arrays"
        self.index = index
        facts = _core.table_facts(core)
        self.n_rows, self.n_features = facts["rows"], facts["columns"]
        self.file_rows, self.kind, self.note, self.sparse = (facts[k] for k in ("file_rows", "kind", "note", "sparse"))
        self._columns = facts["target_columns"]
        self.feature_names, self.row_names = facts["feature_names"], facts["row_names"]
        self.class_names, self.response_names = facts["class_names"], facts["response_names"]

    @property
    def X(self) -> Any:
        """ndarray of shape (n_rows, n_features), or a CSR matrix: a copy."""
        parts = _core.table_csr(self._core) if self.sparse else None
        if parts is not None:
            from scipy.sparse import csr_matrix
            pointers, indices = (np.frombuffer(part, dtype=np.int64) for part in parts[:2])
            return csr_matrix((np.frombuffer(parts[2]), indices, pointers), shape=(self.n_rows, self.n_features))
        X = np.zeros((self.n_rows, self.n_features))
        _core.table_x(self._core, X)
        return X

    @property
    def codes(self) -> t.NDArray[Any]:
        """ndarray of shape (n_rows, columns of the target): numbers of classes from 0, responses or labels."""
        y = np.zeros((self.n_rows, self._columns))
        if self.kind != "none":
            _core.table_y(self._core, y)
        return y

    @property
    def y(self) -> t.NDArray[Any] | None:
        """ndarray or None: names of classes, numbers, or 0 and 1 for each label; None or NaN if missing."""
        if self.kind == "none":
            return None
        y = self.codes
        if self.kind == "classes":
            return class_values(y[:, 0], self.class_names)
        if self.kind == "labels" and not np.isnan(y).any():
            return y.astype(np.intp)
        return y[:, 0] if y.shape[1] == 1 else y

    @property
    def places(self) -> t.NDArray[Any] | None:
        """ndarray of int or None: the file row of each row, if some were left out."""
        found = _core.table_places(self._core)
        return None if found is None else np.frombuffer(found, dtype=np.int64)

    @property
    def kept(self) -> dict[str, list[str]]:
        """dict of lists of str: the columns `id` and `keep`, for all rows of the file."""
        return {name if name is not None else f"column{i}": texts
                for i, (name, texts) in enumerate(_core.table_kept(self._core))}

    def to_frame(self) -> Any:
        """X and the target as a pandas.DataFrame."""
        import pandas
        names = self.feature_names or [f"x{j}" for j in range(self.n_features)]
        X = self.X
        frame = pandas.DataFrame(X.toarray() if self.sparse else X, columns=names, index=self._index())
        y = self.y
        if y is not None:
            targets = self.response_names or ["y"]
            for j, name in enumerate(targets if y.ndim == 2 else targets[:1]):
                frame[name] = y[:, j] if y.ndim == 2 else y
        return frame

    def _index(self):
        if self.index is not None and self.n_rows == len(self.index):
            return self.index
        return self.row_names if self.row_names else None

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        left = f" of {self.file_rows}" if self.file_rows > self.n_rows else ""
        note = f"\n  {self.note}" if self.note else ""
        return (f"<Table of {self._source}: {self.n_rows}{left} rows, {self.n_features} features"
                f"{', sparse' if self.sparse else ''}>{note}")


def class_values(codes, names):
    """Names for codes (NaN: None); whole numbers where all names are such."""
    missing = np.isnan(codes)
    names = names if names is not None else [str(c) for c in range(int(np.nanmax(codes, initial=-1)) + 1)]
    whole = all(name.lstrip("-").isdigit() and str(int(name)) == name for name in names)
    values = np.array([int(name) for name in names] if whole else list(names), dtype=None if whole else object)
    if missing.any():
        found = np.full(len(codes), None, dtype=object)
        found[~missing] = values[codes[~missing].astype(int)]
        return found
    return values[codes.astype(int)]


def column_list(value, names, option):
    """Columns as the library's options name them: a text as it is; lists of names and of positions from 0."""
    if isinstance(value, str):
        exact = names is not None and value in names and ("," in value or ".." in value)
        return _one_column(value, names, option) if exact else value
    if isinstance(value, (int, np.integer)):
        value = [value]
    return ",".join(_one_column(item, names, option) for item in value)


def _one_column(item, names, option):
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        return f"#{int(item) + 1}"
    item = str(item)
    if names is not None and item in names:
        return f"#{names.index(item) + 1}" if "," in item or ".." in item or item[:1] == "#" else item
    if "," in item:
        raise ValueError(f"`{option}`: a column of a file cannot be named by '{item}', which has a comma; give its "
                         "position, from 0")
    return item


def prepared_options(options, names=None):
    """The options with lists as texts and flags as numbers; what is no option is an error."""
    ready = {}
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"read_table() got an unexpected keyword argument '{name}'")
        if value is None:
            continue
        if name in LISTS:
            value = column_list(value, names, name)
        elif name == "na" and not isinstance(value, str):
            value = ",".join(value)
        elif name == "header" and isinstance(value, bool):
            value = "yes" if value else "no"
        elif name in FLAGS:
            value = int(value)
        elif name.endswith("_file"):
            value = os.fspath(value)
        ready[name] = value
    return ready


def read_table(data: t.Rows, target: t.Columns | None = None, y: t.Target | None = None, *, like: t.Model | None = None,
               sample_weight: t.ArrayLike | None = None, n_jobs: int | None = None, progress: t.Progress = None,
               **options: Any) -> Table:
    """Read rows and their target as the command line does.

    Parameters
    ----------
    data : path, pandas.DataFrame, dict of vectors, or array
        A file (csv, tsv, xlsx, npy, svmlight, mtx, arff, mat, plain or gzip), a table of columns, or a matrix X.
    target : str, int or list, optional
        Names of the target columns of a table, "A..C" for a range, or positions from 0.
    y : array, optional
        The target of a matrix X, as the estimators take it, or of a table that has no column of it.
    like : Model, optional
        Read the rows like those that this model was fitted on: the same columns, categories and classes.
    sample_weight : array, optional
        Weights of the rows of a matrix X; a table has them in the column `weights`.
    n_jobs : int, optional
        Number of threads.
    progress : callable or bool, optional
        As for the estimators.
    **options
        How a table is read: task, id, ignore, categorical, encode, missing, dates, na, decimal, weights, groups, keep,
        split, unlabelled_rows, unseen; for files also format, delimiter, header, comment, transpose, target_file and
        others, all as in docs/guide.md.

    Returns
    -------
    Table

    Examples
    --------
    >>> import alidade
    >>> alidade.read_table({"a": [1, 2, 3], "b": ["u", "v", "u"], "y": [0.5, 1.5, 2.5]}, target="y").feature_names
    ['a', 'b=u', 'b=v']
    """
    if isinstance(data, Table):
        raise TypeError("it is read already: give the options where it is made")
    if target is not None:
        options["target"] = target
    model: Any = getattr(like, "_core", like)
    data, y = _frames.taken(data), _frames.taken(y)
    if is_path(data):
        _refuse_arrays(y, sample_weight)
        return _read_file(data, options, model, n_jobs, progress)
    if is_columns(data):
        if y is not None and target is None:
            if not options.get("prefer_real") and not options.get("task"):
                options["task"] = _targets.task_of(y)
            data, options["target"] = _with_target(data, y)
            y = None
        _refuse_arrays(y, sample_weight)
        columns, rows = columns_of(data)
        names = [name for name, *_ in columns]
        core = _core.read_columns(columns, rows, prepared_options(options, names), model)
        return Table(core, type(data).__name__, getattr(data, "index", None))
    return _read_arrays(data, y, sample_weight, options)


def _with_target(data, y):
    """(the table with y among its columns, the names of these): people keep a frame X and a series y."""
    values = np.asarray(y)
    rows = len(next(iter(data.values()), ())) if isinstance(data, dict) else len(data)
    if values.ndim not in (1, 2) or len(values) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(np.atleast_1d(values))}]")
    names = list(y.columns) if hasattr(y, "columns") else [getattr(y, "name", None)]
    if values.ndim == 2 and len(names) != values.shape[1]:
        names = [None] * values.shape[1]
    taken = {str(name) for name in data}
    names = [_free_name("y" if name is None else str(name), taken) for name in names]
    joined = dict(data) if isinstance(data, dict) else data.copy(deep=False)
    for j, name in enumerate(names):
        joined[name] = values if values.ndim == 1 else values[:, j]
    return joined, names


def _free_name(name, taken):
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _refuse_arrays(y, sample_weight):
    if y is not None or sample_weight is not None:
        raise TypeError("`y` and `sample_weight` go with a matrix X; a table has them as columns: give `target` and "
                        "`weights`")


def _read_file(path, options, model, n_jobs, progress):
    with hearing(progress) as heard:
        core = _core.read_file(path, prepared_options(options), model, threads(n_jobs), heard)
    return Table(core, os.fsdecode(path))


def _read_arrays(X, y, sample_weight, options):
    task = options.pop("task", None) or "auto"
    real = options.pop("prefer_real", 0)
    options.pop("no_target", None), options.pop("unseen", None)
    if options:
        raise TypeError(f"`{sorted(options)[0]}` is for tables with named columns; a matrix X has a target `y`")
    given, shape, _ = _validate.matrix(X, np)
    target = _targets.encode(y, shape[0], ANY_NUMBERS if real and task == "auto" else ANY_TARGET, task, "read_table")
    inputs = {**target.inputs, "x": given, "weights": _validate.weights(sample_weight, shape[0])}
    try:
        return Table(_core.read_inputs(inputs), "arrays")
    except ValueError:
        _targets.refuse_infinite(target)
        raise


def as_table(data, target=None, y=None, **options):
    """A Table as it is, else what read_table makes."""
    if isinstance(data, Table):
        given = [name for name, value in {"target": target, "y": y, **options}.items()
                 if value is not None and name not in ("n_jobs", "progress", "prefer_real", "keep_missing", "like",
                                                       "no_target", "unseen", "with_weights")]
        if given:
            raise TypeError(f"`{given[0]}` says how a table is read, and this one is read already: give it to read_table")
        return data
    return read_table(data, target, y, **options)
