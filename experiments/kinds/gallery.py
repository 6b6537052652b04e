"""Two-dimensional pictures of one set by several methods, training rows filled and test rows hollow, with the error of the nearest
neighbour in the plane on the test rows.

[data] see Job.table: a split is needed; rows = only the first so many.
[[methods]] label, name, parameters, dims (2); transductive = true: fitted on the training rows with their target
and the test rows without; a list of values is a grid, chosen from by cross-validation (`folds`) of the training rows.
draws = how many splits (the picture shows the first). [paper] says.LABEL = what the paper says."""
import page
from job import mean_and_deviation, options_of


def settings_of(method):
    return {k: v for k, v in method.items() if k not in ("name", "label", "transductive", "dims")}


def chosen(job, method, train, show):
    """Parameters of a method, those with a list of values chosen by cross-validation in the training rows."""
    settings = settings_of(method)
    grid = [word for k, v in settings.items() if isinstance(v, list) for word in ("--grid", f"{k}=" + ",".join(map(str, v)))]
    if not grid:
        return settings
    fixed = {k: v for k, v in settings.items() if not isinstance(v, list)}
    job.alidade("tune", train, *job.reading(), "--method", method["name"], *options_of(fixed), "--components", method.get("dims", 2), *grid, "--folds", job.spec["folds"], "--rule", "best",
                "--no-nested", "--predictor", "knn", "-o", "tuned.ald", show=show)
    taken = job.alidade("inspect", "tuned.ald", "--json", show=False)["parameters"]
    return {k: taken[k] if isinstance(v, list) else v for k, v in settings.items()}


def one_method(job, method, train, test, draw):
    show, settings = draw == 0, chosen(job, method, train, draw == 0)
    unlabelled = ["--unlabelled", test] if method.get("transductive") else []
    fitted = job.alidade("fit", train, *unlabelled, *job.reading(), "--method", method["name"], "--components", method.get("dims", 2), *options_of(settings), "--predictor", "knn", "-o",
                         "m.ald", "--json", show=show)
    if unlabelled:
        rows = [job.write("both.csv", job.lines(train) + job.lines(test)[1:])]
        error = guessed_wrongly(job, rows[0], test)
    else:
        rows = [train, "--test", test]
        error = 1 - job.alidade("evaluate", "m.ald", test, "--json", show=show)["accuracy"]
    if draw == 0:
        job.alidade("plot", "m.ald", *rows, "--title", method["label"], "--width", 440, "--height", 360, "-o", job.picture(method["label"]), show=False)
    return {"error": error, "fit_seconds": fitted["fit_seconds"], "chosen": {k: v for k, v in settings.items() if isinstance(method[k], list)}}


def guessed_wrongly(job, both, test):
    """Share of the test rows, which come last among both, that are predicted wrongly."""
    job.alidade("predict", "m.ald", both, "-o", "guessed.csv", show=False)
    header, *rows = job.lines(test)
    at = header.split(",").index(job.spec["data"]["target"])
    guessed = [row.split(",")[0] for row in job.lines("guessed.csv")[1:]][-len(rows):]
    return sum(g != row.split(",")[at] for g, row in zip(guessed, rows)) / len(rows)


def table(job, draw):
    """(training file, test file) of one split; with `rows` of the first so many only."""
    data = job.spec["data"]
    if "rows" not in data:
        return job.table(draw)
    file = job.data(data["file"])
    part, files = f"first-{data['rows']}.csv", ("train.csv", "test.csv")
    job.write(part, job.lines(file)[: 1 + data["rows"]])
    job.tell(f"{part}: the first {data['rows']} rows of {file}")
    job.alidade("split", part, "--train", data["split"], "--stratify", "--target", data["target"], "--seed", draw, "-o", *files, show=draw == 0)
    return files


def measure(job):
    result = {m["label"]: [] for m in job.spec["methods"]}
    for draw in range(job.spec.get("draws", 1)):
        def one(draw=draw):
            train, test = table(job, draw)
            return {m["label"]: one_method(job, m, train, test, draw) for m in job.spec["methods"]}
        for label, seen in job.part(f"draw {draw}", one).items():
            result[label].append(seen)
    return result


def setting_text(method, seen):
    """Parameters, and of those that were chosen what was taken."""
    words = []
    for key, value in settings_of(method).items():
        if not isinstance(value, list):
            words.append(f"{key}={value}")
            continue
        taken = sorted({s["chosen"][key] for s in seen})
        words.append(f"{key}: {', '.join(f'{t:g}' for t in taken)} chosen")
    return " ".join([f"`{method['name']}`", *words])


def report(spec, result, pictures):
    says, rows = spec.get("paper", {}).get("says", {}), []
    for method in spec["methods"]:
        seen = result[method["label"]]
        row = [method["label"], setting_text(method, seen), page.spread(*mean_and_deviation([s["error"] for s in seen]), places=3),
               page.number(mean_and_deviation([s["fit_seconds"] for s in seen])[0], 2)]
        rows.append(row + ([says.get(method["label"], "-")] if says else []))
    header = ["", "method", "error in the plane", "fit, s"] + (["the paper says"] if says else [])
    draws = spec.get("draws", 1)
    mean = f"Nearest neighbour on the test rows, mean ± standard deviation over {draws} splits; the pictures show the first.\n\n" if draws > 1 else ""
    shown = [(m["label"], pictures[m["label"]]) for m in spec["methods"] if m["label"] in pictures]
    return page.table(header, rows) + "\n\n" + mean + page.images(shown)
