/* The files of a stream one after the other: their headers, their rows before, a portion of them. */
#include "io/reading/stream_files.h"

#include <string.h>

/* The record that holds the names, as [*at, *end) of the bytes, and the lines up to its end; 0: it is not
 * whole yet. */
static int find_header(const ald_stream *s, size_t *at, size_t *end, int64_t *lines)
{
    const char *stop = s->bytes + s->size, *from = s->bytes + ald_mark_size(s->bytes, s->size);
    int64_t count;
    for (*lines = 0; from < stop;) {
        const int passed = ald_record_is_blank(s, from, stop) || ald_stream_begins_comment(s, *from);
        const char *next = ald_record_end(s, from, stop, &count);
        *lines += count;
        *at = (size_t)(from - s->bytes);
        *end = (size_t)(next - s->bytes);
        if (!passed) return next < stop || next[-1] == '\n' || s->at_end;
        from = next;
    }
    *at = *end = s->size;
    return s->at_end;
}

static size_t trimmed(const char *text, size_t size)
{
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r')) size--;
    return size;
}

/* The names of this file, which are those of the first. */
static ald_status pass_header(ald_run *run, ald_stream *s)
{
    size_t at, end, wanted = 1 << 16;
    int64_t lines;
    if (!s->header) return ALD_OK;
    for (;; wanted *= 2) {
        ALD_TRY(ald_stream_fill(run, s, wanted));
        if (find_header(s, &at, &end, &lines)) break;
    }
    const size_t names = trimmed(s->bytes + at, end - at);
    if (end > at &&
        (names != trimmed(s->header, s->header_size) || memcmp(s->bytes + at, s->header, names) != 0))
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: its first line differs from that of %s", s->path,
                        s->files->paths[0]);
    ald_stream_pass_over(s, end, lines);
    return ALD_OK;
}

static ald_status check_npy(ald_run *run, const ald_stream *s, int64_t cols)
{
    if (s->npy.cols == cols) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has %lld columns, but %s has %lld", s->path,
                    (long long)s->npy.cols, s->files->paths[0], (long long)cols);
}

/* In the memory of the stream: the scratch of the run may be that of a block, which goes with it. */
static ald_status open_file(ald_run *run, ald_stream *s)
{
    const ald_arena scratch = run->scratch;
    run->scratch = s->memory;
    const ald_status status = ald_input_open(run, s->path, &s->input);
    s->memory = run->scratch;
    run->scratch = scratch;
    return ald_stream_name_file(run, s, status);
}

ald_status ald_stream_next_file(ald_run *run, ald_stream *s)
{
    const int64_t cols = s->npy.cols;
    ald_input_close(s->input);
    s->input = NULL;
    s->path = s->files->paths[++s->file];
    s->size = 0;
    s->at_end = 0;
    s->place = s->lines = s->row = 0;
    s->options.skip = s->skip;
    ALD_TRY(open_file(run, s));
    ALD_TRY(ald_stream_begin(run, s));
    return s->reader == &ald_npy_reader ? check_npy(run, s, cols) : pass_header(run, s);
}

/* Whether a file has no bytes, unpacked. */
static ald_status is_empty(ald_run *run, const char *path, int64_t size, int *empty)
{
    enum { longest_empty = 512 }; /* bytes of a gzip file of nothing: it may hold a name */
    ald_input *input;
    char byte;
    size_t got;
    *empty = size == 0;
    if (size == 0 || size > longest_empty) return ALD_OK;
    ALD_TRY(ald_input_open(run, path, &input));
    const ald_status status = ald_input_read(run, input, &byte, 1, &got);
    ald_input_close(input);
    *empty = got == 0;
    return status;
}

ald_status ald_stream_note_empty(ald_run *run, const ald_stream *s)
{
    for (int64_t i = 0; s->files && i < s->files->count; i++) {
        const char *path = s->files->paths[i];
        int empty;
        const ald_status status = is_empty(run, path, s->files->sizes[i], &empty);
        if (status < 0) return status == ALD_ERROR_CANCELLED ? status : ald_fail_in(run->error, status, path);
        if (empty) ald_log(run, ALD_LOG_WARNING, "%s is empty (0 bytes) and adds no rows", path);
    }
    return ALD_OK;
}

/* What the first block tells of all others. */
static ald_status learn(ald_run *run, ald_stream *s)
{
    ald_arena memory;
    ald_table table;
    int got;
    ald_arena_init(&memory, run->scratch.allocator);
    const ald_status status = ald_stream_next(run, s, &memory, &table, &got);
    ald_arena_free(&memory);
    s->started = 1;
    return status;
}

/* The first file of the list tells what the header is, whatever the portion. */
static ald_status seek_file(ald_run *run, ald_stream *s, const ald_portion *portion)
{
    ALD_TRY(learn(run, s));
    s->end_file = portion->end;
    s->file = portion->begin - 1;
    if (portion->begin < portion->end) return ald_stream_next_file(run, s);
    s->file = portion->end; /* the portion is empty */
    s->size = 0;
    s->at_end = 1;
    s->rows_left = 0;
    return ALD_OK;
}

static ald_status seek_rows(ald_run *run, ald_stream *s, const ald_portion *portion)
{
    const int64_t data = ald_input_place(s->input), width = (int64_t)s->row_bytes;
    s->row = portion->begin;
    s->rows_left = portion->end - portion->begin;
    s->portion = (size_t)(s->rows_left * width + 1);
    return ald_input_range(run, s->input, data + portion->begin * width, data + portion->end * width);
}

/* The first block tells what the header is, whatever the portion; the rows of that come behind it. */
static ald_status seek_lines(ald_run *run, ald_stream *s, const ald_portion *portion)
{
    const int64_t place = s->place, lines = s->lines;
    ALD_TRY(learn(run, s));
    const int64_t rows = place + s->head_size;
    const int behind = portion->begin > rows;
    s->size = 0;
    s->at_end = 0;
    s->place = behind ? portion->begin : rows;
    s->lines = behind ? portion->lines : lines + s->head_lines;
    s->portion = portion->end > s->place ? (size_t)(portion->end - s->place) + 1 : 1;
    return ald_input_range(run, s->input, s->place, portion->end);
}

ald_status ald_stream_seek(ald_run *run, ald_stream *s, const ald_portion *portion)
{
    if (s->files) return seek_file(run, s, portion);
    if (s->reader == &ald_npy_reader) return ald_stream_name_file(run, s, seek_rows(run, s, portion));
    return seek_lines(run, s, portion);
}

ald_stream_place ald_stream_tell(const ald_stream *s)
{
    return (ald_stream_place){.file = s->file, .place = s->place, .lines = s->lines, .row = s->row};
}

static ald_status fail_place(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_DATA, "does not have the position at which an earlier run stopped");
}

static ald_status jump_to_row(ald_run *run, ald_stream *s, int64_t row)
{
    if (row < s->row || row - s->row > s->rows_left) return fail_place(run);
    const int64_t rows = row - s->row;
    s->row = row;
    s->rows_left -= rows;
    return ald_input_skip(run, s->input, rows * (int64_t)s->row_bytes);
}

/* Some of the bytes on the way may have been read already. A line has a byte at least. */
static ald_status jump_to_line(ald_run *run, ald_stream *s, const ald_stream_place *to)
{
    if (to->place < s->place || to->place > INT64_MAX / 2 || to->lines < 0 || to->lines > to->place)
        return fail_place(run);
    const int64_t bytes = to->place - s->place, held = (int64_t)s->size;
    ald_stream_pass_over(s, (size_t)(bytes < held ? bytes : held), 0);
    s->place = to->place;
    s->lines = to->lines;
    return ald_input_skip(run, s->input, bytes > held ? bytes - held : 0);
}

ald_status ald_stream_jump(ald_run *run, ald_stream *s, const ald_stream_place *to)
{
    const int rows = s->reader == &ald_npy_reader;
    if (!rows && !s->started) ALD_TRY(learn(run, s));
    if (to->file < s->file || (to->file > s->file && to->file >= s->end_file)) return fail_place(run);
    if (to->file > s->file) {
        s->file = to->file - 1;
        ALD_TRY(ald_stream_next_file(run, s));
    }
    return ald_stream_name_file(run, s, rows ? jump_to_row(run, s, to->row) : jump_to_line(run, s, to));
}

static ald_status read_all(ald_run *run, ald_stream *stream, const char *path, ald_table *table)
{
    ald_cut cut;
    ALD_TRY(ald_stream_cut(run, stream, table->arena, &cut));
    if (!cut.bytes)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has too few rows to be divided so often: start fewer",
                        path);
    return ald_stream_parse_into(run, stream, &cut, table);
}

static ald_status read_own(ald_run *run, const char *path, const ald_load_options *options,
                           const ald_portion *portion, ald_table *table)
{
    ald_stream *stream;
    ALD_TRY(ald_stream_open(run, path, options, portion, &stream));
    ald_stream_take_all(stream);
    const ald_status status = read_all(run, stream, path, table);
    ald_stream_close(stream);
    return status;
}

ald_status ald_read_portion(ald_run *run, const char *path, const ald_load_options *options, ald_table *table)
{
    const ald_file_list *list;
    ALD_TRY(ald_file_list_find(run, path, &list));
    if (list)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s: several files can be read only by fits in blocks", path);
    const ald_portion portion = *table->portion;
    table->partial = 1;
    return read_own(run, path, options, &portion, table);
}

static int64_t rows_a_block(const ald_stream *s)
{
    const int64_t fit = (int64_t)(s->block / (s->row_bytes ? s->row_bytes : 1));
    return fit > 0 ? fit : 1;
}

/* Room for so many rows; no bytes where there is none of them. */
static ald_status make_room(ald_run *run, const ald_stream *s, int64_t rows, ald_cut *cut)
{
    cut->rows = rows;
    cut->size = (size_t)rows * s->row_bytes;
    if (cut->size == 0) return ALD_OK;
    cut->cells = ald_arena_get(cut->arena, rows, s->npy.cols, sizeof *cut->cells);
    if (!cut->cells) return ald_out_of_memory(run, rows, s->npy.cols, sizeof *cut->cells);
    cut->bytes = (char *)ald_npy_place(&s->npy, rows * s->npy.cols, cut->cells);
    return ALD_OK;
}

static ald_status check_cut(ald_run *run, const ald_stream *s, const ald_cut *cut, size_t got)
{
    if (got == cut->size) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: the NPY file ends %zu bytes too early", s->path,
                    cut->size - got);
}

ald_status ald_stream_cut_rows(ald_run *run, ald_stream *s, ald_cut *cut)
{
    size_t got = 0;
    ALD_TRY(make_room(run, s, s->rows_left < rows_a_block(s) ? s->rows_left : rows_a_block(s), cut));
    for (size_t more = 1; more > 0 && got < cut->size; got += more)
        ALD_TRY(ald_stream_name_file(
            run, s, ald_input_read(run, s->input, cut->bytes + got, cut->size - got, &more)));
    ALD_TRY(check_cut(run, s, cut, got));
    cut->rows_before = s->row;
    s->row += cut->rows;
    s->rows_left -= cut->rows;
    return ALD_OK;
}

int ald_stream_has_places(const ald_stream *s)
{
    return s->reader == &ald_npy_reader && !s->files && ald_input_has_places(s->input);
}

ald_stream_place ald_stream_tell_of(const ald_stream *s, int64_t number)
{
    ald_stream_place place = ald_stream_tell(s);
    if (!ald_stream_has_places(s)) return place;
    const int64_t rows = rows_a_block(s);
    place.row += number < s->rows_left / rows + 1 ? number * rows : s->rows_left;
    return place;
}

ald_status ald_stream_cut_at(ald_run *run, const ald_stream *s, int64_t number, ald_arena *arena,
                             ald_cut *cut)
{
    const int64_t rows = rows_a_block(s),
                  before = number < s->rows_left / rows + 1 ? number * rows : s->rows_left,
                  left = s->rows_left - before;
    size_t got = 0;
    *cut = (ald_cut){.arena = arena, .path = s->path, .rows_before = s->row + before};
    ALD_TRY(make_room(run, s, left < rows ? left : rows, cut));
    if (!cut->bytes) return ALD_OK;
    const int64_t place = s->data + cut->rows_before * (int64_t)s->row_bytes;
    ALD_TRY(
        ald_stream_name_file(run, s, ald_input_read_at(run, s->input, place, cut->bytes, cut->size, &got)));
    return check_cut(run, s, cut, got);
}
