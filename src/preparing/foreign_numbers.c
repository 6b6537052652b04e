#include "preparing/foreign_numbers.h"

#include "numbers/number.h"
#include "table/place.h"

#include <ctype.h>
#include <string.h>

/* "1,5": a number, as much of the world writes it. */
static int is_comma_number(const char *text)
{
    char copy[40];
    double value;
    const size_t length = strlen(text);
    char *const comma = length < sizeof copy ? strchr(memcpy(copy, text, length + 1), ',') : NULL;
    if (!comma || comma == copy || memchr(copy, '.', length)) return 0;
    *comma = '.';
    return ald_parse_real(copy, length, &value);
}

static int count_digits(const char *text)
{
    int count = 0;
    while (isdigit((unsigned char)text[count])) count++;
    return count;
}

/* "1.234.567", "1,234.5", "12'000": groups of three digits with one mark between, and perhaps decimals. */
static int has_thousands(const char *text)
{
    text += *text == '+' || *text == '-';
    const int first = count_digits(text);
    const char mark = text[first];
    int groups = 0;
    if (first < 1 || first > 3 || !mark || !strchr(".,' ", mark)) return 0;
    for (text += first; *text == mark && count_digits(text + 1) == 3; text += 4) groups++;
    if (groups > 0 && (*text == '.' || *text == ',')) text += 1 + count_digits(text + 1);
    return groups > 0 && *text == '\0';
}

ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column)
{
    const ald_column *info = &table->columns[column];
    int commas = !table->decimal_comma;
    if (info->nominal || info->n_levels == 0) return ALD_OK;
    for (int64_t k = 0; k < info->n_levels; k++) {
        const int comma = is_comma_number(info->levels[k]);
        if (!comma && !has_thousands(info->levels[k])) return ALD_OK;
        commas = commas && comma;
    }
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, info->first_text_line, info->position,
        "%s: %s holds '%.40s', a number with %s, or name the column in `categorical` to take it as "
        "categories",
        table->source, ald_cell_place(table, -1, column, info->first_text_line).text, info->levels[0],
        commas
            ? "a comma: give `decimal=comma`, or write numbers with a decimal point and nothing between the "
              "thousands"
            : "marks between the thousands: write numbers without them");
}
