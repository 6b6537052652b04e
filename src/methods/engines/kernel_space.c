/* Making the space of a kernel method from its settings, its products, and the model that comes out of it. */
#include "methods/engines/kernel_space.h"

#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/threads/large_copy.h"
#include "math/kernel/gram.h"
#include "math/kernel/width.h"
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"
#include "math/solvers/subspace.h"
#include "methods/engines/engine_params.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char avoid_square[] = "set `landmarks=1000`, which compares rows with that many only";

/* What does not go together. */
static ald_status check_settings(ald_run *run, const ald_kernel *kernel)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const int landmarks = asked.landmarks > 0, features = asked.features > 0;
    const ald_common_settings common = ald_common_settings_of(run->settings);
    if (landmarks && features)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "landmarks and features cannot be combined: set one of them");
    if (kernel->kind != ALD_KERNEL_PRECOMPUTED) return ALD_OK;
    if (landmarks || features)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`kernel=precomputed` takes neither landmarks nor features");
    if (common.scale != ALD_COLUMNS_PLAIN || common.row_scale != ALD_ROWS_PLAIN || common.rows.count > 0)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`kernel=precomputed` takes X as it is: leave `scale`, `row_scale` and `rows` at none");
    return ALD_OK;
}

static ald_status resolve_width(ald_run *run, ald_model *model, const ald_operator *rows, double part,
                                ald_kernel *kernel)
{
    if (kernel->kind != ALD_KERNEL_RBF && kernel->kind != ALD_KERNEL_LAPLACIAN) return ALD_OK;
    if (kernel->width == 0.0) {
        ALD_TRY(ald_kernel_median(run, kernel, rows, ald_seed(run), &kernel->width));
        kernel->width *= part;
    }
    if (!(kernel->width > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "`kernel_width=0` stands for the median distance between rows, which is 0 here: the "
                        "rows examined are all equal. Set `kernel_width`");
    if (!isfinite(kernel->width))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "X is too large to be squared: scale it (`scale=standard`)");
    return ald_model_set_real(run, model, "alidade.resolved.kernel_width", kernel->width);
}

/* (x'y + coef0)^degree is the same number for all rows, to rounding, where coef0 is far above x'y; and
 * centring then leaves nothing but that rounding. At least four digits of what is left must be right. */
static ald_status check_polynomial(ald_run *run, const ald_operator *rows, const ald_kernel *kernel)
{
    double squares;
    if (kernel->kind != ALD_KERNEL_POLYNOMIAL) return ALD_OK;
    if (rows->remote)
        ALD_TRY(rows->remote->norm(run, rows->remote, kernel, &squares));
    else
        ALD_TRY(ald_operator_square_norm(run, rows, &squares));
    const double product = squares / (double)ald_rows_total(rows);
    if (!isfinite(pow(kernel->coef0 + product, (double)kernel->degree)))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the polynomial kernel is too large to be a number, with products of rows of about %.1e, "
            "coef0 = %g and degree = %lld: lower `coef0` or `degree`, or use `scale=standard`",
            product, kernel->coef0, (long long)kernel->degree);
    if (!(DBL_EPSILON * kernel->coef0 > 1e-4 * product)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "coef0 = %g is so much larger than the products of rows, about %.1e, that the polynomial "
                    "kernel is the same for all of them to rounding: lower `coef0`",
                    kernel->coef0, product);
}

static ald_status make_kernel(ald_run *run, const ald_problem *problem, ald_model *model, double part,
                              ald_kernel_space *s)
{
    ald_kernel *kernel = &s->features.kernel;
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    *kernel = (ald_kernel){(ald_kernel_kind)asked.kernel, asked.width, asked.coef0, asked.degree};
    ALD_TRY(check_settings(run, kernel));
    s->rows = problem->x;
    ALD_TRY(ald_kernel_rows(run, kernel, problem->shift, &s->rows));
    if (kernel->kind == ALD_KERNEL_PRECOMPUTED)
        ALD_TRY(ald_kernel_check_precomputed(run, &s->rows, ald_seed(run)));
    ALD_TRY(check_polynomial(run, &s->rows, kernel));
    return resolve_width(run, model, &s->rows, part, kernel);
}

/* All training rows. */
static ald_status take_all(ald_run *run, ald_kernel_space *s)
{
    s->features.m = s->n;
    return ald_landmarks_take(run, &s->features.kernel, &s->rows, s->n, NULL, &s->features.landmarks);
}

/* b = F, centred. */
static ald_status take_centred(ald_run *run, const double *f, ald_kernel_space *s)
{
    const int64_t n = s->n, k = s->k;
    ALD_TRY(ald_scratch_reals(run, n, k, &s->b));
    ALD_TRY(ald_copy_large(run, n * k, f, s->b));
    ALD_TRY(ald_progress(run, "centring the target", -1.0));
    ALD_TRY(ald_centre_columns(run, n, k, s->b));
    return ald_progress(run, "centring the target", 1.0);
}

static ald_status make_dual(ald_run *run, const double *f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const int64_t n = s->n;
    s->dual = 1;
    s->order = n;
    ALD_TRY(take_all(run, s));
    if (f) ALD_TRY(take_centred(run, f, s));
    if (need == ALD_KERNEL_SPACE_INNER || (need == ALD_KERNEL_SPACE_PRODUCTS && n > ALD_SQUARE_ORDER))
        return ALD_OK;
    ALD_TRY(ald_kernel_check_size(run, n, 2, avoid_square));
    ALD_TRY(ALD_SCRATCH(run, {&s->q, n, n}, {&s->mean, n, 1}));
    ALD_TRY(ald_kernel_square(run, &s->features.kernel, &s->rows, &s->features.landmarks, s->q));
    ALD_TRY(ald_kernel_centre(run, n, s->q, s->mean));
    return ald_progress(run, "centring the kernel", 1.0);
}

static ald_status tell_error(ald_run *run, ald_model *model, double error)
{
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.approximation_error", error));
    if (error > 0.2)
        ald_warn(
            run, ALD_RANK_REDUCED,
            "the approximation misses %.0f %% of the kernel (root mean square of entries between 200 rows): "
            "raise `landmarks` or `features`, or `kernel_width`",
            100.0 * error);
    return ALD_OK;
}

static ald_status choose_features(ald_run *run, ald_model *model, ald_kernel_space *s)
{
    const ald_kernel_settings settings = ald_kernel_settings_of(run);
    const int64_t m = settings.features, asked = settings.landmarks;
    ald_features *features = &s->features;
    if (m > 0) {
        features->m = m;
        return ald_fourier_draw(run, &features->kernel, m, features->d, ald_seed(run), &features->fourier);
    }
    if (asked == 0) return take_all(run, s);
    features->m = asked < s->n ? asked : s->n;
    ALD_TRY(ald_landmarks_choose(run, &features->kernel, &s->rows, features->m, settings.choice,
                                 ald_seed(run), &features->landmarks));
    return ald_model_set_printed(run, model, "alidade.resolved.landmarks", "%lld", (long long)features->m);
}

/* T for landmarks, and how much of the kernel the explicit features miss. */
static ald_status make_map(ald_run *run, ald_model *model, ald_kernel_space *s)
{
    const ald_features *features = &s->features;
    double error;
    if (features->fourier.m == 0) {
        ALD_TRY(ald_landmarks_whiten(run, &features->kernel, &features->landmarks, &s->t, &s->order));
        ALD_TRY(
            ald_model_set_printed(run, model, "alidade.resolved.kernel_rank", "%lld", (long long)s->order));
    }
    if (features->fourier.m == 0 && features->m == s->n) return ALD_OK;
    ALD_TRY(ald_features_error(run, features, &s->rows, s->t, s->order, ald_seed(run), &error));
    return tell_error(run, model, error);
}

/* Means, Q and B in two passes over the rows. */
static ald_status sum_features(ald_run *run, const double *f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const ald_target *y = s->problem->target;
    const int columns = need == ALD_KERNEL_SPACE_COLUMNS;
    ald_feature_sums sums = {.f = f, .k = s->k, .t = s->t, .p = s->order};
    ALD_TRY(ald_scratch_reals(run, s->features.m, 1, &s->mean));
    if (f) ALD_TRY(ald_scratch_reals(run, s->order, s->k, &s->b));
    if (need != ALD_KERNEL_SPACE_INNER) ALD_TRY(ald_scratch_reals(run, s->order, s->order, &s->q));
    sums.group = columns ? y->classes : NULL;
    sums.groups = columns ? y->n_classes : 0;
    sums.mean = s->mean;
    sums.cross = s->b;
    sums.scatter = s->q;
    return ald_features_sum(run, &s->features, &s->rows, &sums);
}

static ald_status make_primal(ald_run *run, ald_model *model, const double *f, ald_kernel_space_need need,
                              ald_kernel_space *s)
{
    const int columns = need == ALD_KERNEL_SPACE_COLUMNS;
    ALD_TRY(choose_features(run, model, s));
    s->order = s->features.m;
    ALD_TRY(
        ald_kernel_check_size(run, s->order, 3, columns ? avoid_square : "lower `landmarks` or `features`"));
    if (!columns || s->features.m < s->n) ALD_TRY(make_map(run, model, s));
    if (columns) { /* the map only served to measure the landmarks */
        s->t = NULL;
        s->order = s->features.m;
    }
    return sum_features(run, f, need, s);
}

static ald_status make_space(ald_run *run, const ald_problem *problem, ald_model *model, double part,
                             ald_view f, ald_kernel_space_need need, ald_kernel_space *s)
{
    *s = (ald_kernel_space){.problem = problem, .n = problem->n, .k = f.cols, .features = {.d = problem->d}};
    ALD_TRY(make_kernel(run, problem, model, part, s));
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const int approximate = ald_kernel_is_approximate(&asked);
    if (approximate || need == ALD_KERNEL_SPACE_COLUMNS) return make_primal(run, model, f.data, need, s);
    return make_dual(run, f.data, need, s);
}

ald_status ald_kernel_space_make(ald_run *run, const ald_problem *problem, ald_model *model, const double *f,
                                 int64_t k, ald_kernel_space_need need, ald_kernel_space *s)
{
    return make_space(run, problem, model, 1.0, ald_of(f, problem->n, k), need, s);
}

ald_status ald_kernel_space_make_narrow(ald_run *run, const ald_problem *problem, ald_model *model,
                                        double part, ald_kernel_space_need need, ald_kernel_space *s)
{
    return make_space(run, problem, model, part, ald_of(NULL, problem->n, 0), need, s);
}

ald_status ald_kernel_space_of_features(ald_run *run, const ald_problem *problem, ald_area features,
                                        ald_view f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const int64_t n = problem->n, p = features.cols, k = f.cols;
    double *const phi = features.data;
    *s = (ald_kernel_space){.problem = problem, .n = n, .order = p, .k = k, .phi = phi};
    if (f.data) {
        ALD_TRY(ald_scratch_reals(run, p, k, &s->b));
        ALD_TRY(ald_product(run, ald_t(ald_of(phi, n, p)), f, ald_at(s->b, p, k)));
    }
    if (need == ALD_KERNEL_SPACE_INNER) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, p, p, &s->q));
    return ald_product(run, ald_t(ald_of(phi, n, p)), ald_of(phi, n, p), ald_at(s->q, p, p));
}

/* HKH v by blocks of K, which is not kept; the first time its column means are found along. */
static ald_status apply_unstored(ald_run *run, ald_kernel_space *s, const double *v, int64_t k, double *out)
{
    const int64_t n = s->n, wide = s->mean ? k : k + 1;
    double *in, *product;
    if (!s->mean) ALD_TRY(ald_scratch_reals(run, n, 1, &s->mean));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&in, n, wide}, {&product, n, wide}));
    ALD_TRY(ald_copy_large(run, n * k, v, out));
    ALD_TRY(ald_centre_columns(run, n, k, out));
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)k));
        memcpy(in + i * wide, out + i * k, (size_t)k * sizeof *in);
        if (wide > k) in[i * wide + k] = 1.0 / (double)n;
    }
    ALD_TRY(ald_features_apply(run, &s->features, &s->rows, NULL, in, wide, product));
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)k));
        memcpy(out + i * k, product + i * wide, (size_t)k * sizeof *out);
        if (wide > k) s->mean[i] = product[i * wide + k];
    }
    ALD_TRY(ald_centre_columns(run, n, k, out));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_kernel_space_apply(ald_run *run, ald_kernel_space *s, const double *v, int64_t k, double *out)
{
    if (!s->q) return apply_unstored(run, s, v, k, out);
    return ald_symmetric_apply(run, s->order, s->q, v, k, out);
}

ald_status ald_kernel_space_inner(ald_run *run, ald_kernel_space *s, const double *v, int64_t k, double *out)
{
    if (s->dual) return ald_kernel_space_apply(run, s, v, k, out);
    memcpy(out, v, (size_t)(s->order * k) * sizeof *out);
    return ALD_OK;
}

static ald_status add_whole(ald_run *run, ald_model *model, const char *name, int64_t count,
                            const int64_t *values)
{
    int64_t *copy;
    ALD_TRY(ald_model_add(run, model, name, ALD_ARRAY_I64, 1, &count, &copy));
    memcpy(copy, values, (size_t)count * sizeof *copy);
    return ALD_OK;
}

static ald_status add_landmarks(ald_run *run, const ald_landmarks *l, ald_model *model)
{
    if (l->prepared) return ald_model_add_matrix(run, model, "landmarks", l->m, l->d, l->prepared);
    const int64_t *pointers = l->sparse.pointers;
    ALD_TRY(add_whole(run, model, "landmarks.indptr", l->m + 1, pointers));
    ALD_TRY(add_whole(run, model, "landmarks.indices", pointers[l->m], l->sparse.indices));
    return ald_model_add_vector(run, model, "landmarks.data", pointers[l->m], l->sparse.values);
}

/* Coefficients of the features (r x m) for directions a (order x r). */
static ald_status feature_coefficients(ald_run *run, const ald_kernel_space *s, int64_t r, const double *a,
                                       double *rows)
{
    const int64_t m = s->features.m;
    double *c;
    ALD_TRY(ald_scratch_reals(run, m, r, &c));
    if (s->t)
        ALD_TRY(ald_product(run, ald_of(s->t, m, s->order), ald_of(a, s->order, r), ald_at(c, m, r)));
    else
        memcpy(c, a, (size_t)(m * r) * sizeof *c);
    if (s->dual) ALD_TRY(ald_centre_columns(run, m, r, c));
    ald_transpose(m, r, c, rows);
    ald_fix_signs(r, m, rows, NULL);
    return ALD_OK;
}

static ald_status finish_fourier(ald_run *run, const ald_kernel_space *s, int64_t r, const double *rows,
                                 ald_model *model)
{
    const ald_fourier *fourier = &s->features.fourier;
    ALD_TRY(ald_model_set_text(run, model, "alidade.map", "features"));
    ALD_TRY(ald_model_add_matrix(run, model, "frequencies", fourier->m, fourier->d, fourier->frequencies));
    ALD_TRY(ald_model_add_vector(run, model, "phases", fourier->m, fourier->phases));
    ALD_TRY(ald_model_add_vector(run, model, "feature_mean", fourier->m, s->mean));
    return ald_model_add_matrix(run, model, "components", r, fourier->m, rows);
}

static ald_status finish_kernel(ald_run *run, const ald_kernel_space *s, int64_t r, const double *rows,
                                ald_model *model)
{
    const int64_t m = s->features.m, shape[2] = {m, r};
    double *c;
    double mean = 0.0;
    ALD_TRY(ald_model_set_text(run, model, "alidade.map", "kernel"));
    if (s->features.kernel.kind != ALD_KERNEL_PRECOMPUTED)
        ALD_TRY(add_landmarks(run, &s->features.landmarks, model));
    ALD_TRY(ald_model_add(run, model, "coefficients", ALD_ARRAY_F64, 2, shape, &c));
    ald_transpose(r, m, rows, c);
    for (int64_t i = 0; i < m; i++) mean += s->mean[i] / (double)m;
    ALD_TRY(ald_model_add_vector(run, model, "kernel_column_mean", m, s->mean));
    return ald_model_add_vector(run, model, "kernel_mean", 1, &mean);
}

static ald_status finish_embedding(ald_run *run, const ald_kernel_space *s, int64_t r, const double *a,
                                   ald_model *model)
{
    const int64_t shape[2] = {s->n, r};
    double *rows, *embedding;
    ALD_TRY(ald_scratch_reals(run, r, s->n, &rows));
    ALD_TRY(ald_product(run, ald_t(ald_of(a, s->order, r)), ald_t(ald_of(s->phi, s->n, s->order)),
                        ald_at(rows, r, s->n)));
    ald_fix_signs(r, s->n, rows, NULL);
    ALD_TRY(ald_model_add(run, model, "embedding", ALD_ARRAY_F64, 2, shape, &embedding));
    ald_transpose(r, s->n, rows, embedding);
    return ald_map_none(run, s->problem, model);
}

ald_status ald_kernel_space_finish(ald_run *run, ald_kernel_space *s, int64_t r, const double *a,
                                   ald_model *model)
{
    double *rows;
    if (s->phi) return finish_embedding(run, s, r, a, model);
    ALD_TRY(ald_scratch_reals(run, r, s->features.m, &rows));
    ALD_TRY(feature_coefficients(run, s, r, a, rows));
    ALD_TRY((s->features.fourier.m > 0 ? finish_fourier : finish_kernel)(run, s, r, rows, model));
    if (s->rows.mean) ALD_TRY(ald_model_add_vector(run, model, "shift", s->problem->d, s->rows.mean));
    return ALD_OK;
}

/* M = (G B)'X, symmetrised; its eigenpairs, and how many count. */
static ald_status second_stage(ald_run *run, ald_kernel_space *s, const double *x, double *values,
                               double *rows, int64_t *available)
{
    const int64_t k = s->k;
    double *gb, *m;
    ALD_TRY(ALD_SCRATCH(run, {&gb, s->order, k}, {&m, k, k}));
    ALD_TRY(ald_kernel_space_inner(run, s, s->b, k, gb));
    ALD_TRY(ald_product(run, ald_t(ald_of(gb, s->order, k)), ald_of(x, s->order, k), ald_at(m, k, k)));
    ald_symmetrise(ald_at(m, k, k));
    ALD_TRY(ald_eigen(run, ald_at(m, k, k), values, ald_at(rows, k, k)));
    *available = 0;
    while (*available < k && values[*available] > 1e-10 * values[0] && values[*available] > 1e-14)
        ++*available;
    return ALD_OK;
}

ald_status ald_kernel_space_pencil(ald_run *run, ald_kernel_space *s, double *matrix, const char *limit,
                                   ald_model *model)
{
    const int64_t k = s->k, order = s->order;
    double *x, *values, *rows, *a;
    int64_t available;
    ALD_TRY(ALD_SCRATCH(run, {&x, order, k}, {&values, k, 1}, {&rows, k, k}));
    ALD_TRY(ald_copy_large(run, order * k, s->b, x));
    const ald_status status = ald_cholesky(run, ald_at(matrix, order, order));
    if (status == ALD_ERROR_NUMERICAL)
        return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                        "the kernel with its ridge is not positive definite: raise `ridge`");
    ALD_TRY(status);
    ALD_TRY(ald_solve_cholesky(run, ald_of(matrix, order, order), ald_at(x, order, k)));
    ALD_TRY(second_stage(run, s, x, values, rows, &available));
    if (available == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "nothing in X varies together with the target: %s has no direction",
                        ald_settings_method(run->settings)->name);
    const int64_t r = s->problem->r == 0 ? available : s->problem->r;
    if (r > available) return ald_too_many_components(run, s->problem, available, limit);
    ALD_TRY(ald_scratch_reals(run, order, r, &a));
    for (int64_t i = 0; i < r; i++)
        for (int64_t c = 0; c < k; c++) rows[i * k + c] /= sqrt(values[i]);
    ALD_TRY(ald_product(run, ald_of(x, order, k), ald_t(ald_of(rows, r, k)), ald_at(a, order, r)));
    ALD_TRY(ald_kernel_space_finish(run, s, r, a, model));
    return ald_model_add_vector(run, model, "eigenvalues", r, values);
}
