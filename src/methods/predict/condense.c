/* Rows to learn from, as few as say the same. What a predictor of the form `moments` learns depends on sums
 * over the rows only: these are added up once, and the predictor, and those of the first components beside
 * it, are fitted to some r rows instead of n.
 *
 *   centred   with A = [Z Y] about its weighted means, rows times the roots of their weights:
 *
 *               Z'Z = R'R                       by Cholesky
 *               the r rows [R, R'^-1 Z'Y]       have the same Z'Z and Z'Y
 *
 *   groups    one row for the mean of each class, and the scatter within the classes about these means.
 *
 * Z'Z squares the condition number. It serves where the pivots of Z'Z at a unit diagonal are above 1e-3, and
 * so the coefficients are exact to some 1e3 r eps, about 1e-11; and where no more than three digits of it are
 * lost to a first guess of the means, which are taken from the first rows. Otherwise R is that of a QR
 * decomposition of A, block after block in cache.
 *
 * Sums are those of blocks of rows, added in their order: they do not depend on the number of threads. Cost
 * n (1 + r) (1 + r + q), or for groups n r^2; memory at most a quarter of Z. */
#include "base/numbers/ordering.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static const double smallest_pivot = 1e-3, largest_loss = 1e-3;
enum {
    most_blocks = 64,
    fewest_rows = 1024,
    chunk_entries = 8192,
    guess_rows = 256,
    thinnest_part = 1 << 15,
};

typedef struct condensing condensing;
/* Adds what rows begin .. end have to the sums of a block; `buffer` has room for them. */
typedef ald_status (*add_rows)(const condensing *c, int64_t begin, int64_t end, double *buffer, double *sums);

struct condensing {
    ald_run *run;
    const ald_rows_to_learn *rows;
    const double *numbers; /* n x q: responses or labels; NULL: classes by their codes */
    int64_t q, width;      /* of a row in the buffer */
    const double *about;   /* what is subtracted: a row, or a row for each class */
    add_rows add;
    double *sums; /* `size` for each block */
    int64_t size, blocks, chunk;
    double *buffers; /* chunk x width for each part */
    int parts;
    atomic_int stopped;
    ald_status status[ALD_MOST_PARTS];
};

static int has_target(const condensing *c, int64_t i)
{
    const ald_target *y = c->rows->y;
    return !y->labelled || y->labelled[i];
}

static double weight_of(const condensing *c, int64_t i)
{
    return c->rows->weights ? c->rows->weights[i] : 1.0;
}

/* A row [1, z, y] less what it is taken about, times the root of its weight. */
static void write_row(const condensing *c, int64_t i, double *row)
{
    const int64_t r = c->rows->r, q = c->q;
    const double *z = c->rows->z + i * r;
    row[0] = 1.0;
    memcpy(row + 1, z, (size_t)r * sizeof *row);
    for (int64_t j = 0; j < q; j++)
        row[1 + r + j] = c->numbers ? c->numbers[i * q + j] : (double)(c->rows->y->classes[i] == j);
    for (int64_t j = 1; c->about && j < c->width; j++) row[j] -= c->about[j];
    if (!c->rows->weights) return;
    const double root = sqrt(c->rows->weights[i]);
    for (int64_t j = 0; j < c->width; j++) row[j] *= root;
}

/* The rows that have a target, one after the other; how many there are. */
static int64_t write_rows(const condensing *c, int64_t begin, int64_t end, double *buffer)
{
    int64_t count = 0;
    for (int64_t i = begin; i < end; i++)
        if (has_target(c, i)) write_row(c, i, buffer + count++ * c->width);
    return count;
}

/* [1 Z]'[1 Z Y]. */
static ald_status add_products(const condensing *c, int64_t begin, int64_t end, double *buffer, double *sums)
{
    const int64_t count = write_rows(c, begin, end, buffer), width = c->width;
    if (count == 0) return ALD_OK;
    const ald_view rows = ald_of(buffer, count, width);
    return ald_product_add(c->run, 1.0, ald_t(ald_view_block(rows, 0, 0, count, 1 + c->rows->r)), rows, 1.0,
                           ald_at(sums, 1 + c->rows->r, width));
}

/* Weights and sums of the classes, q x (1 + r). */
static ald_status add_class_sums(const condensing *c, int64_t begin, int64_t end, double *buffer,
                                 double *sums)
{
    const int64_t r = c->rows->r;
    (void)buffer;
    for (int64_t i = begin; i < end; i++) {
        if (!has_target(c, i)) continue;
        const double weight = weight_of(c, i);
        const double *z = c->rows->z + i * r;
        double *sum = sums + c->rows->y->classes[i] * (1 + r);
        sum[0] += weight;
        for (int64_t k = 0; k < r; k++) sum[1 + k] += weight * z[k];
    }
    return ALD_OK;
}

/* Scatter about the means of the classes. */
static ald_status add_within(const condensing *c, int64_t begin, int64_t end, double *buffer, double *sums)
{
    const int64_t r = c->rows->r;
    int64_t count = 0;
    for (int64_t i = begin; i < end; i++) {
        if (!has_target(c, i)) continue;
        const double root = sqrt(weight_of(c, i));
        const double *z = c->rows->z + i * r, *mean = c->about + c->rows->y->classes[i] * r;
        for (int64_t k = 0; k < r; k++) buffer[count * r + k] = root * (z[k] - mean[k]);
        count++;
    }
    if (count == 0) return ALD_OK;
    const ald_view rows = ald_of(buffer, count, r);
    return ald_product_add(c->run, 1.0, ald_t(rows), rows, 1.0, ald_at(sums, r, r));
}

/* The caller's thread asks whether to continue. */
static int may_continue(condensing *c, int part, int64_t rows)
{
    if (part == 0 && c->status[0] >= 0)
        c->status[0] = ald_ask_after(c->run, ALD_VALUE_WORK * (double)(rows * c->width));
    if (c->status[part] < 0) atomic_store(&c->stopped, 1);
    return !atomic_load(&c->stopped);
}

static void sum_part(void *work, int part)
{
    condensing *c = work;
    const int64_t n = c->rows->n;
    for (int64_t block = part; block < c->blocks; block += c->parts) {
        const int64_t from = ald_part_begin(n, (int)c->blocks, (int)block),
                      to = ald_part_begin(n, (int)c->blocks, (int)block + 1);
        double *sums = c->sums + block * c->size;
        memset(sums, 0, (size_t)c->size * sizeof *sums);
        for (int64_t i = from; i < to && may_continue(c, part, c->chunk); i += c->chunk)
            c->status[part] =
                c->add(c, i, ald_least(i + c->chunk, to), c->buffers + part * c->chunk * c->width, sums);
    }
}

/* The sums over all rows, in the place of those of the first block: `size` of them. */
static ald_status sum_rows(condensing *c, add_rows add, int64_t size)
{
    const int64_t n = c->rows->n, least = ald_most(fewest_rows, 8 * (c->width + c->q));
    c->add = add;
    c->size = size;
    c->blocks = ald_most(1, ald_least(most_blocks, n / least));
    c->chunk = ald_most(8, chunk_entries / c->width);
    c->parts = (int)ald_least(c->blocks, ald_parts(c->run, n * c->width, thinnest_part));
    memset(c->status, 0, sizeof c->status);
    ALD_TRY(ALD_SCRATCH(c->run, {&c->sums, c->blocks, size}, {&c->buffers, c->parts, c->chunk * c->width}));
    ald_parallel(c->parts, sum_part, c);
    for (int part = 0; part < c->parts; part++) ALD_TRY(c->status[part]);
    for (int64_t block = 1; block < c->blocks; block++)
        for (int64_t i = 0; i < size; i++) c->sums[i] += c->sums[block * size + i];
    return ALD_OK;
}

/* The means of some of the first rows, whatever their weights: that they are near is enough. */
static ald_status guess_means(ald_run *run, condensing *c, double **guess)
{
    const int64_t n = ald_least(c->rows->n, guess_rows);
    double *row;
    int64_t count = 0;
    ALD_TRY(ald_scratch_zeros(run, c->width, 1, guess));
    ALD_TRY(ald_scratch_reals(run, c->width, 1, &row));
    for (int64_t i = 0; i < n; i++) {
        if (!has_target(c, i) || !(weight_of(c, i) > 0.0)) continue;
        write_row(c, i, row);
        for (int64_t j = 1; j < c->width; j++) (*guess)[j] += row[j] / sqrt(weight_of(c, i));
        count++;
    }
    for (int64_t j = 1; j < c->width && count > 0; j++) (*guess)[j] /= (double)count;
    return ALD_OK;
}

/* From sums about the guess to means, into `means`, and products about these; 0 where digits are lost. */
static int centre_sums(const condensing *c, const double *guess, double *means)
{
    const int64_t width = c->width, r = c->rows->r;
    double *sums = c->sums;
    int serve = 1;
    for (int64_t j = 1; j < width; j++) means[j] = guess[j] + sums[j] / sums[0];
    for (int64_t i = 1; i <= r; i++) {
        const double before = sums[i * width + i], along = sums[i] / sums[0];
        for (int64_t j = 1; j < width; j++) sums[i * width + j] -= along * sums[j];
        if (!(sums[i * width + i] > largest_loss * before)) serve = 0;
    }
    return serve;
}

/* R and R'^-1 Z'Y by Cholesky; *done is 0 where the pivots are small. */
static ald_status by_products(ald_run *run, const condensing *c, double *z, double *y, int *done)
{
    const int64_t r = c->rows->r, q = c->q, width = c->width;
    const ald_error before = *run->error; /* it may hold a warning */
    for (int64_t i = 0; i < r; i++) {
        memcpy(z + i * r, c->sums + (1 + i) * width + 1, (size_t)r * sizeof *z);
        memcpy(y + i * q, c->sums + (1 + i) * width + 1 + r, (size_t)q * sizeof *y);
    }
    const ald_status status = ald_cholesky(run, ald_at(z, r, r));
    if (status < 0 && status != ALD_ERROR_NUMERICAL) return status;
    if (status < 0) *run->error = before;
    *done = status >= 0;
    for (int64_t i = 0; *done && i < r; i++) {
        const double size = c->sums[(1 + i) * width + 1 + i];
        if (!(z[i * r + i] * z[i * r + i] > smallest_pivot * size)) *done = 0;
        memset(z + i * r, 0, (size_t)i * sizeof *z);
    }
    return *done ? ald_solve_triangular(run, ald_t(ald_of(z, r, r)), ald_at(y, r, q)) : ALD_OK;
}

/* The same by QR: the triangle of [Z Y] so far lies above the next rows. */
static ald_status by_reflections(ald_run *run, const condensing *c, double *z, double *y)
{
    const int64_t n = c->rows->n, r = c->rows->r, q = c->q, k = r + q, step = ald_most(4 * k, c->chunk);
    double *stack, *rows, *triangle;
    ALD_TRY(ALD_SCRATCH(run, {&stack, k + step, k}, {&rows, step, c->width}));
    ALD_TRY(ald_scratch_zeros(run, k, k, &triangle));
    for (int64_t i = 0; i < n; i += step) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t count = write_rows(c, i, ald_least(i + step, n), rows);
        memcpy(stack, triangle, (size_t)(k * k) * sizeof *stack);
        for (int64_t a = 0; a < count; a++)
            memcpy(stack + (k + a) * k, rows + a * c->width + 1, (size_t)k * sizeof *stack);
        ALD_TRY(ald_triangle(run, ald_at(stack, k + count, k), ald_at(triangle, k, k)));
        ald_arena_release(&run->scratch, mark);
    }
    for (int64_t i = 0; i < r; i++) {
        memcpy(z + i * r, triangle + i * k, (size_t)r * sizeof *z);
        memcpy(y + i * q, triangle + i * k + r, (size_t)q * sizeof *y);
    }
    return ALD_OK;
}

static ald_status condense_centred(ald_run *run, condensing *c, ald_predictor_data *data, int *done)
{
    const int64_t r = c->rows->r, q = c->q;
    double *guess, *means, *z, *y;
    c->width = 1 + r + q;
    ALD_TRY(guess_means(run, c, &guess));
    c->about = guess;
    ALD_TRY(ALD_SCRATCH(run, {&means, c->width, 1}, {&z, r, r}, {&y, r, q}));
    ALD_TRY(sum_rows(c, add_products, (1 + r) * c->width));
    const double total = c->sums[0];
    if (!(total > 0.0)) return ALD_OK;
    if (centre_sums(c, guess, means)) ALD_TRY(by_products(run, c, z, y, done));
    means[0] = 0.0;
    c->about = means;
    if (!*done) ALD_TRY(by_reflections(run, c, z, y));
    *done = 1;
    data->n = r;
    data->total = total;
    data->z = z;
    data->y = y;
    data->weights = NULL;
    data->z_mean = means + 1;
    data->y_mean = means + 1 + r;
    return ALD_OK;
}

static ald_status condense_groups(ald_run *run, condensing *c, ald_predictor_data *data, int *done)
{
    const int64_t r = c->rows->r, q = c->q;
    double *means, *counts, *dummies;
    c->width = r;
    ALD_TRY(sum_rows(c, add_class_sums, q * (1 + r)));
    ALD_TRY(ALD_SCRATCH(run, {&means, q, r}, {&counts, q, 1}));
    ALD_TRY(ald_scratch_zeros(run, q, q, &dummies));
    data->total = 0.0;
    for (int64_t g = 0; g < q; g++) {
        const double *sums = c->sums + g * (1 + r);
        data->total += counts[g] = sums[0];
        dummies[g * q + g] = 1.0;
        for (int64_t k = 0; k < r; k++) means[g * r + k] = sums[0] > 0.0 ? sums[1 + k] / sums[0] : 0.0;
    }
    if (!(data->total > 0.0)) return ALD_OK;
    c->about = means;
    ALD_TRY(sum_rows(c, add_within, r * r));
    *done = 1;
    data->n = q;
    data->z = means;
    data->y = dummies;
    data->weights = counts;
    data->within = c->sums;
    return ALD_OK;
}

ald_status ald_condense(ald_run *run, ald_predictor_moments form, const ald_rows_to_learn *rows,
                        ald_predictor_data *data, int *done)
{
    const ald_target *y = rows->y;
    const int by_class = y->kind == ALD_TARGET_CLASSES;
    condensing c = {.run = run, .rows = rows, .q = by_class ? y->n_classes : y->values.cols};
    double *numbers = NULL;
    *done = 0;
    if (form == ALD_MOMENTS_NOT || rows->n < 2 * (1 + rows->r + c.q)) return ALD_OK;
    if (form == ALD_MOMENTS_GROUPS && !by_class) return ALD_OK;
    if (!by_class) ALD_TRY(ald_target_numbers(run, y, &numbers, &c.q));
    c.numbers = numbers;
    *data = (ald_predictor_data){.r = rows->r, .q = c.q, .kind = y->kind};
    return (form == ALD_MOMENTS_GROUPS ? condense_groups : condense_centred)(run, &c, data, done);
}
