"""The examples run, and draw their pictures."""
import os
import re
import runpy
import sys

import pytest

from conftest import DATA

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
NAMES = ("spectra", "genes", "labels", "digits", "directions", "stream")


def test_all_are_listed():
    found = {name[:-3] for name in os.listdir(EXAMPLES) if name.endswith(".py")}
    assert found == {*NAMES, "shared"}


@pytest.mark.filterwarnings("ignore::alidade.AlidadeWarning")
@pytest.mark.parametrize("name", NAMES)
def test_example(name, tmp_path, monkeypatch, capsys):
    for needed in ("matplotlib", "scipy"):
        pytest.importorskip(needed)
    monkeypatch.setattr(sys, "argv", [name, str(tmp_path)])
    monkeypatch.syspath_prepend(EXAMPLES)
    try:
        runpy.run_path(os.path.join(EXAMPLES, name + ".py"), run_name="__main__")
    except SystemExit as end:
        assert end.code == 77
        pytest.skip(capsys.readouterr().out.strip())
    finally:
        import matplotlib.pyplot as plt
        plt.close("all")
    assert 5000 < os.path.getsize(tmp_path / f"python-{name}.png") < 100_000
    assert capsys.readouterr().out


PAGE = os.path.join(EXAMPLES, "..", "..", "docs", "python.md")


@pytest.mark.filterwarnings("ignore::alidade.AlidadeWarning")
@pytest.mark.skipif(not os.path.exists(PAGE), reason="the page is not part of the package")
def test_page(tmp_path, monkeypatch):
    """What the page shows runs, one block after the other."""
    for needed in ("sklearn", "matplotlib"):
        pytest.importorskip(needed)
    for name in os.listdir(DATA):
        os.symlink(os.path.join(os.path.abspath(DATA), name), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    with open(PAGE, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.S | re.M)
    assert len(blocks) >= 4
    known = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), known)
    assert os.path.exists("fat.ald") and len(known["model"].feature_names) == 5
