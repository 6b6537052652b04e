"""What y is, is decided by its type and the parameter `task`, never by which rows are there."""
import warnings

import numpy as np
import pytest

import alidade
from alidade._names import CLASSES
from conftest import make

X, Y, CODES, LABELS = make(90, 6)
BOTH = sorted(name for name in CLASSES if name + "Classifier" in CLASSES)


def kind_of(y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("error", alidade.AlidadeWarning)
        return alidade.PLS(**parameters).fit(X[:len(y)], y)._target.kind


def test_the_type_decides():
    pandas = pytest.importorskip("pandas")
    assert {kind_of(y) for y in (CODES, CODES > 0, CODES.astype(str), CODES.astype(object), CODES.astype(np.uint8),
                                 pandas.Series(CODES, dtype="category"), pandas.Series(CODES / 2, dtype="category"),
                                 pandas.Series(CODES, dtype="Int64"), pandas.Series(CODES > 0, dtype="boolean"),
                                 pandas.DataFrame({"y": CODES.astype(str)})["y"], CODES.tolist())} == {"classes"}
    assert {kind_of(y) for y in (Y, CODES.astype(float), CODES.astype(np.float32), pandas.Series(CODES, dtype="Float64"))} \
        == {"real"}
    assert {kind_of(y) for y in (LABELS, LABELS > 0, LABELS.astype(np.uint8))} == {"labels"}
    assert kind_of(np.column_stack([Y, Y])) == "real"
    assert kind_of(LABELS, task="regression") == "real" and kind_of(LABELS.astype(float), task="multilabel") == "labels"
    assert kind_of(LABELS, task="classification") == "labels"


def test_whole_numbers_are_one_thing_in_every_fold():
    """Counts of which a part has 20 different values and another more: classes in all, and said so."""
    counts = np.random.default_rng(0).poisson(30, size=90)
    parts = [np.arange(90) % 4 != fold for fold in range(4)]
    sizes = {len(np.unique(counts[part])) for part in parts} | {len(np.unique(counts[:15]))}
    assert min(sizes) <= 20 < max(sizes)
    for part in [*parts, np.arange(90) < 15]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert alidade.PLS().fit(X[part], counts[part])._target.kind == "classes"
            assert alidade.PLS(task="regression").fit(X[part], counts[part])._target.kind == "real"


@pytest.mark.parametrize("y, words", [
    (np.arange(90) % 30, 'y has 30 different whole numbers.*`task="regression"`.*`task="classification"`'),
    (np.where(np.arange(90) % 2, 1.5, 2).astype(object), 'objects.*`task="regression"`'),
    (LABELS.astype(float), 'several columns of floats.*`task="multilabel"`'),
])
def test_what_looks_like_the_other(y, words):
    with pytest.warns(alidade.AlidadeWarning, match=words) as heard:
        alidade.PLS().fit(X, y)
    assert heard[0].filename == __file__
    for task in ("regression", "classification" if y.ndim == 1 else "multilabel"):
        with warnings.catch_warnings():
            warnings.simplefilter("error", alidade.AlidadeWarning)
            alidade.PLS(task=task).fit(X, y)


def test_several_columns_of_other_whole_numbers():
    with pytest.warns(alidade.AlidadeWarning, match='several columns of whole numbers.*`task="regression"`'):
        assert alidade.PLS().fit(X, LABELS * 3)._target.kind == "real"
    with pytest.raises(ValueError, match="labels of 0 and 1"):
        alidade.PLSClassifier().fit(X, LABELS * 3)


def test_decisions_about_labels():
    ours = alidade.PLSClassifier().fit(X, LABELS)
    assert np.array_equal(ours.decision_function(X) > 0, ours.predict(X))


@pytest.mark.parametrize("y, kind", [(CODES, "classes"), (CODES.astype(float), "real"), (LABELS, "labels"),
                                     (np.array(["u", "v", "w"])[CODES], "classes"), (np.column_stack([Y, Y]), "real")])
def test_tables_of_arrays_and_frames(y, kind):
    pandas = pytest.importorskip("pandas")
    assert alidade.read_table(X, y=y).kind == kind
    assert alidade.read_table(pandas.DataFrame(X, columns=list("abcdef")), y=y).kind == kind
    again = alidade.read_table(X, y=y).y
    assert np.array_equal(again, y) and alidade.read_table(X, y=again).kind == kind


def test_whole_numbers_for_methods_of_numbers_alone():
    """phd takes no classes, whatever holds its response."""
    y = np.round(3 * X[:, 0] ** 2).astype(int)
    assert alidade.fit(X, y=y, method="phd").target == "real"
    assert alidade.PHD().fit(X, y)._target.kind == "real"


@pytest.mark.parametrize("name", BOTH)
def test_classifiers(name):
    cls = getattr(alidade, name + "Classifier")
    assert issubclass(cls, getattr(alidade, name)) and "task" not in cls().get_params()
    ours = cls(n_components=1).fit(X, CODES.astype(float))
    same = getattr(alidade, name)(n_components=1, task="classification").fit(X, CODES.astype(float))
    assert ours._target.kind == "classes" and np.array_equal(ours.classes_, [0.0, 1.0, 2.0])
    assert np.array_equal(ours.predict(X), same.predict(X))
    assert ours.score(X, CODES) == np.mean(ours.predict(X) == CODES)
    with pytest.raises(ValueError, match="Unknown label type"):
        cls().fit(X, Y)


def test_classifiers_come_from_what_methods_can():
    assert len(BOTH) >= 21 and "LDA" not in BOTH and "MKDR" not in BOTH
    assert alidade.CCAClassifier().fit(X, LABELS).predict(X).shape == LABELS.shape
    assert alidade.CCAClassifier().fit(X, LABELS.astype(float))._target.kind == "labels"


def test_scikit_learn_agrees():
    base = pytest.importorskip("sklearn.base")
    selection = pytest.importorskip("sklearn.model_selection")

    def kind(estimator):
        return base.is_classifier(estimator), base.is_regressor(estimator)
    assert kind(alidade.LDA()) == kind(alidade.PLSClassifier()) == kind(alidade.PLS(task="classification")) == (True, False)
    assert kind(alidade.PHD()) == kind(alidade.PLS(task="regression")) == (False, True)
    assert kind(alidade.PLS()) == (False, False)
    assert kind(alidade.PLS().fit(X, Y)) == (False, True)
    assert kind(alidade.PLS().fit(X, CODES)) == kind(alidade.PLS().fit(X, LABELS)) == (True, False)
    assert kind(alidade.PCA().fit(X)) == kind(alidade.PLS(predictor="none").fit(X, Y)) == (False, False)
    order = np.argsort(CODES, kind="stable")
    for estimator in (alidade.PLSClassifier(), alidade.PLS(task="classification")):
        found = selection.cross_val_score(estimator, X[order], CODES[order], cv=3)
        folds = selection.StratifiedKFold(3).split(X[order], CODES[order])
        expected = [np.mean(base.clone(estimator).fit(X[order][a], CODES[order][a]).predict(X[order][b]) == CODES[order][b])
                    for a, b in folds]
        assert np.array_equal(found, expected)


def test_tags():
    tags = pytest.importorskip("sklearn.utils._tags")
    if hasattr(tags, "_safe_tags"):
        assert tags._safe_tags(alidade.PLSClassifier(), "multilabel") and tags._safe_tags(alidade.PLS(), "multioutput")
        assert not tags._safe_tags(alidade.SIRClassifier(), "multioutput")
        assert not tags._safe_tags(alidade.PLS(task="regression"), "multilabel")
        return
    told = tags.get_tags(alidade.PLSClassifier())
    assert told.estimator_type == "classifier" and told.regressor_tags is None and told.classifier_tags is not None
    told = tags.get_tags(alidade.PLS(task="regression"))
    assert told.estimator_type == "regressor" and told.classifier_tags is None
