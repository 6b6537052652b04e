/* The parameters of a method, one after the other: its own tables, then those that every method has. */
#include "core/common_params.h"
#include "predict/predictor.h"

#include <string.h>

static ald_param_table table_at(const ald_method *method, int index)
{
    static const ald_param_table everyone[] = {ald_common_params, ald_predictor_params};
    int own = 0;
    while (method->tables[own]) own++;
    if (index < own) return method->tables[index];
    return index - own < (int)(sizeof everyone / sizeof *everyone) ? everyone[index - own] : NULL;
}

static const ald_param *find_entry(ald_param_table table, const char *name)
{
    for (; *table; table++)
        if (strcmp((*table)->name, name) == 0) return *table;
    return NULL;
}

/* The entry of that name that counts: of the first table that has one. */
static const ald_param *first_entry(const ald_method *method, const char *name)
{
    const ald_param *found = NULL;
    for (int t = 0; !found && table_at(method, t); t++) found = find_entry(table_at(method, t), name);
    return found;
}

static int is_in_later(const ald_method *method, int t, const char *name)
{
    while (table_at(method, ++t))
        if (find_entry(table_at(method, t), name)) return 1;
    return 0;
}

/* A parameter stands where the last of its tables has it. */
const ald_param *ald_method_param(const ald_method *method, int index)
{
    ald_param_table entry;
    for (int t = 0; method && index >= 0 && (entry = table_at(method, t)) != NULL; t++)
        for (; *entry; entry++)
            if (!is_in_later(method, t, (*entry)->name) && index-- == 0)
                return first_entry(method, (*entry)->name);
    return NULL;
}

const ald_param *ald_method_param_with(const ald_method *method, unsigned traits)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (param->traits & traits) return param;
    return NULL;
}
