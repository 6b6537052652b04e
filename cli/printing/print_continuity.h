/* Continuity on the command line: the curve of evaluate, and fit's choice of the number of neighbours. */
#ifndef CLI_CONTINUITY_H
#define CLI_CONTINUITY_H

#include "printing/print_json.h"

enum { CLI_MOST_SIZES = 256 };

/* "4,8,16" to numbers from 1 on, rising; an error names the option. */
int cli_read_sizes(cli_session *session, const char *option, const char *text, int64_t *sizes, int *count);

typedef struct cli_curve {
    ald_continuity_point points[CLI_MOST_SIZES];
    ald_continuity_summary summary; /* count 0: not asked for */
} cli_curve;

/* Of rows x under the model, with the sizes of --continuity-k. Of rows that are shared `target` is that of
 * all of them, and rank 0 has the result. */
int cli_curve_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                      const ald_target *target, const char *path, cli_curve *curve);
void cli_curve_print(cli_session *session, const cli_curve *curve);
json_t *cli_curve_json(const cli_curve *curve);

typedef struct cli_choice {
    int64_t sizes[CLI_MOST_SIZES];
    int count; /* 0: nothing to choose */
    ald_trial trials[CLI_MOST_SIZES];
} cli_choice;

/* Reads --choose-neighbors and refuses what cannot go with it. */
int cli_choice_read(cli_session *session, const ald_method *method, cli_choice *choice);
ald_status cli_choice_fit(cli_session *session, const ald_settings *settings, const ald_dataset *dataset,
                          cli_choice *choice, ald_model **model);
/* The table of what was tried. */
void cli_choice_say(cli_session *session, const cli_choice *choice);
json_t *cli_choice_json(const cli_choice *choice);

#endif
