/* alidade update: rows into or out of a model, by the statistics it keeps. */
#include "cli.h"
#include "ranks/gather_rows.h"

#include <string.h>

typedef struct update_job {
    ald_model *model, *updated;
    ald_dataset *dataset;
    cli_lock lock; /* of a model that is written back; held until the program ends, when the new one is in its
                      place */
} update_job;

static void say_new_classes(cli_session *session, const update_job *job)
{
    const ald_target *y = ald_dataset_target(job->dataset);
    const char *before = ald_model_text(job->model, "alidade.class_names"),
               *after = ald_model_text(job->updated, "alidade.class_names");
    if (before && after && strcmp(before, after) != 0)
        cli_say(session, "        new classes have been added to the model: there are %lld now",
                (long long)y->n_classes);
}

/* A model that is written back is locked, by one of several ranks, before any of them reads it. */
static int lock_model(cli_session *session, const char *output, update_job *job)
{
    const char *path = session->args.operands[0];
    int code = CLI_DONE;
    if (!cli_waits(session) && ald_same_file(path, output)) code = cli_lock_take(session, path, &job->lock);
    return cli_ranks_settle(session, code);
}

static int run_steps(cli_session *session, update_job *job)
{
    const cli_args *args = &session->args;
    const char *output = cli_text(args, "output", NULL);
    const int take_away = cli_flag(args, "remove");
    CLI_TRY(lock_model(session, output, job));
    CLI_TRY(cli_load_shared_model(session, args->operands[0], &job->model));
    CLI_TRY(cli_load_like(session, job->model, args->operands[1], &job->dataset));
    CLI_TRY(cli_check_data(
        session, args->operands[1],
        ald_update(session->context, job->model, job->dataset, take_away, &job->updated, &session->error)));
    int64_t rows = ald_dataset_x(job->dataset)->rows;
    CLI_TRY(cli_count_rows(session, &rows));
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session, ald_model_save(session->context, job->updated, output, &session->error)));
    cli_say(session, "%s %lld row%s: the model now covers %s", take_away ? "removed" : "added  ",
            (long long)rows, cli_s(rows), ald_model_text(job->updated, "alidade.n_samples"));
    say_new_classes(session, job);
    CLI_TRY(cli_lock_check(session, &job->lock));
    cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static int run(cli_session *session)
{
    update_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    ald_model_free(job.updated);
    ald_dataset_free(job.dataset);
    ald_model_free(job.model);
    return code;
}

static const cli_option options[] = {
    {"remove", .type = CLI_FLAG, .help = "remove the rows instead of adding them"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .in_place = 1, .value_name = "NEW",
     .required = 1, .help = "where to write the new model; it may be MODEL itself"},
    {0},
};

static const char *const examples[] = {
    "alidade fit monday.csv --target y --method lda --keep-statistics -o week.ald",
    "a model that can be updated",
    "alidade update week.ald tuesday.csv -o week.ald",
    "the same as a fit of both files",
    "alidade update week.ald monday.csv --remove -o week.ald",
    "the rows of monday are removed",
    NULL,
};

const cli_verb cli_update_verb = {
    .name = "update",
    .bit = CLI_UPDATE,
    .summary = "add rows to a model, or remove rows, without the old data",
    .usage = "MODEL DATA [--remove] -o NEW",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .description =
        "Reads the rows of DATA in the same way as those of the model, and refits the model to all rows from "
        "the statistics that it keeps: MODEL must have been fitted with --keep-statistics. The result is "
        "what fit would give for all the rows, to rounding. A class that is new to the model is added to it; "
        "a new category of a feature is an error. A model with weights reads them from the column it was "
        "fitted with; slices of a real response (sir, save) keep their boundaries.",
    .options = options,
    .examples = examples,
    .ranks = CLI_RANKS,
    .run = run,
};
