/* Jobs are pairs of a split and a fit (a candidate with one of its settings, for all its dims), split by
 * split, so that a lane copies the rows of a split once and the remaining time can be estimated from the
 * finished jobs. Every job has one thread, so the figures do not depend on how many run at once. */
#include "judge/compare/comparing.h"

#include "base/core/text.h"
#include "base/threads/jobs.h"
#include "judge/compare/comparison.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

static ald_status choose_and_judge(const ald_comparing *c, ald_lane *l, const ald_unit *u,
                                   double *const *scores, ald_cell *cell)
{
    const int which = ald_unit_uses_unlabelled(u);
    const ald_subset *train = &l->train[which];
    const ald_choosing choosing = {
        .candidate = u->candidate,
        .metric = c->result->metric,
        .clock = c->plan->clock,
        .train = train,
        .scores = scores,
        .race = c->plan->race_inside,
        .trial = c->plan->trial_inside,
        .gappy = c->plan->fill_missing ? &l->gappy[which] : NULL,
        .gappy_test = &l->gappy_test,
        .groups = train->x.rows == l->train[0].x.rows ? l->groups : NULL,
    };
    return ald_choose(&l->run, &choosing, &l->test, cell);
}

/* A number of components that is out of the race. */
static ald_cell absent_cell(const ald_unit *u, int k)
{
    ald_cell cell = {
        .setting = ald_unit_setting(u, k),
        .dims = ald_unit_dims(u, k),
        .fit_seconds = NAN,
        .apply_seconds = NAN,
    };
    for (int i = 0; i < ALD_MOST_METRICS; i++) cell.metrics[i] = NAN;
    return cell;
}

/* The numbers of components of one setting of the unit that are still in the race. */
static ald_status judge_racing(const ald_comparing *c, ald_lane *l, const ald_unit *u, ald_cell_plan plan,
                               int at, ald_cell *cells)
{
    const int unlabelled = ald_unit_uses_unlabelled(u), first = at * u->n_dims;
    const int gaps = c->plan->fill_missing && !l->has_fold && ald_unit_wants_gaps(u);
    const ald_subset *parts = gaps ? l->gappy : l->train, *test = gaps ? &l->gappy_test : &l->test;
    const int64_t *const left = c->left + u->first_row + first;
    int64_t *dims;
    double **scores;
    ald_cell *judged;
    int count = 0;
    ALD_TRY(ald_scratch(&l->run, u->n_dims, 1, sizeof *dims, &dims));
    ALD_TRY(ald_scratch(&l->run, u->n_dims, 1, sizeof *scores, &scores));
    ALD_TRY(ald_scratch(&l->run, u->n_dims, 1, sizeof *judged, &judged));
    for (int k = 0; k < u->n_dims; k++) {
        if (left[k]) continue;
        scores[count] = plan.scores ? plan.scores[first + k] : NULL;
        dims[count++] = plan.dims[k];
    }
    plan.dims = dims;
    plan.n_dims = count;
    if (plan.scores) plan.scores = scores;
    if (count > 0)
        ALD_TRY(ald_cells_judge(&l->run, &plan, l->has_fold ? NULL : &parts[unlabelled], test, judged));
    for (int k = 0, from = 0; k < u->n_dims; k++) {
        cells[first + k] = left[k] ? absent_cell(u, first + k) : judged[from++];
        cells[first + k].setting = ald_unit_setting(u, first + k);
    }
    return ALD_OK;
}

/* Settings that share a map are judged one after the other: its scores are kept (cells/maps.h). */
static ald_status judge_settings(const ald_comparing *c, ald_lane *l, const ald_unit *u,
                                 double *const *scores, ald_cell *cells)
{
    for (int at = 0; at < u->n_settings; at++) {
        ald_cell_plan plan = ald_unit_plan(c, u, at);
        plan.scores = scores;
        plan.fold = l->has_fold ? &l->fold : NULL;
        if (!ald_unit_uses_unlabelled(u)) plan.groups = l->groups;
        if (l->same && !l->groups) plan.groups = l->same;
        plan.rotations = &l->rotations;
        plan.maps = &l->maps;
        ALD_TRY(judge_racing(c, l, u, plan, at, cells));
    }
    return ALD_OK;
}

static ald_status judge_unit(const ald_comparing *c, ald_lane *l, const ald_unit *u, ald_cell *cells)
{
    if (l->status < 0) {
        for (int k = 0; k < u->n_rows; k++) {
            cells[k] = absent_cell(u, k);
            ald_cell_fail(&cells[k], l->status, l->error.message);
        }
        return ALD_OK;
    }
    double **scores;
    ALD_TRY(ald_out_of_fold_places(&l->run, c->result, u->first_row, u->n_rows, l->split, &scores));
    if (u->candidate->choose) return choose_and_judge(c, l, u, scores, cells);
    return judge_settings(c, l, u, scores, cells);
}

static ald_key key_of(const ald_comparing *c, const ald_unit *u, int64_t split)
{
    const ald_splits *s = c->result->splits;
    ald_key key = u->key;
    ald_key_add(&key, s->part_of + split / s->tests * s->rows, (size_t)s->rows * sizeof *s->part_of);
    ald_key_int(&key, s->first_test + split % s->tests);
    return key;
}

static int is_lasting(const ald_unit *u, const ald_cell *cells)
{
    for (int k = 0; k < u->n_rows; k++)
        if (cells[k].status == ALD_ERROR_MEMORY) return 0;
    return 1;
}

/* From the journal, if it has them, which takes no time of the time limit; else done, and kept there. */
static ald_status find_or_judge(const ald_comparing *c, ald_lane *l, const ald_unit *u, int64_t split,
                                ald_cell *cells)
{
    ald_journal *journal = c->plan->journal;
    if (!journal) return judge_unit(c, l, u, cells);
    const ald_key key = key_of(c, u, split);
    const int64_t record = ald_journal_find(journal, key, u->n_rows, cells);
    if (record && !ald_unit_could_be(c, u, cells)) return ald_journal_refuse(&l->run, journal, record);
    if (record) return ALD_OK;
    ald_deadline_arm(&l->run);
    if (ald_deadline_passes(&l->run)) return ald_fail(l->run.error, ALD_ERROR_CANCELLED, "the time was up");
    ALD_TRY(judge_unit(c, l, u, cells));
    if (!is_lasting(u, cells)) return ALD_OK;
    return ald_journal_add(&l->run, journal, key, c->result->rows[u->first_row].label, split, u->n_rows,
                           cells);
}

static ald_status do_job(void *work, const ald_run *outer, int number, int64_t job, ald_error *error)
{
    const ald_comparing *c = work;
    const int64_t splits = ald_splits_count(c->result->splits), split = c->first + job / c->n_racing,
                  unit = c->racing[job % c->n_racing];
    const ald_unit *u = &c->units[unit];
    ald_lane *l = &c->lanes[number];
    ald_cell *cells;
    ald_status status = ald_lane_prepare(c, l, outer, split);
    const uint64_t mark = ald_arena_mark(&l->run.scratch);
    if (status >= 0) status = ald_scratch(&l->run, u->n_rows, 1, sizeof *cells, &cells);
    if (status >= 0) status = find_or_judge(c, l, u, split, cells);
    if (status < 0) return ald_fail(error, status, "%s", l->error.message);
    for (int k = 0; k < u->n_rows; k++) c->result->cells[(u->first_row + k) * splits + split] = cells[k];
    c->finished[unit * splits + split] = 1;
    ald_arena_release(&l->run.scratch, mark);
    return ALD_OK;
}

static int in_race(const ald_comparing *c, const ald_unit *u)
{
    int any = 0;
    for (int k = 0; k < u->n_rows; k++) any = any || !c->left[u->first_row + k];
    return any;
}

/* Those that choose, or those that do not. */
static void list_racing(ald_comparing *c, int choosing)
{
    c->n_racing = 0;
    for (int64_t i = 0; i < c->n_units; i++)
        if (in_race(c, &c->units[i]) && !c->units[i].candidate->choose == !choosing)
            c->racing[c->n_racing++] = i;
}

/* What chooses has jobs of its own inside, for all threads: one after the other. */
static ald_status run_choosing(ald_comparing *c, int64_t count)
{
    ald_run aside;
    ald_status status = ALD_OK;
    ald_run_inside(&aside, c->run, NULL);
    aside.call.log = NULL;
    ald_pace_plan(&c->pace, c->racing, c->n_racing, count * c->n_racing);
    for (int64_t job = 0; status >= 0 && job < count * c->n_racing; job++) {
        const int64_t unit = c->racing[job % c->n_racing];
        const double from = ald_pace_part(&c->pace, 0.0), began = ald_pace_clock(),
                     to = ald_pace_part(&c->pace, ald_pace_expect(&c->pace, unit));
        const ald_span before = ald_span_enter(&aside, from, to - from);
        status = do_job(c, &aside, 0, job, c->run->error);
        ald_span_leave(&aside, before);
        ald_pace_note(&c->pace, unit, ald_pace_clock() - began);
    }
    ald_lane_close(&c->lanes[0]);
    ald_run_end(&aside, ALD_OK);
    return status;
}

/* What those in the race that choose, or do not, are expected to take on `count` splits. Those that do not
 * choose go side by side. */
static double expected_time(ald_comparing *c, int choosing, int64_t count)
{
    double sum = 0.0;
    list_racing(c, choosing);
    for (int64_t i = 0; i < c->n_racing; i++) sum += ald_pace_expect(&c->pace, c->racing[i]);
    const int64_t jobs = count * c->n_racing;
    return sum * (double)count / (double)ald_jobs_lanes(c->run, choosing || jobs < 1 ? 1 : jobs);
}

/* All that is in the race, on the splits from c->first to `end`. */
static ald_status run_round(ald_comparing *c, int64_t end)
{
    const int64_t count = end - c->first;
    const double choosing = expected_time(c, 1, count), others = expected_time(c, 0, count),
                 whole = choosing + others, share = whole > 0.0 ? others / whole : 0.0;
    list_racing(c, 0);
    const int64_t jobs = count * c->n_racing;
    const int lanes = ald_jobs_lanes(c->run, jobs > 0 ? jobs : 1);
    const ald_job_kinds kinds = {&c->pace, c->racing, c->n_racing, c->stages};
    ALD_TRY(ald_scratch_clear(c->run, lanes, 1, sizeof *c->lanes, &c->lanes));
    ald_status status = ALD_OK;
    ald_span before = ald_span_enter(c->run, 0.0, share);
    if (jobs > 0) status = ald_jobs_run_paced(c->run, jobs, &kinds, "comparing", do_job, c);
    ald_span_leave(c->run, before);
    for (int i = 0; i < lanes; i++) ald_lane_close(&c->lanes[i]);
    list_racing(c, 1);
    before = ald_span_enter(c->run, share, 1.0 - share);
    if (status >= 0) status = run_choosing(c, count);
    ald_span_leave(c->run, before);
    return status;
}

/* Splits, from the first on, that all have finished that are in the race. */
static int64_t whole_splits(const ald_comparing *c)
{
    const int64_t splits = ald_splits_count(c->result->splits);
    int64_t whole = 0;
    for (; whole < splits; whole++)
        for (int64_t i = 0; i < c->n_units; i++)
            if (in_race(c, &c->units[i]) && !c->finished[i * splits + whole]) return whole;
    return whole;
}

/* Cells that do not exist, and those of splits that not all have finished: means must cover the same rows. In
 * the very first split everything counts. */
static void blank_cells(const ald_comparing *c, int64_t whole)
{
    const int64_t splits = ald_splits_count(c->result->splits);
    for (int64_t i = 0; i < c->n_units; i++)
        for (int64_t s = 0; s < splits; s++) {
            const ald_unit *u = &c->units[i];
            if (c->finished[i * splits + s] && (s < whole || s == 0)) continue;
            for (int k = 0; k < u->n_rows; k++)
                c->result->cells[(u->first_row + k) * splits + s] = absent_cell(u, k);
        }
}

/* What the progress says while a unit is judged. */
static ald_status name_stages(ald_comparing *c)
{
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *c->stages, &c->stages));
    for (int64_t i = 0; i < c->n_units; i++) {
        const ald_unit *u = &c->units[i];
        const ald_candidate *candidate = u->candidate;
        const int named = candidate->kind == ALD_CANDIDATE_METHOD && !candidate->choose;
        ald_text text;
        ald_text_init(&text, &c->run->scratch);
        ALD_TRY(ald_text_print(c->run, &text, "comparing %s",
                               named ? ald_method_name(ald_settings_method(candidate->settings[u->setting]))
                                     : c->result->rows[u->first_row].label));
        c->stages[i] = text.data;
    }
    return ALD_OK;
}

static ald_status new_rounds(ald_comparing *c)
{
    const int64_t splits = ald_splits_count(c->result->splits);
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *c->racing, &c->racing));
    ALD_TRY(ald_scratch(c->run, c->result->n_rows, 1, sizeof *c->left, &c->left));
    ALD_TRY(ald_scratch(c->run, c->n_units, splits, 1, &c->finished));
    memset(c->left, 0, (size_t)c->result->n_rows * sizeof *c->left);
    memset(c->finished, 0, (size_t)(c->n_units * splits));
    ALD_TRY(ald_pace_new(c->run, c->n_units, &c->pace));
    for (int64_t i = 0; i < c->n_units; i++) c->pace.guesses[i] = ald_unit_cost(c, &c->units[i]);
    return name_stages(c);
}

/* Whether a round ended because the time was up, where what is done by then is to be kept. */
static int time_is_up(const ald_comparing *c, ald_status status)
{
    return status == ALD_ERROR_CANCELLED && c->plan->partial && ald_deadline_was_passed(c->run);
}

/* One fit serves all numbers of components of a nested method: they stay for as long as one of them does,
 * unless the predictor is what costs. */
static int is_shared(const ald_comparing *c, const ald_unit *u)
{
    const ald_settings *settings = u->candidate->settings[u->setting];
    const ald_predictor *predictor = ald_predictor_asked(settings);
    if (predictor && !predictor->is_lazy && predictor->moments == ALD_MOMENTS_NOT) return 0;
    return (ald_method_capabilities(ald_settings_method(settings)) & ALD_IS_NESTED) && in_race(c, u);
}

/* Takes back the rows whose leaving would save nothing. */
static void keep_cheap(const ald_comparing *c, int64_t done)
{
    for (int64_t i = 0; i < c->n_units; i++) {
        const ald_unit *u = &c->units[i];
        if (!is_shared(c, u) && !ald_unit_is_quick(c, u)) continue;
        for (int k = 0; k < u->n_rows; k++)
            if (c->left[u->first_row + k] == done) c->left[u->first_row + k] = 0;
    }
}

static ald_status look(ald_comparing *c, int64_t done)
{
    const ald_candidate *candidate = c->plan->candidates;
    ALD_TRY(ald_race_look(c->run, c->result, candidate, done, c->left));
    keep_cheap(c, done);
    if (candidate->stay < 1) return ALD_OK;
    const int64_t stay = candidate->stay >> c->looks;
    if (stay > 1) c->looks++;
    return ald_race_halve(c, done, stay > 1 ? stay : 1);
}

/* The part of all rounds that this one is, by what is spent and what those in the race still take; of what is
 * behind the first look some three fifths stay in the race. */
static ald_status run_in_span(ald_comparing *c, int64_t splits, int64_t end, double *spent)
{
    const double stays = c->first == 0 && end < splits ? 0.6 : 1.0, began = ald_pace_clock();
    const double each = expected_time(c, 0, 1) + expected_time(c, 1, 1),
                 now = each * (double)(end - c->first),
                 total = *spent + now + stays * each * (double)(splits - end);
    const ald_span before =
        total > 0.0 ? ald_span_enter(c->run, *spent / total, now / total) : ald_span_enter(c->run, 0.0, 1.0);
    const ald_status status = run_round(c, end);
    ald_span_leave(c->run, before);
    *spent += ald_pace_clock() - began;
    return status;
}

static ald_status all_rounds(ald_comparing *c)
{
    const int64_t splits = ald_splits_count(c->result->splits);
    double spent = 0.0;
    for (c->first = 0; c->first < splits;) {
        const int64_t end = c->plan->race ? ald_race_next(c->plan->candidates, splits, c->first) : splits;
        ALD_TRY(run_in_span(c, splits, end, &spent));
        c->first = end;
        if (end < splits) ALD_TRY(look(c, end));
    }
    return ALD_OK;
}

/* Adds the first settings of a unit to a list of at most three. */
static ald_status name_settings(const ald_comparing *c, const ald_unit *u, int64_t before, ald_text *names)
{
    enum { most_named = 3 };
    const ald_candidate *candidate = u->candidate;
    for (int k = 0; k < u->n_settings && before + k < most_named; k++) {
        const char *words = u->setting >= 0 ? candidate->words[u->setting + k] : "";
        const int alone = c->plan->count == 1 && *words; /* the words have all there is to say */
        ALD_TRY(ald_text_print(c->run, names, "%s%s%s%s", before + k > 0 ? "; " : "",
                               alone ? "" : candidate->label, alone || !*words ? "" : " ", words));
    }
    return before + u->n_settings > most_named && before <= most_named
               ? ald_text_print(c->run, names, "; ...")
               : ALD_OK;
}

/* "the time was up after 3 of 10 splits", and what has not even the first of them. */
static ald_status tell_cut(ald_comparing *c)
{
    ald_comparison *r = c->result;
    const int64_t splits = ald_splits_count(r->splits);
    int64_t untried = 0, all = 0;
    ald_text text, names;
    ald_text_init(&text, &r->memory);
    ald_text_init(&names, &r->memory);
    for (int64_t i = 0; i < c->n_units; i++) {
        const ald_unit *u = &c->units[i];
        all += u->n_settings;
        if (c->finished[i * splits]) continue;
        ALD_TRY(name_settings(c, u, untried, &names));
        untried += u->n_settings;
    }
    if (untried == 0)
        ALD_TRY(ald_text_print(c->run, &text, "the time was up after %lld of %lld splits",
                               (long long)r->judged, (long long)splits));
    else
        ALD_TRY(ald_text_print(c->run, &text,
                               "the time was up during the first of %lld splits: %lld of %lld settings were "
                               "not tried (%s), the others on one split",
                               (long long)splits, (long long)untried, (long long)all, names.data));
    r->cut = text.data;
    return ALD_OK;
}

ald_status ald_rounds_run(ald_comparing *c)
{
    const ald_error before = *c->run->error;
    ALD_TRY(new_rounds(c));
    if (!c->plan->journal) ald_deadline_arm(c->run);
    ald_status status = all_rounds(c);
    const int cut = time_is_up(c, status);
    if (cut) {
        *c->run->error = before;
        status = ALD_OK;
    }
    ALD_TRY(status);
    c->result->judged = whole_splits(c);
    blank_cells(c, c->result->judged);
    for (int i = 0; i < c->result->n_rows; i++) c->result->rows[i].left_after = c->left[i];
    return cut && c->result->judged < ald_splits_count(c->result->splits) ? tell_cut(c) : ALD_OK;
}
