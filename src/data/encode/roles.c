/* Which column is what, by the load options. */
#include "base/core/text.h"
#include "data/encode/preparation.h"
#include "data/levels/texts.h"
#include "io/reading/reader.h"
#include "io/table/columns.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct word_option {
    const char *option;
    const char *const *words; /* in the order of the values; ends with NULL */
} word_option;

static const char *const task_words[] = {"auto", "regression", "classification", "multilabel", NULL};
static const char *const encode_words[] = {"onehot", "ordinal", NULL};
static const char *const missing_words[] = {"error", "drop", "mean", "nipals", NULL};
static const char *const unlabelled_words[] = {"error", "drop", NULL};
static const char *const date_words[] = {"ignore", "numbers", "categories", NULL};
static const char *const unseen_words[] = {"mean", "error", NULL};
static const word_option task_option = {"`task`", task_words}, encode_option = {"`encode`", encode_words},
                         missing_option = {"`missing`", missing_words},
                         unlabelled_option = {"`unlabelled_rows`", unlabelled_words},
                         date_option = {"`dates`", date_words}, unseen_option = {"`unseen`", unseen_words};

static ald_status choose_word(ald_run *run, const word_option *option, const char *given, int *value)
{
    *value = 0;
    if (!given) return ALD_OK;
    for (; option->words[*value]; (*value)++)
        if (strcmp(option->words[*value], given) == 0) return ALD_OK;
    ald_text list;
    ald_text_init(&list, &run->scratch);
    for (int i = 0; option->words[i]; i++)
        ALD_TRY(ald_text_print(run, &list, "%s%s", i ? ", " : "", option->words[i]));
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: '%.60s' is not one of %s", option->option, given,
                    list.data);
}

ald_status ald_prepare_choices(ald_run *run, ald_preparation *p)
{
    int task, missing, dates;
    ALD_TRY(choose_word(run, &task_option, p->options->task, &task));
    ALD_TRY(choose_word(run, &encode_option, p->options->encode, &p->ordinal));
    ALD_TRY(choose_word(run, &missing_option, p->options->missing, &missing));
    ALD_TRY(choose_word(run, &unlabelled_option, p->options->unlabelled_rows, &p->drop_unlabelled));
    ALD_TRY(choose_word(run, &unseen_option, p->options->unseen, &p->unseen_is_error));
    if (!p->options->unseen) p->unseen_is_error = p->options->with_weights || p->options->new_classes;
    ALD_TRY(choose_word(run, &date_option, p->options->dates, &dates));
    p->dates = (ald_dates)dates;
    p->task = (ald_task)task;
    p->missing = (ald_missing_policy)missing;
    return ALD_OK;
}

static ald_status read_table(ald_run *run, const char *path, const ald_load_options *options,
                             ald_table **table)
{
    ALD_TRY(ald_scratch(run, 1, 1, sizeof **table, table));
    memset(*table, 0, sizeof **table);
    return ald_table_read(run, path, options, &run->scratch, *table);
}

/* A second file is read by its own name, with the csv options of the first. A column of words looks like one
 * with a header: where a row is missing for that, there is none. */
static ald_status read_second(ald_run *run, const ald_preparation *p, const char *path, const char *what,
                              ald_table **table)
{
    const ald_load_options *options = p->options;
    const ald_reader *reader;
    ALD_TRY(ald_reader_find(run, path, NULL, &reader));
    ald_load_options second = {0};
    if (ald_reader_is_delimited(reader)) {
        second.delimiter = options->delimiter;
        second.header = options->header;
        second.comment = options->comment;
        second.decimal = options->decimal;
        second.na = options->na;
        second.thousands = options->thousands;
    }
    ALD_TRY(read_table(run, path, &second, table));
    if (ald_reader_is_delimited(reader) && !second.header && strcmp(path, "-") != 0 &&
        (*table)->rows == p->table->rows - 1) {
        second.header = "no";
        ALD_TRY(read_table(run, path, &second, table));
    }
    if ((*table)->rows != p->table->rows)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has %lld rows but %s has %lld: each row needs its %s",
                        path, (long long)(*table)->rows, p->table->source, (long long)p->table->rows, what);
    return ALD_OK;
}

ald_status ald_prepare_second_files(ald_run *run, ald_preparation *p)
{
    const ald_load_options *o = p->options;
    if (o->target_file) ALD_TRY(read_second(run, p, o->target_file, "target", &p->target_table));
    if (o->split_file && !p->schema) ALD_TRY(read_second(run, p, o->split_file, "part", &p->split_table));
    return ALD_OK;
}

/* Lists the chosen columns in the order of their ranks. */
static ald_status list_chosen(ald_run *run, const int64_t *rank, int64_t cols, int64_t count, int64_t **list)
{
    ALD_TRY(ald_scratch(run, count, 1, sizeof **list, list));
    for (int64_t j = 0; j < cols; j++)
        if (rank[j]) (*list)[rank[j] - 1] = j;
    return ALD_OK;
}

static ald_status choose_list(ald_run *run, const ald_table *table, const char *names, const char *what,
                              int64_t **list, int64_t *count)
{
    int64_t *rank;
    ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *rank, &rank));
    ALD_TRY(ald_columns_choose(run, table, names, what, rank, count));
    ALD_TRY(list_chosen(run, rank, table->cols, *count, list));
    ald_arena_drop(&run->scratch, rank);
    return ALD_OK;
}

/* The last `count` columns. */
static ald_status choose_last(ald_run *run, const ald_table *table, int64_t count, ald_preparation *p)
{
    ALD_TRY(ald_scratch(run, count, 1, sizeof *p->targets, &p->targets));
    for (int64_t k = 0; k < count; k++) p->targets[k] = table->cols - count + k;
    p->n_targets = count;
    return ALD_OK;
}

static ald_status choose_targets(ald_run *run, ald_preparation *p)
{
    ald_table *table = p->target_table ? p->target_table : p->table;
    const int second = table != p->table;
    if (p->options->target) {
        ALD_TRY(choose_list(run, table, p->options->target, "`target`", &p->targets, &p->n_targets));
    } else if (table->label_pointers) {
        p->use_labels = 1;
    } else {
        ALD_TRY(choose_last(run, table, second ? table->cols : table->n_target_columns, p));
    }
    p->target_table = p->use_labels || p->n_targets > 0 ? table : NULL;
    return ALD_OK;
}

static ald_status take_role(ald_run *run, const ald_table *table, unsigned char *roles, int64_t column,
                            int role)
{
    static const char *const names[] = {
        "", "`target`", "`weights`", "`ignore`", "`groups`", "`split`", "`id`",
    };
    if (roles[column] == ALD_ROLE_FEATURE) {
        roles[column] = (unsigned char)role;
        return ALD_OK;
    }
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: %s is given in both %s and %s", table->source,
                    ald_column_label(table, column).text, names[roles[column]], names[role]);
}

static ald_status choose_weights(ald_run *run, ald_preparation *p)
{
    p->weights = -1;
    if (!p->options->weights) return ALD_OK;
    int64_t *list;
    int64_t count;
    ALD_TRY(choose_list(run, p->table, p->options->weights, "`weights`", &list, &count));
    if (count != 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`weights`: %lld columns are given, but one is expected", (long long)count);
    p->weights = list[0];
    return ALD_OK;
}

/* The column of the split: named, or the only one of the second file. */
static ald_status choose_split(ald_run *run, ald_preparation *p)
{
    int64_t *list;
    int64_t count;
    if (p->options->split && p->split_table)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`split` and `split_file` both give the split; give one");
    if (p->split_table && p->split_table->cols != 1)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s has %lld columns: one is expected, with the part of each row",
                        p->split_table->source, (long long)p->split_table->cols);
    if (!p->options->split) return ALD_OK;
    ALD_TRY(choose_list(run, p->table, p->options->split, "`split`", &list, &count));
    if (count != 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`split`: %lld columns are given, but one is expected", (long long)count);
    p->split_table = p->table;
    p->split = list[0];
    return ALD_OK;
}

static ald_status give_roles(ald_run *run, ald_preparation *p, unsigned char *roles)
{
    memset(roles, 0, (size_t)p->table->cols);
    for (int64_t k = 0; p->target_table == p->table && k < p->n_targets; k++)
        ALD_TRY(take_role(run, p->table, roles, p->targets[k], ALD_ROLE_TARGET));
    if (p->weights >= 0) ALD_TRY(take_role(run, p->table, roles, p->weights, ALD_ROLE_WEIGHTS));
    for (int64_t k = 0; k < p->n_ignored; k++)
        ALD_TRY(take_role(run, p->table, roles, p->ignored[k], ALD_ROLE_IGNORED));
    for (int64_t k = 0; k < p->n_groups; k++)
        ALD_TRY(take_role(run, p->table, roles, p->groups[k], ALD_ROLE_GROUPS));
    if (p->split_table == p->table) ALD_TRY(take_role(run, p->table, roles, p->split, ALD_ROLE_SPLIT));
    for (int64_t k = 0; k < p->n_ids; k++) ALD_TRY(take_role(run, p->table, roles, p->ids[k], ALD_ROLE_ID));
    return ALD_OK;
}

static ald_status list_features(ald_run *run, ald_preparation *p, const unsigned char *roles)
{
    const ald_table *table = p->table;
    for (int64_t j = 0; j < table->cols; j++) p->n_features += roles[j] == ALD_ROLE_FEATURE;
    if (p->n_features == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s: no column is left as a feature: all %lld are target, weights or left out",
                        table->source, (long long)table->cols);
    ALD_TRY(ald_scratch(run, p->n_features, 1, sizeof *p->features, &p->features));
    for (int64_t j = 0, k = 0; j < table->cols; j++)
        if (roles[j] == ALD_ROLE_FEATURE) p->features[k++] = (ald_feature){.column = j, .fill = NAN};
    return ALD_OK;
}

/* Marks the columns of --categorical; a target among them asks for classes. */
static ald_status mark_categorical(ald_run *run, ald_preparation *p, unsigned char *forced)
{
    memset(forced, 0, (size_t)p->table->cols);
    if (!p->options->categorical) return ALD_OK;
    int64_t *list;
    int64_t count;
    ALD_TRY(choose_list(run, p->table, p->options->categorical, "`categorical`", &list, &count));
    for (int64_t k = 0; k < count; k++) forced[list[k]] = 1;
    for (int64_t k = 0; p->target_table == p->table && k < p->n_targets; k++)
        if (forced[p->targets[k]] && p->task == ALD_TASK_AUTO) p->task = ALD_TASK_CLASSIFICATION;
    return ALD_OK;
}

/* A line of texts below numbers in most columns: a target among features that stand in rows. */
static int is_turned_round(const ald_table *table, int64_t line)
{
    int64_t count = 0;
    for (int64_t j = 0; j < table->cols; j++)
        count += table->columns[j].n_texts == 1 && table->columns[j].first_text_line == line;
    return count >= 3 && 2 * count > table->cols;
}

static ald_status fail_mixture(ald_run *run, const ald_table *table, int64_t column)
{
    const ald_column *info = &table->columns[column];
    const int64_t others = info->summary ? info->summary->numbers : info->n_numbers;
    char number[24], hint[80];
    snprintf(number, sizeof number, "#%lld", (long long)(column + 1));
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, info->first_text_line, info->position,
        "%s: %s holds the text '%.80s' but %lld other cell%s of it %s: correct the cell%s, or give "
        "`categorical=%.80s` to take the column as categories%s",
        ald_text_source(table, column), ald_cell_place(table, -1, column, info->first_text_line).text,
        info->levels[0], (long long)others, others == 1 ? "" : "s",
        others == 1 ? "is a number" : "are numbers", ald_na_hint(info->levels[0], hint, sizeof hint),
        info->name ? info->name : number,
        is_turned_round(table, info->first_text_line)
            ? "; or, as that line has texts in most columns, `transpose` to take the lines as columns"
            : "");
}

static int is_categorical(const ald_column *column, int forced)
{
    return forced || column->nominal || (column->n_texts > 0 && column->n_numbers == 0);
}

static ald_status find_kinds(ald_run *run, ald_preparation *p, const unsigned char *forced)
{
    for (int64_t k = 0; k < p->n_features; k++) {
        const int64_t j = p->features[k].column;
        const ald_column unnamed = {0};
        const ald_column *column = p->table->columns ? &p->table->columns[j] : &unnamed;
        p->features[k].categorical = is_categorical(column, forced[j]);
        p->features[k].by_text = p->features[k].categorical && !forced[j] && !column->nominal;
        if (!forced[j] && p->table->columns) ALD_TRY(ald_refuse_commas(run, p->table, j));
        if (column->n_texts > 0 && !p->features[k].categorical) return fail_mixture(run, p->table, j);
    }
    return ALD_OK;
}

/* Besides those of the option the one that a table has by itself. */
ald_status ald_prepare_ids(ald_run *run, ald_preparation *p)
{
    int64_t *list = NULL;
    int64_t count = 0;
    if (p->options->id) ALD_TRY(choose_list(run, p->table, p->options->id, "`id`", &list, &count));
    ALD_TRY(ald_scratch(run, count + 1, 1, sizeof *p->ids, &p->ids));
    for (int64_t k = 0; k < count; k++)
        if (list[k] != p->table->id_column - 1) p->ids[p->n_ids++] = list[k];
    if (p->table->id_column) p->ids[p->n_ids++] = p->table->id_column - 1;
    return ALD_OK;
}

ald_status ald_prepare_group_columns(ald_run *run, ald_preparation *p)
{
    if (!p->options->groups) return ALD_OK;
    return choose_list(run, p->table, p->options->groups, "`groups`", &p->groups, &p->n_groups);
}

ald_status ald_prepare_roles(ald_run *run, ald_preparation *p)
{
    unsigned char *roles, *forced;
    if (!p->options->na) ALD_TRY(ald_settle_all_marks(run, p->table));
    if (!p->options->na && p->target_table) ALD_TRY(ald_settle_all_marks(run, p->target_table));
    ALD_TRY(ald_scratch(run, p->table->cols, 1, 1, &roles));
    ALD_TRY(ald_scratch(run, p->table->cols, 1, 1, &forced));
    ALD_TRY(choose_targets(run, p));
    ALD_TRY(choose_weights(run, p));
    if (p->options->ignore)
        ALD_TRY(choose_list(run, p->table, p->options->ignore, "`ignore`", &p->ignored, &p->n_ignored));
    ALD_TRY(ald_prepare_group_columns(run, p));
    ALD_TRY(choose_split(run, p));
    ALD_TRY(give_roles(run, p, roles));
    ALD_TRY(mark_categorical(run, p, forced));
    ALD_TRY(ald_leave_out(run, p, forced, roles));
    ALD_TRY(list_features(run, p, roles));
    ALD_TRY(find_kinds(run, p, forced));
    ald_warn_row_numbers(run, p);
    return ALD_OK;
}
