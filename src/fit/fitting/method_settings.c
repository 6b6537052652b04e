/* The parameters of a method, and ald_settings_new by a name, in words or as a model keeps them: the
 * registry of methods and the settings meet here. */
#include "fit/fitting/method_settings.h"

#include "base/core/context.h"
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "methods/predict/predictor.h"

#include <string.h>

enum { most_params = 64 };

static ald_param_table table_at(const ald_method *method, int index)
{
    static const ald_param_table everyone[] = {ald_common_params, ald_predictor_params};
    int own = 0;
    while (method->tables[own]) own++;
    if (index < own) return method->tables[index];
    return index - own < (int)(sizeof everyone / sizeof *everyone) ? everyone[index - own] : NULL;
}

/* The place of the entry of that name among the first `count`, or `count`. */
static int find_entry(const ald_param *const *params, int count, const char *name)
{
    int i = 0;
    while (i < count && (params[i]->name[0] != name[0] || strcmp(params[i]->name, name) != 0)) i++;
    return i;
}

/* A parameter stands where the last of its tables has it, and its entry is that of the first. */
static int add_entry(const ald_param *entry, int count, const ald_param **params)
{
    const int found = find_entry(params, count, entry->name);
    if (found == count) {
        params[count] = entry;
        return count + 1;
    }
    const ald_param *first = params[found];
    memmove(params + found, params + found + 1, (size_t)(count - found - 1) * sizeof *params);
    params[count - 1] = first;
    return count;
}

/* All of them, in the order of ald_method_param: the method's own tables, then those that every method has.
 * Returns how many. */
static int list_params(const ald_method *method, const ald_param *params[most_params])
{
    int count = 0;
    ald_param_table entry;
    for (int t = 0; (entry = table_at(method, t)) != NULL; t++)
        for (; *entry && count < most_params; entry++) count = add_entry(*entry, count, params);
    return count;
}

const ald_param *ald_method_param(const ald_method *method, int index)
{
    const ald_param *params[most_params];
    const int count = method ? list_params(method, params) : 0;
    return index >= 0 && index < count ? params[index] : NULL;
}

const ald_param *ald_method_param_with(const ald_method *method, unsigned traits)
{
    const ald_param *params[most_params];
    const int count = method ? list_params(method, params) : 0;
    for (int i = 0; i < count; i++)
        if (params[i]->traits & traits) return params[i];
    return NULL;
}

static ald_status unknown_method(const char *name, ald_error *error)
{
    const char *nearest = ald_method_suggest(name);
    if (nearest)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "there is no method '%.60s'; the nearest is '%s'", name,
                        nearest);
    return ald_fail(error, ALD_ERROR_ARGUMENT,
                    "there is no method '%.60s'; `ald_method_at` lists the methods", name);
}

ald_status ald_settings_of_method(const ald_context *context, const ald_method *method,
                                  ald_settings **settings, ald_error *error)
{
    const ald_param *params[most_params];
    const int count = list_params(method, params);
    return ald_settings_make(context, method, params, count, settings, error);
}

static ald_status settings_named(const ald_context *context, const char *name, ald_settings **settings,
                                 ald_error *error)
{
    const ald_method *method = ald_method_find(name);
    if (!method) return unknown_method(name, error);
    return ald_settings_of_method(context, method, settings, error);
}

ald_status ald_settings_new(ald_context *context, const char *name, ald_settings **settings, ald_error *error)
{
    if (settings) *settings = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, context, name, settings);
    return settings_named(context, name, settings, error);
}

/* A method and its settings in words, "lda n_components=2 predictor=centroid". */
static const char blanks[] = " \t\n";
enum { longest_word = 128 };

/* A copy of the word that `at` points at, and the place behind it; longer words are cut, and fail by that. */
static const char *next_word(const char *at, char word[longest_word])
{
    const size_t length = strcspn(at, blanks), kept = length < longest_word ? length : longest_word - 1;
    memcpy(word, at, kept);
    word[kept] = '\0';
    return at + length + strspn(at + length, blanks);
}

static ald_status set_word(ald_settings *settings, char *word, ald_error *error)
{
    char *const equals = strchr(word, '=');
    if (!equals || equals == word)
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "the name of a method is followed by settings such as `scale=standard`, not '%.60s'",
                        word);
    *equals = '\0';
    return ald_settings_set_text(settings, word, equals + 1, error);
}

ald_status ald_settings_from_words(ald_context *context, const char *words, ald_settings **settings,
                                   ald_error *error)
{
    char word[longest_word];
    if (settings) *settings = NULL;
    ALD_GIVEN(error, context, words, settings);
    const char *at = next_word(words + strspn(words, blanks), word);
    ald_status status = ald_settings_new(context, word, settings, error);
    while (status >= 0 && *at) {
        at = next_word(at, word);
        status = set_word(*settings, word, error);
    }
    if (status >= 0) return status;
    ald_settings_free(*settings);
    *settings = NULL;
    return status;
}

ald_status ald_settings_as_stored(const ald_context *context, const ald_model *model, ald_settings **settings,
                                  ald_error *error)
{
    static const char prefix[] = "alidade.param.";
    const char *method = ald_model_method(model), *key, *value;
    ALD_TRY(settings_named(context, method ? method : "", settings, error));
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, prefix, sizeof prefix - 1) != 0) continue;
        const ald_status status = ald_settings_set_text(*settings, key + sizeof prefix - 1, value, error);
        if (status >= 0) continue;
        ald_settings_free(*settings);
        *settings = NULL;
        return status;
    }
    return ALD_OK;
}
