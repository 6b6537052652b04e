"""The examples run, and draw their pictures."""
import os
import runpy
import sys

import pytest

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
