/* The page that a report is, into its file. */
#ifndef CLI_PRINTING_WRITE_REPORT_H
#define CLI_PRINTING_WRITE_REPORT_H

#include "cli.h"

int cli_report_write(cli_session *session, const char *path, const char *html);
/* Methods side by side; `data` is the file of the rows. */
int cli_report_comparison(cli_session *session, const ald_comparison *comparison, const ald_dataset *dataset,
                          const char *data, const char *path);
/* What tuning chose, with the model of it. */
int cli_report_tuning(cli_session *session, const ald_tuning *tuning, const ald_model *model,
                      const ald_dataset *dataset, const char *data, const char *path);

#endif
