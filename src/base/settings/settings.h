/* The values of one method's parameters, as the library reads them.
 *
 * Code that knows a parameter asks by the entry of the table that defines it, never by its name: what is
 * misspelt does not compile. Code that is about all methods asks by a trait (ald_param_trait). */
#ifndef ALD_SETTINGS_SETTINGS_H
#define ALD_SETTINGS_SETTINGS_H

#include "base/core/run.h"
#include "base/settings/params.h"

/* All of `params` (count, kept by reference) at their defaults. */
ald_status ald_settings_make(const ald_context *context, const ald_method *method,
                             const ald_param *const *params, int count, ald_settings **settings,
                             ald_error *error);

/* ald_settings_copy as a part of the call of `run`. */
ald_status ald_settings_clone(const ald_run *run, const ald_settings *from, ald_settings **settings,
                              ald_error *error);

/* The value of the parameter of that entry's name in the settings of the run; the method has one, else a
 * debug build stops. A method may have an entry of its own of that name, with another help, range or default.
 */
int64_t ald_setting_int(const ald_run *run, const ald_param *param);
/* How many numbers the list of whole numbers has, and number `at` of them, from 0; after its end the last. */
int64_t ald_setting_ints(const ald_run *run, const ald_param *param);
int64_t ald_setting_int_at(const ald_run *run, const ald_param *param, int64_t at);
double ald_setting_real(const ald_run *run, const ald_param *param);
int ald_setting_flag(const ald_run *run, const ald_param *param);
/* The place of the value among the choices of the method's entry: an enumerator beside that list. */
int ald_setting_choice(const ald_run *run, const ald_param *param);
/* Whether it is that choice, for engines of methods whose lists differ; one of the two lists has it, else a
 * debug build stops. */
int ald_setting_is(const ald_run *run, const ald_param *param, const char *choice);
/* The value as text, owned by the settings. */
const char *ald_setting_text(const ald_run *run, const ald_param *param);
/* Whether the caller set it, for defaults that depend on the data where no value can stand for "by the data".
 */
int ald_setting_given(const ald_run *run, const ald_param *param);

/* The same of settings that no run is about. */
int64_t ald_settings_int_of(const ald_settings *settings, const ald_param *param);
const char *ald_settings_text_of(const ald_settings *settings, const ald_param *param);

/* All of them in the order of ald_method_param, NULL past the end; the value of one, which exists, and
 * whether the caller set it. */
const ald_param *ald_settings_param_at(const ald_settings *settings, int index);
const char *ald_settings_text_at(const ald_settings *settings, int index);
int ald_settings_given_at(const ald_settings *settings, int index);

/* Whether the method has a parameter of that entry's name, for engines of methods that differ in it. */
int ald_settings_has(const ald_settings *settings, const ald_param *param);

/* The first parameter with a trait, or NULL; and its value, or `absent`. */
const ald_param *ald_settings_param_with(const ald_settings *settings, unsigned trait);
double ald_settings_real_with(const ald_settings *settings, unsigned trait, double absent);

#endif
