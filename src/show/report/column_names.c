#include "show/report/column_names.h"

#include "base/core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From the model's JSON list ("": unnamed; NULL: none), the data, or numbered. */
static ald_status name_one(ald_run *run, ald_report_job *job, const json_t *list, int64_t column)
{
    const char *known = json_string_value(json_array_get(list, (size_t)column));
    ald_text text;
    if (known && !*known) known = NULL;
    if (!known && job->data->feature_names && column < job->data->x.cols)
        known = job->data->feature_names[column];
    ald_text_init(&text, &run->scratch);
    ALD_TRY(known ? ald_text_add(run, &text, known, strlen(known))
                  : ald_text_print(run, &text, "x%lld", (long long)column + 1));
    job->column_names[column] = text.data;
    return ALD_OK;
}

ald_status ald_report_names(ald_run *run, ald_report_job *job)
{
    const char *text = ald_model_text(job->model, "alidade.feature_names");
    json_t *list = NULL;
    ald_status status = ALD_OK;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *job->column_names, &job->column_names));
    if (text)
        ALD_TRY(ald_json_parse(run, text, strlen(text), "the feature names of the model are damaged", &list));
    const json_t *usable = (int64_t)json_array_size(list) == job->d ? list : NULL;
    for (int64_t j = 0; j < job->d && status >= 0; j++) status = name_one(run, job, usable, j);
    json_decref(list);
    return status;
}

typedef struct ranked {
    double importance;
    int64_t column;
} ranked;

static int by_importance(const void *a, const void *b)
{
    const ranked *one = a, *two = b;
    if (one->importance != two->importance) return one->importance < two->importance ? 1 : -1;
    return one->column < two->column ? -1 : 1;
}

ald_status ald_order_by_importance(ald_run *run, const ald_report_job *job, int64_t *order)
{
    ranked *list;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *list, &list));
    for (int64_t j = 0; j < job->d; j++) {
        const double importance = job->importance ? job->importance[j] : 0.0;
        list[j] = (ranked){isfinite(importance) ? importance : -1.0, j};
    }
    qsort(list, (size_t)job->d, sizeof *list, by_importance);
    for (int64_t j = 0; j < job->d; j++) order[j] = list[j].column;
    return ALD_OK;
}

size_t ald_name_unit(const char *name, size_t *begins)
{
    const size_t length = strlen(name);
    const char last = length > 0 ? name[length - 1] : '\0';
    const char *open = NULL;
    if (last == ')') open = strrchr(name, '(');
    if (last == ']') open = strrchr(name, '[');
    *begins = open ? (size_t)(open - name) + 1 : 0;
    return open && open > name && *begins + 1 < length ? length - 1 - *begins : 0;
}
