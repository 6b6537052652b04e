# One call of the library: `entry` is a routine of src, `given` the list of its arguments. What it warns and refuses
# becomes R's warnings and errors here, when the call has ended and all of it is freed.
ask <- function(entry, given, progress = getOption("alidade.progress", FALSE)) {
    bar <- progress_function(progress)
    answer <- do.call(.Call, list(entry, given, list(threads = threads(), progress = bar$tick)), quote = TRUE)
    if (is.function(bar$close)) bar$close()
    if (!is.null(answer$failure)) fail(answer)
    for (line in answer$warnings) warning(spelled(line), call. = FALSE)
    answer
}

CANCELLED <- -8L

fail <- function(answer) {
    if (answer$status == CANCELLED) .Call(r_interrupt)
    stop(spelled(answer$failure), call. = FALSE)
}

# As many as the option says; 0 stands for what the process may use.
threads <- function() {
    count <- getOption("alidade.threads", 0L)
    if (!is.numeric(count) || length(count) != 1 || is.na(count) || count < 0 || count > 1024)
        stop("options(alidade.threads = ) is a number from 0, all there are, to 1024", call. = FALSE)
    as.integer(count)
}

# TRUE: a bar of R's; a function is called with what is being done and the part done.
progress_function <- function(progress) {
    if (is.function(progress)) return(list(tick = progress))
    if (!isTRUE(progress)) return(list())
    bar <- txtProgressBar(style = 3)
    list(tick = function(stage, done) setTxtProgressBar(bar, max(done, 0)), close = function() close(bar))
}

# The library puts the names of its interface in backquotes; these have other names here.
SPELLED <- c(n_components = "ncomp", ald_method_at = "help(package = \"alidade\")", ald_convert = "alidade convert",
             ald_model_save = "write_alidade", random_state = "seed", dims = "ncomp", components = "ncomp")

spelled <- function(message) {
    message <- gsub("`ald_method_param\\((\\w+)\\)`", "help(\"ald_\\1\")", message)
    for (name in names(SPELLED))
        message <- gsub(paste0("`", name, "(=[^`]*)?`"), paste0("`", SPELLED[[name]], "\\1`"), message)
    message
}
