/* alidade fit without --method. */
#ifndef CLI_USUAL_FIT_H
#define CLI_USUAL_FIT_H

#include "cli.h"

/* The model that the usual search chooses, with what it chose on standard error; NULL where a search is not
 * possible. An exit code. */
int cli_usual_fit(cli_session *session, const char *data, const ald_dataset *dataset,
                  const ald_load_options *load, ald_model **model);

#endif
