#include "data/writing/convert.h"

#include "data/encode/dataset.h"
#include "io/files/output.h"
#include "io/reading/reader.h"
#include "io/table/columns.h"
#include "io/writing/writer.h"

ald_status ald_convert_check(ald_run *run, const ald_load_options *options)
{
    const struct {
        const char *name;
        const void *given;
    } refused[] = {
        {"target_file", options->target_file},
        {"task", options->task},
        {"weights", options->weights},
        {"ignore", options->ignore},
        {"categorical", options->categorical},
        {"encode", options->encode},
        {"missing", options->missing},
        {"unlabelled_rows", options->unlabelled_rows},
        {"unlabelled_file", options->unlabelled_file},
        {"like", options->like},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (refused[k].given)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "`%s` has no effect here, as cells are passed on as they are: leave it out",
                            refused[k].name);
    return ALD_OK;
}

/* An svmlight row has one label (or a list of labels, which columns cannot say). */
static ald_status check_label(ald_run *run, const ald_table *table, const char *path, int64_t count)
{
    const ald_reader *format;
    ALD_TRY(ald_reader_find(run, path, NULL, &format));
    if (format != &ald_svmlight_reader || count == 1) return ALD_OK;
    if (count == 0 && !table->label_pointers)
        ald_log(run, ALD_LOG_WARNING,
                "%s: every row gets the label 0, as no column is the target: name one with `target`", path);
    if (count == 0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "%s: a row of an svmlight file has one label, but %lld target columns are named: name one", path,
        (long long)count);
}

ald_status ald_convert_target(ald_run *run, const ald_table *table, const ald_load_options *options,
                              const char *path, int64_t *target)
{
    int64_t *chosen;
    int64_t count = table->n_target_columns, last = table->cols - 1;
    if (options->target) {
        ALD_TRY(ald_scratch(run, table->cols, 1, sizeof *chosen, &chosen));
        ALD_TRY(ald_columns_choose(run, table, options->target, "`target`", chosen, &count));
        while (last >= 0 && !chosen[last]) last--;
    }
    *target = count == 1 ? last : -1;
    return check_label(run, table, path, count);
}

ald_status ald_convert_file(ald_run *run, const char *from, const char *to, const ald_load_options *options)
{
    ald_table table;
    ald_output *output = NULL;
    int64_t target;
    ALD_TRY(ald_convert_check(run, options));
    ALD_TRY(ald_table_read(run, from, options, &run->scratch, &table));
    ALD_TRY(ald_convert_target(run, &table, options, to, &target));
    ald_status status = ald_table_write(run, &table, NULL, table.rows, target, to, &output);
    if (status >= 0) status = ald_output_commit(run, output);
    ald_output_abandon(output);
    return status;
}
