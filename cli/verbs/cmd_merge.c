/* alidade merge: models of parts of the rows become the model of all rows. */
#include "cli.h"
#include "ranks/gather_rows.h"

#include <string.h>

typedef struct merge_job {
    ald_model *first, *part, *all;
    ald_merging *sum;
} merge_job;

/* A part that is named twice would count twice. */
static int check_twice(cli_session *session)
{
    const cli_args *args = &session->args;
    for (int i = 0; i < args->n_operands; i++)
        for (int k = i + 1; k < args->n_operands; k++)
            if (ald_same_file(args->operands[i], args->operands[k]))
                return cli_usage(session, "%s is named twice: its rows would count twice", args->operands[k]);
    return CLI_DONE;
}

/* The error of a part, with its name. */
static int check_part(cli_session *session, const char *path, ald_status status)
{
    char message[sizeof session->error.message];
    if (status >= 0 || status == ALD_ERROR_CANCELLED) return cli_check(session, status);
    memcpy(message, session->error.message, sizeof message);
    return cli_fail(session, "%s: %s", path, message);
}

static int add_part(cli_session *session, const char *path, merge_job *job)
{
    CLI_TRY(cli_load_model(session, path, &job->part));
    const ald_status status = ald_merging_add(job->sum, job->part, &session->error);
    ald_model_free(job->part);
    job->part = NULL;
    CLI_TRY(check_part(session, path, status));
    return cli_stop(session);
}

static int run_steps(cli_session *session, merge_job *job)
{
    const cli_args *args = &session->args;
    const char *output = cli_text(args, "output", NULL);
    CLI_TRY(check_twice(session));
    CLI_TRY(cli_load_model(session, args->operands[0], &job->first));
    CLI_TRY(check_part(session, args->operands[0],
                       ald_merging_new(session->context, job->first, &job->sum, &session->error)));
    for (int i = 1; i < args->n_operands; i++) CLI_TRY(add_part(session, args->operands[i], job));
    CLI_TRY(cli_check(session, ald_merging_fit(job->sum, &job->all, &session->error)));
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session, ald_model_save(session->context, job->all, output, &session->error)));
    cli_say(session, "merged  %d models: the new one is fitted to %s rows", args->n_operands,
            ald_model_text(job->all, "alidade.n_samples"));
    cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static int run(cli_session *session)
{
    merge_job job;
    memset(&job, 0, sizeof job);
    if (cli_waits(session)) return CLI_DONE; /* rank 0 has all models to read, and adds them in their order */
    const int code = run_steps(session, &job);
    ald_model_free(job.all);
    ald_merging_free(job.sum);
    ald_model_free(job.first);
    return code;
}

static const cli_option options[] = {
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "ALL", .required = 1,
     .help = "where to write the model of all rows"},
    {0},
};

static const char *const examples[] = {
    "alidade fit part-1.csv --target y --method lda --keep-statistics -o part-1.ald",
    "one model per part, on any machine",
    "alidade merge part-*.ald -o all.ald",
    "the same as a fit of all parts together",
    NULL,
};

const cli_verb cli_merge_verb = {
    .name = "merge",
    .bit = CLI_MERGE,
    .summary = "combine models of parts of the rows into one model",
    .usage = "MODEL MODEL... -o ALL",
    .operands = {"MODEL", "MODEL"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .repeats = 1,
    .description = "Adds up the statistics of models that were fitted with --keep-statistics, each on its "
                   "own rows, and fits the model of all these rows. The result is what fit would give for "
                   "all the rows, to rounding, whatever the order of the models. They must have the same "
                   "method, settings, features and target. Classes that only some of them have are added. "
                   "Parts that differ in the slices of a real response (sir, save) or in the mean row of msc "
                   "are refused, because those are learned from the rows of each part.",
    .options = options,
    .examples = examples,
    .ranks = CLI_RANKS,
    .run = run,
};
