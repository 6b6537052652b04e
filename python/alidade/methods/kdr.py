# Written by tools/python-classes from the tables of the program: change it there, and run 'make docs'.
from __future__ import annotations

from typing import Any, Literal

from alidade._kinds import Classifier, Mapping, Plain


class KDR(Mapping, Plain):
    """Kernel dimension reduction.

    Directions that hold all that X says about the target, whatever the form of the dependence.

    What it finds. Orthonormal directions B such that the target depends on a row x only through B'x, as far as
    kernels can tell: given B'x, the rest of x should say nothing more about the target. Neither the form of the
    dependence nor the distribution of x is assumed.

    When to use it. When the dependence may be nonlinear, not monotone or even symmetric (parity, rings), where
    sir, pls and spca see nothing, and there are up to a few thousand rows, or more with `rank`. It is the most
    thorough method here and the slowest; gkdr is a good first look at a fraction of the time. One method covers
    several responses, classes and labels.

    Parameters
    ----------
    n_components : int or None, default=2
        Number of components to find, fewer where there are fewer; None or 0: the method's own rule.
    ridge : float, default=0.001
        Eps: n times this is added to the diagonal of the kernel of the projection. At least 1e-12.
    n_starts : int, default=6
        Number of random starts; the one with the lowest criterion is kept. From 1 to 10000.
    n_stages : int, default=50
        Number of steps; the kernels become narrower with each, from twice the final width. From 1 to 100000.
    rank : int or None, default=None
        At most this many columns of the kernels' factors; 0: whole matrices, n x n. Not given: 0 up to 1000
        rows, 100 above. From 0 to 1e+06. None: not given, which is 0 or what the method chooses.
    kernel_width : float, default=0.0
        Width of the kernel on X (kdr: on the projection, at the end), in units of the prepared columns; 0: by
        the median distance. At least 0.
    response_width : float, default=0.0
        Width of the kernel on the target, in its units; 0: by the median distance. At least 0.
    standardize : bool, default=True
        Divide the columns by their standard deviations first; has no effect when scale is given.
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
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : ndarray of str
        Their names, where X is a data frame.
    model_ : alidade model
        The model itself.

    References
    ----------
    Fukumizu, Bach and Jordan (2009)

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = X[:, 0] + np.sin(X[:, 1])
    >>> model = alidade.KDR(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    _method = "kdr"
    _changed_defaults = frozenset({'components_rule'})

    def __init__(self, n_components: int | None = 2,
                 *,
                 ridge: float = 0.001,
                 n_starts: int = 6,
                 n_stages: int = 50,
                 rank: int | None = None,
                 kernel_width: float = 0.0,
                 response_width: float = 0.0,
                 standardize: bool = True,
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
        self.ridge = ridge
        self.n_starts = n_starts
        self.n_stages = n_stages
        self.rank = rank
        self.kernel_width = kernel_width
        self.response_width = response_width
        self.standardize = standardize
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


class KDRClassifier(Classifier, KDR):
    """Kernel dimension reduction, a classifier.

    KDR where y has classes: whatever their type, its values are classes, and columns of 0 and 1 are labels if
    the method takes them. scikit-learn sees a classifier, so its splits are stratified and its searches score
    by accuracy. Parameters and attributes are those of KDR, without `task`.

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")
    >>> model = alidade.KDRClassifier(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    def __init__(self, n_components: int | None = 2,
                 *,
                 ridge: float = 0.001,
                 n_starts: int = 6,
                 n_stages: int = 50,
                 rank: int | None = None,
                 kernel_width: float = 0.0,
                 response_width: float = 0.0,
                 standardize: bool = True,
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
        self.ridge = ridge
        self.n_starts = n_starts
        self.n_stages = n_stages
        self.rank = rank
        self.kernel_width = kernel_width
        self.response_width = response_width
        self.standardize = standardize
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
