"""What scores decide, and the figures that score returns: accuracy, or the share of the variance that is explained."""
import numpy as np

from alidade import _core


def decided(kind, scores):
    """Codes of classes (one column), labels as 0 and 1, or responses, by the rule of the library."""
    if kind == "real":
        return scores
    found = np.empty((len(scores), 1 if kind == "classes" else scores.shape[1]))
    _core.decide(kind, scores, found)
    return found


def accuracy(true, predicted, sample_weight=None):
    right = true == predicted
    if right.ndim == 2:
        right = right.all(axis=1)
    return float(right.mean() if sample_weight is None else np.average(right, weights=sample_weight))


def r2(true, predicted, sample_weight=None):
    if len(true) < 2:
        return float("nan")
    if sample_weight is None and true.ndim == predicted.ndim == 1 and true.dtype == float:
        off, around = true - predicted, true - true.sum() / len(true)
        spread = around @ around
        if spread > 0:
            return float(1 - (off @ off) / spread)
    true, predicted = (np.asarray(y, dtype=float).reshape(len(y), -1) for y in (true, predicted))
    w = sample_weight
    middle = true.mean(axis=0) if w is None else np.average(true, axis=0, weights=w)
    left, spread = (_sum_of_squares(parts, w) for parts in (true - predicted, true - middle))
    constant = spread == 0
    if not constant.any():
        return float((1 - left / spread).mean())
    parts = 1 - left / np.where(constant, 1, spread)
    return float(np.where(constant, np.where(left == 0, 1.0, 0.0), parts).mean())


def _sum_of_squares(parts, w):
    """Of each column, weighted."""
    return np.einsum("ij,ij->j", parts, parts) if w is None else np.einsum("ij,ij,i->j", parts, parts, w)
