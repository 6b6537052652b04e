/* Structs of options from dicts and structs of results to dicts, by a table of their fields. */
#ifndef ALIDADE_PYTHON_RECORDS_H
#define ALIDADE_PYTHON_RECORDS_H

#include "core.h"

#include <stddef.h>

typedef enum core_kind {
    CORE_TEXT,  /* const char *; None is NULL */
    CORE_CHARS, /* an array of char, for results only */
    CORE_INT,
    CORE_INT64,
    CORE_UINT64,
    CORE_REAL,
} core_kind;

typedef struct core_field {
    const char *name;
    core_kind kind;
    size_t offset;
} core_field;

#define CORE_FIELD(type, kind, member)                                                                       \
    {                                                                                                        \
#member, kind, offsetof(type, member)                                                                \
    }

/* Lists of fields end with a name that is NULL. Texts stay those of the dict, which is to be kept. 0, or -1
 * with an exception; a key that no field has is a TypeError. */
int core_record_fill(PyObject *dict, const core_field *fields, void *record);
/* A new dict. */
PyObject *core_record_dict(const core_field *fields, const void *record);
/* A list of them: `count` structs that lie `bytes` apart. */
PyObject *core_record_list(const core_field *fields, const void *records, int64_t count, size_t bytes);

#endif
