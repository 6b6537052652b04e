#include "base/core/json.h"

ald_status ald_json_parse(ald_run *run, const char *text, size_t length, const char *what, json_t **root)
{
    json_error_t reason;
    *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &reason);
    if (*root) return ALD_OK;
    /* jansson leaves the reason empty where an allocation failed inside a value. */
    if (json_error_code(&reason) == json_error_out_of_memory || reason.text[0] == '\0')
        return ald_fail(run->error, ALD_ERROR_MEMORY, "%s: out of memory", what);
    return ald_fail(run->error, ALD_ERROR_FORMAT, "%s: %s", what, reason.text);
}
