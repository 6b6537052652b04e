/* A method and its settings in words, "lda n_components=2 predictor=centroid". */
#include "core/given.h"

#include <alidade/model.h>
#include <string.h>

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
                        "behind the name of a method come settings such as `scale=standard`, not '%.60s'",
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

ald_status ald_fit_words(ald_context *context, const char *words, const ald_inputs *inputs, ald_model **model,
                         ald_error *error)
{
    ald_settings *settings;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, words, inputs, model);
    ALD_TRY(ald_settings_from_words(context, words, &settings, error));
    const ald_status status = ald_fit_inputs(context, settings, inputs, model, error);
    ald_settings_free(settings);
    return status;
}
