/* Continuity on the command line: the curve of evaluate, and fit's choice of the number of neighbours. */
#include "printing/printing.h"

#include "ranks/gather_rows.h"

#include <stdlib.h>
#include <string.h>

int cli_read_sizes(cli_session *session, const char *option, const char *text, int64_t *sizes, int *count)
{
    const char *at = text;
    *count = 0;
    for (;;) {
        char item[24];
        const size_t length = strcspn(at, ",");
        if (length >= sizeof item || *count == CLI_MOST_SIZES) break;
        memcpy(item, at, length);
        item[length] = '\0';
        if (!cli_read_int(item, &sizes[*count]) || sizes[*count] < 1) break;
        if (*count > 0 && sizes[*count] <= sizes[*count - 1]) break;
        ++*count;
        if (!at[length]) return CLI_DONE;
        at += length + 1;
    }
    return cli_usage(
        session,
        "--%s %s: expected up to %d increasing whole numbers from 1, separated by commas, such as 4,8,16",
        option, text, CLI_MOST_SIZES);
}

int cli_curve_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                      const ald_target *target, const char *path, cli_curve *curve)
{
    const int64_t r = ald_model_component_count(model);
    const char *given = cli_text(&session->args, "continuity-k", NULL);
    int64_t sizes[CLI_MOST_SIZES];
    ald_continuity_options options = {.size = sizeof options, .k = sizes};
    cli_projection p;
    curve->points[0] = (ald_continuity_point)ALD_CONTINUITY_POINT_INIT;
    curve->summary = (ald_continuity_summary)ALD_CONTINUITY_SUMMARY_INIT;
    if (given) CLI_TRY(cli_read_sizes(session, "continuity-k", given, sizes, &options.count));
    int code = cli_project(session, model, x, path, &p);
    if (code == CLI_DONE && !cli_waits(session))
        code = cli_check_data(session, path,
                              ald_continuity(session->context, p.z, r, target, &options, curve->points,
                                             CLI_MOST_SIZES, &curve->summary, &session->error));
    cli_projection_free(session, &p);
    return code;
}

void cli_curve_print(cli_session *session, const cli_curve *curve)
{
    const ald_continuity_summary *s = &curve->summary;
    printf("%8s  %12s  %15s\n", "k", "continuity", "trustworthiness");
    for (int i = 0; i < s->count; i++)
        printf("%8lld  %12.6f  %15.6f\n", (long long)curve->points[i].k, curve->points[i].continuity,
               curve->points[i].trustworthiness);
    printf("%8s  %12.6f\n", "mean", s->mean);
    cli_say(session, "continuity: 1 if the k nearest rows in the projection are the k nearest in the target; "
                     "trustworthiness: the converse");
    if (s->sampled < s->rows)
        cli_say(session, "summed over %lld of %lld rows, drawn at random; standard error of the mean %.2g",
                (long long)s->sampled, (long long)s->rows, s->error);
}

/* The value, or NULL where something did not get in. */
static json_t *whole(json_t *value, int bad)
{
    if (!bad) return value;
    json_decref(value);
    return NULL;
}

static json_t *list_points(const cli_curve *curve, int column)
{
    json_t *list = json_array();
    int bad = 0;
    for (int i = 0; i < curve->summary.count; i++) {
        const ald_continuity_point *p = &curve->points[i];
        const double value = column == 1 ? p->continuity : p->trustworthiness;
        bad |= json_array_append_new(list, column == 0 ? json_integer(p->k) : cli_json_real(value));
    }
    return whole(list, bad);
}

json_t *cli_curve_json(const cli_curve *curve)
{
    const ald_continuity_summary *s = &curve->summary;
    json_t *root = json_object();
    int bad = 0;
    bad |= json_object_set_new(root, "k", list_points(curve, 0));
    bad |= json_object_set_new(root, "continuity", list_points(curve, 1));
    bad |= json_object_set_new(root, "trustworthiness", list_points(curve, 2));
    bad |= json_object_set_new(root, "mean", cli_json_real(s->mean));
    bad |= json_object_set_new(root, "mean_error", cli_json_real(s->error));
    bad |= json_object_set_new(root, "rows", json_integer(s->rows));
    bad |= json_object_set_new(root, "rows_summed", json_integer(s->sampled));
    return whole(root, bad);
}

int cli_choice_read(cli_session *session, const ald_method *method, cli_choice *choice)
{
    const cli_args *args = &session->args;
    const char *text = cli_text(args, "choose-neighbors", NULL);
    if (!text) return CLI_DONE;
    CLI_TRY(cli_read_sizes(session, "choose-neighbors", text, choice->sizes, &choice->count));
    if (cli_flag(args, "stream"))
        return cli_usage(session, "--choose-neighbors needs all rows in memory; leave out --stream");
    for (int i = 0; i < args->n_given; i++)
        if (cli_given_is(&args->given[i], ALD_PARAM_IS_NEIGHBORS))
            return cli_usage(
                session,
                "%s gives one number of neighbours and --choose-neighbors several; leave out one of them",
                args->given[i].spelled);
    if (!ald_method_param_with(method, ALD_PARAM_IS_NEIGHBORS))
        return cli_usage(session, "--choose-neighbors: method %s has no n_neighbors to choose",
                         ald_method_name(method));
    return CLI_DONE;
}

ald_status cli_choice_fit(cli_session *session, const ald_settings *settings, const ald_dataset *dataset,
                          cli_choice *choice, ald_model **model)
{
    const ald_choice_options options = {
        .size = sizeof options,
        .n_neighbors = choice->sizes,
        .count = choice->count,
        .clock = cli_seconds,
    };
    choice->trials[0] = (ald_trial)ALD_TRIAL_INIT;
    return ald_choose_neighbors(session->context, settings, dataset, &options, choice->trials, model,
                                &session->error);
}

/* Two rows or more within two standard errors of the best: which of them wins is chance. */
static void say_flat(cli_session *session, const cli_choice *choice)
{
    char list[200];
    size_t used = 0;
    int equal = 0;
    for (int i = 0; i < choice->count && used < sizeof list; i++) {
        if (!choice->trials[i].as_good) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%lld", equal ? ", " : "",
                                 (long long)choice->trials[i].n_neighbors);
        equal++;
    }
    if (equal > 1)
        cli_say(session,
                "        %s are equally good: within two standard errors of the best, marked =", list);
}

void cli_choice_say(cli_session *session, const cli_choice *choice)
{
    cli_say(session, "chose   %11s  %10s  %14s  %12s  %8s", "n_neighbors", "continuity", "behind best",
            "objective", "seconds");
    for (int i = 0; i < choice->count; i++) {
        const ald_trial *t = &choice->trials[i];
        char objective[32] = "-";
        if (t->status < 0) {
            cli_say(session, "        %11lld  %10s  %s", (long long)t->n_neighbors, "-", t->note);
            continue;
        }
        if (t->objective == t->objective) snprintf(objective, sizeof objective, "%.5g", t->objective);
        const char *not_chosen = t->as_good ? "=" : " ";
        cli_say(session, "      %s %11lld  %10.5f  %7.5f±%.4f  %12s  %8.2f", t->chosen ? "*" : not_chosen,
                (long long)t->n_neighbors, t->continuity, t->behind, t->behind_error, objective, t->seconds);
    }
    say_flat(session, choice);
}

json_t *cli_choice_json(const cli_choice *choice)
{
    json_t *list = json_array();
    int bad = 0;
    for (int i = 0; i < choice->count; i++) {
        const ald_trial *t = &choice->trials[i];
        json_t *one = json_object();
        bad |= json_object_set_new(one, "n_neighbors", json_integer(t->n_neighbors));
        bad |= json_object_set_new(one, "continuity", cli_json_real(t->continuity));
        bad |= json_object_set_new(one, "behind", cli_json_real(t->behind));
        bad |= json_object_set_new(one, "behind_error", cli_json_real(t->behind_error));
        bad |= json_object_set_new(one, "objective", cli_json_real(t->objective));
        bad |= json_object_set_new(one, "seconds", cli_json_real(t->seconds));
        bad |= json_object_set_new(one, "as_good", json_boolean(t->as_good));
        bad |= json_object_set_new(one, "chosen", json_boolean(t->chosen));
        bad |= json_object_set_new(one, "note", cli_json_text(*t->note ? t->note : NULL));
        bad |= json_array_append_new(list, one);
    }
    return whole(list, bad);
}
