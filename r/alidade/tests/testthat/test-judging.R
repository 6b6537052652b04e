test_that("methods are compared and tuned", {
    found <- suppressWarnings(compare(Species ~ ., iris, methods = c("lda", "pls"), ncomp = 1:2, segments = 5))
    expect_true(all(c("lda", "pls") %in% found$table$label))
    expect_true(any(found$table$mark == "best"))
    expect_silent(compare(Species ~ ., iris, methods = "lda", ncomp = 1, segments = 5, groups = "duplicates"))
    expect_error(compare(Species ~ ., iris, methods = "lda", segments = list(1:75, 76:150), groups = "duplicates"), "leave out 'groups'")
    expect_output(print(found), "accuracy")
    tuned <- suppressWarnings(tune(Species ~ ., iris, methods = "lda", ncomp = 1:2, outer = 3))
    expect_s3_class(tuned, "alidade")
    expect_gt(tuned$tuning$nested$mean[1], 0.9)
    expect_identical(nrow(suppressWarnings(update(tuned, outer = FALSE))$tuning$nested), 0L)
    scaled <- tune(mpg ~ ., mtcars, methods = "pls", ncomp = 1, grid = list(scale = c(TRUE, FALSE)), outer = FALSE)
    expect_setequal(scaled$tuning$table$settings, c("scale=standard", "scale=none"))
    expect_identical(tune(mpg ~ ., mtcars, methods = "pls", ncomp = 1, grid = list(scale = list(TRUE, FALSE)), outer = FALSE)$table$mean,
                     scaled$table$mean)
    expect_identical(alidade:::grid_words(c(tol = 1e-9)), alidade:::grid_words(list(tol = 1e-9)))
    expect_error(tune(mpg ~ ., mtcars, methods = "pls", grid = list(nonsense = 1)), "'grid'")
})

test_that("dimension, importance, stability, outliers and reports", {
    set.seed(4)
    x <- matrix(rnorm(1500), 300)
    y <- x[, 1] + 0.1 * rnorm(300)
    found <- dimension(x, y, method = "sir", permutations = 19)
    expect_equal(found$choice[["chi.square"]], 1)
    model <- alidade(x, y, method = "pls", ncomp = 2)
    expect_equal(mean(vip(model)^2), 1)
    expect_equal(which.max(vip(model)), 1)
    # the other four coordinates are off by about 1 / sqrt(n) each
    expect_lt(stability(model, resamples = 10)$rows$mean[1], 3 * sqrt(4 / 300))
    expect_identical(dim(outliers(model)), c(300L, 2L))
    path <- report(model, tempfile(fileext = ".html"), quick = TRUE)
    expect_match(readLines(path, 1, warn = FALSE), "<!doctype html>", ignore.case = TRUE)
})

test_that("tidy, glance and augment are methods of their generics", {
    skip_if_not_installed("generics")
    model <- alidade(mpg ~ wt + hp, mtcars, method = "pls", ncomp = 2)
    line <- lm(mpg ~ wt + hp, mtcars)
    expect_equal(generics::tidy(model)$estimate, unname(coef(line)[-1]), tolerance = 1e-8)
    expect_equal(generics::glance(model)$r2, summary(line)$r.squared, tolerance = 1e-8)
    expect_equal(generics::augment(model)$.fitted, unname(fitted(line)), tolerance = 1e-8, ignore_attr = TRUE)
    scores <- generics::augment(alidade(~ ., iris[1:4], method = "pca", ncomp = 2))
    expect_identical(names(scores), c(names(iris)[1:4], ".score1", ".score2"))
    placed <- alidade(Species ~ ., iris, method = "cmvu", ncomp = 2) # without a predictor
    expect_identical(names(generics::glance(placed)), c("method", "ncomp", "nobs"))
    expect_equal(as.matrix(generics::augment(placed)[5:6]), predict(placed, type = "scores"), ignore_attr = TRUE)
})

# With all directions the model is the regression of x on the powers of y, with any covariance: a likelihood that lm knows.
test_that("pfc has a likelihood, an AIC and a BIC", {
    x <- as.matrix(iris[1:3])
    y <- iris$Petal.Width
    model <- alidade(x, y, method = "pfc", ncomp = 3, degree = 3)
    left <- crossprod(residuals(lm(x ~ poly(y, 3)))) / nrow(x)
    whole <- -nrow(x) / 2 * (ncol(x) * (1 + log(2 * pi)) + log(det(left)))
    expect_equal(as.numeric(logLik(model)), whole, tolerance = 1e-10)
    expect_equal(attr(logLik(model), "df"), 3 + 9 + 6) # means, coefficients, covariance
    expect_equal(BIC(model), -2 * whole + log(150) * 18, tolerance = 1e-10)
    expect_equal(nobs(alidade(x, y, method = "pfc", ncomp = 1, weights = rep(1:2, 75))), 225)
    expect_error(logLik(alidade(x, y, method = "pls", ncomp = 1)), "no likelihood")
})

# parsnip itself may not be here: what it is asked to register is kept, and used as it would use it.
test_that("parsnip gets an engine for pls()", {
    kept <- list()
    keep <- function(name) function(...) kept[[length(kept) + 1]] <<- c(list(name), list(...))
    setters <- c("set_model_engine", "set_dependency", "set_fit", "set_encoding", "set_model_arg", "set_pred")
    alidade:::add_engine(sapply(setters, keep, simplify = FALSE))
    asked <- function(name, ...) Filter(function(k) k[[1]] == name && all(c(...) %in% unlist(k[2:5])), kept)
    fit <- asked("set_fit", "classification")[[1]][[5]]
    object <- list(fit = do.call(getExportedValue(fit$func[["pkg"]], fit$func[["fun"]]),
                                 list(x = as.matrix(iris[1:4]), y = iris$Species, ncomp = 2)))
    new_data <- as.matrix(iris[c(1, 51, 101), 1:4])
    predicted <- function(type) {
        how <- asked("set_pred", "classification", type)[[1]][[6]]
        result <- do.call(how$func[["fun"]], lapply(how$args, eval, envir = environment()))
        if (is.null(how$post)) result else how$post(result, object)
    }
    expect_identical(predicted("class"), predict(object$fit, new_data))
    expect_identical(names(predicted("prob")), levels(iris$Species))
    expect_length(asked("set_pred", "regression", "numeric"), 1)
    skip_if_not_installed("parsnip")
    expect_true("alidade" %in% getExportedValue("parsnip", "show_engines")("pls")$engine)
})

test_that("caret trains a model", {
    skip_if(Sys.getenv("ALD_LONG") == "", "not the long form")
    skip_if_not_installed("caret")
    set.seed(7)
    trained <- caret::train(iris[1:4], iris$Species, method = caret_alidade("pls"), tuneLength = 3,
                            trControl = caret::trainControl("cv", 3))
    expect_true(max(trained$results$Accuracy) > 0.9)
    expect_identical(dim(predict(trained, iris[1:9, 1:4], type = "prob")), c(9L, 3L))
    trained <- caret::train(mpg ~ wt + hp + qsec, mtcars, method = caret_alidade("pls"), tuneLength = 2,
                            trControl = caret::trainControl("cv", 3))
    expect_length(predict(trained, mtcars), 32)
})

test_that("intervals hold what they promise on the rows they come from", {
    data <- spectra()
    model <- alidade(data$x, data$fat, method = "pls", ncomp = 8, intervals = TRUE)
    bands <- predict(model, type = "interval", level = 0.9)
    expect_gt(mean(data$fat >= bands[, "lwr"] & data$fat <= bands[, "upr"]), 0.85)
    labels <- cbind(long = iris$Sepal.Length > 5.8, wide = iris$Sepal.Width > 3)
    model <- alidade(as.matrix(iris[1:4]), labels, method = "pls", ncomp = 3, predictor = "logistic", intervals = TRUE)
    held <- bitwAnd(predict(model, type = "interval", level = 0.9), ifelse(labels, 2L, 1L)) > 0
    expect_true(all(colMeans(matrix(held, ncol = 2)) > 0.85))
})

# The texts of a picture.
texts_drawn <- function(expression) {
    path <- tempfile(fileext = ".pdf")
    pdf(path, compress = FALSE, useKerning = FALSE)
    tryCatch(force(expression), finally = dev.off())
    lines <- readLines(path, warn = FALSE, skipNul = TRUE)
    sub(".*[(](.*)[)] Tj.*", "\\1", grep("Tj", lines, value = TRUE, useBytes = TRUE), useBytes = TRUE)
}

test_that("pictures are drawn", {
    pdf(NULL)
    on.exit(dev.off())
    data <- spectra()
    model <- suppressWarnings(alidade(data$x, data$fat, method = "pls", ncomp = 3, validation = "CV", segments = 4))
    for (which in c("scores", "loadings", "validation", "prediction")) expect_identical(plot(model, which), model)
    expect_identical(biplot(model), model)
    expect_output(print(summary(model)), "variance explained")
    tested <- summary(alidade(data$x[, 1:9], data$fat, method = "sir", ncomp = 3), tests = TRUE)
    expect_output(print(tested), "chi.square")
    expect_true("measured" %in% texts_drawn(plot(alidade(data$x, data$fat, method = "pls", ncomp = 1))))
    for (model in list(alidade(Species ~ ., iris, method = "lda", ncomp = 1), alidade(iris[1:4], method = "pca", ncomp = 1)))
        expect_true("loading" %in% texts_drawn(plot(model)))
})

test_that("pictures name responses, columns and methods", {
    model <- alidade(cbind(mpg, qsec) ~ wt + hp + disp, mtcars, method = "pls", ncomp = 2, scale = TRUE)
    expect_true(all(c("mpg", "qsec") %in% texts_drawn(plot(model, "prediction"))))
    expect_true(all(c("wt", "hp", "disp") %in% texts_drawn(plot(model, "loadings"))))
    x <- scale(as.matrix(mtcars[c("wt", "hp", "disp")])) * sqrt(32 / 31)
    for (which in c("prediction", "loadings")) expect_silent(texts_drawn(plot(model, which, col = "red", pch = 3)))
    long <- setNames(mtcars[2:4], strrep(c("a", "b", "c"), 100))
    expect_true(strrep("b", 30) %in% texts_drawn(plot(alidade(long, mtcars$mpg, method = "pls", ncomp = 2), "loadings")))
    by_hand <- alidade(x, as.matrix(mtcars[c("mpg", "qsec")]), method = "pls", ncomp = 2)
    expect_lt(apart(alidade:::scaled_loadings(model, 1:2), vip(by_hand, "loadings")), 1e-8)
    expect_identical(alidade:::numbers_of(c("wave.850", "wave.852.5")), c(850, 852.5))
    expect_identical(alidade:::numbers_of(c("-5", "-7.5nm")), c(-5, -7.5))
    expect_null(alidade:::numbers_of(c("x1", "y1", "x2")))
    expect_null(alidade:::numbers_of(c("x1", "y")))
    one <- alidade(mpg ~ ., mtcars, method = "pls", ncomp = 1)
    expect_error(biplot(one), "the model has one")
    found <- compare(Species ~ ., iris, methods = "lda", choose = TRUE, segments = 3, groups = "duplicates")
    expect_error(plot(found), "no curve")
})

test_that("what was tuned is called by its methods, and what was taken is marked", {
    parts <- tune(mpg ~ ., mtcars, methods = "pls", ncomp = 1:5, segments = 16, metric = "r2", outer = FALSE)
    expect_output(print(parts$tuning), "chosen")
    tuned <- tune(mpg ~ ., mtcars, methods = c("pls", "pca"), ncomp = 1:2, grid = list(scale = c(TRUE, FALSE)), outer = FALSE)
    expect_setequal(tuned$tuning$table$label, c("pls", "pcr"))
    expect_setequal(tuned$tuning$table$settings, c("scale=standard", "scale=none"))
    expect_match(grep("chosen", capture.output(print(tuned$tuning)), value = TRUE), tuned$tuning$table$label[tuned$tuning$chosen])
})

test_that("a progress function is called, and its error ends the call", {
    seen <- character()
    x <- matrix(rnorm(40000), 400)
    alidade(x, rnorm(400), method = "sdpp", ncomp = 2, progress = function(stage, done) seen <<- c(seen, stage))
    expect_gt(length(seen), 0)
    expect_error(alidade(x, rnorm(400), method = "sdpp", ncomp = 2, progress = function(stage, done) stop("enough")),
                 "enough")
})

# How often it is called depends on the time that the work takes: a call that does not come raises nothing.
test_that("an error of the progress function is raised whenever it comes", {
    model <- alidade(mpg ~ ., mtcars, method = "pls", ncomp = 1)
    fails_at <- function(k) {
        calls <- 0
        message <- tryCatch({
            report(model, quick = TRUE, open = FALSE, progress = function(stage, done) {
                calls <<- calls + 1
                if (calls == k) stop("enough")
            })
            ""
        }, error = conditionMessage)
        expect_identical(grepl("enough", message), calls >= k && k > 0)
        calls
    }
    all <- fails_at(0)
    expect_gt(all, 0)
    for (k in unique(c(round(seq(1, all, length.out = 20)), all))) fails_at(k)
})

# The signal comes while the library computes; it ends the call, and is an interrupt of R's afterwards.
test_that("Ctrl-C ends a call", {
    skip_on_os("windows")
    interrupted <- function() {
        x <- matrix(rnorm(40000), 400)
        signal <- function(stage, done) tools::pskill(Sys.getpid(), tools::SIGINT)
        tryCatch({
            alidade(x, rnorm(400), method = "sdpp", ncomp = 2, progress = signal)
            "ended"
        }, interrupt = function(i) "interrupted")
    }
    expect_identical(interrupted(), "interrupted")
    expect_identical(alidade(mpg ~ ., mtcars, method = "pls", ncomp = 1)$ncomp, 1)
})
