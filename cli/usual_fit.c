/* alidade fit without --method: the usual search chooses, where there is something to choose by. */
#include "usual_fit.h"

#include "candidates.h"
#include "repeating/repeat_fit.h"
#include "typed_settings.h"

#include <string.h>

/* --predictor none: there will be nothing to judge. */
static int predicts(const cli_args *args)
{
    for (int i = 0; i < args->n_given; i++)
        if (cli_is_parameter(&args->given[i]) && cli_given_is(&args->given[i], ALD_PARAM_IS_PREDICTOR))
            return strcmp(args->given[i].values[0], "none") != 0;
    return 1;
}

/* A search needs rows in memory that can be divided, and predictions of a target to judge by. */
static int applies(const cli_session *session, const ald_dataset *dataset, const ald_load_options *load)
{
    const cli_args *args = &session->args;
    const int divisible = !load->graph_file && !load->distances_file && !load->response_kernel_file &&
                          !load->start_file && !load->unlabelled_file;
    return divisible && !cli_flag(args, "stream") && !cli_wants_gaps(session) &&
           !cli_given_find(args, "choose-neighbors") && predicts(args) &&
           ald_dataset_target(dataset)->kind != ALD_TARGET_NONE;
}

static void say_choice(cli_session *session, const ald_model *model, const ald_dataset *dataset)
{
    cli_line line;
    cli_say(session, "method  %s (%s)", ald_model_method(model),
            ald_method_title(ald_method_find(ald_model_method(model))));
    cli_say(session, "        chosen: %s", ald_model_text(model, "alidade.resolved.tuning"));
    cli_repeat_method(model, dataset, &line);
    if (cli_line_fits(&line)) cli_say(session, "        the same without a search:%s", line.text);
}

/* What cannot be searched is fitted by a rule of thumb. */
static int settle(cli_session *session, const char *data, ald_status status)
{
    char reason[CLI_SPELLED_SIZE];
    if (status >= 0 || status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED)
        return cli_check_data(session, data, status);
    cli_spell(session->verb, session->error.message, reason, sizeof reason);
    cli_say(session, "note    methods were not compared: %s", reason);
    return CLI_DONE;
}

int cli_usual_fit(cli_session *session, const char *data, const ald_dataset *dataset,
                  const ald_load_options *load, ald_model **model)
{
    cli_candidates given = {0};
    *model = NULL;
    if (!applies(session, dataset, load)) return CLI_DONE;
    int code = cli_candidates_settings(session, &given);
    if (code == CLI_DONE)
        code = settle(session, data,
                      ald_fit_usual(session->context, dataset, &given.search, model, &session->error));
    if (*model) say_choice(session, *model, dataset);
    cli_candidates_free(&given);
    return code;
}
