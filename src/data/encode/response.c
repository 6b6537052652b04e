/* Target cells and weights are taken out of the table before its rows are rewritten as X. */
#include "base/numbers/number.h"
#include "data/encode/preparation.h"
#include "data/levels/categories.h"
#include "io/table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_status take_sparse(ald_run *run, const ald_table *table, const int64_t *columns, int64_t count,
                              double *cells)
{
    int64_t *place; /* 1 + place among the columns, 0: not taken */
    ALD_TRY(ald_scratch_clear(run, table->cols, 1, sizeof *place, &place));
    for (int64_t k = 0; k < count; k++) place[columns[k]] = k + 1;
    for (int64_t i = 0; i < table->rows; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)count));
        for (int64_t k = 0; k < count; k++) cells[i * count + k] = 0.0;
        for (int64_t e = table->pointers[i]; e < table->pointers[i + 1]; e++)
            if (place[table->indices[e]]) cells[i * count + place[table->indices[e]] - 1] = table->values[e];
    }
    ald_arena_drop(&run->scratch, place);
    return ALD_OK;
}

/* Copies columns to a row-major rows x count array. */
static ald_status take_columns(ald_run *run, const ald_table *table, const int64_t *columns, int64_t count,
                               double *cells)
{
    if (table->sparse) return take_sparse(run, table, columns, count, cells);
    for (int64_t i = 0; i < table->rows; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)count));
        for (int64_t k = 0; k < count; k++) cells[i * count + k] = table->cells[i * table->cols + columns[k]];
    }
    return ALD_OK;
}

/* An svmlight file whose rows have one label each: the labels as a column without a name. */
static ald_status take_labels(ald_run *run, const ald_table *table, double *cells)
{
    for (int64_t i = 0; i < table->rows; i++) {
        const int64_t count = table->label_pointers[i + 1] - table->label_pointers[i];
        const int labelled = !table->labelled || table->labelled[i];
        if (labelled && count != 1)
            return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, i), 0,
                               "%s: %s has %lld labels, but one is expected", table->source,
                               ald_row_place(table, i).text, (long long)count);
        cells[i] = labelled ? table->label_values[table->label_pointers[i]] : ald_cell_missing();
    }
    return ALD_OK;
}

static ald_status describe_columns(ald_run *run, ald_preparation *p)
{
    const ald_table *table = p->target_table;
    ald_response *response = &p->response;
    ALD_TRY(ald_scratch(run, response->count, 1, sizeof *response->columns, &response->columns));
    for (int64_t k = 0; k < response->count; k++) {
        if (!p->use_labels && table->columns) {
            response->columns[k] = &table->columns[p->targets[k]];
            continue;
        }
        ALD_TRY(ald_scratch(run, 1, 1, sizeof **response->columns, &response->columns[k]));
        *response->columns[k] =
            (ald_column){.n_numbers = table->rows, .position = p->use_labels ? 0 : p->targets[k] + 1};
    }
    return ALD_OK;
}

static int64_t count_absent(const ald_response *response, int64_t row)
{
    int64_t absent = 0;
    for (int64_t k = 0; k < response->count; k++)
        absent += ald_cell_is_missing(response->cells[row * response->count + k]);
    return absent;
}

static ald_status fail_partly_empty(ald_run *run, const ald_preparation *p, int64_t row)
{
    const ald_response *response = &p->response;
    int64_t k = 0, earlier = 0;
    while (!ald_cell_is_missing(response->cells[row * response->count + k])) k++;
    for (int64_t i = 0; i < row; i++)
        earlier += ald_cell_is_missing(response->cells[i * response->count + k]);
    const int64_t line =
        earlier ? ald_table_line(response->table, row) : response->columns[k]->first_missing_line;
    return ald_fail_at(run->error, ALD_ERROR_DATA, line, response->columns[k]->position,
                       "%s: %s has no value, but other target cells of the row have one: fill it in, or "
                       "empty all of them to leave the row unlabelled",
                       response->table->source,
                       ald_cell_place(response->table, row, p->targets[k], line).text);
}

static ald_status find_unlabelled(ald_run *run, ald_preparation *p)
{
    ald_response *response = &p->response;
    ald_arena *memory = &p->dataset->memory;
    ALD_TRY(ald_get(run, memory, response->rows, 1, 1, &response->labelled));
    for (int64_t i = 0; i < response->rows; i++) {
        const int64_t absent = count_absent(response, i);
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)response->count));
        if (absent > 0 && absent < response->count) return fail_partly_empty(run, p, i);
        response->labelled[i] = absent == 0;
        response->n_unlabelled += absent > 0;
    }
    if (response->n_unlabelled > 0) return ALD_OK;
    ald_arena_drop(memory, response->labelled);
    response->labelled = NULL;
    return ALD_OK;
}

ald_status ald_prepare_response(ald_run *run, ald_preparation *p)
{
    const ald_table *table = p->target_table;
    ald_response *response = &p->response;
    response->rows = p->table->rows;
    response->table = table;
    response->count = p->use_labels ? 1 : p->n_targets;
    ALD_TRY(ald_get(run, &p->dataset->memory, response->rows, response->count, sizeof *response->cells,
                    &response->cells));
    ALD_TRY(p->use_labels ? take_labels(run, table, response->cells)
                          : take_columns(run, table, p->targets, p->n_targets, response->cells));
    ALD_TRY(describe_columns(run, p));
    return find_unlabelled(run, p);
}

void ald_response_compress(ald_response *response, const unsigned char *dropped)
{
    if (!dropped) return;
    const int64_t count = response->count;
    int64_t kept = 0;
    response->n_unlabelled = 0;
    for (int64_t i = 0; i < response->rows; i++) {
        if (dropped[i]) continue;
        if (count > 0)
            memmove(response->cells + kept * count, response->cells + i * count,
                    (size_t)count * sizeof *response->cells);
        if (response->labelled) response->n_unlabelled += !(response->labelled[kept] = response->labelled[i]);
        kept++;
    }
    response->rows = kept;
    if (response->n_unlabelled == 0) response->labelled = NULL;
}

static ald_status fail_not_an_event(ald_run *run, const ald_preparation *p, int64_t i)
{
    const int64_t row = ald_kept_row(p, i);
    char value[ALD_REAL_TEXT_SIZE];
    ald_format_real(p->response.cells[2 * i + 1], value);
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, ald_table_line(p->response.table, row), p->response.columns[1]->position,
        "%s: `event`: %s is %s, but 1 (the event came) or 0 (censored) is expected",
        p->response.table->source, ald_cell_place(p->response.table, row, p->targets[1], 0).text, value);
}

ald_status ald_take_events(ald_run *run, ald_preparation *p, unsigned char **events, char *what, size_t size)
{
    ald_response *response = &p->response;
    int64_t deaths = 0;
    ALD_TRY(ald_get(run, &p->dataset->memory, response->rows, 1, 1, events));
    for (int64_t i = 0; i < response->rows; i++) {
        const double event = response->cells[2 * i + 1];
        const int none = response->labelled && !response->labelled[i];
        if (!none && event != 0.0 && event != 1.0) return fail_not_an_event(run, p, i);
        (*events)[i] = !none && event > 0.0;
        deaths += (*events)[i];
        response->cells[i] = response->cells[2 * i];
    }
    response->count = 1;
    snprintf(what, size, "times, with %lld events in %lld rows", (long long)deaths,
             (long long)response->rows);
    return ALD_OK;
}

static ald_status check_weight(ald_run *run, const ald_preparation *p, int64_t row, double weight)
{
    if (weight >= 0.0 && isfinite(weight)) return ALD_OK;
    char buffer[40];
    const ald_column unnamed = {0};
    const ald_table *table = p->table;
    const ald_column *column = table->columns ? &table->columns[p->weights] : &unnamed;
    const char *shown =
        ald_cell_is_missing(weight) ? "empty" : ald_cell_shown(column, weight, buffer, sizeof buffer);
    return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, row), column->position,
                       "%s: `weights`: %s is %.60s, but a number of 0 or more is expected", table->source,
                       ald_cell_place(table, row, p->weights, 0).text, shown);
}

ald_status ald_prepare_weights(ald_run *run, ald_preparation *p)
{
    if (p->weights < 0) return ALD_OK;
    const int64_t rows = p->table->rows;
    const int survey =
        p->table->partial && !p->schema; /* the blocks are checked, where the rows have their numbers */
    double *weights = ald_arena_get(&p->dataset->memory, rows, 1, sizeof *weights);
    if (!weights) return ald_out_of_memory(run, rows, 1, sizeof *weights);
    ALD_TRY(take_columns(run, p->table, &p->weights, 1, weights));
    int64_t kept = 0;
    double sum = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        if (p->dropped && p->dropped[i]) continue;
        if (!survey) ALD_TRY(check_weight(run, p, i, weights[i]));
        sum += weights[i];
        weights[kept++] = weights[i];
    }
    if (!(sum > 0.0) && !p->table->partial)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: `weights`: %s is zero in every row",
                        p->table->source, ald_column_label(p->table, p->weights).text);
    p->dataset->target.weights = weights;
    return ALD_OK;
}
