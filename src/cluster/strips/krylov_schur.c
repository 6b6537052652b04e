#include "cluster/strips/krylov_schur.h"

#include "base/core/budget.h"
#include "base/numbers/random.h"
#include "base/ranks/communicator.h"
#include "cluster/strips/stretch.h"

#include <math.h>
#include <string.h>

/* A solution under way, for the calls that come back. */
typedef struct calling {
    ald_run *run;
    ald_lanczos *task;
    ald_stretch own;
    double *v, *w; /* n */
    ald_status status;
} calling;

/* Stretches become the whole vector, by a sum with zeros. */
static ald_status whole(ald_run *run, const double *own, ald_stretch at, int64_t n, int64_t k, double *all)
{
    memset(all, 0, (size_t)(n * k) * sizeof *all);
    memcpy(all + at.first * k, own, (size_t)(at.count * k) * sizeof *all);
    return ald_all_sum(run, all, n * k);
}

static ald_status multiply_whole(const calling *c, const double *v)
{
    const uint64_t mark = ald_arena_mark(&c->run->scratch);
    ALD_TRY(whole(c->run, v, c->own, c->task->n, 1, c->v));
    ALD_TRY(c->task->apply(c->run, c->task->self, c->v, 1, c->w));
    ald_arena_release(&c->run->scratch, mark);
    return ALD_OK;
}

static int multiply(void *self, const double *v, double *w)
{
    calling *c = self;
    c->status =
        ald_all_agree(c->run, multiply_whole(c, v)); /* in between SLEPc's own messages are waited for */
    if (c->status >= 0) memcpy(w, c->w + c->own.first, (size_t)c->own.count * sizeof *w);
    return c->status < 0;
}

/* As a rule ten products for a pair and some more; nobody knows. */
static int ask(void *self, int64_t products)
{
    calling *c = self;
    const double usual = 10.0 * ((double)c->task->wanted + 4.0);
    c->status = ald_progress(c->run, c->task->stage, 1.0 - exp(-(double)products / usual));
    return c->status < 0;
}

/* Two stretches of random vectors that are the same whatever the number of ranks. */
static void fill_start(const ald_lanczos *task, ald_stretch own, double *start)
{
    ald_random random;
    ald_random_seed(&random, task->seed, 0);
    for (int64_t i = 0; i < 2 * task->n; i++) {
        const double value = ald_random_normal(&random);
        const int64_t at = i % task->n - own.first;
        if (at >= 0 && at < own.count) start[i / task->n * own.count + at] = value;
    }
}

static ald_eigen_task task_for(calling *c, double *columns)
{
    const ald_lanczos *task = c->task;
    const int64_t room = task->wanted > 24 ? task->wanted : 24, most = task->wanted + room;
    return (ald_eigen_task){
        .order = task->n,
        .first = c->own.first,
        .count = c->own.count,
        .columns = columns,
        .multiply = multiply,
        .ask = ask,
        .self = c,
        .wanted = task->wanted,
        .basis = most < task->n ? most : task->n,
        .tol = task->tol,
        .max_products = task->max_products,
        .values = task->values,
    };
}

static ald_status room_for(calling *c, ald_eigen_task *eigen)
{
    const int64_t n = c->task->n, own = c->own.count;
    double *start = NULL;
    ALD_TRY(ALD_SCRATCH(c->run, {&c->v, n, 1}, {&c->w, n, 1}, {&start, 2, own},
                        {&eigen->vectors, own, c->task->wanted}));
    fill_start(c->task, c->own, start);
    eigen->start = start;
    return ALD_OK;
}

/* What SLEPc did to one rank only the others do not know: they end when this one does. */
static ald_status failed(const calling *c, const ald_eigen_task *eigen)
{
    if (c->status < 0) return c->status;
    return ald_fail(c->run->error, ALD_ERROR_NUMERICAL, "eigenvalues by SLEPc: %s", eigen->trouble);
}

/* SLEPc asks the system for memory: what it will ask for counts as used meanwhile, and a limit that it would
 * exceed is told before. */
static ald_status solve_within(const calling *c, const ald_eigen_module *module, ald_eigen_task *eigen)
{
    ald_run *run = c->run;
    ald_budget *budget = run->context->budget;
    const int64_t bytes = module->bytes(eigen);
    const int counted = budget && ald_budget_take(budget, (size_t)bytes);
    ald_status status = counted || !budget ? ALD_OK : ald_out_of_memory(run, bytes, 1, 1);
    status = ald_all_agree(run, status);
    if (status >= 0 && module->solve(eigen)) status = failed(c, eigen);
    if (counted) ald_budget_give(budget, (size_t)bytes);
    return status;
}

/* Values and counts are those of rank 0: the others have them by the same steps, perhaps on other processors.
 */
static ald_status share(const calling *c, ald_eigen_task *eigen)
{
    ald_lanczos *task = c->task;
    ald_run *run = c->run;
    ALD_TRY(ald_all_hear(run, 0, &eigen->found, (int64_t)sizeof eigen->found));
    task->converged = eigen->found == task->wanted;
    task->products = eigen->products;
    if (!task->converged) return ALD_OK;
    ALD_TRY(ald_all_hear(run, 0, &eigen->residual, (int64_t)sizeof eigen->residual));
    ALD_TRY(ald_all_hear(run, 0, task->values, task->wanted * (int64_t)sizeof *task->values));
    task->residual = eigen->residual;
    return whole(run, eigen->vectors, c->own, task->n, task->wanted, task->vectors);
}

ald_status ald_krylov_schur_solve(ald_run *run, const ald_eigen_module *module, double *columns,
                                  ald_lanczos *task)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    calling c = {
        .run = run,
        .task = task,
        .own = ald_stretch_of(task->n, ald_rank(run), ald_rank_count(run)),
    };
    ald_eigen_task eigen = task_for(&c, columns);
    ALD_TRY(ald_all_agree(run, room_for(&c, &eigen)));
    ALD_TRY(solve_within(&c, module, &eigen));
    ALD_TRY(share(&c, &eigen));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
