/* What trial fits of one comparison share: the pairs, the basis, the sums, the convex solution. */
#include "methods/sdpp/sdpp_starts.h"

#include "base/core/tryout.h"
#include "methods/sdpp/sdpp_remote.h"

#include <string.h>

typedef struct common {
    ald_sdpp_pairs pairs;
    ald_basis basis;
    ald_quadratic sums;
    int has_basis, has_sums;
} common;

typedef struct solution {
    ald_psd_solution convex;
    int64_t rank;
    double *lengths;
} solution;

/* By what the settings of all such fits share, and the shape of the rows. NULL: no trial. */
static ald_kept *common_place(const ald_run *run, const ald_problem *problem)
{
    const int64_t shape[] = {problem->n, problem->d};
    return ald_tryout_sparing(run)
               ? ald_tryout_place(run, ALD_SHELF_ROWS, ald_tryout_key(run, shape, sizeof shape))
               : NULL;
}

static ald_status make_common(ald_run *keeper, const ald_problem *problem, const ald_operator *z,
                              const ald_sdpp_settings *settings, ald_model *model, ald_kept *kept)
{
    common *made;
    ALD_TRY(ald_scratch_clear(keeper, 1, 1, sizeof *made, &made));
    ALD_TRY(ald_sdpp_find_pairs(keeper, problem, z, settings, model, &made->pairs));
    kept->thing = made;
    return ALD_OK;
}

ald_status ald_sdpp_common_pairs(ald_run *run, const ald_problem *problem, const ald_operator *z,
                                 const ald_sdpp_settings *settings, ald_model *model, ald_sdpp_pairs *pairs)
{
    ald_kept *kept = common_place(run, problem);
    ald_run keeper;
    if (!kept) return ald_sdpp_find_pairs(run, problem, z, settings, model, pairs);
    if (!kept->thing) {
        ald_tryout_open(run, kept, &keeper);
        const ald_status status = make_common(&keeper, problem, z, settings, model, kept);
        ALD_TRY(ald_tryout_close(run, kept, &keeper, status));
    }
    *pairs = ((const common *)kept->thing)->pairs;
    return ALD_OK;
}

/* The rows themselves stay the fit's. */
ald_status ald_sdpp_common_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    ald_kept *kept = common_place(run, s->problem);
    common *here = kept ? kept->thing : NULL;
    ald_run keeper;
    if (!here) return ald_sdpp_make_basis(run, z, s);
    if (!here->has_basis) {
        ald_tryout_open(run, kept, &keeper);
        ALD_TRY(ald_tryout_close(run, kept, &keeper, ald_sdpp_make_basis(&keeper, z, s)));
        here->basis = s->basis;
        here->has_basis = 1;
    }
    s->basis = here->basis;
    s->basis.z = z;
    return ALD_OK;
}

ald_status ald_sdpp_common_quadratic(ald_run *run, ald_sdpp_solving *s, int64_t columns, int64_t groups)
{
    ald_kept *kept = common_place(run, s->problem);
    common *here = kept ? kept->thing : NULL;
    ald_run keeper;
    if (s->stress.sums)
        return ald_quadratic_of_sums(run, &s->stress, s->stress.sums, columns, groups, &s->quadratic);
    if (!here) return ald_quadratic_of_stress(run, &s->stress, columns, groups, &s->quadratic);
    if (!here->has_sums) {
        ald_quadratic sums;
        ald_tryout_open(run, kept, &keeper);
        ALD_TRY(ald_tryout_close(run, kept, &keeper, ald_quadratic_sum(&keeper, &s->stress, &sums)));
        here->sums = sums;
        here->has_sums = 1;
    }
    return ald_quadratic_of_sums(run, &s->stress, &here->sums, columns, groups, &s->quadratic);
}

/* A copy of what was found, in the memory of the place. */
static ald_status keep_solution(ald_run *keeper, const ald_sdpp_solving *s, ald_kept *kept)
{
    const size_t entries = (size_t)(s->basis.p * s->convex.rank), values = (size_t)s->convex.rank + 1;
    solution *made;
    ALD_TRY(ald_scratch(keeper, 1, 1, sizeof *made, &made));
    *made = (solution){.convex = s->convex, .rank = s->convex_rank};
    ALD_TRY(ALD_SCRATCH(keeper, {&made->convex.factor, s->basis.p, s->convex.rank},
                        {&made->lengths, s->convex.rank + 1, 1}));
    memcpy(made->convex.factor, s->convex.factor, entries * sizeof(double));
    memcpy(made->lengths, s->convex_lengths, values * sizeof(double));
    kept->thing = made;
    return ALD_OK;
}

static ald_kept *solution_place(const ald_run *run, const ald_sdpp_solving *s)
{
    const struct {
        double ridge;
        int64_t n, rank;
    } apart = {s->stress.ridge, s->problem->n, s->r > 3 ? s->r : 3};
    return ald_tryout_sparing(run)
               ? ald_tryout_place(run, ALD_SHELF_SOLUTION, ald_tryout_key(run, &apart, sizeof apart))
               : NULL;
}

ald_status ald_sdpp_common_convex(ald_run *run, ald_sdpp_solving *s)
{
    ald_kept *kept = solution_place(run, s);
    ald_run keeper;
    if (!kept) return ald_sdpp_solve_convex(run, s);
    if (!kept->thing) {
        ALD_TRY(ald_sdpp_solve_convex(run, s));
        if (!s->has_convex) return ALD_OK;
        ald_tryout_open(run, kept, &keeper);
        ALD_TRY(ald_tryout_close(run, kept, &keeper, keep_solution(&keeper, s, kept)));
    }
    const solution *here = kept->thing;
    s->convex = here->convex;
    s->convex_rank = here->rank;
    s->convex_lengths = here->lengths;
    s->has_convex = 1;
    return ALD_OK;
}
