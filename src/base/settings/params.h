/* Entries of parameter tables, which say only what is unusual: what every entry of the type has, then the
 * help, then further fields of ald_param where there are any, such as .grid = "5,10,20". The entries that
 * several methods have, and which differ in little, have macros of their own. */
#ifndef ALD_SETTINGS_PARAMS_H
#define ALD_SETTINGS_PARAMS_H

#include <alidade/method.h>

/* The macros end in the arguments `help, ...`. */
#define ALD_RANGE_PARAM(type_, name_, initial_, min_, max_, ...)                                             \
    {                                                                                                        \
        .name = name_, .type = type_, .initial = initial_, .min = min_, .max = max_, .help = __VA_ARGS__     \
    }
#define ALD_INT_PARAM(name_, initial_, min_, max_, ...)                                                      \
    ALD_RANGE_PARAM(ALD_PARAM_INT, name_, initial_, min_, max_, __VA_ARGS__)
#define ALD_INTS_PARAM(name_, initial_, min_, max_, ...)                                                     \
    ALD_RANGE_PARAM(ALD_PARAM_INTS, name_, initial_, min_, max_, __VA_ARGS__)
#define ALD_REAL_PARAM(name_, initial_, min_, max_, ...)                                                     \
    ALD_RANGE_PARAM(ALD_PARAM_REAL, name_, initial_, min_, max_, __VA_ARGS__)
#define ALD_CHOICE_PARAM(name_, initial_, choices_, ...)                                                     \
    {                                                                                                        \
        .name = name_, .type = ALD_PARAM_CHOICE, .initial = initial_, .choices = choices_,                   \
        .help = __VA_ARGS__                                                                                  \
    }
#define ALD_FLAG_PARAM(name_, initial_, ...)                                                                 \
    {                                                                                                        \
        .name = name_, .type = ALD_PARAM_BOOL, .initial = initial_, .help = __VA_ARGS__                      \
    }

/* What is added to the diagonal of a matrix; the same as a part of its largest eigenvalue. */
#define ALD_RIDGE_PARAM(initial_, min_, ...)                                                                 \
    ALD_REAL_PARAM("ridge", initial_, min_, ALD_NO_LIMIT, __VA_ARGS__, .simpler = ALD_SIMPLER_LARGER,        \
                   .traits = ALD_PARAM_IS_RIDGE)
#define ALD_RIDGE_REL_PARAM(initial_, ...) ALD_RIDGE_REL_PARAM_THAT(0, initial_, __VA_ARGS__)
/* With more traits. */
#define ALD_RIDGE_REL_PARAM_THAT(traits_, initial_, ...)                                                     \
    ALD_REAL_PARAM("ridge_rel", initial_, 0, ALD_NO_LIMIT, __VA_ARGS__, .grid = "0,log:1e-4:1:5",            \
                   .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RIDGE_REL | (traits_))
/* The way to solve the method's problem; where an iteration stops. */
#define ALD_SOLVER_PARAM(choices_, ...)                                                                      \
    ALD_CHOICE_PARAM("solver", "auto", choices_, __VA_ARGS__, .traits = ALD_PARAM_IS_SOLVER)
#define ALD_TOL_PARAM(initial_, min_, ...) ALD_REAL_PARAM("tol", initial_, min_, 1, __VA_ARGS__)
#define ALD_MAX_ITER_PARAM(initial_, ...)                                                                    \
    ALD_INT_PARAM("max_iter", initial_, 1, 1e9, __VA_ARGS__, .traits = ALD_PARAM_IS_ITERATIONS)

/* Whether its values are whole numbers. */
static inline int ald_param_is_whole(const ald_param *param)
{
    return param->type == ALD_PARAM_INT || param->type == ALD_PARAM_INTS;
}

#endif
