/* Keys of work, and the file of finished cells: read whole when it is opened, then appended to. */
/* Cells as records, appended one by one; when a comparison resumes, all records are read and checked
 * first. */
#include "judge/cells/journal.h"

#include "base/core/record.h"
#include "base/numbers/hash.h"
#include "math/operator/entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ald_key_add(ald_key *key, const void *bytes, size_t size)
{
    key->value = ald_hash(key->value ? key->value : ALD_HASH_START, bytes, size);
}

void ald_key_text(ald_key *key, const char *text)
{
    ald_key_add(key, text, strlen(text) + 1);
}

void ald_key_int(ald_key *key, int64_t number)
{
    ald_key_add(key, &number, sizeof number);
}

/* Whether the list is there, and what is in it. */
static void add_list(ald_key *key, const void *list, int64_t count, size_t size)
{
    ald_key_int(key, list ? count : -1);
    if (list) ald_key_add(key, list, (size_t)count * size);
}

void ald_key_data(ald_key *key, const ald_subset *data)
{
    const ald_target *y = &data->y;
    const int64_t n = data->x.rows;
    ald_key_int(key, n);
    ald_key_int(key, data->x.cols);
    ald_key_int(key, (int64_t)ald_matrix_fingerprint(&data->x));
    ald_key_int(key, y->kind);
    ald_key_int(key, y->n_classes);
    if (y->kind == ALD_TARGET_CLASSES)
        add_list(key, y->classes, n, sizeof *y->classes);
    else
        ald_key_int(key, (int64_t)ald_matrix_fingerprint(&y->values));
    add_list(key, y->labelled, n, sizeof *y->labelled);
    add_list(key, y->weights, n, sizeof *y->weights);
    if (y->events) add_list(key, y->events, n, sizeof *y->events);
}

/* All settings but n_components, and which of them were given. */
static void key_settings(ald_key *key, const ald_settings *settings)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_param *param;
    ald_key_text(key, ald_method_name(method));
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
        if (param->traits & ALD_PARAM_IS_COMPONENTS) continue;
        ald_key_text(key, ald_settings_text(settings, param->name));
        ald_key_int(key, ald_settings_given(settings, param->name));
    }
}

void ald_key_splits(ald_key *key, const ald_splits_options *options, int64_t rows)
{
    const int64_t numbers[] = {
        options->splits,          options->folds,         options->repeats, options->stratify,
        options->keep_duplicates, (int64_t)options->seed, options->n_parts, options->test_part,
    };
    ald_key_add(key, numbers, sizeof numbers);
    ald_key_add(key, &options->train, sizeof options->train);
    add_list(key, options->groups, rows, sizeof *options->groups);
    add_list(key, options->parts, rows, sizeof *options->parts);
}

/* What a candidate may choose from is in the rest of its key. The groups of its inner splits are the outer
 * ones'. */
static void add_choosing(ald_key *key, const ald_candidate *candidate)
{
    ald_key_int(key, candidate->choose);
    if (!candidate->choose) return;
    ald_key_int(key, candidate->rule);
    ald_key_splits(key, candidate->inner, 0);
}

void ald_key_candidate(ald_key *key, const ald_candidate *candidate, int setting)
{
    ald_key_int(key, candidate->kind);
    ald_key_int(key, candidate->n_dims);
    if (candidate->stay > 0) ald_key_int(key, candidate->stay);
    for (int k = 0; k < candidate->n_dims; k++) ald_key_int(key, candidate->dims[k]);
    for (int s = 0; s < candidate->n_settings; s++) {
        if (setting >= 0 && s != setting) continue;
        key_settings(key, candidate->settings[s]);
        if (candidate->tried) ald_key_int(key, candidate->tried[s]);
    }
    add_choosing(key, candidate);
}

static const char first_kind[] = "journal", cells_kind[] = "cells";
enum { format_version = 4 };

/* What files of versions before the fourth begin with. */
static const char older[] = "{\"sum\": \"";

typedef struct entry {
    ald_key key;
    int64_t number; /* of the record */
    int count;
    ald_cell *cells;
} entry;

struct ald_journal {
    int file;
    const char *path;
    entry *entries;
    int64_t count, capacity;
};

static ald_status fail_file(ald_run *run, const char *path, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: cannot %s it: %s", path, what, strerror(errno));
}

ald_status ald_journal_refuse(ald_run *run, const ald_journal *journal, int64_t record)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "%s: record %lld is damaged, so the finished work in this file cannot be "
                    "trusted: remove it, or use another file",
                    journal->path, (long long)record);
}

/* --- cells --- */

static ald_status put_cell(ald_run *run, ald_record *r, const ald_cell *cell)
{
    const int64_t numbers[] = {cell->dims, cell->setting, cell->status};
    const double seconds[] = {cell->fit_seconds, cell->apply_seconds};
    ALD_TRY(ald_record_put(run, r, numbers, 3, sizeof *numbers));
    ALD_TRY(ald_record_put_text(run, r, cell->message));
    ALD_TRY(ald_record_put(run, r, seconds, 2, sizeof *seconds));
    return ald_record_put(run, r, cell->metrics, ALD_MOST_METRICS, sizeof *cell->metrics);
}

static int within(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

/* NaN: it was not timed. */
static int is_time(double seconds)
{
    return !(seconds < 0.0) && !isinf(seconds);
}

/* Fails if a field is out of its range. */
static ald_status take_cell(ald_run *run, ald_record *r, ald_cell *cell)
{
    int64_t numbers[3];
    double seconds[2];
    char *message;
    ALD_TRY(ald_record_take(run, r, numbers, 3, sizeof *numbers));
    ALD_TRY(ald_record_take_text(run, r, &message));
    ALD_TRY(ald_record_take(run, r, seconds, 2, sizeof *seconds));
    *cell = (ald_cell){
        .dims = numbers[0],
        .setting = (int)numbers[1],
        .status = (ald_status)numbers[2],
        .fit_seconds = seconds[0],
        .apply_seconds = seconds[1],
    };
    if (!message || strlen(message) >= sizeof cell->message || !within(numbers[0], -1, INT32_MAX) ||
        !within(numbers[1], -1, INT_MAX) || !within(numbers[2], ALD_ERROR_CANCELLED, ALD_RANK_REDUCED) ||
        !is_time(seconds[0]) || !is_time(seconds[1]))
        return ald_record_damaged(run);
    memcpy(cell->message, message, strlen(message) + 1);
    return ald_record_take(run, r, cell->metrics, ALD_MOST_METRICS, sizeof *cell->metrics);
}

/* --- reading --- */

static ald_status make_room(ald_run *run, ald_journal *journal)
{
    if (journal->count < journal->capacity) return ALD_OK;
    journal->capacity = 2 * journal->capacity + 64;
    ALD_TRY(
        ald_resize(run, &run->scratch, &journal->entries, journal->capacity, 1, sizeof *journal->entries));
    return ALD_OK;
}

/* Every field is there and can be, and there is nothing else. */
static ald_status take_entry(ald_run *run, ald_journal *journal, ald_record *r, int64_t number)
{
    entry e = {.number = number};
    char *name;
    int64_t split, count;
    ALD_TRY(make_room(run, journal));
    ALD_TRY(ald_record_take(run, r, &e.key.value, 1, sizeof e.key.value));
    ALD_TRY(ald_record_take_text(run, r, &name));
    ALD_TRY(ald_record_take_count(run, r, &split));
    ALD_TRY(ald_record_take_count(run, r, &count));
    if (!name || split < 1 || !within(count, 1, ald_record_left(r))) return ald_record_damaged(run);
    e.count = (int)count;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *e.cells, &e.cells));
    for (int i = 0; i < e.count; i++) ALD_TRY(take_cell(run, r, &e.cells[i]));
    if (ald_record_left(r) > 0) return ald_record_damaged(run);
    journal->entries[journal->count++] = e;
    return ALD_OK;
}

/* Where the record at `at` ends, as its head says; behind the end of the file if it is not whole. */
static int64_t end_of(const ald_record *r, int64_t at)
{
    int64_t length;
    if (r->size - at < ALD_RECORD_EXTRA) return r->size + 1;
    memcpy(&length, r->bytes + at, sizeof length);
    if (length < 0 || length > r->size - at - ALD_RECORD_EXTRA) return r->size + 1;
    return at + length + ALD_RECORD_EXTRA;
}

/* Behind the first. A last record that is damaged is that of a killed writer. */
static ald_status read_entries(ald_run *run, ald_journal *journal, ald_record *r, size_t *kept)
{
    r->kind = cells_kind;
    for (int64_t number = 2; *kept < (size_t)r->size; number++) {
        const int64_t end = end_of(r, (int64_t)*kept);
        ald_status status = end <= r->size ? ald_record_next(run, r) : ALD_ERROR_FORMAT;
        if (status == ALD_ERROR_FORMAT && end >= r->size) {
            ald_clear_error(run->error);
            return ALD_OK;
        }
        if (status >= 0) status = take_entry(run, journal, r, number);
        if (status == ALD_ERROR_FORMAT) return ald_journal_refuse(run, journal, number);
        ALD_TRY(status);
        *kept = (size_t)end;
    }
    return ALD_OK;
}

static ald_status make_first(ald_run *run, ald_key of_run, ald_record *r)
{
    *r = (ald_record){.arena = &run->scratch, .kind = first_kind};
    ALD_TRY(ald_record_put_count(run, r, format_version));
    ALD_TRY(ald_record_put_text(run, r, ald_version()));
    ALD_TRY(ald_record_put(run, r, &of_run.value, 1, sizeof of_run.value));
    return ald_record_seal(run, r);
}

/* The beginning is whole, but not that of this run. */
static ald_status another_run(ald_run *run, const char *path, const ald_record *of_run, const ald_record *r)
{
    const int64_t same = of_run->size - ALD_RECORD_EXTRA + ALD_RECORD_HEAD - 8; /* up to the key */
    const int same_version = r->size >= same && memcmp(r->bytes, of_run->bytes, (size_t)same) == 0;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        same_version ? "%s contains the finished work of another run (other data, methods, settings or "
                       "splits): use another file"
                     : "%s contains the finished work of another version of this program: use another file",
        path);
}

/* The first record is this run's, or the file is empty but for what a killed writer has left of it. */
static ald_status check_first(ald_run *run, const char *path, ald_key of_run, ald_record *r, size_t *kept)
{
    ald_record first;
    ALD_TRY(make_first(run, of_run, &first));
    const int64_t begun = r->size < first.size ? r->size : first.size;
    *kept = begun == first.size ? (size_t)begun : 0;
    if (begun == 0 || memcmp(r->bytes, first.bytes, (size_t)begun) == 0)
        return *kept ? ald_record_next(run, r) : ALD_OK;
    const int old = r->size > (int64_t)sizeof older && memcmp(r->bytes, older, sizeof older - 1) == 0;
    if (old || ald_record_next(run, r) >= 0) return another_run(run, path, &first, r);
    return ald_fail(
        run->error, ALD_ERROR_FORMAT,
        "%s does not contain the finished work of a comparison, or record 1 is damaged: use another file",
        path);
}

ald_status ald_journal_read(ald_run *run, const char *path, ald_key of_run, unsigned char *bytes, size_t size,
                            size_t *kept, ald_journal **journal)
{
    ald_record r = {.arena = &run->scratch, .kind = first_kind, .bytes = bytes, .size = (int64_t)size};
    ald_journal *made;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *made, &made));
    *made = (ald_journal){.path = path, .file = -1};
    ALD_TRY(check_first(run, path, of_run, &r, kept));
    if (*kept) ALD_TRY(read_entries(run, made, &r, kept));
    *journal = made;
    return ALD_OK;
}

/* --- the file --- */

static ald_status read_all(ald_run *run, int file, const char *path, unsigned char **bytes, size_t *size)
{
    struct stat info;
    if (fstat(file, &info) != 0) return fail_file(run, path, "look at");
    if (!S_ISREG(info.st_mode))
        return ald_fail(run->error, ALD_ERROR_IO, "%s is not a file in which finished work can be kept",
                        path);
    ALD_TRY(ald_scratch(run, info.st_size + 1, 1, 1, bytes));
    for (*size = 0; *size < (size_t)info.st_size;) {
        const ssize_t got = read(file, *bytes + *size, (size_t)info.st_size - *size);
        if (got < 0) return fail_file(run, path, "read");
        if (got == 0) break;
        *size += (size_t)got;
    }
    return ALD_OK;
}

static ald_status write_record(ald_run *run, const ald_journal *journal, const ald_record *r)
{
    if (write(journal->file, r->bytes, (size_t)r->size) == (ssize_t)r->size) return ALD_OK;
    return fail_file(run, journal->path, "write to");
}

static ald_status load(ald_run *run, const char *path, int file, ald_key of_run, ald_journal **journal)
{
    unsigned char *bytes;
    size_t size = 0, kept = 0;
    ald_record first;
    ALD_TRY(read_all(run, file, path, &bytes, &size));
    ALD_TRY(ald_journal_read(run, path, of_run, bytes, size, &kept, journal));
    (*journal)->file = file;
    if (kept < size && ftruncate(file, (off_t)kept) != 0) return fail_file(run, path, "shorten");
    if (kept > 0) return ALD_OK;
    ALD_TRY(make_first(run, of_run, &first));
    return write_record(run, *journal, &first);
}

ald_status ald_journal_open(ald_run *run, const char *path, ald_key of_run, ald_journal **journal)
{
    *journal = NULL;
    const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return fail_file(run, path, "open");
    const ald_status status = load(run, path, file, of_run, journal);
    if (status < 0) {
        close(file);
        *journal = NULL;
    }
    return status;
}

void ald_journal_close(ald_journal *journal)
{
    if (journal && journal->file >= 0) close(journal->file);
}

int64_t ald_journal_find(const ald_journal *journal, ald_key key, int count, ald_cell *cells)
{
    for (int64_t i = 0; i < journal->count; i++) {
        const entry *e = &journal->entries[i];
        if (e->key.value != key.value || e->count != count) continue;
        memcpy(cells, e->cells, (size_t)count * sizeof *cells);
        return e->number;
    }
    return 0;
}

ald_status ald_journal_add(ald_run *run, ald_journal *journal, ald_key key, const char *name, int64_t split,
                           int count, const ald_cell *cells)
{
    ald_record r = {.arena = &run->scratch, .kind = cells_kind};
    ALD_TRY(ald_record_put(run, &r, &key.value, 1, sizeof key.value));
    ALD_TRY(ald_record_put_text(run, &r, name));
    ALD_TRY(ald_record_put_count(run, &r, split + 1));
    ALD_TRY(ald_record_put_count(run, &r, count));
    for (int i = 0; i < count; i++) ALD_TRY(put_cell(run, &r, &cells[i]));
    ALD_TRY(ald_record_seal(run, &r));
    const ald_status status = write_record(run, journal, &r);
    ald_arena_drop(&run->scratch, r.bytes);
    return status;
}
