"""merge: one model of models of parts of the rows. report: one page that shows what was found."""
import html
import os

from alidade import _core
from alidade._fitting import Model
from alidade._judging import Comparison, Tuning
from alidade._progress import finish, listener
from alidade._table import as_table, is_path
from alidade._threads import threads


def merge(models):
    """The model of all rows, of models that were fitted to parts of them with keep_statistics=True.

    Parameters
    ----------
    models : list of Model, estimator or path
        Fitted with the same method and settings, each on rows of its own.

    Returns
    -------
    Model
        The same as a fit of all rows, to rounding.
    """
    parts = [_core.load(part) if is_path(part) else getattr(part, "_core", None) or getattr(part, "model_", part)
             for part in models]
    return Model(_core.merge(tuple(parts)))


class Page:
    """A page in HTML that asks for nothing from anywhere. A notebook shows it; save writes it.

    Attributes
    ----------
    html : str
    """

    def __init__(self, text):
        self.html = text

    def save(self, path):
        """Write it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="700" style="border:0"></iframe>'

    def __repr__(self):
        return f"<Page in HTML, {len(self.html) // 1024} KB; .save(path) writes it>"


def report(result, data=None, test=None, *, title=None, folds=0, resamples=None, quick=False, random_state=0, n_jobs=None,
           progress=None, **options):
    """One page that shows what a model, a tuning or a comparison found, and how good it is.

    Parameters
    ----------
    result : Model, fitted estimator, Tuning or Comparison
    data : path, DataFrame, dict of vectors or Table
        The rows that it was fitted on.
    test : the same, optional
        Rows that were set aside: where they have the target, the figure on top is of them.
    title : str, optional
    folds : int
        Of the cross-validation behind the figure on top; 10 by default.
    resamples : int, optional
        Fits to rows drawn again, for the stability; 20 by default, 0: none.
    quick : bool
        Leave out what takes long.
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
    if isinstance(result, Comparison):
        tables = [None if data is None else as_table(data, **options)._core, None]
        subject = result._capsule
    else:
        model = result.model if tuning else result if isinstance(result, Model) else Model(getattr(result, "model_", result))
        if data is None:
            raise TypeError("`data` is wanted: the rows that the model was fitted on")
        tables = [None if rows is None else model.read(rows, **options)._core for rows in (data, test)]
        subject = model._core
        for name, rows in (("data_path", data), ("test_path", test)):
            if rows is not None and is_path(rows):
                chosen[name] = os.fsdecode(rows)
    heard = listener(progress)
    try:
        return Page(_core.report(subject, *tables, chosen, tuning, threads(n_jobs), heard))
    finally:
        finish(heard)
