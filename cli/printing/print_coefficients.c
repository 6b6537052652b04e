/* A line for the intercept and one for each column: its name, the number in its name ("850nm") with its unit,
 * the unit of the coefficient where names have units in brackets, what the formula is of, and a column for
 * each response. Texts are levels of a table column, as ald_write_table takes them. */
#include "printing/printing.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { text_size = 256, own_columns = 5 };

typedef struct formula_table {
    int64_t d, q, columns;
    json_t *features, *responses;
    double *values, *intercept, *cells, *positions;
    char (*texts)[text_size]; /* (d + 1) names, (d + 1) units of coefficients, then titles */
    const char **names, **units, **titles;
    const char *place_units[3], *sources[2];
    const char *const **levels;
    char title[text_size], unit[text_size], source[text_size];
    int placed, prepared;
} formula_table;

static void free_formula(formula_table *t)
{
    json_decref(t->features);
    json_decref(t->responses);
    free(t->values);
    free(t->intercept);
    free(t->cells);
    free(t->positions);
    free(t->texts);
    free(t->names);
    free(t->units);
    free(t->titles);
    free(t->levels);
}

static json_t *names_in(const ald_model *model, const char *key)
{
    const char *text = ald_model_text(model, key);
    return text ? json_loads(text, 0, NULL) : NULL;
}

static int make_room(formula_table *t)
{
    const size_t rows = (size_t)t->d + 1, columns = (size_t)t->columns;
    t->values = malloc((size_t)(t->d * t->q) * sizeof *t->values);
    t->intercept = malloc((size_t)t->q * sizeof *t->intercept);
    t->cells = calloc(rows * columns, sizeof *t->cells);
    t->positions = malloc(rows * sizeof *t->positions);
    t->texts = calloc(2 * rows + columns, sizeof *t->texts);
    t->names = calloc(rows + 1, sizeof *t->names);
    t->units = calloc(rows + 1, sizeof *t->units);
    t->titles = calloc(columns, sizeof *t->titles);
    t->levels = calloc(columns, sizeof *t->levels);
    return t->values && t->intercept && t->cells && t->positions && t->texts && t->names && t->units &&
           t->titles && t->levels;
}

/* "cm" of "length (cm)" or "length [cm]"; "" where there is none. */
static void unit_of(const char *name, char unit[text_size])
{
    const size_t length = strlen(name);
    unit[0] = '\0';
    if (length < 3 || (name[length - 1] != ')' && name[length - 1] != ']')) return;
    const char *open = strrchr(name, name[length - 1] == ')' ? '(' : '[');
    if (open && open > name) snprintf(unit, text_size, "%.*s", (int)(name + length - 2 - open), open + 1);
}

static void name_rows(formula_table *t)
{
    t->names[0] = "(intercept)";
    for (int64_t j = 0; j < t->d; j++) {
        const char *name = json_string_value(json_array_get(t->features, (size_t)j));
        if (name && *name)
            snprintf(t->texts[j + 1], text_size, "%s", name);
        else
            snprintf(t->texts[j + 1], text_size, "x%lld", (long long)j + 1);
        t->names[j + 1] = t->texts[j + 1];
    }
    t->placed = ald_column_positions(t->names + 1, t->d, t->positions + 1, t->title, t->unit, sizeof t->unit);
}

static void name_responses(formula_table *t)
{
    static const char *const own[own_columns] = {"column", "position", "position_unit", "unit", "of"};
    for (int k = 0; k < own_columns; k++) t->titles[k] = own[k];
    for (int64_t k = 0; k < t->q; k++) {
        char *text = t->texts[2 * (t->d + 1) + k];
        const char *name = json_string_value(json_array_get(t->responses, (size_t)k));
        if (name)
            snprintf(text, text_size, "%s", name);
        else
            snprintf(text, text_size, "response_%lld", (long long)k + 1);
        t->titles[own_columns + k] = text;
    }
}

/* "% per cm", where both units are known; of the intercept that of the response alone. One response only:
 * units are per row. */
static void find_units(formula_table *t)
{
    char of_response[text_size] = "", of_column[text_size];
    if (t->q == 1) unit_of(t->titles[own_columns], of_response);
    for (int64_t j = 0; j <= t->d; j++) {
        char *text = t->texts[t->d + 1 + j];
        t->units[j] = text;
        of_column[0] = '\0';
        if (j > 0) unit_of(t->names[j], of_column);
        if (!*of_response || (j > 0 && !*of_column)) continue;
        snprintf(text, text_size, j > 0 ? "%.100s per %.100s" : "%.100s", of_response, of_column);
    }
}

static void name_source(const ald_model *model, formula_table *t)
{
    const char *rows = ald_model_text(model, "alidade.param.rows"),
               *scale = ald_model_text(model, "alidade.param.row_scale");
    snprintf(t->source, sizeof t->source, "column after rows=%s row_scale=%s", rows ? rows : "none",
             scale ? scale : "none");
    t->sources[0] = t->prepared ? t->source : "column";
    t->place_units[0] = "";
    t->place_units[1] = t->unit;
}

static void fill_cells(formula_table *t)
{
    for (int64_t j = 0; j <= t->d; j++) {
        double *row = t->cells + j * t->columns;
        row[0] = row[3] = (double)j;
        row[2] = j > 0;
        row[1] = j > 0 && t->placed ? t->positions[j] : (double)NAN;
        for (int64_t k = 0; k < t->q; k++)
            row[own_columns + k] = j > 0 ? t->values[(j - 1) * t->q + k] : t->intercept[k];
    }
    t->levels[0] = t->names;
    t->levels[2] = t->place_units;
    t->levels[3] = t->units;
    t->levels[4] = t->sources;
}

static int fill_formula(cli_session *session, const ald_model *model, formula_table *t)
{
    const char *target = ald_model_text(model, "alidade.target");
    const int classes = target && strcmp(target, "classes") == 0;
    t->d = ald_model_feature_count(model);
    t->q = ald_coefficients_count(model);
    t->columns = own_columns + (t->q > 0 ? t->q : 1);
    t->features = names_in(model, "alidade.feature_names");
    t->responses = names_in(model, classes ? "alidade.class_names" : "alidade.response_names");
    if (!make_room(t)) return cli_out_of_memory(session);
    CLI_TRY(cli_check(session, ald_coefficients(session->context, model, t->values, t->intercept,
                                                &t->prepared, &session->error)));
    name_rows(t);
    name_responses(t);
    find_units(t);
    name_source(model, t);
    fill_cells(t);
    return CLI_DONE;
}

int cli_coefficients_write(cli_session *session, const ald_model *model, const char *path)
{
    formula_table t = {0};
    int code = fill_formula(session, model, &t);
    if (code == CLI_DONE)
        code = cli_check(session, ald_write_table(session->context, path, t.cells, t.d + 1, t.columns,
                                                  t.titles, t.levels, &session->error));
    if (code == CLI_DONE && strcmp(path, "-") != 0) cli_wrote(session, "%s", path);
    if (code == CLI_DONE && t.prepared)
        cli_say(session,
                "the formula applies to the %s, not to the columns of the file: those steps are not linear",
                t.sources[0]);
    free_formula(&t);
    return code;
}
