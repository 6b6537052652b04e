/* Which features matter, on the command line: evaluate --importance, and vip in inspect. */
#ifndef CLI_IMPORTANCE_H
#define CLI_IMPORTANCE_H

#include "printing/print_json.h"

typedef struct cli_importance {
    int wanted;
    const char *file; /* NULL: none */
    int64_t r, d;
    double *values[ALD_IMPORTANCE_KINDS]; /* r x d, vip 1 x d; NULL: not known */
    char note[200];                       /* why there is no vip; "" */
    json_t *names;                        /* of the features, or NULL */
} cli_importance;

/* Reads --importance and --importance-file. */
int cli_importance_read(cli_session *session, cli_importance *importance);
/* With rows (dataset NULL: what the model alone can tell). */
int cli_importance_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                           const ald_target *y, const char *path, cli_importance *m);
int cli_importance_write(cli_session *session, const cli_importance *importance);
void cli_importance_print(cli_session *session, const cli_importance *importance);
/* Adds "importance"; not 0: no memory. */
int cli_importance_set(json_t *root, const cli_importance *importance);
void cli_importance_free(cli_importance *importance);

#endif
