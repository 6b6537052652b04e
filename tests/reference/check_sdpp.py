"""sdpp against the convex problem solved by cvxopt's coneqp, the criterion written out edge by edge. Usage: check_sdpp.py ALIDADE

J to 1e-6, P = W W' to 1e-3 (it moves by the root of what J does, times the condition), the certified gap to 1e-6 of J(0): for every
solver at r = d, where conjugate gradient solves the convex problem too."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

try:
    from cvxopt import matrix, solvers
except ImportError:
    print("python3-cvxopt is not there: skipped")
    sys.exit(77)
solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12, maxiters=200)

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(4)
failures, checks = [], 0


def edges(x, y, k):
    """Differences of the rows and squared distances of the responses over all i and their k nearest j."""
    square = ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)
    np.fill_diagonal(square, np.inf)
    j = np.argsort(square, 1, kind="stable")[:, :k].ravel()
    i = np.repeat(np.arange(len(x)), k)
    return x[i] - x[j], ((y[i] - y[j]) ** 2).sum(1)


def criterion(p, tau, delta, n, ridge=0.0):
    return ((np.einsum("ea,ab,eb->e", tau, p, tau) - delta) ** 2).sum() / n + ridge * np.trace(p)


def by_cvxopt(tau, delta, n, ridge=0.0):
    """The minimum over P >= 0, in coordinates in which the differences have unit scatter and unit distances are wanted."""
    d = tau.shape[1]
    values, vectors = np.linalg.eigh(tau.T @ tau / len(tau))
    m, unit = vectors / np.sqrt(values), delta.mean()
    t = tau @ m
    upper = [(a, b) for a in range(d) for b in range(a, d)]
    columns = np.column_stack([t[:, a] * t[:, b] * (1 if a == b else 2) for a, b in upper])
    linear = -2 * columns.T @ (delta / unit) / n + np.array([ridge * (m.T @ m)[a, b] * (1 if a == b else 2) for a, b in upper]) / unit
    cone = np.zeros((d * d, len(upper)))
    for c, (a, b) in enumerate(upper):
        cone[a * d + b, c] = cone[b * d + a, c] = -1
    solution = solvers.coneqp(matrix(2 * columns.T @ columns / n), matrix(linear), matrix(cone), matrix(np.zeros(d * d)),
                              dims={"l": 0, "q": [], "s": [d]})
    p = np.zeros((d, d))
    for c, (a, b) in enumerate(upper):
        p[a, b] = p[b, a] = solution["x"][c]
    p = m @ p @ m.T * unit
    return p, criterion(p, tau, delta, n, ridge)


def fit(folder, x, y, *options):
    path, model = os.path.join(folder, "t.npy"), os.path.join(folder, "m.ald")
    np.save(path, np.column_stack([x, y]))
    d, q = x.shape[1], y.shape[1]
    subprocess.run([executable, "fit", "-q", path, "--target", f"#{d + 1}..#{d + q}", "--task", "regression", "--method", "sdpp", "-o", model,
                    *options], check=True)
    with open(model, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    told = json.loads(subprocess.run([executable, "inspect", "--json", model], check=True, capture_output=True).stdout)["resolved"]
    w = header["components"]
    return np.frombuffer(data[slice(*w["data_offsets"])], "<f8").reshape(w["shape"]).T, told


def expect(what, value, bar):
    global checks
    checks += 1
    if not value <= bar:
        failures.append(f"{what}: {value:.2e} > {bar:.0e}")


def check(folder, name, x, y, k, ridge=0.0):
    n, d = x.shape
    tau, delta = edges(x, y, k)
    best, lowest = by_cvxopt(tau, delta, n, ridge)
    for solver in ("first-order", "auto", "cg"):
        w, told = fit(folder, x, y, "--dims", str(d), "--n-neighbors", str(k), "--solver", solver, "--ridge", repr(ridge))
        j = criterion(w @ w.T, tau, delta, n, ridge)
        expect(f"{name} {solver}: J", abs(j / lowest - 1), 1e-6)
        expect(f"{name} {solver}: P", np.linalg.norm(w @ w.T - best) / np.linalg.norm(best), 1e-3)
        expect(f"{name} {solver}: relative_gap", told["relative_gap"], 1e-6)
        expect(f"{name} {solver}: objective", abs(told["objective"] / j - 1), 1e-9)


with tempfile.TemporaryDirectory() as folder:
    for d in (3, 5, 8, 12, 20):
        x = rng.random((300, d))
        y = np.sin(3 * x[:, :1]) * np.sin(3 * x[:, 1:2]) + 0.1 * rng.standard_normal((300, 1))
        check(folder, f"d = {d}", x, y, 10)
    x = rng.standard_normal((200, 6)) * [1, 2, 5, 0.1, 1, 30]
    y = np.column_stack([x[:, 0] ** 2, x[:, 1] * x[:, 2], rng.standard_normal(200)])
    check(folder, "three responses", x, y, 8)
    check(folder, "ridge", x, y, 8, ridge=50.0)

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} figures agree")
