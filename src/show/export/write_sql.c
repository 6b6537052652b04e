/* A recipe as one SELECT, in what SQLite (3.35), PostgreSQL (12) and DuckDB have in common: WITH, one table
 * after the other, each with the numbers of a step as columns. AS MATERIALIZED keeps databases from putting
 * one expression into the next, whose length would be a power of the number of columns. For linear maps
 * with predictors that are formulas.
 *
 *   WITH s0 AS MATERIALIZED (SELECT kept, cell AS x1, ... FROM "table"),
 *        s1 AS MATERIALIZED (SELECT kept, x1 - 0.5e0 AS x1, ... FROM s0), ...
 *   SELECT kept, z1 AS "score_1", ..., CASE ... END AS "prediction" FROM s5
 *
 * Numbers have exponents, so that they are double and no decimals. exp is asked for nothing that it would
 * refuse (PostgreSQL) as too small. A row with a cell that is not finite, or has no value and cannot be
 * filled in, has NULL. Long sums stand in groups of fifty: SQLite allows expressions a depth of 1000. */
#include "show/export/write_sql.h"

#include "base/core/text.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "show/export/export.h"

#include <alidade/version.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Databases have 1600 to 2000 columns at most; the CASE over classes grows with their square. */
enum { most_columns = 1500, most_outputs = 200, together = 50 };

void ald_sql_quote(ald_sql *s, const char *text, char quote)
{
    const char mark[2] = {quote, '\0'};
    ald_pen_put(&s->pen, mark);
    for (; *text; text++) {
        const char one[3] = {*text, *text == quote ? quote : '\0', '\0'};
        ald_pen_put(&s->pen, one);
    }
    ald_pen_put(&s->pen, mark);
}

void ald_sql_real(ald_sql *s, double value)
{
    char text[ALD_REAL_TEXT_SIZE];
    ald_format_real(value, text);
    ald_pen_print(&s->pen, value < 0.0 ? "(%s%s)" : "%s%s", text, strchr(text, 'e') ? "" : "e0");
}

void ald_sql_column(ald_sql *s, const char *letter, int64_t j)
{
    ald_pen_print(&s->pen, "%s%s%lld", s->prefix, letter, (long long)j + 1);
}

void ald_sql_sum(ald_sql *s, int64_t count, ald_sql_term term, const void *of)
{
    ald_pen_put(&s->pen, "(");
    for (int64_t i = 0; i < count; i++) {
        const char *before = i % together ? " + " : " +\n(";
        ald_pen_put(&s->pen, i ? before : "(");
        term(s, of, i);
        if ((i + 1) % together == 0 || i + 1 == count) ald_pen_put(&s->pen, ")");
    }
    ald_pen_put(&s->pen, ")");
}

typedef struct weighted {
    const char *letter;
    const double *weights;
    int64_t stride;
} weighted;

static void weighted_term(ald_sql *s, const void *of, int64_t i)
{
    const weighted *w = of;
    ald_sql_column(s, w->letter, i);
    ald_pen_put(&s->pen, "*");
    ald_sql_real(s, w->weights[i * w->stride]);
}

void ald_sql_product(ald_sql *s, const char *letter, const double *weights, int64_t stride, int64_t count)
{
    ald_sql_sum(s, count, weighted_term, &(weighted){letter, weights, stride});
}

static void put_kept(ald_sql *s)
{
    for (int64_t i = 0; i < s->n_kept; i++) {
        ald_pen_put(&s->pen, i ? ", " : "");
        ald_sql_name(s, s->kept[i]);
    }
}

/* The columns that a table has beside its new ones: those of the last, or those that are kept, and where
 * there are none one of no use, so that each new one can have a comma behind it. */
static void put_others(ald_sql *s)
{
    if (s->adds) {
        ald_pen_print(&s->pen, "%ss%d.*", s->prefix, s->stage - 1);
        return;
    }
    put_kept(s);
    if (s->n_kept == 0) ald_pen_print(&s->pen, "0 AS %send", s->prefix);
}

void ald_sql_begin(ald_sql *s, int adds)
{
    s->adds = adds;
    ald_pen_print(&s->pen, "%s%ss%d AS MATERIALIZED (\nSELECT ", s->stage ? ",\n" : "WITH ", s->prefix,
                  s->stage);
}

void ald_sql_as(ald_sql *s, const char *letter, int64_t j)
{
    ald_pen_put(&s->pen, " AS ");
    ald_sql_column(s, letter, j);
    ald_pen_put(&s->pen, ",\n");
}

void ald_sql_end(ald_sql *s, const char *table)
{
    put_others(s);
    ald_pen_put(&s->pen, "\nFROM ");
    if (table) {
        ald_sql_quote(s, table, '"');
        ald_pen_print(&s->pen, " AS %st", s->prefix);
    } else {
        ald_pen_print(&s->pen, "%ss%d", s->prefix, s->stage - 1);
    }
    ald_pen_put(&s->pen, ")");
    s->stage++;
}

/* ", ... AS "word_name"", the number of the output where it has no name. */
static void put_name(ald_sql *s, const ald_model_recipe *recipe, const char *word, int64_t c)
{
    ald_text text;
    char number[24];
    const char *name = recipe->names ? recipe->names[c] : number;
    snprintf(number, sizeof number, "%lld", (long long)c + 1);
    ald_text_init(&text, &s->pen.run->scratch);
    if (s->pen.status >= 0) s->pen.status = ald_text_add(s->pen.run, &text, word, strlen(word));
    if (s->pen.status >= 0) s->pen.status = ald_text_add(s->pen.run, &text, name, strlen(name));
    if (s->pen.status < 0) return;
    ald_pen_put(&s->pen, " AS ");
    ald_sql_quote(s, text.data, '"');
}

/* A comma before all but the first column. */
static void next_result(ald_sql *s)
{
    ald_pen_put(&s->pen, s->results++ ? ",\n" : "");
}

/* The first of the largest scores; NULL where there are none. */
static void put_class(ald_sql *s, const ald_model_recipe *recipe)
{
    char number[24];
    next_result(s);
    ald_pen_put(&s->pen, "CASE WHEN ");
    ald_sql_column(s, "s", 0);
    ald_pen_put(&s->pen, " IS NULL THEN NULL");
    for (int64_t c = 0; c < recipe->q; c++) {
        for (int64_t e = c + 1; e < recipe->q; e++) {
            ald_pen_put(&s->pen, e > c + 1 ? " AND " : " WHEN ");
            ald_sql_column(s, "s", c);
            ald_pen_put(&s->pen, " >= ");
            ald_sql_column(s, "s", e);
        }
        ald_pen_put(&s->pen, c + 1 < recipe->q ? " THEN " : " ELSE ");
        snprintf(number, sizeof number, "%lld", (long long)c);
        ald_sql_quote(s, recipe->names ? recipe->names[c] : number, '\'');
    }
    ald_pen_put(&s->pen, " END AS \"prediction\"");
}

/* s_c less or more its error. */
static void put_bound(ald_sql *s, const ald_model_recipe *recipe, int64_t c, int upper, double error)
{
    next_result(s);
    ald_sql_column(s, "s", c);
    ald_pen_put(&s->pen, upper ? " + " : " - ");
    ald_sql_real(s, error);
    if (recipe->q > 1)
        put_name(s, recipe, upper ? "upper_" : "lower_", c);
    else
        ald_pen_put(&s->pen, upper ? " AS \"upper\"" : " AS \"lower\"");
}

static void put_numbers(ald_sql *s, const ald_model_recipe *recipe, const double *errors)
{
    for (int64_t c = 0; c < recipe->q; c++) {
        next_result(s);
        ald_sql_column(s, "s", c);
        if (recipe->q > 1)
            put_name(s, recipe, "prediction_", c);
        else
            ald_pen_put(&s->pen, " AS \"prediction\"");
        for (int upper = 0; errors && upper < 2; upper++) put_bound(s, recipe, c, upper, errors[c]);
    }
}

static void put_labels(ald_sql *s, const ald_model_recipe *recipe, const char *letter)
{
    for (int64_t c = 0; c < recipe->q; c++) {
        next_result(s);
        ald_pen_put(&s->pen, "CASE WHEN ");
        ald_sql_column(s, letter, c);
        ald_pen_put(&s->pen, " > 0.5e0 THEN 1 WHEN ");
        ald_sql_column(s, letter, c);
        ald_pen_put(&s->pen, " IS NULL THEN NULL ELSE 0 END");
        put_name(s, recipe, "prediction_", c);
    }
}

/* Whether |s - v| <= e, as a number. */
static void put_contains(ald_sql *s, const char *letter, int64_t c, int v, double error)
{
    ald_pen_put(&s->pen, "CASE WHEN abs(");
    ald_sql_column(s, letter, c);
    ald_pen_print(&s->pen, " - %d) <= ", v);
    ald_sql_real(s, error);
    ald_pen_print(&s->pen, " THEN %d ELSE 0 END", 1 + v);
}

/* For each class 1 where it is in the set, for each label 1 where 0 is in it, plus 2 where 1 is. */
static void put_sets(ald_sql *s, const ald_model_recipe *recipe, const char *letter, const double *errors)
{
    for (int64_t c = 0; c < recipe->q; c++) {
        next_result(s);
        ald_pen_put(&s->pen, "CASE WHEN ");
        ald_sql_column(s, letter, c);
        ald_pen_put(&s->pen, recipe->kind == ALD_TARGET_LABELS ? " IS NULL THEN NULL ELSE " : " >= ");
        if (recipe->kind == ALD_TARGET_LABELS) {
            put_contains(s, letter, c, 0, errors[c]);
            ald_pen_put(&s->pen, " + ");
            put_contains(s, letter, c, 1, errors[c]);
        } else {
            ald_sql_real(s, -errors[0]);
            ald_pen_put(&s->pen, " THEN 1 WHEN ");
            ald_sql_column(s, letter, c);
            ald_pen_put(&s->pen, " IS NULL THEN NULL ELSE 0");
        }
        ald_pen_put(&s->pen, " END");
        put_name(s, recipe, "set_", c);
    }
}

static void put_results(ald_sql *s, const ald_model_recipe *recipe, const ald_export_job *job,
                        const double *errors)
{
    const ald_step_kind last = recipe->step[recipe->n_steps - 1].kind;
    const char *letter = last == ALD_STEP_SOFTMAX || last == ALD_STEP_LOGIT ? "p" : "s";
    ald_pen_put(&s->pen, "\nSELECT ");
    s->results = (int)ald_least(s->n_kept, 1);
    put_kept(s);
    for (int64_t k = 0; (job->scores || recipe->q == 0) && k < recipe->r; k++) {
        next_result(s);
        ald_sql_column(s, "z", k);
        ald_pen_print(&s->pen, " AS \"score_%lld\"", (long long)k + 1);
    }
    if (recipe->kind == ALD_TARGET_REAL) put_numbers(s, recipe, errors);
    if (recipe->kind == ALD_TARGET_CLASSES) put_class(s, recipe);
    if (recipe->kind == ALD_TARGET_LABELS) put_labels(s, recipe, letter);
    for (int64_t c = 0; recipe->kind != ALD_TARGET_REAL && c < recipe->q; c++) {
        next_result(s);
        ald_sql_column(s, letter, c);
        put_name(s, recipe, recipe->probabilities ? "probability_" : "decision_", c);
    }
    if (recipe->kind != ALD_TARGET_REAL && errors) put_sets(s, recipe, letter, errors);
    ald_pen_print(&s->pen, "\nFROM %ss%d;\n", s->prefix, s->stage - 1);
}

/* Names that are separated by commas; one with a comma or quotes stands in quotes, as in a csv file. */
static ald_status take_kept(ald_run *run, const char *list, ald_sql *s)
{
    char *name;
    size_t length = 0;
    int quoted = 0;
    if (!list || !*list) return ALD_OK;
    const int64_t most = (int64_t)strlen(list) + 1;
    ALD_TRY(ald_scratch(run, most, 1, sizeof *s->kept, &s->kept));
    ALD_TRY(ald_scratch(run, most, 1, 1, &name));
    for (const char *at = list;; at++) {
        if (*at == '"' && at[1] == '"' && quoted) {
            name[length++] = *at++;
        } else if (*at == '"') {
            quoted = !quoted;
        } else if (!*at || (*at == ',' && !quoted)) {
            ALD_TRY(ald_keep_text(run, &run->scratch, name, length, &s->kept[s->n_kept++]));
            length = 0;
        } else {
            name[length++] = *at;
        }
        if (!*at) return ALD_OK;
    }
}

/* No column that passes through, nor the table, begins with it. */
static ald_status find_prefix(ald_run *run, const ald_export_job *job, ald_sql *s)
{
    char text[40] = "ald_";
    char *kept;
    for (int i = 0, clash = 1; clash && i < 20; i++) {
        clash = job->options.table && strncasecmp(job->options.table, text, strlen(text)) == 0;
        for (int64_t k = 0; k < s->n_kept; k++) clash |= strncasecmp(s->kept[k], text, strlen(text)) == 0;
        if (clash) strcat(text, "_");
    }
    ALD_TRY(ald_keep_text(run, &run->scratch, text, strlen(text), &kept));
    s->prefix = kept;
    return ALD_OK;
}

ald_status ald_export_sql_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job)
{
    const double *errors;
    char why[200];
    for (int k = 0; k < recipe->n_steps; k++) {
        if (ald_sql_has(&recipe->step[k])) continue;
        snprintf(
            why, sizeof why,
            "SQL has linear maps and predictors that are formulas, and no form of its step %s: use .c, .onnx "
            "or .json",
            ald_step_names[recipe->step[k].kind]);
        return ald_recipe_refuse(run, why);
    }
    for (int64_t j = 0; j < recipe->n_inputs; j++)
        if (!*recipe->inputs[j].name)
            return ald_recipe_refuse(run, "a SELECT needs the names of the columns, and some have none");
    if (recipe->has_days)
        return ald_recipe_refuse(run, "databases have no function in common that makes a date the number of "
                                      "days that it is here (`dates=numbers`): use .c, .onnx or .json");
    if (recipe->d > most_columns || recipe->q > most_outputs)
        return ald_recipe_refuse(run,
                                 "a table of a database has at most some 1600 columns, and a SELECT not more "
                                 "than 200 classes");
    return job->options.level > 0.0 ? ald_calibration_at(run, recipe->model, job->options.level, &errors)
                                    : ALD_OK;
}

ald_status ald_export_sql(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job)
{
    ald_sql s = {.pen = job->pen};
    const char *method = ald_model_method(recipe->model);
    const double *errors = NULL;
    ALD_TRY(take_kept(run, job->options.keep, &s));
    ALD_TRY(find_prefix(run, job, &s));
    if (job->options.level > 0.0 && recipe->q > 0)
        ALD_TRY(ald_calibration_at(run, recipe->model, job->options.level, &errors));
    ald_pen_put(&s.pen, "/* A model of alidade as SQL: ");
    ald_pen_plain(&s.pen, method ? method : "");
    ald_pen_print(&s.pen, ". Written by alidade %s from the model with the SHA-256\n%s. */\n", ALD_VERSION,
                  recipe->digest);
    ald_sql_cells(&s, recipe, job->options.table ? job->options.table : "data");
    for (int k = 0; k < recipe->n_steps; k++) ald_sql_step(&s, &recipe->step[k]);
    put_results(&s, recipe, job, errors);
    job->pen = s.pen;
    return s.pen.status;
}
