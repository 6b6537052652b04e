/* A comparison as a table to be read. */
#include "base/core/error.h"
#include "base/core/text.h"
#include "judge/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { longest_name = 200 };

/* "pls scale=standard". */
static int name_of(const ald_comparison_row *row, char name[longest_name])
{
    snprintf(name, longest_name, "%s%s%s", row->label, *row->words ? " " : "", row->words);
    return (int)strlen(name);
}

static const char *components_of(const ald_comparison_row *row, char text[24])
{
    if (row->dims < 0) return "chosen";
    snprintf(text, 24, "%lld", (long long)row->dims);
    return row->dims == 0 ? "-" : text;
}

/* With four decimals where that suits all means, else with four digits. */
typedef struct layout {
    int width; /* of the names */
    int fixed;
} layout;

static const char *number_of(const layout *l, double number, char text[24])
{
    snprintf(text, 24, l->fixed ? "%.4f" : "%.3e", number);
    return isnan(number) ? "-" : text;
}

static layout layout_of(const ald_comparison *c)
{
    layout l = {.width = (int)strlen("method"), .fixed = 1};
    char name[longest_name];
    for (int i = 0; i < c->n_rows; i++) {
        const double size = fabs(c->rows[i].mean);
        const int length = name_of(&c->rows[i], name);
        if (length > l.width) l.width = length;
        if (size >= 1e5 || (size > 0.0 && size < 0.01)) l.fixed = 0;
    }
    return l;
}

static ald_status write_row(ald_run *run, const layout *l, const ald_comparison_row *row, ald_text *text)
{
    const char *mark = ald_mark_name(row->mark);
    char name[longest_name], components[24], mean[24], deviation[24];
    name_of(row, name);
    return ald_text_print(run, text, "%-*s  %10s  %10s  %10s%s%s\n", l->width, name,
                          components_of(row, components), number_of(l, row->mean, mean),
                          number_of(l, row->std, deviation), *mark ? "  " : "", mark);
}

static ald_status write_table(ald_run *run, const ald_comparison *c, ald_text *text)
{
    const layout l = layout_of(c);
    ALD_TRY(ald_text_print(run, text, "%-*s  %10s  %10s  %10s\n", l.width, "method", "components",
                           c->metric->name, "std"));
    for (int i = 0; i < c->n_rows; i++) ALD_TRY(write_row(run, &l, &c->rows[i], text));
    return ALD_OK;
}

ald_status ald_comparison_text(ald_context *context, const ald_comparison *comparison, char **text,
                               ald_error *error)
{
    ald_run run;
    ald_text table;
    if (text) *text = NULL;
    ALD_GIVEN(error, context, comparison, text);
    ald_run_begin(&run, context, error);
    ald_text_init(&table, &run.scratch);
    ald_status status = write_table(&run, comparison, &table);
    if (status >= 0) status = ald_text_hand_out(&run, &table, text);
    return ald_run_end(&run, status);
}
