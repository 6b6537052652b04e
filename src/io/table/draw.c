#include "io/table/draw.h"

#include "io/table/order.h"

#include <stdlib.h>
#include <string.h>

static ald_status random_order(ald_run *run, ald_random *random, int64_t n, int64_t **order)
{
    ALD_TRY(ald_scratch(run, n, 1, sizeof **order, order));
    ald_random_permutation(random, n, *order);
    return ALD_OK;
}

static int compare_remainders(const void *context, int64_t a, int64_t b)
{
    const double *remainder = context;
    return (remainder[a] < remainder[b]) - (remainder[a] > remainder[b]);
}

/* quota[c] rows of class c, `left` in all: each share rounded down, and one more where most was lost. The
 * order is random before the (stable) sort, so that classes of one size are treated alike. */
static ald_status share_out(ald_run *run, ald_random *random, const ald_partition *classes, double train,
                            int64_t left, int64_t *quota)
{
    double *remainder;
    int64_t *order;
    ALD_TRY(ald_scratch_reals(run, classes->n_parts, 1, &remainder));
    for (int64_t c = 0; c < classes->n_parts; c++) {
        const double share = train * (double)classes->sizes[c];
        quota[c] = (int64_t)share;
        remainder[c] = share - (double)quota[c];
        left -= quota[c];
    }
    ALD_TRY(random_order(run, random, classes->n_parts, &order));
    ALD_TRY(ald_order_sort(run, classes->n_parts, order, compare_remainders, remainder));
    for (int64_t k = 0; k < classes->n_parts && left > 0; k++) {
        if (quota[order[k]] == classes->sizes[order[k]]) continue;
        quota[order[k]]++;
        left--;
    }
    return ALD_OK;
}

ald_status ald_draw_rows(ald_run *run, ald_random *random, int64_t n, const ald_partition *classes,
                         double train, int64_t wanted, unsigned char *in_train)
{
    int64_t *quota = NULL, *order;
    memset(in_train, 0, (size_t)n);
    if (classes) {
        ALD_TRY(ald_scratch(run, classes->n_parts, 1, sizeof *quota, &quota));
        ALD_TRY(share_out(run, random, classes, train, wanted, quota));
    }
    ALD_TRY(random_order(run, random, n, &order));
    for (int64_t k = 0; k < n; k++)
        in_train[order[k]] = classes ? quota[classes->part_of[order[k]]]-- > 0 : k < wanted;
    return ALD_OK;
}

ald_status ald_draw_groups(ald_run *run, ald_random *random, int64_t n, const ald_partition *groups,
                           int64_t wanted, unsigned char *in_train)
{
    int64_t *order;
    int64_t taken = 0;
    unsigned char *chosen;
    ALD_TRY(ald_scratch(run, groups->n_parts, 1, 1, &chosen));
    ALD_TRY(random_order(run, random, groups->n_parts, &order));
    memset(chosen, 0, (size_t)groups->n_parts);
    for (int64_t k = 0; k + 1 < groups->n_parts; k++) {
        const int64_t size = groups->sizes[order[k]], lacking = wanted - taken;
        if (k > 0 && llabs(lacking - size) >= llabs(lacking)) break;
        chosen[order[k]] = 1;
        taken += size;
    }
    for (int64_t i = 0; i < n; i++) in_train[i] = chosen[groups->part_of[i]];
    return ALD_OK;
}

static int compare_parts(const void *context, int64_t a, int64_t b)
{
    const ald_partition *classes = context;
    return (classes->part_of[a] > classes->part_of[b]) - (classes->part_of[a] < classes->part_of[b]);
}

static int compare_sizes(const void *context, int64_t a, int64_t b)
{
    const ald_partition *groups = context;
    return (groups->sizes[a] < groups->sizes[b]) - (groups->sizes[a] > groups->sizes[b]);
}

/* Like cards, class by class, without beginning again at the first fold. */
ald_status ald_draw_folds(ald_run *run, ald_random *random, int64_t n, const ald_partition *classes,
                          int64_t k, int32_t *fold_of)
{
    int64_t *order;
    ALD_TRY(random_order(run, random, n, &order));
    if (classes) ALD_TRY(ald_order_sort(run, n, order, compare_parts, classes));
    for (int64_t i = 0; i < n; i++) fold_of[order[i]] = (int32_t)(i % k);
    return ALD_OK;
}

ald_status ald_draw_group_folds(ald_run *run, ald_random *random, int64_t n, const ald_partition *groups,
                                int64_t k, int32_t *fold_of)
{
    int64_t *order, *folds, *rows;
    ALD_TRY(random_order(run, random, groups->n_parts, &order));
    ALD_TRY(ald_order_sort(run, groups->n_parts, order, compare_sizes, groups));
    ALD_TRY(ald_scratch(run, groups->n_parts, 1, sizeof *folds, &folds));
    ALD_TRY(ald_scratch(run, k, 1, sizeof *rows, &rows));
    memset(rows, 0, (size_t)k * sizeof *rows);
    for (int64_t g = 0; g < groups->n_parts; g++) {
        int64_t least = 0;
        for (int64_t f = 1; f < k; f++)
            if (rows[f] < rows[least]) least = f;
        folds[order[g]] = least;
        rows[least] += groups->sizes[order[g]];
    }
    for (int64_t i = 0; i < n; i++) fold_of[i] = (int32_t)folds[groups->part_of[i]];
    return ALD_OK;
}
