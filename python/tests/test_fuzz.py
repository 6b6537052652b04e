"""Wrong arguments of every kind end in exceptions; all 2000 with ALD_LONG."""
import os
import subprocess
import sys


def test_fuzz():
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz.py")
    calls = "2000" if os.environ.get("ALD_LONG") else "300"
    done = subprocess.run([sys.executable, script, calls], capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
