"""y as the library takes it: classes, numbers, or labels as 0 and 1, with rows that have none.

What y is, by the parameter `task`. "auto" decides by what the method takes, and where that leaves a choice by the type of
y alone, so that the same rows mean the same in every fold:

    one column         floats are numbers; whole numbers, booleans, texts, categories and objects are classes
    several columns    whole numbers and booleans are labels; floats are responses

A warning names `task` where the values look like the other: more than 20 different whole numbers, objects that are
numbers, floats of 0 and 1 in several columns; whole numbers other than 0 and 1 there, which cannot be labels, and are
responses."""
import warnings

import numpy as np

from alidade import _compat, _core, _frames, _sparse, _warn
from alidade._validate import is_sparse, refuse_kind, refuse_masked, sparse_parts

TASKS = ("auto", "classification", "regression", "multilabel")
MOST_CLASSES_WITHOUT_A_WORD = 20
NEAR = (np.dtype(np.int64), np.dtype(np.int32))  # of this machine's byte order


class Target:
    """The encoded target: `inputs` for the library, and what is needed to turn predictions back."""

    def __init__(self, kind, inputs=None, classes=None, one_column=True, from_classes=False):
        self.kind = kind  # none, classes, real or labels
        self.inputs = inputs or {}
        self.classes = classes
        self.one_column = one_column  # predictions are a vector
        self.from_classes = from_classes  # labels that are classes, one per row


def encode(y, rows, facts, task, name):
    """The Target of y for a method that can what `facts` says."""
    if task not in TASKS:
        raise ValueError(f"`task` is one of {', '.join(TASKS)}, not {task!r}")
    if y is None:
        if facts.requires_y:
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        return Target("none")
    if is_sparse(y):
        return _labels(y, rows, None)
    names, kind = _column_names(y), _kind(y)
    y = _array(y, kind)
    if len(y) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(y)}]")
    if y.ndim == 2:
        return _several(y, facts, task, names)
    return _single(y, kind or y.dtype.kind, facts, task, names)


def encode_like(y, rows, target, facts, name):
    """The inputs of y for a model that was fitted to `target`."""
    task = {"classes": "classification", "real": "regression", "labels": "multilabel"}[target.kind]
    found = encode(y, rows, facts, task, name)
    if found.kind != target.kind:
        raise ValueError(f"y is taken for {found.kind}, but fit was given {target.kind}")
    if target.kind == "classes":
        number = {value: code for code, value in enumerate(target.classes.tolist())}
        unknown = [value for value in found.classes.tolist() if value not in number]
        if unknown:
            raise ValueError(f"y has the class {unknown[0]!r}, which fit was not given: leave its rows out")
        codes = np.array([number[value] for value in found.classes.tolist()], dtype=np.int32)
        found.inputs.update(y=codes[found.inputs["y"]], n_classes=len(target.classes), names=class_names(target.classes))
    return found.inputs


def task_of(y):
    """What the type of y says, for tables whose other columns say nothing of it."""
    kind, y = _kind(y), np.asarray(y)
    if y.ndim == 2 and y.shape[1] > 1:
        return "multilabel" if y.dtype.kind in "iub" else "regression"
    kind = kind or y.dtype.kind
    if kind != "f":
        _warn_of_numbers(y.ravel(), kind, len(np.unique(y)) if kind in "iu" else 0)
    return "regression" if kind == "f" else "classification"


def _column_names(y):
    names = list(y.columns) if hasattr(y, "columns") else [getattr(y, "name", None)]
    return [str(name) for name in names] if all(name is not None for name in names) else None


def _kind(y):
    """The letter of a type that numpy does not know, of one column, "c" of categories; None: numpy knows it."""
    if hasattr(y, "columns") and hasattr(y, "iloc") and len(y.columns) == 1:
        y = y.iloc[:, 0]
    dtype = getattr(y, "dtype", None)
    if dtype is None or isinstance(dtype, np.dtype):
        return None
    return "c" if hasattr(dtype, "categories") else getattr(dtype, "kind", None)


def _array(y, kind=None):
    refuse_masked(y, "y")
    if kind and kind in "iu" and hasattr(y, "isna") and not y.isna().to_numpy().any():
        y = y.to_numpy(dtype=np.int64)
    y = np.asarray(y)
    y = y if y.flags.aligned else y.copy()
    refuse_kind(y, "y")
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                      "(n_samples,), for example using ravel().", _compat.data_conversion_warning(), stacklevel=5)
        y = y[:, 0]
    if y.ndim not in (1, 2):
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return y


def _single(y, kind, facts, task, names):
    if _are_classes(kind, facts, task):
        target = _classes(y, kind, facts, names)
        if task == "auto" and facts.real:
            _warn_of_numbers(y, kind, len(target.classes))
        return target
    return _numbers(y, facts, names)


def _are_classes(kind, facts, task):
    if task == "classification" or not facts.real:
        return True
    return task != "regression" and (facts.classes or facts.labels) and kind != "f"


def _warn_of_numbers(y, kind, count):
    """Where classes look like numbers."""
    if kind in "iu" and count > MOST_CLASSES_WITHOUT_A_WORD:
        what = f"y has {count} different whole numbers, which are taken for as many classes"
    elif kind == "O" and any(isinstance(value, float) and value % 1 for value in y):
        what = "y is an array of objects, which are taken for classes, and some are numbers with a part behind the point"
    else:
        return
    _warn.give(_core.AlidadeWarning, f"{what}: `task=\"regression\"` takes them for numbers, and "
               "`task=\"classification\"` says that they are classes")


def _is_nothing(value):
    return value is None or (isinstance(value, (float, np.floating)) and value != value) or type(value).__name__ == "NAType"


def _missing(y, facts):
    """Which rows have no class; None: all have one."""
    if y.dtype.kind == "f":
        missing = np.isnan(y)
    elif y.dtype.kind == "O":
        missing = np.fromiter((_is_nothing(value) for value in y), dtype=bool, count=len(y))
    elif y.dtype.kind == "i" and facts.unlabelled:
        missing = y == -1
    else:
        return None
    return _refused_missing(missing, facts)


def _refused_missing(missing, facts):
    """None where nothing is missing; refused where the method cannot use such rows."""
    if not missing.any():
        return None
    if not facts.unlabelled:
        raise ValueError("Input y contains NaN.")
    return missing


def _labelled(missing):
    return None if missing is None else np.ascontiguousarray(~missing).view(np.uint8)


def _encode_classes(y):
    """(the classes, the code of each row). In order where they have one, else as they come."""
    if y.dtype in NEAR:
        codes = np.empty(len(y), dtype=np.int32)
        found = _core.encode(y, codes)
        if found is not None:
            return np.array(found, dtype=y.dtype), codes
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        number = {}
        codes = np.fromiter((number.setdefault(value, len(number)) for value in y), dtype=np.int32, count=len(y))
        classes = np.empty(len(number), dtype=object)
        classes[:] = list(number)
    return classes, codes.reshape(-1).astype(np.int32)


def _refuse_continuous(y, facts):
    y = _as_floats(y)
    finite = y[~np.isnan(y)] if facts.unlabelled else y
    if not np.isfinite(finite).all():
        raise ValueError(_not_finite(finite))
    if np.any(finite != np.floor(finite)):
        raise ValueError("Unknown label type: continuous. The classes are numbers with a part behind the point; give "
                         "whole numbers or texts, or take a method for numbers, such as PLS")


def _not_finite(y):
    what = "NaN" if np.isnan(y).any() else "infinity or a value too large for dtype('float64')"
    return f"Input y contains {what}."


def _classes(y, kind, facts, names):
    if kind == "f":
        _refuse_continuous(y, facts)
    missing = _missing(y, facts)
    present = y if missing is None else y[~missing]
    if not len(present):
        raise ValueError("no row has a class")
    classes, codes = _encode_classes(present)
    if missing is not None:
        all_codes = np.zeros(len(y), dtype=np.int32)
        all_codes[~missing] = codes
        codes = all_codes
    if not facts.classes:
        return _classes_as_labels(classes, codes, missing)
    inputs = {"kind": "classes", "y": codes, "n_classes": len(classes), "names": class_names(classes),
              "labelled": _labelled(missing), "target_name": names[0] if names else None}
    return Target("classes", inputs, classes=classes)


def class_names(classes):
    """Different texts for different classes."""
    names = [str(value) for value in classes.tolist()]
    return names if len(set(names)) == len(names) else [repr(value) for value in classes.tolist()]


def _classes_as_labels(classes, codes, missing):
    """For methods that take labels only: one label per class."""
    indicator = np.zeros((len(codes), len(classes)))
    indicator[np.arange(len(codes)), codes] = 1.0
    inputs = {"kind": "labels", "y": indicator, "names": class_names(classes), "labelled": _labelled(missing)}
    return Target("labels", inputs, classes=classes, from_classes=True)


def _as_floats(y):
    """NaN where there is nothing."""
    if y.dtype.kind == "O":
        y = np.asarray([np.nan if _is_nothing(value) else value for value in y.ravel()], dtype=object).reshape(y.shape)
    return y.astype(np.float64, copy=False)


def _as_numbers(y, facts):
    """(finite numbers, which rows have none or None)."""
    y = _as_floats(y)
    if np.isfinite(y).all():
        return y, None
    missing = _refused_missing(np.isnan(y) if y.ndim == 1 else np.isnan(y).any(axis=1), facts)
    if missing is not None:
        y = np.where(missing if y.ndim == 1 else missing[:, None], 0.0, y)
    if not np.isfinite(y).all():
        raise ValueError(_not_finite(y))
    return y, missing


def _numbers(y, facts, names):
    """The library looks for numbers that are not finite; here only where they may mean rows without a target."""
    if y.dtype == np.float64 and not facts.unlabelled:
        missing = None
    else:
        y, missing = _as_numbers(y, facts)
    column = np.ascontiguousarray(y).reshape(len(y), -1)
    inputs = {"kind": "real", "y": column, "labelled": _labelled(missing), "names": names}
    return Target("real", inputs, one_column=y.ndim == 1)


def _zeros_and_ones(values):
    return bool(np.all((values == 0) | (values == 1) | np.isnan(values)))


def _several(y, facts, task, names):
    values = _as_floats(y)
    zeros_and_ones = _zeros_and_ones(values[:100]) and _zeros_and_ones(values)
    if _must_be_labels(facts, task) and not zeros_and_ones:
        raise ValueError("Unknown label type: several columns are labels of 0 and 1, and y has other numbers")
    whole = y.dtype.kind in "iub"
    if _must_be_labels(facts, task) or (task == "auto" and facts.labels and whole and zeros_and_ones):
        return _label_columns(values, facts, names)
    if task == "auto" and facts.labels and whole != zeros_and_ones:
        _warn_of_columns(whole)
    return _numbers(y, facts, names)


def _must_be_labels(facts, task):
    return task in ("multilabel", "classification") or not facts.real


def _warn_of_columns(whole):
    """Where responses look like labels."""
    what = "whole numbers, which would be labels if all were 0 or 1" if whole else "floats, and all are 0 or 1"
    _warn.give(_core.AlidadeWarning, f"y has several columns of {what}; they are taken for responses: `task=\"regression\"` "
               "says that they are, and `task=\"multilabel\"` takes columns of 0 and 1 for labels")


def _label_columns(values, facts, names):
    values, missing = _as_numbers(values, facts)
    inputs = {"kind": "labels", "y": np.ascontiguousarray(values), "labelled": _labelled(missing), "names": names}
    return Target("labels", inputs, classes=np.arange(values.shape[1]), one_column=False)


def _labels(y, rows, names):
    if y.shape[0] != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {y.shape[0]}]")
    parts = sparse_parts(y, "y", "csr")
    return Target("labels", {"kind": "labels", "y": parts, "names": names}, classes=np.arange(y.shape[1]),
                  one_column=False)


def refuse_infinite(target):
    """What people search for, where the library refused a response."""
    if target.kind == "real" and not np.isfinite(target.inputs["y"]).all():
        raise ValueError(_not_finite(target.inputs["y"])) from None


def true_values(y):
    """y as `score` compares it with predictions."""
    if is_sparse(y):
        return _sparse.dense(y, "y")
    y = _frames.taken(y)
    refuse_masked(y, "y")
    y = np.asarray(y)
    refuse_kind(y, "y")
    return y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
