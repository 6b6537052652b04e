/* Products in the space of a kernel method, and the model that comes out of it. */
#include "methods/engines/kernel_space.h"

#include "base/threads/large_copy.h"
#include "math/kernel/gram.h"
#include "math/linalg/linalg.h"
#include "math/solvers/subspace.h"

#include <math.h>
#include <string.h>

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
    if (l->prepared) {
        double *rows;
        ALD_TRY(
            ald_model_add(run, model, "landmarks", ALD_ARRAY_F64, 2, (const int64_t[]){l->m, l->d}, &rows));
        return ald_copy_large(run, l->m * l->d, l->prepared, rows);
    }
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
