"""Seconds of a fit against the rows or the columns of generated sparse data, by two solvers.

[data] generate, seed; over = "n" or "d", sizes = the values, fixed = {the other one}; [[methods]] label, name, parameters;
solvers = {LABEL = {..}}; repeats: the smallest of so many fits."""
import chart
import page
from job import options_of


def seconds(job, file, method, solver):
    settings = {k: v for k, v in method.items() if k not in ("name", "label")}
    words = ["fit", file, "--task", "multilabel", "--method", method["name"], *options_of(settings | solver), "--components", 0, "-o", "m.ald", "--json"]
    return min(job.alidade(*words)["fit_seconds"] for _ in range(job.spec["repeats"]))


def at_size(job, size):
    spec = job.spec
    file, sizes = spec["data"]["generate"] + ".svm", spec["fixed"] | {spec["over"]: size}
    job.alidade("generate", spec["data"]["generate"], "--n", sizes["n"], "--d", sizes["d"], "--seed", spec["data"].get("seed", 1), "-o", file)
    return {f"{m['label']}, {name}": seconds(job, file, m, solver) for m in spec["methods"] for name, solver in spec["solvers"].items()}


def measure(job):
    spec = job.spec
    seen = [job.part(f"{spec['over']} = {size}", lambda size=size: at_size(job, size)) for size in spec["sizes"]]
    result = {name: [s[name] for s in seen] for name in seen[0]}
    lines = [(name, list(zip(spec["sizes"], values))) for name, values in result.items()]
    chart.lines(job.picture("seconds"), lines, spec["title"], {"n": "rows", "d": "columns"}[spec["over"]], "seconds", y_log=True)
    return result


def report(spec, result, pictures):
    rows = [[name, *(page.number(v, 2) for v in values)] for name, values in result.items()]
    return page.table([f"seconds, {spec['over']} =", *map(str, spec["sizes"])], rows) + "\n\n" + page.images([("seconds", pictures["seconds"])])
