#include "printing/print_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *take(size_t size)
{
    void *block = malloc(size);
    if (block || size == 0) return block;
    fputs("alidade: out of memory\n", stderr);
    _exit(1);
}

void cli_json_guard(void)
{
    json_set_alloc_funcs(take, free);
}

json_t *cli_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_text(const char *text)
{
    if (!text) return json_null();
    json_t *value = json_string(text);
    if (value) return value;
    char *copy = malloc(strlen(text) + 1);
    if (!copy) return NULL;
    strcpy(copy, text);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

json_t *cli_json_value(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value && !json_is_object(value) && !json_is_string(value)) return value;
    json_decref(value);
    return cli_json_text(text);
}

json_t *cli_json_param(const ald_param *param, const char *text)
{
    if (!param || param->type != ALD_PARAM_BOOL) return cli_json_value(text);
    return json_boolean(strcmp(text, "1") == 0 || strcmp(text, "true") == 0);
}

json_t *cli_json_texts(const ald_model *model, const char *prefix)
{
    json_t *object = json_object();
    const size_t length = strlen(prefix);
    const char *key, *value;
    const ald_method *method = ald_method_find(ald_model_method(model));
    for (int i = 0; object && ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, prefix, length) != 0) continue;
        const ald_param *param = method ? cli_method_param(method, key + length) : NULL;
        if (json_object_set_new(object, key + length, cli_json_param(param, value)) == 0) continue;
        json_decref(object);
        object = NULL;
    }
    return object;
}
