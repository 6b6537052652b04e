/* One call of the library from R. A routine is a function that returns the library's status; r_run gives it a
 * context, and afterwards frees all that the call owns, whether the routine returned or R jumped out of it
 * for lack of memory. A failure of the library is a value: R raises the error when everything is freed.
 *
 *     static ald_status save(r_call *call)
 *     {
 *         return ald_model_save(call->context, r_model(call, "model"), r_text(call->arguments, "path"),
 *                               &call->error);
 *     }
 *     R_ENTRY(r_save, save)
 *
 * What a routine makes is put into the list of results at once, so nothing is left to protect. */
#ifndef ALIDADE_R_GLUE_H
#define ALIDADE_R_GLUE_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include <alidade/alidade.h>
#include <alidade/device.h>

#include <stdatomic.h>

enum { R_MOST_WARNINGS = 8, R_MOST_RESULTS = 32 };

typedef struct r_call r_call;
typedef ald_status (*r_routine)(r_call *call);

struct r_call {
    r_routine routine;
    SEXP arguments; /* a named list */
    SEXP progress;  /* a function of stage and part done, or NULL */
    int stopped;    /* Ctrl-C, or an error of the progress function */
    int threads;
    const char *device_name; /* as on the command line; NULL: the processor */
    SEXP results, names;     /* protected by r_run */
    int count;
    ald_status status;
    ald_error error;
    atomic_int warnings; /* how many there were; the library's threads may log side by side */
    char lines[R_MOST_WARNINGS][ALD_MESSAGE_SIZE];
    /* Owned by the call. */
    ald_device *device;
    ald_context *context;
    ald_settings *settings;
    ald_dataset *data, *test;
    ald_model *model;
    ald_comparison *comparison;
    ald_tuning *tuning;
    ald_merging *merging;
    char *text;
    unsigned char *bytes;
};

#define R_TRY(expression)                                                                                    \
    do {                                                                                                     \
        const ald_status tried = (expression);                                                               \
        if (tried < 0) return tried;                                                                         \
    } while (0)

SEXP r_run(r_routine routine, SEXP arguments, SEXP control);
/* The routine as an entry of .Call(entry, arguments, control). */
#define R_ENTRY(entry, routine)                                                                              \
    SEXP entry(SEXP arguments, SEXP control)                                                                 \
    {                                                                                                        \
        return r_run(routine, arguments, control);                                                           \
    }

/* Keeps the value under this name and returns it. */
SEXP r_put(r_call *call, const char *name, SEXP value);
/* Room for a matrix; for r_put_rows its columns are the library's rows. */
double *r_put_matrix(r_call *call, const char *name, int64_t rows, int64_t columns);
double *r_put_rows(r_call *call, const char *name, int64_t rows, int64_t columns);
void r_put_text(r_call *call, const char *name, const char *text);
void r_put_number(r_call *call, const char *name, double number);
/* The model becomes an object of R's, which frees it. */
void r_put_model(r_call *call);
/* A new model: "model", and "about" it what R keeps beside. */
ald_status r_put_new_model(r_call *call);

/* Refuses an argument; the status is that of a wrong one. */
ald_status r_refuse(r_call *call, const char *message);

/* Arguments by name; R_NilValue, NULL, 0 where there are none. */
SEXP r_field(SEXP list, const char *name);
SEXP r_given(const r_call *call, const char *name);
const char *r_text(SEXP list, const char *name);
const char *const *r_texts(SEXP list, const char *name);
double r_number(SEXP list, const char *name);
int64_t r_whole(SEXP list, const char *name);
const int64_t *r_wholes(SEXP list, const char *name);
/* The model in this argument; NULL, which every function of the library refuses, where there is none. */
const ald_model *r_model(const r_call *call, const char *name);
const ald_model *r_model_of(SEXP handle);

/* inputs.c: views of R's own memory, which must stay unchanged for the call. */
typedef struct r_inputs {
    ald_matrix x;
    ald_target target;
    ald_matrix response_kernel, start;
    ald_inputs view;
} r_inputs;

ald_status r_take_matrix(r_call *call, SEXP given, const char *name, ald_matrix *matrix);
ald_status r_take_inputs(r_call *call, SEXP given, r_inputs *inputs);
/* call->data of these inputs, which are not copied. */
ald_status r_take_data(r_call *call, r_inputs *inputs);
/* call->settings: the method of this name with the values of the list. */
ald_status r_take_settings(r_call *call, const char *method, SEXP values);

#endif
