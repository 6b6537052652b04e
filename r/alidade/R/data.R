# From R's data to what a routine takes: list(x, target, features, rows, target_name).

KINDS <- c(none = 0L, classes = 1L, real = 2L, labels = 3L)

# A double matrix or a dgCMatrix, as it is where it is one already.
as_x <- function(x, name = "x") {
    if (inherits(x, "dgCMatrix")) return(x)
    if (is.data.frame(x)) {
        wrong <- names(x)[!vapply(x, function(column) is.numeric(column) || is.logical(column), NA)]
        if (length(wrong))
            stop(gettextf("'%s' has columns that are not numeric: %s; use a formula for factors", name,
                          paste(wrong, collapse = ", ")), call. = FALSE)
        x <- as.matrix(x)
    }
    if (isS4(x)) {
        if (!requireNamespace("Matrix", quietly = TRUE))
            stop(gettextf("'%s' of class \"%s\" needs the package Matrix", name, class(x)[1]), call. = FALSE)
        return(as_sparse(x, name))
    }
    if (is.vector(x) && is.numeric(x)) x <- matrix(x, ncol = 1)
    if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)))
        stop(gettextf("'%s' must be a numeric matrix, a data frame of numbers or a sparse matrix, not %s", name,
                      if (is.matrix(x)) paste("a matrix of type", typeof(x)) else class(x)[1]), call. = FALSE)
    if (!is.double(x)) storage.mode(x) <- "double"
    x
}

as_sparse <- function(x, name) {
    tryCatch(as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"),
             error = function(e) stop(gettextf("'%s' of class \"%s\" cannot be made a dgCMatrix", name, class(x)[1]),
                                      call. = FALSE))
}

# What y is: factors, texts and logicals are classes, numbers are numbers, a logical matrix is labels.
as_target <- function(y, weights = NULL, labels = FALSE, name = "y") {
    if (is.null(y)) return(list(kind = KINDS[["none"]], weights = weights))
    if (is.data.frame(y)) {
        if (length(y) > 1 && any(vapply(y, inherits, NA, "Surv")))
            stop(gettextf("'%s' must be Surv(time, event) alone, not beside other columns", name), call. = FALSE)
        y <- if (length(y) == 1) y[[1]] else as.matrix(y)
    }
    if (inherits(y, "Surv")) return(time_target(y, weights, name))
    if (is.factor(y) || is.character(y) || (is.logical(y) && !is.matrix(y))) return(class_target(y, weights, name))
    if (!is.numeric(y) && !is.logical(y))
        stop(gettextf("'%s' must be numeric, a factor or a logical matrix, not %s", name, class(y)[1]), call. = FALSE)
    if (!is.matrix(y)) y <- matrix(as.double(y), ncol = 1, dimnames = list(NULL, name))
    kind <- if (labels || is.logical(y)) "labels" else "real"
    if (!is.double(y)) storage.mode(y) <- "double"
    if (kind == "labels" && !all(y %in% c(0, 1, NA)))
        stop(gettextf("'%s' must be TRUE and FALSE, or 1 and 0, where 'labels' is TRUE", name), call. = FALSE)
    list(kind = KINDS[[kind]], values = y, names = column_names(y, name), weights = weights, labelled = mask(y))
}

# Times until an event, as Surv() of the package survival has them: columns of times and of 1 (it came) and 0.
time_target <- function(y, weights, name) {
    if (!identical(attr(y, "type"), "right"))
        stop(gettextf("'%s' must be Surv(time, event), censored on the right, not of type \"%s\"", name,
                      format(attr(y, "type"))), call. = FALSE)
    y <- unclass(y)
    list(kind = KINDS[["real"]], values = matrix(as.double(y[, 1L]), dimnames = list(NULL, name)), names = name,
         weights = weights, labelled = mask(y), events = as.raw(y[, 2L] %in% 1))
}

class_target <- function(y, weights, name) {
    y <- if (is.factor(y)) y else factor(y)
    counts <- tabulate(y, nlevels(y)) # is.na() would make a vector as long as y
    empty <- levels(y)[counts == 0]
    if (length(empty)) {
        warning(gettextf("'%s' has no row in: %s", name, paste(empty, collapse = ", ")), call. = FALSE)
        y <- factor(y, setdiff(levels(y), empty))
    }
    list(kind = KINDS[["classes"]], values = y, names = levels(y), weights = weights,
         labelled = if (sum(counts) < length(y)) mask(y))
}

# One byte per row, 0 where y is not known; nothing where all are.
mask <- function(y) if (anyNA(y)) as.raw(if (is.matrix(y)) rowSums(is.na(y)) == 0 else !is.na(y))

column_names <- function(y, name) {
    if (!is.null(colnames(y))) return(colnames(y))
    if (ncol(y) == 1) name else paste0(name, seq_len(ncol(y)))
}

as_weights <- function(weights, rows) {
    if (is.null(weights)) return(NULL)
    if (!is.numeric(weights) || length(weights) != rows || anyNA(weights) || any(weights < 0))
        stop(gettextf("'weights' must be %d numbers that are not negative", rows), call. = FALSE)
    as.double(weights)
}

as_inputs <- function(x, y = NULL, weights = NULL, labels = FALSE, name = "y") {
    x <- as_x(x)
    if (is.data.frame(y) && length(y) == 1) name <- names(y)
    target <- as_target(y, as_weights(weights, nrow(x)), one_flag(labels, "labels"), name)
    rows <- if (is.null(target$values)) nrow(x) else NROW(target$values)
    if (rows != nrow(x))
        stop(gettextf("'x' has %d rows, 'y' has %d", nrow(x), rows), call. = FALSE)
    list(x = x, target = target, features = colnames(x), rows = rownames(x), target_name = name)
}

# The model frame of a call, its design matrix and its inputs.
formula_inputs <- function(call, envir, labels = FALSE) {
    if (!is.null(call$offset)) stop("'offset' is not supported", call. = FALSE)
    kept <- match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L)
    call <- call[c(1L, kept)]
    call[[1L]] <- quote(stats::model.frame)
    if (!is.null(call$data)) call$data <- eval(call$data, envir) # once: it may draw
    alone <- one_matrix(call, envir)
    frame <- eval(if (is.null(alone)) call else without_right_side(call, envir), envir)
    if (!is.null(alone) && (length(attr(frame, "na.action")) || nrow(frame) != nrow(alone$x))) {
        alone <- NULL # rows have to go
        frame <- eval(call, envir)
    }
    if (!is.null(model.offset(frame))) stop("an offset is not supported in 'formula'", call. = FALSE)
    if (!nrow(frame)) stop("0 (non-NA) cases", call. = FALSE)
    frame <- without_empty_levels(frame)
    about <- if (is.null(alone)) attr(frame, "terms") else alone$terms
    x <- if (is.null(alone)) design(about, frame) else alone$x
    name <- if (attr(about, "response")) deparse1(about[[2L]]) else "y"
    inputs <- as_inputs(x, model.response(frame), model.weights(frame), labels, name)
    if (is.null(colnames(x))) inputs$features <- paste0(attr(about, "term.labels"), seq_len(ncol(x)))
    list(inputs = inputs, terms = about, xlevels = if (is.null(alone)) .getXlevels(about, frame), contrasts = attr(x, "contrasts"),
         na.action = attr(frame, "na.action"))
}

# Predictors lose levels that no row has; of the response as_target says so.
without_empty_levels <- function(frame) {
    for (j in setdiff(seq_along(frame), attr(attr(frame, "terms"), "response")))
        if (is.factor(frame[[j]]) && nlevels(frame[[j]]) > length(unique(frame[[j]][!is.na(frame[[j]])])))
            frame[[j]] <- frame[[j]][, drop = TRUE]
    frame
}

# Where the right side is one variable, a matrix of numbers without gaps, it is used where it is: model.frame copies.
one_matrix <- function(call, envir) {
    if (any(c("subset", "na.action") %in% names(call))) return(NULL)
    about <- tryCatch(terms(eval(call$formula, envir)), error = function(e) NULL)
    x <- if (isTRUE(attr(about, "response") == 1)) lone_matrix(about, eval(call$data, envir))
    if (is.null(x) || anyNA(x)) return(NULL)
    attr(about, "predvars") <- attr(about, "variables")
    list(x = x, terms = about)
}

lone_matrix <- function(about, data) {
    labels <- attr(about, "term.labels")
    if (length(labels) != 1 || !is.null(attr(about, "offset"))) return(NULL)
    term <- str2lang(labels)
    x <- if (is.name(term)) tryCatch(eval(term, data, environment(about)), error = function(e) NULL)
    if (is.matrix(x) && is.double(x) && (!is.object(x) || inherits(x, "AsIs"))) x
}

# The same call for the response and the weights; where `data` is a list, without the matrix, which would be copied.
without_right_side <- function(call, envir) {
    call$formula <- eval(call$formula, envir)
    data <- eval(call$data, envir)
    label <- as.character(call$formula[[3L]])[1L]
    used <- all.vars(as.call(c(as.name("list"), call$formula[[2L]], call$weights)))
    if (is.list(data) && !(label %in% used)) call$data <- data[names(data) != label]
    call$formula[[3L]] <- 1
    call
}

# Columns of the predictors without an intercept. Variables that are plain numbers are put side by side.
design <- function(about, frame, contrasts = NULL) {
    labels <- attr(about, "term.labels")
    if (!length(labels)) stop("'formula' has no predictors", call. = FALSE)
    alone <- if (length(labels) == 1 && labels %in% names(frame)) frame[[labels]]
    if (is.matrix(alone) && is.double(alone)) return(alone)
    if (all(labels %in% names(frame)) && all(vapply(frame[labels], is_plain, NA))) return(side_by_side(frame, labels))
    attr(about, "intercept") <- 1L
    x <- model.matrix(about, frame, contrasts.arg = contrasts)
    used <- attr(x, "contrasts")
    x <- x[, -1L, drop = FALSE]
    attr(x, "contrasts") <- used
    x
}

is_plain <- function(column) is.numeric(column) && is.null(dim(column)) && !is.object(column)

side_by_side <- function(frame, labels) {
    x <- unlist(frame[labels], use.names = FALSE)
    dim(x) <- c(nrow(frame), length(labels))
    dimnames(x) <- list(row.names(frame), labels)
    x
}
