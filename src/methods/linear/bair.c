/* Bair's supervised principal components: the principal components of the features that go with the target.
 *
 *   score_j = |z_j'y| / |z_j|                                 z_j a prepared column, y the centred target
 *           = |U_j| / sqrt(I_j)                               of times with events (survival.h)
 *   S       = the n_features columns of the largest score     ties to the lower index, constant columns last
 *   maximise |Z_S W|_F^2   over W'W = I
 *
 * For classes, labels and several responses the score is the largest over the 0/1 columns, or over the
 * responses, each at unit length. `components` are the unit eigenvectors of Z_S'Z_S, 0 outside S;
 * `eigenvalues` and `explained_variance_ratio` are those of pca on Z_S, and `scores` those of all features.
 *
 * n_features = 0: 10-fold cross-validation (as many folds as rows where there are fewer) over at most 20
 * sizes, geometric from n_components to d. In each fold mean, scale and scores are those of the training
 * part, and the rows left out are predicted by least squares on the components; the size of the smallest
 * sum of squared errors is chosen, of equal ones the smallest. Folds come from a permutation seeded by
 * random_state.
 *
 * Cost: scores 2 n d q; components as pca on n x n_features. Cross-validation: about 2 pca of n x d per
 * fold, as the sizes are nested and geometric. The kept columns are copied (n x n_features), and all of
 * them (2 n x d) to cross-validate, so X is dense.
 *
 * Edge cases: n_components is at most n_features, rows - 1 and the rank of the kept columns; more are
 * refused with the number there is, also where the training part of a fold has too few rows.
 *
 * Reference: Bair, Hastie, Paul and Tibshirani (2006). */
#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/operator/survival.h"
#include "methods/engines/spectral.h"

#include <math.h>
#include <string.h>

enum { n_folds = 10, n_sizes = 20 };

static const ald_param n_features_param = ALD_INT_PARAM(
    "n_features", "0", 0, 1e9, "number of features to keep; 0: by 10-fold cross-validation over 20 sizes",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_ZERO_IS_AUTO);

static const ald_param *const params[] = {
    &n_features_param,
    NULL,
};

/* X row-scaled, and the target as numbers; columns are centred and scaled later. */
typedef struct table {
    int64_t n, d, q;
    ald_operator x;
    double *y;                  /* n x q */
    const ald_target *survival; /* times with events, of which y is the residuals; NULL: y is what it is */
} table;

/* Rows of a part prepared as it would be by itself. */
typedef struct part {
    int64_t n;           /* training rows */
    const int64_t *rows; /* n training rows of the table, then the others */
    ald_operator x;      /* those of the table in this order */
    double *mean, *deviation, *inverse_scale, *score;
    int scaled;         /* inverse_scale is not 1 throughout */
    double *y, *y_mean; /* n x q centred, q */
    int64_t *order;     /* features, the best first */
} part;

/* Responses of several units are brought to one length, so that none rules the scores and the errors. */
static ald_status equalize(ald_run *run, const table *t)
{
    const int64_t n = t->n, q = t->q;
    double *mean, *square;
    ALD_TRY(ald_scratch_zeros(run, q, 1, &mean));
    ALD_TRY(ald_scratch_zeros(run, q, 1, &square));
    for (int pass = 0; pass < 3; pass++)
        for (int64_t i = 0; i < n; i++) {
            ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)q));
            for (int64_t k = 0; k < q; k++) {
                double *y = &t->y[i * q + k];
                if (pass == 0) mean[k] += *y / (double)n;
                if (pass == 1) *y -= mean[k];
                if (pass == 1) square[k] += *y * *y;
                if (pass == 2 && square[k] > 0.0) *y /= sqrt(square[k]);
            }
        }
    return ALD_OK;
}

static ald_status read_table(ald_run *run, const ald_problem *problem, table *t)
{
    t->n = problem->n;
    t->d = problem->d;
    t->x = (ald_operator){
        .x = problem->x.x,
        .row_shift = problem->x.row_shift,
        .row_factor = problem->x.row_factor,
    };
    ALD_TRY(ald_target_numbers(run, problem->target, &t->y, &t->q));
    t->survival = problem->target->events ? problem->target : NULL;
    if (problem->target->kind == ALD_TARGET_REAL && t->q > 1) ALD_TRY(equalize(run, t));
    return ALD_OK;
}

static ald_status new_part(ald_run *run, const table *t, int64_t n, const int64_t *rows, part *p)
{
    p->n = n;
    p->rows = rows;
    p->scaled = ald_common_settings_of(run->settings).scale != ALD_COLUMNS_PLAIN;
    ALD_TRY(ALD_SCRATCH(run, {&p->mean, t->d, 1}, {&p->deviation, t->d, 1}, {&p->inverse_scale, t->d, 1},
                        {&p->y, n, t->q}));
    ALD_TRY(ald_scratch_zeros(run, t->d, 1, &p->score));
    ALD_TRY(ald_scratch_zeros(run, t->q, 1, &p->y_mean));
    return ald_scratch(run, t->d, 1, sizeof *p->order, &p->order);
}

/* The training rows. */
static ald_operator training(const part *p)
{
    ald_operator z = p->x;
    z.x.rows = p->n;
    return z;
}

/* Mean and scale of the columns over the training rows, as the setting `scale` has it. */
static ald_status learn_columns(ald_run *run, const table *t, part *p)
{
    const ald_column_scale asked = ald_common_settings_of(run->settings).scale;
    const ald_operator z = training(p);
    ald_column_moments moments = {.mean = p->mean, .deviation = p->deviation};
    if (asked == ALD_COLUMNS_MINMAX)
        ALD_TRY(ALD_SCRATCH(run, {&moments.low, t->d, 1}, {&moments.high, t->d, 1}));
    ALD_TRY(ald_column_statistics(run, &z, NULL, moments));
    for (int64_t j = 0; j < t->d; j++) {
        double size = asked == ALD_COLUMNS_STANDARD ? p->deviation[j] : 1.0;
        if (asked == ALD_COLUMNS_MINMAX) size = moments.high[j] - moments.low[j];
        p->inverse_scale[j] = size > 0.0 ? 1.0 / size : 1.0;
    }
    return ALD_OK;
}

static ald_status learn_target(ald_run *run, const table *t, part *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)t->q));
        for (int64_t k = 0; k < t->q; k++) p->y_mean[k] += t->y[p->rows[i] * t->q + k] / (double)p->n;
    }
    for (int64_t i = 0; i < p->n; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)t->q));
        for (int64_t k = 0; k < t->q; k++) p->y[i * t->q + k] = t->y[p->rows[i] * t->q + k] - p->y_mean[k];
    }
    return ALD_OK;
}

static ald_status score_by_cox(ald_run *run, const table *t, const part *p, const ald_operator *z)
{
    ald_target rows;
    ald_survival s;
    ALD_TRY(ald_target_take(run, t->survival, p->rows, p->n, &rows));
    ALD_TRY(ald_survival_of(run, &rows, &s));
    return ald_survival_scores(run, &s, z, p->score);
}

/* |z_j'y| / |z_j|; the scale of the column cancels. */
static ald_status score_features(ald_run *run, const table *t, part *p)
{
    const int64_t d = t->d, q = t->q;
    ald_operator z = training(p);
    ald_ranked *list;
    double *inner;
    z.mean = p->mean;
    ALD_TRY(ald_scratch(run, d, 1, sizeof *list, &list));
    ALD_TRY(ald_scratch_reals(run, d, q, &inner));
    ALD_TRY(ald_operator_apply_transposed(run, &z, ald_of(p->y, p->n, q), ald_at(inner, d, q)));
    for (int64_t j = 0; j < d; j++) {
        const double length = sqrt((double)p->n) * p->deviation[j];
        for (int64_t k = 0; length > 0.0 && k < q; k++)
            p->score[j] = fmax(p->score[j], fabs(inner[j * q + k]) / length);
    }
    if (t->survival) ALD_TRY(score_by_cox(run, t, p, &z));
    for (int64_t j = 0; j < d; j++) list[j] = (ald_ranked){p->score[j], j};
    ald_rank_falling(d, list);
    for (int64_t j = 0; j < d; j++) p->order[j] = list[j].place;
    return ALD_OK;
}

static ald_status learn_part(ald_run *run, const table *t, int64_t n, const int64_t *rows, part *p)
{
    ALD_TRY(new_part(run, t, n, rows, p));
    ALD_TRY(ald_operator_take(run, &t->x, rows, t->n, &p->x));
    ALD_TRY(learn_columns(run, t, p));
    ALD_TRY(learn_target(run, t, p));
    return score_features(run, t, p);
}

/* All rows, with the mean and the scale that the model will have. */
static ald_status learn_whole(ald_run *run, const ald_problem *problem, const table *t, part *p)
{
    int64_t *rows;
    ALD_TRY(ald_scratch(run, t->n, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < t->n; i++) rows[i] = i;
    ALD_TRY(new_part(run, t, t->n, rows, p));
    p->x = t->x;
    ALD_TRY(learn_columns(run, t, p));
    memcpy(p->mean, problem->x.mean, (size_t)t->d * sizeof *p->mean);
    for (int64_t j = 0; j < t->d; j++) p->inverse_scale[j] = problem->scale ? 1.0 / problem->scale[j] : 1.0;
    ALD_TRY(learn_target(run, t, p));
    return score_features(run, t, p);
}

/* The best features of `count` of the part's rows from `first` on, copied, as an operator that prepares them
 * as the part learnt. */
static ald_status best_columns(ald_run *run, const table *t, const part *p, int64_t first, int64_t count,
                               int64_t size, ald_operator *z)
{
    double *out, *mean, *inverse_scale, *row;
    ALD_TRY(
        ALD_SCRATCH(run, {&out, count, size}, {&mean, size, 1}, {&inverse_scale, size, 1}, {&row, t->d, 1}));
    for (int64_t s = 0; s < size; s++) {
        mean[s] = p->mean[p->order[s]];
        inverse_scale[s] = p->inverse_scale[p->order[s]];
    }
    for (int64_t i = 0; i < count; i++) {
        ALD_TRY(ald_operator_rows(run, &p->x, first + i, ald_at(row, 1, t->d)));
        for (int64_t s = 0; s < size; s++) out[i * size + s] = row[p->order[s]];
    }
    const ald_operator made = {
        .x = ald_matrix_row_major(out, count, size, size),
        .mean = mean,
        .inverse_scale = p->scaled ? inverse_scale : NULL,
    };
    *z = made;
    return ALD_OK;
}

/* Sum of squared errors on the rows of `test` of least squares on the first `rank` components; these are
 * orthogonal on the training rows, so each response has the coefficient t'y / t't on each of them. */
static ald_status test_error(ald_run *run, const table *t, const part *p, const ald_spectral *s, int64_t rank,
                             const ald_operator *test, double *error)
{
    const int64_t q = t->q, count = test->x.rows, size = test->x.cols;
    double *covariance, *coefficients, *directions, *scores;
    ALD_TRY(ALD_SCRATCH(run, {&covariance, size, q}, {&coefficients, rank, q}, {&directions, size, rank},
                        {&scores, count, rank}));
    ALD_TRY(
        ald_operator_apply_transposed(run, s->z, ald_of(p->y, s->z->x.rows, q), ald_at(covariance, size, q)));
    ALD_TRY(ald_product(run, ald_of(s->components, rank, size), ald_of(covariance, size, q),
                        ald_at(coefficients, rank, q)));
    ald_transpose(rank, size, s->components, directions);
    ALD_TRY(ald_operator_apply(run, test, ald_of(directions, size, rank), ald_at(scores, count, rank)));
    for (int64_t i = 0; i < count; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)q * (double)rank));
        for (int64_t k = 0; k < q; k++) {
            double left = t->y[p->rows[p->n + i] * q + k] - p->y_mean[k];
            for (int64_t c = 0; c < rank; c++)
                left -= scores[i * rank + c] * coefficients[c * q + k] / s->values[c];
            *error += left * left;
        }
    }
    return ALD_OK;
}

/* Adds the errors of one fold to those of the sizes. The features are in the order of their scores, so that
 * those of each size are the first ones of the same copy. */
static ald_status try_fold(ald_run *run, const table *t, const part *p, int64_t r, int count,
                           const int64_t *sizes, double *errors)
{
    ald_operator train, test;
    ALD_TRY(best_columns(run, t, p, 0, p->n, t->d, &train));
    ALD_TRY(best_columns(run, t, p, p->n, t->n - p->n, t->d, &test));
    for (int k = 0; k < count; k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ald_spectral s = {.z = &train, .identity = 1, .r = r};
        train.x.cols = test.x.cols = sizes[k];
        ALD_TRY(ald_spectral_solve(run, &s, NULL));
        const int64_t rank = ald_spectral_rank(&s);
        ALD_TRY(test_error(run, t, p, &s, rank, &test, &errors[k]));
        ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

/* At most 20 sizes, rising: r (d/r)^(k/19), rounded. */
static int list_sizes(int64_t r, int64_t d, int64_t sizes[n_sizes])
{
    int count = 0;
    for (int k = 0; k < n_sizes; k++) {
        const int64_t size = llround((double)r * pow((double)d / (double)r, (double)k / (n_sizes - 1)));
        if (count == 0 || size > sizes[count - 1]) sizes[count++] = size < d ? size : d;
    }
    return count;
}

/* rows: the permutation with the rows of fold `fold` moved to its end. */
static int64_t leave_out(int64_t n, const int64_t *permutation, int folds, int fold, int64_t *rows)
{
    const int64_t begin = n * fold / folds, end = n * (fold + 1) / folds, kept = n - (end - begin);
    memcpy(rows, permutation, (size_t)begin * sizeof *rows);
    memcpy(rows + begin, permutation + end, (size_t)(n - end) * sizeof *rows);
    memcpy(rows + kept, permutation + begin, (size_t)(end - begin) * sizeof *rows);
    return kept;
}

static ald_status cross_validate(ald_run *run, const table *t, int64_t r, int64_t *size)
{
    const int folds = t->n < n_folds ? (int)t->n : n_folds;
    double errors[n_sizes] = {0.0};
    int64_t sizes[n_sizes];
    int64_t *permutation, *rows;
    ald_random random;
    const int count = list_sizes(r, t->d, sizes);
    ALD_TRY(ald_scratch(run, t->n, 1, sizeof *permutation, &permutation));
    ALD_TRY(ald_scratch(run, t->n, 1, sizeof *rows, &rows));
    ald_random_seed(&random, ald_seed(run), 0);
    ald_random_permutation(&random, t->n, permutation);
    for (int fold = 0; fold < folds; fold++) {
        part p;
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t kept = leave_out(t->n, permutation, folds, fold, rows);
        ALD_TRY(learn_part(run, t, kept, rows, &p));
        ALD_TRY(try_fold(run, t, &p, r, count, sizes, errors));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "cross-validating the number of features", (double)(fold + 1) / folds));
    }
    int best = 0;
    for (int k = 1; k < count; k++)
        if (errors[k] < errors[best]) best = k;
    *size = sizes[best];
    return ALD_OK;
}

/* How many features to keep, and whether that many directions can be had. */
static ald_status choose_size(ald_run *run, const ald_problem *problem, const table *t, int64_t *size)
{
    const int64_t r = problem->r, in_fold = t->n - (t->n + n_folds - 1) / n_folds - 1;
    *size = ald_setting_int(run, &n_features_param);
    if (*size > t->d)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`n_features` is %lld, but X has %lld columns",
                        (long long)*size, (long long)t->d);
    if (*size > 0 && r > *size)
        return ald_too_many_components(run, problem, *size, "one per kept feature: n_features");
    if (*size > 0) return ALD_OK;
    if (r > in_fold)
        return ald_too_many_components(
            run, problem, in_fold > 0 ? in_fold : 0,
            "the rows of a training fold - 1; with n_features set there are no folds");
    return cross_validate(run, t, r, size);
}

static ald_status add_results(ald_run *run, const ald_problem *problem, const part *p, const ald_spectral *s,
                              ald_model *model)
{
    const int64_t r = problem->r, d = problem->d, size = s->z->x.cols;
    double *components, *ratio;
    ALD_TRY(ald_scratch_zeros(run, r, d, &components));
    ALD_TRY(ald_scratch_reals(run, r, 1, &ratio));
    for (int64_t k = 0; k < r; k++) {
        ratio[k] = s->values[k] / s->total;
        for (int64_t j = 0; j < size; j++) components[k * d + p->order[j]] = s->components[k * size + j];
    }
    ALD_TRY(ald_add_components(run, problem, r, components, NULL, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", r, s->values));
    ALD_TRY(ald_model_add_vector(run, model, "explained_variance_ratio", r, ratio));
    ALD_TRY(ald_model_add_vector(run, model, "scores", d, p->score));
    return ald_model_set_printed(run, model, "alidade.resolved.n_features", "%lld", (long long)size);
}

static ald_status bair_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t n = problem->n, r = problem->r, most = n - 1 < problem->d ? n - 1 : problem->d;
    int64_t size;
    table t;
    part whole;
    ald_operator z;
    if (r > most) return ald_too_many_components(run, problem, most, "the smaller of rows - 1 and columns");
    ALD_TRY(read_table(run, problem, &t));
    ALD_TRY(choose_size(run, problem, &t, &size));
    ALD_TRY(learn_whole(run, problem, &t, &whole));
    ALD_TRY(best_columns(run, &t, &whole, 0, n, size, &z));
    ald_spectral s = {.z = &z, .identity = 1, .r = r};
    ALD_TRY(ald_spectral_solve(run, &s, model));
    const int64_t rank = ald_spectral_rank(&s);
    if (rank == 0) return ald_spectral_constant(run);
    if (rank < r) return ald_too_many_components(run, problem, rank, "the rank of the kept columns");
    return add_results(run, problem, &whole, &s, model);
}

const ald_method ald_method_bair = {
    .name = "bair",
    .title = "Bair's supervised principal components",
    .synonyms = "spc, superpc, supervised pca by screening, feature screening",
    .summary = "Principal components of those features that each alone say most about the target.",
    .reference = "Bair, Hastie, Paul and Tibshirani (2006)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR | ALD_CAN_REBUILD,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, ald_spectral_params, NULL},
    .fit = bair_fit,
};
