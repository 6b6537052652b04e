/* alidade convert: one data format to another. */
#include "cli.h"

#include <string.h>

static int run(cli_session *session)
{
    const char *const *paths = session->args.operands;
    ald_load_options options;
    cli_load_options(session, &options);
    CLI_TRY(cli_check(session, ald_convert(session->context, paths[0], paths[1], &options, &session->error)));
    if (strcmp(paths[1], "-") != 0) cli_wrote(session, "%s", paths[1]);
    return CLI_DONE;
}

static const cli_option options[] = {
    {"target", .type = CLI_TEXT, .value_name = "COL",
     .help = "the column that becomes the label of an svmlight file"},
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
    .usage = "IN OUT [--target COL]",
    .operands = {"IN", "OUT"},
    .operand_access = {CLI_READS, CLI_WRITES},
    .min_operands = 2,
    .max_operands = 2,
    .description = "Reads IN and writes OUT in the format of its name: .csv, .tsv, .npy or .svm, the text "
                   "formats also with .gz. - is standard input or output.",
    .options = options,
    .examples = examples,
    .run = run,
};
