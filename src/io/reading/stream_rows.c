#include "io/reading/stream_rows.h"

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
