"""An exported JSON file, used as docs/export.md says: the steps by numpy, written from that page."""
import json
import math

import numpy as np

EPSILON = np.finfo(float).eps


def snv(x, step):
    centred = x - x.mean(1, keepdims=True)
    deviation = np.sqrt((centred**2).sum(1, keepdims=True) / (x.shape[1] - 1))
    varies = deviation > 8 * EPSILON * np.abs(x).max(1, keepdims=True)
    return np.where(varies, centred / np.where(varies, deviation, 1), 0)


def msc(x, step):
    reference = np.array(step["reference"])
    rows = []
    for row in x:
        r, own = reference - reference.mean(), row - row.mean()
        along = abs(own @ r) > 8 * EPSILON * np.sqrt((own @ own) * (r @ r))
        slope = own @ r / (r @ r) if along else 0
        rows.append((row - row.mean() + slope * reference.mean()) / (slope or 1))
    return np.array(rows)


def detrend(x, step):
    p = np.array(step["polynomials"])
    return x - (x @ p.T) @ p


def savgol(x, step):
    h = np.array(step["filter"])
    w, d = len(h), x.shape[1]
    first = [min(max(j - w // 2, 0), d - w) for j in range(d)]
    return np.column_stack([x[:, f:f + w] @ h[j - f] for j, f in enumerate(first)])


def row_scale(x, step):
    if step["standard"]:
        x = x - x.mean(1, keepdims=True)
    size = np.sqrt((x**2).mean(1, keepdims=True) if step["standard"] else (x**2).sum(1, keepdims=True))
    return np.where(np.isfinite(size), x / np.where(size > 0, size, 1), math.nan)


def columns(x, step):
    return (x - np.array(step.get("mean", 0))) * np.array(step.get("inverse", 1))


def linear(x, step):
    return columns(x, step) @ np.array(step["coefficients"])


def length(x):
    """Of rows of zeros a number that makes their cosines 0."""
    size = np.linalg.norm(x, axis=1)
    return np.where(size > 0, size, math.inf)


def kernel(x, step):
    rows = np.array(step["landmarks"])
    apart = x[:, None, :] - rows[None, :, :]
    return {
        "linear": lambda: x @ rows.T,
        "rbf": lambda: np.exp(-(apart**2).sum(2) / (2 * step["width"] ** 2)),
        "laplacian": lambda: np.exp(-np.abs(apart).sum(2) / step["width"]),
        "polynomial": lambda: (x @ rows.T + step["coef0"]) ** step["degree"],
        "cosine": lambda: x @ rows.T / length(x)[:, None] / length(rows),
    }[step["kernel"]]()


def waves(x, step):
    return math.sqrt(2 / step["out"]) * np.cos(x @ np.array(step["frequencies"]).T + np.array(step["phases"]))


def affine(x, step):
    return x @ np.array(step["coefficients"]) + np.array(step["intercept"])


def centroid(x, step):
    return -((x[:, None, :] - np.array(step["centres"])[None]) ** 2).sum(2)


def neighbours(x, step):
    rows, targets = np.array(step["rows"]), np.array(step["targets"])
    weights = np.array(step.get("weights", np.ones(len(rows))))
    if step["codes"]:
        targets = np.eye(step["out"])[targets.astype(int)]
    near = np.argsort(((x[:, None, :] - rows[None]) ** 2).sum(2), axis=1, kind="stable")[:, :int(step["neighbours"])]
    return np.array([np.average(targets[i], axis=0, weights=weights[i]) for i in near])


def softmax(x, step):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def logit(x, step):
    return 1 / (1 + np.exp(-x))


def compare(x, step):
    return x - x.max(1, keepdims=True)  # the same but for rounding


def encode(cells, inputs):
    """Texts of a row to numbers."""
    numbers = []
    for text, of in zip(cells, inputs):
        levels = of.get("levels")
        if not levels:
            value = float(text or "nan")
            numbers.append(of["missing"] if math.isnan(value) and of["missing"] is not None else value)
            continue
        code = levels.index(text) if text in levels else None
        if text == "":
            code = int(of["missing"])
        if of["encode"] == "code":
            numbers.append(of["unknown"][0] if code is None else code)
        else:
            numbers.extend(of["unknown"] if code is None else [float(k == code) for k in range(len(levels))])
    return numbers


def intervals(path, s, level):
    """The bounds of the responses side by side, or the sets, of rows with these scores."""
    with open(path) as file:
        model = json.load(file)
    errors = np.array(model["errors"])
    e = errors[max(math.ceil((len(errors) + 1) * level - 1e-9), 1) - 1]
    if model["target"] == "real":
        return np.hstack([s - e, s + e])
    if model["target"] == "classes":
        return (s >= -e).astype(int)
    return (np.abs(s) <= e) + 2 * (np.abs(1 - s) <= e)


def run(path, rows):
    """Projection, scores and decision of rows of texts; NaN for rows with a cell that is not finite."""
    with open(path) as file:
        model = json.load(file)
    x = np.array([encode(row, model["inputs"]) for row in rows])
    good = np.isfinite(x).all(1)
    return [spread(part, good) for part in apply(model, x[good])]


def spread(part, good):
    """The rows in their places; NaN for others."""
    if part is None:
        return None
    whole = np.full((len(good), part.shape[1]), np.nan)
    whole[good] = part
    return whole


def condition(path, rows):
    """How many times the rounding of a term the projection may be off: sums over j of |x_j c_jk|, with the means that are
    taken off, beside the larger of 1 and the sum itself."""
    with open(path) as file:
        model = json.load(file)
    x = np.array([encode(row, model["inputs"]) for row in rows])
    *before, last = [step for step in model["steps"] if step["for"] == "scores"]
    for step in before:
        x = globals()[step["step"]](x, step)
    size = (np.abs(x) + np.abs(np.array(last.get("mean", 0)))) * np.abs(np.array(last.get("inverse", 1)))
    return float((size @ np.abs(last["coefficients"]) / np.maximum(1, np.abs(linear(x, last)).max(0))).max())


def apply(model, x):
    results, values = {}, x
    for step in model["steps"]:
        values = globals()[step["step"]](values, step)
        results[step["for"]] = values
    s = results.get("probabilities", results.get("decision"))
    y = s
    if model["target"] == "classes":
        y = results["decision"].argmax(1)[:, None]
    if model["target"] == "labels":
        y = (s > 0.5).astype(float)
    return results["scores"], s, y
