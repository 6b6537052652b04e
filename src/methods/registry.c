/* The registry: a table made from methods.def. */
#include "base/numbers/near_names.h"
#include "base/settings/method.h"

#include <string.h>

#define ALD_METHOD(name) extern const ald_method ald_method_##name;
#include "methods/methods.def"
#undef ALD_METHOD

static const ald_method *const methods[] = {
#define ALD_METHOD(name) &ald_method_##name,
#include "methods/methods.def"
#undef ALD_METHOD
};

enum { method_count = sizeof methods / sizeof *methods };

int ald_method_count(void)
{
    return method_count;
}

const ald_method *ald_method_at(int index)
{
    return index >= 0 && index < method_count ? methods[index] : NULL;
}

const ald_method *ald_method_find(const char *name)
{
    for (int i = 0; name && i < method_count; i++)
        if (strcmp(methods[i]->name, name) == 0) return methods[i];
    return NULL;
}

/* Whether one of the synonyms, up to a comma or semicolon, is the name in any case; "PLS_DA" is "pls-da". */
static int is_synonym(const ald_method *method, const char *name)
{
    static const char between[] = ",;";
    const size_t size = strlen(name);
    for (const char *at = method->synonyms; at && *at;) {
        at += strspn(at, ",; ");
        const size_t length = strcspn(at, between);
        char synonym[80];
        if (length == size && length < sizeof synonym) {
            memcpy(synonym, at, length);
            synonym[length] = '\0';
            if (ald_name_distance(synonym, name) == 0) return 1;
        }
        at += length;
    }
    return 0;
}

const char *ald_method_suggest(const char *name)
{
    ald_near_name nearest = {0};
    if (!name) return NULL;
    for (int i = 0; i < method_count; i++)
        if (is_synonym(methods[i], name)) return methods[i]->name;
    for (int i = 0; i < method_count; i++) ald_near_name_try(&nearest, name, methods[i]->name);
    return nearest.name;
}

const char *ald_method_name(const ald_method *method)
{
    return method ? method->name : NULL;
}

const char *ald_method_title(const ald_method *method)
{
    return method ? method->title : NULL;
}

const char *ald_method_summary(const ald_method *method)
{
    return method ? method->summary : NULL;
}

const char *ald_method_synonyms(const ald_method *method)
{
    return method ? method->synonyms : NULL;
}

const char *ald_method_reference(const ald_method *method)
{
    return method ? method->reference : NULL;
}

unsigned ald_method_capabilities(const ald_method *method)
{
    return method ? method->capabilities : 0;
}

const char *ald_capability_name(unsigned bit)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        {ALD_CAN_CLASSES, "classes"},
        {ALD_CAN_REAL, "real"},
        {ALD_CAN_RESPONSES, "several-responses"},
        {ALD_CAN_GRAPH, "graph"},
        {ALD_CAN_DISTANCES, "target-distances"},
        {ALD_CAN_RESPONSE_KERNEL, "response-kernel"},
        {ALD_CAN_START, "start"},
        {ALD_CAN_LABELS, "multi-label"},
        {ALD_CAN_NO_TARGET, "no-target"},
        {ALD_CAN_SPARSE, "sparse"},
        {ALD_CAN_WEIGHTS, "weights"},
        {ALD_CAN_UNLABELLED, "unlabelled-rows"},
        {ALD_CAN_STREAM, "streaming"},
        {ALD_CAN_MAP_NEW_ROWS, "new-rows"},
        {ALD_IS_LINEAR, "linear"},
        {ALD_CAN_DISTRIBUTE, "distributed"},
        {ALD_IS_NESTED, "nested"},
        {ALD_CAN_REBUILD, "rows-from-scores"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].bit == bit) return names[i].name;
    return NULL;
}
