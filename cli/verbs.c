#include "cli.h"

#include <string.h>

/* In the order of the help. A new verb is a file cmd_NAME.c and a line here. */
static const cli_verb *const verbs[] = {
    &cli_fit_verb,        &cli_transform_verb, &cli_predict_verb, &cli_evaluate_verb,  &cli_compare_verb,
    &cli_tune_verb,       &cli_dimension_verb, &cli_update_verb,  &cli_calibrate_verb, &cli_merge_verb,
    &cli_split_verb,      &cli_plot_verb,      &cli_report_verb,  &cli_export_verb,    &cli_inspect_verb,
    &cli_methods_verb,    &cli_generate_verb,  &cli_convert_verb, &cli_version_verb,   &cli_help_verb_entry,
    &cli_completion_verb, &cli_manual_verb,    &cli_options_verb,
};

const cli_verb *cli_verb_at(int index)
{
    return index < (int)(sizeof verbs / sizeof *verbs) ? verbs[index] : NULL;
}

const cli_verb *cli_verb_find(const char *name)
{
    const cli_verb *verb;
    for (int i = 0; (verb = cli_verb_at(i)); i++)
        if (strcmp(verb->name, name) == 0) return verb;
    return NULL;
}

int cli_no_verb(cli_session *session, const char *name)
{
    cli_suggestion near = {.wanted = name};
    const cli_verb *verb;
    for (int i = 0; (verb = cli_verb_at(i)); i++) cli_suggestion_consider(&near, verb->name);
    if (near.best) return cli_usage(session, "there is no verb %s; did you mean %s?", name, near.best);
    return cli_usage(session, "there is no verb %s; alidade help lists them", name);
}

int cli_no_method(cli_session *session, const char *name)
{
    const char *near = ald_method_suggest(name);
    if (near) return cli_usage(session, "there is no method %s; did you mean %s?", name, near);
    return cli_usage(session, "there is no method %s; alidade methods lists them", name);
}
