/* The figures of `alidade evaluate`: which ones were asked for, as a table and as JSON. */
#ifndef CLI_SCORES_H
#define CLI_SCORES_H

#include "printing/print_json.h"

typedef struct cli_scores {
    ald_target_kind kind;
    unsigned chosen; /* bits of the metrics for the table */
    unsigned listed; /* and for JSON */
    ald_score *scores;
    int count;         /* 0: the model has no predictor */
    double baseline;   /* accuracy of it, NaN: there is none */
    int64_t commonest; /* the class that it predicts, -1: none */
    /* The confusion matrix, classes x classes; NULL: not wanted. */
    int64_t *confusion;
    int64_t classes;
    json_t *names; /* of the classes, as the model has them; may be NULL */
} cli_scores;

/* What the predictor of a model gives; 0 columns: it has none. */
ald_prediction_shape cli_prediction_shape(const ald_model *model);
/* Reads --metric for a model that predicts such a target. */
int cli_scores_choose(cli_session *session, ald_target_kind kind, cli_scores *scores);
/* Fills it from predictions of the rows x, whose target is `target`. Of rows that are shared by ranks x is
 * the portion of this one, and `target` that of all of them; only rank 0 has the figures then. */
int cli_scores_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                       const ald_target *target, cli_scores *scores);
void cli_scores_free(cli_scores *scores);

/* Whether the table shows it. */
int cli_scores_have_baseline(const cli_scores *scores);
void cli_scores_print(cli_session *session, const cli_scores *scores);
/* Adds them to `root`; notes go to the list `notes`. Not 0: no memory. */
int cli_scores_json(const cli_scores *scores, json_t *root, json_t *notes);

#endif
