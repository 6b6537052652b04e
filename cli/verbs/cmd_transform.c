/* alidade transform: model and rows to their projection. */
#include "cli.h"
#include "printing/printing.h"
#include "ranks/gather_rows.h"
#include "ranks/parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct transform_job {
    ald_model *model;
    ald_dataset *dataset;
    double *z; /* rows x components */
    char (*names)[24];
    const char **header;
} transform_job;

/* z1, z2, ... */
static int make_header(cli_session *session, transform_job *job, size_t components)
{
    job->names = calloc(components + 1, sizeof *job->names);
    job->header = calloc(components + 1, sizeof *job->header);
    if (!job->names || !job->header) return cli_out_of_memory(session);
    for (size_t i = 0; i < components; i++) {
        snprintf(job->names[i], sizeof job->names[i], "z%zu", i + 1);
        job->header[i] = job->names[i];
    }
    return CLI_DONE;
}

static int project(cli_session *session, transform_job *job)
{
    const ald_matrix *x = ald_dataset_x(job->dataset);
    const size_t components = (size_t)ald_model_component_count(job->model);
    CLI_TRY(make_header(session, job, components));
    job->z = calloc((size_t)x->rows * components + 1, sizeof *job->z);
    if (!job->z) return cli_out_of_memory(session);
    if (x->rows == 0 && cli_rows_are_shared(session))
        return CLI_DONE; /* all rows of a rank may be left out */
    return cli_check_data(session, session->args.operands[1],
                          ald_transform(session->context, job->model, x, job->z, &session->error));
}

static int run_steps(cli_session *session, transform_job *job)
{
    const char *const *paths = session->args.operands;
    const char *output = cli_text(&session->args, "output", "-");
    CLI_TRY(cli_parts_check(session, output));
    CLI_TRY(cli_load_shared_model(session, paths[0], &job->model));
    CLI_TRY(cli_load_like(session, job->model, paths[1], &job->dataset));
    CLI_TRY(cli_ranks_settle(session, project(session, job)));
    CLI_TRY(cli_stop(session));
    const cli_results results = {
        .values = job->z,
        .columns = ald_model_component_count(job->model),
        .header = job->header,
        .what = "component",
    };
    return cli_carried_write(session, output, job->dataset, &results);
}

static int run(cli_session *session)
{
    transform_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    free(job.header);
    free(job.names);
    free(job.z);
    ald_dataset_free(job.dataset);
    ald_model_free(job.model);
    return code;
}

static const cli_option options[] = {
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "OUT",
     .help = "where to write the projection: csv, tsv, npy or svm by the ending; csv on standard output by "
             "default"},
    {0},
};

static const char *const examples[] = {
    "alidade transform iris.ald iris.csv",
    "the projection as csv, with the columns z1, z2, ...",
    "alidade transform iris.ald new.csv -o new.npy",
    "the same for new rows, for numpy",
    NULL,
};

const cli_verb cli_transform_verb = {
    .name = "transform",
    .bit = CLI_TRANSFORM,
    .summary = "project rows with a model",
    .usage = "MODEL DATA [--keep COLS] [-o OUT]",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .description = "Reads the rows of DATA in the same way as those of the model, with the same columns and "
                   "encoding, and writes their projection, after the columns that name the rows (fit --id) "
                   "and those of --keep. Every row of DATA has its row in the output, with empty cells if it "
                   "was left out (--missing drop). DATA may contain the target columns.",
    .options = options,
    .examples = examples,
    .ranks = CLI_RANKS,
    .run = run,
};
