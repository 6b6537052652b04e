/* Principal angles between subspaces: inspect --against and evaluate --subspace. */
#ifndef CLI_ANGLES_H
#define CLI_ANGLES_H

#include "printing/print_json.h"

typedef struct cli_angles {
    double *raw, *covariance; /* radians, rising */
    ald_angles_result result;
} cli_angles;

/* Of two models; `dataset` NULL: without rows. */
int cli_angles_of_models(cli_session *session, const ald_model *model, const ald_model *other,
                         const ald_dataset *dataset, cli_angles *angles);
/* Of a model and known directions. */
int cli_angles_of_known(cli_session *session, const ald_model *model, const ald_matrix *known,
                        const ald_matrix *x, const ald_target *y, cli_angles *a);
void cli_angles_print(cli_session *session, const cli_angles *angles);
/* Adds "angles"; not 0: no memory. */
int cli_angles_set(json_t *root, const cli_angles *angles);
void cli_angles_free(cli_angles *angles);

#endif
