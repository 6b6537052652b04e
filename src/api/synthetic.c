/* Synthetic sets: listed, written to a file, or made in memory. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "data/encode/dataset.h"
#include "io/generating/generate.h"
#include "io/reading/reader.h"
#include "io/writing/writer.h"

int ald_generator_count(void)
{
    int count = 0;
    while (ald_generator_by_index(count)) count++;
    return count;
}

int ald_generator_at(int index, const char **name, const char **summary)
{
    const ald_generator *generator = ald_generator_by_index(index);
    if (!generator) return 0;
    if (name) *name = generator->name;
    if (summary) *summary = generator->summary;
    return 1;
}

/* svmlight files hold one label column or lists of labels; other formats no lists. */
static ald_status check_format(ald_run *run, const ald_generator *generator, const char *path)
{
    const ald_reader *reader;
    ALD_TRY(ald_reader_find(run, path, NULL, &reader));
    const int svmlight = reader == &ald_svmlight_reader;
    if (!generator->target && !svmlight)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "the set '%s' is sparse: write it to a name that ends with .svm, not '%s'",
                        generator->name, path);
    if (generator->n_targets > 1 && svmlight)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "the set '%s' has %lld label columns: write it to a name that ends with .csv or .npy, not '%s'",
            generator->name, (long long)generator->n_targets, path);
    return ALD_OK;
}

static ald_status generate_file(ald_run *run, const char *name, const ald_generate_options *options,
                                const char *path)
{
    const ald_generator *generator;
    ald_table table;
    ald_output *output = NULL;
    ALD_TRY(ald_generator_find(run, name, &generator));
    ALD_TRY(check_format(run, generator, path));
    ALD_TRY(ald_generate_table(run, generator, options, &run->scratch, &table));
    const int64_t target = generator->n_targets == 1 ? table.cols - 1 : -1;
    ald_status status = ald_table_write(run, &table, NULL, table.rows, target, path, &output);
    if (status >= 0) status = ald_output_commit(run, output);
    ald_output_abandon(output);
    return status;
}

ald_status ald_generate(ald_context *context, const char *name, const ald_generate_options *options,
                        const char *path, ald_error *error)
{
    ald_generate_options whole;
    ald_run run;
    ALD_GIVEN(error, context, name, path);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_generate_options, options, &whole));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, generate_file(&run, name, &whole, path));
}

static ald_status generate_memory(ald_run *run, const char *name, const ald_generate_options *options,
                                  ald_dataset **dataset)
{
    const ald_generator *generator;
    ald_table table;
    ALD_TRY(ald_generator_find(run, name, &generator));
    ALD_TRY(ald_dataset_new(run, dataset));
    ALD_TRY(ald_generate_table(run, generator, options, &(*dataset)->memory, &table));
    const ald_load_options load = {.target = generator->target, .task = generator->task};
    return ald_dataset_from_table(run, &table, &load, *dataset);
}

ald_status ald_generate_dataset(ald_context *context, const char *name, const ald_generate_options *options,
                                ald_dataset **dataset, ald_error *error)
{
    ald_generate_options whole;
    ald_run run;
    if (dataset) *dataset = NULL;
    ALD_GIVEN(error, context, name, dataset);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_generate_options, options, &whole));
    ald_run_begin(&run, context, error);
    const ald_status status = generate_memory(&run, name, &whole, dataset);
    if (status < 0) {
        ald_dataset_free(*dataset);
        *dataset = NULL;
    }
    return ald_run_end(&run, status);
}
