/* The Hilbert-Schmidt independence criterion on the command line: evaluate --hsic. */
#ifndef CLI_HSIC_H
#define CLI_HSIC_H

#include "printing/print_json.h"

typedef struct cli_hsic {
    int wanted;
    int64_t permutations;
    ald_hsic_result result;
} cli_hsic;

/* Reads --hsic and --permutations. */
int cli_hsic_read(cli_session *session, cli_hsic *hsic);
/* Of the projection of rows x under the model; nothing where it is not wanted, as the two below. Of rows that
 * are shared `target` is that of all of them, and rank 0 has the result. */
int cli_hsic_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                     const ald_target *target, const char *path, cli_hsic *hsic);
void cli_hsic_print(cli_session *session, const cli_hsic *hsic);
/* Adds "hsic"; not 0: no memory. */
int cli_hsic_set(json_t *root, const cli_hsic *hsic);

#endif
