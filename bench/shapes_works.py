"""What shapes.py draws and measures: for each method the shape and the data, ours through Python and through the library, the solvers of
scikit-learn, and a figure by which their accuracy is judged.

The figure is computed from what each fit gives for the training rows, by means of numpy alone, and is largest for the exact solution:

    pca    the variance of X within the span of the components
    kpca   trace(Q'KQ), Q an orthonormal basis of the scores, K the centred kernel
    lda    the share of the variance of the scores between classes, summed over the discriminants: trace(St^-1 Sb) of the scores
    pls    R² of the predictions of the training rows
    cca    the sum of the squared canonical correlations of scores and responses

A solver is as accurate as ours if it reaches ours but for the relative tolerance of the method. That of pca and kpca is 1e-9: for
separated eigenvalues this is an angle of 3e-5. lda has 1e-6, pls 1e-6. scikit-learn's CCA stops at 1e-6 or after 500 steps and is far
from exact; as there is no other, it counts whatever it reaches."""
import numpy as np

KINDS = ("flat", "factors", "decay")
MOST_ROWS_KERNEL = 4472  # as many entries of K as X may have
FEW_ENTRIES_CCA = 1_000_000  # scikit-learn's CCA takes minutes beyond


def log_uniform(rng, low, high):
    return int(round(np.exp(rng.uniform(np.log(low), np.log(high)))))


def draw_shape(rng, method, entries):
    """n, d, r and the number of classes or responses (0: no target), log-uniform."""
    most_rows = MOST_ROWS_KERNEL if method == "kpca" else 300_000
    while True:
        n, d = log_uniform(rng, 100, most_rows), log_uniform(rng, 5, 8_000)
        if n * d <= (min(entries, FEW_ENTRIES_CCA) if method == "cca" else entries):
            break
    r, q = log_uniform(rng, 1, min(20, d, n - 1)), 0
    if method == "lda":
        q = log_uniform(rng, 2, 12)
        r = min(q - 1, d)
    elif method == "cca":
        q = log_uniform(rng, 2, min(10, d))
        r = min(r, q)
    elif method == "pls":
        q = 1 if rng.random() < 0.75 else log_uniform(rng, 2, 6)
    return n, d, r, q


def draw_x(rng, n, d, kind):
    """Rows of mean other than zero: independent columns alike (flat), of falling spread (decay), or ten factors and noise."""
    x = rng.standard_normal((n, d))
    if kind == "decay":
        x *= np.linspace(3, 0.2, d)
    elif kind == "factors":
        strength = np.geomspace(8, 1, min(10, d))
        x += (rng.standard_normal((n, len(strength))) * strength) @ rng.standard_normal((len(strength), d))
    x += rng.standard_normal(d)
    return x


def draw_target(rng, x, method, q):
    n, d = x.shape
    if method == "lda":
        codes = rng.integers(0, q, n).astype(np.int32)
        codes[:q] = np.arange(q)
        x[np.arange(n), codes % d] += 2.0
        return codes
    if q == 0:
        return None
    columns = min(d, 20)
    signal = x[:, :columns] @ rng.standard_normal((columns, q))
    return np.ascontiguousarray(signal + signal.std() * 0.5 * rng.standard_normal((n, q)))


def centred_basis(scores):
    scores = np.asarray(scores, dtype=float)
    return np.linalg.qr(scores - scores.mean(axis=0))[0]


class Case:
    """A drawn shape with its data; a subclass for each method says how it is fitted and judged."""
    works = ("fit", "transform")
    tolerance = 1e-9

    def __init__(self, seed, number, entries):
        rng = np.random.default_rng([seed, number, *self.method.encode()])
        self.n, self.d, self.r, self.q = draw_shape(rng, self.method, entries)
        self.kind = KINDS[rng.integers(len(KINDS))]
        self.x = draw_x(rng, self.n, self.d, self.kind)
        self.y = draw_target(rng, self.x, self.method, self.q)

    @property
    def flat_y(self):
        """The target as people give it: one response as a vector."""
        return self.y[:, 0] if self.y is not None and self.y.ndim == 2 and self.q == 1 else self.y

    def parameters(self):
        return {"n_components": self.r}

    def estimator(self, threads):
        import alidade
        return getattr(alidade, self.method.upper())(n_jobs=threads, **self.parameters())

    def library_fit(self, ald):
        return ald.fit_handle(self.method, {**self.parameters(), "components_rule": "at-most"}, self.x, self.y, usual_predictor=True)

    def library_works(self, ald, model):
        """By name what a C program calls; arrays are made before, as it would."""
        z = np.empty((self.n, self.r))
        return {"transform": lambda: ald.rows_through("ald_transform", model, self.x, z)}


class Pca(Case):
    method = "pca"

    def peers(self):
        from sklearn.decomposition import PCA
        low = min(self.n, self.d)
        solvers = {"full": low <= 1200, "covariance_eigh": self.d <= 3000 and has_solver(PCA, "covariance_eigh"),
                   "arpack": self.r < low, "randomized": True}
        return {f"PCA {s}": lambda s=s: PCA(self.r, svd_solver=s, random_state=0) for s, take in solvers.items() if take}

    def figure(self, model):
        basis = np.linalg.qr(np.asarray(model.components_, dtype=float).T)[0]
        z = self.x @ basis
        return float(((z - z.mean(axis=0)) ** 2).sum())


def has_solver(estimator, name):
    try:
        estimator(1, svd_solver=name).fit(np.eye(4))
    except ValueError:
        return False
    return True


class Kpca(Case):
    method = "kpca"

    def __init__(self, seed, number, entries):
        super().__init__(seed, number, entries)
        self.gamma = 0.5 / (self.d * self.x.var())
        self.kernel = None

    def parameters(self):
        return {"n_components": self.r, "kernel_width": float((2 * self.gamma) ** -0.5)}

    def peers(self):
        from sklearn.decomposition import KernelPCA
        solvers = {"dense": self.n <= 1500, "arpack": self.r < self.n, "randomized": True}
        return {f"KernelPCA {s}": lambda s=s: KernelPCA(self.r, kernel="rbf", gamma=self.gamma, eigen_solver=s, random_state=0)
                for s, take in solvers.items() if take}

    def figure(self, model):
        if self.kernel is None:
            from sklearn.metrics.pairwise import rbf_kernel
            k = rbf_kernel(self.x, gamma=self.gamma)
            self.kernel = k - k.mean(axis=0) - k.mean(axis=1)[:, None] + k.mean()
        basis = centred_basis(model.transform(self.x))
        return float((basis * (self.kernel @ basis)).sum())


class Lda(Case):
    method = "lda"
    works = ("fit", "transform", "predict", "predict_proba", "score")
    tolerance = 1e-6

    def peers(self):
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Peer
        narrow = self.d <= 3000 and self.n > self.d
        solvers = {"svd": True, "lsqr": narrow, "eigen": narrow}
        return {f"LDA {s}": lambda s=s: Peer(solver=s) for s, take in solvers.items() if take}

    def figure(self, model):
        """By scores, or where a solver has none by its discriminant functions, which span the same space."""
        scores = model.transform(self.x) if getattr(model, "solver", "") != "lsqr" else model.decision_function(self.x).reshape(self.n, -1)
        scores = scores - scores.mean(axis=0)
        left, values, _ = np.linalg.svd(scores, full_matrices=False)
        basis = left[:, values > 1e-9 * values[0]]
        counts = np.bincount(self.y, minlength=self.q)
        sums = np.stack([np.bincount(self.y, weights=column, minlength=self.q) for column in basis.T])
        return float((sums ** 2 / counts).sum())

    def library_works(self, ald, model):
        codes, scores = np.empty((self.n, 1)), np.empty((self.n, self.q))
        return {**super().library_works(ald, model), "predict": lambda: ald.rows_through("ald_predict", model, self.x, codes),
                "predict_proba": lambda: ald.rows_through("ald_predict_scores", model, self.x, scores)}


class Responses(Case):
    works = ("fit", "transform", "predict", "score")

    def library_works(self, ald, model):
        predicted = np.empty((self.n, self.q))
        return {**super().library_works(ald, model), "predict": lambda: ald.rows_through("ald_predict", model, self.x, predicted)}


class Pls(Responses):
    method = "pls"
    tolerance = 1e-6

    def peers(self):
        from sklearn.cross_decomposition import PLSRegression
        return {"PLSRegression": lambda: PLSRegression(self.r, scale=False)}

    def figure(self, model):
        return float(model.score(self.x, self.flat_y))


class Cca(Responses):
    method = "cca"
    tolerance = np.inf

    def peers(self):
        from sklearn.cross_decomposition import CCA
        return {"CCA": lambda: CCA(self.r, scale=False)}

    def figure(self, model):
        scores = model.transform(self.x)
        return float(np.sum((centred_basis(scores).T @ centred_basis(self.y)) ** 2))


CASES = {case.method: case for case in (Pca, Pls, Lda, Kpca, Cca)}
