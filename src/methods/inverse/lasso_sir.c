/* Sliced inverse regression with a lasso, for more columns than rows.
 *
 * Columns standardised (Z), cut into slices by the target (slices.h; classes are slices), m_h the means of
 * the slices and f_h their shares. For d > n the ceil(n / ln n) columns of the largest sum_h f_h m_hj^2 stay
 * (`n_screen` says how many). Then, not the pencil of sir, which would invert Sigma,
 *
 *   Gamma = sum_h f_h m_h m_h' = E diag(l) E'
 *   t_i   = m_h'e_k / l_k,   h the slice of row i                             a response for component k
 *   b_k   = argmin |t - Z b|^2 / (2n) + mu |b|_1,   mu = penalty max_j |Z't|_j / n
 *
 * scaled to scores of variance 1. penalty=0: of 50 values from 1 to 0.05 (n > d: to 0.001), logarithmic, the
 * largest whose mean error over 10 folds is within one standard error of the least; the fold of a row is its
 * rank by the target modulo 10, and t stands. A row of weight w is w rows with neighbouring ranks, so that
 * its weight is divided among folds.
 *
 * Gamma is of rank slices - 1: E comes from slices x slices products. The lasso needs Z'Z and Z't only, for
 * each fold less those of its rows (math/solvers/lasso.c).
 *
 * Cost: n d slices; with k columns that stay n k^2 for all folds together, and about 1000 r (k + passes a k)
 * for a coefficients that are not 0. Memory 3 k^2, and n k where columns leave.
 *
 * Edge cases: a penalty that leaves no coefficient is refused, and so are more components than Gamma's rank.
 * Where cross-validation would leave the first component none, the second value of the grid is taken, with a
 * note. Two classes and penalty -> 0: lda.
 *
 * Reference: Lin, Zhao and Liu (2019). */
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/solvers/lasso.h"
#include "methods/engines/slices.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ald_param n_slices_param =
    ALD_INT_PARAM("n_slices", "5", 2, 1e6, "number of slices of a real response, by its ranks",
                  .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_SLICES);
static const ald_param penalty_param = ALD_REAL_PARAM(
    "penalty", "0", 0, 1,
    "weight of the lasso as a part of the one that leaves no coefficient; 0: by cross-validation",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_PENALTY | ALD_PARAM_ZERO_IS_AUTO);
static const ald_param n_screen_param =
    ALD_INT_PARAM("n_screen", "0", 0, 1e9,
                  "columns that stay, those whose slice means vary most; 0: all where d <= n, else n / ln n",
                  .traits = ALD_PARAM_ZERO_IS_AUTO);

static const ald_param *const params[] = {
    &n_slices_param,
    &penalty_param,
    &n_screen_param,
    NULL,
};

enum { folds = 10, grid_values = 50 };

/* Z of the columns that stay, its products, and the responses. */
typedef struct lasso {
    const ald_problem *problem;
    ald_operator z;
    int64_t k; /* columns of z */
    int64_t *kept;
    double total;
    ald_slices slices;
    double *deviation;         /* d: of the prepared columns */
    double *values, *t;        /* r; slices x r */
    double *gram, *cross;      /* Z'Z/n (k x k), Z't/n (k x r) */
    double *part, *part_cross; /* the same of one fold, sums; then of the others, means */
    double *share;             /* n: what of the weight of each row is in the fold */
    double *root;              /* n: what its row of z is multiplied with to have that weight */
} lasso;

static double weight_of(const ald_problem *problem, int64_t i)
{
    return problem->weights ? problem->weights[i] : 1.0;
}

/* z <- the prepared X with columns of deviation 1. */
static ald_status standardise(ald_run *run, lasso *l)
{
    const ald_problem *problem = l->problem;
    const ald_operator plain = {
        .x = problem->x.x,
        .row_shift = problem->x.row_shift,
        .row_factor = problem->x.row_factor,
    };
    ald_problem scaled = *problem;
    ald_column_moments moments = {0};
    const int64_t d = problem->d;
    ALD_TRY(ALD_SCRATCH(run, {&moments.mean, d, 1}, {&moments.deviation, d, 1}, {&moments.peak, d, 1}));
    ALD_TRY(ald_column_sizes(run, &plain, problem->weights, moments));
    ALD_TRY(ald_problem_scale(run, &scaled, moments.mean, moments.deviation));
    l->z = scaled.x;
    l->deviation = moments.deviation;
    for (int64_t j = 0; problem->x.inverse_scale && j < d; j++)
        l->deviation[j] *= problem->x.inverse_scale[j];
    return ALD_OK;
}

/* means (d x slices) times the roots of the shares. */
static ald_status slice_means(ald_run *run, lasso *l, double *means)
{
    const int64_t n = l->problem->n, count = l->slices.count;
    double *indicator;
    ALD_TRY(ald_scratch_zeros(run, n, count, &indicator));
    for (int64_t i = 0; i < n; i++) {
        const int64_t h = l->slices.of[i];
        indicator[i * count + h] = sqrt(weight_of(l->problem, i) / (l->slices.weight[h] * l->total));
    }
    return ald_operator_apply_transposed(run, &l->z, ald_of(indicator, n, count),
                                         ald_at(means, l->problem->d, count));
}

static int64_t columns_to_keep(const ald_run *run, const lasso *l)
{
    const int64_t asked = ald_setting_int(run, &n_screen_param), d = l->problem->d;
    if (asked > 0) return ald_least(asked, d);
    if ((double)d <= l->total || l->total < 3.0) return d;
    return ald_least(d, (int64_t)ceil(l->total / log(l->total)));
}

/* Which columns stay, in rising order, with their means. */
static ald_status screen(ald_run *run, lasso *l, double *means)
{
    const int64_t d = l->problem->d, count = l->slices.count;
    ald_ranked *ranked;
    l->k = columns_to_keep(run, l);
    ALD_TRY(ald_scratch(run, d, 1, sizeof *ranked, &ranked));
    ALD_TRY(ald_scratch(run, d, 1, sizeof *l->kept, &l->kept));
    for (int64_t j = 0; j < d; j++)
        ranked[j] = (ald_ranked){ald_dot(count, means + j * count, means + j * count), j};
    if (l->k < d) ald_rank_falling(d, ranked);
    for (int64_t j = 0; j < l->k; j++) l->kept[j] = ranked[j].place;
    ald_sort_whole(l->k, l->kept);
    for (int64_t j = 0; j < l->k; j++)
        memmove(means + j * count, means + l->kept[j] * count, (size_t)count * sizeof *means);
    if (l->k <= ALD_SQUARE_ORDER) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "lasso-sir works with the products of all columns that stay: %lld would take %.1f GB; "
                    "set `n_screen` to at most %d",
                    (long long)l->k, 3.0 * (double)l->k * (double)l->k * 8e-9, ALD_SQUARE_ORDER);
}

/* z <- its columns that stay, written out. */
static ald_status take_columns(ald_run *run, lasso *l)
{
    const int64_t n = l->problem->n, d = l->problem->d;
    double *choice, *rows;
    if (l->k == d) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, l->k, &rows));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_zeros(run, d, l->k, &choice));
    for (int64_t j = 0; j < l->k; j++) choice[l->kept[j] * l->k + j] = 1.0;
    ALD_TRY(ald_operator_apply(run, &l->z, ald_of(choice, d, l->k), ald_at(rows, n, l->k)));
    ald_arena_release(&run->scratch, mark);
    l->z = (ald_operator){.x = ald_matrix_row_major(rows, n, l->k, l->k)};
    return ALD_OK;
}

/* With M (k x slices) the means times the roots of the shares, M'M = V diag(l) V' and t_hk = v_hk / sqrt(l_k
 * f_h). */
static ald_status make_responses(ald_run *run, lasso *l, const double *means)
{
    const int64_t count = l->slices.count, r = l->problem->r;
    double *square, *values, *vectors;
    int64_t rank = 0;
    ALD_TRY(ALD_SCRATCH(run, {&square, count, count}, {&values, count, 1}, {&vectors, count, count},
                        {&l->values, r, 1}, {&l->t, count, r}));
    ALD_TRY(ald_gram(run, ald_of(means, l->k, count), ald_at(square, count, count)));
    ALD_TRY(ald_eigen(run, ald_at(square, count, count), values, ald_at(vectors, count, count)));
    if (!(values[0] > 0.0)) return ald_no_direction(run, l->problem);
    while (rank < count - 1 && values[rank] > 1e-10 * values[0]) rank++;
    if (r > rank)
        return ald_too_many_components(run, l->problem, rank,
                                       "the number of slices less one, or the rank of their means");
    for (int64_t k = 0; k < r; k++) {
        l->values[k] = values[k];
        for (int64_t h = 0; h < count; h++)
            l->t[h * r + k] = vectors[k * count + h] / sqrt(values[k] * l->slices.weight[h] / l->total);
    }
    return ALD_OK;
}

/* Z'Z and Z't of rows that are multiplied by `root` (n; 0 leaves a row out). */
static ald_status sum_products(ald_run *run, const lasso *l, const double *root, double *gram, double *cross)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = l->problem->n, r = l->problem->r;
    int64_t *rows;
    int64_t count = 0;
    double *own, *t;
    ald_operator part;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < n; i++)
        if (root[i] > 0.0) rows[count++] = i;
    ALD_TRY(ALD_SCRATCH(run, {&own, count, 1}, {&t, count, r}));
    ALD_TRY(ald_operator_take(run, &l->z, rows, count, &part));
    for (int64_t i = 0; i < count; i++) {
        own[i] = root[rows[i]] * (part.row_weight ? part.row_weight[i] : 1.0);
        const double factor = root[rows[i]] * sqrt(weight_of(l->problem, rows[i]));
        for (int64_t k = 0; k < r; k++) t[i * r + k] = factor * l->t[l->slices.of[rows[i]] * r + k];
    }
    part.row_weight = own;
    ALD_TRY(ald_operator_scatter_with(run, &part, ald_of(t, count, r), ald_at(gram, l->k, l->k),
                                      ald_at(cross, l->k, r)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* What a coefficient may still move, as a part of the largest: at the end; on the way there and in folds. */
static const double exact = 1e-13, rough = 1e-7;

/* The share of weights from `begin` on, `size` long, that falls on places floor(x) modulo folds = fold. */
static double share_in(double begin, double size, int fold)
{
    double sum = 0.0;
    for (double at = begin; at < begin + size;) {
        const double next = fmin(floor(at) + 1.0, begin + size);
        if ((int)fmod(floor(at), folds) == fold) sum += next - at;
        at = next;
    }
    return sum;
}

/* The shares of a fold and their sum. Long weights have whole rounds of folds, a part each. */
static ald_status find_fold(ald_run *run, lasso *l, int fold, double *sum)
{
    const int64_t n = l->problem->n;
    ald_ranked *ranked;
    double begin = 0.0;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *ranked, &ranked));
    if (l->problem->target->kind == ALD_TARGET_CLASSES) {
        for (int64_t i = 0; i < n; i++) ranked[i] = (ald_ranked){l->problem->target->classes[i], i};
        ald_rank_rising(n, ranked);
    } else
        ALD_TRY(ald_rank_rows(run, l->problem, &ranked));
    *sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t row = ranked[i].place;
        const double weight = weight_of(l->problem, row), rounds = floor(weight / folds) * folds;
        l->share[row] = rounds / folds + share_in(begin, weight - rounds, fold);
        l->root[row] = weight > 0.0 ? sqrt(l->share[row] / weight) : 0.0;
        *sum += l->share[row];
        begin = fmod(begin + weight, folds);
    }
    return ALD_OK;
}

/* The values of mu, falling. */
static void make_grid(const lasso *l, int64_t k, double *mu)
{
    const int64_t r = l->problem->r;
    const double least = l->total > (double)l->problem->d ? 0.001 : 0.05;
    double largest = 0.0;
    for (int64_t j = 0; j < l->k; j++) largest = fmax(largest, fabs(l->cross[j * r + k]));
    for (int i = 0; i < grid_values; i++) mu[i] = largest * pow(least, (double)i / (grid_values - 1));
}

/* Mean squared error of the rows of the fold, sums gram and cross of weight `weight` and square t't, by b. */
static double error_of(const lasso *l, int64_t k, double weight, double square, const double *b)
{
    const int64_t r = l->problem->r;
    double sum = square;
    for (int64_t i = 0; i < l->k; i++)
        if (b[i] != 0.0)
            sum += b[i] * (ald_dot(l->k, l->part + i * l->k, b) - 2.0 * l->part_cross[i * r + k]);
    return sum / weight;
}

/* The errors (grid_values) of component k on the rows of one fold, learned from the others. */
static ald_status try_fold(ald_run *run, const lasso *l, int64_t k, double weight, double *errors)
{
    const int64_t m = l->k, r = l->problem->r;
    const double others = l->total - weight;
    double *gram, *b, *left;
    double mu[grid_values], square = 0.0;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&gram, m, m}, {&left, m, 1}));
    ALD_TRY(ald_scratch_zeros(run, m, 1, &b));
    for (int64_t i = 0; i < l->problem->n; i++)
        square += l->share[i] * pow(l->t[l->slices.of[i] * r + k], 2.0);
    for (int64_t i = 0; i < m * m; i++) gram[i] = (l->total * l->gram[i] - l->part[i]) / others;
    for (int64_t j = 0; j < m; j++)
        left[j] = (l->total * l->cross[j * r + k] - l->part_cross[j * r + k]) / others;
    make_grid(l, k, mu);
    for (int i = 0; i < grid_values; i++) {
        ALD_TRY(ald_lasso_descend(run, m, gram, mu[i], rough, b, left));
        errors[i] = error_of(l, k, weight, square, b);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The largest mu within one standard error of the best, from errors[fold][value]. */
static int choose(int count, double errors[][grid_values])
{
    double mean[grid_values] = {0.0}, square = 0.0;
    int best = 0, chosen = 0;
    for (int i = 0; i < grid_values; i++) {
        for (int f = 0; f < count; f++) mean[i] += errors[f][i] / count;
        if (mean[i] < mean[best]) best = i;
    }
    for (int f = 0; f < count; f++) square += pow(errors[f][best] - mean[best], 2.0) / (count - 1);
    while (mean[chosen] > mean[best] + sqrt(square / count)) chosen++;
    return chosen;
}

/* penalties (r) by cross-validation. */
static ald_status choose_penalties(ald_run *run, lasso *l, double *penalties)
{
    const int64_t r = l->problem->r;
    double mu[grid_values], weight;
    double(*errors)[folds][grid_values];
    int count = 0;
    ALD_TRY(ald_scratch(run, r, 1, sizeof *errors, &errors));
    for (int f = 0; f < folds; f++) {
        ALD_TRY(find_fold(run, l, f, &weight));
        if (!(weight > 0.0)) continue;
        ALD_TRY(sum_products(run, l, l->root, l->part, l->part_cross));
        for (int64_t k = 0; k < r; k++) ALD_TRY(try_fold(run, l, k, weight, errors[k][count]));
        count++;
        ALD_TRY(ald_progress(run, "choosing penalties", (double)(f + 1) / folds));
    }
    for (int64_t k = 0; k < r; k++) {
        make_grid(l, k, mu);
        const int chosen = count > 1 ? choose(count, errors[k]) : 0, none = k == 0 && chosen == 0;
        penalties[k] = mu[0] > 0.0 ? mu[chosen + none] / mu[0] : 1.0;
        if (none)
            ald_log(run, ALD_LOG_INFO,
                    "by cross-validation no column predicts the slices; the largest penalty of the grid that "
                    "leaves "
                    "a coefficient is used");
    }
    return ALD_OK;
}

/* With components_rule=at-most those before it are taken. */
static ald_status no_coefficient(ald_run *run, int64_t k, double penalty)
{
    run->available = k;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "component %lld has no coefficient with `penalty=%g`%s: %sset a smaller `penalty`",
                    (long long)k + 1, penalty,
                    ald_setting_real(run, &penalty_param) > 0.0
                        ? ""
                        : ", which cross-validation chose, as no column predicts the slices",
                    k > 0 ? "lower `n_components`, or " : "");
}

/* Component k, in units of the prepared columns, with scores of variance 1. */
static ald_status solve(ald_run *run, const lasso *l, int64_t k, double penalty, double *component)
{
    const int64_t m = l->k, r = l->problem->r;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *b, *left;
    double mu[grid_values], variance = 0.0;
    ALD_TRY(ald_scratch_zeros(run, m, 1, &b));
    ALD_TRY(ald_scratch_reals(run, m, 1, &left));
    for (int64_t j = 0; j < m; j++) left[j] = l->cross[j * r + k];
    make_grid(l, k, mu);
    for (int i = 0; i < grid_values && mu[i] > penalty * mu[0]; i++)
        ALD_TRY(ald_lasso_descend(run, m, l->gram, mu[i], rough, b, left));
    ALD_TRY(ald_lasso_descend(run, m, l->gram, penalty * mu[0], exact, b, left));
    for (int64_t i = 0; i < m; i++) variance += b[i] * ald_dot(m, l->gram + i * m, b);
    if (!(variance > 0.0)) return no_coefficient(run, k, penalty);
    memset(component, 0, (size_t)l->problem->d * sizeof *component);
    for (int64_t j = 0; j < m; j++)
        component[l->kept[j]] = b[j] / (sqrt(variance) * l->deviation[l->kept[j]]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status make_problem(ald_run *run, lasso *l, ald_model *model)
{
    const int64_t n = l->problem->n, r = l->problem->r;
    double *means;
    ALD_TRY(ald_problem_slices(run, l->problem, ald_slices_asked(run), model, &l->slices));
    ALD_TRY(standardise(run, l));
    ALD_TRY(ald_scratch_reals(run, l->problem->d, l->slices.count, &means));
    ALD_TRY(slice_means(run, l, means));
    ALD_TRY(screen(run, l, means));
    ALD_TRY(make_responses(run, l, means));
    ALD_TRY(take_columns(run, l));
    ALD_TRY(ALD_SCRATCH(run, {&l->gram, l->k, l->k}, {&l->cross, l->k, r}, {&l->part, l->k, l->k},
                        {&l->part_cross, l->k, r}, {&l->share, n, 1}, {&l->root, n, 1}));
    for (int64_t i = 0; i < n; i++) l->root[i] = 1.0;
    ALD_TRY(sum_products(run, l, l->root, l->gram, l->cross));
    ald_scale(1.0 / l->total, ald_at(l->gram, l->k, l->k));
    ald_scale(1.0 / l->total, ald_at(l->cross, l->k, r));
    return ald_model_set_printed(run, model, "alidade.resolved.columns", "%lld", (long long)l->k);
}

static ald_status lasso_sir_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const double penalty = ald_setting_real(run, &penalty_param);
    const int64_t r = problem->r, d = problem->d;
    lasso l = {.problem = problem, .total = problem->total};
    double *penalties, *components;
    ALD_TRY(ald_check_class_columns(run, problem));
    ALD_TRY(make_problem(run, &l, model));
    ALD_TRY(ALD_SCRATCH(run, {&penalties, r, 1}, {&components, r, d}));
    for (int64_t k = 0; k < r; k++) penalties[k] = penalty;
    if (!(penalty > 0.0)) ALD_TRY(choose_penalties(run, &l, penalties));
    for (int64_t k = 0; k < r; k++) ALD_TRY(solve(run, &l, k, penalties[k], components + k * d));
    ALD_TRY(ald_add_components(run, problem, r, components, NULL, model));
    ALD_TRY(ald_model_add_vector(run, model, "penalties", r, penalties));
    return ald_model_add_vector(run, model, "eigenvalues", r, l.values);
}

const ald_method ald_method_lasso_sir = {
    .name = "lasso-sir",
    .title = "Lasso-SIR: sparse sliced inverse regression",
    .synonyms = "sparse sir, lasso sliced inverse regression",
    .summary = "Few columns along which the mean of x moves with the target, also of more columns than rows.",
    .reference = "Lin, Zhao and Liu (2019)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_MAP_NEW_ROWS |
                    ALD_IS_NESTED | ALD_IS_LINEAR,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS | ALD_BY_TARGET,
    .scale_free = 1,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = lasso_sir_fit,
};
