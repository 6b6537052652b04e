#include "candidates.h"

#include "typed_settings.h"

#include <stdlib.h>
#include <string.h>

/* --method and --methods are one option. */
static const char *methods_given(const cli_session *session)
{
    return cli_text(&session->args, "methods", NULL);
}

ald_rule cli_rule(const cli_session *session)
{
    const char *rule = cli_text(&session->args, "rule", "one-se");
    return strcmp(rule, "best") == 0 ? ALD_RULE_BEST : ALD_RULE_ONE_SE;
}

ald_race cli_race(const cli_session *session)
{
    const char *race = cli_text(&session->args, "race", NULL);
    if (!race) return ALD_RACE_USUAL;
    return strcmp(race, "off") == 0 ? ALD_RACE_OFF : ALD_RACE_ON;
}

/* Parameters that have no meaning here, or another name. */
static int check_meant(cli_session *session, const cli_given *given)
{
    if (cli_given_is(given, ALD_PARAM_IS_COMPONENTS))
        return cli_usage(
            session,
            "%s: numbers of components are set with --components, or with components= after a method",
            given->spelled);
    return CLI_DONE;
}

/* "name=value" at the end of the settings. */
static int add_setting(cli_session *session, cli_candidates *c, const char *name, const char *value)
{
    const size_t size = strlen(name) + strlen(value) + 2;
    int count = 0;
    while (c->settings[count]) count++;
    c->settings[count] = malloc(size);
    if (!c->settings[count]) return cli_out_of_memory(session);
    snprintf(c->settings[count], size, "%s=%s", name, value);
    return CLI_DONE;
}

int cli_candidates_settings(cli_session *session, cli_candidates *c)
{
    const cli_args *args = &session->args;
    c->settings = calloc((size_t)args->n_given + 2, sizeof *c->settings);
    if (!c->settings) return cli_out_of_memory(session);
    for (int i = 0; i < args->n_given; i++) {
        const cli_given *given = &args->given[i];
        const char *name = cli_given_key(given), *value = cli_given_value(given);
        if (!cli_is_parameter(given)) continue;
        if (session->verb->bit == CLI_FIT && cli_given_is(given, ALD_PARAM_IS_COMPONENTS)) {
            c->search.components = value;
            continue;
        }
        CLI_TRY(check_meant(session, given));
        CLI_TRY(add_setting(session, c, name, value));
    }
    c->search.size = sizeof c->search;
    c->search.settings = (const char *const *)c->settings;
    c->search.seed = (uint64_t)cli_int(args, "random_state", 0);
    return CLI_DONE;
}

static int read_grids(cli_session *session, cli_candidates *c)
{
    const cli_args *args = &session->args;
    int count = 0;
    if (!cli_given_find(args, "grid")) return CLI_DONE;
    c->grids = calloc((size_t)args->n_given + 1, sizeof *c->grids);
    if (!c->grids) return cli_out_of_memory(session);
    for (int i = 0; i < args->n_given; i++)
        if (args->given[i].option && strcmp(args->given[i].option->name, "grid") == 0)
            c->grids[count++] = args->given[i].values[0];
    return CLI_DONE;
}

static void name_more(const char *name, char *names, size_t size)
{
    const size_t length = strlen(names);
    if (strstr(names, name)) return; /* once is enough */
    snprintf(names + length, size - length, "%s%s", length ? ", " : "", name);
}

/* Names the methods that have the parameter for cells without a value, or those that do not; how many. */
static int name_methods(const cli_candidates *c, int able, char *names, size_t size)
{
    int count = 0;
    *names = '\0';
    for (int i = 0; i < c->count; i++)
        for (int s = 0; c->list[i].kind == ALD_CANDIDATE_METHOD && s < c->list[i].n_settings; s++) {
            const ald_method *method = ald_settings_method(c->list[i].settings[s]);
            if ((ald_method_param_with(method, ALD_PARAM_IS_GAPS) != NULL) != able) continue;
            name_more(ald_method_name(method), names, size);
            count++;
        }
    return count;
}

static int make(cli_session *session, const ald_dataset *dataset, cli_candidates *c)
{
    c->search.categories = ald_dataset_has_categories(dataset);
    /* Widths may be measured, which is a call like others. */
    cli_time_left_expect(&session->progress.left, 0.001);
    CLI_TRY(cli_check(session, ald_candidates_new(session->context, ald_dataset_x(dataset),
                                                  ald_dataset_target(dataset), &c->search, &c->made,
                                                  &session->error)));
    cli_time_left_expect(&session->progress.left, 0.0);
    c->list = ald_candidates_list(c->made);
    c->count = ald_candidates_count(c->made);
    return CLI_DONE;
}

/* --missing nipals: methods that need every cell have the means, as with --missing mean. A model that is kept
 * reads later files by one rule, so tune takes none of them. */
static int allow_gaps(cli_session *session, const ald_dataset *dataset, cli_candidates *c)
{
    char others[200], able[200];
    const int unable = name_methods(c, 0, others, sizeof others);
    cli_methods_with("gaps", able, sizeof able);
    if (name_methods(c, 1, (char[200]){""}, 200) == 0 || (unable && session->verb->bit == CLI_TUNE))
        return cli_usage(session, "--missing nipals is for %s: leave out %s, or use --missing mean or drop",
                         able, others);
    if (unable)
        cli_say(session,
                "note    --missing nipals is for %s: with %s, missing cells are filled with the mean of the "
                "training part",
                able, others);
    CLI_TRY(add_setting(session, c, "gaps", "1"));
    ald_candidates_free(c->made);
    c->made = NULL;
    return make(session, dataset, c);
}

/* What should be known of what is tried, a line each. */
static void say_notes(cli_session *session, const cli_candidates *c)
{
    for (const char *at = ald_candidates_notes(c->made); *at;) {
        const size_t length = strcspn(at, "\n");
        cli_say(session, "note    %.*s", (int)length, at);
        at += length;
        at += *at == '\n';
    }
}

int cli_candidates_read(cli_session *session, const ald_dataset *dataset, cli_candidates *c)
{
    const cli_args *args = &session->args;
    CLI_TRY(cli_candidates_settings(session, c));
    CLI_TRY(read_grids(session, c));
    c->search.methods = methods_given(session);
    c->search.components = cli_text(args, "components", NULL);
    c->search.grids = c->grids;
    c->search.random = cli_int(args, "random", 0);
    CLI_TRY(make(session, dataset, c));
    say_notes(session, c);
    return cli_wants_gaps(session) ? allow_gaps(session, dataset, c) : CLI_DONE;
}

void cli_candidates_free(cli_candidates *c)
{
    for (int i = 0; c->settings && c->settings[i]; i++) free(c->settings[i]);
    free(c->settings);
    free(c->grids);
    ald_candidates_free(c->made);
    memset(c, 0, sizeof *c);
}

int cli_candidates_prefer_real(cli_session *session, int *prefer_real)
{
    return cli_check(session, ald_methods_check(methods_given(session), prefer_real, &session->error));
}

int cli_judged_rows(cli_session *session, const char *data, const char *no_target, ald_load_options *load,
                    int *fill_missing, ald_dataset **dataset)
{
    cli_load_options(session, load);
    CLI_TRY(cli_candidates_prefer_real(session, &load->prefer_real));
    if (load->groups && strcmp(load->groups, "duplicates") == 0) load->groups = NULL;
    load->keep_missing = *fill_missing =
        load->missing && (strcmp(load->missing, "mean") == 0 || cli_wants_gaps(session));
    const double began = cli_seconds();
    CLI_TRY(cli_load_rows(session, data, load, dataset));
    cli_say_read(session, data, *dataset, cli_seconds() - began);
    if (ald_dataset_target(*dataset)->kind == ALD_TARGET_NONE) return cli_usage(session, "%s", no_target);
    return CLI_DONE;
}
