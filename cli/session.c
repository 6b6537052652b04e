#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An iteration may warn once a component; the first few tell enough. */
enum { most_warnings = 3 };

static void on_log(void *user, ald_log_level level, const char *line)
{
    cli_session *session = user;
    if (level == ALD_LOG_WARNING) {
        session->warnings++;
        if (!session->quiet && (session->warnings <= most_warnings || session->verbose)) cli_warn(session, line);
    } else if (session->verbose >= (int)level) {
        cli_progress_clear(&session->progress);
        fprintf(stderr, "%s\n", line);
    }
}

int cli_session_open(cli_session *session)
{
    const cli_args *args = &session->args;
    session->quiet = cli_flag(args, "quiet") > 0;
    session->verbose = cli_flag(args, "verbose");
    session->json = cli_flag(args, "json") > 0;
    session->strict = cli_flag(args, "strict") > 0;
    cli_progress_init(&session->progress, !session->quiet);
    const ald_options options = {
        .threads = (int)cli_int(args, "threads", 0),
        .log = on_log,
        .log_user = session,
        .progress = cli_progress_report,
        .progress_user = &session->progress,
    };
    return cli_check(session, ald_context_new(&options, &session->context, &session->error));
}

void cli_session_close(cli_session *session)
{
    cli_progress_clear(&session->progress);
    ald_context_free(session->context);
    cli_args_free(&session->args);
}

int cli_stop(cli_session *session)
{
    if (!cli_signal()) return CLI_DONE;
    cli_fail(session, "interrupted");
    return CLI_SIGNAL + cli_signal();
}

int cli_check(cli_session *session, ald_status status)
{
    cli_progress_clear(&session->progress);
    if (status == ALD_OK) return CLI_DONE;
    if (status > 0) {
        session->reserved = 1;
        /* The library has told it as a warning already, unless that was held back. */
        if (session->quiet ? session->strict : !session->warnings) cli_warn(session, session->error.message);
        return CLI_DONE;
    }
    /* A signal also makes waiting reads and writes fail; what they say is not the reason. */
    if (cli_signal()) return cli_stop(session);
    const char *message = session->error.message;
    return cli_fail(session, "%s", message[0] ? message : ald_status_name(status));
}

int cli_check_output(cli_session *session, const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0) return CLI_DONE;
    if (!*path) return cli_usage(session, "the name of the output file is empty");
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) return cli_fail(session, "cannot write %s: it is a directory; name a file", path);
        return CLI_DONE;
    }
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return CLI_DONE;
    char folder[4096];
    const size_t length = (size_t)(slash - path);
    if (length >= sizeof folder) return cli_fail(session, "cannot write %.60s...: the name is too long", path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (access(folder, W_OK | X_OK) != 0)
        return cli_fail(session, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
    return CLI_DONE;
}

const char *cli_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int cli_check_inputs(cli_session *session, const char *const *paths, int count)
{
    int standard = 0;
    for (int i = 0; i < count; i++) standard += paths[i] && strcmp(paths[i], "-") == 0;
    if (standard < 2) return CLI_DONE;
    return cli_usage(session, "- (standard input) is given for more than one file; it can be read only once");
}
