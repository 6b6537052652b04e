# Rscript torture.R [FILTER]: the tests of the package whose files match, in its folder `tests`, with a garbage
# collection at every allocation that our routines make. What they do not protect is freed and written over.
tortured <- function(...) {
    gctorture(TRUE)
    on.exit(gctorture(FALSE))
    .Call(...)
}
utils::assignInNamespace("call_routine", tortured, "alidade")
given <- commandArgs(TRUE)
testthat::test_dir("testthat", package = "alidade", load_package = "installed", reporter = "summary",
                   filter = if (length(given)) given[1])
