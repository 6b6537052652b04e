/* Simple contour regression.
 *
 * On whitened rows u_i (whiten.h; p columns), over the pairs i < j with |y_i - y_j| <= c,
 *
 *   M = mean (u_i - u_j)(u_i - u_j)' = E diag(lambda) E'      with a ridge: M + 2 diag(1 - s)
 *   B = T E,   the directions of the *smallest* lambda,       B'(Sigma + ridge I) B = I
 *
 * Such pairs lie along a contour of the response, so they differ most where it is flat and least where it
 * changes. c is the quantile `fraction` of all m = n (n - 1) / 2 differences: number floor(fraction (m -
 * 1)) of them in order, from 0.
 *
 * In order of y the partners of a row are the rows between two pointers that only move up. So the pairs
 * with a difference of at most c are counted in O(n), c is found by bisection over the 64 bits of a double
 * (exact, no pair is stored), and
 *
 *   M = (U'D U - U'F - F'U) / pairs
 *
 *   D   = the number of partners of each row
 *   F_i = the sum of the later ones, which is a difference of two running sums
 *
 * Cost beside the whitening: n log n + 64 n + 2 n p^2 + 4/3 p^3; memory n p + p^2.
 *
 * Edge cases: at most p directions, the rank of the covariance. A response with many ties has c = 0: pairs
 * within the values. When all pairs are used no direction differs from another, which is refused.
 *
 * Reference: Li, Zha and Chiaromonte (2005). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "methods/engines/slices.h"
#include "methods/engines/whiten.h"

#include <math.h>
#include <string.h>

static const ald_param fraction_param =
    ALD_REAL_PARAM("fraction", "0.1", 0, 1,
                   "which part of all pairs of rows is used: those with the most similar responses");

static const ald_param *const params[] = {
    &fraction_param,
    NULL,
};

enum { block_rows = 256 };

/* Pairs of ranked rows whose responses differ by c or less. Differences of sorted numbers rise with either
 * end, also when rounded, so the end of the partners never moves back. */
static int64_t count_pairs(int64_t n, const ald_ranked *ranked, double c)
{
    int64_t pairs = 0, end = 0;
    for (int64_t i = 0; i < n; i++) {
        while (end < n && ranked[end].value - ranked[i].value <= c) end++;
        pairs += end - i - 1;
    }
    return pairs;
}

/* Doubles >= 0 are in the order of their bits. */
static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The smallest c with more than `rank` pairs. */
static ald_status difference_of_rank(ald_run *run, int64_t n, const ald_ranked *ranked, int64_t rank,
                                     double *difference)
{
    const double widest = ranked[n - 1].value - ranked[0].value;
    uint64_t low = 0, high;
    memcpy(&high, &widest, sizeof high);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)n));
        if (count_pairs(n, ranked, from_bits(middle)) > rank)
            high = middle;
        else
            low = middle + 1;
    }
    *difference = from_bits(low);
    return ALD_OK;
}

/* The walk over the ranked rows: partners of row i are begin .. end - 1 without i itself. */
typedef struct walk {
    const ald_whitening *w;
    const ald_ranked *ranked;
    double c;
    int64_t begin, end;
    double *ahead, *passed; /* p: sums of the rows before `end`, and up to row i */
} walk;

static void add_row(const walk *k, int64_t i, double *sum)
{
    const double *u = k->w->rows + k->ranked[i].place * k->w->p;
    for (int64_t a = 0; a < k->w->p; a++) sum[a] += u[a];
}

/* u = row i, and pull = (partners) u_i - 2 (sum of the later partners): the symmetric part of u pull' is what
 * the row adds to M. */
static void step(walk *k, int64_t i, double *u, double *pull)
{
    const int64_t n = k->w->n, p = k->w->p;
    const double y = k->ranked[i].value;
    for (; k->end < n && k->ranked[k->end].value - y <= k->c; k->end++) add_row(k, k->end, k->ahead);
    while (y - k->ranked[k->begin].value > k->c) k->begin++;
    add_row(k, i, k->passed);
    memcpy(u, k->w->rows + k->ranked[i].place * p, (size_t)p * sizeof *u);
    const double partners = (double)(k->end - k->begin - 1);
    for (int64_t a = 0; a < p; a++) pull[a] = partners * u[a] - 2.0 * (k->ahead[a] - k->passed[a]);
}

/* m (p x p) = -M, whose largest eigenvalues are wanted. */
static ald_status sum_over_pairs(ald_run *run, walk *k, int64_t pairs, double *m)
{
    const int64_t n = k->w->n, p = k->w->p;
    double *u, *pull, *sum;
    ALD_TRY(ald_scratch_zeros(run, p, 1, &k->ahead));
    ALD_TRY(ald_scratch_zeros(run, p, 1, &k->passed));
    ALD_TRY(ALD_SCRATCH(run, {&u, block_rows, p}, {&pull, block_rows, p}));
    ALD_TRY(ald_scratch_zeros(run, p, p, &sum));
    for (int64_t begin = 0; begin < n; begin += block_rows) {
        const int64_t rows = n - begin < block_rows ? n - begin : block_rows;
        for (int64_t i = 0; i < rows; i++) step(k, begin + i, u + i * p, pull + i * p);
        ALD_TRY(ald_product_add(run, -1.0 / (double)pairs, ald_t(ald_of(u, rows, p)), ald_of(pull, rows, p),
                                1.0, ald_at(sum, p, p)));
        ALD_TRY(ald_progress(run, "following contours", (double)(begin + rows) / (double)n));
    }
    for (int64_t a = 0; a < p; a++)
        for (int64_t b = 0; b < p; b++) m[a * p + b] = 0.5 * (sum[a * p + b] + sum[b * p + a]);
    /* What the rows miss of the covariance I. */
    for (int64_t a = 0; a < k->w->p; a++) m[a * k->w->p + a] -= 2.0 * (1.0 - k->w->share[a]);
    return ALD_OK;
}

/* Finds c and how many pairs it takes. */
static ald_status choose_pairs(ald_run *run, int64_t n, walk *k, int64_t *pairs, ald_model *model)
{
    const int64_t all = n * (n - 1) / 2;
    const double fraction = ald_setting_real(run, &fraction_param);
    ALD_TRY(difference_of_rank(run, n, k->ranked, (int64_t)floor(fraction * (double)(all - 1)), &k->c));
    *pairs = count_pairs(n, k->ranked, k->c);
    if (*pairs == all)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "`fraction=%g` takes all %lld pairs of rows, and then no direction differs from another: lower "
            "it",
            fraction, (long long)all);
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.difference", k->c));
    return ald_model_set_printed(run, model, "alidade.resolved.pairs", "%lld", (long long)*pairs);
}

static ald_status contour_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_whitening w;
    ald_ranked *ranked;
    double *m, *values, *vectors;
    int64_t pairs;
    ALD_TRY(ald_whiten(run, problem, model, &w));
    ALD_TRY(ald_rank_rows(run, problem, &ranked));
    walk k = {.w = &w, .ranked = ranked};
    ALD_TRY(choose_pairs(run, w.n, &k, &pairs, model));
    ALD_TRY(ALD_SCRATCH(run, {&m, w.p, w.p}, {&values, problem->r, 1}, {&vectors, problem->r, w.p}));
    ALD_TRY(sum_over_pairs(run, &k, pairs, m));
    ALD_TRY(ald_eigen(run, ald_at(m, w.p, w.p), values, ald_at(vectors, problem->r, w.p)));
    for (int64_t i = 0; i < problem->r; i++) values[i] = -values[i];
    return ald_add_whitened(run, problem, &w, values, vectors, model);
}

const ald_method ald_method_contour = {
    .name = "contour",
    .title = "Contour regression",
    .synonyms = "contour regression, scr, gcr, sufficient dimension reduction",
    .summary = "Directions in which rows of nearly equal response differ least.",
    .reference = "Li, Zha and Chiaromonte (2005)",
    .capabilities = ALD_CAN_REAL | ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,
    .relation = ALD_BY_SMALLNESS,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_SCATTER,
    .scale_free = 1,
    .tables = (const ald_param_table[]){params, ald_whiten_params, NULL},
    .fit = contour_fit,
};
