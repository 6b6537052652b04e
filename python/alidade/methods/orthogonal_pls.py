# Written by tools/python-classes from the tables of the program: change it there, and run 'make docs'.
from __future__ import annotations

from typing import Any, Literal

from alidade._kinds import Classifier, Mapping, Weighted


class OrthogonalPLS(Mapping, Weighted):
    """Orthogonal-PLS: projections to latent structures.

    What of X predicts the target, and apart from it what varies in X without the target.

    What it finds. What of X predicts the target, in one component for each dimension of the target, and apart
    from it what varies in X without the target. Metabolomics calls it OPLS and, with classes, OPLS-DA; for
    several responses it is O2-PLS. (The method named opls here is another: orthonormalized PLS.)

    When to use it. To interpret: the first score has all of the prediction, and its loadings are free of what
    the instrument or the day adds. It does not predict better than pls: with one response and the same number
    of components the fitted values are the same.

    Parameters
    ----------
    n_components : int or None, default=2
        Number of components to find, fewer where there are fewer; None or 0: the method's own rule.
    n_predictive : int, default=0
        Predictive components; 0: as many as the rank of X'Y, at most n_components. At least 0.
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
    Trygg and Wold (2002); Trygg (2002)

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = X[:, 0] + np.sin(X[:, 1])
    >>> model = alidade.OrthogonalPLS(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    _method = "orthogonal-pls"
    _changed_defaults = frozenset({'components_rule'})

    def __init__(self, n_components: int | None = 2,
                 *,
                 n_predictive: int = 0,
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
        self.n_predictive = n_predictive
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


class OrthogonalPLSClassifier(Classifier, OrthogonalPLS):
    """Orthogonal-PLS: projections to latent structures, a classifier.

    OrthogonalPLS where y has classes: whatever their type, its values are classes, and columns of 0 and 1 are
    labels if the method takes them. scikit-learn sees a classifier, so its splits are stratified and its
    searches score by accuracy. Parameters and attributes are those of OrthogonalPLS, without `task`.

    Examples
    --------
    >>> import numpy as np
    >>> import alidade
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")
    >>> model = alidade.OrthogonalPLSClassifier(n_components=1).fit(X, y)
    >>> model.transform(X).shape
    (60, 1)
    >>> model.predict(X).shape
    (60,)
    """

    def __init__(self, n_components: int | None = 2,
                 *,
                 n_predictive: int = 0,
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
        self.n_predictive = n_predictive
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
