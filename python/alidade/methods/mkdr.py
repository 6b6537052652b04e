# Written by tools/python-classes from the tables of the program: change it there, and run 'make docs'.
from __future__ import annotations

from typing import Any, Literal

from alidade._kinds import Embedding, Plain


class MKDR(Embedding, Plain):
    """Manifold kernel dimension reduction.

    Places for the given rows, made of the smoothest functions on their graph, that explain the target.

    What it finds. Positions for the given rows, labelled or not, composed of the smoothest functions on their
    neighbourhood graph, such that the target depends on the positions as strongly as possible. No linear map is
    involved: classes that lie in concentric rings are separated.

    When to use it. To look at the rows at hand, or to assign classes to the unlabelled ones among them. There
    is no map for new rows: `transform` and `predict` recognise the training rows (all of them, in order) and
    refuse others. Fit all rows together, including those without a target, or use rsir, which has a map.

    Parameters
    ----------
    n_components : int or None, default=2
        Number of components to find, fewer where there are fewer; None or 0: the method's own rule.
    ridge : float, default=0.01
        Added to the kernel of the embedding (n times epsilon). At least 1e-12.
    tol : float, default=1e-06
        Stop when the value is this close to the minimum, as a part of it. From 1e-12 to 1.
    max_iter : int, default=20000
        At most this many steps. At least 1.
    n_basis : int, default=10
        Number of functions on the graph that the embedding is made of. From 1 to 1000.
    response_kernel : str, default='auto'
        Similarity of targets; auto: equal or not for classes, rbf for real responses, linear for labels. One of
        auto, delta, linear, rbf.
    response_width : float, default=0.0
        Width of the rbf kernel; 0: half the median distance. At least 0.
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
    embedding_ : ndarray of shape (n_samples, n_components_)
        Places of the rows of fit.
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
    Nilsson, Sha and Jordan (2007)

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")
    >>> alidade.MKDR(n_components=1).fit_transform(X, y).shape
    (60, 1)
    """

    _method = "mkdr"
    _changed_defaults = frozenset({'components_rule'})

    def __init__(self, n_components: int | None = 2,
                 *,
                 ridge: float = 0.01,
                 tol: float = 1e-06,
                 max_iter: int = 20000,
                 n_basis: int = 10,
                 response_kernel: Literal["auto", "delta", "linear", "rbf"] = "auto",
                 response_width: float = 0.0,
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
                 n_jobs: Any = None,
                 device: Any = "cpu",
                 progress: Any = None) -> None:
        self.n_components = n_components
        self.ridge = ridge
        self.tol = tol
        self.max_iter = max_iter
        self.n_basis = n_basis
        self.response_kernel = response_kernel
        self.response_width = response_width
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
        self.n_jobs = n_jobs
        self.device = device
        self.progress = progress
