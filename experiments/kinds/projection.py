"""Methods fitted to one table: a picture of each on the test rows, and over several draws how far each is from the truth.

[data] see Job.table; draws = how many data sets (or splits); truth = the known directions, a list of rows;
plot = "test" (default), "both" or "none"; [[methods]] name, dims, label, and the method's parameters, `predictor` among them;
metric = which figure of `evaluate` to list ("accuracy", "r2", ...), where there is a predictor; a method without one is fine.
[paper] W.LABEL = the directions the paper prints (a list of rows): their angle to the truth stands beside ours;
[paper] says.LABEL = what the paper says of the method."""
import math
import re

import page
from job import mean_and_deviation, options_of


def label_of(method):
    return method.get("label", method["name"])


def slug_of(method):
    """The label as part of a file's name."""
    return re.sub("[^A-Za-z0-9]+", "-", label_of(method)).strip("-")


def settings_of(method):
    return {k: v for k, v in method.items() if k not in ("name", "label", "dims")}


def fit(job, method, train, model, show=True):
    return job.alidade("fit", train, *job.reading(), "--method", method["name"], "--components", method["dims"], *options_of(settings_of(method)),
                       "-o", model, "--json", show=show)


def some(job, file):
    """The first 500 rows, so that a picture stays small."""
    lines = job.lines(file)
    if len(lines) <= 501:
        return file
    name = file.removesuffix(".csv") + "-500.csv"
    job.tell(f"{name}: the first 500 rows of {file}")
    return job.write(name, lines[:501])


def measured(job, method, train, test, truth, draw):
    """Fit seconds, angle to the truth in degrees, scores on the test rows, of one method on one table."""
    show, model = draw == 0, slug_of(method) + ".ald"
    fitted = fit(job, method, train, model, show)
    seen = {"fit_seconds": fitted["fit_seconds"]}
    if "choose_neighbors" in method:
        seen["n_neighbors"] = fitted["resolved"]["n_neighbors"]
    wanted = ["--subspace", truth] if truth else []
    if wanted or "predictor" in method:
        scores = job.alidade("evaluate", model, test or train, *wanted, "--json", show=show)
        if truth:
            seen |= {"angle": scores["subspace"]["angle_degrees"], "trace_correlation": scores["subspace"]["trace_correlation"]}
        seen |= {k: scores[k] for k in ("rmse", "r2", "accuracy") if scores.get(k) is not None}
    if draw == 0 and job.spec.get("plot") != "none":
        rows = [train, "--test", test] if job.spec.get("plot") == "both" else [some(job, test or train)]
        job.alidade("plot", model, *rows, "--title", label_of(method), "--width", 480, "--height", 360, "-o", job.picture(slug_of(method)),
                    show=draw == 0)
    return seen


def measure(job):
    spec, rows = job.spec, {label_of(m): [] for m in job.spec["methods"]}
    for draw in range(spec.get("draws", 1)):
        def one(draw=draw):
            train, test = job.table(draw)
            truth = job.write("truth.csv", [",".join(map(str, row)) for row in spec["truth"]]) if "truth" in spec else None
            return {label_of(m): measured(job, m, train, test, truth, draw) for m in spec["methods"]}
        for name, seen in job.part(f"draw {draw}", one).items():
            rows[name].append(seen)
    return rows


def angle_between(given, truth):
    """Largest principal angle in degrees, of one or two directions each: the smallest singular value of the product of
    orthonormal bases is its cosine."""
    def basis(rows):
        found = []
        for row in rows:
            for b in found:
                along = sum(x * y for x, y in zip(row, b))
                row = [x - along * y for x, y in zip(row, b)]
            size = math.sqrt(sum(x * x for x in row))
            found.append([x / size for x in row])
        return found
    product = [[sum(x * y for x, y in zip(p, q)) for q in basis(truth)] for p in basis(given)]
    if len(product) == 1:
        cosine = math.sqrt(sum(x * x for x in product[0]))
    else:
        (a, b), (c, d) = product
        total, det = a * a + b * b + c * c + d * d, abs(a * d - b * c)
        cosine = math.sqrt(max(0.0, (total - math.sqrt(max(0.0, total * total - 4 * det * det))) / 2))
    return math.degrees(math.acos(min(1.0, cosine)))


def told_settings(method, seen):
    """name=value words; of the neighbours that were chosen, which."""
    words = [f"{k}={v}" for k, v in settings_of(method).items()]
    if seen and "n_neighbors" in seen[0]:
        words.append("(chosen: " + ", ".join(map(str, sorted({s["n_neighbors"] for s in seen}))) + ")")
    return " ".join(words) or "defaults"


def report(spec, result, pictures):
    paper, draws = spec.get("paper", {}), spec.get("draws", 1)
    metric = spec.get("metric")
    header = ["method", "dims", "settings"]
    header += ["angle to the truth, degrees"] if "truth" in spec else []
    header += ["of the paper's printed W"] if "W" in paper else []
    header += [f"{metric} on the test rows"] if metric else []
    header += ["fit, s"]
    header += ["the paper says"] if "says" in paper else []
    rows = []
    for method in spec["methods"]:
        name = label_of(method)
        seen = result[name]
        row = [name, method["dims"], told_settings(method, seen)]
        if "truth" in spec:
            row.append(page.spread(*mean_and_deviation([s["angle"] for s in seen]), places=1))
        if "W" in paper:
            row.append(f"{angle_between(paper['W'][name], spec['truth']):.1f}" if name in paper["W"] else "-")
        if metric:
            values = [s[metric] for s in seen if metric in s]
            row.append(page.spread(*mean_and_deviation(values), places=3) if values else "-")
        row.append(page.number(mean_and_deviation([s["fit_seconds"] for s in seen])[0], 2))
        if "says" in paper:
            row.append(paper["says"].get(name, "-"))
        rows.append(row)
    data = spec["data"]
    what = "draws of the data" if "generate" in data else "splits"
    text = page.table(header, rows) + f"\n\nMean ± standard deviation over {draws} {what}; the pictures show the first." if draws > 1 else page.table(header, rows)
    shown = [(label_of(m), pictures[slug_of(m)]) for m in spec["methods"] if slug_of(m) in pictures]
    return text + "\n\n" + page.images(shown)
