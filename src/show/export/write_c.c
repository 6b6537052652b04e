/* A recipe as one C file: C99 that C++ compilers take too, nothing but libm, no allocation, no state. */
#include "show/export/write_c.h"

#include "show/export/export.h"

#include <alidade/version.h>
#include <string.h>

/* More than this on the stack is no function to call in an instrument. */
enum { most_working = 1 << 19 };

static void put_head(ald_pen *pen, const ald_model_recipe *recipe)
{
    const char *method = ald_model_method(recipe->model);
    ald_pen_put(pen, "/* A model of alidade as C: ");
    ald_pen_plain(pen, method ? method : "");
    ald_pen_print(pen, ", %lld inputs, %lld components.\n", (long long)recipe->n_inputs,
                  (long long)recipe->r);
    ald_pen_print(pen, " * Written by alidade %s from the model with the SHA-256\n * %s.\n *\n", ALD_VERSION,
                  recipe->digest);
    ald_pen_put(
        pen,
        " * Functions return 0, or 1 and NaN where a cell is not finite, or has no value (NaN) and the "
        "model\n"
        " * has none to stand for it. With -std=c99 results are those of the library without BLAS to the\n"
        " * last bit. -DALIDADE_SELF_TEST: a program that compares a few rows with the library.\n"
        " * -DALIDADE_FLOAT: single precision. Link with -lm. */\n"
        "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
        "#ifdef ALIDADE_FLOAT\n"
        "typedef float alidade_real;\n"
        "#define ALIDADE_F(name) name##f\n"
        "#define ALIDADE_EPSILON FLT_EPSILON\n"
        "#define ALIDADE_HUGE(value) ((value) < 0 ? -1e38F : 1e38F)\n"
        "#else\n"
        "typedef double alidade_real;\n"
        "#define ALIDADE_F(name) name\n"
        "#define ALIDADE_EPSILON DBL_EPSILON\n"
        "#define ALIDADE_HUGE(value) (value)\n"
        "#endif\n"
        "#ifdef __GNUC__\n"
        "#define ALIDADE_INLINE static inline __attribute__((always_inline))\n"
        "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n" /* of names */
        "#else\n"
        "#define ALIDADE_INLINE static\n"
        "#endif\n"
        "typedef alidade_real real;\n\n");
}

const char *ald_c_decision(const ald_model_recipe *recipe)
{
    return recipe->kind == ALD_TARGET_REAL ? "alidade_predict" : "alidade_decision";
}

static void put_sizes(ald_pen *pen, const ald_model_recipe *recipe)
{
    ald_pen_put(pen, "enum {\n");
    ald_pen_print(pen, "    ALIDADE_INPUTS = %lld,\n    ALIDADE_COMPONENTS = %lld",
                  (long long)recipe->n_inputs, (long long)recipe->r);
    if (recipe->q > 0)
        ald_pen_print(pen,
                      ",\n    ALIDADE_SCORES = %lld, /* classes, labels, responses */\n"
                      "    ALIDADE_OUTPUTS = %lld /* numbers of a prediction */",
                      (long long)recipe->q, (long long)(recipe->kind == ALD_TARGET_CLASSES ? 1 : recipe->q));
    ald_pen_put(pen, "\n};\n\n");
}

/* What y is, by the kind of the target. */
static const char *const predictions[] = {
    [ALD_TARGET_NONE] = "",
    [ALD_TARGET_CLASSES] = "the number of the class, from 0",
    [ALD_TARGET_REAL] = "the responses",
    [ALD_TARGET_LABELS] = "1 for each label that is predicted, else 0",
};

static void put_declarations(ald_pen *pen, const ald_model_recipe *recipe)
{
    ald_pen_put(
        pen, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
             "/* The projection: z has ALIDADE_COMPONENTS numbers. x has a number for each input, NaN for\n"
             " * a cell without a value");
    ald_pen_put(pen, recipe->has_categories ? ", alidade_code() for a category. */\n" : ". */\n");
    ald_pen_put(pen, "int alidade_scores(const alidade_real *x, alidade_real *z);\n");
    if (recipe->has_categories)
        ald_pen_put(pen, "/* The number of a level of a categorical input; -1: not known, NaN: \"\". */\n"
                         "alidade_real alidade_code(int input, const char *text);\n");
    if (recipe->q > 0) {
        ald_pen_print(pen, "/* The prediction: y has ALIDADE_OUTPUTS numbers: %s. */\n",
                      predictions[recipe->kind]);
        ald_pen_put(pen, "int alidade_predict(const alidade_real *x, alidade_real *y);\n");
    }
    if (recipe->q > 0 && recipe->kind != ALD_TARGET_REAL) {
        ald_pen_print(pen, "/* What decides it: s has ALIDADE_SCORES numbers, %s. */\n",
                      recipe->probabilities ? "probabilities" : "scores");
        ald_pen_put(pen, "int alidade_decision(const alidade_real *x, alidade_real *s);\n");
    }
    if (recipe->errors.rows > 0 && recipe->kind == ALD_TARGET_REAL)
        ald_pen_put(
            pen, "/* Intervals of the responses that contain them with the probability `level`; returns 1\n"
                 " * also where the level needs more errors than the model has. */\n"
                 "int alidade_interval(const alidade_real *x, double level, alidade_real *low, alidade_real "
                 "*high);\n");
    else if (recipe->errors.rows > 0)
        ald_pen_put(
            pen,
            "/* The sets that contain the truth with the probability `level`: for each class 1 where it\n"
            " * is in the set; for each label 1 where 0 is in it, plus 2 where 1 is. */\n"
            "int alidade_set(const alidade_real *x, double level, int *set);\n");
    ald_pen_put(pen, "/* Names as UTF-8, \"\" where there is none, also for a number out of range. */\nconst "
                     "char *alidade_input_name(int input);\n");
    if (recipe->q > 0)
        ald_pen_put(pen,
                    "const char *alidade_output_name(int output); /* of a class, label or response */\n");
    ald_pen_put(pen, "#ifdef __cplusplus\n}\n#endif\n\n");
}

static void put_scores(ald_pen *pen, const ald_model_recipe *recipe)
{
    const char *x = recipe->encodes ? "f" : "x";
    ald_pen_put(pen, "static int is_finite(const real *v, int count)\n"
                     "{\n"
                     "    int i;\n"
                     "    for (i = 0; i < count; i++)\n"
                     "        if (!(v[i] - v[i] == 0)) return 0;\n"
                     "    return 1;\n"
                     "}\n\n"
                     "static int spoil(real *y, int count)\n"
                     "{\n"
                     "    int i;\n"
                     "    for (i = 0; i < count; i++) y[i] = (real)NAN;\n"
                     "    return 1;\n"
                     "}\n\n"
                     "int alidade_scores(const alidade_real *x, alidade_real *z)\n"
                     "{\n");
    if (recipe->encodes) ald_pen_print(pen, "    real f[%lld];\n    encode(x, f);\n", (long long)recipe->d);
    if (recipe->unsafe)
        ald_pen_print(pen, "    if (!is_finite(%s, %lld)) return spoil(z, ALIDADE_COMPONENTS);\n", x,
                      (long long)recipe->d);
    ald_pen_print(pen, "    project(%s, z);\n", x);
    ald_pen_put(pen,
                "    return is_finite(z, ALIDADE_COMPONENTS) ? 0 : spoil(z, ALIDADE_COMPONENTS);\n}\n\n");
}

/* The scores, and what they decide where that is something else. */
static void put_predict(ald_pen *pen, const ald_model_recipe *recipe)
{
    const int classes = recipe->kind == ALD_TARGET_CLASSES;
    ald_pen_print(pen,
                  "int %s(const alidade_real *x, alidade_real *s)\n{\n"
                  "    real z[ALIDADE_COMPONENTS];\n"
                  "    if (alidade_scores(x, z)) return spoil(s, ALIDADE_SCORES);\n"
                  "    rank(z, s);\n%s    return 0;\n}\n\n",
                  ald_c_decision(recipe), recipe->n_rank < recipe->n_steps ? "    finish(s);\n" : "");
    if (recipe->kind == ALD_TARGET_REAL) return;
    ald_pen_print(pen,
                  "int alidade_predict(const alidade_real *x, alidade_real *y)\n{\n"
                  "    real z[ALIDADE_COMPONENTS], s[ALIDADE_SCORES];\n"
                  "    int j%s;\n"
                  "    if (alidade_scores(x, z)) return spoil(y, ALIDADE_OUTPUTS);\n    rank(z, s);\n",
                  classes ? ", best = 0" : "");
    ald_pen_put(pen, classes ? "    for (j = 1; j < ALIDADE_SCORES; j++)\n"
                               "        if (s[j] > s[best]) best = j;\n"
                               "    y[0] = (real)best;\n"
                             : "    for (j = 0; j < ALIDADE_SCORES; j++) y[j] = s[j] > (real)0.5;\n");
    ald_pen_put(pen, "    return 0;\n}\n\n");
}

/* Intervals or sets of a calibrated model. */
static void put_intervals(ald_pen *pen, const ald_model_recipe *recipe)
{
    const ald_calibration *errors = &recipe->errors;
    const int classes = recipe->kind == ALD_TARGET_CLASSES;
    if (errors->rows == 0) return;
    ald_c_table(pen, "errors", errors->errors, errors->rows, errors->columns, 0);
    ald_pen_print(
        pen,
        "\n/* The errors that are exceeded with the probability 1 - level; 0: there are too few. */\n"
        "static const real *errors_at(double level)\n"
        "{\n"
        "    const double k = ceil(%lld.0 * level - 1e-9);\n"
        "    if (!(level > 0 && level < 1) || k > %lld.0) return 0;\n"
        "    return errors + (k > 1 ? (int)k - 1 : 0) * %lld;\n"
        "}\n\n",
        (long long)errors->rows + 1, (long long)errors->rows, (long long)errors->columns);
    ald_pen_put(pen, recipe->kind == ALD_TARGET_REAL
                         ? "int alidade_interval(const alidade_real *x, double level, alidade_real *low, "
                           "alidade_real *high)\n"
                         : "int alidade_set(const alidade_real *x, double level, int *set)\n");
    ald_pen_put(pen, "{\n"
                     "    const real *const e = errors_at(level);\n"
                     "    real s[ALIDADE_SCORES];\n"
                     "    int j;\n"
                     "    if (!e || ");
    ald_pen_print(pen, "%s(x, s)) return 1;\n    for (j = 0; j < ALIDADE_SCORES; j++) ",
                  ald_c_decision(recipe));
    if (recipe->kind == ALD_TARGET_REAL)
        ald_pen_put(pen, "low[j] = s[j] - e[j], high[j] = s[j] + e[j];\n");
    else if (classes)
        ald_pen_put(pen, "set[j] = s[j] >= -e[0];\n");
    else
        ald_pen_put(pen,
                    "set[j] = (ALIDADE_F(fabs)(s[j]) <= e[j]) + 2 * (ALIDADE_F(fabs)(1 - s[j]) <= e[j]);\n");
    ald_pen_put(pen, "    return 0;\n}\n\n");
}

ald_status ald_export_c_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job)
{
    (void)job;
    if (ald_c_working_numbers(recipe) <= most_working) return ALD_OK;
    return ald_recipe_refuse(run,
                             "as C it would need more than 4 MB on the stack for one row; .onnx and .json "
                             "have no such limit");
}

ald_status ald_export_c(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job)
{
    ald_pen *pen = &job->pen;
    ald_self_test test;
    ALD_TRY(ald_self_test_make(run, recipe, &test));
    put_head(pen, recipe);
    put_sizes(pen, recipe);
    put_declarations(pen, recipe);
    ald_pen_put(pen, "#if defined(ALIDADE_FLOAT) && defined(__GNUC__)\n"
                     "#pragma GCC diagnostic ignored \"-Wconversion\"\n"
                     "#pragma GCC diagnostic ignored \"-Wfloat-conversion\"\n"
                     "#endif\n");
    ald_c_tables(pen, recipe);
    ald_c_inputs(pen, recipe);
    ald_c_functions(pen, recipe);
    ald_c_walk(pen, recipe, "static void project(const real *in, real *out)", 0, recipe->n_map);
    if (recipe->q > 0)
        ald_c_walk(pen, recipe, "static void rank(const real *in, real *out)", recipe->n_map, recipe->n_rank);
    if (recipe->n_rank < recipe->n_steps)
        ald_c_walk(pen, recipe, "static void finish(real *out)", recipe->n_rank, recipe->n_steps);
    put_scores(pen, recipe);
    if (recipe->q > 0) put_predict(pen, recipe);
    put_intervals(pen, recipe);
    ald_c_names(pen, recipe);
    ald_c_self_test(pen, recipe, &test);
    return pen->status;
}
