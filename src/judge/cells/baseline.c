/* What every method is measured against: a prediction that does not look at X, and the predictor without a
 * projection.
 *
 * constant  the (weighted) means of the responses, the most frequent class, or the shares of the labels, of
 * the training rows. features  a penalised linear predictor on the prepared X (penalised.h), or the predictor
 * that is asked for, on X row-scaled, scaled, centred, as a method sees it. For more columns than training
 * rows, X = T V' with T the coordinates of the rows in their own span (V orthonormal, from the singular value
 * decomposition), and predictors that depend on inner products only are given T: the same prediction for n^2
 * d instead of d^3 operations. */
#include "base/settings/common_params.h"
#include "fit/prepare/prepare_x.h"
#include "judge/cells/judging.h"
#include "judge/cells/penalised.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

ald_status ald_judge_constant(ald_run *run, const ald_judging *j, ald_cell *cell)
{
    const ald_target *y = &j->train->y;
    const int classes = y->kind == ALD_TARGET_CLASSES;
    const int64_t q = classes ? y->n_classes : y->values.cols, n = j->test->x.rows, columns = classes ? 1 : q;
    double *means, *prediction, *scores;
    int64_t commonest = 0;
    const double began = ald_judging_clock(j);
    ALD_TRY(ALD_SCRATCH(run, {&means, q, 1}, {&prediction, n, columns}, {&scores, n, q}));
    ald_target_means(y, q, means);
    for (int64_t k = 1; k < q; k++)
        if (means[k] > means[commonest]) commonest = k;
    const double learned = ald_judging_clock(j);
    for (int64_t i = 0; i < n * columns; i++) prediction[i] = classes ? (double)commonest : means[i % q];
    for (int64_t i = 0; i < n * q; i++) scores[i] = means[i % q];
    if (cell->scores) memcpy(cell->scores, scores, (size_t)(n * q) * sizeof *scores);
    cell->fit_seconds += learned - began;
    cell->apply_seconds += ald_judging_clock(j) - learned;
    const ald_answer answer = {prediction, scores, q, 1};
    return ald_judge_prediction(run, j, &answer, cell);
}

/* A dense copy of X, unless that is too large for a baseline. */
static ald_status make_dense(ald_run *run, const ald_matrix *x, ald_matrix *dense)
{
    enum { most_cells = 1 << 25 };
    double *values;
    *dense = *x;
    if (x->storage == ALD_DENSE) return ALD_OK;
    if (x->rows > most_cells / x->cols)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "sparse X of %lld columns is too large for a predictor on all of them",
                        (long long)x->cols);
    ALD_TRY(ald_scratch_zeros(run, x->rows, x->cols, &values));
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t e = ald_matrix_index(x, x->pointers, i); e < ald_matrix_index(x, x->pointers, i + 1);
             e++)
            values[i * x->cols + ald_matrix_index(x, x->indices, e)] = ald_matrix_value(x, e);
    *dense = ald_matrix_row_major(values, x->rows, x->cols, x->cols);
    return ALD_OK;
}

static ald_status write_out(ald_run *run, const ald_operator *prepared, double **rows)
{
    ALD_TRY(ald_scratch_reals(run, prepared->x.rows, prepared->x.cols, rows));
    return ald_operator_rows(run, prepared, 0, ald_at(*rows, prepared->x.rows, prepared->x.cols));
}

/* Both parts prepared by what the training part has taught. */
static ald_status baseline_prepare(ald_run *run, const ald_judging *j, double **train, double **test)
{
    ald_problem problem;
    ald_row_plan plan;
    ald_matrix x, dense;
    ALD_TRY(make_dense(run, &j->train->x, &dense));
    ALD_TRY(ald_prepare_fit(run, &dense, j->train->y.weights, &plan, &problem));
    ALD_TRY(make_dense(run, &j->test->x, &x));
    ald_operator own = {.x = dense, .mean = problem.x.mean, .inverse_scale = problem.x.inverse_scale},
                 other = own;
    other.x = x;
    ALD_TRY(ald_prepare_rows(run, &plan, &own)); /* all rows: the problem has those that weigh */
    ALD_TRY(ald_prepare_rows(run, &plan, &other));
    ALD_TRY(write_out(run, &own, train));
    return write_out(run, &other, test);
}

/* X = U S V' of the training rows (n x d, n < d): T = U S, and X V of the others. */
static ald_status reduce(ald_run *run, int64_t n, int64_t m, int64_t d, double *train, const double *test,
                         ald_scored_rows *z)
{
    double *u, *s, *vt, *t, *other;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, n}, {&s, n, 1}, {&vt, n, d}, {&other, m, n}));
    ALD_TRY(ald_svd(run, ald_at(train, n, d), ald_at(u, n, n), s, ald_at(vt, n, d)));
    ALD_TRY(ald_product(run, ald_of(test, m, d), ald_t(ald_of(vt, n, d)), ald_at(other, m, n)));
    t = u;
    for (int64_t i = 0; i < n * n; i++) t[i] *= s[i % n];
    int64_t rank = 0;
    while (rank < n && s[rank] > 1e-12 * s[0]) rank++;
    *z = (ald_scored_rows){.train = t, .test = other, .stride = n, .r = rank > 0 ? rank : 1};
    return ALD_OK;
}

/* Operations of the decomposition behind most predictors; half a minute or so. knn needs none. */
static ald_status check_work(ald_run *run, int64_t n, int64_t d)
{
    static const double most = 1e11;
    const ald_predictor *predictor = ald_predictor_asked(run->settings);
    if (!predictor || predictor->is_lazy || (double)n * (double)d * (double)(n < d ? n : d) <= most)
        return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%lld rows with %lld columns are too many for the %s predictor on all of them",
                    (long long)n, (long long)d, predictor->name);
}

static ald_status features(ald_run *run, const ald_judging *j, ald_scored_rows *z)
{
    const int64_t n = j->train->x.rows, m = j->test->x.rows, d = j->train->x.cols;
    double *train, *test;
    ALD_TRY(check_work(run, n, d));
    ALD_TRY(baseline_prepare(run, j, &train, &test));
    *z = (ald_scored_rows){.train = train, .test = test, .stride = d, .r = d};
    const ald_penalised form = ald_penalised_of(run, j);
    if (form) return ald_penalised_prepare(run, j, form, z);
    const ald_predictor *predictor = ald_predictor_asked(run->settings);
    return n < d && predictor && predictor->by_distances ? reduce(run, n, m, d, train, test, z) : ALD_OK;
}

ald_status ald_judge_features(ald_run *run, const ald_judging *j, ald_cell *cell)
{
    ald_run inner;
    ald_error error;
    ald_scored_rows z;
    ald_status judged = ALD_OK;
    const double began = ald_judging_clock(j);
    ald_run_inside(&inner, run, &error);
    inner.settings = j->settings;
    const ald_status status = features(&inner, j, &z);
    cell->fit_seconds += ald_judging_clock(j) - began;
    if (status < 0)
        ald_cell_fail(cell, status, error.message);
    else
        judged = ald_judge_scores(run, j, &z, cell);
    ald_run_end(&inner, status);
    return judged;
}
