# One call of the library: `entry` is a routine of src, `given` the list of its arguments. What it warns and refuses
# becomes R's warnings and errors here, when the call has ended and all of it is freed. `spell` says the warnings in the
# words of the caller.
ask <- function(entry, given, progress = getOption("alidade.progress", FALSE), device = getOption("alidade.device"),
                spell = spelled) {
    bar <- progress_function(progress)
    control <- list(threads = threads(), progress = bar$tick, device = if (!is.null(device)) one_text(device, "device"))
    answer <- call_routine(entry, given, control)
    if (is.function(bar$close)) bar$close()
    if (!is.null(answer$failure)) fail(answer, bar, if (is.null(given$inputs)) "newdata" else "x")
    for (line in answer$warnings) warning(spell(line), call. = FALSE)
    answer
}

# The check of packages wants the name of a routine here, or dots.
call_routine <- function(...) .Call(...)

CANCELLED <- -8L

# A call is cancelled by Ctrl-C, which comes again, or by an error of the progress function, which is raised again.
# `x` is the name of the argument that the library calls X; its target is 'y'.
fail <- function(answer, bar, x) {
    if (!is.null(bar) && !is.null(bar$caught())) stop(bar$caught())
    if (answer$status == CANCELLED) .Call(r_interrupt)
    named <- sub("^target: ", "'y': ", sub("^weights: ", "'weights': ", spelled(answer$failure)))
    own <- paste0("'", x, "'")
    stop(sub("^(the data have|X has) ", paste(own, "has "), sub("^X: ", paste0(own, ": "), named)), call. = FALSE)
}

# As many as the option says; 0 stands for what the process may use.
threads <- function() {
    count <- getOption("alidade.threads", 0L)
    if (!is.numeric(count) || length(count) != 1 || is.na(count) || count < 0 || count > 256)
        stop("options(alidade.threads = ) is a number from 0, all there are, to 256", call. = FALSE)
    as.integer(count)
}

# TRUE: a bar of R's; a function is called with what is being done and the part done.
progress_function <- function(progress) {
    if (isFALSE(progress) || is.null(progress)) return(NULL)
    if (!is.function(progress) && !isTRUE(progress))
        stop("'progress' must be TRUE, FALSE or a function of a text and a number", call. = FALSE)
    close <- NULL
    if (isTRUE(progress)) {
        bar <- txtProgressBar(style = 3)
        close <- function() base::close(bar)
        progress <- function(stage, done) setTxtProgressBar(bar, max(done, 0))
    }
    error <- NULL
    keep <- function(e) {
        error <<- e
        stop(e)
    }
    list(tick = function(stage, done) tryCatch(progress(stage, done), error = keep), close = close,
         caught = function() error)
}

# The library puts the names of its interface in backquotes; some have other names here.
SPELLED <- c("\\bn_components\\b" = "ncomp", "\\brandom_state\\b" = "seed",
             "`(dims|components)(=[^`]*)?`" = "`ncomp\\2`",
             "`ald_method_param\\((\\w+)\\)`" = "help(\"ald_\\1\")", "`ald_method_at`" = "help(package = \"alidade\")",
             "`ald_model_save`" = "write_alidade", "give `task=classification`" = "give a factor",
             "give `task=regression`" = "give them as numbers", "give `task=multilabel`" = "give 'labels = TRUE'",
             "calibrate it \\(`ald_calibrate`\\)" = "fit it with intervals = TRUE", "with events \\(`event`\\)" = "until an event",
             ", which only a fit takes \\(`response_kernel_file`\\): give it there" = ": give it itself as 'response_kernel' of a fit",
             ": name one column \\(`target`\\)" = ": give 'y' one column",
             "by a column that names it \\(`groups`\\)" = "by 'groups'",
             ": name its columns? \\(`target`\\)" = ": give 'y'",
             "(keep_statistics|outlier_limits)=1" = "\\1=TRUE", "`groups=duplicates`" = "groups = \"duplicates\"",
             "`folds(=[^`]*)?`" = "`segments\\1`", "rows (has|have) no target\\b" = "rows \\1 no 'y'",
             "`grids`" = "'grid'", "`target`" = "'y'", "`unlabelled_rows=drop`" = "na.omit",
             "`(\\w+)`" = "'\\1'", "`(\\w+)=(TRUE|-?[0-9][^` ]*)`" = "\\1 = \\2", "`(\\w+)=([^` ]+)`" = "\\1 = \"\\2\"",
             ", not '([^' +]+\\+){2,}[^' ]*'$" = ", not several numbers", "^the start is" = "'start' is")

spelled <- function(message) {
    for (pattern in names(SPELLED)) message <- gsub(pattern, SPELLED[[pattern]], message)
    message
}
