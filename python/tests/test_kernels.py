"""The kernels of OpenBLAS: a warning where numpy loaded it with old ones before us; show_versions tells them.
Old kernels are had by OPENBLAS_CORETYPE, which is taken away again before the package looks."""
import io
import os
import subprocess
import sys
import textwrap

import pytest

import alidade
from alidade import _core, _kernels

NAME = _kernels.name(_core.about()["backend"])
OLD = "Prescott"
def run(core, code):
    """What a program says whose OpenBLAS is loaded with these kernels."""
    environment = {**os.environ, "OPENBLAS_CORETYPE": core, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def faster():
    """The kernels that would be taken for old ones here."""
    said, _ = run(OLD, """
        import os
        from alidade import _core, _kernels
        del os.environ["OPENBLAS_CORETYPE"]
        print(_kernels.name(_core.about()["backend"]), _core.about()["faster"])
    """)
    if said[0] != OLD or said[1] == "None":
        pytest.skip(f"OpenBLAS has no old kernels here, or the processor no faster ones: {said}")
    return said[1]


def test_no_warning_where_all_is_well():
    """Whoever names kernels gets them without a word; so does an import before numpy."""
    assert run(OLD, "import alidade, numpy") == ([], "")
    assert run(NAME, "import alidade, numpy") == ([], "")


def test_a_warning_where_numpy_loaded_it():
    best = faster()
    found, said = run(OLD, """
        import os
        import numpy
        from pathlib import Path
        there = "openblas" in Path("/proc/self/maps").read_text()
        del os.environ["OPENBLAS_CORETYPE"]
        import alidade
        from alidade import _core, _kernels
        print(int(there), _kernels.name(_core.about()["backend"]))
    """)
    if found[0] == "0" or found[1] != OLD:
        pytest.skip("numpy has another BLAS than the package")
    assert "AlidadeWarning: OpenBLAS was loaded before alidade" in said and f"OPENBLAS_CORETYPE={best}" in said


def test_show_versions():
    told = io.StringIO()
    alidade.show_versions(told)
    lines = dict(line.split(None, 1) for line in told.getvalue().splitlines() if line[0] != " ")
    assert lines["alidade"] == alidade.__version__ and lines["kernels"] == (NAME or "not known")
    assert lines["backend"] == _core.about()["backend"] and "numpy" in lines
