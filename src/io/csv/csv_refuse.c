#include "io/csv/csv_refuse.h"

#include <stdio.h>

/* Few lines of fewer cells at the top stand before the table rather than in it. */
static const char *hint_of(const ald_table *table, int hash_first, int64_t line, int64_t found, char hint[80])
{
    enum { most_before = 40 };
    if (hash_first) return "; if that is a comment, give `comment=#`";
    if (found < 2 * table->cols || line > most_before) return "";
    snprintf(hint, 80, "; if the table begins there, give `skip=%lld`", (long long)line - 1);
    return hint;
}

ald_status ald_csv_fail_ragged(ald_run *run, const ald_table *table, int hash_first, int64_t line,
                               int64_t found)
{
    char hint[80];
    return ald_fail_at(run->error, ALD_ERROR_FORMAT, line, 0,
                       "%lld cell%s found, %lld expected as in the first row%s", (long long)found,
                       found == 1 ? "" : "s", (long long)table->cols,
                       hint_of(table, hash_first, line, found, hint));
}

ald_status ald_csv_fail_empty(ald_run *run, int64_t skip)
{
    if (skip == 0) return ald_fail(run->error, ALD_ERROR_DATA, "the file is empty: no rows");
    return ald_fail(run->error, ALD_ERROR_DATA, "no rows: nothing follows the %lld lines of `skip`",
                    (long long)skip);
}
