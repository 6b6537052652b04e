/* Accelerated projected gradient (Beck and Teboulle 2009) over P >= 0, started anew when the momentum points
 * up (O'Donoghue and Candes 2015), in the metric |M|^2 + beta tr(M)^2:
 *
 *   Y = P + mu (P - P'),   P+ = argmin_{P >= 0} <Z(Y), P> + L/2 (|P - Y|^2 + beta tr(P - Y)^2).
 *
 * Along the identity J is much steeper than along other directions: of differences tau with the scatter I the
 * mean of (tau'M tau)^2 is 2 |M|^2 + tr(M)^2 where they are normal, (p + 2) / 2 times as much. One L for all
 * directions has to be as large as there, and steps along the others are as short. beta is such that
 * L (1 + beta p) is the curvature along I, and 0 where L is larger than that. The minimum has the
 * eigenvectors of Y - Z/L = V diag(l) V', and a number that all eigenvalues are moved by:
 *
 *   P+ = V diag([l - s]_+) V',   s = beta (sum [l - s]_+ - tr Y).
 *
 * J is quadratic, so that L is right for a step exactly when 2 c |D(P+ - Y)|^2 <= L (|P+ - Y|^2 + ...), which
 * costs nothing to see because the images are there; else it is raised. Before every step it is lowered a
 * little: along most steps J is flatter than where it is steepest. Z is affine in P, so that Z(Y) is made of
 * Z(P) and Z(P'), and the certificate of P needs but the eigenvalues of Z(P).
 *
 * In the coordinates of basis.h some 25 steps reach 1e-9 where the differences of neighbours look like normal
 * ones, and a hundred or two where a few of them are many times as long as the others. */
#include "base/threads/threads.h"
#include "math/convex/convex.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

enum { steps_between_looks = 10 };

typedef struct state {
    int64_t p, size;
    double *now, *before, *y, *next;                      /* P, P', Y, P+: p x p */
    double *z_now, *z_before, *z;                         /* Z of P, P', Y */
    double *i_now, *i_before, *i_y, *i_next, *difference; /* images of P, P', Y, P+ */
    double *values, *vectors;
    double *x; /* of P+, p x rank */
    int64_t rank;
    double along_one; /* the curvature along I, for its length 1 */
    double lipschitz, beta, t;
} state;

static ald_status psd_first_order_new_state(ald_run *run, const ald_convex *f, state *s)
{
    double **const squares[] = {
        &s->now, &s->before, &s->y, &s->next, &s->z_now, &s->z_before, &s->z, &s->vectors, &s->x,
    };
    double **const images[] = {&s->i_now, &s->i_before, &s->i_y, &s->i_next, &s->difference};
    *s = (state){.p = f->p, .size = f->size, .t = 1.0};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        ALD_TRY(ald_scratch_zeros(run, s->p, s->p, squares[i]));
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        ALD_TRY(ald_scratch_zeros(run, s->size, 1, images[i]));
    return ald_scratch_reals(run, s->p, 1, &s->values);
}

static void set_lipschitz(state *s, double lipschitz)
{
    s->lipschitz = lipschitz;
    s->beta = fmax(s->along_one / lipschitz - 1.0, 0.0) / (double)s->p;
}

static double trace(const state *s, const double *m)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->p; i++) sum += m[i * (s->p + 1)];
    return sum;
}

/* <a - b, c - d> in the metric. */
static double inner(const state *s, const double *a, const double *b, const double *c, const double *d)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->p * s->p; i++) sum += (a[i] - b[i]) * (c[i] - d[i]);
    return sum + s->beta * (trace(s, a) - trace(s, b)) * (trace(s, c) - trace(s, d));
}

/* s of the equation above: with k + 1 eigenvalues above it, it is beta (their sum - tr Y) / (1 + beta (k +
 * 1)). */
static double find_shift(const state *s)
{
    const double wanted = trace(s, s->y);
    double sum = 0.0, shift = -s->beta * wanted;
    for (int64_t k = 0; k < s->p; k++) {
        sum += s->values[k];
        const double next = s->beta * (sum - wanted) / (1.0 + s->beta * (double)(k + 1));
        if (!(s->values[k] > next)) break;
        shift = next;
    }
    return shift;
}

/* P+ and its image. */
static ald_status project(ald_run *run, const ald_convex *f, state *s)
{
    const int64_t p = s->p;
    int64_t q = 0;
    for (int64_t i = 0; i < p * p; i++) s->next[i] = s->y[i] - s->z[i] / s->lipschitz;
    ALD_TRY(ald_eigen(run, ald_at(s->next, p, p), s->values, ald_at(s->vectors, p, p)));
    const double shift = find_shift(s);
    while (q < p && s->values[q] > shift) q++;
    for (int64_t i = 0; i < p; i++)
        for (int64_t k = 0; k < q; k++) s->x[i * q + k] = sqrt(s->values[k] - shift) * s->vectors[k * p + i];
    memset(s->next, 0, (size_t)(p * p) * sizeof *s->next);
    if (q > 0)
        ALD_TRY(ald_product(run, ald_of(s->x, p, q), ald_t(ald_of(s->x, p, q)), ald_at(s->next, p, p)));
    s->rank = q;
    return f->image(run, f->self, s->x, q, s->i_next);
}

static int lipschitz_holds(const ald_convex *f, state *s)
{
    const double square = inner(s, s->next, s->y, s->next, s->y);
    for (int64_t i = 0; i < s->size; i++) s->difference[i] = s->i_next[i] - s->i_y[i];
    return 2.0 * f->curvature(f->self, s->difference) <= s->lipschitz * square * (1.0 + 1e-10);
}

/* The curvature along I, where the coordinates make it a direction like no other; its image to `difference`.
 */
static ald_status curvature_along_one(ald_run *run, const ald_convex *f, state *s)
{
    memset(s->difference, 0, (size_t)s->size * sizeof *s->difference);
    if (!f->stress->basis->whitened) return ALD_OK;
    ald_make_identity(ald_at(s->x, s->p, s->p));
    ALD_TRY(f->image(run, f->self, s->x, s->p, s->difference));
    s->along_one = 2.0 * f->curvature(f->self, s->difference) / (double)s->p;
    return ALD_OK;
}

/* The curvature along what the first direction of descent, [-Z(0)]_+, has beside I. */
static ald_status first_lipschitz(ald_run *run, const ald_convex *f, state *s)
{
    double square = 0.0, lipschitz = 0.0;
    s->lipschitz = 1.0;
    ALD_TRY(f->gradient(run, f->self, s->i_now, s->z_now));
    memcpy(s->z, s->z_now, (size_t)(s->p * s->p) * sizeof *s->z);
    ALD_TRY(project(run, f, s));
    ALD_TRY(curvature_along_one(run, f, s));
    const double part = s->along_one > 0.0 ? trace(s, s->next) / (double)s->p : 0.0;
    for (int64_t i = 0; i < s->p * s->p; i++) square += s->next[i] * s->next[i];
    square -= part * part * (double)s->p;
    for (int64_t i = 0; i < s->size; i++) s->difference[i] = s->i_next[i] - part * s->difference[i];
    if (square > 0.0) lipschitz = 2.0 * f->curvature(f->self, s->difference) / square;
    if (!(lipschitz > 0.0 && isfinite(lipschitz))) lipschitz = s->along_one > 0.0 ? s->along_one : 1.0;
    set_lipschitz(s, lipschitz);
    return ALD_OK;
}

/* to = now + mu (now - before). */
static void extrapolate(int64_t size, double mu, const double *now, const double *before, double *to)
{
    for (int64_t i = 0; i < size; i++) to[i] = now[i] + mu * (now[i] - before[i]);
}

static void swap(double **a, double **b)
{
    double *const c = *a;
    *a = *b;
    *b = c;
}

/* P+ is P, P is P'. */
static ald_status advance(ald_run *run, const ald_convex *f, state *s)
{
    swap(&s->before, &s->now);
    swap(&s->now, &s->next);
    swap(&s->i_before, &s->i_now);
    swap(&s->i_now, &s->i_next);
    swap(&s->z_before, &s->z_now);
    return f->gradient(run, f->self, s->i_now, s->z_now);
}

static ald_status step(ald_run *run, const ald_convex *f, state *s)
{
    const double t = 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->t * s->t)), mu = (s->t - 1.0) / t;
    set_lipschitz(s, 0.95 * s->lipschitz);
    extrapolate(s->p * s->p, mu, s->now, s->before, s->y);
    extrapolate(s->p * s->p, mu, s->z_now, s->z_before, s->z);
    extrapolate(s->size, mu, s->i_now, s->i_before, s->i_y);
    ALD_TRY(project(run, f, s));
    while (!lipschitz_holds(f, s) && isfinite(s->lipschitz)) {
        set_lipschitz(s, 1.2 * s->lipschitz);
        ALD_TRY(project(run, f, s));
    }
    s->t = inner(s, s->y, s->next, s->next, s->now) > 0.0 ? 1.0 : t;
    return advance(run, f, s);
}

/* The bound on J(P) - J*. The eigenvalues of Z are found where all is `asked` for, or the rest of the bound
 * is small enough; else it is left unknown, above what is wanted. The problem in a span, whose coordinates
 * are not whitened, is small: there some steps more than are wanted save others later. */
static ald_status look(ald_run *run, const ald_convex *f, state *s, double wanted, int asked,
                       ald_psd_solution *out)
{
    const int64_t p = s->p;
    const double part = fabs(ald_dot(p * p, s->z_now, s->now));
    out->gap = INFINITY;
    if (!asked && (part > wanted || !f->stress->basis->whitened)) return ALD_OK;
    memcpy(s->z, s->z_now, (size_t)(p * p) * sizeof *s->z);
    ALD_TRY(ald_eigenvalues(run, ald_at(s->z, p, p), p, s->values));
    out->value = f->value(f->self, s->i_now);
    out->gap = ald_gap_bound(f->stress, out->value, part, s->values[p - 1]);
    return ALD_OK;
}

/* *first: digits of the gap that were to be gained at the first look. */
static ald_status tell(ald_run *run, double wanted, int64_t max_iter, const ald_psd_solution *out,
                       double *first)
{
    const double left = out->gap > wanted ? log(out->gap / wanted) : 0.0;
    *first = fmax(*first, left);
    return ald_progress(
        run, "convex problem",
        fmax((double)out->iterations / (double)max_iter, *first > 0.0 ? 1.0 - left / *first : 1.0));
}

static ald_status iterate(ald_run *run, const ald_convex *f, double tol, int64_t max_iter, state *s,
                          ald_psd_solution *out)
{
    const double wanted = tol * f->at_zero;
    double first = 0.0;
    while (out->iterations < max_iter && out->gap > wanted) {
        ALD_TRY(step(run, f, s));
        out->iterations++;
        const int asked = out->iterations % steps_between_looks == 0 || out->iterations == max_iter;
        ALD_TRY(look(run, f, s, wanted, asked, out));
        if (asked) ALD_TRY(tell(run, wanted, max_iter, out, &first));
    }
    out->rank = s->rank;
    memcpy(out->factor, s->x, (size_t)(f->p * s->rank) * sizeof *s->x);
    return ALD_OK;
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
