#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int coloured(void)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_color && *no_color) return 0;
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* "alidade fit: ", in the colour (an SGR number) when there is any. */
static void print_prefix(cli_session *session, int colour, const char *kind)
{
    cli_progress_clear(&session->progress);
    fflush(stdout);
    const char *verb = session->verb ? session->verb->name : NULL;
    if (coloured()) fprintf(stderr, "\033[1;%dm", colour);
    fprintf(stderr, "alidade%s%s:%s", verb ? " " : "", verb ? verb : "", kind);
    fputs(coloured() ? "\033[0m " : " ", stderr);
}

int cli_usage(cli_session *session, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_prefix(session, 31, "");
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CLI_USAGE;
}

int cli_fail(cli_session *session, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_prefix(session, 31, "");
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CLI_FAILED;
}

int cli_out_of_memory(cli_session *session)
{
    return cli_fail(session, "out of memory");
}

void cli_warn(cli_session *session, const char *text)
{
    print_prefix(session, 33, " warning:");
    fprintf(stderr, "%s\n", text);
}

void cli_say(cli_session *session, const char *format, ...)
{
    if (session->quiet) return;
    va_list list;
    va_start(list, format);
    cli_progress_clear(&session->progress);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}
