/* Rows by several threads; csv_rows.h says how a buffer is cut, and what is read again one by one. */
#include "io/csv/csv_rows.h"

#include "base/threads/team.h"

#include <string.h>

enum {
    most_pieces = 256,
    pieces_per_thread = 4,
    smallest_piece = ALD_BUFFER(1 << 14),
    bytes_per_thread = ALD_BUFFER(1 << 18), /* of a buffer; and what makes a thread worth its while */
    text_bytes = 16,                        /* a cell in so many may be remembered */
};

/* A cell that is no plain number, or in a column that is looked at. */
typedef struct {
    const char *text; /* in the buffer */
    int32_t length, row;
    int64_t column;
} remembered;

typedef struct {
    size_t begin, end; /* in the buffer */
    int64_t lines;     /* line ends: as many rows as it may have */
    int64_t first_row; /* of the round */
    int64_t rows;      /* that it has, up to `stop` */
    size_t stop;       /* `end` if nothing ended it early */
    remembered *cells;
    int64_t n_cells, room;
} csv_piece;

typedef struct {
    ald_run *run;
    ald_csv_file *file;
    int live;
    ald_pieces pieces;
    csv_piece *list;
    int count;
    double *rows;     /* of the round */
    remembered *room; /* of all pieces */
    char *other;      /* the second buffer, other_capacity + 1 bytes */
    size_t other_capacity, other_filled;
    int other_ended;
    int64_t alone; /* rows to be read one by one after a round that ended early */
    ald_status status;
} pieces_work;

static int may_begin_row(const ald_csv_scanner *scanner)
{
    const char *at = scanner->buffer + scanner->at;
    while (*at == ' ' || (*at == '\t' && scanner->delimiter != '\t')) at++;
    return *at != '\n' && *at != '\r' && !(scanner->comment && *at == scanner->comment);
}

static int remember(csv_piece *piece, const ald_csv_cell *cell, int64_t column)
{
    if (piece->n_cells == piece->room || cell->length > INT32_MAX) return 0;
    piece->cells[piece->n_cells++] =
        (remembered){cell->text, (int32_t)cell->length, (int32_t)piece->rows, column};
    return 1;
}

/* Whether the row is one that a piece may take. */
static int take_row(const ald_csv_file *file, ald_csv_scanner *scanner, csv_piece *piece, double *cells)
{
    const int64_t cols = file->table->cols, last = cols - 1;
    if (!may_begin_row(scanner) || piece->rows == piece->lines) return 0;
    for (int64_t j = ald_csv_take_numbers(scanner, file->flags, cols, cells, 0); j <= last;) {
        ald_csv_cell cell;
        if (!ald_csv_scan_within(scanner, &cell) || cell.last != (j == last)) return 0;
        if (!remember(piece, &cell, j)) return 0;
        j = j < last ? ald_csv_take_numbers(scanner, file->flags, cols, cells, j + 1) : cols;
    }
    return 1;
}

static void take_piece(void *work, int index)
{
    const pieces_work *w = work;
    csv_piece *piece = &w->list[index];
    ald_csv_scanner scanner = w->file->scanner;
    scanner.at = piece->begin;
    scanner.filled = piece->end;
    scanner.ended = scanner.after_cr = 0;
    for (;;) {
        if (scanner.after_cr && scanner.at < piece->end && scanner.buffer[scanner.at] == '\n') scanner.at++;
        scanner.after_cr = 0;
        piece->stop = scanner.at;
        const int64_t before = piece->n_cells;
        if (scanner.at == piece->end) return;
        double *cells = w->rows + (piece->first_row + piece->rows) * w->file->table->cols;
        if (!take_row(w->file, &scanner, piece, cells)) {
            piece->n_cells = before;
            return;
        }
        piece->rows++;
    }
}

/* Takes over the rows of a piece; `line` is that of its first. */
static ald_status accept_piece(const pieces_work *w, const csv_piece *piece, int64_t line)
{
    ald_csv_file *file = w->file;
    ald_table *table = file->table;
    double *rows = w->rows + piece->first_row * table->cols;
    for (int64_t k = 0; k < piece->n_cells; k++) {
        const remembered *cell = &piece->cells[k];
        ALD_TRY(ald_csv_add_cell(w->run, file, cell->column, cell->text, (size_t)cell->length,
                                 line + cell->row, &rows[cell->row * table->cols + cell->column]));
    }
    for (int64_t i = 0; i < piece->rows; i++)
        ALD_TRY(ald_table_note_line(w->run, table, table->rows + i, line + i));
    table->rows += piece->rows;
    return ALD_OK;
}

/* Takes over the pieces up to the first that ended early, where the scanner is left. */
static ald_status accept_pieces(pieces_work *w, int *all)
{
    ald_csv_scanner *scanner = &w->file->scanner;
    *all = 1;
    for (int k = 0; k < w->count && *all; k++) {
        const csv_piece *piece = &w->list[k];
        ALD_TRY(accept_piece(w, piece, scanner->line));
        *all = piece->stop == piece->end && piece->rows == piece->lines;
        scanner->at = piece->stop;
        scanner->line += piece->rows;
    }
    return ALD_OK;
}

/* Behind the last line end in the buffer; 0: there is none. */
static size_t last_line_end(const ald_csv_scanner *scanner)
{
    size_t end = scanner->filled;
    while (end > scanner->at && scanner->buffer[end - 1] != '\n') end--;
    return end > scanner->at ? end : 0;
}

/* A piece from `begin` on, of about `size` bytes, that ends behind a line end; no longer than to `limit`. */
static csv_piece cut_piece(const char *buffer, size_t begin, size_t size, size_t limit)
{
    csv_piece piece = {.begin = begin, .end = limit};
    const char *at = buffer + begin, *enough = buffer + (limit - begin > size ? begin + size : limit);
    while (at < enough) {
        at = (const char *)memchr(at, '\n', (size_t)(buffer + limit - at)) + 1;
        piece.lines++;
    }
    piece.end = (size_t)(at - buffer);
    return piece;
}

/* Cuts the buffer up to `limit`, behind a line end, and makes room for the rows. */
static ald_status cut_pieces(pieces_work *w, size_t limit)
{
    const ald_csv_scanner *scanner = &w->file->scanner;
    const size_t least = (limit - scanner->at) / (size_t)(pieces_per_thread * w->live) + 1;
    const size_t size = least < smallest_piece ? smallest_piece : least;
    int64_t lines = 0, cells = 0;
    w->count = 0;
    for (size_t at = scanner->at; at < limit; at = w->list[w->count - 1].end) {
        csv_piece piece =
            cut_piece(scanner->buffer, at, w->count + 1 < most_pieces ? size : limit - at, limit);
        piece.first_row = lines;
        piece.room = (int64_t)(piece.end - piece.begin) / text_bytes;
        piece.cells = w->room + cells;
        lines += piece.lines;
        cells += piece.room;
        w->list[w->count++] = piece;
    }
    return ald_csv_more_rows(w->run, w->file, lines, &w->rows);
}

/* Room for what a buffer may hold; more where a long row has made it larger. */
static ald_status fit_buffers(pieces_work *w)
{
    const int64_t capacity = (int64_t)w->file->scanner.capacity, n_room = capacity / text_bytes;
    if (w->other && w->other_capacity == (size_t)capacity) return ALD_OK;
    ALD_TRY(ald_resize(w->run, &w->run->scratch, &w->other, capacity + 1, 1, 1));
    w->other_capacity = (size_t)capacity;
    ALD_TRY(ald_resize(w->run, &w->run->scratch, &w->room, n_room, 1, sizeof *w->room));
    return ALD_OK;
}

/* What is behind `limit`, and then what the input has, into the second buffer. */
static ald_status read_ahead(pieces_work *w, size_t limit)
{
    const ald_csv_scanner *scanner = &w->file->scanner;
    w->other_filled = scanner->filled - limit;
    w->other_ended = scanner->ended;
    memcpy(w->other, scanner->buffer + limit, w->other_filled);
    while (w->other_filled < w->other_capacity && !w->other_ended) {
        size_t got;
        ALD_TRY(ald_input_read(w->run, scanner->input, w->other + w->other_filled,
                               w->other_capacity - w->other_filled, &got));
        w->other_filled += got;
        w->other_ended = got == 0;
    }
    return ALD_OK;
}

/* The second buffer becomes the scanner's: the first has been taken over up to where it begins. */
static void change_buffers(pieces_work *w)
{
    ald_csv_scanner *scanner = &w->file->scanner;
    char *buffer = scanner->buffer;
    scanner->buffer = w->other;
    scanner->filled = w->other_filled;
    scanner->buffer[scanner->filled] = '\0';
    scanner->ended = w->other_ended;
    scanner->at = 0;
    w->other = buffer;
}

/* The scanner keeps its buffer; what was read ahead comes after it. */
static void keep_buffers(const pieces_work *w, size_t limit)
{
    ald_csv_scanner *scanner = &w->file->scanner;
    const size_t tail = scanner->filled - limit;
    scanner->ahead = w->other + tail;
    scanner->n_ahead = w->other_filled - tail;
    if (scanner->n_ahead) scanner->ended = 0;
}

/* Reads the buffer up to its last line end, at `limit`, by all threads. */
static ald_status read_round(pieces_work *w, size_t limit)
{
    int all;
    ALD_TRY(fit_buffers(w));
    ALD_TRY(cut_pieces(w, limit));
    ald_pieces_publish(&w->pieces, w->count);
    const ald_status status = read_ahead(w, limit);
    ald_pieces_finish(&w->pieces, take_piece, w);
    if (status == ALD_ERROR_CANCELLED) return status;
    ALD_TRY(accept_pieces(w, &all));
    if (all) {
        change_buffers(w);
        w->alone = 1;
        return status;
    }
    keep_buffers(w, limit);
    w->alone *= 2; /* where pieces often end early, they are tried less often */
    return ALD_OK; /* reading will fail again, when its turn comes */
}

/* Rows one by one: so many, and until nothing is left that was read ahead. */
static ald_status add_some_rows(ald_run *run, ald_csv_file *file, int64_t count, int *more)
{
    for (int64_t i = 0; i < count || file->scanner.n_ahead; i++) {
        ALD_TRY(ald_csv_scan_row(run, &file->scanner, more));
        if (!*more) return ALD_OK;
        ALD_TRY(ald_csv_add_row(run, file));
    }
    return ALD_OK;
}

static ald_status read_all(pieces_work *w)
{
    ald_csv_scanner *scanner = &w->file->scanner;
    for (int more = 1; more;) {
        if (scanner->after_cr && scanner->at < scanner->filled && scanner->buffer[scanner->at] == '\n')
            scanner->at++;
        if (scanner->at < scanner->filled) scanner->after_cr = 0;
        const size_t limit = last_line_end(scanner);
        if (limit) ALD_TRY(read_round(w, limit));
        const int64_t alone = limit && w->alone == 1 ? 0 : w->alone;
        ALD_TRY(add_some_rows(w->run, w->file, alone, &more));
    }
    return ALD_OK;
}

static void take_lane(void *work, int lane)
{
    pieces_work *w = work;
    if (lane > 0) {
        ald_pieces_help(&w->pieces, take_piece, w);
        return;
    }
    w->status = read_all(w);
    ald_pieces_close(&w->pieces);
}

/* A larger buffer for more threads, as far as the file is worth it. */
static ald_status widen(ald_run *run, ald_csv_scanner *scanner, int threads)
{
    const int64_t part = ald_input_size(scanner->input) / 64, most = (int64_t)threads * bytes_per_thread;
    const int64_t capacity = part < most ? part : most;
    if (capacity <= (int64_t)scanner->capacity) return ALD_OK;
    ALD_TRY(ald_resize(run, &run->scratch, &scanner->buffer, capacity + 1, 1, 1));
    scanner->capacity = (size_t)capacity;
    return ALD_OK;
}

ald_status ald_csv_add_rows(ald_run *run, ald_csv_file *file)
{
    const int threads = ald_parts(run, INT64_MAX, 1);
    pieces_work w = {.run = run, .file = file, .alone = 1};
    int more = 1;
    if (threads == 1 || file->scanner.ended) return add_some_rows(run, file, INT64_MAX, &more);
    ALD_TRY(widen(run, &file->scanner, threads));
    ALD_TRY(ald_scratch(run, most_pieces, 1, sizeof *w.list, &w.list));
    ald_pieces_begin(&w.pieces);
    ald_together(threads, &w.live, take_lane, &w);
    ald_pieces_end(&w.pieces);
    return w.status;
}
