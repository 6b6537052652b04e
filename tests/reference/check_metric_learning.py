"""Methods for the nearest neighbour against numpy written from their papers, and what they are worth. Usage: check_metric_learning.py ALIDADE

lfda: S_b and S_w pair by pair, with weights, equal rows, and rows without a class.
nca, mlkr: the objective at the end is that of numpy, and at most 2 % (10 %) worse than where scikit-learn's NCA and scipy's L-BFGS end from
the same start, as the paths of two L-BFGS part.
xor and a ring of six clusters of three classes in turn, eight noise columns: accuracy of 1-NN in two components, where lda is at chance.
With ALD_LONG=1 ten draws, and with ALD_SHARED_DATA 1-NN over 20 splits of eleven sets beside lda."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
import scipy.optimize

executable = os.path.abspath(sys.argv[1])
long_form = bool(os.environ.get("ALD_LONG"))
shared = os.environ.get("ALD_SHARED_DATA", "")
folder = tempfile.TemporaryDirectory()
failures = []


def expect(holds, text):
    if not holds:
        failures.append(text)


def path(name):
    return os.path.join(folder.name, name)


def run(*words):
    done = subprocess.run([executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"alidade {' '.join(words)}: {done.stderr}")
    return done.stdout


def write(name, x, y, **more):
    """Columns x1.., y and further ones; what is NaN in y is an empty cell."""
    with open(path(name), "w") as file:
        file.write(",".join([f"x{j + 1}" for j in range(x.shape[1])] + ["y", *more]) + "\n")
        for i, row in enumerate(x):
            cells = [repr(float(v)) for v in row] + ["" if y[i] != y[i] else repr(float(y[i]))]
            file.write(",".join(cells + [repr(float(v[i])) for v in more.values()]) + "\n")


def read_model(name):
    with open(name, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    objective = header["__metadata__"].get("alidade.resolved.objective", "nan")
    return {"objective": float(objective)} | {k: np.frombuffer(data[slice(*v["data_offsets"])], "<f8").reshape(v["shape"])
            for k, v in header.items() if k != "__metadata__" and v["dtype"] == "F64"}


def fit(method, *options):
    run("fit", "-q", path("t.csv"), "--target", "y", "--method", method, "--dims", "2", "-o", path("m.ald"), *options)
    return read_model(path("m.ald"))


def squares(x):
    return ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)


def lfda(x, classes, weights, k, beta):
    """Sugiyama (2007) and Sugiyama et al. (2010), by all pairs; classes < 0 are rows without one."""
    known, d2 = classes >= 0, squares(x)
    n, d = weights[known].sum(), x.shape[1]
    within, between = np.zeros((len(x), len(x))), np.zeros((len(x), len(x)))
    between[np.ix_(known, known)] = 1 / n
    for c in set(classes[known]):
        rows = np.flatnonzero(classes == c)
        block, size = d2[np.ix_(rows, rows)], weights[rows].sum()
        scale = np.sqrt(np.sort(block, 1)[:, min(k, len(rows) - 1)])
        both = np.outer(scale, scale)
        near = np.where(both > 0, np.exp(-block / np.where(both > 0, both, 1)), block == 0)
        within[np.ix_(rows, rows)] = near / size
        between[np.ix_(rows, rows)] = near * (1 / n - 1 / size)
    scatter = []
    for pairs in (between, within):
        pairs = pairs * np.outer(weights, weights)
        scatter.append(x.T @ (np.diag(pairs.sum(1)) - pairs) @ x)
    if not known.all():
        xc = x - np.average(x, axis=0, weights=weights)
        scatter = [(1 - beta) * scatter[0] + beta * (xc * weights[:, None]).T @ xc, (1 - beta) * scatter[1] + beta * np.eye(d)]
    values, vectors = scipy.linalg.eigh(scatter[0], scatter[0] + scatter[1])
    return vectors[:, ::-1][:, :2].T, values[::-1][:2]


def check_lfda():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((60, 5)) * [2, 1, 1, 0.5, 3]
    classes = np.arange(60) % 3
    x[np.arange(60), classes] += 2.0
    x[3:36:3] = x[0]  # equal rows: their scale is 0
    weights = rng.integers(1, 4, 60).astype(float)
    some = np.where(rng.random(60) < 0.4, np.nan, classes)
    some[:9] = classes[:9]
    for y, w, options, beta in ((classes, None, [], 0), (classes, weights, ["--weights", "w"], 0), (some, None, [], 0.5),
                                (some, weights, ["--weights", "w", "--beta", "0.2"], 0.2)):
        write("t.csv", x, y, **({} if w is None else {"w": w}))
        model = fit("lfda", "--n-neighbors", "4", "--task", "classification", *options)
        codes = np.where(np.isnan(y), -1, np.nan_to_num(y)).astype(int)
        vectors, values = lfda(x, codes, np.ones(60) if w is None else w, 4, beta)
        expect(np.allclose(model["eigenvalues"], values, rtol=1e-9), f"lfda {options}: eigenvalues {model['eigenvalues']}, numpy has {values}")
        signs = np.sign((vectors * model["components"]).sum(1))[:, None]
        expect(np.allclose(model["components"], signs * vectors, atol=1e-8), f"lfda {options}: components differ")


def predicted(x, w, y):
    """Each row by the others, weighted by exp(-|W'(x_i - x_j)|^2)."""
    apart = squares((x - x.mean(0)) @ w.T)
    np.fill_diagonal(apart, np.inf)
    weights = np.exp(apart.min(1)[:, None] - apart)
    return weights @ y / weights.sum(1)[:, None]


def pca_start(x):
    xc = x - x.mean(0)
    values, vectors = np.linalg.eigh(xc.T @ xc / len(x))
    return vectors[:, ::-1][:, :2].T / np.sqrt(values[-1])


def check_soft():
    from sklearn.neighbors import NeighborhoodComponentsAnalysis
    rng = np.random.default_rng(8)
    x = rng.standard_normal((120, 6)) * [2, 1, 1, 0.5, 3, 1]
    classes = np.arange(120) % 4
    x[np.arange(120), classes % 3] += 1.5
    write("t.csv", x, classes)
    model = fit("nca", "--init", "pca", "--task", "classification", "--max-iter", "200")
    share = lambda w: (predicted(x, w, np.eye(4)[classes]) * np.eye(4)[classes]).sum() / 120
    peer = NeighborhoodComponentsAnalysis(2, init=pca_start(x), max_iter=200, tol=1e-12).fit(x, classes)
    expect(abs(share(model["components"]) - model["objective"]) < 1e-9, f"nca: objective {model['objective']}, numpy has {share(model['components'])}")
    expect(model["objective"] >= 0.98 * share(peer.components_), f"nca: {model['objective']:.5f}, scikit-learn reaches {share(peer.components_):.5f}")
    y = np.column_stack([np.sin(x[:, 1]) + 0.1 * rng.standard_normal(120), x[:, 2]])
    np.savetxt(path("t.csv"), np.column_stack([x, y]), delimiter=",", header="x1,x2,x3,x4,x5,x6,y,y2", comments="", fmt="%.17g")
    run("fit", "-q", path("t.csv"), "--target", "y,y2", "--method", "mlkr", "--dims", "2", "--max-iter", "200", "-o", path("m.ald"))
    model = read_model(path("m.ald"))
    error = lambda w: ((y - predicted(x, w.reshape(2, -1), y)) ** 2).sum() / 120
    peer = scipy.optimize.minimize(error, pca_start(x).ravel(), method="L-BFGS-B", options={"maxiter": 200, "maxfun": 10 ** 5})
    expect(abs(error(model["components"]) - model["objective"]) < 1e-9, f"mlkr: objective {model['objective']}, numpy has {error(model['components'])}")
    slope = scipy.optimize.approx_fprime(model["components"].ravel(), error, 1e-6)
    expect(np.abs(slope).max() * np.abs(model["components"]).max() < 1e-3 * model["objective"], f"mlkr: the end is no minimum: {slope}")
    expect(model["objective"] <= 1.1 * peer.fun, f"mlkr: {model['objective']:.5f}, scipy reaches {peer.fun:.5f}")


def clusters(kind, n, rng):
    """xor: four clusters at (+-1, +-1), the classes at opposite corners; ring: six on a circle of radius 2, three
    classes in turn; deviation 0.25."""
    at = rng.integers(0, 4 if kind == "xor" else 6, n)
    angle = np.pi / 4 + np.pi / 2 * at if kind == "xor" else np.pi / 3 * at
    radius = np.sqrt(2) if kind == "xor" else 2.0
    x = rng.standard_normal((n, 10))
    x[:, :2] = radius * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.25 * x[:, :2]
    return x, at % (2 if kind == "xor" else 3)


def accuracy_of(method, train, test):
    for name, (x, y) in (("t.csv", train), ("u.csv", test)):
        write(name, x, y)
    dims = "1" if method == "lda" and len(set(train[1])) == 2 else "2"
    run("fit", "-q", path("t.csv"), "--target", "y", "--method", method, "--dims", dims, "--predictor", "knn", "-o", path("m.ald"))
    return json.loads(run("evaluate", path("m.ald"), path("u.csv"), "--json"))["accuracy"]


def check_clusters():
    for kind in ("xor", "ring"):
        found = {}
        for draw in range(10 if long_form else 2):
            rng = np.random.default_rng(100 + draw)
            train, test = clusters(kind, 400, rng), clusters(kind, 1000, rng)
            for method in ("lda", "lfda", "nca"):
                found.setdefault(method, []).append(accuracy_of(method, train, test))
        means = {method: np.mean(values) for method, values in found.items()}
        print(f"{kind}: " + ", ".join(f"{method} {value:.3f}" for method, value in means.items()))
        for method in ("lfda", "nca"):
            expect(means[method] >= 0.97, f"{kind}: {method} reaches {means[method]:.3f}, less than 0.97")
        expect(means["lda"] < 0.65, f"{kind}: lda reaches {means['lda']:.3f}, though class means tell nothing")


SETS = {"iris": 3, "wine": 3, "glass": 6, "segmentation": 7, "sonar": 2, "balance": 3, "heart-cleveland": 5, "ionosphere": 2, "parkinsons": 2,
        "satimage": 6, "optdigits": 10}


def check_sets():
    """900 rows of the two large sets stand for all."""
    means, behind = {}, []
    for name, count in SETS.items():
        with open(os.path.join(shared, name + ".csv")) as file:
            lines = file.readlines()
        if len(lines) > 1000:
            lines = lines[:1] + [lines[i] for i in 1 + np.random.default_rng(1).permutation(len(lines) - 1)[:900]]
        with open(path(name + ".csv"), "w") as file:
            file.writelines(lines)
        told = json.loads(run("compare", path(name + ".csv"), "--target", "y", "--task", "classification", "--methods",
                              f"lda components={min(2, count - 1)},lfda,nca", "--components", "2", "--splits", "20", "--scale", "standard", "--predictor",
                              "knn", "--no-baselines", "--json", *(["--ignore", "Id"] if name == "glass" else [])))
        values = {row["method"]: np.array(row["values"]) for row in told["rows"]}
        for method, v in values.items():
            means.setdefault(method, []).append(v.mean())
        gain = values["nca"] - values["lda"]
        if gain.mean() < -2 * gain.std(ddof=1) / np.sqrt(len(gain)):
            behind.append(name)
        print(f"{name:16}" + "".join(f"  {method} {v.mean():.3f}" for method, v in values.items()))
    overall = {method: np.mean(v) for method, v in means.items()}
    print("mean            " + "".join(f"  {method} {v:.4f}" for method, v in overall.items()))
    expect(overall["lfda"] >= overall["lda"] - 0.015, f"lfda is {overall['lda'] - overall['lfda']:.4f} worse than lda in the mean over the sets")
    expect(overall["nca"] >= overall["lda"] + 0.03, f"nca is only {overall['nca'] - overall['lda']:.4f} better than lda in the mean over the sets")
    expect(len(behind) <= 1, f"nca is worse than lda on {', '.join(behind)}")


check_lfda()
check_soft()
check_clusters()
if long_form and shared:
    check_sets()
print("\n".join(failures) or "all agree")
sys.exit(1 if failures else 0)
