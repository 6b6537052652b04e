/* The fuzz target for the further files of a table: in which part a row is, targets, rows without one. */
#include "data/encode/dataset.h"
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"
#include "io/reading/reader.h"

static const char table_text[] = "a,b,c\n1,2,u\n3,4,v\n5,6,u\n7,8,w\n";
static memory_file file;

static ald_status read_all(ald_run *run, const ald_load_options *options, ald_dataset **dataset)
{
    ald_input *input;
    ALD_TRY(ald_dataset_new(run, dataset));
    ald_table table = {.arena = &(*dataset)->memory, .source = "fuzz"};
    ALD_TRY(ald_input_memory(run, table_text, sizeof table_text - 1, &input));
    ald_status status = ald_csv_reader.read(run, input, options, &table);
    ald_input_close(input);
    if (status >= 0) status = ald_dataset_from_table(run, &table, options, *dataset);
    if (status >= 0 && options->unlabelled_file) status = ald_dataset_add_unlabelled(run, options, *dataset);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!file.path[0]) memory_file_open(&file, "second.csv");
    const ald_load_options ways[] = {
        {.target = "c", .split_file = file.path},
        {.target_file = file.path, .missing = "mean"},
        {.target = "c", .unlabelled_file = file.path, .missing = "mean"},
        {.target = "a", .unlabelled_file = file.path, .missing = "drop", .encode = "ordinal"},
    };
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_dataset *dataset = NULL;
    memory_file_fill(&file, bytes, size);
    ald_run_begin(&run, &context, &error);
    const ald_status status = read_all(&run, &ways[size % 4], &dataset);
    fuzzing_expect_message(status, &error);
    ald_dataset_free(dataset);
    ald_run_end(&run, status);
    return 0;
}
