/* The steps of a recipe as text in C99, one function for each kind: it computes what the plain backend
 * computes, in the same order, so that the bits are the same where nothing is fused (recipe.h). With a
 * function stands how it is called, where
 *
 *   $x $y   the arrays that the step is given and makes       $d $q   their lengths
 *   $t $p   the prefix of the tables of the step, and of the step before    $r   rows of its first table
 *   $e      what the step before was given                     $s   entries of a tile
 *   $0 ..   the numbers of the step                            $w   the table of weights, or 0 */
#include "show/export/c_texts.h"

const char *const ald_c_parts[] = {
    [part_dot] = "/* The product of two rows in eight lanes; y has its entries `step` apart. */\n"
                 "static real dot(const real *x, const real *y, int count, int step)\n"
                 "{\n"
                 "    real s[8] = {0}, rest = 0;\n"
                 "    int i = 0, l;\n"
                 "    for (; i + 8 <= count; i += 8)\n"
                 "        for (l = 0; l < 8; l++) s[l] += x[i + l] * y[(i + l) * step];\n"
                 "    for (; i < count; i++) rest += x[i] * y[i * step];\n"
                 "    return rest + (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));\n"
                 "}\n\n",
    [part_product] =
        "/* y (r) = start + x b, b d x r: in blocks of 256 entries, and tiles, which are added up. */\n"
        "ALIDADE_INLINE void product(const real *x, int d, const real *start, const real "
        "*b,\n"
        "    int r, int tile, real *sum, real *y)\n"
        "{\n"
        "    int first, block, i, k;\n"
        "    for (first = 0; first < d; first += tile) {\n"
        "        const int last = d - first < tile ? d : first + tile;\n"
        "        real *const to = sum + r;\n"
        "        for (k = 0; k < r; k++) to[k] = start ? start[k] : 0;\n"
        "        if (r == 1) to[0] += dot(x + first, b + first, last - first, 1);\n"
        "        for (block = first; r > 1 && block < last; block += 256) {\n"
        "            const int end = last - block < 256 ? last : block + 256;\n"
        "            for (k = 0; k < r; k++) sum[k] = 0;\n"
        "            for (i = block; i < end; i++) {\n"
        "                const real t = x[i], *row = b + i * r;\n"
        "                for (k = 0; k < r; k++) sum[k] += t * row[k];\n"
        "            }\n"
        "            for (k = 0; k < r; k++) to[k] += sum[k];\n"
        "        }\n"
        "        for (k = 0; k < r; k++) y[k] = first ? y[k] + to[k] : to[k];\n"
        "    }\n"
        "}\n\n",
    [part_exp] =
        "/* exp of numbers that are not positive, as the library computes it. */\n"
        "#ifdef ALIDADE_FLOAT\n"
        "#define exp_below(x) expf(x)\n"
        "#else\n"
        "static double power_of_two(double shifted)\n"
        "{\n"
        "    uint64_t bits;\n"
        "    double power;\n"
        "    memcpy(&bits, &shifted, sizeof bits);\n"
        "    bits = (bits + 1023) << 52;\n"
        "    memcpy(&power, &bits, sizeof power);\n"
        "    return power;\n"
        "}\n\n"
        "static double exp_below(double given)\n"
        "{\n"
        "    const double whole = 6755399441055744.0, x = given < -746.0 ? -746.0 : given;\n"
        "    const double k = (x * 1.4426950408889634 + whole) - whole,\n"
        "                 r = (x - k * 0.6931471805598903) - k * 5.497923018708371e-14;\n"
        "    const double half = 0.5 * k + whole, other = (k - (half - whole)) + whole, s = r * r;\n"
        "    const double a = (1.0 / 2) + r * (1.0 / 6), b = (1.0 / 24) + r * (1.0 / 120),\n"
        "                 c = (1.0 / 720) + r * (1.0 / 5040), d = (1.0 / 40320) + r * (1.0 / 362880),\n"
        "                 e = (1.0 / 3628800) + r * (1.0 / 39916800),\n"
        "                 f = (1.0 / 479001600) + r * (1.0 / 6227020800.0);\n"
        "    const double q = s * s, upper = (c + s * d) + q * (e + s * f);\n"
        "    return (1.0 + (r + s * ((a + s * b) + q * upper))) * power_of_two(half) * power_of_two(other);\n"
        "}\n"
        "#endif\n\n",
    [part_square] = "static real square_length(const real *x, int d)\n"
                    "{\n"
                    "    real s[8] = {0}, sum = 0;\n"
                    "    int i = 0, l;\n"
                    "    for (; i + 8 <= d; i += 8)\n"
                    "        for (l = 0; l < 8; l++) s[l] += x[i + l] * x[i + l];\n"
                    "    for (l = 0; l < 8; l++) sum += s[l];\n"
                    "    for (; i < d; i++) sum += x[i] * x[i];\n"
                    "    return sum;\n"
                    "}\n\n",
    [part_mean] = "static real mean_of(const real *x, int d)\n"
                  "{\n"
                  "    real sum = 0;\n"
                  "    int i;\n"
                  "    for (i = 0; i < d; i++) sum += x[i];\n"
                  "    return sum / (real)d;\n"
                  "}\n\n",
};

enum { products = 1U << part_dot | 1U << part_product };

static const ald_c_kind kinds[] = {
    [ALD_STEP_SNV] = {1U << part_mean, "snv($y, $d);",
                      "static void snv(real *x, int d)\n"
                      "{\n"
                      "    const real mean = mean_of(x, d);\n"
                      "    real square = 0, largest = 0, deviation;\n"
                      "    int i, constant;\n"
                      "    for (i = 0; i < d; i++) {\n"
                      "        largest = ALIDADE_F(fmax)(largest, ALIDADE_F(fabs)(x[i]));\n"
                      "        x[i] -= mean;\n"
                      "        square += x[i] * x[i];\n"
                      "    }\n"
                      "    deviation = d > 1 ? ALIDADE_F(sqrt)(square / (real)(d - 1)) : 0;\n"
                      "    constant = !(deviation > 8 * ALIDADE_EPSILON * largest);\n"
                      "    for (i = 0; i < d; i++) x[i] = constant ? 0 : x[i] / deviation;\n"
                      "}\n\n"},
    [ALD_STEP_MSC] =
        {1U << part_mean, "msc($y, $d, $t_reference);",
         "static void msc(real *x, int d, const real *r)\n"
         "{\n"
         "    const real mean = mean_of(x, d), centre = mean_of(r, d);\n"
         "    real cross = 0, square = 0, own = 0, slope, offset;\n"
         "    int i, apart;\n"
         "    for (i = 0; i < d; i++) {\n"
         "        cross += (x[i] - mean) * (r[i] - centre);\n"
         "        square += (r[i] - centre) * (r[i] - centre);\n"
         "        own += (x[i] - mean) * (x[i] - mean);\n"
         "    }\n"
         "    apart = !(ALIDADE_F(fabs)(cross) > 8 * ALIDADE_EPSILON * ALIDADE_F(sqrt)(square * own));\n"
         "    slope = apart ? 0 : cross / square;\n"
         "    offset = mean - slope * centre;\n"
         "    for (i = 0; i < d; i++) x[i] = (x[i] - offset) / (apart ? 1 : slope);\n"
         "}\n\n"},
    [ALD_STEP_DETREND] = {0, "detrend($y, $d, $t_polynomials, $r);",
                          "static void detrend(real *x, int d, const real *p, int count)\n"
                          "{\n"
                          "    int i, k;\n"
                          "    for (k = 0; k < count; k++, p += d) {\n"
                          "        real along = 0;\n"
                          "        for (i = 0; i < d; i++) along += p[i] * x[i];\n"
                          "        for (i = 0; i < d; i++) x[i] -= along * p[i];\n"
                          "    }\n"
                          "}\n\n"},
    [ALD_STEP_SAVGOL] = {0, "savgol($x, $d, $t_filter, $r, $y);",
                         "static void savgol(const real *x, int d, const real *h, int w, real *y)\n"
                         "{\n"
                         "    int i, j;\n"
                         "    for (j = 0; j < d; j++) {\n"
                         "        int first = j - w / 2;\n"
                         "        real sum = 0;\n"
                         "        if (first < 0) first = 0;\n"
                         "        if (first > d - w) first = d - w;\n"
                         "        for (i = 0; i < w; i++) sum += h[(j - first) * w + i] * x[first + i];\n"
                         "        y[j] = sum;\n"
                         "    }\n"
                         "}\n\n"},
    [ALD_STEP_ROW_SCALE] = {0, "row_scale($y, $d, $0);",
                            "static void row_scale(real *x, int d, int standard)\n"
                            "{\n"
                            "    real sum = 0, squares = 0, spread = 0, centre, size;\n"
                            "    int i;\n"
                            "    for (i = 0; i < d; i++) {\n"
                            "        sum += x[i];\n"
                            "        squares += x[i] * x[i];\n"
                            "    }\n"
                            "    centre = sum / (real)d;\n"
                            "    for (i = 0; i < d; i++) spread += (x[i] - centre) * (x[i] - centre);\n"
                            "    size = ALIDADE_F(sqrt)(standard ? spread / (real)d : squares);\n"
                            "    size = (size > 0 ? 1 / size : 1) + (size - size); /* NaN: too large */\n"
                            "    for (i = 0; i < d; i++) x[i] = (standard ? x[i] - centre : x[i]) * size;\n"
                            "}\n\n"},
    [ALD_STEP_COLUMNS] = {0, "", ""},
    [ALD_STEP_COMPARE] = {0, "compare(in, $e, $p_coefficients, $p_intercept, $q, $y);",
                          "/* Scores near the best once more, as what lies between the two. */\n"
                          "static void compare(const real *z, int r, const real *b,\n"
                          "                    const real *intercept, int q, real *s)\n"
                          "{\n"
                          "    real top;\n"
                          "    int best = 0, c, k;\n"
                          "    for (c = 1; c < q; c++)\n"
                          "        if (s[c] > s[best]) best = c;\n"
                          "    top = s[best];\n"
                          "    for (c = 0; c < q; c++) {\n"
                          "        s[c] -= top;\n"
                          "        if (s[c] < -100) continue;\n"
                          "        s[c] = intercept[c] - intercept[best];\n"
                          "        for (k = 0; k < r; k++) s[c] += (b[k * q + c] - b[k * q + best]) * z[k];\n"
                          "    }\n"
                          "}\n\n"},
    [ALD_STEP_LINEAR] = {products, "product($x, $d, 0, $t_coefficients, $q, $s, sums, $y);", ""},
    [ALD_STEP_KERNEL] = {0, "", ""}, /* by its function, below */
    [ALD_STEP_WAVES] =
        {products, "product($x, $d, 0, $t_frequencies, $q, $d, sums, $y);\n    waves($t_phases, $q, $y);",
         "static void waves(const real *phases, int m, real *y)\n"
         "{\n"
         "    const real size = ALIDADE_F(sqrt)((real)2 / (real)m);\n"
         "    int k;\n"
         "    for (k = 0; k < m; k++) y[k] = size * ALIDADE_F(cos)(y[k] + phases[k]);\n"
         "}\n\n"},
    [ALD_STEP_AFFINE] = {products, "product($x, $d, $t_intercept, $t_coefficients, $q, $d, sums, $y);", ""},
    [ALD_STEP_CENTROID] =
        {0, "centroid($x, $d, $t_centres, $q, $y);",
         "static void centroid(const real *z, int r, const real *centres, int q,\n"
         "                     real *s)\n"
         "{\n"
         "    int c, k;\n"
         "    for (c = 0; c < q; c++, centres += r) {\n"
         "        real square = 0;\n"
         "        for (k = 0; k < r; k++) square += (z[k] - centres[k]) * (z[k] - centres[k]);\n"
         "        s[c] = -square;\n"
         "    }\n"
         "}\n\n"},
    [ALD_STEP_NEIGHBOURS] =
        {0, "neighbours($x, $d, $t_rows, $r, $0, $t_targets, $w, $1, $q, near, sums, $y);",
         "/* The weighted mean of the targets of the `most` nearest rows: codes of classes (q of them), or "
         "q\n"
         " * numbers. */\n"
         "static void neighbours(const real *z, int r, const real *rows, int n, int most,\n"
         "                       const real *targets, const real *weights, int codes, int "
         "q,\n"
         "                       int *near, real *squares, real *s)\n"
         "{\n"
         "    real total = 0;\n"
         "    int count = 0, i, k, c;\n"
         "    for (i = 0; i < n; i++) {\n"
         "        real square = 0;\n"
         "        for (k = 0; k < r; k++) square += (z[k] - rows[i * r + k]) * (z[k] - rows[i * r + k]);\n"
         "        if (count == most && !(square < squares[count - 1])) continue;\n"
         "        if (count < most) count++;\n"
         "        for (k = count - 1; k > 0 && square < squares[k - 1]; k = k - 1) {\n"
         "            squares[k] = squares[k - 1];\n"
         "            near[k] = near[k - 1];\n"
         "        }\n"
         "        squares[k] = square;\n"
         "        near[k] = i;\n"
         "    }\n"
         "    for (c = 0; c < q; c++) s[c] = 0;\n"
         "    for (k = 0; k < count; k++) {\n"
         "        const real w = weights ? weights[near[k]] : 1;\n"
         "        total += w;\n"
         "        if (codes) s[(int)targets[near[k]]] += w;\n"
         "        for (c = 0; !codes && c < q; c++) s[c] += w * targets[near[k] * q + c];\n"
         "    }\n"
         "    for (c = 0; c < q; c++) s[c] /= total;\n"
         "}\n\n"},
    [ALD_STEP_SOFTMAX] = {1U << part_exp, "softmax($q, $y);",
                          "static void softmax(int q, real *s)\n"
                          "{\n"
                          "    real largest = s[0], sum = 0;\n"
                          "    int c;\n"
                          "    for (c = 1; c < q; c++) largest = ALIDADE_F(fmax)(largest, s[c]);\n"
                          "    for (c = 0; c < q; c++) s[c] = exp_below(s[c] - largest);\n"
                          "    for (c = 0; c < q; c++) sum += s[c];\n"
                          "    for (c = 0; c < q; c++) s[c] /= sum;\n"
                          "}\n\n"},
    [ALD_STEP_LOGIT] = {0, "logit($q, $y);",
                        "static void logit(int q, real *s)\n"
                        "{\n"
                        "    int c;\n"
                        "    for (c = 0; c < q; c++) s[c] = 1 / (1 + ALIDADE_F(exp)(-s[c]));\n"
                        "}\n\n"},
};

/* k (m) holds the products of a row with the landmarks, or for laplacian nothing yet. */
static const ald_c_kind kernels[] = {
    [ALD_KERNEL_LINEAR] = {products, "product($x, $d, 0, $t_landmarks, $q, $d, sums, $y);$a", ""},
    [ALD_KERNEL_RBF] =
        {products | 1U << part_exp | 1U << part_square,
         "product($x, $d, 0, $t_landmarks, $q, $d, sums, $y);$a\n    rbf($x, $d, $t_squares, $q, "
         "(real)$0, $y);",
         "static void rbf(const real *x, int d, const real *squares, int m, real "
         "width,\n"
         "                real *k)\n"
         "{\n"
         "    const real half = (real)0.5 / width / width, own = square_length(x, d);\n"
         "    int j;\n"
         "    for (j = 0; j < m; j++) {\n"
         "        const real square = own + squares[j] - 2 * k[j];\n"
         "        k[j] = exp_below(-half * (square < 0 ? 0 : square));\n"
         "    }\n"
         "}\n\n"},
    [ALD_KERNEL_LAPLACIAN] =
        {1U << part_exp, "laplacian($x, $d, $t_landmarks, $q, (real)$0, $y);",
         "static void laplacian(const real *x, int d, const real *l, int m, real "
         "width,\n"
         "                      real *k)\n"
         "{\n"
         "    int i, j, n;\n"
         "    for (j = 0; j < m; j++, l += d) {\n"
         "        real s[8] = {0}, sum = 0;\n"
         "        for (i = 0; i + 8 <= d; i += 8)\n"
         "            for (n = 0; n < 8; n++) s[n] += ALIDADE_F(fabs)(x[i + n] - l[i + n]);\n"
         "        for (; i < d; i++) sum += ALIDADE_F(fabs)(x[i] - l[i]);\n"
         "        for (n = 0; n < 8; n++) sum += s[n];\n"
         "        k[j] = exp_below(sum / -width);\n"
         "    }\n"
         "}\n\n"},
    [ALD_KERNEL_POLYNOMIAL] =
        {products,
         "product($x, $d, 0, $t_landmarks, $q, $d, sums, $y);$a\n    polynomial($q, (real)$1, $2, "
         "$y);",
         "static void polynomial(int m, real coef0, int degree, real *k)\n"
         "{\n"
         "    int j, e;\n"
         "    for (j = 0; j < m; j++) {\n"
         "        real base = k[j] + coef0, result = 1;\n"
         "        for (e = degree; e > 0; e /= 2, base *= base)\n"
         "            if (e % 2) result *= base;\n"
         "        k[j] = result;\n"
         "    }\n"
         "}\n\n"},
    [ALD_KERNEL_COSINE] =
        {products | 1U << part_square,
         "product($x, $d, 0, $t_landmarks, $q, $d, sums, $y);$a\n    cosine($x, $d, $t_squares, $q, $y);",
         "static void cosine(const real *x, int d, const real *squares, int m, real "
         "*k)\n"
         "{\n"
         "    const real own = square_length(x, d);\n"
         "    int j;\n"
         "    for (j = 0; j < m; j++)\n"
         "        k[j] = own > 0 && squares[j] > 0\n"
         "                   ? k[j] / (ALIDADE_F(sqrt)(own) * ALIDADE_F(sqrt)(squares[j]))\n"
         "                   : 0;\n"
         "}\n\n"},
};

const ald_c_kind *ald_c_kind_of(const ald_export_step *step)
{
    return step->kind == ALD_STEP_KERNEL ? &kernels[step->kernel.kind] : &kinds[step->kind];
}
