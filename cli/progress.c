#include "progress.h"

#include "cli.h"

#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* The only thing a signal handler may touch, hence the only variable of the program outside a function. */
static volatile sig_atomic_t caught_signal;

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { n_stopping = sizeof stopping / sizeof *stopping };

/* The second one, of whatever kind, ends the program at once. */
static void on_signal(int number)
{
    if (caught_signal) _exit(CLI_SIGNAL + number);
    caught_signal = number;
}

/* Without SA_RESTART a waiting read gives up. A closed pipe (SIGPIPE) and a file that grows too large
 * (SIGXFSZ) must not kill the program: the write fails, and that is reported or ignored. */
void cli_signals_install(void)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < n_stopping; i++)
        if (sigaction(stopping[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(stopping[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void cli_signals_default(void)
{
    for (int i = 0; i < n_stopping; i++) signal(stopping[i], SIG_DFL);
}

int cli_output_closed(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

int cli_signal(void)
{
    return caught_signal;
}

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_init(cli_progress *progress, int shown)
{
    const char *terminal = getenv("TERM");
    memset(progress, 0, sizeof *progress);
    const int drawable = isatty(STDERR_FILENO) && (!terminal || strcmp(terminal, "dumb") != 0);
    const char *form = getenv("ALIDADE_PROGRESS");
    progress->records = shown && form && strcmp(form, "json") == 0;
    progress->shown = shown && drawable && !progress->records;
    progress->lines = shown && !drawable && !progress->records;
    progress->began = cli_seconds();
    progress->last_draw = progress->records ? 0.0 : progress->began;
}

static void format_seconds(double seconds, char *text, size_t size)
{
    const long whole = (long)(seconds + 0.5);
    if (whole < 60)
        snprintf(text, size, "%ld s", whole);
    else if (whole < 3600)
        snprintf(text, size, "%ld:%02ld min", whole / 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld h", whole / 3600, whole % 3600 / 60);
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
    return size.ws_col;
}

/* "3:20 min left", or how long it has taken where nothing is known. */
static void format_left(const cli_progress *progress, double now, char *text, size_t size)
{
    const double left = cli_time_left_seconds(&progress->left, now);
    char clock[32];
    format_seconds(left >= 0.0 ? left : now - progress->began, clock, sizeof clock);
    snprintf(text, size, "%s%s", clock, left >= 0.0 ? " left" : "");
}

/* Whole percents that are done: 100 of them only at the end. */
static int percent(double done)
{
    return (int)floor(100.0 * fmin(done, 1.0));
}

/* "stage [====>    ]  42 %, 3 s left", or without the bar when the part done is not known. */
static void draw(const cli_progress *progress, double done, double now)
{
    char clock[48], bar[41];
    format_left(progress, now, clock, sizeof clock);
    if (!(done > 0)) {
        fprintf(stderr, "\r\033[K%.*s ... %s", terminal_width() - 20, progress->stage, clock);
        fflush(stderr);
        return;
    }
    const int room = terminal_width() - (int)strlen(progress->stage) - 26;
    int width = room > 40 ? 40 : room;
    if (width < 0) width = 0;
    const int full = (int)(done * width);
    memset(bar, ' ', (size_t)width);
    memset(bar, '=', (size_t)full);
    if (full < width) bar[full] = '>';
    bar[width] = '\0';
    fprintf(stderr, "\r\033[K%.*s [%s] %3d %%, %s", terminal_width() - 26, progress->stage, bar,
            percent(done), clock);
    fflush(stderr);
}

/* Where nothing can be drawn over: a line per minute. */
static void print_line(cli_progress *progress, double done, double now)
{
    const double minute = 60.0;
    char clock[48];
    if (now - progress->last_draw < minute) return;
    progress->last_draw = now;
    format_left(progress, now, clock, sizeof clock);
    if (done > 0)
        fprintf(stderr, "%-7s %d %%, %s (%s)\n", "at", percent(done), clock, progress->stage);
    else
        fprintf(stderr, "%-7s %s (%s)\n", "at", clock, progress->stage);
    fflush(stderr);
}

/* Ten a second: what is done, the part of the command, and the seconds that are left, negative if unknown. */
static void print_record(cli_progress *progress, double done, double now)
{
    if (now - progress->last_draw < 0.1) return;
    progress->last_draw = now;
    json_t *record = json_pack("{s:s,s:f,s:f}", "stage", progress->stage, "done", done > 0 ? done : 0.0,
                               "left", cli_time_left_seconds(&progress->left, now));
    if (!record) return; /* a name that is no text */
    json_dumpf(record, stderr, JSON_COMPACT);
    fputc('\n', stderr);
    fflush(stderr);
    json_decref(record);
}

/* The stage names a file, which may hold what a terminal obeys. */
static void take_stage(cli_progress *progress, const char *stage)
{
    snprintf(progress->stage, sizeof progress->stage, "%s", stage);
    for (char *c = progress->stage; *c;) {
        const int controls = cli_control_length(c);
        memset(c, '?', (size_t)controls);
        c += controls ? controls : 1;
    }
}

/* Short commands show nothing: a bar that only flashes is of no use. */
int cli_progress_report(void *user, const char *stage, double done)
{
    cli_progress *progress = user;
    if (cli_signal()) return 1;
    if (!progress->shown && !progress->lines && !progress->records) return 0;
    const double now = cli_seconds(), part = cli_time_left_at(&progress->left, now, done);
    if (progress->lines && now - progress->last_draw < 1.0) return 0;
    take_stage(progress, stage);
    if (progress->lines || progress->records) {
        (progress->records ? print_record : print_line)(progress, part, now);
        return 0;
    }
    if (now - progress->began < 0.3 || now - progress->last_draw < 0.1) return 0;
    draw(progress, part, now);
    progress->drawn = 1;
    progress->last_draw = now;
    return 0;
}

void cli_progress_clear(cli_progress *progress)
{
    if (!progress->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->drawn = 0;
}
