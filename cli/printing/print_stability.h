/* How stable the subspace is, on the command line: evaluate --stability. */
#ifndef CLI_STABILITY_H
#define CLI_STABILITY_H

#include "printing/print_json.h"

typedef struct cli_stability {
    int wanted;
    const char *file; /* NULL: none */
    const char *plot; /* the same: a picture of the frequencies */
    int64_t r, d;
    double *frequency; /* d; NULL: the map is not linear */
    double *permuted;  /* d, behind it: those of permuted targets, the largest first; NULL as well */
    json_t *names;     /* of the features, or NULL */
    ald_stability_options options;
    ald_stability_row *rows; /* r */
    ald_stability_summary summary;
} cli_stability;

/* Reads --stability, --resamples, --resample, --leading, --stability-file, --stability-plot and --seed. */
int cli_stability_read(cli_session *session, cli_stability *stability);
int cli_stability_compute(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                          const char *path, cli_stability *stability);
int cli_stability_write(cli_session *session, const cli_stability *stability);
int cli_stability_plot(cli_session *session, const cli_stability *stability);
void cli_stability_print(cli_session *session, const cli_stability *stability);
/* Adds "stability" where it is wanted; not 0: no memory. */
int cli_stability_set(json_t *root, const cli_stability *stability);
void cli_stability_free(cli_stability *stability);

#endif
