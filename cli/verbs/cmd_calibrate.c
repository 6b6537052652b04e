/* alidade calibrate: a model learns its errors on rows that it has not seen. */
#include "cli.h"

#include <string.h>

typedef struct calibrate_job {
    ald_model *model, *calibrated;
    ald_dataset *dataset;
    cli_lock lock; /* of a model that is written back */
} calibrate_job;

static int run_steps(cli_session *session, calibrate_job *job)
{
    const char *const *paths = session->args.operands;
    const char *output = cli_text(&session->args, "output", NULL);
    if (ald_same_file(paths[0], output)) CLI_TRY(cli_lock_take(session, paths[0], &job->lock));
    CLI_TRY(cli_load_model(session, paths[0], &job->model));
    CLI_TRY(cli_load_like(session, job->model, paths[1], &job->dataset));
    CLI_TRY(cli_check_data(session, paths[1],
                           ald_calibrate(session->context, job->model, ald_dataset_x(job->dataset),
                                         ald_dataset_target(job->dataset), NULL, &job->calibrated,
                                         &session->error)));
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session, ald_model_save(session->context, job->calibrated, output, &session->error)));
    cli_say(session, "errors  %s, for predict --interval",
            ald_model_text(job->calibrated, "alidade.calibration"));
    CLI_TRY(cli_lock_check(session, &job->lock));
    cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static int run(cli_session *session)
{
    calibrate_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    ald_model_free(job.calibrated);
    ald_dataset_free(job.dataset);
    ald_model_free(job.model);
    return code;
}

static const cli_option options[] = {
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .in_place = 1, .value_name = "NEW",
     .required = 1, .help = "where to write the new model; it may be MODEL itself"},
    {0},
};

static const char *const examples[] = {
    "alidade fit big.csv --target y --stream -o big.ald",
    "a model of more rows than fit into memory",
    "alidade calibrate big.ald held-out.csv -o big.ald",
    "rows that were not in big.csv show how far off it is",
    "alidade predict big.ald new.csv --interval 0.9",
    "intervals that contain the true number nine times out of ten",
    NULL,
};

const cli_verb cli_calibrate_verb = {
    .name = "calibrate",
    .bit = CLI_CALIBRATE,
    .summary = "let a model learn how far off it is, from rows it has not seen",
    .usage = "MODEL DATA -o NEW",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .description =
        "Predicts the rows of DATA, which the model must not have seen, and keeps the errors in the model, "
        "so that predict --interval can say how certain a prediction is. DATA has the columns of the fit and "
        "the target. Errors that the model kept before are replaced. A model that tune wrote, or fit with "
        "--intervals, has its errors already.",
    .options = options,
    .examples = examples,
    .run = run,
};
