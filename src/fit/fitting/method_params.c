#include "fit/fitting/method_params.h"

#include "base/settings/common_params.h"
#include "methods/predict/predictor.h"

#include <string.h>

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

int ald_method_params(const ald_method *method, const ald_param *params[ald_most_params])
{
    int count = 0;
    ald_param_table entry;
    for (int t = 0; (entry = table_at(method, t)) != NULL; t++)
        for (; *entry && count < ald_most_params; entry++) count = add_entry(*entry, count, params);
    return count;
}

const ald_param *ald_method_param(const ald_method *method, int index)
{
    const ald_param *params[ald_most_params];
    const int count = method ? ald_method_params(method, params) : 0;
    return index >= 0 && index < count ? params[index] : NULL;
}

const ald_param *ald_method_param_with(const ald_method *method, unsigned traits)
{
    const ald_param *params[ald_most_params];
    const int count = method ? ald_method_params(method, params) : 0;
    for (int i = 0; i < count; i++)
        if (params[i]->traits & traits) return params[i];
    return NULL;
}
