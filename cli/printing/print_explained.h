/* What the directions explain, on the command line: evaluate --explained. */
#ifndef CLI_EXPLAINED_H
#define CLI_EXPLAINED_H

#include "printing/print_json.h"

typedef struct cli_explained {
    int wanted;
    int64_t r;
    double *x, *y; /* r each */
} cli_explained;

void cli_explained_read(cli_session *session, cli_explained *explained);
int cli_explained_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                          const ald_target *y, const char *path, cli_explained *explained);
void cli_explained_print(cli_session *session, const cli_explained *explained);
/* Adds "explained" where it is wanted; not 0: no memory. */
int cli_explained_set(json_t *root, const cli_explained *explained);
void cli_explained_free(cli_explained *explained);

#endif
