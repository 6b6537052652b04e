/* alidade help. */
#include "cli.h"

static int run(cli_session *session)
{
    const char *name = session->args.operands[0];
    if (!name) {
        cli_help_main(stdout);
        return CLI_DONE;
    }
    const cli_verb *verb = cli_verb_find(name);
    const ald_method *method = ald_method_find(name);
    if (verb) {
        cli_help_verb(stdout, verb, NULL);
    } else if (method) {
        cli_help_method(stdout, method);
    } else {
        return cli_no_verb(session, name);
    }
    return CLI_DONE;
}

const cli_verb cli_help_verb_entry = {
    .name = "help",
    .bit = CLI_HELP,
    .summary = "explain a verb or a method",
    .usage = "[VERB|METHOD]",
    .operands = {"VERB"},
    .max_operands = 1,
    .description =
        "Without a name, lists the verbs. Two more verbs serve the installation: completion "
        "prints a completion script for bash or zsh, manual prints a manual page.\n\n"
        "Exit status: 0 done; 1 failed; 2 wrong usage; 3 done with a warning, under --strict; 128 "
        "plus the number of the signal when interrupted (130 for Ctrl-C, which ends cleanly and leaves no "
        "half-written file; a second Ctrl-C ends at once).",
    .ranks = CLI_RANKS,
    .run = run,
};
