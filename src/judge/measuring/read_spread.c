#include "judge/measuring/read_spread.h"

#include "base/numbers/number.h"
#include "methods/moments/moments.h"

#include <string.h>

static int read_arrays(const ald_model *model, ald_spread *s)
{
    s->mean = ald_model_reals(model, "spread.mean", s->r, -1);
    s->precision = ald_model_reals(model, "spread.precision", s->r, s->r);
    s->loadings = ald_model_reals(model, "spread.loadings", s->r, s->d);
    s->residual = ald_model_reals(model, "spread.residual", 4, -1);
    return s->mean && s->precision && s->loadings && s->residual;
}

static ald_status from_statistics(ald_run *run, const ald_model *model, ald_spread *s)
{
    const double *scale = ald_model_reals(model, "scale", s->d, -1);
    ald_moments moments;
    double *scatter;
    ALD_TRY(ald_moments_load(run, model, &moments));
    if (moments.d != s->d)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the model is damaged: its statistics do not belong to its columns");
    ALD_TRY(ald_scratch_reals(run, s->d, s->d, &scatter));
    ald_prepare_scatter(s->d, moments.scatter, scale, scatter);
    return ald_spread_of_scatter(run, model, scatter, moments.weight, s);
}

/* The sum of the weights of the rows. */
static double total_of(const ald_model *model)
{
    const char *weight = ald_model_text(model, "alidade.total_weight"),
               *text = weight ? weight : ald_model_text(model, "alidade.n_samples");
    double total;
    return text && ald_parse_real(text, strlen(text), &total) ? total : 0.0;
}

static ald_status from_variances(ald_run *run, const ald_model *model, const double *variances, ald_spread *s)
{
    double *mean, *precision, *kept;
    ALD_TRY(ald_scratch_zeros(run, s->r, 1, &mean));
    ALD_TRY(ald_scratch_zeros(run, s->r, s->r, &precision));
    ALD_TRY(ald_scratch_reals(run, 4, 1, &kept));
    kept[0] = total_of(model);
    kept[1] = 0.0;
    kept[2] = kept[3] = -1.0;
    for (int64_t k = 0; k < s->r; k++) {
        if (!(variances[k] > 1e-12 * variances[0])) continue;
        precision[k * s->r + k] = 1.0 / variances[k];
        kept[1] += 1.0;
    }
    s->loadings = ald_model_reals(model, "loadings", s->r, s->d);
    if (!s->loadings) s->loadings = ald_model_reals(model, "components", s->r, s->d);
    s->mean = mean;
    s->precision = precision;
    s->residual = kept;
    return ALD_OK;
}

ald_status ald_read_spread(ald_run *run, const ald_model *model, ald_spread *spread)
{
    const char *map = ald_model_text(model, "alidade.map");
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const double *variances = ald_model_reals(model, "score_variances", r, -1);
    *spread = (ald_spread){.r = r, .d = d};
    if (!map || strcmp(map, "linear") != 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "T2 and Q are for linear methods, and the map of this model is not linear: fit a "
                        "linear one, such as pls or pca");
    if (read_arrays(model, spread)) return ALD_OK;
    if (ald_model_array(model, "statistics/scatter", NULL)) return from_statistics(run, model, spread);
    if (variances) return from_variances(run, model, variances, spread);
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "the model does not keep how the rows of its fit are spread: fit it again with `outlier_limits=1`");
}
