/* Arguments by name, from lists that the R functions of the package made. */
#include "glue.h"

#include <stdio.h>
#include <string.h>

ald_status r_refuse(r_call *call, const char *message)
{
    call->error = (ald_error){.status = ALD_ERROR_ARGUMENT};
    snprintf(call->error.message, sizeof call->error.message, "%s", message);
    return ALD_ERROR_ARGUMENT;
}

SEXP r_field(SEXP list, const char *name)
{
    if (TYPEOF(list) != VECSXP) return R_NilValue;
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
    return R_NilValue;
}

SEXP r_given(const r_call *call, const char *name)
{
    return r_field(call->arguments, name);
}

const char *r_text(SEXP list, const char *name)
{
    SEXP found = r_field(list, name);
    if (TYPEOF(found) != STRSXP || Rf_xlength(found) < 1 || STRING_ELT(found, 0) == NA_STRING) return NULL;
    return Rf_translateCharUTF8(STRING_ELT(found, 0));
}

const char *const *r_texts(SEXP list, const char *name)
{
    SEXP found = r_field(list, name);
    if (TYPEOF(found) != STRSXP) return NULL;
    const R_xlen_t count = Rf_xlength(found);
    const char **texts = (const char **)R_alloc((size_t)count + 1, sizeof *texts);
    for (R_xlen_t i = 0; i < count; i++) texts[i] = Rf_translateCharUTF8(STRING_ELT(found, i));
    texts[count] = NULL;
    return texts;
}

double r_number(SEXP list, const char *name)
{
    SEXP found = r_field(list, name);
    const int is_number = Rf_isNumeric(found) || Rf_isLogical(found);
    return is_number && Rf_xlength(found) > 0 ? Rf_asReal(found) : 0.0;
}

int64_t r_whole(SEXP list, const char *name)
{
    const double number = r_number(list, name), most = 9007199254740992.0;
    return number >= -most && number <= most ? (int64_t)number : 0;
}

const int64_t *r_wholes(SEXP list, const char *name)
{
    SEXP found = r_field(list, name);
    if (TYPEOF(found) != INTSXP) return NULL;
    const R_xlen_t count = Rf_xlength(found);
    int64_t *numbers = (int64_t *)R_alloc((size_t)count + 1, sizeof *numbers);
    for (R_xlen_t i = 0; i < count; i++) numbers[i] = INTEGER(found)[i];
    return numbers;
}

/* A whole number may be given for every parameter that is a number; R's are mostly doubles. */
static ald_status set_number(ald_settings *settings, const char *name, double value, ald_error *error)
{
    const double most = 9007199254740992.0;
    if (value >= -most && value <= most && value == (double)(int64_t)value)
        return ald_settings_set_int(settings, name, (int64_t)value, error);
    return ald_settings_set_real(settings, name, value, error);
}

static ald_status set_value(r_call *call, const char *name, SEXP value)
{
    if (TYPEOF(value) == STRSXP && Rf_xlength(value) == 1)
        return ald_settings_set_text(call->settings, name, Rf_translateCharUTF8(STRING_ELT(value, 0)),
                                     &call->error);
    if ((Rf_isNumeric(value) || Rf_isLogical(value)) && Rf_xlength(value) == 1)
        return set_number(call->settings, name, Rf_asReal(value), &call->error);
    char message[256];
    snprintf(message, sizeof message, "`%.100s` is one number, one text, TRUE or FALSE", name);
    return r_refuse(call, message);
}

ald_status r_take_settings(r_call *call, const char *method, SEXP values)
{
    R_TRY(ald_settings_new(call->context, method, &call->settings, &call->error));
    SEXP names = Rf_getAttrib(values, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        R_TRY(set_value(call, Rf_translateCharUTF8(STRING_ELT(names, i)), VECTOR_ELT(values, i)));
    return ALD_OK;
}
