"""The kernel methods against independent implementations in numpy, scipy and scikit-learn: the projection of training rows and
of new ones, column by column up to sign; of ksdpp the criterion. Usage: check_kernels.py ALIDADE

Kernels come from sklearn.metrics.pairwise; the methods are written out from their definitions with n x n matrices. Tolerances are
relative to the largest entry of a column: 1e-8, where the definition solves no worse a problem than the kernel's own."""
import json
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.sparse.csgraph
from sklearn.decomposition import KernelPCA
from sklearn.manifold import Isomap
from sklearn.metrics import pairwise
from sklearn.neighbors import NearestNeighbors

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


def graph_kernels(k):
    """Isomap, LLE and Laplacian eigenmaps as kernels of the training rows, from k neighbours; and how exactly numpy has them."""
    distances, neighbours = NearestNeighbors(n_neighbors=k).fit(train).kneighbors()
    lengths, weights = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        lengths[i, neighbours[i]] = distances[i]
        z = train[neighbours[i]] - train[i]
        gram = z @ z.T
        w = np.linalg.solve(gram + 1e-3 * np.trace(gram) * np.eye(k), np.ones(k))
        weights[i, neighbours[i]] = w / w.sum()
    lengths = np.maximum(lengths, lengths.T)
    paths = scipy.sparse.csgraph.shortest_path(lengths, directed=False)
    assert np.isfinite(paths).all()
    m = (np.eye(n) - weights).T @ (np.eye(n) - weights)
    heat = np.where(lengths > 0, np.exp(-lengths ** 2 / np.mean(distances ** 2)), 0)
    # What inverts M keeps 1e-16 times the condition of M: some 1e6 here.
    return {"isomap": (-0.5 * centre @ paths ** 2 @ centre, 1e-8), "lle": (np.linalg.pinv(m, rcond=1e-13, hermitian=True), 1e-6),
            "laplacian-eigenmaps": (np.linalg.pinv(np.diag(heat.sum(1)) - heat, rcond=1e-13, hermitian=True), 1e-8)}


def embed(folder, target, *options):
    """The array `embedding` of a kspca model with a kernel of the graph."""
    model = os.path.join(folder, "g.ald")
    np.save(os.path.join(folder, "train.npy"), np.column_stack([train, target]))
    subprocess.run([executable, "fit", "-q", os.path.join(folder, "train.npy"), "--target", f"#{d + 1}", "--method", "kspca", "-o", model, *options],
                   check=True)
    data = open(model, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    array = json.loads(data[8:8 + length])["embedding"]
    begin, end = array["data_offsets"]
    return np.frombuffer(data[8 + length:][begin:end]).reshape(array["shape"])


def lowest_j(rows, delta2, k, r, starts):
    """The least J of sdpp on these rows that scipy finds, neighbours by distance in X."""
    neighbours = NearestNeighbors(n_neighbors=k).fit(train).kneighbors(return_distance=False)
    tau = (rows[:, None, :] - rows[neighbours]).reshape(n * k, -1)
    wanted = np.take_along_axis(delta2, neighbours, 1).ravel()

    def j(w):
        t = tau @ w.reshape(-1, r)
        off = (t ** 2).sum(1) - wanted
        return (off ** 2).sum() / n, (4 / n * tau.T @ (off[:, None] * t)).ravel()
    scale = np.sqrt(wanted.mean() / (tau ** 2).sum(1).mean())
    found = [scipy.optimize.minimize(j, scale * rng.standard_normal(rows.shape[1] * r), jac=True, method="L-BFGS-B",
                                     options={"ftol": 1e-15, "gtol": 1e-12, "maxiter": 5000}).fun for _ in range(starts)]
    return min(found), lambda z: (((z[:, None, :] - z[neighbours]) ** 2).sum(2) - np.take_along_axis(delta2, neighbours, 1))


def check_ksdpp(folder):
    """J of the projection of the training rows is the least that scipy finds in kernel PCA coordinates; new rows as centred by the training rows."""
    global checks
    k, dims = 10, 4
    spread = np.median(apart[np.triu_indices(n, 1)])
    ways = {"linear": np.sum((y2[:n, None, :] - y2[None, :n, :]) ** 2, 2), "rbf": 2 - 2 * np.exp(-apart ** 2 / (2 * spread ** 2))}
    for response, delta2 in ways.items():
        gamma = 1 / (2 * (0.5 * width) ** 2)
        kernel, kernel_all = pairwise.rbf_kernel(train, train, gamma=gamma), pairwise.rbf_kernel(x, train, gamma=gamma)
        values, vectors = np.linalg.eigh(centre @ kernel @ centre)
        values, vectors = values[::-1][:dims], vectors[:, ::-1][:, :dims]
        target = y2[:n] if response == "linear" else y1[:n]
        z = project(folder, "ksdpp", target, 2, "--task", "regression", "--n-neighbors", str(k), "--pca-dims", str(dims), "--response-kernel", response,
                    "--n-starts", "20")
        least, off = lowest_j(vectors * np.sqrt(values), delta2, k, 2, 30)
        checks += 1
        ours = (off(z[:n]) ** 2).sum() / n
        if not ours < least * (1 + 1e-7):
            failures.append(f"ksdpp {response}: J is {ours}, scipy finds {least}")
        coordinates = (kernel_all - kernel.mean(0)) @ centre @ vectors / np.sqrt(values)
        w = np.linalg.lstsq(coordinates[:n], z[:n], rcond=None)[0]
        compare(f"ksdpp {response} new rows", z, coordinates @ w)


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
        compare(f"kplssb with identity {name}", project(folder, "kplssb", y2[:n], 2, *regression, "--response-kernel", "linear+identity", *option), kplssb(kc, kc_all, (y @ y.T + np.eye(len(y))) - 1 / len(y)), 1e-6)
        own = centre @ (y2[:n] @ y2[:n].T + 1) ** 3 @ centre
        compare(f"kspca {name}, polynomial", project(folder, "kspca", y2[:n], 2, *regression, "--response-kernel", "polynomial", *option), kspca(k, k_all, own), loose)
        compare(f"kplssb {name}, polynomial", project(folder, "kplssb", y2[:n], 2, *regression, "--response-kernel", "polynomial", *option), kplssb(kc, kc_all, own), 1e-6)
        compare(f"kcca {name}, polynomial", project(folder, "kcca", y2[:n], 3, *regression, "--response-kernel", "polynomial", *option), kcca(kc, kc_all, own, r=3), 1e-5)
        far = ((y2[:n, None] - y2[None, :n]) ** 2).sum(-1)
        own = centre @ np.exp(-far / np.median(far[np.triu_indices(n, 1)]) / 2) @ centre
        compare(f"kcca {name}, rbf", project(folder, "kcca", y2[:n], 3, *regression, "--response-kernel", "rbf", *option), kcca(kc, kc_all, own, r=3), loose)
        compare(f"kcca {name} real", project(folder, "kcca", y2[:n], 2, *regression, *option), kcca(kc, kc_all, y @ y.T), loose)
        compare(f"kcca {name} classes", project(folder, "kcca", c, 2, *classification, *option), kcca(kc, kc_all, centre @ delta @ centre), loose)
        own, file = np.exp(-np.abs(y2[:n, None] - y2[None, :n]).sum(-1)), os.path.join(folder, "own.npy")
        np.save(file, own)
        given = ["--response-kernel", "given", "--response-kernel-file", file, *regression, *option]
        compare(f"kspca {name}, given", project(folder, "kspca", y2[:n], 2, *given), kspca(k, k_all, own), loose)
        compare(f"kplssb {name}, given", project(folder, "kplssb", y2[:n], 2, *given), kplssb(kc, kc_all, centre @ own @ centre), 1e-6)
        compare(f"kcca {name}, given", project(folder, "kcca", y2[:n], 3, *given), kcca(kc, kc_all, centre @ own @ centre, r=3), loose)
        compare(f"kfda {name}", project(folder, "kfda", c, 2, *classification, *option), kfda(k, k_all, c), loose)
    kernels_of_graph = graph_kernels(8)
    for name, (k, tolerance) in kernels_of_graph.items():
        positive = np.linalg.eigh(k)
        k = (positive[1] * np.maximum(positive[0], 0)) @ positive[1].T
        option = ["--kernel", name, "--n-neighbors", "8"]
        compare(f"kspca {name} classes", embed(folder, c, *classification, *option), kspca(k, k, delta + np.eye(n)), tolerance)
        compare(f"kspca {name} real", embed(folder, y1[:n], *regression, *option), kspca(k, k, response), tolerance)
    identity = ["--response-kernel", "identity", "--n-neighbors", "8", "--kernel"]
    # Isomap of scikit-learn is kernel PCA of the same kernel.
    compare("isomap", embed(folder, y1[:n], *regression, *identity, "isomap"), Isomap(n_neighbors=8, n_components=2).fit_transform(train))
    check_ksdpp(folder)

if failures:
    sys.exit("\n".join(failures))
print(f"{checks} projections agree")
