/* The fuzz target for the list of files that wait to be renamed: the bytes as they are, and with their sum.
 */
#include "base/numbers/hash.h"
#include "fuzz/fuzzing.h"
#include "io/files/pending_list.h"

#include <stdio.h>
#include <string.h>

static void read_list(const char *bytes, size_t size)
{
    static const char kinds[] = {ALD_LIST_TOKEN, ALD_LIST_MASTER, ALD_LIST_OTHER, ALD_LIST_FROM, ALD_LIST_TO};
    ald_pending_list list;
    if (!ald_list_parse(bytes, size, &list)) return;
    for (size_t k = 0; k < sizeof kinds; k++)
        for (const char *text = NULL; (text = ald_list_next(&list, kinds[k], text));)
            if ((kinds[k] == ALD_LIST_FROM || kinds[k] == ALD_LIST_TO) && strchr(text, '/')) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char head[] = "alidade-pending-1";
    enum { sum_size = 18 };
    char *text = malloc(size + sizeof head + sum_size);
    if (!text) return 0;
    memcpy(text, bytes, size);
    read_list(text, size);
    memcpy(text, head, sizeof head);
    memcpy(text + sizeof head, bytes, size);
    snprintf(text + sizeof head + size, sum_size, "s%016llx",
             (unsigned long long)ald_hash(ALD_HASH_START, text, sizeof head + size));
    read_list(text, sizeof head + size + sum_size);
    free(text);
    return 0;
}
