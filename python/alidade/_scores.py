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
    return float(np.average(right, weights=sample_weight))


def r2(true, predicted, sample_weight=None):
    true, predicted = np.asarray(true, dtype=float), np.asarray(predicted, dtype=float)
    true, predicted = true.reshape(len(true), -1), predicted.reshape(len(true), -1)
    w = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if len(true) < 2:
        return float("nan")
    left = (w[:, None] * (true - predicted) ** 2).sum(axis=0)
    spread = (w[:, None] * (true - np.average(true, axis=0, weights=w)) ** 2).sum(axis=0)
    constant = spread == 0
    parts = 1 - left / np.where(constant, 1, spread)
    return float(np.where(constant, np.where(left == 0, 1.0, 0.0), parts).mean())
