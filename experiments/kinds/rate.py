"""How fast a fit settles as rows grow: its distance to the fit on very many rows, and the slope of that in log-log.

[[sets]] name, generate, dims, truth (optional: known directions); reference = rows of the fit that stands for the limit; sizes; draws;
[[methods]] label, name, parameters."""
import math

import chart
import page
from job import mean_and_deviation, options_of


def fit(job, data, method, rows, seed, model, show):
    settings = {k: v for k, v in method.items() if k not in ("name", "label")}
    job.alidade("generate", data["generate"], "--n", rows, "--seed", seed, "-o", "rows.csv", show=show)
    job.alidade("fit", "rows.csv", "--target", "y", "--method", method["name"], "--components", data["dims"], *options_of(settings), "-o", model, show=show)


def distances(job, data, method):
    """sizes x draws: |WW' - VV'| / |WW'|, W of the reference."""
    fit(job, data, method, job.spec["reference"], 1000, "limit.ald", True)
    seen = []
    for size in job.spec["sizes"]:
        seen.append([])
        for draw in range(job.spec["draws"]):
            fit(job, data, method, size, 1 + draw, "m.ald", draw == 0 and size == job.spec["sizes"][0])
            seen[-1].append(job.alidade("inspect", "limit.ald", "--against", "m.ald", "--json", show=draw == 0)["relative"])
    return seen


def slope(sizes, values):
    """Of log(value) against log(size), least squares."""
    a, b = [math.log(s) for s in sizes], [math.log(v) for v in values]
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    return sum((x - ma) * (y - mb) for x, y in zip(a, b)) / sum((x - ma) ** 2 for x in a)


def measure(job):
    result = {}
    for data in job.spec["sets"]:
        for method in job.spec["methods"]:
            name = f"{data['name']}, {method['label']}"
            result[name] = job.part(name, lambda data=data, method=method: distances(job, data, method))
    sizes, lines = job.spec["sizes"], []
    for name, seen in result.items():
        lines.append((name, [(s, mean_and_deviation(v)[0]) for s, v in zip(sizes, seen)]))
    top = max(points[0][1] for _, points in lines)
    lines.append(("n^-1/2", [(s, top * math.sqrt(sizes[0] / s)) for s in sizes]))
    chart.lines(job.picture("rate"), lines, job.spec["title"], "rows", "distance to the limit", x_log=True, y_log=True, width=640)
    return result


def report(spec, result, pictures):
    rows = []
    for name, seen in result.items():
        means = [mean_and_deviation(v)[0] for v in seen]
        rows.append([name, *(f"{m:.3f}" for m in means), f"{slope(spec['sizes'], means):.2f}"])
    header = ["distance to the limit, rows", *map(str, spec["sizes"]), "slope"]
    return page.table(header, rows) + f"\n\nMeans over {spec['draws']} draws; the limit is a fit on {spec['reference']} other rows.\n\n" + page.images([("rate", pictures["rate"])])
