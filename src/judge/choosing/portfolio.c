/* The usual search: what somebody who knows the field would try, as one table, cheap and promising first.
 *
 * For one response the directions of cca, opls and rrr are all (Z'Z + ridge I)^-1 Z'y: ridge regression. For
 * classes cca on their 0/1 columns and sir, whose slices are the classes, find the directions of lda. What is
 * the same is tried once.
 *
 * Not every combination of values is worth its time. The level of a setting is the largest place of one of
 * its values in their lists, from 0; settings are taken by rising level, then in the order of the table, for
 * as long as the operations of one fit of each come to no more than a number that is the same for all data
 * (ALD_PORTFOLIO_WORK), and none takes more than a quarter of it. It is counted, not measured, so that the
 * same data give the same model everywhere. */
#include "judge/choosing/portfolio.h"

#include "base/settings/limits.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"
#include "math/operator/entry.h"
#include "methods/predict/predictor.h"

#include <math.h>

static const char ridges[] = "0.01,0.1,0.001,1,0.0001,0.00001,0";

const ald_portfolio_entry ald_portfolio[] = {
    {.method = "lda",
     .targets = ALD_CLASSES,
     .relative = ridges,
     .predictors = "gaussian,one-vs-rest",
     .same = "cca and sir",
     .reason = "linear discriminant analysis, with the covariance shrunk by a ridge"},
    {.method = "cca",
     .targets = ALD_ONE_NUMBER,
     .relative = ridges,
     .same = "opls and rrr",
     .reason = "for one response: least squares, and with a ridge ridge regression"},
    {.method = "rrr",
     .targets = ALD_SEVERAL_NUMBERS,
     .relative = ridges,
     .same = "opls",
     .reason = "least squares with coefficients of low rank; with all components ridge regression"},
    {.method = "cca",
     .targets = ALD_LABELS,
     .relative = ridges,
     .reason = "the directions that least squares of all labels needs, shrunk by a ridge"},
    {.method = "pls",
     .targets = ALD_ONE_NUMBER | ALD_SEVERAL_NUMBERS,
     .reason = "shrinks by the number of components: many, or nearly dependent columns"},
    {.method = "pls",
     .targets = ALD_CLASSES,
     .predictors = "logistic,gaussian",
     .reason = "with few components the usual way for wide data, with many logistic regression"},
    {.method = "pls",
     .targets = ALD_LABELS,
     .reason = "shrinks by the number of components: many, or nearly dependent columns"},
    {.method = "kcca",
     .targets = ALD_ONE_NUMBER | ALD_SEVERAL_NUMBERS,
     .kernels = "laplacian,rbf",
     .widths = "1,2,4,0.5",
     .ridges = "0.1,0.01,0.001,1,0.0001",
     .many_rows = "landmarks=400",
     .reason = "curved: with one response kernel ridge regression"},
    {.method = "kcca",
     .targets = ALD_CLASSES,
     .kernels = "laplacian,rbf",
     .widths = "1,0.5,2,0.25",
     .ridges = "0.1,0.01,1,0.001",
     .predictors = "one-vs-rest,gaussian,knn",
     .many_rows = "landmarks=400",
     .reason = "curved: kernel discriminant analysis"},
    {.method = "kcca",
     .targets = ALD_LABELS,
     .kernels = "laplacian,rbf",
     .widths = "0.25,0.5,1",
     .ridges = "0.3,1,0.1,0.01",
     .many_rows = "landmarks=400",
     .reason = "curved: kernel ridge regression of all labels"},
    {.method = "sdpp",
     .targets = ALD_ONE_NUMBER | ALD_SEVERAL_NUMBERS | ALD_CLASSES,
     .predictors = "knn",
     .most_dims = 3,
     .reason = "few components in which near rows have near targets"},
    {.method = NULL},
};

int ald_portfolio_takes(const ald_portfolio_entry *entry, const ald_target *y)
{
    static const unsigned bits[] = {
        [ALD_TARGET_NONE] = 0,
        [ALD_TARGET_CLASSES] = ALD_CLASSES,
        [ALD_TARGET_REAL] = ALD_ONE_NUMBER,
        [ALD_TARGET_LABELS] = ALD_LABELS,
    };
    const int several = y->kind == ALD_TARGET_REAL && y->values.cols > 1;
    return (entry->targets & (several ? (unsigned)ALD_SEVERAL_NUMBERS : bits[y->kind])) != 0;
}

/* What the columns are like; rows beyond the first two thousand say nothing new about it. */
typedef struct columns_seen {
    double *mean, *square; /* d */
    double *beside;        /* d: the correlation with the next column; only of two that vary */
    int64_t pairs;
    double ratio; /* largest over smallest standard deviation of those that vary */
} columns_seen;

/* Welford's way. */
static void add_row(const ald_matrix *x, int64_t i, columns_seen *seen)
{
    double before = 0.0;
    for (int64_t j = 0; j < x->cols; j++) {
        const double value = ald_matrix_at(x, i, j), off = value - seen->mean[j];
        seen->mean[j] += off / (double)(i + 1);
        seen->square[j] += off * (value - seen->mean[j]);
        if (j > 0) seen->beside[j - 1] += before * (value - seen->mean[j]);
        before = off;
    }
}

static ald_status look_at_columns(ald_run *run, const ald_matrix *x, columns_seen *seen)
{
    const int64_t n = x->rows < ALD_MEDIAN_ROWS ? x->rows : ALD_MEDIAN_ROWS, d = x->cols;
    double least = INFINITY, most = 0.0;
    seen->pairs = 0;
    ALD_TRY(ald_scratch_zeros(run, d, 1, &seen->mean));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &seen->square));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &seen->beside));
    for (int64_t i = 0; i < n; i++) add_row(x, i, seen);
    for (int64_t j = 0; j < d; j++) {
        const double own = seen->square[j], next = j + 1 < d ? seen->square[j + 1] : 0.0;
        if (own > 0.0) least = fmin(least, own);
        most = fmax(most, own);
        if (own > 0.0 && next > 0.0) seen->beside[seen->pairs++] = seen->beside[j] / sqrt(own) / sqrt(next);
    }
    seen->ratio = most > 0.0 ? sqrt(most / least) : 1.0;
    return ALD_OK;
}

static int is_spectrum(const columns_seen *seen)
{
    enum { fewest = 30 };
    const double alike = 0.98;
    int64_t many = 0;
    for (int64_t j = 0; j < seen->pairs; j++) many += seen->beside[j] >= alike;
    return seen->pairs + 1 >= fewest && 2 * many >= seen->pairs;
}

ald_status ald_portfolio_look(ald_run *run, const ald_matrix *x, int categories, ald_portfolio_forms *forms)
{
    const double many = 10.0;
    columns_seen seen;
    *forms = (ald_portfolio_forms){"row_scale", "unit,none", NULL};
    if (x->storage != ALD_DENSE) return ALD_OK;
    ALD_TRY(look_at_columns(run, x, &seen));
    forms->scale = "scale";
    forms->scales = seen.ratio > many ? "standard,none" : "none,standard";
    if (!categories && is_spectrum(&seen)) forms->rows = "none,snv,savgol:11:2:1,savgol:11:2:2";
    return ALD_OK;
}

int ald_portfolio_is_small(const ald_matrix *x)
{
    const double rows = (double)x->rows;
    return rows <= 400.0 && rows * rows * (double)x->cols <= 1e7;
}

ald_status ald_portfolio_dims(ald_run *run, ald_arena *memory, int64_t most, int64_t target, int64_t **dims,
                              int *count)
{
    static const int64_t usual[] = {1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40};
    enum { many = sizeof usual / sizeof *usual };
    int n = 0;
    *dims = ald_arena_get(memory, many + 1, 1, sizeof **dims);
    if (!*dims) return ald_out_of_memory(run, many + 1, 1, sizeof **dims);
    for (int i = 0; i < many; i++) {
        const int64_t before = n > 0 ? (*dims)[n - 1] : 0;
        if (target > before && target < usual[i] && target <= most) (*dims)[n++] = target;
        if (usual[i] <= most) (*dims)[n++] = usual[i];
    }
    if (n == 0) (*dims)[n++] = 1;
    *count = n;
    return ALD_OK;
}

/* Kernel values of n rows with m, from `each` operations a pair, and what is found from them. */
static double kernel_work(double n, double m, double each)
{
    return n * m * (each + 20.0) + (m < n ? n * m * m + 9.0 * m * m * m : n * n * n / 3.0);
}

/* For a pair of rows; entries of sparse ones are picked one by one. */
static double pair_work(const ald_matrix *x)
{
    const double entries = (double)ald_matrix_entries(x) / fmax((double)x->rows, 1.0);
    return x->storage == ALD_DENSE ? entries : 4.0 * entries;
}

int ald_portfolio_is_large(const ald_matrix *x)
{
    const double n = (double)x->rows;
    return x->rows > ALD_PORTFOLIO_ROWS || kernel_work(n, n, pair_work(x)) > ALD_PORTFOLIO_WORK / 4.0;
}

/* The work of the map: n rows, d entries in each, q columns of the target. Linear methods are fitted from
 * moments where there are more rows than columns, else by products of rows; sparse rows by iterations,
 * over `columns` columns (0: dense). */
static double map_work(const ald_settings *settings, double columns, double n, double d, double q, double r)
{
    const ald_method *method = ald_settings_method(settings);
    const double order = d + q, landmarks = ald_settings_real_with(settings, ALD_PARAM_IS_LANDMARKS, 0.0);
    if (method->relation == ALD_BY_OBJECTIVE) return 0.5 * n * n * d + 120000.0 * n * (d + 20.0);
    if (ald_method_param_with(method, ALD_PARAM_IS_KERNEL)) {
        const double m = landmarks > 0.0 && landmarks < n ? landmarks : n;
        return kernel_work(n, m, columns > 0.0 ? 4.0 * d : d);
    }
    if (columns > 0.0) /* some 20 iterations of products, at a fifth of the speed of dense ones */
        return method->inverse == ALD_INVERTS_NOTHING ? 30.0 * r * (n * d + columns * r)
                                                      : 400.0 * q * (n * d + 2.0 * columns);
    return d < n ? 2.0 * order * order * order + n * d * (r + q) : n * n * d + n * n * n / 3.0;
}

static double predictor_work(const ald_settings *settings, double n, double q, double r)
{
    const ald_predictor *predictor = ald_predictor_asked(settings);
    if (predictor && predictor->is_lazy) return 0.3 * n * n * (r + 10.0);
    if (predictor && predictor->moments == ALD_MOMENTS_NOT) return 3000.0 * n * (r + 1.0) * q;
    return n * r * (r + q);
}

double ald_portfolio_work(const ald_settings *settings, const ald_matrix *x, const ald_target *y,
                          const int64_t *dims, int n_dims, int mapped)
{
    const int nested = mapped || (ald_method_capabilities(ald_settings_method(settings)) & ALD_IS_NESTED);
    const double columns = x->storage != ALD_DENSE ? (double)x->cols : 0.0;
    const double n = (double)x->rows, d = (double)ald_matrix_entries(x) / fmax(n, 1.0),
                 q = (double)(y->kind == ALD_TARGET_CLASSES ? y->n_classes : y->values.cols);
    double work = nested && !mapped ? map_work(settings, columns, n, d, q, (double)dims[n_dims - 1]) : 0.0;
    for (int k = 0; k < n_dims; k++) {
        if (!nested) work += map_work(settings, columns, n, d, q, (double)dims[k]);
        work += predictor_work(settings, n, q, (double)dims[k]);
    }
    return work;
}
