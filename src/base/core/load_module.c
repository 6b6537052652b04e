/* Where a module is looked for: in folders that are given by where this code itself was loaded from, the
 * program or the shared library. Never by its bare name, which the loader would look for in folders that a
 * variable or the present folder decide. */
#define _GNU_SOURCE /* dladdr */
#include "base/core/load_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

/* Beside it, as in the folder of a build; of an installed library; of an installed program. */
static const char *const places[] = {"", "alidade/", ALD_TO_MODULES "/"};

/* Whether this is the program itself, whose name the loader has from whoever started it. */
static int is_of_program(const Dl_info *object)
{
#if defined(__linux__)
    Dl_info program;
    const uintptr_t entry = getauxval(AT_ENTRY);
    void *start;
    memcpy(&start, &entry, sizeof start);
    return entry && dladdr(start, &program) && program.dli_fbase == object->dli_fbase;
#else
    (void)object;
    return 0;
#endif
}

/* The folder of this code, absolute and with the last slash; 0: not known. */
static int find_folder(char *folder)
{
    static const char here = 0;
    Dl_info object;
    if (!dladdr(&here, &object)) return 0;
    const char *file = is_of_program(&object) ? "/proc/self/exe" : object.dli_fname;
    if (!file || file[0] != '/' || !realpath(file, folder)) return 0;
    char *last = strrchr(folder, '/');
    if (last) last[1] = '\0';
    return last != NULL;
}

/* RTLD_GLOBAL: Open MPI loads its own parts at run time, which look for its symbols. */
static void *open_module(const char *file, char *trouble, size_t size)
{
    char folder[PATH_MAX];
    snprintf(trouble, size, "its folder is unknown");
    if (!find_folder(folder)) return NULL;
    snprintf(trouble, size, "no %s in %s", file, folder);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s%s%s", folder, places[i], file);
        if (access(path, F_OK) != 0) continue;
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (module) return module;
        const char *reason = dlerror();
        snprintf(trouble, size, "%s", reason ? reason : "unknown reason");
        return NULL;
    }
    return NULL;
}

void *ald_module_entry(const char *file, const char *entry, char *trouble, size_t size)
{
    void *module = open_module(file, trouble, size);
    void *found = module ? dlsym(module, entry) : NULL;
    if (module && !found) snprintf(trouble, size, "its module is of another version");
    return found;
}
