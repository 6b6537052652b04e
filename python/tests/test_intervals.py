"""Intervals of numbers, sets of classes and labels: what the definition says, and what the command line writes."""
import csv
import math
import subprocess

import numpy as np
import pytest

import alidade
from conftest import make
from tables import PROGRAM, needs_program


def kth(errors, level):
    """The k-th smallest error, k = ceil((m + 1) level)."""
    return np.sort(errors, axis=0)[math.ceil((len(errors) + 1) * level - 1e-9) - 1]


def expected(estimator, kind, X, truth, new, level):
    """Regions of rows `new` by the definition, from errors of rows that the fit has not seen."""
    if kind == "real":
        at, found = kth(np.abs(truth - estimator.predict(X)), level), estimator.predict(new)
        return np.stack([found - at, found + at], axis=-1)
    if kind == "classes":
        scores, places = estimator.predict_proba(X), np.searchsorted(estimator.classes_, truth)
        return estimator.predict_proba(new) >= -kth(-scores[np.arange(len(X)), places], level)
    def scores_of(rows):
        return estimator.decision_function(rows) + 0.5
    at, found = kth(np.abs(truth - scores_of(X)), level), scores_of(new)
    return np.stack([np.abs(found) <= at, np.abs(1 - found) <= at], axis=-1)


@pytest.mark.parametrize("name, kind, place", [("PLS", "real", 1), ("LDA", "classes", 2), ("CCA", "labels", 3)])
def test_by_the_definition(name, kind, place):
    data = make(150)
    X, y = data[0], data[place] if kind != "real" else np.column_stack([data[1], data[0][:, 2] ** 2])
    estimator = getattr(alidade, name)().fit(X[:60], y[:60])
    assert not hasattr(estimator, "predict_interval") and "predict_interval" not in dir(estimator)
    with pytest.raises(ValueError, match="`intervals=10`"):
        estimator.predict(X, interval=0.9)
    estimator.calibrate(X[60:110], y[60:110])
    for level in (0.5, 0.8, 0.95):
        wanted = expected(estimator, kind, X[60:110], y[60:110], X[110:], level)
        found = estimator.predict_interval(X[110:], level)
        assert found.shape == wanted.shape and np.allclose(found, wanted, atol=1e-12)
    predicted, same = estimator.predict(X[110:], interval=0.95)
    assert np.array_equal(predicted, estimator.predict(X[110:])) and np.array_equal(same, found)
    for level, reason in ((0.99, "needs the errors of 99 rows"), (1.0, "below 1"), (0, "above 0")):
        with pytest.raises(ValueError, match=reason):
            estimator.predict_interval(X, level)


def test_estimators_with_intervals():
    from sklearn.base import clone
    X, y, classes, _ = make(120)
    estimator = clone(alidade.PLS(intervals=10)).fit(X[:80], y[:80])
    found = estimator.predict_interval(X[80:])
    assert found.shape == (40, 2) and 0.7 < np.mean((found[:, 0] <= y[80:]) & (y[80:] <= found[:, 1])) <= 1
    assert np.allclose(found.mean(axis=1), estimator.predict(X[80:]))
    assert alidade.PLSClassifier(intervals=5).fit(X, classes).predict_interval(X).shape == (120, 3)
    with pytest.raises(ValueError, match="cannot be divided into parts"):
        alidade.SDPP(intervals=5).fit(X, y, graph=np.eye(120))
    with pytest.raises(ValueError, match="the class 7, which fit was not given"):
        alidade.LDA().fit(X, classes).calibrate(X, np.where(classes == 0, 7, classes))
    with pytest.raises(ValueError, match="`folds` is 1"):
        alidade.PLS(intervals=1).fit(X, y)


def whole_tables(tmp_path):
    X, y, classes, labels = make(90)
    path = tmp_path / "rows.csv"
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["a", "b", "c", "d", "e", "y", "kind", "u", "v", "w"])
        table.writerows([*row, value, "KLM"[k], *on] for row, value, k, on in zip(X.tolist(), y, classes, labels.tolist()))
    return path


TARGETS = (("y", ["kind", "u", "v", "w"], "pls"), ("kind", ["y", "u", "v", "w"], "lda"), (["u", "v", "w"], ["y", "kind"], "cca"))


@needs_program
@pytest.mark.parametrize("target, ignore, method", TARGETS)
def test_as_the_command_line(tmp_path, target, ignore, method):
    pandas = pytest.importorskip("pandas")
    path, model, written = whole_tables(tmp_path), tmp_path / "m.ald", tmp_path / "p.csv"
    words = ["--target", target if isinstance(target, str) else ",".join(target), "--ignore", ",".join(ignore)]
    subprocess.run([PROGRAM, "fit", path, *words, "--method", method, "--intervals", "5", "-q", "-o", model], check=True)
    subprocess.run([PROGRAM, "predict", model, path, "--interval", "0.9", "-o", written, "-q"], check=True)
    made = alidade.fit(path, target, method, ignore=ignore, intervals=5)
    assert made.to_bytes() == model.read_bytes()
    frame = made.predict(pandas.read_csv(path), interval=0.9)
    wanted = pandas.read_csv(written, dtype=frame.dtypes.to_dict(), keep_default_na=False)
    assert list(frame.columns) == list(wanted.columns)
    for name in frame:
        assert np.allclose(frame[name], wanted[name]) if frame[name].dtype.kind == "f" else (frame[name] == wanted[name]).all()


def test_models_of_tables(tmp_path):
    path = whole_tables(tmp_path)
    ignore = ["kind", "u", "v", "w"]
    streamed = alidade.fit(path, "y", "pls", ignore=ignore, stream=True)
    assert "predict_interval" not in dir(streamed) and streamed.inspect()["intervals"] is None
    with pytest.raises(ValueError, match="`calibrate`"):
        streamed.predict_interval(path)
    with pytest.raises(ValueError, match="which `stream` does not keep"):
        alidade.fit(path, "y", "pls", ignore=ignore, stream=True, intervals=5)
    calibrated = streamed.calibrate(path)
    assert calibrated.inspect()["intervals"] == "90 rows not used by the fit" and "predict_interval" in dir(calibrated)
    predicted, ends = calibrated.predict(path, interval=0.9)
    assert np.allclose(ends.mean(axis=1), predicted) and np.allclose(ends, calibrated.predict_interval(path))
    by_folds = streamed.calibrate(path, folds=5)
    assert by_folds.inspect()["intervals"] == "90 rows, 5 folds"
    kept = alidade.fit(path, "y", "pls", ignore=ignore, intervals=5, keep_statistics=True)
    updated = kept.update(path)
    assert alidade._core.calibration_count(updated._core) == 180 and np.isfinite(updated.predict_interval(path)).all()
    assert updated.inspect()["intervals"] == "90 rows, 5 folds, and 90 rows of updates"
    assert updated.update(path).inspect()["intervals"] == "90 rows, 5 folds, and 180 rows of updates"
    tuned = alidade.tune(path, "y", "pls", ignore=ignore, components=2, folds=3, nested=False).model
    assert tuned.predict_interval(path, 0.5).shape == (90, 2)


def test_classes_that_an_update_brings(tmp_path):
    """Their rows had no set that could contain them, and count as such: with them among the errors sets become whole."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(whole_tables(tmp_path))[["a", "b", "c", "kind"]]
    two, third = frame[frame.kind != "M"], frame[frame.kind == "M"]
    model = alidade.fit(two, "kind", "lda", intervals=5, keep_statistics=True).update(third)
    assert model.class_names == ["K", "L", "M"] and alidade._core.calibration_count(model._core) == 90
    assert model.predict_interval(frame, 0.98).all() and not model.predict_interval(frame, 0.5).all()


def test_rows_that_were_left_out(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(whole_tables(tmp_path))[["a", "b", "c", "y", "kind"]]
    model = alidade.fit(frame, "kind", "lda", ignore="y", intervals=5)
    frame.loc[3, "a"] = np.nan
    found = model.predict_interval(frame, missing="drop")
    assert np.isnan(found[3]).all() and np.isfinite(np.delete(found, 3, axis=0)).all()
    assert model.predict(frame, interval=0.9, missing="drop").iloc[3, 1:].isna().all()


def test_a_risk_has_no_intervals():
    X, y, _, _ = make(60)
    table = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {"time": np.exp(y), "died": np.minimum(np.arange(60) % 3, 1)}
    for predictor in "cox", "ridge":
        model = alidade.fit(table, target="time", event="died", method="pls", n_components=1, predictor=predictor)
        for ask in (lambda: model.predict_interval(table), lambda: model.predict(table, interval=0.9), lambda: model.calibrate(table)):
            with pytest.raises(ValueError, match="risk.* no intervals|no intervals.* risk"):
                ask()


def test_groups_stay_together():
    """Rows of a group are alike: errors of rows whose group was seen would be far too small."""
    random = np.random.default_rng(3)
    group = np.repeat(np.arange(24), 6)
    centre = random.normal(size=(24, 3))[group]
    table = {f"x{j}": centre[:, j] + 0.01 * random.normal(size=144) for j in range(3)}
    table["y"] = random.normal(size=24)[group] + 0.01 * random.normal(size=144)
    table["g"] = [f"g{k}" for k in group]
    how = dict(target="y", method="kpls", kernel_width=0.5, n_components=8, predictor="linear", intervals=6)
    width = {}
    for role in "groups", "ignore":
        model = alidade.fit(table, **{role: "g"}, **how)
        regions = model.predict_interval(table, level=0.8)
        low_high = np.asarray(regions).reshape(144, 2)
        width[role] = np.mean(low_high[:, 1] - low_high[:, 0])
    assert width["groups"] > 2 * width["ignore"]
