#include "printing/print_stability.h"

#include <stdlib.h>
#include <string.h>

static double degrees(double radians)
{
    return radians * (180.0 / 3.14159265358979323846);
}

int cli_stability_read(cli_session *session, cli_stability *stability)
{
    static const char *const others[] = {"resamples", "resample", "seed"};
    const cli_args *args = &session->args;
    stability->wanted = cli_flag(args, "stability") > 0;
    for (size_t i = 0; !stability->wanted && i < sizeof others / sizeof *others; i++)
        if (cli_given_find(args, others[i]))
            return cli_usage(session, "--%s is for --stability; give that too", others[i]);
    stability->options = (ald_stability_options)ALD_STABILITY_OPTIONS_INIT;
    stability->options.resamples = cli_int(args, "resamples", 100);
    stability->options.half = strcmp(cli_text(args, "resample", "bootstrap"), "half") == 0;
    stability->options.seed = (uint64_t)cli_int(args, "seed", 0);
    return CLI_DONE;
}

int cli_stability_compute(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                          const char *path, cli_stability *stability)
{
    if (!stability->wanted) return CLI_DONE;
    stability->r = ald_model_component_count(model);
    stability->rows = calloc((size_t)stability->r, sizeof *stability->rows);
    if (!stability->rows) return cli_out_of_memory(session);
    stability->rows[0] = (ald_stability_row)ALD_STABILITY_ROW_INIT;
    stability->summary = (ald_stability_summary)ALD_STABILITY_SUMMARY_INIT;
    return cli_check_data(session, path,
                          ald_stability(session->context, model, ald_dataset_x(dataset),
                                        ald_dataset_target(dataset), &stability->options, stability->rows,
                                        &stability->summary, &session->error));
}

void cli_stability_print(cli_session *session, const cli_stability *stability)
{
    const ald_stability_summary *s = &stability->summary;
    if (!stability->wanted) return;
    printf("components  mean angle  largest angle  95 %% below\n");
    for (int64_t k = 0; k < stability->r; k++) {
        const ald_stability_row *row = &stability->rows[k];
        printf("%10lld  %10.2f  %13.2f  %10.2f\n", (long long)row->k, degrees(row->mean),
               degrees(row->largest), degrees(row->high));
    }
    cli_say(session,
            "angles in degrees between the scores of the model and of fits to %lld resamples of the rows, "
            "for the "
            "first components; 0: they do not move, 90: something is found elsewhere each time",
            (long long)s->resamples);
    if (s->failed)
        cli_say(session, "%lld more resample%s could not be fitted: %s", (long long)s->failed,
                cli_s(s->failed), s->note);
}

static json_t *row_json(const ald_stability_row *row, int *bad)
{
    json_t *one = json_object();
    *bad |= json_object_set_new(one, "components", json_integer(row->k));
    *bad |= json_object_set_new(one, "dims", json_integer(row->k)); /* its older name */
    *bad |= json_object_set_new(one, "mean_angle_degrees", cli_json_real(degrees(row->mean)));
    *bad |= json_object_set_new(one, "largest_angle_degrees", cli_json_real(degrees(row->largest)));
    *bad |= json_object_set_new(one, "largest_angle_95_degrees", cli_json_real(degrees(row->high)));
    return one;
}

int cli_stability_set(json_t *root, const cli_stability *stability)
{
    if (!stability->wanted) return 0;
    json_t *one = json_object(), *rows = json_array();
    int bad = json_object_set_new(one, "resamples", json_integer(stability->summary.resamples));
    bad |= json_object_set_new(one, "failed", json_integer(stability->summary.failed));
    bad |= json_object_set_new(one, "half", json_boolean(stability->options.half));
    for (int64_t k = 0; k < stability->r; k++)
        bad |= json_array_append_new(rows, row_json(&stability->rows[k], &bad));
    bad |= json_object_set_new(one, "rows", rows);
    return bad | json_object_set_new(root, "stability", one);
}

void cli_stability_free(cli_stability *stability)
{
    free(stability->rows);
}
