/* Products with few columns, see the header. The build lets products be fused here. The sums of some rows
 * with all columns stay in registers, as many rows as a kind of processor has registers for. An entry takes
 * one subtraction and one product of a vector for every eight columns. */
#include "math/linalg/few_columns.h"

#include "math/backend/backend.h"
#include "math/linalg/few_kinds.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif
#define FOR_ROWS UNROLLED for (int r = 0; r < height; r++)
#define FOR_VECTORS UNROLLED for (int v = 0; v < across; v++)

/* The rows that come next are fetched line by line. Products of a long row with up to four columns are summed
 * in lanes along the row, which takes an eighth of a vector per entry and column. */
enum { lanes = ald_few_lanes, line = 8, long_row = 32, most_along = ald_few_along };

int ald_few_serve(const ald_run *run)
{
    return ald_backend_of(run)->fuses;
}

/* Few columns of long rows: each of v, then the mean, along the rows, filled up to whole vectors. */
static ald_status pack_along(ald_run *run, ald_view v, const double *scale, const double *mean,
                             const double *offset, ald_few *few)
{
    const int64_t d = v.rows, k = v.cols, wide = (d + lanes - 1) / lanes * lanes;
    double *packed, *begin;
    ALD_TRY(ald_scratch_zeros(run, wide, k + 1, &packed));
    ALD_TRY(ald_scratch_reals(run, k, 1, &begin));
    for (int64_t c = 0; c < k; c++) {
        begin[c] = offset ? offset[c] : 0.0;
        for (int64_t j = 0; j < d; j++)
            packed[c * wide + j] = v.data[j * v.stride + c] * (scale ? scale[j] : 1.0);
    }
    for (int64_t j = 0; mean && j < d; j++) packed[k * wide + j] = mean[j];
    *few = (ald_few){d, k, 0, mean != NULL, begin, packed};
    return ALD_OK;
}

/* Row j: the mean, if there is one, eight times, then row j of v. */
ald_status ald_few_pack(ald_run *run, ald_view v, const double *scale, const double *mean,
                        const double *offset, ald_few *few)
{
    const int64_t first = mean ? lanes : 0, wide = first + (v.cols + lanes - 1) / lanes * lanes;
    double *packed, *begin;
    if (v.cols <= most_along && v.rows >= long_row) return pack_along(run, v, scale, mean, offset, few);
    ALD_TRY(ALD_SCRATCH(run, {&packed, v.rows, wide}, {&begin, wide - first, 1}));
    for (int64_t k = 0; k < wide - first; k++) begin[k] = offset && k < v.cols ? offset[k] : 0.0;
    for (int64_t j = 0; j < v.rows; j++) {
        double *row = packed + j * wide;
        for (int64_t k = 0; k < first; k++) row[k] = mean[j];
        for (int64_t k = 0; k < v.cols; k++) row[first + k] = v.data[j * v.stride + k];
        for (int64_t k = 0; scale && k < v.cols; k++) row[first + k] *= scale[j];
        for (int64_t k = first + v.cols; k < wide; k++) row[k] = 0.0;
    }
    *few = (ald_few){v.rows, v.cols, (int)((wide - first) / lanes), mean != NULL, begin, packed};
    return ALD_OK;
}

/* `height` rows with all columns, for both types of rows; the first three arguments are constants. Then all
 * rows: `height` at a time, the last ones one by one. Whole vectors are written where rows that come later
 * write over what is too much. */
#define MULTIPLY(type, suffix)                                                                               \
    ALD_WITHIN void some_##suffix(int height, int across, int centred, const ald_few *few, const type *rows, \
                                  int64_t stride, int loose, double *out)                                    \
    {                                                                                                        \
        ald_eight sums[8][3];                                                                                \
        const double *restrict columns = few->v;                                                             \
        const int64_t d = few->d, k = few->k;                                                                \
        FOR_ROWS FOR_VECTORS sums[r][v] = ALD_EIGHT_OF(few->offset + v * lanes);                             \
        for (int64_t j = 0; j < d; j++, columns += (centred + across) * lanes) {                             \
            const ald_eight mean = ALD_EIGHT_OF(columns);                                                    \
            if (j % line == 0) FOR_ROWS __builtin_prefetch(rows + (height + r) * stride + j);                \
            ald_eight terms[3];                                                                              \
            FOR_VECTORS terms[v] = ALD_EIGHT_OF(columns + (centred + v) * lanes);                            \
            FOR_ROWS                                                                                         \
            {                                                                                                \
                const double x = (double)rows[r * stride + j];                                               \
                ald_eight entry = EIGHT_TIMES(x);                                                            \
                if (centred) entry -= mean;                                                                  \
                FOR_VECTORS sums[r][v] += entry * terms[v];                                                  \
            }                                                                                                \
        }                                                                                                    \
        FOR_ROWS FOR_VECTORS                                                                                 \
        {                                                                                                    \
            if (loose)                                                                                       \
                ALD_EIGHT(out + r * k + v * lanes) = sums[r][v];                                             \
            else                                                                                             \
                for (int64_t c = v * lanes; c < k && c < (v + 1) * lanes; c++)                               \
                    out[r * k + c] = sums[r][v][c - v * lanes];                                              \
        }                                                                                                    \
    }                                                                                                        \
    ALD_WITHIN void all_##suffix(int height, int across, int centred, const ald_few *few, const type *rows,  \
                                 int64_t stride, int64_t m, double *out)                                     \
    {                                                                                                        \
        const int64_t k = few->k;                                                                            \
        int64_t i = 0;                                                                                       \
        for (; i + height <= m; i += height)                                                                 \
            some_##suffix(height, across, centred, few, rows + i * stride, stride,                           \
                          (i + height - 1) * k + across * lanes <= m * k, out + i * k);                      \
        for (; i < m; i++)                                                                                   \
            some_##suffix(1, across, centred, few, rows + i * stride, stride, 0, out + i * k);               \
    }
MULTIPLY(double, f64)
MULTIPLY(float, f32)

/* `height` long rows with `across` columns; what a row has behind its last whole vector is filled up too. */
#define MULTIPLY_ALONG(type, suffix)                                                                         \
    ALD_WITHIN void some_along_##suffix(int height, int across, int centred, const ald_few *few,             \
                                        const type *rows, int64_t stride, double *out)                       \
    {                                                                                                        \
        const int64_t d = few->d, whole = d / lanes * lanes, wide = (d + lanes - 1) / lanes * lanes;         \
        const double *restrict columns = few->v, *restrict mean = few->v + across * wide;                    \
        ald_eight sums[4][most_along];                                                                       \
        FOR_ROWS FOR_VECTORS sums[r][v] = (ald_eight){0.0};                                                  \
        for (int64_t j = 0; j < whole; j += lanes) FOR_ROWS                                                  \
            {                                                                                                \
                ald_eight entries = EIGHT_OF_##suffix(rows + r * stride + j);                                \
                if (centred) entries -= ALD_EIGHT_OF(mean + j);                                              \
                FOR_VECTORS sums[r][v] += entries * ALD_EIGHT_OF(columns + v * wide + j);                    \
            }                                                                                                \
        FOR_ROWS                                                                                             \
        {                                                                                                    \
            double rest[lanes] = {0.0};                                                                      \
            for (int64_t j = whole; j < d; j++) rest[j - whole] = (double)rows[r * stride + j];              \
            if (whole < d)                                                                                   \
                FOR_VECTORS sums[r][v] += (ALD_EIGHT_OF(rest) - ALD_EIGHT_OF(mean + whole)) *                \
                                          ALD_EIGHT_OF(columns + v * wide + whole);                          \
            FOR_VECTORS                                                                                      \
            {                                                                                                \
                const ald_eight s = sums[r][v];                                                              \
                out[r * across + v] =                                                                        \
                    (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))) + few->offset[v];    \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    ALD_WITHIN void along_##suffix(int height, int across, int centred, const ald_few *few,                  \
                                   const type *rows, int64_t stride, int64_t m, double *out)                 \
    {                                                                                                        \
        int64_t i = 0;                                                                                       \
        for (; i + height <= m; i += height)                                                                 \
            some_along_##suffix(height, across, centred, few, rows + i * stride, stride, out + i * across);  \
        for (; i < m; i++)                                                                                   \
            some_along_##suffix(1, across, centred, few, rows + i * stride, stride, out + i * across);       \
    }
MULTIPLY_ALONG(double, f64)
MULTIPLY_ALONG(float, f32)

#define CASE(n, height, suffix)                                                                              \
    if (few->vectors == (n) && few->centred) all_##suffix(height, n, 1, few, rows, stride, m, out);          \
    if (few->vectors == (n) && !few->centred) all_##suffix(height, n, 0, few, rows, stride, m, out)

#define ALONG(n, height, suffix)                                                                             \
    if (few->vectors == 0 && few->k == (n) && few->centred)                                                  \
        along_##suffix(height, n, 1, few, rows, stride, m, out);                                             \
    if (few->vectors == 0 && few->k == (n) && !few->centred)                                                 \
    along_##suffix(height, n, 0, few, rows, stride, m, out)

#define OF_TYPE(kind, attributes, type, suffix, a2, a4, h1, h2, h3)                                          \
    attributes static void suffix##_##kind(const ald_few *few, const type *rows, int64_t stride, int64_t m,  \
                                           double *out)                                                      \
    {                                                                                                        \
        ALONG(1, 4, suffix);                                                                                 \
        ALONG(2, a2, suffix);                                                                                \
        ALONG(3, a4, suffix);                                                                                \
        ALONG(4, a4, suffix);                                                                                \
        CASE(1, h1, suffix);                                                                                 \
        CASE(2, h2, suffix);                                                                                 \
        CASE(3, h3, suffix);                                                                                 \
    }

/* The functions of a kind of processor: rows at a time with two, with three or four columns along rows (a2,
 * a4), and with one to three vectors of columns (h1 .. h3). */
#define KIND(kind, attributes, a2, a4, h1, h2, h3)                                                           \
    OF_TYPE(kind, attributes, double, f64, a2, a4, h1, h2, h3)                                               \
    OF_TYPE(kind, attributes, float, f32, a2, a4, h1, h2, h3)                                                \
    attributes static void both_##kind(const ald_few_symmetric *s, int64_t i, int64_t j, int64_t end,        \
                                       double *w)                                                            \
    {                                                                                                        \
        for (int64_t r = i; r < i + ald_few_rows; r += s->k <= 2 ? a2 : a4) {                                \
            if (s->k == 1) both_rows(a2, 1, s, r, j, end, w);                                                \
            if (s->k == 2) both_rows(a2, 2, s, r, j, end, w);                                                \
            if (s->k == 3) both_rows(a4, 3, s, r, j, end, w);                                                \
            if (s->k == 4) both_rows(a4, 4, s, r, j, end, w);                                                \
        }                                                                                                    \
    }                                                                                                        \
    attributes static void gram_##kind(int64_t rows, int64_t wide, const double *b, double *c)               \
    {                                                                                                        \
        gram_rows(h2, rows, wide, b, c);                                                                     \
    }

/* A row is read for its own sums, in lanes, and for those of the rows that its entries stand for. */
ALD_WITHIN void both_rows(int height, int across, const ald_few_symmetric *s, int64_t i, int64_t j,
                          int64_t end, double *restrict out)
{
    const int64_t n = s->n, apart = s->apart;
    const double *a = s->a + i * n, *restrict columns = s->v;
    ald_eight sums[4][most_along];
    FOR_ROWS FOR_VECTORS sums[r][v] = (ald_eight){0.0};
    for (; j + lanes <= end; j += lanes) FOR_VECTORS
        {
            const ald_eight terms = ALD_EIGHT_OF(columns + v * apart + j);
            ald_eight sum = ALD_EIGHT_OF(out + v * apart + j);
            FOR_ROWS
            {
                const double own = columns[v * apart + i + r];
                const ald_eight entries = ALD_EIGHT_OF(a + r * n + j);
                sums[r][v] += entries * terms;
                sum += entries * EIGHT_TIMES(own);
            }
            ALD_EIGHT(out + v * apart + j) = sum;
        }
    FOR_ROWS FOR_VECTORS
    {
        const ald_eight l = sums[r][v];
        double sum = ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
        for (int64_t e = j; e < end; e++) {
            sum += a[r * n + e] * columns[v * apart + e];
            out[v * apart + e] += a[r * n + e] * columns[v * apart + i + r];
        }
        out[v * apart + i + r] += sum;
    }
}

/* The sums of a tile of `height` columns by two vectors of columns over `rows` rows that are `wide` apart. */
ALD_WITHIN void gram_tile(int height, int64_t rows, int64_t wide, const double *restrict a,
                          const double *restrict b, double *restrict c)
{
    enum { across = 2 };
    ald_eight sums[8][across];
    FOR_ROWS FOR_VECTORS sums[r][v] = ALD_EIGHT_OF(c + r * wide + v * lanes);
    for (int64_t i = 0; i < rows; i++, a += wide, b += wide) {
        const ald_eight first = ALD_EIGHT_OF(b), second = ALD_EIGHT_OF(b + lanes);
        FOR_ROWS
        {
            const double x = a[r];
            const ald_eight entry = EIGHT_TIMES(x);
            sums[r][0] += entry * first;
            sums[r][1] += entry * second;
        }
    }
    FOR_ROWS FOR_VECTORS ALD_EIGHT(c + r * wide + v * lanes) = sums[r][v];
}

/* Tiles from the diagonal on. */
ALD_WITHIN void gram_rows(int height, int64_t rows, int64_t wide, const double *b, double *c)
{
    for (int64_t i = 0; i < wide; i += height)
        for (int64_t j = i / (2 * lanes) * (2 * lanes); j < wide; j += 2 * lanes)
            gram_tile(height, rows, wide, b + i, b + j, c + i * wide + j);
}

#define PLAIN
KIND(plain, PLAIN, 2, 1, 2, 1, 1)
#ifdef HAS_KINDS
KIND(avx2, FOR_AVX2, 2, 1, 4, 2, 2)
KIND(avx512, FOR_AVX512, 4, 4, 8, 8, 8)
#endif

void ald_few_multiply(const ald_few *few, const ald_matrix *x, int64_t i, int64_t m, double *out)
{
    const int64_t stride = x->row_stride;
    if (x->type == ALD_F64)
        CALL(f64, few, (const double *)x->values + i * stride, stride, m, out);
    else
        CALL(f32, few, (const float *)x->values + i * stride, stride, m, out);
}

void ald_few_both(const ald_few_symmetric *s, int64_t i, int64_t j, int64_t end, double *w)
{
    CALL(both, s, i, j, end, w);
}

enum { narrowest = 20, widest = 128 };

int ald_few_gram_serves(int64_t d)
{
    return d >= narrowest && d <= widest;
}

/* Some rows at a time are laid out in whole vectors, with zeros at the end, where they stay in cache; so are
 * the sums. */
void ald_few_gram(int64_t m, int64_t d, const double *b, int64_t stride, double *c, int64_t ldc)
{
    enum { room = 32 * widest };
    const int64_t wide = (d + 2 * lanes - 1) / (2 * lanes) * (2 * lanes), step = room / wide;
    double rows[room], sums[widest * widest];
    memset(sums, 0, (size_t)(wide * wide) * sizeof *sums);
    for (int64_t i = 0; i < m; i += step) {
        const int64_t count = step < m - i ? step : m - i;
        for (int64_t r = 0; r < count; r++) {
            memcpy(rows + r * wide, b + (i + r) * stride, (size_t)d * sizeof *rows);
            memset(rows + r * wide + d, 0, (size_t)(wide - d) * sizeof *rows);
        }
        CALL(gram, count, wide, rows, sums);
    }
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++) c[i * ldc + j] += sums[i * wide + j];
}
