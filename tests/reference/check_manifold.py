"""rsir, lsir, mkdr and cmvu against their definitions written out in numpy, with rows that have no target. Usage: check_manifold.py ALIDADE

With ALD_LONG=1 and ALD_SHARED_DATA also the experiments of Bian and Tao (2009): Table 1 (USPS) and COIL-20 in two dimensions, beside the
figures of the paper, and the bars that they must clear."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
import scipy.optimize

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(5)
n, d = 90, 6
x = rng.standard_normal((n, d)) * np.linspace(2, 0.5, d) + rng.standard_normal(d)
classes = np.arange(n) % 3
x[np.arange(n), classes] += 1.5
y = x[:, 0] / (0.5 + (x[:, 1] + 1.5) ** 2) + 0.2 * rng.standard_normal(n)
labelled = (np.arange(n) % 5 != 0) & (np.arange(n) % 7 != 0)
squares = ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)
failures, checks = [], 0


def check(name, ok, told=""):
    global checks
    checks += 1
    if not ok:
        failures.append(f"{name}: {told}")


def write_table(path, rows, target):
    """CSV with an empty cell where the target is None."""
    with open(path, "w") as file:
        file.write(",".join([f"f{j}" for j in range(rows.shape[1])] + ["y"]) + "\n")
        for row, value in zip(rows, target):
            file.write(",".join([repr(float(v)) for v in row] + ["" if value is None else str(value)]) + "\n")


def run(*arguments):
    done = subprocess.run([executable, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}\n{done.stderr}")
    return done.stdout


def fit(folder, target, mask, method, dims, *options):
    table, model = os.path.join(folder, "t.csv"), os.path.join(folder, "m.ald")
    write_table(table, x, [v if m else None for v, m in zip(target, mask)])
    run("fit", "-q", table, "--target", "y", "--method", method, "--dims", str(dims), "-o", model, *options)
    with open(model, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    arrays = {k: np.frombuffer(data[slice(*v["data_offsets"])], "<f8").reshape(v["shape"]) for k, v in header.items() if k != "__metadata__"}
    resolved = {k[17:]: v for k, v in header["__metadata__"].items() if k.startswith("alidade.resolved.")}
    return arrays, resolved


def sine(a, b):
    qa, qb = np.linalg.qr(a.T)[0], np.linalg.qr(b.T)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def neighbours(k, allowed=None):
    """The k nearest of each row, itself left out, among the rows that are allowed for it."""
    far = squares + np.diag(np.full(n, np.inf))
    if allowed is not None:
        far = np.where(allowed, far, np.inf)
    return [[j for j in np.argsort(far[i], kind="stable")[:k] if np.isfinite(far[i, j])] for i in range(n)]


def slices(target, mask, real):
    of = np.full(n, -1)
    values = target[mask]
    of[mask] = [int(10 * np.sum(values < v) // len(values)) for v in values] if real else values
    return of


def check_rsir(folder):
    near = neighbours(5)
    width = np.mean([squares[i, j] for i in range(n) for j in near[i]])
    knn = np.zeros((n, n))
    for i in range(n):
        for j in near[i]:
            knn[i, j] = knn[j, i] = np.exp(-squares[i, j] / width)
    full = np.exp(-squares / np.median(squares[np.triu_indices(n, 1)]))
    ball = (squares < 4.0).astype(float)
    graphs = [("knn", knn, []), ("full", full, ["--graph", "full"]), ("epsilon", ball, ["--graph", "epsilon", "--radius", "2"])]
    for name, w, options in graphs:
        for real in (False, True):
            for mask in (np.ones(n, bool), labelled):
                for eta, ridge in ((1.0, 0.0), (10.0, 0.3)):
                    target, of = (y, slices(y, mask, True)) if real else (classes, slices(classes, mask, False))
                    mean = x[mask].mean(0)
                    sigma = np.cov(x[mask].T, bias=True) + ridge * np.eye(d)
                    gamma = sum(np.mean(of[mask] == s) * np.outer(*(2 * [x[of == s].mean(0) - mean])) for s in np.unique(of[mask]))
                    degree = w.sum(1)
                    xs = x - degree @ x / degree.sum()
                    spread, quad = xs.T @ (degree[:, None] * xs), xs.T @ ((np.diag(degree) - w) @ xs)

                    def f(b):
                        b = b.reshape(d, 2)
                        return (eta * np.trace(np.linalg.solve(b.T @ spread @ b, b.T @ quad @ b))
                                - np.trace(np.linalg.solve(b.T @ sigma @ b, b.T @ gamma @ b)))

                    best = min((scipy.optimize.minimize(f, rng.standard_normal(2 * d), method="BFGS", options={"gtol": 1e-9}) for _ in range(4)),
                               key=lambda r: r.fun)
                    model, told = fit(folder, target, mask, "rsir", 2, "--task", "regression" if real else "classification", "--eta", str(eta),
                                      "--ridge", str(ridge), "--tol", "1e-10", *options)
                    where = f"rsir {name} {'real' if real else 'classes'} {mask.sum()} eta {eta}"
                    b = model["components"].T
                    check(where, abs(f(b) - best.fun) < 1e-7, f"F {f(b)} beside {best.fun}")
                    check(where, abs(float(told["objective"]) - f(b)) < 1e-8, f"told {told['objective']}")
                    check(where, sine(model["components"], best.x.reshape(d, 2).T) < 1e-3, "another subspace")
                    check(where, np.abs(b.T @ sigma @ b - np.eye(2)).max() < 1e-9, "B'Sigma B is not I")
                    check(where, np.abs(b.T @ gamma @ b - np.diag(model["eigenvalues"])).max() < 1e-9, "B'Gamma B is not diagonal")


def check_lsir(folder):
    for real in (False, True):
        for mask in (np.ones(n, bool), labelled):
            target = y if real else classes
            of = slices(target, mask, real)
            allowed = (of[:, None] == of[None, :]) | (of[:, None] < 0) | (of[None, :] < 0)
            means = np.array([x[[i] + near].mean(0) for i, near in enumerate(neighbours(5, allowed))]) - x.mean(0)
            sigma = np.cov(x.T, bias=True)
            ridge = 0.2 + 0.03 * np.linalg.eigvalsh(sigma)[-1]
            values, vectors = scipy.linalg.eigh(means.T @ means / n, sigma + ridge * np.eye(d))
            for solver in ("direct", "dual", "two-stage"):
                model, _ = fit(folder, target, mask, "lsir", 2, "--task", "regression" if real else "classification", "--n-neighbors", "6",
                               "--ridge", "0.2", "--solver", solver, "--tol", "1e-15")
                where = f"lsir {'real' if real else 'classes'} {mask.sum()} {solver}"
                check(where, sine(model["components"], vectors[:, -2:].T) < 1e-8, "another subspace")
                check(where, np.abs(model["eigenvalues"] - values[:-3:-1]).max() < 1e-9, "other eigenvalues")


def graph_functions(k, m):
    w = np.zeros((n, n))
    for i, near in enumerate(neighbours(k)):
        w[i, near] = w[near, i] = 1.0
    root = 1 / np.sqrt(w.sum(1))
    return w, np.linalg.eigh(np.eye(n) - root[:, None] * w * root)[1][:, 1:m + 1]


def target_kernel(real, mask, part):
    if not real:
        return (classes[mask][:, None] == classes[mask][None, :]).astype(float)
    apart = np.abs(y[mask][:, None] - y[mask][None, :])
    width = part * np.median(apart[np.triu_indices(mask.sum(), 1)])
    return np.exp(-apart ** 2 / (2 * width ** 2))


def check_embeddings(folder):
    m = 6
    w, v = graph_functions(5, m)
    check("graph", np.linalg.matrix_rank(np.diag(w.sum(1)) - w, 1e-9) == n - 1, "not connected: the checks below need another seed")
    for real in (False, True):
        for mask in (np.ones(n, bool), labelled):
            where, task = f"{'real' if real else 'classes'} {mask.sum()}", "regression" if real else "classification"
            count = int(mask.sum())
            centre = np.eye(count) - 1 / count
            target = y if real else classes
            for ridge in (1e-2, 1.0):
                ky = centre @ target_kernel(real, mask, 0.5) @ centre
                model, told = fit(folder, target, mask, "mkdr", m, "--task", task, "--n-basis", str(m), "--ridge", str(ridge))
                omega = v.T @ model["embedding"] @ model["embedding"].T @ v
                inverse = np.linalg.inv(v[mask] @ omega @ v[mask].T + ridge * np.eye(count))
                value, gradient = np.trace(ky @ inverse), -v[mask].T @ inverse @ ky @ inverse @ v[mask]
                gap = np.sum(gradient * omega) - np.linalg.eigvalsh(gradient)[0]
                check(f"mkdr {where}", abs(np.trace(omega) - 1) < 1e-9, f"trace {np.trace(omega)}")
                check(f"mkdr {where}", abs(value - float(told["objective"])) < 1e-6 * value, f"{value}, told {told['objective']}")
                check(f"mkdr {where}", gap < 1e-5 * value, f"the gap of Frank and Wolfe is {gap / value:.1e}")
            model, told = fit(folder, target, mask, "cmvu", m, "--task", task, "--n-basis", str(m))
            nu, a = float(told["nu"]), v.T @ model["embedding"] @ model["embedding"].T @ v
            edges = np.argwhere(np.triu(w) > 0)
            tau = v[edges[:, 0]] - v[edges[:, 1]]
            off = np.einsum("ea,ab,eb->e", tau, a, tau) - squares[edges[:, 0], edges[:, 1]]
            pull = v[mask].T @ centre @ target_kernel(real, mask, 1.0) @ centre @ v[mask] / count
            value = nu * np.mean(off ** 2) - np.sum(a * pull)
            z = 2 * nu / len(edges) * tau.T @ (off[:, None] * tau) - pull
            zero = nu * np.mean(squares[edges[:, 0], edges[:, 1]] ** 2)
            check(f"cmvu {where}", abs(value - float(told["objective"])) < 1e-6 * zero, f"{value}, told {told['objective']}")
            check(f"cmvu {where}", abs(np.sum(z * a)) < 1e-6 * zero, f"<Z, A> is {np.sum(z * a)}")
            check(f"cmvu {where}", np.linalg.eigvalsh(z)[0] > -1e-6 * np.abs(z).max(), "Z is not positive semidefinite")
            check(f"cmvu {where}", float(told["relative_gap"]) < 1e-6, f"gap {told['relative_gap']}")


with tempfile.TemporaryDirectory() as folder:
    check_rsir(folder)
    check_lsir(folder)
    check_embeddings(folder)
if failures:
    sys.exit("\n".join(failures))
print(f"{checks} checks")

if os.environ.get("ALD_LONG") and os.environ.get("ALD_SHARED_DATA"):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from manifold_papers import experiments
    sys.exit(experiments(run, os.environ["ALD_SHARED_DATA"]))
