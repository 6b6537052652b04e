/* Weights about centres, the moments of all local fits by one product, and falling bandwidths
 * (local_fits.h). */
#include "methods/engines/local_fits.h"

#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "base/threads/threads.h"
#include "math/kernel/kernel.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/grassmann.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ald_param ridge_param = ALD_RIDGE_PARAM(
    "1e-06", 1e-15, "times the mean of its diagonal, added to the diagonal of what each local fit inverts");
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-06", 1e-15, "stops when the subspace moves by less: the sine of the largest angle");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("50", "at most this many sweeps after the first");
static const ald_param centres_param = ALD_INT_PARAM(
    "centres", "2000", 2, 1e9, "with more rows, this many drawn ones are the centres of local fits",
    .traits = ALD_PARAM_IS_LANDMARKS);

const ald_param *const ald_local_params[] = {
    &ridge_param, &tol_param, &max_iter_param, &centres_param, NULL,
};

/* Centred, numbers over their deviations; a constant column stays 0. */
static ald_status standardise(ald_run *run, const ald_problem *problem, ald_local_rows *rows)
{
    const int64_t n = rows->n;
    ALD_TRY(ald_problem_responses(run, problem, &rows->y, &rows->q));
    if (problem->target->kind != ALD_TARGET_REAL) return ALD_OK;
    for (int64_t c = 0; c < rows->q; c++) {
        double largest = 0.0, square = 0.0;
        for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(rows->y[i * rows->q + c]));
        if (!(largest > 0.0)) continue;
        for (int64_t i = 0; i < n; i++) square += pow(rows->y[i * rows->q + c] / largest, 2.0) / (double)n;
        const double deviation = largest * sqrt(square);
        if (!isfinite(1.0 / deviation) || !isfinite(deviation)) return ald_too_large(run);
        for (int64_t i = 0; i < n; i++) rows->y[i * rows->q + c] /= deviation;
    }
    return ALD_OK;
}

/* Until the bandwidth has fallen, and a few more until the subspace stays. */
static double likely_sweeps(const ald_run *run, double p, double r)
{
    const double falling = 2.0 * ((fmax(p, 3.0) + 6.0) / (fmax(r, 3.0) + 4.0) - 1.0);
    return fmin(falling + 8.0, (double)ald_setting_int(run, &max_iter_param));
}

void ald_local_announce(const ald_run *run, const ald_problem *problem)
{
    const ald_target *y = problem->target;
    const double n = (double)problem->n, p = fmin(n, (double)problem->d),
                 m = fmin(n, (double)ald_setting_int(run, &centres_param)),
                 q = (double)(y->kind == ALD_TARGET_CLASSES ? y->n_classes : y->values.cols),
                 width = 0.5 * p * p + p * q, sweeps = 1.0 + likely_sweeps(run, p, (double)problem->r);
    const ald_stage_cost stages[] = {
        {"forming the scatter matrix", 1.4e-8 * n * p + 1e-10 * n * p * p},
        {"whitening", 2e-9 * p * p * p + 1e-10 * n * p * p},
        {"following slopes", sweeps * m * (n * (4.5e-9 + 5e-11 * width) + 1.5e-6 + 1e-10 * p * p * p)},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}

ald_status ald_local_rows_make(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                               ald_local_rows *rows)
{
    const int64_t most = ald_setting_int(run, &centres_param);
    int64_t *order;
    ald_random random;
    *rows = (ald_local_rows){
        .n = w->n,
        .p = w->p,
        .r = problem->r,
        .m = w->n < most ? w->n : most,
        .u = w->rows,
        .ridge = ald_setting_real(run, &ridge_param),
    };
    ALD_TRY(ald_check_class_columns(run, problem));
    ALD_TRY(standardise(run, problem, rows));
    ALD_TRY(ald_scratch(run, w->n, 1, sizeof *order, &order));
    for (int64_t i = 0; i < w->n; i++) order[i] = i;
    if (rows->m < w->n) {
        ald_random_seed(&random, ald_seed(run), 0);
        ald_random_permutation(&random, w->n, order);
        ald_sort_whole(rows->m, order);
    }
    rows->centres = order;
    return ALD_OK;
}

/* A block of centres (b) with a block of rows (k): weights, and the columns that they are multiplied with:
 * u u' (upper triangle), u y', u, y, |y|^2 and 1. */
typedef struct sweep {
    const ald_local_rows *rows;
    int64_t f, width, most_rows, most_centres;
    double h;
    const double *z;     /* n x f: along C; the rows themselves where C is I */
    double *squares;     /* n: their square lengths */
    double *near;        /* most_centres x f */
    double *weights;     /* most_centres x most_rows */
    double *columns;     /* most_rows x width */
    double *sums;        /* most_centres x width */
    int64_t row, centre; /* where the blocks begin */
    int64_t rows_here, centres_here;
    int parts;
} sweep;

/* A row's products; the weights of a centre. Each part has its rows and its centres. */
static void write_columns(const sweep *s, int64_t i)
{
    const ald_local_rows *rows = s->rows;
    const double *u = rows->u + (s->row + i) * rows->p, *y = rows->y + (s->row + i) * rows->q;
    double *out = s->columns + i * s->width;
    for (int64_t a = 0; a < rows->p; a++)
        for (int64_t b = a; b < rows->p; b++) *out++ = u[a] * u[b];
    for (int64_t a = 0; a < rows->p; a++)
        for (int64_t c = 0; c < rows->q; c++) *out++ = u[a] * y[c];
    for (int64_t a = 0; a < rows->p; a++) *out++ = u[a];
    for (int64_t c = 0; c < rows->q; c++) *out++ = y[c];
    *out++ = ald_dot(rows->q, y, y);
    *out = 1.0;
}

static void write_weights(const sweep *s, int64_t j)
{
    const int64_t centre = s->rows->centres[s->centre + j];
    const ald_kernel kernel = {.kind = ALD_KERNEL_RBF, .width = s->h};
    double *row = s->weights + j * s->rows_here;
    ald_kernel_finish(&kernel, s->squares[centre], s->rows_here, s->squares + s->row, row);
    if (centre >= s->row && centre < s->row + s->rows_here) row[centre - s->row] = 0.0;
}

static void write_part(void *work, int part)
{
    const sweep *s = work;
    const int64_t row = ald_part_begin(s->rows_here, s->parts, part),
                  rows = ald_part_begin(s->rows_here, s->parts, part + 1),
                  centre = ald_part_begin(s->centres_here, s->parts, part),
                  centres = ald_part_begin(s->centres_here, s->parts, part + 1);
    for (int64_t i = row; i < rows; i++) write_columns(s, i);
    for (int64_t j = centre; j < centres; j++) write_weights(s, j);
}

/* sums (centres x width): weights times columns, over all rows but the centre. */
static ald_status sum_block(ald_run *run, sweep *s)
{
    const int64_t n = s->rows->n, f = s->f;
    for (int64_t j = 0; j < s->centres_here; j++)
        memcpy(s->near + j * f, s->z + s->rows->centres[s->centre + j] * f, (size_t)f * sizeof *s->near);
    for (s->row = 0; s->row < n; s->row += s->most_rows) {
        s->rows_here = n - s->row < s->most_rows ? n - s->row : s->most_rows;
        const ald_area weights = ald_at(s->weights, s->centres_here, s->rows_here);
        ALD_TRY(ald_product(run, ald_of(s->near, s->centres_here, f),
                            ald_t(ald_of(s->z + s->row * f, s->rows_here, f)), weights));
        s->parts = ald_parts(run, s->rows_here * (s->width + 4 * s->centres_here), 1 << 14);
        ald_parallel(s->parts, write_part, s);
        ALD_TRY(ald_product_add(run, 1.0, ald_read(weights), ald_of(s->columns, s->rows_here, s->width),
                                s->row == 0 ? 0.0 : 1.0, ald_at(s->sums, s->centres_here, s->width)));
    }
    return ALD_OK;
}

/* From sums over the others to covariances with the centre among them, all differences from it. */
static void finish_centre(const sweep *s, int64_t j, const ald_local_block *block)
{
    const int64_t p = s->rows->p, q = s->rows->q, centre = s->rows->centres[s->centre + j];
    const double *uj = s->rows->u + centre * p, *yj = s->rows->y + centre * q;
    const double *uu = s->sums + j * s->width, *uy = uu + p * (p + 1) / 2, *u = uy + p * q, *y = u + p;
    const double others = y[q + 1], whole = 1.0 + others;
    double *out = block->s + j * p * p, *cross = block->cross + j * p * q;
    /* The rounding of the sums: where all rows that have a weight equal the centre, nothing else is left. */
    const double *squares = uu;
    double size = 0.0;
    for (int64_t a = 0; a < p; squares += p - a, a++) size += squares[0] + others * uj[a] * uj[a];
    const double noise = (double)s->rows->n * DBL_EPSILON * size / whole;
    block->spread[j] = (y[q] - 2.0 * ald_dot(q, y, yj) + others * ald_dot(q, yj, yj)) / whole;
    for (int64_t c = 0; c < q; c++) block->spread[j] -= pow((y[c] - others * yj[c]) / whole, 2.0);
    for (int64_t a = 0; a < p; a++) {
        const double off = u[a] - others * uj[a];
        for (int64_t b = a; b < p; b++) {
            const double about = *uu++ - u[a] * uj[b] - uj[a] * (u[b] - others * uj[b]);
            out[a * p + b] = out[b * p + a] = about / whole - off / whole * ((u[b] - others * uj[b]) / whole);
        }
        out[a * p + a] += noise;
        for (int64_t c = 0; c < q; c++) {
            const double about = *uy++ - u[a] * yj[c] - uj[a] * (y[c] - others * yj[c]);
            cross[a * q + c] = about / whole - off / whole * ((y[c] - others * yj[c]) / whole);
        }
    }
}

/* Sizes of the blocks by what fits a cache, and room for them. */
static ald_status make_room(ald_run *run, sweep *s, ald_local_block *block)
{
    const int64_t p = s->rows->p, q = s->rows->q;
    s->most_rows = ald_least(s->rows->n, ald_least(256, 16 + (1 << 19) / s->width));
    s->most_centres = ald_least(s->rows->m, ald_least(256, 8 + (1 << 20) / s->width));
    ALD_TRY(ALD_SCRATCH(run, {&s->near, s->most_centres, s->f}, {&s->weights, s->most_centres, s->most_rows},
                        {&s->columns, s->most_rows, s->width}, {&s->sums, s->most_centres, s->width}));
    return ALD_SCRATCH(run, {&block->s, s->most_centres, p * p}, {&block->cross, s->most_centres, p * q},
                       {&block->spread, s->most_centres, 1});
}

ald_status ald_local_sweep(ald_run *run, const ald_local_rows *rows, const double *c, double h,
                           ald_local_visit visit, void *self)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = rows->n, p = rows->p, q = rows->q;
    sweep s = {.rows = rows, .f = c ? rows->r : p, .h = h, .z = rows->u};
    ald_local_block block;
    double *z;
    s.width = p * (p + 1) / 2 + p * q + p + q + 2;
    ALD_TRY(ald_scratch_reals(run, n, 1, &s.squares));
    if (c) {
        ALD_TRY(ald_scratch_reals(run, n, s.f, &z));
        ALD_TRY(ald_product(run, ald_of(rows->u, n, p), ald_of(c, p, s.f), ald_at(z, n, s.f)));
        s.z = z;
    }
    for (int64_t i = 0; i < n; i++) s.squares[i] = ald_dot(s.f, s.z + i * s.f, s.z + i * s.f);
    ALD_TRY(make_room(run, &s, &block));
    for (s.centre = 0; s.centre < rows->m; s.centre += s.most_centres) {
        s.centres_here = rows->m - s.centre < s.most_centres ? rows->m - s.centre : s.most_centres;
        block.count = s.centres_here;
        ALD_TRY(sum_block(run, &s));
        for (int64_t j = 0; j < s.centres_here; j++) finish_centre(&s, j, &block);
        ALD_TRY(visit(run, rows, &block, self));
        ALD_TRY(ald_ask_after(run, 2.0 * (double)n * (double)(s.centres_here * s.width)));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_local_slopes(ald_run *run, double ridge, ald_area a, ald_area b)
{
    const double trace = ald_trace(a.rows, a.data);
    if (!(trace > 0.0)) {
        ald_scale(0.0, b);
        return ALD_OK;
    }
    ald_add_ridge(ridge * trace / (double)a.rows, a);
    ALD_TRY(ald_cholesky(run, a));
    return ald_solve_cholesky(run, ald_read(a), b);
}

/* M += sum of b_j b_j'. */
static ald_status add_outer(ald_run *run, const ald_local_rows *rows, const ald_local_block *block,
                            void *self)
{
    const int64_t p = rows->p, q = rows->q;
    double *sum = self;
    for (int64_t j = 0; j < block->count; j++) {
        double *b = block->cross + j * p * q;
        ALD_TRY(ald_local_slopes(run, rows->ridge, ald_at(block->s + j * p * p, p, p), ald_at(b, p, q)));
        for (int64_t a = 0; a < p; a++)
            for (int64_t e = 0; e < p; e++) sum[a * p + e] += ald_dot(q, b + a * q, b + e * q);
    }
    return ALD_OK;
}

ald_status ald_local_outer(ald_run *run, const ald_local_rows *rows, const double *from, double h, double *c,
                           double *values)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t p = rows->p, r = rows->r;
    double *sum, *vectors;
    ALD_TRY(ald_scratch_zeros(run, p, p, &sum));
    ALD_TRY(ald_scratch_reals(run, r, p, &vectors));
    ALD_TRY(ald_local_sweep(run, rows, from, h, add_outer, sum));
    ald_scale(1.0 / (double)rows->m, ald_at(sum, p, p));
    ALD_TRY(ald_eigen(run, ald_at(sum, p, p), values, ald_at(vectors, r, p)));
    ald_transpose(r, p, vectors, c);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_local_descend(ald_run *run, const ald_local_rows *rows, ald_local_step step, void *self,
                             ald_model *model, double *c, double *h)
{
    const double n = (double)rows->n, order = (double)(rows->p > 3 ? rows->p : 3) + 6.0,
                 rate = pow(n, -0.5 / order),
                 least = 2.34 * pow(n, -1.0 / ((double)(rows->r > 3 ? rows->r : 3) + 4.0)),
                 likely = likely_sweeps(run, (double)rows->p, (double)rows->r),
                 tol = ald_setting_real(run, &tol_param);
    const int64_t most = ald_setting_int(run, &max_iter_param);
    double *before, *values;
    double sine = 1.0;
    int64_t sweeps = 0;
    *h = 2.34 * pow(n, -1.0 / order);
    ALD_TRY(ALD_SCRATCH(run, {&before, rows->p, rows->r}, {&values, rows->r, 1}));
    ALD_TRY(ald_local_outer(run, rows, NULL, *h, c, values));
    while (sweeps < most && !(*h <= least && sine < tol)) {
        *h = fmax(rate * *h, least);
        memcpy(before, c, (size_t)(rows->p * rows->r) * sizeof *before);
        ALD_TRY(step(run, rows, before, *h, c, self));
        ALD_TRY(ald_largest_sine(run, ald_of(before, rows->p, rows->r), ald_of(c, rows->p, rows->r), &sine));
        sweeps++;
        ALD_TRY(ald_progress(run, "following slopes", (double)sweeps / fmax(likely, (double)sweeps + 1.0)));
    }
    if (!(*h <= least && sine < tol))
        ald_warn(
            run, ALD_NOT_CONVERGED,
            "the subspace still turned by a sine of %.1e after %lld sweeps (tol %.1e): raise `max_iter`, "
            "or ask for fewer components",
            sine, (long long)sweeps, tol);
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld", (long long)sweeps));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.centres", "%lld", (long long)rows->m));
    return ald_model_set_real(run, model, "alidade.resolved.bandwidth", *h);
}
