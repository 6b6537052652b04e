/* A comparison as a table, as JSON and as csv. */
#ifndef CLI_COMPARISON_H
#define CLI_COMPARISON_H

#include "candidates.h"
#include "printing/print_json.h"

typedef struct cli_comparison {
    const char *data;
    const ald_dataset *dataset;
    const cli_candidates *candidates;
    const ald_comparison *result;
    uint64_t seed;
    int timed;
} cli_comparison;

void cli_comparison_print(cli_session *session, const cli_comparison *c);
int cli_comparison_json(cli_session *session, const cli_comparison *c);
int cli_comparison_csv(cli_session *session, const cli_comparison *c, const char *path);

/* The picture of ald_plot_comparison as svg. */
/* The picture of any comparison, with a name for each of its rows. */
int cli_comparison_picture(cli_session *session, const ald_comparison *comparison, const char *const *names,
                           const char *title, const char *path);
int cli_comparison_plot(cli_session *session, const cli_comparison *c, const char *path);

/* What a row that chooses has chosen, and how often; `words` of each of its settings. And split by split. */
void cli_choices_print(const ald_comparison *comparison, int row, const char *const *words);
json_t *cli_choices_json(const ald_comparison *comparison, int row, const char *const *words);

/* The method behind a row, or the name of the baseline. */
const char *cli_comparison_method(const cli_comparison *c, const ald_comparison_row *row);
/* The words that tell its settings from others, "" if none do. */
const char *cli_comparison_words(const cli_comparison *c, const ald_comparison_row *row);
/* What the metric of a comparison is. */
void cli_metric_find(const ald_comparison *comparison, ald_metric_facts *facts);

#endif
