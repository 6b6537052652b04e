/* logistic: probabilities of classes (multinomial) or of each label by itself. With t = z of mean 0 and
 * deviation 1, scores c0 + C't at the minimum of the loss with penalty n ridge (logistic_solve.h), n the sum
 * of the weights. */
#include "methods/predict/logistic_solve.h"
#include "methods/predict/path.h"

#include <math.h>
#include <string.h>

/* T1 and the weights. */
static ald_status make_task(ald_run *run, const ald_predictor_options *options,
                            const ald_predictor_data *data, const ald_centred *z, ald_logistic *k)
{
    double *t1, *w;
    *k = (ald_logistic){
        .run = run,
        .n = data->n,
        .p = data->r + 1,
        .q = data->q,
        .labels = data->kind == ALD_TARGET_LABELS,
        .tol = 1e-9,
    };
    ALD_TRY(ALD_SCRATCH(run, {&t1, k->n, k->p}, {&w, k->n, 1}));
    for (int64_t i = 0; i < k->n; i++) {
        w[i] = ald_predictor_weight(data, i);
        t1[i * k->p] = 1.0;
        for (int64_t j = 0; j < data->r; j++)
            t1[i * k->p + 1 + j] = (data->z[i * data->r + j] - z->mean[j]) / z->deviation[j];
    }
    k->penalty = ald_predictor_total(data) * options->ridge;
    k->t1 = t1;
    k->w = w;
    k->y = data->y;
    return ald_logistic_room(k, 1);
}

static ald_status logistic_fit(ald_run *run, const ald_predictor_options *options,
                               const ald_predictor_data *data, ald_model *model)
{
    ald_centred z;
    ald_logistic k;
    double *c;
    ALD_TRY(ald_centre_z(run, data, &z));
    ALD_TRY(make_task(run, options, data, &z, &k));
    ALD_TRY(ald_scratch_reals(run, k.p, k.q, &c));
    ald_logistic_start(&k, c);
    ALD_TRY(ald_logistic_minimize(&k, 0.0, c));
    for (int64_t i = 0; i < data->r * data->q; i++) c[k.q + i] /= z.deviation[i / data->q];
    ALD_TRY(ald_model_set_text(run, model, "alidade.predictor.link", k.labels ? "logit" : "softmax"));
    return ald_affine_store(run, data, z.mean, c + k.q, c, model);
}

static ald_status logistic_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                                 const double *z, double *scores)
{
    const char *link = ald_model_text(model, "alidade.predictor.link");
    ALD_TRY(ald_affine_apply(run, model, n, r, q, z, scores));
    if (!link || strcmp(link, "logit") != 0) {
        ald_softmax(n, q, scores);
        return ALD_OK;
    }
    for (int64_t i = 0; i < n * q; i++) scores[i] = 1.0 / (1.0 + exp(-scores[i]));
    return ALD_OK;
}

const ald_predictor ald_predictor_logistic = {
    .name = "logistic",
    .kinds = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_LABELS,
    .probabilities = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_LABELS,
    .own_ridge = 1e-3,
    .penalised = ald_logistic_path,
    .fit = logistic_fit,
    .apply = logistic_apply,
    .outputs = ald_affine_outputs,
};
