"""What arguments may be, for type checkers: nothing imports this while a program runs."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Literal, Mapping, Protocol, Self, Sequence, Union

from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from alidade._base import Estimator
    from alidade._fitting import Model
    from alidade._judging import Comparison, Tuning
    from alidade._measuring import Dimension, Evaluation, Importance, Outliers, Stability
    from alidade._results import Picture
    from alidade._table import Table

__all__ = ["Any", "ArrayLike", "Callable", "Columns", "Comparison", "Dimension", "Evaluation", "Fitted", "Grid",
           "Importance", "ImportanceKind", "Literal", "Matrix", "Model", "NDArray", "Numbers", "Outliers", "Path", "Picture",
           "Progress", "Rows", "Self", "Sequence", "Stability", "Table", "Target", "Tuning"]


class HasArray(Protocol):
    """An array of numpy's, a data frame, a series, a tensor."""

    def __array__(self) -> Any: ...


class Sparse(Protocol):
    """A matrix or an array of scipy.sparse."""

    nnz: Any

    def tocsr(self) -> Any: ...


Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Matrix = Union[HasArray, Sparse, Sequence[Sequence[float]]]
Target = Union[HasArray, Sparse, Sequence[Any]]
Rows = Union[Path, HasArray, Sparse, Mapping[str, Any], Sequence[Sequence[float]], "Table"]
Columns = Union[str, int, Sequence[Union[str, int]]]
Numbers = Union[int, str, Iterable[int]]
Grid = Union[Mapping[str, Any], str, Sequence[str]]
Progress = Union[Callable[[str, float], Any], bool, None]
Fitted = Union["Model", "Estimator"]
ImportanceKind = Literal["vip", "weights", "standardized", "structure", "loadings"]
