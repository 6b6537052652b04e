/* Tiles of pairs on every kind of processor that this one is: the bits are the signs of the values, computed
 * here in double, wherever rounding cannot decide. */
#include "math/near/near_panels.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 2 * ALD_NEAR_SINGLE };

/* Two panels of d coordinates, with h and u: as doubles, and in the precision of the tile. */
typedef struct panels {
    int64_t d, width;
    int is_double;
    double h[most], u[most];
    double *points;
    void *narrow, *narrow_h, *narrow_u;
} panels;

static void *rounded(double *values, int64_t count, int is_double)
{
    const size_t size = is_double ? sizeof(double) : sizeof(float);
    void *copy = malloc((size_t)count * size);
    for (int64_t i = 0; i < count; i++) {
        if (!is_double) values[i] = (double)(float)values[i];
        if (is_double)
            ((double *)copy)[i] = values[i];
        else
            ((float *)copy)[i] = (float)values[i];
    }
    return copy;
}

/* `reach`: the squared distance up to which pairs count, more or less. */
static panels new_panels(int64_t d, int is_double, double reach)
{
    panels p = {.d = d, .is_double = is_double, .width = is_double ? ALD_NEAR_DOUBLE : ALD_NEAR_SINGLE};
    p.points = support_normals(31, 2 * p.width * d);
    for (int64_t i = 0; i < 2 * p.width; i++) {
        const double *x = p.points + i / p.width * p.width * d + i % p.width;
        p.h[i] = 0.0;
        for (int64_t j = 0; j < d; j++) p.h[i] -= 0.5 * x[j * p.width] * x[j * p.width];
        p.u[i] = p.h[i] + 0.5 * reach * (1.0 + 0.1 * (double)(i % 5));
    }
    p.narrow = rounded(p.points, 2 * p.width * d, is_double);
    p.narrow_h = rounded(p.h, 2 * p.width, is_double);
    p.narrow_u = rounded(p.u, 2 * p.width, is_double);
    return p;
}

static void free_panels(panels *p)
{
    free(p->points);
    free(p->narrow);
    free(p->narrow_h);
    free(p->narrow_u);
}

static ald_near_side side(const panels *p, int64_t panel, int64_t row)
{
    const size_t size = p->is_double ? sizeof(double) : sizeof(float), at = (size_t)(panel * p->width + row);
    return (ald_near_side){
        (const char *)p->narrow + ((size_t)(panel * p->width * p->d) + (size_t)row) * size,
        (const char *)p->narrow_h + at * size,
        (const char *)p->narrow_u + at * size,
    };
}

static double value(const panels *p, int64_t i, int64_t j)
{
    const double *a = p->points + i, *b = p->points + p->width * p->d + j;
    const int64_t other = p->width + j;
    double sum = fmax(p->u[i] + p->h[other], p->u[other] + p->h[i]);
    for (int64_t k = 0; k < p->d; k++) sum += a[k * p->width] * b[k * p->width];
    return sum;
}

/* How many pairs are near; fails where a bit is wrong. */
static int64_t check_rows(const panels *p, const ald_near_kernel *kernel, int64_t i0)
{
    const ald_near_side some = side(p, 0, i0), all = side(p, 1, 0);
    const double rounding = (double)(p->d + 4) * (p->is_double ? DBL_EPSILON : (double)FLT_EPSILON);
    uint64_t near[ALD_NEAR_MOST_ROWS];
    int64_t found = 0;
    const int any = kernel->tile(p->d, &some, &all, near);
    if (!any) memset(near, 0, sizeof near);
    for (int64_t i = i0; i < i0 + kernel->rows; i++)
        for (int64_t j = 0; j < p->width; j++) {
            const double v = value(p, i, j), h = fabs(p->h[i]) + fabs(p->h[p->width + j]);
            const int bit = (int)(near[i - i0] >> j & 1);
            found += bit;
            if (fabs(v) > rounding * (4.0 * h + 1.0)) assert_int_equal(bit, v >= 0.0);
        }
    assert_int_equal(any, found > 0);
    return found;
}

static int64_t check_kernel(const ald_near_kernel *kernel, int64_t d, int is_double, double reach)
{
    panels p = new_panels(d, is_double, reach);
    int64_t found = 0;
    assert_int_equal(p.width % kernel->rows, 0);
    assert_int_equal(ALD_NEAR_UNIT % p.width, 0);
    for (int64_t i = 0; i < p.width; i += kernel->rows) found += check_rows(&p, kernel, i);
    free_panels(&p);
    return found;
}

static void bits_are_signs(void **state)
{
    (void)state;
    static const int64_t columns[] = {0, 1, 2, 7, 50, 300};
    for (int kind = 0; kind < ALD_NEAR_KINDS; kind++)
        for (int is_double = 0; is_double < 2; is_double++) {
            const ald_near_kernel *kernel = ald_near_kernel_of(kind, is_double);
            if (!kernel) continue;
            for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
                const double d = (double)columns[c];
                assert_true(columns[c] == 0 || check_kernel(kernel, columns[c], is_double, 1.4 * d) > 0);
                check_kernel(kernel, columns[c], is_double, 0.01 * d);
            }
            assert_int_equal(check_kernel(kernel, 9, is_double, -1.0), 0);
            assert_true(check_kernel(kernel, 9, is_double, 1e30) > 0);
        }
}

static void there_is_a_best(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        const ald_near_kernel *best = ald_near_kernel_best(is_double);
        int kind = ALD_NEAR_KINDS - 1;
        while (!ald_near_kernel_of(kind, is_double)) kind--;
        assert_ptr_equal(best, ald_near_kernel_of(kind, is_double));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_signs),
        cmocka_unit_test(there_is_a_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
