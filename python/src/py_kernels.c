/* The kernels of OpenBLAS, chosen again. OpenBLAS takes them when it is loaded, by the number of the
 * processor's model, and does not know processors younger than itself (ald_backend_faster). A program that is
 * about to compute restarts itself with OPENBLAS_CORETYPE; Python cannot, but right behind its loading
 * OpenBLAS can be asked to look again:
 *
 *     gotoblas_dynamic_quit   forgets the kernels
 *     gotoblas_dynamic_init   finds them as at the start, by OPENBLAS_CORETYPE if it is set
 *
 * That is for a moment when nobody computes: when OpenBLAS has just been loaded, for us alone. */
#include "core.h"
#include "functions.h"

#include <stdlib.h>

#if defined(__GNUC__) && !defined(__APPLE__)
extern void gotoblas_dynamic_init(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));
static int look_again(void)
{
    if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit) return 0;
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    return 1;
}
#else
static int look_again(void)
{
    return 0;
}
#endif

static PyObject *core_use_kernels(PyObject *module, PyObject *args)
{
    static const char variable[] = "OPENBLAS_CORETYPE";
    const char *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "s:use_kernels", &name)) return NULL;
    if (getenv(variable) || setenv(variable, name, 1) != 0) Py_RETURN_FALSE;
    const int done = look_again();
    unsetenv(variable); /* the environment stays the caller's */
    return PyBool_FromLong(done && !ald_backend_faster());
}

PyMethodDef core_kernels_functions[] = {
    {"use_kernels", core_use_kernels, METH_VARARGS,
     "use_kernels(name): whether OpenBLAS took these; only where nothing has been computed with it yet"},
    {NULL, NULL, 0, NULL},
};
