/* alidade inspect: what is in a model. */
#include "cli.h"
#include "printing/printing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { top_features = 5, most_components = 10, most_eigenvalues = 20, most_names = 12, least_width = 20 };

/* The array if it is there, of real numbers and has that many dimensions. */
static int find_reals(const ald_model *model, const char *name, int dims, ald_array *array)
{
    return ald_model_array(model, name, array) && array->type == ALD_ARRAY_F64 && array->dims == dims;
}

static json_t *shape_json(const ald_array *array)
{
    json_t *shape = json_array();
    for (int i = 0; shape && i < array->dims; i++) {
        if (json_array_append_new(shape, json_integer(array->shape[i])) == 0) continue;
        json_decref(shape);
        return NULL;
    }
    return shape;
}

static json_t *eigengap_json(const ald_model *model)
{
    ald_eigengap_result gap = ALD_EIGENGAP_RESULT_INIT;
    if (!ald_model_eigengap(model, &gap) || gap.by_gap == 0) return json_null();
    json_t *one = json_object();
    int bad = json_object_set_new(one, "by_gap", json_integer(gap.by_gap));
    bad |= json_object_set_new(one, "by_ratio", json_integer(gap.by_ratio));
    bad |= json_object_set_new(one, "gap", cli_json_real(gap.gap));
    bad |= json_object_set_new(one, "ratio", cli_json_real(gap.ratio));
    if (!bad) return one;
    json_decref(one);
    return NULL;
}

/* What is shown, and rows of its kind where they are given. */
typedef struct inspected {
    ald_model *model;
    ald_dataset *dataset; /* NULL: none */
} inspected;

/* The importance of features, where it follows from the model alone or the rows, else NULL, also for want of
 * memory, which `status` says; the caller frees it. */
static double *find_vip(cli_session *session, const inspected *i, ald_status *status)
{
    const int64_t d = ald_model_feature_count(i->model);
    const ald_matrix *x = i->dataset ? ald_dataset_x(i->dataset) : NULL;
    const ald_target *y = i->dataset ? ald_dataset_target(i->dataset) : NULL;
    *status = ALD_OK;
    if (!x && !ald_importance_in_model(i->model, ALD_IMPORTANCE_VIP)) return NULL;
    double *vip = malloc((size_t)d * sizeof *vip);
    *status = ALD_ERROR_MEMORY;
    if (vip)
        *status = ald_importance(session->context, i->model, ALD_IMPORTANCE_VIP, x, y, vip, &session->error);
    if (*status >= 0) return vip;
    free(vip);
    return NULL;
}

static json_t *vip_json(cli_session *session, const inspected *i)
{
    ald_status status;
    double *vip = find_vip(session, i, &status);
    if (!vip) return status == ALD_ERROR_MEMORY ? NULL : json_null();
    json_t *list = json_array();
    int bad = 0;
    for (int64_t j = 0; j < ald_model_feature_count(i->model); j++)
        bad |= json_array_append_new(list, cli_json_real(vip[j]));
    free(vip);
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

static int print_json(cli_session *session, const inspected *shown)
{
    const ald_model *model = shown->model;
    json_t *root = json_object(), *eigenvalues = json_array(), *arrays = json_object();
    ald_array array;
    int bad = 0;
    if (find_reals(model, "eigenvalues", 1, &array))
        for (int64_t i = 0; i < array.shape[0]; i++)
            bad |= json_array_append_new(eigenvalues, cli_json_real(((const double *)array.data)[i]));
    for (int i = 0; ald_model_array_at(model, i, &array); i++)
        bad |= json_object_set_new(arrays, array.name, shape_json(&array));
    bad |= json_object_set_new(root, "method", cli_json_text(ald_model_method(model)));
    bad |= json_object_set_new(root, "n_features", json_integer(ald_model_feature_count(model)));
    bad |= json_object_set_new(root, "n_components", json_integer(ald_model_component_count(model)));
    bad |= json_object_set_new(root, "target", cli_json_text(ald_model_text(model, "alidade.target")));
    bad |= json_object_set_new(root, "warning", cli_json_text(ald_model_text(model, "alidade.warning")));
    bad |= json_object_set_new(root, "parameters", cli_json_texts(model, "alidade.param."));
    bad |= json_object_set_new(root, "resolved", cli_json_texts(model, "alidade.resolved."));
    bad |= json_object_set_new(root, "eigenvalues", eigenvalues);
    bad |= json_object_set_new(root, "arrays", arrays);
    bad |= json_object_set_new(root, "eigengap", eigengap_json(model));
    bad |= json_object_set_new(root, "vip", vip_json(session, shown));
    bad |= json_object_set_new(root, "exports", cli_exports_json(session, model));
    return cli_json_print(session, root, bad);
}

/* A name at the head of a line. */
static void print_padded(const char *name, int width)
{
    fputs("  ", stdout);
    const int printed = cli_put_text(stdout, name);
    printf("%*s  ", printed < width ? width - printed : 0, "");
}

static void print_texts(const ald_model *model, const char *title, const char *prefix)
{
    const size_t length = strlen(prefix);
    const char *key, *value;
    int printed = 0;
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, prefix, length) != 0) continue;
        if (!printed++) printf("\n%s\n", title);
        print_padded(key + length, least_width);
        cli_put_text(stdout, value);
        putchar('\n');
    }
}

/* A value, and its distance to the next by difference and ratio of their moduli. */
static void print_gap(const double *values, int64_t i, int64_t n)
{
    printf("  %14.6g", values[i]);
    if (i + 1 == n) {
        printf("  %12s  %10s", "-", "-");
        return;
    }
    const double here = fabs(values[i]), next = fabs(values[i + 1]);
    printf("  %12.4g", fabs(here - next));
    if (fmin(here, next) > 0.0)
        printf("  %10.4g", fmax(here, next) / fmin(here, next));
    else
        printf("  %10s", "-");
}

/* What part each direction explains, if the model says so, and of what. */
static const double *find_shares(const ald_model *model, int64_t count, const char **whole)
{
    static const char *const names[][2] = {
        {"explained_variance_ratio", "variance"},
        {"explained_response_ratio", "the target"},
    };
    ald_array share;
    for (int i = 0; i < 2; i++) {
        *whole = names[i][1];
        if (find_reals(model, names[i][0], 1, &share) && share.shape[0] == count) return share.data;
    }
    return NULL;
}

/* Where the eigenvalues fall off, as far as the model has them. */
static void print_eigengap(const ald_model *model)
{
    ald_eigengap_result gap = ALD_EIGENGAP_RESULT_INIT;
    if (!ald_model_eigengap(model, &gap) || gap.by_gap == 0) return;
    printf("  largest gap after %lld, largest ratio after %lld, of the %lld values kept\n",
           (long long)gap.by_gap, (long long)gap.by_ratio, (long long)gap.count);
}

static void print_eigenvalues(const ald_model *model)
{
    ald_array array;
    const int any = find_reals(model, "eigenvalues", 1, &array);
    const int64_t n = any ? array.shape[0] : ald_model_component_count(model);
    const double *values = any ? array.data : NULL;
    const char *whole;
    const double *part = find_shares(model, n, &whole);
    double together = 0;
    if (!values && !part) return;
    printf("\n%s\n  %4s", values ? "eigenvalues" : "explained", "");
    if (values) printf("  %14s  %12s  %10s", "value", "gap", "ratio");
    if (part) printf("  %13s    together", strcmp(whole, "variance") == 0 ? "of variance" : "of the target");
    putchar('\n');
    for (int64_t i = 0; i < n && i < most_eigenvalues; i++) {
        printf("  %4lld", (long long)i + 1);
        if (values) print_gap(values, i, n);
        if (part) printf("  %11.2f %%  %8.2f %%", 100 * part[i], 100 * (together += part[i]));
        putchar('\n');
    }
    if (n > most_eigenvalues) printf("  ... %lld in all\n", (long long)n);
    if (values) print_eigengap(model);
}

static void print_arrays(const ald_model *model)
{
    ald_array array;
    int width = least_width;
    for (int i = 0; ald_model_array_at(model, i, &array); i++)
        if ((int)strnlen(array.name, 60) > width) width = (int)strnlen(array.name, 60);
    printf("\narrays\n");
    for (int i = 0; ald_model_array_at(model, i, &array); i++) {
        print_padded(array.name, width);
        printf("%s  ", array.type == ALD_ARRAY_F64 ? "f64" : "i64");
        for (int k = 0; k < array.dims; k++) printf("%s%lld", k ? " x " : "", (long long)array.shape[k]);
        putchar('\n');
    }
}

/* "fat 0.52": a feature by its name in the model, or x3. */
static void print_weight(const json_t *names, int64_t feature, double weight)
{
    const char *name = json_string_value(json_array_get(names, (size_t)feature));
    fputs("  ", stdout);
    if (name)
        cli_put_text(stdout, name);
    else
        printf("x%lld", (long long)feature + 1);
    printf(" %.3g", weight);
}

/* The largest by modulus that are not 0, found one after the other: there are only a few to find. */
static void print_component(const double *row, int64_t n, const json_t *names)
{
    int64_t taken[top_features];
    for (int k = 0; k < top_features && k < n; k++) {
        int64_t best = -1;
        for (int64_t j = 0; j < n; j++) {
            int used = 0;
            for (int i = 0; i < k; i++) used |= taken[i] == j;
            if (!used && (best < 0 || fabs(row[j]) > fabs(row[best]))) best = j;
        }
        if (row[best] == 0.0) break; /* of a sparse method */
        taken[k] = best;
        print_weight(names, best, row[best]);
    }
    putchar('\n');
}

static int print_weights(cli_session *session, const inspected *shown)
{
    const ald_model *model = shown->model;
    ald_array array;
    const char *map = ald_model_text(model, "alidade.map");
    if (map && strcmp(map, "linear") != 0)
        return CLI_DONE; /* weights of random features say nothing about columns */
    if (!find_reals(model, "components", 2, &array) || array.shape[1] != ald_model_feature_count(model))
        return CLI_DONE;
    const char *text = ald_model_text(model, "alidade.feature_names");
    json_t *names = text ? json_loads(text, 0, NULL) : NULL;
    ald_status status;
    double *vip = find_vip(session, shown, &status);
    printf("\nlargest weights\n");
    for (int64_t i = 0; i < array.shape[0] && i < most_components; i++) {
        printf("  %4lld", (long long)i + 1);
        print_component((const double *)array.data + i * array.shape[1], array.shape[1], names);
    }
    if (vip) {
        printf("\nimportance (vip)\n      ");
        print_component(vip, array.shape[1], names);
    }
    free(vip);
    json_decref(names);
    return status == ALD_ERROR_MEMORY ? cli_out_of_memory(session) : CLI_DONE;
}

/* "target      classes: 'setosa', 'versicolor', 'virginica'" */
static void print_target(const ald_model *model)
{
    const char *kind = ald_model_text(model, "alidade.target"),
               *text = ald_model_text(model, "alidade.class_names");
    if (!kind) return;
    const int classes = text != NULL;
    if (!text) text = ald_model_text(model, "alidade.response_names");
    json_t *names = text ? json_loads(text, 0, NULL) : NULL;
    const size_t count = json_array_size(names);
    fputs("target      ", stdout);
    cli_put_text(stdout, kind);
    for (size_t i = 0; i < count && i < most_names; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        fputs(i ? ", " : ": ", stdout);
        if (classes) putchar('\'');
        cli_put_text(stdout, name ? name : "?");
        if (classes) putchar('\'');
    }
    if (count > most_names) printf(", ... %zu in all", count);
    putchar('\n');
    json_decref(names);
}

static void print_line(const ald_model *model, const char *title, const char *key)
{
    const char *text = ald_model_text(model, key);
    char spelled[CLI_SPELLED_SIZE];
    if (!text) return;
    printf("%-10s  ", title);
    cli_put_text(stdout, cli_spell(NULL, text, spelled, sizeof spelled));
    putchar('\n');
}

static int print_text(cli_session *session, const inspected *shown)
{
    const ald_model *model = shown->model;
    const ald_method *method = ald_method_find(ald_model_method(model));
    fputs("method      ", stdout);
    cli_put_text(stdout, ald_model_method(model));
    printf("%s%s%s\n", method ? " (" : "", method ? ald_method_title(method) : "", method ? ")" : "");
    print_target(model);
    print_line(model, "rows", "alidade.n_samples");
    printf("features    %lld\n", (long long)ald_model_feature_count(model));
    printf("components  %lld\n", (long long)ald_model_component_count(model));
    fputs("exports     ", stdout);
    cli_exports_print(session, model);
    print_line(model, "version", "alidade.version");
    print_line(model, "warning", "alidade.warning");
    print_texts(model, "parameters", "alidade.param.");
    print_texts(model, "resolved", "alidade.resolved.");
    print_eigenvalues(model);
    print_arrays(model);
    return print_weights(session, shown);
}

/* How far the map of another model is from this one's. */
static int print_difference(cli_session *session, const ald_map_difference *result, const cli_angles *angles)
{
    if (session->json) {
        json_t *root = json_object();
        int bad = json_object_set_new(root, "distance", cli_json_real(result->distance));
        bad |= json_object_set_new(root, "size", cli_json_real(result->norm));
        bad |= json_object_set_new(root, "relative", cli_json_real(result->relative));
        bad |= cli_angles_set(root, angles);
        return cli_json_print(session, root, bad);
    }
    printf("distance  %.6g\nrelative  %.6g\n\n", result->distance, result->relative);
    cli_angles_print(session, angles);
    cli_say(session, "distance: |WW' - VV'| of the directions W of the first model and V of the other, the "
                     "largest singular value; relative: divided by |WW'|. Signs and rotations do not matter");
    return CLI_DONE;
}

static int run_against(cli_session *session, const inspected *shown, const char *path)
{
    ald_map_difference result = ALD_MAP_DIFFERENCE_INIT;
    ald_model *other = NULL;
    cli_angles angles = {0};
    int code = cli_load_model(session, path, &other);
    if (code == CLI_DONE)
        code = cli_check(
            session, ald_model_difference(session->context, shown->model, other, &result, &session->error));
    if (code == CLI_DONE) code = cli_angles_of_models(session, shown->model, other, shown->dataset, &angles);
    if (code == CLI_DONE) code = print_difference(session, &result, &angles);
    cli_angles_free(&angles);
    ald_model_free(other);
    return code;
}

static int run_steps(cli_session *session, inspected *shown)
{
    const char *const *paths = session->args.operands, *against = cli_text(&session->args, "against", NULL),
                      *coefficients = cli_text(&session->args, "coefficients", NULL);
    const int card = cli_given_find(&session->args, "card") != NULL;
    if (card && (paths[1] || against || coefficients || session->json))
        return cli_usage(session,
                         "--card describes the model alone, as Markdown; leave out what else was given");
    if (coefficients && (against || session->json))
        return cli_usage(session, "--coefficients writes a table and nothing else: leave out %s",
                         against ? "--against" : "--json");
    CLI_TRY(cli_load_model(session, paths[0], &shown->model));
    if (paths[1]) CLI_TRY(cli_load_like(session, shown->model, paths[1], &shown->dataset));
    if (against) return run_against(session, shown, against);
    if (coefficients) return cli_coefficients_write(session, shown->model, coefficients);
    if (card) return cli_card_print(session, shown->model);
    return session->json ? print_json(session, shown) : print_text(session, shown);
}

static int run(cli_session *session)
{
    inspected shown = {0};
    const int code = run_steps(session, &shown);
    ald_dataset_free(shown.dataset);
    ald_model_free(shown.model);
    return code;
}

static const cli_option options[] = {
    {"against", .type = CLI_PATH, .access = CLI_READS, .value_name = "OTHER",
     .help =
         "instead, show how far the linear map of this other model, of the same features, is from that of "
         "MODEL, and the principal angles between their directions: in the units of the columns, and in the "
         "metric of the covariance of X, from the rows of DATA or from statistics kept in a model"},
    {"coefficients", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "instead, write the prediction as a linear formula in the columns: a table with the intercept "
             "and one coefficient per column and response; - is standard output"},
    {"card", .type = CLI_FLAG,
     .help = "instead, write a model card as Markdown: what the model is for, its data, method and settings, "
             "its figures and errors as far as it keeps them, its limits"},
    {0},
};

static const char *const examples[] = {
    "alidade inspect fat.ald",
    "method, parameters, spectrum, and the features that weigh most",
    "alidade inspect iris.ald iris.csv",
    "with the importance of the features, which needs rows for most methods",
    "alidade inspect direct.ald --against two-stage.ald",
    "whether two ways of fitting gave the same map",
    "alidade inspect direct.ald train.csv --against two-stage.ald",
    "with the angles between their scores too",
    "alidade inspect fat.ald --coefficients formula.csv",
    "the whole model as one formula in the columns",
    "alidade inspect fat.ald --card > fat.md",
    "a page about the model for those who get it",
    NULL,
};

const cli_verb cli_inspect_verb = {
    .name = "inspect",
    .bit = CLI_INSPECT,
    .summary = "show what is in a model",
    .usage = "MODEL [DATA] [--against OTHER | --coefficients FILE | --card] [--json[=FILE]]",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 1,
    .max_operands = 2,
    .description =
        "Shows the method, its parameters, the values that were chosen while fitting, the eigenvalues with "
        "their gaps, the arrays, for each component the features with the largest weights, and the "
        "importance of the features (vip), for which most methods need rows: DATA. alidade evaluate "
        "--importance shows more.",
    .options = options,
    .examples = examples,
    .run = run,
};
