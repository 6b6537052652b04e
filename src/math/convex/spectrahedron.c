#include "math/convex/spectrahedron.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct state {
    int64_t m, size;
    double *now, *y, *next, *g, *g_next; /* m x m */
    double *values, *vectors, *work;     /* m, m x m twice */
    double lipschitz, t;
    double least; /* gap so far, and for how many steps it has not become smaller */
    int64_t idle;
} state;

static ald_status spectrahedron_new_state(ald_run *run, int64_t m, state *s)
{
    *s = (state){.m = m, .size = m * m, .t = 1.0, .least = INFINITY};
    double **const squares[] = {&s->now, &s->y, &s->next, &s->g, &s->g_next, &s->vectors, &s->work};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        ALD_TRY(ald_scratch_reals(run, m, m, squares[i]));
    return ald_scratch_reals(run, m, 1, &s->values);
}

/* The nearest numbers >= 0 of sum 1 to the descending values. */
static void onto_simplex(int64_t m, double *values)
{
    double sum = 0.0, shift = 0.0;
    for (int64_t k = 0; k < m; k++) {
        sum += values[k];
        const double candidate = (sum - 1.0) / (double)(k + 1);
        if (values[k] > candidate) shift = candidate;
    }
    for (int64_t k = 0; k < m; k++) values[k] = fmax(values[k] - shift, 0.0);
}

/* next = the projection of y - g / lipschitz. */
static ald_status project(ald_run *run, state *s)
{
    const int64_t m = s->m;
    for (int64_t i = 0; i < s->size; i++) s->work[i] = s->y[i] - s->g[i] / s->lipschitz;
    ALD_TRY(ald_eigen(run, ald_at(s->work, m, m), s->values, ald_at(s->vectors, m, m)));
    onto_simplex(m, s->values);
    for (int64_t k = 0; k < m; k++)
        for (int64_t i = 0; i < m; i++) s->work[k * m + i] = s->values[k] * s->vectors[k * m + i];
    return ald_product(run, ald_t(ald_of(s->work, m, m)), ald_of(s->vectors, m, m), ald_at(s->next, m, m));
}

/* A step from y; the Lipschitz constant L grows until the quadratic model is an upper bound. Near the minimum
 * the values differ by their rounding only, and the gradients tell: f is convex, so f(next) <= f(y) +
 * <G(next), next - y>, and the bound holds when <G(next) - G(y), next - y> <= L/2 |next - y|^2. */
static ald_status step(ald_run *run, ald_spectrahedron *task, state *s)
{
    double at_y, value;
    ALD_TRY(task->gradient(run, task->self, s->y, &at_y, s->g));
    for (int tries = 0; tries < 100; tries++) {
        double inner = 0.0, square = 0.0, bend = 0.0;
        ALD_TRY(project(run, s));
        ALD_TRY(task->gradient(run, task->self, s->next, &value, s->g_next));
        for (int64_t i = 0; i < s->size; i++) {
            const double move = s->next[i] - s->y[i];
            inner += s->g[i] * move;
            square += move * move;
            bend += (s->g_next[i] - s->g[i]) * move;
        }
        const double model = at_y + inner + 0.5 * s->lipschitz * square;
        if (value <= model + 16.0 * DBL_EPSILON * fabs(at_y) || bend <= 0.5 * s->lipschitz * square) break;
        s->lipschitz *= 2.0;
    }
    task->value = value;
    return ALD_OK;
}

/* <G, Omega> - lambda_min(G) at `next`, whose gradient is at hand. */
static ald_status find_gap(ald_run *run, ald_spectrahedron *task, state *s)
{
    task->gap = ald_dot(s->size, s->g_next, s->next);
    memcpy(s->work, s->g_next, (size_t)s->size * sizeof *s->work);
    ALD_TRY(ald_eigenvalues(run, ald_at(s->work, s->m, s->m), s->m, s->values));
    task->gap -= s->values[s->m - 1];
    s->idle = task->gap < 0.9 * s->least ? 0 : s->idle + 1;
    s->least = fmin(s->least, task->gap);
    /* As far as rounding goes is far enough. */
    task->converged = task->gap <= task->tol * fabs(task->value) ||
                      (s->idle > 300 && task->gap <= 1e-10 * fabs(task->value));
    return ALD_OK;
}

static void extrapolate(state *s)
{
    double uphill = 0.0;
    for (int64_t i = 0; i < s->size; i++) uphill += (s->y[i] - s->next[i]) * (s->next[i] - s->now[i]);
    const double t = uphill > 0.0 ? 1.0 : 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->t * s->t)),
                 beta = uphill > 0.0 ? 0.0 : (s->t - 1.0) / t;
    for (int64_t i = 0; i < s->size; i++) {
        s->y[i] = s->next[i] + beta * (s->next[i] - s->now[i]);
        s->now[i] = s->next[i];
    }
    s->t = t;
    s->lipschitz *= 0.98; /* it may have become smaller on the way */
}

ald_status ald_spectrahedron_minimise(ald_run *run, ald_spectrahedron *task, double *omega)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    state s;
    ALD_TRY(spectrahedron_new_state(run, task->m, &s));
    memset(s.now, 0, (size_t)s.size * sizeof *s.now);
    for (int64_t i = 0; i < s.m; i++) s.now[i * s.m + i] = 1.0 / (double)s.m;
    memcpy(s.y, s.now, (size_t)s.size * sizeof *s.y);
    ALD_TRY(task->gradient(run, task->self, s.y, &task->value, s.g));
    s.lipschitz = ald_norm(s.size, s.g) + DBL_MIN;
    task->converged = 0;
    for (task->iterations = 0; task->iterations < task->max_iter && !task->converged; task->iterations++) {
        ALD_TRY(step(run, task, &s));
        if (!isfinite(task->value))
            return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                            "the values are too large or too small to be worked with");
        ALD_TRY(find_gap(run, task, &s));
        extrapolate(&s);
        ALD_TRY(ald_progress(run, task->stage, (double)task->iterations / (double)task->max_iter));
    }
    memcpy(omega, s.now, (size_t)s.size * sizeof *omega);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
