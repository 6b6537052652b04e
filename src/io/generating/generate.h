/* Synthetic sets. Each is defined in docs/synthetic.md and made from one seed: row i is drawn from stream i +
 * 1 of it, what the rows share (class means, weights) from stream 0. So a longer set begins with the shorter
 * one, and the bytes are the same on every machine: only additions, products, quotients and square roots are
 * used. */
#ifndef ALD_GENERATING_GENERATE_H
#define ALD_GENERATING_GENERATE_H

#include "base/numbers/random.h"
#include "io/table/table.h"

typedef struct ald_generator ald_generator;

/* The options, resolved and checked. */
typedef struct ald_recipe {
    const ald_generator *generator;
    int64_t n, d;
    uint64_t seed;
    double noise, radius, eyes;
    const double *shared; /* what the rows share, for the sets that have it */
} ald_recipe;

struct ald_generator {
    const char *name;
    const char *summary;
    const char *task;
    const char *target; /* column list of the target; NULL: labels beside a sparse matrix */
    int64_t n, d;       /* defaults */
    int64_t least_d;
    int64_t n_targets;
    double noise;  /* default standard deviation; negative: the set has none */
    double radius; /* defaults; 0: the set has none */
    double eyes;
    /* Draws one row: x[0 .. d) and y[0 .. n_targets). NULL for sets made whole. */
    void (*row)(const ald_recipe *recipe, ald_random *random, double *x, double *y);
    /* Makes what the rows share. NULL: nothing. */
    ald_status (*share)(ald_run *run, ald_recipe *recipe);
    /* Fills the table when the set is not a dense one, or after the rows; NULL: nothing. */
    ald_status (*finish)(ald_run *run, const ald_recipe *recipe, ald_table *table);
};

const ald_generator *ald_generator_by_index(int index); /* NULL past the end */
/* An unknown name is an error with the nearest one. */
ald_status ald_generator_find(ald_run *run, const char *name, const ald_generator **generator);
/* The whole set as a table in `arena`. */
ald_status ald_generate_table(ald_run *run, const ald_generator *generator,
                              const ald_generate_options *options, ald_arena *arena, ald_table *table);

/* The row functions, in generate_rows.c. */
typedef void ald_row_function(const ald_recipe *recipe, ald_random *random, double *x, double *y);
ald_row_function ald_row_plane, ald_row_linear, ald_row_parity, ald_row_curve, ald_row_curve_paper,
    ald_row_taichi, ald_row_xor, ald_row_rings, ald_row_rectangles, ald_row_regression_a,
    ald_row_regression_b, ald_row_regression_c, ald_row_rational, ald_row_quadratic;
/* sin(2 pi u), the same on every machine. */
double ald_sine_of_turns(double u);

/* Sets with classes and labels in many dimensions, in generate_classes.c. */
enum { ALD_SYN_CLASSES = 5 };
ald_status ald_share_means(ald_run *run, ald_recipe *recipe);
ald_row_function ald_row_classes, ald_row_scores;
ald_status ald_finish_labels(ald_run *run, const ald_recipe *recipe, ald_table *table);

#endif
