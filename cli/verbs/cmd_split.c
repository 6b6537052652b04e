/* alidade split: the rows of a file at random into two. */
#include "cli.h"

#include <string.h>

static void say_written(cli_session *session, const char *path, int64_t rows)
{
    if (strcmp(path, "-") != 0) cli_wrote(session, "%s: %lld row%s", path, (long long)rows, cli_s(rows));
}

static int run(cli_session *session)
{
    const cli_args *args = &session->args;
    const char *const *outputs = cli_given_find(args, "output")->values;
    ald_load_options load;
    const ald_split_file_options options = {
        .size = sizeof options,
        .train = cli_real(args, "train", 2.0 / 3.0),
        .stratify = cli_flag(args, "stratify") > 0,
        .groups = cli_text(args, "groups", NULL),
        .seed = (uint64_t)cli_int(args, "seed", 0),
        .load = &load,
    };
    cli_load_options(session, &load);
    if (!(options.train > 0 && options.train < 1))
        return cli_usage(session,
                         "--train %s: expected a fraction of the rows between 0 and 1, such as 0.667",
                         cli_text(args, "train", ""));
    int64_t train_rows = 0, test_rows = 0;
    CLI_TRY(cli_check_data(session, args->operands[0],
                           ald_split_file(session->context, args->operands[0], &options, outputs[0],
                                          outputs[1], &train_rows, &test_rows, &session->error)));
    say_written(session, outputs[0], train_rows);
    say_written(session, outputs[1], test_rows);
    return CLI_DONE;
}

static const cli_option options[] = {
    {"train", .type = CLI_REAL, .value_name = "PART", .min = 0, .max = 1,
     .help = "the fraction of the rows for the first file; 0.667 by default"},
    {"stratify", .type = CLI_FLAG, .help = "preserve the class proportions of the column --target"},
    {"target", .type = CLI_TEXT, .value_name = "COL", .help = "the column with the classes for --stratify"},
    {"groups", .type = CLI_TEXT, .value_name = "COL",
     .help = "rows with equal cells in this column stay together; duplicates keeps rows together that are "
             "equal in all columns"},
    {"seed", .type = CLI_INT, .value_name = "S", .min = 0, .max = 9e18,
     .help = "seed of the random numbers; 0 by default. The same seed gives the same files"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .values = 2, .value_name = "TRAIN TEST",
     .required = 1, .help = "the two files to write, one after the other"},
    {0},
};

static const char *const examples[] = {
    "alidade split iris.csv --stratify --target y --seed 1 -o train.csv test.csv",
    "two thirds for fitting, one third for judging, both with all species in proportion",
    NULL,
};

const cli_verb cli_split_verb = {
    .name = "split",
    .bit = CLI_SPLIT,
    .summary = "divide the rows of a file at random into two files",
    .usage = "DATA [--train PART] [--stratify --target COL] [--groups COL] [--seed S] -o TRAIN TEST",
    .operands = {"DATA"},
    .operand_access = {CLI_READS},
    .min_operands = 1,
    .max_operands = 1,
    .description = "Writes some rows of DATA to the first file and the others to the second, with all their "
                   "columns. Neither file is written unless both can be.",
    .options = options,
    .examples = examples,
    .run = run,
};
