/* The fuzz target for MATLAB files: their library wants a path. Those of version 7.3 are refused, as a
 * program that uses the library gets it unless it says otherwise. */
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"
#include "io/reading/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static memory_file file;
    const ald_load_options ways[] = {{0}, {.y_variable = "y"}, {.x_variable = "X", .y_variable = "y"}};
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    if (!file.path[0]) memory_file_open(&file, "fuzz.mat");
    memory_file_fill(&file, bytes, size);
    ald_run_begin(&run, &context, &error);
    ald_table table = {.arena = &run.scratch, .source = "fuzz"};
    const ald_status status = ald_mat_reader.read_path(&run, file.path, &ways[size % 3], &table);
    fuzzing_expect_message(status, &error);
    ald_run_end(&run, status);
    return 0;
}
