/* One row of each low-dimensional set. Columns are drawn in their order, the noise of the response last. */
#include "io/generating/generate.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 0x1.921fb54442d18p+1;

/* Turns are reduced to a quarter either side of zero, where sin x is its Taylor series to x^21: its rest is
 * below 1e-17. */
double ald_sine_of_turns(double u)
{
    u -= floor(u + 0.5);
    if (u > 0.25) u = 0.5 - u;
    if (u < -0.25) u = -0.5 - u;
    const double x = 2.0 * pi * u, q = x * x;
    double sum = 0.0;
    for (int k = 21; k >= 3; k -= 2)
        sum = -(1.0 + sum) * q / (double)(k * (k - 1)); /* -q/6 (1 - q/20 (1 - ...)) */
    return x * (1.0 + sum);
}

static double cosine_of_turns(double u)
{
    return ald_sine_of_turns(u + 0.25);
}

static void normals(ald_random *random, double *x, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++) x[j] = ald_random_normal(random);
}

static void uniforms(ald_random *random, double *x, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++) x[j] = ald_random_uniform(random);
}

static double noise_of(const ald_recipe *recipe, ald_random *random)
{
    return recipe->noise * ald_random_normal(random);
}

static double plane(const double *x)
{
    return 2.0 * x[0] + 3.0 * x[1];
}

void ald_row_plane(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    normals(random, x, 0, recipe->d);
    *y = plane(x) + noise_of(recipe, random);
}

void ald_row_linear(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    uniforms(random, x, 0, recipe->d);
    *y = plane(x) + noise_of(recipe, random);
}

void ald_row_parity(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    uniforms(random, x, 0, recipe->d);
    *y = ald_sine_of_turns(x[0]) * ald_sine_of_turns(x[1]) + noise_of(recipe, random);
}

/* Two turns of a helix: t = 4 pi u. */
static double helix(ald_random *random, double *x)
{
    const double u = ald_random_uniform(random), t = 4.0 * pi * u;
    x[0] = cosine_of_turns(2.0 * u);
    x[1] = ald_sine_of_turns(2.0 * u);
    x[2] = 0.01 * t;
    return t;
}

void ald_row_curve(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const double t = helix(random, x);
    normals(random, x, 3, recipe->d);
    *y = t + noise_of(recipe, random);
}

void ald_row_curve_paper(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const double t = helix(random, x);
    uniforms(random, x, 3, recipe->d);
    *y = t + noise_of(recipe, random);
}

/* A point of the disc of radius 1, by rejection from the square around it. */
static void point_in_disc(ald_random *random, double *x)
{
    do {
        x[0] = 2.0 * ald_random_uniform(random) - 1.0;
        x[1] = 2.0 * ald_random_uniform(random) - 1.0;
    } while (x[0] * x[0] + x[1] * x[1] >= 1.0);
}

static int in_circle(const double *x, double height, double radius)
{
    const double up = x[1] - height;
    return x[0] * x[0] + up * up < radius * radius;
}

/* On the disc of radius 1. The right half is Yin, but the circle of radius 1/2 below the centre adds to it
 * and the one above takes away; an eye in the middle of each belongs to the other side. */
static int is_yin(const double *x, double eyes)
{
    if (in_circle(x, 0.5, eyes)) return 1;
    if (in_circle(x, -0.5, eyes)) return 0;
    if (in_circle(x, 0.5, 0.5)) return 0;
    if (in_circle(x, -0.5, 0.5)) return 1;
    return x[0] > 0.0;
}

void ald_row_taichi(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    point_in_disc(random, x);
    *y = is_yin(x, recipe->eyes) ? 1.0 : 2.0;
    x[0] *= recipe->radius;
    x[1] *= recipe->radius;
    normals(random, x, 2, recipe->d);
}

void ald_row_xor(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const int64_t corner = ald_random_below(random, 4);
    const double right = corner & 1 ? 1.0 : -1.0, up = corner & 2 ? 1.0 : -1.0;
    x[0] = right + noise_of(recipe, random);
    x[1] = up + noise_of(recipe, random);
    *y = right == up ? 1.0 : 2.0;
    normals(random, x, 2, recipe->d);
}

void ald_row_rings(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const int outer = ald_random_below(random, 2) == 1;
    double length;
    do {
        point_in_disc(random, x);
        length = sqrt(x[0] * x[0] + x[1] * x[1]);
    } while (length == 0.0);
    const double radius = (outer ? 1.0 : 0.5) + noise_of(recipe, random);
    x[0] *= radius / length;
    x[1] *= radius / length;
    *y = outer ? 2.0 : 1.0;
    normals(random, x, 2, recipe->d);
}

/* A point on the outline of the rectangle with these half sides; `u` goes round it once from 0 to 1. */
static void point_on_rectangle(double u, double half_width, double half_height, double *x)
{
    const double round = 4.0 * (half_width + half_height), width = 2.0 * half_width,
                 height = 2.0 * half_height;
    double along = u * round;
    const int upper = along >= width + height;
    if (upper) along -= width + height;
    const int side = along >= width;
    x[0] = side ? half_width : along - half_width;
    x[1] = side ? along - width - half_height : -half_height;
    if (upper) {
        x[0] = -x[0];
        x[1] = -x[1];
    }
}

void ald_row_rectangles(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const int outer = ald_random_below(random, 2) == 1;
    const double size = outer ? 1.0 : 0.5;
    point_on_rectangle(ald_random_uniform(random), size, 0.6 * size, x);
    x[0] += noise_of(recipe, random);
    x[1] += noise_of(recipe, random);
    *y = outer ? 2.0 : 1.0;
    normals(random, x, 2, recipe->d);
}

static double rational(const double *x)
{
    return x[0] / (0.5 + (x[1] + 1.5) * (x[1] + 1.5));
}

void ald_row_regression_a(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    normals(random, x, 0, recipe->d);
    *y = rational(x) + (1.0 + x[1]) * (1.0 + x[1]) + noise_of(recipe, random);
}

static int all_at_most(const double *x, int64_t d, double limit)
{
    for (int64_t j = 0; j < d; j++)
        if (x[j] > limit) return 0;
    return 1;
}

void ald_row_regression_b(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    do uniforms(random, x, 0, recipe->d);
    while (all_at_most(x, recipe->d, 0.7));
    const double s = ald_sine_of_turns(0.5 * x[1] + 0.5 / pi);
    *y = s * s + noise_of(recipe, random);
}

void ald_row_regression_c(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    normals(random, x, 0, recipe->d);
    *y = 0.5 * x[0] * x[0] * noise_of(recipe, random);
}

void ald_row_rational(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    normals(random, x, 0, recipe->d);
    *y = rational(x) + noise_of(recipe, random);
}

void ald_row_quadratic(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    normals(random, x, 0, recipe->d);
    *y = x[0] * x[0] + noise_of(recipe, random);
}

/* Gaussian data in many dimensions with five classes or five labels. */

/* Five vectors from N(0, I/d): the class means, or the weights of the label scores. */
ald_status ald_share_means(ald_run *run, ald_recipe *recipe)
{
    double *means;
    ald_random random;
    ALD_TRY(ald_scratch_reals(run, ALD_SYN_CLASSES, recipe->d, &means));
    ald_random_seed(&random, recipe->seed, 0);
    const double deviation = 1.0 / sqrt((double)recipe->d);
    for (int64_t i = 0; i < ALD_SYN_CLASSES * recipe->d; i++)
        means[i] = deviation * ald_random_normal(&random);
    recipe->shared = means;
    return ALD_OK;
}

void ald_row_classes(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const int64_t class = ald_random_below(random, ALD_SYN_CLASSES);
    const double *mean = recipe->shared + class * recipe->d;
    for (int64_t j = 0; j < recipe->d; j++) x[j] = mean[j] + ald_random_normal(random);
    *y = (double)(class + 1);
}

/* The target columns hold the scores until all rows are there. */
void ald_row_scores(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    for (int64_t j = 0; j < recipe->d; j++) x[j] = ald_random_normal(random);
    for (int64_t k = 0; k < ALD_SYN_CLASSES; k++) {
        const double *weights = recipe->shared + k * recipe->d;
        double score = 0.0;
        for (int64_t j = 0; j < recipe->d; j++) score += weights[j] * x[j];
        y[k] = score + recipe->noise * ald_random_normal(random);
    }
}

static int compare_falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The label is on in the 30 % of rows with the largest scores, rounded; equal scores do not come up. */
ald_status ald_finish_labels(ald_run *run, const ald_recipe *recipe, ald_table *table)
{
    const int64_t n = table->rows, on = (3 * n + 5) / 10;
    double *scores;
    ALD_TRY(ald_scratch_reals(run, n, 1, &scores));
    for (int64_t k = 0; k < ALD_SYN_CLASSES; k++) {
        double *column = table->cells + recipe->d + k;
        for (int64_t i = 0; i < n; i++) scores[i] = column[i * table->cols];
        qsort(scores, (size_t)n, sizeof *scores, compare_falling);
        const double threshold = on > 0 ? scores[on - 1] : INFINITY;
        for (int64_t i = 0; i < n; i++)
            column[i * table->cols] = column[i * table->cols] >= threshold ? 1.0 : 0.0;
    }
    return ALD_OK;
}
