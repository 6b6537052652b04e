"""A file that does not fit into memory: it is read in blocks, and rows are projected a block at a time. The file here is
small, so that the example is quick: stream.py FOLDER ROWS makes a larger one."""
import os
import resource
import sys
import tempfile
import time

import alidade
import matplotlib.pyplot as plt
import numpy as np

from shared import save

ROWS = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
COLUMNS = 50
rng = np.random.default_rng(0)
directions = rng.normal(size=(COLUMNS, 2))


def block(rows):
    X = rng.normal(size=(rows, COLUMNS))
    return np.column_stack([X, X @ directions @ [1.0, -0.5] + 0.5 * rng.normal(size=rows)])


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "large.csv")
    with open(path, "w") as file:
        file.write(",".join([*(f"x{j}" for j in range(COLUMNS)), "y"]) + "\n")
        for done in range(0, ROWS, 1_000):
            for row in block(min(1_000, ROWS - done)).tolist():
                file.write(",".join(map(repr, row)) + "\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began = time.perf_counter()
    model = alidade.fit(path, target="y", method="pls", n_components=2, stream=True,
                        keep_rows="none")
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(model)
    print(f"{os.path.getsize(path) / 1e6:.0f} MB read in blocks in {seconds:.1f} s; "
          f"memory grew by {after - before:.0f} MB")

new = block(2000)  # rows that arrive later, as an array
figure, ax = plt.subplots(figsize=(5, 3.8))
alidade.PredictionErrorDisplay.from_predictions(new[:, -1], model.predict(new[:, :-1]), ax=ax, s=6)
save(figure, "python-stream")
