# Written by tools/python-classes from the tables of the program: change it there, and run 'make docs'.
from __future__ import annotations

from typing import Any, Literal

from alidade._kinds import Classifier, Mapping, Plain


class RSIR(Mapping, Plain):
    """Manifold-regularised sliced inverse regression.

    Directions along which slices of the response lie apart and neighbouring rows stay together.

    What it finds. The directions of sir, along which the means of slices (or classes) lie apart, adjusted so
    that rows that are close in the data stay close in the projection. Rows without a target contribute to the
    second part: they reveal the shape of the data, and a few labelled rows are then enough.

    When to use it. Few labelled rows and many without a target (images, text, measurements that are cheap while
    labels are not); or more directions than the number of classes minus one, the limit of lda and sir. With
    enough labelled rows the gain over sir is small: a point or two of accuracy on digits.

    Parameters
    ----------
    n_components : int or None, default=2
        Number of components to find, fewer where there are fewer; None or 0: the method's own rule.
    eta : float or None, default=None
        How much neighbours should stay together; unless set, 10 when labelled rows are fewer than columns. At
        least 0. None: not given, which is 1 or what the method chooses.
    graph : str, default='knn'
        Which rows are neighbours: the nearest, all, or within radius. One of knn, full, epsilon.
    n_neighbors : int, default=5
        knn: neighbours of a row. At least 1.
    radius : float, default=0.0
        epsilon: distance below which rows are neighbours; 0: (ln n / n)^(1/d). At least 0.
    heat_width : float, default=0.0
        knn, full: weights are exp(-d^2 / heat_width); 0: the mean d^2 of neighbours, the median of all pairs.
        At least 0.
    n_starts : int, default=1
        Number of starts: the first from eigenvectors, the others at random. From 1 to 1000.
    tol : float, default=1e-07
        Conjugate gradient: stop when the gradient is this small. From 1e-15 to 1.
    max_iter : int, default=2000
        Conjugate gradient: at most this many steps. At least 1.
    ridge : float, default=0.0
        Added to the diagonal of the covariance of the labelled rows. At least 0.
    ridge_rel : float, default=0.0
        The same as a part of its largest eigenvalue; the two are added. Where both are 0 and the covariance is
        singular, 1e-4 is taken. At least 0.
    n_slices : int, default=10
        Number of slices of a real response, with about equal numbers of rows. From 2 to 1e+06.
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
    components_ : ndarray of shape (n_components_, n_features_in_)
        The map: scores are ((X - mean_) / scale_) @ components_.T.
    mean_ : ndarray of shape (n_features_in_,)
        Subtracted from each row.
    explained_variance_ratio_, explained_variance_, explained_response_ratio_, eigenvalues_ : ndarray
        Of each component, where the method finds them: its part of the variance of X, the variance of its
        scores, its part of the variance of the response, the eigenvalue.
    coef_ : ndarray of shape (n_targets, n_features_in_)
        With a linear predictor: the prediction as one formula of the columns.
    intercept_ : ndarray of shape (n_targets,)
        Of the same formula.
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
    Bian and Tao (2009)

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = X[:, 0] + np.sin(X[:, 1])
    >>> model = alidade.RSIR(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    _method = "rsir"
    _changed_defaults = frozenset({'components_rule'})

    def __init__(self, n_components: int | None = 2,
                 *,
                 eta: float | None = None,
                 graph: Literal["knn", "full", "epsilon"] = "knn",
                 n_neighbors: int = 5,
                 radius: float = 0.0,
                 heat_width: float = 0.0,
                 n_starts: int = 1,
                 tol: float = 1e-07,
                 max_iter: int = 2000,
                 ridge: float = 0.0,
                 ridge_rel: float = 0.0,
                 n_slices: int = 10,
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
        self.eta = eta
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.heat_width = heat_width
        self.n_starts = n_starts
        self.tol = tol
        self.max_iter = max_iter
        self.ridge = ridge
        self.ridge_rel = ridge_rel
        self.n_slices = n_slices
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


class RSIRClassifier(Classifier, RSIR):
    """Manifold-regularised sliced inverse regression, a classifier.

    RSIR where y has classes: whatever their type, its values are classes, and columns of 0 and 1 are labels if
    the method takes them. scikit-learn sees a classifier, so its splits are stratified and its searches score
    by accuracy. Parameters and attributes are those of RSIR, without `task`.

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")
    >>> model = alidade.RSIRClassifier(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    def __init__(self, n_components: int | None = 2,
                 *,
                 eta: float | None = None,
                 graph: Literal["knn", "full", "epsilon"] = "knn",
                 n_neighbors: int = 5,
                 radius: float = 0.0,
                 heat_width: float = 0.0,
                 n_starts: int = 1,
                 tol: float = 1e-07,
                 max_iter: int = 2000,
                 ridge: float = 0.0,
                 ridge_rel: float = 0.0,
                 n_slices: int = 10,
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
        self.eta = eta
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.heat_width = heat_width
        self.n_starts = n_starts
        self.tol = tol
        self.max_iter = max_iter
        self.ridge = ridge
        self.ridge_rel = ridge_rel
        self.n_slices = n_slices
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
