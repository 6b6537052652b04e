"""A table of methods and dimensions over splits, by `alidade compare`, beside the paper's.

[[sets]] label, file, target, and options of reading (ignore, task, scale, row_scale), units, pca; settings.LABEL = parameters
of one method for this set only; leave = labels of methods to leave out.
[[methods]] name, label and parameters; dims = "1:4"; splits, train, seed, predictor, predictor_neighbors; metric;
further = further metrics to show beside; factor = 100 where the paper has per cent; places = digits after the point.
[[chosen]] name, label, grid = {parameter = "a,b,c"}, folds: one more column, the settings chosen inside each training part.
[paper.SET] LABEL = [[mean, deviation], ...], one a dimension; tolerance = largest difference that counts as agreement."""
import page
from kinds.projection import label_of, settings_of


def dims_of(spec):
    low, _, high = spec["dims"].partition(":")
    return list(range(int(low), int(high or low) + 1))


def methods_of(spec, which):
    laid = which.get("settings", {})
    return [m | laid.get(label_of(m), {}) for m in spec["methods"] if label_of(m) not in which.get("leave", [])]


def prepared(job, which):
    """The file of a set, in the working folder."""
    file = job.data(which["file"])
    stem = which["file"].split(".")[0]
    if "units" in which:
        file = job.divided(file, which["units"], stem + "-units.csv")
        job.tell(f"{stem}-units.csv: {which['file']} with " + ", ".join(f"{k} divided by {v}" for k, v in which["units"].items()))
    job.spec["data"] = which
    if "pca" in which:
        file = job.principal(file, which["pca"], stem + "-pca.csv")
    return file


def options(job, which):
    spec = job.spec
    words = ["--dims", spec["dims"], "--splits", spec["splits"], "--train", spec.get("train", 0.667), "--seed", spec.get("seed", 1), "--no-baselines"]
    words += ["--predictor", spec["predictor"]] if "predictor" in spec else []
    words += ["--predictor-neighbors", spec["predictor_neighbors"]] if "predictor_neighbors" in spec else []
    return [*job.reading(), *words, "--metric", spec["metric"]]


def candidate(method):
    return " ".join([method["name"], *(f"{k}={v}" for k, v in settings_of(method).items())])


def one_method(job, file, which, method):
    """dims -> {metric: [value a split]}"""
    answer = job.alidade("compare", file, *options(job, which), "--methods", candidate(method), "--json")
    return by_dims(answer)


def by_dims(answer):
    found = {}
    for row in answer["rows"]:
        found[str(row["dims"])] = {"mean": row["mean"], "std": row["std"], "fit_seconds": row["fit_seconds"], "error": row.get("error"),
                                   "further": row.get("metrics", {})}
    return found
