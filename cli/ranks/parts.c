#include "ranks/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_wants_parts(const cli_session *session)
{
    return cli_flag(&session->args, "parts") > 0;
}

int cli_parts_check(cli_session *session, const char *output)
{
    if (!cli_wants_parts(session) || (output && strcmp(output, "-") != 0)) return CLI_DONE;
    return cli_usage(session, "--parts writes one file per rank: give their name with -o OUT");
}

/* Where the ending begins: .csv, .csv.gz; at the end of a name that has none. */
static size_t ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t base = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(path);
    size_t end = length;
    if (length > base + 3 && strcmp(path + length - 3, ".gz") == 0) end -= 3;
    for (size_t at = end; at-- > base + 1;)
        if (path[at] == '.') return at;
    return end;
}

/* Numbers of equal length, so that a pattern finds the files in the order of their rows. */
static void name_part(const cli_session *session, const char *output, int rank, char *name, size_t size)
{
    const int ranks = ald_ranks_size(session->ranks.all), width = snprintf(NULL, 0, "%d", ranks);
    const size_t ending = ending_of(output);
    snprintf(name, size, "%.*s-%0*d-of-%d%s", (int)ending, output, width, rank + 1, ranks, output + ending);
}

/* As if there were no other ranks, of which only rank 0 writes. */
static int write_own(cli_session *session, const cli_part *part)
{
    const ald_ranks *ranks = session->ranks.all;
    CLI_TRY(cli_check(session, ald_context_set_ranks(session->context, NULL, &session->error)));
    const int code =
        cli_check(session, ald_write_table(session->context, session->part, part->values, part->rows,
                                           part->columns, part->header, part->levels, &session->error));
    ald_context_set_ranks(session->context, ranks, NULL);
    return code;
}

int cli_part_write(cli_session *session, const char *output, const cli_part *part)
{
    enum { number_size = 40 };
    const size_t size = strlen(output) + number_size;
    session->part = malloc(size);
    if (session->part) name_part(session, output, ald_ranks_rank(session->ranks.all), session->part, size);
    return cli_ranks_settle(session, session->part ? write_own(session, part) : cli_out_of_memory(session));
}

void cli_parts_name(const cli_session *session, const char *output, char *text, size_t size)
{
    const int ranks = ald_ranks_size(session->ranks.all);
    name_part(session, output, 0, text, size);
    const size_t used = strlen(text);
    if (ranks < 2 || used + 6 > size) return;
    snprintf(text + used, size - used, "%s", " ... ");
    name_part(session, output, ranks - 1, text + used + 5, size - used - 5);
}

void cli_part_remove(cli_session *session)
{
    if (session->part) unlink(session->part);
}
