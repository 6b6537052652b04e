"""Tables: what is read from a file, from a data frame and from a dict is the same, and the same as the program's."""
import csv
import datetime
import io
import os

import numpy as np
import pytest

import alidade
from conftest import DATA
from tables import mixed, needs_program, run, write_csv

READING = {"id": "sample", "ignore": "kind", "missing": "mean"}
WAYS = (
    {"dates": "numbers"},
    {"dates": "categories", "categorical": "size"},
    {"encode": "ordinal", "na": "red"},
    {"missing": "drop", "weights": "size"},
)


@pytest.fixture(scope="module")
def table():
    return mixed()


@pytest.fixture(scope="module")
def path(table, tmp_path_factory):
    where = tmp_path_factory.mktemp("tables") / "mixed.csv"
    write_csv(table, where)
    return where


@pytest.mark.parametrize("way", WAYS, ids=lambda way: ",".join(way))
@pytest.mark.filterwarnings("ignore::alidade.AlidadeWarning")
def test_frame_dict_and_file_give_one_model(table, path, way):
    pandas = pytest.importorskip("pandas")
    options = {**READING, **way, "method": "pls", "n_components": 2}
    frame = pandas.DataFrame(table)
    frame["colour"] = frame["colour"].astype("category")
    models = [alidade.fit(data, "score", **options).to_bytes() for data in (path, table, frame)]
    assert models[0] == models[1] == models[2]


@pytest.mark.filterwarnings("ignore::alidade.AlidadeWarning")
def test_what_a_table_has(table):
    read = alidade.read_table(table, "kind", id="sample", ignore=["score", "day"], missing="drop", keep="size")
    assert read.n_rows == 58 and read.file_rows == 60 and read.kind == "classes"
    assert read.feature_names[:3] == ["a", "b", "c"] and "colour=red" in read.feature_names
    assert read.class_names == ["high", "low"] and set(read.y) == {"high", "low"}
    assert read.row_names[5] == "s006"  # row 5 has a gap
    assert read.X.shape == (58, read.n_features) and np.array_equal(read.X[:5, 0], table["a"][:5])
    assert read.places.tolist() == [i for i in range(60) if i not in (5, 7)]
    assert list(read.kept) == ["sample", "size"] and read.kept["size"][0] == str(table["size"][0])
    assert "58 of 60 rows" in repr(read) and len(read) == 58
    pandas = pytest.importorskip("pandas")
    assert isinstance(read.to_frame(), pandas.DataFrame) and read.to_frame().loc["s006", "kind"] == read.y[5]


def test_types_of_cells():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"whole": pandas.array([1, None, 3], dtype="Int64"), "yes": [True, False, True],
                              "objects": [1, 2.5, None], "y": [1.0, 2.0, 4.0]})
    read = alidade.read_table(frame, "y", missing="mean")
    assert read.feature_names == ["whole", "yes=False", "yes=True", "objects"]
    assert read.X[1, 0] == 2.0 and read.X[2, 3] == 1.75
    single = alidade.read_table({"a,b": [1, 2], "c": [3, 4], "y": [1.5, 2]}, ["y"], ignore=["a,b"])
    assert single.feature_names == ["c"]
    assert alidade.read_table({"a": [1, 2], "c": [3, 4]}, target=1).feature_names == ["a"]
    odd = alidade.read_table({"a": np.broadcast_to(3.0, 4), "b": np.arange(8.0)[::-2], "c": np.arange(4, dtype=">f4")})
    assert odd.X.tolist() == [[3, 7, 0], [3, 5, 1], [3, 3, 2], [3, 1, 3]]


def test_arrays_and_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    X = np.arange(12.0).reshape(4, 3)
    read = alidade.read_table(X, y=["u", "v", "u", "v"])
    assert read.kind == "classes" and read.y.tolist() == ["u", "v", "u", "v"] and np.array_equal(read.X, X)
    read = alidade.read_table(sparse.csr_matrix(X), y=[0.5, 1.5, 2.5, 3.0])
    assert read.sparse and np.array_equal(read.X if isinstance(read.X, np.ndarray) else read.X.toarray(), X)


def test_a_sheet_of_a_workbook_is_read_as_csv_is(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    day = datetime.date
    rows = [["size", "kind", "day", "good"],
            [1.5, "red", day(2024, 2, 29), True], [None, 'the "blue", one', day(1999, 12, 31), False],
            [-2.25e-7, "red", None, True], [3, 'the "blue", one', day(1960, 7, 4), False]]
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Größen")
    for row in rows:
        sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    with open(tmp_path / "rows.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([str(cell).upper() if isinstance(cell, bool) else cell for cell in row] for row in rows)
    options = {"target": "kind", "dates": "numbers", "missing": "mean"}
    expected = alidade.read_table(tmp_path / "rows.csv", **options)
    for name in "2", "Größen":
        read = alidade.read_table(tmp_path / "book.xlsx", sheet=name, **options)
        assert np.array_equal(read.X, expected.X) and read.feature_names == expected.feature_names
        assert read.feature_names == ["size", "day", "good=FALSE", "good=TRUE"]
        assert read.y.tolist() == expected.y.tolist() == ["red", 'the "blue", one'] * 2
    with pytest.raises(ValueError, match="Sheet1|sheet"):
        alidade.read_table(tmp_path / "book.xlsx", sheet="none", **options)


@pytest.mark.parametrize("call, error, words", [
    (lambda: alidade.read_table("no-such-file.csv"), OSError, "no-such-file.csv"),
    (lambda: alidade.read_table({"a": [1, 2], "b": [1]}), ValueError, "different lengths"),
    (lambda: alidade.read_table({}), ValueError, "no columns"),
    (lambda: alidade.read_table({"a": [1, 2]}, "b"), ValueError, "'b'"),
    (lambda: alidade.read_table({"a": [1, 2]}, colour=1), TypeError, "unexpected keyword argument 'colour'"),
    (lambda: alidade.read_table({"a": [1, 2]}, format="csv"), ValueError, "`format` applies to files"),
    (lambda: alidade.read_table({"a": [1, 2]}, missing=3), TypeError, "`missing` is a text, not 3"),
    (lambda: alidade.read_table({"a": [1, np.nan], "y": [1.5, 2]}, "y"), ValueError, "row 1"),
    (lambda: alidade.read_table({"a": [1, 2]}, "a", y=[1, 2]), TypeError, "go with a matrix X"),
    (lambda: alidade.read_table(np.eye(3), id="a"), TypeError, "`id` is for tables"),
    (lambda: alidade.read_table({"a": np.eye(2)}), ValueError, "a column is a vector"),
    (lambda: alidade.read_table({"a": [1j, 2]}), ValueError, "complex"),
    (lambda: alidade.fit({"a": [1, 2, 4], "y": [1, 2, 3.5]}, "y", "plss"), ValueError, "pls"),
    (lambda: alidade.fit({"a": [1, 2, 4], "y": [1, 2, 3.5]}, "y", "pls", widht=2), ValueError, "widht"),
    (lambda: alidade.fit({"a": [1, 2, 4]}, method="lda"), ValueError, "needs a target"),
    (lambda: alidade.fit({"a": [1, 2], "y": [1.5, 2]}, "y", stream=True), TypeError, "give its path"),
    (lambda: alidade.load(os.path.join(DATA, "iris.csv")), ValueError, "iris.csv"),
    (lambda: alidade.save(3, "x.ald"), TypeError, "not int"),
    (lambda: alidade.Model(3), TypeError, "made by alidade.fit"),
    (lambda: alidade.compare({"a": [1, 2, 3]}), ValueError, "`target`"),
    (lambda: alidade.compare({"a": [1, 2, 3], "y": [1, 2, 3.5]}, "y", "plss"), ValueError, "plss"),
    (lambda: alidade.generate("nothing"), ValueError, "nothing"),
    (lambda: alidade.generate("plane", n=-1.5), TypeError, "`n` is a whole number"),
])
def test_refused(call, error, words):
    with pytest.raises(error) as told:
        call()
    assert words in str(told.value), told.value


# -- beside the program ----------------------------------------------------------------------------------------------
def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


@needs_program
@pytest.mark.filterwarnings("ignore::alidade.AlidadeWarning")
@pytest.mark.parametrize("method, target", [("pls", "score"), ("lda", "kind"), ("auto", "score"), ("sir", "score"),
                                            ("kspca", "kind")])
def test_models_are_those_of_the_program(path, table, tmp_path, method, target):
    other = "kind" if target == "score" else "score"
    options = ["--id", "sample", "--ignore", other, "--missing", "mean", "--dates", "numbers"]
    components = 2 if target == "score" else 1
    run("fit", path, "--target", target, "--method", method, "--components", components, "-o", tmp_path / "cli.ald", *options)
    model = alidade.fit(table, target, method, n_components=components, id="sample", ignore=other, missing="mean", dates="numbers")
    model.save(tmp_path / "python.ald")
    assert (tmp_path / "cli.ald").read_bytes() == (tmp_path / "python.ald").read_bytes() == model.to_bytes()


@needs_program
@pytest.mark.filterwarnings("ignore::alidade.AlidadeWarning")
def test_both_ways(path, table, tmp_path):
    """The program's model in Python, and Python's in the program, give the same numbers to the last bit."""
    options = {"id": "sample", "ignore": "score,day", "missing": "mean", "predictor": "gaussian"}
    alidade.save(alidade.fit(table, "kind", "lda", **options), tmp_path / "python.ald")
    model = alidade.load(tmp_path / "python.ald")
    read = {"missing": "drop", "keep": ["size"]}
    flags = ["--missing", "drop", "--keep", "size"]
    z, p = model.transform(table, **read), model.predict_proba(table, **read)
    shown = rows_of(run("transform", tmp_path / "python.ald", path, *flags))
    assert shown[0] == ["sample", "size", "z1"] and shown[6][2] == "" and np.isnan(z[5, 0])
    there = [i for i in range(60) if i not in (5, 7)]
    assert all(float(shown[1 + i][2]) == z[i, 0] for i in there)
    told = rows_of(run("predict", tmp_path / "python.ald", path, "--probabilities", *flags))
    assert told[0][2:] == ["kind", "p(high)", "p(low)"]
    named = model.predict(table, **read)
    assert named[5] is None
    assert all([told[1 + i][2], *map(float, told[1 + i][3:])] == [named[i], *p[i]] for i in there)
    pandas = pytest.importorskip("pandas")
    frame = model.transform(path, as_frame=True, **read)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["sample", "size", "z1"]


@needs_program
def test_streamed(tmp_path):
    path = os.path.join(DATA, "tecator.csv")
    options = ["--target", "fat", "--ignore", "water,protein", "--method", "pls", "--components", 3]
    run("fit", path, *options, "--stream", "-o", tmp_path / "cli.ald")
    model = alidade.fit(path, "fat", "pls", n_components=3, ignore="water,protein", stream=True)
    assert model.to_bytes() == (tmp_path / "cli.ald").read_bytes()
    whole = alidade.fit(path, "fat", "pls", n_components=3, ignore="water,protein")
    assert np.allclose(model.predict(path), whole.predict(path), rtol=1e-8)


def test_model(tmp_path):
    import pickle
    path = os.path.join(DATA, "tecator.csv")
    table = alidade.read_table(path, "fat", ignore="water,protein")
    model = alidade.fit(table, method="pls", n_components=4, outlier_limits=True, keep_statistics=True)
    again = pickle.loads(pickle.dumps(model))
    assert again.to_bytes() == model.to_bytes() and repr(again) == repr(model)
    assert "100 features to 4 components, fat, predictor linear" in repr(model)
    assert model.inspect()["parameters"]["n_components"] == "4" and model.arrays["components"].shape == (4, 100)
    values, intercept, prepared = model.coefficients()
    assert not prepared and np.allclose(table.X @ values[:, 0] + intercept[0], model.predict(path))
    assert np.allclose(model.first(2).transform(path), model.transform(path)[:, :2])
    assert np.array_equal(model.transform(table.X), model.transform(path))
    fewer = model.update(path, remove=False)
    assert fewer.n_components == 4
    estimator = alidade.PLS(n_components=4).fit(table.X, table.y)
    alidade.save(estimator, tmp_path / "e.ald")
    assert np.allclose(alidade.load(tmp_path / "e.ald").transform(table.X), estimator.transform(table.X))


def test_classes_that_are_numbers_come_back_as_numbers():
    model = alidade.fit(os.path.join(DATA, "wine.csv"), "y", "lda")
    found = model.predict(os.path.join(DATA, "wine.csv"))
    assert found.dtype.kind == "i" and set(found) == {1, 2, 3}


def test_warnings_name_the_line_that_called(table):
    model = alidade.fit(table, "score", "pls", id="sample", ignore="kind,day", missing="mean")
    with pytest.warns(alidade.AlidadeWarning, match="colour") as told:
        model.predict({**table, "colour": ["purple"] * 60}, missing="mean")
    assert told[0].filename == __file__


def test_examples_in_the_documentation():
    import doctest
    from alidade import _fitting, _table
    for module in (_fitting, _table):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed


def test_fuzz():
    """Wrong arguments of every kind end in exceptions; all 2000 with ALD_LONG."""
    import subprocess
    import sys
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz_tables.py")
    calls = "2000" if os.environ.get("ALD_LONG") else "300"
    done = subprocess.run([sys.executable, script, calls], capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])


def test_a_frame_and_its_target_apart():
    """People keep X as a frame and y as a series: tables take them as estimators do."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pandas.DataFrame(rng.normal(size=(40, 3)), columns=["a", "b", "y"])
    y = pandas.Series(X["a"].to_numpy() + 0.1 * rng.normal(size=40), index=range(100, 140), name="y")
    apart = alidade.fit(X, y=y, method="pls", n_components=1)
    assert apart.feature_names == ["a", "b", "y"] and apart.response_names == ["y_"]
    joined = alidade.fit(X.assign(t=y.to_numpy()), target="t", method="pls", n_components=1)
    assert np.array_equal(apart.predict(X), joined.predict(X))
    assert list(X.columns) == ["a", "b", "y"]
    estimator = alidade.PLS(n_components=1).fit(X, y.to_numpy())
    assert alidade.evaluate(estimator, X[["y", "b", "a"]], y=y)["r2"] == pytest.approx(estimator.score(X, y), abs=1e-12)
    assert alidade.compare(X, y=y, methods="pls", components=1, folds=3).best
    classes = np.where(X["a"] > 0, "high", "low")
    lda = alidade.LDA().fit(X, classes)
    assert alidade.evaluate(lda, X, y=classes)["accuracy"] == lda.score(X, classes)
    with pytest.raises(TypeError, match="`missing` says how a table is read"):
        alidade.evaluate(lda, X, y=classes, missing="mean")
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        alidade.fit(X, y=y[:5], method="pls")


def test_a_search_that_cannot_be_is_said():
    few = {"a": [1, 2, 3, 4, 1], "b": [2, 1, 5, 4, 1], "y": [0.5, 1.4, 2.6, 3.5, 0.7]}
    with pytest.warns(alidade.AlidadeWarning, match="methods were not compared: there are 5 rows.*; pls is fitted"):
        assert alidade.fit(few, target="y").method == "pls"
