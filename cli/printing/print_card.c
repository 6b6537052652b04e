/* A model card: what a model is, what it was fitted on, how well it does and where it ends, as Markdown for
 * people who get the model without its history. It says what the model file says, and what is not known. */
#include "printing/printing.h"

#include <string.h>

enum { most_listed = 20 };

/* Texts of the user as they are: signs of Markdown and HTML are escaped, a line end is a blank. */
static void put_plain(const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#&", *text)) putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
}

/* "a, b, c and 97 more"; nothing where there is no list. */
static int64_t put_names(const ald_model *model, const char *key)
{
    const char *text = ald_model_text(model, key);
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    const size_t count = json_array_size(list);
    for (size_t i = 0; i < count && i < most_listed; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (i > 0) fputs(", ", stdout);
        put_plain(name ? name : "?");
    }
    if (count > most_listed) printf(" and %zu more", count - most_listed);
    json_decref(list);
    return (int64_t)count;
}

/* Name j of a list, or its number from 1. */
static void put_name(const ald_model *model, const char *key, int64_t j)
{
    const char *text = ald_model_text(model, key);
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    const char *name = json_string_value(json_array_get(list, (size_t)j));
    if (name)
        put_plain(name);
    else
        printf("response %lld", (long long)j + 1);
    json_decref(list);
}

static const char *target_key(const ald_model *model)
{
    return ald_model_text(model, "alidade.class_names") ? "alidade.class_names" : "alidade.response_names";
}

/* Of times with events: the logarithm of a risk, whose figures and intervals other verbs do not give. */
int cli_predicts_risk(const ald_model *model)
{
    const char *predictor = ald_model_text(model, "alidade.predictor.kind"),
               *schema = ald_model_text(model, "alidade.schema");
    return (predictor && strcmp(predictor, "cox") == 0) || (schema && strstr(schema, "\"event\":true"));
}

static void put_purpose(const ald_model *model, const ald_prediction_shape *shape)
{
    static const char *const what[] = {
        [ALD_TARGET_NONE] = "nothing",
        [ALD_TARGET_CLASSES] = "one of several classes",
        [ALD_TARGET_REAL] = "numbers",
        [ALD_TARGET_LABELS] = "labels, any number of them for a row",
    };
    const ald_method *method = ald_method_find(ald_model_method(model));
    const long long d = ald_model_feature_count(model), r = ald_model_component_count(model);
    printf("# Model card: %s\n\n## What it is for\n\n", method ? ald_method_title(method) : "a model");
    printf("It reduces %lld column%s to %lld component%s", d, d == 1 ? "" : "s", r, r == 1 ? "" : "s");
    if (shape->columns == 0) {
        printf(". It predicts nothing: it has no predictor.\n\n");
        return;
    }
    printf(" and predicts from them %s: ",
           cli_predicts_risk(model) ? "the logarithm of a risk" : what[shape->kind]);
    if (put_names(model, target_key(model)) == 0) printf("%lld", (long long)shape->scores);
    printf(".\n\n");
}

static void put_item(const ald_model *model, const char *title, const char *key)
{
    const char *text = ald_model_text(model, key);
    if (!text) return;
    printf("- %s: ", title);
    put_plain(text);
    putchar('\n');
}

static void put_data(const ald_model *model)
{
    printf("## Data\n\n");
    put_item(model, "rows it was fitted on", "alidade.n_samples");
    put_item(model, "sum of their weights", "alidade.total_weight");
    if (ald_model_text(model, "alidade.streamed")) printf("- they were read in blocks (streamed)\n");
    printf("- columns: %lld", (long long)ald_model_feature_count(model));
    if (ald_model_text(model, "alidade.feature_names")) {
        fputs(" (", stdout);
        put_names(model, "alidade.feature_names");
        putchar(')');
    }
    putchar('\n');
    put_item(model, "kind of target", "alidade.target");
    if (ald_model_text(model, target_key(model))) {
        fputs("- target: ", stdout);
        put_names(model, target_key(model));
        putchar('\n');
    }
    putchar('\n');
}

static void put_table(const ald_model *model, const char *title, const char *prefix)
{
    const char *key, *value;
    printf("%s\n\n| name | value |\n| --- | --- |\n", title);
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, prefix, strlen(prefix)) != 0) continue;
        fputs("| ", stdout);
        put_plain(key + strlen(prefix));
        fputs(" | ", stdout);
        put_plain(value);
        fputs(" |\n", stdout);
    }
    putchar('\n');
}

static void put_method(const ald_model *model)
{
    printf("## Method\n\n");
    put_item(model, "method", "alidade.method");
    put_item(model, "predictor", "alidade.predictor.kind");
    put_item(model, "map from columns to components", "alidade.map");
    printf("\n## Preparation\n\n");
    put_item(model, "columns are scaled", "alidade.param.scale");
    put_item(model, "rows are scaled", "alidade.param.row_scale");
    put_item(model, "steps for rows", "alidade.param.rows");
    printf("- the model repeats all of it, and the reading of cells, on new rows\n\n");
    put_table(model, "## Settings", "alidade.param.");
    put_table(model, "## What the fit found", "alidade.resolved.");
}

/* The errors that half and nine tenths of the rows do not exceed. */
static void put_errors(const ald_model *model, const ald_prediction_shape *shape)
{
    ald_array array;
    if (ald_model_calibration_count(model) == 0 || !ald_model_array(model, "calibration/errors", &array) ||
        array.type != ALD_ARRAY_F64) {
        printf(
            "The model keeps no errors on rows that it was not fitted on, so it gives no intervals: `alidade "
            "calibrate` adds them.\n\n");
        return;
    }
    const int64_t m = array.shape[0], q = array.shape[1];
    const double *errors = array.data;
    printf("Errors on %lld rows that were not fitted, from which `alidade predict --interval` makes %s:\n\n",
           (long long)m, shape->kind == ALD_TARGET_REAL ? "intervals" : "sets");
    for (int64_t j = 0; j < q && j < most_listed; j++) {
        const double half = errors[m / 2 * q + j], most = errors[(m - 1) * 9 / 10 * q + j];
        if (shape->kind == ALD_TARGET_CLASSES)
            printf("- the score of the true class is at least %.4g in half of the rows and %.4g in nine of "
                   "ten\n",
                   -half, -most);
        else {
            fputs("- ", stdout);
            put_name(model, "alidade.response_names", j);
            printf(": at most %.4g in half of the rows and %.4g in nine of ten\n", half, most);
        }
    }
    putchar('\n');
}

static void put_figures(const ald_model *model, const ald_prediction_shape *shape)
{
    const char *tuning = ald_model_text(model, "alidade.resolved.tuning");
    if (shape->columns == 0) return;
    printf("## How good it is\n\n");
    if (tuning) {
        put_plain(tuning);
        printf(".\n\n");
    } else
        printf("The model keeps no figure of rows that it has not seen: %s\n\n",
               cli_predicts_risk(model)
                   ? "`alidade evaluate` computes the concordance of test rows. It gives no "
                     "intervals."
                   : "`alidade report` computes one, from test rows or by cross-validation.");
    if (!cli_predicts_risk(model)) put_errors(model, shape);
}

static void put_limits(const ald_model *model)
{
    const char *warning = ald_model_text(model, "alidade.warning");
    printf("## Limits\n\n");
    if (warning) {
        fputs("- the fit ended with a warning: ", stdout);
        put_plain(warning);
        putchar('\n');
    }
    printf(
        "- It holds for rows that come from where the fitted rows came from, with columns of the same names "
        "and units.\n"
        "- Weights and coefficients describe how columns and target vary together, not what causes what.\n"
        "- %s\n\n",
        ald_model_array(model, "spread.residual", NULL)
            ? "Rows unlike those of the fit can be found: it keeps limits of T2 and Q."
            : "It keeps no limits for rows unlike those of the fit (`--outlier-limits 1` does for linear "
              "methods).");
    printf("## Version\n\n");
    put_item(model, "alidade", "alidade.version");
    put_item(model, "format of the file", "alidade.format");
}

int cli_card_print(cli_session *session, const ald_model *model)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(model, &shape);
    put_purpose(model, &shape);
    put_data(model);
    put_method(model);
    put_figures(model, &shape);
    put_limits(model);
    printf("- formats that it can be exported in (`alidade export`): ");
    cli_exports_print(session, model);
    return CLI_DONE;
}
