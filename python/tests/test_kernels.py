"""The kernels of OpenBLAS: the fast ones where the package loads it, a warning where numpy did; show_versions tells them.
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
START = """
    import alidade
    from alidade import _core, _kernels
"""
FIT = """
    import hashlib
    import numpy as np
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 60))
    y = X @ rng.normal(size=60)
    told = [hashlib.sha256(alidade.fit(X, y=y, method=method, random_state=0).to_bytes()).hexdigest()
            for method in ("pls", "pca", "kpca", "sir")]
    print(_kernels.name(_core.about()["backend"]), *told)
"""


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


def test_the_fast_ones_where_we_load_it():
    """The models are those of a process that was started with the fast kernels, as the command line restarts itself."""
    best = faster()
    expected, _ = run(best, START + FIT)
    found, said = run(OLD, START + """
    import os
    del os.environ["OPENBLAS_CORETYPE"]
    _kernels.settle(_core, set())
    assert os.getenv("OPENBLAS_CORETYPE") is None
    """ + FIT)
    assert found == expected and "Warning" not in said
    chosen, _ = run(OLD, START + FIT)
    assert chosen[0] == OLD  # who names kernels gets them


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
