/* logistic: probabilities of classes (multinomial) or of each label by itself. With t = z of mean 0 and
 * deviation 1, scores c0 + C't at the minimum of the loss with penalty n ridge (logistic_solve.h), n the sum
 * of the weights. */
#include "base/core/tryout.h"
#include "math/linalg/linalg.h"
#include "methods/predict/affine.h"
#include "methods/predict/logistic_solve.h"

#include <math.h>
#include <string.h>

/* The loss of logistic_solve.h on the columns at mean 0 and deviation 1, in the coordinates T = Z V of the
 * decomposition (path.h), in which the penalty is the same and the columns of T are orthogonal: with p_c the
 * share of class c, the Hessian is near diag(p_c (1 - p_c) s_j^2 + lambda), so that conjugate gradient with
 * that diagonal needs few products, each n k q. One decomposition serves all penalties and folds.
 *
 * Penalties lambda are 1 to 1e-6 of the largest s^2, one per decade, from the largest down, each fit
 * beginning at the one before it. Five folds are dealt, not drawn: the groups of each class in turn, in the
 * order of the rows; of many rows only so many folds are left out that a thousand rows are judged. The
 * penalty with the least log loss of the rows left out wins; the path ends when one is 2 % above the best. A
 * fold's rows have weight 0 in its fits, so that nothing is copied. The fit of all rows, where they are many,
 * begins at that of the first fold with the same penalty. */

enum { folds = 5, penalties = 7, usual_products = 1000, enough_rows = 1000 };
static const double most_operations = 5e10; /* ten seconds or so */

typedef struct tracing {
    ald_logistic task;
    const ald_path *path;
    const double *squares; /* k */
    double *weights;       /* n */
    double *left;          /* n: weights without the fold's rows */
    double *diagonal;      /* p x q */
    double *c[folds];      /* p x q each: where the fit of the fold stands */
    double scale[folds];   /* the gradient's norm at C = 0 */
    int *fold_of;          /* n */
    double *best;          /* p x q: the first fold's at the best penalty so far */
    int used, tried;       /* folds there are, and that are left out in turn */
} tracing;

/* T1 = [1 T], without the roots of the weights. */
static ald_status make_columns(ald_run *run, const ald_path_span *span, double **t1)
{
    const int64_t n = span->z.x.rows, d = span->z.x.cols, k = span->k, p = k + 1;
    ald_operator z = span->z;
    double *t;
    z.row_weight = NULL;
    ALD_TRY(ALD_SCRATCH(run, {t1, n, p}, {&t, n, k}));
    if (k > 0) ALD_TRY(ald_operator_apply(run, &z, ald_of(span->v, d, k), ald_at(t, n, k)));
    for (int64_t i = 0; i < n; i++) {
        (*t1)[i * p] = 1.0;
        memcpy(*t1 + i * p + 1, t + i * k, (size_t)k * sizeof *t);
    }
    return ALD_OK;
}

/* What is dealt by: the class of the row; labels by none. */
static int64_t kind_of(const ald_predictor_data *data, int64_t i)
{
    int64_t kind = 0;
    if (data->kind != ALD_TARGET_CLASSES) return 0;
    while (kind + 1 < data->q && !(data->y[i * data->q + kind] > 0.5)) kind++;
    return kind;
}

static ald_status deal(ald_run *run, tracing *t)
{
    const ald_predictor_data *data = t->path->data;
    const int64_t *groups = ald_path_groups(t->path) < 2 ? NULL : t->path->groups;
    int64_t *dealt;
    int64_t count = groups ? ald_path_groups(t->path) : data->n;
    t->used = count < folds ? (int)count : folds;
    t->tried = (int)(((int64_t)enough_rows * t->used + data->n - 1) / data->n);
    if (t->tried > t->used) t->tried = t->used;
    ALD_TRY(ald_scratch(run, data->n, 1, sizeof *t->fold_of, &t->fold_of));
    ALD_TRY(ald_scratch(run, data->q, 1, sizeof *dealt, &dealt));
    for (int64_t k = 0; k < data->q; k++) dealt[k] = k;
    for (int64_t i = 0; i < data->n; i++) {
        const int first = !groups || groups[i] == i;
        t->fold_of[i] = first ? (int)(dealt[kind_of(data, i)]++ % t->used) : t->fold_of[groups[i]];
    }
    return ALD_OK;
}

static ald_status begin(ald_run *run, const ald_path *path, const ald_path_span *span, tracing *t)
{
    const ald_predictor_data *data = path->data;
    double *t1;
    *t = (tracing){.path = path, .squares = span->squares};
    t->task = (ald_logistic){
        .run = run,
        .n = data->n,
        .p = span->k + 1,
        .q = data->q,
        .y = data->y,
        .labels = data->kind == ALD_TARGET_LABELS,
    };
    ALD_TRY(make_columns(run, span, &t1));
    ALD_TRY(deal(run, t));
    ALD_TRY(ALD_SCRATCH(run, {&t->weights, data->n, 1}, {&t->left, data->n, 1},
                        {&t->diagonal, t->task.p, data->q}));
    for (int k = 0; k < t->tried; k++) ALD_TRY(ald_scratch_reals(run, t->task.p, data->q, &t->c[k]));
    ALD_TRY(ald_scratch_reals(run, t->task.p, data->q, &t->best));
    for (int64_t i = 0; i < data->n; i++) t->weights[i] = ald_predictor_weight(data, i);
    t->task.t1 = t1;
    t->task.diagonal = t->diagonal;
    return ald_logistic_room(&t->task, 0);
}

/* p_c (1 - p_c) s_j^2 + lambda, of the intercepts p_c (1 - p_c) n; shares of 0 and 1 count as 1 %. */
static void fill_diagonal(tracing *t, double lambda)
{
    const ald_predictor_data *data = t->path->data;
    const double total = ald_predictor_total(data);
    for (int64_t c = 0; c < data->q; c++) {
        double share = 0.0;
        for (int64_t i = 0; i < data->n; i++) share += t->weights[i] / total * data->y[i * data->q + c];
        const double spread = fmax(share * (1.0 - share), 0.01);
        for (int64_t j = 0; j < t->task.p; j++)
            t->diagonal[j * data->q + c] = j ? spread * t->squares[j - 1] + lambda : spread * total;
    }
}

/* Weights of all rows but those of a fold; -1: of all. */
static void leave_out(tracing *t, int fold)
{
    for (int64_t i = 0; i < t->task.n; i++) t->left[i] = t->fold_of[i] == fold ? 0.0 : t->weights[i];
    t->task.w = t->left;
}

/* The log loss of the fold's rows at the probabilities of the last fit. */
static double loss_of(const tracing *t, int fold)
{
    const ald_logistic *k = &t->task;
    double sum = 0.0;
    for (int64_t i = 0; i < k->n; i++)
        for (int64_t j = 0; t->fold_of[i] == fold && j < k->q; j++) {
            const int yes = k->y[i * k->q + j] > 0.5;
            const double p = k->prob[i * k->q + j], right = yes ? p : 1.0 - p;
            if (yes || k->labels) sum -= t->weights[i] * log(fmax(right, 1e-15));
        }
    return sum;
}

static ald_status begin_folds(tracing *t)
{
    for (int fold = 0; fold < t->tried; fold++) {
        leave_out(t, fold);
        ald_logistic_start(&t->task, t->c[fold]);
        ALD_TRY(ald_logistic_slope(&t->task, t->c[fold], &t->scale[fold]));
    }
    return ALD_OK;
}

static ald_status try_penalty(tracing *t, double lambda, double *loss)
{
    *loss = 0.0;
    t->task.penalty = lambda;
    fill_diagonal(t, lambda);
    for (int fold = 0; fold < t->tried; fold++) {
        leave_out(t, fold);
        ALD_TRY(ald_logistic_minimize(&t->task, t->scale[fold], t->c[fold]));
        *loss += loss_of(t, fold);
    }
    return ALD_OK;
}

static ald_status choose_penalty(tracing *t, double *best)
{
    double least = INFINITY;
    int behind = 0;
    t->task.tol = 1e-3;
    t->task.forcing = 0.1;
    ALD_TRY(begin_folds(t));
    *best = t->squares[0];
    for (int number = 0; number < penalties && !behind; number++) {
        const double lambda = t->squares[0] * pow(10.0, -number);
        double loss;
        ALD_TRY(try_penalty(t, lambda, &loss));
        behind = loss > 1.02 * least;
        if (!(loss < least)) continue;
        least = loss;
        *best = lambda;
        memcpy(t->best, t->c[0], (size_t)(t->task.p * t->task.q) * sizeof *t->best);
    }
    return ALD_OK;
}

/* All rows at the penalty that was chosen; `warm`: from the fit of the first fold, unless that lacks a class.
 */
static ald_status fit_whole(tracing *t, double lambda, int warm, double *c)
{
    double scale;
    t->task.tol = 1e-6;
    t->task.penalty = lambda;
    fill_diagonal(t, lambda);
    leave_out(t, -1);
    ald_logistic_start(&t->task, c);
    ALD_TRY(ald_logistic_slope(&t->task, c, &scale));
    for (int64_t j = 0; warm && j < t->task.q; j++) warm = fabs(t->best[j]) < 0.5 * fabs(ALD_NO_SCORE);
    if (warm) memcpy(c, t->best, (size_t)(t->task.p * t->task.q) * sizeof *c);
    return ald_logistic_minimize(&t->task, scale, c);
}

static int is_too_long(const ald_path *path)
{
    const ald_predictor_data *data = path->data;
    const int64_t k = data->n < data->r ? data->n : data->r;
    return 4.0 * usual_products * (double)data->n * (double)k * (double)data->q > most_operations;
}

ald_status ald_logistic_path(ald_run *run, const ald_path *path, ald_model *model)
{
    ald_path_span span;
    tracing t;
    double *c;
    double best = 1.0;
    if (is_too_long(path)) return ald_ridge_path(run, path, model);
    ALD_TRY(ald_path_decompose(run, path, &span));
    ALD_TRY(begin(run, path, &span, &t));
    ALD_TRY(ald_scratch_reals(run, t.task.p, t.task.q, &c));
    const int chooses = span.k > 0 && t.used > 1;
    if (chooses) ALD_TRY(choose_penalty(&t, &best));
    ALD_TRY(fit_whole(&t, best, chooses && t.tried < t.used, c));
    ALD_TRY(ald_path_store(run, path, &span, c + t.task.q, c, model));
    ALD_TRY(ald_model_set_text(run, model, "alidade.predictor.link", t.task.labels ? "logit" : "softmax"));
    ALD_TRY(
        ald_model_set_real(run, model, "alidade.predictor.ridge", best / ald_predictor_total(path->data)));
    return ald_model_set_text(run, model, "alidade.predictor.kind", ald_predictor_logistic.name);
}

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
        .tol = ald_tryout_sparing(run) ? 1e-4 : 1e-9,
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

static void to_probabilities(const ald_model *model, int64_t n, int64_t q, double *scores)
{
    const char *link = ald_model_text(model, "alidade.predictor.link");
    const int labels = link && strcmp(link, "logit") == 0;
    if (!labels) ald_softmax(n, q, scores);
    for (int64_t i = 0; labels && i < n * q; i++) scores[i] = 1.0 / (1.0 + exp(-scores[i]));
}

static ald_status logistic_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                                 const double *z, double *scores)
{
    ALD_TRY(ald_affine_apply(run, model, n, r, q, z, scores));
    to_probabilities(model, n, q, scores);
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
    .link = to_probabilities,
    .rank = ald_affine_apply,
    .outputs = ald_affine_outputs,
};
