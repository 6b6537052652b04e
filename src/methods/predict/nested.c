/* The affine predictors of the first k components, for every k, in one array of the model. */
#include "methods/predict/predictor.h"

#include <string.h>

/* Operations of all fits, and numbers that are kept. */
static const double most_work = 1e9;
static const int64_t most_numbers = 200000;

/* Numbers before those of k components: the sum of (j + 1) q over j < k. */
static int64_t numbers_before(int64_t k, int64_t q)
{
    return q * (k - 1) * (k + 2) / 2;
}

static int is_cheap(const ald_predictor_data *data)
{
    const double r = (double)data->r, rows = (double)(data->n + data->spread_rows);
    return rows * r * r * r <= most_work && numbers_before(data->r, data->q) <= most_numbers;
}

/* The first k of r columns. */
static ald_status cut_columns(ald_run *run, const double *from, int64_t rows, int64_t r, int64_t k,
                              const double **cut)
{
    double *made;
    *cut = NULL;
    if (!from) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, rows, k, &made));
    for (int64_t i = 0; i < rows; i++) memcpy(made + i * k, from + i * r, (size_t)k * sizeof *made);
    *cut = made;
    return ALD_OK;
}

/* Into `numbers`, of which there is room for (k + 1) q. */
static ald_status take_first(ald_run *run, const ald_predictor_options *options,
                             const ald_predictor_data *all, int64_t k, ald_model *room, double *numbers)
{
    ald_predictor_data data = *all;
    data.r = k;
    ALD_TRY(cut_columns(run, all->z, all->n, all->r, k, &data.z));
    ALD_TRY(cut_columns(run, all->spread, all->spread_rows, all->r, k, &data.spread));
    ALD_TRY(ald_predictor_fit(run, options, &data, room));
    const double *b = ald_model_reals(room, "predictor/coefficients", k, data.q),
                 *intercept = ald_model_reals(room, "predictor/intercept", data.q, -1);
    if (!b || !intercept) return ald_fail(run->error, ALD_ERROR_NUMERICAL, "the predictor has other arrays");
    memcpy(numbers, b, (size_t)(k * data.q) * sizeof *numbers);
    memcpy(numbers + k * data.q, intercept, (size_t)data.q * sizeof *numbers);
    return ALD_OK;
}

ald_status ald_predictor_fit_nested(ald_run *run, const ald_predictor_options *options,
                                    const ald_predictor_data *data, ald_model *model)
{
    const ald_predictor *predictor = ald_predictor_find(options->name);
    const int64_t r = data->r, q = data->q;
    double *numbers;
    if (!predictor || !predictor->is_affine || r < 2 || !is_cheap(data)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, numbers_before(r, q), 1, &numbers));
    for (int64_t k = 1; k < r; k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ald_model *room;
        ALD_TRY(ald_model_new(run, &room));
        const ald_status status = take_first(run, options, data, k, room, numbers + numbers_before(k, q));
        ald_model_free(room);
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(status);
    }
    return ald_model_add_vector(run, model, "predictor/nested", numbers_before(r, q), numbers);
}

int ald_predictor_nested(const ald_model *model, int64_t k, int64_t *q, const double **coefficients,
                         const double **intercept)
{
    const int64_t r = ald_model_component_count(model);
    ald_array b;
    if (k < 1 || k >= r || !ald_model_array(model, "predictor/coefficients", &b) || b.dims != 2) return 0;
    *q = b.shape[1];
    if (*q < 1 || *q > most_numbers || r > most_numbers) return 0;
    const double *numbers = ald_model_reals(model, "predictor/nested", numbers_before(r, *q), -1);
    if (!numbers) return 0;
    *coefficients = numbers + numbers_before(k, *q);
    *intercept = *coefficients + k * *q;
    return 1;
}
