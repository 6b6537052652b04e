/* Results beside the columns that are carried over from the rows they belong to. */
#ifndef CLI_CARRIED_H
#define CLI_CARRIED_H

#include "cli.h"

#include <jansson.h>

/* Values of the rows of X: rows x columns, row major. */
typedef struct cli_results {
    const double *values;
    int64_t columns;
    const char *const *header;        /* columns */
    const char *const *const *levels; /* as in ald_write_table; NULL: all are numbers */
    const char *what;                 /* "component", "column": for the line that tells of the file */
} cli_results;

/* Writes the ids and the columns of --keep, then the results: a row for every row of the file, with empty
 * cells where it was left out. Files of numbers (npy, svm) have the results alone. */
int cli_carried_write(cli_session *session, const char *output, const ald_dataset *dataset,
                      const cli_results *results);
/* {"name": [text of each row of the file]}; NULL: no column is carried, or no memory (`bad` is set). */
json_t *cli_carried_json(const ald_dataset *dataset, int *bad);

#endif
