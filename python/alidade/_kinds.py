"""The kinds of estimators, by what their methods take and give: real signatures, so that scikit-learn's tools see them.
Every class of alidade.methods has one of each of: how it is fitted, and how rows go through it."""
from __future__ import annotations

from typing import Any, Self

import numpy as np

from alidade import _hints as t
from alidade import _validate
from alidade._attributes import Attributes
from alidade._base import Estimator
from alidade._facts import Facts


class Plain(Estimator):
    def fit(self, X: t.Matrix, y: t.Target) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target.

        Returns
        -------
        self
        """
        return self._fit(X, y)


class NoTarget(Estimator):
    def fit(self, X: t.Matrix, y: t.Target | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
            Target: only the predictor uses it.

        Returns
        -------
        self
        """
        return self._fit(X, y)


class NoTargetWeighted(Estimator):
    def fit(self, X: t.Matrix, y: t.Target | None = None, sample_weight: t.ArrayLike | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
            Target: only the predictor uses it.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w counts as w rows.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)


class Weighted(Estimator):
    def fit(self, X: t.Matrix, y: t.Target, sample_weight: t.ArrayLike | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w counts as w rows.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)


class Graph(Estimator):
    def fit(self, X: t.Matrix, y: t.Target | None, *, graph: t.Matrix | None = None,
            target_distances: t.Matrix | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target; NaN, None or the class -1 in rows that have none. None where `target_distances` are given.
        graph : array-like or sparse matrix of shape (n_samples, n_samples), default=None
            The weight of row j as a neighbour of row i; without it the method finds neighbours.
        target_distances : array-like or sparse matrix of shape (n_samples, n_samples), default=None
            Distances between the targets of the rows, in place of y; of a sparse matrix only the pairs it has are used.

        Returns
        -------
        self
        """
        return self._fit(X, y, None, graph, target_distances)


class GraphWeighted(Estimator):
    def fit(self, X: t.Matrix, y: t.Target | None, sample_weight: t.ArrayLike | None = None, *, graph: t.Matrix | None = None,
            target_distances: t.Matrix | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target; NaN, None or the class -1 in rows that have none. None where `target_distances` are given.
        sample_weight : array-like of shape (n_samples,), default=None
            0 leaves a row out, else it weighs the pairs of the row.
        graph : array-like or sparse matrix of shape (n_samples, n_samples), default=None
            The weight of row j as a neighbour of row i; without it the method finds neighbours.
        target_distances : array-like or sparse matrix of shape (n_samples, n_samples), default=None
            Distances between the targets of the rows, in place of y; of a sparse matrix only the pairs it has are used.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, graph, target_distances)


class Kernel(Estimator):
    def fit(self, X: t.Matrix, y: t.Target | None, *, response_kernel: t.Matrix | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target. None where `response_kernel` is given and no predictions are wanted.
        response_kernel : array-like or sparse matrix of shape (n_samples, n_samples), default=None
            Products of the targets of the rows in a feature space, where the parameter `response_kernel` is given:
            symmetric and positive semidefinite.

        Returns
        -------
        self
        """
        return self._fit(X, y, response_kernel=response_kernel)


class KernelWeighted(Estimator):
    def fit(self, X: t.Matrix, y: t.Target | None, sample_weight: t.ArrayLike | None = None, *,
            response_kernel: t.Matrix | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target. None where `response_kernel` is given and no predictions are wanted.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w counts as w rows.
        response_kernel : array-like or sparse matrix of shape (n_samples, n_samples), default=None
            Products of the targets of the rows in a feature space, where the parameter `response_kernel` is given:
            symmetric and positive semidefinite.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, response_kernel=response_kernel)


class Start(Estimator):
    def fit(self, X: t.Matrix, y: t.Target, *, start: t.Matrix | None = None) -> Self:
        """Fit the method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float64 or float32 in any order; they are not copied.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Target.
        start : array-like or sparse matrix of shape (n_components, n_features), default=None
            Directions to start from, as `components_` of a fitted model has them.

        Returns
        -------
        self
        """
        return self._fit(X, y, start=start)


class Mapping(Estimator):
    """New rows can be projected."""

    def transform(self, X: t.Matrix) -> Any:
        """Project rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            Their scores, of the type of X.
        """
        return self._transform(X)

    def fit_transform(self, X: t.Matrix, y: t.Target | None = None, **fit_params: Any) -> Any:
        """Fit, and project the same rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
            Target.
        **fit_params : dict
            Further arguments of fit.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            Their scores, of the type of X.
        """
        return self.fit(X, y, **fit_params).transform(X)


class MappingBoth(Mapping):
    """As Mapping; transform takes y too, as that of scikit-learn's class of the same name does."""

    def transform(self, X: t.Matrix, y: t.Target | None = None) -> Any:
        """Project rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : None
            Not used: the scores are those of X.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            Their scores, of the type of X.
        """
        return self._transform(X)

    @property
    def n_iter_(self) -> list[int]:  # type: ignore[override]
        """list of int: iterations for each component; all are found at once."""
        return [super().n_iter_] * self.model_.n_components


class Embedding(Estimator):
    """Only the rows of fit have places."""

    def fit_transform(self, X: t.Matrix, y: t.Target | None = None, **fit_params: Any) -> Any:
        """Fit, and give the places of the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
            Target.
        **fit_params : dict
            Further arguments of fit.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            `embedding_`.
        """
        return self._finish(np.array(self.fit(X, y, **fit_params).embedding_), X)


class Classifier(Estimator):
    """Estimators that only classify, of methods that could also predict numbers."""

    task = "classification"
    n_iter_ = Attributes.n_iter_  # one number, also where MappingBoth has a list

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._can = Facts.of(cls._method)
        cls._can.real = cls._can.several_responses = False


class Invertible(Estimator):
    """Estimators that can find the rows nearest to given scores."""

    rows: str
    row_scale: str

    def inverse_transform(self, Z: t.ArrayLike) -> t.NDArray[Any]:
        """Rows that have these scores, as near to the rows of fit as the components can say.

        Parameters
        ----------
        Z : array-like of shape (n_samples, n_components)
            Scores.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            In the units of the data.
        """
        self._require_fit()
        if self.rows != "none" or self.row_scale != "none":
            raise ValueError("rows that were prepared (`rows`, `row_scale`) cannot be had back")
        Z = _validate.as_dense(Z, "Z")
        loadings = self._model_array("loadings", required=False)
        rows = Z @ (self.components_ if loadings is None else loadings)
        scale, mean = self._model_array("scale", required=False), self._model_array("mean", required=False)
        if scale is not None:
            rows = rows * scale
        return rows if mean is None else rows + mean
