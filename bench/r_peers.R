# Rscript bench/r_peers.R [SHAPES] [ENTRIES]: processor time of pls, lda and pca through R beside plsr, MASS::lda and
# prcomp, on shapes drawn at random (rows x columns about ENTRIES, 2e6, from tall to wide), each on one thread, the least
# of three runs in turn. Ratios above 1: alidade is faster. Fails where one is below 1.
#
#     OPENBLAS_NUM_THREADS=1 R_LIBS=FOLDER Rscript bench/r_peers.R
suppressMessages(library(alidade))
given <- as.numeric(commandArgs(TRUE))
shapes <- if (length(given) > 0) given[1] else 8
entries <- if (length(given) > 1) given[2] else 2e6
options(alidade.threads = 1)

spent <- function(work) {
    gc(FALSE)
    sum(system.time(work(), gcFirst = FALSE)[1:2])
}

# Rows, columns and components at random; lda needs more rows than columns.
draw <- function() {
    d <- round(exp(runif(1, log(8), log(1200))))
    list(n = max(40, round(entries / d)), d = d, ncomp = sample(2:min(d, 12), 1))
}

peers <- function(s) {
    x <- matrix(rnorm(s$n * s$d), s$n) + rnorm(s$n)
    y <- x[, 1] + x[, 2] + rnorm(s$n)
    g <- cut(y, quantile(y, 0:3 / 3), c("a", "b", "c"), include.lowest = TRUE)
    found <- list(
        pls = list(function() alidade(x, y, method = "pls", ncomp = s$ncomp),
                   function() pls::plsr(y ~ x, s$ncomp)),
        pca = list(function() alidade(x, method = "pca", ncomp = s$ncomp), function() prcomp(x, rank. = s$ncomp)))
    if (s$n > 2 * s$d)
        found$lda <- list(function() alidade(x, g, method = "lda", ncomp = 2), function() MASS::lda(x, g))
    found
}

set.seed(20)
least <- Inf
for (i in seq_len(shapes)) {
    s <- draw()
    pairs <- peers(s)
    for (name in names(pairs)) {
        times <- replicate(3, vapply(pairs[[name]], spent, 0))
        best <- pmax(apply(times, 1, min), 0.001)
        least <- min(least, best[2] / best[1])
        cat(sprintf("%-4s %7d x %4d, %2d components: %7.3f s, peer %7.3f s, ratio %.1f\n", name, s$n, s$d, s$ncomp,
                    best[1], best[2], best[2] / best[1]))
    }
}
cat(sprintf("least ratio %.2f\n", least))
quit(status = least < 1)
