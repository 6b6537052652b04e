/* A tuning as a table, as JSON and as csv. */
#ifndef CLI_TUNING_H
#define CLI_TUNING_H

#include "printing/print_comparison.h"

typedef struct cli_tuning {
    const char *data, *output;
    const ald_dataset *dataset;
    ald_candidate candidate; /* of all methods together */
    ald_tuning *result;
    const ald_model *model;
    uint64_t seed;
    double seconds;
    int limited; /* the choice was to be judged, if the time allowed it */
} cli_tuning;

void cli_tuning_print(cli_session *session, const cli_tuning *t);
int cli_tuning_json(cli_session *session, const cli_tuning *t);
int cli_tuning_plot(cli_session *session, const cli_tuning *t, const char *path);
int cli_tuning_csv(cli_session *session, const cli_tuning *t, const char *path);

#endif
