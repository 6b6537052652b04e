/* The steps of a recipe as C: their numbers as constant tables, their functions (c_texts.c), and the function
 * that calls them one after the other. A step that is not in place has an array of its own on the stack. */
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "show/export/c_texts.h"
#include "show/export/write_c.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_city(const ald_export_step *step)
{
    return step->kind == ALD_STEP_KERNEL && ald_kernel_is_city(&step->kernel);
}

void ald_c_functions(ald_pen *pen, const ald_model_recipe *recipe)
{
    unsigned wanted = 0;
    for (int k = 0; k < recipe->n_steps; k++) wanted |= ald_c_kind_of(&recipe->step[k])->parts;
    for (int part = 0; part < n_parts; part++)
        if (wanted & 1U << part) ald_pen_put(pen, ald_c_parts[part]);
    for (int k = 0; k < recipe->n_steps; k++) {
        const ald_c_kind *kind = ald_c_kind_of(&recipe->step[k]);
        int known = 0;
        for (int i = 0; i < k; i++) known |= ald_c_kind_of(&recipe->step[i]) == kind;
        if (!known) ald_pen_put(pen, kind->text);
    }
}

/* Beyond single precision: a class without rows has such a score, or lies so far away. */
static void put_number(ald_pen *pen, double value)
{
    const int huge = value > 1e38 || value < -1e38;
    char text[ALD_REAL_TEXT_SIZE];
    if (huge) ald_pen_put(pen, "ALIDADE_HUGE(");
    if (fabs(value) >= 1.0 || value == 0.0 || isnan(value)) {
        ald_pen_real(pen, value, "NAN");
    } else { /* without the zero before the point */
        ald_format_real(fabs(value), text);
        ald_pen_put(pen, value < 0.0 ? "-" : "");
        ald_pen_put(pen, text[0] == '0' && text[1] == '.' ? text + 1 : text);
    }
    if (huge) ald_pen_put(pen, ")");
}

void ald_c_table(ald_pen *pen, const char *name, const double *values, int64_t rows, int64_t cols, int turned)
{
    ald_pen_print(pen, "static const real %s[%lld] = {\n", name, (long long)(rows * cols));
    for (int64_t i = 0; i < rows * cols; i++) {
        ald_pen_comma(pen, i);
        put_number(pen, turned ? values[i % rows * cols + i / rows] : values[i]);
    }
    ald_pen_put(pen, "\n};\n");
}

/* Landmarks and frequencies stand side by side, so that sums of many of them are made at once. */
static int is_turned(const ald_export_step *step, int t)
{
    if (t > 0) return 0;
    return step->kind == ALD_STEP_WAVES || (step->kind == ALD_STEP_KERNEL && !is_city(step));
}

void ald_c_tables(ald_pen *pen, const ald_model_recipe *recipe)
{
    char name[40], call[40];
    for (int k = 0; k < recipe->n_steps; k++)
        for (int t = 0; t < ALD_STEP_TABLES; t++) {
            const ald_export_step *step = &recipe->step[k];
            const ald_step_table *table = &step->table[t];
            if (!table->data) continue;
            snprintf(call, sizeof call, "$t_%s", table->name);
            if (step->kind == ALD_STEP_KERNEL && !strstr(ald_c_kind_of(step)->call, call)) continue;
            snprintf(name, sizeof name, "t%d_%s", k, table->name);
            ald_c_table(pen, name, table->data, table->rows, ald_most(table->cols, 1), is_turned(step, t));
        }
    ald_pen_put(pen, "\n");
}

/* Whether it changes what it is given. */
static int stays(const ald_export_step *step)
{
    static const unsigned in_place = 1U << ALD_STEP_SNV | 1U << ALD_STEP_MSC | 1U << ALD_STEP_DETREND |
                                     1U << ALD_STEP_ROW_SCALE | 1U << ALD_STEP_COLUMNS |
                                     1U << ALD_STEP_COMPARE | 1U << ALD_STEP_SOFTMAX | 1U << ALD_STEP_LOGIT;
    return (in_place >> step->kind & 1U) != 0;
}

int64_t ald_c_working_numbers(const ald_model_recipe *recipe)
{
    int64_t count = 2 * recipe->d + 2 * recipe->r + 2 * recipe->q;
    for (int k = 0; k < recipe->n_steps; k++) {
        const ald_export_step *step = &recipe->step[k];
        count += 3 * step->out + (step->kind == ALD_STEP_LINEAR ? step->in : 0);
        if (step->kind == ALD_STEP_NEIGHBOURS) count += 2 * (int64_t)step->number[0].value;
    }
    return count;
}

/* The step at work: the names of the arrays that it reads and writes. */
typedef struct call {
    const ald_model_recipe *recipe;
    int k;
    const char *in, *out;
} call;

/* One of the letters at the top of c_texts.c. */
static void put_word(ald_pen *pen, const call *c, char letter)
{
    const ald_export_step *step = &c->recipe->step[c->k];
    const long long d = step->in, q = step->out;
    if (letter == 'x') ald_pen_put(pen, c->in);
    if (letter == 'y') ald_pen_put(pen, c->out);
    if (letter == 'd') ald_pen_print(pen, "%lld", d);
    if (letter == 'q') ald_pen_print(pen, "%lld", q);
    if (letter == 't') ald_pen_print(pen, "t%d", c->k);
    if (letter == 'p') ald_pen_print(pen, "t%d", c->k - 1);
    if (letter == 'e') ald_pen_print(pen, "%lld", (long long)c->recipe->step[c->k - 1].in);
    if (letter == 'r') ald_pen_print(pen, "%lld", (long long)step->table[0].rows);
    if (letter == 's') ald_pen_print(pen, "%lld", (long long)ald_least(step->tile, step->in));
    if (letter == 'w') ald_pen_print(pen, step->table[2].data ? "t%d_weights" : "0", c->k);
    if (letter >= '0' && letter <= '3') ald_pen_real(pen, step->number[letter - '0'].value, "0");
    if (letter == 'a' && step->last_alone)
        ald_pen_print(pen, "\n    %s[%lld] = dot(%s, t%d_landmarks + %lld, %lld, %lld);", c->out, q - 1,
                      c->in, c->k, q - 1, d, q);
}

static void put_call(ald_pen *pen, const call *c)
{
    const char *text = ald_c_kind_of(&c->recipe->step[c->k])->call;
    char letter[2] = {0};
    if (!*text) return;
    ald_pen_put(pen, "    ");
    for (; *text; text++) {
        letter[0] = *text;
        if (*text == '$')
            put_word(pen, c, *++text);
        else
            ald_pen_put(pen, letter);
    }
    ald_pen_put(pen, "\n");
}

/* (x - mean) inverse. */
static void put_columns(ald_pen *pen, const call *c)
{
    const ald_export_step *step = &c->recipe->step[c->k];
    const int scaled = step->table[1].data != NULL;
    ald_pen_print(pen, "    for (i = 0; i < %lld; i++) %s[i] = ", (long long)step->in, c->out);
    ald_pen_print(pen, "%s%s[i]", scaled ? "(" : "", c->in);
    if (step->table[0].data) ald_pen_print(pen, " - t%d_mean[i]", c->k);
    if (scaled) ald_pen_print(pen, ") * t%d_inverse[i]", c->k);
    ald_pen_put(pen, ";\n");
}

/* Room for the sums of products, for neighbours and their distances, as much as the steps want at most. */
static void put_room(ald_pen *pen, const ald_model_recipe *recipe, int first, int end)
{
    int64_t sums = 0, near = 0;
    int loops = first == 0;
    for (int k = first; k < end; k++) {
        const ald_export_step *step = &recipe->step[k];
        if (strstr(ald_c_kind_of(step)->call, "sums")) sums = ald_most(sums, 2 * step->out);
        if (step->kind == ALD_STEP_NEIGHBOURS) near = (int64_t)step->number[0].value;
    }
    if (near > 0) ald_pen_print(pen, "    int near[%lld];\n", (long long)near);
    sums = ald_most(sums, near);
    if (sums > 0) ald_pen_print(pen, "    real sums[%lld];\n", (long long)sums);
    if (loops) ald_pen_put(pen, "    int i;\n");
}

static int centres(const ald_export_step *step)
{
    return step->kind == ALD_STEP_LINEAR && (step->table[0].data || step->table[1].data);
}

/* The arrays between the steps of the map: a0 for step 0 and so on; b0 for what a product centres. Behind it
 * all is done where the result stands. */
static void put_arrays(ald_pen *pen, const ald_model_recipe *recipe, int first, int end)
{
    for (int k = first; k < end; k++) {
        const ald_export_step *step = &recipe->step[k];
        if (first == 0 && k + 1 < end && (!stays(step) || k == 0))
            ald_pen_print(pen, "    real a%d[%lld];\n", k, (long long)step->out);
        if (centres(step)) ald_pen_print(pen, "    real b%d[%lld];\n", k, (long long)step->in);
    }
}

void ald_c_walk(ald_pen *pen, const ald_model_recipe *recipe, const char *head, int first, int end)
{
    char in[16] = "in", out[16], centred[16];
    ald_pen_print(pen, "%s\n{\n", head);
    put_arrays(pen, recipe, first, end);
    put_room(pen, recipe, first, end);
    for (int k = first; k < end; k++) {
        const ald_export_step *step = &recipe->step[k];
        const int copies = stays(step) && strcmp(in, "in") == 0 && k == 0;
        snprintf(out, sizeof out, "a%d", k);
        if (stays(step) && !copies) snprintf(out, sizeof out, "%s", in);
        if (k + 1 == end || first > 0) snprintf(out, sizeof out, "out");
        if (copies && step->kind != ALD_STEP_COLUMNS)
            ald_pen_print(pen, "    for (i = 0; i < %lld; i++) %s[i] = in[i];\n", (long long)step->in, out);
        call c = {recipe, k, in, out};
        if (step->kind == ALD_STEP_COLUMNS) put_columns(pen, &c);
        if (centres(step)) {
            snprintf(centred, sizeof centred, "b%d", k);
            put_columns(pen, &(call){recipe, k, in, centred});
            c.in = centred;
        }
        put_call(pen, &c);
        snprintf(in, sizeof in, "%s", out);
    }
    ald_pen_put(pen, "}\n\n");
}
