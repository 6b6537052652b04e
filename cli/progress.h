/* The progress bar, and the wish to stop. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

/* How long a command will still take, from how far it was when (printing/time_left.c). */
enum { CLI_SAMPLES = 100 };
typedef struct cli_time_left {
    double base, width;           /* the part of the command that the present call is */
    double began;                 /* of the call, in seconds */
    double done;                  /* of the call */
    double told;                  /* of the command: never falls */
    double expected;              /* width of the next call; 0: nearly all that is left */
    int begun, is_last;           /* is_last: no call was announced behind it */
    double when[CLI_SAMPLES + 1]; /* the time at which each hundredth of the call was reached first */
    int reached;
} cli_time_left;

/* The next call is about this part of the command. */
void cli_time_left_expect(cli_time_left *t, double share);
/* At time `now` the call is `done` (0 to 1, negative: not known) of its way; where that falls another call
 * has begun. The part of the command that is done. */
double cli_time_left_at(cli_time_left *t, double now, double done);
/* Seconds until the command ends, or negative: not known yet. */
double cli_time_left_seconds(const cli_time_left *t, double now);

typedef struct cli_progress {
    int shown;    /* standard error is a terminal, without --quiet */
    int drawn;    /* a bar is on the screen */
    int lines;    /* it is no terminal: a line per minute instead */
    int records;  /* ALIDADE_PROGRESS is json: for a program that shows it in its own way */
    double began; /* of the command, seconds */
    double last_draw;
    cli_time_left left;
    char stage[64];
} cli_progress;

void cli_progress_init(cli_progress *progress, int shown);
/* For ald_options.progress; `user` is a cli_progress. */
int cli_progress_report(void *user, const char *stage, double done);
/* Takes the bar off the screen. */
void cli_progress_clear(cli_progress *progress);

/* The first signal asks for a clean end, the second one ends at once. */
void cli_signals_install(void);
/* From now on any signal ends the program, as one does that has nothing to save. */
void cli_signals_default(void);
/* 1 if standard output is a pipe whose reader has gone: reason to end silently. */
int cli_output_closed(void);
/* The number of the signal that asked to stop, or 0. */
int cli_signal(void);

#endif
