"""compare, tune, dimension, evaluate, stability, generate: the program's figures, shown, framed and drawn."""
import csv
import json
import os
import pickle

import numpy as np
import pytest

import alidade
from conftest import DATA
from tables import needs_program, run

TECATOR, IRIS = os.path.join(DATA, "tecator.csv"), os.path.join(DATA, "iris.csv")
READING = {"ignore": "water,protein"}
FLAGS = ["--target", "fat", "--ignore", "water,protein"]
pytestmark = pytest.mark.filterwarnings("ignore:the figures are optimistic")


@pytest.fixture(scope="module")
def table():
    return alidade.read_table(TECATOR, "fat", **READING)


@pytest.fixture(scope="module")
def model(table):
    return alidade.fit(table, method="pls", n_components=3)


def check(result, *words):
    """Every result has a text, HTML, a frame and a picture."""
    pandas = pytest.importorskip("pandas")
    for word in words:
        assert word in repr(result) and word in result._repr_html_()
    assert isinstance(result.to_frame(), pandas.DataFrame) and len(result.to_frame()) == len(result.rows)
    svg = result.plot(width=500, height=400)._repr_svg_()
    assert svg.rstrip().endswith("</svg>") and 'width="500"' in svg


@needs_program
def test_compare_as_the_program(tmp_path):
    run("compare", TECATOR, *FLAGS, "--methods", "pls,pca", "--folds", 5, "--seed", 7, "--grid", "scale=none,standard",
        "--no-times", "--csv", tmp_path / "cli.csv")
    with open(tmp_path / "cli.csv", encoding="utf-8") as file:
        expected = list(csv.DictReader(file))
    result = alidade.compare(TECATOR, "fat", "pls,pca", folds=5, random_state=7, grid={"scale": ["none", "standard"]},
                             **READING)
    shown = [row for row in expected if row["metric"] == "rmse"]
    assert len(shown) == len(result) > 10
    for row, found in zip(shown, result.rows):
        assert row["label"] == found["label"] and row["settings"] == found["words"]
        assert all(float(row[name]) == float(f"{found[name]:.15g}") for name in ("mean", "std", "difference_low"))
    assert result.metric == "rmse" and not result.larger_is_better
    assert result.best["mean"] == min(row["mean"] for row in result.rows)


def test_comparison(table):
    result = alidade.compare(table, methods="pls", components=range(1, 4), splits=5)
    check(result, "rmse", "all features", "best")
    assert [row["components"] for row in result.rows] == [0, 0, 1, 2, 3, 1, 2, 3]  # the last are pcr
    assert np.allclose(result.values().mean(axis=1), [row["mean"] for row in result.rows])
    chosen = alidade.compare(table, methods="pls", choose=True, splits=3, baselines=False, inner_folds=3)
    assert len(chosen) == 1 and "chosen" in repr(chosen)
    again = pickle.loads(pickle.dumps(result))
    assert again.best["mean"] == result.best["mean"] and repr(again) == repr(result)
    with pytest.raises(ValueError, match="was pickled"):
        again.plot()
    assert result.cut is None
    with pytest.raises(ValueError, match="no metric 'speed'"):
        result.values("speed")
    with pytest.raises(ValueError, match="`rule` is one of"):
        alidade.compare(table, methods="pls", rule="first")


@needs_program
def test_tune_as_the_program(tmp_path):
    told = json.loads(run("tune", TECATOR, *FLAGS, "--method", "pls", "--components", "1:6", "--seed", 3, "-o",
                          tmp_path / "cli.ald", "--json"))
    result = alidade.tune(TECATOR, "fat", "pls", components="1:6", random_state=3, **READING)
    assert result.model.to_bytes() == (tmp_path / "cli.ald").read_bytes()
    assert str(result.nested.rows[0]["mean"]) in json.dumps(told)
    check(result, "honest rmse", "chosen")
    assert result.chosen["components"] == result.model.n_components and len(result.rows) == 6


def test_evaluation(table, model):
    result = model.evaluate(table)
    check(result, "rmse", "3 components, 215 rows")
    residual = table.y - model.predict(table)
    assert np.isclose(result["rmse"], np.sqrt(np.mean(residual ** 2))) and result.confusion is None
    iris = alidade.read_table(IRIS, "y")
    lda = alidade.fit(iris, method="lda")
    judged = lda.evaluate(IRIS)
    check(judged, "accuracy")
    assert judged.confusion.sum() == 150 and np.trace(judged.confusion) / 150 == pytest.approx(judged["accuracy"])
    estimator = alidade.LDA().fit(iris.X, iris.y)
    assert alidade.evaluate(estimator, iris.X, y=iris.y)["accuracy"] == judged["accuracy"]
    with pytest.raises(ValueError, match="none of the model's"):
        alidade.evaluate(lda, iris.X, y=["rose"] * 150)
    with pytest.raises(KeyError):
        judged["speed"]


@needs_program
def test_exports_as_the_program(model, tmp_path):
    model.save(tmp_path / "m.ald")
    for ending in ("c", "onnx", "sql", "json"):
        model.export(tmp_path / f"python.{ending}", what="scores")
        run("export", tmp_path / "m.ald", "--what", "scores", "-o", tmp_path / f"program.{ending}")
        assert (tmp_path / f"python.{ending}").read_bytes() == (tmp_path / f"program.{ending}").read_bytes()
    model.export(tmp_path / "kept", format="sql", table="t", keep=['a "b"', "c,d"])
    assert '"a ""b""", "c,d"' in (tmp_path / "kept").read_text()
    with pytest.raises(ValueError, match="matrix or columns"):
        model.export(tmp_path / "m.onnx", inputs="rows")


def test_estimators_export(tmp_path):
    iris = alidade.read_table(IRIS, "y")
    with pytest.raises(ValueError, match="not fitted"):
        alidade.LDA().export(tmp_path / "none.c")
    estimator = alidade.LDA().fit(iris.X, iris.y)
    for ending in ("c", "onnx", "json"):
        estimator.export(tmp_path / f"estimator.{ending}")
        alidade.Model(estimator.model_).export(tmp_path / f"model.{ending}")
        assert (tmp_path / f"estimator.{ending}").read_bytes() == (tmp_path / f"model.{ending}").read_bytes()
    written = json.loads((tmp_path / "estimator.json").read_text())
    assert written["names"] == list(estimator.classes_)
    z = (iris.X - np.array(written["steps"][0]["mean"])) @ np.array(written["steps"][0]["coefficients"])
    np.testing.assert_allclose(z, estimator.transform(iris.X), atol=1e-10)


@needs_program
def test_evaluate_as_the_program(model, tmp_path):
    model.save(tmp_path / "m.ald")
    told = json.loads(run("evaluate", tmp_path / "m.ald", TECATOR, "--json"))
    text = json.dumps(told)
    for name in ("rmse", "r2", "mae"):
        assert repr(model.evaluate(TECATOR)[name]) in text


@needs_program
def test_dimension_as_the_program():
    told = json.loads(run("dimension", IRIS, "--target", "y", "--method", "lda", "--permutations", 39, "--json"))
    result = alidade.dimension(IRIS, "y", "lda", permutations=39)
    assert [row["permutation_p"] for row in result.rows] == [row["permutation_p"] for row in told["rows"]]
    assert result.choices["permutation"] == told["choices"]["permutation"]
    check(result, "number of components of lda", "permutation_p")


def test_stability(table, model):
    result = alidade.stability(model, table, resamples=8)
    check(result, "8 resamples", "leading features")
    assert result.features()[0][1] >= result.features()[-1][1] and len(result.frequency) == 100
    weighted = alidade.fit(TECATOR, "fat", "pls", n_components=2, ignore="water", weights="protein")
    assert weighted.weighted and not model.weighted
    assert alidade.stability(weighted, TECATOR, resamples=3).rows != alidade.stability(model, TECATOR, resamples=3).rows
    iris = alidade.read_table(IRIS, "y")
    kernel = alidade.fit(iris, method="kpca", n_components=2)
    check(alidade.stability(kernel, iris, resamples=3, permuted=0), "3 resamples")


def test_importance_and_outliers(table, model):
    vip = model.importance()
    check(vip, "vip of 100 features")
    assert np.isclose((vip.values ** 2).mean(), 1.0)
    check(model.importance("structure", table), "structure")
    with pytest.raises(ValueError, match="`kind` is one of"):
        model.importance("size")
    odd = model.outliers(table)
    check(odd, "215 rows")
    assert len(odd.t2) == 215 and 33 in odd.beyond(99)


def test_pictures_of_models(table, model, tmp_path):
    for kind in (None, "scores", "predicted", "weights", "coefficients", "spectrum"):
        picture = model.plot(kind, table, title="A <title>")
        assert "A &lt;title&gt;" in picture.svg
    picture.save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text(encoding="utf-8") == picture.svg and "SVG" in repr(picture)
    with pytest.raises(ValueError, match="there is no plot"):
        model.plot("nothing", table)


@needs_program
def test_generate_as_the_program(tmp_path):
    run("generate", "plane", "--n", 50, "--seed", 4, "-o", tmp_path / "plane.csv")
    made, read = alidade.generate("plane", 50, random_state=4), alidade.read_table(tmp_path / "plane.csv", "y")
    assert np.array_equal(made.X, read.X) and np.array_equal(made.y, read.y)
    assert "plane" in alidade.generate.names


def test_displays(table, model):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(2, 3)
    X, y = table.X, table.y
    estimator = alidade.PLS(n_components=3).fit(X, y)
    drawn = [alidade.ScoresDisplay.from_estimator(estimator, X, y, ax=axes[0, 0]),
             alidade.PredictionErrorDisplay.from_estimator(estimator, X, y, ax=axes[0, 1]),
             alidade.CurveDisplay.from_estimator(estimator, X, y, components=range(1, 4), folds=3, ax=axes[0, 2]),
             alidade.WeightsDisplay.from_estimator(estimator, ax=axes[1, 0]),
             alidade.WeightsDisplay.from_estimator(model, kind="coefficients", ax=axes[1, 1]),
             alidade.ScoresDisplay.from_estimator(model, TECATOR, ax=axes[1, 2])]
    assert [display.ax_ for display in drawn] == [*axes[0], *axes[1]]
    assert np.array_equal(drawn[0].scores, estimator.transform(X))
    assert len(drawn[2].ax_.lines) >= 3 and len(drawn[3].ax_.lines) == 4
    classes = alidade.ScoresDisplay.from_estimator(alidade.fit(IRIS, "y", "lda"), IRIS)
    assert len(classes.ax_.get_legend().get_texts()) == 3
    plt.close("all")


def test_interrupted(table):
    """What the progress function raises ends the call."""
    def stop(stage, done):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        alidade.tune(table, methods="pls,sdpp", components="1:20", progress=stop)


@needs_program
def test_merge_as_the_program(table, tmp_path):
    frame = pytest.importorskip("pandas").read_csv(TECATOR)
    options = {"method": "pls", "n_components": 2, "keep_statistics": True, **READING}
    parts = [alidade.fit(rows, "fat", **options) for rows in (frame[:100], frame[100:])]
    for i, part in enumerate(parts):
        part.save(tmp_path / f"{i}.ald")
    run("merge", tmp_path / "0.ald", tmp_path / "1.ald", "-o", tmp_path / "all.ald")
    merged = alidade.merge([parts[0], tmp_path / "1.ald"])
    by_program = alidade.load(tmp_path / "all.ald")
    assert np.allclose(merged.predict(table), by_program.predict(table), rtol=1e-12)
    assert np.allclose(merged.predict(table), alidade.fit(frame, "fat", **options).predict(table), rtol=1e-9)
    with pytest.raises(ValueError, match="no models"):
        alidade.merge([])
    with pytest.raises(ValueError, match="statistics"):
        alidade.merge([alidade.fit(table, method="pls", n_components=2)] * 2)


def test_report(table, model, tmp_path):
    page = alidade.report(model, table, quick=True, folds=3, title="Fat in meat")
    assert page.html.lstrip().lower().startswith("<!doctype html") and "Fat in meat" in page.html
    page.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page.html and "iframe" in page._repr_html_()
    tuned = alidade.tune(table, methods="pls", components="1:3", folds=3, outer_folds=3)
    assert "html" in alidade.report(tuned, table, quick=True, folds=3).html
    compared = alidade.compare(table, methods="pls", components="1:2", folds=3)
    assert "html" in alidade.report(compared, table).html
    with pytest.raises(TypeError, match="`data` is wanted"):
        alidade.report(model)
