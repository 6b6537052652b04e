"""merge: one model of models of parts of the rows. report: one page with the findings."""
from __future__ import annotations

import html
import os
from typing import Any, Sequence

from alidade import _hints as t
from alidade import _core
from alidade._fitting import Model
from alidade._judging import Comparison, Tuning
from alidade._progress import hearing
from alidade._table import as_table, is_path
from alidade._threads import threads


def merge(models: Sequence[t.Fitted | t.Path]) -> Model:
    """The model of all rows, from models that were fitted to parts of them with keep_statistics=True.

    Parameters
    ----------
    models : list of Model, estimator or path
        Fitted with the same method and settings, each to its own rows.

    Returns
    -------
    Model
        The same as a fit to all rows, to rounding.
    """
    return Model(_core.merge(tuple(_core_of(part) for part in models)))


def _core_of(part):
    return _core.load(part) if is_path(part) else getattr(part, "_core", None) or getattr(part, "model_", part)


class Page:
    """A self-contained HTML page. A notebook shows it; save writes it.

    Attributes
    ----------
    html : str
    """

    def __init__(self, text: str) -> None:
        self.html = text

    def save(self, path: t.Path) -> None:
        """Write it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="700" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<Page in HTML, {len(self.html) // 1024} KB; .save(path) writes it>"


def report(result: t.Fitted | Tuning | Comparison, data: t.Rows | None = None, test: t.Rows | None = None, *,
           title: str | None = None, folds: int = 0, resamples: int | None = None, quick: bool = False,
           random_state: int = 0, n_jobs: int | None = None, progress: t.Progress = None, **options: Any) -> Page:
    """One page that shows what a model, a tuning or a comparison found, and how good it is.

    Parameters
    ----------
    result : Model, fitted estimator, Tuning or Comparison
    data : path, DataFrame, dict of vectors or Table
        The training rows.
    test : the same, optional
        Held-out rows: if they have the target, the headline figure is theirs.
    title : str, optional
    folds : int
        Of the cross-validation behind the headline figure; 10 by default.
    resamples : int, optional
        Fits to resampled rows, for the stability; 20 by default, 0: none.
    quick : bool
        Leave out the slow parts.
    random_state : int
    n_jobs, progress, **options
        As for fit.

    Returns
    -------
    Page
    """
    chosen = {"title": title, "folds": folds, "quick": int(quick), "seed": random_state,
              "resamples": 0 if resamples is None else resamples or -1}
    tuning = result._capsule if isinstance(result, Tuning) else None
    subject, fitted, other = _subject(result, data, test, options, chosen)
    with hearing(progress) as heard:
        return Page(_core.report(subject, fitted, other, chosen, tuning, threads(n_jobs), heard))


def _model_of(result):
    if isinstance(result, Tuning):
        return result.model
    return result if isinstance(result, Model) else Model(getattr(result, "model_", result))


def _subject(result, data, test, options, chosen):
    """(what the page is of, its rows, those set aside) for the library; the names of files become options of the page."""
    if isinstance(result, Comparison):
        return result._whole(), None if data is None else as_table(data, **options)._core, None
    model = _model_of(result)
    if data is None:
        raise TypeError("`data` is wanted: the rows that the model was fitted on")
    tables = [None if rows is None else model.read(rows, **options)._core for rows in (data, test)]
    for name, rows in (("data_path", data), ("test_path", test)):
        if rows is not None and is_path(rows):
            chosen[name] = os.fsdecode(rows)
    return model._core, *tables
