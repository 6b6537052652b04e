# Written by tools/python-classes from the tables of the program: change it there, and run 'make docs'.
from __future__ import annotations

from typing import Any, Literal

from alidade._kinds import KernelWeighted, Mapping


class MDDM(Mapping, KernelWeighted):
    """Multi-label dimensionality reduction by dependence maximisation.

    Directions on which the projection depends most on the labels.

    What it finds. Directions on which the projection depends most on the labels, measured by the
    Hilbert-Schmidt independence criterion with a linear kernel on the projection and a kernel of your choice on
    the labels.

    When to use it. Several labels per row. With the default kernel, L = YY', it is plssb
    (`constraint=projection`) or opls (`constraint=feature`) under the name that the multi-label literature has
    for it; another `response_kernel` makes the difference, also a matrix that is given.

    Parameters
    ----------
    n_components : int or None, default=2
        Number of components to find, fewer where there are fewer; None or 0: the method's own rule.
    constraint : str, default='projection'
        What is orthonormal: the directions, or the scores. One of projection, feature.
    response_kernel : str, default='linear'
        Similarity of the labels of rows; identity looks at none: pca; given: a matrix that comes with the rows.
        One of linear, rbf, polynomial, identity, given.
    response_width : float, default=0.0
        rbf: width s in the units of the target; 0: the median distance. At least 0.
    response_degree : int, default=3
        polynomial: the degree. From 1 to 20.
    response_coef0 : float, default=1.0
        polynomial: added to the products of targets. At least 0.
    solver : str, default='auto'
        How: by X'X, or by the smaller dual problem. One of auto, direct, dual.
    ridge : float, default=0.0
        Added to the diagonal of X'X. At least 0.
    ridge_rel : float, default=0.0
        The same as a part of its largest eigenvalue; the two are added. At least 0.
    tol : float, default=1e-06
        That of LSQR or Lanczos, which auto takes for large problems. From 1e-16 to 1.
    max_iter : int, default=10000
        Their iterations, at most. At least 1.
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
    Zhang and Zhou (2010)

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = (X[:, :3] + rng.normal(size=(60, 3)) > 0).astype(int)
    >>> model = alidade.MDDM(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60, 3)
    """

    _method = "mddm"
    _changed_defaults = frozenset({'components_rule'})

    def __init__(self, n_components: int | None = 2,
                 *,
                 constraint: Literal["projection", "feature"] = "projection",
                 response_kernel: Literal["linear", "rbf", "polynomial", "identity", "given"] = "linear",
                 response_width: float = 0.0,
                 response_degree: int = 3,
                 response_coef0: float = 1.0,
                 solver: Literal["auto", "direct", "dual"] = "auto",
                 ridge: float = 0.0,
                 ridge_rel: float = 0.0,
                 tol: float = 1e-06,
                 max_iter: int = 10000,
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
        self.constraint = constraint
        self.response_kernel = response_kernel
        self.response_width = response_width
        self.response_degree = response_degree
        self.response_coef0 = response_coef0
        self.solver = solver
        self.ridge = ridge
        self.ridge_rel = ridge_rel
        self.tol = tol
        self.max_iter = max_iter
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
