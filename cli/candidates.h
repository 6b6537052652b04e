/* What is to be compared or tuned, as the command line says it: a search of the library. */
#ifndef CLI_CANDIDATES_H
#define CLI_CANDIDATES_H

#include "cli.h"

typedef struct cli_candidates {
    ald_search search;
    ald_splits_options inner; /* with search.choose */
    char **settings;          /* "scale=standard", ends with NULL */
    const char **grids;       /* ends with NULL; NULL: none given */
    ald_candidates *made;
    const ald_candidate *list; /* of `made` */
    int count;
} cli_candidates;

/* From --methods (--method), --components, --grid, --random and the parameters of methods that were given;
 * what else the caller has set in `search` before stays. An exit code; freed in any case by the caller. */
int cli_candidates_read(cli_session *session, const ald_dataset *dataset, cli_candidates *candidates);
/* Of these the parameters alone, which are for every method that has them; with fit also the number of
 * components. */
int cli_candidates_settings(cli_session *session, cli_candidates *candidates);
void cli_candidates_free(cli_candidates *candidates);
/* 1 if all methods named take numbers only, so that whole numbers are a real response. An exit code else for
 * a name that does not exist. */
int cli_candidates_prefer_real(cli_session *session, int *prefer_real);
/* Loads the rows that methods are judged on, into *dataset; `load` as the command line says it, and whether
 * the cells without a value are filled inside each training part. Without a target the error is `no_target`.
 * An exit code. */
int cli_judged_rows(cli_session *session, const char *data, const char *no_target, ald_load_options *load,
                    int *fill_missing, ald_dataset **dataset);
/* --rule; and --race, the usual one where it is not given. */
ald_rule cli_rule(const cli_session *session);
ald_race cli_race(const cli_session *session);

#endif
