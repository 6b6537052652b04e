/* The convex problem by a factor of growing rank (Burer and Monteiro 2003; Journee et al. 2010).
 *
 * At a stationary X of J(X X'), P = X X' is the global minimum when Z >= 0; if not, an eigenvector of a negative
 * eigenvalue of Z is a direction of descent for one more column, and several of them join at once. A column adds about
 * 4 n d flops to a step of the conjugate gradient. */
#include "core/random.h"
#include "optimize/certificate.h"
#include "optimize/conjugate_gradient.h"

#include <math.h>
#include <string.h>

typedef struct factor {
    int64_t p, rank;
    double *x; /* p x rank */
} factor;

/* x grows by the columns of `more` (p x found), a part of the size of the longest column. */
static ald_status join(ald_run *run, factor *f, const ald_certificate *c)
{
    const int64_t rank = f->rank + c->found;
    double longest = 0.0, *x;
    for (int64_t k = 0; k < f->rank; k++) {
        double square = 0.0;
        for (int64_t i = 0; i < f->p; i++) square += f->x[i * f->rank + k] * f->x[i * f->rank + k];
        longest = fmax(longest, square);
    }
    ALD_TRY(ald_scratch_reals(run, f->p, rank, &x));
    for (int64_t i = 0; i < f->p; i++) {
        memcpy(x + i * rank, f->x + i * f->rank, (size_t)f->rank * sizeof *x);
        for (int64_t k = 0; k < c->found; k++)
            x[i * rank + f->rank + k] = 0.05 * sqrt(longest) * c->escape[i * c->found + k];
    }
    f->x = x;
    f->rank = rank;
    return ALD_OK;
}

static void random_start(factor *f, uint64_t seed)
{
    ald_random random;
    ald_random_seed(&random, seed, 1000);
    for (int64_t i = 0; i < f->p * f->rank; i++) f->x[i] = ald_random_normal(&random);
}

static ald_status improve(ald_run *run, ald_stress *stress, factor *f, double size, int64_t max_iter,
                          ald_psd_solution *out)
{
    const ald_objective objective = ald_stress_objective(stress);
    ald_cg task = {.objective = &objective,
                   .r = f->rank,
                   .tol = 1e-7,
                   .size = size,
                   .max_iter = max_iter,
                   .stage = "convex problem",
                   .begun = -1.0};
    ALD_TRY(ald_stress_prepare(run, stress, f->rank));
    ALD_TRY(ald_cg_rescale(run, &objective, f->rank, f->x));
    ALD_TRY(ald_cg_minimise(run, &task, f->x));
    out->iterations += task.iterations;
    out->value = task.value;
    return ALD_OK;
}

ald_status ald_psd_low_rank(ald_run *run, ald_stress *stress, int64_t rank, double tol, int64_t max_iter, uint64_t seed,
                            ald_psd_solution *out)
{
    const int64_t p = stress->basis->p;
    const double at_zero = ald_stress_at_zero(stress);
    factor f = {.p = p, .rank = rank < p ? rank : p};
    double size;
    *out = (ald_psd_solution){.solver = "low-rank"};
    ALD_TRY(ald_scratch_reals(run, p, f.rank, &f.x));
    random_start(&f, seed);
    ALD_TRY(ald_stress_steepest(run, stress, seed, 1, NULL, &size));
    for (;;) {
        ALD_TRY(improve(run, stress, &f, size, max_iter, out));
        ald_certificate c = {.room = f.rank > 3 ? (f.rank + 1) / 2 : 2};
        if (c.room > p - f.rank) c.room = p - f.rank > 0 ? p - f.rank : 1;
        ALD_TRY(ald_scratch_reals(run, p, c.room, &c.escape));
        ALD_TRY(ald_certify(run, stress, f.x, f.rank, out->value, seed, &c));
        out->gap = c.gap;
        if (c.gap <= tol * at_zero || f.rank >= p || c.found == 0 || out->iterations >= 20 * max_iter) break;
        ALD_TRY(join(run, &f, &c));
    }
    out->factor = f.x;
    out->rank = f.rank;
    return ALD_OK;
}
