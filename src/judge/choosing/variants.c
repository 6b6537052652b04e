/* Settings of one method that differ by the values of grids, each with the words that tell it from the
 * others. */
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "fit/fitting/method_settings.h"
#include "judge/choosing/search.h"

#include <string.h>

ald_status ald_settings_list_grow(ald_run *run, ald_settings_list *list)
{
    if (list->count < list->capacity) return ALD_OK;
    const int64_t capacity = 2 * list->capacity + 16;
    ald_settings **more = ald_arena_resize(list->memory, list->items, capacity, 1, sizeof *more);
    if (!more) return ald_out_of_memory(run, capacity, 1, sizeof *more);
    list->items = more;
    list->capacity = capacity;
    return ALD_OK;
}

void ald_settings_list_free(ald_settings_list *list)
{
    for (int64_t i = 0; i < list->count; i++) ald_settings_free(list->items[i]);
    list->count = 0;
}

static ald_status get_room(ald_run *run, int64_t count, ald_variants *v)
{
    ald_arena *memory = v->owner->memory;
    if (count > ALD_MOST_VARIANTS)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`grids`: %lld combinations are too many: at most %d",
                        (long long)count, ALD_MOST_VARIANTS);
    v->settings = ald_arena_get(memory, count, 1, sizeof *v->settings);
    v->words = ald_arena_get(memory, count, 1, sizeof *v->words);
    return v->settings && v->words ? ALD_OK : ald_out_of_memory(run, count, 2, sizeof *v->words);
}

/* One more at the end of v, which has room: like `from`, which may be NULL for the defaults of a method. */
static ald_status add_one(ald_run *run, const ald_method *method, const ald_settings *from, const char *words,
                          ald_variants *v)
{
    ald_settings *made = NULL;
    ALD_TRY(ald_settings_list_grow(run, v->owner));
    ALD_TRY(from ? ald_settings_clone(run, from, &made, run->error)
                 : ald_settings_of_method(run->context, method, &made, run->error));
    v->owner->items[v->owner->count++] = made;
    v->settings[v->count] = made;
    v->words[v->count++] = words;
    return ALD_OK;
}

/* Sets a parameter of variant `at` and adds it to its words. */
static ald_status set_word(ald_run *run, int at, const char *name, const char *value, ald_variants *v)
{
    ald_text words;
    ALD_TRY(ald_settings_set_text(v->settings[at], name, value, run->error));
    ald_text_init(&words, v->owner->memory);
    ALD_TRY(ald_text_print(run, &words, "%s%s%s=%s", v->words[at], *v->words[at] ? " " : "", name, value));
    v->words[at] = words.data;
    return ALD_OK;
}

ald_status ald_assignment_cut(ald_run *run, const char *where, const char *text, size_t length, char **name,
                              char **value)
{
    const char *const equals = memchr(text, '=', length);
    if (!equals || equals == text)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s, not '%.*s'", where,
                        length < 100 ? (int)length : 100, text);
    const size_t first = (size_t)(equals - text);
    ALD_TRY(ald_scratch(run, (int64_t)length + 2, 1, 1, name));
    memcpy(*name, text, length);
    (*name)[first] = (*name)[length] = '\0';
    *value = *name + first + 1;
    return ALD_OK;
}

static ald_status check_meant(ald_run *run, const ald_method *method, const char *name)
{
    const ald_param *param = ald_method_parameter(method, name);
    if (!param || !(param->traits & ALD_PARAM_IS_COMPONENTS)) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "`methods`: numbers of components are set with `components`, or with components= after a method");
}

ald_status ald_settings_set_common(ald_run *run, const char *const *common, ald_settings *settings)
{
    char *name, *value;
    for (; common && *common; common++) {
        ALD_TRY(ald_assignment_cut(run, "`settings` are written name=value", *common, strlen(*common), &name,
                                   &value));
        ALD_TRY(check_meant(run, ald_settings_method(settings), name));
        if (ald_settings_text(settings, name))
            ALD_TRY(ald_settings_set_text(settings, name, value, run->error));
    }
    return ALD_OK;
}

/* "n_neighbors=10 components=1:3" behind the name. */
static ald_status read_words(ald_run *run, const ald_named_method *named, ald_variants *v)
{
    static const char where[] = "`methods`: the name of a method is followed by words of the form name=value";
    const char *at = named->words, *const end = at + named->length;
    char *name, *value;
    while (at < end) {
        at += strspn(at, " \t");
        const size_t length = strcspn(at, " \t,");
        if (at >= end || length == 0) break;
        ALD_TRY(ald_assignment_cut(run, where, at, length, &name, &value));
        ALD_TRY(check_meant(run, named->method, name));
        if (strcmp(name, "components") == 0 || strcmp(name, "dims") == 0)
            ALD_TRY(ald_dims_read(run, v->owner->memory, value, &v->dims, &v->n_dims));
        else
            ALD_TRY(set_word(run, 0, name, value, v));
        at += length;
    }
    return ALD_OK;
}

ald_status ald_variants_begin(ald_run *run, ald_settings_list *owner, const ald_named_method *named,
                              const char *const *common, ald_variants *v)
{
    *v = (ald_variants){.owner = owner};
    ALD_TRY(get_room(run, 1, v));
    ALD_TRY(add_one(run, named->method, NULL, "", v));
    ALD_TRY(ald_settings_set_common(run, common, v->settings[0]));
    return read_words(run, named, v);
}

int ald_variants_fix(const ald_variants *v, const char *name)
{
    const char *words = v->words[0];
    const size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && at[length] == '=') return 1;
    return 0;
}

ald_status ald_variants_expand(ald_run *run, const ald_grid *grid, ald_variants *v)
{
    ald_variants made = *v;
    ald_text list;
    int64_t values = 1;
    ald_text_init(&list, &run->scratch);
    ALD_TRY(ald_grid_write(run, grid, &list));
    for (char *at = list.data; *at; at++) values += *at == ',';
    made.count = 0;
    ALD_TRY(get_room(run, values * v->count, &made));
    for (char *at = list.data; values > 0; values--) {
        at[strcspn(at, ",")] = '\0';
        for (int i = 0; i < v->count; i++) {
            ALD_TRY(add_one(run, NULL, v->settings[i], v->words[i], &made));
            ALD_TRY(set_word(run, made.count - 1, grid->name, at, &made));
        }
        at += strlen(at) + 1;
    }
    *v = made;
    return ALD_OK;
}

ald_status ald_variants_draw(ald_run *run, const ald_grid *grids, int count, int64_t wanted, uint64_t seed,
                             ald_variants *v)
{
    ald_variants made = *v;
    char value[64];
    uint64_t drawn = 0;
    made.count = 0;
    ALD_TRY(get_room(run, wanted, &made));
    for (int64_t k = 0; k < wanted; k++) ALD_TRY(add_one(run, NULL, v->settings[0], v->words[0], &made));
    for (int g = 0; g < count; g++)
        for (int k = 0; k < made.count; k++) {
            ALD_TRY(ald_grid_draw(run, &grids[g], seed, drawn++, value, sizeof value));
            ALD_TRY(set_word(run, k, grids[g].name, value, &made));
        }
    *v = made;
    return ALD_OK;
}
