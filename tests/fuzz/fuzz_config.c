/* The fuzz target for config files, with each verb in turn, as far as the options are checked. */
#include "fuzz/command_line.h"
#include "fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static memory_file file;
    static int verbs;
    char config[] = "--config", first[] = "a", second[] = "b";
    cli_session session = {0};
    while (cli_verb_at(verbs)) verbs++;
    if (!file.path[0]) memory_file_open(&file, "fuzz.conf");
    memory_file_fill(&file, bytes, size);
    session.verb = cli_verb_at((int)(size % (size_t)verbs));
    char *arguments[] = {config, file.path, first, second};
    const int code = cli_parse(&session, 2 + session.verb->min_operands, arguments);
    if (code != CLI_DONE && code != CLI_USAGE && code != CLI_FAILED) abort();
    cli_session_close(&session);
    return 0;
}
