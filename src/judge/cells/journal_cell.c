#include "judge/cells/journal_cell.h"

#include "base/numbers/number.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* JSON has no such numbers: they are texts. */
static const struct {
    const char *text;
    double value;
} not_finite[] = {{"inf", INFINITY}, {"-inf", -INFINITY}};

static ald_status print_real(ald_run *run, ald_text *text, const char *name, double value)
{
    char number[ALD_REAL_TEXT_SIZE] = "null";
    if (isfinite(value)) ald_format_real(value, number);
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; i++)
        if (value == not_finite[i].value)
            return ald_text_print(run, text, "%s\"%s\"", name, not_finite[i].text);
    return ald_text_print(run, text, "%s%s", name, number);
}

ald_status ald_journal_cell_print(ald_run *run, ald_text *text, const ald_cell *cell)
{
    ALD_TRY(ald_text_print(run, text, "{\"dims\": %lld, \"setting\": %d, \"status\": %d, \"message\": ",
                           (long long)cell->dims, cell->setting, (int)cell->status));
    ALD_TRY(ald_text_json(run, text, cell->message));
    ALD_TRY(print_real(run, text, ", \"fit_seconds\": ", cell->fit_seconds));
    ALD_TRY(print_real(run, text, ", \"apply_seconds\": ", cell->apply_seconds));
    for (int k = 0; k < ALD_MOST_METRICS; k++)
        ALD_TRY(print_real(run, text, k ? ", " : ", \"metrics\": [", cell->metrics[k]));
    return ald_text_print(run, text, "]}");
}

/* null is NaN. */
static int read_real(const json_t *value, double *real)
{
    *real = NAN;
    if (json_is_null(value)) return 1;
    if (json_is_number(value)) *real = json_number_value(value);
    for (size_t i = 0; json_is_string(value) && i < sizeof not_finite / sizeof *not_finite; i++)
        if (strcmp(json_string_value(value), not_finite[i].text) == 0) *real = not_finite[i].value;
    return !isnan(*real);
}

static int read_seconds(const json_t *object, const char *name, double *seconds)
{
    return read_real(json_object_get(object, name), seconds) && !(*seconds < 0.0) && !isinf(*seconds);
}

static int read_int(const json_t *object, const char *name, int64_t low, int64_t high, int64_t *number)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value)) return 0;
    *number = (int64_t)json_integer_value(value);
    return *number >= low && *number <= high;
}

static int read_message(const json_t *object, ald_cell *cell)
{
    const json_t *value = json_object_get(object, "message");
    if (!json_is_string(value) || json_string_length(value) >= sizeof cell->message) return 0;
    memcpy(cell->message, json_string_value(value), json_string_length(value) + 1);
    return 1;
}

static int read_metrics(const json_t *object, ald_cell *cell)
{
    const json_t *list = json_object_get(object, "metrics");
    if (!json_is_array(list) || json_array_size(list) != ALD_MOST_METRICS) return 0;
    for (int k = 0; k < ALD_MOST_METRICS; k++)
        if (!read_real(json_array_get(list, (size_t)k), &cell->metrics[k])) return 0;
    return 1;
}

int ald_journal_cell_read(const json_t *object, ald_cell *cell)
{
    enum { fields = 7 };
    int64_t setting, status;
    *cell = (ald_cell){0};
    if (!json_is_object(object) || json_object_size(object) != fields) return 0;
    if (!read_int(object, "dims", -1, INT32_MAX, &cell->dims)) return 0;
    if (!read_int(object, "setting", -1, INT_MAX, &setting)) return 0;
    if (!read_int(object, "status", ALD_ERROR_CANCELLED, ALD_RANK_REDUCED, &status)) return 0;
    cell->setting = (int)setting;
    cell->status = (ald_status)status;
    return read_message(object, cell) && read_seconds(object, "fit_seconds", &cell->fit_seconds) &&
           read_seconds(object, "apply_seconds", &cell->apply_seconds) && read_metrics(object, cell);
}
