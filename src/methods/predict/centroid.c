/* centroid: the class with the nearest (weighted) mean of z in Euclidean distance; score -|z - m_c|^2. Cost n
 * r. Nothing is divided by the spread within classes: directions of large scale count most. See gaussian for
 * that. */
#include "methods/predict/predictor.h"

static ald_status centroid_fit(ald_run *run, const ald_predictor_options *options,
                               const ald_predictor_data *data, ald_model *model)
{
    double *means, *counts;
    (void)options;
    ALD_TRY(ald_class_means(run, data, &means, &counts));
    for (int64_t c = 0; c < data->q; c++) /* a class without rows is put where nothing is near */
        for (int64_t k = 0; !(counts[c] > 0.0) && k < data->r; k++) means[c * data->r + k] = 1e100;
    return ald_model_add_matrix(run, model, "predictor/z", data->q, data->r, means);
}

static int64_t outputs(const ald_model *model, int64_t r)
{
    ald_array centres;
    if (!ald_model_array(model, "predictor/z", &centres) || centres.dims != 2) return 0;
    return ald_model_reals(model, "predictor/z", centres.shape[0], r) ? centres.shape[0] : 0;
}

static ald_status centroid_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                                 const double *z, double *scores)
{
    (void)run;
    const double *centres = ald_model_reals(model, "predictor/z", q, r);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < q; c++) {
            double square = 0.0;
            for (int64_t k = 0; k < r; k++)
                square += (z[i * r + k] - centres[c * r + k]) * (z[i * r + k] - centres[c * r + k]);
            scores[i * q + c] = -square;
        }
    return ALD_OK;
}

const ald_predictor ald_predictor_centroid = {
    .name = "centroid",
    .by_distances = 1,
    .kinds = 1 << ALD_TARGET_CLASSES,
    .moments = ALD_MOMENTS_GROUPS,
    .fit = centroid_fit,
    .apply = centroid_apply,
    .outputs = outputs,
};
