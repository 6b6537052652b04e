test_that("methods are compared and tuned", {
    found <- suppressWarnings(compare(Species ~ ., iris, methods = c("lda", "pls"), ncomp = 1:2, segments = 5))
    expect_true(all(c("lda", "pls") %in% found$table$label))
    expect_true(any(found$table$mark == "best"))
    expect_output(print(found), "accuracy")
    tuned <- suppressWarnings(tune(Species ~ ., iris, methods = "lda", ncomp = 1:2, outer = 3))
    expect_s3_class(tuned, "alidade")
    expect_gt(tuned$tuning$nested$mean[1], 0.9)
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
})

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
})

test_that("a progress function is called, and its error ends the call", {
    seen <- character()
    x <- matrix(rnorm(40000), 400)
    alidade(x, rnorm(400), method = "sdpp", ncomp = 2, progress = function(stage, done) seen <<- c(seen, stage))
    expect_gt(length(seen), 0)
    expect_error(alidade(x, rnorm(400), method = "sdpp", ncomp = 2, progress = function(stage, done) stop("enough")),
                 "enough")
})
