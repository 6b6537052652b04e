/* The command line, and when it was silent: a program that takes the words of alidade, does the same, and
 * writes to the file that SILENCE names every time between two looks at the wish to stop that was long, and
 * the longest, as
 *
 *     OWN SECONDS BEFORE | AFTER
 *
 * in seconds of the processor on the caller's own thread, which do not grow on a busy machine, and of the
 * clock, with what was told before and after. Where the thread is when it has been silent for SILENCE_TRACE
 * seconds goes to the standard error, as addresses of the program. */
#define main command_line_main
#define cli_progress_report usual_report
#define cli_signal usual_signal
#include "main.c"
#include "progress.c"
#undef main
#undef cli_progress_report
#undef cli_signal

#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>

static const double long_enough = 0.3;

typedef struct silence {
    double own, clock;
    char before[64], after[64];
} silence;

static silence now, longest;   /* now: when it began */
static atomic_llong last_look; /* nanoseconds of the caller's processor time */
static pthread_t caller;
static FILE *notes;

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void note(const silence *s)
{
    if (notes) fprintf(notes, "%.3f %.3f %s | %s\n", s->own, s->clock, s->before, s->after);
}

static void begin_silence(const char *stage)
{
    now.own = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    now.clock = seconds_of(CLOCK_MONOTONIC);
    snprintf(now.before, sizeof now.before, "%s", stage);
    atomic_store(&last_look, (long long)(now.own * 1e9));
}

static void look(const char *stage)
{
    silence over = now;
    over.own = seconds_of(CLOCK_THREAD_CPUTIME_ID) - now.own;
    over.clock = seconds_of(CLOCK_MONOTONIC) - now.clock;
    snprintf(over.after, sizeof over.after, "%s", stage);
    if (over.own > long_enough) note(&over);
    if (over.own > longest.own) longest = over;
    begin_silence(stage);
}

int cli_progress_report(void *user, const char *stage, double done)
{
    if (pthread_equal(pthread_self(), caller)) look(stage);
    return usual_report(user, stage, done);
}

int cli_signal(void)
{
    if (pthread_equal(pthread_self(), caller)) look("between the steps of the verb");
    return usual_signal();
}

static void on_trace(int number)
{
    void *frames[40];
    (void)number;
    backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
    (void)!write(STDERR_FILENO, "--\n", 3);
}

static void *watch(void *unused)
{
    const double limit = atof(getenv("SILENCE_TRACE"));
    const struct timespec nap = {.tv_nsec = 10000000};
    long long told = -1;
    clockid_t clock;
    (void)unused;
    pthread_getcpuclockid(caller, &clock);
    for (;;) {
        nanosleep(&nap, NULL);
        const long long from = atomic_load(&last_look);
        if (seconds_of(clock) - 1e-9 * (double)from <= limit || from == told) continue;
        told = from;
        pthread_kill(caller, SIGUSR2);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t watcher;
    caller = pthread_self();
    begin_silence("the beginning");
    notes = getenv("SILENCE") ? fopen(getenv("SILENCE"), "w") : NULL;
    signal(SIGUSR2, on_trace);
    if (getenv("SILENCE_TRACE")) pthread_create(&watcher, NULL, watch, NULL);
    const int code = command_line_main(argc, argv);
    look("the end");
    note(&longest);
    if (notes) fclose(notes);
    _exit(code);
}
