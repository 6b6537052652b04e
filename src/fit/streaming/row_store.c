/* Kept blocks in memory or in a file without a name, and whether they are kept at all. */
#include "fit/streaming/row_store.h"

#include "base/core/budget.h"
#include "fit/streaming/table_record.h"
#include "io/files/temporary.h"
#include "io/reading/reader.h"

#include <stdatomic.h>
#include <string.h>

typedef struct kept_block {
    ald_dataset *data; /* NULL: it is in the file */
    ald_table table;   /* in the memory of `data`; used up when that is ready */
    int ready;
    int64_t place, size;    /* in the file: of the packed table */
    ald_stream_place after; /* in the file that was read */
} kept_block;

struct ald_row_store {
    ald_allocator allocator;
    ald_arena memory; /* of the list */
    kept_block *blocks;
    int64_t count, capacity;
    double bytes, most; /* kept in memory, and how many may be */
    char *beside;       /* whose folder the file is made in; NULL: there may be none */
    ald_scratch_file file;
    atomic_flag in_use;
};

enum { share = 4 };

static double most_bytes(const ald_run *run)
{
    const ald_budget *budget = run->context->budget;
    const double all = (double)(budget ? budget->limit : ald_machine_memory());
    return all / share / (run->context->sharers > 0 ? run->context->sharers : 1);
}

static ald_status choose(ald_run *run, const ald_load_options *options, int *keeps, int *in_file)
{
    const char *how = options->keep_rows ? options->keep_rows : "auto";
    *in_file = strcmp(how, "file") == 0;
    *keeps = *in_file || strcmp(how, "auto") == 0;
    if (*keeps || strcmp(how, "none") == 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`keep_rows` is auto, file or none, not '%.40s'", how);
}

static ald_row_store *make(ald_run *run, const char *beside)
{
    const ald_allocator *allocator = run->call.allocator;
    ald_row_store *made = allocator->resize(allocator->user, NULL, sizeof *made);
    if (!made) return NULL;
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    made->most = most_bytes(run);
    made->file.file = -1;
    atomic_flag_clear(&made->in_use);
    ald_arena_init(&made->memory, &made->allocator);
    if (!beside) return made;
    made->beside = ald_arena_text(&made->memory, beside, strlen(beside));
    if (made->beside) return made;
    ald_row_store_free(made);
    return NULL;
}

ald_status ald_row_store_new(ald_run *run, const char *path, const ald_load_options *options,
                             ald_row_store **store)
{
    const ald_reader *reader;
    int keeps, in_file;
    *store = NULL;
    ALD_TRY(choose(run, options, &keeps, &in_file));
    if (!keeps) return ALD_OK;
    ALD_TRY(ald_reader_find(run, path, options->format, &reader));
    if (reader == &ald_npy_reader) return ALD_OK;
    const char *beside = options->keep_beside ? options->keep_beside : path;
    *store = make(run, in_file ? beside : NULL);
    return *store ? ALD_OK : ald_out_of_memory(run, 1, 1, sizeof **store);
}

void ald_row_store_free(ald_row_store *store)
{
    if (!store) return;
    const ald_allocator allocator = store->allocator;
    for (int64_t i = 0; i < store->count; i++) ald_dataset_free(store->blocks[i].data);
    ald_scratch_file_close(&store->file);
    ald_arena_free(&store->memory);
    allocator.resize(allocator.user, store, 0);
}

static void give_up(ald_row_store **store)
{
    ald_row_store_free(*store);
    *store = NULL;
}

static ald_status more_room(ald_run *run, ald_row_store *s)
{
    if (s->count < s->capacity) return ALD_OK;
    const int64_t capacity = 2 * s->capacity + 16;
    ALD_TRY(ald_resize(run, &s->memory, &s->blocks, capacity, 1, sizeof *s->blocks));
    s->capacity = capacity;
    return ALD_OK;
}

static ald_status add_to_file(ald_run *run, ald_row_store *s, const ald_table *table, const int64_t *ignored,
                              kept_block *to)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_record packed = {.arena = &run->scratch};
    ALD_TRY(ald_table_pack(run, table, ignored, &packed));
    ALD_TRY(ald_record_seal(run, &packed));
    to->place = s->file.size;
    to->size = packed.size;
    const ald_status status = ald_scratch_file_add(run, &s->file, packed.bytes, packed.size);
    ald_arena_release(&run->scratch, mark);
    return status;
}

/* By the allocator of the store: that of the run may be a pool, which ends with the survey. */
static ald_status new_data(ald_run *run, const ald_row_store *s, ald_dataset **data)
{
    *data = s->allocator.resize(s->allocator.user, NULL, sizeof **data);
    if (!*data) return ald_out_of_memory(run, 1, 1, sizeof **data);
    memset(*data, 0, sizeof **data);
    (*data)->allocator = s->allocator;
    ald_arena_init(&(*data)->memory, &(*data)->allocator);
    return ALD_OK;
}

static ald_status add_to_memory(ald_run *run, ald_row_store *s, const ald_table *table,
                                const int64_t *ignored, kept_block *to)
{
    ald_dataset *data;
    ALD_TRY(new_data(run, s, &data));
    const ald_status status = ald_table_copy(run, table, ignored, &data->memory, &to->table);
    if (status < 0) {
        ald_dataset_free(data);
        return status;
    }
    to->data = data;
    s->bytes += (double)ald_table_bytes(table, ignored);
    return ALD_OK;
}

/* What is in memory goes to the file, which takes all blocks from here on. */
static ald_status move_to_file(ald_run *run, ald_row_store *s)
{
    ALD_TRY(ald_scratch_file_open(run, s->beside, &s->file));
    for (int64_t i = 0; i < s->count; i++) {
        kept_block *b = &s->blocks[i];
        ALD_TRY(add_to_file(run, s, &b->table, NULL, b));
        ald_dataset_free(b->data);
        b->data = NULL;
    }
    s->bytes = 0.0;
    return ALD_OK;
}

static int fits(const ald_row_store *s, const ald_table *table, const int64_t *ignored)
{
    return s->bytes + (double)ald_table_bytes(table, ignored) <= s->most;
}

static ald_status add_block(ald_run *run, const ald_table *table, const int64_t *ignored,
                            const ald_stream_place *after, ald_row_store *s)
{
    kept_block made = {.after = *after};
    ALD_TRY(more_room(run, s));
    if (s->file.file < 0 && !fits(s, table, ignored)) ALD_TRY(move_to_file(run, s));
    ALD_TRY((s->file.file >= 0 ? add_to_file : add_to_memory)(run, s, table, ignored, &made));
    s->blocks[s->count++] = made;
    return ALD_OK;
}

/* Want of memory, here, is no reason to fail. */
static ald_status without_memory(ald_run *run, ald_status status, ald_row_store **store)
{
    if (status >= 0) return status;
    give_up(store);
    if (status != ALD_ERROR_MEMORY) return status;
    ald_clear_error(run->error);
    return ALD_OK;
}

ald_status ald_row_store_add(ald_run *run, const ald_table *block, const int64_t *ignored,
                             const ald_stream_place *after, ald_row_store **store)
{
    if (!*store) return ALD_OK;
    if ((*store)->beside || fits(*store, block, ignored))
        return without_memory(run, add_block(run, block, ignored, after, *store), store);
    give_up(store);
    return ALD_OK;
}

void ald_row_store_end(double rows, double bytes, ald_row_store **store)
{
    if (!*store || (*store)->file.file >= 0 || rows * bytes <= (*store)->most) return;
    give_up(store);
}

ald_row_store *ald_row_store_take(const ald_dataset *survey)
{
    ald_row_store *store = survey->store;
    return store && !atomic_flag_test_and_set(&store->in_use) ? store : NULL;
}

void ald_row_store_leave(ald_row_store *store)
{
    if (store) atomic_flag_clear(&store->in_use);
}

int64_t ald_row_store_count(const ald_row_store *store)
{
    return store->count;
}

ald_stream_place ald_row_store_after(const ald_row_store *store, int64_t number)
{
    return store->blocks[number].after;
}

/* A user that takes it and does not yield it is the last. */
void ald_row_store_yield(ald_run *run, const ald_dataset *survey, double bytes)
{
    ald_budget *budget = run->context->budget;
    if (!budget || (double)ald_budget_left(budget) >= bytes) return;
    ald_row_store *store = ald_row_store_take(survey);
    for (int64_t i = 0; store && i < store->count; i++) {
        ald_dataset_free(store->blocks[i].data);
        store->blocks[i].data = NULL;
    }
}

static ald_status from_file(ald_run *run, const ald_row_store *s, const kept_block *b, ald_dataset *made,
                            const ald_load_options *options)
{
    ald_table table;
    ald_record packed = {.arena = &made->memory, .size = b->size};
    ALD_TRY(ald_scratch(run, b->size, 1, 1, &packed.bytes));
    ALD_TRY(ald_scratch_file_read(run, &s->file, b->place, packed.bytes, b->size));
    ALD_TRY(ald_table_unpack(run, &packed, &table));
    ald_arena_drop(&run->scratch, packed.bytes);
    return ald_dataset_from_table(run, &table, options, made);
}

ald_status ald_row_store_block(ald_run *run, ald_row_store *store, int64_t number,
                               const ald_load_options *options, ald_dataset **block, ald_dataset **temporary,
                               int *fresh)
{
    kept_block *b = &store->blocks[number];
    *temporary = NULL;
    *block = b->data;
    *fresh = !b->ready;
    if (!b->data) {
        ALD_TRY(ald_dataset_new(run, temporary));
        *block = *temporary;
        return from_file(run, store, b, *temporary, options);
    }
    if (b->ready) return ALD_OK;
    ALD_TRY(ald_dataset_from_table(run, &b->table, options, b->data));
    b->ready = 1;
    return ALD_OK;
}
