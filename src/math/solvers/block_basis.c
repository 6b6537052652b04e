/* The basis V of block Lanczos: expanded by a block, its Ritz pairs, and a restart from the best of them
 * (lanczos.c has the mathematics). A block has at most 8 columns. A step costs a product with A and 4 n m
 * b operations; a column that has lost most of its size to V is cleaned again, and one that is used up
 * becomes a random direction. */
#include "math/solvers/block_basis.h"

#include "math/linalg/linalg.h"
#include "math/linalg/tall.h"

#include <math.h>
#include <string.h>

enum { widest = 8 }; /* columns of a block */

ald_status ald_block_basis_new(ald_run *run, const ald_lanczos *task, ald_block_basis *s)
{
    s->n = task->n;
    const int64_t block = task->block > 0 && task->block < widest ? task->block : widest;
    s->b = task->wanted < block ? task->wanted : block;
    const int64_t least = task->room > 24 ? task->room : 24,
                  room = task->wanted > least ? task->wanted : least;
    s->capacity = task->wanted + (room > 3 * s->b ? room : 3 * s->b);
    s->capacity -= s->capacity % s->b;
    s->size = s->coupled = 0;
    ALD_TRY(ald_scratch_zeros(run, s->n, s->capacity, &s->v));
    ALD_TRY(ald_scratch_zeros(run, s->capacity, s->capacity, &s->t));
    ALD_TRY(ald_scratch_zeros(run, s->capacity, s->capacity, &s->y));
    ALD_TRY(ald_scratch_zeros(run, s->capacity, 1, &s->theta));
    return ALD_SCRATCH(run, {&s->next, s->n, s->b}, {&s->coupling, s->b, s->b}, {&s->work, s->n, s->capacity},
                       {&s->h, s->capacity, s->b});
}

/* w (n x b) -= V V'w for columns first .. size of V; the coefficients are added up in h. */
static ald_status take_off(ald_run *run, ald_block_basis *s, int64_t first, double *more, double *w)
{
    const int64_t count = s->size - first;
    const ald_view v = ald_view_block(ald_of(s->v, s->n, s->capacity), 0, first, s->n, count);
    ALD_TRY(ald_tall_cross(run, v, s->b, w, more));
    ALD_TRY(ald_tall_subtract(run, v, s->b, more, w));
    for (int64_t i = 0; i < count * s->b; i++) s->h[first * s->b + i] += more[i];
    return ALD_OK;
}

/* The first column of V that A Q of the newest block has more than rounding along, where A is a symmetric
 * matrix in memory (task->block): of the newest two blocks, or of all after a restart. */
static int64_t first_coupled(const ald_lanczos *task, const ald_block_basis *s)
{
    const int64_t newest = s->size - 2 * s->b;
    return task->block > 0 && newest >= s->coupled ? newest : 0;
}

/* Twice. Where A is a symmetric matrix in memory (task->block), first the columns that W has large parts
 * along: the newest two blocks, or all after a restart. What is along the others is rounding, and what is
 * left of it after once more is rounding of rounding. */
static ald_status orthogonalize(ald_run *run, const ald_lanczos *task, ald_block_basis *s, double *w)
{
    double *more;
    memset(s->h, 0, (size_t)(s->capacity * s->b) * sizeof *s->h);
    ALD_TRY(ald_scratch_reals(run, s->capacity, s->b, &more));
    ALD_TRY(take_off(run, s, first_coupled(task, s), more, w));
    return take_off(run, s, 0, more, w);
}

static void fill_column(ald_random *random, double *w, int64_t n, int64_t b, int64_t column)
{
    for (int64_t i = 0; i < n; i++) w[i * b + column] = ald_random_normal(random);
}

static double column_norm(int64_t n, int64_t b, const double *w, int64_t column)
{
    double square = 0.0;
    for (int64_t i = 0; i < n; i++) square += w[i * b + column] * w[i * b + column];
    return sqrt(square);
}

/* w_j -= q (q'w_j) for a column q; gives q'w_j. */
static double subtract_along(int64_t n, const double *q, int64_t step, double *w, int64_t b, int64_t j)
{
    double along = 0.0;
    for (int64_t i = 0; i < n; i++) along += q[i * step] * w[i * b + j];
    for (int64_t i = 0; i < n; i++) w[i * b + j] -= along * q[i * step];
    return along;
}

/* Column j of `next`, divided by its norm, orthogonalized against V and the columns before it and divided
 * again. */
static void clean_column(ald_block_basis *s, int64_t j)
{
    for (int twice = 0; twice < 2; twice++) {
        const double norm = column_norm(s->n, s->b, s->next, j);
        for (int64_t i = 0; i < s->n && norm > 0.0; i++) s->next[i * s->b + j] /= norm;
        for (int64_t c = 0; c < s->size; c++) subtract_along(s->n, s->v + c, s->capacity, s->next, s->b, j);
        for (int64_t c = 0; c < j; c++) subtract_along(s->n, s->next + c, s->b, s->next, s->b, j);
    }
    const double norm = column_norm(s->n, s->b, s->next, j);
    for (int64_t i = 0; i < s->n && norm > 0.0; i++) s->next[i * s->b + j] /= norm;
}

/* next <- orthonormal block, coupling <- B, a column after the other, since each must be taken off the later
 * ones as it really became. `sizes` are the norms of A Q: a column that has lost most of its size to V is
 * cleaned once more, and one that has lost all of it becomes a random direction that nothing couples to. */
static void normalize_next(ald_block_basis *s, ald_random *random, const double *sizes)
{
    const int64_t b = s->b;
    double largest = 0.0;
    memset(s->coupling, 0, (size_t)(b * b) * sizeof *s->coupling);
    for (int64_t j = 0; j < b; j++) largest = fmax(largest, sizes[j]);
    for (int64_t j = 0; j < b; j++) {
        for (int twice = 0; twice < 2; twice++)
            for (int64_t c = 0; c < j; c++)
                s->coupling[c * b + j] += subtract_along(s->n, s->next + c, b, s->next, b, j);
        const double norm = column_norm(s->n, b, s->next, j);
        const int noise = !(norm > 1e-14 * largest);
        if (noise) fill_column(random, s->next, s->n, b, j);
        s->coupling[j * b + j] = noise ? 0.0 : norm;
        if (noise || norm < 1e-2 * sizes[j])
            clean_column(s, j);
        else
            for (int64_t i = 0; i < s->n; i++) s->next[i * b + j] /= norm;
    }
}

ald_status ald_block_basis_expand(ald_run *run, ald_lanczos *task, ald_block_basis *s, ald_random *random)
{
    const int64_t begin = s->size, m = s->capacity, b = s->b;
    double *w;
    double sizes[widest];
    ALD_TRY(ald_scratch_reals(run, s->n, b, &w));
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->v + i * m + begin, s->next + i * b, (size_t)b * sizeof *s->v);
    s->size += b;
    ALD_TRY(task->apply(run, task->self, s->next, b, w));
    task->products += b;
    for (int64_t j = 0; j < b; j++) sizes[j] = column_norm(s->n, b, w, j);
    ALD_TRY(orthogonalize(run, task, s, w));
    for (int64_t i = first_coupled(task, s); i < s->size; i++)
        for (int64_t j = 0; j < b; j++) s->t[i * m + begin + j] = s->t[(begin + j) * m + i] = s->h[i * b + j];
    for (int64_t i = 0; i < b; i++)
        for (int64_t j = 0; j < i; j++) {
            const double mean = 0.5 * (s->h[(begin + i) * b + j] + s->h[(begin + j) * b + i]);
            s->t[(begin + i) * m + begin + j] = s->t[(begin + j) * m + begin + i] = mean;
        }
    memcpy(s->next, w, (size_t)(s->n * b) * sizeof *w);
    normalize_next(s, random, sizes);
    return ALD_OK;
}

ald_status ald_block_basis_ritz(ald_run *run, int64_t wanted, ald_block_basis *s)
{
    const int64_t count = wanted < s->size ? wanted : s->size;
    double *copy;
    ALD_TRY(ald_scratch_reals(run, s->size, s->size, &copy));
    for (int64_t i = 0; i < s->size; i++)
        memcpy(copy + i * s->size, s->t + i * s->capacity, (size_t)s->size * sizeof *copy);
    return ald_eigen(run, ald_at(copy, s->size, s->size), s->theta, ald_at(s->y, count, s->size));
}

ald_status ald_block_basis_vectors(ald_run *run, const ald_block_basis *s, ald_area out)
{
    const ald_view v = ald_left(ald_of(s->v, s->n, s->capacity), s->size),
                   y = ald_of(s->y, out.cols, s->size);
    return ald_product(run, v, ald_t(y), out);
}

ald_status ald_block_basis_restart(ald_run *run, ald_block_basis *s, int64_t keep)
{
    ALD_TRY(ald_block_basis_vectors(run, s,
                                    ald_area_block(ald_at(s->work, s->n, s->capacity), 0, 0, s->n, keep)));
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->v + i * s->capacity, s->work + i * s->capacity, (size_t)keep * sizeof *s->v);
    memset(s->t, 0, (size_t)(s->capacity * s->capacity) * sizeof *s->t);
    for (int64_t k = 0; k < keep; k++) s->t[k * s->capacity + k] = s->theta[k];
    s->size = s->coupled = keep;
    return ALD_OK;
}

void ald_block_basis_fill(ald_block_basis *s, ald_random *random)
{
    for (int64_t c = 0; c < s->b; c++) {
        fill_column(random, s->next, s->n, s->b, c);
        clean_column(s, c);
    }
}

ald_status ald_block_basis_begin(ald_run *run, ald_block_basis *s, ald_random *random)
{
    for (int64_t c = 0; c < s->b; c++) fill_column(random, s->next, s->n, s->b, c);
    return ald_qr(run, ald_at(s->next, s->n, s->b), ald_at(s->coupling, s->b, s->b));
}
