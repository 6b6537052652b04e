"""Errors of methods over splits of several sets, by `alidade compare`; methods that only embed given rows besides.

[[sets]] name, file / generate with n, target, ignore, task, dims (a list); a file is split `splits` times, or once where split_at = N says that
rows 1 to N train; a generated set is drawn anew `splits` times and has split_at. scale, predictor, train = part for training, metric: accuracy
(shown as error) or rmse;
[[methods]] label, name and parameters; a list of values is a grid, chosen from by cross-validation (`inner_folds`) inside each training part, for
each number of dims by itself; transductive = true: fitted on training rows with their target and test rows without; splits = its own number of them.
honest = true: besides, a figure with the number of dims chosen inside each training part too; a method with honest = false is left out.
show = "curves" (a picture per set), "best" (a table of methods x sets at the best number of dims), "seconds" (of a fit).
[paper] LABEL = {SET = "what the paper prints"}."""
import chart
import page
import sets
from job import mean_and_deviation, options_of

OWN = ("name", "label", "transductive", "splits", "honest")


def settings_of(method):
    return {k: v for k, v in method.items() if k not in OWN}


def has_grid(method):
    return any(isinstance(v, list) for v in method.values())


def common(spec):
    return ["--scale", spec["scale"], "--predictor", spec["predictor"]]


def compare(job, file, data, candidates, dims, how, choose, show):
    """Rows of `alidade compare`, in the order of candidates and dims; with `choose` one a candidate."""
    methods = ",".join(" ".join([m["name"], *(f"{k}={v}" for k, v in settings_of(m).items() if not isinstance(v, list))]) for m in candidates)
    grid = [word for m in candidates for k, v in settings_of(m).items() if isinstance(v, list) for word in ("--grid", f"{k}=" + ",".join(map(str, v)))]
    chosen = ["--choose", "--rule", "best", "--inner-folds", job.spec["inner_folds"]] if choose else []
    result = job.alidade("compare", file, *sets.of_set(job, data).reading(), "--methods", methods, *grid, "--components", ",".join(map(str, dims)), *how, *chosen, *common(job.spec),
                         "--no-baselines", "--json", show=show)
    return [{"values": [v for v in row["metrics"][job.spec["metric"]] if v is not None] if row["mean"] is not None else [], "seconds": row["fit_seconds"],
             "error": row["error"]} for row in result["rows"]]


def split_file(job, file, data):
    """A value per row: train for the first `split_at`, then test."""
    rows = len(job.lines(file)) - 1
    return job.write("parts.txt", ["part", *("train" if i < data["split_at"] else "test" for i in range(rows))])


def kept(job, data, what, measure):
    """A part of the part, where a set is read once."""
    return measure() if "generate" in data else job.part(f"{data['name']}, {what}", measure)


def judged(job, file, data, how, show):
    """{label: {dims: row}} of the methods with a map; under the dims "chosen" what was chosen inside."""
    dims, mapped = dims_of(job, data), [m for m in job.spec["methods"] if not m.get("transductive")]
    plain = [m for m in mapped if not has_grid(m)]
    rows = compare(job, file, data, plain, dims, how, False, show) if plain else []
    found = {m["label"]: {str(r): rows[i * len(dims) + k] for k, r in enumerate(dims)} for i, m in enumerate(plain)}
    for m in mapped:
        if has_grid(m):
            found[m["label"]] = {str(r): compare(job, file, data, [m], [r], how, True, show)[0] for r in dims}
        if job.spec.get("honest") and m.get("honest", True):
            found[m["label"]]["chosen"] = kept(job, data, f"{m['label']}, chosen", lambda m=m: compare(job, file, data, [m], dims, how, True, show)[0])
    return found


def dims_of(job, data):
    return data.get("dims") or job.spec["dims"]


def column(job, file, name):
    header, *rows = job.lines(file)
    at = header.split(",").index(name)
    return [row.split(",")[at] for row in rows]


def predictions_judged(job, guessed, true):
    if job.spec["metric"] == "accuracy":
        return sum(a == b for a, b in zip(guessed, true)) / len(true)
    return (sum((float(a) - float(b)) ** 2 for a, b in zip(guessed, true)) / len(true)) ** 0.5


def divided(job, file, data, seed, show):
    """(training file, test file)"""
    if "split_at" in data:
        return job.taken(file, lambda i: i < data["split_at"], "part")
    files = "part-train.csv", "part-test.csv"
    stratify = ["--stratify", "--target", data["target"]] if job.spec["metric"] == "accuracy" else []
    job.alidade("split", file, "--train", job.spec["train"], *stratify, "--seed", seed, "-o", *files, show=show)
    return files


def embedded(job, data, method, files, show):
    """A method that embeds given rows only: the test rows are given without their target."""
    train, test = files
    both = job.write("part-both.csv", job.lines(train) + job.lines(test)[1:])
    true, found = column(job, test, data["target"]), {}
    for r in dims_of(job, data):
        fitted = job.alidade("fit", train, "--unlabelled", test, *sets.of_set(job, data).reading(), *common(job.spec), "--method", method["name"], "--components", r,
                             *options_of(settings_of(method)), "--threads", 1, "-o", "m.ald", "--json", show=show, fails=True)
        if "error" in fitted:
            found[str(r)] = {"values": [], "seconds": None, "error": fitted["error"]}
            continue
        job.alidade("predict", "m.ald", both, "--threads", 1, "-o", "guessed.csv", show=show)
        guessed = [row.split(",")[0] for row in job.lines("guessed.csv")[1:]][-len(true):]
        found[str(r)] = {"values": [predictions_judged(job, guessed, true)], "seconds": fitted["fit_seconds"], "error": None}
    return found


def together(parts):
    """One of the rows of several draws."""
    seconds = [p["seconds"] for p in parts if p["seconds"] is not None]
    return {"values": [v for p in parts for v in p["values"]], "seconds": sum(seconds) / len(seconds) if seconds else None,
            "error": next((p["error"] for p in parts if p["error"]), None)}


def joined(draws):
    return {label: {r: together([d[label][r] for d in draws]) for r in draws[0][label]} for label in draws[0]}


def drawn(job, data, draw):
    if "generate" in data:
        return sets.whole(job, data | {"seed": 1 + draw}, show=draw == 0)
    return sets.whole(job, data)


def compared(job, data):
    """By `compare`: one call for a file, one per draw for a generated set."""
    draws = []
    for i in range(job.spec["splits"] if "generate" in data else 1):
        file = drawn(job, data, i)
        given = ["--split-file", split_file(job, file, data)] if "split_at" in data else ["--train", job.spec["train"], "--splits", job.spec["splits"]]
        draws.append(judged(job, file, data, given, i == 0))
    return joined(draws)


def split_by_split(job, data, method):
    once = "split_at" in data and "generate" not in data
    draws = []
    for i in range(1 if once else method.get("splits", job.spec["splits"])):
        files = divided(job, drawn(job, data, i), data, i, i == 0)
        draws.append({method["label"]: embedded(job, data, method, files, i == 0)})
    return joined(draws)[method["label"]]


def measure(job):
    sets.check(job)
    result = {}
    for data in job.spec["sets"]:
        found = dict(job.part(data["name"], lambda data=data: compared(job, data)))
        for method in job.spec["methods"]:
            if method.get("transductive"):
                found[method["label"]] = job.part(f"{data['name']} {method['label']}", lambda data=data, method=method: split_by_split(job, data, method))
        result[data["name"]] = {m["label"]: found[m["label"]] for m in job.spec["methods"]}
    if job.spec["show"] == "curves":
        for name, found in result.items():
            draw_set(job, name, found)
    return result


def shown(spec, row):
    """(mean, deviation) of the error or rmse; (None, None) without a value."""
    if not row["values"]:
        return None, None
    return mean_and_deviation([1 - v if spec["metric"] == "accuracy" else v for v in row["values"]])


def draw_set(job, name, found):
    lines = [(label, [(int(r), shown(job.spec, row)[0]) for r, row in rows.items()]) for label, rows in found.items()]
    lines = [(label, points) for label, points in lines if any(p[1] is not None for p in points)]
    what = "error rate" if job.spec["metric"] == "accuracy" else job.spec["metric"]
    chart.lines(job.picture(name.replace(" ", "-")), lines, name, "dimensions", what, width=480, height=340)


def method_text(method):
    return " ".join([method["name"], *(f"{k}={v}".replace(" ", "") for k, v in settings_of(method).items())])


def curves(spec, result, pictures):
    parts = []
    for name, found in result.items():
        dims = list(next(iter(found.values())))
        rows = [[label, *(page.spread(*shown(spec, row), places=3) for row in rows.values())] for label, rows in found.items()]
        parts.append(f"**{name}**\n\n" + page.table([f"{'error' if spec['metric'] == 'accuracy' else spec['metric']}, dims =", *dims], rows))
    images = [(name, pictures[name.replace(" ", "-")]) for name in result if name.replace(" ", "-") in pictures]
    return "\n\n".join(parts) + "\n\n" + page.images(images)


def best(spec, result, pictures):
    paper, honest, rows = spec.get("paper", {}), spec.get("honest"), []
    for method in spec["methods"]:
        label, row = method["label"], []
        for name, found in result.items():
            seen = [(shown(spec, one)[0], r, one) for r, one in found[label].items() if one["values"] and r != "chosen"]
            least = min(seen, key=lambda c: c[0]) if seen else None
            ours = page.spread(*shown(spec, least[2]), places=3) + (f" ({least[1]})" if len(seen) > 1 else "") if least else "-"
            inside = [page.spread(*shown(spec, found[label].get("chosen", {"values": []})), places=3)] if honest else []
            row.append(" / ".join([ours, *inside, paper.get(label, {}).get(name, "-")]))
        rows.append([label, *row])
    return page.table(["ours / chosen inside / the paper's" if honest else "ours / the paper's", *result], rows)


def seconds(spec, result, pictures):
    paper, rows = spec.get("paper", {}), []
    for name, found in result.items():
        row = []
        for label, one in found.items():
            seen = [r["seconds"] for r in one.values() if r["seconds"] is not None]
            row.append(f"{page.number(sum(seen) / len(seen), 2) if seen else '-'} / {paper.get(label, {}).get(name, '-')}")
        rows.append([name, *row])
    return page.table(["seconds of a fit, ours / the paper's", *(m["label"] for m in spec["methods"])], rows)


def report(spec, result, pictures):
    drawn_anew = any("generate" in d for d in spec["sets"])
    how = f"{spec['splits']} draws; " if drawn_anew else f"{spec['splits']} random splits, {100 * spec['train']:g} % for training; " if spec["splits"] > 1 else ""
    settings = "; ".join(f"{m['label']}: `{method_text(m)}`" + (f" ({m['splits']} splits)" if "splits" in m else "") for m in spec["methods"])
    kinds = {"curves": curves, "best": best, "seconds": seconds}
    return kinds[spec["show"]](spec, result, pictures) + f"\n\n{how}`--scale {spec['scale']} --predictor {spec['predictor']}`. {settings}."
