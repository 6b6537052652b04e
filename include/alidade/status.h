/* Outcomes and errors.
 *
 * Every function that can fail returns an ald_status:
 *   0         done;
 *   positive  done with a warning (not converged, rank reduced): the result is valid;
 *   negative  failed: nothing was produced and every output pointer is NULL.
 * Details go to an ald_error that the caller owns and passes last; NULL is fine. */
#ifndef ALIDADE_STATUS_H
#define ALIDADE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ALD_API __attribute__((visibility("default")))
#else
#define ALD_API
#endif

/* Structs of options and of results grow from version to version. Each begins with its size as your compiler
 * sees it; the initialiser sets the size and zeroes everything else, and 0 means "not given":
 *     ald_load_options options = ALD_LOAD_OPTIONS_INIT;
 * Passing a struct that was not initialised is an error. In an array of results only the first element needs
 * initialising; its size holds for all. The initialisers are built from ALD_INIT. */
#ifdef __cplusplus
#define ALD_INIT(type)                                                                                       \
    [] {                                                                                                     \
        type ald_made = type();                                                                              \
        ald_made.size = sizeof(type);                                                                        \
        return ald_made;                                                                                     \
    }()
#else
#define ALD_INIT(type)                                                                                       \
    {                                                                                                        \
        .size = sizeof(type)                                                                                 \
    }
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ald_status {
    ALD_OK = 0,
    ALD_NOT_CONVERGED = 1,   /* an iteration reached its limit; this is the best result so far */
    ALD_RANK_REDUCED = 2,    /* fewer directions carry information than were requested */
    ALD_DIGITS_LOST = 3,     /* removing rows has cost the statistics kept for updates more than six digits */
    ALD_ERROR_ARGUMENT = -1, /* an argument or a setting is invalid */
    ALD_ERROR_MEMORY = -2,   /* an allocation failed, or a size does not fit */
    ALD_ERROR_DATA = -3,     /* the data do not allow what was requested */
    ALD_ERROR_IO = -4,       /* the system refused to read or write */
    ALD_ERROR_FORMAT = -5,   /* a file is malformed or of another kind */
    ALD_ERROR_NUMERICAL = -6,   /* a decomposition failed */
    ALD_ERROR_UNSUPPORTED = -7, /* this method, model or build cannot do it */
    ALD_ERROR_CANCELLED = -8,   /* the progress callback asked to stop */
} ald_status;

#define ALD_MESSAGE_SIZE 768

/* What went wrong: what was given, what was expected, and where. It need not be initialised: every call that
 * takes one writes all of it. Messages put names from this interface in backquotes, both arguments and
 * parameters (`n_components`, `unlabelled_rows=drop`) and functions (`ald_method_at`), so that a program in
 * another language can substitute its own. */
typedef struct ald_error {
    ald_status status;
    int64_t line;   /* line of the input file, from 1; 0 if none */
    int64_t column; /* column of the input file, from 1; 0 if none */
    char message[ALD_MESSAGE_SIZE];
} ald_error;

/* A short name such as "not converged". Never NULL, static. */
ALD_API const char *ald_status_name(ald_status status);

/* The version of the library in use, such as "0.1.0". */
ALD_API const char *ald_version(void);

/* One line that describes the numerical backend in use and its kernels, e.g. "OpenBLAS 0.3.21 ... SkylakeX
 * ...". Static. */
ALD_API const char *ald_backend_name(void);

/* A value of the environment variable OPENBLAS_CORETYPE that would make the backend several times faster, or
 * NULL. OpenBLAS does not recognise processors newer than itself and selects slow kernels for them. Where the
 * library brings OpenBLAS along it selects better ones itself; where OpenBLAS was loaded before, the variable
 * must be set before the program starts, and ald_context_new logs a warning. Static. */
ALD_API const char *ald_backend_faster(void);

/* The optional parts of this build, e.g. "matio zlib". Static. */
ALD_API const char *ald_build_features(void);

#ifdef __cplusplus
}
#endif
#endif
