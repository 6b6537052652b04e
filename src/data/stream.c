#include "data/stream.h"

#include "data/npy_header.h"

#include <stdio.h>
#include <string.h>

struct ald_stream {
    ald_arena memory; /* of what lives as long as the stream */
    const ald_reader *reader;
    const char *path;
    ald_load_options options; /* for the blocks after the first: the header is known then */
    ald_input *input;
    char *bytes; /* what was read and not yet handed out */
    size_t size, capacity;
    int at_end;
    int64_t lines; /* lines handed out so far */
    char *header;  /* csv: the line of the names with its end, before each block but the first; NULL: none */
    size_t header_size;
    int64_t header_lines;
    int started;
    size_t row_bytes; /* npy */
    int64_t rows_left;
    char npy_type[16];
};

static size_t block_bytes(const ald_stream *s)
{
    return s->options.block_bytes > 0 ? (size_t)s->options.block_bytes : (size_t)8 << 20;
}

static int is_delimited(const ald_stream *s)
{
    return s->reader == &ald_csv_reader || s->reader == &ald_tsv_reader;
}

/* Reads until there are `wanted` bytes or the file ends. */
static ald_status fill(ald_run *run, ald_stream *s, size_t wanted)
{
    if (wanted > s->capacity) {
        char *grown = ald_arena_resize(&s->memory, s->bytes, (int64_t)wanted, 1, 1);
        if (!grown) return ald_out_of_memory(run, (int64_t)wanted, 1, 1);
        s->bytes = grown;
        s->capacity = wanted;
    }
    while (s->size < wanted && !s->at_end) {
        size_t got;
        ALD_TRY(ald_input_read(run, s->input, s->bytes + s->size, wanted - s->size, &got));
        s->size += got;
        s->at_end = got == 0;
    }
    return ALD_OK;
}

static uint32_t little(const char *bytes, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint32_t)(unsigned char)bytes[i] << 8 * i;
    return value;
}

/* Takes the header of an NPY file off the front. */
static ald_status open_npy(ald_run *run, ald_stream *s)
{
    ald_npy_header header;
    char *text;
    ALD_TRY(fill(run, s, 12));
    if (s->size < 12 || memcmp(s->bytes, "\x93NUMPY", 6) != 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: this is no NPY file", s->path);
    const int wide = s->bytes[6] > 1;
    const size_t start = wide ? 12 : 10, length = little(s->bytes + 8, wide ? 4 : 2);
    if (length > 65536)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: the header of the NPY file is too long", s->path);
    ALD_TRY(fill(run, s, start + length));
    if (s->size < start + length)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: the NPY file ends in its header", s->path);
    text = ald_arena_text(&run->scratch, s->bytes + start, length);
    if (!text) return ald_out_of_memory(run, (int64_t)length, 1, 1);
    ALD_TRY(ald_npy_header_parse(run, text, length, &header));
    if (header.fortran && header.cols > 1)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s: an NPY file in Fortran order has no rows to stream; save it in C order", s->path);
    const char *descr = strstr(text, "descr"), *quote = descr ? strchr(descr + 6, ':') : NULL;
    quote = quote ? strpbrk(quote, "'\"") : NULL;
    if (!quote || sscanf(quote + 1, "%15[^'\"]", s->npy_type) != 1)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: the NPY header has no type", s->path);
    s->row_bytes = (size_t)header.cols * (size_t)header.type->size;
    s->rows_left = header.rows;
    s->size -= start + length;
    memmove(s->bytes, s->bytes + start + length, s->size);
    s->header_size = (size_t)header.cols; /* columns, for the headers of the blocks */
    return ALD_OK;
}

ald_status ald_stream_open(ald_run *run, const char *path, const ald_load_options *options, ald_stream **stream)
{
    ald_stream *s;
    *stream = NULL;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *s, &s));
    memset(s, 0, sizeof *s);
    ald_arena_init(&s->memory, &run->context->allocator);
    s->path = path;
    s->options = *options;
    ALD_TRY(ald_reader_find(run, path, options->format, &s->reader));
    if (!is_delimited(s) && s->reader != &ald_svmlight_reader && s->reader != &ald_npy_reader)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s: %s files cannot be streamed; csv, tsv, svmlight and npy can", path, s->reader->name);
    if (strcmp(path, "-") == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "standard input cannot be streamed: the file is read twice");
    ald_status status = ald_input_open(run, path, &s->input);
    if (status < 0) {
        char message[ALD_MESSAGE_SIZE];
        memcpy(message, run->error->message, sizeof message);
        return ald_fail(run->error, status, "%s: %s", path, message);
    }
    *stream = s;
    status = s->reader == &ald_npy_reader ? open_npy(run, s) : ALD_OK;
    if (status < 0) {
        ald_stream_close(s);
        *stream = NULL;
    }
    return status;
}

void ald_stream_close(ald_stream *stream)
{
    if (!stream) return;
    if (stream->input) ald_input_close(stream->input);
    stream->input = NULL;
    ald_arena_free(&stream->memory);
}

/* End of the last whole line in the bytes, quoted line ends not counted; 0: there is none. Also the number of lines up
 * to it. */
static size_t last_line_end(const ald_stream *s, int64_t *lines)
{
    size_t end = 0;
    int quoted = 0;
    int64_t count = 0;
    *lines = 0;
    for (size_t i = 0; i < s->size; i++) {
        if (s->bytes[i] == '"' && is_delimited(s)) quoted = !quoted;
        if (s->bytes[i] != '\n') continue;
        count++;
        if (quoted) continue;
        end = i + 1;
        *lines = count;
    }
    return end;
}

/* A table from bytes that are a file of their own, `before` lines of it standing before in the real one. */
static ald_status read_bytes(ald_run *run, ald_stream *s, const void *bytes, size_t size, int64_t before,
                             ald_arena *arena, ald_table *table)
{
    ald_input *input;
    memset(table, 0, sizeof *table);
    table->arena = arena;
    table->source = s->path;
    ALD_TRY(ald_input_memory(run, bytes, size, &input));
    const ald_status status = s->reader->read(run, input, &s->options, table);
    ald_input_close(input);
    if (status < 0 && status != ALD_ERROR_CANCELLED) {
        char message[ALD_MESSAGE_SIZE];
        const int64_t line = run->error->line > 0 ? run->error->line + before : 0;
        memcpy(message, run->error->message, sizeof message);
        if (line)
            return ald_fail_at(run->error, status, line, run->error->column, "%s: line %lld: %s", s->path,
                               (long long)line, message);
        return ald_fail(run->error, status, "%s: %s", s->path, message);
    }
    ALD_TRY(status);
    if (table->first_line > 0) table->first_line += before;
    for (int64_t i = 0; table->lines && i < table->rows; i++) table->lines[i] += before;
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        ald_column *c = &table->columns[j];
        int64_t *const lines[] = {&c->first_number_line, &c->first_text_line, &c->first_missing_line,
                                  &c->first_infinite_line};
        for (int k = 0; k < 4; k++)
            if (*lines[k] > 0) *lines[k] += before;
    }
    return ALD_OK;
}

/* Behind the line end that closes the record; those within quotes are counted in `lines` only. */
static const char *record_end(const char *at, const char *end, int quotes, int64_t *lines)
{
    int quoted = 0;
    for (*lines = 0; at < end; at++) {
        if (*at == '"' && quotes) quoted = !quoted;
        if (*at != '\n') continue;
        ++*lines;
        if (!quoted) return at + 1;
    }
    return end;
}

/* After the first block: whether its first line holds the names, and which line that is. */
static ald_status learn_header(ald_run *run, ald_stream *s, const char *bytes, size_t size, const ald_table *table)
{
    s->started = 1;
    if (!is_delimited(s)) return ALD_OK;
    int named = 0;
    for (int64_t j = 0; table->columns && j < table->cols; j++) named = named || table->columns[j].name;
    s->options.header = named ? "yes" : "no";
    if (!named) return ALD_OK;
    const char *at = bytes, *end = bytes + size, *stop;
    for (;; at = stop) { /* the first record that is neither blank nor a comment */
        const int comment = s->options.comment && *at == *s->options.comment;
        stop = record_end(at, end, !comment, &s->header_lines);
        if ((*at != '\n' && *at != '\r' && !comment) || stop == end) break;
    }
    s->header_size = (size_t)(stop - at);
    s->header = ald_arena_text(&s->memory, at, s->header_size);
    return s->header ? ALD_OK : ald_out_of_memory(run, (int64_t)s->header_size, 1, 1);
}

static ald_status next_lines(ald_run *run, ald_stream *s, ald_arena *arena, ald_table *table, int *got)
{
    size_t wanted = block_bytes(s), end;
    int64_t lines;
    do {
        ALD_TRY(fill(run, s, wanted));
        end = last_line_end(s, &lines);
        wanted *= 2;
    } while (end == 0 && !s->at_end);
    if (s->at_end) end = s->size;
    *got = 0;
    int blank = 1;
    for (size_t i = 0; i < end && blank; i++) blank = s->bytes[i] == '\n' || s->bytes[i] == '\r' || s->bytes[i] == ' ';
    if (end == 0 || blank) return ALD_OK;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const size_t front = s->header ? s->header_size : 0;
    char *bytes;
    ALD_TRY(ald_scratch(run, (int64_t)(front + end), 1, 1, &bytes));
    if (front) memcpy(bytes, s->header, front);
    memcpy(bytes + front, s->bytes, end);
    ALD_TRY(read_bytes(run, s, bytes, front + end, s->lines - (front ? s->header_lines : 0), arena, table));
    ald_arena_release(&run->scratch, mark);
    if (!s->started) ALD_TRY(learn_header(run, s, s->bytes, end, table));
    s->lines += lines;
    s->size -= end;
    memmove(s->bytes, s->bytes + end, s->size);
    *got = 1;
    return ALD_OK;
}

static ald_status next_npy(ald_run *run, ald_stream *s, ald_arena *arena, ald_table *table, int *got)
{
    const int64_t fit = (int64_t)(block_bytes(s) / (s->row_bytes ? s->row_bytes : 1)), most = fit > 0 ? fit : 1;
    const int64_t rows = s->rows_left < most ? s->rows_left : most;
    const size_t size = (size_t)rows * s->row_bytes;
    char header[160], *bytes;
    *got = 0;
    if (rows == 0) return ALD_OK;
    ALD_TRY(fill(run, s, size));
    if (s->size < size)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: the NPY file ends %zu bytes too early", s->path,
                        size - s->size);
    const int used =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%lld, %zu), }\n",
                 s->npy_type, (long long)rows, s->header_size);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch(run, (int64_t)size + used + 10, 1, 1, &bytes));
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (char)(used & 255);
    bytes[9] = (char)(used >> 8);
    memcpy(bytes + 10, header, (size_t)used);
    memcpy(bytes + 10 + used, s->bytes, size);
    ALD_TRY(read_bytes(run, s, bytes, size + (size_t)used + 10, 0, arena, table));
    ald_arena_release(&run->scratch, mark);
    s->rows_left -= rows;
    s->size -= size;
    memmove(s->bytes, s->bytes + size, s->size);
    *got = 1;
    return ALD_OK;
}

ald_status ald_stream_next(ald_run *run, ald_stream *s, ald_arena *arena, ald_table *table, int *got)
{
    return s->reader == &ald_npy_reader ? next_npy(run, s, arena, table, got) : next_lines(run, s, arena, table, got);
}
