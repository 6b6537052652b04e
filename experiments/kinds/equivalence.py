"""Two solvers of one method over a grid of ridges: how far the maps are apart, by `alidade inspect --against`.

[[sets]] name, file / files / generate, target, solver (the exact one: direct, or dual where rows are fewer than columns),
techniques (labels of [techniques]); [techniques] LABEL = {name = METHOD, ...parameters}; ridges; tol, max_iter of the two-stage
route. [paper] ridges, and "SET LABEL" = the distances that the paper prints for them."""
import page
import sets
from job import options_of


def fit(job, file, data, technique, solver, ridge, model):
    settings = {k: v for k, v in technique.items() if k != "name"}
    job.alidade("fit", file, *sets.of_set(job, data).reading(), "--method", technique["name"], *options_of(settings), "--components", 0, "--ridge", ridge,
                *options_of(solver), "-o", model)


def one_row(job, data, technique):
    file = sets.whole(job, data)
    seen = []
    for ridge in job.spec["ridges"]:
        fit(job, file, data, technique, {"solver": data.get("solver", "direct")}, ridge, "exact.ald")
        fit(job, file, data, technique, {"solver": "two-stage", "tol": job.spec["tol"], "max_iter": job.spec["max_iter"]}, ridge, "two-stage.ald")
        result = job.alidade("inspect", "exact.ald", "--against", "two-stage.ald", "--json")
        seen.append({k: result[k] for k in ("distance", "relative")})
    return seen


def names(spec):
    return [(f"{data['name']} {label}", data, spec["techniques"][label]) for data in spec["sets"] for label in data["techniques"]]


def measure(job):
    sets.check(job)
    return {name: job.part(name, lambda data=data, technique=technique: one_row(job, data, technique)) for name, data, technique in names(job.spec)}


def report(spec, result, pictures):
    rows, paper = [], spec["paper"]
    for name, _, _ in names(spec):
        seen, printed = result[name], dict(zip(paper["ridges"], paper[name]))
        cells = [f"{s['distance']:.0e} / {printed[ridge]:.0e}" for s, ridge in zip(seen, spec["ridges"])]
        rows.append([name, *cells, f"{max(s['relative'] for s in seen):.0e}"])
    header = ["ours / paper's, ridge", *(f"{r:g}" for r in spec["ridges"]), "ours relative, largest"]
    worst = max(s["relative"] for seen in result.values() for s in seen)
    text = f"\n\n\\|W0W0' - WW'\\|, the largest singular value, W0 by the direct route and W by the two stages (LSQR to {spec['tol']:g}); relative: to \\|W0W0'\\|. "
    return page.table(header, rows) + text + f"The largest relative difference of all is {worst:.1e}."
