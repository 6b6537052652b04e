/* alidade VERB ...: finds the verb, reads its options, runs it, and turns the outcome into an exit code. */
#include "cli.h"
#include "printing/print_json.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 1 if help is asked for before a lone "--". */
static int wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) return 1;
    return 0;
}

/* The value of --method, without any check: the rest of the line may be unfinished when help is asked for. */
static const char *method_asked(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--method=", 9) == 0) return argv[i] + 9;
        if (strcmp(argv[i], "--method") == 0 && i + 1 < argc) return argv[i + 1];
    }
    return NULL;
}

static int show_help(cli_session *session, int argc, char **argv)
{
    const char *name = session->verb->has_parameters ? method_asked(argc, argv) : NULL;
    const ald_method *method = name ? ald_method_find(name) : NULL;
    if (name && !method && strcmp(name, "auto") != 0) return cli_no_method(session, name);
    cli_help_verb(stdout, session->verb, method);
    return CLI_DONE;
}

static int run_verb(cli_session *session, int argc, char **argv)
{
    if (wants_help(argc, argv)) return show_help(session, argc, argv);
    CLI_TRY(cli_parse(session, argc, argv));
    CLI_TRY(cli_ranks_check(session));
    CLI_TRY(cli_ranks_settle(session, cli_session_open(session)));
    CLI_TRY(cli_ranks_settle(session, session->verb->run(session)));
    CLI_TRY(cli_session_place(session));
    return session->strict && session->warnings ? CLI_RESERVED : CLI_DONE;
}

/* How many words the option takes that may stand before the verb; 0: it may not. */
static int leading_words(const char *option)
{
    if (strcmp(option, "--threads") == 0) return 2;
    if (strcmp(option, "--quiet") == 0 || strcmp(option, "--verbose") == 0 ||
        strncmp(option, "--threads=", 10) == 0)
        return 1;
    return option[0] == '-' && option[1] && strspn(option + 1, "qv") == strlen(option + 1);
}

/* alidade -q fit DATA: puts the verb before the options that stand in front of it, where they are read as
 * usual. */
static void verb_first(int argc, char **argv)
{
    int at = 1;
    while (at < argc && leading_words(argv[at])) at += leading_words(argv[at]);
    if (at >= argc) return;
    char *verb = argv[at];
    for (int i = at; i > 1; i--) argv[i] = argv[i - 1];
    argv[1] = verb;
}

static int unknown_verb(cli_session *session, const char *name)
{
    if (leading_words(name))
        return cli_usage(session, "the verb is missing: alidade VERB ...; alidade help lists them");
    if (name[0] == '-')
        return cli_usage(session, "the verb comes first, options after it (only -q, -v and --threads may "
                                  "precede it): alidade VERB ...; alidade help lists the verbs");
    return cli_no_verb(session, name);
}

static int run(cli_session *session, int argc, char **argv)
{
    if (argc < 2) {
        cli_help_main(stderr);
        return CLI_USAGE;
    }
    verb_first(argc, argv);
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    const cli_verb *verb = cli_verb_find(name);
    if (verb && argc == 3 &&
        strcmp(argv[2], "--version") == 0) { /* alidade fit --version; with a value it is cfml's */
        verb = cli_verb_find("version");
        argc = 2;
    }
    if (!verb) return unknown_verb(session, name);
    session->verb = verb;
    return run_verb(session, argc - 2, argv + 2);
}

/* A stream that the caller has closed would give its number to the next file that is opened, and what is
 * meant for the terminal would go there. Opened the wrong way round it stays taken, and using it fails as
 * before. */
static void hold_streams(void)
{
    for (int number = 0; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
            if (open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
}

/* Ends as the shell expects of a program whose reader has gone: by the signal. */
static void end_by_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* Everything requested is on disk or printed. Libraries may clean up at exit, which can take forever when
 * memory or threads are short, and is not needed. The leak check of a sanitizer is such a clean-up, and is
 * wanted. */
static int leave(int code)
{
#ifdef ALD_SANITIZED
    return code;
#else
    fflush(stderr);
    _exit(code);
#endif
}

int main(int argc, char **argv)
{
    cli_session session;
    memset(&session, 0, sizeof session);
    hold_streams();
    cli_json_guard();
    cli_signals_install();
    int code = cli_ranks_join(&session);
    if (code == CLI_DONE) code = run(&session, argc, argv);
    cli_signals_default();
    const int lost = fflush(stdout) != 0 || ferror(stdout), reason = errno;
    const int closed = (lost || code == CLI_SIGNAL + SIGPIPE) && cli_output_closed();
    if (lost && !closed && code == CLI_DONE)
        code = cli_fail(&session, "cannot write standard output: %s", strerror(reason));
    code = cli_ranks_settle(&session, code);
    cli_session_close(&session);
    cli_ranks_leave(&session);
    if (closed) end_by_pipe();
    return leave(code);
}
