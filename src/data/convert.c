#include "data/convert.h"

#include "core/output.h"
#include "data/dataset.h"
#include "data/reader.h"
#include "data/writer.h"

ald_status ald_convert_check(ald_run *run, const ald_load_options *options)
{
    const struct {
        const char *name;
        const void *given;
    } refused[] = {{"target_file", options->target_file}, {"task", options->task},
                   {"weights", options->weights},         {"ignore", options->ignore},
                   {"categorical", options->categorical}, {"encode", options->encode},
                   {"missing", options->missing},         {"unlabelled_rows", options->unlabelled_rows},
                   {"like", options->like}};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (refused[k].given)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "the option %s means nothing here: cells are passed through as they are", refused[k].name);
    return ALD_OK;
}

ald_status ald_convert_target(ald_run *run, const ald_table *table, const ald_load_options *options, int64_t *target)
{
    *target = table->n_target_columns == 1 ? table->cols - 1 : -1;
    if (!options->target) return ALD_OK;
    int64_t *chosen, count;
    ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *chosen, &chosen));
    ALD_TRY(ald_columns_choose(run, table, options->target, "--target", chosen, &count));
    *target = -1;
    for (int64_t j = 0; count == 1 && j < table->cols; j++)
        if (chosen[j]) *target = j;
    return ALD_OK;
}

ald_status ald_convert_file(ald_run *run, const char *from, const char *to, const ald_load_options *options)
{
    ald_table table;
    ald_output *output = NULL;
    int64_t target;
    ALD_TRY(ald_convert_check(run, options));
    ALD_TRY(ald_table_read(run, from, options, &run->scratch, &table));
    ALD_TRY(ald_convert_target(run, &table, options, &target));
    ald_status status = ald_table_write(run, &table, NULL, table.rows, target, to, &output);
    if (status >= 0) status = ald_output_commit(run, output);
    ald_output_abandon(output);
    return status;
}
