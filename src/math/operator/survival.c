/* Rows by falling time, so that those at risk are the ones before, and sums over them (survival.h). */
#include "math/operator/survival.h"

#include "base/numbers/ordering.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

ald_status ald_survival_of(ald_run *run, const ald_target *y, ald_survival *s)
{
    const ald_matrix *v = &y->values;
    const int64_t n = y->rows;
    ald_ranked *list;
    *s = (ald_survival){.n = n, .events = y->events};
    ALD_TRY(ALD_SCRATCH(run, {&s->times, n, 1}, {&s->weights, n, 1}));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &s->deaths));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *s->order, &s->order));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *s->begin, &s->begin));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *list, &list));
    for (int64_t i = 0; i < n; i++) {
        s->times[i] = ald_matrix_value(v, i * v->row_stride);
        s->weights[i] = y->weights ? y->weights[i] : 1.0;
        if (y->labelled && !y->labelled[i]) s->times[i] = s->weights[i] = 0.0;
        list[i] = (ald_ranked){s->times[i], i};
    }
    ald_rank_falling(n, list);
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = s->order[k] = list[k].place;
        if (k == 0 || list[k].value < list[k - 1].value) s->begin[s->groups++] = k;
        if (s->events[i]) s->deaths[s->groups - 1] += s->weights[i];
    }
    s->begin[s->groups] = n;
    ald_arena_drop(&run->scratch, list);
    return ALD_OK;
}

ald_status ald_survival_residuals(ald_run *run, const ald_survival *s, double *residuals)
{
    double *hazard;
    double at_risk = 0.0, sum = 0.0;
    ALD_TRY(ald_scratch_reals(run, s->groups, 1, &hazard));
    for (int64_t g = 0; g < s->groups; g++) {
        for (int64_t k = s->begin[g]; k < s->begin[g + 1]; k++) at_risk += s->weights[s->order[k]];
        hazard[g] = s->deaths[g] > 0.0 ? s->deaths[g] / at_risk : 0.0;
    }
    for (int64_t g = s->groups - 1; g >= 0; g--) {
        sum += hazard[g];
        for (int64_t k = s->begin[g]; k < s->begin[g + 1]; k++) {
            const int64_t i = s->order[k];
            const int died = s->events[i] && s->weights[i] > 0.0;
            const double m = (died ? 1.0 : 0.0) - sum;
            residuals[i] = copysign(sqrt(fmax(-2.0 * (m + (died ? log(sum) : 0.0)), 0.0)), m);
        }
    }
    ald_arena_drop(&run->scratch, hazard);
    return ALD_OK;
}

/* Sums over those at risk, and what the deaths of a group add, per column. */
typedef struct risk_sums {
    double weight;
    double *first, *second, *died;
    double *score, *information;
} risk_sums;

static void add_deaths(int64_t d, double deaths, risk_sums *r)
{
    for (int64_t j = 0; j < d; j++) {
        const double mean = r->first[j] / r->weight;
        r->score[j] += r->died[j] - deaths * mean;
        r->information[j] += deaths * fmax(r->second[j] / r->weight - mean * mean, 0.0);
        r->died[j] = 0.0;
    }
}

ald_status ald_survival_scores(ald_run *run, const ald_survival *s, const ald_operator *z, double *score)
{
    const int64_t d = z->x.cols;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    risk_sums r = {0};
    double *row, *room;
    ALD_TRY(ald_scratch_reals(run, d, 1, &row));
    ALD_TRY(ald_scratch_zeros(run, 5, d, &room));
    r.first = room;
    r.second = room + d;
    r.died = room + 2 * d;
    r.score = room + 3 * d;
    r.information = room + 4 * d;
    for (int64_t g = 0; g < s->groups; g++) {
        for (int64_t k = s->begin[g]; k < s->begin[g + 1]; k++) {
            const int64_t i = s->order[k];
            const double w = s->weights[i];
            ALD_TRY(ald_operator_rows(run, z, i, ald_at(row, 1, d)));
            ALD_TRY(ald_ask_after(run, 6.0 * (double)d));
            r.weight += w;
            for (int64_t j = 0; j < d; j++) r.second[j] += w * row[j] * row[j];
            ald_add_times(d, w, row, r.first);
            if (s->events[i]) ald_add_times(d, w, row, r.died);
        }
        if (s->deaths[g] > 0.0) add_deaths(d, s->deaths[g], &r);
    }
    for (int64_t j = 0; j < d; j++)
        score[j] = r.information[j] > 0.0 ? fabs(r.score[j]) / sqrt(r.information[j]) : 0.0;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
