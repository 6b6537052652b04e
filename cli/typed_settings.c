#include "typed_settings.h"

#include <string.h>

void cli_methods_with(const char *parameter, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < ald_method_count() && used < size; i++)
        if (cli_method_has(ald_method_at(i), parameter))
            used += (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "",
                                     ald_method_name(ald_method_at(i)));
}

int cli_wrong_parameter(cli_session *session, const cli_given *given, const char *message)
{
    if (given->line) return cli_usage(session, "%s:%d: %s", session->args.config_path, given->line, message);
    return cli_usage(session, "%s", message);
}

const char *cli_given_value(const cli_given *given)
{
    if (given->values[0]) return given->values[0];
    return given->count > 0 ? "1" : "0";
}

ald_status cli_set_value(cli_session *session, ald_settings *settings, const cli_given *given)
{
    return ald_settings_set_text(settings, cli_given_key(given), cli_given_value(given), &session->error);
}

int cli_is_parameter(const cli_given *given)
{
    return given->param || given->option->parameter;
}

static int set_parameter(cli_session *session, const ald_method *method, int by_auto, const cli_given *given,
                         ald_settings *settings)
{
    char others[300], message[500];
    if (cli_method_has(method, cli_given_key(given))) {
        if (cli_set_value(session, settings, given) >= 0) return CLI_DONE;
        return cli_wrong_parameter(session, given, session->error.message);
    }
    cli_methods_with(cli_given_key(given), others, sizeof others);
    snprintf(message, sizeof message, "%s is not a parameter of the method %s%s; it belongs to %s",
             given->spelled, ald_method_name(method), by_auto ? ", which auto chose" : "", others);
    return cli_wrong_parameter(session, given, message);
}

int cli_settings_make(cli_session *session, const ald_method *method, int by_auto, ald_settings **settings)
{
    CLI_TRY(cli_check(
        session, ald_settings_new(session->context, ald_method_name(method), settings, &session->error)));
    for (int i = 0; i < session->args.n_given; i++) {
        const cli_given *given = &session->args.given[i];
        if (cli_is_parameter(given)) CLI_TRY(set_parameter(session, method, by_auto, given, *settings));
    }
    return CLI_DONE;
}

int cli_method_named(cli_session *session, const ald_method **method)
{
    const char *name = cli_text(&session->args, "method", "auto");
    *method = strcmp(name, "auto") == 0 ? NULL : ald_method_find(name);
    if (*method || strcmp(name, "auto") == 0) return CLI_DONE;
    if (strchr(name, ','))
        return cli_usage(session,
                         "--method %s: fit takes one method; alidade compare and alidade tune take several",
                         name);
    return cli_no_method(session, name);
}

int cli_method_by_auto(cli_session *session, const ald_dataset *dataset, const ald_method **method,
                       char *reason, size_t size)
{
    const char *name = ald_method_auto(dataset, reason, size);
    *method = name ? ald_method_find(name) : NULL;
    if (*method) return CLI_DONE;
    return cli_fail(session, "no method accepts these data: %s", reason);
}

json_t *cli_settings_json(const ald_settings *settings)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_param *param;
    json_t *object = json_object();
    int bad = 0;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (ald_settings_given(settings, param->name))
            bad |= json_object_set_new(object, param->name,
                                       cli_json_param(param, ald_settings_text(settings, param->name)));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}
