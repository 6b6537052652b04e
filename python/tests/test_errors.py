"""What is said, and how: exceptions, warnings, progress and Ctrl-C."""
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import alidade
from alidade import _core
from conftest import make

X, Y, CLASSES, LABELS = make(90, 6)


def test_rows_count_from_zero():
    bad = X.copy()
    bad[4, 2] = np.nan
    with pytest.raises(ValueError, match="X: row 4, column 2 is not a finite number"):
        alidade.PLS().fit(bad, Y)
    with pytest.raises(ValueError, match="row 4, column 2"):
        alidade.PLS().fit(X, Y).predict(bad)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        alidade.PLS().fit(X, bad[:, 2])


@pytest.mark.parametrize("estimator,words", [
    (alidade.PLS(n_components=-1), "`n_components`|n_components"),
    (alidade.PLS(n_components=99, components_rule="exactly"), "6"),
    (alidade.PLS(n_components=2.5), "n_components"),
    (alidade.PLS(n_components=10 ** 30), "too large"),
    (alidade.PLS(algorithm="simpls"), "ikpls, nipals"),
    (alidade.PLS(scale=None), "`scale` of PLS is None"),
    (alidade.PLS(predictor="guess"), "predictor"),
])
def test_parameters_are_checked(estimator, words):
    with pytest.raises(ValueError, match=words):
        estimator.fit(X, Y)


def test_wrong_kinds():
    with pytest.raises(TypeError, match="`tol` is a number or a word"):
        alidade.PLS(tol=[1]).fit(X, Y)
    with pytest.raises(ValueError, match="Unknown label type"):
        alidade.LDA().fit(X, Y)
    with pytest.raises(ValueError, match="requires y to be passed"):
        alidade.PLS().fit(X, None)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        alidade.PLS().fit(X, Y[:5])
    with pytest.raises(ValueError, match="Expected 2D array"):
        alidade.PLS().fit(Y, Y)


def test_warnings_are_python_warnings():
    with pytest.warns(alidade.AlidadeWarning, match="max_iter") as heard:
        alidade.SDPP(n_components=1, max_iter=1).fit(X, Y)
    assert heard[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", alidade.AlidadeWarning)
        with pytest.raises(alidade.AlidadeWarning):
            alidade.SDPP(n_components=1, max_iter=1).fit(X, Y)


def test_rows_count_in_the_file_where_some_are_left_out(tmp_path):
    lines = [f"{i * 7 % 11 / 2},{i * 5 % 9},{i + .5}" for i in range(12)]
    lines[1], lines[6] = ",1,2.5", "1,2,"
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["a,b,y", *lines]) + "\n")
    table = alidade.read_table(path, target="y", missing="drop", unlabelled_rows="drop")
    model = alidade.fit(table, method="pls", n_components=1)
    with pytest.raises(ValueError, match="row 6 has no target"):
        model.evaluate(path, missing="drop")


def test_rows_without_a_target_are_left_out_with_a_warning():
    some = np.array(Y, dtype=float)
    some[[3, 7]] = np.nan
    calls = [lambda: alidade.fit(X, y=some), lambda: alidade.compare(X, y=some, methods="pls", components=1),
             lambda: alidade.tune(X, y=some, methods="pls", components=1)]
    for call in calls:
        with pytest.warns(alidade.AlidadeWarning, match="2 of .* rows have no target and are left out"):
            call()


def with_format(data, number):
    """The bytes of a model that says it is of another format; without the sums, which would tell of the change."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    texts = header["__metadata__"]
    header["__metadata__"] = {k: v for k, v in texts.items() if not k.startswith("alidade.sum")}
    header["__metadata__"]["alidade.format"] = number
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + size:]


def test_files(tmp_path):
    model = alidade.PLS().fit(X, Y).model_
    with pytest.raises(OSError):
        _core.save(model, tmp_path / "none" / "m.ald")
    with pytest.raises(OSError):
        _core.load(tmp_path / "none")
    data = _core.to_bytes(model)
    assert _core.from_bytes(with_format(data, "1")).n_components == 2
    with pytest.raises(ValueError, match="format 9"):
        _core.from_bytes(with_format(data, "9"))
    for cut in (0, 7, 100, len(data) - 1):
        with pytest.raises(ValueError):
            _core.from_bytes(data[:cut])


def test_progress():
    heard = []
    alidade.KDR(n_components=1, progress=lambda stage, done: heard.append((stage, done))).fit(X, Y)
    assert heard and all(isinstance(stage, str) and done <= 1 for stage, done in heard)

    def refuse(stage, done):
        raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        alidade.KDR(n_components=1, progress=refuse).fit(X, Y)
    with pytest.raises(KeyboardInterrupt):
        alidade.KDR(n_components=1, progress=lambda stage, done: True).fit(X, Y)
    with pytest.raises(TypeError, match="`progress`"):
        alidade.KDR(n_components=1, progress=3).fit(X, Y)


def test_bar(capsys):
    from alidade._progress import Bar
    bar = Bar()
    bar.began -= 1
    bar("fitting", 0.5)
    bar.close()
    assert "fitting ###" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["KDR", "KPCA"])
def test_control_c(name):
    """A signal ends the fit, within half a second as a rule; here only that it does long before its end."""
    wide = make(1500, 40)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            getattr(alidade, name)(n_jobs=1, n_components=1).fit(wide[0], wide[1])
    assert time.monotonic() - began < 10
    timer.join()


def test_interpreter_is_let_go():
    """Another thread runs while a fit goes on."""
    wide, ticks, stop = make(1200, 30), [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)
    worker = threading.Thread(target=tick)
    worker.start()
    began = time.monotonic()
    alidade.KPCA(n_jobs=1).fit(wide[0], wide[1])
    ended = time.monotonic()
    stop.set()
    worker.join()
    assert sum(began < t < ended for t in ticks) >= 2


def test_without_its_library(tmp_path):
    """A package whose extension is not there says so at once."""
    package = os.path.dirname(alidade.__file__)
    (tmp_path / "alidade").mkdir()
    for name in os.listdir(package):
        if not name.endswith(".so") and name != "__pycache__":
            os.symlink(os.path.join(package, name), tmp_path / "alidade" / name)
    done = subprocess.run([sys.executable, "-c", "import alidade"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode and "alidade was installed without its library" in done.stderr


def test_what_is_counted_is_given_back():
    """Memory is counted by the context for so many threads: what a call gave is given back to that one. A count below
    nothing would leave none for the next call."""
    table = alidade.generate("plane", n=60)
    model = alidade.fit(table, method="pls")
    assert "<html" in alidade.report(model, table, quick=True, folds=3).html
    for n_jobs in (None, 1, 2):
        alidade.PLS(n_jobs=n_jobs).fit(X, Y)
