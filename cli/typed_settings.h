/* The settings of a method from what was given on the command line and in the config file. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "printing/print_json.h"

/* Settings with every parameter that was given; one that the method does not have is an error that names the
 * methods that do. `by_auto`: the method was chosen by auto. */
int cli_settings_make(cli_session *session, const ald_method *method, int by_auto, ald_settings **settings);

/* Whether it is a parameter of methods, by its own name or by another. */
int cli_is_parameter(const cli_given *given);
/* Its value; of a flag 1, or 0 where a config file says no. */
const char *cli_given_value(const cli_given *given);
ald_status cli_set_value(cli_session *session, ald_settings *settings, const cli_given *given);
/* Tells a message about something given, with its place when that is the config file. */
int cli_wrong_parameter(cli_session *session, const cli_given *given, const char *message);
/* The method of --method, NULL for auto (also where none is named). */
int cli_method_named(cli_session *session, const ald_method **method);
/* The method that auto stands for with these rows, and why. */
int cli_method_by_auto(cli_session *session, const ald_dataset *dataset, const ald_method **method,
                       char *reason, size_t size);

/* "a, b": the methods that have a parameter. */
void cli_methods_with(const char *parameter, char *list, size_t size);
/* The parameters that were set, as an object; NULL for want of memory. */
json_t *cli_settings_json(const ald_settings *settings);

#endif
