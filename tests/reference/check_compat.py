"""Models written by earlier versions stay readable. Usage: check_compat.py ALIDADE

tests/compat/format-N holds a model of that format, rows, and their projection as it was then. A new format adds a folder; no
folder is ever changed."""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

executable = os.path.abspath(sys.argv[1])
here = os.path.dirname(os.path.abspath(__file__))
compat = os.path.join(os.path.dirname(here), "compat")
checked = 0
for name in sorted(name for name in os.listdir(compat) if name.startswith("format-")):
    folder = os.path.join(compat, name)
    model, rows = os.path.join(folder, "model.ald"), os.path.join(folder, "rows.csv")
    got = subprocess.run([executable, "transform", "-q", model, rows], check=True, capture_output=True, text=True).stdout
    with open(os.path.join(folder, "projection.csv"), newline="") as file:
        want = list(csv.reader(file))
    got = list(csv.reader(got.splitlines()))
    assert want[0] == got[0] and len(want) == len(got), name
    for a, b in zip(want[1:], got[1:]):
        assert all(abs(float(u) - float(v)) <= 1e-12 * max(1.0, abs(float(u))) for u, v in zip(a, b)), (name, a, b)
    subprocess.run([executable, "inspect", model], check=True, capture_output=True)
    subprocess.run([executable, "evaluate", model, rows], check=True, capture_output=True)
    said = subprocess.run([executable, "predict", "-q", model, rows], check=True, capture_output=True, text=True).stdout
    assert len(said.splitlines()) == len(want), (name, said)
    # It is merged where it keeps statistics, and refused with the reason where it does not.
    with tempfile.TemporaryDirectory() as other:
        copied = shutil.copy(model, other)
        merged = subprocess.run([executable, "merge", model, copied, "-o", os.path.join(other, "both.ald")],
                                capture_output=True, text=True)
    assert merged.returncode == 0 or merged.returncode == 1 and "keeps no statistics" in merged.stderr, (name, merged)
    checked += 1
assert checked > 0, "there is no old model to read"
print(f"{checked} old format(s) read")
