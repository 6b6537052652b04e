# Models travel: through saveRDS, files, the command line and back.

test_that("a model survives saveRDS", {
    data <- spectra()
    model <- alidade(fat ~ x, data, method = "pls", ncomp = 4)
    path <- tempfile()
    saveRDS(model, path)
    again <- readRDS(path)
    expect_true(.Call(alidade:::r_is_lost, again$handle$model))
    expect_identical(predict(again, data), predict(model, data))
    expect_identical(coef(again), coef(model))
})

test_that("the command line opens our model, and we open its", {
    data <- spectra()
    folder <- tempfile()
    dir.create(folder)
    table <- file.path(Sys.getenv("ALD_DATA"), "tecator.csv")
    paths <- file.path(folder, c("ours.ald", "theirs.ald", "ours.csv", "theirs.csv"))
    ours <- alidade(data$x, data$fat, method = "pls", ncomp = 5)
    write_alidade(ours, paths[1])
    program("predict", paths[1], table, "-o", paths[3])
    program("fit", table, "--target", "fat", "--ignore", "water,protein", "--method", "pls", "--n-components", "5",
            "-o", paths[2])
    theirs <- read_alidade(paths[2])
    expect_identical(theirs$features, colnames(data$x))
    expect_lt(apart(read.csv(paths[3])[[1]], predict(ours, data$x)), 1e-12)
    expect_lt(apart(predict(theirs, data$x), predict(ours, data$x)), 1e-12)
    expect_lt(apart(coef(theirs), coef(ours)), 1e-12)
})

# To the last bit where both have the same BLAS; else the rounding of another order of sums.
test_that("a fit is that of the command line on the same file", {
    path <- Sys.getenv("ALIDADE")
    skip_if(path == "", "the command line is not here")
    about <- system2(path, c("version", "--verbose"), stdout = TRUE)
    most <- if (any(grepl(.Call(alidade:::r_about)[2], about, fixed = TRUE))) 0 else 1e-12
    file <- file.path(Sys.getenv("ALD_DATA"), "wine.csv")
    table <- read.csv(file)
    arrays <- function(model) lapply(c("components", "eigenvalues", "predictor/coefficients"), alidade:::model_array, object = model)
    fits <- list(list("pls", 1:9, 10:13), list("cca", 1:9, 10:13), list("rrr", 1:9, 10:13), list("sdpp", 1:12, 13),
                 list("sir", 1:12, 13), list("spls", 1:12, 13), list("lda", 1:13, 14), list("pca", 1:13, 14))
    for (fit in fits) {
        y <- table[fit[[3]]]
        y <- if (fit[[3]][1] == 14) factor(y[[1]]) else as.matrix(y)
        ours <- alidade(as.matrix(table[fit[[2]]]), y, method = fit[[1]], ncomp = 2)
        saved <- tempfile(fileext = ".ald")
        others <- setdiff(names(table), names(table)[c(fit[[2]], fit[[3]])])
        program("fit", file, "--target", paste(names(table)[fit[[3]]], collapse = ","),
                if (length(others)) c("--ignore", paste(others, collapse = ",")), "--method", fit[[1]],
                "--n-components", "2", "-o", saved)
        apart <- mapply(function(a, b) if (is.null(a)) 0 else max(abs(a - b)) / max(abs(b)), arrays(ours),
                        arrays(read_alidade(saved)))
        expect_lte(max(apart), most, label = fit[[1]])
    }
})

test_that("a model is exported for other programs", {
    model <- alidade(mpg ~ ., mtcars, method = "pls", ncomp = 2)
    begins <- c(c = "/* A model of alidade as C: pls", sql = "/* A model of alidade as SQL: pls", json = "{",
                onnx = "\b\a\022\aalidade") # protobuf: IR version 7, the producer
    for (form in names(begins)) {
        path <- tempfile(fileext = paste0(".", form))
        expect_identical(export(model, path), path)
        expect_identical(readBin(path, "raw", nchar(begins[[form]])), charToRaw(begins[[form]]))
    }
    path <- tempfile(fileext = ".sql")
    export(model, path, table = "cars", keep = c("id", "the \"name\""))
    expect_true(any(grepl("FROM \"cars\"", readLines(path), fixed = TRUE)))
    expect_true(any(grepl("\"the \"\"name\"\"\"", readLines(path), fixed = TRUE)))
    expect_error(export(model, tempfile(), format = "nonsense"), "export")
    expect_error(export(model, tempfile(fileext = ".c"), table = "cars"), "is for SQL")
})

test_that("classes keep their names on the way", {
    table <- bundled("iris.csv")
    path <- tempfile(fileext = ".ald")
    model <- alidade(y ~ ., table, method = "lda", ncomp = 2)
    write_alidade(model, path)
    again <- read_alidade(path)
    expect_identical(predict(again, table), unname(predict(model, table)))
    expect_identical(again$names, levels(table$y))
})

test_that("names are read from a model as they were given", {
    hard <- c("a \"b\", c", "\\", "\"\\\"", "[\t]\n", "\u00e9\u4e2d", "c(1)", "' `", "\\u0041", " ")
    x <- matrix(rnorm(90 * 9), 90, dimnames = list(NULL, hard))
    model <- alidade(x, factor(rep(hard, 10), hard), method = "lda", ncomp = 2)
    expect_identical(model$names, hard)
    expect_identical(model$features, hard)
    path <- tempfile()
    write_alidade(model, path)
    expect_identical(read_alidade(path)[c("names", "features")], model[c("names", "features")])
})

test_that("parts of the rows are merged to the model of all", {
    data <- spectra()
    part <- function(rows) alidade(data$x[rows, ], data$fat[rows], method = "pls", ncomp = 3, keep_statistics = TRUE)
    all <- alidade(data$x, data$fat, method = "pls", ncomp = 3)
    merged <- merge(part(1:100), part(101:215))
    expect_lt(apart(coef(merged), coef(all)), 1e-7)
})

test_that("matrices come beside x", {
    x <- as.matrix(iris[, 1:3])
    y <- iris[, 4]
    kernel <- exp(-outer(y, y, "-")^2 / 2)
    for (method in c("kcca", "kplssb", "kspca", "spca")) {
        known <- alidade(x, y, method, 2, response_kernel = "rbf", response_width = 1)
        given <- alidade(x, y, method, 2, response_kernel = kernel)
        expect_equal(abs(predict(given, x, type = "scores")), abs(predict(known, x, type = "scores")), tolerance = 1e-6)
    }
    start <- matrix(c(1, 0, 0, 0, 0, 1), 2, byrow = TRUE)
    begun <- alidade(x, iris$Species, "nca", 2, start = start)
    expect_identical(alidade:::facts(alidade:::handle_of(begun))$texts[["alidade.resolved.start"]], "given")
    expect_error(alidade(x, iris$Species, "nca", 2, start = start, intervals = 5), "leave out 'intervals'")
    expect_error(stability(begun), "start that was given")
    for (symmetric in list(Matrix::Matrix(kernel, sparse = TRUE), Matrix::Matrix(kernel)))
        expect_equal(predict(alidade(x, y, "kspca", 2, response_kernel = symmetric), x),
                     predict(alidade(x, y, "kspca", 2, response_kernel = kernel), x))
    expect_error(alidade(x, y, "kcca", 2, response_kernel = "given"), "itself as 'response_kernel'")
    expect_error(alidade(x, iris$Species, "nca", 2, start = start[, 1:2]), "row of 3 numbers")
    colnames(start) <- colnames(x)[c(1, 3, 2)]
    expect_error(alidade(x, iris$Species, "nca", 2, start = start), "column 2 of 'start' is 'Petal.Length'")
    expect_error(alidade(x, y, "kcca", 2, response_kernel = kernel[1:5, ]), "150 x 150")
    for (numbers in list(c(2, 2), list(2, 2)))
        expect_equal(coef(alidade(x, y, "spls", 2, n_features = numbers)), coef(alidade(x, y, "spls", 2, n_features = 2)))
})
