/* Moments as arrays of a model. */
#include "methods/moments/curved.h"
#include "methods/moments/exact.h"
#include "methods/moments/moments.h"

#include <math.h>
#include <string.h>

/* Sums without the joint ones are of no use. */
ald_status ald_moments_store(ald_run *run, const ald_moments *m, ald_model *model)
{
    ald_moments copy = *m;
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    if (!m->exact.joint) copy.exact.centre = copy.exact.within = NULL;
    ald_moments_slots(&copy, slots);
    ALD_TRY(ald_model_add_vector(run, model, "statistics/n", 1, &m->n));
    if (m->weighted) ALD_TRY(ald_model_add_vector(run, model, "statistics/weight", 1, &m->weight));
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) {
        const ald_moments_slot *s = &slots[i];
        const int64_t rows = s->cols > 0 ? s->count / s->cols : s->count;
        if (!*s->array) continue;
        ALD_TRY(s->cols > 0 ? ald_model_add_matrix(run, model, s->name, rows, s->cols, *s->array)
                            : ald_model_add_vector(run, model, s->name, rows, *s->array));
    }
    return ALD_OK;
}

/* A copy in scratch of an array that must have this shape. */
static ald_status load_array(ald_run *run, const ald_model *model, const char *name, int64_t rows,
                             int64_t cols, double **copy)
{
    const double *data = ald_model_reals(model, name, rows, cols);
    const int64_t count = rows * (cols < 0 ? 1 : cols);
    if (!data)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the array %s of the model is missing or has the wrong shape", name);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(data[i]))
            return ald_fail(run->error, ALD_ERROR_FORMAT, "the array %s of the model is not finite", name);
    ALD_TRY(ald_scratch_reals(run, count, 1, copy));
    memcpy(*copy, data, (size_t)count * sizeof *data);
    return ALD_OK;
}

static int64_t rows_of(const ald_model *model, const char *name)
{
    ald_array array;
    return ald_model_array(model, name, &array) && array.dims > 0 ? array.shape[0] : 0;
}

static ald_status damaged(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the statistics of the model are damaged: %s", what);
}

static int is_count(double value, double least)
{
    return value >= least && value <= 9007199254740992.0 && floor(value) >= value;
}

/* Labels are 0 and 1, classes are the unit vectors, and the counts add up. */
static ald_status check_patterns(ald_run *run, const ald_moments *m)
{
    double sum = 0.0;
    for (int64_t p = 0; p < m->patterns; p++) {
        if (!m->weighted && !is_count(m->count[p], 0.0)) return damaged(run, "a count is not a whole number");
        if (m->count[p] < 0.0) return damaged(run, "a count is negative");
        sum += m->count[p];
        for (int64_t j = 0; j < m->k; j++) {
            const double entry = m->pattern[p * m->k + j];
            if (m->kind == ALD_TARGET_CLASSES ? entry != (double)(p == j) : entry != 0.0 && entry != 1.0)
                return damaged(run, "a label pattern is invalid");
        }
    }
    if (m->kind == ALD_TARGET_CLASSES && m->patterns != m->k) return damaged(run, "the number of classes");
    const double off = m->weighted ? 1e-9 * m->weight : 0.0;
    return sum < m->weight - off || sum > m->weight + off ? damaged(run, "the counts do not add up") : ALD_OK;
}

/* The arrays of classes and labels, or of responses, are there or not. */
static int has_target(ald_run *run, const ald_moments *m)
{
    const ald_method *method = ald_settings_method(run->settings);
    const int groups = m->kind == ALD_TARGET_CLASSES || m->kind == ALD_TARGET_LABELS;
    const int grouped = m->pattern && m->count && m->centre && m->patterns > 0;
    if (groups && (!grouped || (method->class_scatters && !m->within))) return 0;
    if (m->kind != ALD_TARGET_REAL) return 1;
    return m->y_mean && m->cross && m->y_scatter && (!ald_curved_is_kept(run) || m->curved);
}

int ald_moments_can_be(ald_run *run, const ald_moments *m, const ald_moments *like)
{
    ald_moments copy = *m;
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    if (m->d != like->d || m->kind != like->kind || m->k != like->k) return 0;
    if (!m->mean) return ald_moments_outline_of(&copy).arrays == 0;
    if (!m->scatter || !(m->n >= 1.0) || !(m->weight > 0.0) || !has_target(run, m)) return 0;
    if (m->exact.joint && (!m->lost || (m->patterns > 0 && !m->exact.centre))) return 0;
    if (m->exact.joint && m->within && !m->exact.within) return 0;
    ald_moments_slots(&copy, slots);
    int finite = 1;
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++)
        for (int64_t j = 0; *slots[i].array && j < slots[i].count; j++)
            finite = finite && isfinite((*slots[i].array)[j]);
    return finite && (m->patterns == 0 || check_patterns(run, m) >= 0);
}

static ald_status load_target(ald_run *run, const ald_model *model, const char *target, ald_moments *m)
{
    ald_array pattern;
    if (strcmp(target, "none") == 0) return ALD_OK;
    if (strcmp(target, "real") == 0 && rows_of(model, "statistics/count") == 0) {
        m->kind = ALD_TARGET_REAL;
        m->k = rows_of(model, "statistics/response_mean");
        if (m->k < 1) return damaged(run, "there are no responses");
        ALD_TRY(load_array(run, model, "statistics/response_mean", m->k, -1, &m->y_mean));
        ALD_TRY(load_array(run, model, "statistics/cross", m->d, m->k, &m->cross));
        ALD_TRY(load_array(run, model, "statistics/response_scatter", m->k, m->k, &m->y_scatter));
        if (rows_of(model, "statistics/curvature") == 0) return ALD_OK;
        return load_array(run, model, "statistics/curvature", m->d, m->d, &m->curved);
    }
    m->kind = strcmp(target, "labels") == 0 ? ALD_TARGET_LABELS : ALD_TARGET_CLASSES;
    m->patterns = rows_of(model, "statistics/count");
    m->k = ald_model_array(model, "statistics/pattern", &pattern) && pattern.dims == 2 ? pattern.shape[1] : 0;
    if (m->patterns < 1 || m->k < 1) return damaged(run, "there are no patterns of labels");
    ALD_TRY(load_array(run, model, "statistics/pattern", m->patterns, m->k, &m->pattern));
    ALD_TRY(load_array(run, model, "statistics/count", m->patterns, -1, &m->count));
    ALD_TRY(load_array(run, model, "statistics/centre", m->patterns, m->d, &m->centre));
    if (rows_of(model, "statistics/within") > 0)
        ALD_TRY(load_array(run, model, "statistics/within", m->patterns * m->d, m->d, &m->within));
    if (strcmp(target, "real") == 0) ALD_TRY(load_array(run, model, "slice_edges", m->k, -1, &m->edges));
    return check_patterns(run, m);
}

/* Without sums, in models of before, they are begun with what the means and scatters say. */
static ald_status load_exact(ald_run *run, const ald_model *model, ald_moments *m)
{
    const int64_t joint = ald_packed(ald_exact_joint_order(m)), within = m->patterns * ald_packed(m->d);
    if (rows_of(model, "statistics/lost") > 0)
        ALD_TRY(load_array(run, model, "statistics/lost", m->d, -1, &m->lost));
    if (m->curved || rows_of(model, "statistics/joint_sums") == 0)
        return ald_exact_from_plain(run, &run->scratch, m);
    if (!m->lost) return damaged(run, "the record of lost digits is missing");
    ALD_TRY(load_array(run, model, "statistics/joint_sums", joint, 3, &m->exact.joint));
    if (!(m->exact.joint[0] > 0.0)) return damaged(run, "the sum of the weights");
    if (m->patterns == 0) return ALD_OK;
    if (m->within) ALD_TRY(load_array(run, model, "statistics/within_sums", within, 3, &m->exact.within));
    return load_array(run, model, "statistics/centre_sums", m->patterns * m->d, 3, &m->exact.centre);
}

/* A method that is not fitted from statistics has none to keep. */
static ald_status has_none(ald_run *run, const ald_model *model)
{
    const ald_method *method = ald_method_find(ald_model_text(model, "alidade.method"));
    if (method && !(method->capabilities & ALD_CAN_STREAM))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s cannot be fitted from statistics, so its models can be neither updated nor "
                        "merged: fit all rows at once",
                        method->name);
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "the model keeps no statistics: fit it with `keep_statistics=1` to update or merge it later");
}

ald_status ald_moments_load(ald_run *run, const ald_model *model, ald_moments *m)
{
    const char *target = ald_model_text(model, "alidade.target");
    double *n;
    memset(m, 0, sizeof *m);
    if (!target || !ald_model_reals(model, "statistics/n", 1, -1)) return has_none(run, model);
    m->d = ald_model_feature_count(model);
    ALD_TRY(ald_moments_check_order(run, m->d));
    ALD_TRY(load_array(run, model, "statistics/n", 1, -1, &n));
    m->n = m->weight = *n;
    if (!is_count(m->n, 2.0)) return damaged(run, "the number of rows");
    m->weighted = rows_of(model, "statistics/weight") > 0;
    if (m->weighted) {
        ALD_TRY(load_array(run, model, "statistics/weight", 1, -1, &n));
        m->weight = *n;
        if (!(m->weight > 0.0)) return damaged(run, "the sum of the weights");
    }
    ALD_TRY(load_array(run, model, "statistics/mean", m->d, -1, &m->mean));
    ALD_TRY(load_array(run, model, "statistics/scatter", m->d, m->d, &m->scatter));
    for (int64_t j = 0; j < m->d; j++)
        if (m->scatter[j * m->d + j] < 0.0) return damaged(run, "a negative variance");
    ALD_TRY(load_target(run, model, target, m));
    return load_exact(run, model, m);
}

void ald_moments_slots(ald_moments *m, ald_moments_slot *slots)
{
    const int64_t d = m->d, k = m->k, p = m->patterns;
    const ald_moments_slot all[ALD_MOMENTS_SLOTS] = {
        {&m->mean, d, 0, "statistics/mean"},
        {&m->scatter, d * d, d, "statistics/scatter"},
        {&m->pattern, p * k, k, "statistics/pattern"},
        {&m->count, p, 0, "statistics/count"},
        {&m->centre, p * d, d, "statistics/centre"},
        {&m->within, p * d * d, d, "statistics/within"},
        {&m->y_mean, k, 0, "statistics/response_mean"},
        {&m->cross, d * k, k, "statistics/cross"},
        {&m->y_scatter, k * k, k, "statistics/response_scatter"},
        {&m->curved, d * d, d, "statistics/curvature"},
        {&m->lost, d, 0, "statistics/lost"},
        {&m->exact.joint, 3 * ald_packed(ald_exact_joint_order(m)), 3, "statistics/joint_sums"},
        {&m->exact.centre, 3 * p * d, 3, "statistics/centre_sums"},
        {&m->exact.within, 3 * p * ald_packed(d), 3, "statistics/within_sums"},
    };
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) slots[i] = all[i];
}

ald_moments_outline ald_moments_outline_of(ald_moments *m)
{
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    ald_moments_outline o = {
        m->n, m->weight, m->curved_squares, m->d, m->k, m->patterns, m->weighted, (int64_t)m->kind, 0,
    };
    ald_moments_slots(m, slots);
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) o.arrays |= (int64_t)(*slots[i].array != NULL) << i;
    return o;
}

ald_moments ald_moments_of_outline(const ald_moments_outline *o)
{
    return (ald_moments){
        .n = o->n,
        .weight = o->weight,
        .curved_squares = o->curved_squares,
        .weighted = (int)o->weighted,
        .d = o->d,
        .k = o->k,
        .kind = (ald_target_kind)o->kind,
        .patterns = o->patterns,
    };
}
