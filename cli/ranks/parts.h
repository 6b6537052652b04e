/* Results that each rank writes to a file of its own (--parts). */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "cli.h"

/* Whether it is asked for; and whether OUT has a name that can be divided. */
int cli_wants_parts(const cli_session *session);
int cli_parts_check(cli_session *session, const char *output);

/* A table as ald_write_table takes it. */
typedef struct cli_part {
    const double *values; /* rows x columns, of this rank */
    int64_t rows, columns;
    const char *const *header;
    const char *const *const *levels;
} cli_part;
/* Writes this rank's part of OUT: out-2-of-3.csv of out.csv. It appears once all ranks have written theirs.
 */
int cli_part_write(cli_session *session, const char *output, const cli_part *part);
/* "out-1-of-3.csv ... out-3-of-3.csv", for the line that reports them. */
void cli_parts_name(const cli_session *session, const char *output, char *text, size_t size);
/* Takes the part of this rank away again, as another rank could not put its own in its place. */
void cli_part_remove(cli_session *session);

#endif
