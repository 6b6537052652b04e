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

/* What a terminal would obey or what would break the line: control characters of ASCII, and those of UTF-8
 * from U+0080 to U+009F. The length of the sequence, or 0. */
int cli_control_length(const char *at)
{
    const unsigned char *text = (const unsigned char *)at;
    if (text[0] == '\0') return 0;
    if (text[0] < 0x20 || text[0] == 0x7f) return 1;
    return text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

/* `kept` is a control character that is printed as it is; 0: none. */
static int put_clean(FILE *out, const char *text, unsigned char kept)
{
    const unsigned char *at = (const unsigned char *)text;
    int printed = 0;
    while (*at) {
        const int controls = *at == kept ? 0 : cli_control_length((const char *)at);
        if (!controls) {
            fputc(*at++, out);
            printed++;
        }
        for (int i = 0; i < controls; i++) printed += fprintf(out, "\\x%02x", *at++);
    }
    return printed;
}

int cli_put_text(FILE *out, const char *text)
{
    return put_clean(out, text, 0);
}

void cli_put_lines(FILE *out, const char *text)
{
    if (isatty(fileno(out)))
        put_clean(out, text, '\n');
    else
        fputs(text, out);
}

/* Names of files and columns and cells come from anywhere, so the whole line is cleaned. */
static void print_text(const cli_session *session, const char *text)
{
    const size_t size = 4 * strlen(text) + 1; /* no name grows more than that by its spelling */
    char *spelled = malloc(size);
    cli_put_text(stderr, spelled ? cli_spell(session->verb, text, spelled, size) : text);
    fputc('\n', stderr);
    free(spelled);
}

/* The caller frees it; NULL: no memory. */
static char *format_line(const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *line = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (line) vsnprintf(line, (size_t)length + 1, format, list);
    return line;
}

static void print_line(const cli_session *session, const char *format, va_list list)
{
    char *line = format_line(format, list);
    print_text(session, line ? line : "out of memory");
    free(line);
}

int cli_usage(cli_session *session, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_prefix(session, 31, "");
    print_line(session, format, list);
    va_end(list);
    return CLI_USAGE;
}

int cli_fail(cli_session *session, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_prefix(session, 31, "");
    print_line(session, format, list);
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
    print_text(session, text);
}

const char *cli_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

void cli_say(cli_session *session, const char *format, ...)
{
    if (session->quiet) return;
    va_list list;
    va_start(list, format);
    cli_progress_clear(&session->progress);
    print_line(session, format, list);
    va_end(list);
}

/* Lines are kept with \n between them; one inside a name is printed as a blank. */
void cli_wrote(cli_session *session, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *line = format_line(format, list);
    va_end(list);
    for (char *c = line; c && *c; c++)
        if (*c == '\n') *c = ' ';
    const size_t before = session->wrote ? strlen(session->wrote) : 0, size = line ? strlen(line) : 0;
    char *grown = line ? realloc(session->wrote, before + size + 16) : NULL;
    if (grown) {
        snprintf(grown + before, size + 16, "%swrote   %s", before ? "\n" : "", line);
        session->wrote = grown;
    }
    free(line);
}
