"""What arguments may be. Nothing imports this while a program runs, but for alidade._hints when it is asked."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Literal, Mapping, Protocol, Sequence, Union

from numpy.typing import ArrayLike, NDArray

from alidade._base import Estimator
from alidade._fitting import Model
from alidade._judging import Comparison, Tuning
from alidade._measuring import Dimension, Evaluation, Importance, Outliers, Stability
from alidade._results import Picture
from alidade._table import Table

__all__ = ["ArrayLike", "Columns", "Comparison", "Dimension", "Evaluation", "Fitted", "Grid", "Importance",
           "ImportanceKind", "Matrix", "Model", "NDArray", "Numbers", "Outliers", "Path", "Picture", "Progress", "Rows",
           "Stability", "Table", "Target", "Tuning"]


class HasArray(Protocol):
    """An array of numpy's, a data frame, a series, a tensor."""

    def __array__(self) -> Any: ...


class Sparse(Protocol):
    """A matrix or an array of scipy.sparse."""

    nnz: Any

    def tocsr(self) -> Any: ...


class HasStream(Protocol):
    """A frame of polars, pyarrow and others, by Arrow's C stream."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class HasFrame(Protocol):
    """A frame by the interchange protocol."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any: ...


Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
Matrix = Union[HasArray, Sparse, HasStream, HasFrame, Sequence[Sequence[float]]]
Target = Union[HasArray, Sparse, HasStream, HasFrame, Sequence[Any]]
Rows = Union[Path, HasArray, Sparse, HasStream, HasFrame, Mapping[str, Any], Sequence[Sequence[float]], Table]
Columns = Union[str, int, Sequence[Union[str, int]]]
Numbers = Union[int, str, Iterable[int]]
Grid = Union[Mapping[str, Any], str, Sequence[str]]
Progress = Union[Callable[[str, float], Any], bool, None]
Fitted = Union[Model, Estimator]
ImportanceKind = Literal["vip", "weights", "standardized", "structure", "loadings"]
