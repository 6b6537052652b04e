"""Continuity of the map from the projection to the response against the size of the neighbourhood, on the training rows.

[data] see Job.table; sizes = the k_r; neighbors = numbers of neighbours of sdpp to compare; dims; [[methods]] as in
kinds/projection.py, whose curves stand beside each other (sdpp with the number that its largest mean names)."""
import chart
import page
from job import options_of
from kinds.projection import label_of, settings_of, slug_of


def curve(job, method, dims, settings, model):
    train, _ = "train.csv", None
    job.alidade("fit", train, *job.reading(), "--method", method, "--components", dims, *options_of(settings), "-o", model)
    seen = job.alidade("evaluate", model, train, "--continuity", "--continuity-k", ",".join(map(str, job.spec["sizes"])), "--json")["continuity"]
    return {"values": seen["continuity"], "mean": seen["mean"], "error": seen["mean_error"]}


def measure(job):
    spec = job.spec
    train, _ = job.table()
    job.write("train.csv", job.lines(train))
    job.tell(f"train.csv: the same as {train}")
    by_k = {str(k): job.part(f"k {k}", lambda k=k: curve(job, "sdpp", spec["dims"], {"n_neighbors": k}, "sdpp.ald")) for k in spec["neighbors"]}
    best = max(by_k, key=lambda k: by_k[k]["mean"])
    methods = {"sdpp": by_k[best]}
    for m in spec["methods"]:
        methods[label_of(m)] = job.part(label_of(m), lambda m=m: curve(job, m["name"], spec["dims"], settings_of(m), slug_of(m) + ".ald"))
    def points(seen):
        return list(zip(spec["sizes"], seen["values"]))
    chart.lines(job.picture("neighbours"), [(f"k = {k}", points(c)) for k, c in by_k.items()], "SDPP, by its number of neighbours",
                "size of the neighbourhood k_r", "continuity", x_log=True)
    chart.lines(job.picture("methods"), [(name, points(c)) for name, c in methods.items()], "The methods", "size of the neighbourhood k_r",
                "continuity", x_log=True)
    return {"best": int(best), "by_k": by_k, "methods": methods}


def report(spec, result, pictures):
    header = ["projection", *(f"k_r = {k}" for k in spec["sizes"]), "mean ± error"]
    def row(name, seen):
        return [name, *(f"{v:.3f}" for v in seen["values"]), page.spread(seen["mean"], seen["error"], 3)]
    rows = [row(f"sdpp, k = {k}" + (" (chosen)" if int(k) == result["best"] else ""), c) for k, c in result["by_k"].items()]
    rows += [row(name, c) for name, c in result["methods"].items() if name != "sdpp"]
    says = f"The paper finds k in {spec['paper']['k']} for SDPP; the largest mean here is at k = {result['best']}. {spec['paper'].get('says', '')}"
    return page.table(header, rows) + "\n\n" + says.strip() + "\n\n" + page.images([(k, pictures[k]) for k in ("neighbours", "methods") if k in pictures])
