"""Pictures with matplotlib, after scikit-learn's convention: ``SomeDisplay.from_estimator(estimator, X, y, ax=ax)`` draws
onto the axes that are given, and the display keeps ``ax_``, ``figure_`` and the numbers. An estimator, or a Model with a
table, is accepted. matplotlib is imported when something is drawn."""
from __future__ import annotations

import re
from typing import Any, Literal, Self, Sequence

import numpy as np

from alidade import _hints as t


COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999", "#882255", "#ddcc77",
           "#332288", "#999933")
MOST_CLASSES = 12


def _axes(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("matplotlib is needed for displays (pip install matplotlib); .plot() of results and models "
                          "draws without it") from None
    return plt.subplots()[1]


def _rows(model, X, y):
    """(model of the package, table or matrix, target) of an estimator or a Model."""
    from alidade._fitting import Model
    if isinstance(model, Model):
        table = model.read(X) if y is None else None
        return model, table if table is not None else X, table.y if table is not None else np.asarray(y)
    return model, X, None if y is None else np.asarray(y)


class _Display:
    def _begin(self, ax):
        self.ax_ = _axes(ax)
        self.figure_ = self.ax_.figure
        return self.ax_


class ScoresDisplay(_Display):
    """Scores of rows on two components, coloured by the target.

    Parameters
    ----------
    scores : ndarray of shape (rows, components)
    y : ndarray or None
        Classes (texts or whole numbers, at most 12 different ones), or numbers.
    """

    def __init__(self, scores: t.ArrayLike, y: t.ArrayLike | None = None) -> None:
        self.scores: Any = np.asarray(scores)
        self.y: Any = None if y is None else np.asarray(y)

    @classmethod
    def from_estimator(cls, estimator: t.Fitted, X: t.Rows, y: t.Target | None = None, *,
                       components: tuple[int, int] = (0, 1), ax: Any = None, **kwargs: Any) -> Self:
        """Draw the scores of X by a fitted estimator or Model; y colours them."""
        model, rows, colours = _rows(estimator, X, y)
        return cls(np.asarray(model.transform(rows)), colours).plot(components=components, ax=ax, **kwargs)

    def _is_classes(self):
        kind = self.y.dtype.kind
        few = len(set(self.y.tolist())) <= MOST_CLASSES
        return kind in "OUSb" or (kind in "iu" and few)

    def plot(self, components: tuple[int, int] = (0, 1), ax: Any = None, **kwargs: Any) -> Self:
        ax = self._begin(ax)
        first, second = components if self.scores.shape[1] > 1 else (0, None)
        a = self.scores[:, first]
        b = self.scores[:, second] if second is not None else np.zeros(len(a))
        style = {"s": 14, "alpha": 0.8, **kwargs}
        if self.y is None or self.y.ndim > 1:
            ax.scatter(a, b, color=COLOURS[0], **style)
        elif self._is_classes():
            names = sorted({value for value in self.y.tolist() if value is not None}, key=str)
            for number, name in enumerate(names):
                of = self.y == name
                ax.scatter(a[of], b[of], color=COLOURS[number % len(COLOURS)], label=str(name), **style)
            ax.legend(fontsize=8)
        else:
            dots = ax.scatter(a, b, c=self.y.astype(float), cmap="viridis", **style)
            self.figure_.colorbar(dots, ax=ax)
        ax.set_xlabel(f"component {first}")
        ax.set_ylabel("" if second is None else f"component {second}")
        return self


class PredictionErrorDisplay(_Display):
    """Predicted against measured, with the line on which they are equal.

    Parameters
    ----------
    y_true, y_pred : ndarray
        One response.
    """

    def __init__(self, y_true: t.ArrayLike, y_pred: t.ArrayLike) -> None:
        self.y_true, self.y_pred = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)

    @classmethod
    def from_estimator(cls, estimator: t.Fitted, X: t.Rows, y: t.Target | None = None, *, response: int = 0, ax: Any = None,
                       **kwargs: Any) -> Self:
        """Draw the predictions of X by a fitted estimator or Model. With several responses, the one with that number."""
        model, rows, measured = _rows(estimator, X, y)
        if measured is None:
            raise ValueError("the measured values are wanted: give y")
        predicted = np.asarray(model.predict(rows), dtype=float)
        return cls(_one(measured, response), _one(predicted, response)).plot(ax=ax, **kwargs)

    @classmethod
    def from_predictions(cls, y_true: t.ArrayLike, y_pred: t.ArrayLike, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw predictions from any source."""
        return cls(y_true, y_pred).plot(ax=ax, **kwargs)

    def plot(self, ax: Any = None,
             kind: Literal["actual_vs_predicted", "residual_vs_predicted"] = "actual_vs_predicted",
             **kwargs: Any) -> Self:
        ax = self._begin(ax)
        residual = kind == "residual_vs_predicted"
        shown = self.y_true - self.y_pred if residual else self.y_pred
        across = self.y_pred if residual else self.y_true
        ax.scatter(across, shown, **{"s": 14, "alpha": 0.8, "color": COLOURS[0], **kwargs})
        low, high = np.nanmin(across), np.nanmax(across)
        ax.plot([low, high], [0, 0] if residual else [low, high], color="#888888", linewidth=1, zorder=0)
        error = float(np.sqrt(np.nanmean((self.y_true - self.y_pred) ** 2)))
        ax.set_title(f"rmse {error:.4g}")
        ax.set_xlabel("predicted" if residual else "measured")
        ax.set_ylabel("measured - predicted" if residual else "predicted")
        return self


def _one(y, response):
    return y if y.ndim == 1 else y[:, response]


class CurveDisplay(_Display):
    """A metric against the number of components, with its standard deviation over the splits.

    Parameters
    ----------
    result : Comparison or Tuning
    """

    def __init__(self, result: t.Comparison | t.Tuning) -> None:
        self.result: Any = result

    @classmethod
    def from_result(cls, result: t.Comparison | t.Tuning, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the result of compare or tune."""
        return cls(result).plot(ax=ax, **kwargs)

    @classmethod
    def from_estimator(cls, estimator: Any, X: t.Matrix, y: t.Target, *, components: t.Numbers | None = None,
                       folds: int = 10, ax: Any = None, **kwargs: Any) -> Self:
        """Cross-validate the method of an estimator for 1, 2, ... components, and draw it."""
        from alidade._judging import compare
        changed = {name: value for name, value in estimator._settings().items()
                   if name not in ("n_components", "components_rule", "predictor")}
        settings = " ".join(f"{name}={value}" for name, value in changed.items())
        result = compare(X, methods=f"{estimator._method} {settings}".strip(), y=y, components=components, folds=folds,
                         task=estimator.task)
        return cls(result).plot(ax=ax, **kwargs)

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        ax = self._begin(ax)
        lines: dict[str, list[Any]] = {}
        for row in self.result.rows:
            lines.setdefault(f"{row['label']} {row['words'] or ''}".strip(), []).append(row)
        for number, (name, rows) in enumerate(lines.items()):
            style = {"color": COLOURS[number % len(COLOURS)], "label": name, **kwargs}
            if rows[0]["components"] < 1:
                ax.axhline(rows[0]["mean"], linestyle="--", linewidth=1, **style)
            else:
                ax.errorbar([row["components"] for row in rows], [row["mean"] for row in rows],
                            yerr=[row["std"] for row in rows], marker="o", markersize=4, capsize=2, **style)
        chosen = getattr(self.result, "chosen", None)
        if chosen is not None:
            ax.axvline(chosen["components"], color="#888888", linestyle=":", zorder=0)
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set_xlabel("components")
        ax.set_ylabel(getattr(self.result, "curve", self.result).metric)
        ax.legend(fontsize=8)
        return self


class WeightsDisplay(_Display):
    """Weights of the components over the columns, or the coefficients of the formula: for spectra and other columns that
    have an order.

    Parameters
    ----------
    weights : ndarray of shape (curves, features)
    positions : ndarray
        Positions of the columns on the axis.
    names : list of str
        Of the curves.
    title : str, default="column"
        Of the axis.
    """

    def __init__(self, weights: t.ArrayLike, positions: t.ArrayLike, names: list[str], title: str = "column") -> None:
        self.weights, self.positions, self.names = np.asarray(weights), np.asarray(positions), names
        self.title = title

    @classmethod
    def from_estimator(cls, estimator: t.Fitted, *, kind: Literal["weights", "coefficients"] = "weights",
                       components: Sequence[int] | None = None, positions: t.ArrayLike | None = None, ax: Any = None,
                       **kwargs: Any) -> Self:
        """Draw the weights (or kind="coefficients") of a fitted linear estimator or Model, over the numbers in the names of
        its columns where these rise or fall ("nm850", "nm852", ...), else over the numbers of the columns from 0."""
        from alidade._fitting import Model
        model = estimator if isinstance(estimator, Model) else Model(estimator.model_)
        if kind == "coefficients":
            found = model.coefficients()
            if found is None:
                raise ValueError("the model is no formula of the columns: its map or its predictor is not linear")
            values, names = found[0].T, model.response_names or model.class_names or ["coefficients"]
        else:
            values = model.importance("weights").values
            names = [f"component {k}" for k in range(len(values))]
        chosen = range(len(values)) if components is None else components
        title = "column"
        if positions is None:
            positions, title = _positions(model.feature_names, values.shape[1])
        return cls(values[list(chosen)], positions, [names[k] for k in chosen], title).plot(ax=ax, **kwargs)

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        ax = self._begin(ax)
        for number, (curve, name) in enumerate(zip(self.weights, self.names)):
            ax.plot(self.positions, curve, **{"color": COLOURS[number % len(COLOURS)], "label": name, "linewidth": 1.4,
                                              **kwargs})
        ax.axhline(0, color="#888888", linewidth=0.8, zorder=0)
        ax.set_xlabel(self.title)
        ax.legend(fontsize=8)
        return self


NUMBERED = re.compile(r"^(.*?)[\s_]*(-?\d+(?:\.\d+)?)[\s_]*(.*)$")


def _positions(names, count):
    """(positions, title) of the columns: the numbers in their names, such as wavelengths, where all have the same letters
    around a number and the numbers rise or fall; "x1", "x2", ... are no more than the columns themselves."""
    found = [NUMBERED.match(name) for name in names or ()]
    columns = np.arange(count), "column"
    if len(found) < 2 or not all(found):
        return columns
    around = {(match[1], match[3]) for match in found}
    numbers = np.array([float(match[2]) for match in found])
    steps = np.diff(numbers)
    counted = numbers[0] in (0, 1) and (steps == 1).all()
    if len(around) > 1 or counted or not ((steps > 0).all() or (steps < 0).all()):
        return columns
    before, behind = around.pop()
    return numbers, before.strip(" _") or behind.strip(" _") or "column"
