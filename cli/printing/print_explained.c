/* What the directions explain, on the command line: evaluate --explained. */
#include "printing/printing.h"

#include <math.h>
#include <stdlib.h>

void cli_explained_read(cli_session *session, cli_explained *explained)
{
    explained->wanted = cli_flag(&session->args, "explained") > 0;
}

int cli_explained_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                          const ald_target *y, const char *path, cli_explained *explained)
{
    if (!explained->wanted) return CLI_DONE;
    explained->r = ald_model_component_count(model);
    explained->x = calloc((size_t)explained->r, sizeof *explained->x);
    explained->y = calloc((size_t)explained->r, sizeof *explained->y);
    if (!explained->x || !explained->y) return cli_out_of_memory(session);
    return cli_check_data(
        session, path,
        ald_explained(session->context, model, x, y, explained->x, explained->y, &session->error));
}

static void print_share(double share, int width)
{
    if (isnan(share))
        printf("  %*s", width, "-");
    else
        printf("  %*.2f", width, 100.0 * share);
}

void cli_explained_print(cli_session *session, const cli_explained *explained)
{
    if (!explained->wanted) return;
    printf("components    X, %%  target, %%\n");
    for (int64_t k = 0; k < explained->r; k++) {
        printf("%10lld", (long long)k + 1);
        print_share(explained->x[k], 6);
        print_share(explained->y[k], 9);
        putchar('\n');
    }
    cli_say(
        session,
        "X, target: the shares of these rows that the first components together explain, by least squares");
}

int cli_explained_set(json_t *root, const cli_explained *explained)
{
    json_t *x, *y, *one;
    int bad = 0;
    if (!explained->wanted) return 0;
    x = json_array();
    y = json_array();
    one = json_object();
    for (int64_t k = 0; k < explained->r; k++) {
        bad |= json_array_append_new(x, cli_json_real(explained->x[k]));
        bad |= json_array_append_new(y, cli_json_real(explained->y[k]));
    }
    bad |= json_object_set_new(one, "x", x);
    bad |= json_object_set_new(one, "target", y);
    return bad | json_object_set_new(root, "explained", one);
}

void cli_explained_free(cli_explained *explained)
{
    free(explained->x);
    free(explained->y);
}
