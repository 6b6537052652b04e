#!/usr/bin/env python3
"""check_grid.py ROOT: the property grid (tests/methods/test_grid.c) as WebAssembly under node; 16 s of processor time, so
only with ALD_LONG, and where emscripten has built it."""
import os
import subprocess
import sys

import built

ROOT = os.path.abspath(sys.argv[1])
if not built.LONG:
    built.skip("ALD_LONG=1 builds and runs the property grid as WebAssembly")
built.build(ROOT, "wasm-grid")
GRID = built.need(ROOT, "build-wasm/wasm-grid.js")
# The program would ask for its file over the network, were it possible.
sys.exit(subprocess.run(["node", "--no-experimental-fetch", GRID], env={**os.environ, "ALD_LONG": ""}).returncode)
