#include "methods/sdpp/sdpp_points.h"

#include "math/linalg/linalg.h"
#include "methods/sdpp/sdpp_params.h"

#include <string.h>

enum { columns_at_once = 32 };

static int64_t pairs_of(const ald_sdpp_state *here)
{
    return here->share.pairs.pairs.count;
}

/* Agrees on `status`, then sums `count` values, which are 0 on a rank without pairs. */
static ald_status sum_all(ald_run *run, ald_status status, double *values, int64_t count)
{
    ALD_TRY(ald_all_agree(run, status));
    return ald_all_sum(run, values, count);
}

static ald_status own_sums(ald_run *run, ald_status status, const ald_sdpp_state *here, const double *rows,
                           ald_quadratic *q)
{
    const ald_sdpp_share *share = &here->share;
    const ald_basis basis = {.n = share->n, .d = q->p, .p = q->p, .rows = rows};
    const ald_stress stress = {
        .basis = &basis,
        .pairs = &share->pairs.pairs,
        .squares = share->pairs.squares,
        .scale = here->scale,
    };
    ALD_TRY(status);
    if (pairs_of(here) > 0) return ald_quadratic_sum(run, &stress, q);
    ALD_TRY(ald_scratch_zeros(run, q->s, q->s, &q->a));
    return ald_scratch_zeros(run, q->s, 1, &q->b);
}

ald_status ald_sdpp_sum_pairs(ald_run *run, ald_status status, const ald_sdpp_state *here, int64_t p,
                              const double *rows, ald_quadratic *q)
{
    *q = (ald_quadratic){.p = p, .s = ald_svec_size(p)};
    ALD_TRY(ald_all_agree(run, own_sums(run, status, here, rows, q)));
    ALD_TRY(ald_all_sum(run, q->a, q->s * q->s));
    ALD_TRY(ald_all_sum(run, q->b, q->s));
    return ald_all_sum(run, &q->c, 1);
}

ald_status ald_sdpp_points_begin(ald_run *run, ald_sdpp_state *here, double *at_zero)
{
    const ald_sdpp_share *share = &here->share;
    if (here->f) here->basis = (ald_basis){.n = share->n, .d = here->p, .p = here->p, .rows = here->f};
    here->stress = (ald_stress){
        .basis = &here->basis,
        .pairs = &share->pairs.pairs,
        .squares = share->pairs.squares,
        .scale = here->scale,
        .divergence = ald_sdpp_settings_of(run).divergence,
    };
    here->points = ald_arena_mark(&run->scratch);
    double sum = ald_stress_at_zero(&here->stress);
    ALD_TRY(ald_all_sum(run, &sum, 1));
    if (at_zero) *at_zero = sum;
    return ALD_OK;
}

/* Room for points of another shape takes the place of that before. */
static ald_status place_own(ald_run *run, ald_sdpp_state *here, ald_record *given)
{
    const ald_objective objective = ald_stress_objective(&here->stress);
    double *w;
    ALD_TRY(ald_record_take_count(run, given, &here->r));
    ALD_TRY(ald_record_take_count(run, given, &here->groups));
    if (pairs_of(here) == 0) return ALD_OK;
    ald_arena_release(&run->scratch, here->points);
    ALD_TRY(ald_stress_prepare(run, &here->stress, here->r, here->groups));
    ALD_TRY(ald_record_take_array(run, given, &w, here->p * here->r * here->groups, sizeof *w));
    return objective.place(run, objective.self, w, here->r, here->groups);
}

ald_status ald_sdpp_place(ald_run *run, ald_service *s, ald_record *given, void *nothing)
{
    (void)nothing;
    return ald_all_agree(run, place_own(run, s->self, given));
}

ald_status ald_sdpp_gradient(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    ald_sdpp_state *here = s->self;
    const ald_objective objective = ald_stress_objective(&here->stress);
    const int64_t count = here->p * here->r * here->groups;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *values = NULL;
    (void)given;
    ald_status status = ald_scratch_zeros(run, here->groups + count, 1, &values);
    if (status >= 0 && pairs_of(here) > 0)
        status = objective.gradient(run, objective.self, values, values + here->groups);
    ALD_TRY(sum_all(run, status, values, here->groups + count));
    if (result) {
        const ald_sdpp_slope *slope = result;
        memcpy(slope->values, values, (size_t)here->groups * sizeof *values);
        memcpy(slope->g, values + here->groups, (size_t)count * sizeof *values);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status line_own(ald_run *run, ald_sdpp_state *here, ald_record *given, double *c)
{
    double *v;
    if (pairs_of(here) == 0) return ALD_OK;
    ALD_TRY(ald_record_take_array(run, given, &v, here->p * here->r * here->groups, sizeof *v));
    return ald_stress_line(run, &here->stress, v, c);
}

ald_status ald_sdpp_line(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    ald_sdpp_state *here = s->self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *c = NULL;
    ald_status status = ald_scratch_zeros(run, here->groups, 5, &c);
    if (status >= 0) status = line_own(run, here, given, c);
    ALD_TRY(sum_all(run, status, c, 5 * here->groups));
    if (result) memcpy(result, c, (size_t)(5 * here->groups) * sizeof *c);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status move_own(ald_run *run, ald_sdpp_state *here, ald_record *given)
{
    const ald_objective objective = ald_stress_objective(&here->stress);
    double *steps;
    if (pairs_of(here) == 0) return ALD_OK;
    ALD_TRY(ald_record_take_array(run, given, &steps, here->groups, sizeof *steps));
    return objective.move(run, objective.self, steps);
}

ald_status ald_sdpp_move(ald_run *run, ald_service *s, ald_record *given, void *nothing)
{
    (void)nothing;
    return ald_all_agree(run, move_own(run, s->self, given));
}

/* q = 2 c w (D - t) of the pairs of this rank. */
static ald_status find_entries(ald_run *run, const ald_sdpp_state *here, ald_record *given, double **entries)
{
    const ald_pairs *pairs = &here->share.pairs.pairs;
    const int64_t n = here->share.n;
    int64_t r;
    double *w, *u;
    ALD_TRY(ald_record_take_count(run, given, &r));
    ALD_TRY(ald_record_take_array(run, given, &w, here->p * r, sizeof *w));
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

/* z = F'L_q F, some columns at a time. */
static ald_status matrix_own(ald_run *run, const ald_sdpp_state *here, ald_record *given, double *z)
{
    const int64_t n = here->share.n, p = here->p;
    double *entries, *lu;
    if (pairs_of(here) == 0) return ALD_OK;
    ALD_TRY(find_entries(run, here, given, &entries));
    ALD_TRY(ald_scratch_reals(run, n, columns_at_once, &lu));
    for (int64_t c = 0; c < p; c += columns_at_once) {
        const int64_t cols = p - c < columns_at_once ? p - c : columns_at_once, range[] = {0, n};
        ald_pairs_columns(&here->share.pairs.pairs, range, entries, here->f + c, p, cols, lu, cols);
        ALD_TRY(ald_product(run, ald_t(ald_of(here->f, n, p)), ald_of(lu, n, cols),
                            ald_area_block(ald_at(z, p, p), 0, c, p, cols)));
        ALD_TRY(ald_ask_again(run));
    }
    return ALD_OK;
}

ald_status ald_sdpp_matrix(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    const ald_sdpp_state *here = s->self;
    const int64_t count = here->p * here->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *z = NULL;
    ald_status status = ald_scratch_zeros(run, here->p, here->p, &z);
    if (status >= 0) status = matrix_own(run, here, given, z);
    ALD_TRY(sum_all(run, status, z, count));
    if (result) memcpy(result, z, (size_t)count * sizeof *z);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Rows F x. */
static ald_status rows_within(ald_run *run, const ald_sdpp_state *here, ald_record *given, int64_t *q,
                              double **rows)
{
    const int64_t n = here->share.n;
    double *x;
    ALD_TRY(ald_record_take_count(run, given, q));
    ALD_TRY(ald_record_take_array(run, given, &x, here->p * *q, sizeof *x));
    ALD_TRY(ald_scratch_reals(run, n, *q, rows));
    if (n == 0) return ALD_OK;
    return ald_product(run, ald_of(here->f, n, here->p), ald_of(x, here->p, *q), ald_at(*rows, n, *q));
}

ald_status ald_sdpp_within(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    ald_sdpp_state *here = s->self;
    ald_quadratic sums;
    int64_t q = 0;
    double *rows = NULL;
    here->r = 0; /* the point is left */
    ald_arena_release(&run->scratch, here->points);
    const ald_status status = rows_within(run, here, given, &q, &rows);
    ALD_TRY(ald_sdpp_sum_pairs(run, status, here, q, rows, &sums));
    if (result) *(ald_quadratic *)result = sums;
    return ALD_OK;
}
