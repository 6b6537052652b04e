/* Settings of one method that differ by the values of grids, each with the words that tell it from the
 * others. */
#include "base/core/error.h"
#include "base/numbers/number.h"
#include "base/numbers/random.h"
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "fit/fitting/method_settings.h"
#include "judge/choosing/search.h"

#include <alidade/candidates.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grids of values as text: a list with commas whose parts are values, or ranges that are written out,
 *   log:LOW:HIGH:COUNT   evenly by logarithms, 0 < LOW < HIGH, both ends included
 *   lin:LOW:HIGH:COUNT   evenly
 * COUNT is left out only where values are drawn. */

/* Count 0: not given. */
typedef struct range {
    int logarithmic;
    double low, high;
    int64_t count;
} range;

enum { most_values = 1000, most_words = 4 };

/* The words of a text between colons; how many, at most most_words + 1. */
static int cut(const char *text, size_t length, const char **words, size_t *lengths)
{
    int n = 0;
    for (size_t at = 0; at <= length && n <= most_words; n++) {
        size_t end = at;
        while (end < length && text[end] != ':') end++;
        if (n < most_words) {
            words[n] = text + at;
            lengths[n] = end - at;
        }
        at = end + 1;
    }
    return n;
}

/* 1: a range, 0: none, -1: a wrong one. */
static int read_range(const char *text, size_t length, range *r)
{
    const char *words[most_words];
    size_t lengths[most_words];
    if (length < 4 || (strncmp(text, "log:", 4) != 0 && strncmp(text, "lin:", 4) != 0)) return 0;
    const int n = cut(text, length, words, lengths);
    *r = (range){.logarithmic = text[1] == 'o'};
    if (n < 3 || n > most_words) return -1;
    if (!ald_parse_real(words[1], lengths[1], &r->low) || !ald_parse_real(words[2], lengths[2], &r->high))
        return -1;
    if (n == most_words && !ald_parse_int(words[3], lengths[3], &r->count)) return -1;
    if (n == most_words && (r->count < 2 || r->count > most_values)) return -1;
    if (!isfinite(r->low) || !isfinite(r->high)) return -1;
    return r->low < r->high && (!r->logarithmic || r->low > 0.0) ? 1 : -1;
}

/* The value at part u of the range. The ends are met exactly. */
static double value_at(const range *r, double u)
{
    if (u <= 0.0) return r->low;
    if (u >= 1.0) return r->high;
    return r->logarithmic ? exp(log(r->low) + u * log(r->high / r->low)) : r->low + u * (r->high - r->low);
}

static ald_status wrong_range(ald_run *run, const char *name, const char *text, size_t length)
{
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "`grids=%s=%.*s`: a range is log:LOW:HIGH:COUNT or lin:LOW:HIGH:COUNT, LOW below HIGH and, for log, "
        "above 0, COUNT from 2 to %d; only `random` needs no COUNT",
        name, length < 100 ? (int)length : 100, text, most_values);
}

static ald_status no_values(ald_run *run, const char *name)
{
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "`grids=%s=` has no values, or an empty one: write for example `grids=%s=0,1,10`", name,
                    name);
}

static ald_status write_part(ald_run *run, const char *name, const char *text, size_t length, ald_text *list)
{
    range r;
    const int kind = read_range(text, length, &r);
    if (kind == 0) return ald_text_add(run, list, text, length);
    if (kind < 0 || r.count == 0) return wrong_range(run, name, text, length);
    for (int64_t i = 0; i < r.count; i++)
        ALD_TRY(ald_text_print(run, list, "%s%.6g", i ? "," : "",
                               value_at(&r, (double)i / (double)(r.count - 1))));
    return ALD_OK;
}

ald_status ald_grid_write(ald_run *run, const ald_grid *grid, ald_text *list)
{
    const char *at = grid->values;
    for (int more = 1; more;) {
        const size_t length = strcspn(at, ",");
        if (length == 0) return no_values(run, grid->name);
        if (at > grid->values) ALD_TRY(ald_text_add(run, list, ",", 1));
        ALD_TRY(write_part(run, grid->name, at, length, list));
        at += length;
        more = *at == ',';
        at += more;
    }
    return ALD_OK;
}

/* Word number `index` of a list with commas (negative: none); how many there are before it, or in all. */
static int64_t word_at(const char *list, int64_t index, const char **word, size_t *length)
{
    int64_t count = 0;
    for (const char *at = list; *at; count++) {
        *length = strcspn(at, ",");
        *word = at;
        if (count == index) return count;
        at += *length;
        at += *at == ',';
    }
    return count;
}

static double uniform(uint64_t seed, uint64_t index)
{
    ald_random random;
    ald_random_seed(&random, seed, index);
    return ald_random_uniform(&random);
}

/* One value, by number `index` of the sequence of `seed`: of a range anything in it, else one of the list. */
static ald_status grid_draw(ald_run *run, const ald_grid *grid, uint64_t seed, uint64_t index, char *value,
                            size_t size)
{
    const char *word = NULL;
    size_t length = 0;
    range r;
    const int64_t count = word_at(grid->values, -1, &word, &length);
    if (count == 0) return no_values(run, grid->name);
    const double u = uniform(seed, index) * (double)count;
    word_at(grid->values, (int64_t)u, &word, &length);
    if (length == 0 || length >= size) return no_values(run, grid->name);
    const int kind = read_range(word, length, &r);
    if (kind < 0) return wrong_range(run, grid->name, word, length);
    if (kind == 0)
        snprintf(value, size, "%.*s", (int)length, word);
    else
        snprintf(value, size, grid->whole ? "%.0f" : "%.6g", value_at(&r, u - floor(u)));
    return ALD_OK;
}

ald_status ald_grid_list(ald_context *context, const char *grid, char **values, ald_error *error)
{
    const ald_grid given = {.name = "parameter", .values = grid};
    ald_run run;
    ald_text list;
    if (values) *values = NULL;
    ALD_GIVEN(error, context, grid, values);
    ald_run_begin(&run, context, error);
    ald_text_init(&list, &run.scratch);
    ald_status status = ald_grid_write(&run, &given, &list);
    if (status >= 0) status = ald_text_hand_out(&run, &list, values);
    return ald_run_end(&run, status);
}

/* Numbers of components as text: "3", "1:4", "10:50:10", with commas. */

enum { most = 1000 };

/* Adds FIRST, FIRST:LAST or FIRST:LAST:STEP to the list, which has room for `most`. */
static int read_numbers(const char *text, size_t length, int64_t *list, int *count)
{
    int64_t bounds[3] = {0, 0, 1};
    int n = 0;
    for (size_t at = 0; at <= length; n++) {
        size_t end = at;
        while (end < length && text[end] != ':') end++;
        if (n == 3 || !ald_parse_int(text + at, end - at, &bounds[n])) return 0;
        at = end + 1;
    }
    if (n == 1) bounds[1] = bounds[0];
    if (bounds[0] < 1 || bounds[1] < bounds[0] || bounds[1] > INT32_MAX || bounds[2] < 1) return 0;
    for (int64_t r = bounds[0]; r <= bounds[1]; r += bounds[2]) {
        if (*count == most) return 0;
        list[(*count)++] = r;
        if (bounds[2] > INT32_MAX) break;
    }
    return 1;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int sort_once(int64_t *list, int count)
{
    int kept = 0;
    qsort(list, (size_t)count, sizeof *list, compare_ints);
    for (int i = 0; i < count; i++)
        if (i == 0 || list[i] != list[kept - 1]) list[kept++] = list[i];
    return kept;
}

ald_status ald_dims_read(ald_run *run, ald_arena *memory, const char *text, int64_t **dims, int *count)
{
    int good = 1, found = 0;
    ALD_TRY(ald_get(run, memory, most, 1, sizeof **dims, dims));
    for (const char *at = text; good && *at;) {
        const size_t length = strcspn(at, ",");
        good = read_numbers(at, length, *dims, &found);
        at += length;
        at += *at == ',';
    }
    if (!good || found == 0)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`components=%.60s`: numbers of components are written as 3, 1:4 (the smaller first) or "
            "1,2,5: each from 1, at most %d of them",
            text, most);
    *count = sort_once(*dims, found);
    return ALD_OK;
}

ald_status ald_settings_list_grow(ald_run *run, ald_settings_list *list)
{
    if (list->count < list->capacity) return ALD_OK;
    const int64_t capacity = 2 * list->capacity + 16;
    ALD_TRY(ald_resize(run, list->memory, &list->items, capacity, 1, sizeof *list->items));
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
            ALD_TRY(grid_draw(run, &grids[g], seed, drawn++, value, sizeof value));
            ALD_TRY(set_word(run, k, grids[g].name, value, &made));
        }
    *v = made;
    return ALD_OK;
}
