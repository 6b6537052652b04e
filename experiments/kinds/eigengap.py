"""The spectrum of sdpp's convex optimum and the dimension that its largest gap names.

[[sets]] label, generate, n, train, d (columns), true = the true dimension, and options of generate; draws;
[fit] parameters of sdpp. The pictures are `alidade plot --kind eigengap` of the first draw."""
from collections import Counter

import page
from job import options_of


def one(job, which, draw):
    stem, show = which["generate"], draw == 0
    job.alidade("generate", stem, "--n", which["n"], "--seed", which.get("seed", 1) + draw, "-o", stem + ".csv", show=show)
    if show:
        job.tell(f"{stem}-train.csv: rows 1 to {which['train']} of {stem}.csv")
    train, _ = job.taken(stem + ".csv", lambda i: i < which["train"], stem)
    model = which["label"] + ".ald"
    fitted = job.alidade("fit", train, "--target", "y", "--method", "sdpp", *options_of(job.spec["fit"]), "--components", 0, "-o", model, "--json", show=show)
    if show:
        job.alidade("plot", model, "--kind", "eigengap", "--title", which["label"], "--width", 600, "--height", 360, "-o", job.picture(which["label"]))
    whole = which["label"] + "-all.ald"
    job.alidade("fit", train, "--target", "y", "--method", "sdpp", *options_of(job.spec["fit"]), "--components", which["d"], "-o", whole, show=False)
    return {"chosen": fitted["n_components"], "eigenvalues": job.alidade("inspect", whole, "--json", show=False)["eigenvalues"]}


def measure(job):
    draws = job.spec.get("draws", 1)
    return {w["label"]: [job.part(f"{w['label']} {draw}", lambda w=w, draw=draw: one(job, w, draw)) for draw in range(draws)]
            for w in job.spec["sets"]}


def report(spec, result, pictures):
    rows = []
    for which in spec["sets"]:
        seen = result[which["label"]]
        counts = Counter(s["chosen"] for s in seen)
        first = seen[0]["eigenvalues"]
        rows.append([which["label"], which["true"], spec.get("paper", {}).get("chosen", {}).get(which["label"], "-"),
                     ", ".join(f"{r} ({c} of {len(seen)})" for r, c in sorted(counts.items())),
                     ", ".join(f"{v / first[0]:.2g}" for v in first[: which["true"] + 2])])
    header = ["data", "true dimension", "the paper's choice", "ours, in how many draws", "first eigenvalues / the largest, first draw"]
    shown = [(w["label"], pictures[w["label"]]) for w in spec["sets"] if w["label"] in pictures]
    return page.table(header, rows) + "\n\n" + page.images(shown)
