/* ald_compare: jobs are pairs of a split and a fit (a candidate with one of its settings, for all its dims), split by
 * split, so that a lane copies the rows of a split once and the time left can be told from the jobs that are done.
 * Every job has one thread, so the figures do not depend on how many run at once. */
#include "judge/comparison.h"

#include "api/check.h"
#include "core/text.h"
#include "judge/choose.h"
#include "judge/journal.h"
#include "judge/sums.h"
#include "linalg/entry.h"
#include "threads/jobs.h"
#include "threads/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A candidate with one of its settings (-1: it chooses), which gives `n_rows` rows. */
typedef struct unit {
    const ald_candidate *candidate;
    int number, setting;
    int first_row, n_rows;
    ald_key key;
} unit;

/* What a lane has in hand: the rows of one split. */
typedef struct lane {
    ald_run run; /* context NULL: not begun */
    ald_error error;
    int64_t split;             /* -1: none */
    ald_subset train[2], test; /* train: the rows that have a target, and all */
    ald_subset gappy[2];       /* train before its cells without a value were filled, for choosing inside */
    int64_t *groups;           /* of train[0] */
    ald_status status;         /* of the preparation, told in every cell of the split */
    ald_fold fold;             /* where there are sums: it has the training rows then, and train is not used */
    int has_fold;
} lane;

typedef struct comparing {
    ald_run *run;
    const ald_subset *data;
    const ald_compare_options *options;
    ald_comparison *result;
    unit *units;
    int64_t n_units;
    lane *lanes;
    ald_sums sums;
    ald_journal *journal;
    ald_key key; /* of the data */
} comparing;

static const int64_t no_dims = 0;

static ald_cell_plan plan_of(const comparing *c, const unit *u)
{
    const ald_candidate *candidate = u->candidate;
    const int is_method = candidate->kind == ALD_CANDIDATE_METHOD;
    return (ald_cell_plan){.kind = candidate->kind,
                           .settings = candidate->settings[u->setting],
                           .dims = is_method ? candidate->dims : &no_dims,
                           .n_dims = is_method ? candidate->n_dims : 1,
                           .metric = c->result->metric,
                           .clock = c->options->clock};
}

static ald_status check_candidate(ald_run *run, const ald_candidate *candidate)
{
    if (candidate->n_settings < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a candidate has no settings to be fitted with");
    if (candidate->kind != ALD_CANDIDATE_METHOD) return ALD_OK;
    if (candidate->n_dims < 1) return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a candidate has no dims to be tried");
    for (int k = 0; k < candidate->n_dims; k++)
        if (candidate->dims[k] < 1 || (k && candidate->dims[k] <= candidate->dims[k - 1]))
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "dims are whole numbers from 1 that rise");
    return ALD_OK;
}

static int unit_count(const ald_candidate *candidate)
{
    return candidate->choose ? 1 : candidate->n_settings;
}

static int row_count(const ald_candidate *candidate)
{
    return candidate->choose || candidate->kind != ALD_CANDIDATE_METHOD ? 1 : candidate->n_dims;
}

static void add_rows(const comparing *c, const unit *u)
{
    const ald_candidate *candidate = u->candidate;
    const int is_method = candidate->kind == ALD_CANDIDATE_METHOD;
    const char *label =
        candidate->label ? candidate->label : ald_method_name(ald_settings_method(candidate->settings[0]));
    for (int k = 0; k < u->n_rows; k++)
        c->result->rows[u->first_row + k] = (ald_comparison_row){.candidate = u->number,
                                                                 .setting = u->setting,
                                                                 .dims = !is_method          ? 0
                                                                         : candidate->choose ? -1
                                                                                             : candidate->dims[k],
                                                                 .label = label,
                                                                 .p_value = NAN};
}

static ald_status list_units(comparing *c)
{
    const ald_compare_options *o = c->options;
    ald_comparison *r = c->result;
    int64_t next = 0;
    for (int i = 0; i < o->count; i++) {
        ALD_TRY(check_candidate(c->run, &o->candidates[i]));
        c->n_units += unit_count(&o->candidates[i]);
    }
    if (c->n_units == 0) return ald_fail(c->run->error, ALD_ERROR_ARGUMENT, "there is nothing to compare");
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *c->units, &c->units));
    for (int i = 0; i < o->count; i++)
        for (int s = 0; s < unit_count(&o->candidates[i]); s++) {
            const ald_candidate *candidate = &o->candidates[i];
            c->units[next++] = (unit){.candidate = candidate,
                                      .number = i,
                                      .setting = candidate->choose ? -1 : s,
                                      .first_row = r->n_rows,
                                      .n_rows = row_count(candidate)};
            r->n_rows += row_count(candidate);
        }
    const int64_t splits = ald_splits_count(r->splits);
    r->rows = ald_arena_get(&r->memory, r->n_rows, 1, sizeof *r->rows);
    r->cells = ald_arena_get(&r->memory, r->n_rows, splits, sizeof *r->cells);
    if (!r->rows || !r->cells) return ald_out_of_memory(c->run, r->n_rows, splits, sizeof *r->cells);
    for (int64_t i = 0; i < c->n_units; i++) add_rows(c, &c->units[i]);
    return ALD_OK;
}

/* Rows of a list that have a target. */
static int64_t keep_labelled(const ald_target *y, int64_t *rows, int64_t n)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < n; k++)
        if (!y->labelled || y->labelled[rows[k]]) rows[kept++] = rows[k];
    return kept;
}

static ald_status take_groups(ald_run *run, const int64_t *groups, const int64_t *rows, int64_t n, int64_t **taken)
{
    *taken = NULL;
    if (!groups) return ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **taken, taken));
    for (int64_t k = 0; k < n; k++) (*taken)[k] = groups[rows[k]];
    return ALD_OK;
}

/* With sums the training rows are copied only where something asks for them. */
static ald_status begin_fold(const comparing *c, lane *l, int64_t split, const ald_split_parts *p)
{
    const ald_splits *s = c->result->splits;
    l->has_fold = 1;
    ALD_TRY(ald_fold_begin(&l->run, &c->sums.of[split / s->tests], s->first_test + split % s->tests, c->data, p->train,
                           p->n_train, &l->fold));
    return take_groups(&l->run, c->options->splits.groups, p->train, p->n_train, &l->groups);
}

static void end_lane(lane *l)
{
    if (l->has_fold) ald_fold_end(&l->fold);
    l->has_fold = 0;
    if (l->run.context) ald_run_end(&l->run, ALD_OK);
}

static ald_status take_split(const comparing *c, lane *l, int64_t split)
{
    const ald_target *y = &c->data->y;
    ald_run *run = &l->run;
    ald_split_parts p;
    ALD_TRY(ald_splits_list(run, c->result->splits, split, &p));
    ALD_TRY(ald_subset_take(run, c->data, p.test, p.n_test, &l->test));
    l->test.y.labelled = NULL;
    if (c->sums.divisions > 0) return begin_fold(c, l, split, &p);
    if (y->labelled) ALD_TRY(ald_subset_take(run, c->data, p.train, p.n_train, &l->train[1]));
    p.n_train = keep_labelled(y, p.train, p.n_train);
    ALD_TRY(ald_subset_take(run, c->data, p.train, p.n_train, &l->train[0]));
    ALD_TRY(take_groups(run, c->options->splits.groups, p.train, p.n_train, &l->groups));
    if (!y->labelled) l->train[1] = l->train[0];
    l->train[0].y.labelled = NULL;
    return ALD_OK;
}

/* A copy that is not filled. */
static ald_status copy_subset(ald_run *run, const ald_subset *from, ald_subset *copy)
{
    const int64_t n = from->x.rows;
    int64_t *rows;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    return ald_subset_take(run, from, rows, n, copy);
}

static int any_chooses(const comparing *c)
{
    int any = 0;
    for (int i = 0; i < c->options->count; i++) any = any || c->options->candidates[i].choose;
    return any;
}

/* Fills by the means of the rows that have a target: also the others, as means stay what they are when they are filled
 * in. */
static ald_status fill(const comparing *c, lane *l)
{
    if (!c->options->fill_missing || l->has_fold) return ALD_OK; /* sums are of rows without any */
    for (int k = 0; k < 2 && any_chooses(c); k++) ALD_TRY(copy_subset(&l->run, &l->train[k], &l->gappy[k]));
    ALD_TRY(ald_subset_fill(&l->run, &l->train[0], &l->test));
    return c->data->y.labelled ? ald_subset_fill(&l->run, &l->train[0], &l->train[1]) : ALD_OK;
}

static ald_status prepare_lane(const comparing *c, lane *l, ald_context *context, int64_t split)
{
    if (l->split == split && l->run.context) return ALD_OK;
    end_lane(l);
    ald_run_begin(&l->run, context, &l->error);
    l->split = split;
    ALD_TRY(take_split(c, l, split));
    l->status = fill(c, l);
    return l->status == ALD_ERROR_MEMORY ? l->status : ALD_OK;
}

/* The rows that a unit learns from: those without a target are for the methods that can use them. */
static int uses_unlabelled(const unit *u)
{
    const ald_candidate *candidate = u->candidate;
    unsigned can = 0;
    for (int s = 0; candidate->kind == ALD_CANDIDATE_METHOD && s < candidate->n_settings; s++)
        if (u->setting < 0 || u->setting == s)
            can |= ald_method_capabilities(ald_settings_method(candidate->settings[s]));
    return (can & ALD_CAN_UNLABELLED) != 0;
}

static ald_status choose_and_judge(const comparing *c, lane *l, const unit *u, ald_cell *cell)
{
    const int which = uses_unlabelled(u);
    const ald_subset *train = &l->train[which];
    const ald_choosing choosing = {.candidate = u->candidate,
                                   .metric = c->result->metric,
                                   .clock = c->options->clock,
                                   .train = train,
                                   .gappy = c->options->fill_missing ? &l->gappy[which] : NULL,
                                   .groups = train->x.rows == l->train[0].x.rows ? l->groups : NULL};
    return ald_choose(&l->run, &choosing, &l->test, cell);
}

static ald_status judge_unit(const comparing *c, lane *l, const unit *u, ald_cell *cells)
{
    if (l->status < 0) {
        for (int k = 0; k < u->n_rows; k++) {
            cells[k] = (ald_cell){.setting = u->setting, .fit_seconds = NAN, .apply_seconds = NAN};
            ald_cell_fail(&cells[k], l->status, l->error.message);
        }
        return ALD_OK;
    }
    if (u->candidate->choose) return choose_and_judge(c, l, u, cells);
    ald_cell_plan plan = plan_of(c, u);
    plan.fold = l->has_fold ? &l->fold : NULL;
    ALD_TRY(ald_cells_judge(&l->run, &plan, l->has_fold ? NULL : &l->train[uses_unlabelled(u)], &l->test, cells));
    for (int k = 0; k < u->n_rows; k++) cells[k].setting = u->setting;
    return ALD_OK;
}

static ald_key key_of(const comparing *c, const unit *u, int64_t split)
{
    const ald_splits *s = c->result->splits;
    ald_key key = u->key;
    ald_key_add(&key, s->part_of + split / s->tests * s->rows, (size_t)s->rows * sizeof *s->part_of);
    ald_key_int(&key, s->first_test + split % s->tests);
    return key;
}

static int is_lasting(const unit *u, const ald_cell *cells)
{
    for (int k = 0; k < u->n_rows; k++)
        if (cells[k].status == ALD_ERROR_MEMORY) return 0;
    return 1;
}

static ald_status do_job(void *work, ald_context *context, int number, int64_t job, ald_error *error)
{
    const comparing *c = work;
    const int64_t splits = ald_splits_count(c->result->splits), split = job / c->n_units;
    const unit *u = &c->units[job % c->n_units];
    lane *l = &c->lanes[number];
    ald_cell *cells;
    const ald_key key = c->journal ? key_of(c, u, split) : (ald_key){0};
    ald_status status = prepare_lane(c, l, context, split);
    const uint64_t mark = ald_arena_mark(&l->run.scratch);
    if (status >= 0) status = ald_scratch(&l->run, u->n_rows, 1, sizeof *cells, &cells);
    const int known = status >= 0 && c->journal && ald_journal_find(c->journal, key, u->n_rows, cells);
    if (status >= 0 && !known) status = judge_unit(c, l, u, cells);
    if (status >= 0 && !known && c->journal && is_lasting(u, cells))
        status =
            ald_journal_add(&l->run, c->journal, key, c->result->rows[u->first_row].label, split, u->n_rows, cells);
    if (status < 0) return ald_fail(error, status, "%s", l->error.message);
    for (int k = 0; k < u->n_rows; k++) c->result->cells[(u->first_row + k) * splits + split] = cells[k];
    ald_arena_release(&l->run.scratch, mark);
    return ALD_OK;
}

static ald_status run_jobs(comparing *c)
{
    const int64_t jobs = c->n_units * ald_splits_count(c->result->splits);
    const int lanes = ald_jobs_lanes(c->run->context, jobs);
    ALD_TRY(ald_scratch(c->run, lanes, 1, sizeof *c->lanes, &c->lanes));
    memset(c->lanes, 0, (size_t)lanes * sizeof *c->lanes);
    const ald_status status = ald_jobs_run(c->run, jobs, "comparing", do_job, c);
    for (int i = 0; i < lanes; i++) end_lane(&c->lanes[i]);
    return status;
}

/* Everything that the rows of a unit depend on, but the split. */
static void add_to_key(const comparing *c, unit *u)
{
    const ald_candidate *candidate = u->candidate;
    const ald_param *param;
    ald_key *key = &u->key;
    *key = c->key;
    ald_key_int(key, candidate->kind);
    for (int k = 0; k < candidate->n_dims; k++) ald_key_int(key, candidate->dims[k]);
    for (int s = 0; s < candidate->n_settings; s++) {
        const ald_method *method = ald_settings_method(candidate->settings[s]);
        if (u->setting >= 0 && s != u->setting) continue;
        ald_key_text(key, ald_method_name(method));
        for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
            if (param->traits & ALD_PARAM_IS_COMPONENTS) continue;
            ald_key_text(key, ald_settings_text(candidate->settings[s], param->name));
            ald_key_int(key, ald_settings_given(candidate->settings[s], param->name));
        }
    }
    const ald_splits_options *inner = &candidate->inner;
    const int64_t choosing[] = {candidate->choose, inner->splits,          inner->folds,         inner->repeats,
                                inner->stratify,   inner->keep_duplicates, (int64_t)inner->seed, candidate->rule};
    if (!candidate->choose) return;
    ald_key_add(key, choosing, sizeof choosing);
    ald_key_add(key, &inner->train, sizeof inner->train);
    if (c->options->splits.groups)
        ald_key_add(key, c->options->splits.groups, (size_t)c->data->x.rows * sizeof *c->options->splits.groups);
}

static ald_status open_journal(comparing *c)
{
    const ald_target *y = &c->data->y;
    const size_t n = (size_t)c->data->x.rows;
    if (!c->options->resume) return ALD_OK;
    ald_key_text(&c->key, ald_version());
    ald_key_int(&c->key, (int64_t)ald_matrix_fingerprint(&c->data->x));
    ald_key_int(&c->key, y->kind);
    if (y->kind == ALD_TARGET_CLASSES)
        ald_key_add(&c->key, y->classes, n * sizeof *y->classes);
    else
        ald_key_int(&c->key, (int64_t)ald_matrix_fingerprint(&y->values));
    if (y->labelled) ald_key_add(&c->key, y->labelled, n);
    if (y->weights) ald_key_add(&c->key, y->weights, n * sizeof *y->weights);
    ald_key_text(&c->key, c->result->metric->name);
    for (int64_t i = 0; i < c->n_units; i++) add_to_key(c, &c->units[i]);
    return ald_journal_open(c->run, c->options->resume, &c->journal);
}

static void warn_of_duplicates(const comparing *c)
{
    const int64_t count = ald_splits_duplicates(c->result->splits), splits = ald_splits_count(c->result->splits);
    if (count > 0)
        ald_log(
            c->run->context, ALD_LOG_WARNING,
            "the figures are too good: rows that are equal in X and target are in both parts (in test parts: %lld, "
            "summed over the splits: %lld). Keep equal rows together (--groups duplicates), or rows of one sample by "
            "a column that names it (--groups)",
            (long long)count, (long long)splits);
}

/* Classes that the training part of a split lacks, and the mean of n_test/n_train. */
static ald_status look_at_splits(comparing *c)
{
    const ald_target *y = &c->data->y;
    const int64_t splits = ald_splits_count(c->result->splits);
    const int classes = y->kind == ALD_TARGET_CLASSES;
    int64_t lacking = 0, *counts;
    ALD_TRY(ald_scratch(c->run, classes ? y->n_classes : 1, 1, sizeof *counts, &counts));
    for (int64_t s = 0; s < splits; s++) {
        const uint64_t mark = ald_arena_mark(&c->run->scratch);
        int64_t lacks = 0;
        ald_split_parts p;
        ALD_TRY(ald_splits_list(c->run, c->result->splits, s, &p));
        p.n_train = keep_labelled(y, p.train, p.n_train);
        c->result->ratio += (double)p.n_test / (double)p.n_train / (double)splits;
        if (classes) memset(counts, 0, (size_t)y->n_classes * sizeof *counts);
        for (int64_t k = 0; classes && k < p.n_train; k++) counts[y->classes[p.train[k]]]++;
        for (int64_t k = 0; classes && k < p.n_test; k++) lacks |= counts[y->classes[p.test[k]]] == 0;
        lacking += lacks;
        ald_arena_release(&c->run->scratch, mark);
    }
    if (lacking > 0)
        ald_log(c->run->context, ALD_LOG_WARNING,
                "in %lld of %lld splits the training part lacks a class that its test part has, whose rows cannot be "
                "predicted rightly there: give fewer folds, a larger --train, or leave rare classes out",
                (long long)lacking, (long long)splits);
    return ALD_OK;
}

static ald_status check_data(ald_run *run, const ald_subset *data, const ald_compare_options *options)
{
    ALD_TRY(ald_check_matrix(run, &data->x, "X"));
    if (data->y.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA, "there is no target to judge by: name its columns (--target)");
    ALD_TRY(ald_check_truth(run, &data->y, data->x.rows));
    return options->fill_missing ? ALD_OK : ald_check_finite(run, &data->x, "X");
}

/* Sums make fits shorter than those of the rows would be: where times are asked for there are none. Fits that choose
 * have their own, inside. */
static ald_status make_sums(comparing *c)
{
    ald_sums_fit *fits;
    int64_t count = 0;
    if (c->options->clock) return ALD_OK;
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *fits, &fits));
    for (int64_t i = 0; i < c->n_units; i++) {
        const ald_candidate *candidate = c->units[i].candidate;
        if (candidate->choose) return ALD_OK;
        if (candidate->kind != ALD_CANDIDATE_METHOD) continue;
        fits[count++] =
            (ald_sums_fit){candidate->settings[c->units[i].setting], candidate->dims[candidate->n_dims - 1]};
    }
    return ald_sums_make(c->run, c->data, c->result->splits, fits, count, &c->sums);
}

static ald_status make_cells(comparing *c)
{
    ald_status status = make_sums(c);
    if (status >= 0) status = open_journal(c);
    if (status >= 0) status = run_jobs(c);
    ald_journal_close(c->journal);
    ald_sums_free(&c->sums);
    return status;
}

static ald_status compare(comparing *c)
{
    ald_comparison *r = c->result;
    ALD_TRY(check_data(c->run, c->data, c->options));
    r->kind = c->data->y.kind;
    ALD_TRY(ald_metric_find(c->run, r->kind, c->options->metric, &r->metric));
    ALD_TRY(ald_splits_make(c->run, c->data, &c->options->splits, &r->splits));
    warn_of_duplicates(c);
    ALD_TRY(look_at_splits(c));
    ALD_TRY(list_units(c));
    ALD_TRY(make_cells(c));
    return ald_comparison_summarize(c->run, r);
}

static ald_status new_comparison(ald_run *run, ald_comparison **comparison)
{
    const ald_allocator *allocator = &run->context->allocator;
    ald_comparison *made = allocator->resize(allocator->user, NULL, sizeof *made);
    *comparison = made;
    if (!made) return ald_out_of_memory(run, 1, 1, sizeof *made);
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    ald_arena_init(&made->memory, &made->allocator);
    return ALD_OK;
}

ald_status ald_compare_inside(ald_run *run, const ald_subset *data, const ald_compare_options *options,
                              ald_comparison **comparison)
{
    comparing c = {.run = run, .data = data, .options = options};
    ald_status status = new_comparison(run, comparison);
    c.result = *comparison;
    if (status >= 0) status = compare(&c);
    if (status < 0) {
        ald_comparison_free(*comparison);
        *comparison = NULL;
    }
    return status;
}

ald_status ald_compare(ald_context *context, const ald_matrix *x, const ald_target *y,
                       const ald_compare_options *options, ald_comparison **comparison, ald_error *error)
{
    ald_run run;
    ald_subset data = {.x = *x};
    if (y) data.y = *y;
    ald_run_begin(&run, context, error);
    ald_threads_begin(1);
    const ald_status status = ald_compare_inside(&run, &data, options, comparison);
    ald_threads_end();
    return ald_run_end(&run, status);
}
