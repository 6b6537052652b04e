#include "levels/na_hint.h"

#include <stdio.h>
#include <string.h>

const char *ald_na_hint(const char *text, char *hint, size_t size)
{
    enum { longest = 20 };
    const int plain = *text && *text != '-' && strlen(text) <= longest && !strpbrk(text, ",`'\"\\ \t");
    hint[0] = '\0';
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20) return hint;
    if (plain) snprintf(hint, size, ", or give `na=%s` if it stands for no value", text);
    return hint;
}
