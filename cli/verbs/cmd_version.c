/* alidade version. */
#include "cli.h"

static int run(cli_session *session)
{
    printf("alidade %s\n", ald_version());
    if (!session->verbose) return CLI_DONE;
    printf("command line  %s\n", ALD_VERSION);
    printf("backend       %s\n", ald_backend_name());
    printf("features      %s\n", ald_build_features());
    printf("threads       %d\n", ald_context_threads(session->context));
    printf("methods       %d\n", ald_method_count());
    return CLI_DONE;
}

const cli_verb cli_version_verb = {
    .name = "version",
    .bit = CLI_VERSION,
    .summary = "print the version",
    .usage = "[--verbose]",
    .description =
        "Prints the version; with --verbose also the numerical backend and what this build can read.",
    .ranks = CLI_RANKS,
    .run = run,
};
