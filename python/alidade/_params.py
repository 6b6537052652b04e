"""Parameters of an estimator after scikit-learn's convention: the arguments of __init__, kept unchanged."""
from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any, Self


def _defaults(cls: Any) -> dict[str, Any]:
    """Names and defaults of the parameters of a class, in order."""
    return _found_defaults(cls)


@lru_cache(maxsize=None)
def _found_defaults(cls):
    arguments = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return {argument.name: argument.default for argument in arguments}


def _same(a, b):
    return a is b or (type(a) is type(b) and a == b)


class Parameters:
    """get_params, set_params and repr, as scikit-learn's BaseEstimator has them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Get the parameters of this estimator.

        Parameters
        ----------
        deep : bool, default=True
            Kept for scikit-learn; no parameter is an estimator.

        Returns
        -------
        params : dict
        """
        return {name: getattr(self, name) for name in _defaults(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Set parameters of this estimator.

        Parameters
        ----------
        **params : dict
            Names and values.

        Returns
        -------
        self
        """
        known = _defaults(type(self))
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {sorted(known)!r}.")
            setattr(self, name, value)
        return self

    def _changed(self):
        """Names and values of the parameters that are not at their defaults."""
        return {name: getattr(self, name) for name, default in _defaults(type(self)).items()
                if not _same(getattr(self, name, default), default)}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._changed().items())})"
