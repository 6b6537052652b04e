"""How certain predictions are, by the errors of a model on rows that it was not fitted on."""
import numpy as np

from alidade import _core

UNKNOWN = ("the model does not know its errors on rows that it has not seen: fit it with `intervals=10`, or give it such rows "
           "with `calibrate`")


def regions(core, shape, rows, count, level, threads):
    """Of `count` rows, an array or a Dataset. Numbers: (rows, outputs, 2), the ends of the intervals; classes: (rows,
    classes), whether the class is in the set; labels: (rows, labels, 2), whether 0 is, and whether 1 is."""
    kind, _, outputs, _ = shape
    if not outputs:
        raise ValueError("the model has no predictor: it was fitted without a target, or with `predictor` none")
    risk = _core.text(core, "alidade.predictor.kind") == "cox" or '"event":true' in (_core.text(core, "alidade.schema") or "")
    if not _core.calibration_count(core) and not risk:
        raise ValueError(UNKNOWN)
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval is above 0 and below 1, such as 0.9, not {level!r}")
    ends = 2 if kind == "real" else 1
    out = np.empty((ends * count, outputs))
    _core.regions(core, rows, level, out, threads)
    out = out.reshape(ends, count, outputs)
    if kind == "real":
        return np.moveaxis(out, 0, -1).copy()
    codes = out[0].astype(np.uint8)
    return codes.astype(bool) if kind == "classes" else np.stack([codes & 1, codes & 2], axis=-1).astype(bool)


def columns(kind, found, names):
    """(names, cells) of what regions gives, as `alidade predict --interval` writes them."""
    if kind == "real":
        return [f"{end}({name})" for name in names for end in ("low", "high")], found.reshape(len(found), -1)
    if kind == "classes":
        return [f"in({name})" for name in names], found.astype(int)
    words = np.array(["", "0", "1", "0|1"], dtype=object)
    return [f"set({name})" for name in names], words[found[:, :, 0] + 2 * found[:, :, 1]]
