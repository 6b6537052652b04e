/* The files that a command names: found by the tables of options and operands, so that a new option joins by
 * itself. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

struct cli_session;

/* Refuses, before any work is done, what would cost a file: an output over an input or over another output,
 * also by another spelling or through links; standard input for two files; an output that cannot be written.
 */
int cli_paths_check(struct cli_session *session);

#endif
