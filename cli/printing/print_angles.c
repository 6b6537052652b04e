/* Principal angles between subspaces: inspect --against and evaluate --subspace. */
#include "printing/printing.h"

#include <stdlib.h>
#include <string.h>

enum { most_shown = 10 };

static double degrees(double radians)
{
    return radians * (180.0 / 3.14159265358979323846);
}

static int make_room(cli_session *session, int64_t count, cli_angles *a)
{
    a->raw = calloc((size_t)count + 1, sizeof *a->raw);
    a->covariance = calloc((size_t)count + 1, sizeof *a->covariance);
    a->result = (ald_angles_result)ALD_ANGLES_RESULT_INIT;
    return a->raw && a->covariance ? CLI_DONE : cli_out_of_memory(session);
}

int cli_angles_of_models(cli_session *session, const ald_model *model, const ald_model *other,
                         const ald_dataset *dataset, cli_angles *a)
{
    CLI_TRY(make_room(session, ald_model_component_count(model), a));
    return cli_check(session,
                     ald_model_angles(session->context, model, other, dataset ? ald_dataset_x(dataset) : NULL,
                                      dataset ? ald_dataset_target(dataset) : NULL, a->raw, a->covariance,
                                      &a->result, &session->error));
}

int cli_angles_of_known(cli_session *session, const ald_model *model, const ald_matrix *known,
                        const ald_matrix *x, const ald_target *y, cli_angles *a)
{
    CLI_TRY(make_room(session, known->rows, a));
    return cli_check(session, ald_subspace_angles(session->context, model, known, x, y, a->raw, a->covariance,
                                                  &a->result, &session->error));
}

static void print_line(const char *title, int64_t count, const double *angles)
{
    printf("%-15s", title);
    for (int64_t i = 0; i < count && i < most_shown; i++) printf("  %7.3f", degrees(angles[i]));
    if (count > most_shown) printf("  ... %lld in all", (long long)count);
    putchar('\n');
}

void cli_angles_print(cli_session *session, const cli_angles *a)
{
    static const char *const sources[] = {"", "the rows given", "the training rows, kept in the model"};
    printf("angles, degrees\n");
    print_line("raw columns", a->result.raw_count, a->raw);
    if (a->result.source == ALD_COVARIANCE_UNKNOWN) {
        cli_say(session, "angles: between the directions in the units of the columns; in the metric of the "
                         "covariance of X they need rows (DATA), or a model fitted with --keep-statistics");
        return;
    }
    print_line("covariance of X", a->result.covariance_count, a->covariance);
    cli_say(session,
            "angles: between the directions in the units of the columns, and in the metric of the covariance "
            "of X (that is, between the scores), from %s",
            sources[a->result.source]);
}

static json_t *list_json(int64_t count, const double *angles, int *bad)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++)
        *bad |= json_array_append_new(list, cli_json_real(degrees(angles[i])));
    return list;
}

int cli_angles_set(json_t *root, const cli_angles *a)
{
    static const char *const sources[] = {NULL, "rows", "statistics"};
    json_t *one = json_object();
    int bad = 0;
    bad |= json_object_set_new(one, "raw_degrees", list_json(a->result.raw_count, a->raw, &bad));
    bad |= json_object_set_new(one, "covariance_degrees",
                               a->result.source == ALD_COVARIANCE_UNKNOWN
                                   ? json_null()
                                   : list_json(a->result.covariance_count, a->covariance, &bad));
    bad |= json_object_set_new(one, "covariance_of", cli_json_text(sources[a->result.source]));
    return bad | json_object_set_new(root, "angles", one);
}

void cli_angles_free(cli_angles *a)
{
    free(a->raw);
    free(a->covariance);
}
