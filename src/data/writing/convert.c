/* Files to files, cells as they are: converted, or split at random into two that are placed together. */
#include "data/writing/convert.h"

#include "data/encode/dataset.h"
#include "io/files/output.h"
#include "io/reading/reader.h"
#include "io/table/columns.h"
#include "io/table/partition.h"
#include "io/writing/writer.h"

#include <math.h>
#include <string.h>

/* Refuses the options that change cells: files are passed through as they are. */
static ald_status convert_check(ald_run *run, const ald_load_options *options)
{
    const struct {
        const char *name;
        const void *given;
    } refused[] = {
        {"target_file", options->target_file},
        {"task", options->task},
        {"weights", options->weights},
        {"ignore", options->ignore},
        {"categorical", options->categorical},
        {"encode", options->encode},
        {"missing", options->missing},
        {"unlabelled_rows", options->unlabelled_rows},
        {"unlabelled_file", options->unlabelled_file},
        {"like", options->like},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (refused[k].given)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "`%s` has no effect here, because cells are copied unchanged: leave it out",
                            refused[k].name);
    return ALD_OK;
}

/* An svmlight row has one label (or a list of labels, which columns cannot say). */
static ald_status check_label(ald_run *run, const ald_table *table, const char *path, int64_t count)
{
    const ald_reader *format;
    ALD_TRY(ald_reader_find(run, path, NULL, &format));
    if (format != &ald_svmlight_reader || count == 1) return ALD_OK;
    if (count == 0 && !table->label_pointers)
        ald_log(run, ALD_LOG_WARNING,
                "%s: every row gets the label 0, because no target column is named: name one with `target`",
                path);
    if (count == 0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "%s: a row of an svmlight file has one label, but %lld target columns are named: name only one", path,
        (long long)count);
}

/* The column that becomes the label if `path` is an svmlight file: the one options->target names, or the
 * file's own; -1: the file's labels, or none. */
static ald_status convert_target(ald_run *run, const ald_table *table, const ald_load_options *options,
                                 const char *path, int64_t *target)
{
    int64_t *chosen;
    int64_t count = table->n_target_columns, last = table->cols - 1;
    if (options->target) {
        ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *chosen, &chosen));
        ALD_TRY(ald_columns_choose(run, table, options->target, "`target`", chosen, &count));
        while (last >= 0 && !chosen[last]) last--;
    }
    *target = count == 1 ? last : -1;
    return check_label(run, table, path, count);
}

ald_status ald_convert_file(ald_run *run, const char *from, const char *to, const ald_load_options *options)
{
    ald_table table;
    ald_output *output = NULL;
    int64_t target;
    ALD_TRY(convert_check(run, options));
    ALD_TRY(ald_table_read(run, from, options, &run->scratch, &table));
    ALD_TRY(convert_target(run, &table, options, to, &target));
    ald_status status = ald_table_write(run, &table, NULL, table.rows, target, to, &output);
    if (status >= 0) status = ald_output_commit(run, output);
    ald_output_abandon(output);
    return status;
}

typedef struct split {
    ald_run *run;
    const ald_table *table;
    const ald_split_file_options *options;
    ald_random random;
    int64_t wanted; /* rows of the training part */
    unsigned char *in_train;
} split;

/* The columns a list names, in ascending order. */
static ald_status list_columns(split *s, const char *names, const char *what, int64_t **columns,
                               int64_t *count)
{
    int64_t *chosen;
    ALD_TRY(ald_scratch(s->run, s->table->cols, 1, sizeof *chosen, &chosen));
    ALD_TRY(ald_columns_choose(s->run, s->table, names, what, chosen, count));
    ALD_TRY(ald_scratch(s->run, *count, 1, sizeof **columns, columns));
    for (int64_t j = 0, k = 0; j < s->table->cols; j++)
        if (chosen[j]) (*columns)[k++] = j;
    return ALD_OK;
}

/* The classes: of the columns that were named, of the file's own target columns, or of its labels. */
static ald_status find_classes(split *s, ald_partition *classes)
{
    const ald_table *table = s->table;
    const char *target = s->options->load->target;
    int64_t *columns = NULL;
    int64_t count = 0;
    if (target) {
        ALD_TRY(list_columns(s, target, "`target`", &columns, &count));
    } else if (!table->label_pointers && table->n_target_columns > 0) {
        count = table->n_target_columns;
        ALD_TRY(ald_scratch(s->run, count, 1, sizeof *columns, &columns));
        for (int64_t k = 0; k < count; k++) columns[k] = table->cols - count + k;
    }
    if (count == 0 && !table->label_pointers)
        return ald_fail(
            s->run->error, ALD_ERROR_ARGUMENT,
            "`stratify` preserves the class proportions, but no class column is named: give `target`");
    return ald_partition_rows(s->run, table, columns, count, classes);
}

static ald_status split_by_classes(split *s)
{
    ald_partition classes;
    ALD_TRY(find_classes(s, &classes));
    return ald_draw_rows(s->run, &s->random, s->table->rows, &classes, s->options->train, s->wanted,
                         s->in_train);
}

/* Rows that are equal in all their cells, which the word duplicates asks for. */
static ald_status list_all(split *s, int64_t **columns, int64_t *count)
{
    *count = s->table->cols;
    ALD_TRY(ald_scratch(s->run, *count, 1, sizeof **columns, columns));
    for (int64_t j = 0; j < *count; j++) (*columns)[j] = j;
    return ALD_OK;
}

static ald_status split_by_groups(split *s)
{
    ald_partition groups;
    int64_t *columns;
    int64_t count;
    if (strcmp(s->options->groups, "duplicates") == 0)
        ALD_TRY(list_all(s, &columns, &count));
    else
        ALD_TRY(list_columns(s, s->options->groups, "`groups`", &columns, &count));
    ALD_TRY(ald_partition_rows(s->run, s->table, columns, count, &groups));
    if (groups.n_parts < 2)
        return ald_fail(s->run->error, ALD_ERROR_DATA,
                        "%s: all %lld rows belong to one group of '%s'; a split needs at least two groups",
                        s->table->source, (long long)s->table->rows, s->options->groups);
    return ald_draw_groups(s->run, &s->random, s->table->rows, &groups, s->wanted, s->in_train);
}

static ald_status split_plainly(split *s)
{
    return ald_draw_rows(s->run, &s->random, s->table->rows, NULL, s->options->train, s->wanted, s->in_train);
}

static ald_status check_options(ald_run *run, const ald_split_file_options *options)
{
    if (!(options->train > 0.0 && options->train < 1.0))
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`train=%g`: the fraction of the rows for training must be between 0 and 1, exclusive",
            options->train);
    if (options->stratify && options->groups)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`stratify` and `groups` cannot be combined: whole groups cannot preserve the class proportions");
    return convert_check(run, options->load);
}

ald_status ald_split_rows(ald_run *run, const ald_table *table, const ald_split_file_options *options,
                          unsigned char *in_train, int64_t *n_train)
{
    ALD_TRY(check_options(run, options));
    split s = {.run = run, .table = table, .options = options, .in_train = in_train};
    s.wanted = (int64_t)llround(options->train * (double)table->rows);
    if (!options->groups && (s.wanted < 1 || s.wanted >= table->rows))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s: %lld row%s cannot be split with `train=%.15g`: %s part would be empty",
                        table->source, (long long)table->rows, table->rows == 1 ? "" : "s", options->train,
                        s.wanted < 1 ? "the training" : "the test");
    ald_random_seed(&s.random, options->seed, 0);
    if (options->groups)
        ALD_TRY(split_by_groups(&s));
    else
        ALD_TRY(options->stratify ? split_by_classes(&s) : split_plainly(&s));
    *n_train = 0;
    for (int64_t i = 0; i < table->rows; i++) *n_train += in_train[i];
    return ALD_OK;
}

/* Rows of the training part in order[0 .. n_train), the others behind them, both as they stand in the file.
 */
static ald_status order_rows(ald_run *run, const ald_table *table, const ald_split_file_options *options,
                             int64_t **order, int64_t *n_train)
{
    unsigned char *in_train;
    ALD_TRY(ald_scratch(run, table->rows, 1, 1, &in_train));
    ALD_TRY(ald_split_rows(run, table, options, in_train, n_train));
    ALD_TRY(ald_scratch(run, table->rows, 1, sizeof **order, order));
    int64_t next[2] = {*n_train, 0};
    for (int64_t i = 0; i < table->rows; i++) (*order)[next[in_train[i]]++] = i;
    return ALD_OK;
}

static ald_status write_parts(ald_run *run, const ald_table *table, const ald_split_file_options *options,
                              const char *const paths[2], ald_output *outputs[2], int64_t counts[2])
{
    int64_t *order;
    int64_t targets[2];
    for (int k = 0; k < 2; k++) ALD_TRY(convert_target(run, table, options->load, paths[k], &targets[k]));
    ALD_TRY(order_rows(run, table, options, &order, &counts[0]));
    counts[1] = table->rows - counts[0];
    ALD_TRY(ald_table_write(run, table, order, counts[0], targets[0], paths[0], &outputs[0]));
    ALD_TRY(ald_table_write(run, table, order + counts[0], counts[1], targets[1], paths[1], &outputs[1]));
    return ald_outputs_commit(run, outputs, 2);
}

ald_status ald_split_write(ald_run *run, const char *path, const ald_split_file_options *options,
                           const char *train_path, const char *test_path, int64_t *train_rows,
                           int64_t *test_rows)
{
    const char *const paths[2] = {train_path, test_path};
    ald_output *outputs[2] = {NULL, NULL};
    int64_t counts[2] = {0, 0};
    ald_table table;
    ALD_TRY(check_options(run, options));
    if (ald_same_file(train_path, test_path))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "both parts would be written to '%s'; give two names",
                        train_path);
    ALD_TRY(ald_table_read(run, path, options->load, &run->scratch, &table));
    const ald_status status = write_parts(run, &table, options, paths, outputs, counts);
    for (int k = 0; k < 2; k++) ald_output_abandon(outputs[k]);
    *train_rows = counts[0];
    *test_rows = counts[1];
    return status;
}
