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
