"""Continuity and trustworthiness against numpy and scikit-learn. Usage: check_continuity.py ALIDADE

The projection is what `alidade transform` writes; ranks are taken from a stable sort of each row of the full distance matrix, so
ties go to the lower index. Sums are of whole numbers: 1e-12 leaves room for the last division only."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.manifold import trustworthiness

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(5)
n, d = 130, 6
x = rng.standard_normal((n, d))
targets = {
    "one response": (np.sin(x[:, :1]) + 0.1 * rng.standard_normal((n, 1)), "regression"),
    "three responses": (x[:, :3] @ rng.standard_normal((3, 3)) + 0.1 * rng.standard_normal((n, 3)), "regression"),
    "ties": (np.round(x[:, :1] + x[:, 1:2]), "regression"),
    "classes": ((x[:, :1] > 0) + (x[:, 1:2] > 0.5) * 1.0, "classification"),
    "labels": ((x[:, :4] + 0.3 * rng.standard_normal((n, 4)) > 0) * 1.0, "multilabel"),
}
failures, checks = [], 0


def distances(a):
    return np.sqrt(((a[:, None, :] - a[None, :, :]) ** 2).sum(2))


def ranks(a):
    """ranks[i, j] = 1 .. n - 1, and 0 for i itself."""
    order = distances(a)
    np.fill_diagonal(order, -1.0)
    result = np.empty((n, n), int)
    for i in range(n):
        result[i, np.argsort(order[i], kind="stable")] = np.arange(n)
    return result


def measure(near, ranked, k):
    inside = (near >= 1) & (near <= k)
    c = 2 / (n * k * (2 * n - 3 * k - 1)) if k < n / 2 else 2 / (n * (n - k) * (n - k - 1))
    return 1 - c * np.sum((ranked - k)[inside & (ranked > k)])


def check(name, got, want):
    global checks
    checks += 1
    if not abs(got - want) <= 1e-12:
        failures.append(f"{name}: {got!r}, not {want!r}")


def run(*arguments):
    return subprocess.run([executable, *arguments], check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    table, model, projection = (os.path.join(folder, name) for name in ("t.npy", "m.ald", "z.npy"))
    sizes = [1, 2, 5, 10, 40, 64, 65, 66, 100, 128]
    for name, (y, task) in targets.items():
        np.save(table, np.column_stack([x, y]))
        for dims in ("1", "3"):
            columns = f"#{d + 1}..#{d + y.shape[1]}"
            run("fit", "-q", table, "--target", columns, "--task", task, "--method", "pca", "--dims", dims, "-o", model)
            run("transform", "-q", model, table, "-o", projection)
            z = np.load(projection)
            curve = json.loads(run("evaluate", "-q", model, table, "--continuity", "--continuity-k", ",".join(map(str, sizes)), "--json"))["continuity"]
            spread = y[:, 0] if task == "classification" else y
            space = (spread[:, None] != np.unique(spread)[None, :]) * 1.0 if task == "classification" else y
            in_z, in_y = ranks(z), ranks(space)
            for k, continuity, trust in zip(curve["k"], curve["continuity"], curve["trustworthiness"]):
                check(f"continuity, {name}, {dims}, k = {k}", continuity, measure(in_z, in_y, k))
                check(f"trustworthiness, {name}, {dims}, k = {k}", trust, measure(in_y, in_z, k))
                if k < n / 2 and "response" in name:
                    check(f"scikit-learn, {name}, k = {k}", continuity, trustworthiness(y, z, n_neighbors=k))
                    check(f"scikit-learn, {name}, k = {k}", trust, trustworthiness(z, y, n_neighbors=k))
            check(f"mean, {name}", curve["mean"], np.mean(curve["continuity"]))

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} figures agree")
