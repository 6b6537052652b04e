/* The scanner of delimited texts: a buffer that is refilled, rows and cells within it. */
#include "io/csv/csv_scan.h"

#include <string.h>

enum { first_capacity = ALD_BUFFER(1 << 20) };

static void take_ahead(ald_csv_scanner *scanner)
{
    const size_t room = scanner->capacity - scanner->filled,
                 count = scanner->n_ahead < room ? scanner->n_ahead : room;
    if (count == 0) return;
    memcpy(scanner->buffer + scanner->filled, scanner->ahead, count);
    scanner->filled += count;
    scanner->ahead += count;
    scanner->n_ahead -= count;
}

/* Reads until the buffer is full or the input ends. */
static ald_status fill(ald_run *run, ald_csv_scanner *scanner)
{
    take_ahead(scanner);
    while (scanner->filled < scanner->capacity && !scanner->ended) {
        size_t got;
        ALD_TRY(ald_input_read(run, scanner->input, scanner->buffer + scanner->filled,
                               scanner->capacity - scanner->filled, &got));
        scanner->filled += got;
        scanner->ended = got == 0;
    }
    scanner->buffer[scanner->filled] = '\0';
    return ALD_OK;
}

/* Throws away what is before the next byte and reads on; a cell larger than the buffer doubles it. */
static ald_status refill(ald_run *run, ald_csv_scanner *scanner)
{
    const size_t left = scanner->filled - scanner->at;
    if (left && scanner->at) memmove(scanner->buffer, scanner->buffer + scanner->at, left);
    scanner->at = 0;
    scanner->filled = left;
    if (left == scanner->capacity) {
        ALD_TRY(ald_check_line(run, scanner->longest, left, scanner->line));
        const int64_t capacity = (int64_t)scanner->capacity * 2;
        ALD_TRY(ald_resize(run, &run->scratch, &scanner->buffer, capacity + 1, 1, 1));
        scanner->capacity = (size_t)capacity;
    }
    return fill(run, scanner);
}

ald_status ald_csv_scan_start(ald_run *run, ald_csv_scanner *scanner, ald_input *input)
{
    memset(scanner, 0, sizeof *scanner);
    scanner->input = input;
    scanner->capacity = first_capacity;
    scanner->line = 1;
    ALD_TRY(ald_scratch(run, first_capacity + 1, 1, 1, &scanner->buffer));
    ALD_TRY(fill(run, scanner));
    if (scanner->filled >= 3 && memcmp(scanner->buffer, "\xef\xbb\xbf", 3) == 0) scanner->at = 3;
    return ALD_OK;
}

static int is_blank(const ald_csv_scanner *scanner, char c)
{
    return c == ' ' || (c == '\t' && scanner->delimiter != '\t');
}

static const char *skip_blanks(const ald_csv_scanner *scanner, const char *at)
{
    while (is_blank(scanner, *at)) at++;
    return at;
}

static int is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* The position is at a line end or at the end of the input. */
static void pass_line_end(ald_csv_scanner *scanner)
{
    if (scanner->at == scanner->filled) return;
    scanner->after_cr = scanner->buffer[scanner->at] == '\r';
    scanner->at++;
    scanner->line++;
}

/* The rest of the line does not matter. */
static ald_status skip_line(ald_run *run, ald_csv_scanner *scanner)
{
    for (;;) {
        const char *start = scanner->buffer + scanner->at;
        const size_t length = strcspn(start, "\r\n"), left = scanner->filled - scanner->at;
        if (length < left && is_line_end(start[length])) {
            scanner->at += length;
            pass_line_end(scanner);
            return ALD_OK;
        }
        scanner->at = length < left ? scanner->at + length + 1 : scanner->filled;
        if (scanner->at < scanner->filled) continue;
        if (scanner->ended) return ALD_OK;
        ALD_TRY(refill(run, scanner));
    }
}

ald_status ald_csv_scan_skip(ald_run *run, ald_csv_scanner *scanner, int64_t lines)
{
    for (int64_t k = 0; k < lines; k++) {
        ALD_TRY(skip_line(run, scanner));
        if (scanner->at == scanner->filled && !scanner->ended) ALD_TRY(refill(run, scanner));
        if (scanner->after_cr && scanner->buffer[scanner->at] == '\n') scanner->at++;
        scanner->after_cr = 0;
    }
    return ALD_OK;
}

ald_status ald_csv_scan_row(ald_run *run, ald_csv_scanner *scanner, int *more)
{
    for (;;) {
        if (scanner->at == scanner->filled && !scanner->ended) ALD_TRY(refill(run, scanner));
        if (scanner->after_cr && scanner->buffer[scanner->at] == '\n') scanner->at++;
        scanner->after_cr = 0;
        const char *start = scanner->buffer + scanner->at, *limit = scanner->buffer + scanner->filled;
        const char *at = skip_blanks(scanner, start);
        if (at == limit && !scanner->ended) {
            ALD_TRY(refill(run, scanner));
            continue;
        }
        *more = at < limit;
        if (!*more) return ALD_OK;
        if (scanner->comment && *at == scanner->comment) {
            ALD_TRY(skip_line(run, scanner));
        } else if (is_line_end(*at)) {
            scanner->at = (size_t)(at - scanner->buffer);
            pass_line_end(scanner);
        } else {
            return ALD_OK;
        }
    }
}

/* Whether the cell ends here: 1 yes, 0 no, -1 the buffer has to be refilled first. `at` is behind the blanks
 * after the cell and moves to the next cell. */
static int end_cell(const ald_csv_scanner *scanner, const char **at, int blanks_before, ald_csv_cell *cell)
{
    const int at_limit = *at == scanner->buffer + scanner->filled;
    if (at_limit && !scanner->ended) return -1;
    cell->last = at_limit || is_line_end(**at);
    if (cell->last) return 1;
    if (scanner->delimiter == ALD_CSV_BLANKS) return blanks_before;
    if (**at != scanner->delimiter) return 0;
    (*at)++;
    return 1;
}

static void leave_cell(ald_csv_scanner *scanner, const char *at, const ald_csv_cell *cell)
{
    scanner->at = (size_t)(at - scanner->buffer);
    if (cell->last) pass_line_end(scanner);
}

/* 1 done, -1 refill. */
static int plain_cell(ald_csv_scanner *scanner, const char *start, ald_csv_cell *cell)
{
    const char delimiter = scanner->delimiter;
    const char *limit = scanner->buffer + scanner->filled, *at = start;
    while (at < limit && *at != delimiter && !is_line_end(*at)) {
        if (delimiter == ALD_CSV_BLANKS && *at == '\t') break;
        at++;
    }
    const char *end = at;
    while (end > start && is_blank(scanner, end[-1])) end--;
    const char *next = delimiter == ALD_CSV_BLANKS ? skip_blanks(scanner, at) : at;
    if (end_cell(scanner, &next, 1, cell) < 0) return -1;
    cell->text = start;
    cell->length = (size_t)(end - start);
    leave_cell(scanner, next, cell);
    return 1;
}

/* The closing quote of a cell whose text begins at `at`; NULL: not in the buffer. Counts the doubled ones and
 * the lines. */
static const char *find_closing(const ald_csv_scanner *scanner, const char *at, int *doubled, int64_t *lines)
{
    const char *limit = scanner->buffer + scanner->filled;
    *doubled = 0;
    *lines = 0;
    for (; at < limit; at++) {
        if (*at == '"') {
            /* The last byte of the buffer may be the first of two. */
            if (at + 1 == limit && !scanner->ended) return NULL;
            if (at[1] != '"') return at;
            *doubled = 1;
            at++;
        } else if (*at == '\n' || (*at == '\r' && at[1] != '\n')) {
            (*lines)++;
        }
    }
    return NULL;
}

/* Two quotes become one, in place. */
static size_t undouble(char *text, size_t length)
{
    size_t to = 0;
    for (size_t from = 0; from < length; from++) {
        if (text[from] == '"') from++;
        text[to++] = text[from];
    }
    return to;
}

/* 1 done, -1 refill, 0 an error of the text: `problem` says which. */
static int quoted_cell(ald_csv_scanner *scanner, const char *quote, ald_csv_cell *cell, const char **problem)
{
    int doubled;
    int64_t lines;
    const char *closing = find_closing(scanner, quote + 1, &doubled, &lines);
    *problem = "the quote that opens here is never closed";
    if (!closing) return scanner->ended ? 0 : -1;
    const char *next = skip_blanks(scanner, closing + 1);
    const int ends = end_cell(scanner, &next, next > closing + 1, cell);
    *problem = "text follows the closing quote; inside a quoted cell a quote is written twice";
    if (ends <= 0) return ends;
    char *text = scanner->buffer + (quote + 1 - scanner->buffer);
    cell->text = text;
    cell->length = (size_t)(closing - text);
    if (doubled) cell->length = undouble(text, cell->length);
    scanner->line += lines;
    leave_cell(scanner, next, cell);
    return 1;
}

ald_status ald_csv_scan_cell(ald_run *run, ald_csv_scanner *scanner, int64_t column, ald_csv_cell *cell)
{
    cell->line = scanner->line;
    for (;;) {
        const char *start = skip_blanks(scanner, scanner->buffer + scanner->at), *problem = NULL;
        const int done =
            *start == '"' ? quoted_cell(scanner, start, cell, &problem) : plain_cell(scanner, start, cell);
        if (done > 0) return ALD_OK;
        if (done == 0) return ald_fail_at(run->error, ALD_ERROR_FORMAT, cell->line, column, "%s", problem);
        ALD_TRY(refill(run, scanner));
    }
}

int ald_csv_scan_within(ald_csv_scanner *scanner, ald_csv_cell *cell)
{
    const char *start = skip_blanks(scanner, scanner->buffer + scanner->at), *problem;
    int doubled;
    int64_t lines;
    cell->line = scanner->line;
    if (*start != '"') return plain_cell(scanner, start, cell) > 0;
    if (!find_closing(scanner, start + 1, &doubled, &lines) || doubled || lines) return 0;
    return quoted_cell(scanner, start, cell, &problem) > 0;
}

void ald_csv_trim(const char **text, size_t *length)
{
    while (*length && (**text == ' ' || **text == '\t')) {
        (*text)++;
        (*length)--;
    }
    while (*length && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) (*length)--;
}

ald_status ald_csv_refuse_zero_bytes(ald_run *run, const char *text, size_t length, int64_t line,
                                     int64_t column)
{
    if (!memchr(text, '\0', length)) return ALD_OK;
    return ald_fail_at(run->error, ALD_ERROR_FORMAT, line, column,
                       "a zero byte: this is not text in UTF-8 or ASCII (a table saved as UTF-16 has such "
                       "bytes; save it as UTF-8)");
}
