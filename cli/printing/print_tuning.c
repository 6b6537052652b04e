/* A tuning as a table, as JSON and as csv. */
#include "printing/printing.h"

#include "cli.h"
#include "typed_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 40 };

static double error_of(const ald_comparison_row *row)
{
    return row->std / sqrt((double)row->count);
}

/* 1: a is to be shown before b, -1: the other way; 0: neither. Figures of all folds come before those of
 * some. */
static int compare_rows(const ald_comparison_row *a, const ald_comparison_row *b, int up)
{
    if (!a->left_after != !b->left_after) return a->left_after ? -1 : 1;
    if (a->mean == b->mean) return 0;
    return (a->mean > b->mean) == (up != 0) ? 1 : -1;
}

/* A row that others of the same number of components are better than. */
static int is_beaten(const cli_tuning *t, int number)
{
    int up;
    ald_comparison_metric(ald_tuning_curve(t->result), &up);
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), number);
    for (int i = 0; i < ald_comparison_count(ald_tuning_curve(t->result)); i++) {
        const ald_comparison_row *other = ald_comparison_at(ald_tuning_curve(t->result), i);
        if (i == number || other->dims != row->dims || !isfinite(other->mean)) continue;
        const int order = compare_rows(other, row, up);
        if (order > 0 || (order == 0 && i < number)) return 1;
    }
    return 0;
}

/* Everything where that is not much; else the best of every number of components. What could not be fitted is
 * counted below. */
static int is_shown(const cli_tuning *t, int number, int all)
{
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), number);
    if (!isfinite(row->mean)) return 0;
    return all || number == ald_tuning_chosen(t->result) || number == ald_tuning_best(t->result) ||
           !is_beaten(t, number);
}

/* How the columns are written. */
typedef struct layout {
    int all;    /* every row is shown */
    int width;  /* of the words of the settings; 0: there are none */
    int digits; /* behind the point: two of the smallest standard error, or five of the mean */
} layout;

static int width_of_words(const cli_tuning *t)
{
    size_t width = 0;
    for (int s = 0; s < t->candidate.n_settings; s++)
        if (strlen(t->candidate.words[s]) > width) width = strlen(t->candidate.words[s]);
    return width > 0 && width < strlen("settings") ? (int)strlen("settings") : (int)width;
}

static layout layout_of(const cli_tuning *t)
{
    double smallest = INFINITY;
    const int count = ald_comparison_count(ald_tuning_curve(t->result));
    for (int i = 0; i < count; i++) {
        const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), i);
        const double rounding = 1e-9 * fabs(row->mean); /* equal values have a deviation of that order */
        const double step = row->std > rounding ? error_of(row) : fabs(row->mean) / 1000.0;
        if (isfinite(row->mean) && isfinite(step) && step > 0.0 && step < smallest) smallest = step;
    }
    const double digits = isfinite(smallest) ? 1.0 - floor(log10(smallest)) : 4.0;
    return (layout){count <= most_rows, width_of_words(t), (int)fmin(fmax(digits, 0.0), 12.0)};
}

static void print_settings(const layout *l, const char *words)
{
    if (l->width > 0) printf("%-*s  ", l->width, words);
}

static void print_row(const cli_tuning *t, int number, const layout *l)
{
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), number);
    static const char *const remarks[] = {"", "  <- best mean", "  <- chosen", "  <- chosen, best mean"};
    const int chosen = number == ald_tuning_chosen(t->result), best = number == ald_tuning_best(t->result);
    printf("%10lld  ", (long long)row->dims);
    print_settings(l, t->candidate.words[row->setting]);
    printf("%10.*f", l->digits, row->mean);
    if (isfinite(row->std))
        printf("  %9.*f", l->digits, error_of(row));
    else
        printf("  %9s", "-");
    if (row->left_after > 0) printf("  behind after %lld folds", (long long)row->left_after);
    puts(remarks[2 * chosen + best]);
}

/* Which settings dropped out of the race, and what the time was too short for. */
static void say_untried(cli_session *session, const cli_tuning *t)
{
    const ald_comparison *curve = ald_tuning_curve(t->result), *nested = ald_tuning_nested(t->result);
    const int count = ald_comparison_count(curve);
    int left = 0;
    for (int i = 0; i < count; i++) {
        const ald_comparison_row *row = ald_comparison_at(curve, i);
        left += row->left_after > 0 && row->count > 0;
    }
    if (left > 0)
        cli_say(session,
                "%d of %d pairs were clearly behind and not tried on all folds; --race off tries them all",
                left, count);
    if (ald_comparison_cut(curve)) cli_say(session, "time    %s", ald_comparison_cut(curve));
    if (ald_comparison_cut(nested))
        cli_say(session, "time    judging the choice: %s", ald_comparison_cut(nested));
    if (!nested && t->limited)
        cli_say(session, "time    the choice was not judged on outer folds: the time was up");
}

/* Whether somebody named what could not be fitted; the usual search tries what may fail. */
static int was_asked(const cli_session *session)
{
    const cli_args *args = &session->args;
    return cli_given_find(args, "methods") || cli_given_find(args, "components") ||
           cli_given_find(args, "grid");
}

static void say_failures(cli_session *session, const cli_tuning *t)
{
    const char *reason = NULL;
    int failed = 0, partly = 0;
    for (int i = 0; i < ald_comparison_count(ald_tuning_curve(t->result)); i++) {
        const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), i);
        if (!row->reason || row->status >= 0) continue;
        failed += row->count == 0;
        partly += row->count > 0;
        if (!reason) reason = row->reason;
    }
    if (!reason || !was_asked(session)) return;
    cli_say(session, "%d pair%s of settings and components could not be fitted%s; the first because: %s",
            failed + partly, cli_s(failed + partly),
            partly ? ", some of them in some splits only, and were left out of the choice" : "", reason);
}

static void print_figure(const char *what, const ald_comparison_row *row, const layout *l)
{
    printf("%-23s %.*f", what, l->digits, row->mean);
    if (isfinite(row->std)) printf(" \u00b1 %.*f", l->digits, row->std);
}

static void print_nested(const cli_tuning *t, const layout *l)
{
    const ald_comparison *nested = ald_tuning_nested(t->result);
    const ald_comparison_row *row = ald_comparison_at(nested, 0);
    const long long splits = ald_comparison_cut(nested)
                                 ? (long long)row->count
                                 : (long long)ald_splits_count(ald_comparison_splits(nested));
    if (row->count > 0) {
        print_figure("outer folds, honest:", row, l);
        printf("  (%s)\n", ald_splits_note(ald_comparison_splits(nested)));
    }
    if (row->count < splits) {
        char reason[CLI_SPELLED_SIZE] = "";
        cli_spell(NULL, row->reason, reason, sizeof reason);
        printf("outer folds: %lld of %lld have no value: %s\n", splits - (long long)row->count, splits,
               reason);
    }
    for (int i = 1; i < ald_comparison_count(nested); i++) {
        const ald_comparison_row *baseline = ald_comparison_at(nested, i);
        if (baseline->count == 0) continue;
        print_figure(baseline->label, baseline, l);
        putchar('\n');
    }
    cli_choices_print(nested, 0, t->candidate.words);
}

void cli_tuning_print(cli_session *session, const cli_tuning *t)
{
    const ald_comparison *curve = ald_tuning_curve(t->result);
    const int count = ald_comparison_count(curve);
    const layout l = layout_of(t);
    fputs("components  ", stdout);
    print_settings(&l, "settings");
    printf("%10s  std error\n", ald_comparison_metric(curve, NULL));
    for (int k = 0; k < (l.all ? 1 : t->candidate.n_dims);
         k++) /* the best ones by dims, all of them as they are */
        for (int i = 0; i < count; i++)
            if (is_shown(t, i, l.all) && (l.all || ald_comparison_at(curve, i)->dims == t->candidate.dims[k]))
                print_row(t, i, &l);
    if (!l.all)
        cli_say(session,
                "of %d pairs of settings and components, the best for each number of components are shown; "
                "--csv has all",
                count);
    say_failures(session, t);
    say_untried(session, t);
    putchar('\n');
    print_figure("inner folds, too good:", ald_comparison_at(curve, ald_tuning_chosen(t->result)), &l);
    printf("  (%s)\n", ald_splits_note(ald_comparison_splits(curve)));
    if (ald_tuning_nested(t->result)) print_nested(t, &l);
}

static json_t *values_json(const ald_comparison *c, int row)
{
    const char *metric = ald_comparison_metric(c, NULL), *name;
    json_t *list = json_array();
    int bad = 0;
    for (int k = 0; (name = ald_comparison_metric_at(c, k)) != NULL; k++) {
        if (strcmp(name, metric) != 0) continue;
        const double *values = ald_comparison_values(c, row, k);
        for (int64_t s = 0; s < ald_splits_count(ald_comparison_splits(c)); s++)
            bad |= json_array_append_new(list, cli_json_real(values[s]));
    }
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

static json_t *row_json(const cli_tuning *t, int number)
{
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), number);
    const ald_settings *settings = t->candidate.settings[row->setting];
    json_t *object = json_object();
    int bad =
        json_object_set_new(object, "method", cli_json_text(ald_method_name(ald_settings_method(settings))));
    bad |= json_object_set_new(object, "components", json_integer(row->dims));
    bad |= json_object_set_new(object, "dims", json_integer(row->dims)); /* its older name */
    bad |= json_object_set_new(object, "parameters", cli_settings_json(settings));
    bad |= json_object_set_new(object, "mean", cli_json_real(row->mean));
    bad |= json_object_set_new(object, "std", cli_json_real(row->std));
    bad |=
        json_object_set_new(object, "std_error", cli_json_real(row->count > 1 ? error_of(row) : (double)NAN));
    bad |= json_object_set_new(object, "count", json_integer(row->count));
    bad |= json_object_set_new(object, "left_after", json_integer(row->left_after));
    bad |= json_object_set_new(object, "values", values_json(ald_tuning_curve(t->result), number));
    bad |= json_object_set_new(object, "error", cli_json_text(row->reason));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static json_t *nested_json(const cli_tuning *t)
{
    if (!ald_tuning_nested(t->result)) return json_null();
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_nested(t->result), 0),
                             *constant = ald_comparison_at(ald_tuning_nested(t->result), 1),
                             *features = ald_comparison_at(ald_tuning_nested(t->result), 2);
    json_t *object = json_object();
    int bad = json_object_set_new(
        object, "splits",
        cli_json_text(ald_splits_note(ald_comparison_splits(ald_tuning_nested(t->result)))));
    bad |= json_object_set_new(object, "mean", cli_json_real(row->mean));
    bad |= json_object_set_new(object, "std", cli_json_real(row->std));
    bad |= json_object_set_new(object, "count", json_integer(row->count));
    bad |= json_object_set_new(object, "values", values_json(ald_tuning_nested(t->result), 0));
    bad |= json_object_set_new(object, "chosen",
                               cli_choices_json(ald_tuning_nested(t->result), 0, t->candidate.words));
    bad |= json_object_set_new(object, "baseline", cli_json_text(constant->label));
    bad |= json_object_set_new(object, "baseline_mean", cli_json_real(constant->mean));
    bad |= json_object_set_new(object, "all_features_mean",
                               cli_json_real(features ? features->mean : (double)NAN));
    bad |= json_object_set_new(object, "error", cli_json_text(row->reason));
    bad |=
        json_object_set_new(object, "cut", cli_json_text(ald_comparison_cut(ald_tuning_nested(t->result))));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

int cli_tuning_json(cli_session *session, const cli_tuning *t)
{
    const ald_comparison *curve = ald_tuning_curve(t->result);
    json_t *root = json_object(), *rows = json_array();
    int up, bad = 0;
    const char *metric = ald_comparison_metric(curve, &up);
    bad |= json_object_set_new(root, "data", cli_json_text(t->data));
    bad |= json_object_set_new(root, "task", cli_json_text(ald_dataset_task_note(t->dataset)));
    bad |= json_object_set_new(root, "splits", cli_json_text(ald_splits_note(ald_comparison_splits(curve))));
    bad |= json_object_set_new(root, "seed", json_integer((json_int_t)t->seed));
    bad |= json_object_set_new(root, "metric", cli_json_text(metric));
    bad |= json_object_set_new(root, "larger_is_better", json_boolean(up));
    bad |= json_object_set_new(root, "rule",
                               cli_json_text(cli_rule(session) == ALD_RULE_BEST ? "best" : "one-se"));
    for (int i = 0; i < ald_comparison_count(curve); i++) bad |= json_array_append_new(rows, row_json(t, i));
    bad |= json_object_set_new(root, "rows", rows);
    bad |= json_object_set_new(root, "chosen", row_json(t, ald_tuning_chosen(t->result)));
    bad |= json_object_set_new(root, "best", row_json(t, ald_tuning_best(t->result)));
    bad |= json_object_set_new(root, "within", cli_json_real(ald_tuning_within(t->result)));
    bad |= json_object_set_new(root, "nested", nested_json(t));
    bad |= json_object_set_new(root, "cut", cli_json_text(ald_comparison_cut(curve)));
    bad |= json_object_set_new(root, "warning", cli_json_text(session->warnings ? session->warning : NULL));
    bad |= json_object_set_new(root, "model", cli_json_text(t->output));
    return cli_json_print(session, root, bad);
}

/* Empty where there is no number. */
static void put_real(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.15g", value);
    else
        putc(',', out);
}

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"') putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void put_row(FILE *out, const cli_tuning *t, int number)
{
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(t->result), number);
    const int chosen = number == ald_tuning_chosen(t->result), best = number == ald_tuning_best(t->result);
    fprintf(out, "%s,%lld,", ald_method_name(ald_settings_method(t->candidate.settings[row->setting])),
            (long long)row->dims);
    put_text(out, t->candidate.words[row->setting]);
    put_real(out, row->mean);
    put_real(out, row->std);
    put_real(out, row->count > 1 ? error_of(row) : (double)NAN);
    fprintf(out, ",%lld,%s%s%s,", (long long)row->count, chosen ? "chosen" : "", chosen && best ? " " : "",
            best ? "best" : "");
    put_text(out, row->reason ? row->reason : "");
    putc('\n', out);
}

int cli_tuning_csv(cli_session *session, const cli_tuning *t, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return cli_out_of_memory(session);
    fprintf(out, "method,dims,settings,%s,std,std_error,count,mark,error\n",
            ald_comparison_metric(ald_tuning_curve(t->result), NULL));
    for (int i = 0; i < ald_comparison_count(ald_tuning_curve(t->result)); i++) put_row(out, t, i);
    int code = fclose(out) != 0 ? cli_out_of_memory(session) : cli_stop(session);
    if (code == CLI_DONE)
        code = cli_check(session, ald_write_text(session->context, path, text, size, &session->error));
    if (code == CLI_DONE && strcmp(path, "-") != 0) cli_wrote(session, "%s", path);
    free(text);
    return code;
}

int cli_tuning_plot(cli_session *session, const cli_tuning *t, const char *path)
{
    char title[200];
    char *svg = NULL;
    ald_plot_options options = ALD_PLOT_OPTIONS_INIT;
    snprintf(title, sizeof title, "Tuning on %.150s", cli_base_name(t->data));
    options.kind = "tuning";
    options.title = title;
    int code =
        cli_check(session, ald_plot(session->context, t->model, NULL, NULL, &options, &svg, &session->error));
    if (code == CLI_DONE)
        code = cli_check(session, ald_write_text(session->context, path, svg, strlen(svg), &session->error));
    ald_text_free(session->context, svg);
    if (code == CLI_DONE) cli_wrote(session, "%s", path);
    return code;
}
