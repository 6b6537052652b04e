# Rscript bench/r_peers.R [SHAPES] [ENTRIES] [SEED]: processor time of fits and predictions of pls, lda and pca through R
# beside plsr, MASS::lda and prcomp, on one thread, the least of five runs in turn. Shapes are drawn as bench/shapes.py
# draws them: rows from 100 to 300,000, columns from 5 to 8,000, both log-uniform, up to ENTRIES (2e6). Ratios above 1:
# alidade is faster. Fails where one is below 1.
#
#     OPENBLAS_NUM_THREADS=1 R_LIBS=FOLDER Rscript bench/r_peers.R
suppressMessages(library(alidade))
given <- as.numeric(commandArgs(TRUE))
shapes <- if (length(given) > 0) given[1] else 8
entries <- if (length(given) > 1) given[2] else 2e6
options(alidade.threads = 1)

# Once, or as often as 20 ms hold: the clock counts milliseconds.
spent <- function(work) {
    gc(FALSE)
    runs <- 0
    begun <- proc.time()
    repeat {
        work()
        runs <- runs + 1
        used <- sum((proc.time() - begun)[1:2])
        if (used > 0.02) return(used / runs)
    }
}

# Rows, columns and components at random; lda needs more rows than columns.
draw <- function() {
    repeat {
        n <- round(exp(runif(1, log(100), log(3e5))))
        d <- round(exp(runif(1, log(5), log(8000))))
        if (n * d <= entries) return(list(n = n, d = d, ncomp = sample(1:min(d, 20), 1)))
    }
}

# Pairs of fits, and of predictions of the same rows by what the fits gave.
peers <- function(s) {
    x <- matrix(rnorm(s$n * s$d), s$n) + rnorm(s$n)
    y <- x[, 1] + x[, 2] + rnorm(s$n)
    g <- cut(y, quantile(y, 0:3 / 3), c("a", "b", "c"), include.lowest = TRUE)
    fits <- list(
        pls = list(function() alidade(x, y, method = "pls", ncomp = s$ncomp, components_rule = "at-most"),
                   function() pls::plsr(y ~ x, s$ncomp)),
        pca = list(function() alidade(x, method = "pca", ncomp = s$ncomp), function() prcomp(x, rank. = s$ncomp)))
    if (s$n > 2 * s$d)
        fits$lda <- list(function() alidade(x, g, method = "lda", ncomp = 2), function() MASS::lda(x, g))
    ask <- list(pls = list(function(m) predict(m, x), function(m) predict(m, x, ncomp = s$ncomp)),
                pca = list(function(m) predict(m, x, type = "scores"), function(m) predict(m, x)),
                lda = list(function(m) lapply(c("class", "prob", "scores"), function(t) predict(m, x, type = t)), function(m) predict(m, x)))
    predictions <- function(name) {
        made <- lapply(fits[[name]], function(fit) fit())
        lapply(1:2, function(i) function() ask[[name]][[i]](made[[i]]))
    }
    c(fits, structure(lapply(names(fits), predictions), names = paste(names(fits), "predict")))
}

set.seed(if (length(given) > 2) given[3] else 20)
least <- Inf
for (i in seq_len(shapes)) {
    s <- draw()
    pairs <- peers(s)
    for (name in names(pairs)) {
        times <- replicate(5, vapply(pairs[[name]], spent, 0))
        best <- apply(times, 1, min)
        least <- min(least, best[2] / best[1])
        cat(sprintf("%-11s %7d x %4d, %2d components: %9.6f s, peer %9.6f s, ratio %.2f\n", name, s$n, s$d, s$ncomp,
                    best[1], best[2], best[2] / best[1]))
    }
}
cat(sprintf("least ratio %.2f\n", least))
quit(status = least < 1)
