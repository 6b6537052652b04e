/* The frame of a call: a context, progress and Ctrl-C, warnings, results, and what is freed at its end. */
#include "glue.h"

#include "routines.h"

#include <R_ext/Utils.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void keep_warning(void *user, ald_log_level level, const char *line)
{
    r_call *call = user;
    if (level != ALD_LOG_WARNING) return;
    const int at = atomic_fetch_add(&call->warnings, 1);
    if (at < R_MOST_WARNINGS) snprintf(call->lines[at], sizeof *call->lines, "%s", line);
}

typedef struct moment {
    r_call *call;
    const char *stage;
    double done;
    int failed; /* the progress function raised an error */
} moment;

static void look_at_r(void *data)
{
    moment *now = data;
    R_CheckUserInterrupt();
    if (Rf_isNull(now->call->progress)) return;
    SEXP stage = PROTECT(Rf_mkString(now->stage));
    SEXP done = PROTECT(Rf_ScalarReal(now->done));
    SEXP asked = PROTECT(Rf_lang3(now->call->progress, stage, done));
    R_tryEvalSilent(asked, R_GlobalEnv, &now->failed);
    UNPROTECT(3);
}

/* The library asks on the thread that called it, which is R's. R must not jump over the library's frames, so
 * Ctrl-C and errors of the progress function end in R_ToplevelExec and cancel the call. */
static int hear_progress(void *user, const char *stage, double done)
{
    r_call *call = user;
    moment now = {.call = call, .stage = stage ? stage : "", .done = done};
    if (!call->stopped) call->stopped = !R_ToplevelExec(look_at_r, &now) || now.failed;
    return call->stopped;
}

static ald_status begin(r_call *call)
{
    ald_options options = ALD_OPTIONS_INIT;
    options.threads = call->threads;
    options.log = keep_warning;
    options.progress = hear_progress;
    options.log_user = options.progress_user = call;
    R_TRY(ald_context_new(&options, &call->context, &call->error));
    if (!call->device_name) return ALD_OK;
    R_TRY(ald_device_open(call->device_name, &call->device, &call->error));
    return ald_context_set_device(call->context, call->device, &call->error);
}

static void release(void *data)
{
    r_call *call = data;
    ald_settings_free(call->settings);
    ald_merging_free(call->merging);
    ald_dataset_free(call->data);
    ald_dataset_free(call->test);
    ald_model_free(call->model);
    ald_comparison_free(call->comparison);
    ald_tuning_free(call->tuning);
    ald_text_free(call->context, call->text);
    ald_bytes_free(call->context, call->bytes);
    ald_context_free(call->context);
    ald_device_close(call->device);
}

static SEXP run_inside(void *data)
{
    r_call *call = data;
    call->status = begin(call);
    if (call->status >= 0) call->status = call->routine(call);
    if (call->status >= 0 && call->stopped) call->status = ALD_ERROR_CANCELLED; /* when all was done */
    return R_NilValue;
}

static void tell_outcome(r_call *call)
{
    const int kept = atomic_load(&call->warnings);
    const int count = kept < R_MOST_WARNINGS ? kept : R_MOST_WARNINGS;
    SEXP lines = r_put(call, "warnings", Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) SET_STRING_ELT(lines, i, Rf_mkCharCE(call->lines[i], CE_UTF8));
    r_put(call, "status", Rf_ScalarInteger((int)call->status));
    if (call->status < 0) r_put_text(call, "failure", call->error.message);
}

SEXP r_run(r_routine routine, SEXP arguments, SEXP control)
{
    r_call call = {.routine = routine, .arguments = arguments, .progress = r_field(control, "progress")};
    call.threads = (int)r_whole(control, "threads");
    call.device_name = r_text(control, "device");
    call.results = PROTECT(Rf_allocVector(VECSXP, R_MOST_RESULTS));
    call.names = PROTECT(Rf_allocVector(STRSXP, R_MOST_RESULTS));
    atomic_init(&call.warnings, 0);
    R_ExecWithCleanup(run_inside, &call, release, &call);
    tell_outcome(&call);
    SEXP results = PROTECT(Rf_lengthgets(call.results, call.count));
    SEXP names = PROTECT(Rf_lengthgets(call.names, call.count));
    Rf_setAttrib(results, R_NamesSymbol, names);
    UNPROTECT(4);
    return results;
}

/* Ctrl-C came during a call that has ended since: it comes again, and R treats it as any other. */
SEXP r_interrupt(void)
{
    raise(SIGINT);
    R_CheckUserInterrupt();
    return R_NilValue;
}

SEXP r_put(r_call *call, const char *name, SEXP value)
{
    if (call->count == R_MOST_RESULTS) Rf_error("internal: more than %d results", R_MOST_RESULTS);
    SET_VECTOR_ELT(call->results, call->count, value);
    SET_STRING_ELT(call->names, call->count, Rf_mkChar(name));
    call->count++;
    return value;
}

double *r_put_matrix(r_call *call, const char *name, int64_t rows, int64_t columns)
{
    if (rows > INT_MAX || columns > INT_MAX) Rf_error("a matrix of more than %d rows or columns", INT_MAX);
    return REAL(r_put(call, name, Rf_allocMatrix(REALSXP, (int)rows, (int)columns)));
}

double *r_put_rows(r_call *call, const char *name, int64_t rows, int64_t columns)
{
    return r_put_matrix(call, name, columns, rows);
}

void r_put_text(r_call *call, const char *name, const char *text)
{
    SEXP kept = r_put(call, name, Rf_allocVector(STRSXP, 1));
    SET_STRING_ELT(kept, 0, text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING);
}

void r_put_number(r_call *call, const char *name, double number)
{
    r_put(call, name, Rf_ScalarReal(number));
}

static void free_model(SEXP handle)
{
    ald_model_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

static SEXP model_tag(void)
{
    return Rf_install("alidade_model");
}

void r_put_model(r_call *call)
{
    SEXP handle = r_put(call, "model", R_MakeExternalPtr(NULL, model_tag(), R_NilValue));
    R_RegisterCFinalizerEx(handle, free_model, TRUE);
    R_SetExternalPtrAddr(handle, call->model);
    call->model = NULL;
}

const ald_model *r_model(const r_call *call, const char *name)
{
    return r_model_of(r_given(call, name));
}

const ald_model *r_model_of(SEXP handle)
{
    const int ours = TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == model_tag();
    return ours ? R_ExternalPtrAddr(handle) : NULL;
}

/* Whether the handle has lost its model, as all have that come from readRDS. */
SEXP r_is_lost(SEXP handle)
{
    return Rf_ScalarLogical(TYPEOF(handle) != EXTPTRSXP || !R_ExternalPtrAddr(handle));
}
