/* A fuzz target for a reader: the file that includes this defines FUZZ_READER. What can be read is made a
 * dataset as well, once without a target and once with the first column as the target and missing cells
 * filled in. */
#include "fuzz/fuzzing.h"
#include "preparing/dataset.h"
#include "reading/reader.h"

#include <string.h>

static ald_status read_bytes(ald_run *run, const uint8_t *bytes, size_t size, const ald_load_options *options,
                             ald_arena *arena, ald_table *table)
{
    ald_input *input;
    memset(table, 0, sizeof *table);
    table->arena = arena;
    table->source = "fuzz";
    ALD_TRY(ald_input_memory(run, bytes, size, &input));
    const ald_status status = FUZZ_READER.read(run, input, options, table);
    ald_input_close(input);
    return status;
}

static ald_status load_bytes(ald_run *run, const uint8_t *bytes, size_t size, const ald_load_options *options,
                             ald_dataset *dataset)
{
    ald_table table;
    ALD_TRY(read_bytes(run, bytes, size, options, &dataset->memory, &table));
    return ald_dataset_from_table(run, &table, options, dataset);
}

static void try_load(const uint8_t *bytes, size_t size, const ald_load_options *options)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_dataset *dataset = NULL;
    ald_run_begin(&run, &context, &error);
    ald_status status = ald_dataset_new(&run, &dataset);
    if (status >= 0) status = load_bytes(&run, bytes, size, options, dataset);
    if (status < 0 && error.message[0] == '\0') abort(); /* a failure says why */
    ald_dataset_free(dataset);
    ald_run_end(&run, status);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ald_load_options plain = {.size = sizeof plain, .missing = "error"},
                           with_target = {.missing = "mean", .target = "#1"};
    try_load(bytes, size, &plain);
    try_load(bytes, size, &with_target);
    return 0;
}
