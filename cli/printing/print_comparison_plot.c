#include "printing/printing.h"

#include <stdlib.h>
#include <string.h>

enum { name_size = 160 };

/* "sdpp n_neighbors=10": what distinguishes the lines. */
static void name_rows(const cli_comparison *c, char (*texts)[name_size], const char **names)
{
    for (int i = 0; i < ald_comparison_count(c->result); i++) {
        const ald_comparison_row *row = ald_comparison_at(c->result, i);
        const char *words = cli_comparison_words(c, row);
        snprintf(texts[i], name_size, "%s%s%s", row->label, *words ? " " : "", words);
        names[i] = texts[i];
    }
}

int cli_comparison_picture(cli_session *session, const ald_comparison *comparison, const char *const *names,
                           const char *title, const char *path)
{
    char *svg = NULL;
    const ald_plot_options options = {.size = sizeof options, .title = title};
    int code = cli_check(
        session, ald_plot_comparison(session->context, comparison, names, &options, &svg, &session->error));
    if (code == CLI_DONE) code = cli_stop(session);
    if (code == CLI_DONE)
        code = cli_check(session, ald_write_text(session->context, path, svg, strlen(svg), &session->error));
    ald_text_free(session->context, svg);
    if (code == CLI_DONE && strcmp(path, "-") != 0) cli_wrote(session, "%s", path);
    return code;
}

int cli_comparison_plot(cli_session *session, const cli_comparison *c, const char *path)
{
    const size_t count = (size_t)ald_comparison_count(c->result);
    char(*texts)[name_size] = malloc(count * sizeof *texts);
    const char **names = malloc(count * sizeof *names);
    char title[200];
    int code = texts && names ? CLI_DONE : cli_out_of_memory(session);
    if (code == CLI_DONE) {
        name_rows(c, texts, names);
        snprintf(title, sizeof title, "Methods compared on %.150s", cli_base_name(c->data));
        code = cli_comparison_picture(session, c->result, names, title, path);
    }
    free(texts);
    free(names);
    return code;
}
