/* alidade inspect --coefficients: the formula of a model as a table. */
#ifndef CLI_PRINT_COEFFICIENTS_H
#define CLI_PRINT_COEFFICIENTS_H

#include "cli.h"

/* One row per column, the intercept first. */
int cli_coefficients_write(cli_session *session, const ald_model *model, const char *path);

#endif
