# What may be given, and what is refused in R's own way.

test_that("a dgCMatrix gives what its dense form gives", {
    skip_if_not_installed("Matrix")
    set.seed(1)
    x <- matrix(rbinom(600, 2, 0.2), 60)
    y <- rnorm(60)
    dense <- alidade(x, y, method = "pls", ncomp = 2)
    sparse <- alidade(Matrix::Matrix(x, sparse = TRUE), y, method = "pls", ncomp = 2)
    expect_lt(apart(coef(sparse), coef(dense)), 1e-10)
})

test_that("a formula has factors, subsets, weights and matrices", {
    set.seed(2)
    table <- data.frame(a = rnorm(50), g = factor(sample(c("u", "v", "w"), 50, TRUE)), w = rep(1:2, 25))
    table$y <- table$a + as.integer(table$g)
    model <- alidade(y ~ a + g, table, method = "pls", ncomp = 3, subset = w == 1 | a > -9)
    expect_lt(apart(coef(model, intercept = TRUE), coef(lm(y ~ a + g, table))), 1e-8)
    weighted <- alidade(y ~ a + g, table, method = "pls", ncomp = 3, weights = w)
    expect_lt(apart(coef(weighted, intercept = TRUE), coef(lm(y ~ a + g, table, weights = w))), 1e-8)
    expect_error(predict(model, data.frame(a = 1, g = "new")), "new level")
    expect_error(predict(model, data.frame(a = c("1", "2"), g = "u")), "'a' was fitted with type")
    expect_error(alidade(y ~ a + offset(w), table, method = "pls"), "offset")
    expect_error(alidade(y ~ a, table, method = "pls", offset = w), "offset")
    updated <- update(model, ncomp = 1)
    expect_identical(updated$ncomp, 1)
})

test_that("rows without a response are dropped, or used where the method can", {
    table <- bundled("iris.csv")
    table$y[c(3, 70, 120)] <- NA
    dropped <- alidade(y ~ ., table, method = "lda", ncomp = 2)
    expect_identical(nrow(dropped$inputs$x), 147L)
    expect_length(fitted(update(dropped, na.action = na.exclude)), 150)
    expect_error(alidade(table[1:4], table$y, method = "lda", ncomp = 2), "no 'y'")
    expect_warning(alidade(table[1:4], table$y), "3 of 150 rows have no 'y' and are left out")
    kept <- alidade(y ~ ., table, method = "lfda", ncomp = 2, na.action = na.pass)
    expect_identical(nrow(kept$inputs$x), 150L)
    expect_gt(mean(predict(kept, table) == bundled("iris.csv")$y), 0.95)
})

test_that("rows that were excluded come again as NA, in pictures they do not", {
    table <- mtcars
    table$wt[3] <- NA
    model <- alidade(cbind(mpg, qsec) ~ wt + hp, table, method = "pls", ncomp = 2, na.action = na.exclude, intervals = 4)
    rows <- list(predict(model), fitted(model), residuals(model), predict(model, type = "scores"),
                 predict(model, type = "interval", level = 0.5)[, 1, ])
    for (found in rows) {
        expect_identical(rownames(found), rownames(mtcars))
        expect_identical(which(is.na(found[, 1])), c("Datsun 710" = 3L))
    }
    pdf(NULL)
    on.exit(dev.off())
    for (which in c("scores", "prediction")) expect_silent(plot(model, which))
    expect_silent(biplot(model))
    expect_error(plot(model, "loadings", comps = 9), "'comps'")
})

test_that("levels that no row has are named, in a formula too", {
    table <- transform(iris, Species = factor(Species, c(levels(Species), "none")))
    table$kind <- factor(rep(c("a", "b"), 75), c("a", "b", "c"))
    expect_warning(model <- alidade(Species ~ ., table, method = "lda", ncomp = 2), "'Species' has no row in: none")
    expect_identical(model$xlevels, list(kind = c("a", "b")))
    expect_identical(alidade(~ kind + Sepal.Width, table, method = "pca", ncomp = 2)$features, c("kindb", "Sepal.Width"))
    expect_warning(alidade(table[1:4], table$Species, method = "lda", ncomp = 2), "none")
})

test_that("tibbles, columns that are matrices and several responses are taken", {
    skip_if_not_installed("tibble")
    table <- tibble::as_tibble(iris)
    table$both <- as.matrix(iris[1:2])
    model <- alidade(cbind(Petal.Length, Petal.Width) ~ both + Species, table, method = "pls", ncomp = 4)
    expect_lt(apart(coef(model), coef(lm(cbind(Petal.Length, Petal.Width) ~ both + Species, table))[-1, ]), 1e-8)
    expect_identical(dim(predict(model, table[1:5, ])), c(5L, 2L))
    expect_identical(predict(alidade(table[1:4], table$Species, method = "lda", ncomp = 2), table),
                     predict(alidade(iris[1:4], iris$Species, method = "lda", ncomp = 2), iris))
})

test_that("a formula with one matrix does not copy it", {
    x <- matrix(rnorm(4e5), 2000)
    data <- list(x = x, y = x[, 1] + rnorm(2000), g = factor(rep(1:4, 500)))
    most <- function(expression) {
        gc(reset = TRUE)
        before <- sum(gc()[, 2])
        force(expression)
        (sum(gc()[, 6]) - before) * 2^20 / (8 * length(x))
    }
    model <- alidade(y ~ x, data, method = "pls", ncomp = 3)
    expect_lt(most(alidade(x, data$y, method = "pls", ncomp = 3)), 0.5)
    expect_lt(most(alidade(y ~ x, data, method = "pls", ncomp = 3)), 0.5)
    expect_lt(most(alidade(g ~ x, data, method = "lda", ncomp = 3)), 0.5)
    expect_lt(most(predict(model, data)), 0.5)
    g <- factor(rep(1:2, 2e5)) # its codes are copied once: half of x
    expect_lt(most(alidade(matrix(x), g, method = "lda", ncomp = 1)) - 1, 0.75)
    expect_identical(model$features, paste0("x", 1:200))
    expect_identical(predict(model, data), predict(alidade(x, data$y, method = "pls", ncomp = 3), x))
    data$y[7] <- NA
    expect_identical(nrow(alidade(y ~ x, data, method = "pls", ncomp = 3)$inputs$x), 1999L)
    data$x[9, 1] <- NA
    expect_identical(nrow(alidade(y ~ x, data, method = "pls", ncomp = 3)$inputs$x), 1998L)
    y <- 1:3
    expect_error(alidade(y ~ x, method = "pls", ncomp = 3), "lengths differ")
})

test_that("a column of a data frame that is a matrix, and a device, are taken", {
    table <- data.frame(y = mtcars$mpg)
    table$x <- as.matrix(mtcars[2:4])
    plain <- alidade(as.matrix(mtcars[2:4]), mtcars$mpg, method = "pls", ncomp = 2)
    framed <- alidade(table["x"], table$y, method = "pls", ncomp = 2)
    expect_identical(unname(coef(framed)), unname(coef(plain)))
    expect_identical(unname(predict(framed, table["x"])), unname(predict(plain)))
    expect_identical(predict(alidade(table, table$y, method = "pls", ncomp = 2), cbind(table, name = "a")),
                     predict(alidade(as.matrix(table), table$y, method = "pls", ncomp = 2)))
    table$x <- I(table$x)
    expect_identical(unname(coef(alidade(y ~ x, table, method = "pls", ncomp = 2))), unname(coef(plain)))
    mpg <- table$y
    fit <- function(device) alidade(table$x, mpg, method = "pls", ncomp = 2, device = device)
    expect_identical(coef(fit("cpu")), coef(plain))
    expect_error(fit("abacus"), "abacus")
    expect_error(fit(3), "device")
    old <- options(alidade.device = "abacus")
    on.exit(options(old))
    expect_error(predict(plain), "abacus")
})

test_that("labels are a logical matrix", {
    set.seed(3)
    x <- matrix(rnorm(400), 80)
    y <- cbind(first = x[, 1] > 0, second = x[, 2] + x[, 3] > 0)
    model <- alidade(x, y, method = "pls", ncomp = 3)
    expect_identical(model$kind, "labels")
    expect_gt(mean(predict(model) == y), 0.85)
})

test_that("times until an event are those of survival", {
    skip_if_not_installed("survival")
    Surv <- survival::Surv
    veteran <- survival::veteran
    right <- Surv(time, status) ~ karno + age + diagtime + trt
    ours <- alidade(right, veteran, method = "pls", ncomp = 4)
    theirs <- survival::coxph(right, veteran, ties = "breslow")
    expect_lt(apart(coef(ours), coef(theirs)), 1e-6) # of Newton's last step
    expect_lt(apart(predict(ours), predict(theirs)), 1e-6)
    expect_identical(predict(ours, veteran[5:9, ]), predict(ours)[5:9])
    y <- Surv(veteran$time, veteran$status)
    x <- as.matrix(veteran[c("karno", "age", "diagtime", "trt")])
    boxed <- data.frame(time = 1:137)
    boxed$s <- y
    for (same in list(y, boxed["s"]))
        expect_identical(coef(alidade(x, same, method = "pls", ncomp = 4)), coef(ours), ignore_attr = TRUE)
    expect_error(alidade(x, boxed, method = "pls"), "Surv\\(time, event\\) alone")
    expect_error(alidade(right, veteran, method = "pls", ncomp = 2, validation = "LOO"), "fewer 'segments'")
    skip_if_not_installed("generics")
    expect_equal(generics::glance(ours)$concordance, survival::concordance(theirs)$concordance[[1]])
    judged <- alidade(right, veteran, method = "pls", ncomp = 2, validation = "CV", segments = 4)$validation
    expect_identical(rownames(judged$figures), "concordance")
    expect_gt(min(judged$figures), 0.6)
    expect_error(residuals(ours), "numeric")
    expect_error(plot(ours, "prediction"), "numeric")
    expect_error(alidade(Surv(time, time + 1, status) ~ age, veteran, method = "pls"), "right.*counting")
    veteran$status[7] <- NA
    expect_identical(nrow(alidade(right, veteran, method = "pls", ncomp = 1)$inputs$x), 136L)
})

test_that("wrong calls are errors of R's that name the argument", {
    data <- spectra()
    fit <- function(...) alidade(data$x, data$fat, ...)
    expect_error(fit(method = "plz"), "pls")
    expect_error(fit(method = "pls", ncomp = 1000), "ncomp")
    expect_error(fit(method = "pls", ncomp = "two"), "ncomp")
    expect_error(fit(method = "pls", ncomp = NA), "ncomp")
    expect_error(fit(method = 3), "method")
    expect_error(fit(method = "pls", nonsense = 1), "nonsense")
    expect_error(fit(method = "pls", tol = 1:3), "tol")
    expect_error(fit(method = "pls", weights = 1:3), "weights")
    expect_error(alidade(data$x, data$fat[-1], method = "pls"), "rows")
    expect_error(alidade(data$x, rep("a", 215), method = "lda"), "'y': all rows are of one class")
    expect_error(fit(method = "pls", weights = rep(0, 215)), "'weights': all are zero")
    expect_error(alidade(iris, data$fat, method = "pls"), "Species")
    expect_error(alidade(list(1, 2), 1:2, method = "pls"), "'x'")
    expect_error(alidade("text", method = "pca"), "'x'")
    expect_error(alidade(matrix("a", 2, 2), method = "pca"), "matrix of type character")
    expect_error(alidade(data$x), "'method'")
    expect_error(alidade(mpg ~ ., mtcars[0, ], method = "pls"), "0 \\(non-NA\\) cases")
    expect_error(alidade(data$x, method = "pls"), "give 'y'")
    for (parts in list(0, 1, "two", 2.5)) expect_error(fit(method = "pls", ncomp = 1, intervals = parts), "'intervals'")
    model <- fit(method = "pls", ncomp = 2)
    expect_error(predict(model, data$x[, 1:3]), "columns|features")
    expect_error(predict(model, data$x, type = "prob"), "prob")
    expect_silent(expect_error(predict(model, data$x, ncomp = "a"), "'ncomp'"))
    for (wrong in list(list(title = 3), list(quick = "yes"), list(segments = -1)))
        expect_error(do.call(report, c(list(model, open = FALSE), wrong)), paste0("'", names(wrong), "'"))
    expect_error(predict(model, data$x, type = "interval"), "calibrat|errors|interval")
    missing <- data$x
    missing[3, 4] <- NA
    expect_error(alidade(missing, data$fat, method = "pls"), "'x': row 3")
    expect_error(predict(model, missing), "'newdata': row 3")
    expect_warning(alidade(iris[1:100, 1:4], iris$Species[1:100], method = "lda", ncomp = 1), "virginica")
    expect_error(outliers(3), "'object' must be a model")
    expect_error(merge(model, 3), "'y' must be a model")
    expect_error(dimension(model, method = "sir"), "'method'")
    expect_error(compare(data$x), "give 'y'")
    expect_error(report(model, open = "a"), "'open'")
    expect_error(read_data(""), "'file'")
    for (count in c(Inf, 1e300)) {
        expect_error(fit(method = "pls", ncomp = count), "'ncomp'")
        expect_error(compare(data$x, data$fat, methods = "pls", ncomp = count), "'ncomp'")
        expect_error(stability(model, permuted = count), "'permuted'")
    }
    for (seed in list(1i, as.Date("2026-01-01"), mean)) expect_error(fit(method = "pls", seed = seed), "'seed'")
    expect_error(fit(method = "pls", tol = data$fat), "'tol' takes a number, not several numbers")
    expect_error(predict(model, 1:5), "'newdata' has 1 col")
    for (labels in list(NA, "yes", 1:2)) expect_error(fit(method = "pls", labels = labels), "'labels'")
    for (wrong in list(list(what = 3), list(inputs = 3), list(table = 5), list(keep = 3), list(level = "a")))
        expect_error(do.call(export, c(list(model, tempfile(fileext = ".sql")), wrong)), paste0("'", names(wrong), "'"))
    expect_error(read_data("a.csv", sheet = mean), "'sheet'")
    for (parts in c(1, 33)) {
        expect_error(compare(mpg ~ ., mtcars, methods = "pls", segments = parts), "'segments'")
        expect_error(tune(mpg ~ ., mtcars, methods = "pls", segments = parts), "'segments'")
        expect_error(tune(mpg ~ ., mtcars, methods = "pls", outer = parts), "'outer'")
    }
    for (level in list("a", 1, -1)) expect_error(plot(model, level = level), "'level'")
    for (which in c("scores", "loadings")) expect_error(plot(model, which, comps = mean), "'comps'")
})

test_that("errors of a formula name what is wrong, and show no numbers of the data", {
    x <- as.matrix(mtcars[-1])
    texts <- matrix(as.character(x), 32)
    mpg <- mtcars$mpg
    refused <- function(..., words) {
        error <- tryCatch(do.call(alidade, list(..., method = "pls", ncomp = 1)), error = identity)
        expect_match(conditionMessage(error), words, fixed = TRUE)
        expect_null(conditionCall(error))
    }
    refused(mpg ~ nosuch, data = mtcars, words = "'nosuch'")
    refused(mpg[-1] ~ x, words = "'x'")
    for (weights in list(list(1), "a", x, mean))
        refused(mpg ~ wt, data = mtcars, weights = weights, words = "'weights'")
    refused(mpg ~ wt, data = mtcars, weights = 1:3, words = "'(weights)'")
    for (rows in list(mean, list(1), x > 1, Sys.Date()))
        refused(mpg ~ wt, data = mtcars, subset = rows, words = "'subset'")
    refused(mpg ~ x, subset = 100:200, words = "'subset'")
    refused(mpg ~ wt, data = mtcars, na.action = 3, words = "'na.action'")
    for (data in list(x, 3, "mtcars", mean)) refused(mpg ~ wt, data = data, words = "'data' must be a data frame")
    refused(mpg ~ texts, words = "'texts' in 'formula' must be numeric, logical or a factor, not a matrix of type")
    refused(mpg ~ complex(32, 1), words = "'complex(32, 1)' in 'formula'")
    refused(texts ~ x, words = "'texts' must be numeric")
    refused(mpg ~ g, data = cbind(mtcars, g = "a"), words = "'g' in 'formula' has one level only")
    model <- alidade(mpg ~ x, method = "pls", ncomp = 1)
    for (rows in list(x, 3)) expect_error(predict(model, rows), "'newdata' must be a data frame")
    expect_error(predict(model, list(x = texts)), "'x' in 'formula'.*character")
    inline <- eval(bquote(log(.(mpg)) ~ x)) # the name of the response is no list of numbers
    expect_identical(alidade(inline, method = "pls", ncomp = 1)$names, "y")
    draws <- 0
    once <- function(value) {
        draws <<- draws + 1
        value
    }
    alidade(mpg ~ x, weights = once(rep(1, 32)), subset = once(mpg > 15), method = "pls", ncomp = 1)
    expect_identical(draws, 2)
})

test_that("responses of a wrong kind are refused by the argument", {
    x <- as.matrix(mtcars[-1])
    texts <- matrix(rep(c("a", "b"), 16), 16)
    for (y in list(texts, array(1, c(4, 4, 2)), as.raw(1:32), list(1), 1i))
        expect_error(alidade(x, y, method = "pls"), "'y'")
    expect_error(alidade(x, data.frame(a = 1:32, kind = "t"), method = "pls"), "'y' .* not numeric: kind")
    expect_error(alidade(matrix(1, 3, 2), 1:32, weights = 1:32, method = "pls"), "'x' has 3 rows, 'y' has 32")
})

test_that("advice on equal rows can be followed by the call that gave it", {
    x <- rbind(as.matrix(mtcars[-1]), as.matrix(mtcars[-1]))
    y <- rep(mtcars$mpg, 2)
    fit <- function(...) alidade(x, y, method = "pls", ncomp = 1, ...)
    for (validation in c("CV", "LOO"))
        expect_warning(fit(validation = validation), "one of the 'segments' of validation")
    halves <- list(1:32, 33:64)
    expect_warning(compare(x, y, methods = "pls", ncomp = 1, segments = halves), "one of the 'segments'$")
    apart <- list(c(1:16, 33:48), c(17:32, 49:64))
    expect_silent(fit(validation = "CV", segments = apart))
    expect_silent(compare(x, y, methods = "pls", ncomp = 1, segments = apart))
    expect_warning(compare(x, y, methods = "pls", ncomp = 1, splits = 2), "groups = \"duplicates\"")
    expect_silent(compare(x, y, methods = "pls", ncomp = 1, splits = 2, groups = "duplicates"))
})

test_that("a sparse matrix without pointers is refused", {
    skip_if_not_installed("Matrix")
    x <- Matrix::rsparsematrix(9, 3, 0.5)
    x@p <- integer()
    expect_error(alidade(x, 1:9, method = "pls", ncomp = 1), "neither a matrix of numbers nor a dgCMatrix")
})

test_that("a data frame of one column names the response", {
    model <- alidade(mtcars[-1], mtcars["mpg"], method = "pls", ncomp = 1)
    expect_identical(colnames(coef(model)), "mpg")
    expect_identical(colnames(coef(alidade(mtcars[-1], mtcars[1:2], method = "pls", ncomp = 1))), c("mpg", "cyl"))
})

test_that("threads are an option", {
    data <- spectra()
    old <- options(alidade.threads = 1)
    one <- coef(alidade(data$x, data$fat, method = "pls", ncomp = 3))
    options(alidade.threads = "many")
    expect_error(alidade(data$x, data$fat, method = "pls"), "alidade.threads")
    options(alidade.threads = 257)
    expect_error(alidade(data$x, data$fat, method = "pls"), "alidade.threads.* 256")
    options(old)
    expect_identical(coef(alidade(data$x, data$fat, method = "pls", ncomp = 3)), one)
})

test_that("data are evaluated once, and a matrix may serve on both sides", {
    set.seed(1)
    draws <- 0
    draw <- function() {
        draws <<- draws + 1
        x <- matrix(rnorm(60), 20)
        list(x = x, y = x[, 1] - x[, 2])
    }
    model <- alidade(y ~ x, data = draw(), method = "pls", ncomp = 3)
    expect_identical(draws, 1)
    expect_lt(max(abs(residuals(model))), 1e-8)
    given <- draw()
    x <- matrix(0, 20, 3) # of that name outside too
    sums <- alidade(rowSums(x) ~ x, data = given, method = "pls", ncomp = 3)
    expect_equal(unname(drop(coef(sums))), rep(1, 3), tolerance = 1e-8, ignore_attr = TRUE)
    expect_silent(alidade(y ~ x, data = given, weights = abs(x[, 1]), method = "pls", ncomp = 1))
})

test_that("tables are read from workbooks and other files", {
    workbook <- file.path(Sys.getenv("ALD_DATA"), "..", "tests", "fuzz", "corpus", "xlsx", "libreoffice")
    skip_if_not(file.exists(workbook), "the tests of the whole tree are not here")
    path <- tempfile(fileext = ".xlsx")
    file.copy(workbook, path)
    table <- read_data(path)
    expect_identical(names(table), c("sample", "day", "when", "share, %", "twice", "good"))
    expect_identical(table$sample[1:2], c("a <b> \"c\"", "Gr\u00fc\u00dfe"))
    expect_identical(table$day, c("2024-02-29", NA, "1960-07-04"))
    expect_identical(table[["share, %"]], c(0.125, NA, 0.1))
    expect_error(read_data(path, sheet = "Titel"), "cells A1:C1")
    expect_error(read_data(path, sheet = "none"), "none")
    expect_error(read_data(path, sheet = 1:2), "'sheet'")
    expect_error(read_data(tempfile()), "No such file")
    expect_error(read_data(3), "'file'")
})

test_that("rows of files without names are all read, and texts stay texts", {
    path <- tempfile(fileext = ".csv")
    writeLines(c("1,2.5", "3,4"), path)
    expect_identical(read_data(path), data.frame(x1 = c(1, 3), x2 = c(2.5, 4)))
    writeLines(c("a", "1", "NA", "3"), path)
    expect_identical(read_data(path), data.frame(a = c(1, NA, 3)))
    writeLines(c("zip,sex", "01234,T", "00501,F"), path)
    expect_identical(read_data(path), data.frame(zip = c("01234", "00501"), sex = c("T", "F")))
})

test_that("numbers of a table are those of R", {
    path <- tempfile(fileext = ".tsv.gz")
    write.table(iris, gzfile(path), sep = "\t", row.names = FALSE)
    table <- read_data(path)
    expect_identical(table[1:4], iris[1:4])
    expect_identical(table$Species, as.character(iris$Species))
})
