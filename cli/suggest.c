#include "suggest.h"

#include <ctype.h>
#include <string.h>

enum { longest_name = 40 };

static int letter(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

int cli_name_equal(const char *a, const char *b)
{
    while (*a && (*a == *b || (*a == '_' && *b == '-') || (*a == '-' && *b == '_'))) a++, b++;
    return *a == *b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance where swapping two neighbours counts once. Three rows of its table are kept. */
static int distance_between(const char *a, int m, const char *b, int n)
{
    int rows[3][longest_name + 1];
    for (int j = 0; j <= n; j++) rows[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            const int change = letter(a[i - 1]) != letter(b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + change);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) && letter(a[i - 2]) == letter(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

static int tolerance(int length)
{
    return length <= 3 ? 1 : length <= 6 ? 2 : 3;
}

void cli_suggestion_consider(cli_suggestion *suggestion, const char *candidate)
{
    const char *wanted = suggestion->wanted;
    const int m = (int)strnlen(wanted, longest_name + 1), n = (int)strnlen(candidate, longest_name + 1);
    if (m > longest_name || n > longest_name) return;
    int distance = distance_between(wanted, m, candidate, n);
    /* The beginning of a long name is a near miss, however much is missing. */
    if (m >= 3 && m < n && distance_between(wanted, m, candidate, m) == 0) distance = 1;
    if (distance > tolerance(m) || distance >= least(m, n)) return;
    if (suggestion->best && distance >= suggestion->distance) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}
