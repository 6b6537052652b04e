"""The kernels that OpenBLAS computes with, and show_versions.

OpenBLAS chooses them when it is loaded and takes very old ones for processors younger than itself, which are several times
slower and give other last digits. The library has one rule for all programs: where it brings OpenBLAS along, the fast ones
are taken, so that Python and the command line give the same models; where numpy has loaded the same OpenBLAS before, a
warning says what to do."""
from __future__ import annotations

import re
import sys
from typing import Any

REMEDY = ("OpenBLAS was loaded before alidade, as a rule by numpy, and computes with kernels for old processors ({old}): several "
          "times slower than with those for this one ({new}), and models differ from the command line's in their last digits. "
          "Import alidade before numpy, or set OPENBLAS_CORETYPE={new} before Python starts")


def name(backend):
    """That of the kernels in the line by which OpenBLAS describes itself."""
    found = re.search(r"(\w+) MAX_THREADS|(\w+) SINGLE_THREADED", backend)
    return next((word for word in found.groups() if word), "") if found else ""


def settle(core):
    """Behind the import of the extension: a warning where it came too late for the fast kernels."""
    about = core.about()
    if about["faster"]:
        from alidade import _warn
        _warn.give(core.AlidadeWarning, REMEDY.format(old=name(about["backend"]), new=about["faster"]))


def show_versions(file: Any = None) -> None:
    """Print what a report of a problem should say: versions, the backend and its kernels, threads.

    Parameters
    ----------
    file : file, optional
        Standard output by default.
    """
    import platform

    from alidade import _core
    about = _core.about()
    rows = [("alidade", about["version"]), ("python", sys.version.split()[0]), ("platform", platform.platform()),
            ("backend", about["backend"]), ("kernels", name(about["backend"]) or "not known")]
    if about["faster"]:
        rows.append(("", f"slow: set OPENBLAS_CORETYPE={about['faster']} before Python starts"))
    rows += [("features", about["features"]), ("numpy", _version("numpy"))]
    rows += [(module, _version(module)) for module in ("scipy", "sklearn", "pandas", "polars", "pyarrow", "matplotlib")]
    for title, value in rows:
        print(f"{title:12} {value}", file=file)


def _version(module):
    """Without importing it."""
    from importlib import metadata
    try:
        return metadata.version({"sklearn": "scikit-learn"}.get(module, module))
    except metadata.PackageNotFoundError:
        return "not installed"
