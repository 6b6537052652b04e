/* Lists of methods as text, and the words that stand for several. */
#include "judge/choosing/search.h"

#include "base/settings/method.h"
#include "methods/predict/predictor.h"

#include <alidade/candidates.h>
#include <stdio.h>
#include <string.h>

static int is_any(const ald_method *method)
{
    (void)method;
    return 1;
}

static int is_linear(const ald_method *method)
{
    return (ald_method_capabilities(method) & ALD_IS_LINEAR) != 0;
}

static int is_kernel(const ald_method *method)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (param->traits & ALD_PARAM_IS_KERNEL) return !is_linear(method);
    return 0;
}

/* Words that stand for several methods; NULL: those of the usual search (portfolio.c). */
static const struct {
    const char *word;
    int (*has)(const ald_method *method);
} families[] = {{"auto", NULL}, {"all", is_any}, {"linear", is_linear}, {"kernel", is_kernel}};
enum { family_count = sizeof families / sizeof *families };

/* Whether the method can take such data: target, responses, storage, weights, and map rows it was not fitted
 * on. */
static int method_takes(const ald_method *method, const ald_matrix *x, const ald_target *y)
{
    static const unsigned kinds[] = {
        [ALD_TARGET_NONE] = ALD_CAN_NO_TARGET,
        [ALD_TARGET_CLASSES] = ALD_CAN_CLASSES,
        [ALD_TARGET_REAL] = ALD_CAN_REAL,
        [ALD_TARGET_LABELS] = ALD_CAN_LABELS,
    };
    unsigned needs = ALD_CAN_MAP_NEW_ROWS | kinds[y->kind];
    if (x->storage != ALD_DENSE) needs |= ALD_CAN_SPARSE;
    if (y->weights) needs |= ALD_CAN_WEIGHTS;
    if (y->kind == ALD_TARGET_REAL && y->values.cols > 1) needs |= ALD_CAN_RESPONSES;
    return (ald_method_capabilities(method) & needs) == needs;
}

static int same(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* The method of a name, or the number of a family; neither: -1 and NULL. */
static const ald_method *find(const char *text, size_t length, int *family)
{
    char name[64];
    *family = -1;
    for (int i = 0; i < family_count; i++)
        if (same(families[i].word, text, length)) *family = i;
    if (*family >= 0 || length >= sizeof name) return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (int i = 0; i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        if (method->regression && strcmp(method->regression, name) == 0) return method;
    }
    return ald_method_find(name);
}

static ald_status unknown(ald_error *error, const char *text, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, text);
    const char *near = ald_method_suggest(name);
    if (near)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "`methods`: there is no method %s; did you mean %s?", name,
                        near);
    if (name[strspn(name, "0123456789.")] == '\0')
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "`methods`: there is no method %s; a comma begins the next method, and numbers of a "
                        "list are joined by + (10+5)",
                        name);
    return ald_fail(error, ALD_ERROR_ARGUMENT, "`methods`: there is no method %s; `ald_method_at` lists them",
                    name);
}

/* One entry, cut at its first blank. */
typedef struct entry {
    const char *name, *words;
    size_t name_length, words_length;
} entry;

/* The next entry of a list; 0 at its end. */
static int next_entry(const char **at, entry *e)
{
    static const char spaces[] = " \t";
    if (!**at) return 0;
    const size_t length = strcspn(*at, ",");
    const char *const end = *at + length;
    e->name = *at + strspn(*at, spaces);
    if (e->name > end) e->name = end;
    e->name_length = strcspn(e->name, " \t,");
    e->words = e->name + e->name_length;
    e->words_length = (size_t)(end - e->words);
    *at = *end ? end + 1 : end;
    return 1;
}

/* A comma too many is a name that was lost. */
static ald_status check_commas(ald_error *error, const char *list)
{
    entry e;
    int count = 0, bad = 0;
    for (const char *at = list; next_entry(&at, &e); count++) bad |= e.name_length == 0;
    if (count == 0)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "`methods` names no method; `ald_method_at` lists them");
    if (!bad && list[strlen(list) - 1] != ',') return ALD_OK;
    return ald_fail(error, ALD_ERROR_ARGUMENT, "`methods=%.100s`: a name is missing next to a comma", list);
}

ald_status ald_methods_check(const char *methods, int *only_real, ald_error *error)
{
    const char *list = methods ? methods : families[0].word;
    entry e;
    int family, real = 1;
    ald_clear_error(error);
    ALD_TRY(check_commas(error, list));
    for (const char *at = list; next_entry(&at, &e);) {
        const ald_method *method = find(e.name, e.name_length, &family);
        if (!method && family < 0) return unknown(error, e.name, e.name_length);
        const unsigned can = method ? ald_method_capabilities(method) : ALD_CAN_CLASSES;
        if (!(can & ALD_CAN_REAL) || (can & ALD_CAN_CLASSES)) real = 0;
    }
    if (only_real) *only_real = real;
    return ALD_OK;
}

static int is_named(const char *list, const ald_method *method)
{
    entry e;
    int family;
    for (const char *at = list; next_entry(&at, &e);)
        if (find(e.name, e.name_length, &family) == method) return 1;
    return 0;
}

static int is_listed(const ald_named_method *methods, int count, const ald_method *method)
{
    for (int i = 0; i < count; i++)
        if (methods[i].method == method) return 1;
    return 0;
}

/* The entries of the usual search. */
static void add_portfolio(const char *list, const ald_matrix *x, const ald_target *y, const entry *e,
                          ald_named_method *methods, int *count)
{
    for (const ald_portfolio_entry *p = ald_portfolio; p->method; p++) {
        const ald_method *method = ald_method_find(p->method);
        if (!ald_portfolio_takes(p, y) || !method_takes(method, x, y) || is_named(list, method) ||
            is_listed(methods, *count, method))
            continue;
        methods[(*count)++] = (ald_named_method){method, e->words, e->words_length, p};
    }
}

static void add_family(const char *list, int family, const ald_matrix *x, const ald_target *y, const entry *e,
                       ald_named_method *methods, int *count)
{
    if (!families[family].has) {
        add_portfolio(list, x, y, e, methods, count);
        return;
    }
    for (int i = 0; i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        if (!families[family].has(method) || !method_takes(method, x, y) || is_named(list, method)) continue;
        if (is_listed(methods, *count, method)) continue;
        methods[(*count)++] = (ald_named_method){method, e->words, e->words_length, NULL};
    }
}

/* Names the methods of a family that are left out, so that nobody looks for them. */
static ald_status note_left_out(ald_run *run, const char *list, int family, const ald_matrix *x,
                                const ald_target *y)
{
    ald_text names;
    ald_text_init(&names, &run->scratch);
    for (int i = 0; families[family].has && i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        if (families[family].has(method) && !method_takes(method, x, y) && !is_named(list, method))
            ALD_TRY(ald_text_print(run, &names, "%s%s", names.length ? ", " : "", method->name));
    }
    if (names.length)
        ald_log(run, ALD_LOG_INFO, "left out, as they cannot take such data or map other rows: %s",
                names.data);
    return ALD_OK;
}

ald_status ald_methods_read(ald_run *run, const char *list, const ald_matrix *x, const ald_target *y,
                            ald_named_method **methods, int *count)
{
    const char *names = list ? list : families[0].word;
    entry e;
    int entries = 0, family;
    *count = 0;
    ALD_TRY(ald_methods_check(names, NULL, run->error));
    for (const char *at = names; next_entry(&at, &e);) entries++;
    ALD_TRY(ald_scratch(run, entries + ald_method_count(), 1, sizeof **methods, methods));
    for (const char *at = names; next_entry(&at, &e);) {
        const ald_method *method = find(e.name, e.name_length, &family);
        if (method) {
            (*methods)[(*count)++] = (ald_named_method){method, e.words, e.words_length, NULL};
        } else if (x && y) {
            add_family(names, family, x, y, &e, *methods, count);
            ALD_TRY(note_left_out(run, names, family, x, y));
        }
    }
    if (*count > 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "`methods=%.100s`: no such method can handle these data",
                    names);
}

const ald_method *ald_unsupervised_method(void)
{
    for (int i = 0; i < ald_method_count(); i++)
        if (is_linear(ald_method_at(i)) && (ald_method_capabilities(ald_method_at(i)) & ALD_CAN_NO_TARGET))
            return ald_method_at(i);
    return NULL;
}

const char *ald_method_label(const ald_settings *settings, const ald_target *y)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_predictor *asked = ald_predictor_asked(settings);
    const int linear = !asked || asked == &ald_predictor_linear;
    const int numbers = y->kind == ALD_TARGET_REAL && !y->events;
    return numbers && linear && method->regression ? method->regression : method->name;
}

const ald_param *ald_method_parameter(const ald_method *method, const char *name)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (ald_name_distance(param->name, name) == 0) return param;
    return NULL;
}

ald_status ald_methods_with(ald_run *run, const char *parameter, ald_text *list)
{
    ALD_TRY(ald_text_print(run, list, "%s", ""));
    for (int i = 0; i < ald_method_count(); i++)
        if (ald_method_parameter(ald_method_at(i), parameter))
            ALD_TRY(ald_text_print(run, list, "%s%s", list->length ? ", " : "",
                                   ald_method_name(ald_method_at(i))));
    return ALD_OK;
}
