/* Products with few columns (few_columns.h) of rows that are stored by columns, as R and Fortran store them.
 * Eight rows side by side are a vector. The sums of a tile of rows stay in the first-level cache while the
 * columns pass, some at a time; every sum adds the same terms in the same order as ald_few_multiply, so that
 * it has the same bytes. There sums along long rows are in lanes, every eighth entry in one; here each lane
 * is a sum of its own until the end. The build lets products be fused here. */
#include "math/linalg/few_columns.h"

#include "math/linalg/few_kinds.h"

/* Rows and columns of a tile, and how many rows ahead are fetched. */
enum { lanes = ald_few_lanes, tall = ald_few_tile_rows, passing = 32, ahead = 64 };

/* Where the terms of column j are: v[j * by_column + c * by_component], mean[j * by_mean]. */
typedef struct terms {
    const double *v, *mean; /* mean NULL: nothing is taken off */
    int64_t by_column, by_component, by_mean;
    int n_lanes; /* columns that are summed apart: every n_lanes-th */
} terms;

static terms terms_of(const ald_few *few)
{
    const int64_t d = few->d, wide = (d + lanes - 1) / lanes * lanes,
                  row = (few->centred + few->vectors) * lanes;
    if (few->vectors == 0)
        return (terms){few->v, few->centred ? few->v + few->k * wide : NULL, 1, wide, 1, lanes};
    return (terms){few->v + few->centred * lanes, few->centred ? few->v : NULL, row, 1, row, 1};
}

/* Columns j, j + n_lanes, ... < end of `count` rows, eight but for the last ones, join `across` sums, each
 * `tall` after the other. */
#define JOIN(type, suffix)                                                                                   \
    ALD_WITHIN void join_##suffix(int across, int count, const terms *t, const type *x, int64_t apart,       \
                                  int64_t j, int64_t end, int64_t c, double *sums)                           \
    {                                                                                                        \
        ald_eight s[lanes];                                                                                  \
        for (int a = 0; a < across; a++) s[a] = ALD_EIGHT_OF(sums + a * tall);                               \
        for (; j < end; j += t->n_lanes) {                                                                   \
            ald_eight entries = {0.0};                                                                       \
            if (count == lanes)                                                                              \
                entries = EIGHT_OF_##suffix(x + j * apart);                                                  \
            else                                                                                             \
                for (int r = 0; r < count; r++) entries[r] = (double)x[j * apart + r];                       \
            if (c == 0) __builtin_prefetch(x + j * apart + ahead);                                           \
            if (t->mean) entries -= EIGHT_TIMES(t->mean[j * t->by_mean]);                                    \
            const double *v = t->v + j * t->by_column + c * t->by_component;                                 \
            for (int a = 0; a < across; a++) s[a] += entries * EIGHT_TIMES(v[a * t->by_component]);          \
        }                                                                                                    \
        for (int a = 0; a < across; a++) ALD_EIGHT(sums + a * tall) = s[a];                                  \
    }                                                                                                        \
    /* All sums of `count` rows; those of lane l begin at component l k. */                                  \
    ALD_WITHIN void join_all_##suffix(int widest, int count, const terms *t, const type *x, int64_t apart,   \
                                      int64_t j, int64_t end, int64_t k, double *sums)                       \
    {                                                                                                        \
        for (int l = 0; l < t->n_lanes; l++)                                                                 \
            for (int64_t c = 0; c < k;) {                                                                    \
                double *own = sums + (l * k + c) * tall;                                                     \
                if (widest == 8 && k - c >= 8)                                                               \
                    join_##suffix(8, count, t, x, apart, j + l, end, c, own), c += 8;                        \
                else if (widest >= 4 && k - c >= 4)                                                          \
                    join_##suffix(4, count, t, x, apart, j + l, end, c, own), c += 4;                        \
                else if (k - c >= 2)                                                                         \
                    join_##suffix(2, count, t, x, apart, j + l, end, c, own), c += 2;                        \
                else                                                                                         \
                    join_##suffix(1, count, t, x, apart, j + l, end, c, own), c += 1;                        \
            }                                                                                                \
    }                                                                                                        \
    ALD_WITHIN void tile_##suffix(int widest, const ald_few *few, const type *x, int64_t apart, int64_t m,   \
                                  double *sums)                                                              \
    {                                                                                                        \
        const terms t = terms_of(few);                                                                       \
        for (int64_t j = 0; j < few->d; j += passing) {                                                      \
            const int64_t end = few->d - j < passing ? few->d : j + passing;                                 \
            int64_t i = 0;                                                                                   \
            for (; i + lanes <= m; i += lanes)                                                               \
                join_all_##suffix(widest, lanes, &t, x + i, apart, j, end, few->k, sums + i);                \
            if (i < m) join_all_##suffix(widest, (int)(m - i), &t, x + i, apart, j, end, few->k, sums + i);  \
        }                                                                                                    \
    }
JOIN(double, f64)
JOIN(float, f32)

#define KIND(kind, attributes, widest)                                                                       \
    attributes static void f64_##kind(const ald_few *few, const double *x, int64_t apart, int64_t m,         \
                                      double *sums)                                                          \
    {                                                                                                        \
        tile_f64(widest, few, x, apart, m, sums);                                                            \
    }                                                                                                        \
    attributes static void f32_##kind(const ald_few *few, const float *x, int64_t apart, int64_t m,          \
                                      double *sums)                                                          \
    {                                                                                                        \
        tile_f32(widest, few, x, apart, m, sums);                                                            \
    }
#define PLAIN
KIND(plain, PLAIN, 2)
#ifdef HAS_KINDS
KIND(avx2, FOR_AVX2, 4)
KIND(avx512, FOR_AVX512, 8)
#endif

static void begin_sums(const ald_few *few, double *sums)
{
    const int64_t count = few->vectors == 0 ? few->k * lanes : few->k;
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < tall; i++) sums[c * tall + i] = few->vectors == 0 ? 0.0 : few->offset[c];
}

static void end_sums(const ald_few *few, const double *sums, int64_t m, double *out)
{
    const int64_t k = few->k;
    for (int64_t c = 0; c < k; c++)
        for (int64_t i = 0; i < m; i++) {
            const double *s = sums + c * tall + i;
            const int64_t l = k * tall; /* from a lane to the next */
            out[i * k + c] = few->vectors > 0 ? *s
                                              : (((s[0] + s[4 * l]) + (s[2 * l] + s[6 * l])) +
                                                 ((s[l] + s[5 * l]) + (s[3 * l] + s[7 * l]))) +
                                                    few->offset[c];
        }
}

void ald_few_multiply_columns(const ald_few *few, const ald_matrix *x, int64_t i, int64_t m, double *sums,
                              double *out)
{
    for (int64_t end = i + m; i < end; i += tall, out += tall * few->k) {
        const int64_t rows = end - i < tall ? end - i : tall;
        begin_sums(few, sums);
        if (x->type == ALD_F64)
            CALL(f64, few, (const double *)x->values + i, x->col_stride, rows, sums);
        else
            CALL(f32, few, (const float *)x->values + i, x->col_stride, rows, sums);
        end_sums(few, sums, rows, out);
    }
}
