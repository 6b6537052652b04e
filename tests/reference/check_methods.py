"""Every method against an independent implementation in numpy, scipy or scikit-learn, by the largest principal angle and by
eigenvalues. Usage: check_methods.py ALIDADE

The definitions are written out here in full (n x n kernels, all pairs, explicit H), so that nothing is shared with the program.
Tolerances: eigenvectors move by eps cond / gap; the data have condition below 1e3 and gaps above 1e-3, so 1e-9 leaves room."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import lsqr

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(3)
n, d = 90, 7
x = rng.standard_normal((n, d)) * np.linspace(2, 0.5, d) + rng.standard_normal(d)
classes = np.arange(n) % 3
x[np.arange(n), classes] += 1.5
y1 = x[:, 0] / (0.5 + (x[:, 1] + 1.5) ** 2) + x[:, 2] ** 2 + 0.2 * rng.standard_normal(n)
y3 = x @ rng.standard_normal((d, 3)) + rng.standard_normal((n, 3))
labels = (x @ rng.standard_normal((d, 4)) + 0.5 * rng.standard_normal((n, 4)) > 0.5).astype(float)
xc = x - x.mean(0)
failures, checks = [], 0


def read_model(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    return {k: np.frombuffer(data[slice(*v["data_offsets"])], "<f8").reshape(v["shape"]) for k, v in header.items() if k != "__metadata__"}


def fit(folder, target, method, dims, *options):
    table, columns = np.column_stack([x, target]), np.atleast_2d(target.T).shape[0]
    np.save(os.path.join(folder, "t.npy"), table)
    model = os.path.join(folder, "m.ald")
    subprocess.run([executable, "fit", "-q", os.path.join(folder, "t.npy"), "--target", f"#{d + 1}..#{d + columns}", "--method", method,
                    "--dims", str(dims), "-o", model, *options], check=True)
    return read_model(model)


def sine(a, b):
    qa, qb = np.linalg.qr(a.T)[0], np.linalg.qr(b.T)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def compare(name, model, vectors, values=None, tolerance=1e-9):
    global checks
    checks += 1
    angle = sine(model["components"], vectors)
    if not angle < tolerance:
        failures.append(f"{name}: the largest angle has sine {angle:.2e}")
    if values is not None:
        error = np.max(np.abs(model["eigenvalues"] - values) / np.abs(values).max())
        if not error < tolerance:
            failures.append(f"{name}: eigenvalues differ by {error:.2e}")


def top(a, b=None, r=2, by=lambda v: v):
    values, vectors = scipy.linalg.eigh(a, b)
    order = np.argsort(-by(values))[:r]
    return vectors[:, order].T, values[order]


def onehot(c):
    return np.eye(c.max() + 1)[c]


def pencil(h, ridge, r=2):
    return top(xc.T @ h @ h.T @ xc, xc.T @ xc + ridge * np.eye(d), r)


def slices(y, count):
    return np.array([int(count * np.sum(y < v) // n) for v in y])


def whitening():
    values, vectors = np.linalg.eigh(xc.T @ xc / n)
    return vectors / np.sqrt(values)


with tempfile.TemporaryDirectory() as folder:
    yc, lc, centre = y3 - y3.mean(0), labels - labels.mean(0), np.eye(n) - 1.0 / n
    classification, labelled, regression = ["--task", "classification"], ["--task", "multilabel"], ["--task", "regression"]
    compare("pca", fit(folder, y1, "pca", 2), *top(xc.T @ xc))

    from sklearn.cross_decomposition import PLSRegression
    for algorithm in ("ikpls", "nipals"):
        peer = PLSRegression(3, scale=False, tol=1e-30, max_iter=100000).fit(x, y1)
        compare(f"pls {algorithm}", fit(folder, y1, "pls", 3, "--algorithm", algorithm), peer.x_rotations_.T)
    compare("plssb", fit(folder, y3, "plssb", 2, *regression), *top(xc.T @ yc @ yc.T @ xc))

    apart = np.abs(y1[:, None] - y1[None, :])
    width = np.median(apart[np.triu_indices(n, 1)])
    kernels = {"rbf": np.exp(-apart ** 2 / (2 * width ** 2)), "linear": np.outer(y1, y1), "identity": np.eye(n),
               "polynomial": (np.outer(y1, y1) + 1) ** 3, "given": np.exp(-apart)}
    np.save(os.path.join(folder, "own.npy"), kernels["given"])
    for kernel, gram in kernels.items():
        r, own = 1 if kernel == "linear" else 2, ["--response-kernel-file", os.path.join(folder, "own.npy")] if kernel == "given" else []
        compare(f"spca {kernel}", fit(folder, y1, "spca", r, "--response-kernel", kernel, *own, *regression),
                *top(x.T @ centre @ gram @ centre @ x, r=r))
    delta = onehot(classes) @ onehot(classes).T
    compare("spca delta+identity", fit(folder, classes, "spca", 2, *classification), *top(x.T @ centre @ (delta + np.eye(n)) @ centre @ x))

    score = np.abs(xc.T @ (y1 - y1.mean())) / np.linalg.norm(xc, axis=0)
    kept = np.argsort(-score)[:4]
    selected = np.zeros((2, d))
    selected[:, kept] = top(xc[:, kept].T @ xc[:, kept])[0]
    compare("bair", fit(folder, y1, "bair", 2, "--n-features", "4", *regression), selected)

    def root(a):
        values, vectors = np.linalg.eigh(a)
        keep = values > 1e-12 * values.max()
        return vectors[:, keep] / np.sqrt(values[keep]) @ vectors[:, keep].T

    size, carried = labels.sum(0), labels.sum(1)
    dc, ds = labels @ (size - 1), labels @ (1 / size)
    safe = lambda v: np.where(v > 0, 1 / np.sqrt(np.where(v > 0, v, 1)), 0)[:, None]
    h_class = onehot(classes) / np.sqrt(np.bincount(classes))
    cases = [("lda", classes, classification, h_class, []), ("cca", y3, regression, yc @ root(yc.T @ yc), []),
             ("cca", labels, labelled, lc @ root(lc.T @ lc), []), ("opls", y3, regression, yc, []), ("opls", labels, labelled, lc, []),
             ("rrr", y3, regression, yc, []), ("rrr", labels, labelled, lc, []),
             ("hsl", labels, labelled, safe(dc) * labels, ["--expansion", "clique"]),
             ("hsl", labels, labelled, safe(ds) * labels / size, ["--expansion", "star"]),
             ("hsl", labels, labelled, safe(carried) * labels / np.sqrt(size), ["--expansion", "zhou"])]
    many = np.arange(n) % (2 * d)  # more classes and more responses than columns
    y_many = x @ rng.standard_normal((d, d + 3)) + rng.standard_normal((n, d + 3))
    yc_many, h_many = y_many - y_many.mean(0), onehot(many) / np.sqrt(np.bincount(many))
    cases += [("lda", many, classification, h_many, []), ("cca", many, classification, h_many, []), ("opls", y_many, regression, yc_many, []),
              ("cca", y_many, regression, yc_many @ root(yc_many.T @ yc_many), [])]
    for name, target, task, h, more in cases:
        for ridge in (0.0, 5.0):
            for solver in ("direct", "dual", "two-stage"):
                model = fit(folder, target, name, 2, *task, "--ridge", str(ridge), "--solver", solver, "--tol", "1e-15", *more)
                compare(f"{name} {' '.join(more)} ridge {ridge} {solver}", model, *pencil(h, ridge))

    # The length of rrr's components: the coefficients of least squares times orthonormal V, up to the sign.
    for ridge in (0.0, 5.0):
        coefficients = np.linalg.solve(xc.T @ xc + ridge * np.eye(d), xc.T @ yc)
        wanted = top(yc.T @ xc @ coefficients)[0] @ coefficients.T
        found = fit(folder, y3, "rrr", 2, *regression, "--ridge", str(ridge))["components"]
        found = found * np.sign(np.sum(found * wanted, axis=1, keepdims=True))
        checks += 1
        if not np.max(np.abs(found - wanted)) < 1e-9 * np.max(np.abs(wanted)):
            failures.append(f"rrr ridge {ridge}: components differ by {np.max(np.abs(found - wanted)):.2e}")

    # The same stop rule as scipy's LSQR: as many steps, or one apart where a quotient falls on the limit.
    for ridge, tol in ((0.0, "1e-6"), (0.0, "1e-3"), (5.0, "1e-6"), (200.0, "1e-12")):
        fit(folder, y3, "opls", 2, *regression, "--ridge", str(ridge), "--solver", "two-stage", "--tol", tol)
        told = subprocess.run([executable, "inspect", "--json", os.path.join(folder, "m.ald")], check=True, capture_output=True).stdout
        ours = json.loads(told)["resolved"]["iterations"]
        theirs = max(lsqr(xc, column, damp=np.sqrt(ridge), atol=float(tol), btol=float(tol), conlim=0)[2] for column in yc.T)
        checks += 1
        if abs(ours - theirs) > 1:
            failures.append(f"LSQR with ridge {ridge}, tol {tol}: {ours} iterations, scipy {theirs}")

    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    compare("lda beside scikit-learn", fit(folder, classes, "lda", 2, *classification),
            LinearDiscriminantAnalysis(solver="eigen").fit(x, classes).scalings_[:, :2].T)

    differences = x[:, None, :] - x[None, :, :]
    equal = classes[:, None] == classes[None, :]
    off = ~np.eye(n, dtype=bool)
    m_s = np.einsum("ija,ijb->ab", differences * (equal & off)[:, :, None], differences) / np.sum(equal & off)
    m_d = np.einsum("ija,ijb->ab", differences * (~equal)[:, :, None], differences) / np.sum(~equal)
    ridge = 1e-8 * np.linalg.eigvalsh(m_s)[-1]
    compare("cfml 2", fit(folder, classes, "cfml", 2, *classification), *top(m_d - m_s, m_s + ridge * np.eye(d)))
    compare("cfml 1", fit(folder, classes, "cfml", 2, "--version", "1", *classification), *top(m_d - m_s))

    sigma, t = xc.T @ xc / n, whitening()
    z = xc @ t
    of = slices(y1, 10)
    means = np.array([xc[of == s].mean(0) * np.sqrt(np.sum(of == s) / n) for s in np.unique(of)])
    compare("sir", fit(folder, y1, "sir", 2, *regression), *top(means.T @ means, sigma))
    of = slices(y1, 5)
    m = sum(np.mean(of == s) * np.linalg.matrix_power(np.eye(d) - np.cov(z[of == s].T, bias=True), 2) for s in np.unique(of))
    vectors, values = top(m)
    compare("save", fit(folder, y1, "save", 2, "--n-slices", "5", *regression), vectors @ t.T, values)
    residual = y1 - np.column_stack([np.ones(n), z]) @ np.linalg.lstsq(np.column_stack([np.ones(n), z]), y1, rcond=None)[0]
    for variant, weight in (("residual", residual), ("response", y1 - y1.mean())):
        vectors, values = top((z * weight[:, None]).T @ z / n, by=np.abs)
        compare(f"phd {variant}", fit(folder, y1, "phd", 2, "--variant", variant, *regression), vectors @ t.T, values)
    i, j = np.triu_indices(n, 1)
    gaps = np.sort(apart[i, j])
    near = apart[i, j] <= gaps[int(0.1 * (len(gaps) - 1))]
    steps = z[i[near]] - z[j[near]]
    vectors, values = top(steps.T @ steps / near.sum(), by=lambda v: -v)
    compare("contour", fit(folder, y1, "contour", 2, *regression), vectors @ t.T, values)

    def rbf(points, width=None, factor=1.0):
        square = np.sum((points[:, None, :] - points[None, :, :]) ** 2, 2)
        width = width or factor * np.median(np.sqrt(square)[np.triu_indices(n, 1)])
        return np.exp(-square / (2 * width ** 2)), width

    # gkdr with the n x n inverse. Its factor leaves 1e-12 of the trace of K out, against n eps = 1e-4 n: 1e-8 at the worst.
    scale = x.std(0)
    u = xc / scale
    k_x, width = rbf(u, factor=0.7)
    inverse = np.linalg.inv(k_x + n * 1e-4 * np.eye(n))
    slopes = (u[None, :, :] - u[:, None, :]) * k_x[:, :, None] / width ** 2
    for target, task, k_y in ((y1, regression, rbf(y1[:, None])[0]), (y3, regression, rbf(y3)[0]), (classes, classification, delta)):
        vectors, values = top(np.einsum("iaj,ab,ibk->jk", slopes, inverse @ k_y @ inverse, slopes, optimize=True) / n)
        compare("gkdr", fit(folder, target, "gkdr", 2, *task), vectors / scale, values, 1e-8)

    # kdr by scipy from where the program stopped: the same criterion, and little more to gain. The minimum moves while the
    # kernels become narrower, and one step a stage follows it at a distance that goes as one over the number of stages.
    def criterion(flat, width, k_y):
        b = np.linalg.qr(flat.reshape(d, 2))[0]
        k_z = rbf(u @ b, width)[0]
        return np.trace(centre @ k_y @ centre @ np.linalg.inv(centre @ k_z @ centre + n * 1e-3 * np.eye(n)))

    from scipy.optimize import minimize
    width = 0.5 * np.sqrt(2 / d) * rbf(u)[1]
    for target, task, k_y in ((y1, regression, rbf(y1[:, None], factor=0.5)[0]), (classes, classification, delta)):
        model = fit(folder, target, "kdr", 2, "--n-stages", "1000", "--n-starts", "2", *task)
        b = (model["components"] * scale).T
        f = criterion(b.ravel(), width, k_y)
        polished = minimize(criterion, b.ravel(), (width, k_y), method="BFGS")
        compare("kdr", model, (np.linalg.qr(polished.x.reshape(d, 2))[0].T) / scale, tolerance=0.02)
        compare("kdr of rank 60", fit(folder, target, "kdr", 2, "--n-stages", "1000", "--n-starts", "2", "--rank", "60", *task), model["components"], tolerance=0.01)
        checks += 1
        if not (abs(model["objectives"].min() - f) < 1e-9 * f and f - polished.fun < 1e-4 * f):
            failures.append(f"kdr: criterion {model['objectives'].min()}, by numpy {f}, minimum nearby {polished.fun}")

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} fits agree")
