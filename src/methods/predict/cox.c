/* Proportional hazards on the projection: the log risk b'(z - mean) of a target with events.
 *
 *   maximise  sum over deaths i of w_i (b'z_i - ln sum_{t_j >= t_i} w_j exp(b'z_j))
 *
 * the partial likelihood with Breslow's ties, by Newton's method on z of mean 0 and deviation 1, a step
 * halved until the likelihood rises. Where one score orders the deaths, there is no maximum: it ends with a
 * warning, after 50 steps or where the likelihood rises no more though steps are still long.
 *
 * Cost of a step n r^2.
 *
 * Reference: Cox (1972), Breslow (1974). */
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/operator/survival.h"
#include "methods/predict/affine.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_steps = 50, most_halvings = 30 };

/* Sums over those at risk are about the row of largest risk among them, and in units of its risk: neither a
 * row that leaves first with a far larger risk nor one that stands for all of them leaves rounding alone. */
typedef struct cox {
    const ald_survival *s;
    int64_t r;
    const double *t; /* n x r */
    double *eta;     /* n */
    const double *centre;
    double largest, sum;
    double *first, *second, *gradient, *information; /* r, r x r, r, r x r */
} cox;

static void move_centre(cox *c, int64_t i)
{
    const int64_t r = c->r;
    const double *t = c->t + i * r, *from = c->centre;
    const double by = exp(c->largest - c->eta[i]);
    for (int64_t a = 0; a < r; a++)
        for (int64_t b = 0; b < r; b++) {
            const double p = t[a] - from[a], q = t[b] - from[b], in = c->second[a * r + b];
            c->second[a * r + b] = by * (in - p * c->first[b] - q * c->first[a] + c->sum * p * q);
        }
    for (int64_t a = 0; a < r; a++) c->first[a] = by * (c->first[a] - c->sum * (t[a] - from[a]));
    c->sum *= by;
    c->largest = c->eta[i];
    c->centre = t;
}

static void add_at_risk(cox *c, int64_t i)
{
    const int64_t r = c->r;
    const double *t = c->t + i * r;
    if (c->eta[i] > c->largest) move_centre(c, i);
    const double w = c->s->weights[i] * exp(c->eta[i] - c->largest);
    c->sum += w;
    for (int64_t a = 0; a < r; a++) {
        const double p = w * (t[a] - c->centre[a]);
        c->first[a] += p;
        for (int64_t b = 0; b < r; b++) c->second[a * r + b] += p * (t[b] - c->centre[b]);
    }
}

/* Adds what the deaths of a group give. */
static double add_group(cox *c, int64_t g)
{
    const int64_t r = c->r;
    const double deaths = c->s->deaths[g];
    double value = -deaths * log(c->sum);
    for (int64_t a = 0; a < r; a++) {
        const double mean = c->first[a] / c->sum;
        c->gradient[a] -= deaths * mean;
        for (int64_t b = 0; b < r; b++)
            c->information[a * r + b] += deaths * (c->second[a * r + b] - mean * c->first[b]) / c->sum;
    }
    for (int64_t k = c->s->begin[g]; k < c->s->begin[g + 1]; k++) {
        const int64_t i = c->s->order[k];
        if (!c->s->events[i]) continue;
        value += c->s->weights[i] * (c->eta[i] - c->largest);
        for (int64_t a = 0; a < r; a++) c->gradient[a] += c->s->weights[i] * (c->t[i * r + a] - c->centre[a]);
    }
    return value;
}

/* The log of the partial likelihood at b (r), with gradient and information. */
static double likelihood(cox *c, const double *b)
{
    const ald_survival *s = c->s;
    const int64_t r = c->r;
    double value = 0.0;
    memset(c->first, 0, (size_t)r * sizeof *c->first);
    memset(c->second, 0, (size_t)(r * r) * sizeof *c->second);
    memset(c->gradient, 0, (size_t)r * sizeof *c->gradient);
    memset(c->information, 0, (size_t)(r * r) * sizeof *c->information);
    c->centre = c->t;
    c->largest = -INFINITY;
    c->sum = 0.0;
    for (int64_t i = 0; i < s->n; i++) c->eta[i] = ald_dot(r, b, c->t + i * r);
    for (int64_t g = 0; g < s->groups; g++) {
        for (int64_t k = s->begin[g]; k < s->begin[g + 1]; k++)
            if (s->weights[s->order[k]] > 0.0) add_at_risk(c, s->order[k]);
        if (s->deaths[g] > 0.0) value += add_group(c, g);
    }
    return value;
}

/* step (r) = (information + 1e-10 of its trace)^-1 gradient. Not `bounded`: nothing but rounding is left of
 * the information, as the risks of those who died are far from all others. */
static ald_status newton_step(ald_run *run, cox *c, double *step, int *bounded)
{
    const int64_t r = c->r;
    const ald_area information = ald_at(c->information, r, r);
    ald_add_ridge(1e-10 * ald_trace(r, c->information) / (double)r + DBL_MIN, information);
    memcpy(step, c->gradient, (size_t)r * sizeof *step);
    const ald_error before = *run->error;
    const ald_status status = ald_cholesky(run, information);
    *bounded = status != ALD_ERROR_NUMERICAL;
    if (!*bounded) *run->error = before;
    if (status < 0) return *bounded ? status : ALD_OK;
    return ald_solve_cholesky(run, ald_read(information), ald_at(step, r, 1));
}

static ald_status ascend(ald_run *run, cox *c, double *b)
{
    const int64_t r = c->r;
    double *step, *trial;
    double value = likelihood(c, b), gain = INFINITY, total = 0.0;
    const double still = 1e-3; /* of b, or of 1 where b is less: a step at a maximum is far shorter */
    int steps = 0, bounded = 1;
    ALD_TRY(ALD_SCRATCH(run, {&step, r, 1}, {&trial, r, 1}));
    for (int64_t g = 0; g < c->s->groups; g++) total += c->s->deaths[g]; /* the unit of the weights */
    for (; steps < most_steps && gain > 1e-12 * (total + fabs(value)); steps++) {
        double next = -INFINITY, length = 1.0;
        ALD_TRY(newton_step(run, c, step, &bounded));
        if (!bounded) break;
        for (int half = 0; half < most_halvings && !(next >= value); half++, length *= 0.5) {
            for (int64_t a = 0; a < r; a++) trial[a] = b[a] + length * step[a];
            next = likelihood(c, trial);
            ALD_TRY(ald_ask_after(run, 2.0 * (double)c->s->n * (double)(r * r)));
        }
        if (!(next >= value)) break;
        gain = next - value;
        value = next;
        memcpy(b, trial, (size_t)r * sizeof *b);
    }
    if (steps == most_steps || !bounded || ald_norm(r, step) > still * fmax(1.0, ald_norm(r, b)))
        ald_warn(
            run, ALD_NOT_CONVERGED,
            "the partial likelihood still rises after %d steps: a score orders the deaths nearly without "
            "fault, so the risk has no bound; ask for fewer components",
            steps);
    return ALD_OK;
}

static ald_status cox_fit(ald_run *run, const ald_predictor_options *options, const ald_predictor_data *data,
                          ald_model *model)
{
    const int64_t n = data->n, r = data->r;
    ald_survival s;
    ald_centred z;
    cox c = {.s = &s, .r = r};
    double *t, *b;
    double offset = 0.0;
    (void)options;
    if (!data->survival)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "the cox predictor is of times with events: name the column of events (`event`)");
    ALD_TRY(ald_survival_of(run, data->survival, &s));
    ALD_TRY(ald_centre_z(run, data, &z));
    ALD_TRY(ALD_SCRATCH(run, {&t, n, r}, {&c.eta, n, 1}, {&c.first, r, 1}, {&c.second, r, r},
                        {&c.gradient, r, 1}, {&c.information, r, r}));
    ALD_TRY(ald_scratch_zeros(run, r, 1, &b));
    for (int64_t i = 0; i < n * r; i++) t[i] = (data->z[i] - z.mean[i % r]) / z.deviation[i % r];
    c.t = t;
    ALD_TRY(ascend(run, &c, b));
    for (int64_t a = 0; a < r; a++) b[a] /= z.deviation[a];
    return ald_affine_store(run, data, z.mean, b, &offset, model);
}

const ald_predictor ald_predictor_cox = {
    .name = "cox",
    .kinds = 1 << ALD_TARGET_REAL,
    .needs_events = 1,
    .moments = ALD_MOMENTS_NOT,
    .is_affine = 1,
    .by_distances = 1,
    .fit = cox_fit,
    .apply = ald_affine_apply,
    .outputs = ald_affine_outputs,
};
