#include "methods/predict/class_means.h"

ald_status ald_class_means(ald_run *run, const ald_predictor_data *data, double **means, double **counts)
{
    const int64_t r = data->r, q = data->q;
    ALD_TRY(ald_scratch_zeros(run, q, r, means));
    ALD_TRY(ald_scratch_zeros(run, q, 1, counts));
    for (int64_t i = 0; i < data->n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)q));
        for (int64_t c = 0; c < q; c++) {
            const double share = ald_predictor_weight(data, i) * data->y[i * q + c];
            (*counts)[c] += share;
            for (int64_t k = 0; share != 0.0 && k < r; k++) (*means)[c * r + k] += share * data->z[i * r + k];
        }
    }
    for (int64_t c = 0; c < q; c++)
        for (int64_t k = 0; (*counts)[c] > 0.0 && k < r; k++) (*means)[c * r + k] /= (*counts)[c];
    return ALD_OK;
}
