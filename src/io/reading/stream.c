/* A file cut into blocks of whole rows, and the blocks parsed. */
#include "io/reading/stream.h"

#include "io/reading/stream_files.h"

#include <string.h>

/* A block that stays in cache while it is worked on, but of no fewer than some hundred rows: with wide rows
 * the work on the squares of their width must not be done for a few rows only. */
enum { usual_block = 2 << 20, largest_block = 64 << 20, fewest_rows = 512 };
/* With a card: the sums of a block take the square of its width to fetch, so a block has many rows. */
enum { card_block = 16 << 20, largest_card_block = 128 << 20, card_rows = 16384 };

uint64_t ald_stream_kind(const ald_run *run)
{
    return run->context->device != NULL;
}

static size_t block_bytes(const ald_run *run, const ald_stream *s, double row_bytes)
{
    const int card = ald_stream_kind(run) != 0;
    const size_t usual = card ? card_block : usual_block, largest = card ? largest_card_block : largest_block;
    if (s->options.block_bytes > 0) return (size_t)s->options.block_bytes;
    const double rows = (card ? card_rows : fewest_rows) * row_bytes;
    if (rows < (double)usual) return usual;
    return rows > (double)largest ? largest : (size_t)rows;
}

/* The message of a failure with the file's name in front. */
ald_status ald_stream_name_file(ald_run *run, const ald_stream *s, ald_status status)
{
    if (status >= 0 || status == ALD_ERROR_CANCELLED) return status;
    return ald_fail_in(run->error, status, s->path);
}

/* Reads until there are `wanted` bytes or the file ends. */
ald_status ald_stream_fill(ald_run *run, ald_stream *s, size_t wanted)
{
    if (wanted > s->capacity) {
        ALD_TRY(ald_resize(run, &s->memory, &s->bytes, (int64_t)wanted, 1, 1));
        s->capacity = wanted;
    }
    while (s->size < wanted && !s->at_end) {
        size_t got;
        ALD_TRY(ald_stream_name_file(
            run, s, ald_input_read(run, s->input, s->bytes + s->size, wanted - s->size, &got)));
        s->size += got;
        s->at_end = got == 0;
    }
    return ALD_OK;
}

static ald_status open_npy(ald_run *run, ald_stream *s)
{
    ald_npy_header *header = &s->npy;
    ALD_TRY(ald_npy_read_header(run, s->input, header));
    if (header->fortran && header->cols > 1)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "an NPY file in Fortran order has no rows to stream; save it in C order");
    s->row_bytes = (size_t)header->cols * (size_t)header->type->size;
    s->rows_left = header->rows;
    s->data = ald_input_place(s->input);
    s->block = block_bytes(run, s, (double)header->cols * (double)sizeof(double));
    if (s->options.block_bytes <= 0) s->block = s->block / sizeof(double) * (size_t)header->type->size;
    return ALD_OK;
}

void ald_stream_pass_over(ald_stream *s, size_t end, int64_t lines)
{
    s->lines += lines;
    s->place += (int64_t)end;
    s->size -= end;
    memmove(s->bytes, s->bytes + end, s->size);
}

/* So many bytes behind so many lines are a part of a line. */
static ald_status check_line(ald_run *run, const ald_stream *s, size_t bytes, int64_t lines)
{
    return ald_stream_name_file(run, s,
                                ald_check_line(run, s->options.max_line, bytes, s->lines + lines + 1));
}

/* Drops the lines before the table. */
static ald_status skip_lines(ald_run *run, ald_stream *s)
{
    const char *stop = NULL;
    for (; s->options.skip > 0; s->options.skip--) {
        size_t wanted = usual_block;
        do {
            ALD_TRY(ald_stream_fill(run, s, wanted));
            stop = s->size ? memchr(s->bytes, '\n', s->size) : NULL;
            if (!stop) ALD_TRY(check_line(run, s, s->size, 0));
            wanted *= 2;
        } while (!stop && !s->at_end);
        ald_stream_pass_over(s, stop ? (size_t)(stop + 1 - s->bytes) : s->size, 1);
    }
    return ALD_OK;
}

/* The size of a byte order mark before the record at `start`, where that begins the file; else 0. */
static size_t mark_before(const ald_stream *s, const char *start)
{
    return start == s->bytes && s->place == 0 ? ald_mark_size(s->bytes, s->size) : 0;
}

/* By the first bytes of the first file; that of all blocks then. */
static ald_status find_delimiter(ald_run *run, ald_stream *s)
{
    if (!s->reader->delimiter || s->records.delimited) return ALD_OK;
    ALD_TRY(ald_stream_fill(run, s, ald_sample_bytes));
    const size_t mark = mark_before(s, s->bytes);
    const char *bytes = s->size ? s->bytes + mark : "";
    ALD_TRY(ald_stream_name_file(
        run, s, s->reader->delimiter(run, &s->options, bytes, s->size - mark, s->at_end, s->delimiter)));
    s->options.delimiter = s->delimiter;
    s->records = (ald_record_manner){1, *s->delimiter, s->options.comment ? *s->options.comment : '\0'};
    return ALD_OK;
}

ald_status ald_stream_begin(ald_run *run, ald_stream *s)
{
    if (s->reader == &ald_npy_reader) return ald_stream_name_file(run, s, open_npy(run, s));
    ALD_TRY(skip_lines(run, s));
    return find_delimiter(run, s);
}

static ald_status open_whole(ald_run *run, const char *path, const ald_load_options *options,
                             ald_stream **stream)
{
    ald_stream *s;
    *stream = NULL;
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof *s, &s));
    ald_arena_init(&s->memory, run->scratch.allocator);
    s->path = path;
    s->options = *options;
    ALD_TRY(ald_reader_find(run, path, options->format, &s->reader));
    if (!ald_reader_is_delimited(s->reader) && s->reader != &ald_svmlight_reader &&
        s->reader != &ald_npy_reader)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s: %s files cannot be streamed; csv, tsv, svmlight and npy can", path,
                        s->reader->name);
    if (options->transpose)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s: a file with rows as columns (`transpose`) cannot be streamed: transpose it "
                        "first (`ald_convert`)",
                        path);
    if (strcmp(path, "-") == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "standard input cannot be streamed: the file is read twice");
    s->block = block_bytes(run, s, 0.0);
    s->skip = options->skip;
    ALD_TRY(ald_file_list_find(run, path, &s->files));
    if (s->files) s->path = s->files->paths[0];
    s->end_file = s->files ? s->files->count : 1;
    ALD_TRY(ald_stream_name_file(run, s, ald_input_open(run, s->path, &s->input)));
    *stream = s;
    const ald_status status = ald_stream_begin(run, s);
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

ald_file_mark ald_stream_mark(const ald_stream *stream)
{
    return stream->files ? ald_file_list_mark(stream->files) : ald_input_mark(stream->input);
}

/* The same where nothing is quoted: a search from behind, and a count that takes many bytes at a time. */
static size_t last_plain_end(const ald_stream *s, size_t size, int64_t *lines)
{
    size_t end = size;
    int64_t count = 0;
    while (end > 0 && s->bytes[end - 1] != '\n') end--;
    for (size_t i = 0; i < end; i++) count += s->bytes[i] == '\n';
    *lines = count;
    return end;
}

/* Behind the record that begins at `start`; *whole: its end was found, and not only the end of the bytes. */
static const char *record_end(const ald_stream *s, const char *start, const char *end, int64_t *lines,
                              int *whole)
{
    ald_record_state state = ALD_AT_RECORD;
    *whole = 1;
    *lines = 0;
    for (const char *at = start + mark_before(s, start); at < end; at++) {
        state = ald_record_step(&s->records, state, *at);
        *lines += *at == '\n';
        const int alone = s->records.delimited && *at == '\r' && at + 1 < end && at[1] != '\n';
        if (state == ALD_AT_RECORD && (*at == '\n' || alone)) return at + 1;
    }
    *whole = 0;
    return end;
}

/* The line feeds on the way, those within quotes among them, are counted in `lines`. A carriage return alone
 * ends a line of a table with delimiters, as csv_scan.c has it; in svmlight it is a blank. */
const char *ald_record_end(const ald_stream *s, const char *at, const char *end, int64_t *lines)
{
    int whole;
    return record_end(s, at, end, lines, &whole);
}

/* End of the last whole line in the first `size` bytes, quoted line ends not counted; 0: there is none. Also
 * the number of lines up to it. */
static size_t last_line_end(const ald_stream *s, size_t size, int64_t *lines)
{
    if (size == 0 || !s->records.delimited || !memchr(s->bytes, '"', size))
        return last_plain_end(s, size, lines);
    const char *at = s->bytes, *stop = s->bytes + size;
    size_t end = 0;
    int64_t count = 0, more;
    *lines = 0;
    for (int whole = 1; whole && at < stop;) {
        at = record_end(s, at, stop, &more, &whole);
        count += more;
        if (!whole || at[-1] != '\n') continue;
        end = (size_t)(at - s->bytes);
        *lines = count;
    }
    return end;
}

/* A table from bytes that are a file of their own. */
static ald_status read_bytes(ald_run *run, const ald_stream *s, const ald_cut *cut, ald_table *table)
{
    const int64_t before = cut->lines_before;
    ald_input *input;
    ALD_TRY(ald_input_memory(run, cut->bytes, cut->size, &input));
    const ald_status status = s->reader->read(run, input, &s->options, table);
    ald_input_close(input);
    if (run->error->line > 0 && status < 0) run->error->line += before;
    if (status < 0 && status != ALD_ERROR_CANCELLED) return ald_fail_in(run->error, status, cut->path);
    ALD_TRY(status);
    if (table->first_line > 0) table->first_line += before;
    for (int64_t i = 0; table->lines && i < table->rows; i++) table->lines[i] += before;
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        ald_column *c = &table->columns[j];
        int64_t *const lines[] = {
            &c->first_number_line,
            &c->first_text_line,
            &c->first_missing_line,
            &c->first_infinite_line,
        };
        for (int k = 0; k < 4; k++)
            if (*lines[k] > 0) *lines[k] += before;
    }
    return ALD_OK;
}

int ald_record_is_blank(const ald_stream *s, const char *at, const char *end)
{
    if (ald_reader_is_delimited(s->reader)) return *at == '\n' || *at == '\r';
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at == end || *at == '\n';
}

/* It will stand at the beginning of blocks: what only looks like a byte order mark comes behind an empty line
 * there. */
static ald_status keep_header(ald_run *run, ald_stream *s, const char *names, size_t size)
{
    const size_t front = ald_mark_size(names, size) > 0;
    s->header_size = size + front;
    s->header_lines += (int64_t)front;
    ALD_TRY(ald_get(run, &s->memory, (int64_t)s->header_size, 1, 1, &s->header));
    if (front) *s->header = '\n';
    memcpy(s->header + front, names, size);
    return ALD_OK;
}

/* After the first block: how long rows are, whether its first line holds the names, and which line that is.
 */
static ald_status learn_header(ald_run *run, ald_stream *s, const char *bytes, size_t size,
                               const ald_table *table)
{
    s->started = 1;
    s->block = block_bytes(run, s, table->rows > 0 ? (double)size / (double)table->rows : 0.0);
    if (!ald_reader_is_delimited(s->reader)) return ALD_OK;
    const int named = ald_table_is_named(table);
    s->options.header = named ? "yes" : "no";
    s->options.decimal = table->decimal_comma ? "comma" : "point";
    if (!named) return ALD_OK;
    const char *at = bytes + ald_mark_size(bytes, size), *end = bytes + size, *stop;
    for (;; at = stop) { /* the first record that is neither blank nor a comment */
        const int passed = ald_record_is_blank(s, at, end) || ald_stream_begins_comment(s, *at);
        stop = ald_record_end(s, at, end, &s->header_lines);
        if (!passed || stop == end) break;
    }
    s->head_size = stop - bytes;
    for (const char *c = bytes; c < stop; c++) s->head_lines += *c == '\n';
    return keep_header(run, s, at, (size_t)(stop - at));
}

static int is_blank(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != ' ') return 0;
    return 1;
}

int ald_stream_begins_comment(const ald_stream *s, char first)
{
    if (s->reader == &ald_svmlight_reader) return first == '#';
    return s->options.comment && first == *s->options.comment;
}

/* Records that are neither blank nor a comment in the first bytes, counted up to `most`. */
static int count_records(const ald_stream *s, size_t size, int most)
{
    const char *at = s->bytes, *end = s->bytes + size;
    int count = 0;
    int64_t lines;
    while (at < end && count < most) {
        count += !ald_record_is_blank(s, at, end) && !ald_stream_begins_comment(s, *at);
        at = ald_record_end(s, at, end, &lines);
    }
    return count;
}

/* A block ends behind a row. The first one has some rows besides the names, however long they are: it tells
 * what the columns hold. */
static int is_enough(const ald_stream *s, size_t end, int all)
{
    enum { first_records = 3 };
    if (all) return 1;
    return end > 0 && (s->started || count_records(s, end, first_records) == first_records);
}

/* Reads until the first `end` bytes, so many lines, are enough for a block; *all: the file has no others. */
static ald_status fill_block(ald_run *run, ald_stream *s, size_t *end, int64_t *lines, int *all)
{
    size_t wanted = s->block;
    do {
        ALD_TRY(ald_stream_fill(run, s, wanted));
        const size_t size = s->size < wanted ? s->size : wanted;
        *all = s->at_end && size == s->size;
        *end = last_line_end(s, size, lines);
        ALD_TRY(check_line(run, s, size - *end, *lines));
        wanted *= 2;
    } while (!is_enough(s, *end, *all));
    if (*all) *end = s->size;
    return ALD_OK;
}

/* What stands before a block: the names; or an empty line, so that a byte order mark inside of the file,
 * which belongs to a row there, is not taken as the one of its beginning. */
static const char *put_before(const ald_stream *s, size_t end, int64_t *lines)
{
    *lines = s->header ? s->header_lines : 0;
    if (s->header) return s->header;
    if (!s->started || s->place == 0 || !ald_mark_size(s->bytes, end)) return "";
    *lines = 1;
    return "\n";
}

/* Blocks of blank lines and comments are passed over: the next one may have rows again. */
static ald_status cut_lines(ald_run *run, ald_stream *s, ald_cut *cut)
{
    size_t end;
    int64_t lines;
    for (int all;;) {
        ALD_TRY(fill_block(run, s, &end, &lines, &all));
        if (!is_blank(s->bytes, end) && (!s->started || count_records(s, end, 1) > 0)) break;
        if (all) return ALD_OK;
        ald_stream_pass_over(s, end, lines);
    }
    int64_t front_lines;
    const char *front = put_before(s, end, &front_lines);
    const size_t size = front == s->header ? s->header_size : strlen(front);
    ALD_TRY(ald_get(run, cut->arena, (int64_t)(size + end), 1, 1, &cut->bytes));
    if (size) memcpy(cut->bytes, front, size);
    memcpy(cut->bytes + size, s->bytes, end);
    cut->size = size + end;
    cut->lines_before = s->lines - front_lines;
    ald_stream_pass_over(s, end, lines);
    return ALD_OK;
}

ald_status ald_stream_cut(ald_run *run, ald_stream *s, ald_arena *arena, ald_cut *cut)
{
    memset(cut, 0, sizeof *cut);
    cut->arena = arena;
    for (;;) {
        ALD_TRY(s->reader == &ald_npy_reader ? ald_stream_cut_rows(run, s, cut) : cut_lines(run, s, cut));
        cut->path = s->path;
        cut->after = ald_stream_tell(s);
        if (cut->bytes || !s->files || s->file + 1 >= s->end_file) return ALD_OK;
        ALD_TRY(ald_stream_next_file(run, s));
    }
}

ald_status ald_stream_parse_into(ald_run *run, ald_stream *s, ald_cut *cut, ald_table *table)
{
    if (s->reader == &ald_npy_reader) {
        table->rows = cut->rows;
        table->cols = s->npy.cols;
        table->rows_before = cut->rows_before;
        return ald_npy_take_rows(run, &s->npy, cut->cells, table);
    }
    ALD_TRY(read_bytes(run, s, cut, table));
    if (!s->started) ALD_TRY(learn_header(run, s, cut->bytes, cut->size, table));
    ald_arena_drop(cut->arena, cut->bytes);
    return ALD_OK;
}

ald_status ald_stream_parse(ald_run *run, ald_stream *s, ald_cut *cut, ald_table *table)
{
    *table = (ald_table){.arena = cut->arena, .source = cut->path, .partial = 1};
    return ald_stream_parse_into(run, s, cut, table);
}

void ald_stream_take_all(ald_stream *s)
{
    s->block = s->portion;
}

ald_status ald_stream_next(ald_run *run, ald_stream *s, ald_arena *arena, ald_table *table, int *got)
{
    ald_cut cut;
    ALD_TRY(ald_stream_cut(run, s, arena, &cut));
    *got = cut.bytes != NULL;
    return *got ? ald_stream_parse(run, s, &cut, table) : ALD_OK;
}

ald_status ald_stream_open(ald_run *run, const char *path, const ald_load_options *options,
                           const ald_portion *portion, ald_stream **stream)
{
    ALD_TRY(open_whole(run, path, options, stream));
    if (!portion || !portion->divided) return ALD_OK;
    const ald_status status = ald_stream_seek(run, *stream, portion);
    if (status >= 0) return status;
    ald_stream_close(*stream);
    *stream = NULL;
    return status;
}
