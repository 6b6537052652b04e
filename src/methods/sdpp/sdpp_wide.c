#include "methods/sdpp/sdpp_wide.h"

#include "cluster/divided/row_parcel.h"
#include "methods/sdpp/sdpp_points.h"

#include <math.h>
#include <string.h>

/* For this rank's rows, d each: the sums over the ranks for the mean, then for the deviation. */
typedef struct own_columns {
    double *mean, *deviation, *sums;
} own_columns;

static ald_status look_at_own(ald_run *run, const ald_operator *own, own_columns *c)
{
    const int64_t d = own->x.cols;
    ALD_TRY(ald_scratch_zeros(run, d, 1, &c->mean));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &c->deviation));
    ALD_TRY(ald_scratch_reals(run, d, 1, &c->sums));
    if (own->x.rows == 0) return ALD_OK;
    return ald_column_statistics(run, own, NULL,
                                 (ald_column_moments){.mean = c->mean, .deviation = c->deviation});
}

/* m = sum n_r m_r / n and s^2 = sum n_r (s_r^2 + (m_r - m)^2) / n, then in the units of Z. */
ald_status ald_sdpp_spread(ald_run *run, ald_service *s, ald_record *given, void *deviation)
{
    const ald_operator *own = &s->rows->z;
    const int64_t d = own->x.cols;
    const double rows = (double)own->x.rows, all = (double)s->rows->total;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    own_columns c = {0};
    (void)given;
    ALD_TRY(ald_all_agree(run, look_at_own(run, own, &c)));
    for (int64_t j = 0; j < d; j++) c.sums[j] = rows * c.mean[j];
    ALD_TRY(ald_all_sum(run, c.sums, d));
    for (int64_t j = 0; j < d; j++) {
        const double away = c.mean[j] - c.sums[j] / all;
        c.sums[j] = rows * (c.deviation[j] * c.deviation[j] + away * away);
    }
    ALD_TRY(ald_all_sum(run, c.sums, d));
    for (int64_t j = 0; deviation && j < d; j++)
        ((double *)deviation)[j] = sqrt(c.sums[j] / all) * (own->inverse_scale ? own->inverse_scale[j] : 1.0);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The own rows, then the partners. */
static ald_status stack_rows(ald_run *run, ald_sdpp_state *here)
{
    const ald_sdpp_share *share = &here->share;
    const int64_t more = share->partners.x.rows;
    ald_arena passing;
    ald_arena_init(&passing, run->call.allocator);
    ald_record parcels[] = {{.arena = &passing}, {.arena = &passing}};
    ald_status status = ald_rows_put(run, share->own, NULL, 0, share->own->x.rows, &parcels[0]);
    if (status >= 0 && more > 0) status = ald_rows_put(run, &share->partners, NULL, 0, more, &parcels[1]);
    if (status >= 0) status = ald_rows_taken(run, parcels, more > 0 ? 2 : 1, share->own, &here->stacked);
    ald_arena_free(&passing);
    return status;
}

static ald_status begin_own(ald_run *run, ald_sdpp_state *here, ald_record *given)
{
    const ald_sdpp_share *share = &here->share;
    const int64_t d = share->own->x.cols;
    double *diagonal;
    here->p = d;
    here->f = NULL;
    ALD_TRY(ald_record_take(run, given, &here->scale, 1, sizeof here->scale));
    ALD_TRY(ald_scratch_reals(run, d, 1, &diagonal));
    ALD_TRY(ald_record_take(run, given, diagonal, d, sizeof *diagonal));
    here->basis = (ald_basis){.z = &here->stacked, .n = share->n, .d = d, .p = d, .diagonal = diagonal};
    return share->n > 0 ? stack_rows(run, here) : ALD_OK;
}

ald_status ald_sdpp_begin_wide(ald_run *run, ald_service *s, ald_record *given, void *at_zero)
{
    ald_sdpp_state *here = s->self;
    ALD_TRY(ald_all_agree(run, begin_own(run, here, given)));
    return ald_sdpp_points_begin(run, here, at_zero);
}

/* F'L_q F v of the pairs of this rank. */
static ald_status times_own(ald_run *run, const ald_sdpp_state *here, const ald_sdpp_product *told,
                            const double *v, double *product)
{
    const ald_pairs *pairs = &here->share.pairs.pairs;
    const int64_t n = here->share.n, k = told->k, entries = pairs->count > 0 ? pairs->pointers[n] : 0;
    double *q = NULL, *u, *lu;
    if (entries == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, k}, {&lu, n, k}));
    if (!told->plain) ALD_TRY(ald_scratch_reals(run, entries, 1, &q));
    for (int64_t e = 0; q && e < entries; e++)
        q[e] = -2.0 * here->scale * pairs->weights[e] * here->share.pairs.squares[e];
    ALD_TRY(ald_basis_apply(run, &here->basis, v, k, u));
    ALD_TRY(ald_pairs_laplacian(run, pairs, q, u, k, lu));
    return ald_basis_apply_transposed(run, &here->basis, lu, k, product);
}

ald_status ald_sdpp_times(ald_run *run, ald_service *s, ald_record *given, void *product)
{
    const ald_sdpp_state *here = s->self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_sdpp_product told = {0};
    double *v = NULL, *sum = NULL;
    ald_status status = ald_record_take(run, given, &told, 1, sizeof told);
    if (status >= 0) status = ald_record_take_array(run, given, &v, here->p * told.k, sizeof *v);
    if (status >= 0) status = ald_scratch_zeros(run, here->p, told.k, &sum);
    if (status >= 0) status = times_own(run, here, &told, v, sum);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_all_sum(run, sum, here->p * told.k));
    if (product) memcpy(product, sum, (size_t)(here->p * told.k) * sizeof *sum);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
