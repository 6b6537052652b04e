alidade <- function(x, ...) UseMethod("alidade")

alidade.formula <- function(formula, data, method = "auto", ncomp = NULL, weights, subset, na.action, labels = FALSE,
                            validation = c("none", "CV", "LOO"), segments = 10, intervals = FALSE, model = TRUE,
                            progress = getOption("alidade.progress", FALSE), device = getOption("alidade.device"), ...) {
    call <- match.call()
    taken <- formula_inputs(call, parent.frame(), labels)
    fitted <- fit_inputs(taken$inputs, method, ncomp, one_of(validation, VALIDATIONS, "validation"), segments,
                         intervals, model, progress, device, ...)
    fitted[c("terms", "xlevels", "contrasts", "na.action")] <-
        taken[c("terms", "xlevels", "contrasts", "na.action")]
    fitted$call <- as_call(call)
    fitted
}

alidade.default <- function(x, y = NULL, method = "auto", ncomp = NULL, weights = NULL, labels = FALSE,
                            validation = c("none", "CV", "LOO"), segments = 10, intervals = FALSE, model = TRUE,
                            progress = getOption("alidade.progress", FALSE), device = getOption("alidade.device"), ...) {
    call <- match.call()
    inputs <- as_inputs(x, y, weights, labels, response_name(substitute(y)))
    fitted <- fit_inputs(inputs, method, ncomp, one_of(validation, VALIDATIONS, "validation"), segments,
                         intervals, model, progress, device, ...)
    fitted$call <- as_call(call)
    fitted
}

# update() evaluates the call again, so it names the generic.
as_call <- function(call, generic = quote(alidade)) {
    call[[1L]] <- generic
    call
}

# A function of one method: its call with the method's name.
fit_as <- function(method, call, envir) {
    call[[1L]] <- quote(alidade::alidade)
    names(call)[names(call) == "x"] <- ""
    call$method <- method
    eval(call, envir)
}

response_name <- function(expression) {
    if (is.name(expression)) return(as.character(expression))
    if (is.call(expression) && identical(expression[[1L]], quote(`$`))) return(as.character(expression[[3L]]))
    "y"
}

VALIDATIONS <- c("none", "CV", "LOO")

fit_inputs <- function(inputs, method, ncomp, validation, segments, intervals, model, progress, device, ...) {
    given <- list(...)
    folds <- if (isTRUE(intervals)) 10 else if (!isFALSE(intervals)) one_count(intervals, "intervals")
    beside <- given[is_beside(given)]
    if (length(beside)) {
        if (!is.null(folds))
            stop(gettextf("'%s' comes with all rows, which cannot be divided into parts: leave out 'intervals'",
                          names(beside)[1L]), call. = FALSE)
        inputs <- c(inputs, Map(as_x, beside, names(beside)))
        check_start(colnames(inputs$start), inputs$features)
        given <- without_beside(given)
    }
    if (!is.null(folds) && folds < 2)
        stop("'intervals' must be TRUE, FALSE or a number of parts from 2", call. = FALSE)
    settings <- as_settings(given)
    method <- one_text(method, "method")
    if (method == "auto" && inputs$target$kind == KINDS[["none"]])
        stop("'method' must be named where there is no response", call. = FALSE)
    if (!is.null(ncomp)) settings$n_components <- one_count(ncomp, "ncomp")
    fitted <- if (method == "auto") fit_auto(inputs, settings, progress, device)
              else ask(r_fit, list(inputs = inputs, method = method, settings = settings), progress, device)
    if (!is.null(folds)) fitted <- ask(r_calibrate, list(model = fitted$model, inputs = inputs, folds = folds))
    object <- new_model(fitted, if (one_flag(model, "model")) inputs, settings)
    if (validation != "none")
        object$validation <- cross_validate(object, inputs, if (validation == "LOO") nrow(inputs$x) else segments)
    object
}

fit_auto <- function(inputs, settings, progress, device) {
    components <- settings$n_components
    settings$n_components <- NULL
    ask(r_fit_usual, list(inputs = inputs, words = as_words(settings),
                          components = if (!is.null(components)) format(components)), progress, device)
}

# Matrices among the settings come beside x: a kernel of the response, directions to start from.
is_beside <- function(given) {
    named <- names(given) %in% c("response_kernel", "start")
    if (any(named)) named[named] <- vapply(given[named], function(v) is.matrix(v) || is.data.frame(v) || isS4(v), NA)
    named
}

# Directions may have no names, but not those of x in another order.
check_start <- function(own, names) {
    at <- if (length(own) && length(own) == length(names)) which(own != names)
    if (length(at))
        stop(gettextf("column %d of 'start' is '%s', but that of 'x' is '%s': give them in the same order", at[1L],
                      own[at[1L]], names[at[1L]]), call. = FALSE)
}

without_beside <- function(given) {
    if ("response_kernel" %in% names(given)[is_beside(given)]) given$response_kernel <- "given"
    given[!is_beside(given)]
}

# Names and values as the library has them.
as_settings <- function(given) {
    if (!length(given)) return(list())
    if (length(given) && (is.null(names(given)) || any(names(given) == "")))
        stop("arguments in '...' are settings of the method and need names", call. = FALSE)
    if (is.logical(given$scale) && length(given$scale) == 1 && !is.na(given$scale))
        given$scale <- if (given$scale) "standard" else "none"
    if (identical(given$predictor, "auto")) given$predictor <- NULL
    several <- vapply(given, function(v) is_list_of_numbers(v), NA)
    given[several] <- lapply(given[several], function(v) paste(as_word(unlist(v)), collapse = "+"))
    wrong <- names(given)[!vapply(given, is_setting, NA)]
    if (length(wrong))
        stop(gettextf("'%s' must be one number, one text, TRUE or FALSE", wrong[1]), call. = FALSE)
    names(given)[names(given) == "seed"] <- "random_state"
    given
}

is_setting <- function(v)
    (is.numeric(v) || is.character(v) || is.logical(v)) && !is.object(v) && length(v) == 1 && !is.na(v)

# A number for each component: a vector, or a list of single numbers.
is_list_of_numbers <- function(v) {
    if (is.list(v) && !is.object(v)) v <- if (all(lengths(v) == 1L)) unlist(v)
    is.numeric(v) && is.null(dim(v)) && length(v) > 1 && !anyNA(v)
}

as_words <- function(settings) {
    as.character(unlist(lapply(names(settings), function(n) paste0(n, "=", as_word(settings[[n]])))))
}

# A point, whatever getOption("OutDec") says.
as_word <- function(v) if (is.character(v)) v else sprintf("%.17g", as.numeric(v))

one_text <- function(value, name) {
    if (!is.character(value) || length(value) != 1 || is.na(value))
        stop(gettextf("'%s' must be one text", name), call. = FALSE)
    value
}

one_path <- function(file) {
    if (!nzchar(one_text(file, "file"))) stop("'file' must be the name of a file", call. = FALSE)
    path.expand(file)
}

# One of several words, or the beginning of one; not given, it is the first.
one_of <- function(value, choices, name) {
    if (identical(value, choices)) return(choices[1L])
    at <- if (is.character(value) && length(value) == 1) pmatch(value, choices) else NA
    if (is.na(at))
        stop(gettextf("'%s' must be one of %s", name, paste(dQuote(choices, FALSE), collapse = ", ")), call. = FALSE)
    choices[at]
}

one_flag <- function(value, name) {
    if (!isTRUE(value) && !isFALSE(value)) stop(gettextf("'%s' must be TRUE or FALSE", name), call. = FALSE)
    value
}

one_number <- function(value, name, least = -Inf, most = Inf) {
    if (!is.numeric(value) || length(value) != 1 || is.na(value) || value < least || value > most)
        stop(gettextf("'%s' must be one number", name), if (least > -Inf) gettextf(" from %g", least),
             if (most < Inf) gettextf(" to %g", most), call. = FALSE)
    as.double(value)
}

one_count <- function(value, name) {
    if (!is.numeric(value) || length(value) != 1 || is.na(value) || value < 0 || value > 2^53 || value != round(value))
        stop(gettextf("'%s' must be one whole number that is not negative", name), call. = FALSE)
    as.double(value)
}

# The object: bytes that travel, a handle that is opened again where it was lost, and what the fit was given. `found`
# is the answer of a routine that made a model.
new_model <- function(found, inputs = NULL, settings = NULL) {
    about <- found$about
    kept <- new.env(FALSE, emptyenv())
    kept$model <- found$model
    object <- list(bytes = about$bytes, handle = kept, method = about$method, ncomp = about$ncomp,
                   kind = names(KINDS)[match(about$kind, KINDS)])
    if (!is.null(about$names)) object$names <- texts_in(about$names)
    if (!is.null(about$features)) object$features <- texts_in(about$features)
    object$inputs <- inputs
    object$settings <- settings
    class(object) <- "alidade"
    object
}

handle_of <- function(object, name = "object") {
    if (!inherits(object, "alidade")) stop(gettextf("'%s' must be a model of alidade", name), call. = FALSE)
    if (.Call(r_is_lost, object$handle$model))
        object$handle$model <- ask(r_from_bytes, list(bytes = object$bytes))$model
    object$handle$model
}

facts <- function(handle) {
    about <- ask(r_facts, list(model = handle))
    names(about$texts) <- about$keys
    about
}

# A JSON list of texts, whose escapes are R's too.
texts_in <- function(list) as.character(str2lang(paste0("c(", substr(list, 2L, nchar(list) - 1L), ")")))[-1L]

# An array of the model with its dimensions in the library's order, or NULL.
model_array <- function(object, name) {
    found <- ask(r_array, list(model = handle_of(object), name = name))
    if (is.null(found$shape)) return(NULL)
    if (length(found$shape) < 2) return(found$values)
    aperm(array(found$values, found$shape))
}

write_alidade <- function(object, file) {
    ask(r_save, list(model = handle_of(object), path = one_path(file)))
    invisible(object)
}

export <- function(object, file, format = NULL, what = NULL, inputs = NULL, table = NULL, keep = NULL, level = 0) {
    for (name in c("format", "what", "inputs", "table"))
        if (!is.null(get(name))) one_text(get(name), name)
    ask(r_export, list(model = handle_of(object), path = one_path(file), format = format,
                       what = what, inputs = inputs, table = table, level = one_number(level, "level", 0, 1),
                       keep = if (length(keep)) quoted(keep)))
    invisible(file)
}

quoted <- function(keep) {
    if (!is.character(keep) || anyNA(keep)) stop("'keep' must be names of columns", call. = FALSE)
    paste0("\"", gsub("\"", "\"\"", keep, fixed = TRUE), "\"", collapse = ",")
}

read_alidade <- function(file) {
    object <- new_model(ask(r_load, list(path = one_path(file))))
    object$call <- match.call()
    object
}

# A table in any format of the command line, by way of a csv file.
read_data <- function(file, sheet = NULL) {
    path <- tempfile(fileext = ".csv")
    on.exit(unlink(path))
    ask(r_convert, list(from = one_path(file), to = path,
                        sheet = if (!is.null(sheet)) one_text(if (is.numeric(sheet)) as.character(sheet) else sheet, "sheet")))
    named <- has_names(path, file)
    table <- read.csv(path, header = named, check.names = FALSE, na.strings = c("", "NA"), encoding = "UTF-8",
                      colClasses = "character", blank.lines.skip = FALSE)
    if (!named) names(table) <- paste0("x", seq_along(table))
    table[] <- lapply(table, numbers_or_texts)
    table
}

# A table without names is written without them, and then its first line has numbers alone.
has_names <- function(path, file) {
    first <- scan(path, "", sep = ",", quote = "\"", nlines = 1L, quiet = TRUE, na.strings = NULL)
    grepl("\\.arff(\\.gz)?$", file) || !all(first == "" | grepl(PLAIN_NUMBER, first))
}

# As the library writes numbers: digits behind a zero are a code, which is text.
PLAIN_NUMBER <- "^-?((0|[1-9][0-9]*)([.][0-9]+)?(e[-+]?[0-9]+)?|inf)$"

numbers_or_texts <- function(column) {
    if (all(is.na(column) | grepl(PLAIN_NUMBER, column))) as.numeric(column) else column
}

# The rows of the fit, or new ones where it did not keep them.
rows_of <- function(object) {
    if (is.null(object$inputs))
        stop("the model does not have its rows: fit it with model = TRUE", call. = FALSE)
    object$inputs
}
