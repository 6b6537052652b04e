#include "math/backend/backend.h"

#include <alidade/status.h>
#include <cblas.h>
#include <string.h>

const ald_backend *ald_backend_find(const char *name)
{
    static const ald_backend *const backends[] = {&ald_backend_openblas, &ald_backend_plain};
    if (!name) return backends[0];
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(backends[i]->name, name) == 0) return backends[i];
    return NULL;
}

const char *ald_backend_name(void)
{
    return openblas_get_config();
}
