/* Columns that are places on a scale: their names are numbers with the same text around them. */
#include "base/numbers/number.h"

#include <alidade/coefficients.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *text)
{
    size_t length = 0;
    while (is_digit(text[length])) length++;
    return length;
}

/* Bytes of a decimal number without a sign at the start of the text; a comma may stand for the point. */
static size_t number_length(const char *text)
{
    size_t length = digits(text);
    if (length > 0 && (text[length] == '.' || text[length] == ',') && is_digit(text[length + 1]))
        length += 1 + digits(text + length + 1);
    const size_t sign = text[length] && (text[length + 1] == '-' || text[length + 1] == '+');
    if ((text[length] == 'e' || text[length] == 'E') && is_digit(text[length + 1 + sign]))
        length += 1 + sign + digits(text + length + 1 + sign);
    return length;
}

/* Where the number begins: the last run of digits that is not part of the text behind it would be a guess, so
 * it is the first. A minus belongs to it where nothing but a blank or an equals sign stands before it. */
static size_t number_start(const char *name)
{
    size_t at = 0;
    while (name[at] && !is_digit(name[at])) at++;
    if (at > 0 && name[at - 1] == '-' && (at == 1 || name[at - 2] == '=' || name[at - 2] == ' ')) at--;
    return at;
}

typedef struct parts {
    size_t before, number; /* bytes */
    const char *behind;
    double value;
} parts;

static int read_number(const char *text, size_t length, double *value)
{
    char point[64];
    if (length >= sizeof point) return 0;
    for (size_t i = 0; i < length; i++) point[i] = text[i] == ',' ? '.' : text[i];
    return ald_parse_real(point, length, value) && isfinite(*value);
}

static int take_apart(const char *name, parts *p)
{
    if (!name) return 0;
    p->before = number_start(name);
    const size_t minus = name[p->before] == '-';
    p->number = number_length(name + p->before + minus) + minus;
    p->behind = name + p->before + p->number;
    return p->number > minus && read_number(name + p->before, p->number, &p->value);
}

/* Without what only joins it to the number: blanks, and '=', '_' or ':' at the end; brackets around a unit.
 */
static void trim(const char *text, size_t length, char *out, size_t size)
{
    while (length > 0 && strchr(" =_:.-([", text[length - 1])) length--;
    while (length > 0 && strchr(" _([", *text)) {
        text++;
        length--;
    }
    while (length > 0 && strchr(" )]", text[length - 1])) length--;
    snprintf(out, size, "%.*s", (int)length, text);
}

static int rises_or_falls(int64_t count, const double *positions)
{
    for (int64_t j = 2; j < count; j++)
        if ((positions[j] - positions[j - 1]) * (positions[1] - positions[0]) <= 0.0) return 0;
    return positions[1] != positions[0];
}

int ald_column_positions(const char *const *names, int64_t count, double *positions, char *title, char *unit,
                         size_t size)
{
    parts first, own;
    if (!names || !positions || !title || !unit || size == 0) return 0;
    title[0] = unit[0] = '\0';
    if (count < 3 || !take_apart(names[0], &first)) return 0;
    for (int64_t j = 0; j < count; j++) {
        if (!take_apart(names[j], &own) || own.before != first.before) return 0;
        if (strncmp(names[j], names[0], first.before) != 0 || strcmp(own.behind, first.behind) != 0) return 0;
        positions[j] = own.value;
    }
    if (!rises_or_falls(count, positions)) return 0;
    trim(names[0], first.before, title, size);
    trim(first.behind, strlen(first.behind), unit, size);
    return 1;
}
