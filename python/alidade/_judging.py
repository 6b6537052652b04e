"""compare and tune: methods judged on rows that were not part of the fit."""
from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from alidade import _hints as t
from alidade import _core, _device
from alidade._facts import with_parameter
from alidade._fitting import Model
from alidade._progress import hearing
from alidade._results import Picture, Result, grid_words, list_words, words
from alidade._scores import decided
from alidade._table import as_table, class_values, is_columns, is_path, split_options
from alidade._threads import threads


RULES = {"one-se": 1, "best": 2}


class Comparison(Result):
    """Methods side by side on the same splits.

    Attributes
    ----------
    rows : list of dict
        One per candidate, setting and number of components: label, components, mean, std, p_value against the best, ...
    metric : str
    metrics : list of str
        All that were measured; ``values(name)`` has them split by split.
    splits : str
        How the rows were divided, as text.
    cut : str or None
        What was left undone when the time was up.
    """

    metric: str
    metrics: list[str]
    larger_is_better: bool
    n_splits: int
    splits: str
    duplicates: int
    cut: str | None

    _columns = ("label", "words", "components", "mean", "std", "p_value", "mark", "fit_seconds")

    def __init__(self, capsule: Any, table: t.Table | None = None) -> None:
        found = _core.comparison(capsule)
        super().__init__(found["rows"])
        for row in self.rows:
            row["mark"] = found["marks"][row["mark"]]
            row["label"], row["words"] = _named(row)
        self._capsule = capsule
        self._target = (table.kind, table.class_names) if table is not None else ("none", None)
        self.metric, self.metrics = found["metric"], found["metrics"]
        self.larger_is_better, self.n_splits = bool(found["larger_is_better"]), found["splits"]
        self.splits, self.duplicates, self._unmarked = found["note"], found["duplicates"], found["unmarked"]
        self.cut = found["cut"]

    def __getstate__(self):
        """Rows and words are kept; the values of single splits are the library's, and do not outlive the process."""
        return {**self.__dict__, "_capsule": None}

    def _whole(self):
        if self._capsule is None:
            raise ValueError("a comparison that was pickled has its rows only; plot and values want the one that was made")
        return self._capsule

    @property
    def best(self) -> dict[str, Any] | None:
        """dict: the row with the best mean; None if no row is marked."""
        return next((row for row in self.rows if row["mark"] == "best"), None)

    def values(self, metric: str | None = None) -> t.NDArray[Any]:
        """ndarray of shape (rows, splits): a metric split by split."""
        return np.array(_core.comparison_values(self._whole(), metric or self.metric))

    def out_of_fold(self, row: dict[str, Any] | int | None = None, scores: bool = False) -> t.NDArray[Any]:
        """Predictions of every row of the data by fits that did not see it; needs ``keep_predictions=True``.

        Parameters
        ----------
        row : dict or int, optional
            One of `rows`, or its number; the best by default.
        scores : bool
            The scores or probabilities of all classes or labels instead, the mean over the splits in which a row was tested.

        Returns
        -------
        ndarray of shape (rows of the data,) or (rows of the data, outputs)
            Classes, numbers, or 0 and 1; None or NaN in rows that no split tested.
        """
        chosen = self.best if row is None else row
        number = chosen if isinstance(chosen, int) else next((i for i, r in enumerate(self.rows) if r is chosen), -1)
        outputs, mean, classes, _ = _core.comparison_predictions(self._whole(), number)
        values = np.frombuffer(mean).reshape(-1, outputs).copy()
        kind, names = self._target
        if classes is not None and not scores:
            return class_values(np.frombuffer(classes), names)
        if kind == "labels" and not scores:
            return np.where(np.isnan(values), np.nan, decided("labels", np.nan_to_num(values)))
        return values[:, 0] if kind == "real" and outputs == 1 else values

    def _cell(self, name, value):
        if name == "components":
            return {0: "", -1: "chosen"}.get(value, str(value))
        return super()._cell(name, value)

    def _title(self):
        return f"{self.metric}, {self.splits}"

    def _notes(self):
        repeated = [f"{self.duplicates} test rows have an equal row in the training part; groups=\"duplicates\" keeps them "
                    "together"] if self.duplicates else []
        reasons = {}
        for row in self.rows:
            if row["reason"]:
                reasons.setdefault(row["reason"], []).append(row["label"])
        told = [f"{', '.join(dict.fromkeys(labels))}: {reason}" for reason, labels in reasons.items()]
        return repeated + [note for note in (self.cut, self._unmarked) if note] + told

    def _names(self):
        return [f"{row['label']} {row['words']}".strip() for row in self.rows]

    def plot(self, **options: Any) -> Picture:
        """The metric against the number of components, in SVG. Options: title, width, height."""
        return Picture(_core.plot_comparison(self._whole(), self._names(), options))


def _named(row):
    """(method, its settings) of a row; rows of a search over several methods have the name among their settings."""
    words = (row["words"] or "").split()
    if row["method"] is None:
        return row["label"], ""
    if words[:1] == [row["method"]]:
        return row["method"], " ".join(words[1:])
    return row["label"], " ".join(words)


class Tuning(Result):
    """The choice by cross-validation, and how good it is.

    Attributes
    ----------
    model : Model
        The chosen model, fitted to all rows.
    chosen, best : dict
        Rows of the curve: the chosen one, and the one with the best mean.
    curve : Comparison
        Everything that was tried. The best of these figures is optimistic, because it was picked among them.
    nested : Comparison or None
        The honest figure: the whole choice, judged on rows that played no part in it.
    """

    model: Model
    chosen: dict[str, Any]
    best: dict[str, Any]
    curve: Comparison
    nested: Comparison | None

    _columns = Comparison._columns

    def __init__(self, core: Any, parts: tuple[Any, ...], table: t.Table | None = None) -> None:
        self._capsule, curve, nested, chosen, best, self.within = parts
        self.curve = Comparison(curve, table)
        self.nested = None if nested is None else Comparison(nested, table)
        self.model = Model(core)
        super().__init__(self.curve.rows)
        self.chosen, self.best = self.rows[chosen], self.rows[best]

    def __getstate__(self):
        return {**self.__dict__, "_capsule": None}

    def _cell(self, name, value):
        return self.curve._cell(name, value)

    def out_of_fold(self, scores: bool = False) -> t.NDArray[Any]:
        """Predictions of every row by fits that did not see it, nor chose by it; needs ``keep_predictions=True``.

        Those of the whole choosing (`nested`); without it those of the chosen row of the curve. As for Comparison.
        """
        return self.curve.out_of_fold(self.chosen, scores) if self.nested is None else self.nested.out_of_fold(0, scores)

    def _is_better(self, row, other):
        """By figures of all folds before those of some."""
        if bool(row["left_after"]) != bool(other["left_after"]):
            return not row["left_after"]
        sign = 1 if self.curve.larger_is_better else -1
        return sign * row["mean"] > sign * other["mean"]

    def _shown(self):
        """The best of every number of components, the best of all, and the chosen one."""
        best = {}
        for row in self.rows:
            if not math.isnan(row["mean"]) and (row["components"] not in best or self._is_better(row, best[row["components"]])):
                best[row["components"]] = row
        shown = [row for row in self.rows if any(row is other for other in (*best.values(), self.chosen, self.best))]
        return sorted(shown, key=lambda row: row["components"])

    def _remark(self, row):
        said = [word for word, other in (("chosen", self.chosen), ("best mean", self.best)) if row is other]
        return f"<- {', '.join(said)}" if said else ""

    def _table(self):
        names, rows = super()._table()
        for row, source in zip(rows, self._shown()):
            row.append(self._remark(source))
        return [*names, ""], rows

    def _title(self):
        return (f"tuning by {self.curve.metric}, {self.curve.splits}: of {len(self.rows)} pairs of settings and components, the "
                "best for each number of components")

    def _all_notes(self):
        return self._notes()

    def _notes(self):
        if self.curve.cut:
            return [self.curve.cut, *self._honest()]
        return self._honest()

    def _honest(self):
        if self.nested is None:
            return ["the choice itself was not judged (nested=False): the figure above is too good"]
        row, *others = self.nested.rows
        beside = "".join(f"; {other['label']} {other['mean']:.5g}" for other in others if not math.isnan(other["mean"]))
        return [f"honest {self.nested.metric} of the whole choosing: {row['mean']:.5g} +- {row['std']:.3g} "
                f"({self.nested.splits}){beside}"]

    def plot(self, **options: Any) -> Picture:
        """The curve in SVG: the metric against the number of components."""
        return self.model.plot("tuning", **options)


def judged_table(data, target, y, reading, methods, n_jobs):
    """The table as compare and tune read it, whether its gaps are filled inside the splits, and whether equal rows stay
    together."""
    duplicates = reading.get("groups") == "duplicates"
    if duplicates:
        del reading["groups"]
    filled = reading.get("missing") in ("mean", "nipals")
    if not isinstance(methods, (str, type(None))):
        raise TypeError(f"`methods` is a str of names separated by commas, \"pls,sdpp\", not {methods!r}")
    reading["prefer_real"] = int(_core.only_real(methods))
    if is_path(data) or is_columns(data):
        reading["keep_missing"] = int(filled)
    table = as_table(data, target, y, n_jobs=n_jobs, **reading)
    if table.kind == "none":
        raise ValueError("methods are judged by how well the target is predicted: name its columns with `target`")
    return table, int(filled), int(duplicates)


def _seeds(parameters):
    """The seed of the splits; random_state stays a setting of the methods where it is given."""
    if parameters.get("random_state") is None:
        parameters.pop("random_state", None)
        return 0
    return int(parameters["random_state"])


def _race(race):
    """On for a tuning and off for a comparison, unless it is said."""
    return {None: 0, True: 1, False: 2}[race]


def _rule(rule):
    if rule not in RULES:
        raise ValueError(f"`rule` is one of {', '.join(RULES)}, not {rule!r}")
    return RULES[rule]


def compare(data: t.Rows, target: t.Columns | None = None, methods: str | None = None, y: t.Target | None = None, *,
            components: t.Numbers | None = None, grid: t.Grid | None = None, splits: int = 0, train: float = 0.0,
            folds: int = 0, repeats: int = 0, stratify: bool | None = None, metric: str | None = None,
            choose: bool = False, rule: Literal["one-se", "best"] = "one-se", inner_folds: int = 0,
            baselines: bool = True, keep_predictions: bool = False, resume: t.Path | None = None,
            race: bool | None = None, time_limit: float = 0.0, n_jobs: int | None = None, device: str = "cpu",
            progress: t.Progress = None, **options: Any) -> Comparison:
    """Compare methods on the same splits, with everything learned in the training part only.

    Parameters
    ----------
    data : path, DataFrame, dict of vectors, array or Table
    target : str, int or list, optional
        Target columns of a table.
    methods : str, optional
        Names separated by commas, each optionally with its own settings: "pls,sdpp n_neighbors=10". all, linear, kernel and
        auto stand for several; auto is the default: linear and kernel methods, each of which chooses as with `choose`.
    y : array, optional
        The target of a matrix X.
    components : int, str, range or list, optional
        Numbers of components; 1 to 4 by default, with auto as many as the methods can have.
    grid : dict of lists, or texts, optional
        Values of parameters, all combinations of which are tried: {"ridge": [0, 1]} or "ridge=log:1e-4:1:5".
    splits, train : int, float
        Random splits (10) and the fraction of the rows for training (2/3).
    folds, repeats : int
        Instead: folds, and how often.
    stratify : bool, optional
        Preserve class proportions; by default yes, unless there are groups.
    metric : str, optional
        rmse, accuracy or macro_auc by default.
    choose : bool
        One row per method, its number of components and settings chosen inside each training part by `rule` ("one-se" or
        "best") on `inner_folds`.
    baselines : bool
        Also all features, and the mean or the most frequent class.
    keep_predictions : bool
        Keep what every row of the result predicts for rows that its fits did not see, for ``out_of_fold()``.
    resume : path, optional
        A file that records finished fits, so that the call can resume.
    race : bool, optional
        Whether settings that are clearly behind drop out early; by default in tune, and in compare of auto.
    time_limit : float
        Seconds after which no new fit starts; 0: no limit. `cut` of the result says what was left out.
    n_jobs, device, progress
        As for the estimators.
    **options
        How the table is read, and parameters for every method that has them; random_state seeds the splits too.

    Returns
    -------
    Comparison
    """
    reading, parameters = split_options(options)
    if reading.get("missing") == "nipals":
        parameters[with_parameter("gaps")[1]] = True
    table, filled, duplicates = judged_table(data, target, y, reading, methods, n_jobs)
    seed = _seeds(parameters)
    strata = {None: 0, True: 1, False: -1}[stratify]
    common = {"stratify": strata, "keep_duplicates": duplicates, "seed": seed}
    outer = {"splits": splits, "train": train, "folds": folds, "repeats": repeats, **common}
    search = {"methods": methods, "components": list_words(components), "seed": seed, "no_baselines": int(not baselines),
              "choose": int(choose), "rule": _rule(rule)}
    more = {"metric": metric, "fill_missing": filled, "resume": None if resume is None else str(resume),
            "race": _race(race), "time_limit": time_limit, "keep_predictions": int(keep_predictions)}
    with _device.on(device), hearing(progress, table) as heard:
        return Comparison(_core.compare(table._core, search, words(parameters), grid_words(grid), outer,
                                        {"folds": inner_folds, **common}, more, threads(n_jobs), heard), table)


def tune(data: t.Rows, target: t.Columns | None = None, methods: str | None = None, y: t.Target | None = None, *,
         components: t.Numbers | None = None, grid: t.Grid | None = None, random: int = 0, folds: int = 0,
         repeats: int = 0, rule: Literal["one-se", "best"] = "one-se", nested: bool = True, outer_folds: int = 0,
         stratify: bool | None = None, metric: str | None = None, keep_predictions: bool = False,
         resume: t.Path | None = None, race: bool | None = None, time_limit: float = 0.0,
         n_jobs: int | None = None, device: str = "cpu", progress: t.Progress = None, **options: Any) -> Tuning:
    """Choose a method, its number of components and its parameters by cross-validation, and judge the choice.

    Parameters
    ----------
    data, target, y, components, grid, stratify, metric, keep_predictions, resume, race, time_limit, n_jobs, device, progress, **options
        As for compare; components are 1 to 10 by default, and grids those of ``alidade tune``.
    methods : str, optional
        One name, or several to choose from.
    random : int
        Instead of all combinations, so many settings per method drawn from the grids.
    folds, repeats : int
        Of the cross-validation, 10 and 1 by default.
    rule : {"one-se", "best"}
        The simplest within a standard error of the best, or the best.
    nested : bool
        Judge the choice itself on `outer_folds` separate folds; 0 stands for 5, or 10 to 20 where there are few rows.

    Returns
    -------
    Tuning
    """
    reading, parameters = split_options(options)
    if reading.get("missing") == "nipals":
        parameters[with_parameter("gaps")[1]] = True
    table, filled, duplicates = judged_table(data, target, y, reading, methods, n_jobs)
    seed = _seeds(parameters)
    strata = {None: 0, True: 1, False: -1}[stratify]
    common = {"stratify": strata, "keep_duplicates": duplicates, "seed": seed}
    search = {"methods": methods, "components": list_words(components), "random": random, "seed": seed}
    more = {"rule": _rule(rule), "no_nested": int(not nested), "metric": metric, "fill_missing": filled,
            "resume": None if resume is None else str(resume), "race": _race(race), "time_limit": time_limit,
            "keep_predictions": int(keep_predictions)}
    with _device.on(device), hearing(progress, table) as heard:
        return Tuning(*_core.tune(table._core, search, words(parameters), grid_words(grid),
                                  {"folds": folds, "repeats": repeats, **common}, {"folds": outer_folds, **common}, more,
                                  threads(n_jobs), heard), table)
