/* Products with few columns, see the header. The build lets products be fused here. The sums of some rows
 * with all columns stay in registers, as many rows as a kind of processor has registers for. An entry takes
 * one subtraction and one product of a vector for every eight columns. */
#include "math/linalg/few_columns.h"

#include "base/numbers/wide.h"
#include "math/backend/backend.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ALD_SANITIZED)
#define HAS_KINDS
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif
#define FOR_ROWS UNROLLED for (int r = 0; r < height; r++)
#define FOR_VECTORS UNROLLED for (int v = 0; v < across; v++)

/* The rows that come next are fetched line by line. Products of a long row with one column are summed in
 * lanes along the row. */
enum { lanes = ald_few_lanes, line = 8, long_row = 32 };

int ald_few_serve(const ald_run *run)
{
    return ald_backend_of(run)->fuses;
}

/* One column of long rows: v, then the mean, along the rows, each filled up to whole vectors with zeros. */
static ald_status pack_one(ald_run *run, ald_view v, const double *scale, const double *mean,
                           const double *offset, ald_few *few)
{
    const int64_t d = v.rows, wide = (d + lanes - 1) / lanes * lanes;
    double *packed, *begin;
    ALD_TRY(ald_scratch_zeros(run, wide, 2, &packed));
    ALD_TRY(ald_scratch_reals(run, 1, 1, &begin));
    begin[0] = offset ? offset[0] : 0.0;
    for (int64_t j = 0; j < d; j++) {
        packed[j] = v.data[j * v.stride] * (scale ? scale[j] : 1.0);
        packed[wide + j] = mean ? mean[j] : 0.0;
    }
    *few = (ald_few){d, 1, 0, mean != NULL, begin, packed};
    return ALD_OK;
}

/* Row j: the mean, if there is one, eight times, then row j of v. */
ald_status ald_few_pack(ald_run *run, ald_view v, const double *scale, const double *mean,
                        const double *offset, ald_few *few)
{
    const int64_t first = mean ? lanes : 0, wide = first + (v.cols + lanes - 1) / lanes * lanes;
    double *packed, *begin;
    if (v.cols == 1 && v.rows >= long_row) return pack_one(run, v, scale, mean, offset, few);
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

#define EIGHT_TIMES(x) ((ald_eight){x, x, x, x, x, x, x, x})

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

/* `height` long rows with one column; what a row has behind its last whole vector is filled up too. */
#define MULTIPLY_ONE(type, suffix)                                                                           \
    ALD_WITHIN void some_one_##suffix(int height, const ald_few *few, const type *rows, int64_t stride,      \
                                      double *out)                                                           \
    {                                                                                                        \
        const int64_t d = few->d, whole = d / lanes * lanes;                                                 \
        const double *restrict column = few->v, *restrict mean = few->v + (d + lanes - 1) / lanes * lanes;   \
        ald_eight sums[8];                                                                                   \
        FOR_ROWS sums[r] = (ald_eight){0.0};                                                                 \
        for (int64_t j = 0; j < whole; j += lanes) {                                                         \
            const ald_eight terms = ALD_EIGHT_OF(column + j), means = ALD_EIGHT_OF(mean + j);                \
            FOR_ROWS sums[r] += (EIGHT_OF_##suffix(rows + r * stride + j) - means) * terms;                  \
        }                                                                                                    \
        FOR_ROWS                                                                                             \
        {                                                                                                    \
            double rest[lanes] = {0.0};                                                                      \
            for (int64_t j = whole; j < d; j++) rest[j - whole] = (double)rows[r * stride + j];              \
            if (whole < d)                                                                                   \
                sums[r] += (ALD_EIGHT_OF(rest) - ALD_EIGHT_OF(mean + whole)) * ALD_EIGHT_OF(column + whole); \
            const ald_eight s = sums[r];                                                                     \
            out[r] = (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))) + few->offset[0];   \
        }                                                                                                    \
    }                                                                                                        \
    ALD_WITHIN void one_##suffix(int height, const ald_few *few, const type *rows, int64_t stride,           \
                                 int64_t m, double *out)                                                     \
    {                                                                                                        \
        int64_t i = 0;                                                                                       \
        for (; i + height <= m; i += height)                                                                 \
            some_one_##suffix(height, few, rows + i * stride, stride, out + i);                              \
        for (; i < m; i++) some_one_##suffix(1, few, rows + i * stride, stride, out + i);                    \
    }
typedef float eight_floats __attribute__((vector_size(32), aligned(4), may_alias));
#define EIGHT_OF_f64(place) ALD_EIGHT_OF(place)
#define EIGHT_OF_f32(place) __builtin_convertvector(*(const eight_floats *)(place), ald_eight)
MULTIPLY_ONE(double, f64)
MULTIPLY_ONE(float, f32)

#define CASE(n, height, suffix)                                                                              \
    if (few->vectors == (n) && few->centred) all_##suffix(height, n, 1, few, rows, stride, m, out);          \
    if (few->vectors == (n) && !few->centred) all_##suffix(height, n, 0, few, rows, stride, m, out)

#define OF_TYPE(kind, attributes, type, suffix, h1, h2, h3)                                                  \
    attributes static void suffix##_##kind(const ald_few *few, const type *rows, int64_t stride, int64_t m,  \
                                           double *out)                                                      \
    {                                                                                                        \
        if (few->vectors == 0 && few->k == 1) one_##suffix(4, few, rows, stride, m, out);                    \
        CASE(1, h1, suffix);                                                                                 \
        CASE(2, h2, suffix);                                                                                 \
        CASE(3, h3, suffix);                                                                                 \
    }

/* The functions of a kind of processor; h1 .. h3: rows at a time with one to three vectors of columns. */
#define KIND(kind, attributes, h1, h2, h3)                                                                   \
    OF_TYPE(kind, attributes, double, f64, h1, h2, h3)                                                       \
    OF_TYPE(kind, attributes, float, f32, h1, h2, h3)                                                        \
    attributes static void both_##kind(int64_t c, const double *a, int64_t stride, const double *v,          \
                                       const double *own, double *own_out, double *out)                      \
    {                                                                                                        \
        for (int r = 0; r < ald_few_rows; r += h1)                                                           \
            both_rows(h1, c, a + r * stride, stride, v, own + r * lanes, own_out + r * lanes, out);          \
    }                                                                                                        \
    attributes static void gram_##kind(int64_t rows, int64_t wide, const double *b, double *c)               \
    {                                                                                                        \
        gram_rows(h2, rows, wide, b, c);                                                                     \
    }

ALD_WITHIN void both_rows(int height, int64_t c, const double *a, int64_t stride, const double *restrict v,
                          const double *own, double *own_out, double *restrict out)
{
    ald_eight sums[8], owns[8];
    FOR_ROWS
    {
        sums[r] = ALD_EIGHT_OF(own_out + r * lanes);
        owns[r] = ALD_EIGHT_OF(own + r * lanes);
    }
    for (int64_t j = 0; j < c; j++) {
        const ald_eight term = ALD_EIGHT_OF(v + j * lanes);
        ald_eight sum = ALD_EIGHT_OF(out + j * lanes);
        FOR_ROWS
        {
            const double x = a[r * stride + j];
            const ald_eight entry = EIGHT_TIMES(x);
            sums[r] += entry * term;
            sum += entry * owns[r];
        }
        ALD_EIGHT(out + j * lanes) = sum;
    }
    FOR_ROWS ALD_EIGHT(own_out + r * lanes) = sums[r];
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
KIND(plain, PLAIN, 2, 1, 1)
#ifdef HAS_KINDS
KIND(avx2, __attribute__((target("avx2,fma"))), 4, 2, 2)
KIND(avx512, __attribute__((target("avx512f"))), 8, 8, 8)
#define CALL(name, ...)                                                                                      \
    do {                                                                                                     \
        if (__builtin_cpu_supports("avx512f"))                                                               \
            name##_avx512(__VA_ARGS__);                                                                      \
        else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                            \
            name##_avx2(__VA_ARGS__);                                                                        \
        else                                                                                                 \
            name##_plain(__VA_ARGS__);                                                                       \
    } while (0)
#else
#define CALL(name, ...) name##_plain(__VA_ARGS__)
#endif

void ald_few_multiply(const ald_few *few, const ald_matrix *x, int64_t i, int64_t m, double *out)
{
    const int64_t stride = x->row_stride;
    if (x->type == ALD_F64)
        CALL(f64, few, (const double *)x->values + i * stride, stride, m, out);
    else
        CALL(f32, few, (const float *)x->values + i * stride, stride, m, out);
}

void ald_few_both(int64_t c, const double *a, int64_t stride, const double *v, const double *own,
                  double *own_out, double *out)
{
    CALL(both, c, a, stride, v, own, own_out, out);
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
