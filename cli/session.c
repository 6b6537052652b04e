#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An iteration may warn once a component; the first few tell enough. */
enum { most_warnings = 3 };

/* A fit tells how it took the data without being asked; elsewhere that was told when the model was made. */
static int told_level(const cli_session *session)
{
    return session->verbose + (session->verb->bit & (CLI_FIT | CLI_COMPARE) ? ALD_LOG_INFO : ALD_LOG_WARNING);
}

static void on_log(void *user, ald_log_level level, const char *line)
{
    cli_session *session = user;
    if (level == ALD_LOG_WARNING) {
        session->warnings++;
        if (!session->quiet && (session->warnings <= most_warnings || session->verbose)) cli_warn(session, line);
    } else if (told_level(session) >= (int)level) {
        cli_say(session, "%s%s", level == ALD_LOG_INFO ? "note    " : "detail  ", line);
    }
}

/* The file of --json=FILE, before any work is done. */
static int check_json(cli_session *session)
{
    const cli_args *args = &session->args;
    session->json_path = cli_text(args, "json", NULL);
    if (!session->json_path) return CLI_DONE;
    const char *model = cli_text(args, "output", NULL);
    if (model && strcmp(model, session->json_path) == 0)
        return cli_usage(session, "-o and --json both name %s; give two files", model);
    const char *const inputs[] = {args->operands[0], args->operands[1], cli_text(args, "target-file", NULL)};
    return cli_check_output(session, session->json_path, inputs, session->verb->bit == CLI_METHODS ? 0 : 3);
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
        .size = sizeof options,
        .threads = (int)cli_int(args, "threads", 0),
        .log = on_log,
        .log_user = session,
        .progress = cli_progress_report,
        .progress_user = &session->progress,
    };
    CLI_TRY(check_json(session));
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
    const char *message = session->error.message[0] ? session->error.message : ald_status_name(status);
    return status == ALD_ERROR_ARGUMENT ? cli_usage(session, "%s", message) : cli_fail(session, "%s", message);
}

int cli_check_data(cli_session *session, const char *path, ald_status status)
{
    const int named = strstr(session->error.message, cli_path_name(path)) != NULL;
    if (status != ALD_ERROR_DATA || named || cli_signal()) return cli_check(session, status);
    cli_progress_clear(&session->progress);
    return cli_fail(session, "%s: %s", cli_path_name(path), session->error.message);
}

/* Copies the folder of the path; 0 if it is too long. */
static int folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    const size_t length = !slash || slash == path ? 1 : (size_t)(slash - path);
    if (length >= size) return 0;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    return 1;
}

/* Why no file can be made in it, as an errno; 0: one can. */
static int folder_problem(const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0) return errno;
    if (!S_ISDIR(info.st_mode)) return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

/* The new file is made beside the old one, so both must be writable. */
static int check_writable(cli_session *session, const char *path, int exists)
{
    char folder[4096];
    if (!folder_of(path, folder, sizeof folder))
        return cli_fail(session, "cannot write %.60s...: the name is too long", path);
    const int reason = folder_problem(folder);
    if (reason) return cli_fail(session, "cannot write %s: folder %s: %s", path, folder, strerror(reason));
    if (exists && access(path, W_OK) != 0) return cli_fail(session, "cannot write %s: %s", path, strerror(errno));
    return CLI_DONE;
}

static int same_file(const struct stat *info, const char *path)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == info->st_dev && other.st_ino == info->st_ino;
}

int cli_check_output(cli_session *session, const char *path, const char *const *inputs, int count)
{
    struct stat info;
    if (strcmp(path, "-") == 0) return CLI_DONE;
    if (!*path) return cli_usage(session, "the name of the output file is empty");
    const int exists = stat(path, &info) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return cli_fail(session, "cannot write %.300s: %s", path, strerror(errno));
    if (exists && S_ISDIR(info.st_mode))
        return cli_fail(session, "cannot write %s: it is a directory; name a file", path);
    if (exists && !S_ISREG(info.st_mode)) return CLI_DONE;
    for (int i = 0; exists && i < count; i++)
        if (inputs[i] && same_file(&info, inputs[i]))
            return cli_usage(session, "%s would be written over %s, which is read; name another file", path, inputs[i]);
    return check_writable(session, path, exists);
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
