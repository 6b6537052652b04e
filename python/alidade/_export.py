"""Models as files for programs without alidade."""
from __future__ import annotations

from typing import Any, Sequence

from alidade import _hints as t
from alidade import _core


class Exported:
    """What models and fitted estimators have."""

    def _exported(self) -> Any:
        """The model of the extension."""
        raise NotImplementedError

    def export(self, path: t.Path, *, format: str | None = None, what: str | None = None, inputs: str | None = None,
               table: str | None = None, keep: Sequence[str] = (), interval: float | None = None) -> None:
        """Write it for programs without alidade: as C, ONNX, SQL or JSON, by the ending of the name.

        Parameters
        ----------
        path : path
            Ends in .c, .onnx, .sql or .json.
        format : str, optional
            c, onnx, sql or json, for another name.
        what : str, optional
            scores (the projection), prediction or both. None: both, as far as there are both.
        inputs : str, optional
            ONNX: matrix or columns. None: columns where some are categories.
        table : str, optional
            SQL: the table with the rows. None: data.
        keep : list of str
            SQL: columns that the result has as well.
        interval : float, optional
            SQL and ONNX: the level of the intervals or sets of a calibrated model; ONNX takes others too.
        """
        kept = ",".join('"' + name.replace('"', '""') + '"' for name in keep)
        _core.export(self._exported(), path, {"format": format, "what": what, "inputs": inputs, "table": table,
                                              "keep": kept or None, "level": interval or 0.0})
