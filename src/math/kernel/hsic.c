/* The criterion of many orders of the targets at once, by blocks of K or by its factor (hsic.h). */
#include "math/kernel/hsic.h"

#include "base/numbers/random.h"
#include "math/kernel/features.h"
#include "math/kernel/gram.h"
#include "math/kernel/incomplete_cholesky.h"
#include "math/linalg/linalg.h"

#include <string.h>

enum { few_rows = 2000, most_columns = 1000, group_entries = 1 << 23 };

/* Operations between two looks at whether the caller still wants it: a tenth of a second or so. */
static const double most_work = 5e8;

typedef struct criterion {
    ald_hsic_task *task;
    int64_t n, m;
    double *t; /* n x m: HF */
    ald_features features;
    ald_operator rows;
    const double *g; /* n x rank, or NULL: sweeps */
    int64_t rank;
    double *group, *product; /* n x (orders m); n x the same, or rank x the same */
} criterion;

/* G with K = G G', where few columns are enough. */
static ald_status factor(ald_run *run, criterion *c)
{
    const int64_t n = c->n, d = c->rows.x.cols;
    double *points;
    if (n <= few_rows || c->rows.x.storage != ALD_DENSE) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, d, &points));
    ALD_TRY(ald_operator_rows(run, &c->rows, 0, ald_at(points, n, d)));
    ald_incomplete_cholesky cholesky = {
        .rows = {.n = n, .q = d, .points = points, .width = c->task->width},
        .tol = 1e-6,
        .most = most_columns,
    };
    ALD_TRY(ald_incomplete_cholesky_run(run, &cholesky));
    if (cholesky.left > cholesky.tol) return ALD_OK;
    c->g = cholesky.f;
    c->rank = cholesky.rank;
    return ALD_OK;
}

/* The traces of `orders` orders of T, which stand side by side in the group. */
static ald_status traces(ald_run *run, criterion *c, int64_t orders, double *out)
{
    const int64_t n = c->n, columns = orders * c->m, rows = c->g ? c->rank : n;
    const double *other = c->g ? c->product : c->group;
    if (c->g)
        ALD_TRY(ald_product(run, ald_t(ald_of(c->g, n, c->rank)), ald_of(c->group, n, columns),
                            ald_at(c->product, c->rank, columns)));
    else
        ALD_TRY(ald_features_apply(run, &c->features, &c->rows, NULL, c->group, columns, c->product));
    memset(out, 0, (size_t)orders * sizeof *out);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < columns; k++)
            out[k / c->m] += other[i * columns + k] * c->product[i * columns + k];
    return ALD_OK;
}

/* Order `which` of the rows of T into its place in a group of `orders`. */
static void place(const criterion *c, int64_t orders, int64_t which, const int64_t *order)
{
    for (int64_t i = 0; i < c->n; i++)
        memcpy(c->group + (i * orders + which) * c->m, c->t + (order ? order[i] : i) * c->m,
               (size_t)c->m * sizeof *c->t);
}

/* How many random orders give at least `value`. Each is a stream of the seed of its own, whatever the groups.
 */
static ald_status count_larger(ald_run *run, criterion *c, int64_t together, double value, int64_t *larger)
{
    const ald_hsic_task *task = c->task;
    int64_t *order;
    double *out;
    ALD_TRY(ald_scratch(run, c->n, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch_reals(run, together, 1, &out));
    *larger = 0;
    for (int64_t p = 0; p < task->permutations; p += together) {
        const int64_t orders = together < task->permutations - p ? together : task->permutations - p;
        for (int64_t k = 0; k < orders; k++) {
            ald_random random;
            ald_random_seed(&random, task->seed, (uint64_t)(p + k));
            ald_random_permutation(&random, c->n, order);
            place(c, orders, k, order);
        }
        ALD_TRY(traces(run, c, orders, out));
        for (int64_t k = 0; k < orders; k++) *larger += out[k] >= value * (1.0 - 1e-12);
        ALD_TRY(ald_progress(run, "permuting targets", (double)(p + orders) / (double)task->permutations));
    }
    return ALD_OK;
}

static ald_status hsic_start(ald_run *run, ald_hsic_task *task, criterion *c)
{
    *c = (criterion){.task = task, .n = task->rows.x.rows, .m = task->m, .rows = task->rows};
    ald_features *features = &c->features;
    features->kernel = (ald_kernel){.kind = ALD_KERNEL_RBF, .width = task->width};
    features->m = c->n;
    features->d = c->rows.x.cols;
    ALD_TRY(ald_kernel_rows(run, &features->kernel, c->rows.mean, &c->rows));
    ALD_TRY(factor(run, c));
    if (!c->g)
        ALD_TRY(ald_landmarks_take(run, &features->kernel, &c->rows, c->n, NULL, &features->landmarks));
    ALD_TRY(ald_scratch_reals(run, c->n, c->m, &c->t));
    memcpy(c->t, task->f, (size_t)(c->n * c->m) * sizeof *c->t);
    return ald_centre_columns(run, c->n, c->m, c->t);
}

ald_status ald_hsic_run(ald_run *run, ald_hsic_task *task)
{
    criterion c;
    double trace;
    int64_t larger;
    ALD_TRY(hsic_start(run, task, &c));
    int64_t together = group_entries / (c.n * c.m);
    if (together > task->permutations) together = task->permutations;
    const double work = 2.0 * (double)c.n * (double)c.m * (double)(c.g ? c.rank : c.n); /* of one order */
    if ((double)together * work > most_work) together = (int64_t)(most_work / work);
    if (together < 1) together = 1;
    ALD_TRY(
        ALD_SCRATCH(run, {&c.group, c.n, together * c.m}, {&c.product, c.g ? c.rank : c.n, together * c.m}));
    place(&c, 1, 0, NULL);
    ALD_TRY(traces(run, &c, 1, &trace));
    ALD_TRY(count_larger(run, &c, together, trace, &larger));
    const double less = (double)c.n - 1.0;
    task->value = trace / (less * less);
    task->p_value = (1.0 + (double)larger) / (1.0 + (double)task->permutations);
    return ALD_OK;
}
