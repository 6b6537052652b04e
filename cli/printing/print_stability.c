/* How stable the subspace is, on the command line: evaluate --stability. */
#include "printing/printing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_features = 10, name_width = 30 };

static double degrees(double radians)
{
    return radians * (180.0 / 3.14159265358979323846);
}

int cli_stability_read(cli_session *session, cli_stability *stability)
{
    static const char *const others[] = {
        "resamples", "resample", "leading", "stability-file", "stability-plot", "seed",
    };
    const cli_args *args = &session->args;
    stability->wanted = cli_flag(args, "stability") > 0;
    for (size_t i = 0; !stability->wanted && i < sizeof others / sizeof *others; i++)
        if (cli_given_find(args, others[i]))
            return cli_usage(session, "--%s is for --stability; give that too", others[i]);
    stability->options = (ald_stability_options)ALD_STABILITY_OPTIONS_INIT;
    stability->options.resamples = cli_int(args, "resamples", 100);
    stability->options.half = strcmp(cli_text(args, "resample", "bootstrap"), "half") == 0;
    stability->options.seed = (uint64_t)cli_int(args, "seed", 0);
    stability->options.permuted = stability->options.resamples;
    stability->options.leading = cli_int(args, "leading", 0);
    stability->file = cli_text(args, "stability-file", NULL);
    stability->plot = cli_text(args, "stability-plot", NULL);
    if (stability->plot && strcmp(stability->plot, "-") == 0)
        return cli_usage(session, "--stability-plot needs a file: the table goes to standard output");
    if (stability->file && strcmp(stability->file, "-") == 0 && session->json && !session->json_path)
        return cli_usage(session,
                         "--stability-file - and --json both want standard output; give one of them a file");
    return CLI_DONE;
}

/* Frequencies are of linear maps; what is asked for of others is refused by the library. */
static int make_room(cli_session *session, const ald_model *model, cli_stability *s)
{
    const char *map = ald_model_text(model, "alidade.map"),
               *names = ald_model_text(model, "alidade.feature_names");
    s->r = ald_model_component_count(model);
    s->d = ald_model_feature_count(model);
    s->names = names ? json_loads(names, 0, NULL) : NULL;
    s->rows = calloc((size_t)s->r, sizeof *s->rows);
    if ((map && strcmp(map, "linear") == 0) || s->options.leading > 0)
        s->frequency = calloc((size_t)s->d, 2 * sizeof *s->frequency);
    if (!s->rows || (s->options.leading > 0 && !s->frequency)) return cli_out_of_memory(session);
    s->options.frequency = s->frequency;
    s->permuted = s->frequency ? s->frequency + s->d : NULL;
    s->options.permuted_frequency = s->permuted;
    s->rows[0] = (ald_stability_row)ALD_STABILITY_ROW_INIT;
    s->summary = (ald_stability_summary)ALD_STABILITY_SUMMARY_INIT;
    return CLI_DONE;
}

int cli_stability_compute(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                          const char *path, cli_stability *stability)
{
    if (!stability->wanted) return CLI_DONE;
    CLI_TRY(make_room(session, model, stability));
    return cli_check_data(session, path,
                          ald_stability(session->context, model, ald_dataset_x(dataset),
                                        ald_dataset_target(dataset), &stability->options, stability->rows,
                                        &stability->summary, &session->error));
}

static void feature_name(const cli_stability *s, int64_t feature, char *name, size_t size)
{
    const char *known = json_string_value(json_array_get(s->names, (size_t)feature));
    if (known && *known)
        snprintf(name, size, "%s", known);
    else
        snprintf(name, size, "x%lld", (long long)feature + 1);
}

/* The features that were leading most often, of equals the first. */
static int find_top(const cli_stability *s, int64_t *top)
{
    int count = 0;
    for (int64_t j = 0; j < s->d; j++) {
        int at = count < most_features ? count++ : most_features;
        for (; at > 0 && s->frequency[top[at - 1]] < s->frequency[j]; at--)
            if (at < most_features) top[at] = top[at - 1];
        if (at < most_features) top[at] = j;
    }
    return count;
}

static void print_features(cli_session *session, const cli_stability *s)
{
    int64_t top[most_features];
    char name[128];
    const int count = find_top(s, top);
    const int permuted = s->summary.permuted > 0;
    printf("\n%-*s  selection frequency%s\n", name_width, "feature", permuted ? "  permuted" : "");
    for (int i = 0; i < count && s->frequency[top[i]] > 0.0; i++) {
        feature_name(s, top[i], name, sizeof name);
        const int printed = cli_put_text(stdout, name);
        printf("%*s  %19.2f", printed < name_width ? name_width - printed : 0, "", s->frequency[top[i]]);
        if (permuted) printf("  %8.2f", s->permuted[i]);
        putchar('\n');
    }
    cli_say(
        session,
        "selection frequency: the share of resamples in which the feature is among the %lld of largest "
        "importance (vip)%s. --json and --stability-file have all",
        (long long)s->summary.leading,
        permuted
            ? "; permuted: that of the feature in the same position of the list with targets in random order"
            : "");
}

static void print_angles(const cli_stability *stability)
{
    const int permuted = stability->summary.permuted > 0;
    printf("components  mean angle  largest angle  95 %% below%s\n",
           permuted ? "  permuted: mean  largest  95 % below" : "");
    for (int64_t k = 0; k < stability->r; k++) {
        const ald_stability_row *row = &stability->rows[k];
        printf("%10lld  %10.2f  %13.2f  %10.2f", (long long)row->k, degrees(row->mean), degrees(row->largest),
               degrees(row->high));
        if (permuted)
            printf("  %14.2f  %7.2f  %10.2f", degrees(row->permuted_mean), degrees(row->permuted_largest),
                   degrees(row->permuted_high));
        putchar('\n');
    }
}

void cli_stability_print(cli_session *session, const cli_stability *stability)
{
    const ald_stability_summary *s = &stability->summary;
    if (!stability->wanted) return;
    print_angles(stability);
    cli_say(session,
            "angles in degrees between the scores of the model and of fits to %lld resamples of the rows, "
            "for the first components; 0: they do not move, 90: a different direction is found each time",
            (long long)s->resamples);
    if (s->permuted > 0)
        cli_say(session, "permuted: the same with targets in random order, as a reference: angles that are "
                         "not well below these are due to chance");
    if (s->failed)
        cli_say(session, "%lld more resample%s could not be fitted: %s", (long long)s->failed,
                cli_s(s->failed), s->note);
    if (stability->frequency) print_features(session, stability);
}

static json_t *row_json(const ald_stability_row *row, int *bad)
{
    json_t *one = json_object();
    *bad |= json_object_set_new(one, "components", json_integer(row->k));
    *bad |= json_object_set_new(one, "dims", json_integer(row->k)); /* its older name */
    *bad |= json_object_set_new(one, "mean_angle_degrees", cli_json_real(degrees(row->mean)));
    *bad |= json_object_set_new(one, "largest_angle_degrees", cli_json_real(degrees(row->largest)));
    *bad |= json_object_set_new(one, "largest_angle_95_degrees", cli_json_real(degrees(row->high)));
    *bad |=
        json_object_set_new(one, "permuted_mean_angle_degrees", cli_json_real(degrees(row->permuted_mean)));
    *bad |= json_object_set_new(one, "permuted_largest_angle_degrees",
                                cli_json_real(degrees(row->permuted_largest)));
    *bad |= json_object_set_new(one, "permuted_largest_angle_95_degrees",
                                cli_json_real(degrees(row->permuted_high)));
    return one;
}

static json_t *permuted_json(const cli_stability *s, int *bad)
{
    if (!s->frequency || s->summary.permuted == 0) return json_null();
    json_t *shares = json_array();
    for (int64_t j = 0; j < s->d; j++) *bad |= json_array_append_new(shares, cli_json_real(s->permuted[j]));
    return shares;
}

static json_t *frequency_json(const cli_stability *s, int *bad)
{
    char name[256];
    if (!s->frequency) return json_null();
    json_t *features = json_object();
    for (int64_t j = 0; j < s->d; j++) {
        feature_name(s, j, name, sizeof name);
        *bad |= json_object_set_new(features, name, cli_json_real(s->frequency[j]));
    }
    return features;
}

int cli_stability_set(json_t *root, const cli_stability *stability)
{
    if (!stability->wanted) return 0;
    json_t *one = json_object(), *rows = json_array();
    int bad = json_object_set_new(one, "resamples", json_integer(stability->summary.resamples));
    bad |= json_object_set_new(one, "failed", json_integer(stability->summary.failed));
    bad |= json_object_set_new(one, "half", json_boolean(stability->options.half));
    for (int64_t k = 0; k < stability->r; k++)
        bad |= json_array_append_new(rows, row_json(&stability->rows[k], &bad));
    bad |= json_object_set_new(one, "rows", rows);
    bad |= json_object_set_new(one, "permuted", json_integer(stability->summary.permuted));
    bad |= json_object_set_new(one, "leading", json_integer(stability->summary.leading));
    bad |= json_object_set_new(one, "selection_frequency", frequency_json(stability, &bad));
    bad |= json_object_set_new(one, "permuted_selection_frequency", permuted_json(stability, &bad));
    return bad | json_object_set_new(root, "stability", one);
}

static void put_real(FILE *out, const char *measure, int64_t of, double value)
{
    if (isfinite(value)) fprintf(out, "%s,%lld,%.15g\n", measure, (long long)of, value);
}

static void put_angles(FILE *out, const ald_stability_row *row)
{
    put_real(out, "mean_angle_degrees", row->k, degrees(row->mean));
    put_real(out, "largest_angle_degrees", row->k, degrees(row->largest));
    put_real(out, "largest_angle_95_degrees", row->k, degrees(row->high));
    put_real(out, "permuted_mean_angle_degrees", row->k, degrees(row->permuted_mean));
    put_real(out, "permuted_largest_angle_degrees", row->k, degrees(row->permuted_largest));
    put_real(out, "permuted_largest_angle_95_degrees", row->k, degrees(row->permuted_high));
}

/* In quotes, as names may hold anything. */
static void put_feature(FILE *out, const cli_stability *s, int64_t feature)
{
    char name[256];
    feature_name(s, feature, name, sizeof name);
    fputs("selection_frequency,\"", out);
    for (const char *at = name; *at; at++) {
        if (*at == '"') putc('"', out);
        putc(*at, out);
    }
    fprintf(out, "\",%.15g\n", s->frequency[feature]);
}

int cli_stability_write(cli_session *session, const cli_stability *s)
{
    char *text = NULL;
    size_t size = 0;
    if (!s->wanted || !s->file) return CLI_DONE;
    FILE *out = open_memstream(&text, &size);
    if (!out) return cli_out_of_memory(session);
    fputs("measure,of,value\n", out);
    for (int64_t k = 0; k < s->r; k++) put_angles(out, &s->rows[k]);
    for (int64_t j = 0; s->frequency && j < s->d; j++) put_feature(out, s, j);
    for (int64_t j = 0; s->frequency && s->summary.permuted > 0 && j < s->d; j++)
        put_real(out, "permuted_selection_frequency", j + 1, s->permuted[j]);
    int code = fclose(out) != 0 ? cli_out_of_memory(session) : cli_stop(session);
    if (code == CLI_DONE)
        code = cli_check(session, ald_write_text(session->context, s->file, text, size, &session->error));
    if (code == CLI_DONE && strcmp(s->file, "-") != 0) cli_wrote(session, "%s", s->file);
    free(text);
    return code;
}

/* The frequencies as bars, with what chance would give: the largest of permuted targets. */
int cli_stability_plot(cli_session *session, const cli_stability *s)
{
    enum { name_size = 160 };
    char *svg = NULL, (*texts)[name_size];
    const char **names;
    if (!s->wanted || !s->plot) return CLI_DONE;
    if (!s->frequency)
        return cli_usage(session, "--stability-plot shows features, but the map of this model is not linear");
    texts = malloc((size_t)s->d * sizeof *texts);
    names = malloc((size_t)s->d * sizeof *names);
    int code = texts && names ? cli_stop(session) : cli_out_of_memory(session);
    for (int64_t j = 0; code == CLI_DONE && j < s->d; j++) {
        feature_name(s, j, texts[j], name_size);
        names[j] = texts[j];
    }
    const double chance = s->summary.permuted > 0 ? s->permuted[0] : NAN;
    if (code == CLI_DONE)
        code = cli_check(session, ald_plot_selection(session->context, names, s->frequency, s->d, chance,
                                                     NULL, &svg, &session->error));
    if (code == CLI_DONE)
        code =
            cli_check(session, ald_write_text(session->context, s->plot, svg, strlen(svg), &session->error));
    if (code == CLI_DONE) cli_wrote(session, "%s", s->plot);
    ald_text_free(session->context, svg);
    free(texts);
    free(names);
    return code;
}

void cli_stability_free(cli_stability *stability)
{
    free(stability->rows);
    free(stability->frequency);
    json_decref(stability->names);
}
