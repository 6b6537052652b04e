#include "cli.h"
#include "ranks/parts.h"

#include <ctype.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* An iteration may warn once a component; the first few are enough. */
enum { most_warnings = 3 };

/* A fit always prints how it took the data; elsewhere that was printed when the model was made. An export
 * prints how large its file will be. */
static int told_level(const cli_session *session)
{
    return session->verbose +
           (session->verb->bit & (CLI_FIT | CLI_COMPARE | CLI_TUNE | CLI_DIMENSION | CLI_EXPORT)
                ? ALD_LOG_INFO
                : ALD_LOG_WARNING);
}

/* How many warnings are printed. --quiet prints the first under --strict, as it changes the exit status. */
static int told_warnings(const cli_session *session)
{
    if (session->quiet) return session->strict ? 1 : 0;
    return session->verbose ? INT_MAX : most_warnings;
}

static void take_warning(cli_session *session, const char *line)
{
    if (session->warnings++ == 0) snprintf(session->warning, sizeof session->warning, "%s", line);
    if (session->warnings <= told_warnings(session)) cli_warn(session, line);
}

static void on_log(void *user, ald_log_level level, const char *line)
{
    cli_session *session = user;
    if (level == ALD_LOG_WARNING) {
        take_warning(session, line);
    } else if (told_level(session) >= (int)level) {
        cli_say(session, "%s%s", level == ALD_LOG_INFO ? "note    " : "detail  ", line);
    }
}

/* About the part of a command that its first call takes, which reads the data. */
static double reading_share(const cli_session *session)
{
    const unsigned bit = session->verb->bit;
    if (bit & (CLI_COMPARE | CLI_TUNE | CLI_DIMENSION)) return 0.02;
    if (bit & CLI_FIT) return cli_flag(&session->args, "stream") ? 0.4 : 0.1;
    return 0.5;
}

/* "500M": a number and K, M, G or T, in powers of 1024; 0 if it was not given. */
static int read_size(cli_session *session, const char *text, size_t *size)
{
    static const char units[] = "KMGT";
    char number[64];
    double value = 0.0;
    *size = 0;
    if (!text) return CLI_DONE;
    const size_t length = strlen(text);
    const char *unit = length ? strchr(units, toupper((unsigned char)text[length - 1])) : NULL;
    snprintf(number, sizeof number, "%.*s", (int)(length - (unit && *unit)), text);
    for (const char *step = units; unit && *unit && step <= unit; step++)
        value = value > 0.0 ? value * 1024 : 1024;
    const double factor = value > 0.0 ? value : 1.0;
    if (!cli_read_real(number, &value) || !(value * factor >= 1.0) || !(value * factor < 9e18))
        return cli_usage(session, "--max-memory %s: expected a size such as 500M or 8G", text);
    *size = (size_t)(value * factor);
    return CLI_DONE;
}

int cli_session_open(cli_session *session)
{
    const cli_args *args = &session->args;
    size_t max_memory;
    session->quiet = cli_flag(args, "quiet") > 0;
    session->verbose = cli_flag(args, "verbose");
    session->json = cli_flag(args, "json") > 0;
    session->json_path = cli_text(args, "json", NULL);
    session->strict = cli_flag(args, "strict") > 0;
    CLI_TRY(read_size(session, cli_text(args, "max-memory", NULL), &max_memory));
    cli_progress_init(&session->progress, !session->quiet && ald_ranks_rank(session->ranks.all) == 0);
    cli_time_left_expect(&session->progress.left, reading_share(session));
    const ald_options options = {
        .size = sizeof options,
        .threads = (int)cli_int(args, "threads", ald_ranks_threads(session->ranks.all)),
        .log = on_log,
        .log_user = session,
        .progress = cli_progress_report,
        .progress_user = &session->progress,
        .max_memory = max_memory,
    };
    CLI_TRY(cli_paths_check(session));
    CLI_TRY(cli_check(session, ald_context_new(&options, &session->context, &session->error)));
    CLI_TRY(cli_check(session, ald_device_open_on_rank(cli_text(args, "device", "cpu"),
                                                       ald_ranks_rank(session->ranks.all), &session->device,
                                                       &session->error)));
    CLI_TRY(cli_check(session, ald_context_set_device(session->context, session->device, &session->error)));
    CLI_TRY(cli_check(session, ald_context_set_ranks(session->context, session->ranks.all, &session->error)));
    return cli_check(session, ald_outputs_hold(session->context, &session->error));
}

/* Parts of a file are there all or none: a rank that cannot place its own has the others take theirs away. */
static int place_files(cli_session *session)
{
    int code = cli_stop(session);
    if (code == CLI_DONE) code = cli_check(session, ald_outputs_place(session->context, &session->error));
    if (!session->part) return code;
    const int agreed = cli_ranks_settle(session, code);
    if (agreed != CLI_DONE && code == CLI_DONE) cli_part_remove(session);
    return agreed;
}

int cli_session_place(cli_session *session)
{
    CLI_TRY(place_files(session));
    for (char *line = session->wrote; line && *line;) {
        char *end = line + strcspn(line, "\n");
        const int last = *end == '\0';
        *end = '\0';
        cli_say(session, "%s", line);
        line = last ? NULL : end + 1;
    }
    return CLI_DONE;
}

/* What a card has done. */
static void say_device(cli_session *session)
{
    ald_device_facts facts = ALD_DEVICE_FACTS_INIT;
    if (!session->device || !session->verbose || ald_device_describe(session->device, &facts, NULL) < 0)
        return;
    cli_say(
        session,
        "%s: X was copied %lld times, %lld products and decompositions in %.3g s; %.3g MB in, %.3g MB out",
        facts.name, (long long)facts.held, (long long)facts.calls, facts.seconds, facts.bytes_in / 1e6,
        facts.bytes_out / 1e6);
}

void cli_session_close(cli_session *session)
{
    cli_progress_clear(&session->progress);
    say_device(session);
    ald_context_free(session->context);
    ald_device_close(session->device);
    cli_args_free(&session->args);
    free(session->wrote);
    free(session->part);
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
        /* The library has reported it as a warning already, unless that was held back. */
        if (!session->warnings) take_warning(session, session->error.message);
        return CLI_DONE;
    }
    if (status == ALD_ERROR_IO && cli_output_closed()) return CLI_SIGNAL + SIGPIPE;
    /* A signal also makes waiting reads and writes fail; what they say is not the reason. */
    if (cli_signal()) return cli_stop(session);
    const char *message = session->error.message[0] ? session->error.message : ald_status_name(status);
    return status == ALD_ERROR_ARGUMENT ? cli_usage(session, "%s", message)
                                        : cli_fail(session, "%s", message);
}

int cli_check_data(cli_session *session, const char *path, ald_status status)
{
    const int named = strstr(session->error.message, cli_path_name(path)) != NULL;
    if (status != ALD_ERROR_DATA || named || cli_signal()) return cli_check(session, status);
    cli_progress_clear(&session->progress);
    return cli_fail(session, "%s: %s", cli_path_name(path), session->error.message);
}

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return cli_path_name(slash && slash[1] ? slash + 1 : path);
}

const char *cli_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}
