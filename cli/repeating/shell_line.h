/* A line for a shell that grows word by word. */
#ifndef CLI_SHELL_LINE_H
#define CLI_SHELL_LINE_H

#include <stddef.h>

enum { CLI_LINE_SIZE = 16384 };

/* `used` beyond its size: it does not fit. */
typedef struct cli_line {
    char text[CLI_LINE_SIZE];
    size_t used;
} cli_line;

void cli_line_begin(cli_line *line, const char *text);
int cli_line_fits(const cli_line *line);
/* As it is. */
void cli_line_add(cli_line *line, const char *text);
/* " WORD", in quotes where a shell would take it apart. */
void cli_line_word(cli_line *line, const char *word);
/* " --NAME VALUE", or " --NAME" without a value; "_" in the name is a dash. */
void cli_line_option(cli_line *line, const char *name, const char *value);

#endif
