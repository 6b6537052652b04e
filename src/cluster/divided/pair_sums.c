/* The pairs of a rank, with F = Z M of its rows and of the partners. Up to 62 coordinates they are added
 * up (optimize/quadratic.h); beyond that the rank has the stress of its pairs, goes to the points that
 * rank 0 sets, and gives values and gradients. With more than 2000 columns coordinates are the columns in
 * units of their deviations, and all is done by products with X (optimize/basis.h). */
#include "cluster/divided/pair_sums.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { columns_at_once = 32 };

typedef ald_pair_state state;
typedef ald_pair_question question;

static int64_t pairs_of(const state *here)
{
    return here->share.pairs.pairs.count;
}

/* u (n x k) = Z v over the rows that are here, this rank's first. */
static ald_status apply(ald_run *run, const ald_pair_share *share, const double *v, int64_t k, double *u)
{
    const int64_t d = share->own->x.cols, own = share->own->x.rows, more = share->partners.x.rows;
    if (own > 0) ALD_TRY(ald_operator_apply(run, share->own, ald_of(v, d, k), ald_at(u, own, k)));
    if (more == 0) return ALD_OK;
    return ald_operator_apply(run, &share->partners, ald_of(v, d, k), ald_at(u + own * k, more, k));
}

/* v (d x k) = Z'u; `part` has the same size. */
static ald_status apply_transposed(ald_run *run, const ald_pair_share *share, const double *u, int64_t k,
                                   double *part, double *v)
{
    const int64_t d = share->own->x.cols, own = share->own->x.rows, more = share->partners.x.rows;
    memset(v, 0, (size_t)(d * k) * sizeof *v);
    if (own > 0) ALD_TRY(ald_operator_apply_transposed(run, share->own, ald_of(u, own, k), ald_at(v, d, k)));
    if (more == 0) return ALD_OK;
    ALD_TRY(ald_operator_apply_transposed(run, &share->partners, ald_of(u + own * k, more, k),
                                          ald_at(part, d, k)));
    for (int64_t i = 0; i < d * k; i++) v[i] += part[i];
    return ALD_OK;
}

/* Z'L Z, a block of columns at a time. */
static ald_status scatter(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_pair_share *share = &here->share;
    const int64_t d = share->own->x.cols, n = share->n;
    double *pick, *u, *lu, *part;
    (void)q, (void)given;
    if (n == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&pick, d, columns_at_once}, {&u, n, columns_at_once}, {&lu, n, columns_at_once},
                        {&part, d, columns_at_once}));
    for (int64_t j0 = 0; j0 < d; j0 += columns_at_once) {
        const int64_t cols = d - j0 < columns_at_once ? d - j0 : columns_at_once;
        memset(pick, 0, (size_t)(d * cols) * sizeof *pick);
        for (int64_t j = 0; j < cols; j++) pick[(j0 + j) * cols + j] = 1.0;
        ALD_TRY(apply(run, share, pick, cols, u));
        ALD_TRY(ald_pairs_laplacian(run, &share->pairs.pairs, NULL, u, cols, lu));
        ALD_TRY(apply_transposed(run, share, lu, cols, part, pick));
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = 0; j < cols; j++) sum[i * d + j0 + j] = pick[i * cols + j];
    }
    return ALD_OK;
}

static ald_status normal(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_operator *own = here->share.own;
    const int64_t d = own->x.cols;
    (void)q, (void)given;
    return own->x.rows > 0 ? ald_operator_scatter(run, own, ald_at(sum, d, d)) : ALD_OK;
}

/* The rows of this rank, then the partners. */
static ald_status stack_rows(ald_run *run, state *here)
{
    const ald_pair_share *share = &here->share;
    const int64_t more = share->partners.x.rows;
    ald_arena passing;
    ald_arena_init(&passing, run->call.allocator);
    ald_record records[] = {{.arena = &passing}, {.arena = &passing}};
    ald_status status = ald_rows_put(run, share->own, NULL, 0, share->own->x.rows, &records[0]);
    if (status >= 0 && more > 0) status = ald_rows_put(run, &share->partners, NULL, 0, more, &records[1]);
    if (status >= 0) status = ald_rows_take(run, records, more > 0 ? 2 : 1, share->own, &here->stacked);
    ald_arena_free(&passing);
    return status;
}

/* F of the rows that are here, or the rows themselves and the diagonal of M. */
static ald_status set_coordinates(ald_run *run, state *here, const question *q, const double *given)
{
    const ald_pair_share *share = &here->share;
    const int64_t n = share->n;
    double *diagonal;
    here->p = q->p;
    here->scale = q->scale;
    here->f = NULL;
    if (!q->wide) {
        ALD_TRY(ald_scratch_reals(run, n, q->p, &here->f));
        here->basis = (ald_basis){.n = n, .d = q->p, .p = q->p, .rows = here->f};
        return n > 0 ? apply(run, share, given, q->p, here->f) : ALD_OK;
    }
    ALD_TRY(ald_scratch_reals(run, q->p, 1, &diagonal));
    memcpy(diagonal, given, (size_t)q->p * sizeof *diagonal);
    here->basis = (ald_basis){.z = &here->stacked, .n = n, .d = q->p, .p = q->p, .diagonal = diagonal};
    return n > 0 ? stack_rows(run, here) : ALD_OK;
}

/* A, b and c of the pairs in the coordinates `rows` (share.n x p), one behind the other. */
static ald_status sum_pairs(ald_run *run, const state *here, int64_t p, const double *rows, double *sum)
{
    const ald_pair_share *share = &here->share;
    const ald_basis basis = {.n = share->n, .d = p, .p = p, .rows = rows};
    const ald_stress stress = {
        .basis = &basis,
        .pairs = &share->pairs.pairs,
        .squares = share->pairs.squares,
        .scale = here->scale,
    };
    ald_quadratic made = {0};
    if (pairs_of(here) == 0) return ALD_OK;
    ALD_TRY(ald_quadratic_sum(run, &stress, &made));
    const int64_t s = made.s;
    memcpy(sum, made.a, (size_t)(s * s) * sizeof *sum);
    memcpy(sum + s * s, made.b, (size_t)s * sizeof *sum);
    sum[s * s + s] = made.c;
    ald_arena_drop(&run->scratch, made.a);
    ald_arena_drop(&run->scratch, made.b);
    return ALD_OK;
}

static ald_status quadratic(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    ALD_TRY(set_coordinates(run, here, q, given));
    return sum_pairs(run, here, here->p, here->f, sum);
}

static ald_status at_zero(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_pair_share *share = &here->share;
    ALD_TRY(set_coordinates(run, here, q, given));
    here->stress = (ald_stress){
        .basis = &here->basis,
        .pairs = &share->pairs.pairs,
        .squares = share->pairs.squares,
        .scale = here->scale,
        .divergence = ald_sdpp_settings_of(run).divergence,
    };
    here->points = ald_arena_mark(&run->scratch);
    *sum = ald_stress_at_zero(&here->stress);
    return ALD_OK;
}

static ald_status place(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_objective objective = ald_stress_objective(&here->stress);
    (void)sum;
    here->r = q->r;
    here->groups = q->groups;
    if (pairs_of(here) == 0) return ALD_OK;
    ALD_TRY(ald_stress_prepare(run, &here->stress, q->r, q->groups));
    return objective.place(run, objective.self, given, q->r, q->groups);
}

static ald_status gradient(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_objective objective = ald_stress_objective(&here->stress);
    (void)q, (void)given;
    if (pairs_of(here) == 0) return ALD_OK;
    return objective.gradient(run, objective.self, sum, sum + here->groups);
}

static ald_status line(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    (void)q;
    return pairs_of(here) > 0 ? ald_stress_line(run, &here->stress, given, sum) : ALD_OK;
}

static ald_status move(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_objective objective = ald_stress_objective(&here->stress);
    (void)q, (void)sum;
    return pairs_of(here) > 0 ? objective.move(run, objective.self, given) : ALD_OK;
}

/* q = 2 c w (D - t) of the pairs of this rank. */
static ald_status find_entries(ald_run *run, const state *here, int64_t r, const double *w, double **entries)
{
    const ald_pairs *pairs = &here->share.pairs.pairs;
    const int64_t n = here->share.n;
    double *u;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, r}, {entries, 2 * pairs->count, 1}));
    if (r > 0) ALD_TRY(ald_product(run, ald_of(here->f, n, here->p), ald_of(w, here->p, r), ald_at(u, n, r)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++) {
            const double *a = u + i * r, *b = u + pairs->partners[e] * r;
            double apart = 0.0;
            for (int64_t k = 0; k < r; k++) apart += (a[k] - b[k]) * (a[k] - b[k]);
            (*entries)[e] = 2.0 * here->scale * pairs->weights[e] * (apart - here->share.pairs.squares[e]);
        }
    return ALD_OK;
}

/* F'L_q F, some columns at a time. */
static ald_status matrix(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const int64_t n = here->share.n, p = here->p;
    double *entries, *lu;
    if (pairs_of(here) == 0) return ALD_OK;
    ALD_TRY(find_entries(run, here, q->r, given, &entries));
    ALD_TRY(ald_scratch_reals(run, n, columns_at_once, &lu));
    for (int64_t c = 0; c < p; c += columns_at_once) {
        const int64_t cols = p - c < columns_at_once ? p - c : columns_at_once;
        ald_pairs_columns(&here->share.pairs.pairs, 0, entries,
                          ald_view_block(ald_of(here->f, n, p), 0, c, n, cols), ald_at(lu, n, cols));
        ALD_TRY(ald_product(run, ald_t(ald_of(here->f, n, p)), ald_of(lu, n, cols),
                            ald_area_block(ald_at(sum, p, p), 0, c, p, cols)));
        ALD_TRY(ald_ask_again(run));
    }
    return ALD_OK;
}

static ald_status within(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const int64_t n = here->share.n;
    double *rows;
    here->r = 0; /* the point is left */
    ALD_TRY(ald_scratch_reals(run, n, q->r, &rows));
    if (n > 0)
        ALD_TRY(ald_product(run, ald_of(here->f, n, here->p), ald_of(given, here->p, q->r),
                            ald_at(rows, n, q->r)));
    return sum_pairs(run, here, q->r, rows, sum);
}

static ald_status product(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_pairs *pairs = &here->share.pairs.pairs;
    const int64_t n = here->share.n, k = q->r, entries = pairs->count > 0 ? pairs->pointers[n] : 0;
    double *weights = NULL, *u, *lu;
    if (entries == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, k}, {&lu, n, k}));
    if (!q->wide) ALD_TRY(ald_scratch_reals(run, entries, 1, &weights));
    for (int64_t e = 0; weights && e < entries; e++)
        weights[e] = -2.0 * here->scale * pairs->weights[e] * here->share.pairs.squares[e];
    ALD_TRY(ald_basis_apply(run, &here->basis, given, k, u));
    ALD_TRY(ald_pairs_laplacian(run, pairs, weights, u, k, lu));
    return ald_basis_apply_transposed(run, &here->basis, lu, k, sum);
}

/* Numbers from `from` to `to` that are drawn for pairs elsewhere. */
static void pass_over(int64_t from, int64_t to, int64_t every, ald_random *random)
{
    for (int64_t k = (from + every - 1) / every; k * every < to; k++) ald_random_normal(random);
}

static ald_status draw(ald_run *run, state *here, const question *q, const double *given, double *sum)
{
    const ald_pair_numbers *numbers = &here->share.numbers;
    const int64_t n = here->share.n;
    int64_t at = 0;
    double *u;
    (void)given;
    here->random = q->random;
    ALD_TRY(ald_scratch_zeros(run, n, 1, &u));
    for (int64_t k = 0; k < numbers->count; k++) {
        const ald_numbered_pair *pair = &numbers->drawn[k];
        pass_over(at, pair->number, numbers->every, &here->random);
        const double g = sqrt(pair->weight) * ald_random_normal(&here->random);
        u[pair->low] += g;
        u[pair->high] -= g;
        at = pair->number + 1;
    }
    pass_over(at, numbers->all, numbers->every, &here->random);
    if (n == 0) return ALD_OK;
    if (!here->f) return ald_basis_apply_transposed(run, &here->basis, u, 1, sum);
    return ald_product(run, ald_t(ald_of(here->f, n, here->p)), ald_of(u, n, 1), ald_at(sum, here->p, 1));
}

const ald_pair_part ald_pair_parts[] = {
    [ALD_SUM_SCATTER] = {scatter, ALD_RELEASED},  [ALD_SUM_NORMAL] = {normal, ALD_RELEASED},
    [ALD_SUM_QUADRATIC] = {quadratic, ALD_LASTS}, [ALD_SUM_AT_ZERO] = {at_zero, ALD_LASTS},
    [ALD_SUM_PLACE] = {place, ALD_AT_POINT},      [ALD_SUM_GRADIENT] = {gradient, ALD_RELEASED},
    [ALD_SUM_LINE] = {line, ALD_RELEASED},        [ALD_SUM_MOVE] = {move, ALD_RELEASED},
    [ALD_SUM_MATRIX] = {matrix, ALD_RELEASED},    [ALD_SUM_WITHIN] = {within, ALD_AT_POINT},
    [ALD_SUM_PRODUCT] = {product, ALD_RELEASED},  [ALD_SUM_DRAW] = {draw, ALD_RELEASED},
};
