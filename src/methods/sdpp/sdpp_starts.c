/* Where the conjugate gradient begins, and its runs: the first start is the leading part of P* (sdpp_solve.c)
 * or the steepest way down from 0, the others are random; several go side by side and share the passes over
 * X. */
#include "methods/sdpp/sdpp_starts.h"

#include "base/numbers/random.h"
#include "math/convex/certificate.h"
#include "math/linalg/vector.h"
#include "math/optimize/conjugate_gradient.h"
#include "methods/sdpp/sdpp_remote.h"

#include <math.h>
#include <string.h>

enum { longest_history = 10000, pairs_enough = 100000 };

int64_t ald_sdpp_drawn_every(int64_t pairs)
{
    return 1 + pairs / pairs_enough / 2;
}

/* Column k: a random direction, drawn as a sum of random multiples of the differences tau of pairs. In
 * whitened coordinates all directions are alike; and it is the same direction however the coordinates are
 * turned, so that neither rounding nor another basis of the same rows changes where a start begins. Every
 * so-many-th of very many pairs will do. */
static ald_status fill_column(ald_run *run, const ald_sdpp_solving *s, int64_t k, double length,
                              ald_random *random, double *w)
{
    const int64_t p = s->basis.p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *v;
    ALD_TRY(ald_scratch_reals(run, p, 1, &v));
    ALD_TRY(ald_sdpp_draw(run, s, random, v));
    const double size = ald_norm(p, v);
    for (int64_t i = 0; i < p; i++) w[i * s->r + k] = v[i] * length / size;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Columns that are nearly 0 would stay so: the gradient is 0 there. */
static ald_status refill(ald_run *run, const ald_sdpp_solving *s, double *w)
{
    double longest = 0.0;
    ald_random random;
    ald_random_seed(&random, s->seed, 1);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < s->r; k++) {
            double square = 0.0;
            for (int64_t i = 0; i < s->basis.p; i++) square += w[i * s->r + k] * w[i * s->r + k];
            if (pass == 0)
                longest = fmax(longest, square);
            else if (!(square > 1e-6 * longest))
                ALD_TRY(fill_column(run, s, k, longest > 0.0 ? 0.1 * sqrt(longest) : s->length, &random, w));
        }
    return ALD_OK;
}

/* Columns of length 1 to those that the wanted distances ask for: from another order of size the first search
 * along W cannot bring them there, as it would find the step to 0 and the digits beyond it are lost. */
static void lengthen(const ald_sdpp_solving *s, double *w)
{
    for (int64_t i = 0; i < s->basis.p * s->r; i++) w[i] *= s->length;
}

/* The first start: the leading part of P*, or the steepest way down from 0; the others are random. In units
 * of s->scale. */
static ald_status make_start(ald_run *run, ald_sdpp_solving *s, int64_t number, double *w)
{
    ald_random random;
    ald_random_seed(&random, s->seed, (uint64_t)number + 1);
    if (number > 0) {
        for (int64_t k = 0; k < s->r; k++) ALD_TRY(fill_column(run, s, k, s->length, &random, w));
        return s->basis.whitened ? ALD_OK : ald_sdpp_scatter_times(run, s, w);
    }
    if (!s->has_convex) {
        ALD_TRY(ald_stress_steepest(run, &s->stress, s->scale, s->seed, s->r, w));
        lengthen(s, w);
        return ALD_OK;
    }
    memset(w, 0, (size_t)(s->basis.p * s->r) * sizeof *w);
    for (int64_t i = 0; i < s->basis.p; i++)
        for (int64_t k = 0; k < s->r && k < s->convex.rank; k++)
            w[i * s->r + k] = s->convex.factor[i * s->convex.rank + k] / s->scale[i];
    return ALD_OK;
}

/* How many starts go side by side: they share the passes over X, which pays up to some 16 columns. */
static int64_t starts_at_once(const ald_sdpp_solving *s, const ald_sdpp_watch *watch)
{
    const int64_t most = s->r > 8 ? 1 : 16 / s->r;
    if (watch || !s->stress.divergence->quartic) return 1;
    return s->starts < most ? s->starts : most;
}

/* What came of a batch of starts. */
typedef struct batch {
    int64_t first, count;
    double *w, *values, *history;
    int64_t *iterations;
    int *converged;
} batch;

static ald_status new_batch(ald_run *run, const ald_sdpp_solving *s, int64_t most, batch *b)
{
    ALD_TRY(ALD_SCRATCH(run, {&b->w, s->basis.p, s->r * most}, {&b->values, most, 1},
                        {&b->history, most, s->history_length}));
    ALD_TRY(ald_scratch(run, most, 1, sizeof *b->iterations, &b->iterations));
    return ald_scratch(run, most, 1, sizeof *b->converged, &b->converged);
}

/* The first start's columns that rescaling has left at nearly 0. */
static ald_status refill_first(ald_run *run, const ald_sdpp_solving *s, const batch *b, double *one)
{
    if (b->first > 0 || s->certified) return ALD_OK;
    for (int64_t i = 0; i < s->basis.p; i++)
        memcpy(one + i * s->r, b->w + i * b->count * s->r, (size_t)s->r * sizeof *one);
    ALD_TRY(refill(run, s, one));
    for (int64_t i = 0; i < s->basis.p; i++)
        memcpy(b->w + i * b->count * s->r, one + i * s->r, (size_t)s->r * sizeof *one);
    return ALD_OK;
}

static ald_status run_batch(ald_run *run, ald_sdpp_solving *s, const ald_objective *inner,
                            ald_sdpp_watch *watch, batch *b)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_scaled scaled;
    ALD_TRY(ald_scaled_new(run, inner, s->scale, s->r * b->count, &scaled));
    const ald_objective objective = ald_scaled_objective(&scaled);
    ald_cg task = {
        .objective = &objective,
        .r = s->r,
        .groups = b->count,
        .tol = s->settings.tol,
        .size = s->size,
        .max_iter = s->max_iter,
        .stage = "conjugate gradient",
        .history = b->history,
        .history_length = s->history_length,
        .begun = (double)b->first / (double)s->starts,
        .share = (double)b->count / (double)s->starts,
        .values = b->values,
        .iterations = b->iterations,
        .converged = b->converged,
    };
    double *one;
    ALD_TRY(ald_scratch_reals(run, s->basis.p, s->r, &one));
    for (int64_t g = 0; g < b->count; g++) {
        ALD_TRY(make_start(run, s, b->first + g, one));
        for (int64_t i = 0; i < s->basis.p; i++)
            memcpy(b->w + (i * b->count + g) * s->r, one + i * s->r, (size_t)s->r * sizeof *one);
    }
    ALD_TRY(ald_cg_rescale(run, &objective, s->r, b->count, b->w));
    ALD_TRY(refill_first(run, s, b, one));
    if (watch) {
        ald_sdpp_watch_begin(watch);
        task.watch = ald_sdpp_watch_look;
        task.watcher = watch;
    }
    ALD_TRY(ald_cg_minimise(run, &task, b->w));
    if (watch) {
        ald_sdpp_watch_best(watch, b->w, b->values);
        b->converged[0] |= watch->stopped;
    }
    ald_scaled_leave(&scaled, s->r * b->count, b->w);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static void keep_start(ald_sdpp_solving *s, const batch *b, int64_t g, double *w)
{
    s->iterations = b->iterations[g];
    s->converged = b->converged[g];
    for (int64_t i = 0; i < s->basis.p; i++)
        memcpy(w + i * s->r, b->w + (i * b->count + g) * s->r, (size_t)s->r * sizeof *w);
    memcpy(s->history, b->history + g * s->history_length, (size_t)s->history_length * sizeof *s->history);
}

/* In whitened coordinates the ridge is as steep as they are long: ridge M'M beside slopes of about size / 2.
 * Units in which the two together are alike; early stopping keeps those of X. */
ald_status ald_sdpp_find_scale(ald_run *run, ald_sdpp_solving *s)
{
    const double ridge = s->settings.early_stopping > 0.0 ? 0.0 : s->stress.ridge;
    ALD_TRY(ald_scratch_reals(run, s->basis.p, 1, &s->scale));
    for (int64_t j = 0; j < s->basis.p; j++)
        s->scale[j] = 1.0 / sqrt(1.0 + 2.0 * ridge * s->basis.lengths[j] / s->size);
    return ALD_OK;
}

ald_status ald_sdpp_run_starts(ald_run *run, ald_sdpp_solving *s, ald_sdpp_watch *watch, double *w)
{
    const int64_t most = starts_at_once(s, watch);
    const int quadratic = s->has_quadratic && !watch;
    const ald_objective objective =
        quadratic ? ald_quadratic_objective(&s->quadratic) : ald_stress_objective(&s->stress);
    double best = INFINITY;
    batch b = {0};
    s->history_length = s->max_iter < longest_history ? s->max_iter + 1 : longest_history;
    ALD_TRY(ald_scratch_reals(run, s->history_length, 1, &s->history));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(new_batch(run, s, most, &b));
    if (!quadratic) ALD_TRY(ald_stress_prepare(run, &s->stress, s->r, most));
    for (b.first = 0; b.first < s->starts; b.first += b.count) {
        b.count = s->starts - b.first < most ? s->starts - b.first : most;
        ALD_TRY(run_batch(run, s, &objective, watch, &b));
        for (int64_t g = 0; g < b.count; g++) {
            s->all_iterations += b.iterations[g];
            if (!(b.values[g] < best - 1e-9 * fabs(best) - 1e-14 * s->at_zero) && b.first + g > 0) continue;
            best = b.values[g];
            keep_start(s, &b, g, w);
        }
    }
    ald_arena_release(&run->scratch, mark);
    return ald_stress_prepare(run, &s->stress, s->r, 1);
}

/* Only its own columns: others would be 0, and the conjugate gradient takes long to make them so. */
ald_status ald_sdpp_run_certified(ald_run *run, ald_sdpp_solving *s, double *w)
{
    const int64_t r = s->r, rank = s->convex_rank, p = s->basis.p;
    double *narrow;
    ALD_TRY(ald_scratch_reals(run, p, rank, &narrow));
    s->r = rank;
    s->starts = 1;
    ALD_TRY(ald_sdpp_run_starts(run, s, NULL, narrow));
    s->r = r;
    memset(w, 0, (size_t)(p * r) * sizeof *w);
    for (int64_t i = 0; i < p; i++) memcpy(w + i * r, narrow + i * rank, (size_t)rank * sizeof *w);
    return ald_stress_prepare(run, &s->stress, r, 1);
}
