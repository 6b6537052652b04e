# Methods of generics of the package generics, known to R when that package is loaded.
tidy.alidade <- function(x, ...) {
    values <- coef.alidade(x)
    responses <- if (is.null(colnames(values))) seq_len(ncol(values)) else colnames(values)
    features <- if (is.null(rownames(values))) seq_len(nrow(values)) else rownames(values)
    data.frame(term = rep(features, ncol(values)), response = rep(responses, each = nrow(values)),
               estimate = as.vector(values))
}

glance.alidade <- function(x, ...) {
    inputs <- rows_of(x)
    about <- data.frame(method = x$method, ncomp = x$ncomp, nobs = nrow(inputs$x))
    if (!has_predictor(x)) return(about)
    found <- ask(r_evaluate, list(model = handle_of(x), inputs = inputs))
    overall <- found$of == ""
    data.frame(about, as.list(structure(as.vector(found$values)[overall], names = found$names[overall])))
}

augment.alidade <- function(x, newdata = NULL, ...) {
    rows <- if (is.null(newdata)) rows_of(x)$x else new_x(x, newdata)
    base <- if (is.null(newdata)) as.data.frame(as.matrix(rows)) else as.data.frame(newdata)
    handle <- handle_of(x)
    scores <- if (is.null(newdata)) own_scores(x) else scores_of(handle, rows)
    colnames(scores) <- paste0(".score", seq_len(ncol(scores)))
    if (has_predictor(x)) base <- data.frame(base, .fitted = response_of(x, handle, rows), check.names = FALSE)
    data.frame(base, scores, check.names = FALSE)
}

# A model for train() of the package caret, with the number of components to choose.
caret_alidade <- function(method = "pls") {
    method <- one_text(method, "method")
    list(label = paste("alidade", method), library = "alidade", type = c("Regression", "Classification"), loop = NULL,
         parameters = data.frame(parameter = "ncomp", class = "numeric", label = "number of components"),
         grid = function(x, y, len = NULL, search = "grid") data.frame(ncomp = seq_len(min(len, ncol(x)))),
         fit = function(x, y, wts, param, lev, last, classProbs, ...)
             alidade(as.matrix(x), y, method = method, ncomp = param$ncomp, weights = wts, components_rule = "at-most", ...),
         predict = function(modelFit, newdata, submodels = NULL) unname(predict(modelFit, as.matrix(newdata))),
         prob = function(modelFit, newdata, submodels = NULL)
             as.data.frame(predict(modelFit, as.matrix(newdata), type = "prob")),
         sort = function(x) x[order(x$ncomp), , drop = FALSE], levels = function(x) x$names)
}

register_generics <- function(...)
    for (name in c("tidy", "glance", "augment"))
        registerS3method(name, "alidade", get(paste0(name, ".alidade")), asNamespace("generics"))

# The engine "alidade" of pls() of the package parsnip. A parsnip that does not know pls() has no place for it.
register_parsnip <- function(...) tryCatch(add_engine(asNamespace("parsnip")), error = function(e) NULL)

add_engine <- function(parsnip) {
    taken <- list(interface = "matrix", protect = c("x", "y"), func = c(pkg = "alidade", fun = "ald_pls"),
                  defaults = list())
    encoded <- list(predictor_indicators = "traditional", compute_intercept = TRUE, remove_intercept = TRUE,
                    allow_sparse_x = TRUE)
    given <- function(type, post = NULL)
        list(pre = NULL, post = post, func = c(fun = "predict"),
             args = list(object = quote(object$fit), newdata = quote(new_data), type = type))
    for (mode in c("regression", "classification")) {
        parsnip$set_model_engine("pls", mode, "alidade")
        parsnip$set_dependency("pls", "alidade", "alidade")
        parsnip$set_fit("pls", mode, "alidade", taken)
        parsnip$set_encoding("pls", mode, "alidade", encoded)
    }
    parsnip$set_model_arg("pls", "alidade", "num_comp", "ncomp", list(pkg = "dials", fun = "num_comp"), FALSE)
    parsnip$set_pred("pls", "regression", "alidade", "numeric", given("response"))
    parsnip$set_pred("pls", "classification", "alidade", "class", given("class"))
    parsnip$set_pred("pls", "classification", "alidade", "prob",
                     given("prob", function(result, object) as.data.frame(result)))
}

# Now or when that package is loaded.
when_loaded <- function(package, action) {
    if (isNamespaceLoaded(package)) action()
    setHook(packageEvent(package, "onLoad"), action)
}

.onLoad <- function(libname, pkgname) {
    when_loaded("generics", register_generics)
    when_loaded("parsnip", register_parsnip)
}
