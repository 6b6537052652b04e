/* Each rank has its rows, its share of the pairs and a copy of the partners (pair_share.h). A sum over
 * pairs: rank 0 sends what it is about and some numbers, each rank computes its part (pair_sums.h), and
 * the parts are summed. */
#include "cluster/divided/remote_pairs.h"

#include "cluster/divided/kernel_rows.h"
#include "cluster/divided/pair_sums.h"
#include "methods/sdpp/sdpp_cost.h"

#include <string.h>

typedef ald_pair_state state;
typedef ald_pair_question question;

/* Where rank 0 wants a sum: copied to `values` (NULL: not), or left where it is. */
typedef struct answer {
    double *values, *kept;
} answer;

ald_status ald_service_sum_pairs(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    state *here = s->self;
    answer *to = result;
    question q = {0};
    double *sum = NULL;
    ald_status status = ald_record_take(run, given, &q, 1, sizeof q);
    const ald_pair_part *part = &ald_pair_parts[q.sum];
    if (part->memory == ALD_AT_POINT) ald_arena_release(&run->scratch, here->points);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (status >= 0) status = ald_scratch_zeros(run, q.count, 1, &sum);
    if (status >= 0)
        status = part->compute(run, here, &q, (const double *)(const void *)(given->bytes + given->at), sum);
    ALD_TRY(ald_all_agree(run, status));
    if (q.count > 0) ALD_TRY(ald_all_sum(run, sum, q.count));
    if (to && to->values) memcpy(to->values, sum, (size_t)q.count * sizeof *sum);
    if (to) to->kept = sum;
    if (part->memory == ALD_RELEASED) ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status ask(ald_run *run, ald_service *s, const question *q, const double *numbers, answer *to)
{
    ald_record given = {.arena = &run->scratch};
    ald_status status = ald_record_put(run, &given, q, 1, sizeof *q);
    if (status >= 0 && q->given > 0) status = ald_record_put(run, &given, numbers, q->given, sizeof *numbers);
    status = ald_service_ask(run, s, ALD_SUM_PAIRS, status, &given, to);
    ald_arena_drop(&run->scratch, given.bytes);
    return status;
}

static ald_status ask_for(ald_run *run, ald_service *s, question q, const double *numbers, double *values)
{
    answer to = {.values = values};
    return ask(run, s, &q, numbers, &to);
}

static ald_status remote_scatter(ald_run *run, void *self, int64_t d, double *c)
{
    return ask_for(run, self, (question){.sum = ALD_SUM_SCATTER, .count = d * d}, NULL, c);
}

static ald_status remote_normal(ald_run *run, void *self, int64_t d, double *c)
{
    return ask_for(run, self, (question){.sum = ALD_SUM_NORMAL, .count = d * d}, NULL, c);
}

/* A, b and c stay in the scratch of the service. */
static ald_status ask_quadratic(ald_run *run, ald_service *s, question q, int64_t p, const double *numbers,
                                ald_quadratic *sums)
{
    const int64_t size = ald_svec_size(p);
    answer to = {0};
    q.count = size * size + size + 1;
    ALD_TRY(ask(run, s, &q, numbers, &to));
    *sums = (ald_quadratic){
        .p = p,
        .s = size,
        .a = to.kept,
        .b = to.kept + size * size,
        .c = to.kept[size * size + size],
    };
    return ALD_OK;
}

static ald_status remote_add_up(ald_run *run, void *self, const ald_basis *basis, double scale,
                                ald_quadratic *sums)
{
    const question q = {
        .sum = ALD_SUM_QUADRATIC,
        .p = basis->p,
        .scale = scale,
        .given = basis->d * basis->p,
    };
    return ask_quadratic(run, self, q, basis->p, basis->matrix, sums);
}

static ald_status remote_place(ald_run *run, void *self, const double *w, int64_t r, int64_t groups)
{
    const ald_service *s = self;
    const int64_t count = ((const state *)s->self)->p * r * groups;
    return ask_for(run, self, (question){.sum = ALD_SUM_PLACE, .r = r, .groups = groups, .given = count}, w,
                   NULL);
}

static ald_status remote_gradient(ald_run *run, void *self, int64_t groups, double *values, int64_t count,
                                  double *g)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *both;
    ALD_TRY(ald_scratch_reals(run, groups + count, 1, &both));
    ALD_TRY(ask_for(run, self, (question){.sum = ALD_SUM_GRADIENT, .count = groups + count}, NULL, both));
    memcpy(values, both, (size_t)groups * sizeof *values);
    memcpy(g, both + groups, (size_t)count * sizeof *g);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status remote_line(ald_run *run, void *self, int64_t count, const double *v, int64_t groups,
                              double *c)
{
    return ask_for(run, self, (question){.sum = ALD_SUM_LINE, .given = count, .count = 5 * groups}, v, c);
}

static ald_status remote_move(ald_run *run, void *self, int64_t groups, const double *steps)
{
    return ask_for(run, self, (question){.sum = ALD_SUM_MOVE, .given = groups}, steps, NULL);
}

static ald_status remote_matrix(ald_run *run, void *self, const double *w, int64_t p, int64_t r, double *z)
{
    return ask_for(run, self, (question){.sum = ALD_SUM_MATRIX, .r = r, .given = p * r, .count = p * p}, w,
                   z);
}

static ald_status remote_within(ald_run *run, void *self, const double *x, int64_t p, int64_t q,
                                ald_quadratic *sums)
{
    return ask_quadratic(run, self, (question){.sum = ALD_SUM_WITHIN, .r = q, .given = p * q}, q, x, sums);
}

static ald_status ask_product(ald_run *run, ald_service *s, int plain, int64_t p, int64_t k, const double *v,
                              double *z)
{
    const question q = {.sum = ALD_SUM_PRODUCT, .r = k, .wide = plain, .given = p * k, .count = p * k};
    return ask_for(run, s, q, v, z);
}

static ald_status remote_times(ald_run *run, void *self, const double *v, int64_t p, int64_t k, double *z)
{
    return ask_product(run, self, 0, p, k, v, z);
}

static ald_status remote_laplacian(ald_run *run, void *self, int64_t p, int64_t k, double *w)
{
    return ask_product(run, self, 1, p, k, w, w);
}

static ald_status remote_begin(ald_run *run, void *self, const ald_basis *basis, double scale,
                               ald_remote_stress *stress)
{
    const question q = {
        .sum = ALD_SUM_AT_ZERO,
        .p = basis->p,
        .wide = !basis->matrix,
        .scale = scale,
        .given = basis->matrix ? basis->d * basis->p : basis->d,
        .count = 1,
    };
    *stress = (ald_remote_stress){
        .self = self,
        .place = remote_place,
        .gradient = remote_gradient,
        .line = remote_line,
        .move = remote_move,
        .matrix = remote_matrix,
        .within = remote_within,
        .times = remote_times,
    };
    return ask_for(run, self, q, basis->matrix ? basis->matrix : basis->diagonal, &stress->at_zero);
}

static ald_status remote_draw(ald_run *run, void *self, ald_random *random, int64_t p, double *v)
{
    const ald_service *s = self;
    ALD_TRY(ask_for(run, self, (question){.sum = ALD_SUM_DRAW, .random = *random, .count = p}, NULL, v));
    *random = ((const state *)s->self)->random;
    return ALD_OK;
}

static ald_status state_of(ald_run *run, ald_service *s, state **here)
{
    if (!s->self) {
        ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof **here, here));
        s->self = *here;
        (*here)->begin = ald_arena_mark(&run->scratch);
    }
    *here = s->self;
    return ALD_OK;
}

ald_status ald_service_find_pairs(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    state *here = NULL;
    ald_sdpp_wanted wanted = {0};
    ald_status status = state_of(run, s, &here);
    if (status >= 0) status = ald_record_take(run, given, &wanted, 1, sizeof wanted);
    ALD_TRY(ald_all_agree(run, status));
    ald_arena_release(&run->scratch, here->begin);
    ald_pair_share *share = &here->share;
    ALD_TRY(ald_pair_share_find(run, s, &wanted, share));
    double sums[] = {share->pairs.pairs.total, share->pairs.wanted};
    ALD_TRY(ald_all_sum(run, sums, 2));
    ALD_TRY(ald_all_count(run, &share->isolated, 1));
    if (result)
        *(ald_sdpp_found *)result =
            (ald_sdpp_found){share->numbers.all, share->isolated, share->how, sums[0], sums[1]};
    return ALD_OK;
}

static ald_status remote_find(ald_run *run, void *self, const ald_sdpp_wanted *wanted, ald_sdpp_found *found)
{
    ald_record given = {.arena = &run->scratch};
    const ald_status status = ald_record_put(run, &given, wanted, 1, sizeof *wanted);
    return ald_service_ask(run, self, ALD_FIND_PAIRS, status, &given, found);
}

static ald_status map_share(ald_run *run, state *here, ald_record *given)
{
    ald_pair_share *share = &here->share;
    ald_operator own = *share->own, partners = share->partners;
    ald_feature_map map;
    ALD_TRY(ald_feature_map_take(run, given, &map));
    ALD_TRY(ald_kernel_rows(run, &map.features.kernel, NULL, &own));
    ALD_TRY(ald_feature_map_rows(run, &map, &own, &here->mapped));
    if (partners.x.rows > 0) ALD_TRY(ald_kernel_rows(run, &map.features.kernel, NULL, &partners));
    ALD_TRY(ald_feature_map_rows(run, &map, &partners, &share->partners));
    share->own = &here->mapped;
    return ALD_OK;
}

ald_status ald_service_map_rows(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    state *here = s->self;
    ALD_TRY(ald_all_agree(run, map_share(run, here, given)));
    if (result) *(ald_operator *)result = here->mapped;
    return ALD_OK;
}

static ald_status remote_map(ald_run *run, void *self, const ald_feature_map *map, ald_operator *here)
{
    ald_record given = {.arena = &run->scratch};
    const ald_status status = ald_feature_map_put(run, map, &given);
    ALD_TRY(ald_service_ask(run, self, ALD_MAP_ROWS, status, &given, here));
    ald_arena_drop(&run->scratch, given.bytes);
    return ALD_OK;
}

/* In the units of Z. */
ald_status ald_service_deviations(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    const ald_operator z = ald_divided_operator(s->rows);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t d = z.x.cols;
    double *mean, *deviation;
    (void)given;
    ALD_TRY(ald_all_agree(run, ALD_SCRATCH(run, {&mean, d, 1}, {&deviation, d, 1})));
    ALD_TRY(ald_column_statistics(run, &z, NULL, (ald_column_moments){.mean = mean, .deviation = deviation}));
    for (int64_t j = 0; result && j < d; j++)
        ((double *)result)[j] = deviation[j] * (z.inverse_scale ? z.inverse_scale[j] : 1.0);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* One process writes a few rows in their own space instead: that is not shared. */
static ald_status remote_deviations(ald_run *run, void *self, int64_t d, double *deviation)
{
    ald_service *s = self;
    if (s->rows->total <= ALD_BASIS_ORDER)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "sdpp of %lld columns on several ranks takes more than %d rows, and there are %lld: "
                        "fit it by one process",
                        (long long)d, (int)ALD_BASIS_ORDER, (long long)s->rows->total);
    return ald_service_ask(run, s, ALD_DEVIATIONS, ALD_OK, NULL, deviation);
}

ald_remote_pairs ald_service_pairs(ald_service *service)
{
    return (ald_remote_pairs){
        .self = service,
        .find = remote_find,
        .map = remote_map,
        .scatter = remote_scatter,
        .normal = remote_normal,
        .deviations = remote_deviations,
        .add_up = remote_add_up,
        .begin = remote_begin,
        .draw = remote_draw,
        .laplacian = remote_laplacian,
    };
}
