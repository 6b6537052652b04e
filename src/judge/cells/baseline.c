/* What every method is measured against: a prediction that does not look at X, and the predictor without a
 * projection.
 *
 *   constant  the (weighted) means of the responses, the most frequent class, or the shares of the labels, of
 *             the training rows
 *   features  a penalised linear predictor on the prepared X, or the predictor that is asked for, on X
 *             row-scaled, scaled and centred, as a method sees it
 *
 * For more columns than training rows, X = T V' with T the coordinates of the rows in their own span (V
 * orthonormal, from the singular value decomposition), and predictors that depend on inner products only are
 * given T: the same prediction for n^2 d instead of d^3 operations. */
#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "fit/prepare/prepare_x.h"
#include "judge/cells/folds.h"
#include "judge/cells/judging.h"
#include "judge/splitting/subset.h"
#include "math/device/held.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "methods/engines/problem.h"
#include "methods/predict/affine.h"
#include "methods/predict/predictor.h"

#include <stdlib.h>
#include <string.h>

/* The form for such a candidate: ridge for numbers and logistic for classes and labels where no predictor is
 * asked for, else that of the predictor. NULL: the predictor as it is (knn, gaussian, centroid, or with a
 * penalty of its own). */
typedef ald_status (*penalised)(ald_run *run, const ald_path *path, ald_model *model);

static penalised penalised_of(const ald_run *run, const ald_judging *j)
{
    const ald_predictor *asked = ald_predictor_asked(j->plan->settings);
    if (ald_predictor_options_of(run).ridge > 0.0) return NULL;
    if (asked) return asked->penalised;
    return j->test->y.kind == ALD_TARGET_REAL ? ald_ridge_path : ald_logistic_path;
}

typedef struct member {
    int64_t group, row;
} member;

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    const int by_group = ald_compare_whole(&x->group, &y->group);
    return by_group ? by_group : ald_compare_whole(&x->row, &y->row);
}

/* Any numbers of groups to that of the first row of each. */
static ald_status number_by_first(ald_run *run, int64_t n, const int64_t *groups, int64_t *first)
{
    member *members;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *members, &members));
    for (int64_t i = 0; i < n; i++) members[i] = (member){groups[i], i};
    qsort(members, (size_t)n, sizeof *members, compare_members);
    for (int64_t k = 0, head = 0; k < n; k++) {
        if (members[k].group != members[head].group) head = k;
        first[members[k].row] = members[head].row;
    }
    return ALD_OK;
}

/* The groups of the splits; without any, equal rows. */
static ald_status find_groups(ald_run *run, const ald_judging *j, const ald_subset *train,
                              const int64_t **groups)
{
    const int64_t n = train->x.rows;
    int64_t *first;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *first, &first));
    *groups = first;
    if (j->plan->groups) return number_by_first(run, n, j->plan->groups, first);
    return ald_duplicates_find(run, train, first);
}

/* The sums of the fold, where they are of rows prepared as these are. */
static const double *find_scatter(const ald_run *run, const ald_fold *fold)
{
    if (!fold || !ald_same_rows(fold->like, run->settings)) return NULL;
    const ald_moments *m = &fold->moments;
    return m->mean && m->d == fold->data->x.cols && ald_moments_extreme(m) < 0 ? m->scatter : NULL;
}

/* Rows without a target weigh nothing. */
static ald_status find_weights(ald_run *run, const ald_target *y, const double **weights)
{
    double *own;
    *weights = y->weights;
    if (!y->labelled) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, y->rows, 1, &own));
    for (int64_t i = 0; i < y->rows; i++) {
        const double weight = y->weights ? y->weights[i] : 1.0;
        own[i] = y->labelled[i] ? weight : 0.0;
    }
    *weights = own;
    return ALD_OK;
}

typedef struct both_parts {
    ald_operator train, test;
} both_parts;

/* The parts, as the form wants them, to z; in the run's scratch. */
static ald_status penalised_prepare(ald_run *run, const ald_judging *j, const ald_subset *train,
                                    const both_parts *parts, ald_scored_rows *z)
{
    const ald_target *y = &train->y;
    ald_predictor_data *data;
    ald_path *path;
    double *values;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *data, &data));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *path, &path));
    *data = (ald_predictor_data){.n = y->rows, .r = z->r, .kind = y->kind};
    *path = (ald_path){.data = data, .rows = &parts->train, .scatter = find_scatter(run, j->plan->fold)};
    ALD_TRY(ald_target_numbers(run, y, &values, &data->q));
    ALD_TRY(find_weights(run, y, &data->weights));
    ALD_TRY(find_groups(run, j, train, &path->groups));
    data->y = values;
    if (!(ald_predictor_total(data) > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA, "there are no rows with a target to learn from");
    z->path = path;
    z->penalised = penalised_of(run, j);
    z->test_rows = &parts->test;
    return ALD_OK;
}

ald_status ald_judge_constant(ald_run *run, const ald_judging *j, ald_cell *cell)
{
    const ald_target *y = ald_judging_target(j);
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
    double *values;
    *dense = *x;
    if (x->storage == ALD_DENSE) return ALD_OK;
    if (x->rows > ALD_BASELINE_CELLS / x->cols)
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
static ald_status baseline_prepare(ald_run *run, const ald_judging *j, const ald_subset *train,
                                   both_parts **prepared)
{
    ald_problem problem;
    ald_row_plan plan;
    ald_matrix x, dense;
    both_parts *parts;
    ALD_TRY(make_dense(run, &train->x, &dense));
    ALD_TRY(ald_prepare_fit(run, &dense, train->y.weights, &plan, &problem));
    ALD_TRY(make_dense(run, &j->test->x, &x));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *parts, &parts));
    parts->train =
        (ald_operator){.x = dense, .mean = problem.x.mean, .inverse_scale = problem.x.inverse_scale};
    parts->test = parts->train;
    parts->test.x = x;
    ALD_TRY(ald_prepare_rows(run, &plan, &parts->train)); /* all rows: the problem has those that weigh */
    *prepared = parts;
    return ald_prepare_rows(run, &plan, &parts->test);
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
    const ald_predictor *predictor = ald_predictor_asked(run->settings);
    if (!predictor || predictor->is_lazy ||
        (double)n * (double)d * (double)(n < d ? n : d) <= ALD_BASELINE_WORK)
        return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%lld rows with %lld columns are too many for the %s predictor on all of them",
                    (long long)n, (long long)d, predictor->name);
}

static ald_status features(ald_run *run, const ald_judging *j, const ald_subset *rows, ald_scored_rows *z)
{
    const int64_t n = rows->x.rows, m = j->test->x.rows, d = rows->x.cols;
    double *train, *test;
    both_parts *parts;
    ALD_TRY(check_work(run, n, d));
    ALD_TRY(baseline_prepare(run, j, rows, &parts));
    *z = (ald_scored_rows){.stride = d, .r = d};
    if (penalised_of(run, j)) return penalised_prepare(run, j, rows, parts, z);
    const ald_predictor *predictor = ald_predictor_asked(run->settings);
    ALD_TRY(write_out(run, &parts->train, &train));
    ALD_TRY(write_out(run, &parts->test, &test));
    z->train = train;
    z->test = test;
    return n < d && predictor && predictor->by_distances ? reduce(run, n, m, d, train, test, z) : ALD_OK;
}

/* Penalised forms ask X by products. */
static ald_status take_train(ald_run *run, const ald_judging *j, ald_subset *own, const ald_subset **train)
{
    if (!j->train && penalised_of(run, j)) return ald_fold_train_by_products(run, j->plan->fold, own, train);
    return ald_judging_train(run, j, train);
}

static ald_status judge_features(ald_run *run, const ald_judging *j, ald_cell *cell)
{
    ald_run inner;
    ald_error error;
    ald_scored_rows z;
    ald_subset own;
    const ald_subset *train;
    ald_status judged = ALD_OK;
    const double began = ald_judging_clock(j);
    run->settings = j->settings;
    ALD_TRY(take_train(run, j, &own, &train));
    ald_run_inside(&inner, run, &error);
    inner.settings = j->settings;
    const ald_status status = features(&inner, j, train, &z);
    cell->fit_seconds += ald_judging_clock(j) - began;
    if (status < 0)
        ald_cell_fail(cell, status, error.message);
    else
        judged = ald_judge_scores(run, j, &z, cell);
    ald_run_end(&inner, status);
    return judged;
}

ald_status ald_judge_features(ald_run *run, const ald_judging *j, ald_cell *cell)
{
    const struct ald_held *before = run->call.held;
    const ald_settings *settings = run->settings;
    const ald_status status = judge_features(run, j, cell);
    ald_card_release(run, before);
    run->settings = settings;
    return status;
}
