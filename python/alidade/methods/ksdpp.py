# Written by tools/python-classes from the tables of the program: change it there, and run 'make docs'.
from __future__ import annotations

from typing import Any, Literal

from alidade._kinds import Classifier, Graph, Mapping


class KSDPP(Mapping, Graph):
    """Kernel supervised distance preserving projection.

    Curved directions in which near rows are as far apart as their targets, by a kernel.

    What it finds. Curved directions in which nearby rows are as far apart as their targets: sdpp with a kernel.
    If the target changes smoothly along a curved structure, the first direction follows it.

    When to use it. For a response that depends on the rows in a curved way (images of a rotating object,
    spectra), to see it or to predict it from one or two numbers; and for linear sdpp with far more columns than
    rows (`kernel=linear`). Not when noise columns outnumber the relevant ones: a kernel compares all columns
    alike, and sdpp or kdr can leave some out. With as many kernel directions as rows any target is fitted
    without error, so judge it on held-out rows, and constrain it by `pca_dims`, `ridge_rel` or `landmarks` if
    that is too much.

    Parameters
    ----------
    n_components : int or None, default=2
        Number of components to find, fewer where there are fewer; None or 0: the method's own rule.
    response_kernel : str, default='linear'
        Distances between targets: as they are, or as a kernel sees them. One of linear, rbf.
    response_width : float, default=0.0
        rbf: width s in the units of the target; 0: the median distance. At least 0.
    kernel : str, default='rbf'
        Similarity of rows; precomputed: X is the kernel matrix itself. One of linear, rbf, laplacian,
        polynomial, cosine, precomputed.
    kernel_width : float, default=0.0
        rbf, laplacian: width s in the units of X; 0: half the median distance of rows. At least 0.
    degree : int, default=3
        polynomial: the power. From 1 to 100.
    coef0 : float, default=1.0
        polynomial: the constant that is added before the power is taken. At least 0.
    landmarks : int, default=0
        Compare rows with this many landmarks only, for many rows; 0: with all. At least 0.
    landmark_choice : str, default='uniform'
        Landmarks: rows drawn, centres of groups, or rows drawn by leverage. One of uniform, kmeans, leverage.
    features : int, default=0
        rbf, laplacian: this many random features instead of the kernel; 0: none. At least 0.
    solver : str, default='auto'
        How W is found: by conjugate gradient, or as the convex problem over W W' by a first-order method; auto:
        both where that is affordable. One of auto, cg, first-order.
    n_starts : int, default=6
        cg: number of starts; the one with the lowest J is kept. From 1 to 10000.
    max_iter : int, default=1000
        At most this many iterations, of each start. At least 1.
    tol : float, default=1e-08
        cg: stop when the gradient is this small, relative to its size near W = 0. From 1e-15 to 1.
    pca_dims : int, default=0
        Use only this many principal components of the kernel; 0: all of the kernel. At least 0.
    ridge : float, default=0.0
        Penalty on the length of the directions: ridge |W|^2 is added to the criterion J. At least 0.
    ridge_rel : float or None, default=None
        The same as a part of the ridge at which W is 0; the two are added. Not given, nor ridge, pca_dims,
        early_stopping, manifold or penalty: chosen where columns are 0.8 of the rows or more (sdpp). At least
        0. None: not given, which is 0 or what the method chooses.
    early_stopping : float, default=0.0
        cg: leave this part of the rows out, and stop when their J no longer falls; 0: fit all rows. From 0 to
        0.9.
    repulsion : float, default=0.0
        Reward for the variance of the projection. At least 0.
    manifold : float, default=0.0
        Penalty on differences between neighbouring rows, with a target or without. At least 0.
    divergence : str, default='squared'
        How the misfit of a pair is measured. One of squared, kl, itakura-saito.
    graph : str, default='knn'
        Which rows are neighbours: see docs/graphs.md. One of knn, epsilon, enclosing, natural.
    n_neighbors : int, default=0
        knn: neighbours of a row; 0: 20 of 100 rows or more, else up to 10 (cmvu, mkdr: 5). At least 0.
    radius : float, default=0.0
        epsilon: distance below which rows are neighbours; 0: (ln n / n)^(1/d). At least 0.
    neighbors : str, default='exact'
        knn: search all pairs, or an index that may miss some (its recall is reported). One of exact,
        approximate.
    components_rule : str, default='at-most'
        If there are fewer components than n_components requests: exactly is an error, at-most takes those
        available; without n_components always at-most. One of exactly, at-most.
    scale : str, default='none'
        Divide each column: standard by its standard deviation, minmax by its range (kept in the model). One of
        none, standard, minmax.
    row_scale : str, default='none'
        Before that, scale each row: standard to mean 0 and standard deviation 1 (SNV, for spectra), unit to
        length 1 (for texts). One of none, standard, unit.
    rows : str, default='none'
        Steps applied first to each row (spectra), in the order given: snv, msc, detrend:DEGREE,
        savgol:WINDOW:DEGREE:DERIVATIVE.
    keep_statistics : bool, default=False
        Keep what is needed to add or remove rows later without the data (d x d numbers).
    outlier_limits : bool, default=False
        Keep the limits of T2 and Q, which show rows that are unlike those of the fit (r x d numbers; linear
        methods).
    random_state : int, RandomState, Generator or None, default=0
        Seed of the random numbers; None is 0.
    predictor_neighbors : int, default=1
        knn: how many of the nearest rows it looks at; 0: one more than the number of classes. At least 0.
    predictor_ridge : float, default=0.0
        ridge, one-vs-rest and logistic: the penalty, in units of the number of rows; 0: the predictor's own. At
        least 0.
    predictor : str, default='auto'
        Predictor on the projection. auto: gaussian for classes, linear for numbers, one-vs-rest for labels,
        none without a target. none leaves it out. One of auto, none, linear, ridge, one-vs-rest, centroid,
        gaussian, logistic, knn, cox.
    task : str, default='auto'
        What y is. auto: what the method takes; where it takes several kinds, the type of y decides: floats are
        numbers, whole numbers, texts, booleans and categories are classes, and several columns of whole numbers
        or booleans labels. One of auto, classification, regression, multilabel.
    intervals : int or None, default=None
        Keep the errors of so many more fits, each without a part of the rows, for `predict_interval`; 10 is
        usual. None: do not.
    n_jobs : int or None, default=None
        Number of threads, -1: all that the process may use. None: the same, but one in threads and processes
        that a program started, and as many as OMP_NUM_THREADS says where it is set.
    device : str, default='cpu'
        What fits compute on: cpu, cuda or cuda:N, a card of that number, or auto, a card where there is one and
        the fit is large enough. Arrays that live on a card are used there in any case.
    progress : callable, bool or None, default=None
        Called with what is being done and the part done, several times per second; an exception that it raises
        ends the fit. True: a bar, on standard error or in the cell of a notebook.

    Attributes
    ----------
    n_components_ : int
        Number of components.
    explained_variance_ratio_, explained_variance_, explained_response_ratio_, eigenvalues_ : ndarray
        Of each component, where the method finds them: its part of the variance of X, the variance of its
        scores, its part of the variance of the response, the eigenvalue.
    classes_ : ndarray of shape (n_classes,)
        The classes, where y has them.
    n_iter_ : int
        Iterations of the solver.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : ndarray of str
        Their names, where X is a data frame.
    model_ : alidade model
        The model itself.

    References
    ----------
    Zhu (2012); Zhu, Simila and Corona (2013)

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = X[:, 0] + np.sin(X[:, 1])
    >>> model = alidade.KSDPP(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    _method = "ksdpp"
    _changed_defaults = frozenset({'components_rule'})

    def __init__(self, n_components: int | None = 2,
                 *,
                 response_kernel: Literal["linear", "rbf"] = "linear",
                 response_width: float = 0.0,
                 kernel: Literal["linear", "rbf", "laplacian", "polynomial", "cosine", "precomputed"] = "rbf",
                 kernel_width: float = 0.0,
                 degree: int = 3,
                 coef0: float = 1.0,
                 landmarks: int = 0,
                 landmark_choice: Literal["uniform", "kmeans", "leverage"] = "uniform",
                 features: int = 0,
                 solver: Literal["auto", "cg", "first-order"] = "auto",
                 n_starts: int = 6,
                 max_iter: int = 1000,
                 tol: float = 1e-08,
                 pca_dims: int = 0,
                 ridge: float = 0.0,
                 ridge_rel: float | None = None,
                 early_stopping: float = 0.0,
                 repulsion: float = 0.0,
                 manifold: float = 0.0,
                 divergence: Literal["squared", "kl", "itakura-saito"] = "squared",
                 graph: Literal["knn", "epsilon", "enclosing", "natural"] = "knn",
                 n_neighbors: int = 0,
                 radius: float = 0.0,
                 neighbors: Literal["exact", "approximate"] = "exact",
                 components_rule: Literal["exactly", "at-most"] = "at-most",
                 scale: Literal["none", "standard", "minmax"] = "none",
                 row_scale: Literal["none", "standard", "unit"] = "none",
                 rows: str = "none",
                 keep_statistics: bool = False,
                 outlier_limits: bool = False,
                 random_state: Any = 0,
                 predictor_neighbors: int = 1,
                 predictor_ridge: float = 0.0,
                 predictor: Literal["auto", "none", "linear", "ridge", "one-vs-rest", "centroid", "gaussian", "logistic", "knn", "cox"] = "auto",
                 task: Literal["auto", "classification", "regression", "multilabel"] = "auto",
                 intervals: Any = None,
                 n_jobs: Any = None,
                 device: Any = "cpu",
                 progress: Any = None) -> None:
        self.n_components = n_components
        self.response_kernel = response_kernel
        self.response_width = response_width
        self.kernel = kernel
        self.kernel_width = kernel_width
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.landmark_choice = landmark_choice
        self.features = features
        self.solver = solver
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.tol = tol
        self.pca_dims = pca_dims
        self.ridge = ridge
        self.ridge_rel = ridge_rel
        self.early_stopping = early_stopping
        self.repulsion = repulsion
        self.manifold = manifold
        self.divergence = divergence
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.neighbors = neighbors
        self.components_rule = components_rule
        self.scale = scale
        self.row_scale = row_scale
        self.rows = rows
        self.keep_statistics = keep_statistics
        self.outlier_limits = outlier_limits
        self.random_state = random_state
        self.predictor_neighbors = predictor_neighbors
        self.predictor_ridge = predictor_ridge
        self.predictor = predictor
        self.task = task
        self.intervals = intervals
        self.n_jobs = n_jobs
        self.device = device
        self.progress = progress


class KSDPPClassifier(Classifier, KSDPP):
    """Kernel supervised distance preserving projection, a classifier.

    KSDPP where y has classes: whatever their type, its values are classes, and columns of 0 and 1 are labels if
    the method takes them. scikit-learn sees a classifier, so its splits are stratified and its searches score
    by accuracy. Parameters and attributes are those of KSDPP, without `task`.

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")
    >>> model = alidade.KSDPPClassifier(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    def __init__(self, n_components: int | None = 2,
                 *,
                 response_kernel: Literal["linear", "rbf"] = "linear",
                 response_width: float = 0.0,
                 kernel: Literal["linear", "rbf", "laplacian", "polynomial", "cosine", "precomputed"] = "rbf",
                 kernel_width: float = 0.0,
                 degree: int = 3,
                 coef0: float = 1.0,
                 landmarks: int = 0,
                 landmark_choice: Literal["uniform", "kmeans", "leverage"] = "uniform",
                 features: int = 0,
                 solver: Literal["auto", "cg", "first-order"] = "auto",
                 n_starts: int = 6,
                 max_iter: int = 1000,
                 tol: float = 1e-08,
                 pca_dims: int = 0,
                 ridge: float = 0.0,
                 ridge_rel: float | None = None,
                 early_stopping: float = 0.0,
                 repulsion: float = 0.0,
                 manifold: float = 0.0,
                 divergence: Literal["squared", "kl", "itakura-saito"] = "squared",
                 graph: Literal["knn", "epsilon", "enclosing", "natural"] = "knn",
                 n_neighbors: int = 0,
                 radius: float = 0.0,
                 neighbors: Literal["exact", "approximate"] = "exact",
                 components_rule: Literal["exactly", "at-most"] = "at-most",
                 scale: Literal["none", "standard", "minmax"] = "none",
                 row_scale: Literal["none", "standard", "unit"] = "none",
                 rows: str = "none",
                 keep_statistics: bool = False,
                 outlier_limits: bool = False,
                 random_state: Any = 0,
                 predictor_neighbors: int = 1,
                 predictor_ridge: float = 0.0,
                 predictor: Literal["auto", "none", "linear", "ridge", "one-vs-rest", "centroid", "gaussian", "logistic", "knn", "cox"] = "auto",
                 intervals: Any = None,
                 n_jobs: Any = None,
                 device: Any = "cpu",
                 progress: Any = None) -> None:
        self.n_components = n_components
        self.response_kernel = response_kernel
        self.response_width = response_width
        self.kernel = kernel
        self.kernel_width = kernel_width
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.landmark_choice = landmark_choice
        self.features = features
        self.solver = solver
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.tol = tol
        self.pca_dims = pca_dims
        self.ridge = ridge
        self.ridge_rel = ridge_rel
        self.early_stopping = early_stopping
        self.repulsion = repulsion
        self.manifold = manifold
        self.divergence = divergence
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.neighbors = neighbors
        self.components_rule = components_rule
        self.scale = scale
        self.row_scale = row_scale
        self.rows = rows
        self.keep_statistics = keep_statistics
        self.outlier_limits = outlier_limits
        self.random_state = random_state
        self.predictor_neighbors = predictor_neighbors
        self.predictor_ridge = predictor_ridge
        self.predictor = predictor
        self.intervals = intervals
        self.n_jobs = n_jobs
        self.device = device
        self.progress = progress
