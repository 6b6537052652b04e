/* alidade export: a model as a file for other programs. */
#include "cli.h"
#include "printing/printing.h"

#include <string.h>

static const char *const formats[] = {"c", "onnx", "sql", "json", NULL};

void cli_exports_print(cli_session *session, const ald_model *model)
{
    int count = 0;
    for (int i = 0; formats[i]; i++)
        if (ald_model_can_export(session->context, model, formats[i], NULL) >= 0)
            printf("%s%s", count++ ? ", " : "", formats[i]);
    puts(count ? "" : "none");
}

json_t *cli_exports_json(cli_session *session, const ald_model *model)
{
    json_t *list = json_array();
    int bad = 0;
    for (int i = 0; list && formats[i]; i++) {
        const ald_status status = ald_model_can_export(session->context, model, formats[i], NULL);
        bad |= status == ALD_ERROR_MEMORY;
        if (status >= 0) bad |= json_array_append_new(list, json_string(formats[i]));
    }
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

static int run(cli_session *session)
{
    const cli_args *args = &session->args;
    const char *output = cli_text(args, "output", NULL);
    ald_export_options options = ALD_EXPORT_OPTIONS_INIT;
    ald_model *model = NULL;
    options.format = cli_text(args, "format", NULL);
    options.what = cli_text(args, "what", NULL);
    options.inputs = cli_text(args, "inputs", NULL);
    options.table = cli_text(args, "table", NULL);
    options.keep = cli_text(args, "keep", NULL);
    options.level = cli_real(args, "interval", 0.0);
    CLI_TRY(cli_load_model(session, args->operands[0], &model));
    const ald_status status = ald_model_export(session->context, model, output, &options, &session->error);
    ald_model_free(model);
    CLI_TRY(cli_check(session, status));
    if (strcmp(output, "-") != 0) cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static const char *const parts[] = {"both", "scores", "prediction", NULL};
static const char *const inputs[] = {"matrix", "columns", NULL};

static const cli_option options[] = {
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE", .required = 1,
     .help = "where to write it; the name ends in .c, .onnx, .sql or .json"},
    {"format", .type = CLI_CHOICE, .value_name = "FORMAT", .choices = formats,
     .help = "the format of a file with another name"},
    {"what", .type = CLI_CHOICE, .value_name = "WHAT", .choices = parts,
     .help = "scores, the projection; prediction; or both, the default"},
    {"inputs", .type = CLI_CHOICE, .value_name = "INPUTS", .choices = inputs,
     .help =
         "ONNX: one input with all columns (matrix), or one per column, by its name (columns); by default "
         "columns where some are categories"},
    {"table", .type = CLI_TEXT, .value_name = "NAME",
     .help = "SQL: the table with the rows; data by default"},
    {"keep", .type = CLI_TEXT, .value_name = "COLUMNS",
     .help = "SQL: columns of the table that the result has as well, separated by commas, such as its key"},
    {"interval", .type = CLI_REAL, .value_name = "LEVEL", .min = 0, .max = 1,
     .help =
         "SQL, and by default ONNX: the intervals of a calibrated model that contain the response with this "
         "probability"},
    {0},
};

static const char *const examples[] = {
    "alidade export fat.ald -o fat.c",
    "one C file with the function alidade_predict",
    "alidade export fat.ald -o fat.onnx",
    "for ONNX Runtime, in double precision throughout",
    "alidade export iris.ald --table flowers --keep id -o iris.sql",
    "a SELECT for SQLite, PostgreSQL and DuckDB",
    NULL,
};

const cli_verb cli_export_verb = {
    .name = "export",
    .bit = CLI_EXPORT,
    .summary = "write a model as C, ONNX, SQL or JSON",
    .usage = "MODEL -o FILE",
    .operands = {"MODEL"},
    .operand_access = {CLI_READS},
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Writes what the model does to a row, from the cells of the table to the prediction, as a "
        "file that other programs use without alidade: the encoding of categories, missing values, "
        "the steps of rows, the projection, the predictor and, of calibrated models, intervals. "
        "What the format cannot express is refused, with the reason; inspect lists the formats that "
        "a model can be written in.",
    .options = options,
    .examples = examples,
    .run = run,
};
