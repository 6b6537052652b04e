/* A fuzz target for a reader: the file that includes this defines FUZZ_READER. What can be read is made a
 * dataset as well. How that is asked for follows from the length of the input, so that every way is tried
 * and each execution does one thing. */
#include "data/encode/dataset.h"
#include "fuzz/fuzzing.h"
#include "io/reading/reader.h"
#include "io/table/csr.h"

#include <string.h>

static const ald_load_options ways[] = {
    {.missing = "error"},
    {.missing = "mean", .target = "#1"},
    {.missing = "drop", .target = "#1..#2", .unlabelled_rows = "drop", .task = "multilabel"},
    {.missing = "mean", .target = "#1", .weights = "#2", .groups = "#3", .id = "#4", .encode = "ordinal"},
    {.target = "#1", .task = "classification", .ignore = "#2", .split = "#3", .header = "yes"},
    {.missing = "mean", .decimal = "comma", .dates = "numbers", .na = "x,?", .keep = "#1"},
    {.missing = "drop", .dates = "categories", .transpose = 1, .target = "#1"},
    {.missing = "nipals", .transpose = 1, .categorical = "#2", .id = "#1", .target = "#3", .na = "-999"},
};
enum { n_ways = sizeof ways / sizeof *ways };

/* As reader.c does it for a file. */
static ald_status finish_table(ald_run *run, const ald_load_options *options, ald_table *table)
{
    if (options->transpose) ALD_TRY(ald_table_transpose(run, table));
    if (!table->kept) ALD_TRY(ald_kept_choose(run, options, table));
    return ald_kept_fill(run, table);
}

static ald_status read_bytes(ald_run *run, const uint8_t *bytes, size_t size, const ald_load_options *options,
                             ald_arena *arena, ald_table *table)
{
    ald_input *input;
    memset(table, 0, sizeof *table);
    table->arena = arena;
    table->source = "fuzz";
    ald_load_options plain = *options;
    if (options->transpose) plain.id = plain.keep = plain.categorical = NULL;
    ALD_TRY(ald_input_memory(run, bytes, size, &input));
    const ald_status status = FUZZ_READER.read(run, input, &plain, table);
    ald_input_close(input);
    return status < 0 ? status : finish_table(run, options, table);
}

static ald_status load_bytes(ald_run *run, const uint8_t *bytes, size_t size, const ald_load_options *options,
                             ald_dataset *dataset)
{
    ald_table table;
    ALD_TRY(read_bytes(run, bytes, size, options, &dataset->memory, &table));
    return ald_dataset_from_table(run, &table, options, dataset);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_dataset *dataset = NULL;
    ald_run_begin(&run, &context, &error);
    ald_status status = ald_dataset_new(&run, &dataset);
    if (status >= 0) status = load_bytes(&run, bytes, size, &ways[size % n_ways], dataset);
    fuzzing_expect_message(status, &error);
    ald_dataset_free(dataset);
    ald_run_end(&run, status);
    return 0;
}
