/* The methods with their parameters, and the settings of one of them. */
#ifndef ALIDADE_METHOD_H
#define ALIDADE_METHOD_H

#include <alidade/context.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ald_param_type {
    ALD_PARAM_INT = 0,
    ALD_PARAM_REAL = 1,
    ALD_PARAM_CHOICE = 2,
    ALD_PARAM_BOOL = 3,
    ALD_PARAM_STEPS = 4, /* steps of a preparation of rows, "snv+savgol:11:2:1", or none */
    ALD_PARAM_INTS = 5,  /* a whole number, or one for each component, "10+5+5" */
} ald_param_type;

/* The bound of a parameter that has none on that side. */
#define ALD_NO_LIMIT HUGE_VAL

/* The direction in which a parameter makes the model simpler: smoother, or with less to fit. */
typedef enum ald_simpler {
    ALD_SIMPLER_UNKNOWN = 0,
    ALD_SIMPLER_LARGER = 1,
    ALD_SIMPLER_SMALLER = 2,
} ald_simpler;

/* What a parameter is, independent of its name. If several parameters determine which of two settings is
 * simpler, the one with the earlier trait decides. */
typedef enum ald_param_trait {
    ALD_PARAM_IS_RIDGE = 1 << 0, /* added to the diagonal of the matrix that is inverted */
    ALD_PARAM_IS_RIDGE_REL =
        1 << 1, /* the same, relative to the largest eigenvalue of that matrix or a similar scale */
    ALD_PARAM_IS_PREDICTOR_RIDGE = 1 << 2, /* the same for the predictor */
    ALD_PARAM_IS_KERNEL_WIDTH = 1 << 3,
    ALD_PARAM_IS_RESPONSE_WIDTH = 1 << 4,
    ALD_PARAM_IS_PENALTY = 1 << 5,   /* weight of a term that keeps the model smooth */
    ALD_PARAM_IS_NEIGHBORS = 1 << 6, /* neighbours of a row */
    ALD_PARAM_IS_SLICES = 1 << 7,    /* slices of a real response */
    ALD_PARAM_IS_KERNEL = 1 << 8,
    ALD_PARAM_IS_SOLVER = 1 << 9,
    ALD_PARAM_IS_SEED = 1 << 10,
    ALD_PARAM_IS_COMPONENTS = 1 << 11,
    ALD_PARAM_IS_STATISTICS = 1 << 14, /* whether a model keeps the statistics that an update needs */
    ALD_PARAM_IS_PREDICTOR = 1 << 15,
    ALD_PARAM_IS_CENTER = 1 << 16,     /* whether the mean is subtracted */
    ALD_PARAM_IS_GAPS = 1 << 17,       /* whether cells of X may lack a value (NaN) */
    ALD_PARAM_IS_ITERATIONS = 1 << 18, /* how many iterations a solver may take */
    ALD_PARAM_IS_LANDMARKS = 1 << 19,  /* how many rows stand for all in a kernel */
    ALD_PARAM_IS_RESPONSE_KERNEL =
        1 << 20, /* similarity of targets; other than the usual one it has a rank of its own */
    ALD_PARAM_ZERO_IS_AUTO = 1 << 12, /* 0 stands for a value that the method determines itself */
    ALD_PARAM_GRID_IS_RELATIVE =
        1 << 13, /* the grid is in units of the median distance between prepared rows */
    ALD_PARAM_CHOSEN_UNLESS_GIVEN =
        1
        << 21, /* the method may choose another value than the default, unless one is given, be it the same */
} ald_param_trait;

/* One parameter. Limits are inclusive; the default is text, as on the command line. */
typedef struct ald_param {
    const char *name;
    ald_param_type type;
    const char *initial;
    double min, max;
    const char *const *choices; /* CHOICE: ends with NULL */
    const char *help;
    /* The values that tuning tries, such as "0,log:1e-4:1:5" or "5,10,20"; NULL: not tuned by default. */
    const char *grid;
    const char *grid_when; /* "kernel=rbf": tuned only where that parameter has that value; NULL: always */
    ald_simpler simpler;
    unsigned traits; /* bits of ald_param_trait */
} ald_param;

/* What a method can do. Input that it cannot handle is refused. */
typedef enum ald_capability {
    ALD_CAN_CLASSES = 1 << 0,
    ALD_CAN_REAL = 1 << 1,
    ALD_CAN_LABELS = 1 << 2,
    ALD_CAN_NO_TARGET = 1 << 3,
    ALD_CAN_SPARSE = 1 << 4, /* sparse input is never converted to dense */
    ALD_CAN_WEIGHTS =
        1 << 5, /* weight w counts as w rows; with CAN_GRAPH, 0 as none, and otherwise w scales the row's own
                   pairs; the neighbours of a row (IS_NEIGHBORS) are found as without weights */
    ALD_CAN_UNLABELLED = 1 << 6,
    ALD_CAN_STREAM = 1 << 7,
    ALD_CAN_MAP_NEW_ROWS = 1 << 8,
    ALD_IS_LINEAR = 1 << 9,
    ALD_CAN_DISTRIBUTE = 1 << 10,
    ALD_CAN_RESPONSES = 1 << 11, /* several real responses, not just one */
    ALD_CAN_GRAPH = 1 << 12,     /* works on a graph, which may be given */
    ALD_CAN_DISTANCES = 1 << 13, /* distances between targets may be given instead of a target */
    ALD_IS_NESTED = 1 << 14,     /* the first directions of a fit with more are those of a fit with fewer */
    ALD_CAN_REBUILD = 1 << 15, /* scores tell their rows, as far as the components can: components have length
                                    1 and right angles, or there are loadings */
    ALD_CAN_RESPONSE_KERNEL = 1 << 16, /* a kernel of the targets may be given (`response_kernel=given`) */
    ALD_CAN_START = 1 << 17,           /* directions to start from may be given */
} ald_capability;

typedef struct ald_method ald_method;

ALD_API int ald_method_count(void);
ALD_API const ald_method *ald_method_at(int index);
/* NULL if there is no method of that name. */
ALD_API const ald_method *ald_method_find(const char *name);
/* The registered name of which `name` is a synonym, or the one closest to it; NULL if none is close. */
ALD_API const char *ald_method_suggest(const char *name);
/* The edit distance between two names: letters omitted, added, replaced, or swapped with the next one. '-'
 * equals '_', and case is ignored; a name of more than 40 letters is far from every other. */
ALD_API int ald_name_distance(const char *a, const char *b);
/* The largest distance at which a name is worth suggesting for this one. */
ALD_API int ald_name_tolerance(const char *name);
ALD_API const char *ald_method_name(const ald_method *method);
ALD_API const char *ald_method_title(const ald_method *method);
ALD_API const char *ald_method_summary(const ald_method *method);
/* Names of the method in other fields and programs, separated by commas. */
ALD_API const char *ald_method_synonyms(const ald_method *method);
ALD_API const char *ald_method_reference(const ald_method *method);
ALD_API unsigned ald_method_capabilities(const ald_method *method);
/* The method's own parameters first, then those of every method (n_components, scale, ...). NULL past the
 * end. */
ALD_API const ald_param *ald_method_param(const ald_method *method, int index);
/* The first parameter that has any of these traits (bits of ald_param_trait), or NULL. */
ALD_API const ald_param *ald_method_param_with(const ald_method *method, unsigned traits);
/* The name of one capability bit, such as "classes" for ALD_CAN_CLASSES; NULL for an unknown bit. */
ALD_API const char *ald_capability_name(unsigned bit);

typedef struct ald_settings ald_settings;

/* All parameters of `method` at their defaults. An unknown name is an error whose message suggests the
 * nearest. */
ALD_API ald_status ald_settings_new(ald_context *context, const char *method, ald_settings **settings,
                                    ald_error *error);
/* The method and its settings as text: "lda n_components=2 predictor=centroid". */
ALD_API ald_status ald_settings_from_words(ald_context *context, const char *words, ald_settings **settings,
                                           ald_error *error);
/* The same method with the same values. */
ALD_API ald_status ald_settings_copy(ald_context *context, const ald_settings *from, ald_settings **settings,
                                     ald_error *error);
ALD_API void ald_settings_free(ald_settings *settings);
ALD_API const ald_method *ald_settings_method(const ald_settings *settings);
/* The value is checked at once against type, range and choices. */
ALD_API ald_status ald_settings_set_text(ald_settings *settings, const char *name, const char *value,
                                         ald_error *error);
ALD_API ald_status ald_settings_set_int(ald_settings *settings, const char *name, int64_t value,
                                        ald_error *error);
ALD_API ald_status ald_settings_set_real(ald_settings *settings, const char *name, double value,
                                         ald_error *error);
/* The value as text, owned by the settings; NULL for an unknown name. */
ALD_API const char *ald_settings_text(const ald_settings *settings, const char *name);
/* Whether the parameter was set explicitly, even to its default. */
ALD_API int ald_settings_given(const ald_settings *settings, const char *name);

#ifdef __cplusplus
}
#endif
#endif
