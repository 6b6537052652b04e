#include "routines.h"

#include <R_ext/Rdynload.h>
#include <alidade/alidade.h>

/* Version, backend and optional parts of the library. */
SEXP r_about(void)
{
    const char *const texts[] = {ald_version(), ald_backend_name(), ald_build_features()};
    SEXP about = PROTECT(Rf_allocVector(STRSXP, 3));
    for (int i = 0; i < 3; i++) SET_STRING_ELT(about, i, Rf_mkCharCE(texts[i], CE_UTF8));
    UNPROTECT(1);
    return about;
}

#define LISTED(name) {#name, (DL_FUNC)&name, 2},

static const R_CallMethodDef entries[] = {
    R_ROUTINES(LISTED){"r_interrupt", (DL_FUNC)&r_interrupt, 0},
    {"r_is_lost", (DL_FUNC)&r_is_lost, 1},
    {"r_about", (DL_FUNC)&r_about, 0},
    {NULL, NULL, 0},
};

void R_init_alidade(DllInfo *library);

void R_init_alidade(DllInfo *library)
{
    R_registerRoutines(library, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    R_forceSymbols(library, TRUE);
}
