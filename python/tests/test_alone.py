"""Without scikit-learn, scipy, pandas and matplotlib: the package imports, fits and says what it has to."""
import subprocess
import sys
import textwrap

ALONE = """
    import sys

    class Refuse:
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] in ("sklearn", "scipy", "pandas", "matplotlib", "joblib"):
                raise ImportError(f"no {name} here")
    sys.meta_path.insert(0, Refuse())

    import alidade
    assert "numpy" not in sys.modules
    import pickle
    import numpy as np
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    for name in sorted(alidade._names.CLASSES):
        cls = getattr(alidade, name)
        y = X[:, 0] + X[:, 1] ** 2 if cls._can.real else (X[:, 0] > 0)
        ours = cls(n_components=1)
        ours.fit_transform(X, y)
        assert repr(ours) == f"{name}(n_components=1)" and ours.get_params()["n_components"] == 1
        pickle.loads(pickle.dumps(ours))
        if cls._can.maps:
            assert ours.predict(X).shape == (60,) and ours.score(X, y) <= 1
    try:
        alidade.PLS().predict(X)
    except ValueError as error:
        assert "not fitted yet" in str(error) and isinstance(error, AttributeError)
    else:
        raise AssertionError
    assert not [name for name in sys.modules if name.split(".")[0] in ("sklearn", "scipy", "pandas")]
"""


def test_alone():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(ALONE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


NOTHING_ELSE = """
    import sys
    import alidade
    light = {name.split(".")[0] for name in sys.modules}
    assert not light & {"numpy", "sklearn", "scipy", "pandas", "matplotlib", "IPython"}, light
    import numpy as np
    X = np.random.default_rng(0).normal(size=(60, 5))
    for ours, y in ((alidade.PLS(), X[:, 0]), (alidade.LDA(), X[:, 0] > 0), (alidade.PCA(), None)):
        ours.fit(X, y).transform(X)
        if y is not None:
            ours.predict(X), ours.score(X, y)
    alidade.fit(X, y=X[:, 0], method="pls").predict(X)
    heavy = {name.split(".")[0] for name in sys.modules} & {"sklearn", "scipy", "pandas", "matplotlib", "IPython"}
    assert not heavy and "numpy.typing" not in sys.modules, heavy
"""


def test_nothing_else_is_loaded():
    """Where they are installed: they are imported when something needs them, not before."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(NOTHING_ELSE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
