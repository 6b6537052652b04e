#include "math/kernel/symmetric.h"

#include "base/numbers/ordering.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"

#include <stdatomic.h>
#include <string.h>

/* Rows of a tile; they are dealt to the parts in turn, since rows of a triangle are not equally long. */
enum { tile = 32, rows_at_once = 64, columns_at_once = 512, few_parts = 4, large = 1 << 18 };

typedef struct mirroring {
    int64_t n;
    double *a;
    int parts;
    int64_t first, end; /* the rows at work */
} mirroring;

/* Rows of the lower triangle, which this part touches first. */
static void mirror_part(void *work, int part)
{
    const mirroring *m = work;
    const int64_t n = m->n;
    for (int64_t i0 = m->first + (int64_t)part * tile; i0 < m->end; i0 += (int64_t)m->parts * tile)
        for (int64_t j0 = 0; j0 <= i0; j0 += tile)
            for (int64_t i = i0; i < ald_least(n, i0 + tile); i++)
                for (int64_t j = j0; j < ald_least(i, j0 + tile); j++) m->a[i * n + j] = m->a[j * n + i];
}

/* Many rows at a time; the caller is asked in between. */
ald_status ald_symmetric_mirror(ald_run *run, int64_t n, double *a)
{
    enum { values = 1 << 21 }; /* of each part */
    mirroring m = {n, a, n * n < large ? 1 : ald_parts(run->context, n, 4 * tile), 0, 0};
    const int64_t step = m.parts * tile * (1 + values / (tile * n));
    for (; m.first < n; m.first = m.end) {
        m.end = ald_least(n, m.first + step);
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)(m.end - m.first) * (double)n / m.parts));
        ald_parallel(m.parts, mirror_part, &m);
    }
    return ALD_OK;
}

typedef struct symmetric_product {
    ald_run *run;
    int64_t n, k;
    const double *a, *v;
    double *sums; /* parts of n x k */
    int parts;
    atomic_int stopped;
    ald_status status[few_parts];
} symmetric_product;

static ald_view block(const double *a, int64_t stride, int64_t i, int64_t j, int64_t rows, int64_t cols)
{
    return (ald_view){a + i * stride + j, rows, cols, stride, 0};
}

/* What rows i0 .. i0 + m have from the diagonal on. */
static ald_status add_rows(const symmetric_product *p, int64_t i0, int64_t m, double *sums)
{
    const int64_t n = p->n, k = p->k;
    const ald_view own = block(p->v, k, i0, 0, m, k);
    const ald_area out = ald_at(sums, n, k), out_own = ald_area_block(out, i0, 0, m, k);
    ALD_TRY(ald_product_add(p->run, 1.0, block(p->a, n, i0, i0, m, m), own, 1.0, out_own));
    for (int64_t j = i0 + m; j < n; j += columns_at_once) {
        const int64_t c = ald_least(columns_at_once, n - j);
        const ald_view entries = block(p->a, n, i0, j, m, c);
        ALD_TRY(ald_product_add(p->run, 1.0, entries, block(p->v, k, j, 0, c, k), 1.0, out_own));
        ALD_TRY(ald_product_add(p->run, 1.0, ald_t(entries), own, 1.0, ald_area_block(out, j, 0, c, k)));
    }
    return ALD_OK;
}

/* The first part is done by the caller's thread, which asks. */
static ald_status clear_sums(const symmetric_product *p, int part, double *sums)
{
    for (int64_t i = 0; i < p->n; i++) {
        if (part == 0) ALD_TRY(ald_ask_after(p->run, ALD_PAGE_WORK * (double)p->k));
        memset(sums + i * p->k, 0, (size_t)p->k * sizeof *sums);
    }
    return ALD_OK;
}

static void product_part(void *work, int part)
{
    symmetric_product *p = work;
    double *sums = p->sums + part * p->n * p->k;
    ald_status *status = &p->status[part];
    *status = clear_sums(p, part, sums);
    if (*status < 0) atomic_store(&p->stopped, 1);
    for (int64_t i = (int64_t)part * rows_at_once; i < p->n; i += (int64_t)p->parts * rows_at_once) {
        const int64_t m = ald_least(rows_at_once, p->n - i);
        if (part == 0 && *status >= 0) *status = ald_ask_after(p->run, (double)(m * p->n) * (double)p->k);
        if (*status >= 0) *status = add_rows(p, i, m, sums);
        if (*status < 0) atomic_store(&p->stopped, 1);
        if (atomic_load(&p->stopped)) return;
    }
}

static ald_status apply_half(ald_run *run, int parts, int64_t n, const double *a, const double *v, int64_t k,
                             double *out)
{
    symmetric_product p = {.run = run, .n = n, .k = k, .a = a, .v = v, .parts = parts};
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, parts, n * k, &p.sums));
    ald_parallel(parts, product_part, &p);
    for (int i = 0; i < parts; i++) ALD_TRY(p.status[i]);
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(parts * k)));
        memcpy(out + i * k, p.sums + i * k, (size_t)k * sizeof *out);
        for (int part = 1; part < parts; part++)
            for (int64_t j = i * k; j < (i + 1) * k; j++) out[j] += p.sums[part * n * k + j];
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_symmetric_apply(ald_run *run, int64_t n, const double *a, const double *v, int64_t k,
                               double *out)
{
    enum { in_cache = 1 << 20 }; /* entries: read as they are, faster than twice by halves */
    const int parts = ald_parts(run->context, n, 2 * rows_at_once);
    const ald_operator z = {.x = ald_matrix_row_major(a, n, n, n)};
    if (parts <= few_parts && n * n > in_cache) return apply_half(run, parts, n, a, v, k, out);
    return ald_operator_apply(run, &z, ald_of(v, n, k), ald_at(out, n, k));
}
