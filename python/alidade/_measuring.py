"""evaluate, dimension, stability, importance, outliers and generate, and what they give."""
from __future__ import annotations

import math
from typing import Any, Callable, Literal

import numpy as np

from alidade import _hints as t
from alidade import _core
from alidade._fitting import Model, _complete, prefers_real
from alidade._progress import hearing
from alidade._results import Picture, Result
from alidade._scores import decided
from alidade._table import Table, as_table, split_options
from alidade._threads import threads


KINDS = ("weights", "standardized", "structure", "vip", "loadings")


def _model_of(model):
    if isinstance(model, Model):
        return model
    core = getattr(model, "model_", model)
    return Model(core)


class Evaluation(Result):
    """Figures of merit of a model on rows.

    Attributes
    ----------
    rows : list of dict
        metric, of (a response or label, "" for all), value, note.
    confusion : ndarray or None
        Rows of class i that were predicted as class j.
    """

    _columns = ("metric", "of", "value", "note")

    def __init__(self, rows: list[dict[str, Any]], model: Model, table: Table) -> None:
        super().__init__(rows)
        self.model, self.table = model, table

    def __getitem__(self, metric: str | int) -> Any:
        if not isinstance(metric, str):
            return self.rows[metric]
        for row in self.rows:
            if row["metric"] == metric and not row["of"]:
                return row["value"]
        raise KeyError(metric)

    @property
    def confusion(self) -> t.NDArray[Any] | None:
        if self.table.kind != "classes":
            return None
        scores = self.model._scores(self.table)
        counts = np.zeros((scores.shape[1],) * 2, dtype=int)
        codes = self.table.codes[:, 0]
        there = ~np.isnan(codes)
        np.add.at(counts, (codes[there].astype(int), decided("classes", scores[there])[:, 0].astype(int)), 1)
        return counts

    def _title(self):
        return f"{self.model.method}, {self.model.n_components} components, {self.table.n_rows} rows"

    def plot(self, kind: str | None = None, **options: Any) -> Picture:
        """Predicted against measured, or the confusion of classes, in SVG."""
        usual = {"real": "predicted", "classes": "confusion", "labels": "labels"}[self.table.kind]
        return Picture(_core.plot(self.model._core, self.table._core, None, {"kind": kind or usual, **options}))


def evaluate(model: t.Fitted, data: t.Rows, target: t.Columns | None = None, y: t.Target | None = None,
             **options: Any) -> Evaluation:
    """Judge the predictions of a model by rows that have their target.

    Parameters
    ----------
    model : Model or fitted estimator
    data : path, DataFrame, dict of vectors, array or Table
        Rows with the target columns that the model was fitted with.
    target : column or columns, optional
        The target, where it has another name than in the rows of the fit.
    y : array, optional
        The target of a matrix or data frame X; no other options are needed then.
    **options
        As for read_table.

    Returns
    -------
    Evaluation
    """
    fitted = _model_of(model)
    if target is not None:
        options["target"] = target
    if y is not None and options:
        raise TypeError(f"`{next(iter(options))}` says how a table is read, and `y` goes with a matrix X: leave one out")
    table = _like_arrays(fitted, data, y) if y is not None else fitted.read(data, **options)
    if table.kind == "none":
        raise ValueError("there is no target to compare with in these rows")
    return Evaluation(_core.evaluate(fitted._core, table._core, threads(None)), fitted, table)


def _like_arrays(model, X, y):
    """A matrix and its target, with the classes of the model. Columns of a frame are found by their names."""
    from alidade import _validate
    names = model.feature_names
    if _validate.is_frame(X):
        X = _validate.as_dense(X[names] if names and set(names) <= set(X.columns) else X)
    if model.target != "classes":
        return as_table(X, y=y, task={"real": "regression", "labels": "multilabel"}.get(model.target, "auto"))
    number = {name: code for code, name in enumerate(model.class_names)}
    try:
        codes = np.array([number[str(value)] for value in np.asarray(y).tolist()], dtype=np.int32)
    except KeyError as error:
        raise ValueError(f"class {error} of y is none of the model's: {', '.join(list(number)[:10])}") from None
    given, _, _ = _validate.matrix(X, np)
    inputs = {"x": given, "kind": "classes", "y": codes, "n_classes": len(number), "names": list(number)}
    return Table(_core.read_inputs(inputs), "arrays")


class Dimension(Result):
    """How many components a method needs.

    Attributes
    ----------
    rows : list of dict
        Of component 1, 2, ...: eigenvalue, gap, ratio, explained parts, p-values.
    choices : dict of int
        What each rule chooses; rules that do not apply are left out.
    """

    _columns = ("components", "eigenvalue", "gap", "ratio", "explained_x", "explained_y", "chi_square_p", "aic", "bic", "permutation_p")
    RULES = ("permutation", "chi_square", "aic", "bic", "ladle", "gap", "ratio", "explained_x", "explained_y")

    def __init__(self, rows: list[dict[str, Any]], choice: dict[str, Any], method: str) -> None:
        super().__init__(rows)
        self.method = method
        self.choices = {name: choice[name] for name in self.RULES if choice[name] >= 0}
        self._notes_told = [text for text in (choice["note"], choice["no_chi_square"], choice["no_ladle"]) if text]

    def _title(self):
        return f"number of components of {self.method}"

    def _notes(self):
        return [", ".join(f"{name}: {k}" for name, k in self.choices.items()), *self._notes_told]

    def plot(self, **options: Any) -> Picture:
        """The explained shares and the eigenvalues, in SVG."""
        from alidade._svg import lines
        k = [row["components"] for row in self.rows]
        series = {"of X": [row["explained_x"] for row in self.rows], "of the target": [row["explained_y"] for row in self.rows]}
        series = {name: values for name, values in series.items() if not all(math.isnan(v) for v in values)}
        marks = {"permutation test": self.choices.get("permutation")}
        return Picture(lines(k, series, "components", "explained", self._title(), marks, **options))


def dimension(data: t.Rows, target: t.Columns | None = None, method: str = "auto", y: t.Target | None = None, *,
              max_components: int = 0, permutations: int = 199, level: float = 0.05, every: bool = False, resamples: int = 0,
              n_jobs: int | None = None, progress: t.Progress = None, **options: Any) -> Dimension:
    """How many components are needed, by tests and by explained shares.

    Parameters
    ----------
    data, target, y, n_jobs, progress, **options
        As for fit.
    method : str, default="auto"
    max_components : int
        How many to examine; 0: 10, or as many as there are.
    permutations : int
        Per step of the permutation test; 0: no such test.
    level : float
        Of the tests.
    every : bool
        Continue after the permutation test accepts.
    resamples : int
        Bootstraps of the ladle, usually 200; 0: no ladle.

    Returns
    -------
    Dimension
    """
    reading, parameters = split_options(options)
    reading["prefer_real"] = prefers_real(method)
    table = as_table(data, target, y, n_jobs=n_jobs, **reading)
    method, parameters = _complete(table, method, parameters, reading)
    seed = int(parameters.get("random_state", 0))
    chosen = {"max_dims": max_components, "permutations": permutations, "level": level, "seed": seed, "every": int(every),
              "resamples": resamples}
    with hearing(progress, table) as heard:
        rows, choice = _core.dimension(table._core, method, parameters, chosen, threads(n_jobs), heard)
    return Dimension(rows, choice, method)


class Stability(Result):
    """How far the components move when the rows are resampled.

    Attributes
    ----------
    rows : list of dict
        For the first k components: angles in radians, and the same for permuted targets.
    frequency : ndarray or None
        For each feature, the share of resamples in which it is among the leading ones.
    """

    _columns = ("components", "mean", "largest", "high", "permuted_mean", "permuted_largest", "permuted_high")

    def __init__(self, rows: list[dict[str, Any]], summary: dict[str, Any], frequency: t.NDArray[Any] | None,
                 names: list[str]) -> None:
        super().__init__(rows)
        self.summary, self.frequency, self.feature_names = summary, frequency, names

    def features(self) -> list[tuple[str, float]]:
        """list of (name, share), the most frequent first."""
        if self.frequency is None:
            raise ValueError("features lead by their weights, and the map is not linear: give `leading`")
        order = np.argsort(-self.frequency, kind="stable")
        return [(self.feature_names[j], float(self.frequency[j])) for j in order]

    def _title(self):
        return f"angles in radians over {self.summary['resamples']} resamples"

    def _notes(self):
        failed = [f"{self.summary['failed']} resamples failed: {self.summary['note']}"] if self.summary["failed"] else []
        if self.frequency is None:
            return failed
        leading = ", ".join(f"{name} {share:.0%}" for name, share in self.features()[:5])
        return [*failed, f"most often among the {self.summary['leading']} leading features: {leading}"]

    def plot(self, **options: Any) -> Picture:
        """How often each feature is among the leading ones, in SVG; without features, the angles."""
        if self.frequency is not None:
            chance = self.summary["leading"] / len(self.frequency)
            return Picture(_core.plot_selection(self.feature_names, self.frequency, chance, options))
        from alidade._svg import lines
        series = {"resamples": [row["mean"] for row in self.rows], "permuted targets": [row["permuted_mean"] for row in self.rows]}
        series = {name: values for name, values in series.items() if not all(math.isnan(v) for v in values)}
        return Picture(lines([row["components"] for row in self.rows], series, "components", "mean angle", self._title(), {},
                             **options))


def stability(model: t.Fitted, data: t.Rows, y: t.Target | None = None, *, resamples: int = 100, half: bool = False,
              random_state: int = 0, permuted: int | None = None, leading: int = 0, n_jobs: int | None = None,
              progress: t.Progress = None, **options: Any) -> Stability:
    """Refit a model on resamples of its rows.

    Parameters
    ----------
    model : Model or fitted estimator
    data : path, DataFrame, dict of vectors, array or Table
        The rows that it was fitted on, with their target.
    y : array, optional
        The target of a matrix X.
    resamples : int
    half : bool
        Half of the rows without replacement, instead of all with replacement.
    random_state : int
    permuted : int, optional
        Fits with permuted targets, as a reference; by default the number of resamples.
    leading : int
        How many features count as leading; 0: a quarter, at most 10.
    n_jobs, progress, **options
        As for fit.

    Returns
    -------
    Stability
    """
    fitted = _model_of(model)
    if fitted.weighted:
        options.setdefault("with_weights", True)
    table = _like_arrays(fitted, data, y) if y is not None else fitted.read(data, **options)
    linear = _core.text(fitted._core, "alidade.map") == "linear"
    frequency = np.zeros((1, fitted.n_features)) if linear or leading else None
    chosen = {"resamples": resamples, "half": int(half), "seed": random_state, "leading": leading,
              "permuted": resamples if permuted is None else permuted}
    with hearing(progress, table) as heard:
        rows, summary = _core.stability(fitted._core, table._core, chosen, frequency, threads(n_jobs), heard)
    names = fitted.feature_names or [f"x{j}" for j in range(fitted.n_features)]
    return Stability(rows, summary, None if frequency is None else frequency[0], names)


class Importance(Result):
    """Which features matter.

    Attributes
    ----------
    values : ndarray of shape (1 or n_components, n_features)
    feature_names : list of str
    """

    _most_rows = 15

    def __init__(self, values: t.NDArray[Any], names: list[str], kind: str, picture: Callable[..., Picture]) -> None:
        self.values, self.feature_names, self.kind, self._picture = values, names, kind, picture
        columns = [kind] if len(values) == 1 else [f"z{k + 1}" for k in range(len(values))]
        order = np.argsort(-np.nan_to_num(np.abs(values)).max(axis=0), kind="stable")
        super().__init__([{"feature": names[j], **{c: float(v[j]) for c, v in zip(columns, values)}} for j in order])

    def _title(self):
        return f"{self.kind} of {self.values.shape[1]} features, the largest first"

    def plot(self, **options: Any) -> Picture:
        """The features in their order, in SVG."""
        return self._picture(**options)


def importance(model: Model, kind: str = "vip", data: t.Rows | None = None, **options: Any) -> Importance:
    """As Model.importance."""
    if kind not in KINDS:
        raise ValueError(f"`kind` is one of {', '.join(KINDS)}, not {kind!r}")
    table = None if data is None else model.read(data, **options)
    core = None if table is None else table._core
    values = np.zeros((1 if kind == "vip" else model.n_components, model.n_features))
    _core.importance(model._core, KINDS.index(kind), core, values)
    names = model.feature_names or [f"x{j}" for j in range(model.n_features)]

    def picture(**drawing):
        return Picture(_core.plot(model._core, core, None, {"kind": "importance", "importance": kind, **drawing}))
    return Importance(values, names, kind, picture)


class Outliers(Result):
    """Rows that are unlike the training rows.

    Attributes
    ----------
    t2, q : ndarray
    limits : dict of float
        t2_95, t2_99, q_95, q_99; NaN if unknown.
    """

    _columns = ("row", "t2", "q")
    _most_rows = 10

    def __init__(self, t2: t.NDArray[Any], q: t.NDArray[Any], limits: dict[str, float], names: list[str] | None,
                 picture: Callable[..., Picture]) -> None:
        self.t2, self.q, self.limits, self._picture = t2, q, limits, picture
        super().__init__([{"row": i if names is None else names[i], "t2": float(a), "q": float(b)}
                          for i, (a, b) in enumerate(zip(t2, q))])

    def beyond(self, level: Literal[95, 99] = 99) -> t.NDArray[Any]:
        """Numbers of the rows, from 0, above a limit of 95 or 99 per cent."""
        t2, q = self.limits[f"t2_{level}"], self.limits[f"q_{level}"]
        return np.flatnonzero((self.t2 > t2) | (self.q > q))

    def _title(self):
        known = ", ".join(f"{name} {value:.4g}" for name, value in self.limits.items() if not math.isnan(value))
        return f"{len(self.rows)} rows, those with the largest T^2; limits {known or 'are not known'}"

    def _shown(self):
        return sorted(self.rows, key=lambda row: -row["t2"])[:self._most_rows]

    def plot(self, **options: Any) -> Picture:
        """T^2 against Q with their limits, in SVG."""
        return self._picture(**options)


def outliers(model: Model, data: t.Rows, **options: Any) -> Outliers:
    """As Model.outliers."""
    table = model.read(data, **options)
    values = np.zeros((2, table.n_rows))
    limits = _core.outliers(model._core, table._core, values)

    def picture(**drawing):
        return Picture(_core.plot(model._core, table._core, None, {"kind": "outliers", **drawing}))
    return Outliers(values[0], values[1], limits, table.row_names, picture)


def generate(name: str, n: int = 0, d: int = 0, *, random_state: int = 0, noise: float = 0.0, radius: float = 0.0,
             eyes: float = 0.0) -> Table:
    """A synthetic set with known directions: those of ``alidade generate``.

    Parameters
    ----------
    name : str
        alidade.generate.names has them all, with a line on each.
    n, d : int
        Rows, and columns if the set leaves them open; 0: the set's default.
    random_state : int
    noise : float
        Standard deviation of the noise of the response; negative: none.
    radius, eyes : float
        Of taichi.

    Returns
    -------
    Table
    """
    given = {"n": n, "d": d, "seed": random_state, "noise": noise, "radius": radius, "eyes": eyes}
    return Table(_core.generate(name, given), name)


generate.names = _core.generators()  # type: ignore[attr-defined]
