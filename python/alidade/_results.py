"""What results have in common: rows that are shown as text and as HTML, and become a data frame; pictures in SVG."""
from __future__ import annotations

import html
import math
import os
from typing import Any

from alidade import _hints as t


class Picture:
    """A picture in SVG. A notebook shows it; save writes it.

    Attributes
    ----------
    svg : str
    """

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: t.Path) -> None:
        """Write it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture in SVG, {len(self.svg)} characters; .save(path) writes it>"


def shown(value):
    """A cell as text: four digits, empty if there is no value."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Result:
    """Rows with columns; what the library found.

    Attributes
    ----------
    rows : list of dict
    """

    rows: list[dict[str, Any]]

    _most_rows = 40  # that are shown; to_frame has all
    _columns: tuple[str, ...] = ()  # that are shown, where they have anything

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def to_frame(self) -> Any:
        """All rows and columns as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.rows)

    def _title(self):
        return type(self).__name__

    def _notes(self):
        return []

    def _cell(self, name, value):
        return shown(value)

    def _shown(self):
        """The rows that are shown."""
        return self.rows[:self._most_rows]

    def _table(self):
        """(names, rows of texts)"""
        rows = self._shown()
        names = [name for name in self._columns or (rows[0] if rows else ())
                 if any(self._cell(name, row.get(name)) for row in rows)]
        return names, [[self._cell(name, row.get(name)) for name in names] for row in rows]

    def _all_notes(self):
        left = len(self.rows) - self._most_rows
        return ([f"... {left} more rows; to_frame() has all"] if left > 0 else []) + self._notes()

    def __repr__(self) -> str:
        names, rows = self._table()
        widths = [max(len(cell) for cell in column) for column in zip(names, *rows)]
        numbers = [all(_is_number(row[j]) for row in rows) for j in range(len(names))]
        lines = ["  ".join(cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, numbers))
                 for row in [names, *rows]]
        return "\n".join([self._title(), *(line.rstrip() for line in lines), *self._all_notes()])

    def _repr_html_(self) -> str:
        names, rows = self._table()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        sides = ["right" if all(_is_number(row[j]) for row in rows) else "left" for j in range(len(names))]
        body = "".join("<tr>" + "".join(f'<td style="text-align:{side}">{html.escape(cell)}</td>'
                                        for cell, side in zip(row, sides)) + "</tr>" for row in rows)
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self._all_notes())
        return (f"<p><b>{html.escape(self._title())}</b></p><table><thead><tr>{head}</tr></thead>"
                f"<tbody>{body}</tbody></table>{notes}")

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> dict[str, Any]:
        return self.rows[row]


def _is_number(text):
    return not text or text[0].isdigit() or (text[0] in "-+." and len(text) > 1)


def words(parameters):
    """Parameters as the library's searches take them: name=value."""
    return [f"{name}={_word(value)}" for name, value in parameters.items() if value is not None]


def _word(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return "+".join(map(_word, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def grid_words(grid):
    """A grid as texts: a dict of lists, or a list of texts such as "ridge=log:1e-4:1:5"."""
    if grid is None or not isinstance(grid, dict):
        return [grid] if isinstance(grid, str) else grid
    return [f"{name}={values if isinstance(values, str) else ','.join(_word(value) for value in values)}"
            for name, values in grid.items()]


def list_words(components):
    """Numbers of components as a text: 3, "1:10", range(1, 11) or a list."""
    if components is None or isinstance(components, str):
        return components
    return ",".join(str(int(k)) for k in (components if hasattr(components, "__iter__") else [components]))
