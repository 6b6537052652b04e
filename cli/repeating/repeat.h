/* Lines for a shell that repeat what was done, for reports. */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include "cli.h"
#include "repeating/shell_line.h"

enum { CLI_MOST_LINES = 3 };

typedef struct cli_lines {
    cli_line lines[CLI_MOST_LINES];
    const char *list[CLI_MOST_LINES + 1]; /* ends with NULL */
} cli_lines;

/* The fit of the model to the rows of `data` (both NULL: there is none), or a comment why it is not printed;
 * then the command itself, without what changes nothing in its results. */
void cli_repeat(const cli_session *session, const ald_model *model, const ald_dataset *data,
                const char *data_path, cli_lines *lines);

#endif
