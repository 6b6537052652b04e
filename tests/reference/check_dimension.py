"""How many directions and which features, against numpy and scipy. Usage: check_dimension.py ALIDADE

- sir's chi-square statistics, degrees of freedom and p-values: eigenvalues by scipy, the tail by scipy.stats.chi2, to 1e-10
- what directions explain: numpy's least squares on the projection that `alidade transform` gives
- weights, structure correlations (numpy.corrcoef) and vip: of pls by scikit-learn's PLSRegression and Wold's formula, of lda by
  the gain in explained sums of squares
- the permutation p-value of the first direction of lda, by our own permutations in numpy: the two agree within binomial error
- the bootstrap angles of lda, by our own resamples
- the ladle of sir (Sigma^(1/2) W) and of pca (plain coordinates, eigenvalues as shares), by our own resamples

Tolerances: 1e-9 where eigenvectors enter (condition below 1e3, gaps above 1e-3), 1e-10 for the p-values given the statistic."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
import scipy.stats
from sklearn.cross_decomposition import PLSRegression

executable = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(8)
n, d, slices = 150, 6, 7
x = rng.standard_normal((n, d)) @ (np.eye(d) + 0.3 * rng.standard_normal((d, d))) + rng.standard_normal(d)
y = x[:, 0] + np.exp(0.4 * x[:, 1]) + 0.5 * rng.standard_normal(n)
classes = np.digitize(y + 0.8 * x[:, 2], np.quantile(y + 0.8 * x[:, 2], [0.3, 0.7]))
failures, checks = [], 0


def check(name, got, expected, tolerance):
    global checks
    checks += 1
    error = np.max(np.abs(np.asarray(got, float) - np.asarray(expected, float)))
    if not error <= tolerance:
        failures.append(f"{name}: differs by {error:.2e}, more than {tolerance:.0e}")


def call(*words):
    return subprocess.run([executable, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def explained(z, values):
    zc, vc = np.column_stack([np.ones(len(z)), z]), values - values.mean(0)
    left = values - zc @ np.linalg.lstsq(zc, values, rcond=None)[0]
    return 1 - np.sum(left**2) / np.sum(vc**2)


def check_sir(folder):
    xc = x - x.mean(0)
    of = np.array([int(slices * np.sum(y < v) // n) for v in y])
    means = np.array([xc[of == h].mean(0) for h in range(slices)])
    share = np.bincount(of) / n
    values = scipy.linalg.eigh((means.T * share) @ means, xc.T @ xc / n, eigvals_only=True)[::-1]
    got = json.loads(call("dimension", os.path.join(folder, "r.csv"), "--target", "y", "--method", "sir", "--n-slices", str(slices),
                          "--permutations", "0", "--json", "-q"))
    for k, row in enumerate(got["rows"]):
        statistic, freedom = n * values[k:].sum(), (d - k) * (slices - k - 1)
        check(f"sir, eigenvalue {k}", row["eigenvalue"], values[k], 1e-9)
        check(f"sir, statistic {k}", row["chi_square"], statistic, 1e-7)
        check(f"sir, freedom {k}", row["freedom"], freedom, 0)
        tail = scipy.stats.chi2.sf(row["chi_square"], freedom)
        check(f"sir, p-value {k}, relative", row["chi_square_p"] / tail, 1, 1e-10)
    chosen = next((k for k, row in enumerate(got["rows"]) if row["chi_square_p"] > 0.05), len(got["rows"]))
    check("sir, the dimension", got["choices"]["chi_square"], chosen, 0)


def importance_of(folder, data, method, *options):
    model, scores = os.path.join(folder, "m.ald"), os.path.join(folder, "z.csv")
    call("fit", os.path.join(folder, data), "--target", "y", "--method", method, "-q", "-o", model, *options)
    call("transform", model, os.path.join(folder, data), "-q", "-o", scores)
    result = json.loads(call("evaluate", model, os.path.join(folder, data), "--explained", "--importance", "--json", "-q"))
    return np.loadtxt(scores, delimiter=",", skiprows=1, ndmin=2), result["explained"], result["importance"]


def check_shares(name, z, shares, target, scaled):
    for k in range(1, z.shape[1] + 1):
        check(f"{name}, explained of X by {k}", shares["x"][k - 1], explained(z[:, :k], scaled), 1e-9)
        check(f"{name}, explained of the target by {k}", shares["target"][k - 1], explained(z[:, :k], target), 1e-9)


def check_structure(name, z, importance):
    expected = np.corrcoef(z.T, x.T)[: z.shape[1], z.shape[1]:]
    check(f"{name}, structure", importance["structure"], expected, 1e-9)


def check_pls(folder):
    z, shares, importance = importance_of(folder, "r.csv", "pls", "--dims", "3", "--scale", "standard")
    scaled = (x - x.mean(0)) / x.std(0)
    check_shares("pls", z, shares, y[:, None], scaled)
    check_structure("pls", z, importance)
    peer = PLSRegression(3, scale=False).fit(scaled, y)
    t, w, q = peer.x_scores_, peer.x_weights_, peer.y_loadings_
    explained_squares = np.sum(t**2, 0) * q[0] ** 2
    vip = np.sqrt(d * (w**2 / np.sum(w**2, 0)) @ explained_squares / explained_squares.sum())
    check("pls, vip", importance["vip"], vip, 1e-9)
    check("pls, weights", np.abs(importance["weights"]), np.abs((peer.x_rotations_ / x.std(0)[:, None]).T), 1e-9)
    check("pls, loadings", np.abs(importance["loadings"]), np.abs((peer.x_loadings_ * x.std(0)[:, None]).T), 1e-9)


def check_lda(folder):
    z, shares, importance = importance_of(folder, "c.csv", "lda")
    target = np.eye(3)[classes]
    check_shares("lda", z, shares, target, x)
    check_structure("lda", z, importance)
    raw = np.linalg.lstsq(x - x.mean(0), z - z.mean(0), rcond=None)[0]
    check("lda, weights", importance["weights"], raw.T, 1e-9)
    weights = raw * x.std(0)[:, None]
    loadings = np.linalg.lstsq(z - z.mean(0), x - x.mean(0), rcond=None)[0]
    check("lda, loadings", importance["loadings"], loadings, 1e-9)
    check("lda, standardized", importance["standardized"], weights.T, 1e-9)
    gain = np.diff([0] + [explained(z[:, :k], target) for k in (1, 2)])
    vip = np.sqrt(d * (weights**2 / np.sum(weights**2, 0)) @ gain / gain.sum())
    check("lda, vip", importance["vip"], vip, 1e-9)


def first_root(labels, rows):
    rc, h = rows - rows.mean(0), np.eye(3)[labels]
    hc = h - h.mean(0)
    fitted = rc @ np.linalg.lstsq(rc, hc, rcond=None)[0]
    values = scipy.linalg.eigh(fitted.T @ fitted, hc.T @ hc + 1e-12 * np.eye(3), eigvals_only=True)
    return values[-1]


def check_permutations(folder):
    """Noise, so that p is in the middle; both p-values are of the same chance, from 999 permutations each."""
    noise = rng.permutation(classes)
    np.savetxt(os.path.join(folder, "noise.csv"), np.column_stack([x, noise]), delimiter=",", header="a,b,c,d,e,f,y", comments="")
    got = json.loads(call("dimension", os.path.join(folder, "noise.csv"), "--target", "y", "--method", "lda", "--max-dims", "1",
                          "--permutations", "999", "--json", "-q"))["rows"][0]
    own = np.array([first_root(rng.permutation(noise), x) for _ in range(999)])
    root = first_root(noise, x)
    check("lda, its root", got["statistic"], root, 1e-8)
    p = np.mean(own >= root)
    check("lda, permutation p-value", got["permutation_p"], p, 5 * np.sqrt(2 * max(p * (1 - p), 0.01) / 999))


def angle(a, b):
    qa, qb = np.linalg.qr(a - a.mean(0))[0], np.linalg.qr(b - b.mean(0))[0]
    return np.degrees(np.arccos(np.clip(np.linalg.svd(qa.T @ qb)[1], -1, 1)))


def lda_scores(labels, rows, every):
    rc = rows - rows.mean(0)
    means = np.array([rc[labels == c].mean(0) for c in range(3)])
    between = (means.T * np.bincount(labels)) @ means
    vectors = scipy.linalg.eigh(between, rc.T @ rc)[1][:, :-3:-1]
    return every @ vectors


def check_bootstrap(folder):
    """The means over 400 resamples each, ours and theirs of other draws: their difference is within five standard errors."""
    model = os.path.join(folder, "m.ald")
    call("fit", os.path.join(folder, "c.csv"), "--target", "y", "--method", "lda", "-q", "-o", model)
    got = json.loads(call("evaluate", model, os.path.join(folder, "c.csv"), "--stability", "--resamples", "400", "--json", "-q"))["stability"]
    whole, angles = lda_scores(classes, x, x), []
    for _ in range(400):
        rows = np.concatenate([rng.choice(np.flatnonzero(classes == c), np.sum(classes == c)) for c in range(3)])
        z = lda_scores(classes[rows], x[rows], x)
        angles.append([angle(whole[:, :1], z[:, :1])[0], angle(whole, z).max(), angle(whole, z).mean()])
    angles = np.array(angles)
    error = 5 * np.sqrt(2) * angles.std(0) / 20
    check("bootstrap, one direction", got["rows"][0]["largest_angle_degrees"], angles[:, 0].mean(), error[0])
    check("bootstrap, largest of two", got["rows"][1]["largest_angle_degrees"], angles[:, 1].mean(), error[1])
    check("bootstrap, mean of two", got["rows"][1]["mean_angle_degrees"], angles[:, 2].mean(), error[2])


def sir_directions(rows, target):
    """All eigenvalues of sir and Sigma^(1/2) W with the Sigma of all rows."""
    xc = rows - rows.mean(0)
    of = np.array([int(slices * np.sum(target < v) // n) for v in target])
    means = np.array([xc[of == h].mean(0) if np.any(of == h) else np.zeros(d) for h in range(slices)])
    values, vectors = scipy.linalg.eigh((means.T * (np.bincount(of, minlength=slices) / n)) @ means, xc.T @ xc / n)
    return values[::-1], scipy.linalg.sqrtm(np.cov(x.T)) @ vectors[:, ::-1]


def pca_directions(rows, _):
    values, vectors = np.linalg.eigh(np.cov(rows.T))
    return values[::-1] / values.sum(), vectors[:, ::-1]


def check_ladle(folder):
    """Luo and Li (2016). The mean over 300 resamples each, of other draws: within five standard errors; phi to rounding."""
    for name, directions in (("sir", sir_directions), ("pca", pca_directions)):
        got = json.loads(call("dimension", os.path.join(folder, "r.csv"), "--target", "y", "--method", name, "--rule", "ladle", "--resamples",
                              "300", "--json", "-q", *(["--n-slices", str(slices)] if name == "sir" else [])))
        values, whole = directions(x, y)
        turns = np.zeros((300, d))
        for draw in range(300):
            rows = rng.integers(0, n, n)
            own = directions(x[rows], y[rows])[1]
            for k in range(1, d):
                qa, qb = np.linalg.qr(whole[:, :k])[0], np.linalg.qr(own[:, :k])[0]
                turns[draw, k] = 1 - abs(np.linalg.det(qa.T @ qb))
        f0 = turns.mean(0)
        f, phi = f0 / (1 + f0.sum()), values / (1 + values.sum())
        error = 5 * np.sqrt(2) * (turns.std(0) + f * turns.sum(1).std()) / np.sqrt(300)
        check(f"ladle of {name}, eigenvalue 1", got["none"]["ladle_value"], phi[0], 1e-9)
        for k in range(1, d):
            check(f"ladle of {name}, eigenvalue {k + 1}", got["rows"][k - 1]["ladle_value"], phi[k], 1e-9)
            check(f"ladle of {name}, turn {k}", got["rows"][k - 1]["ladle_turn"], f[k], error[k])
        sums = [got["none"]["ladle_value"]] + [row["ladle_turn"] + row["ladle_value"] for row in got["rows"][: d - 1]]
        check(f"ladle of {name}, choice", got["choices"]["ladle"], np.argmin(sums), 0)


with tempfile.TemporaryDirectory() as place:
    for name, column in (("r.csv", y), ("c.csv", classes)):
        np.savetxt(os.path.join(place, name), np.column_stack([x, column]), delimiter=",", header="a,b,c,d,e,f,y", comments="", fmt="%.17g")
    check_sir(place)
    check_pls(place)
    check_lda(place)
    check_permutations(place)
    check_bootstrap(place)
    check_ladle(place)
for failure in failures:
    print(failure)
print(f"{checks - len(failures)} of {checks} checks hold")
sys.exit(1 if failures else 0)
