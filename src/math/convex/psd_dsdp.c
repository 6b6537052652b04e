/* The semidefinite program of the thesis, through DSDP (Benson, Ye and Zhang 2000).
 *
 * With A = K'K (s x s), min p'A p + b'p over P >= 0 is
 *
 *   min t   with   P >= 0   and   [ I     K p      ]
 *                                 [ p'K'  t - b'p  ] >= 0,
 *
 * in DSDP's dual form max -t over the unknowns y = (p, t), one block of order p and one of order s + 1. It is
 * slow by nature, s + 1 unknowns with a block of that order, and is here to check the others. */
#include "math/convex/convex.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

#ifdef ALD_HAVE_DSDP
#include <dsdp5.h>

enum { largest_order = 10 };
static const double height = 1e4;

/* The sparse constraint matrices: DSDP keeps pointers to what it is given. Its tolerances are absolute near
 * 0, so that P is taken in units of `unit`, what its trace is about, and J so that J(0) is `height`. */
typedef struct program {
    int64_t p, s;
    double unit, factor; /* P = unit P', J' = factor J */
    int *places;         /* entries of the matrices of all unknowns, packed lower triangle by rows */
    double *entries;     /* of both blocks */
    int used;
} program;

static int packed(int64_t i, int64_t j)
{
    return (int)(i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
}

static void add_entry(program *g, int64_t i, int64_t j, double value)
{
    g->places[g->used] = packed(i, j);
    g->entries[g->used++] = value;
}

/* K with A = K'K from the eigenvalues of A, row by row; rows of eigenvalue 0 are 0. */
static ald_status root_of(ald_run *run, const ald_quadratic *q, double *k)
{
    const int64_t s = q->s;
    double *copy, *values;
    ALD_TRY(ALD_SCRATCH(run, {&copy, s, s}, {&values, s, 1}));
    memcpy(copy, q->a, (size_t)(s * s) * sizeof *copy);
    ALD_TRY(ald_eigen(run, ald_at(copy, s, s), values, ald_at(k, s, s)));
    for (int64_t i = 0; i < s; i++)
        for (int64_t j = 0; j < s; j++) k[i * s + j] *= sqrt(fmax(values[i], 0.0));
    return ALD_OK;
}

/* Block 0 is P: C - sum y A >= 0 with C = 0 and A = -E. Block 1: C = diag(I, 0) and A = -[0, K e; ., -b]. */
static int fill(SDPCone cone, program *g, const ald_quadratic *q, const double *k)
{
    const int64_t p = g->p, s = g->s;
    int failed = 0, unknown = 1;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = i; j < p; j++, unknown++) {
            const int first = g->used;
            add_entry(g, j, i, i == j ? -1.0 : -1.0 / sqrt(2.0));
            failed |= SDPConeSetASparseVecMat(cone, 0, unknown, (int)p, 1.0, 0, g->places + first,
                                              g->entries + first, 1);
            const int second = g->used;
            for (int64_t row = 0; row < s; row++)
                add_entry(g, s, row, -sqrt(g->factor) * g->unit * k[row * s + unknown - 1]);
            add_entry(g, s, s, g->factor * g->unit * q->b[unknown - 1]);
            failed |= SDPConeSetASparseVecMat(cone, 1, unknown, (int)s + 1, 1.0, 0, g->places + second,
                                              g->entries + second, g->used - second);
        }
    const int corner = g->used;
    add_entry(g, s, s, -1.0);
    failed |= SDPConeSetASparseVecMat(cone, 1, unknown, (int)s + 1, 1.0, 0, g->places + corner,
                                      g->entries + corner, 1);
    const int constant = g->used;
    for (int64_t row = 0; row < s; row++) add_entry(g, row, row, 1.0);
    return failed | SDPConeSetASparseVecMat(cone, 1, 0, (int)s + 1, 1.0, 0, g->places + constant,
                                            g->entries + constant, (int)s);
}

static int run_solver(DSDP solver, program *g, const ald_quadratic *q, const double *k, double *y, int *steps)
{
    const int s = (int)g->s;
    SDPCone cone;
    int failed = DSDPCreateSDPCone(solver, 2, &cone);
    failed |= SDPConeSetBlockSize(cone, 0, (int)g->p) | SDPConeSetBlockSize(cone, 1, s + 1);
    failed |= SDPConeSetStorageFormat(cone, 0, 'P') | SDPConeSetStorageFormat(cone, 1, 'P');
    if (failed) return failed;
    for (int i = 1; i <= s; i++) failed |= DSDPSetDualObjective(solver, i, 0.0);
    failed |= DSDPSetDualObjective(solver, s + 1, -1.0);
    failed |= fill(cone, g, q, k);
    failed |= DSDPSetGapTolerance(solver, 1e-12) | DSDPSetStepTolerance(solver, 1e-8) |
              DSDPSetMaxIts(solver, 500) | DSDPSetPotentialParameter(solver, 4.0) |
              DSDPSetYBounds(solver, -1e10, 1e10);
    if (failed) return failed;
    failed |= DSDPSetup(solver) || DSDPSolve(solver);
    return failed | DSDPComputeX(solver) | DSDPGetY(solver, y, s + 1) | DSDPGetIts(solver, steps);
}

ald_status ald_psd_dsdp(ald_run *run, const ald_convex *f, const ald_quadratic *q, ald_psd_solution *out)
{
    const int64_t s = q->s;
    program g = {.p = q->p, .s = s, .unit = ald_trace_bound(f->stress, 0.0), .factor = height / q->c};
    double *k, *y, *matrix, *image;
    DSDP solver;
    int steps = 0;
    if (q->p > largest_order)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`solver=sdp` works on up to %d columns; there are %lld: use auto, ipm or first-order",
            largest_order, (long long)q->p);
    *out = (ald_psd_solution){.solver = "sdp"};
    ALD_TRY(ald_scratch_reals(run, q->p, q->p, &out->factor));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&k, s, s}, {&y, s + 1, 1}, {&matrix, q->p, q->p}, {&image, f->size, 1},
                        {&g.entries, s * (s + 2) + s + 1, 1}));
    ALD_TRY(ald_scratch(run, s * (s + 2) + s + 1, 1, sizeof *g.places, &g.places));
    ALD_TRY(root_of(run, q, k));
    if (DSDPCreate((int)s + 1, &solver)) return ald_out_of_memory(run, s + 1, s + 1, sizeof(double));
    const int failed = run_solver(solver, &g, q, k, y, &steps);
    DSDPDestroy(solver);
    if (failed)
        return ald_fail(run->error, ALD_ERROR_NUMERICAL, "DSDP gave up: use auto, ipm or first-order");
    for (int64_t i = 0; i < s; i++) y[i] *= g.unit;
    ald_svec_matrix(q->p, y, matrix);
    out->iterations = steps;
    ALD_TRY(ald_psd_finish(run, f, matrix, image, out));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

#else

ald_status ald_psd_dsdp(ald_run *run, const ald_convex *f, const ald_quadratic *q, ald_psd_solution *out)
{
    (void)f;
    (void)q;
    (void)out;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "this build has no DSDP, which `solver=sdp` needs (libdsdp-dev): use auto, ipm or first-order");
}

#endif
