predict.alidade <- function(object, newdata, type = c("response", "class", "prob", "scores", "interval"), ncomp = NULL,
                            level = 0.95, ...) {
    type <- one_of(type, c("response", "class", "prob", "scores", "interval"), "type")
    if (...length()) stop("unused arguments in '...'", call. = FALSE)
    if (type != "scores") check_type(object, type)
    own <- missing(newdata) || is.null(newdata)
    if (own && type == "scores") return(with_left_out(object, own_scores(object, ncomp)))
    x <- if (own) rows_of(object)$x else new_x(object, newdata)
    handle <- first_of(object, ncomp)
    found <- switch(type, scores = scores_of(handle, x), response = response_of(object, handle, x),
                    class = response_of(object, handle, x), prob = prob_of(object, handle, x),
                    interval = interval_of(object, handle, x, level))
    if (own) with_left_out(object, found) else found
}

# Of the rows of the fit; some methods place these alone.
own_scores <- function(object, ncomp = NULL) {
    places <- if (is.null(ncomp)) model_array(object, "embedding")
    if (is.null(places)) scores_of(first_of(object, ncomp), rows_of(object)$x) else places
}

# With na.exclude the rows that were left out come again, as NA.
with_left_out <- function(object, found) {
    if (length(dim(found)) < 3L) return(napredict(object$na.action, found))
    rows <- napredict(object$na.action, structure(seq_len(nrow(found)), names = rownames(found)))
    structure(found[rows, , , drop = FALSE], dimnames = c(list(names(rows)), dimnames(found)[-1L]))
}

check_type <- function(object, type) {
    wanted <- switch(type, class = , prob = c("classes", "labels"), c("classes", "labels", "real"))
    if (!object$kind %in% wanted)
        stop(gettextf("type = \"%s\" needs a model of %s; this one has %s", type, paste(wanted, collapse = " or "),
                      switch(object$kind, none = "no response", real = "numbers", object$kind)), call. = FALSE)
}

new_x <- function(object, newdata) {
    if (!is.null(object$terms)) {
        about <- delete.response(object$terms)
        x <- lone_matrix(about, newdata)
        if (is.null(x)) {
            newdata <- as_data(newdata, "newdata")
            frame <- in_words(model.frame(about, newdata, na.action = stats::na.pass, xlev = object$xlevels))
            if (!is.null(attr(about, "dataClasses"))) .checkMFClasses(attr(about, "dataClasses"), frame)
            x <- design(about, frame, object$contrasts)
        }
        if (anyNA(x) && !uses_gaps(object)) stop("'newdata' has missing values in its predictors", call. = FALSE)
        return(x)
    }
    if (is.data.frame(newdata) && !is.null(object$features)) {
        if (any(lengths(lapply(newdata, dim)))) newdata <- apart_columns(newdata)
        missing <- setdiff(object$features, names(newdata))
        if (length(missing))
            stop(gettextf("'newdata' lacks columns: %s", paste(missing, collapse = ", ")), call. = FALSE)
        newdata <- newdata[object$features]
    }
    x <- as_x(newdata, "newdata")
    by_name <- !is.null(object$features) && !is.null(colnames(x)) && all(object$features %in% colnames(x))
    if (by_name && !identical(colnames(x), object$features)) x <- x[, object$features, drop = FALSE]
    x
}

# A data frame with matrices among its columns has the names that the fit gave to theirs.
apart_columns <- function(table) {
    numbers <- vapply(table, function(column) is.numeric(column) || is.logical(column), NA)
    as.data.frame(as.matrix(table[numbers]))
}

uses_gaps <- function(object) isTRUE(as.logical(object$settings$gaps))

first_of <- function(object, ncomp) {
    if (is.null(ncomp) || one_count(ncomp, "ncomp") == object$ncomp) return(handle_of(object))
    ask(r_first, list(model = handle_of(object), ncomp = ncomp))$model
}

scores_of <- function(handle, x) {
    scores <- ask(r_transform, list(model = handle, x = x))$scores
    dimnames(scores) <- list(rownames(x), paste("Comp", seq_len(ncol(scores))))
    scores
}

# One number a row is a vector, several are columns of the library's rows.
response_of <- function(object, handle, x) {
    values <- ask(r_predict, list(model = handle, x = x, scores = FALSE))$values
    if (object$kind == "classes") return(named_rows(as_classes(object, values), x))
    if (is.matrix(values)) values <- t(values)
    if (object$kind == "labels") values <- values > 0.5
    as_responses(object, values, x)
}

matrix_of <- function(values) if (is.matrix(values)) t(values) else matrix(values)

as_classes <- function(object, codes) {
    names <- if (is.null(object$names)) as.character(seq(0, max(codes))) else object$names
    structure(as.integer(codes) + 1L, levels = names, class = "factor")
}

# One response is a vector, several are a matrix.
as_responses <- function(object, values, x) {
    if (!is.matrix(values)) return(named_rows(values, x))
    if (ncol(values) == 1) return(named_rows(values[, 1L], x))
    dimnames(values) <- list(rownames(x), object$names)
    values
}

named_rows <- function(values, x) {
    if (!is.null(rownames(x))) names(values) <- rownames(x)
    values
}

prob_of <- function(object, handle, x) {
    about <- facts(handle)
    if (!about$probabilities)
        stop("the predictor of this model gives no probabilities: fit it with ",
             if (object$kind == "classes") "predictor = \"gaussian\" or ", "predictor = \"logistic\"", call. = FALSE)
    values <- matrix_of(ask(r_predict, list(model = handle, x = x, scores = TRUE))$values)
    dimnames(values) <- list(rownames(x), object$names)
    values
}

interval_of <- function(object, handle, x, level) {
    found <- ask(r_intervals, list(model = handle, x = x, level = one_number(level, "level", 0, 1)))
    if (!is.null(found$sets)) {
        sets <- matrix(as.integer(found$sets), nrow(x), byrow = TRUE, dimnames = list(rownames(x), object$names))
        return(if (object$kind == "classes") sets == 1L else sets)
    }
    fit <- matrix_of(ask(r_predict, list(model = handle, x = x, scores = FALSE))$values)
    all <- array(c(fit, t(found$low), t(found$high)), c(dim(fit), 3L),
                 list(rownames(x), object$names, c("fit", "lwr", "upr")))
    if (ncol(fit) == 1) matrix(all, ncol = 3L, dimnames = dimnames(all)[c(1L, 3L)]) else all
}

fitted.alidade <- function(object, ...) {
    check_type(object, "response")
    with_left_out(object, own_responses(object))
}

has_predictor <- function(object) "alidade.predictor.kind" %in% names(facts(handle_of(object))$texts)

own_responses <- function(object) response_of(object, handle_of(object), rows_of(object)$x)

residuals.alidade <- function(object, ...) {
    inputs <- rows_of(object)
    if (object$kind != "real" || !is.null(inputs$target$events))
        stop("residuals are of numeric responses", call. = FALSE)
    found <- inputs$target$values - own_responses(object)
    naresid(object$na.action, as_responses(object, found, inputs$x))
}

coef.alidade <- function(object, ncomp = NULL, intercept = FALSE, ...) {
    found <- ask(r_coefficients, list(model = first_of(object, ncomp)))
    values <- t(found$values)
    dimnames(values) <- list(object$features, if (length(object$names) == ncol(values)) object$names)
    if (one_flag(intercept, "intercept")) rbind("(Intercept)" = found$intercept[, 1L], values) else values
}
