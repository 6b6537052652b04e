/* Localized sliced inverse regression; semi-supervised where rows have no target.
 *
 *   Gamma_loc b = lambda (Sigma + ridge I) b,   b'(Sigma + ridge I) b = 1,   the largest lambda
 *
 *   Sigma     = the covariance of x
 *   Gamma_loc = (1/n) sum_i (m_i - m)(m_i - m)'
 *   m_i       = the mean of the n_neighbors rows of the slice of i nearest to x_i, itself the first of them
 *   m         = the mean of all rows
 *
 * sir has the mean of the whole slice in place of m_i; the local one keeps a slice that consists of several
 * pieces, or is bent, from averaging to nothing. As many neighbours as the largest slice has rows is sir.
 * Rows without a target are candidates for every row, and have all rows for their own; Sigma, m and the
 * mean over i then run over all rows.
 *
 * With P the n x n matrix of these means (rows of 1/count, sparse) it is the pencil of engines/pencil.h,
 * times n, with an H that is made shorter so that k = min(n, d):
 *
 *   Gamma_loc = Z'P'P Z / n,   H = P'          for n <= d
 *   P Z = Q R (Q n x d),       H = P'Q         for n > d
 *
 * Cost: neighbours within slices (n^2 d at most), pencil.h with that k, and n d^2 to make H shorter.
 *
 * Reference: Wu, Liang and Mukherjee (2010). */
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "base/threads/pacing.h"
#include "math/graph/graph.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/pencil.h"
#include "methods/engines/problem.h"
#include "methods/engines/slices.h"

#include <math.h>
#include <string.h>

static const ald_param n_neighbors_param =
    ALD_INT_PARAM("n_neighbors", "10", 1, 1e9, "number of rows in a local mean, the row itself included",
                  .grid = "5,10,20", .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_NEIGHBORS);
static const ald_param ridge_rel_param =
    ALD_RIDGE_REL_PARAM("0.03", "the same as a part of its largest eigenvalue; the two are added");

static const ald_param *const params[] = {
    &n_neighbors_param,
    &ald_covariance_ridge_param,
    &ridge_rel_param,
    NULL,
};

/* Row i of P: `count[i]` neighbours besides i itself, in neighbours[i * most ...]. */
typedef struct means {
    int64_t n, most;
    int64_t *count;
    int64_t *neighbours;
} means;

/* The neighbours of the rows `queries` among `candidates` (ascending, the queries among them). */
static ald_status lsir_search(ald_run *run, const ald_operator *z, int64_t query_count,
                              const int64_t *queries, int64_t candidate_count, const int64_t *candidates,
                              means *p)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_rows from = {z, queries, query_count}, among = {z, candidates, candidate_count};
    const int64_t k = p->most < candidate_count - 1 ? p->most : candidate_count - 1;
    int64_t *found;
    double *squares;
    for (int64_t i = 0; i < query_count; i++) p->count[queries[i]] = k;
    if (k == 0 || query_count == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, query_count, k, sizeof *found, &found));
    ALD_TRY(ald_scratch_reals(run, query_count, k, &squares));
    ALD_TRY(ald_neighbours_between(run, &from, &among, k, 1, found, squares));
    for (int64_t i = 0; i < query_count; i++)
        for (int64_t j = 0; j < k; j++)
            p->neighbours[queries[i] * p->most + j] = candidates[found[i * k + j]];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The slice of every row of the data, -1 where there is no target. */
static ald_status slice_of_rows(ald_run *run, int64_t n, const ald_labelled *labelled,
                                const ald_slices *slices, int32_t **of)
{
    ALD_TRY(ald_scratch(run, n, 1, sizeof **of, of));
    for (int64_t i = 0; i < n; i++) (*of)[i] = -1;
    for (int64_t i = 0; i < labelled->count; i++) (*of)[labelled->which[i]] = slices->of[i];
    return ALD_OK;
}

static ald_status find_means(ald_run *run, const ald_problem *problem, const ald_labelled *labelled,
                             const ald_slices *slices, means *p)
{
    const int64_t n = problem->n;
    int64_t *queries, *candidates;
    int32_t *of;
    ald_within_stage stage;
    ald_status status = ALD_OK;
    double asked = 0.0;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *p->count, &p->count));
    ALD_TRY(ald_scratch(run, n, p->most, sizeof *p->neighbours, &p->neighbours));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *queries, &queries));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *candidates, &candidates));
    ALD_TRY(slice_of_rows(run, n, labelled, slices, &of));
    ald_within_enter(run, "local means", &stage);
    for (int32_t slice = 0; status >= 0 && slice < slices->count; slice++) {
        int64_t asking = 0, offered = 0;
        for (int64_t i = 0; i < n; i++) {
            if (of[i] == slice) queries[asking++] = i;
            if (of[i] == slice || of[i] < 0) candidates[offered++] = i;
        }
        ald_within_next(&stage, asked / (double)n, (double)asking / (double)n);
        status = lsir_search(run, &problem->x, asking, queries, offered, candidates, p);
        asked += (double)asking;
    }
    for (int64_t i = 0; i < n; i++) candidates[i] = i;
    ald_within_next(&stage, asked / (double)n, 1.0 - asked / (double)n);
    if (status >= 0)
        status = lsir_search(run, &problem->x, labelled->others_count, labelled->others, n, candidates, p);
    ald_within_leave(&stage);
    return status;
}

/* out (n x k) = P v. */
static void average(const means *p, int64_t k, const double *v, double *out)
{
    for (int64_t i = 0; i < p->n; i++) {
        const double share = 1.0 / (double)(p->count[i] + 1);
        for (int64_t c = 0; c < k; c++) out[i * k + c] = share * v[i * k + c];
        for (int64_t j = 0; j < p->count[i]; j++) {
            const double *row = v + p->neighbours[i * p->most + j] * k;
            for (int64_t c = 0; c < k; c++) out[i * k + c] += share * row[c];
        }
    }
}

/* out (n x k) = P'v. */
static void spread(const means *p, int64_t k, const double *v, double *out)
{
    memset(out, 0, (size_t)(p->n * k) * sizeof *out);
    for (int64_t i = 0; i < p->n; i++) {
        const double share = 1.0 / (double)(p->count[i] + 1);
        const double *row = v + i * k;
        for (int64_t c = 0; c < k; c++) out[i * k + c] += share * row[c];
        for (int64_t j = 0; j < p->count[i]; j++) {
            double *to = out + p->neighbours[i * p->most + j] * k;
            ald_add_times(k, share, row, to);
        }
    }
}

/* v (m x m) = I. */
static ald_status identity(ald_run *run, int64_t m, double **v)
{
    ALD_TRY(ald_scratch_zeros(run, m, m, v));
    for (int64_t i = 0; i < m; i++) (*v)[i * m + i] = 1.0;
    return ALD_OK;
}

/* H (n x k): P' itself for n <= d, else P'Q with P Z = Q R. */
static ald_status make_h(ald_run *run, const ald_problem *problem, const means *p, ald_pencil *pencil)
{
    const int64_t n = problem->n, d = problem->d;
    double *unit, *rows, *q;
    pencil->k = n <= d ? n : d;
    if (pencil->k > ALD_LARGEST_ORDER)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "lsir decomposes a square of order min(rows, columns), at most %d; here are %lld rows and "
            "%lld columns: reduce the columns first (pca)",
            ALD_LARGEST_ORDER, (long long)n, (long long)d);
    ALD_TRY(ald_scratch_reals(run, n, pencil->k, &pencil->h));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(identity(run, pencil->k, &unit));
    if (n <= d) {
        spread(p, n, unit, pencil->h);
    } else {
        ALD_TRY(ALD_SCRATCH(run, {&rows, n, d}, {&q, n, d}));
        ALD_TRY(ald_operator_apply(run, &problem->x, ald_of(unit, d, d), ald_at(rows, n, d)));
        average(p, d, rows, q);
        ALD_TRY(ald_orthonormal(run, ald_at(q, n, d)));
        spread(p, d, q, pencil->h);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Seconds of the stages, which bench/costs.py holds to the clock. */
static void plan(const ald_run *run, const ald_problem *problem, const ald_labelled *labelled,
                 const ald_slices *slices)
{
    const double n = (double)problem->n, d = (double)problem->d,
                 candidates =
                     (double)labelled->count / (double)slices->count + (double)labelled->others_count;
    const ald_stage_cost stages[] = {
        {"local means", n * (3e-6 + 4e-8 * d + candidates * (3e-10 + 2.5e-11 * d))},
        {"estimating the size of X", 2e-8 * n * d + 1.1e-9 * n * d * d},
        {"forming the scatter matrix", 2e-8 * n * d + 3e-10 * n * d * d},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}

static ald_status lsir_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t wanted = ald_setting_int(run, &n_neighbors_param);
    ald_labelled labelled;
    ald_slices slices;
    means p = {.n = problem->n, .most = (wanted < problem->n ? wanted : problem->n) - 1};
    ald_pencil pencil = {
        .ridge_unit = problem->total,
        .unit = sqrt(problem->total),
        .limit = "the rank of the local means",
    };
    ALD_TRY(ald_labelled_find(run, problem, model, &labelled));
    const ald_problem rows = {
        .n = labelled.count,
        .total = (double)labelled.count,
        .target = &labelled.target,
    };
    ALD_TRY(ald_problem_slices(run, &rows, ald_slices_asked(run), model, &slices));
    plan(run, problem, &labelled, &slices);
    ALD_TRY(find_means(run, problem, &labelled, &slices, &p));
    ALD_TRY(make_h(run, problem, &p, &pencil));
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_lsir = {
    .name = "lsir",
    .title = "Localized sliced inverse regression",
    .synonyms = "local sir, localised sliced inverse regression, sufficient dimension reduction",
    .summary = "Directions along which local means of x within slices of the response lie apart.",
    .reference = "Wu, Liang and Mukherjee (2010)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_SPARSE | ALD_CAN_UNLABELLED |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,
    /* at 5 % a third component was found in 20 of 100 draws of two directions */
    .untested_classes = "local means also see what estimated components have missed",
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_SCATTER,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, ald_slices_params, ald_pencil_params, NULL},
    .fit = lsir_fit,
};
