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
