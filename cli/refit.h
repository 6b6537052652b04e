/* The command that fits a model again, from what the model keeps of its making. */
#ifndef CLI_REFIT_H
#define CLI_REFIT_H

#include "cli.h"
#include "shell_line.h"

/* Writes the line that fits `model` to `data`, which was read from data_path by the options of the session.
 * Where something is not known, the line is a comment that says what. */
void cli_refit(const cli_session *session, const ald_model *model, const ald_dataset *data,
               const char *data_path, cli_line *line);

#endif
