"""Supervised dimensionality reduction: every method of alidade as a scikit-learn estimator.

    import alidade
    model = alidade.PLS(n_components=3).fit(X, y)
    model.transform(X)       # scores
    model.predict(X)         # by the predictor on them

Importing this costs a few milliseconds: numpy is imported with the first estimator, scikit-learn, scipy, pandas and
matplotlib only where they are needed.
"""
from importlib import import_module

try:
    from alidade._core import AlidadeWarning
    from alidade import _core
except ImportError as error:
    raise ImportError(
        "alidade was installed without its library, or a library that it needs (OpenBLAS, zlib, jansson) is "
        f"not on this machine: {error}. Install those, or build the package anew: pip install ./python") from error

from alidade import _kernels
from alidade._functions import FUNCTIONS
from alidade._names import CLASSES

__version__ = _core.about()["version"]
_kernels.settle(_core)
__all__ = sorted([*CLASSES, *FUNCTIONS, "AlidadeWarning", "__version__"])


def __getattr__(name):
    """Classes and functions are imported on first use."""
    where = CLASSES.get(name) or FUNCTIONS.get(name)
    if where is None:
        raise AttributeError(f"module 'alidade' has no attribute '{name}'")
    value = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
