/* What rank 0 sends and what comes back: lists of rows and the rows; features and sums of them. */
#include "cluster/divided/kernel_rows.h"

#include "cluster/ranks/communicator.h"
#include "math/kernel/choose_landmarks.h"
#include "math/operator/entry.h"

#include <stdlib.h>
#include <string.h>

/* The rows that rank 0 wants, in the order of their numbers. */
typedef struct wanted {
    const int64_t *numbers;
    int64_t count;
    ald_operator *rows;
} wanted;

ald_status ald_service_take_rows(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    const wanted *w = result;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_operator nothing;
    (void)given;
    const ald_status status =
        ald_fetch_rows(run, ALD_OK, s->rows, w ? w->numbers : NULL, w ? w->count : 0, w ? w->rows : &nothing);
    if (!w) ald_arena_release(&run->scratch, mark);
    return status;
}

typedef struct place {
    int64_t number, at;
} place;

static int by_number(const void *a, const void *b)
{
    const place *one = a, *two = b;
    return (one->number > two->number) - (one->number < two->number);
}

/* The numbers in order, and of each row of the list its place in that order. */
static ald_status sort_list(ald_run *run, int64_t m, const int64_t *which, int64_t **numbers,
                            int64_t **places)
{
    place *list;
    ALD_TRY(ald_scratch(run, m, 1, sizeof **numbers, numbers));
    ALD_TRY(ald_scratch(run, m, 1, sizeof **places, places));
    ALD_TRY(ald_scratch(run, m, 1, sizeof *list, &list));
    for (int64_t i = 0; i < m; i++) list[i] = (place){which ? which[i] : i, i};
    qsort(list, (size_t)m, sizeof *list, by_number);
    for (int64_t i = 0; i < m; i++) {
        (*numbers)[i] = list[i].number;
        (*places)[list[i].at] = i;
    }
    return ALD_OK;
}

static ald_status remote_take(ald_run *run, const ald_remote_rows *remote, const ald_operator *z, int64_t m,
                              const int64_t *which, ald_operator *rows)
{
    ald_service *s = remote->self;
    const uint64_t mark = ald_arena_mark(&s->run.scratch);
    int64_t *numbers, *places;
    ald_operator sorted;
    ALD_TRY(sort_list(run, m, which, &numbers, &places));
    wanted w = {numbers, m, &sorted};
    ALD_TRY(ald_service_ask(run, s, ALD_TAKE_ROWS, ALD_OK, NULL, &w));
    sorted.mean = z->mean;
    const ald_status status = ald_operator_take(run, &sorted, places, m, rows);
    ald_arena_release(&s->run.scratch, mark);
    return status;
}

/* What a sum is of. */
typedef struct question {
    ald_features features;
    ald_feature_sums sums;
} question;

/* Sizes and flags of a question, as they are sent. */
typedef struct outline {
    ald_kernel kernel;
    int64_t m, d, fourier, p, k, groups;
    int32_t dense, mapped, scatter, cross;
} outline;

static outline outline_of(const question *q)
{
    const ald_features *f = &q->features;
    outline o;
    memset(&o, 0, sizeof o);
    o.kernel = f->kernel;
    o.m = f->m;
    o.d = f->d;
    o.fourier = f->fourier.m;
    o.p = q->sums.p;
    o.k = q->sums.k;
    o.groups = q->sums.group ? q->sums.groups : 0;
    o.dense = f->landmarks.prepared != NULL;
    o.mapped = q->sums.t != NULL;
    o.scatter = q->sums.scatter != NULL;
    o.cross = q->sums.cross != NULL;
    return o;
}

static ald_status put_sparse(ald_run *run, const ald_matrix *x, ald_record *given)
{
    const int64_t *pointers = x->pointers;
    ALD_TRY(ald_record_put(run, given, pointers, x->rows + 1, sizeof *pointers));
    ALD_TRY(ald_record_put(run, given, x->indices, pointers[x->rows], sizeof *pointers));
    return ald_record_put(run, given, x->values, pointers[x->rows], sizeof(double));
}

static ald_status put_question(ald_run *run, const question *q, ald_record *given)
{
    const ald_features *f = &q->features;
    const outline o = outline_of(q);
    ALD_TRY(ald_record_put(run, given, &o, 1, sizeof o));
    if (o.mapped) ALD_TRY(ald_record_put(run, given, q->sums.t, o.m * o.p, sizeof(double)));
    if (o.fourier > 0) {
        ALD_TRY(ald_record_put(run, given, f->fourier.frequencies, o.m * o.d, sizeof(double)));
        return ald_record_put(run, given, f->fourier.phases, o.m, sizeof(double));
    }
    if (o.dense) return ald_record_put(run, given, f->landmarks.prepared, o.m * o.d, sizeof(double));
    return put_sparse(run, &f->landmarks.sparse, given);
}

static ald_status take_landmarks(ald_run *run, const outline *o, ald_record *given, ald_landmarks *l)
{
    int64_t *pointers, *indices;
    double *values;
    if (o->dense) {
        ALD_TRY(ald_record_take_array(run, given, &values, o->m * o->d, sizeof *values));
        return ald_landmarks_of_rows(run, &o->kernel, o->m, o->d, values, l);
    }
    ALD_TRY(ald_record_take_array(run, given, &pointers, o->m + 1, sizeof *pointers));
    ALD_TRY(ald_record_take_array(run, given, &indices, pointers[o->m], sizeof *indices));
    ALD_TRY(ald_record_take_array(run, given, &values, pointers[o->m], sizeof *values));
    const ald_matrix csr = ald_matrix_csr(o->m, o->d, pointers, indices, values);
    return ald_landmarks_of_csr(run, &csr, l);
}

static ald_status take_fourier(ald_run *run, const outline *o, ald_record *given, ald_fourier *fourier)
{
    double *frequencies, *phases;
    ALD_TRY(ald_record_take_array(run, given, &frequencies, o->m * o->d, sizeof *frequencies));
    ALD_TRY(ald_record_take_array(run, given, &phases, o->m, sizeof *phases));
    *fourier = (ald_fourier){o->m, o->d, frequencies, phases};
    return ALD_OK;
}

/* The question of rank 0, with room for the sums of this rank. */
static ald_status receive_question(ald_run *run, const ald_service *s, ald_record *given, question *q)
{
    outline o;
    double *t;
    ALD_TRY(ald_record_take(run, given, &o, 1, sizeof o));
    q->features = (ald_features){.kernel = o.kernel, .m = o.m, .d = o.d};
    q->sums = (ald_feature_sums){.p = o.p, .k = o.k, .groups = o.groups};
    if (o.mapped) {
        ALD_TRY(ald_record_take_array(run, given, &t, o.m * o.p, sizeof *t));
        q->sums.t = t;
    }
    if (o.groups > 0) q->sums.group = s->target->classes + s->rows->first;
    ALD_TRY(o.fourier > 0 ? take_fourier(run, &o, given, &q->features.fourier)
                          : take_landmarks(run, &o, given, &q->features.landmarks));
    ALD_TRY(ald_scratch_reals(run, o.m, 1, &q->sums.mean));
    if (o.scatter) ALD_TRY(ald_scratch_reals(run, o.p, o.p, &q->sums.scatter));
    return o.cross ? ald_scratch_reals(run, o.p, o.k, &q->sums.cross) : ALD_OK;
}

/* Each rank gets its rows of f (n x k) from rank 0, which keeps its own. */
static ald_status share_f(ald_run *run, const ald_service *s, question *q)
{
    const int ranks = ald_rank_count(run), first = ald_rank(run) == 0;
    const int64_t row = q->sums.k * (int64_t)sizeof(double);
    ald_gathered got;
    int64_t *begin = NULL;
    if (!q->sums.cross) return ALD_OK;
    const ald_status status = ald_scratch(run, ranks + 1, 1, sizeof *begin, &begin);
    for (int r = 0; status >= 0 && r <= ranks; r++)
        begin[r] = first && r > 0 ? (s->rows->begin[r] - s->rows->begin[1]) * row : 0;
    const double *rest = first ? q->sums.f + s->rows->begin[1] * q->sums.k : NULL;
    ALD_TRY(ald_all_exchange(run, status, &run->scratch, rest, begin, &got));
    if (!first) q->sums.f = (const double *)(const void *)got.bytes;
    return ALD_OK;
}

ald_status ald_service_sum_features(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_operator z = ald_divided_operator(s->rows);
    question received;
    question *const q = result ? result : &received;
    ald_status status = result ? ALD_OK : receive_question(run, s, given, q);
    if (status >= 0) status = ald_kernel_rows(run, &q->features.kernel, NULL, &z);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(share_f(run, s, q));
    ALD_TRY(ald_features_sum(run, &q->features, &z, &q->sums));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status remote_sum(ald_run *run, const ald_remote_rows *remote, const ald_features *features,
                             ald_feature_sums *sums)
{
    ald_record given = {.arena = &run->scratch};
    if (!sums->t) sums->p = features->m;
    question q = {*features, *sums};
    const ald_status status = put_question(run, &q, &given);
    ALD_TRY(ald_service_ask(run, remote->self, ALD_SUM_FEATURES, status, &given, &q));
    ald_arena_drop(&run->scratch, given.bytes);
    return ALD_OK;
}

ald_status ald_service_sum_squares(ald_run *run, ald_service *s, ald_record *given, void *result)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_operator z = ald_divided_operator(s->rows);
    ald_kernel kernel;
    double square;
    ald_status status = ald_record_take(run, given, &kernel, 1, sizeof kernel);
    if (status >= 0) status = ald_kernel_rows(run, &kernel, NULL, &z);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_operator_square_norm(run, &z, &square));
    if (result) *(double *)result = square;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status remote_norm(ald_run *run, const ald_remote_rows *remote, const ald_kernel *kernel,
                              double *square)
{
    ald_record given = {.arena = &run->scratch};
    const ald_status status = ald_record_put(run, &given, kernel, 1, sizeof *kernel);
    return ald_service_ask(run, remote->self, ALD_SUM_SQUARES, status, &given, square);
}

ald_remote_rows ald_service_rows(ald_service *service)
{
    return (ald_remote_rows){service->rows->total, service, remote_take, remote_sum, remote_norm};
}

ald_status ald_feature_map_put(ald_run *run, const ald_feature_map *map, ald_record *given)
{
    const question q = {map->features, {.t = map->t, .p = map->p}};
    ALD_TRY(put_question(run, &q, given));
    return ald_record_put(run, given, map->mean, map->features.m, sizeof *map->mean);
}

ald_status ald_feature_map_take(ald_run *run, ald_record *given, ald_feature_map *map)
{
    question q;
    ALD_TRY(receive_question(run, NULL, given, &q)); /* with room for means */
    ALD_TRY(ald_record_take(run, given, q.sums.mean, q.features.m, sizeof *q.sums.mean));
    *map = (ald_feature_map){q.features, q.sums.t, q.sums.p, q.sums.mean};
    return ALD_OK;
}
