/* A comparison as a table, as JSON and as csv. */
#ifndef CLI_COMPARISON_H
#define CLI_COMPARISON_H

#include "candidates.h"
#include "json.h"

typedef struct cli_comparison {
    const char *data;
    const ald_dataset *dataset;
    const cli_candidates *candidates;
    const ald_comparison *result;
    uint64_t seed;
    double seconds;
} cli_comparison;

void cli_comparison_print(cli_session *session, const cli_comparison *c);
int cli_comparison_json(cli_session *session, const cli_comparison *c);
int cli_comparison_csv(cli_session *session, const cli_comparison *c, const char *path);

/* The method behind a row, or the name of the baseline. */
const char *cli_comparison_method(const cli_comparison *c, const ald_comparison_row *row);
/* The words that tell its settings from others, "" if none do. */
const char *cli_comparison_words(const cli_comparison *c, const ald_comparison_row *row);

#endif
