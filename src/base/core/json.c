#include "base/core/json.h"

#include "base/core/text.h"

#include <string.h>

ald_status ald_json_parse(ald_run *run, const char *text, size_t length, const char *what, json_t **root)
{
    json_error_t reason;
    char words[2 * JSON_ERROR_TEXT_LENGTH];
    *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &reason);
    if (*root) return ALD_OK;
    /* jansson leaves the reason empty where an allocation failed inside a value. */
    if (json_error_code(&reason) == json_error_out_of_memory || reason.text[0] == '\0')
        return ald_fail(run->error, ALD_ERROR_MEMORY, "%s: out of memory", what);
    ald_utf8_write(reason.text, strlen(reason.text), words); /* what it cites may end inside a character */
    return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: %s", what, words);
}
