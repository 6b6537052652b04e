"""A table of methods and dimensions over splits, by `alidade compare`, beside the paper's.

[[sets]] label, file, target, how it is read (ignore, task, scale, row_scale), units, pca; settings.LABEL = parameters of one
method for this set only; leave = labels of methods to leave out; dims, splits, train, folds... of this set only.
[[methods]] name, label and parameters; a method without `name` is not fitted: its column has the paper's numbers only.
dims = "1:4" or "1,2,5"; splits, train, seed, predictor, predictor_neighbors; metric; also = one more metric to show;
factor = 100 where the paper has per cent; places = digits after the point.
[[chosen]] label, method (with settings), dims, grid = {parameter = "a,b,c"}, folds, and `sets` = labels of the sets it is for: a line
more, with settings and dims chosen by cross-validation inside the training part of each split.
[paper.SET] LABEL = [[mean, deviation], ...], one per dimension, [] where it has none; tolerance = {SET = largest difference that counts
as agreement}, else the larger of the two standard deviations; as_paper = the metric that the paper's numbers are, if not `metric`."""
from collections import Counter

import page
from job import mean_and_deviation, options_of
from kinds.projection import label_of, settings_of

# Of a set or of the whole experiment, handed on to `compare` as they are.
HANDED_ON = ("splits", "train", "folds", "repeats", "seed", "predictor", "predictor_neighbors", "predictor_ridge")


def dims_of(text):
    """ "1:3" or "1,2,5" -> numbers."""
    low, colon, high = str(text).partition(":")
    return list(range(int(low), int(high) + 1)) if colon else [int(r) for r in low.split(",")]


def methods_of(spec, which):
    laid = which.get("settings", {})
    return [m | laid.get(label_of(m), {}) for m in spec["methods"] if "name" in m and label_of(m) not in which.get("leave", [])]


def prepared(job, which):
    """The file of a set, in the working folder."""
    file, stem = job.data(which["file"]), which["file"].split(".")[0]
    if "units" in which:
        file = job.divided(file, which["units"], stem + "-units.csv")
        job.tell(f"{file}: {which['file']} with " + ", ".join(f"{k} divided by {v}" for k, v in which["units"].items()))
    return job.principal(file, which["pca"], stem + "-pca.csv") if "pca" in which else file


def candidate(method):
    return " ".join([method["name"], *(f"{k}={v}" for k, v in settings_of(method).items())])


def common(job, which):
    spec = job.spec
    both = {k: which.get(k, spec.get(k)) for k in HANDED_ON if k in which or k in spec}
    return [*job.reading(), *options_of(both), "--metric", spec["metric"], "--no-baselines", "--json"]


def cells(row, spec):
    """What is kept of a row of the answer."""
    wanted = {spec["metric"], spec.get("also"), spec.get("as_paper")}
    return {k: row.get(k) for k in ("mean", "std", "mark", "fit_seconds", "error")} | {"metrics": {k: v for k, v in row["metrics"].items() if k in wanted}}


def table_of(job, which):
    """label -> [a cell a dimension]"""
    file, methods = prepared(job, which), methods_of(job.spec, which)
    dims = str(which.get("dims", job.spec["dims"]))
    answer = job.alidade("compare", file, *common(job, which), "--methods", ",".join(candidate(m) for m in methods), "--components", dims)
    rows, count = answer["rows"], len(dims_of(dims))
    return {"splits": answer["splits"], "rows": {label_of(m): [cells(r, job.spec) for r in rows[i * count:(i + 1) * count]] for i, m in enumerate(methods)}}


def chosen_of(job, which, choice):
    """The same splits; in each, dims and settings are chosen by cross-validation of its training part."""
    grid = [word for name, values in choice["grid"].items() for word in ("--grid", f"{name}={values}")]
    answer = job.alidade("compare", prepared(job, which), *common(job, which), "--methods", choice["method"], "--components", choice["dims"], *grid, "--choose",
                         "--rule", "best", "--inner-folds", choice.get("folds", 5))
    return cells(answer["rows"][0], job.spec) | {"chosen": answer["rows"][0]["chosen"]}


def measure(job):
    result, spec = {}, job.spec
    for which in spec["sets"]:
        spec["data"] = which
        seen = job.part(which["label"], lambda: table_of(job, which))
        seen["chosen"] = {c["label"]: job.part(f"{which['label']}, {c['label']}", lambda: chosen_of(job, which, c))
                          for c in spec.get("chosen", []) if which["label"] in c.get("sets", [which["label"]])}
        result[which["label"]] = seen
    spec.pop("data")
    return result


def shown(cell, spec, metric):
    """Mean ± standard deviation of a metric over the splits."""
    values = [v for v in cell["metrics"].get(metric, []) if v is not None]
    if not values:
        return "-"
    factor = spec.get("factor", 1)
    mean, deviation = mean_and_deviation(values)
    return page.spread(mean * factor, deviation and deviation * factor, spec.get("places", 2))


def ours(cell, spec):
    text = shown(cell, spec, spec["metric"])
    text = f"**{text}**" if cell["mark"] == "best" else text
    return text + (f" / {shown(cell, spec, spec['also'])}" if "also" in spec and text != "-" else "")


def papers(spec, which, label, at):
    found = spec.get("paper", {}).get(which["label"], {}).get(label, [])
    if at >= len(found) or not found[at]:
        return None
    return found[at] if isinstance(found[at], list) else [found[at], None]


def within(spec, which, seen):
    """How many of the means are as near to the paper's as the larger of the two standard deviations, or `tolerance` where it is given."""
    metric, factor, differences = spec.get("as_paper", spec["metric"]), spec.get("factor", 1), []
    dims, limit = dims_of(which.get("dims", spec["dims"])), spec.get("tolerance", {}).get(which["label"])
    for label, row in seen["rows"].items():
        for r, cell, at in zip(dims, row, range(len(row))):
            values, paper = [v for v in cell["metrics"].get(metric, []) if v is not None], papers(spec, which, label, at)
            if values and paper:
                mean, deviation = mean_and_deviation(values)
                allowed = limit if limit is not None else max(factor * (deviation or 0), paper[1] or 0)
                off = abs(mean * factor - paper[0])
                differences.append((off, off <= allowed, f"{label}, r = {r}"))
    if not differences:
        return ""
    largest, bound = max(differences), f"{limit}" if limit is not None else "one standard deviation"
    of = f" ({metric})" if "also" in spec else ""
    return (f"{sum(d[1] for d in differences)} of {len(differences)} means{of} are within {bound} of the paper's; "
            f"the farthest is {largest[0]:.{spec.get('places', 2)}f} off ({largest[2]}).")


def settings_lines(spec, which):
    told = [f"{label_of(m)}: {' '.join(f'{k}={v}' for k, v in settings_of(m).items())}" for m in methods_of(spec, which) if settings_of(m)]
    return "Settings: " + ("; ".join(told) if told else "defaults") + "."


def chosen_line(spec, label, cell):
    counts = Counter(f"r = {c['dims']}" + (f", {c['settings']}" if c["settings"] else "") for c in cell["chosen"])
    picks = "; ".join(f"{what} ({times})" for what, times in counts.most_common(3)) + ("; ..." if len(counts) > 3 else "")
    return f"{label}, r and settings chosen inside the training part of each split: {ours(cell, spec).replace('**', '')} (most often {picks})."


def report(spec, result, pictures):
    metric = spec["metric"] + (f" / {spec['also']}" if "also" in spec else "")
    parts = [f"{metric}, mean ± standard deviation over the splits; the paper's in brackets; bold: our best of the table."]
    for which in spec["sets"]:
        seen, dims = result[which["label"]], dims_of(which.get("dims", spec["dims"]))
        labels = [label_of(m) for m in spec["methods"] if label_of(m) not in which.get("leave", [])]
        rows = []
        for at, r in enumerate(dims):
            row = [r]
            for label in labels:
                paper = papers(spec, which, label, at)
                mine = ours(seen["rows"][label][at], spec) if label in seen["rows"] else "-"
                row.append(mine + (f" ({page.spread(*paper, spec.get('places', 2))})" if paper else ""))
            rows.append(row)
        parts += [f"**{which['label']}** ({seen['splits']}). {settings_lines(spec, which)}", page.table(["r", *labels], rows)]
        for label, cell in seen["chosen"].items():
            parts.append(chosen_line(spec, label, cell))
        reasons = {f"{label}, r = {r}: {cell['error']}" for label, row in seen["rows"].items() for r, cell in zip(dims, row) if cell["error"]}
        parts += ["\n".join(f"- {reason}" for reason in sorted(reasons))] if reasons else []
        parts += [within(spec, which, seen)] if within(spec, which, seen) else []
    return "\n\n".join(parts)
