"""fit, load, save, and the Model that they give."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from alidade import _hints as t
from alidade import _certainty, _core, _device, _html, _warn
from alidade import _model  # noqa: F401, models can be pickled
from alidade._export import Exported
from alidade._facts import Facts, with_parameter
from alidade._progress import hearing
from alidade._results import list_words, words
from alidade._scores import decided
from alidade._table import Table, as_table, class_values, is_path, prepared_options, split_options
from alidade._threads import threads


class Model(Exported):
    """A fitted model, as written by ``alidade fit``.

    Made by :func:`alidade.fit`, :func:`alidade.load` and :func:`alidade.tune`, or from an estimator by
    ``Model(estimator.model_)``. It knows how its table was read: new rows may be a file, a data frame, a dict of vectors or
    a matrix, with or without the target columns.

    Attributes
    ----------
    method : str
    n_components, n_features : int
    target : str
        "none", "classes", "real" or "labels".
    feature_names, class_names, response_names : list of str or None
    parameters, resolved : dict of str
        Every parameter, and the values that the fit chose or found.
    """

    def __init__(self, core: Any) -> None:
        if not isinstance(core, _core.Model):
            raise TypeError("a Model is made by alidade.fit, alidade.load or alidade.tune, or of estimator.model_")
        self._core = core
        self._shape = _core.prediction_shape(core) or ("none", 0, 0, 0)

    # -- what it is --------------------------------------------------------------------------------------------------
    @property
    def method(self) -> str:
        return self._core.method

    @property
    def n_components(self) -> int:
        return self._core.n_components

    @property
    def n_features(self) -> int:
        return self._core.n_features

    @property
    def target(self) -> str:
        return _core.text(self._core, "alidade.target") or "none"

    def _list(self, key):
        text = _core.text(self._core, key)
        return json.loads(text) if text else None

    @property
    def feature_names(self) -> list[str] | None:
        return self._list("alidade.feature_names")

    @property
    def class_names(self) -> list[str] | None:
        return self._list("alidade.class_names")

    @property
    def response_names(self) -> list[str] | None:
        return self._list("alidade.response_names")

    @property
    def weighted(self) -> bool:
        """bool: the training rows had weights, in a column that new tables must have."""
        return bool((self._list("alidade.schema") or {}).get("weights"))

    def _texts(self, prefix):
        return {key[len(prefix):]: value for key, value in _core.texts(self._core).items() if key.startswith(prefix)}

    @property
    def parameters(self) -> dict[str, str]:
        return self._texts("alidade.param.")

    @property
    def resolved(self) -> dict[str, str]:
        return self._texts("alidade.resolved.")

    @property
    def arrays(self) -> dict[str, t.NDArray[Any]]:
        """dict of read-only ndarrays: the arrays of the model."""
        return {name: np.asarray(_core.array(self._core, name)) for name in _core.array_names(self._core)}

    # -- rows through it ---------------------------------------------------------------------------------------------
    def read(self, data: t.Rows, **options: Any) -> Table:
        """A Table of new rows, read like those of the model; options as for read_table."""
        if isinstance(data, Table):
            return data
        options.setdefault("unseen", "mean")
        return as_table(data, like=self, **options)

    def _through(self, run, table, columns):
        out = np.empty((table.n_rows, columns))
        run(self._core, table._core, out, threads(None))
        return out

    def transform(self, data: t.Rows, as_frame: bool | None = None, **options: Any) -> Any:
        """Project rows.

        Parameters
        ----------
        data : path, DataFrame, dict, array or Table
        as_frame : bool, optional
            True: a pandas.DataFrame with the columns z1, z2, ..., behind those of `id` and `keep`, as the command line
            writes it. None: a DataFrame if data is one, otherwise an array.
        **options
            As for read_table.

        Returns
        -------
        ndarray of shape (rows of data, n_components) or DataFrame
            NaN in rows that were left out (missing="drop").
        """
        table = self.read(data, no_target=True, **options)
        z = self._through(_core.table_transform, table, self.n_components)
        names = [f"z{k + 1}" for k in range(z.shape[1])]
        return _spread(table, z, names, _wants_frame(data, as_frame), as_frame)

    def predict(self, data: t.Rows, as_frame: bool | None = None, interval: float | None = None, **options: Any) -> Any:
        """Predict the target of rows: names of classes, numbers, or 0 and 1 for each label.

        Parameters and container as for transform; a Series if data is a DataFrame and the target one column.

        With `interval`, a level such as 0.9, also what contains the truth with this probability: the pair (predictions,
        ``predict_interval(data, interval)``), or a DataFrame that has it in further columns, as the command line writes
        them: low(NAME) and high(NAME), in(CLASS), or set(LABEL).
        """
        table = self.read(data, no_target=True, **options)
        found, names = self._decided(table)
        frame = _wants_frame(data, as_frame)
        result = _spread(table, found, names, frame, as_frame)
        if interval is not None and frame:
            import pandas
            cells = _certainty.columns(self._shape[0], self._regions(table, interval), self._score_names())
            return pandas.concat([result, _spread(table, cells[1], cells[0], True, None)], axis=1)
        if found.shape[1] == 1 and not as_frame:
            result = result.iloc[:, 0] if frame else result[:, 0]
        return result if interval is None else (result, self._shaped(table, self._regions(table, interval)))

    def _decided(self, table):
        """(predictions, one column each; their names)"""
        found = decided(self._shape[0], self._scores(table))
        if self._shape[0] == "classes":
            return class_values(found[:, 0], self.class_names)[:, None], (self.response_names or ["class"])[:1]
        return found if self._shape[0] == "real" else found.astype(int), self._score_names()

    def _score_names(self):
        names = self.class_names if self._shape[0] == "classes" else self.response_names
        return names or [str(j) if self._shape[0] == "classes" else f"y{j + 1}" for j in range(self._shape[2])]

    def _regions(self, table, level):
        return _certainty.regions(self._core, self._shape, table._core, table.n_rows, level, threads(None))

    def _shaped(self, table, found):
        """As predict_interval gives it: with rows that were left out, and without an axis for a single response."""
        whole = _spread(table, found.reshape(len(found), -1), None, False, None)
        whole = whole.reshape(len(whole), *found.shape[1:])
        return whole[:, 0] if self._shape[0] == "real" and found.shape[1] == 1 else whole

    def predict_interval(self, data: t.Rows, level: float = 0.9, **options: Any) -> t.NDArray[Any]:
        """What contains the truth with the probability `level`, whatever the distribution of the data.

        The model must know its errors on rows that it has not seen: :func:`alidade.tune` keeps them, and
        ``alidade.fit(..., intervals=10)``; `calibrate` and `update` add those of new rows.

        Parameters
        ----------
        data : path, DataFrame, dict, array or Table
        level : float
        **options
            As for read_table.

        Returns
        -------
        ndarray
            Numbers: of shape (rows, 2), the ends of the interval, (rows, responses, 2) for several. Classes: of shape
            (rows, classes), whether the class is in the set, in the order of `class_names`; a set may have several
            classes, or none. Labels: of shape (rows, labels, 2), whether 0 and whether 1 is in the set. NaN in rows that
            were left out.
        """
        table = self.read(data, no_target=True, **options)
        return self._shaped(table, self._regions(table, level))

    def predict_proba(self, data: t.Rows, as_frame: bool | None = None, **options: Any) -> Any:
        """Probabilities of the classes or labels, for the predictors gaussian, logistic and knn."""
        if not self._shape[3] or self._shape[0] == "real":
            raise ValueError("this predictor gives no probabilities: fit again with `predictor` gaussian, logistic or knn")
        table = self.read(data, no_target=True, **options)
        names = [f"p({name})" for name in self._score_names()]
        return _spread(table, self._scores(table), names, _wants_frame(data, as_frame), as_frame)

    def _scores(self, table):
        if not self._shape[1]:
            raise ValueError("the model has no predictor: it was fitted without a target, or with `predictor` none")
        return self._through(_core.table_scores, table, self._shape[2])

    def evaluate(self, data: t.Rows, **options: Any) -> t.Evaluation:
        """Figures of merit of its predictions for rows with a target: :func:`alidade.evaluate`."""
        from alidade._measuring import evaluate
        return evaluate(self, data, **options)

    def importance(self, kind: t.ImportanceKind = "vip", data: t.Rows | None = None, **options: Any) -> t.Importance:
        """Which features matter, for linear maps.

        Parameters
        ----------
        kind : {"vip", "weights", "standardized", "structure", "loadings"}
        data : path, DataFrame, dict, array or Table, optional
            Rows with their target, if the model alone is not enough.

        Returns
        -------
        Importance
        """
        from alidade._measuring import importance
        return importance(self, kind, data, **options)

    def outliers(self, data: t.Rows, **options: Any) -> t.Outliers:
        """Hotelling's T^2 and Q of rows, with their limits: an Outliers result."""
        from alidade._measuring import outliers
        return outliers(self, data, **options)

    def coefficients(self) -> tuple[t.NDArray[Any], t.NDArray[Any], bool] | None:
        """(values, intercept, prepared): the prediction as one formula; None if there is none."""
        count = _core.coefficients_count(self._core)
        if not count:
            return None
        values, intercept = np.empty((self.n_features, count)), np.empty((1, count))
        prepared = _core.coefficients(self._core, values, intercept)
        return values, intercept[0], prepared

    # -- other models of it ------------------------------------------------------------------------------------------
    def first(self, n_components: int) -> Model:
        """The model of its first components, if they are nested."""
        return Model(_core.first(self._core, n_components))

    def update(self, data: t.Rows, remove: bool = False, **options: Any) -> Model:
        """A model with rows added (or removed), for one that was fitted with keep_statistics=True."""
        options.setdefault("with_weights", True)
        if not remove:
            options.setdefault("new_classes", True)
        table = data if isinstance(data, Table) else as_table(data, like=self, **options)
        return Model(_core.update(self._core, table._core, remove, threads(None)))

    def calibrate(self, data: t.Rows, folds: int = 0, **options: Any) -> Model:
        """A model that keeps its errors on rows, for predict_interval.

        Parameters
        ----------
        data : path, DataFrame, dict, array or Table
            Rows with their target that the model has not seen.
        folds : int
            2 or more: the rows are those of the fit instead; it is repeated without each of so many parts of them.
        **options
            As for read_table.

        Returns
        -------
        Model
        """
        table = data if isinstance(data, Table) else as_table(data, like=self, **options)
        return Model(_core.calibrate(self._core, table._core, folds, threads(None), None))

    # -- files -------------------------------------------------------------------------------------------------------
    def _exported(self):
        return self._core

    def to_bytes(self) -> bytes:
        """The bytes of its file."""
        return _core.to_bytes(self._core)

    def save(self, path: t.Path) -> None:
        """Write a file that the command line can read."""
        _core.save(self._core, path)

    def __reduce__(self):
        return _from_bytes, (self.to_bytes(),)

    # -- to look at --------------------------------------------------------------------------------------------------
    def plot(self, kind: str | None = None, data: t.Rows | None = None, test: t.Rows | None = None,
             **options: Any) -> t.Picture:
        """A picture of the model in SVG, without matplotlib.

        Parameters
        ----------
        kind : str, optional
            projection, scores, labels, predicted, weights, loadings, coefficients, outliers, tuning, spectrum, importance,
            eigengap, continuity or confusion. None: projection with data, otherwise spectrum.
        data, test : path, DataFrame, dict, array or Table, optional
            The training rows, and others.
        **options
            x_component, y_component (from 1), response (from 0), by_label, importance, title, width, height.

        Returns
        -------
        Picture
        """
        from alidade._results import Picture
        known = ("x_component", "y_component", "response", "by_label", "importance", "title", "width", "height")
        drawing = {name: options.pop(name) for name in known if name in options}
        fitted, other = (None if rows is None else self.read(rows, **options)._core for rows in (data, test))
        return Picture(_core.plot(self._core, fitted, other, {"kind": kind, **drawing}))

    def inspect(self) -> dict[str, Any]:
        """dict: method, shape, target, names, parameters and resolved values."""
        return {"method": self.method, "n_components": self.n_components, "n_features": self.n_features,
                "target": self.target, "classes": self.class_names, "responses": self.response_names,
                "predictor": _core.text(self._core, "alidade.predictor.kind"),
                "intervals": _core.text(self._core, "alidade.calibration"), "parameters": self.parameters,
                "resolved": self.resolved, "arrays": {name: array.shape for name, array in self.arrays.items()}}

    def __dir__(self) -> list[str]:
        """What is there: predictions only of a model that has a predictor, probabilities where it gives them."""
        without = {name for name, there in (("predict", self._shape[1]), ("evaluate", self._shape[1]),
                                            ("calibrate", self._shape[1]),
                                            ("predict_interval", _core.calibration_count(self._core)),
                                            ("predict_proba", self._shape[3] and self._shape[0] != "real"),
                                            ("coefficients", _core.coefficients_count(self._core))) if not there}
        return [name for name in super().__dir__() if name not in without]

    def _repr_html_(self) -> str:
        return _html.of_model(self._core, f"Model of {self.method}")

    def __repr__(self) -> str:
        what = {"classes": f"{len(self.class_names or [])} classes", "none": "no target"}.get(
            self.target, ", ".join((self.response_names or [self.target])[:3]))
        predictor = _core.text(self._core, "alidade.predictor.kind")
        return (f"<Model {self.method}: {self.n_features} features to {self.n_components} components, {what}"
                f"{', predictor ' + predictor if predictor else ''}>")


def _from_bytes(data):
    return Model(_core.from_bytes(data))


def _wants_frame(data, as_frame):
    return hasattr(data, "iloc") if as_frame is None else as_frame


def _spread(table, values, names, frame, with_kept):
    """Rows of the file that were left out come back as NaN (None among texts)."""
    places = table.places
    if places is not None:
        empty = None if values.dtype == object else np.nan
        whole = np.full((table.file_rows, values.shape[1]), empty,
                        dtype=object if values.dtype == object else float)
        whole[places] = values
        values = whole
    if not frame:
        return values
    import pandas
    index = table.index if table.index is not None and len(table.index) == len(values) else None
    made = pandas.DataFrame(values, columns=names, index=index)
    for position, (name, texts) in enumerate(table.kept.items() if with_kept else ()):
        made.insert(position, name, texts)
    return made


def fit(data: t.Rows, target: t.Columns | None = None, method: str = "auto", y: t.Target | None = None, *,
        stream: bool = False, intervals: int = 0, n_jobs: int | None = None, device: str = "cpu",
        progress: t.Progress = None, **options: Any) -> Model:
    """Fit a model to a whole table, as ``alidade fit`` does.

    Categories become several columns, missing cells are an error unless `missing` says what to do, dates and row names
    are not features: the schema is that of the command line, and the model is the same, byte for byte.

    Parameters
    ----------
    data : path, DataFrame, dict of vectors, array or Table
    target : str, int or list, optional
        Target columns of a table.
    method : str, default="auto"
        Name of a method. auto tries the usual ones on five folds of the rows and fits the one that predicts the target
        best to all of them, with the parameters that are given fixed; ``resolved["tuning"]`` of the model says what it
        chose. How good such a model is, other rows say, or :func:`alidade.tune`, which judges the choice too. With
        `stream`, or without a target, auto chooses by the kind of target and the size of the data.
    y : array, optional
        The target of a matrix X.
    stream : bool, default=False
        Read a file in blocks instead of loading it; for methods that support it.
    intervals : int, default=0
        Keep in the model its errors on rows that a fit has not seen, by so many more fits, each without a part of the
        rows, for ``predict_interval``; 10 is usual, 0: none.
    n_jobs, device, progress
        As for the estimators.
    **options
        How the table is read (see read_table), and parameters of the method: n_components, scale, ridge, predictor, ...

    Returns
    -------
    Model

    Examples
    --------
    >>> import alidade
    >>> table = {"a": [1, 2, 3, 4], "b": ["u", "v", "u", "v"], "y": [0.5, 1.4, 2.6, 3.5]}
    >>> alidade.fit(table, target="y", method="pls", n_components=1).predict(table).round(1).tolist()
    [0.4, 1.7, 2.3, 3.6]
    """
    reading, parameters = split_options(options)
    reading["prefer_real"] = prefers_real(method)
    if parameters.get("random_state", 0) is None:
        del parameters["random_state"]
    if intervals:
        _check_intervals(reading, stream)
    if stream:
        with _device.on(device):
            return _fit_stream(data, target, method, reading, parameters, n_jobs, progress)
    table = as_table(data, target, y, n_jobs=n_jobs, progress=progress, **reading)
    with _device.on(device), hearing(progress, table) as heard:
        fitted = _usual(table, method, parameters, reading, n_jobs, heard)
        if fitted is None or isinstance(fitted, str):
            reason = fitted
            method, parameters = _complete(table, method, parameters, reading)
            if reason:
                _warn.give(_core.AlidadeWarning, f"methods were not compared: {reason}; {method} is fitted")
            fitted = _core.fit_table(table._core, method, parameters, threads(n_jobs), heard)
        if intervals:
            fitted = _core.calibrate(fitted, table._core, intervals, threads(n_jobs), heard)
        return Model(fitted)


_BESIDE = ("graph_file", "distances_file", "response_kernel_file", "start_file")  # they come with all rows


def _usual(table, method, parameters, reading, n_jobs, heard):
    """What the usual search chooses, or why it cannot; None where a method is named, or there is nothing to choose by."""
    together = any(reading.get(name) for name in (*_BESIDE, "unlabelled_file"))
    if method != "auto" or together or table.kind == "none" or parameters.get("predictor") == "none":
        return None
    if reading.get("missing") == "nipals":
        return None
    given = dict(parameters)
    search = {"components": list_words(given.pop("n_components", None)), "seed": int(given.get("random_state", 0))}
    return _core.fit_usual(table._core, search, words(given), threads(n_jobs), heard)


def _check_intervals(reading, stream):
    """Fits of parts of the rows need rows in memory, of which parts can be taken."""
    instead = "leave out `intervals`, and use `calibrate` with rows that the model has not seen"
    if stream:
        raise ValueError(f"`intervals` fits parts of the rows in memory, which `stream` does not keep: {instead}")
    if any(reading.get(name) for name in _BESIDE):
        raise ValueError(f"matrices that come with all rows cannot be divided into parts: {instead}")


def prefers_real(method):
    """1 where whole numbers are a response, as the method takes no classes."""
    facts = None if method == "auto" else Facts.of(method)
    return int(facts is not None and facts.real and not facts.classes)


def _complete(table, method, parameters, reading):
    """The method that auto stands for, and the parameters that are given."""
    if method == "auto":
        method, _ = _core.method_auto(table._core)
    facts = Facts.of(method)
    parameters = {name: value for name, value in parameters.items() if value is not None}
    instead = reading.get("distances_file") or reading.get("response_kernel_file")
    if table.kind == "none" and facts.requires_y and not instead:
        raise ValueError(f"method {method} needs a target: name its columns with `target`")
    if reading.get("missing") == "nipals":
        if "gaps" not in facts.parameters:
            raise ValueError(f"`missing` nipals is for {' and '.join(with_parameter('gaps')[0])}: with {method} use mean or drop")
        parameters[facts.parameters["gaps"]] = 1
    return method, parameters


def _fit_stream(path, target, method, reading, parameters, n_jobs, progress):
    if not is_path(path):
        raise TypeError("`stream` reads a file in blocks: give its path")
    if target is not None:
        reading["target"] = target
    ready = prepared_options(reading)
    with hearing(progress) as heard:
        survey, _ = _core.survey(path, ready, threads(n_jobs), heard)
        method, parameters = _complete(Table(survey, os.fsdecode(path)), method, parameters, reading)
        return Model(_core.fit_stream(path, ready, survey, method, parameters, threads(n_jobs), heard))


def load(path: t.Path) -> Model:
    """Read a model written by ``alidade fit`` or save.

    Parameters
    ----------
    path : path

    Returns
    -------
    Model
    """
    return Model(_core.load(path))


def save(model: t.Fitted, path: t.Path) -> None:
    """Write a model, or the model of an estimator, to a file that the command line reads.

    Parameters
    ----------
    model : Model or fitted estimator
    path : path
    """
    core = getattr(model, "_core", None) or getattr(model, "model_", None)
    if core is None:
        raise TypeError(f"a Model or a fitted estimator is saved, not {type(model).__name__}")
    _core.save(core, path)
