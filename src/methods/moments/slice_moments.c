/* Moments of slices from whitened rows, from statistics and from sparse rows. */
#include "methods/moments/slice_moments.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/moments/moments.h"

#include <math.h>
#include <string.h>

enum { block_rows = 256 };

/* What is visited, and room for one slice. */
typedef struct visiting {
    const ald_problem *problem;
    const ald_whitening *w;
    const ald_slices *slices;
    int64_t *members, *begin; /* rows in order of their slice; where slice h begins, count + 1 */
    double *block, *roots, *wide, *square;
} visiting;

static ald_status group_rows(ald_run *run, visiting *v)
{
    const int64_t n = v->problem->n, count = v->slices->count;
    const int32_t *of = v->slices->of;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *v->members, &v->members));
    ALD_TRY(ald_scratch_clear(run, count + 2, 1, sizeof *v->begin, &v->begin));
    for (int64_t i = 0; i < n; i++) v->begin[of[i] + 2]++;
    for (int64_t h = 0; h < count; h++) v->begin[h + 2] += v->begin[h + 1];
    for (int64_t i = 0; i < n; i++) v->members[v->begin[of[i] + 1]++] = i;
    return ALD_OK;
}

static double root_of(const visiting *v, int64_t i)
{
    return v->problem->weights ? sqrt(v->problem->weights[i]) : 1.0;
}

/* Rows of U are times the roots of their weights. */
static ald_status of_rows(ald_run *run, const visiting *v, ald_slice_moments *s)
{
    const int64_t p = v->w->p, first_row = v->begin[s->number], count = v->begin[s->number + 1] - first_row;
    const int64_t *rows = v->members + first_row;
    const double weight = v->slices->weight[s->number];
    memset(s->mean, 0, (size_t)p * sizeof *s->mean);
    for (int64_t k = 0; k < count; k++)
        ald_add_times(p, root_of(v, rows[k]) / weight, v->w->rows + rows[k] * p, s->mean);
    ald_scale(0.0, ald_at(s->covariance, p, p));
    for (int64_t first = 0; first < count; first += block_rows) {
        const int64_t some = count - first < block_rows ? count - first : block_rows;
        for (int64_t k = 0; k < some; k++) {
            const double *u = v->w->rows + rows[first + k] * p;
            const double root = root_of(v, rows[first + k]);
            for (int64_t a = 0; a < p; a++) v->block[k * p + a] = u[a] - root * s->mean[a];
        }
        ALD_TRY(ald_gram_add(run, 1.0 / weight, ald_of(v->block, some, p), 1.0, ald_at(s->covariance, p, p)));
    }
    ald_mirror(ald_at(s->covariance, p, p));
    return ALD_OK;
}

/* Classes without rows are no slices: the number of the class that is slice h. */
static int64_t class_of(const ald_moments *sums, int64_t h)
{
    int64_t c = 0;
    for (int64_t left = h; sums->count[c] <= 0.0 || left > 0; c++) left -= sums->count[c] > 0.0;
    return c;
}

/* V_h = T'D S_h D T / n_h, S_h the scatter of the class and D the scaling of the columns. */
static ald_status of_moments(ald_run *run, const visiting *v, ald_slice_moments *s)
{
    const ald_moments *sums = v->problem->moments;
    const double *scale = v->problem->x.inverse_scale;
    const int64_t p = v->w->p, d = v->w->d, c = class_of(sums, s->number);
    for (int64_t j = 0; j < d; j++)
        v->wide[j] = (sums->centre[c * d + j] - sums->mean[j]) * (scale ? scale[j] : 1.0);
    ALD_TRY(ald_product(run, ald_of(v->w->transform, p, d), ald_of(v->wide, d, 1), ald_at(s->mean, p, 1)));
    ALD_TRY(ald_whiten_square(run, v->problem, v->w, sums->within + c * d * d, s->covariance));
    ald_scale(1.0 / sums->count[c], ald_at(s->covariance, p, p));
    return ALD_OK;
}

/* V_h = T'Z_h'Z_h T / W_h - m_h m_h', Z_h = Z with the other rows times 0. */
static ald_status of_sparse(ald_run *run, const visiting *v, ald_slice_moments *s)
{
    const int64_t n = v->problem->n, p = v->w->p, d = v->w->d;
    const ald_view t = ald_of(v->w->transform, p, d);
    ald_operator own = v->problem->x;
    own.row_weight = v->roots;
    for (int64_t i = 0; i < n; i++) v->roots[i] = v->slices->of[i] == s->number ? root_of(v, i) : 0.0;
    ALD_TRY(ald_operator_apply_transposed(run, &own, ald_of(v->roots, n, 1), ald_at(v->wide, d, 1)));
    ALD_TRY(ald_product_add(run, 1.0 / v->slices->weight[s->number], t, ald_of(v->wide, d, 1), 0.0,
                            ald_at(s->mean, p, 1)));
    ALD_TRY(ald_operator_scatter(run, &own, ald_at(v->square, d, d)));
    ald_scale(1.0 / v->slices->weight[s->number], ald_at(v->square, d, d));
    ALD_TRY(ald_product(run, t, ald_of(v->square, d, d), ald_at(v->wide, p, d)));
    ALD_TRY(ald_product(run, ald_of(v->wide, p, d), ald_t(t), ald_at(s->covariance, p, p)));
    for (int64_t a = 0; a < p; a++) ald_add_times(p, -s->mean[a], s->mean, s->covariance + a * p);
    return ALD_OK;
}

typedef ald_status (*source)(ald_run *run, const visiting *v, ald_slice_moments *s);

static ald_status choose_source(ald_run *run, visiting *v, source *from)
{
    const int64_t n = v->problem->n, p = v->w->p, d = v->w->d;
    *from = v->w->rows ? of_rows : of_sparse;
    if (v->problem->moments) *from = of_moments;
    if (*from == of_moments) return ald_scratch_reals(run, d, 1, &v->wide);
    if (*from == of_sparse) return ALD_SCRATCH(run, {&v->roots, n, 1}, {&v->wide, p, d}, {&v->square, d, d});
    ALD_TRY(group_rows(run, v));
    return ald_scratch_reals(run, block_rows, p, &v->block);
}

ald_status ald_visit_slices(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                            const ald_slices *slices, ald_slice_visit visit, void *self)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    visiting v = {.problem = problem, .w = w, .slices = slices};
    ald_slice_moments s;
    source from;
    ALD_TRY(choose_source(run, &v, &from));
    ALD_TRY(ALD_SCRATCH(run, {&s.mean, w->p, 1}, {&s.covariance, w->p, w->p}));
    for (s.number = 0; s.number < slices->count; s.number++) {
        s.share = slices->weight[s.number] / problem->total;
        ALD_TRY(from(run, &v, &s));
        ALD_TRY(visit(run, w, &s, self));
        ALD_TRY(ald_progress(run, "comparing slices", (double)(s.number + 1) / (double)slices->count));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
