# Written by tools/r-functions from the tables of the program: change it there, and run 'make docs'.

ald_pca <- function(x, ..., ncomp = NULL, center = TRUE, solver = "auto", tol = 1e-09,
    max_iter = 1000, iterated_power = 7, n_oversamples = 10, gaps = FALSE,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("pca", match.call(), parent.frame())

ald_pls <- function(x, ..., ncomp = NULL, algorithm = "ikpls", tol = 1e-13,
    max_iter = 20000, gaps = FALSE, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("pls", match.call(), parent.frame())

ald_lda <- function(x, ..., ncomp = NULL, solver = "auto", ridge = 0, ridge_rel = 0,
    tol = 1e-06, max_iter = 10000, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("lda", match.call(), parent.frame())

ald_cca <- function(x, ..., ncomp = NULL, solver = "auto", ridge = 0, ridge_rel = 0,
    tol = 1e-06, max_iter = 10000, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("cca", match.call(), parent.frame())

ald_spls <- function(x, ..., ncomp = NULL, n_features = 10, components_rule = "exactly",
    scale = FALSE, row_scale = "none", rows = "none", keep_statistics = FALSE,
    outlier_limits = FALSE, seed = 0, predictor = "auto", predictor_neighbors = 1,
    predictor_ridge = 0)
    fit_as("spls", match.call(), parent.frame())

ald_orthogonal_pls <- function(x, ..., ncomp = NULL, n_predictive = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("orthogonal-pls", match.call(), parent.frame())

ald_opls <- function(x, ..., ncomp = NULL, solver = "auto", ridge = 0, ridge_rel = 0,
    tol = 1e-06, max_iter = 10000, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("opls", match.call(), parent.frame())

ald_rrr <- function(x, ..., ncomp = NULL, solver = "auto", ridge = 0, ridge_rel = 0,
    tol = 1e-06, max_iter = 10000, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("rrr", match.call(), parent.frame())

ald_hsl <- function(x, ..., ncomp = NULL, expansion = "clique", solver = "auto",
    ridge = 0, ridge_rel = 0, tol = 1e-06, max_iter = 10000,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("hsl", match.call(), parent.frame())

ald_mddm <- function(x, ..., ncomp = NULL, constraint = "projection",
    response_kernel = "linear", response_width = 0, response_degree = 3,
    response_coef0 = 1, solver = "auto", ridge = 0, ridge_rel = 0, tol = 1e-06,
    max_iter = 10000, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("mddm", match.call(), parent.frame())

ald_sir <- function(x, ..., ncomp = NULL, n_slices = 10, solver = "auto", ridge = 0,
    ridge_rel = 0, tol = 1e-06, max_iter = 10000, components_rule = "exactly",
    scale = FALSE, row_scale = "none", rows = "none", keep_statistics = FALSE,
    outlier_limits = FALSE, seed = 0, predictor = "auto", predictor_neighbors = 1,
    predictor_ridge = 0)
    fit_as("sir", match.call(), parent.frame())

ald_spca <- function(x, ..., ncomp = NULL, response_kernel = "auto", response_width = 0,
    response_degree = 3, response_coef0 = 1, solver = "auto", tol = 1e-09,
    max_iter = 1000, iterated_power = 7, n_oversamples = 10,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("spca", match.call(), parent.frame())

ald_plssb <- function(x, ..., ncomp = NULL, solver = "auto", tol = 1e-09,
    max_iter = 1000, iterated_power = 7, n_oversamples = 10,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("plssb", match.call(), parent.frame())

ald_lspca <- function(x, ..., ncomp = NULL, trade_off = 0.5, loss = "auto",
    ridge = 0.01, tol = 1e-07, max_iter = 500, components_rule = "exactly",
    scale = FALSE, row_scale = "none", rows = "none", keep_statistics = FALSE,
    outlier_limits = FALSE, seed = 0, predictor = "auto", predictor_neighbors = 1,
    predictor_ridge = 0)
    fit_as("lspca", match.call(), parent.frame())

ald_bair <- function(x, ..., ncomp = NULL, n_features = 0, solver = "auto", tol = 1e-09,
    max_iter = 1000, iterated_power = 7, n_oversamples = 10,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("bair", match.call(), parent.frame())

ald_cfml <- function(x, ..., ncomp = NULL, version = 2, ridge = 0, ridge_rel = 1e-08,
    solver = "auto", components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("cfml", match.call(), parent.frame())

ald_lfda <- function(x, ..., ncomp = NULL, n_neighbors = 7, beta = 0.5, ridge = 0,
    ridge_rel = 0, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("lfda", match.call(), parent.frame())

ald_nca <- function(x, ..., ncomp = NULL, init = "auto", ridge = 0, max_iter = 100,
    tol = 1e-07, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("nca", match.call(), parent.frame())

ald_mlkr <- function(x, ..., ncomp = NULL, n_starts = 1, max_iter = 100, tol = 1e-07,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("mlkr", match.call(), parent.frame())

ald_save <- function(x, ..., ncomp = NULL, n_slices = 10, ridge = 0, ridge_rel = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("save", match.call(), parent.frame())

ald_dr <- function(x, ..., ncomp = NULL, n_slices = 10, ridge = 0, ridge_rel = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("dr", match.call(), parent.frame())

ald_phd <- function(x, ..., ncomp = NULL, variant = "residual", ridge = 0,
    ridge_rel = 0, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("phd", match.call(), parent.frame())

ald_contour <- function(x, ..., ncomp = NULL, fraction = 0.1, ridge = 0, ridge_rel = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("contour", match.call(), parent.frame())

ald_lasso_sir <- function(x, ..., ncomp = NULL, n_slices = 5, penalty = 0, n_screen = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("lasso-sir", match.call(), parent.frame())

ald_pfc <- function(x, ..., ncomp = NULL, basis = "polynomial", degree = 3,
    error = "unstructured", n_slices = 10, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("pfc", match.call(), parent.frame())

ald_lad <- function(x, ..., ncomp = NULL, n_slices = 5, tol = 1e-08, max_iter = 1000,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("lad", match.call(), parent.frame())

ald_opg <- function(x, ..., ncomp = NULL, ridge = 1e-06, tol = 1e-06, max_iter = 50,
    centres = 2000, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("opg", match.call(), parent.frame())

ald_mave <- function(x, ..., ncomp = NULL, ridge = 1e-06, tol = 1e-06, max_iter = 50,
    centres = 2000, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("mave", match.call(), parent.frame())

ald_sdpp <- function(x, ..., ncomp = NULL, solver = "auto", n_starts = 6,
    max_iter = 1000, tol = 1e-08, pca_dims = 0, ridge = 0, ridge_rel = 0,
    early_stopping = 0, repulsion = 0, manifold = 0, divergence = "squared",
    penalty = "none", penalty_weight = 0.1, graph = "knn", n_neighbors = 0, radius = 0,
    neighbors = "exact", components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("sdpp", match.call(), parent.frame())

ald_kpca <- function(x, ..., ncomp = NULL, kernel = "rbf", kernel_width = 0, degree = 3,
    coef0 = 1, landmarks = 0, landmark_choice = "uniform", features = 0,
    solver = "auto", tol = 1e-09, max_iter = 1000, iterated_power = 7,
    n_oversamples = 10, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kpca", match.call(), parent.frame())

ald_kspca <- function(x, ..., ncomp = NULL, response_kernel = "auto",
    response_width = 0, response_degree = 3, response_coef0 = 1, kernel = "rbf",
    kernel_width = 0, degree = 3, coef0 = 1, landmarks = 0, landmark_choice = "uniform",
    features = 0, graph = "knn", n_neighbors = 0, radius = 0, neighbors = "exact",
    solver = "auto", tol = 1e-09, max_iter = 1000, iterated_power = 7,
    n_oversamples = 10, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kspca", match.call(), parent.frame())

ald_kpls <- function(x, ..., ncomp = NULL, kernel = "rbf", kernel_width = 0, degree = 3,
    coef0 = 1, landmarks = 0, landmark_choice = "uniform", features = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kpls", match.call(), parent.frame())

ald_kplssb <- function(x, ..., ncomp = NULL, response_kernel = "linear",
    response_width = 0, response_degree = 3, response_coef0 = 1, kernel = "rbf",
    kernel_width = 0, degree = 3, coef0 = 1, landmarks = 0, landmark_choice = "uniform",
    features = 0, solver = "auto", tol = 1e-09, max_iter = 1000, iterated_power = 7,
    n_oversamples = 10, components_rule = "exactly", scale = FALSE, row_scale = "none",
    rows = "none", keep_statistics = FALSE, outlier_limits = FALSE, seed = 0,
    predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kplssb", match.call(), parent.frame())

ald_kcca <- function(x, ..., ncomp = NULL, ridge = 0.1, ridge_rel = 0,
    response_kernel = "linear", response_width = 0, response_degree = 3,
    response_coef0 = 1, kernel = "rbf", kernel_width = 0, degree = 3, coef0 = 1,
    landmarks = 0, landmark_choice = "uniform", features = 0,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kcca", match.call(), parent.frame())

ald_kfda <- function(x, ..., ncomp = NULL, ridge = 0, ridge_rel = 0.001, kernel = "rbf",
    kernel_width = 0, degree = 3, coef0 = 1, landmarks = 0, landmark_choice = "uniform",
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kfda", match.call(), parent.frame())

ald_kdr <- function(x, ..., ncomp = NULL, ridge = 0.001, n_starts = 6, n_stages = 50,
    rank = 0, kernel_width = 0, response_width = 0, standardize = TRUE,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("kdr", match.call(), parent.frame())

ald_gkdr <- function(x, ..., ncomp = NULL, ridge = 0.0001, rank = 200, kernel_width = 0,
    response_width = 0, standardize = TRUE, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("gkdr", match.call(), parent.frame())

ald_ism <- function(x, ..., ncomp = NULL, tol = 1e-06, max_iter = 100, kernel_width = 0,
    response_width = 0, standardize = TRUE, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("ism", match.call(), parent.frame())

ald_rsir <- function(x, ..., ncomp = NULL, eta = 1, graph = "knn", n_neighbors = 5,
    radius = 0, heat_width = 0, n_starts = 1, tol = 1e-07, max_iter = 2000, ridge = 0,
    ridge_rel = 0, n_slices = 10, components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("rsir", match.call(), parent.frame())

ald_lsir <- function(x, ..., ncomp = NULL, n_neighbors = 10, n_slices = 10,
    solver = "auto", ridge = 0, ridge_rel = 0.03, tol = 1e-06, max_iter = 10000,
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("lsir", match.call(), parent.frame())

ald_mkdr <- function(x, ..., ncomp = NULL, ridge = 0.01, tol = 1e-06, max_iter = 20000,
    n_basis = 10, response_kernel = "auto", response_width = 0, graph = "knn",
    n_neighbors = 0, radius = 0, neighbors = "exact", components_rule = "exactly",
    scale = FALSE, row_scale = "none", rows = "none", keep_statistics = FALSE,
    outlier_limits = FALSE, seed = 0, predictor = "auto", predictor_neighbors = 1,
    predictor_ridge = 0)
    fit_as("mkdr", match.call(), parent.frame())

ald_cmvu <- function(x, ..., ncomp = NULL, nu = 0, tol = 1e-09, n_basis = 10,
    response_kernel = "auto", response_width = 0, graph = "knn", n_neighbors = 0,
    radius = 0, neighbors = "exact", components_rule = "exactly", scale = FALSE,
    row_scale = "none", rows = "none", keep_statistics = FALSE, outlier_limits = FALSE,
    seed = 0, predictor = "auto", predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("cmvu", match.call(), parent.frame())

ald_ksdpp <- function(x, ..., ncomp = NULL, response_kernel = "linear",
    response_width = 0, kernel = "rbf", kernel_width = 0, degree = 3, coef0 = 1,
    landmarks = 0, landmark_choice = "uniform", features = 0, solver = "auto",
    n_starts = 6, max_iter = 1000, tol = 1e-08, pca_dims = 0, ridge = 0, ridge_rel = 0,
    early_stopping = 0, repulsion = 0, manifold = 0, divergence = "squared",
    graph = "knn", n_neighbors = 0, radius = 0, neighbors = "exact",
    components_rule = "exactly", scale = FALSE, row_scale = "none", rows = "none",
    keep_statistics = FALSE, outlier_limits = FALSE, seed = 0, predictor = "auto",
    predictor_neighbors = 1, predictor_ridge = 0)
    fit_as("ksdpp", match.call(), parent.frame())
