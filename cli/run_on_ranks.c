#include "cli.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Both streams of a rank that keeps silent; what it says is kept in a file without a name, as far as there is
 * one. */
static void fall_silent(cli_ranks *ranks)
{
    FILE *kept = tmpfile();
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    ranks->voice = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    if (kept || nowhere >= 0) dup2(kept ? fileno(kept) : nowhere, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
}

int cli_ranks_join(cli_session *session)
{
    cli_ranks *ranks = &session->ranks;
    ranks->voice = -1;
    CLI_TRY(cli_check(session, ald_ranks_join(&ranks->all, &session->error)));
    if (ald_ranks_rank(ranks->all) > 0) fall_silent(ranks);
    return CLI_DONE;
}

int cli_ranks_check(cli_session *session)
{
    const int size = ald_ranks_size(session->ranks.all);
    if (size == 1 || !session->verb) return CLI_DONE;
    if (session->verb->ranks == CLI_ALONE)
        return cli_usage(session, "%s does not work on several ranks: start it without mpirun",
                         session->verb->name);
    if (session->verb->ranks == CLI_RANKS_STREAM && !cli_flag(&session->args, "stream"))
        return cli_usage(session,
                         "on %d ranks each rank reads its share of the file in blocks: add --stream, or "
                         "start it without mpirun",
                         size);
    return CLI_DONE;
}

/* The last line that this rank would have said, on standard error as it was. */
static void speak(const cli_ranks *ranks)
{
    char text[4096];
    if (ranks->voice < 0) return;
    fflush(stderr);
    const off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
    const off_t from = end > (off_t)sizeof text ? end - (off_t)sizeof text : 0;
    const ssize_t got = end > 0 ? pread(STDERR_FILENO, text, sizeof text, from) : 0;
    ssize_t begin = got - 1;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    if (got > 0 && write(ranks->voice, text + begin, (size_t)(got - begin)) < 0)
        return; /* the reader has
                                                                                            gone */
}

int cli_ranks_settle(cli_session *session, int code)
{
    cli_ranks *ranks = &session->ranks;
    int speaker;
    if (!ranks->all || ranks->failed) return code;
    if (code != CLI_DONE && session->context) ald_outputs_drop(session->context);
    const int agreed = ald_ranks_settle(ranks->all, code, &speaker);
    ranks->failed = agreed != CLI_DONE;
    if (ranks->failed && speaker == ald_ranks_rank(ranks->all)) speak(ranks);
    if (agreed < 0) ald_ranks_stop(ranks->all, code);
    return agreed;
}

void cli_ranks_leave(cli_session *session)
{
    ald_ranks_leave(session->ranks.all);
    session->ranks.all = NULL;
}
