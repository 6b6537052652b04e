/* alidade convert: one data format to another. */
#include "cli.h"

#include <string.h>

/* As the second operand, or by --output as in other verbs: one of them. */
static int find_output(cli_session *session, const char **output)
{
    const cli_args *args = &session->args;
    const char *second = args->n_operands > 1 ? args->operands[1] : NULL;
    *output = cli_text(args, "output", second);
    if (second && cli_text(args, "output", NULL))
        return cli_usage(session, "the output file is given twice, as %s and as %s: leave one out", second,
                         *output);
    if (!*output) return cli_usage(session, "the output file is missing: alidade convert IN OUT, or -o OUT");
    return CLI_DONE;
}

static int run(cli_session *session)
{
    const char *output;
    ald_load_options options;
    CLI_TRY(find_output(session, &output));
    cli_load_options(session, &options);
    CLI_TRY(cli_check(session, ald_convert(session->context, session->args.operands[0], output, &options,
                                           &session->error)));
    if (strcmp(output, "-") != 0) cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static const cli_option options[] = {
    {"target", .type = CLI_TEXT, .value_name = "COL",
     .help = "the column that becomes the label of an svmlight file"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "OUT",
     .help = "where to write, in place of the second file"},
    {0},
};

static const char *const examples[] = {
    "alidade convert spectra.mat spectra.csv --x X", "from MATLAB", "alidade convert big.csv big.npy",
    "numbers only, read much faster the next time",  NULL,
};

const cli_verb cli_convert_verb = {
    .name = "convert",
    .bit = CLI_CONVERT,
    .summary = "write data in another format",
    .usage = "IN [OUT | -o OUT] [--target COL]",
    .operands = {"IN", "OUT"},
    .operand_access = {CLI_READS, CLI_WRITES},
    .min_operands = 1,
    .max_operands = 2,
    .description = "Reads IN and writes OUT in the format of its ending: .csv, .tsv, .npy or .svm, the text "
                   "formats also with .gz. - is standard input or output.",
    .options = options,
    .examples = examples,
    .run = run,
};
