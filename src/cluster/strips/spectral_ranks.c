#include "cluster/strips/spectral_ranks.h"

#include "base/ranks/communicator.h"
#include "cluster/strips/divided_scatter.h"
#include "cluster/strips/krylov_schur.h"
#include "cluster/strips/stretch.h"
#include "math/linalg/linalg.h"
#include "math/operator/shared_rows.h"
#include "math/operator/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The way that was chosen. */
typedef struct choice {
    const ald_eigen_module *module;
    double seconds[ALD_ROUTES];
    ald_route route;
    int by_cost;
} choice;

static ald_route_case case_of(const ald_run *run, const ald_spectral_ranks *with, const ald_lanczos *task)
{
    return (ald_route_case){
        .rows = ald_shared_rows_of(with->z),
        .columns = with->z->x.cols,
        .most_square = run->context->most_square,
        .entries = with->z->source->entries,
        .sparse = with->z->x.storage != ALD_DENSE,
        .ranks = ald_rank_count(run),
        .threads = with->z->source->parts,
        .pairs = task->wanted,
        .reading = with->z->source->reading,
        .has_slepc = task->wanted < task->n,
    };
}

/* A route that is set for tests. */
static void force_route(const ald_eigen_slot *slot, choice *c)
{
    for (int i = 0; i < ALD_ROUTES && slot && slot->route; i++)
        if (strcmp(slot->route, ald_route_name((ald_route)i)) == 0) {
            c->route = (ald_route)i;
            c->by_cost = 0;
        }
}

/* By rank 0, as threads may differ. */
static ald_status find_route(ald_run *run, const ald_spectral_ranks *with, const ald_route_case *sizes,
                             choice *c)
{
    int route;
    ald_route_seconds(sizes, c->seconds);
    c->route = with->is_asked ? with->asked : ald_route_choose(c->seconds);
    c->by_cost = !with->is_asked;
    if (sizes->has_slepc) force_route(run->context->ranks->eigen, c);
    route = (int)c->route;
    ALD_TRY(ald_all_hear(run, 0, &route, (int64_t)sizeof route));
    c->route = (ald_route)route;
    return ALD_OK;
}

/* SLEPc is loaded only where it would be used. */
static ald_status choose(ald_run *run, const ald_spectral_ranks *with, const ald_lanczos *task, choice *c)
{
    ald_route_case sizes = case_of(run, with, task);
    ALD_TRY(find_route(run, with, &sizes, c));
    if (c->route == ALD_BY_LANCZOS) return ALD_OK;
    ALD_TRY(ald_eigen_module_find(run, &c->module));
    if (c->module) return ALD_OK;
    sizes.has_slepc = 0;
    ALD_TRY(find_route(run, with, &sizes, c));
    if (c->route == ALD_BY_LANCZOS) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "a square of %lld columns is divided over ranks by SLEPc (Debian: slepc64-dev), which "
                    "was not found: use `solver=lanczos`",
                    (long long)with->z->x.cols);
}

static ald_status tell(ald_run *run, const choice *c, int found, ald_model *model)
{
    const int has_slepc = isfinite(c->seconds[ALD_BY_KRYLOV_SCHUR]);
    char texts[ALD_ROUTES][32];
    if (!model) return ALD_OK;
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.solver", ald_route_name(c->route)));
    if (!c->by_cost) return ALD_OK;
    for (int i = 0; i < ALD_ROUTES; i++)
        if (isfinite(c->seconds[i]))
            snprintf(texts[i], sizeof texts[i], "%.2g", c->seconds[i]);
        else
            snprintf(texts[i], sizeof texts[i], "%s",
                     has_slepc || i == ALD_BY_LANCZOS ? "(too large)" : "(no SLEPc)");
    return ald_model_set_printed(run, model, "alidade.resolved.solver_reason",
                                 "fewest estimated seconds on %d ranks of scatter %s, lanczos %s, "
                                 "krylov-schur %s%s",
                                 ald_rank_count(run), texts[0], texts[1], texts[2],
                                 found ? "" : "; krylov-schur did not find all directions");
}

/* The own columns of c Z'Z + B B'. */
static ald_status form_columns(ald_run *run, const ald_spectral_ranks *with, double **columns)
{
    const int64_t d = with->z->x.cols, m = with->m;
    const ald_stretch own = ald_stretch_of(d, ald_rank(run), ald_rank_count(run));
    ALD_TRY(ald_all_agree(run, ald_scratch_zeros(run, d, own.count, columns)));
    if (with->identity) ALD_TRY(ald_divided_scatter(run, with->z, *columns));
    if (m == 0) return ALD_OK;
    const ald_view b = ald_of(with->b, d, m), own_b = ald_view_block(b, own.first, 0, own.count, m);
    return ald_all_agree(run,
                         ald_product_add(run, 1.0, b, ald_t(own_b), 1.0, ald_at(*columns, d, own.count)));
}

static ald_status solve_by_slepc(ald_run *run, const ald_spectral_ranks *with, const choice *c,
                                 ald_lanczos *task)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *columns = NULL;
    if (c->route == ALD_BY_SCATTER) ALD_TRY(form_columns(run, with, &columns));
    ALD_TRY(ald_krylov_schur_solve(run, c->module, columns, task));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_spectral_on_ranks(ald_run *run, const ald_spectral_ranks *with, ald_lanczos *task,
                                 const char **solver, ald_model *model)
{
    choice c = {0};
    int found = 1;
    ALD_TRY(choose(run, with, task, &c));
    if (c.route != ALD_BY_LANCZOS) {
        ALD_TRY(solve_by_slepc(run, with, &c, task));
        found = task->converged;
    }
    if (c.route == ALD_BY_LANCZOS || !found) ALD_TRY(ald_lanczos_solve(run, task));
    if (!found) c.route = ALD_BY_LANCZOS;
    *solver = ald_route_name(c.route);
    return tell(run, &c, found, model);
}
