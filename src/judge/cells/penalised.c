#include "judge/cells/penalised.h"

#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "judge/cells/folds.h"
#include "judge/splitting/duplicates.h"
#include "methods/engines/problem.h"
#include "methods/predict/path.h"

#include <stdlib.h>
#include <string.h>

ald_penalised ald_penalised_of(const ald_run *run, const ald_judging *j)
{
    const ald_predictor *asked = ald_predictor_asked(j->plan->settings);
    if (ald_predictor_options_of(run).ridge > 0.0) return NULL;
    if (asked) return asked->penalised;
    return j->test->y.kind == ALD_TARGET_REAL ? ald_ridge_path : ald_logistic_path;
}

typedef struct member {
    int64_t group, row;
} member;

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    const int by_group = ald_compare_whole(&x->group, &y->group);
    return by_group ? by_group : ald_compare_whole(&x->row, &y->row);
}

/* Any numbers of groups to that of the first row of each. */
static ald_status number_by_first(ald_run *run, int64_t n, const int64_t *groups, int64_t *first)
{
    member *members;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *members, &members));
    for (int64_t i = 0; i < n; i++) members[i] = (member){groups[i], i};
    qsort(members, (size_t)n, sizeof *members, compare_members);
    for (int64_t k = 0, head = 0; k < n; k++) {
        if (members[k].group != members[head].group) head = k;
        first[members[k].row] = members[head].row;
    }
    return ALD_OK;
}

/* The groups of the splits; without any, equal rows. */
static ald_status find_groups(ald_run *run, const ald_judging *j, const int64_t **groups)
{
    const int64_t n = j->train->x.rows;
    int64_t *first;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *first, &first));
    *groups = first;
    if (j->plan->groups) return number_by_first(run, n, j->plan->groups, first);
    return ald_duplicates_find(run, j->train, first);
}

/* The sums of the fold, where they are of rows prepared as these are. */
static const double *find_scatter(const ald_run *run, const ald_judging *j)
{
    const ald_fold *fold = j->plan->fold;
    if (!fold || !ald_same_rows(fold->like, run->settings)) return NULL;
    const ald_moments *m = &fold->moments;
    return m->mean && m->d == j->train->x.cols && ald_moments_extreme(m) < 0 ? m->scatter : NULL;
}

/* Rows without a target weigh nothing. */
static ald_status find_weights(ald_run *run, const ald_target *y, const double **weights)
{
    double *own;
    *weights = y->weights;
    if (!y->labelled) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, y->rows, 1, &own));
    for (int64_t i = 0; i < y->rows; i++) {
        const double weight = y->weights ? y->weights[i] : 1.0;
        own[i] = y->labelled[i] ? weight : 0.0;
    }
    *weights = own;
    return ALD_OK;
}

ald_status ald_penalised_prepare(ald_run *run, const ald_judging *j, ald_penalised form, ald_scored_rows *z)
{
    const ald_target *y = &j->train->y;
    ald_predictor_data *data;
    ald_path *path;
    double *values;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *data, &data));
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *path, &path));
    *data = (ald_predictor_data){.n = y->rows, .r = z->r, .z = z->train, .kind = y->kind};
    *path = (ald_path){.data = data, .scatter = find_scatter(run, j)};
    ALD_TRY(ald_target_numbers(run, y, &values, &data->q));
    ALD_TRY(find_weights(run, y, &data->weights));
    ALD_TRY(find_groups(run, j, &path->groups));
    data->y = values;
    if (!(ald_predictor_total(data) > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA, "there are no rows with a target to learn from");
    z->path = path;
    z->penalised = form;
    return ALD_OK;
}
