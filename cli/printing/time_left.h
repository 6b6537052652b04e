/* How long a command will still take, from how far it was when. */
#ifndef CLI_TIME_LEFT_H
#define CLI_TIME_LEFT_H

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

#endif
