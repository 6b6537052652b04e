/* The Hilbert-Schmidt independence criterion on the command line: evaluate --hsic. */
#include "printing/printing.h"

#include "ranks/gather_rows.h"

#include <stdlib.h>

int cli_hsic_read(cli_session *session, cli_hsic *hsic)
{
    hsic->wanted = cli_flag(&session->args, "hsic") > 0;
    hsic->permutations = cli_int(&session->args, "permutations", 199);
    if (!hsic->wanted && cli_given_find(&session->args, "permutations"))
        return cli_usage(session, "--permutations is for --hsic; give that too");
    if (hsic->permutations < 0)
        return cli_usage(session, "--permutations %lld: expected a whole number, 0 or more",
                         (long long)hsic->permutations);
    return CLI_DONE;
}

int cli_hsic_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                     const ald_target *target, const char *path, cli_hsic *hsic)
{
    const int64_t r = ald_model_component_count(model);
    const ald_hsic_options options = {.size = sizeof options, .permutations = hsic->permutations};
    cli_projection p;
    hsic->result = (ald_hsic_result)ALD_HSIC_RESULT_INIT;
    if (!hsic->wanted) return CLI_DONE;
    int code = cli_project(session, model, x, path, &p);
    const ald_matrix projection = ald_matrix_row_major(p.z, target->rows, r, r);
    if (code == CLI_DONE && !cli_waits(session))
        code = cli_check_data(
            session, path,
            ald_hsic(session->context, &projection, target, &options, &hsic->result, &session->error));
    cli_projection_free(session, &p);
    return code;
}

void cli_hsic_print(cli_session *session, const cli_hsic *hsic)
{
    if (!hsic->wanted) return;
    printf("%12s  %12s  %12s\n%12.6g  ", "hsic", "p_value", "kernel_width", hsic->result.value);
    if (hsic->permutations > 0)
        printf("%12.6g", hsic->result.p_value);
    else
        printf("%12s", "-");
    printf("  %12.6g\n", hsic->result.kernel_width);
    cli_say(session, "hsic: how strongly the target depends on the projection (0: not at all); for comparing "
                     "projections of the same rows and target");
    if (hsic->permutations > 0)
        cli_say(session,
                "p_value: how often chance gives at least as much, from %lld random orders of the target",
                (long long)hsic->permutations);
}

int cli_hsic_set(json_t *root, const cli_hsic *hsic)
{
    if (!hsic->wanted) return 0;
    const int tested = hsic->permutations > 0;
    json_t *one = json_object();
    int bad = json_object_set_new(one, "value", cli_json_real(hsic->result.value));
    bad |= json_object_set_new(one, "p_value", tested ? cli_json_real(hsic->result.p_value) : json_null());
    bad |= json_object_set_new(one, "permutations", json_integer(hsic->permutations));
    bad |= json_object_set_new(one, "kernel_width", cli_json_real(hsic->result.kernel_width));
    bad |= json_object_set_new(one, "response_width", cli_json_real(hsic->result.response_width));
    return bad | json_object_set_new(root, "hsic", one);
}
