/* A comparison as a table, as JSON and as csv. */
#include "printing/printing.h"

#include "cli.h"
#include "typed_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cli_comparison_method(const cli_comparison *c, const ald_comparison_row *row)
{
    const ald_candidate *candidate = &c->candidates->list[row->candidate];
    if (candidate->kind != ALD_CANDIDATE_METHOD) return row->label;
    return ald_method_name(ald_settings_method(candidate->settings[0]));
}

const char *cli_comparison_words(const cli_comparison *c, const ald_comparison_row *row)
{
    (void)c;
    return row->words;
}

/* Cells of the table as text. */
enum { columns = 8, cell_size = 200 };
typedef struct table_row {
    char cells[columns][cell_size];
    const char *reason;
} table_row;

static const char *const marks[] = {[ALD_MARK_NONE] = "", [ALD_MARK_BEST] = "*", [ALD_MARK_EQUAL] = "="};

static void print_seconds(double seconds, char *text)
{
    const char *format = seconds < 10 ? "%.3f" : "%.1f";
    if (seconds < 0.01) format = "%.4f";
    if (!isfinite(seconds))
        text[0] = '\0';
    else if (seconds < 1e-4)
        snprintf(text, cell_size, "<0.0001");
    else
        snprintf(text, cell_size, format, seconds);
}

static void print_dims(int64_t dims, char *text)
{
    if (dims > 0)
        snprintf(text, cell_size, "%lld", (long long)dims);
    else
        snprintf(text, cell_size, dims < 0 ? "chosen" : "-");
}

/* With the same digits for all. */
static void print_score(const ald_comparison_row *row, int digits, char *text)
{
    if (!isfinite(row->mean))
        snprintf(text, cell_size, "-");
    else if (isfinite(row->std))
        snprintf(text, cell_size, "%.*f \u00b1 %.*f", digits, row->mean, digits, row->std);
    else
        snprintf(text, cell_size, "%.*f", digits, row->mean);
}

/* To the best row, with the interval of the test: "0.06 [-0.10, 0.22]". */
static void print_difference(const ald_comparison_row *row, int digits, char *text)
{
    const double least = 0.5 * pow(10.0, -digits);
    const double *values[] = {&row->difference, &row->difference_low, &row->difference_high};
    double shown[3]; /* without -0.00 */
    for (int i = 0; i < 3; i++) shown[i] = fabs(*values[i]) < least ? 0.0 : *values[i];
    text[0] = '\0';
    if (isfinite(row->difference_low) && row->mark != ALD_MARK_BEST)
        snprintf(text, cell_size, "%.*f [%.*f, %.*f]", digits, shown[0], digits, shown[1], digits, shown[2]);
}

/* There are figures, but with something to say about them, which is printed below the table. */
static int is_warning(const ald_comparison_row *row)
{
    return row->reason && row->status > 0 && isfinite(row->mean);
}

static void fill_row(const cli_comparison *c, const ald_comparison_row *row, int digits, table_row *out)
{
    snprintf(out->cells[0], cell_size, "%s", row->label);
    print_dims(row->dims, out->cells[1]);
    snprintf(out->cells[2], cell_size, "%s", cli_comparison_words(c, row));
    print_score(row, digits, out->cells[3]);
    snprintf(out->cells[4], cell_size, "%s", marks[row->mark]);
    print_difference(row, digits, out->cells[5]);
    print_seconds(row->fit_seconds, out->cells[6]);
    print_seconds(row->apply_seconds, out->cells[7]);
    out->reason = is_warning(row) ? "!" : row->reason;
}

/* Characters, not bytes. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++) width += (*text & 0xc0) != 0x80;
    return width;
}

static int shows(const int *widths, int column)
{
    return widths[column] > 0;
}

static void print_cell(const char *text, int width, int right)
{
    const int blanks = width > width_of(text) ? width - width_of(text) : 0;
    if (right) printf("%*s", blanks, "");
    cli_put_text(stdout, text);
    if (!right) printf("%*s", blanks, "");
}

static void print_row(const table_row *row, const int *widths)
{
    static const int right[columns] = {0, 1, 0, 1, 0, 1, 1, 1};
    int last = columns - 1;
    while (!row->reason && last > 0 && !row->cells[last][0]) last--;
    for (int k = 0; k <= last; k++) {
        if (!shows(widths, k)) continue;
        if (k) fputs(k == 4 ? " " : "  ", stdout);
        print_cell(row->cells[k], k < last || row->reason || right[k] ? widths[k] : 0, right[k]);
    }
    if (row->reason) {
        fputs("  ", stdout);
        char text[CLI_SPELLED_SIZE];
        cli_put_text(stdout, cli_spell(NULL, row->reason, text, sizeof text));
    }
    putchar('\n');
}

/* The digits behind the point that show two of the smallest deviation, or of a hundredth of the mean. */
static int digits_for(const cli_comparison *c)
{
    double smallest = INFINITY;
    for (int i = 0; i < ald_comparison_count(c->result); i++) {
        const ald_comparison_row *row = ald_comparison_at(c->result, i);
        const double part = fabs(row->mean) / 100.0, shown = row->std > 1e-3 * part ? row->std : part;
        if (isfinite(shown) && shown > 0 && shown < smallest) smallest = shown;
    }
    if (!isfinite(smallest)) return 4;
    const int digits = 1 - (int)floor(log10(smallest));
    if (digits < 0) return 0;
    return digits > 6 ? 6 : digits;
}

static void widen(const table_row *row, int *widths)
{
    for (int k = 0; k < columns; k++) {
        const int width = width_of(row->cells[k]);
        if (width > widths[k]) widths[k] = width;
    }
}

/* Once for all rows of a candidate that say the same. */
static void tell_warnings(cli_session *session, const cli_comparison *c)
{
    const ald_comparison_row *told = NULL;
    for (int i = 0; i < ald_comparison_count(c->result); i++) {
        const ald_comparison_row *row = ald_comparison_at(c->result, i);
        if (!is_warning(row)) continue;
        const int same = told && told->candidate == row->candidate && strcmp(told->reason, row->reason) == 0;
        if (!same) cli_say(session, "! %s: %s", row->label, row->reason);
        told = row;
    }
}

void cli_metric_find(const ald_comparison *comparison, ald_metric_facts *facts)
{
    const char *name = ald_comparison_metric(comparison, NULL);
    *facts = (ald_metric_facts)ALD_METRIC_FACTS_INIT;
    for (int i = 0; ald_metric_at(i, facts) && strcmp(facts->name, name) != 0; i++)
        ;
}

static void explain(cli_session *session, const cli_comparison *c)
{
    static const char *const better[] = {"nearer to 0", "smaller", "larger"};
    const char *unmarked = ald_comparison_unmarked(c->result);
    ald_metric_facts facts;
    char what[120];
    cli_metric_find(c->result, &facts);
    if (facts.pooled)
        snprintf(what, sizeof what, "%s of all test rows together \u00b1 standard deviation of the splits",
                 facts.name);
    else
        snprintf(what, sizeof what, "mean \u00b1 standard deviation of %s", facts.name);
    cli_say(session, "%s over %s; %s is better%s", what, ald_splits_note(ald_comparison_splits(c->result)),
            better[facts.larger_is_better + 1], c->timed ? "; seconds per split" : "");
    if (ald_comparison_cut(c->result)) cli_say(session, "time    %s", ald_comparison_cut(c->result));
    if (unmarked)
        cli_say(session, "%s", unmarked);
    else
        cli_say(session, "* the best mean; = not shown to be worse (p > 0.05 by the corrected resampled "
                         "t-test, two-sided, not adjusted for the number of comparisons); difference to *: "
                         "its 95 %% interval in brackets");
}

static const char *const *words_of(const cli_comparison *c, const ald_comparison_row *row)
{
    return c->candidates->list[row->candidate].words;
}

void cli_choices_print(const ald_comparison *comparison, int row, const char *const *words)
{
    const int64_t splits = ald_splits_count(ald_comparison_splits(comparison));
    for (int64_t s = 0; s < splits; s++) {
        int setting, other, times = 0, first = 1;
        int64_t dims, other_dims;
        ald_comparison_choice(comparison, row, s, &setting, &dims);
        for (int64_t k = 0; k < splits; k++) {
            ald_comparison_choice(comparison, row, k, &other, &other_dims);
            if (other != setting || other_dims != dims) continue;
            times++;
            first &= k >= s;
        }
        if (first && setting >= 0)
            printf("  chosen %d time%s: %lld component%s%s%s\n", times, cli_s(times), (long long)dims,
                   cli_s(dims), *words[setting] ? ", " : "", words[setting]);
    }
}

/* Below the table: what the rows that choose have chosen. */
static void print_choices(const cli_comparison *c)
{
    for (int i = 0; i < ald_comparison_count(c->result); i++) {
        const ald_comparison_row *row = ald_comparison_at(c->result, i);
        if (row->setting >= 0) continue;
        printf("%s\n", row->label);
        cli_choices_print(c->result, i, words_of(c, row));
    }
}

/* Whether two reasons say the same but for numbers. */
static int alike(const char *a, const char *b)
{
    const char *const digits = "0123456789";
    while (*a && *b) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b) return 0;
        if (*a) a++, b++;
    }
    return *a == *b;
}

/* Whether a row is refused for the reason of the one before it, so that one line serves both. */
static int continues(const ald_comparison_row *before, const ald_comparison_row *row)
{
    return before->candidate == row->candidate && before->setting == row->setting && before->count == 0 &&
           row->count == 0 && before->status < 0 && before->status == row->status && before->reason &&
           row->reason && alike(before->reason, row->reason);
}

/* The table with the refused numbers of components of a candidate in one line, "2:3"; how many lines. */
static int fill_rows(const cli_comparison *c, int digits, table_row *rows)
{
    const ald_comparison_row *first = NULL;
    int lines = 0;
    for (int i = 0; i < ald_comparison_count(c->result); i++) {
        const ald_comparison_row *row = ald_comparison_at(c->result, i);
        if (i == 0 || !continues(ald_comparison_at(c->result, i - 1), row)) {
            fill_row(c, row, digits, &rows[lines++]);
            first = row;
        } else {
            snprintf(rows[lines - 1].cells[1], cell_size, "%lld:%lld", (long long)first->dims,
                     (long long)row->dims);
        }
    }
    return lines;
}

void cli_comparison_print(cli_session *session, const cli_comparison *c)
{
    const int count = ald_comparison_count(c->result), digits = digits_for(c);
    int widths[columns] = {0};
    table_row head = {
        .cells = {"method", "components", "settings", "", "", "difference to *", "fit s", "apply s"},
    };
    table_row *rows = calloc((size_t)count, sizeof *rows);
    if (!rows) {
        cli_out_of_memory(session);
        return;
    }
    snprintf(head.cells[3], cell_size, "%s", ald_comparison_metric(c->result, NULL));
    const int lines = fill_rows(c, digits, rows);
    for (int i = 0; i < lines; i++) widen(&rows[i], widths);
    for (int k = 2; k < columns;
         k++) /* columns without anything are left out, times that were not taken too */
        if (k != 3 && !widths[k]) head.cells[k][0] = '\0';
    widen(&head, widths);
    print_row(&head, widths);
    for (int i = 0; i < lines; i++) print_row(&rows[i], widths);
    free(rows);
    print_choices(c);
    explain(session, c);
    tell_warnings(session, c);
}

static json_t *values_json(const cli_comparison *c, int row, int metric)
{
    const double *values = ald_comparison_values(c->result, row, metric);
    const int64_t splits = ald_splits_count(ald_comparison_splits(c->result));
    json_t *list = json_array();
    int bad = 0;
    for (int64_t s = 0; s < splits; s++) bad |= json_array_append_new(list, cli_json_real(values[s]));
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

/* What was set, by hand or by a grid. */
static json_t *parameters_json(const cli_comparison *c, const ald_comparison_row *row)
{
    if (row->setting < 0) return json_object();
    return cli_settings_json(c->candidates->list[row->candidate].settings[row->setting]);
}

json_t *cli_choices_json(const ald_comparison *comparison, int row, const char *const *words)
{
    const int64_t splits = ald_splits_count(ald_comparison_splits(comparison));
    json_t *list = json_array();
    int bad = 0;
    for (int64_t s = 0; s < splits; s++) {
        int setting;
        int64_t dims;
        ald_comparison_choice(comparison, row, s, &setting, &dims);
        bad |= json_array_append_new(list, json_pack("{sIsIss}", "components", (json_int_t)dims, "dims",
                                                     (json_int_t)dims, "settings",
                                                     setting >= 0 ? words[setting] : ""));
    }
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

static json_t *row_json(const cli_comparison *c, int number)
{
    static const char *const names[] = {
        [ALD_MARK_NONE] = NULL,
        [ALD_MARK_BEST] = "best",
        [ALD_MARK_EQUAL] = "equal",
    };
    const ald_comparison_row *row = ald_comparison_at(c->result, number);
    const char *metric = ald_comparison_metric(c->result, NULL), *name;
    json_t *object = json_object(), *metrics = json_object(), *pooled = json_object();
    int bad = json_object_set_new(object, "method", cli_json_text(cli_comparison_method(c, row)));
    bad |= json_object_set_new(object, "label", cli_json_text(row->label));
    bad |= json_object_set_new(object, "components", row->dims > 0 ? json_integer(row->dims) : json_null());
    bad |= json_object_set_new(object, "dims",
                               row->dims > 0 ? json_integer(row->dims) : json_null()); /* older name */
    bad |= json_object_set_new(object, "parameters", parameters_json(c, row));
    bad |= json_object_set_new(object, "metric", cli_json_text(metric));
    bad |= json_object_set_new(object, "mean", cli_json_real(row->mean));
    bad |= json_object_set_new(object, "std", cli_json_real(row->std));
    bad |= json_object_set_new(object, "count", json_integer(row->count));
    for (int k = 0; (name = ald_comparison_metric_at(c->result, k)) != NULL; k++) {
        if (strcmp(name, metric) == 0)
            bad |= json_object_set_new(object, "values", values_json(c, number, k));
        bad |= json_object_set_new(metrics, name, values_json(c, number, k));
        const double together = ald_comparison_pooled(c->result, number, k);
        if (!isnan(together)) bad |= json_object_set_new(pooled, name, cli_json_real(together));
    }
    bad |= json_object_set_new(object, "metrics", metrics);
    bad |= json_object_set_new(object, "pooled", pooled);
    bad |= json_object_set_new(object, "mark", cli_json_text(names[row->mark]));
    bad |= json_object_set_new(object, "p_value", cli_json_real(row->p_value));
    bad |= json_object_set_new(object, "difference", cli_json_real(row->difference));
    bad |= json_object_set_new(object, "difference_low", cli_json_real(row->difference_low));
    bad |= json_object_set_new(object, "difference_high", cli_json_real(row->difference_high));
    bad |= json_object_set_new(object, "fit_seconds", cli_json_real(row->fit_seconds));
    bad |= json_object_set_new(object, "transform_seconds", cli_json_real(row->apply_seconds));
    bad |= json_object_set_new(object, "error", cli_json_text(row->reason));
    if (row->setting < 0)
        bad |= json_object_set_new(object, "chosen", cli_choices_json(c->result, number, words_of(c, row)));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

int cli_comparison_json(cli_session *session, const cli_comparison *c)
{
    const ald_splits *splits = ald_comparison_splits(c->result);
    json_t *root = json_object(), *rows = json_array();
    int up, bad = 0;
    const char *metric = ald_comparison_metric(c->result, &up);
    bad |= json_object_set_new(root, "data", cli_json_text(c->data));
    bad |= json_object_set_new(root, "task", cli_json_text(ald_dataset_task_note(c->dataset)));
    bad |= json_object_set_new(root, "n_rows", json_integer(ald_dataset_x(c->dataset)->rows));
    bad |= json_object_set_new(root, "n_features", json_integer(ald_dataset_x(c->dataset)->cols));
    bad |= json_object_set_new(root, "splits", cli_json_text(ald_splits_note(splits)));
    bad |= json_object_set_new(root, "n_splits", json_integer(ald_splits_count(splits)));
    bad |= json_object_set_new(root, "seed", json_integer((json_int_t)c->seed));
    bad |= json_object_set_new(root, "duplicates", json_integer(ald_splits_duplicates(splits)));
    bad |= json_object_set_new(root, "metric", cli_json_text(metric));
    bad |= json_object_set_new(root, "larger_is_better", json_boolean(up));
    bad |= json_object_set_new(root, "unmarked", cli_json_text(ald_comparison_unmarked(c->result)));
    bad |= json_object_set_new(root, "cut", cli_json_text(ald_comparison_cut(c->result)));
    bad |= json_object_set_new(root, "warning", cli_json_text(session->warnings ? session->warning : NULL));
    for (int i = 0; i < ald_comparison_count(c->result); i++)
        bad |= json_array_append_new(rows, row_json(c, i));
    bad |= json_object_set_new(root, "rows", rows);
    return cli_json_print(session, root, bad);
}
