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
    found <- ask(r_evaluate, list(model = handle_of(x), inputs = inputs))
    overall <- found$of == ""
    data.frame(method = x$method, ncomp = x$ncomp, nobs = nrow(inputs$x),
               as.list(structure(as.vector(found$values)[overall], names = found$names[overall])))
}

augment.alidade <- function(x, newdata = NULL, ...) {
    rows <- if (is.null(newdata)) rows_of(x)$x else new_x(x, newdata)
    base <- if (is.null(newdata)) as.data.frame(as.matrix(rows)) else as.data.frame(newdata)
    handle <- handle_of(x)
    scores <- scores_of(handle, rows)
    colnames(scores) <- paste0(".score", seq_len(ncol(scores)))
    data.frame(base, .fitted = if (x$kind != "none") response_of(x, handle, rows), scores, check.names = FALSE)
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

.onLoad <- function(libname, pkgname) {
    for (generic in c("tidy", "glance", "augment")) {
        register <- local({
            name <- generic
            function(...) registerS3method(name, "alidade", get(paste0(name, ".alidade")), asNamespace("generics"))
        })
        if (isNamespaceLoaded("generics")) register()
        setHook(packageEvent("generics", "onLoad"), register)
    }
}
