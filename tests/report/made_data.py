"""Data for pages of every kind, made up: numbers that look like results, by a fixed generator."""
import array
import base64
import math
import random
import sys

KINDS = {"u8": "B", "u16": "H", "u32": "I", "f32": "f", "f64": "d"}


def column(kind, values):
    numbers = array.array(KINDS[kind], values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return {kind: base64.b64encode(numbers.tobytes()).decode()}


def empty(kind, title):
    """All keys, with nothing known."""
    none = ("target_name method method_title rows components scores response predicted predicted_source probabilities "
            "probabilities_are columns columns_n columns_axis column_values weights loadings coefficients deviations importance "
            "curve spectrum certificate stability outliers density compare tune headline certainty permutation").split()
    lists = "figures responses classes settings preparation files commands warnings".split()
    return {"format": 1, "kind": kind, "title": title, "made_by": {"program": "alidade", "version": "0.1.0"},
            "task": "none", **{name: None for name in none}, **{name: [] for name in lists}}


def about(data, method, title):
    data.update(method=method, method_title=title)
    data["settings"] = [["n_components", str(len(data["components"] or [])), False], ["scale", "standard", True]]
    data["preparation"] = ["Each spectrum was centred and scaled to unit deviation (snv).", "No row was left out."]
    data["files"] = [{"role": "data", "name": "meat.csv", "sha256": "9f86d081884c7d659a2feaa0c55ad015" * 2, "rows": 215,
                      "columns": 101}]
    data["commands"] = ["alidade fit meat.csv --target fat --method pls --components 3 -o fat.ald",
                        "alidade report fat.ald meat.csv -o report.html"]


def headline(value, source="cross-validation", metric="rmse", title="root mean squared error", better="lower"):
    width = 0.06 * abs(value)
    return {"sentence": f"Partial least squares with 3 components predicts fat of rows not seen to within {value:.2f} "
                        f"[{value - width:.2f}, {value + width:.2f}] per cent (cross-validation of 215 rows).",
            "metric": metric, "metric_title": title, "better": better, "value": value, "low": value - width,
            "high": value + width, "level": 0.95, "n": 215, "source": source, "training": value * 0.93,
            "baselines": [{"name": "mean of the target", "value": value * 4.4, "low": value * 4.1, "high": value * 4.7},
                          {"name": "all columns", "value": value * 1.2, "low": value * 1.1, "high": value * 1.32}]}


def rows_of(n, tests=0, names=None):
    return {"n": n, "shown": n, "sampled": False, "names": names, "ids": column("u32", range(1, n + 1)),
            "part": column("u8", [0] * (n - tests) + [1] * tests), "n_training": n - tests, "n_test": tests}


def columns_of(count, numeric, name="x"):
    if numeric:
        step = 200 / count
        return [{"name": f"{850 + step * j:g}nm", "numeric_name": 850 + step * j, "unit": "nm"} for j in range(count)]
    return [{"name": f"{name}{j + 1}", "numeric_name": None, "unit": None} for j in range(count)]


def wave(columns, phase, noise, rng):
    return [math.sin(6 * j / columns + phase) * math.exp(-((j / columns - 0.5) ** 2) * 6) + noise * rng.gauss(0, 1)
            for j in range(columns)]


def put_scores(data, components, points):
    data["components"] = [{"name": f"z{c + 1}", "explained_x": 0.6 / 2 ** c, "explained_y": 0.7 / 3 ** c}
                          for c in range(components)]
    data["scores"] = [column("f64", points[c]) for c in range(components)]


def put_columns(data, rng, count, numeric, components, responses, kernel=False):
    data.update(columns=columns_of(count, numeric), columns_n=count)
    if numeric:
        data["columns_axis"] = {"title": "wavelength", "unit": "nm"}
    lines = [column("f32", wave(count, c, 0.02, rng)) for c in range(components)]
    if not kernel:
        data.update(weights=lines, loadings=[column("f32", wave(count, c + 0.4, 0.01, rng)) for c in range(components)],
                    coefficients=[column("f32", wave(count, 2 + k, 0.05, rng)) for k in range(responses)],
                    deviations=column("f32", [1 + rng.random() for _ in range(count)]))
        data["permutation"] = {"of": "test", "repeats": 10, "columns": [
            {"name": f"x{j + 1}", "value": 1 / (j + 1), "low": 0.8 / (j + 1), "high": 1.2 / (j + 1)} for j in range(min(count, 50))]}
        data["importance"] = {"name": "VIP", "values": column("f32", [abs(v) * 2 for v in wave(count, 0.7, 0.1, rng)]),
                              "frequency": column("f32", [min(1, abs(v)) for v in wave(count, 0.7, 0.05, rng)]),
                              "leading": 10, "resamples": 50, "chance": min(1, 10 / count)}


def put_extras(data, rng, n, components):
    points = [{"components": k, "mean": 3 / k + 0.02 * k * k, "low": 2.7 / k + 0.02 * k * k, "high": 3.3 / k + 0.02 * k * k}
              for k in range(1, 11)]
    data["curve"] = {"metric": "rmse", "metric_title": "root mean squared error", "better": "lower", "points": points,
                     "chosen": components, "rule": "The fewest components within one standard error of the best were taken.",
                     "source": "cross-validation"}
    data["spectrum"] = {"values": [1 / (1 + k) ** 2 for k in range(12)], "kind": "eigenvalues", "gap": 1,
                        "text": "The largest gap comes after the first."}
    angles = [{"k": k, "mean": 2.0 * k, "high": 3.5 * k} for k in range(1, components + 1)]
    data["stability"] = {"angles": angles, "permuted": [{"k": k, "mean": 40 + 5 * k, "high": 55 + 5 * k}
                                                        for k in range(1, components + 1)], "text": ""}
    data["outliers"] = {"t2": column("f32", [rng.gammavariate(1.5, 2) for _ in range(n)]),
                        "q": column("f32", [rng.gammavariate(2, 0.5) for _ in range(n)]), "t2_limit": 9.5, "q_limit": 2.6,
                        "level": 0.95}


def regression(n=215, columns=100, numeric=True, components=3, responses=1, tests=40, names=None, kernel=False, seed=1):
    rng = random.Random(seed)
    data = empty("model", "Fat of chopped meat from its spectrum")
    data.update(task="regression", headline=headline(2.31, "test" if tests else "cross-validation"),
                rows=rows_of(n, tests, names), certainty={"level": 0.9, "rows": 175, "errors": [4.0] * responses})
    units = [("fat", "%"), ("water", "%"), ("protein", None)]
    data["responses"] = [{"name": name, "unit": unit} for name, unit in units[:responses]]
    points = [[rng.gauss(0, 3 / (c + 1)) for _ in range(n)] for c in range(components)]
    put_scores(data, components, points)
    measured = [[20 + 4 * (r + 1) * points[0][i] + rng.gauss(0, 1) for i in range(n)] for r in range(responses)]
    data["response"] = [column("f32", values) for values in measured]
    data["predicted"] = [column("f32", [value + rng.gauss(0, 2) + 0.01 * (value - 20) ** 2 for value in values])
                         for values in measured]
    data["predicted_source"] = {"training": "cross-validation", "test": "test" if tests else None}
    put_columns(data, rng, columns, numeric, components, responses, kernel)
    data["column_values"] = [{"column": j, "values": column("f32", [rng.gauss(j, 1) for _ in range(n)])}
                             for j in range(min(5, columns))]
    put_extras(data, rng, n, components)
    about(data, "kpls" if kernel else "pls", "kernel partial least squares" if kernel else "partial least squares")
    return data


def classes(count, n=178, columns=13, components=2, tests=0, seed=2):
    rng = random.Random(seed)
    data = empty("model", f"Wines of {count} growers")
    data.update(task="classification", rows=rows_of(n, tests), target_name="cultivar",
                classes=[f"grower {chr(65 + k)}" for k in range(count)], probabilities_are="probabilities")
    data["headline"] = headline(0.94, "test" if tests else "cross-validation", metric="accuracy", title="accuracy",
                                better="higher")
    data["certainty"] = {"level": 0.9, "rows": 175, "errors": [-0.2]}
    data["headline"]["baselines"] = [{"name": "majority", "value": 1 / count, "low": 0.9 / count, "high": 1.1 / count}]
    code = [i % count for i in range(n)]
    middle = [(4 * math.cos(6.283 * k / count), 4 * math.sin(6.283 * k / count)) for k in range(count)]
    points = [[(middle[k] + (0, 0, 0, 0))[c] + rng.gauss(0, 1) for k in code] for c in range(components)]
    put_scores(data, components, points)
    taken = [k if rng.random() < 0.93 else (k + 1) % count for k in code]
    raw = [[rng.random() * 0.5 + (1.5 if taken[i] == k else 0) for k in range(count)] for i in range(n)]
    chance = [[value / sum(line) for value in line] for line in raw]
    data.update(response=[column("u16", code)], predicted=[column("u16", taken)],
                probabilities=[column("f32", [line[k] for line in chance]) for k in range(count)],
                predicted_source={"training": "cross-validation", "test": "test" if tests else None})
    put_columns(data, rng, columns, False, components, count)
    data["column_values"] = [{"column": 0, "values": column("f32", points[0])}]
    put_extras(data, rng, n, components)
    about(data, "lda", "linear discriminant analysis")
    return data


def labels(n=120, seed=3):
    rng = random.Random(seed)
    data = regression(n, 30, False, 2, 1, 0, seed=seed)
    data.update(task="multilabel", title="Moods of pieces of music", responses=[{"name": name, "unit": None} for name in
                                                                             ("happy", "calm", "sad", "angry")])
    truth = [[float(rng.random() < 0.4) for _ in range(n)] for _ in range(4)]
    data["response"] = [column("f32", values) for values in truth]
    data["predicted"] = [column("f32", [min(1, max(0, 0.25 + 0.5 * v + rng.gauss(0, 0.2))) for v in values]) for values in truth]
    put_columns(data, rng, 30, False, 2, 4)
    return data


def no_target(n=150):
    data = regression(n, 20, False, 2, 1, 0)
    data.update(task="none", headline=None, responses=[], response=None, predicted=None, coefficients=None, curve=None,
                title="Flowers without names", permutation=None, certainty=None)
    return data


def sampled(n=600):
    data = regression(n, 20, False, 2, 1, 0)
    data["rows"].update(n=1000000, sampled=True)
    rng = random.Random(9)
    cells = [int(4000 * math.exp(-((k % 40 - 20) ** 2 + (k // 40 - 20) ** 2) / 60) * rng.random()) for k in range(1600)]
    grid = {"nx": 40, "ny": 40, "counts": column("u32", cells)}
    data["density"] = {"scores": [{"x": 0, "y": 1, "x_low": -9, "x_high": 9, "y_low": -4.5, "y_high": 4.5, **grid}],
                       "predicted": [{"x": 0, "y": 0, "x_low": -15, "x_high": 55, "y_low": -15, "y_high": 55, **grid}]}
    return data


HOSTILE = ['</script><img src=x onerror="window.ran=1">', "<b>bold</b>", '"quoted", with a comma', "two\nlines\r\nhere",
           "n" * 300, "\u05e9\u05dc\u05d5\u05dd \u202eright to left", "\U0001f52d\U0001f469\u200d\U0001f52c", "{{x}} ${1} `a`",
           "javascript:window.ran=1", "' onload='window.ran=1", "&lt;i&gt;", "\u2028line\u2029", ""]


def hostile():
    data = classes(13, 130)
    data.update(title=HOSTILE[0], classes=list(HOSTILE), target_name=HOSTILE[1], commands=list(HOSTILE), preparation=list(HOSTILE),
                warnings=HOSTILE[:2], columns=[{"name": name, "numeric_name": None, "unit": None} for name in HOSTILE])
    data["rows"]["names"] = [HOSTILE[i % 13] for i in range(130)]
    data["headline"]["sentence"] = " ".join(HOSTILE)
    data["headline"]["baselines"][0]["name"] = HOSTILE[0]
    data["settings"] = [[name, name, False] for name in HOSTILE]
    data["files"] = [{"role": "data", "name": HOSTILE[0], "sha256": None, "rows": None, "columns": None}]
    return data


def compare():
    data = empty("compare", "Which method for the wines?")
    names = [("majority", None), ("all features", None)] + [(m, k) for m in ("pca", "pls", "lda") for k in (1, 2, 3)]
    rows = []
    for place, (name, components) in enumerate(names):
        mean = 0.4 + 0.055 * place
        rows.append({"name": name, "components": components, "mean": mean, "low": mean - 0.02, "high": mean + 0.02,
                     "difference": None if place == 10 else mean - 0.95, "diff_low": mean - 0.97, "diff_high": mean - 0.92,
                     "seconds": 0.001 * (place + 1), "verdict": "best" if place == 10 else "worse", "note": None})
    rows[9].update(verdict="not shown to be worse", diff_low=-0.08, diff_high=0.01)
    data["compare"] = {"metric": "accuracy", "metric_title": "accuracy", "better": "higher", "rows": rows, "splits": 10,
                       "splits_text": "10 random splits"}
    data["headline"] = {**headline(0.95, metric="accuracy", title="accuracy", better="higher"),
                        "sentence": "Of 11 candidates on the same 10 splits, lda with 3 components was best: accuracy "
                                    "0.950 [0.930, 0.970] on rows not seen.", "value": None}
    data["commands"] = ["alidade compare wine.csv --target y --methods pca,pls,lda --report compare.html"]
    return data


def tune():
    data = regression()
    rng = random.Random(5)
    path = [{"step": k + 1, "method": "pls" if k % 3 else "pca", "settings": f"rows=snv+savgol:{7 + 2 * (k % 5)}:2:1", "components": 1 + k % 8,
             "mean": 2 + 3 / (k + 1) + 0.3 * rng.random(), "se": 0.15, "stopped": k % 7 == 5} for k in range(43)
            if k not in (3, 10, 11)]
    data["tune"] = {"metric": "rmse", "metric_title": "root mean squared error", "better": "lower", "path": path, "chosen": 31,
                    "rule": "The fewest components within one standard error of the best.", "within": 2.4}
    data.update(kind="tune", title="How to predict fat")
    return data


PAGES = {
    "regression": regression, "classes-2": lambda: classes(2), "classes-3": lambda: classes(3, tests=60),
    "classes-26": lambda: classes(26, 520), "responses": lambda: regression(responses=3), "labels": labels,
    "one-component": lambda: regression(components=1), "one-component-classes": lambda: classes(2, components=1),
    "kernel": lambda: regression(kernel=True, tests=0), "columns-20": lambda: regression(columns=20, numeric=False),
    "columns-5000": lambda: regression(n=60, columns=5000, tests=0), "no-target": no_target, "sampled": sampled,
    "names": lambda: regression(n=60, names=[f"sample {k + 1:03d}" for k in range(60)]), "hostile": hostile,
    "compare": compare, "tune": tune,
}
