# Equal to the packages that people know, to 1e-8.

test_that("pls is pls::plsr: coefficients, scores, figures of the same segments", {
    skip_if_not_installed("pls")
    data <- spectra()
    ours <- alidade(data$x, data$fat, method = "pls", ncomp = 10)
    theirs <- pls::plsr(fat ~ x, 10, data = data)
    for (ncomp in c(1, 5, 10)) expect_lt(apart(coef(ours, ncomp), drop(coef(theirs, ncomp))), 1e-8)
    expect_lt(apart(abs(predict(ours, type = "scores")), abs(unclass(theirs$scores))), 1e-8)
    expect_lt(apart(fitted(ours), fitted(theirs)[, 1, 10]), 1e-8)
    expect_lt(apart(predict(ours, data$x[1:7, ], ncomp = 4), predict(theirs, data$x[1:7, ], ncomp = 4)), 1e-8)
    both <- alidade(cbind(water, fat) ~ ., data$table[1:102], method = "pls", ncomp = 4)
    theirs <- pls::plsr(cbind(water, fat) ~ ., 4, data = data$table[1:102])
    y <- as.matrix(data$table[c("water", "fat")])
    shares <- 1 - apply(fitted(theirs), 3, function(f) colSums((y - f)^2)) / colSums(scale(y, scale = FALSE)^2)
    expect_lt(apart(summary(both)$explained[c("water", "fat"), ], 100 * shares), 1e-8)
    expect_lt(apart(summary(both)$explained["X", ], cumsum(pls::explvar(theirs))), 1e-8)
    set.seed(5)
    ours <- suppressWarnings(alidade(data$all ~ data$x, method = "pls", ncomp = 6, validation = "CV"))
    set.seed(5)
    theirs <- pls::plsr(data$all ~ data$x, 6, validation = "CV")
    expect_equal(lapply(ours$validation$segments, sort), lapply(unclass(theirs$validation$segments), sort),
                 ignore_attr = TRUE)
    press <- sqrt(theirs$validation$PRESS / nrow(data$x))
    expect_lt(apart(ours$validation$figures[, -1], press), 1e-8)
})

test_that("lda is MASS::lda: directions, classes, posterior", {
    skip_if_not_installed("MASS")
    for (name in c("iris.csv", "wine.csv")) {
        table <- bundled(name)
        table$y <- factor(table$y)
        ours <- alidade(y ~ ., table, method = "lda", ncomp = 2)
        theirs <- MASS::lda(y ~ ., table, method = "mle")
        answer <- predict(theirs)
        expect_identical(unname(predict(ours)), answer$class)
        expect_lt(apart(predict(ours, type = "prob"), answer$posterior), 1e-8)
        expect_lt(max(1 - abs(diag(cor(predict(ours, type = "scores"), answer$x)))), 1e-8)
    }
})

test_that("pca is prcomp", {
    x <- spectra()$x
    for (scaled in c(FALSE, TRUE)) {
        ours <- alidade(x, method = "pca", ncomp = 6, scale = scaled)
        theirs <- prcomp(x, rank. = 6, scale. = scaled)
        # minmax and standard divide by n; prcomp's standard deviation by n - 1
        factor <- if (scaled) sqrt((nrow(x) - 1) / nrow(x)) else 1
        expect_lt(apart(abs(predict(ours, type = "scores")) * factor, abs(theirs$x)), 1e-8)
    }
})

test_that("cca is stats::cancor", {
    table <- bundled("wine.csv")
    x <- as.matrix(table[1:6])
    y <- as.matrix(table[7:9])
    ours <- predict(alidade(x, y, method = "cca", ncomp = 3), type = "scores")
    theirs <- cancor(x, y)
    expect_lt(max(1 - abs(diag(cor(ours, x %*% theirs$xcoef[, 1:3])))), 1e-8)
})

test_that("kpca is kernlab::kpca", {
    skip_if_not_installed("kernlab")
    x <- scale(as.matrix(bundled("iris.csv")[1:4]))
    sigma <- 0.1
    ours <- predict(alidade(x, method = "kpca", ncomp = 3, kernel = "rbf", kernel_width = 1 / sqrt(2 * sigma)),
                    type = "scores")
    theirs <- kernlab::rotated(kernlab::kpca(x, kernel = "rbfdot", kpar = list(sigma = sigma), features = 3))
    expect_lt(max(1 - abs(diag(cor(ours, theirs)))), 1e-8)
})
