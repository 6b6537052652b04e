#include "base/ranks/eigen_module.h"

#include "base/ranks/communicator.h"

#include <dlfcn.h>
#include <string.h>

static int load(ald_eigen_start_fn *start)
{
    void *module = dlopen(ALD_EIGEN_FILE, RTLD_NOW | RTLD_LOCAL);
    void *found = module ? dlsym(module, ALD_EIGEN_START) : NULL;
    if (found) memcpy(start, &found, sizeof found);
    return found != NULL;
}

/* Where one rank lacks it nobody starts it: starting is done by all together. */
static ald_status load_by_all(ald_run *run, const ald_communicator *ranks)
{
    ald_eigen_start_fn start = NULL;
    int64_t lacking = !load(&start);
    ranks->eigen->tried = 1;
    ALD_TRY(ald_all_count(run, &lacking, 1));
    if (lacking) return ALD_OK;
    const char *trouble = start(ranks->world, &ranks->eigen->module);
    if (!trouble) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "SLEPc could not be started: %s", trouble);
}

ald_status ald_eigen_module_find(ald_run *run, const ald_eigen_module **module)
{
    const ald_communicator *ranks = run->context->ranks;
    *module = NULL;
    if (!ranks || !ranks->world || !ranks->eigen) return ALD_OK;
    if (!ranks->eigen->tried) ALD_TRY(load_by_all(run, ranks));
    *module = ranks->eigen->module;
    return ALD_OK;
}
