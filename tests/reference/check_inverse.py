"""Methods of inverse regression and of local slopes against numpy written from their papers. Usage: check_inverse.py ALIDADE

Nothing is shared with the program. Tolerances as in check_methods.py: eigenvectors move by eps cond / gap."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(5)
n, d = 90, 6
x = rng.standard_normal((n, d)) * np.linspace(2, 0.5, d) + rng.standard_normal(d)
classes = np.arange(n) % 3
x[np.arange(n), classes] += 1.5
y1 = x[:, 0] / (0.5 + (x[:, 1] + 1.5) ** 2) + x[:, 2] ** 2 + 0.2 * rng.standard_normal(n)
y2 = np.column_stack([y1, x[:, 3] - x[:, 1] ** 2 + 0.3 * rng.standard_normal(n)])
weights = rng.integers(1, 4, n).astype(float)
failures, checks = [], 0


def read_model(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    arrays = {k: np.frombuffer(data[slice(*v["data_offsets"])], "<f8").reshape(v["shape"]) for k, v in header.items() if k != "__metadata__"}
    return arrays, header["__metadata__"]


def fit(folder, target, method, dims, *options, table=None, weighted=False):
    """The arrays of the model and its texts. Columns: X, the target, then the weights."""
    if table is None:
        table = np.column_stack([x, target] + ([weights] if weighted else []))
    wide, columns = table.shape[1], np.atleast_2d(target.T).shape[0]
    first = wide - columns - weighted + 1
    path, model = os.path.join(folder, "t.npy"), os.path.join(folder, "m.ald")
    np.save(path, table)
    more = ["--weights", f"#{wide}"] if weighted else []
    subprocess.run([executable, "fit", "-q", path, "--target", f"#{first}..#{first + columns - 1}", "--method", method, "--dims", str(dims),
                    "-o", model, *more, *options], check=True)
    return read_model(model)


def sine(a, b):
    qa, qb = np.linalg.qr(a.T)[0], np.linalg.qr(b.T)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def expect(name, error, tolerance):
    global checks
    checks += 1
    if not error <= tolerance:
        failures.append(f"{name}: off by {error:.2e}, allowed {tolerance:.0e}")


def compare(name, model, vectors, values=None, tolerance=1e-9):
    expect(f"{name}, largest sine", sine(model["components"], vectors), tolerance)
    if values is not None:
        expect(f"{name}, eigenvalues", np.max(np.abs(model["eigenvalues"] - values)) / np.abs(values).max(), tolerance)


def top(m, r=2):
    values, vectors = np.linalg.eigh(m)
    return vectors[:, ::-1][:, :r].T, values[::-1][:r]


def slices(y, count, w=None):
    """floor(count weight{y_j < y_i} / total)."""
    w = np.ones(len(y)) if w is None else w
    below = np.array([w[y < v].sum() for v in y])
    return np.minimum((count * below / w.sum() + 1e-9).astype(int), count - 1)


def whiten(w):
    mean = w @ x / w.sum()
    sigma = (x - mean).T * w @ (x - mean) / w.sum()
    values, vectors = np.linalg.eigh(sigma)
    t = vectors / np.sqrt(values)
    return (x - mean) @ t, t


def directional(u, of, w):
    """Li and Wang (2007), section 3: the matrices of E(zz'|slice) - I and of the slice means."""
    g, m = np.zeros((d, d)), np.zeros((d, d))
    for h in np.unique(of):
        f, rows, own = w[of == h].sum() / w.sum(), u[of == h], w[of == h]
        mean = own @ rows / own.sum()
        second = (rows.T * own) @ rows / own.sum() - np.eye(d)
        g += 2 * f * second @ second
        m += f * np.outer(mean, mean)
    return g + 2 * m @ m + 2 * np.trace(m) * m


def local_moments(u, y, c, h):
    """Xia, Tong, Li and Zhu (2002): of the weighted rows about each row, covariance of u, of u with y, and variance of y."""
    z = u @ c
    for j in range(len(u)):
        w = np.exp(-np.sum((z - z[j]) ** 2, 1) / (2 * h * h))
        w /= w.sum()
        du, dy = u - w @ u, y - w @ y
        yield (du.T * w) @ du, (du.T * w) @ dy, np.sum(w @ dy ** 2)


def slopes(s, cross, ridge=1e-6):
    return np.linalg.solve(s + ridge * np.trace(s) / len(s) * np.eye(len(s)), cross)


def outer_products(u, y, c, h, r):
    m = sum(b @ b.T for b in (slopes(s, cross) for s, cross, _ in local_moments(u, y, c, h))) / len(u)
    vectors, values = top(m, r)
    return vectors.T, values


def average_variance(u, y, c, h, r):
    """One sweep: slopes along c, then all of c by one least squares over vec c, column by column."""
    order, matrix, right = c.shape[0] * r, 0.0, 0.0
    for s, cross, _ in local_moments(u, y, c, h):
        a = slopes(c.T @ s @ c, c.T @ cross)
        matrix = matrix + np.kron(a @ a.T, s)
        right = right + cross @ a.T
    found = np.linalg.solve(matrix + 1e-6 * np.trace(matrix) / order * np.eye(order), right.T.ravel())
    return np.linalg.qr(found.reshape(r, -1).T)[0]


def descend(u, y, r, average):
    """opg, or with `average` mave: the subspace and what its last fits say."""
    rows, p0 = len(u), max(u.shape[1], 3)
    h, rho, least = 2.34 * rows ** (-1 / (p0 + 6)), rows ** (-0.5 / (p0 + 6)), 2.34 * rows ** (-1 / (max(r, 3) + 4))
    c, values = outer_products(u, y, np.eye(u.shape[1]), h, r)
    for _ in range(300):
        h, before = max(rho * h, least), c
        if average:
            c = average_variance(u, y, c, h, r)
        else:
            c, values = outer_products(u, y, c, h, r)
        if h == least and sine(before.T, c.T) < 1e-9:
            break
    if not average:
        return c, values, None
    m, left = np.zeros((r, r)), 0.0
    for s, cross, spread in local_moments(u, y, c, h):
        a = slopes(c.T @ s @ c, c.T @ cross)
        m += a @ a.T / rows
        left += (spread - 2 * np.sum(a * (c.T @ cross)) + np.trace(a.T @ c.T @ s @ c @ a)) / rows
    return c, top(m, r)[1], left


def lasso_sir(x, y, r, w, penalty):
    """Lin, Zhao and Liu (2019) with the screening of slice means; w whole numbers: copies of rows. The lasso is scikit-learn's."""
    from sklearn.linear_model import Lasso
    x, y = np.repeat(x, w.astype(int), 0), np.repeat(y, w.astype(int))
    rows, columns = x.shape
    z = (x - x.mean(0)) / x.std(0)
    of = slices(y, 5)
    means = np.array([z[of == h].mean(0) for h in range(of.max() + 1)])
    share = np.bincount(of) / rows
    spread = share @ means ** 2
    kept = np.arange(columns) if columns <= rows else np.sort(np.argsort(-spread, kind="stable")[:int(np.ceil(rows / np.log(rows)))])
    z, means = z[:, kept], means[:, kept]
    vectors, values = top((means.T * share) @ means, r)
    fold = np.argsort(np.argsort(y, kind="stable"), kind="stable") % 10
    found, chosen = np.zeros((r, columns)), []
    for k in range(r):
        t = (means @ vectors[k] / values[k])[of]
        largest = np.abs(z.T @ t).max() / rows

        def solve(rows_used, mu):
            return Lasso(alpha=mu, fit_intercept=False, tol=1e-12, max_iter=100000).fit(z[rows_used], t[rows_used]).coef_
        if penalty == 0:
            grid = largest * np.geomspace(1, 0.001 if rows > columns else 0.05, 50)
            errors = np.array([[np.mean((t[fold == f] - z[fold == f] @ solve(fold != f, mu)) ** 2) for mu in grid] for f in range(10)])
            mean = errors.mean(0)
            limit = mean.min() + errors[:, mean.argmin()].std(ddof=1) / np.sqrt(10)
            chosen.append(grid[np.flatnonzero(mean <= limit)[0]] / largest)
        else:
            chosen.append(penalty)
        b = solve(slice(None), chosen[-1] * largest)
        found[k, kept] = b / np.std(z @ b)
    return found / x.std(0), values, np.array(chosen)


def spectral_dependence(target, r):
    """Wu et al. (2019): the best iterate, with n x n kernels; its value and directions of standardised columns."""
    u = (x - x.mean(0)) / x.std(0)
    h = np.eye(n) - 1 / n

    def rbf(points, factor):
        square = np.sum((points[:, None] - points[None]) ** 2, 2)
        return square, factor * np.median(np.sqrt(square)[np.triu_indices(n, 1)])
    if target.dtype == float:
        square, width = rbf(target.reshape(n, -1), 1.0)
        k_y = np.exp(-square / (2 * width ** 2))
    else:
        k_y = (target[:, None] == target[None]).astype(float)
    k_y = h @ k_y @ h
    width = rbf(u, np.sqrt(r / d))[1]
    w, best, moved = top(u.T @ k_y @ u, r)[0].T, (-np.inf, None), 1.0
    for _ in range(100):
        psi = k_y * np.exp(-rbf(u @ w, 1.0)[0] / (2 * width ** 2))
        best = max(best, (psi.sum() / (n - 1) ** 2, w), key=lambda pair: pair[0])
        if moved < 1e-6:
            break
        before, w = w, np.linalg.eigh(u.T @ (np.diag(psi.sum(1)) - psi) @ u)[1][:, :r]
        moved = sine(before.T, w.T)
    return best


def fitted_components(y, r, error, w, k=None):
    """Cook (2007), Cook and Forzani (2008): directions, eigenvalues and twice the negative log-likelihood over n, of k directions."""
    k, total = r if k is None else k, w.sum()
    mean = w @ x / total
    z = (x - mean) * np.sqrt(w)[:, None]
    t = (y - w @ y / total) / np.sqrt(w @ (y - w @ y / total) ** 2 / total)
    f = t[:, None] ** np.arange(1, 4)
    f = np.linalg.qr((f - w @ f / total) * np.sqrt(w)[:, None])[0]
    sigma, fit_ = z.T @ z / total, z.T @ f @ f.T @ z / total
    constant = d * (1 + np.log(2 * np.pi))
    if error == "isotropic":
        vectors, values = top(fit_, r)
        return vectors, values, constant + d * np.log((np.trace(sigma) - np.linalg.eigvalsh(fit_)[::-1][:k].sum()) / d)
    if error == "unstructured":
        residual = sigma - fit_
        values, vectors = np.linalg.eig(np.linalg.solve(sigma, fit_))
        order = np.argsort(-values.real)
        rest = np.sort(np.linalg.eigvals(np.linalg.solve(residual, fit_)).real)[::-1][k:]
        return vectors.real[:, order[:r]].T, values.real[order[:r]], constant + np.linalg.slogdet(residual)[1] + np.log1p(rest).sum()
    delta = np.diag(sigma - fit_)
    for _ in range(5000):
        values, vectors = np.linalg.eigh(fit_ / np.sqrt(np.outer(delta, delta)))
        v = vectors[:, ::-1][:, :k]
        a = np.sqrt(delta)[:, None] * v @ v.T / np.sqrt(delta)
        left = sigma - fit_ @ a.T - a @ fit_ + a @ fit_ @ a.T
        moved, delta = abs(np.log(np.diag(left) / delta).sum()), np.diag(left)
        if moved < 1e-13:
            break
    values, vectors = np.linalg.eigh(fit_ / np.sqrt(np.outer(delta, delta)))
    return vectors[:, ::-1][:, :r].T / np.sqrt(delta), values[::-1][:r], constant + np.log(delta).sum()


def acquired_directions(of, k, w):
    """Cook and Forzani (2009): the largest f over k directions by scipy's BFGS over all matrices, from ten starts; f of C = I for k = d."""
    from scipy.optimize import minimize
    u, _ = whiten(w)
    shares, inside = [], []
    for h in np.unique(of):
        own, rows = w[of == h], u[of == h]
        rows = rows - own @ rows / own.sum()
        shares.append(own.sum() / w.sum())
        inside.append((rows.T * own) @ rows / own.sum())

    def negative(flat):
        c = flat.reshape(d, -1)
        forms = [c.T @ v @ c for v in inside]
        value = 0.5 * sum(f * np.linalg.slogdet(m)[1] for f, m in zip(shares, forms)) - 0.5 * np.linalg.slogdet(c.T @ c)[1]
        slope = sum(f * v @ c @ np.linalg.inv(m) for f, v, m in zip(shares, inside, forms)) - c @ np.linalg.inv(c.T @ c)
        return value, slope.ravel()
    if k == 0:
        return 0.0, None
    start = np.random.default_rng(1)
    found = min((minimize(negative, start.standard_normal(d * k), jac=True, method="BFGS", options={"gtol": 1e-10, "maxiter": 5000})
                 for _ in range(10 if k < d else 1)), key=lambda one: one.fun)
    return -found.fun, found.x.reshape(d, k)


def dimension_rows(folder, method, *options):
    return json.loads(subprocess.run([executable, "dimension", "-q", os.path.join(folder, "t.npy"), "--target", f"#{d + 1}", "--method", method,
                                      "--permutations", "0", "--json", *options], check=True, stdout=subprocess.PIPE).stdout)


def check_tests(name, folder, options, w, loglik, parameters, method):
    """What `dimension` prints, from log-likelihoods and numbers of parameters of 0, 1, ... K directions."""
    from scipy.stats import chi2
    got = dimension_rows(folder, method, *options)
    aic, bic = 2 * parameters - 2 * loglik, np.log(w.sum()) * parameters - 2 * loglik
    scale, shown = np.abs(loglik).max(), len(got["rows"]) + 1
    for k, row in enumerate(got["rows"]):
        expect(f"{name}, statistic {k}", abs(row["chi_square"] - 2 * (loglik[-1] - loglik[k])), 1e-8 * scale)
        expect(f"{name}, freedom {k}", abs(row["freedom"] - (parameters[-1] - parameters[k])), 0)
        expect(f"{name}, p {k}", abs(row["chi_square_p"] - chi2.sf(row["chi_square"], row["freedom"])), 1e-10)
        expect(f"{name}, AIC and BIC {k + 1}", max(abs(row["aic"] - aic[k + 1]), abs(row["bic"] - bic[k + 1])), 1e-8 * scale)
    expect(f"{name}, AIC and BIC of none", max(abs(got["none"]["aic"] - aic[0]), abs(got["none"]["bic"] - bic[0])), 1e-8 * scale)
    expect(f"{name}, choices", abs(got["choices"]["aic"] - aic[:shown].argmin()) + abs(got["choices"]["bic"] - bic[:shown].argmin()), 0)


regression, classification = ["--task", "regression"], ["--task", "classification"]
with tempfile.TemporaryDirectory() as folder:
    ones = np.ones(n)
    for name, target, task, w in (("dr", y1, regression, ones), ("dr of classes", classes, classification, ones),
                                  ("dr of two responses", y2, regression, ones), ("dr with weights", y1, regression, weights)):
        u, t = whiten(w)
        columns = [target] if target.ndim == 1 else target.T
        of = [target if task is classification else slices(c, 5, w) for c in columns]
        vectors, values = top(sum(directional(u, o, w) for o in of) / len(of))
        model, _ = fit(folder, target, "dr", 2, *task, "--n-slices", "5", weighted=w is weights)
        compare(name, model, vectors @ t.T, values)

    u, t = whiten(ones)
    indicator = (classes[:, None] == np.arange(3)).astype(float)
    for name, target, task, y in (("one response", y1, regression, y1[:, None] / y1.std()), ("two responses", y2, regression, y2 / y2.std(0)),
                                  ("classes", classes, classification, indicator)):
        for method in ("opg", "mave"):
            c, values, left = descend(u, y, 2, method == "mave")
            model, texts = fit(folder, target, method, 2, *task, "--tol", "1e-9", "--max-iter", "300")
            compare(f"{method} of {name}", model, (t @ c).T, values, 1e-6)
            if left is not None:
                expect(f"{method} of {name}, objective", abs(float(texts["alidade.resolved.objective"]) / left - 1), 1e-7)

    wide = np.column_stack([x, rng.standard_normal((n, 150))])
    for name, data, target, r, w, penalty in (("tall", x, y1, 2, ones, 0.2), ("with weights", x, y1, 2, weights, 0.0), ("wide", wide, y1, 2, ones, 0.3),
                                              ("wide, folds", wide, x[:, 0] + x[:, 1] + 0.3 * y1, 1, ones, 0.0)):
        wanted, values, penalties = lasso_sir(data, target, r, w, penalty)
        table = np.column_stack([data, target] + ([w] if w is weights else []))
        model, _ = fit(folder, target, "lasso-sir", r, *regression, "--penalty", str(penalty), table=table, weighted=w is weights)
        signs = np.sign(np.sum(wanted * model["components"], 1))[:, None]
        expect(f"lasso-sir {name}", np.abs(model["components"] - signs * wanted).max() / np.abs(wanted).max(), 1e-6)
        expect(f"lasso-sir {name}, eigenvalues", np.abs(model["eigenvalues"] - values).max(), 1e-9)
        expect(f"lasso-sir {name}, penalties", np.abs(model["penalties"] / penalties - 1).max(), 1e-9)

    for target, task in ((y1, regression), (y2, regression), (classes, classification)):
        value, w = spectral_dependence(target, 2)
        model, texts = fit(folder, target, "ism", 2, *task)
        expect("ism, objective", abs(float(texts["alidade.resolved.objective"]) / value - 1), 1e-6)
        compare("ism", model, (w / x.std(0)[:, None]).T, tolerance=1e-4)

    for error in ("unstructured", "isotropic", "diagonal"):
        for w in (ones, weights):
            vectors, values, deviance = fitted_components(y1, 2, error, w)
            model, texts = fit(folder, y1, "pfc", 2, *regression, "--error", error, weighted=w is weights)
            compare(f"pfc {error}", model, vectors, values, 1e-7)
            expect(f"pfc {error}, likelihood", abs(float(texts["alidade.resolved.loglik"]) / (-0.5 * w.sum() * deviance) - 1), 1e-9)
            least = [fitted_components(y1, 2, error, w, k)[2] for k in range(4)]
            of_error = {"unstructured": d * (d + 1) / 2, "isotropic": 1, "diagonal": d}[error]
            k = np.arange(4)
            options = [*regression, "--error", error] + (["--weights", f"#{d + 2}"] if w is weights else [])
            check_tests(f"pfc {error}", folder, options, w, -0.5 * w.sum() * np.array(least), d + k * (d - k) + 3 * k + of_error, "pfc")

    for target, task, w in ((y1, regression, ones), (y1, regression, weights), (classes, classification, ones)):
        of = target if task is classification else slices(target, 3, w)
        model, texts = fit(folder, target, "lad", 2, *task, "--n-slices", "3", weighted=w is weights)
        u, t = whiten(w)
        best = [acquired_directions(of, k, w) for k in range(d + 1)]
        expect("lad, objective", best[2][0] - float(texts["alidade.resolved.objective"]), 1e-6 * best[2][0])
        compare("lad", model, (t @ best[2][1]).T, tolerance=1e-5)
        k, slices_ = np.arange(d + 1), len(np.unique(of))
        parameters = d + (slices_ - 1) * k + k * (d - k) + (slices_ - 1) * k * (k + 1) / 2 + d * (d + 1) / 2
        sigma = np.linalg.inv(t @ t.T)
        loglik = w.sum() * (np.array([f for f, _ in best]) - 0.5 * (d * (1 + np.log(2 * np.pi)) + np.linalg.slogdet(sigma)[1]))
        options = [*task, "--n-slices", "3", "--max-components", "3"] + (["--weights", f"#{d + 2}"] if w is weights else [])
        check_tests("lad", folder, options, w, loglik, parameters, "lad")

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} comparisons agree")
