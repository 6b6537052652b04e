#include "io/reading/reader.h"

#include "base/ranks/communicator.h"
#include "io/reading/kept.h"
#include "io/reading/like.h"
#include "io/reading/stream.h"
#include "io/table/transpose.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const ald_reader *const readers[] = {
    &ald_csv_reader,          &ald_tsv_reader,  &ald_npy_reader, &ald_svmlight_reader,
    &ald_matrixmarket_reader, &ald_arff_reader, &ald_mat_reader,
};

enum { n_readers = sizeof readers / sizeof *readers };

const ald_reader *ald_reader_at(int index)
{
    return index >= 0 && index < n_readers ? readers[index] : NULL;
}

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

/* Puts file, line and column in front of the message; the numbers stay in the error as well. */
static ald_status tell_where(ald_run *run, const char *source, ald_status status)
{
    ald_error *error = run->error;
    const long long line = (long long)error->line, column = (long long)error->column;
    char message[ALD_MESSAGE_SIZE], place[80] = "";
    memcpy(message, error->message, sizeof message);
    const size_t length = strlen(source);
    if (strncmp(message, source, length) == 0 && message[length] == ':') return status; /* told already */
    if (line && column)
        snprintf(place, sizeof place, "line %lld, column %lld: ", line, column);
    else if (line)
        snprintf(place, sizeof place, "line %lld: ", line);
    return ald_fail_at(error, status, line, column, "%s: %s%s", source, place, message);
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
    const struct {
        const char *option, *value;
        int fits;
        const char *format;
    } given[] = {
        {"`delimiter`", options->delimiter, text, "csv"},
        {"`header`", options->header, text, "csv"},
        {"`comment`", options->comment, text, "csv"},
        {"`decimal`", options->decimal, text, "csv"},
        {"`na`", options->na, text, "csv"},
        {"`thousands`", options->thousands, text, "csv"},
        {"`skip`", options->skip ? "" : NULL, text, "csv"},
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
    if (options->portion && ald_rank_count(run) > 1) return ald_read_portion(run, path, options, table);
    if (reader->read_path) return reader->read_path(run, path, options, table);
    ald_input *input;
    ALD_TRY(ald_input_open(run, path, &input));
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
    if (!is_model) return tell_where(run, table->source, status);
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "%s: this is a model file; a file with rows of data is expected in its place", path);
}

ald_status ald_table_read(ald_run *run, const char *path, const ald_load_options *options, ald_arena *arena,
                          ald_table *table)
{
    static const ald_load_options none;
    if (!options) options = &none;
    memset(table, 0, sizeof *table);
    table->arena = arena;
    table->keep_zeros = options->keep_zeros;
    table->source = strcmp(path, "-") == 0 ? "standard input" : path;
    const ald_reader *reader;
    ald_load_options whole;
    ALD_TRY(ald_reader_find(run, path, options->format, &reader));
    ALD_TRY(ald_options_like(run, options, &whole, table));
    if (!ald_reader_is_delimited(reader)) { /* what the model says of cells of a csv file */
        whole.na = options->na;
        whole.decimal = options->decimal;
    }
    const ald_status status = read_input(run, reader, path, &whole, table);
    return status < 0 && status != ALD_ERROR_CANCELLED ? explain(run, table, path, status) : status;
}
