/* alidade generate: synthetic sets. */
#include "cli.h"
#include "printing/printing.h"

#include <string.h>

static void list_sets(void)
{
    const char *name, *summary;
    for (int i = 0; ald_generator_at(i, &name, &summary); i++) cli_print_entry(stdout, name, 18, summary);
}

static int check_name(cli_session *session, const char *wanted)
{
    cli_suggestion near = {.wanted = wanted};
    const char *name;
    for (int i = 0; ald_generator_at(i, &name, NULL); i++) {
        if (strcmp(name, wanted) == 0) return CLI_DONE;
        cli_suggestion_consider(&near, name);
    }
    if (near.best) return cli_usage(session, "there is no set %s; did you mean %s?", wanted, near.best);
    return cli_usage(session, "there is no set %s; alidade generate lists them", wanted);
}

/* To the library 0 is the default of the set, and none is less. */
static double read_noise(const cli_args *args)
{
    const double noise = cli_real(args, "noise", 0);
    return noise > 0 || !cli_given_find(args, "noise") ? noise : -1;
}

static int run(cli_session *session)
{
    const cli_args *args = &session->args;
    const char *name = args->operands[0], *output = cli_text(args, "output", "-");
    if (!name) {
        if (args->n_given)
            return cli_usage(session, "the NAME of the set is missing; alidade generate lists the sets");
        list_sets();
        return CLI_DONE;
    }
    const ald_generate_options options = {
        .size = sizeof options,
        .n = cli_int(args, "n", 0),
        .d = cli_int(args, "d", 0),
        .seed = (uint64_t)cli_int(args, "seed", 0),
        .noise = read_noise(args),
        .radius = cli_real(args, "radius", 0),
        .eyes = cli_real(args, "eyes", 0),
    };
    CLI_TRY(check_name(session, name));
    CLI_TRY(cli_check(session, ald_generate(session->context, name, &options, output, &session->error)));
    if (strcmp(output, "-") != 0) cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static const cli_option options[] = {
    {"n", .letter = 'n', .type = CLI_INT, .value_name = "N", .min = 1, .max = 1e15,
     .help = "rows; each set has its own default"},
    {"d", .letter = 'd', .type = CLI_INT, .value_name = "D", .min = 1, .max = 1e15,
     .help = "columns, for the sets that let you choose"},
    {"seed", .type = CLI_INT, .value_name = "S", .min = 0, .max = 9e18,
     .help = "seed of the random numbers; 0 by default. The same seed gives the same file on every machine"},
    {"noise", .type = CLI_REAL, .value_name = "X", .min = 0, .max = ALD_NO_LIMIT,
     .help = "standard deviation of the noise of the response"},
    {"radius", .type = CLI_REAL, .value_name = "X", .min = 1e-300, .max = 1e300,
     .help = "taichi: radius of the disc"},
    {"eyes", .type = CLI_REAL, .value_name = "X", .min = 1e-300, .max = 1e300,
     .help = "taichi: radius of the eyes, as a fraction of the radius of the disc"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "where to write it: csv, tsv, npy or svm by the ending; csv on standard output by default"},
    {0},
};

static const char *const examples[] = {
    "alidade generate",
    "the list of the sets",
    "alidade generate parity --n 1000 --seed 1 -o parity.csv",
    "1000 rows of one of them",
    NULL,
};

const cli_verb cli_generate_verb = {
    .name = "generate",
    .bit = CLI_GENERATE,
    .summary = "make a synthetic data set",
    .usage = "[NAME] [--n N] [--seed S] [--d D] [--noise X] [--radius X] [--eyes X] [-o FILE]",
    .operands = {"NAME"},
    .max_operands = 1,
    .description =
        "Writes a synthetic data set whose informative directions are known. Without a name, lists the sets.",
    .options = options,
    .examples = examples,
    .run = run,
};
