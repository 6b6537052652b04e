# Calls at random with arguments that are often wrong: each returns or raises an error of R's. 500 where ALD_LONG is
# set.

hostile <- list(NULL, NA, NaN, Inf, -1, 0, 1e300, 1:3, "", "text", c("a", "b"), list(), list(1, "a"), TRUE, FALSE,
                matrix(1), matrix(0, 0, 3), matrix(0, 3, 0), matrix(NA_real_, 4, 2), matrix("a", 2, 2), iris, iris[0, ],
                iris$Species, factor(character()), as.Date("2026-01-01"), mean, quote(x), y ~ x, ~., 1i, raw(3),
                as.matrix(iris[1:4]), mtcars$mpg, array(0, c(2, 2, 2)), .Machine$integer.max, -0.5, environment())

wrong_call <- function() {
    any_of <- function(...) {
        from <- if (runif(1) < 0.75) list(...) else hostile
        from[[sample(length(from), 1)]]
    }
    x <- as.matrix(mtcars[-1])
    model <- alidade(x, mtcars$mpg, method = "pls", ncomp = 2)
    switch(sample(22, 1),
           alidade(any_of(x, x, x), any_of(mtcars$mpg, mtcars$mpg), method = any_of("pls", "lda", "pca", "sir"),
                   ncomp = any_of(1, 2), weights = any_of(NULL, NULL)),
           alidade(x, mtcars$mpg, method = "pls", ncomp = any_of(1), scale = any_of(TRUE), segments = any_of(4),
                   validation = any_of("none", "CV"), intervals = any_of(FALSE)),
           predict(model, any_of(x, mtcars), type = any_of("response", "scores"), ncomp = any_of(1), level = any_of(0.5)),
           compare(any_of(x), any_of(mtcars$mpg), methods = any_of("pls"), ncomp = any_of(1), segments = any_of(3),
                   groups = any_of(NULL), metric = any_of("rmse")),
           dimension(any_of(x), any_of(mtcars$mpg), method = any_of("sir"), permutations = any_of(0), level = any_of(0.1)),
           alidade(mpg ~ ., any_of(mtcars), method = "pls", ncomp = 1, tol = any_of(1e-9), max_iter = any_of(10)),
           stability(any_of(model), resamples = any_of(2), permuted = any_of(0), half = any_of(TRUE)),
           vip(any_of(model), type = any_of("vip")),
           coef(model, ncomp = any_of(1), intercept = any_of(TRUE)),
           do.call(any_of(alidade, compare, tune),
                   list(mpg ~ wt + hp, data = any_of(mtcars), weights = any_of(mtcars$cyl), subset = any_of(1:20),
                        ncomp = any_of(1), seed = any_of(1))),
           tune(any_of(x), any_of(mtcars$mpg), methods = any_of("pls"), ncomp = any_of(1:2),
                grid = any_of(list(scale = TRUE)), outer = any_of(FALSE), rule = any_of("best"), groups = any_of(NULL)),
           dimension(any_of(model), ncomp = any_of(1), method = any_of(NULL)),
           merge(model, any_of(model)),
           outliers(any_of(model), any_of(x)),
           export(any_of(model), any_of(tempfile(fileext = ".sql")), keep = any_of("id"), level = any_of(0)),
           report(any_of(model), quick = any_of(TRUE), title = any_of("a"), segments = any_of(2), open = FALSE),
           write_alidade(any_of(model), any_of(tempfile())),
           read_alidade(any_of("nowhere.ald")),
           read_data(any_of("nowhere.csv"), sheet = any_of("a")),
           plot(model, any_of("loadings"), comps = any_of(1), level = any_of(0.9)),
           ald_kpca(any_of(x), ncomp = any_of(2), kernel = any_of("rbf"), kernel_width = any_of(1), seed = any_of(0)),
           caret_alidade(any_of("pls")))
}

# Numbers of the data do not belong into an error, nor do names of routines.
expect_words <- function(error) {
    text <- conditionMessage(error)
    expect_true(nzchar(text) && nchar(text) < 400 && !grepl("`|\\br_[a-z]+|\\bas_[a-z]+", text), info = text)
    expect_lt(nchar(paste(deparse(conditionCall(error)), collapse = "")), 300)
    "error"
}

test_that("wrong calls raise errors and nothing else", {
    pdf(NULL)
    folder <- setwd(tempdir())
    on.exit({ setwd(folder); dev.off() })
    set.seed(6)
    count <- if (Sys.getenv("ALD_LONG") == "") 60 else 500
    outcomes <- vapply(seq_len(count), function(i) {
        tryCatch(suppressWarnings({ wrong_call(); "value" }), error = expect_words)
    }, "")
    expect_gt(sum(outcomes == "error"), count / 4)
    expect_gt(sum(outcomes == "value"), count / 10)
})

test_that("what else the target could be is said in R's words", {
    expect_error(alidade(cbind(vs, am) ~ ., mtcars, method = "mddm", ncomp = 1), "give 'labels = TRUE'", fixed = TRUE)
    expect_error(alidade(Species ~ ., iris, method = "mlkr", ncomp = 1), "give them as numbers", fixed = TRUE)
})
