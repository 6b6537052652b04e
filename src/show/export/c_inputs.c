/* The cells of a row in C: how they become numbers, the codes of categories, and names. Texts are written so
 * that any bytes survive. */
#include "show/export/write_c.h"

#include <math.h>

/* "text", in any character set: all but plain letters and signs as three octal digits. */
static void put_string(ald_pen *pen, const char *text)
{
    ald_pen_put(pen, "\"");
    for (; *text; text++) {
        const char one[2] = {*text, '\0'};
        const int plain = *text >= ' ' && *text <= '~' && *text != '"' && *text != '\\' && *text != '?';
        if (plain)
            ald_pen_put(pen, one);
        else
            ald_pen_print(pen, "\\%03o", (unsigned char)*text);
    }
    ald_pen_put(pen, "\"");
}

static void put_levels(ald_pen *pen, const ald_model_recipe *recipe)
{
    int64_t count = 0;
    ald_pen_put(pen, "static const char *const level_names[] = {\n");
    for (int64_t j = 0; j < recipe->n_inputs; j++)
        for (int64_t k = 0; k < recipe->inputs[j].n_levels; k++) {
            ald_pen_comma(pen, count++);
            put_string(pen, recipe->inputs[j].levels[k]);
        }
    ald_pen_put(pen, "\n};\n\n"
                     "alidade_real alidade_code(int input, const char *text)\n"
                     "{\n"
                     "    int first = 0, k;\n"
                     "    if (input < 0 || input >= ALIDADE_INPUTS) return (real)NAN;\n"
                     "    for (k = 0; k < input; k++) first += input_levels[k];\n"
                     "    for (k = 0; k < input_levels[input]; k++)\n"
                     "        if (strcmp(level_names[first + k], text) == 0) return (real)k;\n"
                     "    return *text ? (real)-1 : (real)NAN;\n"
                     "}\n\n");
}

static void put_fills(ald_pen *pen, const ald_model_recipe *recipe)
{
    ald_pen_print(pen, "static const int input_levels[%lld] = {\n", (long long)recipe->n_inputs);
    for (int64_t j = 0; j < recipe->n_inputs; j++) {
        ald_pen_comma(pen, j);
        ald_pen_print(pen, "%lld", (long long)recipe->inputs[j].n_levels);
    }
    ald_pen_print(pen, "\n};\nstatic const real input_fill[%lld] = {\n", (long long)recipe->n_inputs);
    for (int64_t j = 0; j < recipe->n_inputs; j++) {
        ald_pen_comma(pen, j);
        ald_pen_real(pen, recipe->inputs[j].fill, "NAN");
    }
    ald_pen_put(pen, "\n};\n");
}

/* The numbers of an unknown level; one at least, as an array has one. */
static void put_means(ald_pen *pen, const ald_model_recipe *recipe)
{
    int64_t count = 0;
    ald_pen_put(pen, "static const real input_means[] = {\n");
    for (int64_t j = 0; j < recipe->n_inputs; j++)
        for (int64_t k = 0; recipe->inputs[j].n_levels > 0 && k < recipe->inputs[j].width; k++) {
            ald_pen_comma(pen, count++);
            ald_pen_real(pen, recipe->inputs[j].means ? recipe->inputs[j].means[k] : NAN, "NAN");
        }
    ald_pen_put(pen, count ? "\n};\n" : "0};\n");
}

static int is_ordinal(const ald_model_recipe *recipe)
{
    for (int64_t j = 0; j < recipe->n_inputs; j++)
        if (recipe->inputs[j].n_levels > 0) return recipe->inputs[j].coded;
    return 0;
}

void ald_c_inputs(ald_pen *pen, const ald_model_recipe *recipe)
{
    if (!recipe->encodes) return;
    put_fills(pen, recipe);
    put_means(pen, recipe);
    ald_pen_put(
        pen, "\n/* Cells to numbers: what stands for missing cells, indicators or codes of categories. */\n"
             "static void encode(const real *x, real *y)\n"
             "{\n"
             "    const real *means = input_means;\n"
             "    int j, k;\n"
             "    for (j = 0; j < ALIDADE_INPUTS; j++) {\n"
             "        const real cell = x[j], v = cell != cell ? input_fill[j] : cell;\n");
    ald_pen_print(pen, "        const int n = input_levels[j], width = %s;\n",
                  is_ordinal(recipe) ? "1" : "n > 0 ? n : 1");
    ald_pen_put(pen, "        const int known = v >= 0 && v < (real)n && (real)(int)v == v;\n"
                     "        for (k = 0; k < width; k++) {\n"
                     "            if (n == 0 || v != v)\n"
                     "                *y = v;\n"
                     "            else\n");
    ald_pen_print(pen, "                *y = known ? %s : means[k];\n",
                  is_ordinal(recipe) ? "v" : "(real)((int)v == k)");
    ald_pen_put(pen, "            y++;\n"
                     "        }\n"
                     "        if (n > 0) means += width;\n"
                     "    }\n"
                     "}\n\n");
    if (recipe->has_categories) put_levels(pen, recipe);
}

void ald_c_names(ald_pen *pen, const ald_model_recipe *recipe)
{
    ald_pen_put(pen, "const char *alidade_input_name(int input)\n{\n"
                     "    static const char *const names[ALIDADE_INPUTS] = {\n");
    for (int64_t j = 0; j < recipe->n_inputs; j++) {
        ald_pen_comma(pen, j);
        put_string(pen, recipe->inputs[j].name);
    }
    ald_pen_put(pen,
                "\n    };\n    return input >= 0 && input < ALIDADE_INPUTS ? names[input] : \"\";\n}\n\n");
    if (recipe->q == 0) return;
    ald_pen_put(pen, "const char *alidade_output_name(int output)\n{\n"
                     "    static const char *const names[ALIDADE_SCORES] = {\n");
    for (int64_t j = 0; j < recipe->q; j++) {
        ald_pen_comma(pen, j);
        put_string(pen, recipe->names ? recipe->names[j] : "");
    }
    ald_pen_put(pen,
                "\n    };\n    return output >= 0 && output < ALIDADE_SCORES ? names[output] : \"\";\n}\n\n");
}
