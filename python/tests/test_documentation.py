"""The documentation of the classes: complete, and its examples run."""
import doctest
import importlib
import inspect
import re

import pytest

import alidade
from alidade._names import CLASSES
from conftest import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_examples(name):
    module = importlib.import_module(CLASSES[name])
    result = doctest.testmod(module)
    assert result.attempted >= 6 and result.failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_described(name):
    cls = getattr(alidade, name)
    arguments = list(inspect.signature(cls.__init__).parameters)[1:]
    if name.endswith("Classifier"):
        assert f"those of {name[:-10]}, without `task`" in " ".join(cls.__doc__.split())
        assert arguments == [a for a in inspect.signature(cls.__mro__[2].__init__).parameters if a not in ("self", "task")]
        return
    section = cls.__doc__.split("Parameters\n")[1].split("Attributes\n")[0]
    assert re.findall(r"^    (\w+) : ", section, re.M) == arguments
    for title in ("Attributes", "References", "Examples", "What it finds", "When to use it"):
        assert title in cls.__doc__, title


def test_every_method_of_the_library_is_there():
    assert len(CLASSES) >= 50 and set(NAMES) <= set(dir(alidade))
    with pytest.raises(AttributeError, match="no attribute 'NOTHING'"):
        alidade.NOTHING
