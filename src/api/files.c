/* The public verbs on files that make no dataset: write, convert, split. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "data/writing/convert.h"
#include "io/files/output.h"
#include "io/writing/writer.h"

/* Puts the output in its place if all went well, and takes it away if not. */
static ald_status settle(ald_run *run, ald_output *output, ald_status status)
{
    if (status >= 0) status = ald_output_commit(run, output);
    ald_output_abandon(output);
    return ald_run_end(run, status);
}

ald_status ald_write_table(ald_context *context, const char *path, const double *values, int64_t rows,
                           int64_t cols, const char *const *header, const char *const *const *levels,
                           ald_error *error)
{
    ald_run run;
    ald_output *output = NULL;
    ALD_GIVEN(error, context, path, values);
    ald_run_begin(&run, context, error);
    const ald_sheet sheet = {values, rows, cols, header, levels};
    const ald_status status = ald_matrix_write(&run, &sheet, path, &output);
    return settle(&run, output, status);
}

ald_status ald_write_matrix(ald_context *context, const char *path, const double *values, int64_t rows,
                            int64_t cols, const char *const *header, ald_error *error)
{
    return ald_write_table(context, path, values, rows, cols, header, NULL, error);
}

ald_status ald_write_text(ald_context *context, const char *path, const char *text, size_t size,
                          ald_error *error)
{
    ald_run run;
    ald_output *output = NULL;
    ALD_GIVEN(error, context, path, text);
    ald_run_begin(&run, context, error);
    ald_status status = ald_output_open(&run, path, 0, &output);
    if (status >= 0) status = ald_output_write(&run, output, text, size);
    return settle(&run, output, status);
}

ald_status ald_convert(ald_context *context, const char *from, const char *to,
                       const ald_load_options *options, ald_error *error)
{
    ald_load_options whole;
    ald_run run;
    ALD_GIVEN(error, context, from, to);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_load_options, options, &whole));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, ald_convert_file(&run, from, to, &whole));
}

/* `whole` with a whole `load` in it. */
static ald_status read_split_options(ald_error *error, const ald_split_file_options *options,
                                     ald_split_file_options *whole, ald_load_options *load)
{
    ALD_TRY(ALD_OPTIONS_READ(error, ald_split_file_options, options, whole));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_load_options, whole->load, load));
    whole->load = load;
    return ALD_OK;
}

ald_status ald_split_file(ald_context *context, const char *path, const ald_split_file_options *options,
                          const char *train_path, const char *test_path, int64_t *train_rows,
                          int64_t *test_rows, ald_error *error)
{
    ald_split_file_options whole;
    ald_load_options load;
    ald_run run;
    int64_t counts[2] = {0, 0};
    if (train_rows) *train_rows = 0;
    if (test_rows) *test_rows = 0;
    ALD_GIVEN(error, context, path, options, train_path, test_path);
    ALD_TRY(read_split_options(error, options, &whole, &load));
    ald_run_begin(&run, context, error);
    const ald_status status =
        ald_run_end(&run, ald_split_write(&run, path, &whole, train_path, test_path, &counts[0], &counts[1]));
    if (train_rows) *train_rows = status >= 0 ? counts[0] : 0;
    if (test_rows) *test_rows = status >= 0 ? counts[1] : 0;
    return status;
}
