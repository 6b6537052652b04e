#include "methods/sdpp/sdpp_operations.h"

#include "cluster/divided/kernel_others.h"
#include "math/linalg/linalg.h"
#include "methods/sdpp/sdpp_far.h"
#include "methods/sdpp/sdpp_numbers.h"
#include "methods/sdpp/sdpp_points.h"
#include "methods/sdpp/sdpp_starts.h"
#include "methods/sdpp/sdpp_wide.h"

#include <math.h>
#include <string.h>

enum { columns_at_once = 32 };

typedef ald_sdpp_state state;

static ald_status state_of(ald_run *run, ald_service *s, state **here)
{
    if (!s->self) {
        ALD_TRY(ald_scratch(run, 1, 1, sizeof **here, here));
        memset(*here, 0, sizeof **here);
        s->self = *here;
        (*here)->begin = ald_arena_mark(&run->scratch);
    }
    *here = s->self;
    return ALD_OK;
}

static ald_status find(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    state *here = NULL;
    ald_sdpp_wanted wanted = {0};
    ald_status status = state_of(run, s, &here);
    if (status >= 0) status = ald_record_take(run, given, &wanted, 1, sizeof wanted);
    ALD_TRY(ald_all_agree(run, status));
    ald_arena_release(&run->scratch, here->begin);
    ALD_TRY(ald_sdpp_find_share(run, s, &wanted, &here->share));
    ALD_TRY(ald_sdpp_number_pairs(run, s, &here->share, &here->numbers));
    double sums[] = {here->share.pairs.pairs.total, here->share.pairs.wanted};
    ALD_TRY(ald_all_sum(run, sums, 2));
    ALD_TRY(ald_all_count(run, &here->share.isolated, 1));
    if (result)
        *(ald_sdpp_found *)result =
            (ald_sdpp_found){here->numbers.all, here->share.isolated, here->share.how, sums[0], sums[1]};
    return ALD_OK;
}

/* u (n x k) = Z v over the rows that are here, own ones first. */
static ald_status apply(ald_run *run, const ald_sdpp_share *share, const double *v, int64_t k, double *u)
{
    const int64_t d = share->own->x.cols, own = share->own->x.rows, more = share->partners.x.rows;
    if (own > 0) ALD_TRY(ald_operator_apply(run, share->own, ald_of(v, d, k), ald_at(u, own, k)));
    if (more == 0) return ALD_OK;
    return ald_operator_apply(run, &share->partners, ald_of(v, d, k), ald_at(u + own * k, more, k));
}

/* v (d x k) = Z'u; `part` has the same size. */
static ald_status apply_transposed(ald_run *run, const ald_sdpp_share *share, const double *u, int64_t k,
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

/* c (d x d) = Z'L Z of the pairs of this rank, a block of columns at a time. */
static ald_status scatter_of(ald_run *run, const ald_sdpp_share *share, double *c)
{
    const int64_t d = share->own->x.cols, n = share->n;
    double *pick, *u, *lu, *part;
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
            for (int64_t j = 0; j < cols; j++) c[i * d + j0 + j] = pick[i * cols + j];
    }
    return ALD_OK;
}

typedef ald_status (*square_fn)(ald_run *run, const ald_sdpp_share *share, double *c);

/* The sum of a square over all ranks. */
static ald_status sum_square(ald_run *run, const ald_service *s, square_fn make, void *result)
{
    const state *here = s->self;
    const int64_t d = here->share.own->x.cols;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *c = NULL;
    ald_status status = ald_scratch_zeros(run, d, d, &c);
    if (status >= 0 && here->share.n > 0) status = make(run, &here->share, c);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_all_sum(run, c, d * d));
    if (result) memcpy(result, c, (size_t)(d * d) * sizeof *c);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status scatter(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    (void)given;
    return sum_square(run, s, scatter_of, result);
}

static ald_status normal_of(ald_run *run, const ald_sdpp_share *share, double *c)
{
    const int64_t d = share->own->x.cols;
    return share->own->x.rows > 0 ? ald_operator_scatter(run, share->own, ald_at(c, d, d)) : ALD_OK;
}

static ald_status normal(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    (void)given;
    return sum_square(run, s, normal_of, result);
}

/* F of the rows that are here. */
static ald_status make_rows(ald_run *run, state *here, ald_record *given)
{
    const ald_sdpp_share *share = &here->share;
    const int64_t d = share->own->x.cols;
    ald_sdpp_coordinates told;
    double *m;
    ALD_TRY(ald_record_take(run, given, &told, 1, sizeof told));
    here->p = told.p;
    here->scale = told.scale;
    ALD_TRY(ald_scratch_reals(run, share->n, told.p, &here->f));
    ALD_TRY(ald_scratch_reals(run, d, told.p, &m));
    ALD_TRY(ald_record_take(run, given, m, d * told.p, sizeof *m));
    return share->n > 0 ? apply(run, share, m, told.p, here->f) : ALD_OK;
}

static ald_status add_up(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    state *here = s->self;
    ald_quadratic sums;
    ALD_TRY(ald_all_agree(run, make_rows(run, here, given)));
    ALD_TRY(ald_sdpp_sum_pairs(run, ALD_OK, here, here->p, here->f, &sums));
    if (result) *(ald_quadratic *)result = sums;
    return ALD_OK;
}

/* J(0) of the pairs of all ranks. */
static ald_status begin_points(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    state *here = s->self;
    ALD_TRY(ald_all_agree(run, make_rows(run, here, given)));
    return ald_sdpp_points_begin(run, here, result);
}

/* Numbers from `from` to `to` that are drawn for pairs elsewhere. */
static void pass_over(int64_t from, int64_t to, int64_t every, ald_random *random)
{
    for (int64_t k = (from + every - 1) / every; k * every < to; k++) ald_random_normal(random);
}

static ald_status draw_own(ald_run *run, const state *here, ald_random *random, double *v)
{
    const ald_sdpp_numbers *numbers = &here->numbers;
    const int64_t n = here->share.n;
    int64_t at = 0;
    double *u;
    ALD_TRY(ald_scratch_zeros(run, n, 1, &u));
    memset(v, 0, (size_t)here->p * sizeof *v);
    for (int64_t k = 0; k < numbers->count; k++) {
        const ald_sdpp_numbered *pair = &numbers->drawn[k];
        pass_over(at, pair->number, numbers->every, random);
        const double g = sqrt(pair->weight) * ald_random_normal(random);
        u[pair->low] += g;
        u[pair->high] -= g;
        at = pair->number + 1;
    }
    pass_over(at, numbers->all, numbers->every, random);
    if (n == 0) return ALD_OK;
    if (!here->f) return ald_basis_apply_transposed(run, &here->basis, u, 1, v);
    return ald_product(run, ald_t(ald_of(here->f, n, here->p)), ald_of(u, n, 1), ald_at(v, here->p, 1));
}

static ald_status draw(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    const state *here = s->self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_random told;
    double *v = NULL;
    ald_status status = ald_record_take(run, given, &told, 1, sizeof told);
    if (status >= 0) status = ald_scratch_reals(run, here->p, 1, &v);
    if (status >= 0) status = draw_own(run, here, &told, v);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_all_sum(run, v, here->p));
    if (result) {
        const ald_sdpp_drawn *drawn = result;
        *drawn->random = told;
        memcpy(drawn->v, v, (size_t)here->p * sizeof *v);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Features of rows, in scratch. */
static ald_status map_rows(ald_run *run, const ald_feature_map *by, const ald_operator *rows,
                           ald_operator *mapped)
{
    const int64_t count = rows->x.rows;
    double *f;
    ALD_TRY(ald_scratch_reals(run, count, by->p, &f));
    if (count > 0) ALD_TRY(ald_feature_map_apply(run, by, rows, f));
    *mapped = (ald_operator){.x = ald_matrix_row_major(f, count, by->p, by->p)};
    return ALD_OK;
}

static ald_status map_share(ald_run *run, state *here, ald_record *given)
{
    ald_sdpp_share *share = &here->share;
    const ald_operator partners = share->partners;
    ald_feature_map by;
    ALD_TRY(ald_feature_map_take(run, given, &by));
    ALD_TRY(map_rows(run, &by, share->own, &here->mapped));
    ALD_TRY(map_rows(run, &by, &partners, &share->partners));
    share->own = &here->mapped;
    return ALD_OK;
}

/* Features of the rows take their place, once the pairs are found. */
static ald_status map(ald_run *run, ald_service *s, ald_record *given, void *own)
{
    state *here = s->self;
    ALD_TRY(ald_all_agree(run, map_share(run, here, given)));
    if (own) *(ald_operator *)own = here->mapped;
    return ALD_OK;
}

static const ald_service_fn operations[ALD_SDPP_OPERATIONS] = {
    [ALD_SDPP_FIND] = find,
    [ALD_SDPP_SCATTER] = scatter,
    [ALD_SDPP_NORMAL] = normal,
    [ALD_SDPP_ADD_UP] = add_up,
    [ALD_SDPP_DRAW] = draw,
    [ALD_SDPP_BEGIN_POINTS] = begin_points,
    [ALD_SDPP_PLACE] = ald_sdpp_place,
    [ALD_SDPP_GRADIENT] = ald_sdpp_gradient,
    [ALD_SDPP_LINE] = ald_sdpp_line,
    [ALD_SDPP_MOVE] = ald_sdpp_move,
    [ALD_SDPP_MATRIX] = ald_sdpp_matrix,
    [ALD_SDPP_WITHIN] = ald_sdpp_within,
    [ALD_SDPP_SPREAD] = ald_sdpp_spread,
    [ALD_SDPP_BEGIN_WIDE] = ald_sdpp_begin_wide,
    [ALD_SDPP_TIMES] = ald_sdpp_times,
    [ALD_SDPP_MAP] = map,
};
const ald_service_table ald_sdpp_others = {ALD_SDPP_OPERATIONS, operations, ald_sdpp_far_check, NULL};
const ald_service_table ald_ksdpp_others = {
    ALD_SDPP_OPERATIONS,
    operations,
    ald_sdpp_kernel_check,
    ald_kernel_operations,
};
