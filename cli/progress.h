/* The progress bar, and the wish to stop. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "printing/time_left.h"

typedef struct cli_progress {
    int shown;    /* standard error is a terminal and nobody asked for quiet */
    int drawn;    /* a bar is on the screen */
    int lines;    /* it is no terminal: a line per minute instead */
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
/* 1 if standard output is a pipe that nobody reads any more: reason to end without a word. */
int cli_output_closed(void);
/* The number of the signal that asked to stop, or 0. */
int cli_signal(void);

#endif
