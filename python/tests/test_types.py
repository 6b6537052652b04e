"""What type checkers are told: every public function says what it takes and gives, the stubs have the names of the package,
and mypy, where it is installed, agrees."""
import ast
import importlib.util
import inspect
import os
import subprocess
import sys

import pytest

import alidade
from alidade import _core
from alidade._functions import FUNCTIONS
from alidade._names import CLASSES

PACKAGE = os.path.dirname(os.path.realpath(alidade.__file__))


def functions_of(thing):
    """(name, function) of a function, or of the methods and properties of a class that people use."""
    if not inspect.isclass(thing):
        return [(thing.__name__, thing)]
    members = [(name, inspect.getattr_static(thing, name)) for name in dir(thing)
               if not name.startswith("_") or name == "__init__"]
    plain = [(f"{thing.__name__}.{name}", getattr(member, "__func__", getattr(member, "fget", member)))
             for name, member in members]
    return [(name, getattr(member, "function", member)) for name, member in plain if callable(member)]


def unannotated(name, function):
    if not (getattr(function, "__module__", None) or "").startswith("alidade"):
        return []
    signature = inspect.signature(function)
    bare = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name not in ("self", "cls")]
    return [f"{name}: {what}" for what in bare + ["what it gives"] * (signature.return_annotation is signature.empty)]


@pytest.mark.parametrize("name", sorted({*FUNCTIONS, *CLASSES}))
def test_annotated(name):
    told = [line for pair in functions_of(getattr(alidade, name)) for line in unannotated(*pair)]
    assert not told, told


def stub(name):
    """The names that a stub defines or passes on, and its functions."""
    with open(os.path.join(PACKAGE, name), encoding="utf-8") as file:
        body = ast.parse(file.read()).body
    names = {alias.asname for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
    return names, {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def test_names():
    assert stub("_functions_stub.pyi")[0] == set(FUNCTIONS)
    assert stub("__init__.pyi")[0] - {None} == {*CLASSES, "AlidadeWarning"}
    assert set(stub("_core.pyi")[1]) == {name for name in dir(_core) if not name.startswith("_")}


USER = """
import numpy as np
import alidade
X = np.zeros((3, 2))
table = alidade.read_table("a.csv", target="y")
model: alidade.Model = alidade.fit({"a": [1], "y": [2]}, target=["y"], method="pls", n_components=2)
found: alidade.Comparison = alidade.compare(table, methods="pls", components=range(1, 3), grid={"ridge": [0, 1]})
alidade.tune("a.csv", target=0, progress=print).model.save("m.ald")
fitted: alidade.PLS = alidade.PLS(n_components=2).fit(X, [1.0, 2.0, 3.0], sample_weight=[1, 1, 2])
shape: tuple[int, ...] = fitted.predict(X).shape
alidade.ScoresDisplay.from_estimator(fitted, X, ax=None).plot()
alidade.fit(123)
alidade.tune(table, rule="worst")
alidade.PLS(algorithm="other")
alidade.dimension(table, permutations="many")
alidade.nothing
"""


@pytest.mark.skipif(not importlib.util.find_spec("mypy"), reason="mypy is not installed")
def test_mypy(tmp_path):
    """The last five lines are wrong, and nothing else is, here or in the package."""
    (tmp_path / "user.py").write_text(USER)
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"),
                           PACKAGE, str(tmp_path / "user.py")], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})
    lines = [line for line in done.stdout.splitlines() if " error: " in line]
    last = USER.count("\n")
    wrong = [int(line.split("user.py:")[1].split(":")[0]) if "user.py:" in line else line for line in lines]
    assert wrong == list(range(last - 4, last + 1)), done.stdout
