/* The command that fits a model again, from what the model keeps of its making. */
#ifndef CLI_REPEAT_FIT_H
#define CLI_REPEAT_FIT_H

#include "cli.h"
#include "repeating/shell_line.h"

/* Writes the line that fits `model` to `data`, which was read from data_path by the options of the session.
 * Where something is not known, the line is a comment that says what. */
void cli_repeat_fit(const cli_session *session, const ald_model *model, const ald_dataset *data,
                    const char *data_path, cli_line *line);

/* " --method NAME --PARAM VALUE ...": how it was fitted to the rows of `data`, without what reads them. */
void cli_repeat_method(const ald_model *model, const ald_dataset *data, cli_line *line);

#endif
