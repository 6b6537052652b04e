/* knn: the k nearest rows of the fit in the projection, by Euclidean distance, ties to the lower row.
 *
 *   score = sum of w_j y_j over the k nearest / sum of w_j,
 *
 * the mean of responses, or the share of each class or label, which is its probability; of classes with the
 * same share the first wins. k = 0 is C + 1 for C classes. Rows of weight 0 are not kept. Cost n_new n r.
 * Stored: `predictor/z` (n x r), `predictor/y` (class codes n, or n x q), `predictor/weights` where rows have
 * them; texts alidade.predictor.neighbors and, for classes, alidade.predictor.n_classes. */
#include "base/numbers/number.h"
#include "math/graph/graph.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

/* Class codes, n in scratch, from dummies. */
static ald_status codes_of(ald_run *run, int64_t n, int64_t q, const double *y, double **codes)
{
    ALD_TRY(ald_scratch_zeros(run, n, 1, codes));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < q; c++)
            if (y[i * q + c] > 0.5) (*codes)[i] = (double)c;
    return ALD_OK;
}

/* Rows of weight 0 leave; the others move up. */
static ald_status used_rows(ald_run *run, const ald_predictor_data *data, ald_predictor_data *used)
{
    double *z, *y, *weights;
    *used = *data;
    if (!data->weights) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&z, data->n, data->r}, {&y, data->n, data->q}, {&weights, data->n, 1}));
    used->n = 0;
    for (int64_t i = 0; i < data->n; i++) {
        if (!(data->weights[i] > 0.0)) continue;
        memcpy(z + used->n * data->r, data->z + i * data->r, (size_t)data->r * sizeof *z);
        memcpy(y + used->n * data->q, data->y + i * data->q, (size_t)data->q * sizeof *y);
        weights[used->n++] = data->weights[i];
    }
    used->z = z;
    used->y = y;
    used->weights = weights;
    return ALD_OK;
}

static ald_status store_target(ald_run *run, const ald_predictor_data *data, ald_model *model)
{
    double *codes;
    if (data->kind != ALD_TARGET_CLASSES)
        return ald_model_add_matrix(run, model, "predictor/y", data->n, data->q, data->y);
    ALD_TRY(codes_of(run, data->n, data->q, data->y, &codes));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.predictor.n_classes", "%lld", (long long)data->q));
    return ald_model_add_vector(run, model, "predictor/y", data->n, codes);
}

static ald_status knn_fit(ald_run *run, const ald_predictor_options *options, const ald_predictor_data *data,
                          ald_model *model)
{
    const int64_t k = options->neighbors ? options->neighbors : data->q + 1;
    ald_predictor_data used;
    ALD_TRY(used_rows(run, data, &used));
    if (k > used.n)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`predictor_neighbors=%lld`%s, but there are only %lld rows: use %lld or fewer",
                        (long long)k, options->neighbors ? "" : " (the number of classes plus one)",
                        (long long)used.n, (long long)used.n);
    ALD_TRY(ald_model_add_matrix(run, model, "predictor/z", used.n, used.r, used.z));
    if (used.weights) ALD_TRY(ald_model_add_vector(run, model, "predictor/weights", used.n, used.weights));
    ALD_TRY(store_target(run, &used, model));
    return ald_model_set_printed(run, model, "alidade.predictor.neighbors", "%lld", (long long)k);
}

/* What is stored, as far as it makes sense. */
typedef struct stored {
    int64_t n, k, q;
    const double *z, *y, *weights;
    int codes; /* y holds class codes */
} stored;

static int64_t size_in(const ald_model *model, const char *key)
{
    const char *text = ald_model_text(model, key);
    int64_t size;
    return text && ald_parse_int(text, strlen(text), &size) && size > 0 ? size : 0;
}

static int are_codes(int64_t n, int64_t q, const double *y)
{
    for (int64_t i = 0; i < n; i++)
        if (!(y[i] >= 0.0 && y[i] < (double)q && y[i] == floor(y[i]))) return 0;
    return 1;
}

static int are_positive(int64_t n, const double *weights)
{
    for (int64_t i = 0; i < n; i++)
        if (!(weights[i] > 0.0)) return 0;
    return 1;
}

/* 1 if everything is there and fits. */
static int find_stored(const ald_model *model, int64_t r, stored *s)
{
    ald_array z, y, weights;
    if (!ald_model_array(model, "predictor/z", &z) || !ald_model_array(model, "predictor/y", &y)) return 0;
    s->n = z.shape[0];
    s->k = size_in(model, "alidade.predictor.neighbors");
    s->codes = y.dims == 1;
    s->q = s->codes ? size_in(model, "alidade.predictor.n_classes") : y.shape[1];
    s->z = z.dims == 2 ? ald_model_reals(model, "predictor/z", s->n, r) : NULL;
    const int64_t columns = s->codes ? -1 : s->q;
    s->y = y.dims <= 2 ? ald_model_reals(model, "predictor/y", s->n, columns) : NULL;
    s->weights = NULL;
    if (ald_model_array(model, "predictor/weights", &weights)) {
        s->weights = ald_model_reals(model, "predictor/weights", s->n, -1);
        if (!s->weights || !are_positive(s->n, s->weights)) return 0;
    }
    if (!s->z || !s->y || s->q < 1 || s->k < 1 || s->k > s->n) return 0;
    return !s->codes || are_codes(s->n, s->q, s->y);
}

static int64_t outputs(const ald_model *model, int64_t r)
{
    stored s;
    return find_stored(model, r, &s) ? s.q : 0;
}

/* The weighted mean of the targets of k rows. */
static void average(const stored *s, const int64_t *rows, double *score)
{
    double total = 0.0;
    memset(score, 0, (size_t)s->q * sizeof *score);
    for (int64_t k = 0; k < s->k; k++) {
        const double w = s->weights ? s->weights[rows[k]] : 1.0;
        total += w;
        if (s->codes) score[(int64_t)s->y[rows[k]]] += w;
        for (int64_t j = 0; !s->codes && j < s->q; j++) score[j] += w * s->y[rows[k] * s->q + j];
    }
    for (int64_t j = 0; j < s->q; j++) score[j] /= total;
}

/* New rows in blocks, so that the lists of neighbours stay small. */
static ald_status knn_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                            const double *z, double *scores)
{
    enum { block = 8192 };
    stored s;
    int64_t *neighbours;
    double *squares;
    if (!find_stored(model, r, &s))
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the arrays of the model's predictor are missing or do not fit");
    const int64_t most = n < block ? n : block;
    ALD_TRY(ald_scratch(run, most, s.k, sizeof *neighbours, &neighbours));
    ALD_TRY(ald_scratch_reals(run, most, s.k, &squares));
    const ald_operator known = {.x = ald_matrix_row_major(s.z, s.n, r, r)};
    const ald_rows references = {.z = &known};
    for (int64_t i0 = 0; i0 < n; i0 += block) {
        const int64_t m = n - i0 < block ? n - i0 : block;
        const ald_operator asked = {.x = ald_matrix_row_major(z + i0 * r, m, r, r)};
        const ald_rows queries = {.z = &asked};
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(ald_neighbours_between(run, &queries, &references, s.k, 0, neighbours, squares));
        ald_arena_release(&run->scratch, mark);
        for (int64_t i = 0; i < m; i++) average(&s, neighbours + i * s.k, scores + (i0 + i) * q);
    }
    return ALD_OK;
}

const ald_predictor ald_predictor_knn = {
    .name = "knn",
    .by_distances = 1,
    .is_lazy = 1,
    .kinds = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_REAL | 1 << ALD_TARGET_LABELS,
    .probabilities = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_LABELS,
    .takes_neighbors = 1,
    .fit = knn_fit,
    .apply = knn_apply,
    .outputs = outputs,
};
