print.alidade <- function(x, ...) {
    components <- ngettext(x$ncomp, " component", " components")
    cat("Model of alidade: ", x$method, ", ", x$ncomp, components, "\n", sep = "")
    if (!is.null(x$call)) cat("Call:\n", deparse1(x$call), "\n", sep = "")
    cat("Response: ", switch(x$kind, none = "none", real = paste(c("numbers", x$names), collapse = " "),
                             classes = paste0("classes ", paste(x$names, collapse = ", ")),
                             labels = paste0("labels ", paste(x$names, collapse = ", "))), "\n", sep = "")
    invisible(x)
}

summary.alidade <- function(object, tests = FALSE, ...) {
    about <- facts(handle_of(object))
    found <- list(object = object, features = about$features, validation = object$validation)
    if (!is.null(object$inputs)) {
        found$rows <- nrow(object$inputs$x)
        found$explained <- tryCatch(explained(object, object$inputs), error = function(e) NULL)
    }
    if (one_flag(tests, "tests")) found$tests <- dimension.alidade(object, ncomp = object$ncomp)
    found$eigenvalues <- model_array(object, "eigenvalues")
    structure(found, class = "summary.alidade")
}

# Per cent of X and of the response that 1, 2, ... components explain; of each response where there are several.
explained <- function(object, inputs) {
    shares <- ask(r_explained, list(model = handle_of(object), inputs = inputs))
    y <- rbind(Y = shares$y[, 1L])
    several <- object$kind == "real" && length(object$names) > 1
    if (several) y <- tryCatch(each_explained(object, inputs, ncol(y)), error = function(e) y)
    else if (object$kind == "real") rownames(y) <- object$names
    found <- 100 * rbind(X = shares$x[, 1L], y)
    colnames(found) <- paste(seq_len(ncol(found)), "comps")
    found
}

each_explained <- function(object, inputs, ncomp) {
    y <- inputs$target$values
    weights <- if (is.null(inputs$target$weights)) 1 else inputs$target$weights
    size <- function(rest) colSums(weights * rest^2, na.rm = TRUE)
    mean <- colSums(weights * y, na.rm = TRUE) / colSums(weights * !is.na(y))
    whole <- size(y - rep(mean, each = nrow(y)))
    left <- function(k) size(y - response_of(object, first_of(object, k), inputs$x))
    found <- 1 - vapply(seq_len(ncomp), left, whole) / whole
    rownames(found) <- object$names
    found
}

print.summary.alidade <- function(x, digits = 4, ...) {
    object <- x$object
    if (!is.null(x$rows)) cat("Data:\tX dimension:", x$rows, x$features, "\n\tY dimension:", x$rows,
                              if (object$kind == "classes") 1L else length(object$names), "\n")
    cat("Fit method: ", object$method, "\nNumber of components considered: ", object$ncomp, "\n", sep = "")
    if (!is.null(x$validation)) {
        cat("\nVALIDATION: ", x$validation$metric, "\nCross-validated using ", length(x$validation$segments),
            " segments.\n", sep = "")
        print(x$validation$figures, digits = digits)
    }
    if (!is.null(x$explained)) {
        cat("\nTRAINING: % variance explained\n")
        print(x$explained[!is.nan(rowSums(x$explained)) & !is.na(rowSums(x$explained)), , drop = FALSE],
              digits = digits)
    }
    if (length(x$eigenvalues)) {
        cat("\nEigenvalues:\n")
        print(x$eigenvalues, digits = digits)
    }
    if (!is.null(x$tests)) {
        cat("\nTESTS OF DIMENSION: ")
        print(x$tests, digits = digits)
    }
    invisible(x)
}

# Methods with a likelihood keep those of no direction, of theirs and of all, each with its number of parameters.
logLik.alidade <- function(object, ...) {
    found <- model_array(object, "likelihood")
    if (is.null(found))
        stop(gettextf("a model of \"%s\" has no likelihood; \"pfc\" and \"lad\" have one", object$method), call. = FALSE)
    structure(found[2L, 1L], df = found[2L, 2L], nobs = nobs.alidade(object), class = "logLik")
}

# A row of weight 2 is two rows.
nobs.alidade <- function(object, ...) {
    inputs <- rows_of(object)
    if (is.null(inputs$target$weights)) nrow(inputs$x) else sum(inputs$target$weights)
}

print.alidade_comparison <- function(x, digits = 4, ...) {
    cat("Methods compared by ", x$metric, ": ", x$note, "\n\n", sep = "")
    table <- x$table[, c("label", "settings", "ncomp", "mean", "sd", "p.value", "mark")]
    table$ncomp <- ifelse(table$ncomp < 0, "chosen", ifelse(table$ncomp == 0, "", format(table$ncomp)))
    table$mark[x$chosen] <- ifelse(table$mark[x$chosen] == "best", "chosen, best", "chosen")
    print(table[order(if (x$larger) -table$mean else table$mean), ], digits = digits, row.names = FALSE)
    if (!is.null(x$nested) && nrow(x$nested)) {
        cat("\nThe whole choice, judged on rows that played no part in it:\n")
        print(x$nested, digits = digits, row.names = FALSE)
    }
    invisible(x)
}

print.alidade_dimension <- function(x, digits = 4, ...) {
    cat("Number of components by ", x$method, "\n\n", sep = "")
    rows <- x$rows[, vapply(x$rows, function(column) !all(is.na(column)), NA), drop = FALSE]
    print(rows, digits = digits, row.names = FALSE)
    cat("\nChosen:\n")
    print(x$choice[!is.na(x$choice)])
    invisible(x)
}

print.alidade_stability <- function(x, digits = 4, ...) {
    cat("Angles to the subspaces of ", x$resamples, " resamples, in degrees\n\n", sep = "")
    angles <- x$rows
    angles[-1L] <- angles[-1L] * 180 / pi
    print(angles[, vapply(angles, function(column) !all(is.na(column)), NA), drop = FALSE], digits = digits,
          row.names = FALSE)
    invisible(x)
}
