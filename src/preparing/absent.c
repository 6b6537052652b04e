#include "preparing/absent.h"

#include "core/text.h"
#include "preparing/schema.h"

#include <string.h>

/* The nearest name among the columns that no feature has; NULL: none is near. */
static const char *nearest_name(const ald_table *table, const unsigned char *taken, const char *name)
{
    const char *nearest = NULL;
    int best = ald_name_tolerance(name) + 1;
    for (int64_t j = 0; j < table->cols; j++) {
        const char *candidate = taken[j] ? NULL : table->columns[j].name;
        const int distance = candidate ? ald_name_distance(name, candidate) : best;
        if (distance >= best) continue;
        best = distance;
        nearest = candidate;
    }
    return nearest;
}

static ald_status mark_taken(ald_run *run, const ald_preparation *p, unsigned char **taken)
{
    ALD_TRY(ald_scratch(run, p->table->cols, 1, 1, taken));
    memset(*taken, 0, (size_t)p->table->cols);
    for (int64_t k = 0; k < p->n_features; k++)
        if (p->features[k].column >= 0) (*taken)[p->features[k].column] = 1;
    return ALD_OK;
}

/* "'a' (is it 'A'?), 'b', ... (25 in all)" */
static ald_status list_absent(ald_run *run, const ald_preparation *p, int64_t absent, ald_text *list)
{
    enum { most_listed = 12 };
    unsigned char *taken;
    int64_t listed = 0;
    ALD_TRY(mark_taken(run, p, &taken));
    for (int64_t k = 0; k < p->n_features && listed < most_listed; k++) {
        if (p->features[k].column >= 0) continue;
        const char *name = p->schema->features[k].name, *near = nearest_name(p->table, taken, name);
        ALD_TRY(ald_text_print(run, list, "%s'%.60s'", listed++ ? ", " : "", name));
        if (near) ALD_TRY(ald_text_print(run, list, " (is it '%.60s'?)", near));
    }
    if (absent > most_listed) ALD_TRY(ald_text_print(run, list, ", ... (%lld in all)", (long long)absent));
    return ALD_OK;
}

ald_status ald_fail_absent(ald_run *run, const ald_preparation *p, int64_t absent)
{
    ald_text list;
    ald_text_init(&list, &run->scratch);
    ALD_TRY(list_absent(run, p, absent, &list));
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has no column%s %s, which the model was fitted on",
                    p->table->source, absent == 1 ? "" : "s", list.data);
}
