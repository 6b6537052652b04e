/* What is to be compared, as the command line says it: methods with settings of their own, grids of values, numbers of
 * directions, baselines. */
#ifndef CLI_CANDIDATES_H
#define CLI_CANDIDATES_H

#include "cli.h"

/* Settings of one candidate, and the words that tell them from the others. */
typedef struct cli_variants {
    ald_settings **settings;
    char **words; /* "ridge=1 n_neighbors=5", "" */
    int count;
    int64_t *dims;
    int n_dims;
} cli_variants;

typedef struct cli_candidates {
    ald_candidate *list; /* views of the rest, for ald_compare */
    cli_variants *variants;
    int count;
    char *text;             /* a copy of --methods, cut into names */
    const char *usual_dims; /* the caller's: dims where none are given; NULL: 1:4 */
} cli_candidates;

/* From --methods, --grid, --components and the parameters of methods that were given. `kind` is what the target is;
 * baselines come first if wanted. An exit code; freed in any case by the caller. */
int cli_candidates_read(cli_session *session, ald_target_kind kind, int baselines, cli_candidates *candidates);
/* Candidate `number` with every value of a further parameter. */
int cli_candidates_expand(cli_session *session, cli_candidates *candidates, int number, const char *name,
                          const char *values);
void cli_candidates_free(cli_candidates *candidates);
/* 1 if all methods named take numbers only, so that whole numbers are a real response. An exit code else for a name
 * that does not exist. */
int cli_candidates_prefer_real(cli_session *session, int *prefer_real);

#endif
