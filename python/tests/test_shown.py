"""What people see: tables of results with their right names, HTML in notebooks, bars, axes, and what `dir` offers."""
import os
import sys
import types
import typing

import inspect
import numpy as np
import pytest

import alidade
from alidade import _progress
from alidade._names import CLASSES
from conftest import DATA, NAMES, make, target_for

X, Y, CODES, LABELS = make(90, 6)


@pytest.fixture(scope="module")
def tuned():
    return alidade.tune(os.path.join(DATA, "iris.csv"), target="y", methods="pls,lda", components="1:2", folds=3, outer_folds=3,
                        groups="duplicates", keep_predictions=True)


def test_tuning_shows_its_best_rows(tuned):
    """The best of each number of components, the chosen and the best, under the names of their own methods."""
    assert {row["label"] for row in tuned.rows} == {"pls", "lda"} and len(tuned.rows) > 8
    shown = tuned._shown()
    for k in (1, 2):
        best = max(row["mean"] for row in tuned.rows if row["components"] == k)
        assert best in [row["mean"] for row in shown if row["components"] == k]
    assert any(row is tuned.chosen for row in shown) and any(row is tuned.best for row in shown)
    assert len(shown) <= 4 and [row["components"] for row in shown] == sorted(row["components"] for row in shown)
    lines = repr(tuned).splitlines()
    marked = [line for line in lines if "<- chosen" in line]
    assert len(marked) == 1 and marked[0].startswith(tuned.model.method) and f"{tuned.chosen['mean']:.4g}" in marked[0]
    assert tuned.chosen["label"] == tuned.model.method and "best mean" in repr(tuned)
    page = tuned._repr_html_()
    assert page.count("<tr>") == len(shown) + 1 and "&lt;- chosen" in page
    assert [row["words"] for row in tuned.nested.rows] == ["", "", ""]


def test_out_of_fold(tuned):
    table = alidade.read_table(os.path.join(DATA, "iris.csv"), target="y")
    compared = alidade.compare(table, methods="lda,pls", components="2", folds=5, baselines=False, keep_predictions=True)
    for row in compared.rows:
        found = compared.out_of_fold(row)
        assert abs(np.mean(found == table.y) - row["mean"]) < 1e-12  # folds of equal size
    scores = compared.out_of_fold(scores=True)
    assert scores.shape == (150, 3)
    assert np.array_equal(np.array(table.class_names)[scores.argmax(axis=1)], compared.out_of_fold())
    honest = tuned.out_of_fold()
    assert honest.shape == (150,) and set(honest) == set(table.class_names)
    assert abs(np.mean(honest == table.y) - tuned.nested.rows[0]["mean"]) < 0.01  # folds of nearly equal size
    with pytest.raises(ValueError, match="predictions"):
        alidade.compare(table, methods="lda", components="1", folds=3).out_of_fold()


def test_out_of_fold_by_hand():
    """Numbers and labels, by fits of our own on the same folds."""
    compared = alidade.compare(X, y=Y, methods="pls", components="2", folds=9, baselines=False, keep_predictions=True)
    found = compared.out_of_fold(0)
    rmse = np.sqrt(np.mean((found - Y) ** 2))
    assert found.shape == (90,) and abs(rmse / np.sqrt(np.mean(compared.values("rmse") ** 2)) - 1) < 1e-10
    marked = alidade.compare(X, y=LABELS, methods="cca", components="2", splits=2, baselines=False, keep_predictions=True)
    rows = marked.out_of_fold(0)
    assert rows.shape == (90, 3) and np.isnan(rows).any() and set(np.unique(rows[~np.isnan(rows)])) == {0.0, 1.0}
    alone = alidade.tune(X, y=Y, methods="pls", components="1:2", folds=3, nested=False, keep_predictions=True)
    assert alone.out_of_fold().shape == (90,)


def test_html_of_estimators_and_models():
    ours = alidade.PLS(n_components=1, scale="standard")
    assert "PLS: Partial least squares, not fitted" in ours._repr_html_() and "standard" in ours._repr_html_()
    page = ours.fit(X, np.array(["<b>", "v", "w"])[CODES])._repr_html_()
    assert "&lt;b&gt;, v, w" in page and "<b>," not in page and "gaussian" in page
    page = alidade.Model(ours.model_)._repr_html_()
    assert "Model of pls" in page and "<td style=\"text-align:left\">6</td>" in page


@pytest.mark.parametrize("name", NAMES)
def test_dir(name):
    """Before and after a fit, everything that dir names can be had, and nothing is left out that can be used."""
    data = make()
    ours = getattr(alidade, name)(n_components=1)
    for state in (ours, ours.fit(data[0], target_for(name, data))):
        assert not [word for word in dir(state) if not word.startswith("__") and not hasattr(state, word)]
        for word in ("predict", "predict_proba", "decision_function", "coef_", "components_", "embedding_", "transform"):
            assert (word in dir(state)) == hasattr(state, word)


def test_dir_of_models():
    plain, named = alidade.PCA().fit(X), alidade.LDA().fit(X, CODES)
    assert not {"predict", "evaluate", "predict_proba", "coefficients"} & set(dir(alidade.Model(plain.model_)))
    assert {"predict", "evaluate", "predict_proba"} <= set(dir(alidade.Model(named.model_)))
    assert "predict_proba" not in dir(alidade.Model(alidade.PLS().fit(X, Y).model_))
    assert all(hasattr(alidade, name) for name in dir(alidade))


def test_type_hints():
    """Every annotation of what people call can be resolved."""
    for name in dir(alidade):
        thing = getattr(alidade, name)
        for function in [thing, *vars(thing).values()] if inspect.isclass(thing) else [thing]:
            function = getattr(function, "function", getattr(function, "fget", getattr(function, "__func__", function)))
            if inspect.isfunction(function) or inspect.isclass(function):
                typing.get_type_hints(function)
    assert typing.get_type_hints(alidade.fit)["return"] is alidade.Model
    assert typing.get_type_hints(alidade.Model.evaluate)["return"] is alidade.Evaluation


def weights_axis(names, **more):
    pytest.importorskip("matplotlib").use("Agg")
    pandas = pytest.importorskip("pandas")
    ours = alidade.PLS().fit(pandas.DataFrame(X, columns=names), Y)
    shown = alidade.WeightsDisplay.from_estimator(ours, **more)
    line = shown.ax_.lines[0].get_xdata().tolist()
    title = shown.ax_.get_xlabel()
    sys.modules["matplotlib.pyplot"].close(shown.figure_)
    return line, title


def test_wavelengths():
    assert weights_axis(["nm850", "nm852", "nm855", "nm860", "nm865", "nm870"]) == ([850, 852, 855, 860, 865, 870], "nm")
    assert weights_axis([f"{number:.1f}" for number in (1100, 1100.5, 1101, 1102, 1103, 1104)])[0][:2] == [1100, 1100.5]
    assert weights_axis([f"{number} cm-1" for number in (900, 800, 700, 600, 500, 400)]) == (
        [900, 800, 700, 600, 500, 400], "cm-1")
    for names in (list("abcdef"), [f"x{j}" for j in range(6)], ["w850", "w852", "w851", "w1", "w2", "w3"],
                  ["a1", "b2", "c3", "d4", "e5", "f6"]):
        assert weights_axis(names) == ([0, 1, 2, 3, 4, 5], "column")
    assert weights_axis(list("abcdef"), positions=np.arange(6) * 2)[0] == [0, 2, 4, 6, 8, 10]


class Handle:
    def __init__(self, shown):
        self.shown = shown

    def update(self, text):
        self.shown.append(text)


def test_bar_in_a_notebook(monkeypatch):
    """In a kernel of IPython `progress=True` writes one display again and again, and leaves nothing."""
    shown = []

    def display(text, display_id):
        shown.append(text)
        return Handle(shown)
    screen = types.SimpleNamespace(display=display, HTML=str)
    shell = types.SimpleNamespace(kernel=object())
    notebook = types.ModuleType("IPython")
    notebook.get_ipython, notebook.display = lambda: shell, screen
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setattr(_progress, "WAIT", 0.0)
    monkeypatch.setattr(_progress, "BETWEEN", 0.0)
    alidade.KDR(n_components=1, progress=True).fit(X, Y)
    assert len(shown) > 2 and "<progress max=" in shown[0] and shown[-1] == ""
    shell.kernel = None
    assert isinstance(_progress.listener(True), _progress.Bar)
    monkeypatch.delitem(sys.modules, "IPython")
    assert isinstance(_progress.listener(True), _progress.Bar)
