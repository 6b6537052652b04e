/* Kernel dependence maximisation by the iterative spectral method.
 *
 * Directions W (p x r, W'W = I) whose projection z = W'u depends most on the target, by HSIC,
 *
 *   maximise  f(W) = Tr[Ky^c Kz] / (n - 1)^2,       Ky^c = H Ky H
 *
 * with Kz an rbf kernel on z and Ky one on the target (rbf for numbers and labels, 1 for equal classes; rows
 * and target as for kdr, kdr_data.h). Where the gradient vanishes, W spans eigenvectors of
 *
 *   Phi(W) = U'(diag(Psi 1) - Psi) U,      Psi = Ky^c o Kz,
 *
 * so W <- its r least eigenvectors, from the leading ones of U'Ky^c U, until the span moves by a sine below
 * `tol`, at most `max_iter` times. f need not rise in every step: the best iterate answers. f(W Q) = f(W):
 * it is turned so that the covariance of z is diagonal, descending (`eigenvalues`).
 *
 * Widths, where they are 0: median |u_i - u_j| sqrt(r / p), and median |y_i - y_j|.
 *
 * Cost of a step: n^2 (m + p + r) operations and n^2 / 2 exponentials, m the columns of the factor of Ky
 * (classes, or the rank of the rbf kernel to 1e-12 of its trace); nothing of size n x n is kept: memory n (m
 * + p) and a block of rows. There is one start, no annealing and no inverse, which kdr has.
 *
 * Edge cases: no more directions than the rank of the data. Targets or rows that are all equal are refused.
 *
 * Reference: Wu, Miller, Chang, Sznaier and Dy (2019). */
#include "base/settings/settings.h"
#include "base/threads/threads.h"
#include "math/kernel/kernel.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/grassmann.h"
#include "methods/kdr/kdr_data.h"

#include <math.h>
#include <string.h>

static const ald_param tol_param =
    ALD_TOL_PARAM("1e-06", 1e-15, "stops when the subspace moves by less: the sine of the largest angle");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("100", "at most this many steps");

static const ald_param *const params[] = {
    &tol_param,
    &max_iter_param,
    NULL,
};

static const char turning[] = "turning to the target";

enum { block_rows = 128 };

typedef struct search {
    const ald_kdr_rows *rows;
    ald_kdr_factor target; /* F F' = Ky^c */
    int64_t r;
    double width;
    double *z, *squares;       /* n x r and their square lengths */
    double *kernel, *response; /* block x n: Kz, Ky^c, which becomes Psi */
    double *sums, *product;    /* n: Psi 1; block x p */
    int64_t first, count;      /* the block */
    int parts;
} search;

static ald_status make_room(ald_run *run, search *s)
{
    const int64_t n = s->rows->n;
    return ALD_SCRATCH(run, {&s->z, n, s->r}, {&s->squares, n, 1}, {&s->kernel, block_rows, n},
                       {&s->response, block_rows, n}, {&s->sums, n, 1},
                       {&s->product, block_rows, s->rows->p});
}

/* Rows of Psi from the block on; beyond the block an entry stands for its mirror image too. */
static void weigh_part(void *work, int part)
{
    search *s = work;
    const int64_t width = s->rows->n - s->first;
    const ald_kernel kernel = {.kind = ALD_KERNEL_RBF, .width = s->width};
    const int64_t end = ald_part_begin(s->count, s->parts, part + 1);
    for (int64_t i = ald_part_begin(s->count, s->parts, part); i < end; i++) {
        double *k = s->kernel + i * width, *psi = s->response + i * width;
        ald_kernel_finish(&kernel, s->squares[s->first + i], width, s->squares + s->first, k);
        for (int64_t j = 0; j < width; j++) psi[j] *= k[j];
    }
}

/* The sum of a row, in lanes. */
ALD_WIDE static double row_sum(int64_t count, const double *row)
{
    enum { lanes = 8 };
    double sums[lanes] = {0.0}, all = 0.0;
    int64_t j = 0;
    for (; j + lanes <= count; j += lanes)
        for (int k = 0; k < lanes; k++) sums[k] += row[j + k];
    for (; j < count; j++) all += row[j];
    for (int k = 0; k < lanes; k++) all += sums[k];
    return all;
}

/* sums (n) += the rows of Psi, and their mirror images. */
static void add_sums(search *s)
{
    const int64_t width = s->rows->n - s->first;
    for (int64_t i = 0; i < s->count; i++) {
        const double *psi = s->response + i * width;
        s->sums[s->first + i] += row_sum(width, psi);
        ald_add_times(width - s->count, 1.0, psi + s->count, s->sums + s->first + s->count);
    }
}

/* phi -= U'Psi U of the rows of the block from it on, and of their mirror images. */
static ald_status add_block(ald_run *run, search *s, double *phi)
{
    const int64_t n = s->rows->n, p = s->rows->p, r = s->r, m = s->target.m, width = n - s->first;
    const double *u = s->rows->rows + s->first * p, *z = s->z + s->first * r, *f = s->target.f + s->first * m;
    const ald_area response = ald_at(s->response, s->count, width), product = ald_at(s->product, s->count, p);
    ALD_TRY(ald_product(run, ald_of(z, s->count, r), ald_t(ald_of(z, width, r)),
                        ald_at(s->kernel, s->count, width)));
    ALD_TRY(ald_product(run, ald_of(f, s->count, m), ald_t(ald_of(f, width, m)), response));
    s->parts = ald_parts(run, s->count * width, 1 << 14);
    ald_parallel(s->parts, weigh_part, s);
    add_sums(s);
    for (int64_t i = 0; i < s->count; i++) /* those within the block are there twice */
        for (int64_t j = 0; j < s->count; j++) s->response[i * width + j] *= 0.5;
    ALD_TRY(ald_product(run, ald_read(response), ald_of(u, width, p), product));
    ALD_TRY(
        ald_product_add(run, -2.0, ald_t(ald_of(u, s->count, p)), ald_read(product), 1.0, ald_at(phi, p, p)));
    return ald_ask_after(run, 2.0 * (double)(s->count * width) * (double)(r + m + p + 20));
}

/* Phi (p x p) at w (r x p), and f; half of Psi is computed. */
static ald_status make_phi(ald_run *run, search *s, const double *w, double *phi, double *f)
{
    const int64_t n = s->rows->n, p = s->rows->p, r = s->r;
    const double *u = s->rows->rows;
    *f = 0.0;
    memset(s->sums, 0, (size_t)n * sizeof *s->sums);
    ald_scale(0.0, ald_at(phi, p, p));
    ALD_TRY(ald_product(run, ald_of(u, n, p), ald_t(ald_of(w, r, p)), ald_at(s->z, n, r)));
    for (int64_t i = 0; i < n; i++) s->squares[i] = ald_dot(r, s->z + i * r, s->z + i * r);
    for (s->first = 0; s->first < n; s->first += block_rows) {
        s->count = n - s->first < block_rows ? n - s->first : block_rows;
        ALD_TRY(add_block(run, s, phi));
    }
    ald_symmetrise(ald_at(phi, p, p));
    for (s->first = 0; s->first < n; s->first += block_rows) {
        s->count = n - s->first < block_rows ? n - s->first : block_rows;
        const double *rows = u + s->first * p;
        for (int64_t i = 0; i < s->count; i++) {
            const double sum = s->sums[s->first + i];
            *f += sum / (((double)n - 1.0) * ((double)n - 1.0));
            for (int64_t a = 0; a < p; a++) s->product[i * p + a] = sum * rows[i * p + a];
        }
        ALD_TRY(ald_product_add(run, 1.0, ald_t(ald_of(rows, s->count, p)), ald_of(s->product, s->count, p),
                                1.0, ald_at(phi, p, p)));
    }
    return ALD_OK;
}

/* w (r x p): the leading eigenvectors of U'Ky^c U = (U'F)(U'F)'. */
static ald_status begin(ald_run *run, const search *s, double *w)
{
    const int64_t n = s->rows->n, p = s->rows->p, m = s->target.m;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *cross, *square, *values;
    ALD_TRY(ALD_SCRATCH(run, {&cross, m, p}, {&square, p, p}, {&values, s->r, 1}));
    ALD_TRY(
        ald_product(run, ald_t(ald_of(s->target.f, n, m)), ald_of(s->rows->rows, n, p), ald_at(cross, m, p)));
    ALD_TRY(ald_gram(run, ald_of(cross, m, p), ald_at(square, p, p)));
    ALD_TRY(ald_eigen(run, ald_at(square, p, p), values, ald_at(w, s->r, p)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* best (r x p): the iterate of the largest f. */
static ald_status iterate(ald_run *run, search *s, double *best, double *value, ald_model *model)
{
    const int64_t p = s->rows->p, r = s->r, most = ald_setting_int(run, &max_iter_param);
    const double tol = ald_setting_real(run, &tol_param);
    double *w, *next, *phi, *values;
    double sine = 1.0, f;
    int64_t steps = 0;
    ALD_TRY(ALD_SCRATCH(run, {&w, r, p}, {&next, r, p}, {&phi, p, p}, {&values, r, 1}));
    ALD_TRY(begin(run, s, w));
    *value = -INFINITY;
    for (;;) {
        ALD_TRY(make_phi(run, s, w, phi, &f));
        if (f > *value) memcpy(best, w, (size_t)(r * p) * sizeof *best);
        *value = fmax(f, *value);
        if (sine < tol || steps == most) break;
        ald_scale(-1.0, ald_at(phi, p, p)); /* its least eigenvectors first */
        ALD_TRY(ald_eigen(run, ald_at(phi, p, p), values, ald_at(next, r, p)));
        ALD_TRY(ald_largest_sine(run, ald_t(ald_of(w, r, p)), ald_t(ald_of(next, r, p)), &sine));
        memcpy(w, next, (size_t)(r * p) * sizeof *w);
        ALD_TRY(ald_progress(run, turning, (double)++steps / (double)most));
    }
    if (!(sine < tol))
        ald_log(run, ALD_LOG_INFO,
                "ism still turned by a sine of %.1e after %lld steps; the best of them answers", sine,
                (long long)steps);
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld", (long long)steps));
    return ald_model_set_real(run, model, "alidade.resolved.objective", *value);
}

/* Seconds of the stages, which bench/costs.py holds to the clock. */
static void plan(const ald_run *run, const ald_problem *problem)
{
    const ald_target *y = problem->target;
    const double n = (double)problem->n, d = (double)problem->d, p = fmin(n, d),
                 m = y->kind == ALD_TARGET_CLASSES ? (double)y->n_classes : 30.0,
                 steps = fmin((double)ald_setting_int(run, &max_iter_param), 30.0) + 1.0;
    const ald_stage_cost stages[] = {
        {"forming the scatter matrix", 1.4e-8 * n * d + 1e-10 * n * d * p},
        {turning, steps * (5e-5 + n * n * (4e-9 + 4e-11 * (m + p)) + 4e-9 * p * p * p)},
    };
    ald_plan_seconds(run, stages, sizeof stages / sizeof *stages);
}

static ald_status ism_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_kdr_settings settings = ald_kdr_settings_of(run);
    const int64_t r = problem->r;
    ald_kdr_rows rows;
    ald_kdr_target target;
    search s = {.rows = &rows, .r = r};
    double *best, *turned, *values;
    double f;
    ALD_TRY(ald_check_class_columns(run, problem));
    plan(run, problem);
    ALD_TRY(ald_kdr_rows_make(run, problem, &settings, model, &rows));
    ALD_TRY(ald_kdr_target_make(run, problem, &settings, 1.0, model, &target));
    ALD_TRY(ald_kdr_rows_width(run, &rows, &settings, sqrt((double)r / (double)rows.p), model, &s.width));
    ALD_TRY(ald_kdr_target_factor(run, &target, 1.0, 1e-12, problem->n, 1, &s.target));
    ALD_TRY(make_room(run, &s));
    ALD_TRY(ALD_SCRATCH(run, {&best, r, rows.p}, {&turned, r, rows.p}, {&values, r, 1}));
    ALD_TRY(iterate(run, &s, best, &f, model));
    ALD_TRY(ald_kdr_rows_turn(run, &rows, r, best, turned, values));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", r, values));
    return ald_kdr_rows_add(run, problem, &rows, turned, model);
}

const ald_method ald_method_ism = {
    .name = "ism",
    .title = "Kernel dependence maximisation (ISM)",
    .synonyms = "iterative spectral method, kernel dependence maximization, hsic",
    .summary = "Directions whose projection depends most on the target, by a kernel measure of dependence.",
    .reference = "Wu, Miller, Chang, Sznaier and Dy (2019)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .ignores_units = ald_kdr_ignores_units,
    .tables = (const ald_param_table[]){params, ald_kdr_params, NULL},
    .fit = ism_fit,
};
