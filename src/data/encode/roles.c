/* Which column is what, by the load options, and which are left out because nobody means them as features:
 * dates, names and numbers of rows. */
#include "base/core/text.h"
#include "base/numbers/dates.h"
#include "data/encode/preparation.h"
#include "data/levels/categories.h"
#include "data/levels/texts.h"
#include "io/reading/reader.h"
#include "io/table/columns.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_listed = 10, reason_empty = 0, reason_dates, reason_names, n_reasons };

/* Why columns are left out, and what to do about it. */
static const char *const reasons[n_reasons][2] = {
    {"left out, because it has neither a name nor a value", ""},
    {"date columns left out", "; `dates=numbers` converts them to numbers of days"},
    {"left out, because most rows have a distinct text there",
     "; `id` carries such a column along, `categorical` treats it as categories"},
};

/* What the notes list. */
typedef struct left_out {
    ald_text lists[n_reasons];
    int64_t counts[n_reasons];
    int named; /* some column has a name */
} left_out;

static ald_status leave_one(ald_run *run, left_out *out, int reason, const ald_table *table, int64_t column,
                            unsigned char *role)
{
    const int64_t count = ++out->counts[reason];
    *role = ALD_ROLE_IGNORED;
    if (count > most_listed) return ALD_OK;
    return ald_text_print(run, &out->lists[reason], "%s%s", count > 1 ? ", " : "",
                          ald_column_label(table, column).text);
}

/* Texts, and rows that have one: of the whole file, where the table is a part of it. */
static int names_rows(const ald_column *column)
{
    int64_t levels = column->n_levels, rows = column->n_texts;
    if (column->summary) rows = column->summary->rows;
    return ald_are_too_many_levels(levels, rows);
}

/* Neither a name nor a cell: lines end with a delimiter. */
static int is_nothing(const ald_column *column)
{
    return (!column->name || !*column->name) && column->n_texts == 0 && column->n_numbers == 0 &&
           column->n_missing > 0 && !(column->summary && isfinite(column->summary->mean));
}

static ald_status settle_column(ald_run *run, ald_preparation *p, int64_t j, unsigned char *role,
                                left_out *out)
{
    ald_table *table = p->table;
    const ald_column *column = &table->columns[j];
    if (out->named && is_nothing(column)) return leave_one(run, out, reason_empty, table, j, role);
    if (column->nominal || column->n_texts == 0 || column->n_numbers > 0) return ALD_OK;
    ALD_TRY(ald_settle_unit(run, table, j, NULL));
    if (column->n_texts == 0) return ALD_OK;
    if (ald_texts_are(column, ald_parse_date)) {
        if (p->dates == ALD_DATES_CATEGORIES) return ALD_OK;
        if (p->dates == ALD_DATES_NUMBERS) return ald_texts_to_numbers(run, table, j, ald_parse_date);
        return leave_one(run, out, reason_dates, table, j, role);
    }
    const char *lookalike = ald_lookalike(column);
    if (lookalike)
        ald_log(run, ALD_LOG_INFO, "%s: %s holds '%.40s', %s", table->source, ald_column_label(table, j).text,
                column->levels[0], lookalike);
    if (!names_rows(column) || ald_has_foreign_numbers(column)) return ALD_OK;
    return leave_one(run, out, reason_names, table, j, role);
}

/* Gives the role ALD_ROLE_IGNORED to features that are dates, or makes numbers of them, by the
 * option `dates`; and to those of texts of which most rows have one of their own. Columns that are named as
 * categorical (`forced`) stay. A note says so. */
static ald_status leave_out(ald_run *run, ald_preparation *p, const unsigned char *forced,
                            unsigned char *roles)
{
    left_out out = {.named = 0};
    if (!p->table->columns || p->table->sparse) return ALD_OK;
    for (int k = 0; k < n_reasons; k++) ald_text_init(&out.lists[k], &run->scratch);
    for (int64_t j = 0; j < p->table->cols; j++)
        out.named |= p->table->columns[j].name && *p->table->columns[j].name;
    for (int64_t j = 0; j < p->table->cols; j++)
        if (roles[j] == ALD_ROLE_FEATURE && !forced[j]) ALD_TRY(settle_column(run, p, j, &roles[j], &out));
    for (int k = 0; k < n_reasons; k++)
        if (out.counts[k] > 0)
            ald_log(run, ALD_LOG_INFO, "%s: %s: %s%s%s", p->table->source, reasons[k][0], out.lists[k].data,
                    out.counts[k] > most_listed ? ", ..." : "", reasons[k][1]);
    return ALD_OK;
}

static int counts_rows(const ald_table *table, int64_t column, double *first, int64_t *rows)
{
    enum { fewest_rows = 20 };
    const ald_column_summary *summary = table->columns ? table->columns[column].summary : NULL;
    *rows = summary ? summary->rows : table->rows;
    *first = summary ? summary->first : table->cells[column];
    if (*rows < fewest_rows || (*first != 0.0 && *first != 1.0)) return 0;
    for (int64_t i = 1; !summary && i < table->rows; i++)
        if (!(table->cells[i * table->cols + column] == *first + (double)i)) return 0;
    return 1;
}

/* A warning for the first feature whose cells are 0, 1, 2, ... or 1, 2, 3, ... down the file: where the rows
 * are sorted by the target it gives the target away, and in new rows it says nothing. */
static void warn_row_numbers(ald_run *run, const ald_preparation *p)
{
    double first;
    int64_t rows;
    for (int64_t k = 0; !p->table->sparse && k < p->n_features; k++) {
        const int64_t column = p->features[k].column;
        if (p->features[k].categorical || !counts_rows(p->table, column, &first, &rows)) continue;
        ald_log(run, ALD_LOG_WARNING,
                "%s: %s counts the rows from %g to %lld: if it only numbers them, name it in `id` so that it "
                "is not a feature; in sorted rows it gives away the target",
                p->table->source, ald_column_label(p->table, column).text, first,
                (long long)first + (long long)rows - 1);
        return;
    }
}

ald_status ald_prepare_choices(ald_run *run, ald_preparation *p)
{
    const ald_load_options *o = p->options;
    int task, missing, dates;
    const struct {
        const char *option, *given;
        int *value;
        const char *words[5]; /* in the order of the values */
    } choices[] = {
        {"task", o->task, &task, {"auto", "regression", "classification", "multilabel"}},
        {"encode", o->encode, &p->ordinal, {"onehot", "ordinal"}},
        {"missing", o->missing, &missing, {"error", "drop", "mean", "nipals"}},
        {"unlabelled_rows", o->unlabelled_rows, &p->drop_unlabelled, {"error", "drop"}},
        {"unseen", o->unseen, &p->unseen_is_error, {"mean", "error"}},
        {"dates", o->dates, &dates, {"ignore", "numbers", "categories"}},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        ALD_TRY(
            ald_choose_word(run, choices[i].option, choices[i].words, choices[i].given, choices[i].value));
    if (!o->unseen) p->unseen_is_error = o->with_weights || o->new_classes;
    p->dates = (ald_dates)dates;
    p->task = (ald_task)task;
    p->missing = (ald_missing_policy)missing;
    return ALD_OK;
}

static ald_status read_table(ald_run *run, const char *path, const ald_load_options *options,
                             ald_table **table)
{
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof **table, table));
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

/* The columns that are named, in the order in which they are. */
static ald_status choose_list(ald_run *run, const ald_table *table, const char *names, const char *what,
                              int64_t **list, int64_t *count)
{
    int64_t *rank;
    ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *rank, &rank));
    ALD_TRY(ald_columns_choose(run, table, names, what, rank, count));
    ALD_TRY(ald_scratch(run, *count, 1, sizeof **list, list));
    for (int64_t j = 0; j < table->cols; j++)
        if (rank[j]) (*list)[rank[j] - 1] = j;
    ald_arena_drop(&run->scratch, rank);
    return ALD_OK;
}

static ald_status choose_one(ald_run *run, const ald_preparation *p, const char *name, const char *what,
                             int64_t *column)
{
    int64_t *list;
    int64_t count;
    ALD_TRY(choose_list(run, p->table, name, what, &list, &count));
    if (count != 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: %lld columns are given, but one is expected",
                        what, (long long)count);
    *column = list[0];
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

/* The event stands behind the time; both are numbers. */
static ald_status add_event(ald_run *run, ald_preparation *p, const ald_table *table)
{
    int64_t *both, *list;
    int64_t count;
    ALD_TRY(choose_list(run, table, p->options->event, "`event`", &list, &count));
    if (p->n_targets != 1 || count != 1 || list[0] == p->targets[0])
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`event` is one column beside one column of times (`target`): %lld and %lld are given%s",
            (long long)count, (long long)p->n_targets,
            count == 1 && p->n_targets == 1 ? ", the same one" : "");
    ALD_TRY(ald_scratch(run, 2, 1, sizeof *both, &both));
    both[0] = p->targets[0];
    both[1] = list[0];
    p->targets = both;
    p->n_targets = 2;
    p->has_event = 1;
    p->task = ALD_TASK_REGRESSION;
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
    if (p->options->event) ALD_TRY(add_event(run, p, table));
    p->target_table = p->use_labels || p->n_targets > 0 ? table : NULL;
    for (int64_t k = 0; table->columns && k < p->n_targets; k++)
        if (p->task < ALD_TASK_CLASSIFICATION && table->columns[p->targets[k]].n_numbers == 0)
            ALD_TRY(ald_settle_unit(run, table, p->targets[k], NULL));
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

/* The column of the split: named, or the only one of the second file. */
static ald_status choose_split(ald_run *run, ald_preparation *p)
{
    if (p->options->split && p->split_table)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`split` and `split_file` both give the split; give one");
    if (p->split_table && p->split_table->cols != 1)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s has %lld columns: one is expected, with the part of each row",
                        p->split_table->source, (long long)p->split_table->cols);
    if (!p->options->split) return ALD_OK;
    p->split_table = p->table;
    return choose_one(run, p, p->options->split, "`split`", &p->split);
}

static ald_status give_roles(ald_run *run, ald_preparation *p, unsigned char *roles)
{
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

/* Columns are found again by their names: of those that are used each has its own. */
static ald_status check_names(ald_run *run, const ald_preparation *p, const unsigned char *roles)
{
    ald_name_index index;
    ALD_TRY(ald_name_index_new(run, p->table->columns ? p->table->cols : 0, &index));
    for (int64_t j = 0; p->table->columns && j < p->table->cols; j++)
        if (roles[j] <= ALD_ROLE_WEIGHTS && ald_name_index_add(&index, p->table->columns[j].name, j))
            return ald_fail_twins(run, p->table, &index, j);
    ald_arena_drop(&run->scratch, index.slots);
    return ALD_OK;
}

static ald_status list_features(ald_run *run, ald_preparation *p, const unsigned char *roles)
{
    for (int64_t j = 0; j < p->table->cols; j++) p->n_features += roles[j] == ALD_ROLE_FEATURE;
    if (p->n_features == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s: no column is left as a feature: all %lld are target, weights or left out%s",
                        p->table->source, (long long)p->table->cols, ald_one_cell_hint(p->table));
    ALD_TRY(ald_scratch(run, p->n_features, 1, sizeof *p->features, &p->features));
    for (int64_t j = 0, k = 0; j < p->table->cols; j++) {
        if (roles[j] == ALD_ROLE_FEATURE) p->features[k++] = (ald_feature){.column = j, .fill = NAN};
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)(sizeof *p->features / sizeof(double))));
    }
    return ALD_OK;
}

/* Marks the columns of --categorical; a target among them asks for classes. */
static ald_status mark_categorical(ald_run *run, ald_preparation *p, unsigned char *forced)
{
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
    char number[24], hint[ALD_HINT_SIZE];
    snprintf(number, sizeof number, "#%lld", (long long)(column + 1));
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, info->first_text_line, info->position,
        "%s: %s holds the text '%.80s' but %lld other cell%s of it %s: correct the cell%s, or give "
        "`categorical=%.80s` to take the column as categories%s",
        ald_text_source(table, column), ald_cell_place(table, -1, column, info->first_text_line).text,
        info->levels[0], (long long)others, others == 1 ? "" : "s",
        others == 1 ? "is a number" : "are numbers", ald_text_hint(table, info->levels[0], hint),
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
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK));
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
    ALD_TRY(ald_scratch_clear(run, p->table->cols, 1, 1, &roles));
    ALD_TRY(ald_scratch_clear(run, p->table->cols, 1, 1, &forced));
    ALD_TRY(choose_targets(run, p));
    p->weights = -1;
    if (p->options->weights) ALD_TRY(choose_one(run, p, p->options->weights, "`weights`", &p->weights));
    if (p->options->ignore)
        ALD_TRY(choose_list(run, p->table, p->options->ignore, "`ignore`", &p->ignored, &p->n_ignored));
    ALD_TRY(ald_prepare_group_columns(run, p));
    ALD_TRY(choose_split(run, p));
    ALD_TRY(give_roles(run, p, roles));
    ALD_TRY(mark_categorical(run, p, forced));
    ALD_TRY(leave_out(run, p, forced, roles));
    ALD_TRY(check_names(run, p, roles));
    ALD_TRY(list_features(run, p, roles));
    ALD_TRY(find_kinds(run, p, forced));
    warn_row_numbers(run, p);
    return ALD_OK;
}
