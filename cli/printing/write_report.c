/* The page that a report is, into its file. */
#include "printing/printing.h"

#include "repeating/repeat.h"

#include <string.h>

int cli_report_write(cli_session *session, const char *path, const char *html)
{
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session, ald_write_text(session->context, path, html, strlen(html), &session->error)));
    if (strcmp(path, "-") != 0) cli_wrote(session, "%s", path);
    return CLI_DONE;
}

int cli_report_comparison(cli_session *session, const ald_comparison *comparison, const ald_dataset *dataset,
                          const char *data, const char *path)
{
    cli_lines lines;
    char *html = NULL;
    cli_repeat(session, NULL, NULL, data, &lines);
    const ald_report_options options = {.size = sizeof options, .data_path = data, .commands = lines.list};
    int code = cli_check(session, ald_report_comparison(session->context, comparison, dataset, &options,
                                                        &html, &session->error));
    if (code == CLI_DONE) code = cli_report_write(session, path, html);
    ald_text_free(session->context, html);
    return code;
}

/* Rows whose missing cells the model fills are read again like it; from standard input that cannot be. */
static int read_again(cli_session *session, const ald_model *model, const char *data, ald_dataset **again)
{
    const char *missing = cli_text(&session->args, "missing", NULL);
    *again = NULL;
    if (!missing || strcmp(missing, "mean") != 0) return CLI_DONE;
    if (strcmp(data, "-") == 0)
        return cli_usage(session, "--report with --missing mean reads the rows twice: name a file, not -");
    return cli_load_like(session, model, data, again);
}

int cli_report_tuning(cli_session *session, const ald_tuning *tuning, const ald_model *model,
                      const ald_dataset *dataset, const char *data, const char *path)
{
    cli_lines lines;
    ald_dataset *again;
    char *html = NULL;
    CLI_TRY(read_again(session, model, data, &again));
    cli_repeat(session, NULL, NULL, data, &lines);
    const ald_report_options options = {
        .size = sizeof options,
        .seed = (uint64_t)cli_int(&session->args, "random_state", 0),
        .data_path = data,
        .commands = lines.list,
        .tuning = tuning,
    };
    int code = cli_check(session, ald_report(session->context, model, again ? again : dataset, NULL, &options,
                                             &html, &session->error));
    if (code == CLI_DONE) code = cli_report_write(session, path, html);
    ald_text_free(session->context, html);
    ald_dataset_free(again);
    return code;
}
