"""The kernel methods against independent implementations in numpy, scipy and scikit-learn: the projection of training rows and
of new ones, column by column up to sign. Usage: check_kernels.py ALIDADE

Kernels come from sklearn.metrics.pairwise; the methods are written out from their definitions with n x n matrices. Tolerances are
relative to the largest entry of a column: 1e-8, where the definition solves no worse a problem than the kernel's own."""
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
from sklearn.decomposition import KernelPCA
from sklearn.metrics import pairwise

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(8)
n, fresh, d = 90, 40, 5
x = rng.standard_normal((n + fresh, d)) * np.linspace(2, 0.5, d) + rng.standard_normal(d)
classes = np.arange(n + fresh) % 3
x[np.arange(n + fresh), classes] += 1.5
y1 = x[:, 0] / (0.5 + (x[:, 1] + 1.5) ** 2) + x[:, 2] ** 2
y2 = np.column_stack([y1, np.sin(x[:, 1]) + 0.3 * x[:, 3]])
train, new = x[:n], x[n:]
width = np.median(scipy.spatial.distance.pdist(train))
city = np.median(scipy.spatial.distance.pdist(train, "cityblock"))
kernels = {
    "rbf": lambda a, b: pairwise.rbf_kernel(a, b, gamma=1 / (2 * width ** 2)),
    "laplacian": lambda a, b: pairwise.laplacian_kernel(a, b, gamma=1 / city),
    "polynomial": lambda a, b: pairwise.polynomial_kernel(a, b, degree=3, gamma=1, coef0=1),
    "cosine": pairwise.cosine_similarity,
    "linear": pairwise.linear_kernel,
}
centre = np.eye(n) - 1.0 / n
failures, checks = [], 0


def project(folder, method, target, dims, *options):
    """Rows of `train` are fitted, all rows projected, by the command line."""
    np.save(os.path.join(folder, "train.npy"), np.column_stack([train, target]))
    np.save(os.path.join(folder, "all.npy"), x)
    columns = np.atleast_2d(target.T).shape[0]
    model, out = os.path.join(folder, "m.ald"), os.path.join(folder, "z.npy")
    subprocess.run([executable, "fit", "-q", os.path.join(folder, "train.npy"), "--target", f"#{d + 1}..#{d + columns}", "--method", method,
                    "--dims", str(dims), "-o", model, *options], check=True)
    subprocess.run([executable, "transform", "-q", model, os.path.join(folder, "all.npy"), "-o", out], check=True)
    return np.load(out)


def compare(name, got, want, tolerance=1e-8):
    global checks
    checks += 1
    for k in range(want.shape[1]):
        size = np.abs(want[:, k]).max()
        error = min(np.abs(got[:, k] - want[:, k]).max(), np.abs(got[:, k] + want[:, k]).max()) / size
        if not error < tolerance:
            failures.append(f"{name}: column {k + 1} differs by {error:.2e}")


def top(a, b=None, r=2):
    values, vectors = scipy.linalg.eigh(a, b)
    return values[::-1][:r], vectors[:, ::-1][:, :r]


def kspca(k, k_all, l, r=2):
    """(KHLHK, K) on the range of K."""
    values, vectors = np.linalg.eigh(k)
    keep = values > 1e-10 * values.max()
    root = vectors[:, keep] * np.sqrt(values[keep])
    _, g = top(root.T @ centre @ l @ centre @ root)
    z = k_all @ (vectors[:, keep] / np.sqrt(values[keep]) @ g)
    return z - z[:n].mean(0)


def kpls(kc, kc_all, y, r=2):
    """Rosipal and Trejo, iterated and deflated as printed."""
    k, yy, zs, ts = kc.copy(), y - y.mean(0), [], []
    for _ in range(r):
        z = yy[:, 0] / np.linalg.norm(yy[:, 0])
        for _ in range(5000):
            t = yy @ (yy.T @ z)
            t /= np.linalg.norm(t)
            z = k @ t
            z /= np.linalg.norm(z)
        zs, ts = zs + [z], ts + [t]
        p = np.eye(n) - np.outer(z, z)
        k, yy = p @ k @ p, p @ yy
    zs, ts = np.array(zs).T, np.array(ts).T
    return kc_all @ ts @ np.linalg.inv(zs.T @ kc @ ts)


def kplssb(kc, kc_all, ky, r=2):
    root = scipy.linalg.sqrtm(kc + 1e-14 * np.eye(n)).real
    _, v = top(root @ ky @ root, r=r)
    t = root @ v
    t /= np.linalg.norm(t, axis=0)
    w = ky @ t
    return kc_all @ w @ np.linalg.inv(t.T @ kc @ w)


def kcca(kc, kc_all, ky, kappa=0.1, r=2):
    values, vectors = scipy.linalg.eig(ky @ np.linalg.inv(ky + kappa * np.eye(n)) @ kc, kc + kappa * np.eye(n))
    a = vectors[:, np.argsort(-values.real)[:r]].real
    a /= np.sqrt(np.diag(a.T @ kc @ (kc + kappa * np.eye(n)) @ a))
    return kc_all @ a


def kfda(k, k_all, c, r=2):
    within, between, m = np.zeros((n, n)), np.zeros((n, n)), k.mean(0)
    for label in np.unique(c):
        rows = k[c == label]
        within += (rows - rows.mean(0)).T @ (rows - rows.mean(0))
        between += len(rows) * np.outer(rows.mean(0) - m, rows.mean(0) - m)
    _, a = top(between, within + 1e-3 * np.trace(within) / n * np.eye(n))
    return (k_all - m) @ a


with tempfile.TemporaryDirectory() as folder:
    classification, regression = ["--task", "classification"], ["--task", "regression"]
    c, onehot = classes[:n], np.eye(3)[classes[:n]]
    delta, y = onehot @ onehot.T, y2[:n] - y2[:n].mean(0)
    apart = np.abs(y1[:n, None] - y1[None, :n])
    for name, kernel in kernels.items():
        k, k_all, option = kernel(train, train), kernel(x, train), ["--kernel", name]
        kc, kc_all = centre @ k @ centre, (k_all - k.mean(0)) @ centre
        # A polynomial kernel of the third degree has entries of size 1e4 and a spectrum to match.
        loose = 1e-6 if name == "polynomial" else 1e-8
        peer = KernelPCA(3, kernel="precomputed").fit(k)
        compare(f"kpca {name}", project(folder, "kpca", c, 3, *classification, *option), peer.transform(k_all), 1e-8)
        compare(f"kspca {name} classes", project(folder, "kspca", c, 2, *classification, *option), kspca(k, k_all, delta + np.eye(n)), loose)
        response = np.exp(-apart ** 2 / (2 * np.median(apart[np.triu_indices(n, 1)]) ** 2))
        compare(f"kspca {name} real", project(folder, "kspca", y1[:n], 2, *regression, *option), kspca(k, k_all, response), loose)
        compare(f"kpls {name} real", project(folder, "kpls", y2[:n], 2, *regression, *option), kpls(kc, kc_all, y2[:n]), loose)
        compare(f"kpls {name} classes", project(folder, "kpls", c, 2, *classification, *option), kpls(kc, kc_all, onehot), loose)
        # The root of the kernel in the reference costs half of the digits.
        compare(f"kplssb {name}", project(folder, "kplssb", y2[:n], 2, *regression, *option), kplssb(kc, kc_all, y @ y.T), 1e-6)
        compare(f"kcca {name} real", project(folder, "kcca", y2[:n], 2, *regression, *option), kcca(kc, kc_all, y @ y.T), loose)
        compare(f"kcca {name} classes", project(folder, "kcca", c, 2, *classification, *option), kcca(kc, kc_all, centre @ delta @ centre), loose)
        compare(f"kfda {name}", project(folder, "kfda", c, 2, *classification, *option), kfda(k, k_all, c), loose)

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} projections agree")
