/* The table of formats, reading by it, columns kept as texts, and files read like that of a model. */
#include "io/reading/reader.h"

#include "base/core/json.h"
#include "base/numbers/number.h"
#include "io/reading/stream.h"
#include "io/table/columns.h"
#include "io/table/csr.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const ald_reader *const readers[] = {
    &ald_csv_reader,      &ald_tsv_reader,          &ald_xlsx_reader, &ald_npy_reader,
    &ald_svmlight_reader, &ald_matrixmarket_reader, &ald_arff_reader, &ald_mat_reader,
};

enum { n_readers = sizeof readers / sizeof *readers };

static int ends_with(const char *text, size_t length, const char *ending)
{
    const size_t size = strlen(ending);
    return length >= size && strncasecmp(text + length - size, ending, size) == 0;
}

static int has_ending(const ald_reader *reader, const char *path, size_t length)
{
    for (const char *const *ending = reader->endings; *ending; ending++)
        if (ends_with(path, length, *ending)) return 1;
    return 0;
}

const ald_reader *ald_reader_by_ending(const char *path)
{
    size_t length = strlen(path);
    if (ends_with(path, length, ".gz")) length -= 3;
    for (int i = 0; i < n_readers; i++)
        if (has_ending(readers[i], path, length)) return readers[i];
    return NULL;
}

static ald_status fail_unknown(ald_run *run, const char *format)
{
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; i < n_readers; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", readers[i]->name);
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "unknown data format '%s'; there are %s", format, names);
}

ald_status ald_reader_find(ald_run *run, const char *path, const char *format, const ald_reader **reader)
{
    *reader = format ? NULL : ald_reader_by_ending(path);
    if (!format && !*reader) *reader = &ald_csv_reader;
    for (int i = 0; format && i < n_readers; i++)
        if (strcasecmp(readers[i]->name, format) == 0) *reader = readers[i];
    return *reader ? ALD_OK : fail_unknown(run, format);
}

int ald_reader_is_delimited(const ald_reader *reader)
{
    return reader == &ald_csv_reader || reader == &ald_tsv_reader;
}

/* What a format has no use for was meant for another file, or is a slip: it is not passed over in silence.
 * With a second file the options for text may be for that one. */
static ald_status refuse_foreign(ald_run *run, const ald_reader *reader, const ald_load_options *options)
{
    const int text = ald_reader_is_delimited(reader) || options->target_file, mat = reader == &ald_mat_reader;
    const int cells = text || reader->is_sheet;
    const struct {
        const char *option, *value;
        int fits;
        const char *format;
    } given[] = {
        {"`delimiter`", options->delimiter, text, "csv"},
        {"`header`", options->header, cells, "csv"},
        {"`comment`", options->comment, text, "csv"},
        {"`decimal`", options->decimal, text, "csv"},
        {"`na`", options->na, cells, "csv"},
        {"`thousands`", options->thousands, text, "csv"},
        {"`skip`", options->skip ? "" : NULL, cells, "csv"},
        {"`sheet`", options->sheet, reader->is_sheet, "xlsx"},
        {"`x_variable`", options->x_variable, mat, "mat"},
        {"`y_variable`", options->y_variable, mat, "mat"},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value && !given[i].fits)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s is for %s files, but this one is read as %s",
                            given[i].option, given[i].format, reader->name);
    return ALD_OK;
}

/* The csv reader has done it: it knows how cells were written. */
static ald_status keep_columns(ald_run *run, const ald_load_options *options, ald_table *table)
{
    if (!table->kept) ALD_TRY(ald_kept_choose(run, options, table));
    return ald_kept_fill(run, table);
}

static ald_status read_cells(ald_run *run, const ald_reader *reader, const char *path,
                             const ald_load_options *options, ald_table *table)
{
    if (table->portion) return ald_read_portion(run, path, options, table);
    if (reader->read_path) return reader->read_path(run, path, options, table);
    ald_input *input;
    ALD_TRY(ald_input_open(run, path, &input));
    ald_input_set_longest(input, options->max_line);
    const ald_status status = reader->read(run, input, options, table);
    ald_input_close(input);
    return status;
}

/* Options about columns are about those that the table has once it is turned round. */
static ald_status read_turned(ald_run *run, const ald_reader *reader, const char *path,
                              const ald_load_options *options, ald_table *table)
{
    ald_load_options plain = *options;
    const int64_t n_known_ids = table->n_known_ids;
    plain.id = plain.keep = plain.categorical = NULL;
    table->n_known_ids = 0;
    ALD_TRY(read_cells(run, reader, path, &plain, table));
    ALD_TRY(ald_table_transpose(run, table));
    table->n_known_ids = n_known_ids;
    return ALD_OK;
}

static ald_status read_input(ald_run *run, const ald_reader *reader, const char *path,
                             const ald_load_options *options, ald_table *table)
{
    ALD_TRY(refuse_foreign(run, reader, options));
    ALD_TRY(options->transpose ? read_turned(run, reader, path, options, table)
                               : read_cells(run, reader, path, options, table));
    return keep_columns(run, options, table);
}

/* A model is given where data are expected: its own kind of error, whatever the reader found first. */
static int is_model_file(ald_run *run, const char *path)
{
    static const char start[] = "{\"__metadata__\":{\"alidade.";
    char bytes[8 + sizeof start - 1]; /* behind the length of the header */
    ald_input *input;
    size_t got = 0;
    if (strcmp(path, "-") == 0 || ald_input_open(run, path, &input) < 0) return 0;
    const ald_status status = ald_input_read(run, input, bytes, sizeof bytes, &got);
    ald_input_close(input);
    return status >= 0 && got == sizeof bytes && memcmp(bytes + 8, start, sizeof start - 1) == 0;
}

static ald_status explain(ald_run *run, const ald_table *table, const char *path, ald_status status)
{
    ald_error found = *run->error;
    const int is_model = status == ALD_ERROR_FORMAT && is_model_file(run, path);
    *run->error = found;
    if (!is_model) return ald_fail_in(run->error, status, table->source);
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "%s: this is a model file; a file with rows of data is expected in its place", path);
}

ald_status ald_table_read(ald_run *run, const char *path, const ald_load_options *options, ald_arena *arena,
                          ald_table *table)
{
    static const ald_load_options none;
    return ald_table_read_portion(run, path, options ? options : &none, NULL, arena, table);
}

ald_status ald_table_read_portion(ald_run *run, const char *path, const ald_load_options *options,
                                  const ald_portion *portion, ald_arena *arena, ald_table *table)
{
    memset(table, 0, sizeof *table);
    table->portion = portion;
    table->arena = arena;
    table->keep_zeros = options->keep_zeros;
    table->source = strcmp(path, "-") == 0 ? "standard input" : path;
    const ald_reader *reader;
    ald_load_options whole;
    ALD_TRY(ald_reader_find(run, path, options->format, &reader));
    ALD_TRY(ald_options_like(run, options, &whole, table));
    if (!ald_reader_is_delimited(reader)) { /* what the model says of cells of a csv file */
        if (!reader->is_sheet) whole.na = options->na;
        whole.decimal = options->decimal;
        whole.thousands = options->thousands;
    }
    const ald_status status = read_input(run, reader, path, &whole, table);
    return status < 0 && status != ALD_ERROR_CANCELLED ? explain(run, table, path, status) : status;
}

/* The columns of a list in its order, behind those that are there. */
static ald_status keep_list(ald_run *run, ald_table *table, const char *list, const char *option, int is_id)
{
    int64_t *rank;
    int64_t count;
    if (!list) return ALD_OK;
    ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *rank, &rank));
    ALD_TRY(ald_columns_choose(run, table, list, option, rank, &count));
    for (int64_t j = 0; j < table->cols; j++)
        if (rank[j])
            table->kept[table->n_kept + rank[j] - 1] = (ald_kept_column){.column = j, .is_id = is_id};
    table->n_kept += count;
    ald_arena_drop(&run->scratch, rank);
    return ALD_OK;
}

/* By name; by position where nothing has a name and the file has the layout of the model's. */
static int64_t find_known(const ald_table *table, const ald_known_id *id)
{
    int named = 0;
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        const char *name = table->columns[j].name;
        if (name && id->name && strcmp(name, id->name) == 0) return j;
        named |= name != NULL;
    }
    return !named && table->cols == table->known_columns && id->position >= 1 && id->position <= table->cols
               ? id->position - 1
               : -1;
}

/* A column that is listed twice is kept once. */
static void drop_repeated(ald_table *table)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < table->n_kept; k++) {
        int64_t earlier = 0;
        while (earlier < kept && table->kept[earlier].column != table->kept[k].column) earlier++;
        if (earlier == kept) table->kept[kept++] = table->kept[k];
    }
    table->n_kept = kept;
}

ald_status ald_kept_choose(ald_run *run, const ald_load_options *options, ald_table *table)
{
    if (!options->id && !options->keep && table->n_known_ids == 0 && !table->id_column) return ALD_OK;
    if (table->cols > INT64_MAX / 4) return ald_out_of_memory(run, table->cols, 2, sizeof *table->kept);
    const int64_t room = 2 * table->cols + table->n_known_ids + 1;
    ALD_TRY(ald_get(run, table->arena, room, 1, sizeof *table->kept, &table->kept));
    if (table->id_column)
        table->kept[table->n_kept++] = (ald_kept_column){.column = table->id_column - 1, .is_id = 1};
    for (int64_t k = 0; k < table->n_known_ids; k++) {
        const int64_t column = find_known(table, &table->known_ids[k]);
        if (column >= 0) table->kept[table->n_kept++] = (ald_kept_column){.column = column, .is_id = 1};
    }
    ALD_TRY(keep_list(run, table, options->id, "`id`", 1));
    ALD_TRY(keep_list(run, table, options->keep, "`keep`", 0));
    drop_repeated(table);
    return ALD_OK;
}

static ald_status cell_as_text(ald_run *run, const ald_table *table, int64_t row, int64_t column, char **text)
{
    const double cell = table->cells[row * table->cols + column];
    char number[ALD_REAL_TEXT_SIZE] = "";
    const char *shown = number;
    int64_t level;
    if (ald_cell_is_text(cell, &level) && table->columns && level < table->columns[column].n_levels)
        shown = table->columns[column].levels[level];
    else if (!ald_cell_is_missing(cell))
        ald_format_real(cell, number);
    return ald_keep_text(run, table->arena, shown, strlen(shown), text);
}

ald_status ald_kept_fill(ald_run *run, ald_table *table)
{
    if (table->n_kept > 0 && table->sparse)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "%s is sparse: its columns are numbers and cannot name rows: leave out `id` and `keep`",
            table->source);
    for (int64_t k = 0; k < table->n_kept; k++) {
        ald_kept_column *kept = &table->kept[k];
        if (kept->texts) continue;
        ALD_TRY(ald_get(run, table->arena, table->rows, 1, sizeof *kept->texts, &kept->texts));
        for (int64_t i = 0; i < table->rows; i++)
            ALD_TRY(cell_as_text(run, table, i, kept->column, &kept->texts[i]));
    }
    return ALD_OK;
}

static ald_status keep_text(ald_run *run, const json_t *value, const char **text)
{
    const char *given = json_string_value(value);
    char *kept = NULL;
    if (given) ALD_TRY(ald_keep_text(run, &run->scratch, given, strlen(given), &kept));
    *text = kept;
    return ALD_OK;
}

/* Rows that are to be fitted need no names. */
static ald_status take_ids(ald_run *run, const json_t *root, const ald_load_options *options,
                           ald_table *table)
{
    const json_t *list = json_object_get(root, "ids");
    ald_known_id *ids;
    if (options->id || options->with_weights || json_array_size(list) == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, (int64_t)json_array_size(list), 1, sizeof *ids, &ids));
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *column = json_array_get(list, k);
        ALD_TRY(keep_text(run, json_object_get(column, "name"), &ids[k].name));
        ids[k].position = json_integer_value(json_object_get(column, "position"));
    }
    table->known_ids = ids;
    table->n_known_ids = (int64_t)json_array_size(list);
    table->known_columns = json_integer_value(json_object_get(root, "columns"));
    return ALD_OK;
}

/* What was given for the file of the model and not for this one. */
static ald_status take_manner(ald_run *run, const json_t *reading, ald_load_options *whole)
{
    if (!whole->na) ALD_TRY(keep_text(run, json_object_get(reading, "na"), &whole->na));
    if (!whole->decimal) ALD_TRY(keep_text(run, json_object_get(reading, "decimal"), &whole->decimal));
    if (!whole->thousands) ALD_TRY(keep_text(run, json_object_get(reading, "thousands"), &whole->thousands));
    if (json_is_true(json_object_get(reading, "transpose"))) whole->transpose = 1;
    return ALD_OK;
}

ald_status ald_options_like(ald_run *run, const ald_load_options *options, ald_load_options *whole,
                            ald_table *table)
{
    const char *text = options->like ? ald_model_text(options->like, "alidade.schema") : NULL;
    json_t *root;
    *whole = *options;
    if (!text) return ALD_OK;
    ALD_TRY(ald_json_parse(run, text, strlen(text), "the schema of the model is damaged", &root));
    ald_status status = take_ids(run, root, options, table);
    if (status >= 0) status = take_manner(run, json_object_get(root, "reading"), whole);
    json_decref(root);
    return status;
}
