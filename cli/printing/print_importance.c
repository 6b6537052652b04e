/* Which features matter, on the command line: evaluate --importance, and vip in inspect. */
#include "printing/printing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { top_features = 10, most_directions = 3, name_width = 24 };

int cli_importance_read(cli_session *session, cli_importance *importance)
{
    importance->wanted = cli_flag(&session->args, "importance") > 0;
    importance->file = cli_text(&session->args, "importance-file", NULL);
    if (importance->file && !importance->wanted)
        return cli_usage(session, "--importance-file is for --importance; give that too");
    return CLI_DONE;
}

/* Row k of what is known of that kind, d numbers; vip has one row only. */
static const double *row_of(const cli_importance *m, ald_importance_kind kind, int64_t k)
{
    return m->values[kind] ? m->values[kind] + k * m->d : NULL;
}

static int64_t rows_of(const cli_importance *m, ald_importance_kind kind)
{
    return kind == ALD_IMPORTANCE_VIP ? 1 : m->r;
}

/* vip may be undefined where the rest is not: then it is left out, and the reason printed. */
static int compute_one(cli_session *session, const ald_model *model, const ald_matrix *x, const ald_target *y,
                       const char *path, ald_importance_kind kind, cli_importance *m)
{
    if (!x && !ald_importance_in_model(model, kind)) return CLI_DONE;
    m->values[kind] = calloc((size_t)(rows_of(m, kind) * m->d), sizeof *m->values[kind]);
    if (!m->values[kind]) return cli_out_of_memory(session);
    const ald_status status =
        ald_importance(session->context, model, kind, x, y, m->values[kind], &session->error);
    if (kind != ALD_IMPORTANCE_VIP || status != ALD_ERROR_DATA) return cli_check_data(session, path, status);
    snprintf(m->note, sizeof m->note, "%.199s", session->error.message);
    free(m->values[kind]);
    m->values[kind] = NULL;
    return CLI_DONE;
}

int cli_importance_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                           const ald_target *y, const char *path, cli_importance *m)
{
    const char *text = ald_model_text(model, "alidade.feature_names");
    if (!m->wanted) return CLI_DONE;
    m->r = ald_model_component_count(model);
    m->d = ald_model_feature_count(model);
    m->names = text ? json_loads(text, 0, NULL) : NULL;
    for (int i = 0; i < ALD_IMPORTANCE_KINDS; i++)
        CLI_TRY(compute_one(session, model, x, y, path, (ald_importance_kind)i, m));
    return CLI_DONE;
}

static void feature_name(const cli_importance *m, int64_t feature, char *name, size_t size)
{
    const char *known = json_string_value(json_array_get(m->names, (size_t)feature));
    if (known && *known)
        snprintf(name, size, "%s", known);
    else
        snprintf(name, size, "x%lld", (long long)feature + 1);
}

/* What features are ranked by: vip, else the largest modulus over the directions of the correlations or
 * weights. */
static double rank_of(const cli_importance *m, int64_t feature)
{
    ald_importance_kind kind = ALD_IMPORTANCE_WEIGHTS;
    if (m->values[ALD_IMPORTANCE_STRUCTURE]) kind = ALD_IMPORTANCE_STRUCTURE;
    if (m->values[ALD_IMPORTANCE_VIP]) kind = ALD_IMPORTANCE_VIP;
    double most = -1.0;
    for (int64_t k = 0; k < rows_of(m, kind); k++) most = fmax(most, fabs(row_of(m, kind, k)[feature]));
    return most;
}

/* The features with the largest ranks in falling order; of equals the first. */
static int find_top(const cli_importance *m, int64_t *top)
{
    int count = 0;
    for (int64_t j = 0; j < m->d; j++) {
        int at = count < top_features ? count++ : top_features;
        for (; at > 0 && rank_of(m, top[at - 1]) < rank_of(m, j); at--)
            if (at < top_features) top[at] = top[at - 1];
        if (at < top_features) top[at] = j;
    }
    return count;
}

static const struct {
    ald_importance_kind kind;
    const char *title;
} shown[] = {
    {ALD_IMPORTANCE_VIP, "vip"},
    {ALD_IMPORTANCE_STRUCTURE, "correlation"},
    {ALD_IMPORTANCE_STANDARDIZED, "weight"},
};
enum { shown_count = sizeof shown / sizeof *shown, cell_width = 13 };

static int64_t shown_rows(const cli_importance *m, int i)
{
    const int64_t rows = rows_of(m, shown[i].kind);
    if (!m->values[shown[i].kind]) return 0;
    return rows < most_directions ? rows : most_directions;
}

static void print_heading(const cli_importance *m)
{
    char title[32];
    printf("%-*s", name_width, "feature");
    for (int i = 0; i < shown_count; i++)
        for (int64_t k = 0; k < shown_rows(m, i); k++) {
            if (shown[i].kind == ALD_IMPORTANCE_VIP)
                snprintf(title, sizeof title, "%s", shown[i].title);
            else
                snprintf(title, sizeof title, "%s %lld", shown[i].title, (long long)k + 1);
            printf("  %*s", cell_width, title);
        }
    putchar('\n');
}

static void print_feature(const cli_importance *m, int64_t feature)
{
    char name[128];
    feature_name(m, feature, name, sizeof name);
    const int printed = cli_put_text(stdout, name);
    printf("%*s", printed < name_width ? name_width - printed : 0, "");
    for (int i = 0; i < shown_count; i++)
        for (int64_t k = 0; k < shown_rows(m, i); k++) {
            const double value = row_of(m, shown[i].kind, k)[feature];
            if (isnan(value))
                printf("  %*s", cell_width, "-");
            else
                printf("  %*.4g", cell_width, value);
        }
    putchar('\n');
}

void cli_importance_print(cli_session *session, const cli_importance *m)
{
    int64_t top[top_features];
    if (!m->wanted) return;
    const int count = find_top(m, top);
    print_heading(m);
    for (int i = 0; i < count; i++) print_feature(m, top[i]);
    if (count < m->d)
        cli_say(session, "the first %d of %lld features; --json and --importance-file have all", count,
                (long long)m->d);
    if (m->values[ALD_IMPORTANCE_VIP])
        cli_say(session, "vip: importance for the target over all components; above 1 is above average");
    cli_say(session, "correlation: between the feature and the scores; weight: change of the score per "
                     "standard deviation of the feature");
    if (m->note[0]) cli_say(session, "no vip: %s", m->note);
}

int cli_importance_set(json_t *root, const cli_importance *m)
{
    char name[256];
    if (!m->wanted) return 0;
    json_t *one = json_object(), *names = json_array();
    int bad = 0;
    for (int64_t j = 0; j < m->d; j++) {
        feature_name(m, j, name, sizeof name);
        bad |= json_array_append_new(names, cli_json_text(name));
    }
    bad |= json_object_set_new(one, "features", names);
    for (int i = 0; i < ALD_IMPORTANCE_KINDS; i++) {
        const ald_importance_kind kind = (ald_importance_kind)i;
        json_t *rows = m->values[kind] ? json_array() : json_null();
        for (int64_t k = 0; m->values[kind] && k < rows_of(m, kind); k++) {
            json_t *row = kind == ALD_IMPORTANCE_VIP ? rows : json_array();
            for (int64_t j = 0; j < m->d; j++)
                bad |= json_array_append_new(row, cli_json_real(row_of(m, kind, k)[j]));
            if (row != rows) bad |= json_array_append_new(rows, row);
        }
        bad |= json_object_set_new(one, ald_importance_name(i), rows);
    }
    return bad | json_object_set_new(root, "importance", one);
}

/* One row per feature: its name, then a column for each kind and direction. */
typedef struct importance_table {
    char **names, **titles;
    const char *const **levels;
    double *values;
    int64_t columns;
} importance_table;

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* The order of the columns. */
static const ald_importance_kind written[ALD_IMPORTANCE_KINDS] = {
    ALD_IMPORTANCE_VIP,     ALD_IMPORTANCE_STRUCTURE, ALD_IMPORTANCE_STANDARDIZED,
    ALD_IMPORTANCE_WEIGHTS, ALD_IMPORTANCE_LOADINGS,
};

static int fill_table(const cli_importance *m, importance_table *t)
{
    char text[256];
    t->columns = 1;
    for (int i = 0; i < ALD_IMPORTANCE_KINDS; i++)
        t->columns += m->values[i] ? rows_of(m, (ald_importance_kind)i) : 0;
    t->names = calloc((size_t)m->d + 1, sizeof *t->names);
    t->titles = calloc((size_t)t->columns + 1, sizeof *t->titles);
    t->levels = calloc((size_t)t->columns, sizeof *t->levels);
    t->values = calloc((size_t)(m->d * t->columns), sizeof *t->values);
    if (!t->names || !t->titles || !t->levels || !t->values || !(t->titles[0] = copy_text("feature")))
        return 0;
    for (int64_t j = 0; j < m->d; j++) {
        feature_name(m, j, text, sizeof text);
        t->values[j * t->columns] = (double)j;
        if (!(t->names[j] = copy_text(text))) return 0;
    }
    t->levels[0] = (const char *const *)t->names;
    int64_t at = 1;
    for (int i = 0; i < ALD_IMPORTANCE_KINDS; i++) {
        const ald_importance_kind kind = written[i];
        for (int64_t k = 0; m->values[kind] && k < rows_of(m, kind); k++, at++) {
            snprintf(text, sizeof text, "%s_%lld", ald_importance_name((int)kind), (long long)k + 1);
            if (kind == ALD_IMPORTANCE_VIP) snprintf(text, sizeof text, "%s", ald_importance_name((int)kind));
            if (!(t->titles[at] = copy_text(text))) return 0;
            for (int64_t j = 0; j < m->d; j++) t->values[j * t->columns + at] = row_of(m, kind, k)[j];
        }
    }
    return 1;
}

static void free_table(const cli_importance *m, importance_table *t)
{
    for (int64_t j = 0; t->names && j < m->d; j++) free(t->names[j]);
    for (int64_t c = 0; t->titles && c < t->columns; c++) free(t->titles[c]);
    free(t->names);
    free(t->titles);
    free(t->levels);
    free(t->values);
}

int cli_importance_write(cli_session *session, const cli_importance *m)
{
    importance_table t = {0};
    int code;
    if (!m->file) return CLI_DONE;
    if (fill_table(m, &t)) {
        code = cli_check(session, ald_write_table(session->context, m->file, t.values, m->d, t.columns,
                                                  (const char *const *)t.titles, t.levels, &session->error));
        if (code == CLI_DONE && strcmp(m->file, "-") != 0) cli_wrote(session, "%s", m->file);
    } else {
        code = cli_out_of_memory(session);
    }
    free_table(m, &t);
    return code;
}

void cli_importance_free(cli_importance *m)
{
    for (int kind = 0; kind < ALD_IMPORTANCE_KINDS; kind++) free(m->values[kind]);
    json_decref(m->names);
}
