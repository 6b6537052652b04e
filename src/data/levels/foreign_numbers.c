#include "data/levels/foreign_numbers.h"

#include "base/numbers/number.h"
#include "io/table/place.h"

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

/* A sign of money or a percent sign with blanks around it, also such as never break, at `at`; its bytes, 0:
 * none. */
static size_t sign_at(const char *at)
{
    static const char *const signs[] = {
        "$",   "%",   " ",   "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xc2\xa0", "\xe2\x80\xaf",
        "EUR", "USD", "GBP", "CHF",
    };
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (strncmp(at, signs[k], strlen(signs[k])) == 0) return strlen(signs[k]);
    return 0;
}

/* "$1,234.50", "12 %": a number with such a sign before or behind it. */
static int has_sign(const char *text)
{
    char core[40];
    size_t before = 0, signs = 0, size, length = 0;
    double value;
    while ((size = sign_at(text + before)) > 0) before += size;
    for (; text[before + length] && !(size = sign_at(text + before + length)); length++)
        if (length + 1 >= sizeof core) return 0;
    while ((size = sign_at(text + before + length + signs)) > 0) signs += size;
    if (text[before + length + signs] || before + signs == 0 || length == 0) return 0;
    memcpy(core, text + before, length);
    core[length] = '\0';
    return ald_parse_real(core, length, &value) || is_comma_number(core) || has_thousands(core);
}

/* A minus or a dash that is not the one of the keyboard; its bytes, 0: none. */
static size_t other_minus(const char *text)
{
    static const char minus[] = "\xe2\x88\x92", dash[] = "\xe2\x80\x93";
    const size_t size = sizeof minus - 1;
    return strncmp(text, minus, size) == 0 || strncmp(text, dash, size) == 0 ? size : 0;
}

/* A number with such a minus, or as Fortran writes it, "1.5D+02". */
static int has_other_form(const char *text)
{
    char copy[40] = "-";
    double value;
    const size_t minus = other_minus(text), length = strlen(text + minus);
    if (length + 2 > sizeof copy) return 0;
    memcpy(copy + 1, text + minus, length + 1);
    char *const exponent = strchr(copy, '.') ? strpbrk(copy, "Dd") : NULL;
    if (minus == 0 && !exponent) return 0;
    if (exponent) *exponent = 'e';
    return ald_parse_real(copy + (minus == 0), length + (minus > 0), &value);
}

/* "31/01/2025", "1.2.25": a day, a month and a year with one mark between. */
static int is_other_date(const char *text)
{
    const int first = count_digits(text);
    const char mark = text[first];
    if (first < 1 || first > 2 || !mark || !strchr("/.-", mark)) return 0;
    const int second = count_digits(text + first + 1);
    const char *third = text + first + 1 + second;
    if (second < 1 || second > 2 || *third != mark) return 0;
    const int year = count_digits(third + 1);
    return (year == 2 || year == 4) && !isdigit((unsigned char)third[1 + year]);
}

static int all_texts(const ald_column *column, int (*are)(const char *))
{
    for (int64_t k = 0; k < column->n_levels; k++)
        if (!are(column->levels[k])) return 0;
    return column->n_levels > 0 && column->n_texts > 0;
}

int ald_has_foreign_numbers(const ald_column *column)
{
    return column->n_levels > 0 && (all_texts(column, has_thousands) || all_texts(column, is_comma_number));
}

const char *ald_lookalike(const ald_column *column)
{
    if (column->nominal || column->n_numbers > 0) return NULL;
    if (all_texts(column, has_sign))
        return "a number with a sign or a blank, which is read as text: write it without, to have it as a "
               "number";
    if (all_texts(column, has_other_form))
        return "a number written otherwise, which is read as text: write it with the minus of the keyboard, "
               "and powers of ten with e, to have it as a number";
    if (all_texts(column, is_other_date))
        return "a date, it seems, of which only the form 2025-01-31 is read";
    return NULL;
}

/* What to do about numbers that may have decimal commas, marks between thousands, or could be either. */
static const char *advice(int commas, int thousands)
{
    if (commas && thousands)
        return "a comma: give `decimal=comma` where it stands before decimals, `thousands=,` where it "
               "divides "
               "thousands";
    if (commas)
        return "a comma: give `decimal=comma`, or write numbers with a decimal point and nothing between the "
               "thousands";
    return "marks between the thousands: name the mark in `thousands`";
}

ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column)
{
    const ald_column *info = &table->columns[column];
    int commas = !table->decimal_comma, thousands = 1;
    if (info->nominal || info->n_levels == 0) return ALD_OK;
    for (int64_t k = 0; k < info->n_levels; k++) {
        const int comma = is_comma_number(info->levels[k]), groups = has_thousands(info->levels[k]);
        if (!comma && !groups) return ALD_OK;
        commas = commas && comma;
        thousands = thousands && groups;
    }
    return ald_fail_at(
        run->error, ALD_ERROR_DATA, info->first_text_line, info->position,
        "%s: %s holds '%.40s', a number with %s, or name the column in `categorical` to take it as "
        "categories",
        ald_text_source(table, column), ald_cell_place(table, -1, column, info->first_text_line).text,
        info->levels[0], advice(commas, thousands));
}
