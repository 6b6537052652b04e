/* The race of a tuning: who is clearly behind leaves, who might be taken stays; the choice is that of the
 * full search; the same for any number of threads and after an interruption; a time limit leaves the best so
 * far. */
#include "judge/compare/comparing.h"
#include "support/comparing.h"
#include "support/fitting.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { folds = 10, n_rows = 4 };

static void looks_are_at_parts_of_the_splits(void **state)
{
    (void)state;
    const ald_candidate all = {.stay = 0}, some = {.stay = 4};
    assert_int_equal(ald_race_next(&all, 10, 0), 3);
    assert_int_equal(ald_race_next(&all, 10, 3), 5);
    assert_int_equal(ald_race_next(&all, 10, 5), 7);
    assert_int_equal(ald_race_next(&all, 10, 7), 10);
    assert_int_equal(ald_race_next(&all, 5, 0), 3);
    assert_int_equal(ald_race_next(&all, 5, 3), 4);
    assert_int_equal(ald_race_next(&all, 3, 0), 3); /* no look */
    assert_int_equal(ald_race_next(&all, 30, 0), 9);
    assert_int_equal(ald_race_next(&some, 10, 0), 3);
    assert_int_equal(ald_race_next(&some, 5, 0), 2);
    assert_int_equal(ald_race_next(&some, 5, 2), 3);
    const ald_splits_options thrice = {.size = sizeof thrice, .folds = 10, .repeats = 3};
    const ald_candidate again = {.stay = 4, .inner = &thrice};
    static const int64_t looks[] = {0, 3, 5, 7, 10, 20, 30};
    for (int k = 0; k < 6; k++) assert_int_equal(ald_race_next(&again, 30, looks[k]), looks[k + 1]);
    const ald_splits_options random = {.size = sizeof random, .splits = 4, .repeats = 8};
    const ald_candidate once = {.stay = 4, .inner = &random}; /* random splits are not repeated */
    assert_int_equal(ald_race_next(&once, 4, 0), 2);
    assert_int_equal(ald_race_next(&once, 4, 3), 4);
}

/* A comparison of four settings of one method over ten splits, of which `done` are there. */
static void look(const double values[n_rows][folds], int64_t done, ald_rule rule, int64_t *left)
{
    static const ald_metric accuracy = {.name = "accuracy", .larger_is_better = 1};
    ald_context *context = support_context(1, NULL);
    ald_settings *settings[n_rows];
    ald_comparison_row rows[n_rows];
    static ald_cell cells[n_rows * folds];
    ald_comparison c = {.rows = rows, .n_rows = n_rows, .cells = cells, .metric = &accuracy};
    int32_t parts[folds];
    ald_splits splits = {.rows = folds, .repeats = 1, .tests = folds, .part_of = parts};
    const ald_candidate candidate = {
        .size = sizeof candidate,
        .settings = (const ald_settings *const *)settings,
        .n_settings = n_rows,
        .rule = rule,
    };
    ald_error error;
    ald_run run;
    c.splits = &splits;
    for (int i = 0; i < n_rows; i++) {
        settings[i] = support_settings(context, "lda", i == 0 ? "ridge=9" : "ridge=1");
        rows[i] = (ald_comparison_row){.setting = i, .dims = 1 + (i == 3)};
        for (int s = 0; s < folds; s++) cells[i * folds + s].metrics[0] = values[i][s];
    }
    memset(left, 0, n_rows * sizeof *left);
    support_run(&run, context, &error);
    assert_done(ald_race_look(&run, &c, &candidate, done, left), error);
    ald_run_end(&run, ALD_OK);
    for (int i = 0; i < n_rows; i++) ald_settings_free(settings[i]);
    ald_context_free(context);
}

static void who_is_clearly_behind_leaves(void **state)
{
    /* The leader; far behind; behind, but by no more than its own ups and downs; equal to a simpler one. */
    const double values[n_rows][folds] = {
        {0.90, 0.94, 0.92, 0.93, 0.91},
        {0.60, 0.65, 0.61, 0.63, 0.62},
        {0.99, 0.80, 0.95, 0.85, 0.97},
        {0.90, 0.94, 0.92, 0.93, 0.91},
    };
    double lacking[n_rows][folds];
    int64_t left[n_rows];
    (void)state;
    look(values, 3, ALD_RULE_ONE_SE, left);
    assert_int_equal(left[0], 0);
    assert_int_equal(left[1], 3);
    assert_int_equal(left[2], 0);
    assert_int_equal(left[3], 0); /* three equal values say nothing yet */
    look(values, 5, ALD_RULE_ONE_SE, left);
    assert_int_equal(left[0], 0);
    assert_int_equal(left[2], 0);
    assert_int_equal(left[3], 5);
    memcpy(lacking, values, sizeof lacking);
    lacking[0][1] = NAN; /* is not taken */
    look((const double(*)[folds])lacking, 3, ALD_RULE_BEST, left);
    assert_int_equal(left[0], 3);
    assert_int_equal(left[1], 3);
}

typedef struct outcome {
    ald_tuning *tuning;
    ald_model *model;
} outcome;

static int listen(void *user, const char *stage, double done)
{
    (void)user;
    return stage == NULL || done > 1.0;
}

/* lda and sdpp on iris: 4 ridges x 2 numbers of neighbours x 2 numbers of components. */
static ald_status try_tune(const ald_tune_options *extra, int threads, outcome *out, ald_error *error)
{
    static const char *const grids[] = {"ridge_rel=0,0.001,0.1,1", "n_neighbors=5,10", NULL};
    static const char *const settings[] = {"scale=standard", "n_starts=2", NULL};
    ald_context *plain = support_context(threads, NULL), *context;
    ald_search search = ALD_SEARCH_INIT;
    ald_tune_options options = *extra;
    ald_dataset *data;
    char path[400];
    assert_done(ald_context_with_progress(plain, listen, NULL, &context, error), *error);
    ald_context_free(plain);
    snprintf(path, sizeof path, "%s/iris.csv", support_data());
    const ald_load_options load = {.size = sizeof load, .target = "y"};
    assert_done(ald_dataset_load(context, path, &load, &data, error), *error);
    search.methods = "lda,sdpp";
    search.components = "1:2";
    search.settings = settings;
    search.grids = grids;
    options.search = &search;
    const ald_status status = ald_tune(context, data, &options, &out->tuning, &out->model, error);
    ald_dataset_free(data);
    ald_context_free(context);
    return status;
}

static outcome tune(const ald_tune_options *options, int threads)
{
    outcome out;
    ald_error error;
    assert_done(try_tune(options, threads, &out, &error), error);
    return out;
}

static void free_outcome(outcome *out)
{
    ald_tuning_free(out->tuning);
    ald_model_free(out->model);
}

static void assert_same(const outcome *a, const outcome *b)
{
    const ald_comparison *one = ald_tuning_curve(a->tuning), *other = ald_tuning_curve(b->tuning);
    assert_int_equal(ald_tuning_chosen(a->tuning), ald_tuning_chosen(b->tuning));
    for (int i = 0; i < ald_comparison_count(one); i++) {
        const ald_comparison_row *p = ald_comparison_at(one, i), *q = ald_comparison_at(other, i);
        assert_int_equal(p->left_after, q->left_after);
        assert_int_equal(p->count, q->count);
        assert_true(p->mean == q->mean || (isnan(p->mean) && isnan(q->mean)));
    }
}

static int64_t count_left(const outcome *out)
{
    int64_t left = 0;
    for (int i = 0; i < ald_comparison_count(ald_tuning_curve(out->tuning)); i++)
        left += ald_comparison_at(ald_tuning_curve(out->tuning), i)->left_after > 0;
    return left;
}

static void the_race_chooses_as_the_full_search(void **state)
{
    const ald_tune_options on = {.size = sizeof on, .no_nested = 1},
                           off = {.size = sizeof off, .no_nested = 1, .race = ALD_RACE_OFF};
    outcome raced = tune(&on, 1), threads = tune(&on, 3), full = tune(&off, 2);
    (void)state;
    assert_same(&raced, &threads);
    assert_true(count_left(&raced) > 0);
    assert_int_equal(count_left(&full), 0);
    assert_int_equal(ald_tuning_chosen(raced.tuning), ald_tuning_chosen(full.tuning));
    /* Figures of who has not left are those of the full search to the last bit. */
    for (int i = 0; i < ald_comparison_count(ald_tuning_curve(full.tuning)); i++) {
        const ald_comparison_row *p = ald_comparison_at(ald_tuning_curve(raced.tuning), i),
                                 *q = ald_comparison_at(ald_tuning_curve(full.tuning), i);
        if (!p->left_after && q->count > 0) assert_true(p->mean == q->mean);
    }
    free_outcome(&raced);
    free_outcome(&threads);
    free_outcome(&full);
}

enum { halved_settings = 10, planted = 4 };

/* kcca with ten widths on wine, which cost something, of which the fifth is right and the others are far too
 * narrow; of them `stay` stay after the first look. */
static ald_tuning *halve(ald_context *context, int stay, ald_race race)
{
    static const int64_t one[] = {2};
    ald_settings *settings[halved_settings];
    ald_candidate candidate = ALD_CANDIDATE_INIT;
    ald_tune_options options = {.size = sizeof options, .no_nested = 1, .race = race, .rule = ALD_RULE_BEST};
    const ald_load_options load = {.size = sizeof load, .target = "y"};
    ald_dataset *data = NULL;
    ald_tuning *tuning = NULL;
    ald_model *model = NULL;
    ald_error error;
    char text[400];
    snprintf(text, sizeof text, "%s/wine.csv", support_data());
    assert_done(ald_dataset_load(context, text, &load, &data, &error), error);
    for (int k = 0; k < halved_settings; k++) {
        snprintf(text, sizeof text, "scale=standard kernel_width=%g",
                 k == planted ? 5.0 : 0.5 + 0.02 * (double)k);
        settings[k] = support_settings(context, "kcca", text);
    }
    candidate.settings = (const ald_settings *const *)settings;
    candidate.n_settings = halved_settings;
    candidate.dims = one;
    candidate.n_dims = 1;
    candidate.stay = stay;
    options.candidate = &candidate;
    assert_done(ald_tune(context, data, &options, &tuning, &model, &error), error);
    ald_model_free(model);
    ald_dataset_free(data);
    for (int k = 0; k < halved_settings; k++) ald_settings_free(settings[k]);
    return tuning;
}

/* The mean of a row over the first splits of the full search. */
static double mean_of_first(const ald_comparison *c, int row, int64_t done)
{
    double sum = 0.0;
    for (int64_t s = 0; s < done; s++)
        sum += c->cells[row * folds + s].metrics[c->metric->number] / (double)done;
    return sum;
}

static int is_in_race_after(const ald_comparison *race, int row, int64_t done)
{
    const int64_t left = ald_comparison_at(race, row)->left_after;
    return left == 0 || left > done;
}

/* Halving keeps the best: after the looks at 3, 5 and 7 of 10 splits no more than 4, 2 and 1 have stayed, and
 * nobody who left is ahead of all of them in the splits done by then. It takes the
 * setting that is right. */
static void halving_keeps_the_best(void **state)
{
    static const int64_t looks[] = {3, 5, 7};
    ald_context *context = support_context(1, NULL);
    ald_tuning *raced = halve(context, 4, ALD_RACE_ON), *full = halve(context, 4, ALD_RACE_OFF);
    const ald_comparison *race = ald_tuning_curve(raced), *all = ald_tuning_curve(full);
    (void)state;
    for (int k = 0; k < 3; k++) {
        double best = 0.0, best_left = 0.0;
        int stayed = 0;
        for (int i = 0; i < halved_settings; i++) {
            const double mean = mean_of_first(all, i, looks[k]);
            const int stays = is_in_race_after(race, i, looks[k]);
            stayed += stays;
            if (stays) best = fmax(best, mean);
            if (ald_comparison_at(race, i)->left_after == looks[k]) best_left = fmax(best_left, mean);
        }
        assert_in_range(stayed, 1, 4 >> k);
        assert_true(best_left <= best + 1e-12);
    }
    assert_int_equal(ald_tuning_chosen(full), planted);
    assert_int_equal(ald_tuning_chosen(raced), planted);
    ald_tuning_free(raced);
    ald_tuning_free(full);
    ald_context_free(context);
}

static void the_race_goes_on_where_it_stopped(void **state)
{
    char path[] = "/tmp/ald-race-XXXXXX";
    static char text[1 << 20];
    close(mkstemp(path));
    unlink(path);
    const ald_tune_options on = {.size = sizeof on, .no_nested = 1, .resume = path},
                           off = {.size = sizeof off, .no_nested = 1, .resume = path, .race = ALD_RACE_OFF};
    outcome whole = tune(&on, 2), again, refused;
    ald_error error;
    (void)state;
    FILE *file = fopen(path, "rb");
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    file = fopen(path, "wb"); /* the first half */
    fwrite(text, 1, size / 2, file);
    fclose(file);
    again = tune(&on, 1);
    assert_same(&whole, &again);
    assert_true(try_tune(&off, 1, &refused, &error) < 0);
    assert_non_null(strstr(error.message, "another run"));
    unlink(path);
    free_outcome(&whole);
    free_outcome(&again);
}

/* A second per look at it. */
static atomic_int ticks;
static double timer(void)
{
    return (double)atomic_fetch_add(&ticks, 1);
}

static void a_time_limit_leaves_the_best_so_far(void **state)
{
    ald_tune_options options = {.size = sizeof options, .timer = timer, .time_limit = 400.0};
    ald_error error;
    outcome out;
    (void)state;
    out = tune(&options, 1);
    const ald_comparison *curve = ald_tuning_curve(out.tuning);
    const ald_comparison_row *chosen = ald_comparison_at(curve, ald_tuning_chosen(out.tuning));
    assert_non_null(ald_comparison_cut(curve));
    assert_true(chosen->count >= 1 && chosen->count < folds);
    assert_non_null(out.model);
    assert_null(ald_tuning_nested(out.tuning));
    free_outcome(&out);
    options.time_limit = 1.0;
    assert_int_equal(try_tune(&options, 1, &out, &error), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "raise `time_limit`"));
    options.time_limit = -1.0;
    assert_int_equal(try_tune(&options, 1, &out, &error), ALD_ERROR_ARGUMENT);
    options.time_limit = (double)NAN;
    assert_int_equal(try_tune(&options, 1, &out, &error), ALD_ERROR_ARGUMENT);
    options.time_limit = 5.0;
    options.timer = NULL;
    assert_int_equal(try_tune(&options, 1, &out, &error), ALD_ERROR_ARGUMENT);
    options.time_limit = 0.0;
    options.race = (ald_race)7;
    assert_int_equal(try_tune(&options, 1, &out, &error), ALD_ERROR_ARGUMENT);
}

/* Where not even the first split is done, what was not tried is counted and named. */
static void what_was_not_tried_is_named(void **state)
{
    (void)state;
    for (double limit = 8.0; limit < 400.0; limit *= 1.3) {
        const ald_tune_options options = {.size = sizeof options, .timer = timer, .time_limit = limit};
        ald_error error;
        outcome out;
        int untried = 0;
        if (try_tune(&options, 1, &out, &error) < 0) continue;
        const ald_comparison *curve = ald_tuning_curve(out.tuning);
        const char *cut = ald_comparison_cut(curve), *said = strstr(cut, "splits: ");
        for (int i = 0; i < ald_comparison_count(curve); i++) {
            const ald_comparison_row *row = ald_comparison_at(curve, i);
            const int first = i == 0 || ald_comparison_at(curve, i - 1)->setting != row->setting;
            if (!first || row->count > 0) continue;
            if (untried++ == 0) assert_non_null(strstr(cut, row->words));
        }
        assert_int_equal(said ? atoi(said + strlen("splits: ")) : 0, untried);
        free_outcome(&out);
        if (said) return;
    }
    fail_msg("no limit ends in the first split");
}

/* What a journal has counts although no time is left: a search that was stopped ends with its best. */
static void recorded_fits_take_no_time(void **state)
{
    const char *path = "race-stopped.journal";
    ald_tune_options options = {.size = sizeof options, .timer = timer, .time_limit = 400.0, .resume = path};
    ald_error error;
    outcome cut, again;
    (void)state;
    unlink(path);
    cut = tune(&options, 1);
    options.time_limit = 0.5;
    again = tune(&options, 1);
    assert_same(&cut, &again);
    assert_string_equal(ald_comparison_cut(ald_tuning_curve(cut.tuning)),
                        ald_comparison_cut(ald_tuning_curve(again.tuning)));
    free_outcome(&cut);
    free_outcome(&again);
    unlink(path);
    assert_int_equal(try_tune(&options, 1, &again, &error), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "raise `time_limit`"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_at_parts_of_the_splits),
        cmocka_unit_test(who_is_clearly_behind_leaves),
        cmocka_unit_test(the_race_chooses_as_the_full_search),
        cmocka_unit_test(halving_keeps_the_best),
        cmocka_unit_test(the_race_goes_on_where_it_stopped),
        cmocka_unit_test(a_time_limit_leaves_the_best_so_far),
        cmocka_unit_test(what_was_not_tried_is_named),
        cmocka_unit_test(recorded_fits_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
