/* Accelerated projected gradient (Beck and Teboulle 2009) over P >= 0, started anew when the momentum points
 * up (O'Donoghue and Candes 2015).
 *
 *   Y = P + beta (P - P'),   P+ = [Y - Z(Y)/L]_+,
 *
 * [.]_+ keeps the positive eigenvalues. J is quadratic, so that L is right for a step exactly when
 * c |D(P+ - Y)|^2 <= L/2 |P+ - Y|^2, which costs nothing to see because the images are there; else it is
 * raised. Before every step it is lowered a little: along most steps J is flatter than where it is steepest,
 * and longer steps more than halve their number. In the coordinates of basis.h, where J is well conditioned,
 * about a hundred steps reach 1e-9. */
#include "linalg/linalg.h"
#include "linalg/vector.h"
#include "optimize/convex.h"
#include "threads/threads.h"

#include <math.h>
#include <string.h>

enum { steps_between_looks = 10 };

typedef struct state {
    int64_t p, size;
    double *now, *before, *y, *next;                      /* P, P', Y, P+: p x p */
    double *i_now, *i_before, *i_y, *i_next, *difference; /* their images */
    double *z, *values, *vectors;
    double *x; /* of P+, p x rank */
    int64_t rank;
    double lipschitz, t;
} state;

static ald_status psd_first_order_new_state(ald_run *run, const ald_convex *f, state *s)
{
    double **const squares[] = {&s->now, &s->before, &s->y, &s->next, &s->z, &s->vectors, &s->x};
    double **const images[] = {&s->i_now, &s->i_before, &s->i_y, &s->i_next, &s->difference};
    *s = (state){.p = f->p, .size = f->size, .t = 1.0};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        ALD_TRY(ald_scratch_zeros(run, s->p, s->p, squares[i]));
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        ALD_TRY(ald_scratch_zeros(run, s->size, 1, images[i]));
    return ald_scratch_reals(run, s->p, 1, &s->values);
}

/* next = [y - z / L]_+ and its image. */
static ald_status project(ald_run *run, const ald_convex *f, state *s)
{
    const int64_t p = s->p;
    int64_t q = 0;
    for (int64_t i = 0; i < p * p; i++) s->next[i] = s->y[i] - s->z[i] / s->lipschitz;
    ALD_TRY(ald_eigen(run, ald_at(s->next, p, p), s->values, ald_at(s->vectors, p, p)));
    while (q < p && s->values[q] > 0.0) q++;
    for (int64_t i = 0; i < p; i++)
        for (int64_t k = 0; k < q; k++) s->x[i * q + k] = sqrt(s->values[k]) * s->vectors[k * p + i];
    memset(s->next, 0, (size_t)(p * p) * sizeof *s->next);
    if (q > 0)
        ALD_TRY(ald_product(run, ald_of(s->x, p, q), ald_t(ald_of(s->x, p, q)), ald_at(s->next, p, p)));
    s->rank = q;
    return f->image(run, f->self, s->x, q, s->i_next);
}

static int lipschitz_holds(const ald_convex *f, state *s)
{
    double square = 0.0;
    for (int64_t i = 0; i < s->p * s->p; i++) square += (s->next[i] - s->y[i]) * (s->next[i] - s->y[i]);
    for (int64_t i = 0; i < s->size; i++) s->difference[i] = s->i_next[i] - s->i_y[i];
    return 2.0 * f->curvature(f->self, s->difference) <= s->lipschitz * square * (1.0 + 1e-10);
}

/* The curvature along the first descent direction, -Z(0), which is positive semidefinite. */
static ald_status first_lipschitz(ald_run *run, const ald_convex *f, state *s)
{
    double square = 0.0;
    ALD_TRY(f->gradient(run, f->self, s->i_y, s->z));
    s->lipschitz = 1.0;
    ALD_TRY(project(run, f, s));
    for (int64_t i = 0; i < s->p * s->p; i++) square += s->next[i] * s->next[i];
    s->lipschitz = square > 0.0 ? 2.0 * f->curvature(f->self, s->i_next) / square : 1.0;
    if (!(s->lipschitz > 0.0)) s->lipschitz = 1.0;
    return ALD_OK;
}

static void extrapolate(state *s, double beta)
{
    for (int64_t i = 0; i < s->p * s->p; i++) s->y[i] = s->now[i] + beta * (s->now[i] - s->before[i]);
    for (int64_t i = 0; i < s->size; i++) s->i_y[i] = s->i_now[i] + beta * (s->i_now[i] - s->i_before[i]);
}

static void swap(double **a, double **b)
{
    double *const c = *a;
    *a = *b;
    *b = c;
}

static ald_status psd_first_order_advance(ald_run *run, const ald_convex *f, state *s)
{
    double t = 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->t * s->t)), uphill = 0.0;
    s->lipschitz *= 0.95;
    extrapolate(s, (s->t - 1.0) / t);
    ALD_TRY(f->gradient(run, f->self, s->i_y, s->z));
    ALD_TRY(project(run, f, s));
    while (!lipschitz_holds(f, s) && isfinite(s->lipschitz)) {
        s->lipschitz *= 1.2;
        ALD_TRY(project(run, f, s));
    }
    for (int64_t i = 0; i < s->p * s->p; i++) uphill += (s->y[i] - s->next[i]) * (s->next[i] - s->now[i]);
    s->t = uphill > 0.0 ? 1.0 : t;
    swap(&s->before, &s->now);
    swap(&s->i_before, &s->i_now);
    swap(&s->now, &s->next);
    swap(&s->i_now, &s->i_next);
    return ALD_OK;
}

static ald_status iterate(ald_run *run, const ald_convex *f, double tol, int64_t max_iter, state *s,
                          ald_psd_solution *out)
{
    double first = 0.0; /* digits of the gap that were to be gained at the first look */
    while (out->iterations < max_iter && out->gap > tol * f->at_zero) {
        for (int k = 0; k < steps_between_looks; k++) ALD_TRY(psd_first_order_advance(run, f, s));
        out->iterations += steps_between_looks;
        out->rank = s->rank;
        memcpy(out->factor, s->x, (size_t)(f->p * s->rank) * sizeof *s->x);
        ALD_TRY(ald_psd_judge(run, f, s->i_now, out));
        const double wanted = tol * f->at_zero, left = out->gap > wanted ? log(out->gap / wanted) : 0.0;
        first = fmax(first, left);
        ALD_TRY(ald_progress(
            run, "convex problem",
            fmax((double)out->iterations / (double)max_iter, first > 0.0 ? 1.0 - left / first : 1.0)));
    }
    memcpy(s->next, s->now, (size_t)(f->p * f->p) * sizeof *s->next);
    return ald_psd_finish(run, f, s->next, s->i_next, out);
}

ald_status ald_psd_first_order(ald_run *run, const ald_convex *f, double tol, int64_t max_iter,
                               ald_psd_solution *out)
{
    state s;
    *out = (ald_psd_solution){.solver = "first-order", .gap = INFINITY};
    ALD_TRY(ald_scratch_reals(run, f->p, f->p, &out->factor));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(psd_first_order_new_state(run, f, &s));
    ALD_TRY(first_lipschitz(run, f, &s));
    if (f->by_rows) ald_threads_pause();
    const ald_status status = iterate(run, f, tol, max_iter, &s, out);
    if (f->by_rows) ald_threads_resume();
    ald_arena_release(&run->scratch, mark);
    return status;
}
