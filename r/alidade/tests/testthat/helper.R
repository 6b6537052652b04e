# The bundled sets: beside the package in its own tree, inside it where it was built from there.
bundled <- function(name) {
    folder <- Sys.getenv("ALD_DATA", system.file("extdata", package = "alidade"))
    read.csv(file.path(folder, name), stringsAsFactors = TRUE)
}

spectra <- function() {
    table <- bundled("tecator.csv")
    list(x = as.matrix(table[1:100]), fat = table$fat, all = as.matrix(table[101:103]), table = table)
}

# The largest difference, as a part of the largest number.
apart <- function(a, b) max(abs(unname(as.matrix(a)) - unname(as.matrix(b)))) / max(abs(b))

# The command line where the tests of the whole tree run; elsewhere these tests are skipped.
program <- function(...) {
    path <- Sys.getenv("ALIDADE")
    testthat::skip_if(path == "", "the command line is not here")
    status <- system2(path, c(...), stdout = FALSE, stderr = FALSE)
    if (status != 0) stop("alidade ", paste(c(...), collapse = " "), " failed")
}
