/* The days of a date in the Gregorian calendar, which repeats every 400 years of 146097 days: years are
 * counted from March, so that the leap day is the last of a year, and day (153 m + 2) / 5 begins month m. */
#include "base/numbers/dates.h"

#include "base/numbers/number.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* Exactly `count` digits; -1: others. */
static int64_t read_digits(const char *text, int count)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++) {
        if (!isdigit((unsigned char)text[i])) return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

static int64_t month_length(int64_t year, int64_t month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return lengths[month - 1] + (leap && month == 2);
}

static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
    const int64_t y = year - (month <= 2), era = y / 400, of_era = y % 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* "HH:MM", "HH:MM:SS", "HH:MM:SS.5": a part of a day, or -1. */
static double read_time(const char *text, size_t length)
{
    double seconds = 0.0;
    if (length > 0 && text[length - 1] == 'Z') length--;
    if (length < 5 || text[2] != ':') return -1.0;
    const int64_t hours = read_digits(text, 2), minutes = read_digits(text + 3, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return -1.0;
    if (length > 5 && (length < 8 || text[5] != ':' || !isdigit((unsigned char)text[6]) ||
                       !ald_parse_real(text + 6, length - 6, &seconds) || !(seconds < 61.0)))
        return -1.0;
    return ((double)(hours * 60 + minutes) * 60.0 + seconds) / 86400.0;
}

typedef struct day {
    int64_t year, month, number;
} day;

/* "2025-01-31", or "31.01.2025" and "1.2.2025"; its bytes, 0: it is neither. */
static size_t read_day(const char *text, size_t length, day *d)
{
    if (length >= 10 && text[4] == '-' && text[7] == '-') {
        *d = (day){read_digits(text, 4), read_digits(text + 5, 2), read_digits(text + 8, 2)};
        return 10;
    }
    if (length < 8) return 0;
    const int first = text[1] == '.' ? 1 : 2, second = text[first + 2] == '.' ? 1 : 2;
    const size_t end = (size_t)(first + second + 6);
    if (text[first] != '.' || text[first + 1 + second] != '.' || length < end) return 0;
    d->number = read_digits(text, first);
    d->month = read_digits(text + first + 1, second);
    d->year = read_digits(text + first + second + 2, 4);
    return end;
}

int ald_parse_date(const char *text, size_t length, double *days)
{
    day d;
    const size_t end = read_day(text, length, &d);
    if (end == 0 || d.year < 0 || d.month < 1 || d.month > 12 || d.number < 1 ||
        d.number > month_length(d.year, d.month))
        return 0;
    double time = 0.0;
    if (length > end) time = strchr("T ", text[end]) ? read_time(text + end + 1, length - end - 1) : -1.0;
    if (time < 0.0) return 0;
    *days = (double)days_since_1970(d.year, d.month, d.number) + time;
    return 1;
}
