/* What a method file exports. */
#ifndef ALD_SETTINGS_METHOD_H
#define ALD_SETTINGS_METHOD_H

#include "base/core/run.h"
#include "base/settings/params.h"

#include <alidade/method.h>
#include <alidade/model.h>

struct ald_problem;

/* What tells how much direction k has to do with the target, for a test of whether it has anything. */
typedef enum ald_relation {
    ALD_BY_EIGENVALUE = 0, /* the modulus of its eigenvalue; without eigenvalues as ALD_BY_RESPONSE */
    ALD_BY_SMALLNESS,      /* the same where small eigenvalues come first */
    ALD_BY_OBJECTIVE,      /* the objective that k directions reach together */
    ALD_BY_RESPONSE,       /* the part of the target that k directions explain by least squares */
} ald_relation;

/* How an objective is to be read. */
typedef enum ald_sense {
    ALD_IS_MINIMISED = 0,
    ALD_IS_MAXIMISED,
    ALD_IS_SHARE, /* a part of 1, maximised */
} ald_sense;

/* What n_components = 0 stands for. */
typedef enum ald_own_rule {
    ALD_NO_OWN_RULE = 0, /* it is refused */
    ALD_ALL_THERE_ARE,   /* all directions there are */
    ALD_BY_ITS_OPTIMUM,  /* as many as its optimum has */
} ald_own_rule;

/* What bounds the number of directions, whatever the numbers are: bits. */
typedef enum ald_bound {
    ALD_BY_COLUMNS = 1 << 0, /* columns of X */
    ALD_BY_ROWS = 1 << 1,    /* rows less one, or all of them where the mean stays in */
    ALD_BY_TARGET =
        1 << 2, /* classes less one, responses or labels; slices less one where a real response is cut */
} ald_bound;

/* The matrix that is inverted, to whose diagonal a ridge is added. */
typedef enum ald_inverse {
    ALD_INVERTS_NOTHING = 0,
    ALD_INVERTS_SCATTER, /* Z'Z of the prepared X, all rows; or that by n, the covariance */
    ALD_INVERTS_OTHER,   /* a kernel, a scatter of pairs or of some rows */
} ald_inverse;

/* By what of the prepared rows scores are found, where a rotation of X changes none of them. */
typedef enum ald_turning {
    ALD_NOT_TURNED = 0,   /* by the columns one at a time, or by draws that depend on them */
    ALD_TURNED_ROWS,      /* by products of centred rows: directions lie in the span of the training rows */
    ALD_TURNED_DISTANCES, /* by distances of rows, with the kernel rbf and without random features */
} ald_turning;

/* For a method that looks at the rows times a real response: its statistics hold sum w r (x - m)(x - m)'
 * (moments/curved.h). */
typedef struct ald_curvature {
    /* Whether r is what a linear fit leaves of the response, and not the centred response itself. */
    int (*of_residuals)(const ald_run *run);
    /* The linear fit: slope (d) per unit of each column, before scaling. */
    ald_status (*slope)(ald_run *run, const struct ald_problem *problem, double *slope);
} ald_curvature;

/* A table of parameters: entries, ends with NULL. */
typedef const ald_param *const *ald_param_table;

struct ald_method {
    const char *name, *title, *summary, *reference;
    const char *synonyms; /* other names, with commas: what people look for when they mean it */
    unsigned capabilities;
    ald_relation relation;
    /* Why, with classes, no component beyond the first is tested by permutations; NULL: they are. */
    const char *untested_classes;
    ald_sense sense;     /* of its objective */
    int shares_products; /* divided rows can also be fitted by products with X, without statistics */
    int class_scatters;  /* its statistics hold a scatter per class, not only that of all rows */
    const ald_curvature *curvature; /* NULL: its statistics have none */
    /* Refuses settings that no statistics of such a target serve; NULL: all of them can. */
    ald_status (*check_moments)(ald_run *run, ald_target_kind kind);
    ald_own_rule own_rule;
    unsigned bounds; /* of ald_bound */
    const char
        *regression; /* its name with a linear predictor of real responses, where it has one of its own */
    ald_inverse inverse;
    /* The most directions that such a target allows, instead of what ALD_BY_TARGET says; NULL: that. */
    int64_t (*bound)(const ald_settings *settings, const ald_target *y);
    /* Whether the method sees no units of the columns with such settings; NULL: as scale_free says. */
    int (*ignores_units)(const ald_settings *settings);
    int scale_free;      /* without a ridge, scores are the same for X in any units of its columns */
    ald_turning turning; /* wide rows may be given to it by fewer coordinates (judge/cells/rotation.h) */
    int chi_square;      /* Li's sequential test is about its eigenvalues */
    /* Ends with NULL. An entry takes the place of those of the same name in later tables. */
    const ald_param_table *tables;
    /* Adds what it found to the model. Arguments are checked and X is prepared before. */
    ald_status (*fit)(ald_run *run, const struct ald_problem *problem, ald_model *model);
};

#endif
