"""Messages of the library in the words of Python: what they advise can be done there."""
import glob
import inspect
import os
import re

import numpy as np
import pytest

import alidade
from alidade import _table
from alidade._functions import FUNCTIONS
from alidade._names import CLASSES
from alidade._params import _defaults
from alidade._spelling import spelled
from conftest import make

X, Y, CODES, _ = make(90, 6)
SOURCES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "src")
# Functions of C that Python does not offer, in messages that it cannot meet.
ONLY_C = {"ald_calibrate", "ald_predict_intervals", "ald_predict_sets"}


def python_names():
    """Parameters of everything that is public."""
    names = {*_table.OPTIONS, "X", "y"} | {name for cls in CLASSES for name in _defaults(getattr(alidade, cls))}
    for function in FUNCTIONS:
        thing = getattr(alidade, function)
        own = [thing] if inspect.isfunction(thing) else [member for _, member in inspect.getmembers(thing, inspect.isfunction)]
        names |= {name for one in own for name in inspect.signature(one).parameters}
    return names


def test_what_messages_advise_can_be_done_in_python():
    """Values to give and functions to call. A name alone is that of an argument that the caller gave."""
    known, unknown = python_names() | ONLY_C, set()
    files = glob.glob(os.path.join(SOURCES, "**", "*.c"), recursive=True)
    assert len(files) > 100
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
            for name in re.findall(r"`([a-z_0-9]+)=|`(?=ald_)(\w+)", spelled(literal.replace("%s", "pls"))):
                unknown |= {f"{os.path.basename(path)}: {literal}"} if "".join(name) not in known | {"pls"} else set()
    assert not unknown


@pytest.mark.parametrize("given, said", [
    ("give `task=classification`", 'give `task="classification"`'),
    ("`ridge=0.5`, `n_components`", "`ridge=0.5`, `n_components`"),
    ("write `grids=ridge=0,1,10`", 'write `grid="ridge=0,1,10"`'),
    ("`ald_method_param(pls)` lists those", "`help(alidade.PLS)` lists those"),
    ("`ald_method_at` lists them; `ald_model_save` wrote it", "`dir(alidade)` lists them; `alidade.save` wrote it"),
    ('`task="regression"`', '`task="regression"`'),
])
def test_spelling(given, said):
    assert spelled(given) == said


def message_of(call):
    with pytest.raises(ValueError) as told:
        call()
    return str(told.value)


def test_rows_without_a_target():
    """The option that leaves them out is named where it can be given: for tables, not for arrays."""
    gaps = np.where(np.arange(90) % 9 == 0, np.nan, Y)
    table = {"a": X[:, 0], "b": X[:, 1], "y": gaps}
    told = message_of(lambda: alidade.fit(table, target="y", method="pls"))
    assert '`unlabelled_rows="drop"`' in told
    assert alidade.fit(table, target="y", method="pls", unlabelled_rows="drop").n_features == 2
    codes = np.where(np.arange(90) % 9 == 0, -1, CODES)
    for call in (lambda: alidade.fit(X, y=gaps, method="pls"), lambda: alidade.compare(X, y=gaps, methods="pls"),
                 lambda: alidade.SDPP(n_components=1).fit(X, codes), lambda: alidade.PLS().fit(X, gaps)):
        try:
            call()
        except ValueError as error:
            assert "unlabelled_rows" not in str(error)
    assert "leave them out of X and y" in message_of(lambda: alidade.fit(X, y=gaps, method="pls"))


def test_what_a_model_is():
    assert "`alidade.save`" in message_of(lambda: alidade.load(__file__))
    assert "ald_" not in message_of(lambda: alidade.fit({"a": [1, 2, 4], "y": [1, 2, 3.5]}, "y", "qqqqqqqqq"))
    assert "`help(alidade.PLS)`" in message_of(lambda: alidade.fit({"a": [1, 2, 4], "y": [1, 2, 3.5]}, "y", "pls",
                                                                   qqqqqqqq=1))
