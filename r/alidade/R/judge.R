# Parts for cross-validation: a number of random segments, drawn by R's own random numbers, or a list of rows.
segments_of <- function(segments, rows) {
    if (is.list(segments)) {
        all <- unlist(segments)
        if (!is.numeric(all) || anyDuplicated(all) || !setequal(all, seq_len(rows)))
            stop(gettextf("'segments' must have each of the rows 1 to %d once", rows), call. = FALSE)
        return(segments)
    }
    count <- one_count(segments, "segments")
    if (count < 2 || count > rows)
        stop(gettextf("'segments' must be from 2 to the number of rows, %d, not %g", rows, count), call. = FALSE)
    part <- integer(rows)
    part[sample(rows)] <- rep(seq_len(count), length.out = rows)
    split(seq_len(rows), part)
}

parts_of <- function(segments, rows) {
    part <- integer(rows)
    for (i in seq_along(segments)) part[segments[[i]]] <- i - 1L
    list(parts = part, n_parts = length(segments))
}

# Figures of all numbers of components up to that of the model, on rows that the fits have not seen.
cross_validate <- function(object, inputs, segments) {
    segments <- segments_of(segments, nrow(inputs$x))
    settings <- object$settings[names(object$settings) != "n_components"]
    found <- ask(r_compare, list(inputs = inputs, keep = TRUE, splits = parts_of(segments, nrow(inputs$x)),
                                 search = list(methods = object$method, components = paste0("1:", object$ncomp),
                                               settings = as_words(settings), no_baselines = TRUE)),
                 spell = function(line) with_own_segments(line, " of validation = \"CV\""))
    if (!is.null(inputs$target$events) && all(is.nan(found$mean)))
        stop("times until an event cannot be judged in such small segments: use validation = \"CV\" with fewer 'segments'",
             call. = FALSE)
    predictions <- lapply(found$predictions, t)
    names(predictions) <- paste(found$ncomp, "comps")
    real <- object$kind == "real" && is.null(inputs$target$events)
    figures <- if (real) rmsep(predictions, inputs$target$values, segments)
               else matrix(found$mean, 1L, dimnames = list(found$metric, names(predictions)))
    list(metric = if (real) "RMSEP" else found$metric, figures = figures, predictions = predictions,
         ncomp = found$ncomp, segments = segments)
}

# Where the parts are given: the advice on equal rows, in whose place `groups` is of compare() and tune() alone.
with_own_segments <- function(line, whose = "")
    sub("Keep equal rows .*", paste0("Put equal rows, and rows of one sample, into one of the 'segments'", whose),
        spelled(line))

# By response and number of components; 0 components: the mean of the other segments.
rmsep <- function(predictions, y, segments) {
    none <- y
    for (rows in segments) none[rows, ] <- rep(colMeans(y[-rows, , drop = FALSE], na.rm = TRUE), each = length(rows))
    all <- c(list("(Intercept)" = none), predictions)
    found <- vapply(all, function(p) sqrt(colMeans((p - y)^2, na.rm = TRUE)), numeric(ncol(y)))
    matrix(found, ncol(y), dimnames = list(colnames(y), names(all)))
}

compare <- function(x, ...) UseMethod("compare")

compare.formula <- function(formula, data, weights, subset, na.action, labels = FALSE, ...) {
    taken <- formula_inputs(match.call(expand.dots = FALSE), parent.frame(), labels)
    compare_inputs(taken$inputs, ...)
}

compare.default <- function(x, y, weights = NULL, labels = FALSE, ...) {
    compare_inputs(as_inputs(x, if (!missing(y)) y, weights, labels, response_name(substitute(y))), ...)
}

compare_inputs <- function(inputs, methods = NULL, ncomp = NULL, segments = NULL, repeats = 1, splits = 10,
                           train = 2 / 3, groups = NULL, metric = NULL, choose = FALSE, grid = NULL,
                           baselines = TRUE, seed = 0, time_limit = 0, progress = getOption("alidade.progress", FALSE), ...) {
    given <- list(inputs = inputs, metric = if (!is.null(metric)) one_text(metric, "metric"),
                  time_limit = one_number(time_limit, "time_limit", 0),
                  search = as_search(methods, ncomp, grid, seed, as_settings(list(...))))
    given$search$no_baselines <- !one_flag(baselines, "baselines")
    given$search$choose <- one_flag(choose, "choose")
    if (is.list(segments) && !is.null(groups))
        stop("a list of 'segments' says which rows stay together: leave out 'groups'", call. = FALSE)
    given$splits <- if (is.list(segments)) parts_of(segments_of(segments, nrow(inputs$x)), nrow(inputs$x))
                    else list(splits = one_count(splits, "splits"), train = one_number(train, "train", 0, 1),
                              folds = as_folds(segments, "segments", inputs),
                              repeats = one_count(repeats, "repeats"))
    given$splits$seed <- one_count(seed, "seed")
    given$splits$groups <- as_groups(groups, nrow(inputs$x))
    given$splits$duplicates <- are_duplicates(groups)
    as_comparison(ask(r_compare, given, progress, spell = if (is.list(segments)) with_own_segments else spelled))
}

# 0 stands for the usual number.
as_folds <- function(count, name, inputs) {
    if (is.null(count)) return(0)
    count <- one_count(count, name)
    if (count == 1 || count > nrow(inputs$x))
        stop(gettextf("'%s' must be from 2 to the number of rows, %d, not %g", name, nrow(inputs$x), count), call. = FALSE)
    count
}

as_search <- function(methods, ncomp, grid, seed, settings) {
    if (!is.null(methods) && (!is.character(methods) || anyNA(methods)))
        stop("'methods' must be names of methods", call. = FALSE)
    if (!is.null(ncomp) && !are_counts(ncomp))
        stop("'ncomp' must be numbers of components, whole numbers from 1 to 1000", call. = FALSE)
    list(methods = if (!is.null(methods)) paste(methods, collapse = ","),
         components = if (!is.null(ncomp)) paste(ncomp, collapse = ","), seed = one_count(seed, "seed"),
         settings = as_words(settings), grids = if (length(grid)) grid_words(grid))
}

are_counts <- function(ncomp)
    is.numeric(ncomp) && length(ncomp) && !anyNA(ncomp) && all(ncomp >= 1 & ncomp <= 1000 & ncomp == round(ncomp))

grid_words <- function(grid) {
    if (is.null(names(grid)) || any(names(grid) == "")) stop("'grid' must be a named list of values", call. = FALSE)
    names(grid)[names(grid) == "ncomp"] <- "n_components"
    grid <- as.list(grid)
    if (is.logical(unlist(grid[["scale"]]))) grid[["scale"]] <- ifelse(unlist(grid[["scale"]]), "standard", "none")
    values <- function(n) paste(vapply(as.list(grid[[n]]), function(v) paste(as_word(unlist(v)), collapse = "+"), ""), collapse = ",")
    vapply(names(grid), function(n) paste0(n, "=", values(n)), "")
}

# Rows that are equal in x and y stay together.
are_duplicates <- function(groups) identical(groups, "duplicates")

as_groups <- function(groups, rows) {
    if (is.null(groups) || are_duplicates(groups)) return(NULL)
    if (length(groups) != rows) stop(gettextf("'groups' must have %d entries", rows), call. = FALSE)
    if (!is.atomic(groups)) stop("'groups' must be a vector", call. = FALSE)
    as.integer(factor(groups))
}

as_comparison <- function(found) {
    columns <- c("label", "method", "settings", "ncomp", "mean", "sd", "splits", "p.value", "difference", "lower",
                 "upper", "mark", "reason")
    structure(list(table = data.frame(found[columns], pooled = as.vector(found$pooled), check.names = FALSE),
                   metric = found$metric, larger = found$larger == 1, note = found$note),
              class = "alidade_comparison")
}

tune <- function(x, ...) UseMethod("tune")

tune.formula <- function(formula, data, weights, subset, na.action, labels = FALSE, ...) {
    call <- match.call(expand.dots = FALSE)
    taken <- formula_inputs(call, parent.frame(), labels)
    tuned <- tune_inputs(taken$inputs, ...)
    tuned[c("terms", "xlevels", "contrasts", "na.action")] <- taken[c("terms", "xlevels", "contrasts", "na.action")]
    tuned$call <- as_call(match.call(), quote(tune))
    tuned
}

tune.default <- function(x, y, weights = NULL, labels = FALSE, ...) {
    tuned <- tune_inputs(as_inputs(x, if (!missing(y)) y, weights, labels, response_name(substitute(y))), ...)
    tuned$call <- as_call(match.call(), quote(tune))
    tuned
}

RULES <- c("one-se" = 1L, best = 2L)

tune_inputs <- function(inputs, methods = NULL, ncomp = NULL, grid = NULL, segments = NULL, outer = 0, groups = NULL,
                        metric = NULL, rule = c("one-se", "best"), seed = 0, time_limit = 0,
                        progress = getOption("alidade.progress", FALSE), ...) {
    settings <- as_settings(list(...))
    given <- list(inputs = inputs, metric = if (!is.null(metric)) one_text(metric, "metric"),
                  time_limit = one_number(time_limit, "time_limit", 0), no_nested = isFALSE(outer),
                  search = as_search(methods, ncomp, grid, seed, settings),
                  groups = as_groups(groups, nrow(inputs$x)),
                  inner = list(folds = as_folds(segments, "segments", inputs)),
                  outer = list(folds = if (isFALSE(outer)) 0 else as_folds(outer, "outer", inputs)))
    for (part in c("inner", "outer")) given[[part]][c("seed", "duplicates")] <- list(seed, are_duplicates(groups))
    given$search$rule <- RULES[[one_of(rule, names(RULES), "rule")]]
    found <- ask(r_tune, given, progress)
    tuned <- new_model(found, inputs, settings)
    tuned$tuning <- as_comparison(found)
    tuned$tuning$table <- named_by_method(tuned$tuning$table)
    tuned$tuning$chosen <- found$chosen
    tuned$tuning$nested <- data.frame(label = found$nested_label, mean = as.vector(found$nested_mean),
                                      sd = as.vector(found$nested_sd))
    tuned
}

# All that is tuned is one row to the library: its settings begin with a method where there are several.
named_by_method <- function(table) {
    several <- length(unique(table$method)) > 1
    table$label <- if (several) sub(" .*", "", table$settings) else table$method
    if (several) table$settings <- sub("^[^ ]* ?", "", table$settings)
    table
}

dimension <- function(x, ...) UseMethod("dimension")

dimension.formula <- function(formula, data, weights, subset, na.action, labels = FALSE, ...) {
    taken <- formula_inputs(match.call(expand.dots = FALSE), parent.frame(), labels)
    dimension_inputs(taken$inputs, ...)
}

dimension.default <- function(x, y = NULL, weights = NULL, labels = FALSE, ...)
    dimension_inputs(as_inputs(x, y, weights, labels, response_name(substitute(y))), ...)

dimension.alidade <- function(x, ...) {
    given <- list(...)
    if ("method" %in% names(given)) stop("'method' is that of the model", call. = FALSE)
    settings <- x$settings[setdiff(names(x$settings), c("n_components", names(given)))]
    do.call(dimension_inputs, c(list(rows_of(x), method = x$method), settings, given))
}

DIMENSION_COLUMNS <- c("k", "eigenvalue", "gap", "ratio", "X", "Y", "chi.square", "df", "chi.square.p", "statistic",
                       "permutation.p", "logLik", "AIC", "BIC", "ladle.turn", "ladle.value")

dimension_inputs <- function(inputs, method = "sir", ncomp = 0, permutations = 0, level = 0.05, seed = 0,
                             resamples = 0, progress = getOption("alidade.progress", FALSE), ...) {
    found <- ask(r_dimension, list(inputs = inputs, method = one_text(method, "method"),
                                   ncomp = one_count(ncomp, "ncomp"),
                                   permutations = one_count(permutations, "permutations"),
                                   resamples = one_count(resamples, "resamples"),
                                   level = one_number(level, "level", 0, 1), seed = one_count(seed, "seed"),
                                   settings = as_settings(list(...))), progress)
    rows <- as.data.frame(t(found$rows))
    names(rows) <- DIMENSION_COLUMNS
    choice <- structure(found$choice[1L, ],
                        names = c("gap", "ratio", "X", "Y", "chi.square", "permutation", "AIC", "BIC", "ladle"))
    structure(list(method = method, rows = rows, choice = choice), class = "alidade_dimension")
}

vip <- function(object, type = c("vip", "weights", "standardized", "structure", "loadings")) {
    type <- one_of(type, c("vip", "weights", "standardized", "structure", "loadings"), "type")
    kind <- match(type, c("weights", "standardized", "structure", "vip", "loadings")) - 1
    values <- ask(r_importance, list(model = handle_of(object), kind = kind, inputs = object$inputs))$values
    rownames(values) <- object$features
    if (type == "vip") return(values[, 1L])
    colnames(values) <- paste("Comp", seq_len(ncol(values)))
    values
}

stability <- function(object, resamples = 100, permuted = 0, half = FALSE, seed = 0,
                      progress = getOption("alidade.progress", FALSE)) {
    found <- ask(r_stability, list(model = handle_of(object), inputs = rows_of(object), seed = one_count(seed, "seed"),
                                   resamples = one_count(resamples, "resamples"),
                                   permuted = one_count(permuted, "permuted"), half = one_flag(half, "half"),
                                   frequency = facts(handle_of(object))$formulas > 0), progress)
    rows <- as.data.frame(t(found$rows))
    names(rows) <- c("k", "mean", "largest", "q95", "permuted.mean", "permuted.largest", "permuted.q95")
    frequency <- as.vector(found$frequency)
    if (length(frequency)) names(frequency) <- object$features
    structure(list(rows = rows, resamples = found$resamples, frequency = frequency), class = "alidade_stability")
}

outliers <- function(object, newdata = NULL) {
    handle <- handle_of(object)
    x <- if (is.null(newdata)) rows_of(object)$x else new_x(object, newdata)
    found <- ask(r_outliers, list(model = handle, x = x))
    structure(data.frame(T2 = as.vector(found$t2), Q = as.vector(found$q), row.names = rownames(x)),
              limits = structure(found$limits, names = c("T2 95%", "T2 99%", "Q 95%", "Q 99%")))
}

merge.alidade <- function(x, y, ...) {
    parts <- list(x, y, ...)
    found <- ask(r_merge, list(models = Map(handle_of, parts, c("x", "y", rep("...", ...length())))))
    merged <- new_model(found)
    merged[c("terms", "xlevels", "contrasts", "settings")] <- x[c("terms", "xlevels", "contrasts", "settings")]
    merged$call <- as_call(match.call(), quote(merge))
    merged
}

report <- function(object, file = tempfile("alidade-", fileext = ".html"), title = NULL, quick = FALSE, segments = 0,
                   resamples = 0, seed = 0, open = interactive(), progress = getOption("alidade.progress", FALSE)) {
    file <- one_path(file)
    open <- one_flag(open, "open")
    ask(r_report, list(model = handle_of(object), inputs = rows_of(object), path = file,
                       title = if (!is.null(title)) one_text(title, "title"), quick = one_flag(quick, "quick"),
                       folds = one_count(segments, "segments"), resamples = one_number(resamples, "resamples"),
                       seed = one_count(seed, "seed")), progress)
    if (open) getOption("viewer", browseURL)(file)
    invisible(file)
}
