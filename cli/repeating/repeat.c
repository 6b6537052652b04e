#include "repeating/repeat.h"

#include "repeating/repeat_fit.h"

#include <string.h>

/* What does not change the results, or is only about other files. */
static int is_left_out(const char *name)
{
    static const char *const names[] = {
        "threads", "max-memory", "quiet", "verbose", "json", "resume", "csv", "plot",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

static int is_page(const cli_session *session, const cli_given *given)
{
    const char *name = given->option ? given->option->name : "";
    return strcmp(name, "report") == 0 || (session->verb->bit == CLI_REPORT && strcmp(name, "output") == 0);
}

static int begins_with_dash(const cli_given *given)
{
    return given->values[0] && given->values[0][0] == '-' && strncmp(given->spelled, "--", 2) == 0;
}

static void add_given(cli_line *line, const cli_session *session, const cli_given *given)
{
    if (given->line || (given->option && is_left_out(given->option->name))) return;
    if (!is_page(session, given) && begins_with_dash(given)) {
        cli_line_option(line, given->spelled + 2, given->values[0]);
        return;
    }
    cli_line_word(line, given->spelled);
    if (is_page(session, given))
        cli_line_word(line, "report.html"); /* so that the bytes do not depend on the name */
    else
        for (int k = 0; k < CLI_MAX_VALUES && given->values[k]; k++) cli_line_word(line, given->values[k]);
}

/* The lines of a configuration file are not repeated: --config names it. */
static void write_command(cli_line *line, const cli_session *session)
{
    const cli_args *args = &session->args;
    cli_line_begin(line, "alidade ");
    cli_line_add(line, session->verb->name);
    for (int i = 0; i < args->n_operands; i++) cli_line_word(line, args->operands[i]);
    for (int i = 0; i < args->n_given; i++) add_given(line, session, &args->given[i]);
}

void cli_repeat(const cli_session *session, const ald_model *model, const ald_dataset *data,
                const char *data_path, cli_lines *lines)
{
    int count = 0;
    if (model) cli_repeat_fit(session, model, data, data_path, &lines->lines[count++]);
    if (model && ald_model_text(model, "alidade.tuning.metric"))
        cli_line_begin(
            &lines->lines[count++],
            "# A search chose the parameters; this fit uses them, but has no curve of the search.");
    write_command(&lines->lines[count], session);
    if (cli_line_fits(&lines->lines[count])) count++;
    for (int i = 0; i < count; i++) lines->list[i] = lines->lines[i].text;
    lines->list[count] = NULL;
}
