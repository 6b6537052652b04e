"""Estimator: what every method has in Python. The classes in alidade.methods add a name, parameters and documentation.

fit hands the arrays to the library as they are, keeps the model as `model_`, and everything else is asked of it."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Self

import numpy as np

from alidade import _hints as t
from alidade import _certainty, _compat, _core, _device, _features, _frames, _html, _output, _scores, _spelling, _targets, _validate
from alidade._attributes import Attributes
from alidade._available import available_if, only_there
from alidade._export import Exported
from alidade._facts import Facts
from alidade._params import Parameters, _defaults, _same
from alidade._progress import finish, listener
from alidade._threads import threads


# Parameters that are Python's own and no settings of the method.
OWN = frozenset({"task", "intervals", "n_jobs", "device", "progress"})


def _predicts(estimator):
    """it was fitted without a predictor (`predictor="none"`, or without a target)"""
    if estimator.predictor == "none":
        return False
    return "model_" not in estimator.__dict__ or estimator._prediction[1] > 0


def _gives(estimator, what):
    """Whether its predictor would give this of classes; auto is the usual one, where the method takes classes."""
    auto = estimator.predictor == "auto"
    given = _core.predictor_gives(None if auto else estimator.predictor, "classes")
    return given == what and (not auto or estimator._facts().classes)


def _has_probabilities(estimator):
    """the predictor gives no probabilities; gaussian, logistic and knn do, for classes and labels"""
    if not _predicts(estimator) or _compat.estimator_type(estimator) == "regressor":
        return False
    if "model_" in estimator.__dict__:
        return bool(estimator._prediction[3]) and estimator._target.kind != "real"
    return _gives(estimator, "probabilities")


def _knows_errors(estimator):
    """it does not know its errors on rows that it has not seen: fit it with `intervals=10`, or give it such rows with
    `calibrate`"""
    if "model_" not in estimator.__dict__:
        return bool(estimator.intervals) and _predicts(estimator)
    return bool(_core.calibration_count(estimator.model_))


def _has_decision(estimator):
    """there are class scores only if the predictor gives no probabilities"""
    if "model_" not in estimator.__dict__:
        return _gives(estimator, "scores") and estimator._facts().classes
    return _predicts(estimator) and not estimator._prediction[3] and estimator._target.kind in ("classes", "labels")


class Estimator(Attributes, Parameters, Exported):
    """The base of all methods."""

    _method: str  # name in the library
    _can: Facts
    _changed_defaults: frozenset[str]
    # What every class of alidade.methods has.
    predictor: str
    task: str
    intervals: int | None = None
    n_jobs: int | None
    device: str = "cpu"
    progress: t.Progress
    if TYPE_CHECKING:
        fit: Callable[..., Any]
        model_: Any
        classes_: t.NDArray[Any]
        n_features_in_: int
        feature_names_in_: t.NDArray[Any]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "_method" in cls.__dict__:
            cls._can = Facts.of(cls._method)

    # -- facts -------------------------------------------------------------------------------------------------------
    def _facts(self):
        """What the method can, with these parameters."""
        return self._can.with_parameters(bool(self._value_of("gaps")), self._value_of("kernel") == "precomputed")

    def _value_of(self, trait):
        """The value of the parameter that is the `trait` of the method; None where there is none."""
        name = type(self)._can.parameters.get(trait)
        return None if name is None else getattr(self, name)

    def _more_tags(self):
        return _compat.old_tags(self)

    def _get_tags(self):
        return _compat.all_old_tags(self)

    def __sklearn_tags__(self):
        return _compat.new_tags(self)

    @property
    def _estimator_type(self):
        kind = _compat.estimator_type(self)
        if kind is None:
            raise AttributeError("_estimator_type")
        return kind

    def __dir__(self) -> list[str]:
        """What is there: no attribute of a fit before it, and no method that would be refused."""
        return only_there(self, super().__dir__())

    def _repr_html_(self) -> str:
        given = [(name, repr(value)) for name, value in self._changed().items()]
        title = f"{type(self).__name__}: {(type(self).__doc__ or '').splitlines()[0].rstrip('.')}"
        if "model_" not in self.__dict__:
            return _html.facts(f"{title}, not fitted", given)
        return _html.of_model(self.model_, title, given)

    def __sklearn_is_fitted__(self):
        return "model_" in self.__dict__

    def _require_fit(self):
        if "model_" not in self.__dict__:
            raise _compat.not_fitted_error()(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                "using this estimator.")

    def _exported(self):
        self._require_fit()
        return self.model_

    # -- fit ---------------------------------------------------------------------------------------------------------
    def _settings(self):
        """The parameters that are not the defaults of the library, which chooses a predictor where none is named."""
        chosen, changed = {}, self._changed_defaults
        for name, default in _defaults(type(self)).items():
            value = getattr(self, name)
            if value is default and name not in changed or name in OWN:
                continue
            if _same(value, default) and name not in changed or name == "predictor" and value == "auto":
                continue
            chosen[name] = self._setting(name, value)
        return chosen

    def _setting(self, name, value):
        names = type(self)._can.parameters
        if name == names["seed"]:
            return _seed(value)
        if name == names["components"] and value is None:
            return 0
        if value is None:
            raise ValueError(f"`{name}` of {type(self).__name__} is None; its default is {_defaults(type(self))[name]!r}")
        return value

    def _fit(self, X, y, sample_weight=None, graph=None, target_distances=None, response_kernel=None, start=None):
        name, facts = type(self).__name__, self._facts()
        X, y = _frames.taken(X), _device.to_host(_frames.taken(y))
        device = _device.name_for(self.device, X)
        if self.intervals:  # parts of the rows are taken from the host
            X = _device.to_host(X)
        given, (rows, columns), _ = _validate.matrix(X, self)
        names = _validate.frame_names(X)
        beside = {"graph": _validate.square(graph, rows, "graph"),
                  "target_distances": _validate.square(target_distances, rows, "target_distances"),
                  "response_kernel": _validate.square(response_kernel, rows, "response_kernel"),
                  "start": _validate.start(start, columns, names)}
        instead = target_distances is not None or response_kernel is not None
        target = _targets.Target("none") if y is None and instead else _targets.encode(y, rows, facts, self.task, name)
        inputs = {**target.inputs, **beside, "x": given, "weights": _validate.weights(sample_weight, rows),
                  "feature_names": None if names is None else list(names)}
        if self.intervals and any(matrix is not None for matrix in beside.values()):
            raise ValueError("matrices that come with all rows cannot be divided into parts: leave out `intervals`, and use "
                             "`calibrate` with rows that the model has not seen")
        try:
            model = _device.call(device, self._call_fit, inputs)
        except ValueError:
            _targets.refuse_infinite(target)
            raise
        self._keep(X, columns, target, model)
        return self

    def _call_fit(self, inputs):
        heard = listener(self.progress)
        try:
            model = _core.fit(self._method, self._settings(), inputs, threads(self.n_jobs), heard)
            if self.intervals:
                model = _core.calibrate(model, _core.read_inputs(inputs), self.intervals, threads(self.n_jobs), heard)
            return model
        except ValueError as error:
            raise reworded(error) from None
        finally:
            finish(heard)

    def _keep(self, X, columns, target, model):
        _features.learn(self, X, columns)
        self.model_ = model
        self._prediction = _core.prediction_shape(model) or ("none", 0, 0, 0)
        target.inputs = None
        self._target = target
        if target.classes is not None:
            self.classes_ = target.classes
        elif "classes_" in self.__dict__:
            del self.classes_

    # -- rows through the model --------------------------------------------------------------------------------------
    def _rows(self, X):
        self._require_fit()
        X = _frames.taken(X)
        if type(X) is np.ndarray and X.ndim == 2 and "feature_names_in_" not in self.__dict__:
            given, shape, dtype = _validate.matrix(X, self)
            if shape[1] == self.n_features_in_:
                return given, shape[0], dtype
        given, shape, dtype = _validate.matrix(X, self)
        _features.check(self, X, shape[1])
        return given, shape[0], dtype

    def _through(self, function, X, columns, keep_type=False):
        given, rows, dtype = self._rows(X)
        out = _device.empty_like(X, (rows, columns)) if keep_type and _device.lives_there(X) else None
        if out is None:
            out = np.empty((rows, columns), dtype=dtype if keep_type else np.float64)
        heard = listener(self.progress)
        try:
            _device.call(_device.name_for("cpu", X), function, self.model_, given,
                         out if isinstance(out, np.ndarray) else _device.matrix(out)[0],
                         threads(self.n_jobs) if rows > 64 else 1, heard)
        except ValueError as error:
            raise reworded(error) from None
        finally:
            finish(heard)
        return out

    def _transform(self, X):
        self._require_fit()
        return self._finish(self._through(_core.transform, X, self.model_.n_components, keep_type=True), X)

    def _finish(self, values, X):
        config = _compat.output_config(self)
        return values if config == "default" or config is None else _output.container(self, values, X, config)

    def _scores(self, X):
        return self._through(_core.scores, X, self._prediction[2])

    @available_if(_predicts)
    def predict(self, X: t.Matrix, interval: float | None = None) -> Any:
        """Predict the target of rows by the predictor on their projection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        interval : float, default=None
            A level such as 0.9: the result is the pair of y and ``predict_interval(X, interval)``.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            Numbers, classes as they were given to fit, or labels as 0 and 1.
        """
        self._require_fit()
        if interval is not None:
            return self.predict(X), self._regions(X, interval)
        if not self._prediction[1]:
            raise ValueError(f"this {type(self).__name__} was fitted without a predictor")
        kind = "classes" if self._target.from_classes else self._target.kind
        if self._prediction[0] == "classes":
            found = self._through(_core.predict, X, 1)
        else:
            found = _scores.decided(kind, self._scores(X))
        if kind == "classes":
            return self.classes_[found[:, 0].astype(np.intp)]
        if kind == "labels":
            return found.astype(np.intp)
        return found[:, 0] if self._target.one_column else found

    def _regions(self, X, level):
        if self._target.from_classes:
            raise ValueError(f"{type(self).__name__} learns each class as a label of its own: for sets of classes take a "
                             "method for classes")
        given, rows, _ = self._rows(X)
        found = _certainty.regions(self.model_, self._prediction, given, rows, level, threads(self.n_jobs))
        return found[:, 0] if self._target.kind == "real" and self._target.one_column else found

    @available_if(_knows_errors)
    def predict_interval(self, X: t.Matrix, level: float = 0.9) -> t.NDArray[Any]:
        """What contains the target of a row with the probability `level`, whatever the distribution of the data.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        level : float, default=0.9
            Above 0 and below 1.

        Returns
        -------
        regions : ndarray
            Numbers: of shape (n_samples, 2), the ends of the interval, or (n_samples, n_outputs, 2). Classes: of shape
            (n_samples, n_classes), whether the class is in the set, in the order of `classes_`; a set may have several
            classes, or none. Labels: of shape (n_samples, n_labels, 2), whether 0 and whether 1 is in the set.
        """
        self._require_fit()
        return self._regions(X, level)

    @available_if(_predicts)
    def calibrate(self, X: t.Matrix, y: t.Target) -> Self:
        """Keep the errors of the predictions of rows that the fit has not seen, for predict_interval.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.

        Returns
        -------
        self
        """
        self._require_fit()
        given, rows, _ = self._rows(X)
        if y is None or self._target.kind == "none":
            raise ValueError("errors are those of predictions: fit and calibrate with a target y")
        truth = _targets.encode_like(_frames.taken(y), rows, self._target, self._facts(), type(self).__name__)
        data = _core.read_inputs({**truth, "x": given})
        self.model_ = _core.calibrate(self.model_, data, 0, threads(self.n_jobs), None)
        return self

    @available_if(_has_probabilities)
    def predict_proba(self, X: t.Matrix) -> t.NDArray[Any]:
        """Predict the probabilities of the classes, or of each label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        self._require_fit()
        return self._scores(X)

    @available_if(_has_decision)
    def decision_function(self, X: t.Matrix) -> t.NDArray[Any]:
        """The scores of the classes, the largest of which is predicted.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            In the order of `classes_`; for two classes, positive if the second is predicted. Labels are predicted where
            theirs is positive.
        """
        self._require_fit()
        scores = self._scores(X)
        if self._target.kind == "labels" and not self._target.from_classes:
            return scores - 0.5
        return scores[:, 1] - scores[:, 0] if self._target.kind == "classes" and scores.shape[1] == 2 else scores

    @available_if(_predicts)
    def score(self, X: t.Matrix, y: t.Target, sample_weight: t.ArrayLike | None = None) -> float:
        """How good the predictions are: accuracy for classes and labels, R² for numbers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        score : float
        """
        predicted = self.predict(X)
        true = _targets.true_values(y)
        measure = _scores.r2 if self._target.kind == "real" else _scores.accuracy
        return measure(true, predicted, _validate.judging_weights(sample_weight, len(predicted)))


def _seed(value):
    """random_state as a whole number: None is 0, a generator of numpy gives one."""
    if value is None:
        return 0
    if hasattr(value, "randint"):
        return int(value.randint(2 ** 31 - 1))
    return int(value.integers(2 ** 31 - 1)) if hasattr(value, "integers") else value


def reworded(error):
    """The library's message, preceded by the words that people search for."""
    text = _spelling.of_arrays(str(error))
    if text.startswith("X: ") and "finite number" in text:
        return ValueError(f"Input X contains NaN or infinity. {text}")
    if text.startswith("X has 1 row"):
        return ValueError(f"n_samples = 1: {text}")
    return ValueError(text)
