"""Few labelled rows and many without: methods that use the labelled ones alone beside those that see all, in several dimensions.

[data] file, target, ignore, task, units; classes = only rows of these classes; every = N (rows 0, N, 2N.. are labelled) or labelled =
the part that is drawn at random, the same of each class; test_file = scored on, else the rows without a label are;
[[methods]] label, name, semi = true (sees all rows), parameters; dims; draws; plot = true: pictures of the first draw.
[paper] LABEL = a number for each of [paper] dims; says.LABEL = what the paper says."""
import page
from job import mean_and_deviation, options_of


def divided(job, draw):
    """(labelled, the others)"""
    data, file = job.spec["data"], job.data(job.spec["data"]["file"])
    stem = file.split(".")[0]
    if "units" in data:
        file = job.divided(file, data["units"], stem + "-units.csv")
    if "classes" in data:
        header, *rows = job.lines(file)
        at = header.split(",").index(data["target"])
        file = job.write(stem + "-part.csv", [header, *(r for r in rows if r.split(",")[at] in data["classes"])])
        job.tell(f"{file}: the rows of {data['file']} whose {data['target']} is {', '.join(data['classes'])}")
    if "every" in data:
        header, *rows = job.lines(file)
        job.tell(f"{stem}-labelled.csv: one row in {data['every']}, from the first on, of {data['file']}; {stem}-others.csv: the rest")
        return (job.write(f"{stem}-labelled.csv", [header, *rows[:: data["every"]]]),
                job.write(f"{stem}-others.csv", [header, *(r for i, r in enumerate(rows) if i % data["every"])]))
    files = f"{stem}-labelled.csv", f"{stem}-others.csv"
    job.alidade("split", file, "--train", data["labelled"], "--stratify", "--target", data["target"], "--seed", 1 + draw, "-o", *files, show=draw == 0)
    return files


def score(job, method, dims, files, draw):
    labelled, others = files
    settings = {k: v for k, v in method.items() if k not in ("name", "label", "semi", "of")}
    more = ["--unlabelled", others] if method.get("semi") else []
    fitted = job.alidade("fit", labelled, *job.reading(), *more, "--method", method["name"], "--components", dims, *options_of(settings), "--predictor", "knn", "-o",
                         "m.ald", "--json", show=draw == 0, fails=True)
    if "error" in fitted:
        return {"error": fitted["error"]}
    test = job.data(job.spec["data"]["test_file"]) if "test_file" in job.spec["data"] else others
    scores = job.alidade("evaluate", "m.ald", test, "--json", show=draw == 0)
    if draw == 0 and job.spec.get("plot"):
        job.alidade("plot", "m.ald", labelled, "--test", others, "--title", method["label"], "--width", 480, "--height", 400, "-o", job.picture(method["label"]),
                    show=False)
    return {"accuracy": scores["accuracy"], "fit_seconds": fitted["fit_seconds"]}


def measure(job):
    spec, result = job.spec, {m["label"]: {} for m in job.spec["methods"]}
    for draw in range(spec.get("draws", 1)):
        for dims in spec["dims"]:
            def one(draw=draw, dims=dims):
                files = divided(job, draw)
                return {m["label"]: score(job, m, dims, files, draw) for m in spec["methods"]}
            for label, seen in job.part(f"draw {draw}, {dims} dims", one).items():
                result[label].setdefault(str(dims), []).append(seen)
    return result


def report(spec, result, pictures):
    paper = spec.get("paper", {})
    rows = []
    for method in spec["methods"]:
        label, row = method["label"], []
        settings = " ".join(f"{k}={v}" for k, v in method.items() if k not in ("name", "label", "semi", "of"))
        printed = dict(zip(paper.get("dims", []), paper.get(method.get("of", label), [])))
        for dims in spec["dims"]:
            values = [s["accuracy"] for s in result[label][str(dims)] if "accuracy" in s]
            ours = page.spread(*mean_and_deviation(values), places=3 if len(values) > 1 else 4) if values else "-"
            row.append(f"{ours} / {printed[dims]}" if printed.get(dims) else ours)
        says = [paper["says"].get(label, "-")] if "says" in paper else []
        rows.append([label, f"{method['name']} {settings}".strip(), *row, *says])
    header = ["", "method", *(f"{d} dims" for d in spec["dims"])] + (["the paper says"] if "says" in paper else [])
    shown = [(m["label"], pictures[m["label"]]) for m in spec["methods"] if m["label"] in pictures]
    return page.table(header, rows) + ("\n\n" + page.images(shown) if shown else "")
