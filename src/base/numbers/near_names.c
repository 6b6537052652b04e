/* Which names are near each other. */
#include "base/numbers/near_names.h"

#include <alidade/method.h>
#include <string.h>

enum { longest_name = 40 };

static int same_letter(char a, char b)
{
    if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
    if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
    if (a == '_') a = '-';
    if (b == '_') b = '-';
    return a == b;
}

static int least_of(int a, int b, int c)
{
    const int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance with swaps of neighbours (optimal string alignment). */
int ald_name_distance(const char *a, const char *b)
{
    if (!a || !b) return longest_name + 1;
    const int m = (int)strnlen(a, longest_name + 1), n = (int)strnlen(b, longest_name + 1);
    if (m > longest_name || n > longest_name) return longest_name + 1;
    int before[longest_name + 1] = {0}, above[longest_name + 1], row[longest_name + 1];
    for (int j = 0; j <= n; j++) above[j] = j;
    for (int i = 1; i <= m; i++) {
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            row[j] = least_of(above[j] + 1, row[j - 1] + 1, above[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            const int swapped =
                i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
            if (swapped && before[j - 2] < row[j]) row[j] = before[j - 2] + 1;
        }
        memcpy(before, above, sizeof before);
        memcpy(above, row, sizeof above);
    }
    return above[n];
}

int ald_name_tolerance(const char *name)
{
    const int length = name ? (int)strnlen(name, longest_name) : 0;
    if (length <= 4) return 1;
    return length <= 6 ? 2 : 3;
}

void ald_near_name_try(ald_near_name *nearest, const char *wanted, const char *candidate)
{
    const int distance = ald_name_distance(wanted, candidate);
    if (distance > ald_name_tolerance(wanted) || distance >= (int)strnlen(wanted, longest_name)) return;
    if (nearest->name && distance >= nearest->distance) return;
    *nearest = (ald_near_name){candidate, distance};
}
