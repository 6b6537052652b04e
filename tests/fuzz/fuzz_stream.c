/* The fuzz target for reading in blocks: the first byte is the format and the size of a block, the others are
 * the file. Blocks that can all be read have as many rows as the file read at once. */
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"
#include "io/reading/stream.h"

static const char *const names[] = {"stream.csv", "stream.tsv", "stream.svm", "stream.npy"};
/* Found out for every fifth size of blocks. */
static const char *const delimiters[] = {",", "tab"};
static const char *const headers[] = {NULL, "no", "yes"};
static memory_file files[4];

static ald_status count_blocks(ald_run *run, ald_stream *stream, int64_t *rows)
{
    *rows = 0;
    for (int got = 1; got;) {
        ald_table table = {.source = "fuzz"};
        ald_arena arena;
        ald_arena_init(&arena, run->call.allocator);
        const ald_status status = ald_stream_next(run, stream, &arena, &table, &got);
        if (status >= 0 && got) *rows += table.rows;
        ald_arena_free(&arena);
        ALD_TRY(status);
    }
    return ALD_OK;
}

static ald_status read_whole(ald_run *run, const char *path, const ald_load_options *options, int64_t *rows)
{
    ald_table table;
    ALD_TRY(ald_table_read(run, path, options, &run->scratch, &table));
    *rows = table.rows;
    return ALD_OK;
}

static ald_status read_blocks(ald_run *run, const char *path, const ald_load_options *options, int64_t *rows)
{
    ald_stream *stream = NULL;
    ald_status status = ald_stream_open(run, path, options, NULL, &stream);
    if (status >= 0) status = count_blocks(run, stream, rows);
    ald_stream_close(stream);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    int64_t in_blocks = 0, in_all = 0;
    if (!files[0].path[0])
        for (int k = 0; k < 4; k++) memory_file_open(&files[k], names[k]);
    if (size == 0) return 0;
    const memory_file *file = &files[bytes[0] & 3];
    const ald_load_options options = {
        .block_bytes = 1 + (bytes[0] >> 2),
        .header = headers[bytes[0] & 2 ? 0 : 1 + (bytes[0] >> 2 & 1)],
        .delimiter = bytes[0] & 2 || (bytes[0] >> 2) % 5 == 0 ? NULL : delimiters[bytes[0] & 3],
    };
    memory_file_fill(file, bytes + 1, size - 1);
    ald_run_begin(&run, &context, &error);
    const ald_status status = read_blocks(&run, file->path, &options, &in_blocks);
    fuzzing_expect_message(status, &error);
    if (status >= 0 && read_whole(&run, file->path, &options, &in_all) >= 0 && in_blocks != in_all) abort();
    ald_run_end(&run, status);
    return 0;
}
