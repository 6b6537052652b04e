/* libmatio by dlopen, see the header. */
#ifdef ALD_HAVE_MATIO
#include "io/formats/matio_calls.h"

#include <dlfcn.h>
#include <string.h>

/* A pointer to a function is stored where one is wanted. */
static int find(void *library, const char *name, void *place)
{
    void *found = dlsym(library, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

/* ALD_MATIO_FILE is the name that a program linked with it would carry. */
ald_status ald_matio_load(ald_run *run, ald_matio_calls *calls)
{
    void *library = dlopen(ALD_MATIO_FILE, RTLD_NOW | RTLD_LOCAL);
    if (library && find(library, "Mat_Open", &calls->open) && find(library, "Mat_Close", &calls->close) &&
        find(library, "Mat_Rewind", &calls->rewind) && find(library, "Mat_VarRead", &calls->read) &&
        find(library, "Mat_VarReadInfo", &calls->read_info) &&
        find(library, "Mat_VarReadNextInfo", &calls->read_next_info) &&
        find(library, "Mat_VarFree", &calls->free))
        return ALD_OK;
    const char *reason = dlerror();
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "MATLAB files are read by %s, which cannot be loaded: install it, or save the matrix as "
                    "csv (%.200s)",
                    ALD_MATIO_FILE, reason ? reason : "unknown reason");
}
#else
typedef int ald_no_matio;
#endif
