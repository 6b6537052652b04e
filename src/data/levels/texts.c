/* Texts that are something else: marks for "no value", dates, numbers with leading zeros, money or decimal
 * commas. */
#include "data/levels/texts.h"

#include "base/numbers/number.h"
#include "io/table/table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int is_among(const char *text, char *const *list, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (strcmp(text, list[k]) == 0) return 1;
    return 0;
}

/* Whether such a mark is a level of a column that nothing is known of. */
static int stays(const ald_column *column, int64_t marks)
{
    const int64_t others = column->n_levels - marks;
    return column->n_numbers == 0 && (others == 1 || is_among("+", column->levels, column->n_levels));
}

/* Cells of `count` levels by their new numbers, -1: no value. */
static void renumber(ald_column *column, double *cells, int64_t stride, int64_t rows, const int64_t *numbers,
                     int counted)
{
    for (int64_t i = 0; i < rows; i++) {
        double *cell = &cells[i * stride];
        int64_t level;
        if (!ald_cell_is_text(*cell, &level)) continue;
        const int gone = numbers[level] < 0;
        *cell = gone ? ald_cell_missing() : ald_cell_text(numbers[level]);
        if (!counted) continue;
        column->n_texts -= gone;
        column->n_missing += gone;
    }
}

static ald_status drop_levels(ald_run *run, ald_table *table, int64_t column, const unsigned char *gone)
{
    ald_column *of = &table->columns[column];
    int64_t *numbers;
    int64_t kept = 0;
    ALD_TRY(ald_scratch(run, of->n_levels, 1, sizeof *numbers, &numbers));
    for (int64_t k = 0; k < of->n_levels; k++) {
        numbers[k] = gone[k] ? -1 : kept;
        if (!gone[k]) of->levels[kept++] = of->levels[k];
    }
    renumber(of, table->cells + column, table->cols, table->rows, numbers, 1);
    if (of->summary) renumber(of, of->summary->cells, 1, of->summary->n, numbers, 0);
    of->n_levels = kept;
    if (!of->first_missing_line) of->first_missing_line = of->first_text_line;
    ald_arena_drop(&run->scratch, numbers);
    return ALD_OK;
}

ald_status ald_settle_marks(ald_run *run, ald_table *table, int64_t column, char *const *known,
                            int64_t n_known)
{
    ald_column *of = &table->columns[column];
    unsigned char *gone;
    int64_t marks = 0;
    if (of->nominal || of->n_levels == 0 || table->sparse) return ALD_OK;
    ALD_TRY(ald_scratch(run, of->n_levels, 1, 1, &gone));
    for (int64_t k = 0; k < of->n_levels; k++) {
        const char *level = of->levels[k];
        gone[k] = ald_text_may_be_missing(level, strlen(level)) && !is_among(level, known, n_known);
        marks += gone[k];
    }
    if (marks > 0 && !(n_known < 0 && stays(of, marks))) ALD_TRY(drop_levels(run, table, column, gone));
    ald_arena_drop(&run->scratch, gone);
    return ALD_OK;
}

ald_status ald_settle_all_marks(ald_run *run, ald_table *table)
{
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        ALD_TRY(ald_settle_marks(run, table, j, NULL, -1));
        ALD_TRY(ald_settle_truth(run, table, j));
    }
    return ALD_OK;
}

int ald_texts_are(const ald_column *column, ald_text_parser parse)
{
    double value;
    for (int64_t k = 0; k < column->n_levels; k++)
        if (!parse(column->levels[k], strlen(column->levels[k]), &value)) return 0;
    return column->n_levels > 0;
}

/* For the whole file, if the table is a part of it. */
static ald_status summarise_numbers(ald_run *run, ald_table *table, ald_column *of, const double *values)
{
    double sum = 0.0, count = 0.0;
    int64_t level;
    if (!of->summary) return ALD_OK;
    ald_column_summary *made = ald_arena_get(table->arena, 1, 1, sizeof *made);
    if (!made) return ald_out_of_memory(run, 1, 1, sizeof *made);
    *made = *of->summary;
    for (int64_t i = 0; i < made->n; i++) {
        if (!ald_cell_is_text(made->cells[i], &level)) continue;
        sum += (double)made->counts[i] * values[level];
        count += (double)made->counts[i];
    }
    made->mean = count > 0.0 ? sum / count : (double)NAN;
    of->summary = made;
    return ALD_OK;
}

ald_status ald_texts_to_numbers(ald_run *run, ald_table *table, int64_t column, ald_text_parser parse)
{
    ald_column *of = &table->columns[column];
    double *values;
    ALD_TRY(ald_scratch_reals(run, of->n_levels, 1, &values));
    for (int64_t k = 0; k < of->n_levels; k++)
        if (!parse(of->levels[k], strlen(of->levels[k]), &values[k])) values[k] = ald_cell_missing();
    ALD_TRY(summarise_numbers(run, table, of, values));
    for (int64_t i = 0; i < table->rows; i++) {
        double *cell = &table->cells[i * table->cols + column];
        int64_t level;
        if (ald_cell_is_text(*cell, &level)) *cell = values[level];
    }
    of->n_numbers += of->n_texts;
    of->n_texts = of->n_levels = 0;
    ald_arena_drop(&run->scratch, values);
    return ALD_OK;
}

enum { longest_unit = 15 };

/* Blanks, also such as never break, at `at`: their bytes. */
static size_t blanks_at(const char *at)
{
    static const char *const blanks[] = {" ", "\xc2\xa0", "\xe2\x80\xaf"};
    size_t size = 0;
    for (size_t k = 0; k < sizeof blanks / sizeof *blanks; k++)
        if (strncmp(at + size, blanks[k], strlen(blanks[k])) == 0) {
            size += strlen(blanks[k]);
            k = (size_t)-1;
        }
    return size;
}

/* Letters and signs, such as kg, %, m/s, m2, but no other digits. */
static int is_unit(const char *text)
{
    const size_t length = strlen(text);
    if (length == 0 || length > longest_unit || isdigit((unsigned char)*text) || *text == '/') return 0;
    for (const char *at = text; *at; at++)
        if (!isalpha((unsigned char)*at) && (unsigned char)*at < 0x80 && !strchr("%$/^*23", *at)) return 0;
    return 1;
}

/* The unit behind a number; NULL: the text is not so written. A comma before three digits may be one between
 * thousands: such a number is not understood. */
static const char *unit_of(const char *text, double *value)
{
    char copy[40];
    const size_t length = strspn(text, "+-0123456789.,eE"), last = strspn(text, "+-0123456789.,");
    const char *comma = memchr(text, ',', last);
    if (last == 0 || length >= sizeof copy) return NULL;
    if (comma &&
        (memchr(text, '.', last) || (strspn(comma + 1, "0123456789") == 3 && comma + 4 == text + last)))
        return NULL;
    memcpy(copy, text, length);
    if (comma) copy[comma - text] = '.';
    const char *stop = ald_scan_real(copy, copy + length, value);
    const char *end = stop ? text + (stop - copy) : NULL;
    return end && is_unit(end + blanks_at(end)) ? end + blanks_at(end) : NULL;
}

static int parse_with_unit(const char *text, size_t length, double *value)
{
    (void)length;
    return unit_of(text, value) != NULL;
}

/* The unit of all texts of a column; NULL: some have none, or another. */
static const char *unit_of_all(const ald_column *column)
{
    double value;
    const char *unit = column->n_levels > 0 ? unit_of(column->levels[0], &value) : NULL;
    for (int64_t k = 1; unit && k < column->n_levels; k++) {
        const char *own = unit_of(column->levels[k], &value);
        if (!own || strcmp(own, unit) != 0) unit = NULL;
    }
    return unit;
}

ald_status ald_settle_unit(ald_run *run, ald_table *table, int64_t column, const char *unit)
{
    ald_column *of = &table->columns[column];
    const char *found = unit_of_all(of);
    if (table->sparse || of->nominal || of->n_texts == 0 || !found || (unit && strcmp(unit, found) != 0))
        return ALD_OK;
    ALD_TRY(ald_keep_text(run, table->arena, found, strlen(found), &of->unit));
    if (!unit)
        ald_log(run, ALD_LOG_INFO, "%s: %s holds numbers with the unit '%s', which is left out",
                table->source, ald_column_label(table, column).text, of->unit);
    return ald_texts_to_numbers(run, table, column, parse_with_unit);
}

static int truth_of(const char *text)
{
    if (strcasecmp(text, "true") == 0) return 1;
    return strcasecmp(text, "false") == 0 ? 0 : -1;
}

ald_status ald_settle_truth(ald_run *run, ald_table *table, int64_t column)
{
    static const char *const names[2] = {"false", "true"};
    ald_column *of = &table->columns[column];
    int64_t first[2] = {-1, -1}, kept = 0, times[2] = {0, 0};
    int64_t *numbers;
    for (int64_t k = 0; k < of->n_levels; k++)
        if (truth_of(of->levels[k]) >= 0) times[truth_of(of->levels[k])]++;
    if (of->nominal || table->sparse || (times[0] < 2 && times[1] < 2)) return ALD_OK;
    ALD_TRY(ald_scratch(run, of->n_levels, 1, sizeof *numbers, &numbers));
    for (int64_t k = 0; k < of->n_levels; k++) {
        const int truth = truth_of(of->levels[k]);
        numbers[k] = truth >= 0 && first[truth] >= 0 ? first[truth] : kept;
        if (numbers[k] < kept) continue;
        if (truth >= 0) first[truth] = kept;
        of->levels[kept++] = of->levels[k];
    }
    for (int truth = 0; truth < 2; truth++)
        if (times[truth] > 1)
            ALD_TRY(ald_keep_text(run, table->arena, names[truth], strlen(names[truth]),
                                  &of->levels[first[truth]]));
    renumber(of, table->cells + column, table->cols, table->rows, numbers, 1);
    if (of->summary) renumber(of, of->summary->cells, 1, of->summary->n, numbers, 0);
    of->n_levels = kept;
    return ALD_OK;
}

/* "99.8", where numbers were read with decimal commas. */
static int is_point_number(const ald_table *table, const char *text)
{
    double value;
    return table->decimal_comma && strchr(text, '.') && ald_parse_real(text, strlen(text), &value);
}

const char *ald_text_hint(const ald_table *table, const char *text, char hint[ALD_HINT_SIZE])
{
    enum { longest = 20 };
    const int plain = *text && strlen(text) <= longest && !strpbrk(text, ",`'\"\\ \t");
    hint[0] = '\0';
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20) return hint;
    if (is_point_number(table, text))
        snprintf(hint, ALD_HINT_SIZE, ", or give `decimal=point` if numbers have a decimal point");
    else if (plain)
        snprintf(hint, ALD_HINT_SIZE, ", or give `na=%s` if it marks a missing value", text);
    return hint;
}

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
        return "a number with a sign or a blank, which is read as text: remove it to have the cell read as a "
               "number";
    if (all_texts(column, has_other_form))
        return "a number in an unsupported form, which is read as text: use the ASCII minus sign, and e for "
               "powers of ten, to have it read as a number";
    if (all_texts(column, is_other_date))
        return "apparently a date; only 2025-01-31 and 31.01.2025 are recognised";
    return NULL;
}

/* What to do about numbers that may have decimal commas or points, marks between thousands, or could be
 * either. */
static const char *advice(int commas, int points, int thousands)
{
    if (points && !thousands)
        return "a point: give `decimal=point`, or write numbers with a decimal comma and nothing between the "
               "thousands";
    if (commas && thousands)
        return "a comma: give `decimal=comma` if it is the decimal mark, `thousands=,` if it separates "
               "thousands";
    if (commas)
        return "a comma: give `decimal=comma`, or write numbers with a decimal point and nothing between the "
               "thousands";
    return "thousands separators: give the mark in `thousands`";
}

ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column)
{
    const ald_column *info = &table->columns[column];
    int commas = !table->decimal_comma, points = table->decimal_comma, thousands = 1;
    if (info->nominal || info->n_levels == 0) return ALD_OK;
    for (int64_t k = 0; k < info->n_levels; k++) {
        const int comma = is_comma_number(info->levels[k]), groups = has_thousands(info->levels[k]),
                  point = is_point_number(table, info->levels[k]);
        if (!comma && !point && !groups) return ALD_OK;
        commas = commas && comma;
        points = points && point;
        thousands = thousands && groups;
    }
    return ald_fail_at(run->error, ALD_ERROR_DATA, info->first_text_line, info->position,
                       "%s: %s holds '%.40s', a number with %s, or name the column in `categorical` to treat "
                       "it as categories",
                       ald_text_source(table, column),
                       ald_cell_place(table, -1, column, info->first_text_line).text, info->levels[0],
                       advice(commas, points, thousands));
}
