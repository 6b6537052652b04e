# From R's data to what a routine takes: list(x, target, features, rows, target_name).

KINDS <- c(none = 0L, classes = 1L, real = 2L, labels = 3L)

# A double matrix or a dgCMatrix, as it is where it is one already.
as_x <- function(x, name = "x") {
    if (is.double(x) && is.matrix(x) && !isS4(x) || inherits(x, "dgCMatrix")) return(x)
    if (is.data.frame(x)) x <- table_of_numbers(x, name, "; use a formula for factors")
    if (isS4(x)) {
        if (!requireNamespace("Matrix", quietly = TRUE))
            stop(gettextf("'%s' of class \"%s\" needs the package Matrix", name, class(x)[1]), call. = FALSE)
        return(as_sparse(x, name))
    }
    if (is.vector(x) && is.numeric(x)) x <- matrix(x, ncol = 1)
    if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)))
        stop(gettextf("'%s' must be a numeric matrix, a data frame of numbers or a sparse matrix, not %s", name,
                      kind_of(x)), call. = FALSE)
    if (!is.double(x)) storage.mode(x) <- "double"
    x
}

has_numbers_or_flags <- function(column) is.numeric(column) || is.logical(column)

table_of_numbers <- function(table, name, advice = "") {
    wrong <- names(table)[!vapply(table, has_numbers_or_flags, NA)]
    if (length(wrong))
        stop(gettextf("'%s' has columns that are not numeric: %s%s", name, paste(wrong, collapse = ", "), advice),
             call. = FALSE)
    as.matrix(table)
}

# What a value is, in a message.
kind_of <- function(value) if (is.matrix(value)) paste("a matrix of type", typeof(value)) else class(value)[1L]

as_sparse <- function(x, name) {
    tryCatch(as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"),
             error = function(e) stop(gettextf("'%s' of class \"%s\" cannot be made a dgCMatrix", name, class(x)[1]),
                                      call. = FALSE))
}

# What y is: factors, texts and logicals are classes, numbers are numbers, a logical matrix is labels. `name` is that of
# the response, `called` that of the argument in messages.
as_target <- function(y, labels = FALSE, name = "y", called = name) {
    if (is.null(y)) return(list(kind = KINDS[["none"]]))
    if (is.data.frame(y)) {
        if (length(y) > 1 && any(vapply(y, inherits, NA, "Surv")))
            stop(gettextf("'%s' must be Surv(time, event) alone, not beside other columns", called), call. = FALSE)
        y <- if (length(y) == 1) y[[1]] else table_of_numbers(y, called)
    }
    if (inherits(y, "Surv")) return(time_target(y, name, called))
    several <- length(dim(y)) > 1 && !identical(dim(y)[-1L], 1L)
    texts <- is.factor(y) || is.character(y)
    if (!(texts || has_numbers_or_flags(y)) || several && (texts || !is.matrix(y)))
        stop(gettextf("'%s' must be numeric, a factor or a logical matrix, not %s", called, kind_of(y)), call. = FALSE)
    if (texts || (is.logical(y) && !is.matrix(y))) return(class_target(y, called))
    if (!is.matrix(y)) y <- matrix(as.double(y), ncol = 1, dimnames = list(NULL, name))
    kind <- if (labels || is.logical(y)) "labels" else "real"
    if (!is.double(y)) storage.mode(y) <- "double"
    if (kind == "labels" && !all(y %in% c(0, 1, NA)))
        stop(gettextf("'%s' must be TRUE and FALSE, or 1 and 0, where 'labels' is TRUE", called), call. = FALSE)
    list(kind = KINDS[[kind]], values = y, names = column_names(y, name), labelled = mask(y))
}

# Times until an event, as Surv() of the package survival has them: columns of times and of 1 (it came) and 0.
time_target <- function(y, name, called) {
    if (!identical(attr(y, "type"), "right"))
        stop(gettextf("'%s' must be Surv(time, event), censored on the right, not of type \"%s\"", called,
                      format(attr(y, "type"))), call. = FALSE)
    y <- unclass(y)
    list(kind = KINDS[["real"]], values = matrix(as.double(y[, 1L]), dimnames = list(NULL, name)), names = name,
         labelled = mask(y), events = as.raw(y[, 2L] %in% 1))
}

class_target <- function(y, called) {
    y <- if (is.factor(y)) y else factor(y)
    counts <- tabulate(y, nlevels(y)) # is.na() would make a vector as long as y
    empty <- levels(y)[counts == 0]
    if (length(empty)) {
        warning(gettextf("'%s' has no row in: %s", called, paste(empty, collapse = ", ")), call. = FALSE)
        y <- factor(y, setdiff(levels(y), empty))
    }
    list(kind = KINDS[["classes"]], values = y, names = levels(y),
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
        stop(gettextf("'weights' must be numbers that are not negative, one for each of %d rows", rows), call. = FALSE)
    as.double(weights)
}

as_inputs <- function(x, y = NULL, weights = NULL, labels = FALSE, name = "y", called = "y") {
    x <- as_x(x)
    if (is.data.frame(y) && length(y) == 1) name <- names(y)
    target <- as_target(y, one_flag(labels, "labels"), name, called)
    rows <- dim(x)[1L]
    if (!is.null(y) && NROW(target$values) != rows)
        stop(gettextf("'x' has %d rows, 'y' has %d", rows, NROW(target$values)), call. = FALSE)
    target$weights <- as_weights(weights, rows)
    names <- dimnames(x)
    list(x = x, target = target, features = names[[2L]], rows = names[[1L]], target_name = name)
}

# The model frame of a call, its design matrix and its inputs.
formula_inputs <- function(call, envir, labels = FALSE) {
    if (!is.null(call$offset)) stop("'offset' is not supported", call. = FALSE)
    kept <- match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L)
    call <- call[c(1L, kept)]
    call[[1L]] <- quote(stats::model.frame)
    call <- with_values(call, envir)
    alone <- one_matrix(call, envir)
    frame <- if (!is.null(alone)) tryCatch(eval(without_right_side(call, envir), envir), error = function(e) NULL)
    if (is.null(frame) || length(attr(frame, "na.action")) || nrow(frame) != nrow(alone$x)) {
        alone <- NULL # rows have to go
        frame <- in_words(eval(call, envir))
    }
    if (!is.null(model.offset(frame))) stop("an offset is not supported in 'formula'", call. = FALSE)
    if (!nrow(frame)) stop("0 (non-NA) cases", call. = FALSE)
    frame <- without_empty_levels(frame)
    about <- if (is.null(alone)) attr(frame, "terms") else alone$terms
    x <- if (is.null(alone)) design(about, frame) else alone$x
    name <- if (attr(about, "response")) name_of(about[[2L]]) else "y"
    inputs <- as_inputs(x, model.response(frame), model.weights(frame), labels, name, name)
    if (is.null(colnames(x))) inputs$features <- paste0(attr(about, "term.labels"), seq_len(ncol(x)))
    list(inputs = inputs, terms = about, xlevels = if (is.null(alone)) .getXlevels(about, frame), contrasts = attr(x, "contrasts"),
         na.action = attr(frame, "na.action"))
}

# The call with the values of what is not a formula: each is evaluated once, as it may draw.
with_values <- function(call, envir) {
    if (!is.null(call$data)) call$data <- as_data(eval(call$data, envir), "data")
    about <- in_words(eval(call$formula, envir))
    for (name in intersect(c("subset", "weights"), names(call)))
        call[name] <- list(in_words(eval(call[[name]], call$data, environment(about))))
    if ("na.action" %in% names(call)) call["na.action"] <- list(eval(call$na.action, envir))
    if (!is.null(call$na.action) && !is.function(call$na.action) && !is.character(call$na.action))
        stop("'na.action' must be a function", call. = FALSE)
    is_one <- function(v, kinds)
        is.null(v) || length(dim(v)) < 2 && any(vapply(kinds, function(is_kind) is_kind(v), NA))
    if (!is_one(call$subset, list(is.logical, is.numeric, is.character)))
        stop(gettextf("'subset' must be TRUE or FALSE for each row, or numbers of rows, not %s", kind_of(call$subset)),
             call. = FALSE)
    if (!is_one(call$weights, list(is.numeric)))
        stop(gettextf("'weights' must be numbers, one for each row, not %s", kind_of(call$weights)), call. = FALSE)
    call
}

as_data <- function(data, name) {
    if (is.null(data) || is.list(data) || is.environment(data)) return(data)
    frame <- if (is.object(data)) tryCatch(as.data.frame(data), error = function(e) NULL)
    if (is.null(frame))
        stop(gettextf("'%s' must be a data frame, a list or an environment, not %s", name, kind_of(data)),
             call. = FALSE)
    frame
}

# Errors of R's own about a formula without the call, in which the data stand as numbers.
in_words <- function(expression) {
    tryCatch(expression, error = function(e)
        stop(sub("^subscript out of bounds$", "'subset' has rows that there are not", conditionMessage(e)), call. = FALSE))
}

# The name of a response; "y" where it stands in the formula as numbers.
name_of <- function(response) {
    text <- deparse1(response)
    if (is.language(response) && nchar(text) < 100) text else "y"
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

# The same call for the response and the weights, which are values; where `data` is a list, without the matrix, which would be copied.
without_right_side <- function(call, envir) {
    call$formula <- eval(call$formula, envir)
    data <- eval(call$data, envir)
    label <- as.character(call$formula[[3L]])[1L]
    if (is.list(data) && !(label %in% all.vars(call$formula[[2L]]))) call$data <- data[names(data) != label]
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
    for (name in setdiff(names(frame), names(frame)[attr(about, "response")])) check_variable(frame[[name]], name)
    attr(about, "intercept") <- 1L
    x <- model.matrix(about, frame, contrasts.arg = contrasts)
    used <- attr(x, "contrasts")
    x <- x[, -1L, drop = FALSE]
    attr(x, "contrasts") <- used
    x
}

check_variable <- function(values, name) {
    texts <- is.character(values) || is.factor(values)
    if (is.complex(values) || is.raw(values) || is.matrix(values) && !has_numbers_or_flags(values))
        stop(gettextf("'%s' in 'formula' must be numeric, logical or a factor, not %s", name, kind_of(values)),
             call. = FALSE)
    if (texts && length(if (is.factor(values)) levels(values) else unique(values)) < 2)
        stop(gettextf("'%s' in 'formula' has one level only", name), call. = FALSE)
}

is_plain <- function(column) is.numeric(column) && is.null(dim(column)) && !is.object(column)

side_by_side <- function(frame, labels) {
    x <- unlist(frame[labels], use.names = FALSE)
    dim(x) <- c(nrow(frame), length(labels))
    dimnames(x) <- list(row.names(frame), labels)
    x
}
