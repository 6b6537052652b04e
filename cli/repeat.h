/* Lines for a shell that repeat what was done, for reports. */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include "cli.h"

enum { CLI_LINE_SIZE = 4096, CLI_MOST_LINES = 2 };

typedef struct cli_lines {
    char text[CLI_MOST_LINES][CLI_LINE_SIZE];
    const char *list[CLI_MOST_LINES + 1]; /* ends with NULL */
} cli_lines;

/* The fit of the model (NULL: none) to the rows of `data`, where the model tells all of it; then the command
 * itself, without what changes nothing in its results. A line that does not fit is left out. */
void cli_repeat(const cli_session *session, const ald_model *model, const char *data, cli_lines *lines);

#endif
