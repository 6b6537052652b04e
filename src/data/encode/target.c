/* What the target is, by the task rule, and its encoding as classes, real responses or 0/1 labels. */
#include "base/core/text.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "data/encode/preparation.h"
#include "data/encode/schema.h"
#include "data/levels/categories.h"
#include "data/levels/texts.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_classes_by_rule = 20 };
#define memory_of(p) (&(p)->dataset->memory)

/* "target fat", "targets a, b", "the labels": how the target is called in notes and messages. */
static ald_status target_label(ald_run *run, const ald_preparation *p, const char **label)
{
    enum { most_told = 4 };
    const ald_response *response = &p->response;
    ald_text text;
    ald_text_init(&text, &run->scratch);
    *label = "label";
    if (p->use_labels) return ALD_OK;
    ALD_TRY(ald_text_print(run, &text, response->count > 1 ? "targets" : "target"));
    for (int64_t k = 0; k < response->count && k < most_told; k++) {
        const ald_column *column = response->columns[k];
        if (column->name)
            ALD_TRY(ald_text_name(run, &text, k ? ", " : " ", column->name));
        else
            ALD_TRY(ald_text_print(run, &text, "%s#%lld", k ? ", " : " ", (long long)column->position));
    }
    if (response->count > most_told) ALD_TRY(ald_text_print(run, &text, ", ..."));
    *label = text.data;
    return ALD_OK;
}

static ald_status note(ald_run *run, ald_preparation *p, const char *what)
{
    const char *label;
    ALD_TRY(target_label(run, p, &label));
    return ald_note(run, p, "%s: %s", label, what);
}

/* Names of the target columns; NULL when none has one. */
static ald_status name_responses(ald_run *run, ald_preparation *p)
{
    const ald_response *response = &p->response;
    int named = 0;
    for (int64_t k = 0; k < response->count; k++) named |= response->columns[k]->name != NULL;
    if (!named) return ALD_OK;
    const char **names;
    ALD_TRY(ald_scratch(run, response->count, 1, sizeof *names, &names));
    for (int64_t k = 0; k < response->count; k++)
        names[k] = response->columns[k]->name ? response->columns[k]->name : "";
    return ald_keep_names(run, memory_of(p), names, response->count, &p->dataset->response_names);
}

static ald_status fail_text(ald_run *run, const ald_preparation *p, int64_t k, const char *advice)
{
    const ald_column *column = p->response.columns[k];
    const ald_table *table = p->response.table;
    char hint[ALD_HINT_SIZE] = "";
    if (column->n_numbers > 0) ald_text_hint(table, column->levels[0], hint);
    return ald_fail_at(run->error, ALD_ERROR_DATA, column->first_text_line, column->position,
                       "%s: %s of the target holds the text '%.80s' where a number is expected%s%s",
                       ald_text_source(table, p->targets[k]),
                       ald_cell_place(table, -1, p->targets[k], column->first_text_line).text,
                       column->levels[0], advice, hint);
}

static int is_text(const ald_column *column)
{
    return column->nominal || column->n_texts > 0;
}

/* The texts of a column as numbers, where all are: nominal columns such as {0,1} of ARFF files. */
static ald_status read_levels(ald_run *run, const ald_preparation *p, int64_t k, double **numbers)
{
    const ald_column *column = p->response.columns[k];
    const char *advice = ": give `task=classification`, or correct the cell";
    if (p->response.count > 1) advice = ": several target columns must be numbers, classes are one column";
    if (p->schema) advice = ": correct the cell"; /* the model has decided the task */
    if (p->has_event) advice = ": a time is a number, an event 1 (it came) or 0 (the row is censored)";
    ALD_TRY(ald_scratch_reals(run, column->n_levels, 1, numbers));
    for (int64_t c = 0; c < column->n_levels; c++)
        if (!ald_parse_real(column->levels[c], strlen(column->levels[c]), &(*numbers)[c]))
            return fail_text(run, p, k, advice);
    return ALD_OK;
}

static ald_status texts_to_numbers(ald_run *run, ald_preparation *p)
{
    const ald_response *response = &p->response;
    for (int64_t k = 0; k < response->count; k++) {
        if (!is_text(response->columns[k])) continue;
        double *numbers;
        ALD_TRY(read_levels(run, p, k, &numbers));
        for (int64_t i = 0; i < response->rows; i++) {
            int64_t text;
            double *cell = &response->cells[i * response->count + k];
            if (ald_cell_is_text(*cell, &text)) *cell = numbers[text];
        }
    }
    return ALD_OK;
}

/* The first cell that is neither 0 nor 1 nor missing, -1: none. */
static int64_t find_other_than_zero_one(const ald_response *response)
{
    for (int64_t i = 0; i < response->rows * response->count; i++)
        if (!isnan(response->cells[i]) && response->cells[i] != 0.0 && response->cells[i] != 1.0) return i;
    return -1;
}

static ald_status fail_not_a_label(ald_run *run, const ald_preparation *p, int64_t at)
{
    const ald_response *response = &p->response;
    const int64_t row = ald_kept_row(p, at / response->count), k = at % response->count;
    char value[ALD_REAL_TEXT_SIZE];
    ald_format_real(response->cells[at], value);
    return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(response->table, row),
                       response->columns[k]->position,
                       "%s: %s is %s: multi-label targets are columns of 0 and 1", response->table->source,
                       ald_cell_place(response->table, row, p->targets[k], 0).text, value);
}

/* The distinct numbers of response k: how many, whether all are whole, and in how many rows the rarest is. */
typedef struct variety {
    int64_t distinct, rarest;
    int whole;
} variety;

static ald_status target_measure(ald_run *run, const ald_response *response, int64_t k, variety *v)
{
    double *sorted;
    ALD_TRY(ald_scratch_reals(run, response->rows, 1, &sorted));
    int64_t n = 0;
    for (int64_t i = 0; i < response->rows; i++)
        if (!isnan(response->cells[i * response->count + k]))
            sorted[n++] = response->cells[i * response->count + k];
    ald_sort_reals(n, sorted);
    *v = (variety){.distinct = 0, .rarest = n, .whole = 1};
    for (int64_t i = 0, begin = 0; i < n; i++) {
        v->whole = v->whole && sorted[i] == floor(sorted[i]);
        if (i + 1 < n && sorted[i + 1] == sorted[i]) continue;
        v->distinct++;
        if (i + 1 - begin < v->rarest) v->rarest = i + 1 - begin;
        begin = i + 1;
    }
    ald_arena_drop(&run->scratch, sorted);
    return ALD_OK;
}

/* To sort a column takes about so many operations per row. */
static const double sorting = 400.0;

static ald_status fail_constant(ald_run *run, const ald_preparation *p, int64_t k, const char *advice)
{
    const ald_column *column = p->response.columns[k];
    char buffer[40], number[40] = "the label";
    if (column->position > 0)
        snprintf(number, sizeof number, "target column %lld", (long long)column->position);
    int64_t i = 0;
    while (i + 1 < p->response.rows && ald_cell_is_missing(p->response.cells[i * p->response.count + k])) i++;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "%s: %s%s%.80s%s has the same value in every row (%.60s): there is nothing to predict%s",
        p->response.table->source, number, column->name ? " ('" : "", column->name ? column->name : "",
        column->name ? "')" : "",
        ald_cell_shown(column, p->response.cells[i * p->response.count + k], buffer, sizeof buffer), advice);
}

static ald_status fail_unknown_class(ald_run *run, const ald_preparation *p, const ald_categories *categories,
                                     int64_t i)
{
    const ald_response *response = &p->response;
    const int64_t row = ald_kept_row(p, i);
    char buffer[40];
    const char *known;
    ALD_TRY(ald_names_listed(run, categories->levels, categories->count, &known));
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, ald_table_line(response->table, row), response->columns[0]->position,
        "%s: the target of %s is '%.80s', which is no class of the model: known are %s",
        response->table->source, ald_row_place(response->table, row).text,
        ald_cell_shown(response->columns[0], response->cells[i], buffer, sizeof buffer), known);
}

static ald_status take_classes(ald_run *run, ald_preparation *p, const ald_categories *categories,
                               const char *why)
{
    const ald_response *response = &p->response;
    int32_t *codes = ald_arena_get(memory_of(p), response->rows, 1, sizeof *codes);
    if (!codes) return ald_out_of_memory(run, response->rows, 1, sizeof *codes);
    for (int64_t i = 0; i < response->rows; i++) {
        const int labelled = !response->labelled || response->labelled[i];
        const int64_t code = labelled ? ald_category_of(categories, response->cells[i]) : 0;
        if (code < 0) return fail_unknown_class(run, p, categories, i);
        codes[i] = (int32_t)code;
    }
    const double *weights = p->dataset->target.weights;
    p->dataset->target = ald_target_classes(codes, response->rows, categories->count);
    p->dataset->target.names = (const char *const *)categories->levels;
    p->dataset->target.labelled = response->labelled;
    p->dataset->target.weights = weights;
    char what[160];
    snprintf(what, sizeof what, "%lld classes (%s)", (long long)categories->count, why);
    ALD_TRY(note(run, p, what));
    ald_arena_drop(memory_of(p), p->response.cells);
    p->response.cells = NULL;
    return ALD_OK;
}

/* The different cells of the only target column. */
static ald_status find_cells(ald_run *run, ald_preparation *p, ald_categories **categories)
{
    const ald_column_cells cells = {.first = p->response.cells, .stride = 1, .rows = p->response.rows};
    return ald_categories_find(run, memory_of(p), p->response.columns[0], 0, &cells, categories);
}

static ald_status find_classes(ald_run *run, ald_preparation *p, const char *why)
{
    const ald_response *response = &p->response;
    if (response->count > 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`task=classification` takes one target column, %lld are given: use "
                        "`task=multilabel` for columns of 0 and 1",
                        (long long)response->count);
    ald_categories *categories;
    ALD_TRY(find_cells(run, p, &categories));
    if (categories->count > INT32_MAX)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: too many classes", response->table->source);
    const int asked =
        p->options->task && strcmp(p->options->task, "classification") == 0; /* it may be a part */
    if (categories->count < 2 && response->rows > 1 && !asked)
        return fail_constant(run, p, 0,
                             "; if this is a part of a table, to be merged with others (`keep_statistics`), "
                             "give `task=classification`");
    if (ald_are_too_many_levels(categories->count, response->rows))
        ald_log(run, ALD_LOG_WARNING,
                "%s: the target has %lld different classes in %lld rows: few rows to learn each of them from",
                response->table->source, (long long)categories->count, (long long)response->rows);
    return take_classes(run, p, categories, why);
}

/* The numbers of REAL and LABELS; unlabelled rows hold zeros, so that no NaN is about. */
static ald_status take_numbers(ald_run *run, ald_preparation *p, ald_target_kind kind)
{
    ald_response *response = &p->response;
    for (int64_t i = 0; i < response->rows * response->count; i++) {
        double *cell = &response->cells[i];
        if (ald_cell_is_missing(*cell)) *cell = 0.0;
        if (isfinite(*cell)) continue;
        const int64_t row = ald_kept_row(p, i / response->count);
        return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(response->table, row), 0,
                           "%s: the target of %s is not a finite number", response->table->source,
                           ald_row_place(response->table, row).text);
    }
    const double *weights = p->dataset->target.weights;
    const ald_matrix values =
        ald_matrix_row_major(response->cells, response->rows, response->count, response->count);
    p->dataset->target = kind == ALD_TARGET_REAL ? ald_target_real(values) : ald_target_labels(values);
    p->dataset->target.labelled = response->labelled;
    p->dataset->target.weights = weights;
    p->dataset->target.names = (const char *const *)p->dataset->response_names;
    return ALD_OK;
}

static ald_status find_reals(ald_run *run, ald_preparation *p)
{
    char what[120];
    variety v = {0};
    for (int64_t k = 0; k < p->response.count; k++) {
        ALD_TRY(ald_ask_after(run, sorting * (double)p->response.rows));
        ALD_TRY(target_measure(run, &p->response, k, &v));
        if (v.distinct < 2 && p->response.rows > 1 && !p->schema) return fail_constant(run, p, k, "");
    }
    if (p->response.count == 1)
        snprintf(what, sizeof what, "real (%lld distinct values)", (long long)v.distinct);
    else
        snprintf(what, sizeof what, "%lld real responses", (long long)p->response.count);
    ALD_TRY(note(run, p, what));
    return take_numbers(run, p, ALD_TARGET_REAL);
}

static ald_status take_survival(ald_run *run, ald_preparation *p)
{
    static const char *const predicted[] = {"log_risk"};
    unsigned char *events;
    char what[120];
    ALD_TRY(texts_to_numbers(run, p));
    ALD_TRY(ald_take_events(run, p, &events, what, sizeof what));
    ALD_TRY(ald_keep_names(run, memory_of(p), predicted, 1, &p->dataset->response_names));
    ALD_TRY(note(run, p, what));
    ALD_TRY(take_numbers(run, p, ALD_TARGET_REAL));
    p->dataset->target.events = events;
    return ALD_OK;
}

static ald_status find_label_columns(ald_run *run, ald_preparation *p)
{
    char what[120];
    const int64_t other = find_other_than_zero_one(&p->response);
    if (other >= 0) return fail_not_a_label(run, p, other);
    int64_t varying = 0;
    for (int64_t k = 0; k < p->response.count; k++) {
        variety v;
        ALD_TRY(ald_ask_after(run, sorting * (double)p->response.rows));
        ALD_TRY(target_measure(run, &p->response, k, &v));
        varying += v.distinct > 1;
    }
    if (varying == 0 && p->response.rows > 1 && !p->schema) return fail_constant(run, p, 0, "");
    snprintf(what, sizeof what, "%lld labels (columns of 0 and 1)", (long long)p->response.count);
    ALD_TRY(note(run, p, what));
    return take_numbers(run, p, ALD_TARGET_LABELS);
}

/* Task auto, one column. */
static ald_status decide_single(ald_run *run, ald_preparation *p)
{
    const ald_column *column = p->response.columns[0];
    if (column->nominal) return find_classes(run, p, "nominal");
    if (column->n_texts > 0) ALD_TRY(ald_refuse_commas(run, p->response.table, p->targets[0]));
    if (column->n_texts > 0 && column->n_numbers > 0)
        return fail_text(run, p, 0, " as in its other cells: correct it, or give `task=classification`");
    if (column->n_texts > 0) return find_classes(run, p, "text");
    variety v;
    ALD_TRY(target_measure(run, &p->response, 0, &v));
    if (!p->options->prefer_real && v.whole && v.distinct <= most_classes_by_rule && v.rarest >= 2)
        return find_classes(run, p, "whole numbers, at most 20 distinct, each in two or more rows");
    return find_reals(run, p);
}

static ald_status decide_auto(ald_run *run, ald_preparation *p)
{
    if (p->response.count == 1) return decide_single(run, p);
    ALD_TRY(texts_to_numbers(run, p));
    return find_other_than_zero_one(&p->response) < 0 ? find_label_columns(run, p) : find_reals(run, p);
}

static int is_among(char *const *names, int64_t count, const char *name)
{
    for (int64_t k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0) return 1;
    return 0;
}

/* The classes of the model and, if they are wanted, behind them those that only the new rows have. */
static ald_status list_classes(ald_run *run, ald_preparation *p, char ***classes, int64_t *count)
{
    const ald_schema *schema = p->schema;
    ald_categories *own = NULL;
    if (p->options->new_classes) ALD_TRY(find_cells(run, p, &own));
    *count = schema->n_classes;
    ALD_TRY(ald_keep_names(run, memory_of(p), (const char *const *)schema->classes, *count, classes));
    if (own) ALD_TRY(ald_resize(run, memory_of(p), classes, *count + own->count, 1, sizeof **classes));
    for (int64_t k = 0; own && k < own->count; k++)
        if (!is_among(schema->classes, schema->n_classes, own->levels[k]))
            (*classes)[(*count)++] = own->levels[k];
    return ALD_OK;
}

/* As the model had it. */
static ald_status decide_by_schema(ald_run *run, ald_preparation *p)
{
    const ald_schema *schema = p->schema;
    if (schema->kind != ALD_TARGET_CLASSES) {
        ALD_TRY(texts_to_numbers(run, p));
        return schema->kind == ALD_TARGET_REAL ? find_reals(run, p) : find_label_columns(run, p);
    }
    ald_categories *categories;
    char **classes = NULL;
    int64_t count = 0;
    ALD_TRY(list_classes(run, p, &classes, &count));
    ALD_TRY(ald_categories_match(run, p->response.columns[0], classes, count, &categories));
    if (count > schema->n_classes) return take_classes(run, p, categories, "those of the model and new ones");
    return take_classes(run, p, categories, "as in the model");
}

ald_status ald_find_unknown_classes(ald_run *run, const ald_preparation *p, unsigned char **unknown,
                                    int64_t *count)
{
    const ald_response *response = &p->response;
    ald_categories *known;
    char buffer[40];
    int64_t last = 0;
    *count = 0;
    if (!p->schema || p->schema->kind != ALD_TARGET_CLASSES || !p->target_table || p->options->with_weights ||
        p->options->new_classes)
        return ALD_OK;
    ALD_TRY(
        ald_categories_match(run, response->columns[0], p->schema->classes, p->schema->n_classes, &known));
    ALD_TRY(ald_scratch(run, response->rows, 1, 1, unknown));
    for (int64_t i = 0; i < response->rows; i++) {
        const int labelled = !response->labelled || response->labelled[i];
        (*unknown)[i] = labelled && ald_category_of(known, response->cells[i]) < 0;
        *count += (*unknown)[i];
        if ((*unknown)[i]) last = i;
    }
    if (*count + response->n_unlabelled == response->rows) *count = 0;
    if (*count > 0)
        ald_log(run, ALD_LOG_WARNING,
                "%s: %lld of %lld rows left out: their class is none of the model, such as '%.60s'",
                response->table->source, (long long)*count, (long long)response->rows,
                ald_cell_shown(response->columns[0], response->cells[last], buffer, sizeof buffer));
    return ALD_OK;
}

/* svmlight files that nobody labelled have the same number on every row; that is no target. */
static ald_status labels_say_nothing(ald_run *run, const ald_preparation *p, int *nothing)
{
    variety v;
    *nothing = 0;
    if (!p->use_labels || p->options->new_classes) return ALD_OK;
    ALD_TRY(target_measure(run, &p->response, 0, &v));
    if (v.distinct > 1) return ALD_OK;
    if (!p->schema) {
        *nothing = p->response.rows > 1 && p->task == ALD_TASK_AUTO;
        return ALD_OK;
    }
    ald_categories *known;
    ALD_TRY(
        ald_categories_match(run, p->response.columns[0], p->schema->classes, p->schema->n_classes, &known));
    *nothing = p->schema->kind == ALD_TARGET_CLASSES && ald_category_of(known, p->response.cells[0]) < 0;
    return ALD_OK;
}

ald_status ald_prepare_target(ald_run *run, ald_preparation *p)
{
    int nothing;
    ALD_TRY(labels_say_nothing(run, p, &nothing));
    if (nothing || (p->schema && p->response.n_unlabelled == p->response.rows)) {
        p->target_table = NULL;
        return ald_note(run, p,
                        nothing ? "no target: all rows have the same label" : "no target: no row has one");
    }
    if (p->response.n_unlabelled == p->response.rows)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: the target is empty in every row",
                        p->response.table->source);
    if (p->has_event) return take_survival(run, p);
    ALD_TRY(name_responses(run, p));
    if (p->schema) return decide_by_schema(run, p);
    if (p->task == ALD_TASK_AUTO) return decide_auto(run, p);
    if (p->task == ALD_TASK_CLASSIFICATION) return find_classes(run, p, "task classification");
    ALD_TRY(texts_to_numbers(run, p));
    return p->task == ALD_TASK_REGRESSION ? find_reals(run, p) : find_label_columns(run, p);
}
