"""Inside scikit-learn's tools, in threads and in processes."""
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import alidade
from conftest import make

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

X, Y, CLASSES, LABELS = make(90, 6)


def search(n_jobs):
    pipeline = make_pipeline(StandardScaler(), alidade.LDA(), LogisticRegression())
    grid = {"lda__n_components": [1, 2], "lda__ridge_rel": [0.0, 0.1]}
    return GridSearchCV(pipeline, grid, cv=3, n_jobs=n_jobs).fit(X, CLASSES)


def test_grid_search_side_by_side():
    one, two = search(1), search(2)
    for key in ("mean_test_score", "std_test_score", "param_lda__n_components"):
        assert np.array_equal(one.cv_results_[key], two.cv_results_[key]), key
    assert one.best_params_ == two.best_params_


def test_cross_validation():
    assert cross_val_score(alidade.PLS(), X, Y, cv=3).mean() > 0.5
    assert cross_val_score(alidade.LDA(), X, CLASSES, cv=3).mean() > 0.5
    assert sklearn.base.is_classifier(alidade.LDA()) and sklearn.base.is_regressor(alidade.PHD())
    assert sklearn.base.is_classifier(alidade.PLS(task="classification"))
    assert not sklearn.base.is_classifier(alidade.PLS()) and not sklearn.base.is_regressor(alidade.PLS())


def test_columns():
    columns = ColumnTransformer([("a", alidade.PCA(n_components=1), [0, 1, 2]), ("b", StandardScaler(), [3])])
    assert columns.fit_transform(X).shape == (90, 2)
    assert list(columns.get_feature_names_out()) == ["a__pca0", "b__x3"]


def test_clone_and_repr():
    ours = alidade.SDPP(n_components=1, n_neighbors=7, random_state=3)
    again = clone(ours.fit(X, Y))
    assert again.get_params() == ours.get_params() and not hasattr(again, "model_")
    assert repr(again) == "SDPP(n_components=1, n_neighbors=7, random_state=3)"
    with pytest.raises(ValueError, match="Invalid parameter 'neighbours'"):
        ours.set_params(neighbours=3)


def test_joblib(tmp_path):
    joblib = pytest.importorskip("joblib")
    ours = alidade.KPLS().fit(X, Y)
    joblib.dump(ours, tmp_path / "m")
    assert np.array_equal(joblib.load(tmp_path / "m").transform(X), ours.transform(X))


def test_threads():
    """Fits and projections side by side are those of one alone."""
    expected = {seed: alidade.PLS(n_jobs=1).fit(*make(200, 20, seed)[:2]).transform(make(200, 20, seed)[0])
                for seed in range(4)}
    found = {}

    def work(seed):
        data = make(200, 20, seed)
        found[seed] = [alidade.PLS(n_jobs=1).fit(*data[:2]).transform(data[0]) for _ in range(10)]
    workers = [threading.Thread(target=work, args=(seed,)) for seed in expected]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for seed, values in expected.items():
        assert all(np.array_equal(values, z) for z in found[seed])


def test_after_fork():
    """A child can fit, with one thread and with two."""
    wide = make(400, 200)
    before = alidade.PCA(n_jobs=2).fit(wide[0]).transform(wide[0])
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        done = [alidade.PCA(n_jobs=jobs).fit(wide[0]).transform(wide[0]) for jobs in (1, 2, None)]
        with os.fdopen(writer, "wb") as file:
            pickle.dump([float(np.abs(np.abs(z) - np.abs(before)).max()) for z in done], file)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        differences = pickle.load(file)
    assert os.waitpid(child, 0)[1] == 0
    assert max(differences) < 1e-9


def test_all_threads_are_those_that_the_process_may_use():
    script = ("import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
              "from alidade._threads import threads; print(threads(-1), threads(-2))")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "1 1\n", done.stdout + done.stderr


def test_how_many_threads(monkeypatch):
    from alidade._threads import threads
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert threads(None) == 0 and threads(2) == 2 and threads(-1) == alidade._core.processors()
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert threads(None) == 3 and threads(1) == 1
    heard = []
    worker = threading.Thread(target=lambda: heard.append(threads(None)))
    worker.start()
    worker.join()
    assert heard == [1]
    for wrong in (0, "2", 1.5):
        with pytest.raises((ValueError, TypeError), match="`n_jobs`"):
            alidade.PCA(n_jobs=wrong).fit(X)


def test_no_more_threads_than_asked_for():
    """Where nobody can press Ctrl-C, a long decomposition gets no thread of its own."""
    wide = make(900, 900)[0]
    alidade.PCA(n_jobs=1).fit(X)
    before = len(os.listdir("/proc/self/task"))
    worker = threading.Thread(target=lambda: alidade.PCA(n_components=400, solver="direct", n_jobs=1).fit(wide))
    worker.start()
    most = 0
    while worker.is_alive():
        most = max(most, len(os.listdir("/proc/self/task")))
        worker.join(0.001)
    assert before <= most <= before + 1


def test_who_hears(monkeypatch):
    from alidade._threads import listener
    assert listener() == threading.main_thread().ident
    for name in ("LokyProcess-1", "ForkPoolWorker-2", "SpawnPoolWorker-1"):
        monkeypatch.setattr(multiprocessing.current_process(), "_name", name)
        assert listener() == 0


def test_global_output():
    pandas = pytest.importorskip("pandas")
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(alidade.PCA().fit(X).transform(X), pandas.DataFrame)
    assert isinstance(alidade.PCA().fit(X).transform(X), np.ndarray)
