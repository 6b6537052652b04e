/* The nearest name to a misspelt one. */
#include "cli.h"

#include <alidade/method.h>
#include <ctype.h>
#include <string.h>

static int letter(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

int cli_same_letter(char a, char b)
{
    return (letter(a) == ' ' ? '-' : letter(a)) == (letter(b) == ' ' ? '-' : letter(b));
}

int cli_name_equal(const char *a, const char *b)
{
    while (*a && (*a == *b || (*a == '_' && *b == '-') || (*a == '-' && *b == '_'))) a++, b++;
    return *a == *b;
}

static int begins_with(const char *text, const char *beginning)
{
    while (*beginning && letter(*text) == letter(*beginning)) text++, beginning++;
    return !*beginning;
}

void cli_suggestion_consider(cli_suggestion *suggestion, const char *candidate)
{
    const char *wanted = suggestion->wanted;
    const int m = (int)strlen(wanted), n = (int)strlen(candidate);
    int distance = ald_name_distance(wanted, candidate);
    /* The beginning of a long name is a near miss, however much is missing. */
    if (m >= 3 && m < n && begins_with(candidate, wanted)) distance = 1;
    if (distance > ald_name_tolerance(wanted) || distance >= m || distance >= n) return;
    if (suggestion->best && distance >= suggestion->distance) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}
