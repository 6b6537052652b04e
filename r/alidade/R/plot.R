PICTURES <- c("scores", "loadings", "validation", "prediction")

plot.alidade <- function(x, which = c("scores", "loadings", "validation", "prediction"), comps = 1:2, level = 0.95,
                         ...) {
    which <- if (missing(which)) usual_picture(x) else one_of(which, PICTURES, "which")
    switch(which, scores = plot_scores(x, comps, level, ...), loadings = plot_loadings(x, comps, ...),
           validation = plot_validation(x, ...), prediction = plot_prediction(x, ...))
    invisible(x)
}

# One component has no plane of scores: it is shown by its predictions where they are numbers, else by its loadings.
usual_picture <- function(x) {
    if (x$ncomp > 1) return("scores")
    if (has_numbers(x) && has_predictor(x)) "prediction" else "loadings"
}

has_numbers <- function(x) x$kind == "real" && is.null(x$inputs$target$events)

# A legend above the picture, where it covers nothing, in one line or two.
legend_above <- function(labels, ...) {
    corner <- par("usr")[c(1L, 4L)]
    if (par("xlog")) corner[1L] <- 10^corner[1L]
    if (par("ylog")) corner[2L] <- 10^corner[2L]
    legend(corner[1L], corner[2L], labels, yjust = 0, xpd = NA, bty = "n", cex = 0.8,
           ncol = if (length(labels) > 4) ceiling(length(labels) / 2) else length(labels), ...)
}

# The axis of a number of components has whole numbers.
whole_axis <- function(at) axis(1, unique(round(pretty(at))))

two_of <- function(comps, x) {
    if (x$ncomp < 2) stop("a picture of scores needs two components; the model has one", call. = FALSE)
    if (!is.numeric(comps) || length(comps) != 2 || !all(comps %in% seq_len(x$ncomp)))
        stop(gettextf("'comps' must be two of the components 1 to %d", x$ncomp), call. = FALSE)
    comps
}

plot_scores <- function(x, comps, level, ...) {
    level <- one_number(level, "level", 0, 0.999999)
    z <- own_scores(x)[, two_of(comps, x)]
    target <- x$inputs$target
    group <- if (x$kind == "classes") target$values else factor(rep("all", nrow(z)))
    colour <- palette.colors(max(2, nlevels(group)), recycle = TRUE)
    members <- lapply(levels(group), function(name) z[which(group == name), , drop = FALSE])
    curves <- lapply(members, function(rows) if (nrow(rows) > 2) ellipse(rows, level))
    plot(rbind(z, do.call(rbind, curves)), type = "n", ...) # room for all of them
    points(z, col = colour[group], pch = 19, cex = 0.7)
    for (i in seq_along(curves)) lines(curves[[i]], col = colour[i])
    if (nlevels(group) > 1) legend_above(levels(group), col = colour, pch = 19)
}

# The curve of a normal distribution with this mean and covariance that holds the level.
ellipse <- function(rows, level) {
    angle <- seq(0, 2 * pi, length.out = 101)
    parts <- eigen(cov(rows), symmetric = TRUE)
    axes <- parts$vectors %*% diag(sqrt(pmax(parts$values, 0) * qchisq(level, 2)))
    t(colMeans(rows) + axes %*% rbind(cos(angle), sin(angle)))
}

# Loadings of the columns as the method saw them: in parts of their scale, where they were divided by it.
scaled_loadings <- function(x, comps) {
    scale <- model_array(x, "scale")
    vip(x, "loadings")[, comps, drop = FALSE] / if (is.null(scale)) 1 else scale
}

# The numbers in the names of the columns, such as wavelengths, where they rise or fall; else NULL.
numbers_of <- function(names) {
    found <- regexpr("^-?[0-9.]*[0-9]|[0-9][0-9.]*", names)
    if (!length(names) || any(found < 0)) return(NULL)
    at <- suppressWarnings(as.numeric(regmatches(names, found)))
    if (!anyNA(at) && !(is.unsorted(at, strictly = TRUE) && is.unsorted(-at, strictly = TRUE))) at
}

# What the caller gives takes the place of what a picture has without.
draw_with <- function(draw, x, y, given, ...) {
    usual <- list(...)
    do.call(draw, c(list(x, y), given, usual[setdiff(names(usual), names(given))]))
}

# Against the numbers of the columns, or for a few columns without numbers, beside their names.
plot_loadings <- function(x, comps, col = seq_along(comps), ...) {
    comps <- if (is.numeric(comps)) comps[comps %in% seq_len(x$ncomp)]
    if (!length(comps)) stop(gettextf("'comps' must be among the components 1 to %d", x$ncomp), call. = FALSE)
    values <- scaled_loadings(x, comps)
    at <- numbers_of(x$features)
    named <- is.null(at) && length(x$features) == nrow(values) && nrow(values) <= MOST_NAMES
    if (is.null(at)) at <- seq_len(nrow(values))
    if (named) {
        shown <- strtrim(x$features, 30)
        lines <- min(max(strwidth(shown, "inches", 0.8)) / par("csi") + 2, 0.4 * par("din")[2L] / par("csi"))
        old <- par(mar = pmax(par("mar"), c(lines, 0, 0, 0)))
        on.exit(par(old))
    }
    draw_with(matplot, at, values, list(...), col = col, type = if (named) "b" else "l", lty = if (named) 3 else 1,
              pch = 19, xlab = if (named) "" else "variable", ylab = "loading", xaxt = if (named) "n" else "s")
    if (named) axis(1, at, shown, las = 2, cex.axis = 0.8)
    abline(h = 0, col = "grey")
    legend_above(colnames(values), col = col, lty = 1)
}

MOST_NAMES <- 60

plot_validation <- function(x, ...) {
    if (is.null(x$validation)) stop("the model has no validation: fit it with validation = \"CV\"", call. = FALSE)
    figures <- t(x$validation$figures)
    at <- seq_len(nrow(figures)) - (rownames(figures)[1L] == "(Intercept)")
    draw_with(matplot, at, figures, list(...), type = "b", lty = 1, pch = 19, xlab = "number of components",
              ylab = x$validation$metric, xaxt = "n")
    whole_axis(at)
    if (ncol(figures) > 1) legend_above(colnames(figures), col = seq_len(ncol(figures)), lty = 1)
}

plot_prediction <- function(x, col = NULL, ...) {
    target <- rows_of(x)$target
    if (!has_numbers(x))
        stop("predicted against measured needs a numeric response", call. = FALSE)
    measured <- target$values
    predicted <- if (is.null(x$validation)) own_responses(x) else x$validation$predictions[[x$ncomp]]
    colour <- palette.colors(max(2, ncol(measured)), recycle = TRUE)[seq_len(ncol(measured))]
    if (!is.null(col)) colour <- rep(col, length.out = ncol(measured))
    draw_with(plot, as.vector(measured), as.vector(predicted), list(...), col = rep(colour, each = nrow(measured)),
              pch = 19, cex = 0.7, xlab = "measured", ylab = "predicted")
    abline(0, 1, col = "grey")
    if (ncol(measured) > 1) legend_above(x$names, col = colour, pch = 19)
}

biplot.alidade <- function(x, comps = 1:2, ...) {
    biplot(own_scores(x)[, two_of(comps, x)], scaled_loadings(x, comps), ...)
    invisible(x)
}

plot.alidade_comparison <- function(x, ...) {
    table <- x$table[x$table$ncomp > 0, ]
    if (!nrow(table)) stop("there is no curve to draw: with choose = TRUE rows have no number of components", call. = FALSE)
    names <- unique(paste(table$label, table$settings))
    counts <- sort(unique(table$ncomp))
    means <- sapply(names, function(n) {
        rows <- table[paste(table$label, table$settings) == n, ]
        rows$mean[match(counts, rows$ncomp)]
    })
    matplot(counts, means, type = "b", lty = 1, pch = 19, xlab = "number of components", ylab = x$metric, xaxt = "n", ...)
    whole_axis(counts)
    legend_above(names, col = seq_along(names), lty = 1)
    invisible(x)
}
