/* Every way of splitting ends in the same form: the rows divided into parts, once or several times, and which
 * of the parts are tested on. So no split can have a row in both, and rows of one group have one part by
 * construction. */
#include "judge/splitting/splits.h"

#include "base/core/error.h"
#include "base/core/text.h"
#include "base/settings/options.h"
#include "fit/prepare/check.h"
#include "io/table/partition.h"
#include "judge/splitting/subset.h"

#include <math.h>
#include <string.h>

typedef struct making {
    ald_run *run;
    const ald_subset *data;
    const ald_splits_options *options;
    ald_splits *splits;
    int64_t n;                       /* rows that have a target */
    int64_t *rows;                   /* n: which */
    ald_partition *classes, *groups; /* of the n rows; NULL: none */
    ald_partition room[2];
} making;

static ald_status list_labelled(making *m)
{
    const unsigned char *labelled = m->data->y.labelled;
    ALD_TRY(ald_scratch(m->run, m->splits->rows, 1, sizeof *m->rows, &m->rows));
    for (int64_t i = 0; i < m->splits->rows; i++)
        if (!labelled || labelled[i]) m->rows[m->n++] = i;
    if (m->n > 0) return ALD_OK;
    return ald_fail(m->run->error, ALD_ERROR_DATA, "no row has a target, so there is nothing to test on");
}

static int compare_keys(const void *context, int64_t a, int64_t b)
{
    const int64_t *keys = context;
    return (keys[a] > keys[b]) - (keys[a] < keys[b]);
}

/* Rows with equal keys are one part. */
static ald_status partition_by(ald_run *run, int64_t n, const int64_t *keys, ald_partition *partition)
{
    int64_t *order;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *partition->sizes, &partition->sizes));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *partition->part_of, &partition->part_of));
    for (int64_t i = 0; i < n; i++) order[i] = i;
    ALD_TRY(ald_order_sort(run, n, order, compare_keys, keys));
    partition->n_parts = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || keys[order[i]] != keys[order[i - 1]]) partition->sizes[partition->n_parts++] = 0;
        partition->part_of[order[i]] = partition->n_parts - 1;
        partition->sizes[partition->n_parts - 1]++;
    }
    return ALD_OK;
}

static int64_t root_of(int64_t *parents, int64_t i)
{
    for (; parents[i] != i; i = parents[i]) parents[i] = parents[parents[i]];
    return i;
}

/* Groups that share a duplicate become one: joined[i] names the group of row i after that. */
static ald_status join(making *m, int64_t *joined)
{
    const int64_t n = m->splits->rows;
    ald_partition groups;
    int64_t *first;
    memcpy(joined, m->splits->same, (size_t)n * sizeof *joined);
    if (m->options->groups) {
        ALD_TRY(partition_by(m->run, n, m->options->groups, &groups));
        ALD_TRY(ald_scratch(m->run, groups.n_parts, 1, sizeof *first, &first));
        for (int64_t g = 0; g < groups.n_parts; g++) first[g] = -1;
        for (int64_t i = 0; i < n; i++) {
            int64_t *f = &first[groups.part_of[i]];
            if (*f < 0) *f = i;
            const int64_t a = root_of(joined, i), b = root_of(joined, *f);
            joined[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int64_t i = 0; i < n; i++) joined[i] = root_of(joined, i);
    return ALD_OK;
}

static ald_status find_groups(making *m)
{
    const int64_t *names = m->options->groups;
    int64_t *joined, *keys;
    if (!names && !m->options->keep_duplicates) return ALD_OK;
    if (m->options->keep_duplicates) {
        ALD_TRY(ald_scratch(m->run, m->splits->rows, 1, sizeof *joined, &joined));
        ALD_TRY(join(m, joined));
        names = joined;
    }
    ALD_TRY(ald_scratch(m->run, m->n, 1, sizeof *keys, &keys));
    for (int64_t k = 0; k < m->n; k++) keys[k] = names[m->rows[k]];
    ALD_TRY(partition_by(m->run, m->n, keys, &m->room[0]));
    if (m->options->groups || m->room[0].n_parts < m->n) m->groups = &m->room[0]; /* some rows are equal */
    return ALD_OK;
}

static ald_status find_classes(making *m)
{
    const ald_target *y = &m->data->y;
    const int can = y->kind == ALD_TARGET_CLASSES;
    int64_t *keys;
    if (m->options->stratify > 0 && !can)
        return ald_fail(m->run->error, ALD_ERROR_ARGUMENT,
                        "`stratify` preserves class proportions, but the target is not classes");
    if (m->options->stratify > 0 && m->groups)
        return ald_fail(
            m->run->error, ALD_ERROR_ARGUMENT,
            "`stratify` and `groups` cannot be combined: whole groups cannot preserve the class proportions");
    if (!can || m->groups || m->options->stratify < 0) return ALD_OK;
    ALD_TRY(ald_scratch(m->run, m->n, 1, sizeof *keys, &keys));
    for (int64_t k = 0; k < m->n; k++) keys[k] = y->classes[m->rows[k]];
    m->classes = &m->room[1];
    return partition_by(m->run, m->n, keys, m->classes);
}

/* Room for all divisions, with no part given yet. */
static ald_status begin_parts(making *m, int64_t repeats, int64_t first_test, int64_t tests)
{
    ald_splits *s = m->splits;
    s->repeats = repeats;
    s->first_test = first_test;
    s->tests = tests;
    ALD_TRY(ald_get(m->run, &s->memory, repeats, s->rows, sizeof *s->part_of, &s->part_of));
    for (int64_t i = 0; i < repeats * s->rows; i++) s->part_of[i] = -1;
    return ALD_OK;
}

static const char *what_is_counted(const making *m, int64_t count)
{
    if (count == 1) return m->groups ? "group of rows" : "row";
    return m->groups ? "groups of rows" : "rows";
}

/* Division `repeat`: part 0 trains, part 1 tests. */
static ald_status draw_split(making *m, double train, int64_t repeat)
{
    const int64_t wanted = (int64_t)llround(train * (double)m->n);
    unsigned char *in_train;
    ald_random random;
    ALD_TRY(ald_scratch(m->run, m->n, 1, 1, &in_train));
    ald_random_seed(&random, m->options->seed, (uint64_t)repeat);
    if (m->groups)
        ALD_TRY(ald_draw_groups(m->run, &random, m->n, m->groups, wanted, in_train));
    else
        ALD_TRY(ald_draw_rows(m->run, &random, m->n, m->classes, train, wanted, in_train));
    for (int64_t k = 0; k < m->n; k++)
        m->splits->part_of[repeat * m->splits->rows + m->rows[k]] = !in_train[k];
    return ALD_OK;
}

static ald_status make_random(making *m)
{
    const double train = m->options->train > 0.0 ? m->options->train : 2.0 / 3.0;
    const int64_t count = m->options->splits > 0 ? m->options->splits : 10,
                  units = m->groups ? m->groups->n_parts : m->n,
                  wanted = (int64_t)llround(train * (double)m->n);
    if (!(train > 0.0 && train < 1.0))
        return ald_fail(
            m->run->error, ALD_ERROR_ARGUMENT,
            "`train=%g`: the fraction of the rows for training must be between 0 and 1, exclusive", train);
    if (units < 2 || (!m->groups && (wanted < 1 || wanted >= m->n)))
        return ald_fail(m->run->error, ALD_ERROR_DATA,
                        "there %s %lld %s, which `train=%.3g` does not divide into two non-empty parts",
                        units == 1 ? "is" : "are", (long long)units, what_is_counted(m, units), train);
    ALD_TRY(begin_parts(m, count, 1, 1));
    for (int64_t s = 0; s < count; s++) {
        const uint64_t mark = ald_arena_mark(&m->run->scratch);
        ALD_TRY(draw_split(m, train, s));
        ald_arena_release(&m->run->scratch, mark);
    }
    return ALD_OK;
}

static ald_status deal_folds(making *m, int64_t repeat)
{
    int32_t *fold_of;
    ald_random random;
    ALD_TRY(ald_scratch(m->run, m->n, 1, sizeof *fold_of, &fold_of));
    ald_random_seed(&random, m->options->seed, (uint64_t)repeat);
    if (m->groups)
        ALD_TRY(ald_draw_group_folds(m->run, &random, m->n, m->groups, m->options->folds, fold_of));
    else
        ALD_TRY(ald_draw_folds(m->run, &random, m->n, m->classes, m->options->folds, fold_of));
    for (int64_t k = 0; k < m->n; k++) m->splits->part_of[repeat * m->splits->rows + m->rows[k]] = fold_of[k];
    return ALD_OK;
}

static ald_status make_folds(making *m)
{
    const int64_t folds = m->options->folds, repeats = m->options->repeats > 0 ? m->options->repeats : 1,
                  units = m->groups ? m->groups->n_parts : m->n;
    if (folds < 2)
        return ald_fail(m->run->error, ALD_ERROR_ARGUMENT, "`folds=%lld`: give 2 folds or more",
                        (long long)folds);
    if (folds > units)
        return ald_fail(
            m->run->error, ALD_ERROR_DATA,
            "`folds=%lld`: there %s only %lld %s, and each fold needs at least one: use fewer folds",
            (long long)folds, units == 1 ? "is" : "are", (long long)units, what_is_counted(m, units));
    ALD_TRY(begin_parts(m, repeats, 0, folds));
    for (int64_t s = 0; s < repeats; s++) {
        const uint64_t mark = ald_arena_mark(&m->run->scratch);
        ALD_TRY(deal_folds(m, s));
        ald_arena_release(&m->run->scratch, mark);
    }
    return ALD_OK;
}

/* A part that is tested on has rows, and so has the rest. */
static ald_status check_given(making *m)
{
    int64_t *sizes;
    ALD_TRY(ald_scratch_clear(m->run, m->options->n_parts, 1, sizeof *sizes, &sizes));
    for (int64_t k = 0; k < m->n; k++) sizes[m->options->parts[m->rows[k]]]++;
    for (int64_t t = 0; t < m->splits->tests; t++) {
        const int64_t size = sizes[m->splits->first_test + t];
        if (size == 0 || size == m->n)
            return ald_fail(m->run->error, ALD_ERROR_DATA,
                            "the given split leaves %s part without a row that has a target",
                            size == 0 ? "a test" : "the training");
    }
    return ALD_OK;
}

static ald_status make_given(making *m)
{
    const ald_splits_options *o = m->options;
    if (o->n_parts < 2)
        return ald_fail(m->run->error, ALD_ERROR_DATA,
                        "the given split puts all rows in one part: it needs at least two values, such as "
                        "train and test");
    for (int64_t i = 0; i < m->splits->rows; i++)
        if (o->parts[i] < 0 || o->parts[i] >= o->n_parts)
            return ald_fail(m->run->error, ALD_ERROR_ARGUMENT, "row %lld is in part %lld, outside 0 .. %lld",
                            (long long)i + 1, (long long)o->parts[i], (long long)o->n_parts - 1);
    ALD_TRY(begin_parts(m, 1, o->test_part > 0 ? o->test_part - 1 : 0, o->test_part > 0 ? 1 : o->n_parts));
    for (int64_t k = 0; k < m->n; k++) m->splits->part_of[m->rows[k]] = (int32_t)o->parts[m->rows[k]];
    return check_given(m);
}

int64_t ald_splits_count(const ald_splits *splits)
{
    return splits ? splits->repeats * splits->tests : 0;
}

void ald_splits_rows(const ald_splits *splits, int64_t split, int64_t *train, int64_t *n_train, int64_t *test,
                     int64_t *n_test)
{
    const int exists = split >= 0 && split < ald_splits_count(splits);
    const int64_t n = exists ? splits->rows : 0,
                  tested = exists ? splits->first_test + split % splits->tests : 0;
    const int32_t *part_of = exists ? splits->part_of + split / splits->tests * n : NULL;
    int64_t counts[2] = {0};
    for (int64_t i = 0; i < n; i++) {
        const int is_test = part_of[i] == tested;
        int64_t *list = is_test ? test : train;
        if (list) list[counts[is_test]] = i;
        counts[is_test]++;
    }
    if (n_train) *n_train = counts[0];
    if (n_test) *n_test = counts[1];
}

ald_status ald_splits_list(ald_run *run, const ald_splits *splits, int64_t split, ald_split_parts *parts)
{
    ALD_TRY(ald_scratch(run, splits->rows, 1, sizeof *parts->train, &parts->train));
    ALD_TRY(ald_scratch(run, splits->rows, 1, sizeof *parts->test, &parts->test));
    ald_splits_rows(splits, split, parts->train, &parts->n_train, parts->test, &parts->n_test);
    return ALD_OK;
}

/* Test rows that have an equal one in training. */
static ald_status count_duplicates(making *m)
{
    const int64_t n = m->splits->rows;
    ald_split_parts p;
    unsigned char *trained;
    int64_t equal = 0;
    for (int64_t i = 0; i < n; i++) equal += m->splits->same[i] != i;
    for (int64_t s = 0; equal && s < ald_splits_count(m->splits); s++) {
        const uint64_t mark = ald_arena_mark(&m->run->scratch);
        ALD_TRY(ald_splits_list(m->run, m->splits, s, &p));
        ALD_TRY(ald_scratch_clear(m->run, n, 1, 1, &trained));
        for (int64_t k = 0; k < p.n_train; k++) trained[m->splits->same[p.train[k]]] = 1;
        for (int64_t k = 0; k < p.n_test; k++) m->splits->duplicates += trained[m->splits->same[p.test[k]]];
        ald_arena_release(&m->run->scratch, mark);
    }
    return ALD_OK;
}

static ald_status splits_describe(making *m)
{
    const ald_splits_options *o = m->options;
    const int64_t count = ald_splits_count(m->splits);
    const double train = o->train > 0.0 ? o->train : 2.0 / 3.0;
    ald_text note;
    ald_text_init(&note, &m->splits->memory);
    if (o->parts)
        ALD_TRY(ald_text_print(m->run, &note, "%lld given split%s", (long long)count, count == 1 ? "" : "s"));
    else if (o->folds)
        ALD_TRY(ald_text_print(m->run, &note, "%lld folds", (long long)o->folds));
    else
        ALD_TRY(ald_text_print(m->run, &note, "%lld random split%s, %.3g of the rows for training",
                               (long long)count, count == 1 ? "" : "s", train));
    if (!o->parts && o->folds && m->splits->repeats > 1)
        ALD_TRY(ald_text_print(m->run, &note, ", repeated %lld times", (long long)m->splits->repeats));
    if (m->classes && !o->parts) ALD_TRY(ald_text_print(m->run, &note, ", stratified by class"));
    if (m->groups && !o->parts)
        ALD_TRY(ald_text_print(m->run, &note, ", %lld groups kept together", (long long)m->groups->n_parts));
    m->splits->note = note.data;
    return ALD_OK;
}

static ald_status make(making *m)
{
    m->splits->rows = m->data->x.rows;
    ALD_TRY(list_labelled(m));
    ALD_TRY(
        ald_get(m->run, &m->splits->memory, m->splits->rows, 1, sizeof *m->splits->same, &m->splits->same));
    ALD_TRY(ald_duplicates_find(m->run, m->data, m->splits->same));
    ALD_TRY(find_groups(m));
    ALD_TRY(find_classes(m));
    if (m->options->parts)
        ALD_TRY(make_given(m));
    else
        ALD_TRY(m->options->folds ? make_folds(m) : make_random(m));
    ALD_TRY(count_duplicates(m));
    return splits_describe(m);
}

ald_status ald_splits_make(ald_run *run, const ald_subset *data, const ald_splits_options *options,
                           ald_splits **splits)
{
    const ald_allocator *allocator = run->call.allocator;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_splits *made = allocator->resize(allocator->user, NULL, sizeof *made);
    *splits = NULL;
    if (!made) return ald_out_of_memory(run, 1, 1, sizeof *made);
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    ald_arena_init(&made->memory, &made->allocator);
    making m = {.run = run, .data = data, .options = options, .splits = made};
    const ald_status status = make(&m);
    ald_arena_release(&run->scratch, mark);
    if (status < 0)
        ald_splits_free(made);
    else
        *splits = made;
    return status;
}

void ald_splits_free(ald_splits *splits)
{
    if (!splits) return;
    const ald_allocator allocator = splits->allocator;
    ald_arena_free(&splits->memory);
    allocator.resize(allocator.user, splits, 0);
}

const char *ald_splits_note(const ald_splits *splits)
{
    return splits ? splits->note : NULL;
}

int64_t ald_splits_duplicates(const ald_splits *splits)
{
    return splits ? splits->duplicates : 0;
}

ald_status ald_splits_new(ald_context *context, const ald_matrix *x, const ald_target *y,
                          const ald_splits_options *options, ald_splits **splits, ald_error *error)
{
    ald_run run;
    ald_splits_options whole;
    if (splits) *splits = NULL;
    ALD_GIVEN(error, context, x, splits);
    ald_subset data = {.x = *x};
    if (y) data.y = *y;
    ald_run_begin(&run, context, error);
    ald_status status = ALD_OPTIONS_READ(run.error, ald_splits_options, options, &whole);
    if (status >= 0) status = ald_check_matrix(&run, x, "X");
    if (status >= 0 && y && y->kind != ALD_TARGET_NONE) status = ald_check_truth(&run, y, x->rows);
    if (status >= 0) status = ald_splits_make(&run, &data, &whole, splits);
    return ald_run_end(&run, status);
}
