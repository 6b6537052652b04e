/* Curvature added up over blocks, merged, and taken away again, with a warning where digits are lost. */
#include "methods/moments/curved.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

enum { rows_at_once = 256 };

int ald_curved_is_kept(const ald_run *run)
{
    const ald_curvature *curvature = ald_settings_method(run->settings)->curvature;
    return curvature && !curvature->of_residuals(run);
}

ald_status ald_curved_add(ald_run *run, const ald_operator *rows, const ald_target *target,
                          const ald_curving *about, double *curved, double *squares)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_operator centred = *rows;
    double *y, *plain, *times;
    int64_t q;
    centred.mean = about->mean;
    ALD_TRY(ald_target_numbers(run, target, &y, &q));
    ALD_TRY(ALD_SCRATCH(run, {&plain, rows_at_once, d}, {&times, rows_at_once, d}));
    for (int64_t begin = 0; begin < n; begin += rows_at_once) {
        const int64_t count = n - begin < rows_at_once ? n - begin : rows_at_once;
        ALD_TRY(ald_operator_rows(run, &centred, begin, ald_at(plain, count, d)));
        for (int64_t i = 0; i < count; i++) {
            const double *row = plain + i * d;
            const double weight = target->weights ? target->weights[begin + i] : 1.0;
            const double fitted = about->slope ? ald_dot(d, row, about->slope) : 0.0;
            const double r = y[(begin + i) * q] - about->y_mean - fitted;
            *squares += weight * r * r;
            for (int64_t j = 0; j < d; j++) times[i * d + j] = weight * r * row[j];
        }
        ALD_TRY(ald_product_add(run, 1.0, ald_t(ald_of(plain, count, d)), ald_of(times, count, d), 1.0,
                                ald_at(curved, d, d)));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* C of the rows of m as it is seen from means that lie by -apart and -y_apart from its own, times `sign`,
 * added to `sum`; gives the sum of the squares of what was added. */
static double add_shifted(const ald_moments *m, const double *apart, double y_apart, double sign, double *sum)
{
    const int64_t d = m->d;
    double squares = 0.0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++) {
            const double turned = m->cross[i] * apart[j] + apart[i] * m->cross[j],
                         spread = m->scatter[i * d + j] + m->weight * apart[i] * apart[j];
            const double entry = m->curved[i * d + j] + turned + y_apart * spread;
            sum[i * d + j] += sign * entry;
            squares += entry * entry;
        }
    return squares;
}

/* More than six digits of sixteen are gone (moments_merge.c). */
static void tell_loss(ald_run *run, int64_t d, const double *left, double before)
{
    const double after = ald_dot(d * d, left, left);
    if (after > 4e-12 * before || !(before > 0.0)) return;
    ald_warn(run, ALD_DIGITS_LOST,
             "the curvature of the removed rows was so much larger than that of the remaining ones that few "
             "digits of it are left: refit the remaining rows");
}

ald_status ald_curved_merge(ald_run *run, ald_moments *a, const ald_moments *b, int sign)
{
    const int64_t d = a->d;
    const double part = sign * b->weight / (a->weight + sign * b->weight);
    const double y_apart = b->y_mean[0] - a->y_mean[0];
    double *of_a, *of_b, *sum;
    ALD_TRY(ALD_SCRATCH(run, {&of_a, d, 1}, {&of_b, d, 1}, {&sum, d, d}));
    for (int64_t j = 0; j < d; j++) {
        of_a[j] = -part * (b->mean[j] - a->mean[j]);
        of_b[j] = b->mean[j] - a->mean[j] + of_a[j];
    }
    memset(sum, 0, (size_t)(d * d) * sizeof *sum);
    const double before = add_shifted(a, of_a, -part * y_apart, 1.0, sum) +
                          add_shifted(b, of_b, (1.0 - part) * y_apart, sign, sum);
    memcpy(a->curved, sum, (size_t)(d * d) * sizeof *sum);
    if (sign < 0) tell_loss(run, d, sum, before);
    return ALD_OK;
}
