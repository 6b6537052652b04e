"""Frames of other libraries, by the protocols that they offer: Arrow's stream from a stand-in, the interchange protocol from
pandas, which has both its own way and that one."""
import numpy as np
import pytest

import alidade
from alidade import _frames
from arrow_stand_in import Producer, views
from conftest import make

X, Y, CODES, _ = make(40, 3)
WORDS = ["low", "a text of more than twelve bytes", "größer", ""]


class Lent:
    """Only the interchange protocol of a frame."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, **options):
        return self.frame.__dataframe__(**options)


def stream(rows=slice(None), **more):
    return Producer([("a", X[rows, 0]), ("b", X[rows, 1].astype(np.float32)), ("c", X[rows, 2])], **more)


def frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(np.float32), "c": X[:, 2]})


@pytest.mark.parametrize("lend", [stream, lambda: Lent(frame())], ids=["arrow", "interchange"])
def test_estimators(lend):
    ours, expected = alidade.PLS().fit(lend(), Y), alidade.PLS().fit(frame(), Y)
    assert list(ours.feature_names_in_) == ["a", "b", "c"]
    assert np.allclose(ours.transform(lend()), expected.transform(frame()), atol=1e-12)  # in another order of memory
    assert np.allclose(ours.predict(lend()), expected.predict(frame()), atol=1e-12)
    assert np.isclose(ours.score(lend(), Y), expected.score(frame(), Y))
    assert alidade.fit(lend(), y=Y, method="pls").to_bytes() == alidade.fit(frame(), y=Y, method="pls").to_bytes()


def test_batches_and_offsets():
    whole = Producer([("a", X[:15, 0]), ("t", ["u", None, "v"] * 5)], [("a", X[15:18, 0]), ("t", ["w", "u", None])])
    told = _frames.taken(whole)
    assert np.array_equal(told["a"], X[:18, 0]) and told["t"].tolist() == ["u", None, "v"] * 5 + ["w", "u", None]
    part = _frames.taken(Producer([("a", X[:15, 0]), ("t", ["u", None, "v"] * 5), ("b", X[:15, 1] > 0)], shift=4))
    assert np.array_equal(part["a"], X[4:15, 0]) and part["t"].tolist() == (["u", None, "v"] * 5)[4:]
    assert np.array_equal(part["b"], X[4:15, 1] > 0)
    assert Producer.lent == 0


def test_kinds_of_cells():
    days = np.array(["2026-01-31", "1969-12-31", "2000-02-29", "2026-02-01"], dtype="M8[D]")
    told = _frames.taken(Producer([
        ("whole", np.array([1, -2, 3, 4], dtype=np.int32)), ("gaps", [5, None, 7, 8]), ("texts", WORDS),
        ("views", views(WORDS)), ("kind", ([1, 0, None, 1], ["v", "u"])), ("day", days)]))
    assert told["whole"].tolist() == [1, -2, 3, 4] and told["whole"].dtype == np.int32
    assert np.array_equal(told["gaps"], [5, np.nan, 7, 8], equal_nan=True)
    assert told["texts"].tolist() == told["views"].tolist() == WORDS
    assert told["kind"].tolist() == ["u", "v", None, "u"] and np.array_equal(told["day"], days)
    with pytest.raises(ValueError, match="column 'odd' has cells of Arrow's type '.l'"):
        _frames.taken(Producer([("odd", ("+l", [None, np.zeros(2, np.int32)], None))]))
    assert Producer.lent == 0


def test_interchange_of_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({
        "a": [1.5, np.nan, 2.5, 4.0], "n": np.array([1, 2, 3, 4], dtype=np.int16), "yes": [True, False, True, True],
        "t": WORDS, "kind": pandas.Categorical(["v", None, "u", "v"])})
    told = _frames.taken(Lent(table))
    assert np.array_equal(told["a"], table["a"], equal_nan=True) and told["n"].tolist() == [1, 2, 3, 4]
    assert told["yes"].tolist() == [True, False, True, True] and told["t"].tolist() == WORDS
    assert told["kind"].tolist() == ["v", None, "u", "v"]


def test_tables_are_those_of_pandas():
    """Texts, gaps, categories and a target: the model of the same columns in a data frame, byte for byte."""
    pandas = pytest.importorskip("pandas")
    texts = [None if i % 7 == 0 else "xy"[i % 2] for i in range(40)]
    columns = {"size": X[:, 0], "t": texts, "yes": X[:, 1] > 0, "kind": np.array(["u", "v", "w"])[CODES]}
    other = Producer([(name, list(values) if name in ("t", "kind") else values) for name, values in columns.items()])
    options = {"target": "kind", "method": "lda", "missing": "mean", "n_components": 1}
    assert alidade.fit(other, **options).to_bytes() == alidade.fit(pandas.DataFrame(columns), **options).to_bytes()


@pytest.mark.filterwarnings("ignore:A column-vector")
def test_a_column_as_the_target():
    both = Producer([("y", ["u", "v", None, "v"] * 10)])
    assert alidade.LSIR(n_components=1).fit(X, both)._target.kind == "classes"
    assert _frames.taken(both).shape == (40, 1)


def test_two_columns_of_one_name():
    pandas = pytest.importorskip("pandas")
    twice = pandas.DataFrame(X, columns=["a", "b", "a"])
    with pytest.raises(ValueError, match="two columns named 'a'.*rename"):
        alidade.PLS().fit(twice, Y)
    with pytest.raises(ValueError, match="both named 'a': rename"):
        alidade.fit(twice.assign(y=Y), target="y", method="pls")
    with pytest.raises(ValueError, match="two columns named 'a'.*rename"):
        alidade.PLS().fit(Producer([("a", X[:, 0]), ("a", X[:, 1])]), Y)
