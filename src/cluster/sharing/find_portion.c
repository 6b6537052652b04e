/* Every rank looks through its range of the file once; what all have seen tells each its portion
 * (find_portion.h). */
#include "cluster/sharing/find_portion.h"

#include "cluster/ranks/communicator.h"
#include "io/reading/input.h"
#include "io/reading/npy.h"
#include "io/reading/reader.h"

#include <string.h>
#include <sys/stat.h>

static int64_t count_of(const char *bytes, int64_t size, char wanted)
{
    int64_t count = 0;
    for (int64_t i = 0; i < size; i++) count += bytes[i] == wanted;
    return count;
}

/* What some bytes do to a state. */
typedef struct passage {
    ald_record_state state;
    int64_t record; /* behind the first line end that ends a record, or -1 */
} passage;

/* Behind the last line end before `end`, or `from` where there is none. */
static const char *last_line(const char *from, const char *end)
{
    while (end > from && end[-1] != '\n') end--;
    return end;
}

/* Bytes without quotes: outside of them every line end ends a record. */
static void pass_plain(const ald_record_manner *manner, const char *bytes, const char *from, const char *end,
                       passage *p)
{
    if (p->state == ALD_IN_QUOTES || from == end) return;
    const char *first = memchr(from, '\n', (size_t)(end - from));
    if (first && p->record < 0) p->record = first + 1 - bytes;
    if (first) p->state = ALD_AT_RECORD;
    for (const char *at = last_line(from, end); at < end; at++)
        p->state = ald_record_step(manner, p->state, *at);
}

static passage pass(const ald_record_manner *manner, const char *bytes, const char *end,
                    ald_record_state state)
{
    passage p = {state, -1};
    const char *at = bytes;
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        pass_plain(manner, bytes, at, quote ? quote : end, &p);
        if (quote) p.state = ald_record_step(manner, p.state, '"');
        at = quote ? quote + 1 : end;
    }
    return p;
}

void ald_range_look_begin(ald_range_look *look)
{
    *look = (ald_range_look){0};
    for (int k = 0; k < ALD_RECORD_STATES; k++) {
        look->from[k].state = k;
        look->from[k].record = -1;
    }
}

/* All states soon become two, within quotes and outside: each is followed once. */
void ald_range_look_at(ald_range_look *look, const ald_record_manner *manner, const char *bytes, int64_t size,
                       int64_t at)
{
    passage passed[ALD_RECORD_STATES];
    int is_passed[ALD_RECORD_STATES] = {0};
    for (int k = 0; k < ALD_RECORD_STATES; k++) {
        const int64_t now = look->from[k].state;
        if (!is_passed[now]) passed[now] = pass(manner, bytes, bytes + size, (ald_record_state)now);
        is_passed[now] = 1;
        look->from[k].state = passed[now].state;
        if (passed[now].record < 0 || look->from[k].record >= 0) continue;
        look->from[k].record = at + passed[now].record;
        look->from[k].lines = look->lines + count_of(bytes, passed[now].record, '\n');
    }
    look->lines += count_of(bytes, size, '\n');
}

/* A rank in whose range no record begins has none. */
ald_portion ald_portion_of(const ald_range_look *looks, int rank, int size, int64_t bytes)
{
    ald_portion own = {.divided = 1, .begin = -1, .end = bytes};
    int64_t state = ALD_AT_RECORD, lines = 0;
    for (int r = 0; r < size; r++) {
        const int64_t record = r == 0 ? 0 : looks[r].from[state].record;
        if (record >= 0 && r > rank && own.begin >= 0) {
            own.end = record;
            return own;
        }
        if (r == rank && record < 0) return (ald_portion){.divided = 1};
        if (r == rank) {
            own.begin = record;
            own.lines = lines + (r == 0 ? 0 : looks[r].from[state].lines);
        }
        state = looks[r].from[state].state;
        lines += looks[r].lines;
    }
    return own;
}

int64_t ald_portion_begin(int64_t items, int64_t others, int size, int rank)
{
    const int64_t all = items + others, at = all / size * rank + all % size * rank / size - others;
    if (rank == size) return items;
    return rank > 0 && at > 0 ? at : 0;
}

/* What a rank reports of its file and its range of it. */
typedef struct report {
    int64_t bytes;      /* of the file, */
    int64_t rows, cols; /* of an NPY file, */
    int64_t has_rows;   /* which this is, */
    int64_t files;      /* and of a list: how many it has */
    ald_range_look look;
} report;

/* Where the table begins in the first bytes of a file: behind a byte order mark and so many lines. */
static size_t table_begin(const char *bytes, size_t size, int64_t skip)
{
    size_t at = ald_mark_size(bytes, size);
    for (; skip > 0 && at < size; at++) skip -= bytes[at] == '\n';
    return at;
}

/* The bytes of this rank, read from `at` on. Those before the table, whatever they are, are plain lines. */
static ald_status look_through(ald_run *run, ald_input *input, const ald_record_manner *manner, int64_t table,
                               char *bytes, ald_range_look *seen)
{
    static const ald_record_manner plain = {0};
    size_t got = 1;
    for (int64_t at = ald_input_place(input); got > 0; at += (int64_t)got) {
        ALD_TRY(ald_input_read(run, input, bytes, ald_sample_bytes, &got));
        const int64_t size = (int64_t)got, before = at < table ? table - at : 0,
                      first = before < size ? before : size;
        ald_range_look_at(seen, &plain, bytes, first, at);
        ald_range_look_at(seen, manner, bytes + first, size - first, at + first);
    }
    return ALD_OK;
}

/* How the records of the file end is found out as for a stream: by what the table begins with. */
static ald_status look_at_share(ald_run *run, const ald_reader *reader, const ald_load_options *options,
                                ald_input *input, report *r)
{
    const int rank = ald_rank(run), size = ald_rank_count(run);
    ald_record_manner manner = {reader->delimiter != NULL, '\0', options->comment ? *options->comment : '\0'};
    char *bytes;
    size_t held = 0, got = 1, table = 0;
    ALD_TRY(ald_scratch(run, ald_sample_bytes, 1, 1, &bytes));
    for (; manner.delimited && got > 0 && held < ald_sample_bytes; held += got)
        ALD_TRY(ald_input_read(run, input, bytes + held, ald_sample_bytes - held, &got));
    table = table_begin(bytes, held, options->skip);
    if (manner.delimited)
        ALD_TRY(reader->delimiter(run, options, bytes + table, held - table, got == 0, &manner.delimiter));
    ALD_TRY(ald_input_range(run, input, ald_portion_begin(r->bytes, 0, size, rank),
                            ald_portion_begin(r->bytes, 0, size, rank + 1)));
    return look_through(run, input, &manner, (int64_t)table, bytes, &r->look);
}

static ald_status look_at_input(ald_run *run, const ald_reader *reader, const ald_load_options *options,
                                ald_input *input, report *r)
{
    ald_npy_header header;
    ald_range_look_begin(&r->look);
    r->bytes = ald_input_mark(input).size;
    ALD_TRY(ald_input_range(run, input, 0, r->bytes));
    if (reader != &ald_npy_reader) return look_at_share(run, reader, options, input, r);
    ALD_TRY(ald_npy_read_header(run, input, &header));
    r->has_rows = 1;
    r->rows = header.rows;
    r->cols = header.cols;
    return ALD_OK;
}

/* Messages with the file's name in front. */
static ald_status look_at_file(ald_run *run, const char *path, const ald_load_options *options, report *r)
{
    const ald_reader *reader;
    ald_input *input;
    struct stat about;
    if (strcmp(path, "-") == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "standard input cannot be divided among ranks: write it to a file");
    if (stat(path, &about) == 0 && S_ISFIFO(about.st_mode)) /* opening it may wait for ever */
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s is a pipe, which cannot be divided among ranks: write it to a file", path);
    ALD_TRY(ald_reader_find(run, path, options->format, &reader));
    ald_status status = ald_input_open(run, path, &input);
    if (status >= 0) status = look_at_input(run, reader, options, input, r);
    ald_input_close(input);
    if (status >= 0 || status == ALD_ERROR_CANCELLED) return status;
    char message[ALD_MESSAGE_SIZE];
    memcpy(message, run->error->message, sizeof message);
    return ald_fail(run->error, status, "%s: %s", path, message);
}

static ald_status check_same(ald_run *run, const char *path, const report *reports)
{
    for (int r = 1; r < ald_rank_count(run); r++)
        if (reports[r].bytes != reports->bytes || reports[r].rows != reports->rows ||
            reports[r].files != reports->files)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "%s is not the same file on all ranks: rank 0 sees %lld bytes and rank %d %lld",
                            path, (long long)reports->bytes, r, (long long)reports[r].bytes);
    return ALD_OK;
}

/* Whole files, so that ranks have about as many bytes: file i is that of the rank in whose share its middle
 * lies. */
static ald_portion files_of(const ald_file_list *list, int64_t bytes, int rank, int size)
{
    ald_portion own = {.divided = 1};
    int64_t before = 0;
    for (int64_t i = 0; i < list->count; before += list->sizes[i++]) {
        const double middle =
            ((double)before + 0.5 * (double)list->sizes[i]) / (double)(bytes > 0 ? bytes : 1);
        const int whose = (int)(middle * size);
        if (whose < rank) own.begin = i + 1;
        if (whose <= rank) own.end = i + 1;
    }
    return own;
}

static ald_status look(ald_run *run, const char *path, const ald_load_options *options,
                       const ald_file_list **list, report *r)
{
    ALD_TRY(ald_file_list_find(run, path, list));
    if (!*list) return look_at_file(run, path, options, r);
    r->files = (*list)->count;
    for (int64_t i = 0; i < r->files; i++) r->bytes += (*list)->sizes[i];
    return ALD_OK;
}

/* d^2 operations per row, and a decomposition of some 10 d^3. */
enum { rows_per_column = 10 };

static ald_status find(ald_run *run, const char *path, const ald_load_options *options, int fits,
                       ald_portion *portion)
{
    const int rank = ald_rank(run), size = ald_rank_count(run);
    report own = {0};
    report *reports;
    ald_range_look *looks;
    ald_gathered all;
    const ald_file_list *list = NULL;
    ald_status status = ald_scratch(run, size, 1, sizeof *reports, &reports);
    if (status >= 0) status = ald_scratch(run, size, 1, sizeof *looks, &looks);
    if (status >= 0) status = look(run, path, options, &list, &own);
    ALD_TRY(ald_all_gather(run, status, &run->scratch, &own, (int64_t)sizeof own, &all));
    memcpy(reports, all.bytes, (size_t)size * sizeof *reports);
    ALD_TRY(check_same(run, path, reports));
    for (int r = 0; r < size; r++) looks[r] = reports[r].look;
    *portion = ald_portion_of(looks, rank, size, own.bytes);
    if (list) *portion = files_of(list, own.bytes, rank, size);
    const int by_one = fits && own.cols <= run->context->most_square; /* with more columns all ranks solve */
    const int64_t others = by_one ? rows_per_column * own.cols : 0;
    if (own.has_rows)
        *portion = (ald_portion){
            .divided = 1,
            .begin = ald_portion_begin(own.rows, others, size, rank),
            .end = ald_portion_begin(own.rows, others, size, rank + 1),
        };
    return ALD_OK;
}

ald_status ald_portion_find(ald_run *run, const char *path, const ald_load_options *options, int fits,
                            ald_portion *portion)
{
    *portion = (ald_portion){0};
    if (ald_rank_count(run) == 1) return ALD_OK;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status status = find(run, path, options, fits, portion);
    if (status >= 0) ald_arena_release(&run->scratch, mark);
    return status;
}
