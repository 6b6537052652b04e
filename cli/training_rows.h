/* Whether rows are those that a model was fitted on. */
#ifndef CLI_TRAINING_ROWS_H
#define CLI_TRAINING_ROWS_H

#include "cli.h"

/* 1 where there are as many rows as in the fit and the columns have the same means, to rounding: figures of
 * such rows are those of training. 0 also where the model does not tell. */
int cli_are_training_rows(const ald_model *model, const ald_dataset *dataset);
/* The same of rows that several ranks share, on rank 0. */
int cli_gather_training(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                        int *training);

#endif
