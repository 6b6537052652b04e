"""Attributes of a fitted estimator: views into the model, read only and without a copy."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, Sequence

import numpy as np

from alidade import _hints as t
from alidade import _core, _features


def _array(name: str, text: str) -> property:
    def get(self: Any) -> t.NDArray[Any]:
        return self._model_array(name)
    return property(get, doc=text)


class Attributes:
    if TYPE_CHECKING:
        model_: Any
        _can: Any
        _require_fit: Any

    def _model_array(self, name, required=True):
        self._require_attribute()
        found = _core.array(self.model_, name)
        if found is not None:
            return np.asarray(found)
        if required:
            raise AttributeError(f"this {type(self).__name__} has no array '{name}'; there are "
                                 f"{', '.join(_core.array_names(self.model_))}")
        return None

    def _require_attribute(self):
        if "model_" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")

    components_ = _array("components", "ndarray of shape (n_components, n_features): the map of linear methods")
    explained_variance_ratio_ = _array("explained_variance_ratio", "ndarray: part of the variance of X per component")
    explained_response_ratio_ = _array("explained_response_ratio", "ndarray: part of the variance of the response")
    explained_variance_ = _array("score_variances", "ndarray: variances of the scores, divisor n - 1")
    eigenvalues_ = _array("eigenvalues", "ndarray: eigenvalues of the problem that the method solves")
    mean_ = _array("mean", "ndarray of shape (n_features,): subtracted from each row")
    scale_ = _array("scale", "ndarray of shape (n_features,): each row is divided by it")
    embedding_ = _array("embedding", "ndarray of shape (n_samples, n_components): places of the rows of fit")

    @property
    def n_components_(self) -> int:
        """int: number of components."""
        self._require_attribute()
        return self.model_.n_components

    @property
    def n_iter_(self) -> int:
        """int: iterations of the solver; 1 if it does not iterate."""
        self._require_attribute()
        if not type(self)._can.iterates:
            raise AttributeError(f"{type(self).__name__} does not iterate")
        told = _core.text(self.model_, "alidade.resolved.iterations") or ""
        return max(1, int(told)) if told.isdigit() else 1

    @property
    def coef_(self) -> t.NDArray[Any]:
        """ndarray of shape (n_targets, n_features): coefficients of the prediction as one formula in the columns."""
        return self._formula()[0]

    @property
    def intercept_(self) -> t.NDArray[Any]:
        """ndarray of shape (n_targets,): intercepts of the same formula."""
        return self._formula()[1]

    def _formula(self):
        self._require_attribute()
        count = _core.coefficients_count(self.model_)
        if count == 0:
            raise AttributeError(f"this {type(self).__name__} is no linear formula of the columns: the map or the predictor "
                                 "is not linear")
        values, intercept = np.empty((self.model_.n_features, count)), np.empty((1, count))
        _core.coefficients(self.model_, values, intercept)
        return values.T, intercept[0]

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> t.NDArray[Any]:
        """Names of the components.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Checked against the names of fit.

        Returns
        -------
        names : ndarray of str
            The name of the class in lower case, and a number from 0.
        """
        self._require_fit()
        return _features.names_out(self, input_features)

    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self:
        """Set what transform returns.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, default=None
            An array, or a data frame; None changes nothing.

        Returns
        -------
        self
        """
        if transform is not None:
            if transform not in ("default", "pandas", "polars"):
                raise ValueError(f"output config must be in ['default', 'pandas', 'polars'], got {transform}")
            self._sklearn_output_config = {"transform": transform}
        return self
