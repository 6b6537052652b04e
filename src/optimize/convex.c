#include "optimize/convex.h"

#include "linalg/linalg.h"
#include "linalg/vector.h"
#include "threads/threads.h"

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
        q->c, stress,
    };
    return ALD_OK;
}

/* By the pairs: the image is D of each pair, then <R, P>. */
typedef struct by_pairs {
    const ald_stress *stress;
    const double *rows; /* F */
    double *term;       /* R, p x p */
    double *products;   /* n x p */
    double *entries;    /* of the pairs */
} by_pairs;

typedef struct pair_work {
    const by_pairs *f;
    const double *u, *image;
    double *out;
    int64_t k;
    int parts;
    int64_t *first; /* n: the number of the first pair of a row */
} pair_work;

static void measure_rows(void *work, int part)
{
    const pair_work *p = work;
    const ald_pairs *pairs = p->f->stress->pairs;
    const int64_t end = ald_part_begin(pairs->n, p->parts, part + 1), k = p->k;
    for (int64_t i = ald_part_begin(pairs->n, p->parts, part); i < end; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            const double *a = p->u + i * k, *b = p->u + pairs->partners[e] * k;
            double d = 0.0;
            for (int64_t c = 0; c < k; c++) d += (a[c] - b[c]) * (a[c] - b[c]);
            p->out[p->first[i] + e - pairs->upper[i]] = d;
        }
}

static ald_status first_pairs(ald_run *run, const ald_pairs *pairs, int64_t **first)
{
    int64_t sum = 0;
    ALD_TRY(ald_scratch(run, pairs->n, 1, sizeof **first, first));
    for (int64_t i = 0; i < pairs->n; i++) {
        (*first)[i] = sum;
        sum += pairs->pointers[i + 1] - pairs->upper[i];
    }
    return ALD_OK;
}

static ald_status pairs_image(ald_run *run, void *self, const double *x, int64_t q, double *image)
{
    by_pairs *f = self;
    const ald_pairs *pairs = f->stress->pairs;
    const int64_t n = f->stress->basis->n, p = f->stress->basis->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *rx;
    pair_work work = {.f = f, .out = image, .k = q};
    memset(image, 0, (size_t)(pairs->count + 1) * sizeof *image);
    if (q == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, q}, {&rx, p, q}));
    ALD_TRY(first_pairs(run, pairs, &work.first));
    ALD_TRY(ald_product(run, ald_of(f->rows, n, p), ald_of(x, p, q), ald_at(u, n, q)));
    ALD_TRY(ald_product(run, ald_of(f->term, p, p), ald_of(x, p, q), ald_at(rx, p, q)));
    work.u = u;
    work.parts = ald_parts(run->context, pairs->count * q, 10000);
    ald_parallel(work.parts, measure_rows, &work);
    image[pairs->count] = ald_dot(p * q, x, rx);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Entries 2 c w (D - t) of the pairs, in both rows of each. */
static void spread_entries(const by_pairs *f, const double *image)
{
    const ald_pairs *pairs = f->stress->pairs;
    const double *d = image;
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++)
            f->entries[e] = 2.0 * f->stress->scale * pairs->weights[e] * (*d++ - f->stress->squares[e]);
    ald_pairs_mirror(pairs, f->entries);
}

static ald_status pairs_gradient(ald_run *run, void *self, const double *image, double *z)
{
    by_pairs *f = self;
    const int64_t n = f->stress->basis->n, p = f->stress->basis->p;
    spread_entries(f, image);
    ALD_TRY(ald_pairs_laplacian(run, f->stress->pairs, f->entries, f->rows, p, f->products));
    memcpy(z, f->term, (size_t)(p * p) * sizeof *z);
    ALD_TRY(ald_product_add(run, 1.0, ald_t(ald_of(f->rows, n, p)), ald_of(f->products, n, p), 1.0,
                            ald_at(z, p, p)));
    ald_symmetrise(ald_at(z, p, p));
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
    const int64_t n = stress->basis->n, p = stress->basis->p;
    by_pairs *self;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *self, &self));
    *self = (by_pairs){.stress = stress};
    ALD_TRY(ald_basis_rows(run, stress->basis, &self->rows));
    ALD_TRY(ALD_SCRATCH(run, {&self->term, p, p}, {&self->products, n, p},
                        {&self->entries, stress->pairs->count, 2}));
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
    };
    return ALD_OK;
}

/* With x = trace(P*), m = sum w and a = sum w t / m: (x - a)^2 <= sum w (D - t)^2 / m <= (J(P) + pull x) / (c
 * m). */
double ald_trace_bound(const ald_stress *stress, double value)
{
    const ald_pairs *pairs = stress->pairs;
    double wanted = 0.0;
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

/* X of P: its positive eigenvalues. */
static ald_status factorize(ald_run *run, int64_t p, double *matrix, ald_psd_solution *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&values, p, 1}, {&vectors, p, p}));
    ALD_TRY(ald_eigen(run, ald_at(matrix, p, p), values, ald_at(vectors, p, p)));
    for (out->rank = 0; out->rank < p && values[out->rank] > 0.0;) out->rank++;
    for (int64_t i = 0; i < p; i++)
        for (int64_t k = 0; k < out->rank; k++)
            out->factor[i * out->rank + k] = sqrt(values[k]) * vectors[k * p + i];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_psd_finish(ald_run *run, const ald_convex *f, double *matrix, double *image,
                          ald_psd_solution *out)
{
    const int64_t p = f->p;
    ALD_TRY(factorize(run, p, matrix, out));
    ALD_TRY(f->image(run, f->self, out->factor, out->rank, image));
    out->value = f->value(f->self, image);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *z, *zx, *values;
    ALD_TRY(ALD_SCRATCH(run, {&z, p, p}, {&zx, p, p}, {&values, p, 1}));
    ALD_TRY(f->gradient(run, f->self, image, z));
    double inner = 0.0;
    if (out->rank > 0) {
        ALD_TRY(
            ald_product(run, ald_of(z, p, p), ald_of(out->factor, p, out->rank), ald_at(zx, p, out->rank)));
        inner = ald_dot(p * out->rank, out->factor, zx);
    }
    ALD_TRY(ald_eigenvalues(run, ald_at(z, p, p), p, values));
    out->gap = ald_gap_bound(f->stress, out->value, fabs(inner), values[p - 1]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
