#include "printing/print_json.h"

#include <string.h>

static void load_numbers(const cli_args *args, ald_load_options *options)
{
    options->hdf5 = "child";
    options->skip = cli_int(args, "skip", 0);
    options->max_columns = cli_int(args, "max-columns", 0);
    options->max_line = cli_int(args, "max-line", 0);
    options->transpose = cli_flag(args, "transpose") > 0;
}

void cli_load_options(const cli_session *session, ald_load_options *options)
{
    const cli_args *args = &session->args;
    *options = (ald_load_options)ALD_LOAD_OPTIONS_INIT;
    const struct {
        const char *name;
        const char **place;
    } texts[] = {
        {"format", &options->format},
        {"delimiter", &options->delimiter},
        {"header", &options->header},
        {"comment", &options->comment},
        {"target", &options->target},
        {"event", &options->event},
        {"target-file", &options->target_file},
        {"graph-file", &options->graph_file},
        {"target-distances", &options->distances_file},
        {"response-kernel-file", &options->response_kernel_file},
        {"start-file", &options->start_file},
        {"unlabelled", &options->unlabelled_file},
        {"sheet", &options->sheet},
        {"x", &options->x_variable},
        {"y", &options->y_variable},
        {"task", &options->task},
        {"weights", &options->weights},
        {"ignore", &options->ignore},
        {"id", &options->id},
        {"categorical", &options->categorical},
        {"encode", &options->encode},
        {"missing", &options->missing},
        {"groups", &options->groups},
        {"split-column", &options->split},
        {"split-file", &options->split_file},
        {"unlabelled-rows", &options->unlabelled_rows},
        {"unseen", &options->unseen},
        {"keep", &options->keep},
        {"decimal", &options->decimal},
        {"na", &options->na},
        {"dates", &options->dates},
        {"thousands", &options->thousands},
        {"keep-rows", &options->keep_rows},
        {"checkpoint", &options->checkpoint},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i].place = cli_text(args, texts[i].name, NULL);
    if (options->header && strcmp(options->header, "auto") == 0) options->header = NULL;
    load_numbers(args, options);
}

int cli_wants_gaps(const cli_session *session)
{
    return strcmp(cli_text(&session->args, "missing", ""), "nipals") == 0;
}

int cli_no_gaps(cli_session *session)
{
    if (!cli_wants_gaps(session)) return CLI_DONE;
    return cli_usage(
        session, "--missing nipals is for fit, compare and tune, with pca and pls; here use --missing mean "
                 "or drop");
}

/* --components K of the verbs that only use a model. */
static int take_first(cli_session *session, const char *path, ald_model **model)
{
    const int64_t components = cli_int(&session->args, "components", 0);
    ald_model *first;
    if (!(session->verb->bit & CLI_FIRST) || !cli_given_find(&session->args, "components")) return CLI_DONE;
    CLI_TRY(
        cli_check(session, ald_model_first(session->context, *model, components, &first, &session->error)));
    const int lost = ald_model_text(*model, "alidade.predictor.kind") != NULL &&
                     !ald_model_text(first, "alidade.predictor.kind");
    ald_model_free(*model);
    *model = first;
    if (!lost || session->verb->bit == CLI_TRANSFORM) return CLI_DONE;
    return cli_fail(
        session,
        "%s keeps no predictor for its first %lld component%s alone: fit it again with --components "
        "%lld, or with another --predictor",
        cli_path_name(path), (long long)components, cli_s(components), (long long)components);
}

int cli_load_model(cli_session *session, const char *path, ald_model **model)
{
    CLI_TRY(cli_check(session, ald_model_load(session->context, path, model, &session->error)));
    CLI_TRY(take_first(session, path, model));
    if (!session->verbose) return CLI_DONE;
    const int64_t features = ald_model_feature_count(*model), components = ald_model_component_count(*model);
    cli_say(session, "model   %s: %s, %lld feature%s to %lld component%s", cli_path_name(path),
            ald_model_method(*model), (long long)features, cli_s(features), (long long)components,
            cli_s(components));
    return CLI_DONE;
}

enum { ids_size = 1024 };

/* Whether the rows of the model had weights; then ids is the columns that name the rows, as --id takes them
 * ("": none, or too many): rows that are read with weights are to be fitted, and have no names by themselves.
 */
static int has_weights(const ald_model *model, char ids[ids_size])
{
    const char *text = ald_model_text(model, "alidade.schema");
    json_t *schema = text ? json_loads(text, 0, NULL) : NULL, *list = json_object_get(schema, "ids");
    const int any = json_array_size(json_object_get(schema, "weights")) > 0;
    size_t used = 0;
    *ids = '\0';
    for (size_t k = 0; k < json_array_size(list) && used < ids_size; k++)
        used += (size_t)snprintf(
            ids + used, ids_size - used, "%s#%lld", k ? "," : "",
            (long long)json_integer_value(json_object_get(json_array_get(list, k), "position")));
    if (used >= ids_size) *ids = '\0';
    json_decref(schema);
    return any;
}

int cli_load_rows(cli_session *session, const char *path, const ald_load_options *options,
                  ald_dataset **dataset)
{
    CLI_TRY(cli_check(session, ald_dataset_load(session->context, path, options, dataset, &session->error)));
    return cli_check(session, ald_context_set_rows(session->context, *dataset, &session->error));
}

int cli_load_like(cli_session *session, const ald_model *model, const char *path, ald_dataset **dataset)
{
    const cli_args *args = &session->args;
    ald_load_options options;
    char ids[ids_size];
    cli_load_options(session, &options);
    options.like = model;
    options.portion = 1;
    options.no_target = (session->verb->bit & (CLI_TRANSFORM | CLI_PREDICT)) != 0;
    const int reported = session->verb->bit == CLI_REPORT && path == args->operands[1];
    const int fitted_again = cli_flag(args, "stability") > 0 || reported;
    if (!reported || strcmp(cli_text(args, "groups", ""), "duplicates") == 0)
        options.groups =
            NULL; /* only what is divided has groups, and a report keeps equal rows together anyway */
    const int weighted = fitted_again && has_weights(model, ids);
    options.with_weights = session->verb->bit == CLI_UPDATE || weighted;
    if (reported && weighted && *ids) options.id = ids;
    if (session->verb->bit != CLI_UPDATE && !options.unseen) options.unseen = "mean";
    options.new_classes = session->verb->bit == CLI_UPDATE && !cli_flag(args, "remove");
    const double began = cli_seconds();
    CLI_TRY(cli_load_rows(session, path, &options, dataset));
    if (session->verbose) cli_say_read(session, path, *dataset, cli_seconds() - began);
    return CLI_DONE;
}

const char *cli_rows_read(const ald_dataset *dataset, int64_t rows, char *text, size_t size)
{
    const int64_t all = ald_dataset_file_rows(dataset);
    if (all > rows)
        snprintf(text, size, "%lld of %lld rows", (long long)rows, (long long)all);
    else
        snprintf(text, size, "%lld row%s", (long long)rows, cli_s(rows));
    return text;
}

void cli_say_read(cli_session *session, const char *path, const ald_dataset *dataset, double seconds)
{
    const ald_matrix *x = ald_dataset_x(dataset);
    const char *note = ald_dataset_task_note(dataset);
    char rows[60];
    cli_say(session, "read    %s: %s, %lld column%s%s (%.2f s)", cli_path_name(path),
            cli_rows_read(dataset, x->rows, rows, sizeof rows), (long long)x->cols, cli_s(x->cols),
            x->storage == ALD_DENSE ? "" : ", sparse", seconds);
    if (note && *note) cli_say(session, "        %s", note);
}
