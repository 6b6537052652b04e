"""spls, orthogonal-pls, mddm and lspca against numpy written from their papers. Usage: check_pls_family.py ALIDADE

Tolerances: eps times the condition of the data (below 1e3) over gaps (above 1e-3), 1e-9; spls of several responses iterates to 1e-13, 1e-6."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.special
from sklearn.cross_decomposition import PLSRegression

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(12)
n, d = 80, 9
x = rng.standard_normal((n, d)) * np.linspace(2, 0.5, d) + rng.standard_normal(d)
y1 = x[:, 0] - x[:, 3] + 0.5 * rng.standard_normal(n)
y3 = x @ rng.standard_normal((d, 3)) + rng.standard_normal((n, 3))
classes = np.arange(n) % 3
x[np.arange(n), classes] += 1.5
labels = (x @ rng.standard_normal((d, 4)) + rng.standard_normal((n, 4)) > 0.3).astype(float)
xc, folder, failures = x - x.mean(0), tempfile.TemporaryDirectory(), []


def fit(target, method, dims, *options):
    table, columns = np.column_stack([x, target]), np.atleast_2d(target.T).shape[0]
    data, model = os.path.join(folder.name, "t.npy"), os.path.join(folder.name, "m.ald")
    np.save(data, table)
    subprocess.run([executable, "fit", "-q", data, "--target", f"#{d + 1}..#{d + columns}", "--method", method, "--dims", str(dims), "-o", model,
                    *options], check=True)
    with open(model, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    return {k: np.frombuffer(data[slice(*v["data_offsets"])], "<f8").reshape(v["shape"]) for k, v in header.items()
            if k != "__metadata__" and v["dtype"] == "F64"}


def same(name, ours, theirs, tolerance):
    """Rows up to their signs."""
    signs = np.sign((ours * theirs).sum(1))[:, None]
    off = np.abs(ours - signs * theirs).max() / np.abs(theirs).max()
    if not off < tolerance:
        failures.append(f"{name}: differs by {off:.1e}")


def share_left(w, y, g):
    """The objective of lspca at the columns of w, by least squares."""
    z = xc @ np.linalg.qr(w)[0]
    fitted = z @ np.linalg.lstsq(z, y, rcond=None)[0]
    return (1 - g) * ((y - fitted) ** 2).sum() / (y ** 2).sum() + g * (1 - (z ** 2).sum() / (xc ** 2).sum())


def class_share_left(w, y, g, ridge=0.01):
    """The same of classes, by L-BFGS over intercepts and slopes."""
    unit = xc / np.sqrt((xc ** 2).mean())
    z = unit @ np.linalg.qr(w)[0]

    def loss(c):
        c = c.reshape(-1, y.shape[1])
        s = c[0] + z @ c[1:]
        p = scipy.special.softmax(s, axis=1)
        g = np.vstack([(p - y).sum(0), z.T @ (p - y) + ridge * c[1:]])
        return (scipy.special.logsumexp(s, axis=1) - (s * y).sum(1)).sum() + ridge / 2 * (c[1:] ** 2).sum(), g.ravel()
    found = scipy.optimize.minimize(loss, np.zeros((z.shape[1] + 1) * y.shape[1]), jac=True, method="L-BFGS-B", options=dict(ftol=1e-15, gtol=1e-10, maxiter=2000))
    none = -(y.sum(0) * np.log(y.mean(0))).sum()
    return (1 - g) * found.fun / none + g * (1 - (z ** 2).sum() / (unit ** 2).sum())


def lspca():
    """Ritchie et al. (2022), in shares: no lower end from the same starts by a general optimizer, which differences the objective."""
    dummies = np.eye(3)[classes]
    for name, target, y, f, options in [("one response", y1, (y1 - y1.mean())[:, None], share_left, []), ("three", y3, y3 - y3.mean(0), share_left, []),
                                        ("classes, squared", classes, dummies - dummies.mean(0), share_left, ["--loss", "squared"]),
                                        ("classes", classes, dummies, class_share_left, [])]:
        for g in (0.1, 0.5):
            w = fit(target, "lspca", 2, "--trade-off", str(g), *(["--task", "classification"] if name.startswith("classes") else []), *options)["components"].T
            ours, ends = f(w, y, g), []
            slopes = np.linalg.lstsq(xc, y - y.mean(0), rcond=None)[0]
            pca = np.linalg.svd(xc, full_matrices=False)[2].T
            for start in [pca[:, :2], np.column_stack([slopes[:, :1], pca[:, :1]])]:
                ends.append(scipy.optimize.minimize(lambda v: f(v.reshape(d, 2), y, g), start.ravel(), method="L-BFGS-B", options=dict(maxiter=40 if f is class_share_left else 300)).fun)
            if not ours <= min(ends) * (1 + 1e-6):
                failures.append(f"lspca, {name}, trade-off {g}: {ours:.9g}, another optimizer {min(ends):.9g}")
            if not np.abs(w.T @ w - np.eye(2)).max() < 1e-10:
                failures.append(f"lspca, {name}: not orthonormal")
    pca = fit(y1, "pca", 3)["components"]
    same("lspca with trade-off 1 is pca", fit(y1, "lspca", 3, "--trade-off", "1")["components"], pca, 1e-7)
    left = share_left(fit(y1, "lspca", 1, "--trade-off", "0")["components"].T, (y1 - y1.mean())[:, None], 0.0)
    c = np.column_stack([np.ones(n), x])
    rest = y1 - c @ np.linalg.lstsq(c, y1, rcond=None)[0]
    if not abs(left - (rest ** 2).sum() / ((y1 - y1.mean()) ** 2).sum()) < 1e-9:
        failures.append("lspca with trade-off 0 is not least squares")


def spls(y, keep, r):
    """Le Cao et al. (2008): soft thresholds in the power iteration, regression deflation; scores."""
    e, f, weights, scores = xc.copy(), y - y.mean(0), [], []
    for _ in range(r):
        m = e.T @ f
        u, _, vt = np.linalg.svd(m, full_matrices=False)
        u, v = u[:, 0], vt[0]
        for _ in range(20000):
            z = m @ v
            cut = np.sort(np.abs(z))[-keep - 1] if keep < d else 0.0
            new = np.sign(z) * np.maximum(np.abs(z) - cut, 0)
            new /= np.linalg.norm(new)
            v = m.T @ new / np.linalg.norm(m.T @ new)
            done, u = np.abs(new - u).max() < 1e-14, new
            if done:
                break
        t = e @ u
        e, f = e - np.outer(t, t @ e) / (t @ t), f - np.outer(t, t @ f) / (t @ t)
        weights.append(u)
        scores.append(t)
    return np.array(weights), np.array(scores)


def orthogonal(y, a, r):
    """Trygg and Wold (2002): scores, predictive first."""
    e, f = xc.copy(), y - y.mean(0)
    wp = np.linalg.svd(e.T @ f.reshape(n, -1), full_matrices=False)[0][:, :a]
    scores = []
    for _ in range(r - a):
        t = e @ wp
        wo = np.linalg.svd((e - t @ wp.T).T @ t, full_matrices=False)[0][:, 0]
        to = e @ wo
        e = e - np.outer(to, to @ e) / (to @ to)
        scores.append(to)
    return np.vstack([(e @ wp).T, scores]) if scores else (e @ wp).T


dummies = np.eye(3)[classes]
for name, y, target, task in (("one response", y1[:, None], y1, "regression"), ("three responses", y3, y3, "regression"),
                              ("classes", dummies, classes, "classification"), ("labels", labels, labels, "multilabel")):
    for keep in (3, d):
        model, (weights, scores) = fit(target, "spls", 3, "--n-features", str(keep), "--task", task), spls(y, keep, 3)
        same(f"spls {name}, {keep} features: weights", model["weights"], weights, 1e-6)
        same(f"spls {name}, {keep} features: scores", model["components"] @ xc.T, scores, 1e-6)
    same(f"spls {name}, all features: pls", model["components"], fit(target, "pls", 3, "--task", task)["components"], 1e-6)
    rank = min(2, y.shape[1] - (name == "classes"))
    model = fit(target, "orthogonal-pls", 4, "--n-predictive", str(rank), "--task", task)
    same(f"orthogonal-pls {name}", model["components"] @ xc.T, orthogonal(y, rank, 4), 1e-9)

scores = fit(y1, "orthogonal-pls", 4, "--task", "regression")["components"] @ xc.T
yc = y1 - y1.mean()
if not np.abs(scores[1:] @ yc).max() < 1e-9 * np.abs(scores).max() * np.abs(yc).sum():
    failures.append("orthogonal-pls: an orthogonal score is correlated with the response")
fitted = scores[0] * (scores[0] @ yc) / (scores[0] @ scores[0])
same("orthogonal-pls: the fitted values of pls", fitted[None], (PLSRegression(4, scale=False).fit(x, y1).predict(x).ravel() - y1.mean())[None], 1e-9)

far = ((labels[:, None] - labels[None]) ** 2).sum(-1)
median = np.median(np.sqrt(far[np.triu_indices(n, 1)]))
own = os.path.join(folder.name, "own.npy")
np.save(own, np.exp(-far / 3))
for kernel, l in (("linear", labels @ labels.T), ("rbf", np.exp(-far / (2 * median ** 2))), ("polynomial", (labels @ labels.T + 1) ** 3),
                  ("given", np.exp(-far / 3))):
    m = xc.T @ l @ xc
    for constraint, b in (("projection", np.eye(d)), ("feature", xc.T @ xc + 2.0 * np.eye(d))):
        values, vectors = scipy.linalg.eigh(m, b)
        model = fit(labels, "mddm", 3, "--constraint", constraint, "--ridge", "2", "--task", "multilabel", "--response-kernel", kernel,
                    *(["--response-kernel-file", own] if kernel == "given" else []))
        same(f"mddm {constraint}, {kernel}", model["components"], vectors[:, ::-1][:, :3].T, 1e-8)
        same(f"mddm {constraint}, {kernel}: eigenvalues", model["eigenvalues"][None], values[::-1][:3][None], 1e-9)
lspca()
print("\n".join(failures) or "all agree")
sys.exit(1 if failures else 0)
