/* The units of a comparison: a candidate with one of its settings, the rows that it gives, and which cells
 * found in a journal can be its own. */
#include "judge/compare/comparing.h"

#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "fit/prepare/prepare_x.h"
#include "math/device/held.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

static const int64_t no_dims = 0;

static int is_method(const ald_unit *unit)
{
    return unit->candidate->kind == ALD_CANDIDATE_METHOD;
}

ald_cell_plan ald_unit_plan(const ald_comparing *c, const ald_unit *unit, int at)
{
    const ald_candidate *candidate = unit->candidate;
    return (ald_cell_plan){
        .kind = candidate->kind,
        .settings = candidate->settings[unit->setting + at],
        .dims = is_method(unit) ? candidate->dims : &no_dims,
        .n_dims = unit->n_dims,
        .metric = c->result->metric,
        .clock = c->plan->clock,
        .only_metric = c->plan->only_metric,
    };
}

ald_status ald_candidate_check(ald_run *run, const ald_candidate *candidate)
{
    if (candidate->n_settings < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a candidate has no settings to fit: give one or more");
    if (candidate->kind != ALD_CANDIDATE_METHOD) return ALD_OK;
    if (candidate->n_dims < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a candidate has no numbers of components to try: give `dims`");
    for (int k = 0; k < candidate->n_dims; k++)
        if (candidate->dims[k] < 1 || (k && candidate->dims[k] <= candidate->dims[k - 1]))
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "`dims` are numbers of components: increasing whole numbers from 1");
    for (int s = 0; candidate->tried && s < candidate->n_settings; s++)
        if (candidate->tried[s] < 1 || candidate->tried[s] > candidate->n_dims)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "`tried` of a candidate says how many of its %d `dims` a setting is tried with, "
                            "not %d",
                            candidate->n_dims, candidate->tried[s]);
    return ALD_OK;
}

/* How many numbers of components a setting is tried with. */
static int count_dims(const ald_candidate *candidate, int setting)
{
    if (candidate->choose || candidate->kind != ALD_CANDIDATE_METHOD) return 1;
    return candidate->tried ? candidate->tried[setting] : candidate->n_dims;
}

/* Where a fit is timed, or does not serve all numbers of components, a setting is a unit of its own. */
static int is_joined(const ald_comparing *c, const ald_candidate *candidate, int setting)
{
    const ald_settings *a = candidate->settings[setting - 1], *b = candidate->settings[setting];
    return !c->plan->clock && (ald_method_capabilities(ald_settings_method(b)) & ALD_IS_NESTED) &&
           count_dims(candidate, setting - 1) == count_dims(candidate, setting) && ald_same_map(a, b);
}

/* How many settings, from `first` on, are one unit. */
static int join_settings(const ald_comparing *c, const ald_candidate *candidate, int first)
{
    int end = first + 1;
    if (candidate->choose) return candidate->n_settings;
    if (candidate->kind != ALD_CANDIDATE_METHOD) return 1;
    while (end < candidate->n_settings && is_joined(c, candidate, end)) end++;
    return end - first;
}

int64_t ald_unit_dims(const ald_unit *unit, int k)
{
    if (!is_method(unit)) return 0;
    return unit->candidate->choose ? -1 : unit->candidate->dims[k % unit->n_dims];
}

int ald_unit_setting(const ald_unit *unit, int k)
{
    return unit->setting < 0 ? -1 : unit->setting + k / unit->n_dims;
}

int64_t ald_unit_most(const ald_unit *unit)
{
    const ald_candidate *candidate = unit->candidate;
    if (!is_method(unit)) return 0;
    return candidate->dims[(candidate->choose ? candidate->n_dims : unit->n_dims) - 1];
}

/* The name of the one method behind a unit; NULL: none, or several. */
static const char *method_of(const ald_unit *u)
{
    const ald_candidate *candidate = u->candidate;
    const ald_method *method = ald_settings_method(candidate->settings[u->setting < 0 ? 0 : u->setting]);
    for (int s = 0; u->setting < 0 && s < candidate->n_settings; s++)
        if (ald_settings_method(candidate->settings[s]) != method) return NULL;
    return is_method(u) ? ald_method_name(method) : NULL;
}

static void add_rows(const ald_comparing *c, const ald_unit *u)
{
    const ald_kept_words *kept = &c->result->words[u->number];
    for (int k = 0; k < u->n_rows; k++)
        c->result->rows[u->first_row + k] = (ald_comparison_row){
            .candidate = u->number,
            .setting = ald_unit_setting(u, k),
            .dims = ald_unit_dims(u, k),
            .label = kept->label,
            .method = method_of(u),
            .words = u->setting < 0 ? "" : kept->words[ald_unit_setting(u, k)],
            .p_value = NAN,
            .difference = NAN,
            .difference_low = NAN,
            .difference_high = NAN,
        };
}

/* The words of one candidate; 0: no memory. */
static int copy_words(ald_arena *memory, const ald_candidate *candidate, ald_kept_words *kept)
{
    kept->label = ald_arena_text(memory, candidate->label, strlen(candidate->label));
    kept->words = ald_arena_get(memory, candidate->n_settings, 1, sizeof *kept->words);
    if (!kept->label || !kept->words) return 0;
    for (kept->count = 0; kept->count < candidate->n_settings; kept->count++) {
        const char *words = candidate->words[kept->count];
        kept->words[kept->count] = ald_arena_text(memory, words, strlen(words));
        if (!kept->words[kept->count]) return 0;
    }
    return 1;
}

/* Texts of the candidates, which need not live as long as the result. */
static ald_status keep_words(ald_comparing *c)
{
    const int count = c->plan->count;
    ald_comparison *r = c->result;
    r->words = ald_arena_get(&r->memory, count, 1, sizeof *r->words);
    int good = r->words != NULL;
    for (int i = 0; good && i < count; i++)
        good = copy_words(&r->memory, &c->plan->candidates[i], &r->words[i]);
    r->n_candidates = good ? count : 0;
    return good ? ALD_OK : ald_out_of_memory(c->run, count, 1, sizeof *r->words);
}

ald_status ald_candidates_check_rows(ald_run *run, const ald_candidate *candidates, int count,
                                     const char *categorical)
{
    for (int i = 0; i < count; i++)
        for (int s = 0; s < candidates[i].n_settings; s++)
            ALD_TRY(ald_check_row_order(run, candidates[i].settings[s], categorical));
    return ALD_OK;
}

static ald_status count_units(ald_comparing *c)
{
    for (int i = 0; i < c->plan->count; i++) {
        const ald_candidate *candidate = &c->plan->candidates[i];
        ALD_TRY(ald_candidate_check(c->run, candidate));
        for (int s = 0; s < candidate->n_settings; s += join_settings(c, candidate, s)) c->n_units++;
    }
    if (c->n_units == 0) return ald_fail(c->run->error, ALD_ERROR_ARGUMENT, "there is nothing to compare");
    return ALD_OK;
}

static void fill_units(ald_comparing *c)
{
    ald_unit *next = c->units;
    for (int i = 0; i < c->plan->count; i++)
        for (int s = 0; s < c->plan->candidates[i].n_settings;) {
            const ald_candidate *candidate = &c->plan->candidates[i];
            const int joined = join_settings(c, candidate, s), n_dims = count_dims(candidate, s);
            *next = (ald_unit){
                .candidate = candidate,
                .number = i,
                .setting = candidate->choose ? -1 : s,
                .n_settings = joined,
                .n_dims = n_dims,
                .first_row = c->result->n_rows,
                .n_rows = candidate->choose ? 1 : joined * n_dims,
            };
            c->result->n_rows += next++->n_rows;
            s += joined;
        }
}

ald_status ald_comparing_list(ald_comparing *c)
{
    ald_comparison *r = c->result;
    const int64_t splits = ald_splits_count(r->splits);
    ALD_TRY(count_units(c));
    ALD_TRY(keep_words(c));
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *c->units, &c->units));
    fill_units(c);
    r->rows = ald_arena_get(&r->memory, r->n_rows, 1, sizeof *r->rows);
    r->cells = ald_arena_get(&r->memory, r->n_rows, splits, sizeof *r->cells);
    if (!r->rows || !r->cells) return ald_out_of_memory(c->run, r->n_rows, splits, sizeof *r->cells);
    for (int64_t i = 0; i < c->n_units; i++) add_rows(c, &c->units[i]);
    return ALD_OK;
}

int ald_unit_wants_gaps(const ald_unit *unit)
{
    return is_method(unit) && unit->setting >= 0 && ald_gaps_in(unit->candidate->settings[unit->setting]);
}

int ald_unit_uses_unlabelled(const ald_unit *unit)
{
    const ald_candidate *candidate = unit->candidate;
    unsigned can = 0;
    for (int s = 0; is_method(unit) && s < candidate->n_settings; s++)
        if (unit->setting < 0 || unit->setting == s)
            can |= ald_method_capabilities(ald_settings_method(candidate->settings[s]));
    return (can & ALD_CAN_UNLABELLED) != 0;
}

/* One of its settings and dims; neither only where nothing could be chosen. */
static int could_choose(const ald_candidate *candidate, const ald_cell *cell)
{
    if (cell->setting < 0 || cell->dims < 0) return cell->setting < 0 && cell->dims < 0 && cell->status < 0;
    int known = 0;
    for (int k = 0; k < candidate->n_dims; k++) known |= cell->dims == candidate->dims[k];
    return known && cell->setting < candidate->n_settings;
}

/* Failed ones have no values, and metrics that do not exist neither. Means of shares are 1 to rounding. */
static int could_measure(const ald_comparing *c, const ald_cell *cell)
{
    static const double rounding = 1e-9;
    int count;
    const ald_metric *list = ald_metric_list(c->result->metrics, &count);
    for (int k = 0; k < ALD_MOST_METRICS; k++) {
        const double value = cell->metrics[k];
        if (isnan(value)) continue;
        if (cell->status < 0 || k >= count) return 0;
        if (value < list[k].least - rounding || value > list[k].most + rounding) return 0;
    }
    return isnan(cell->fit_seconds) == isnan(cell->apply_seconds);
}

int ald_unit_could_be(const ald_comparing *c, const ald_unit *unit, const ald_cell *cells)
{
    for (int k = 0; k < unit->n_rows; k++) {
        const int asked =
            cells[k].setting == ald_unit_setting(unit, k) && cells[k].dims == ald_unit_dims(unit, k);
        const int good = unit->candidate->choose ? could_choose(unit->candidate, &cells[k]) : asked;
        if (!good || !could_measure(c, &cells[k])) return 0;
    }
    return 1;
}

/* The rows of a split, copied once for all jobs that a lane does on it: with and without a target, before
 * and after cells without a value are filled, or by their sums. */

int64_t ald_keep_labelled(const ald_target *y, int64_t *rows, int64_t n)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < n; k++)
        if (!y->labelled || y->labelled[rows[k]]) rows[kept++] = rows[k];
    return kept;
}

static ald_status take_numbers(ald_run *run, const int64_t *numbers, const int64_t *rows, int64_t n,
                               int64_t **taken)
{
    *taken = NULL;
    if (!numbers) return ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **taken, taken));
    for (int64_t k = 0; k < n; k++) (*taken)[k] = numbers[rows[k]];
    return ALD_OK;
}

/* With sums the training rows are copied only where something asks for them. */
static ald_status begin_fold(const ald_comparing *c, ald_lane *l, int64_t split, const ald_split_parts *p)
{
    const ald_splits *s = c->result->splits;
    l->has_fold = 1;
    ALD_TRY(ald_fold_begin(&l->run, &c->sums.of[split / s->tests], s->first_test + split % s->tests, c->data,
                           p->train, p->n_train, &l->fold));
    ALD_TRY(take_numbers(&l->run, s->same, p->train, p->n_train, &l->same));
    return take_numbers(&l->run, c->plan->splits.groups, p->train, p->n_train, &l->groups);
}

static void end_split(ald_lane *l)
{
    if (l->has_fold) ald_fold_end(&l->fold);
    l->has_fold = 0;
    ald_rotations_end(&l->rotations);
    ald_maps_end(&l->maps);
    if (l->run.context) ald_card_release(&l->run, l->held);
    if (l->run.context) ald_run_end(&l->run, ALD_OK);
    l->run.context = NULL;
    ald_tryout_clear(&l->tryout);
}

void ald_lane_close(ald_lane *l)
{
    end_split(l);
    ald_pool_free(&l->pool);
}

/* Fits by sums project the test rows and do not look at them: they stay on the card, where X is there. */
static ald_status take_test(const ald_comparing *c, ald_lane *l, const ald_split_parts *p)
{
    l->test.x.values = NULL;
    if (c->on_card || (c->sums.divisions > 0 && c->by_products))
        ALD_TRY(ald_subset_take_on_card(&l->run, c->data, p->test, p->n_test, &l->test));
    return l->test.x.values ? ALD_OK : ald_subset_take(&l->run, c->data, p->test, p->n_test, &l->test);
}

/* The training rows, where X is on a card; train[0].x.values NULL: it is not, or has no room. */
static ald_status take_train_on_card(const ald_comparing *c, ald_lane *l, const ald_split_parts *p)
{
    l->train[0].x.values = NULL;
    l->same = NULL;
    if (!c->on_card) return ALD_OK;
    ALD_TRY(ald_subset_take_on_card(&l->run, c->data, p->train, p->n_train, &l->train[0]));
    l->train[1] = l->train[0];
    if (!l->train[0].x.values) return ALD_OK;
    ALD_TRY(take_numbers(&l->run, c->result->splits->same, p->train, p->n_train, &l->same));
    return take_numbers(&l->run, c->plan->splits.groups, p->train, p->n_train, &l->groups);
}

static ald_status take_split(const ald_comparing *c, ald_lane *l, int64_t split)
{
    const ald_target *y = &c->data->y;
    ald_run *run = &l->run;
    ald_split_parts p;
    ALD_TRY(ald_splits_list(run, c->result->splits, split, &p));
    ALD_TRY(take_test(c, l, &p));
    l->test.y.labelled = NULL;
    if (c->sums.divisions > 0) return begin_fold(c, l, split, &p);
    ALD_TRY(take_train_on_card(c, l, &p));
    if (l->train[0].x.values) return ALD_OK;
    if (y->labelled) ALD_TRY(ald_subset_take(run, c->data, p.train, p.n_train, &l->train[1]));
    p.n_train = ald_keep_labelled(y, p.train, p.n_train);
    ALD_TRY(ald_subset_take(run, c->data, p.train, p.n_train, &l->train[0]));
    ALD_TRY(take_numbers(run, c->plan->splits.groups, p.train, p.n_train, &l->groups));
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

/* Whether some candidate wants rows that are not filled. */
static int any_wants_gaps(const ald_comparing *c)
{
    for (int64_t i = 0; i < c->n_units; i++)
        if (c->units[i].candidate->choose || ald_unit_wants_gaps(&c->units[i])) return 1;
    return 0;
}

/* Fills by the means of the rows that have a target: also the others, as means stay what they are when they
 * are filled in. */
static ald_status fill(const ald_comparing *c, ald_lane *l)
{
    if (!c->plan->fill_missing || l->has_fold) return ALD_OK; /* sums are of rows without any */
    if (any_wants_gaps(c)) {
        for (int k = 0; k < 2; k++) ALD_TRY(copy_subset(&l->run, &l->train[k], &l->gappy[k]));
        ALD_TRY(copy_subset(&l->run, &l->test, &l->gappy_test));
    }
    ALD_TRY(ald_subset_fill(&l->run, &l->train[0], &l->test));
    return c->data->y.labelled ? ald_subset_fill(&l->run, &l->train[0], &l->train[1]) : ALD_OK;
}

/* Fits of one thread take the room that those before them had, and need no new pages: a third of the time of
 * small ones. That of large data goes back. */
static void take_pool(const ald_comparing *c, ald_lane *l)
{
    const double most_entries = 4e6;
    if (l->run.call.threads > 1 || (double)c->data->x.rows * (double)c->data->x.cols > most_entries) return;
    l->run.call.allocator = &l->pool.allocator;
    ald_arena_init(&l->run.scratch, l->run.call.allocator);
}

ald_status ald_lane_prepare(const ald_comparing *c, ald_lane *l, const ald_run *outer, int64_t split)
{
    if (l->split == split && l->run.context) return ALD_OK;
    end_split(l);
    if (!l->pool.source) ald_pool_init(&l->pool, outer->call.allocator);
    ald_tryout_begin(&l->tryout, &l->pool.allocator);
    ald_run_inside(&l->run, outer, &l->error);
    take_pool(c, l);
    l->held = l->run.call.held;
    l->tryout.sparing = c->plan->trial;
    l->tryout.room = ALD_COMMON_BYTES;
    l->tryout.alone = c->n_units == 1 && c->units->n_rows == 1 && !c->units->candidate->choose;
    l->tryout.clock = c->plan->clock;
    l->run.call.tryout = &l->tryout;
    l->split = split;
    ald_rotations_begin(&l->run, c->fits, c->n_fits, &l->rotations);
    ald_maps_begin(&l->run, c->fits, c->n_fits, &l->maps);
    ALD_TRY(take_split(c, l, split));
    l->status = fill(c, l);
    return l->status == ALD_ERROR_MEMORY ? l->status : ALD_OK;
}
