/* Cutting the target into slices: by the ranks of a real response, or by classes. */
#include "methods/engines/slices.h"

#include "base/settings/settings.h"
#include "math/operator/all_rows.h"

static const ald_param n_slices_param = ALD_INT_PARAM(
    "n_slices", "10", 2, 1e6, "number of slices of a real response, with about equal numbers of rows",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_SLICES);

const ald_param *const ald_slices_params[] = {&n_slices_param, NULL};

int64_t ald_slices_asked(const ald_run *run)
{
    return ald_setting_int(run, &n_slices_param);
}

ald_status ald_rank_rows(ald_run *run, const ald_problem *problem, ald_ranked **ranked)
{
    double *y;
    int64_t q;
    ALD_TRY(ald_target_numbers(run, problem->target, &y, &q));
    ALD_TRY(ald_scratch(run, problem->n, 1, sizeof **ranked, ranked));
    for (int64_t i = 0; i < problem->n; i++) (*ranked)[i] = (ald_ranked){y[i], i};
    ald_rank_rising(problem->n, *ranked);
    return ALD_OK;
}

static double weight_of(const ald_problem *problem, int64_t i)
{
    return problem->weights ? problem->weights[i] : 1.0;
}

/* Rows with the same y: begin .. end - 1 of the ranked ones, and their weight. */
typedef struct tied {
    int64_t begin, end;
    double weight;
} tied;

static tied ties_from(const ald_problem *problem, const ald_ranked *ranked, int64_t begin)
{
    tied t = {begin, begin, 0.0};
    while (t.end < problem->n && ranked[t.end].value == ranked[begin].value)
        t.weight += weight_of(problem, ranked[t.end++].place);
    return t;
}

/* Sums of weights that are no whole numbers miss whole numbers by rounding, and then a row would fall into
 * the slice below. */
static int64_t slice_at(const ald_problem *problem, int64_t n_slices, double below)
{
    const double position = (double)n_slices * below / problem->total + (problem->weights ? 1e-9 : 0.0);
    return position < (double)(n_slices - 1) ? (int64_t)position : n_slices - 1;
}

/* Fills everything, and gives the number of distinct values. Ties without weight stay with the slice before
 * them. */
static int64_t cut_by_rank(const ald_problem *problem, const ald_ranked *ranked, int64_t n_slices,
                           ald_slices *s)
{
    int64_t distinct = 0, previous = -1;
    double below = 0.0;
    s->count = 0;
    for (tied t = {0, 0, 0.0}; t.end < problem->n;) {
        t = ties_from(problem, ranked, t.end);
        const int64_t slice = t.weight > 0.0 ? slice_at(problem, n_slices, below) : previous;
        if (slice != previous) {
            s->edges[s->count] = ranked[t.begin].value;
            s->weight[s->count++] = 0.0;
        }
        for (int64_t i = t.begin; i < t.end; i++)
            s->of[ranked[i].place] = s->count > 0 ? (int32_t)(s->count - 1) : 0;
        if (s->count > 0) s->weight[s->count - 1] += t.weight;
        previous = slice;
        below += t.weight;
        distinct += t.weight > 0.0;
    }
    return distinct;
}

/* The problem with the response and the weights of all rows, those of this problem from *first on: only
 * all of them can be put in order. */
static ald_status gather_responses(ald_run *run, const ald_problem *problem, ald_target *y, ald_problem *all,
                                   int64_t *first)
{
    const double *values;
    double *part;
    int64_t q;
    *all = *problem;
    ALD_TRY(ald_target_numbers(run, problem->target, &part, &q));
    ALD_TRY(ald_rows_gather(run, &problem->x, part, problem->n, &values, first));
    if (problem->weights)
        ALD_TRY(ald_rows_gather(run, &problem->x, problem->weights, problem->n, &all->weights, first));
    all->n += ald_rows_total(&problem->x) - problem->x.x.rows; /* those that are elsewhere */
    *y = ald_target_real(ald_matrix_row_major(values, all->n, 1, 1));
    all->target = y;
    return ALD_OK;
}

static ald_status slice_response(ald_run *run, const ald_problem *problem, int64_t n_slices, ald_slices *s)
{
    ald_target y;
    ald_problem all;
    ald_ranked *ranked;
    int64_t first;
    ALD_TRY(gather_responses(run, problem, &y, &all, &first));
    const int64_t most = n_slices < all.n ? n_slices : all.n;
    ALD_TRY(ald_rank_rows(run, &all, &ranked));
    ALD_TRY(ald_scratch(run, all.n, 1, sizeof *s->of, &s->of));
    ALD_TRY(ALD_SCRATCH(run, {&s->weight, most, 1}, {&s->edges, most, 1}));
    const int64_t distinct = cut_by_rank(&all, ranked, n_slices, s);
    s->of += first;
    if (s->count < 2)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "with `n_slices=%lld` all rows fall into one slice, because most of them have the same response: "
            "raise `n_slices`, or treat the target as classes (`task=classification`)",
            (long long)n_slices);
    if (distinct < n_slices)
        ald_warn(run, ALD_RANK_REDUCED,
                 "`n_slices=%lld`, but the response has %lld distinct values: there are %lld slices",
                 (long long)n_slices, (long long)distinct, (long long)s->count);
    return ALD_OK;
}

/* Classes without rows (or weight) are no slices. */
static ald_status slice_classes(ald_run *run, const ald_problem *problem, ald_slices *s)
{
    const ald_target *y = problem->target;
    int32_t *number;
    s->edges = NULL;
    s->count = 0;
    ALD_TRY(ald_scratch(run, problem->n, 1, sizeof *s->of, &s->of));
    ALD_TRY(ald_scratch_zeros(run, y->n_classes, 1, &s->weight));
    ALD_TRY(ald_scratch(run, y->n_classes, 1, sizeof *number, &number));
    for (int64_t i = 0; i < problem->n; i++) s->weight[y->classes[i]] += weight_of(problem, i);
    ALD_TRY(ald_rows_sum(run, &problem->x, s->weight, y->n_classes));
    for (int64_t c = 0; c < y->n_classes; c++) {
        number[c] = s->weight[c] > 0.0 ? (int32_t)s->count : 0;
        if (s->weight[c] > 0.0) s->weight[s->count++] = s->weight[c];
    }
    for (int64_t i = 0; i < problem->n; i++) s->of[i] = number[y->classes[i]];
    if (s->count >= 2) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "target: all rows with a positive weight are of one class, so there is nothing to distinguish");
}

ald_status ald_problem_slices(ald_run *run, const ald_problem *problem, int64_t n_slices, ald_model *model,
                              ald_slices *slices)
{
    ALD_TRY(problem->target->kind == ALD_TARGET_CLASSES ? slice_classes(run, problem, slices)
                                                        : slice_response(run, problem, n_slices, slices));
    if (slices->edges) ALD_TRY(ald_model_add_vector(run, model, "slice_edges", slices->count, slices->edges));
    return ald_model_set_printed(run, model, "alidade.resolved.slices", "%lld", (long long)slices->count);
}

ald_status ald_problem_slicings(ald_run *run, const ald_problem *problem, ald_model *model, ald_slicings *s)
{
    const int64_t n_slices = ald_slices_asked(run);
    ald_problem one = *problem;
    ald_target column;
    double *y;
    int64_t q;
    s->count = problem->target->kind == ALD_TARGET_REAL ? problem->target->values.cols : 1;
    s->slices = 0;
    ALD_TRY(ald_scratch(run, s->count, 1, sizeof *s->each, &s->each));
    if (s->count > 1) ALD_TRY(ald_target_numbers(run, problem->target, &y, &q));
    one.target = &column;
    for (int64_t j = 0; s->count > 1 && j < s->count; j++) {
        column = ald_target_real(ald_matrix_row_major(y + j, problem->n, 1, q));
        ALD_TRY(slice_response(run, &one, n_slices, &s->each[j]));
    }
    if (s->count == 1) ALD_TRY(ald_problem_slices(run, problem, n_slices, model, s->each));
    for (int64_t j = 0; j < s->count; j++) s->slices += s->each[j].count;
    return ald_model_set_printed(run, model, "alidade.resolved.slices", "%lld", (long long)s->slices);
}

static int32_t slice_of(const double *edges, int64_t count, double y)
{
    int64_t low = 1, high = count; /* the first edge above y, of those after the first */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (edges[middle] <= y)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)(low - 1);
}

ald_status ald_slice_target(ald_run *run, const double *edges, int64_t count, const ald_target *y,
                            ald_target *slices)
{
    int32_t *of;
    double *values;
    int64_t q;
    ALD_TRY(ald_target_numbers(run, y, &values, &q));
    ALD_TRY(ald_scratch(run, y->rows, 1, sizeof *of, &of));
    for (int64_t i = 0; i < y->rows; i++) of[i] = slice_of(edges, count, values[i * q]);
    *slices = ald_target_classes(of, y->rows, count);
    slices->weights = y->weights;
    return ALD_OK;
}
