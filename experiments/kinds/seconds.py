"""Seconds of a fit against the size of the data.

[data] generate, n, seed, target; vary = the option of `generate` that grows ("d", "n"), sizes = its values; repeats (the fastest
counts); limit = seconds after which a method gets no larger size; [[methods]] as in kinds/projection.py, `most` = largest size to try.
The exponent is the slope of log seconds over log size."""
import math

import chart
import page
from job import options_of
from kinds.projection import label_of, settings_of


def fastest(job, method, size):
    spec, data = job.spec, job.spec["data"]
    name = f"{data['generate']}-{size}.csv"
    show = size in (spec["sizes"][0], spec["sizes"][-1])
    job.alidade("generate", data["generate"], "--n", data["n"], "--" + spec["vary"], size, "--seed", data.get("seed", 1), "-o", name, show=show)
    settings = {k: v for k, v in settings_of(method).items() if k != "most"}
    best = None
    for _ in range(spec.get("repeats", 1)):
        fitted = job.alidade("fit", name, *job.reading(), "--method", method["name"], "--components", method["dims"], *options_of(settings), "-o", "m.ald",
                             "--json", show=show, fails=True)
        if "error" in fitted:
            return fitted
        best = fitted["fit_seconds"] if best is None else min(best, fitted["fit_seconds"])
        if best > 1:
            break
    return {"seconds": best}


def measure(job):
    spec, found = job.spec, {}
    for method in spec["methods"]:
        times, name = {}, label_of(method)
        for size in spec["sizes"]:
            if size > method.get("most", size):
                continue
            times[str(size)] = job.part(f"{name} {size}", lambda m=method, s=size: fastest(job, m, s))
            if "error" in times[str(size)] or times[str(size)]["seconds"] > spec.get("limit", 60):
                break
        found[name] = times
    series = [(name, [(int(s), t["seconds"]) for s, t in times.items() if "seconds" in t]) for name, times in found.items()]
    chart.lines(job.picture("seconds"), [s for s in series if s[1]], spec["title"], spec["vary"], "seconds of a fit", x_log=True, y_log=True)
    return found


def exponent(times):
    """Least squares over the sizes that took more than 10 ms."""
    points = [(math.log(int(s)), math.log(t["seconds"])) for s, t in times.items() if t.get("seconds", 0) > 0.01]
    if len(points) < 3:
        return "-"
    x, y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return f"{sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points):.1f}"


def report(spec, result, pictures):
    paper = spec.get("paper", {}).get("seconds", {})
    header = ["method", *(f"{spec['vary']} = {size}" for size in spec["sizes"]), "exponent"] + (["the paper"] if paper else [])
    rows, reasons = [], []
    for method in spec["methods"]:
        name = label_of(method)
        times = result[name]
        cells = [page.number(times.get(str(s), {}).get("seconds"), 2) for s in spec["sizes"]]
        reasons += [f"{name}: {t['error'].removeprefix('alidade fit: ')}" for t in times.values() if "error" in t]
        rows.append([name, *cells, exponent(times)] + ([paper.get(name, "-")] if paper else []))
    text = page.table(header, rows) + f"\n\nSeconds, the fastest of {spec.get('repeats', 1)}; - not tried."
    if reasons:
        text += "\n\n" + "\n".join(f"- {r}" for r in reasons)
    return text + "\n\n" + page.images([("seconds", pictures["seconds"])] if "seconds" in pictures else [])
