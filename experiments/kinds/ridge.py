"""A score on rows kept back against the ridge, by two solvers.

[data] see Job.table (train = N); ridges; [[methods]] label, name and parameters; solvers = {LABEL = {solver = .., ..}}; metric;
tune = {options of `alidade tune`}: also the ridge that cross-validation inside the training part takes.
[paper] expected."RIDGE".LABEL = a known value, tolerance = how near ours should be."""
import chart
import page
from job import options_of


def label(method):
    return method.get("label", method["name"])


def one_score(job, train, test, method, solver, ridge):
    settings = {k: v for k, v in method.items() if k not in ("name", "label")}
    fitted = job.alidade("fit", train, *job.reading(), "--method", method["name"], *options_of(settings), "--ridge", ridge, *options_of(solver), "--components", 0,
                         "--predictor", job.spec["predictor"], "-o", "m.ald", "--json")
    return {"score": job.alidade("evaluate", "m.ald", test, "--json")[job.spec["metric"]], "fit_seconds": fitted["fit_seconds"]}


def tuned(job, train, test, method):
    """The choice of `alidade tune` on the training rows alone, and its score on the others."""
    settings = {k: v for k, v in method.items() if k not in ("name", "label")}
    job.alidade("tune", train, *job.reading(), "--method", method["name"], *options_of(settings | job.spec["tune"]), "--rule", "best", "--no-nested", "--predictor",
                job.spec["predictor"], "-o", "tuned.ald")
    chosen = job.alidade("inspect", "tuned.ald", "--json")
    return {"ridge": chosen["parameters"]["ridge"], "dims": chosen["n_components"], "score": job.alidade("evaluate", "tuned.ald", test, "--json")[job.spec["metric"]]}


def measure(job):
    spec, result = job.spec, {}
    for method in spec["methods"]:
        def grid(method=method):
            train, test = job.table()
            return {name: [one_score(job, train, test, method, solver, ridge) for ridge in spec["ridges"]] for name, solver in spec["solvers"].items()}
        result[label(method)] = job.part(label(method), grid)
        if "tune" in spec:
            result[label(method)]["tuned"] = job.part("tuned " + label(method), lambda method=method: tuned(job, *job.table(), method))
    lines = [(f"{name}", list(zip(spec["ridges"], (s["score"] for s in result[name][next(iter(spec["solvers"]))])))) for name in result]
    lines = [(name, [p for p in points if p[0] > 0]) for name, points in lines]
    chart.lines(job.picture("ridge"), lines, spec["title"], "ridge", spec["metric"], x_log=True)
    return result


def apart(seen, solvers):
    """The largest difference between the solvers."""
    scores = [[s["score"] for s in seen[name]] for name in solvers]
    return max(max(column) - min(column) for column in zip(*scores))


def report(spec, result, pictures):
    first, paper = next(iter(spec["solvers"])), spec.get("paper", {})
    rows = []
    for name, seen in result.items():
        row = [name, *(f"{s['score']:.4f}" for s in seen[first]), f"{apart(seen, spec['solvers']):.0e}"]
        if "tune" in spec:
            row.append(f"{seen['tuned']['score']:.4f} (ridge {seen['tuned']['ridge']:g}, {seen['tuned']['dims']} dims)")
        rows.append(row)
    header = [f"{spec['metric']}, ridge", *(f"{r:g}" for r in spec["ridges"]), "solvers apart"] + (["chosen by `tune`"] if "tune" in spec else [])
    lines = [page.table(header, rows), ""]
    for ridge, values in paper.get("expected", {}).items():
        for name, value in values.items():
            ours = result[name][first][[f"{r:g}" for r in spec["ridges"]].index(ridge)]["score"]
            verdict = "within" if abs(ours - value) <= paper["tolerance"] else "NOT within"
            lines.append(f"{name} at ridge {ridge}: {ours:.4f}, expected {value} ± {paper['tolerance']}: {verdict} the tolerance.  ")
    return "\n".join(lines) + "\n\n" + page.images([("score against ridge", pictures["ridge"])])
