/* J, its gradient and images, from the pairs or from their sums, and the bound of convex.h. */
#include "math/convex/convex.h"

#include "base/numbers/ordering.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/quadratic.h"

#include <math.h>
#include <string.h>

/* By A, b, c: the image is svec(P), then A svec(P). */
static ald_status quadratic_image(ald_run *run, void *self, const double *x, int64_t r, double *image)
{
    const ald_quadratic *q = self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *p;
    ALD_TRY(ald_scratch_zeros(run, q->p, q->p, &p));
    if (r > 0)
        ALD_TRY(ald_product(run, ald_of(x, q->p, r), ald_t(ald_of(x, q->p, r)), ald_at(p, q->p, q->p)));
    ald_svec(q->p, p, image);
    ALD_TRY(
        ald_product(run, ald_of(q->a, q->s, q->s), ald_of(image, q->s, 1), ald_at(image + q->s, q->s, 1)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status quadratic_gradient(ald_run *run, void *self, const double *image, double *z)
{
    const ald_quadratic *q = self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *x;
    ALD_TRY(ald_scratch_reals(run, q->s, 1, &x));
    for (int64_t k = 0; k < q->s; k++) x[k] = 2.0 * image[q->s + k] + q->b[k];
    ald_svec_matrix(q->p, x, z);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static double quadratic_curvature(const void *self, const double *image)
{
    const ald_quadratic *q = self;
    return ald_dot(q->s, image, image + q->s);
}

static double quadratic_value(const void *self, const double *image)
{
    const ald_quadratic *q = self;
    return quadratic_curvature(self, image) + ald_dot(q->s, q->b, image) + q->c;
}

ald_status ald_convex_of_quadratic(ald_run *run, const ald_stress *stress, ald_quadratic *q, ald_convex *f)
{
    (void)run;
    *f = (ald_convex){
        q->p, 2 * q->s, q, quadratic_image, quadratic_gradient, quadratic_value, quadratic_curvature,
        q->c, stress,   0,
    };
    return ALD_OK;
}

/* By the pairs: the image is D of each pair, then <R, P>. Rows are taken in blocks that stay in cache from
 * the product with F to the one with F'. */
enum { rows_at_once = 128, columns_at_once = 4 * ALD_PAIRS_PANEL, largest_alone = 300 };

typedef struct by_pairs {
    const ald_stress *stress;
    const double *rows; /* F */
    double *term;       /* R, p x p */
    int64_t *numbers;   /* of the pair that an entry belongs to */
    double *entries;    /* of the pairs */
} by_pairs;

typedef struct pair_work {
    ald_run *run;
    const by_pairs *f;
    const double *x; /* p x k */
    int64_t k;
    double *u; /* F X */
    const double *image;
    double *out;   /* D; or Z, one p x p per part */
    double *panel; /* n x columns_at_once: columns of L F */
    int parts;
    int64_t rows[ALD_MOST_PARTS + 1]; /* where the parts of the pairs begin, each met once */
    ald_status status[ALD_MOST_PARTS];
} pair_work;

static int64_t first_row(const pair_work *w, int part)
{
    return ald_part_begin(w->f->stress->pairs->n, w->parts, part);
}

static void project_rows(void *work, int part)
{
    pair_work *w = work;
    const int64_t p = w->f->stress->basis->p, k = w->k, end = first_row(w, part + 1);
    for (int64_t i = first_row(w, part); i < end && w->status[part] >= 0; i += rows_at_once) {
        const int64_t rows = ald_least(end - i, rows_at_once);
        w->status[part] = ald_product(w->run, ald_of(w->f->rows + i * p, rows, p), ald_of(w->x, p, k),
                                      ald_at(w->u + i * k, rows, k));
    }
}

static void measure_rows(void *work, int part)
{
    const pair_work *w = work;
    const ald_pairs *pairs = w->f->stress->pairs;
    for (int64_t i = w->rows[part]; i < w->rows[part + 1]; i++)
        if (pairs->upper[i] < pairs->pointers[i + 1])
            ald_pairs_row_squares(pairs, i, w->u, w->k, w->out + w->f->numbers[pairs->upper[i]]);
}

/* The first failure of the parts. */
static ald_status run_rows(pair_work *w, ald_part_fn fn)
{
    memset(w->status, 0, sizeof w->status);
    ald_parallel(w->parts, fn, w);
    for (int part = 0; part < w->parts; part++) ALD_TRY(w->status[part]);
    return ALD_OK;
}

static ald_status pairs_image(ald_run *run, void *self, const double *x, int64_t q, double *image)
{
    const by_pairs *f = self;
    const ald_pairs *pairs = f->stress->pairs;
    const int64_t n = f->stress->basis->n, p = f->stress->basis->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *rx;
    pair_work work = {.run = run, .f = f, .out = image, .x = x, .k = q};
    memset(image, 0, (size_t)(pairs->count + 1) * sizeof *image);
    if (q == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&work.u, n, q}, {&rx, p, q}));
    work.parts = ald_parts(run, pairs->count * q, 100000);
    ald_pairs_cut(pairs, work.parts, work.rows);
    ALD_TRY(run_rows(&work, project_rows));
    ALD_TRY(run_rows(&work, measure_rows));
    ALD_TRY(ald_product(run, ald_of(f->term, p, p), ald_of(x, p, q), ald_at(rx, p, q)));
    image[pairs->count] = ald_dot(p * q, x, rx);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* q = 2 c w (D - t). */
static void find_entries(const pair_work *w, const int64_t range[2])
{
    const ald_stress *s = w->f->stress;
    const ald_pairs *pairs = s->pairs;
    for (int64_t e = pairs->pointers[range[0]]; e < pairs->pointers[range[1]]; e++)
        w->f->entries[e] = 2.0 * s->scale * pairs->weights[e] * (w->image[w->f->numbers[e]] - s->squares[e]);
}

static void gradient_rows(void *work, int part)
{
    pair_work *w = work;
    const by_pairs *f = w->f;
    const int64_t p = f->stress->basis->p, range[] = {first_row(w, part), first_row(w, part + 1)},
                  rows = range[1] - range[0];
    double *panel = w->panel + range[0] * columns_at_once;
    const ald_area z = ald_at(w->out + part * p * p, p, p);
    find_entries(w, range);
    for (int64_t c = 0; c < p && w->status[part] >= 0; c += columns_at_once) {
        const int64_t cols = ald_least(p - c, columns_at_once);
        ald_pairs_columns(
            f->stress->pairs, range[0], f->entries,
            ald_view_block(ald_of(f->rows, f->stress->pairs->n, p), 0, c, f->stress->pairs->n, cols),
            ald_at(panel, rows, cols));
        w->status[part] = ald_product(
            w->run, ald_t(ald_view_block(ald_of(f->rows + range[0] * p, rows, p), 0, 0, rows, c + cols)),
            ald_of(panel, rows, cols), ald_area_block(z, 0, c, c + cols, cols));
    }
}

static ald_status pairs_gradient(ald_run *run, void *self, const double *image, double *z)
{
    const by_pairs *f = self;
    const int64_t p = f->stress->basis->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    pair_work work = {.run = run, .f = f, .image = image};
    work.parts = ald_parts(run, f->stress->pairs->count * p, 100000);
    ALD_TRY(ALD_SCRATCH(run, {&work.out, work.parts, p * p},
                        {&work.panel, f->stress->pairs->n, columns_at_once}));
    ALD_TRY(run_rows(&work, gradient_rows));
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = i; j < p; j++) {
            z[i * p + j] = f->term[i * p + j];
            for (int part = 0; part < work.parts; part++) z[i * p + j] += work.out[(part * p + i) * p + j];
        }
    ald_mirror(ald_at(z, p, p));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* c sum w (D - share t)^2. */
static double misfit(const by_pairs *f, const double *image, double share)
{
    const ald_pairs *pairs = f->stress->pairs;
    double sum = 0.0;
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            const double off = *image++ - share * f->stress->squares[e];
            sum += pairs->weights[e] * off * off;
        }
    return f->stress->scale * sum;
}

static double pairs_value(const void *self, const double *image)
{
    const by_pairs *f = self;
    return misfit(f, image, 1.0) + image[f->stress->pairs->count];
}

static double pairs_curvature(const void *self, const double *image)
{
    return misfit(self, image, 0.0);
}

ald_status ald_convex_of_stress(ald_run *run, const ald_stress *stress, ald_convex *f)
{
    const int64_t p = stress->basis->p;
    by_pairs *self;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *self, &self));
    *self = (by_pairs){.stress = stress};
    ALD_TRY(ald_basis_rows(run, stress->basis, &self->rows));
    ALD_TRY(ALD_SCRATCH(run, {&self->term, p, p}, {&self->entries, stress->pairs->count, 2}));
    ALD_TRY(ald_pairs_numbers(run, stress->pairs, &self->numbers));
    ALD_TRY(ald_stress_linear_term(run, stress, self->rows, self->term));
    *f = (ald_convex){
        p,
        stress->pairs->count + 1,
        self,
        pairs_image,
        pairs_gradient,
        pairs_value,
        pairs_curvature,
        ald_stress_at_zero(stress),
        stress,
        p <= largest_alone,
    };
    return ALD_OK;
}

/* With x = trace(P*), m = sum w and a = sum w t / m: (x - a)^2 <= sum w (D - t)^2 / m <= (J(P) + pull x) / (c
 * m). */
double ald_trace_bound(const ald_stress *stress, double value)
{
    const ald_pairs *pairs = stress->pairs;
    double wanted = ald_stress_is_remote(stress) ? stress->wanted : 0.0;
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++)
            wanted += pairs->weights[e] * stress->squares[e];
    const double a = wanted / pairs->total, more = 0.5 * stress->pull / (stress->scale * pairs->total),
                 rest = more * (2.0 * a + more) + value / (stress->scale * pairs->total);
    return a + more + sqrt(fmax(rest, 0.0));
}

double ald_gap_bound(const ald_stress *stress, double value, double inner, double lowest)
{
    const double bound = inner + fmax(0.0, -lowest) * ald_trace_bound(stress, value);
    return stress->spread == 0.0 && !stress->linear ? fmin(bound, fmax(value, 0.0)) : bound;
}
