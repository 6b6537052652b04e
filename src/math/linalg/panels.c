/* Packed rows, see the header. The build lets products be fused here.
 *
 * A tile of C is made of small ones of 8 x 24 sums, which stay in registers while some hundred entries of 8
 * and of 24 rows go by: 3 vectors and 8 numbers are read for 24 products of vectors. The entries of 24 rows
 * stay in the first cache while the rows of the other side pass, and both sides' entries in the second. */
#include "math/linalg/panels.h"

#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/backend/backend.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ALD_SANITIZED)
#define FAST __attribute__((target("avx512f")))
#define IS_FAST __builtin_cpu_supports("avx512f")
#elif defined(ALD_SANITIZED) /* not fast, but watched */
#define FAST
#define IS_FAST 1
#else
#define FAST
#define IS_FAST 0
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

enum { height = ald_panel_rows, across = ald_panel_step / ald_panel_rows, entries_at_once = 256 };

int ald_panels_serve(const ald_run *run)
{
    return IS_FAST && ald_backend_of(run)->fuses;
}

int64_t ald_panels_count(int64_t rows)
{
    return (rows + ald_panel_step - 1) / ald_panel_step * across;
}

typedef struct packing {
    ald_view rows;
    double *values;
    int parts;
} packing;

/* Eight entries of eight rows at a time. */
static void pack_panel(ald_view rows, int64_t i, double *out)
{
    const int64_t d = rows.cols, m = ald_least(height, rows.rows - i);
    const double *from = rows.data + i * rows.stride;
    if (m < height) memset(out, 0, (size_t)(d * height) * sizeof *out); /* also where m < 0 */
    for (int64_t j0 = 0; j0 < d; j0 += height)
        for (int64_t r = 0; r < m; r++)
            for (int64_t j = j0; j < ald_least(d, j0 + height); j++)
                out[j * height + r] = from[r * rows.stride + j];
}

static void pack_part(void *work, int part)
{
    const packing *p = work;
    const int64_t all = ald_panels_count(p->rows.rows);
    for (int64_t i = ald_part_begin(all, p->parts, part); i < ald_part_begin(all, p->parts, part + 1); i++)
        pack_panel(p->rows, i * height, p->values + i * height * p->rows.cols);
}

ald_status ald_panels_pack(ald_run *run, ald_view rows, const ald_panels *panels)
{
    const int64_t entries = rows.rows * rows.cols;
    packing p = {rows, panels->values, ald_parts(run, entries, 1 << 15)};
    ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)entries / p.parts));
    ald_parallel(p.parts, pack_part, &p);
    return ALD_OK;
}

#define FOR_ALL UNROLLED for (int r = 0; r < height; r++) UNROLLED for (int v = 0; v < across; v++)

/* Sums of `count` entries, added to c or in its place. */
FAST static void small_tile(int64_t count, const double *restrict a, const double *restrict b, int64_t d,
                            int first, double *restrict c, int64_t stride)
{
    const double *restrict b1 = b + d * height, *restrict b2 = b1 + d * height;
    ald_eight sums[height][across];
    FOR_ALL sums[r][v] = (ald_eight){0.0};
    for (int64_t k = 0; k < count; k++, a += height, b += height, b1 += height, b2 += height) {
        const ald_eight terms[across] = {ALD_EIGHT_OF(b), ALD_EIGHT_OF(b1), ALD_EIGHT_OF(b2)};
        FOR_ALL
        {
            const double x = a[r];
            sums[r][v] += (ald_eight){x, x, x, x, x, x, x, x} * terms[v];
        }
    }
    FOR_ALL
    {
        double *out = c + r * stride + v * height;
        if (!first) sums[r][v] += ALD_EIGHT_OF(out);
        ALD_EIGHT(out) = sums[r][v];
    }
}

void ald_panels_multiply(const ald_panels *a, const ald_panels *b, const ald_panel_tile *t, double *c,
                         int64_t stride)
{
    const int64_t d = a->d;
    for (int64_t k = 0; k < d; k += entries_at_once) {
        const int64_t count = ald_least(entries_at_once, d - k);
        for (int64_t q = 0; q < t->w; q += ald_panel_step)
            for (int64_t p = 0; p < (t->upper ? ald_least(t->m, q + ald_panel_step) : t->m); p += height)
                small_tile(count, a->values + (t->i + p) * d + k * height,
                           b->values + (t->j + q) * d + k * height, d, k == 0 && !t->more, c + p * stride + q,
                           stride);
    }
}
