/* The singular value decomposition: A = Q R (the transpose where A is wide), R = L B P' with B upper
 * bidiagonal by reflections from both sides, B = G S H' by implicit QR iterations (Golub and Kahan 1965;
 * Demmel and Kahan 1990).
 *
 * With d on the diagonal of B and e beside it, for a block between two zeros of e: the shift sigma is the
 * smaller singular value of its last 2 x 2 corner. A sweep is a step of QR on B'B - sigma^2 I that never
 * forms B'B: a rotation of two columns begins it, and rotations of rows and columns in turn push the entry
 * outside the band out of the matrix, from the first row to the last. Where an entry of d is 0, or the
 * shift is lost beside d, it is the sweep without a shift: one such sweep brings a singular value 0 to the
 * end. An entry of e below four roundings of the norm is 0: where singular values are equal, rotations
 * leave up to two, and sweeps would not end.
 *
 * Rotations are kept in rotations.h, whose sweeps run from high to low: rows are counted from the last one
 * there. Operations for p x p: 8/3 p^3 for B, 6 p^3 to 10 p^3 for G and H, 4 p^3 for L and P; 4 q p^2 for
 * Q of q x p and 2 q p^2 for its product with the rest. */
#include "math/backend/plain_factors.h"
#include "math/backend/plain_products.h"
#include "math/backend/plain_spectra.h"
#include "math/backend/rotations.h"
#include "math/backend/row_sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char what[] = "the singular value decomposition";

/* R (p x p) and its reflections: those of rows stand in the place of R, entry j + 1 of row j on, those of
 * columns in the rows of `left`, entry j of row j on. */
typedef struct bidiagonal {
    int64_t p;
    double *a, *left, *right_tau, *left_tau, *d, *e, *room;
    double small;
    const ald_sweep *left_turns, *right_turns;
} bidiagonal;

/* Column j, as it is now, onto its first entry; room <- v'A for the columns behind it. */
static void reflect_column(bidiagonal *b, int64_t j)
{
    const int64_t p = b->p, rest = p - j - 1;
    double *v = b->left + j * p;
    for (int64_t i = j; i < p; i++) v[i] = b->a[i * p + j];
    const ald_reflection found = ald_row_reflect(p - j, v + j);
    v[j] = 1.0;
    b->d[j] = found.beta;
    b->left_tau[j] = found.tau;
    memset(b->room, 0, (size_t)rest * sizeof *b->room);
    for (int64_t i = j; i < p; i++) ald_row_add(rest, v[i], b->a + i * p + j + 1, b->room);
}

/* Row j behind the diagonal, as it is now, onto its first entry. */
static void reflect_row(bidiagonal *b, int64_t j)
{
    double *row = b->a + j * b->p + j + 1;
    const ald_reflection found = ald_row_reflect(b->p - j - 1, row);
    row[0] = 1.0;
    b->e[j] = found.beta;
    b->right_tau[j] = found.tau;
}

static void reduce(bidiagonal *b)
{
    const int64_t p = b->p;
    for (int64_t j = 0; j < p; j++) {
        const int64_t rest = p - j - 1;
        const double *v = b->left + j * p, *turned = b->a + j * p + j + 1;
        reflect_column(b, j);
        for (int64_t i = j; i < p && rest > 0; i++) {
            double *row = b->a + i * p + j + 1;
            ald_row_add(rest, -b->left_tau[j] * v[i], b->room, row);
            if (i == j)
                reflect_row(b, j);
            else
                ald_row_add(rest, -b->right_tau[j] * ald_row_product(rest, turned, row), turned, row);
        }
    }
    b->e[p - 1] = b->right_tau[p - 1] = 0.0;
}

typedef struct turn {
    double c, s, r;
} turn;

/* (f, g) becomes (r, 0). */
static turn turn_of(double f, double g)
{
    const double r = sqrt(f * f + g * g);
    return r > 0.0 ? (turn){f / r, g / r, r} : (turn){1.0, 0.0, 0.0};
}

/* Where the rotations of a sweep go. */
typedef struct turns {
    double *left, *right;
} turns;

static void keep(turns *t, turn left, turn right)
{
    *t->left++ = left.c;
    *t->left++ = left.s;
    *t->right++ = right.c;
    *t->right++ = right.s;
}

static void sweep_shifted(bidiagonal *b, int64_t l, int64_t m, double shift, turns t)
{
    double *d = b->d, *e = b->e;
    double f = (fabs(d[l]) - shift) * (copysign(1.0, d[l]) + shift / d[l]), g = e[l];
    for (int64_t i = l; i < m; i++) {
        const turn right = turn_of(f, g);
        if (i > l) e[i - 1] = right.r;
        f = right.c * d[i] + right.s * e[i];
        e[i] = right.c * e[i] - right.s * d[i];
        const turn left = turn_of(f, right.s * d[i + 1]);
        d[i + 1] *= right.c;
        d[i] = left.r;
        f = left.c * e[i] + left.s * d[i + 1];
        d[i + 1] = left.c * d[i + 1] - left.s * e[i];
        if (i < m - 1) {
            g = left.s * e[i + 1];
            e[i + 1] *= left.c;
        }
        keep(&t, left, right);
    }
    e[m - 1] = f;
}

static void sweep_unshifted(bidiagonal *b, int64_t l, int64_t m, turns t)
{
    double *d = b->d, *e = b->e;
    turn right = {1.0, 0.0, 0.0}, left = {1.0, 0.0, 0.0};
    for (int64_t i = l; i < m; i++) {
        right = turn_of(d[i] * right.c, e[i]);
        if (i > l) e[i - 1] = left.s * right.r;
        left = turn_of(left.c * right.r, d[i + 1] * right.s);
        d[i] = left.r;
        keep(&t, left, right);
    }
    const double last = d[m] * right.c;
    d[m] = last * left.c;
    e[m - 1] = last * left.s;
}

/* The smaller singular value of the last corner of the block l .. m; 0 where a shift is of no use. */
static double shift_of(const bidiagonal *b, int64_t l, int64_t m)
{
    const double f = fabs(b->d[m - 1]), g = b->e[m - 1], h = fabs(b->d[m]);
    const double twice = sqrt((f + h) * (f + h) + g * g) + sqrt((f - h) * (f - h) + g * g);
    const double shift = twice > 0.0 ? 2.0 * f * h / twice : 0.0, beside = shift / fabs(b->d[l]);
    for (int64_t i = l; i <= m; i++)
        if (fabs(b->d[i]) <= b->small) return 0.0;
    return beside * beside < DBL_EPSILON ? 0.0 : shift;
}

static ald_status sweep(ald_run *run, bidiagonal *b, int64_t l, int64_t m)
{
    const double shift = shift_of(b, l, m);
    turns t;
    ALD_TRY(ald_sweep_add(run, &b->left_turns, b->p - 1 - m, m - l, &t.left));
    ALD_TRY(ald_sweep_add(run, &b->right_turns, b->p - 1 - m, m - l, &t.right));
    const turns begin = t;
    if (shift > 0.0)
        sweep_shifted(b, l, m, shift, t);
    else
        sweep_unshifted(b, l, m, t);
    for (int64_t i = 0, k = m - l - 1; i < k; i++, k--) /* from the last row */
        for (int64_t c = 0; c < 2; c++) {
            const double left = begin.left[2 * i + c], right = begin.right[2 * i + c];
            begin.left[2 * i + c] = begin.left[2 * k + c];
            begin.right[2 * i + c] = begin.right[2 * k + c];
            begin.left[2 * k + c] = left;
            begin.right[2 * k + c] = right;
        }
    return ALD_OK;
}

static ald_status diagonalize(ald_run *run, bidiagonal *b)
{
    enum { most_sweeps = 60 };
    int count = 0;
    for (int64_t i = 0; i < b->p; i++)
        b->small = fmax(b->small, 4.0 * DBL_EPSILON * (fabs(b->d[i]) + fabs(b->e[i])));
    for (int64_t m = b->p - 1; m > 0;) {
        int64_t l = m;
        while (l > 0 && fabs(b->e[l - 1]) > b->small) l--;
        if (l < m) {
            if (++count > most_sweeps) return ald_plain_stuck(run, what);
            ALD_TRY(sweep(run, b, l, m));
            continue;
        }
        b->e[m - 1] = 0.0;
        count = 0;
        m--;
    }
    return ALD_OK;
}

/* The rows of `vectors` (p x p), found counted from the last row, times the reflections, of which entry j
 * + behind of row j is the first. */
static void turn_back(int64_t p, int64_t behind, const double *reflections, const double *tau,
                      double *vectors)
{
    for (int64_t k = 0; k < p; k++) {
        double *x = vectors + k * p;
        for (int64_t i = 0, j = p - 1; i < j; i++, j--) {
            const double entry = x[i];
            x[i] = x[j];
            x[j] = entry;
        }
        for (int64_t j = p - 1 - behind; j >= 0; j--) {
            const double *v = reflections + j * (p + 1) + behind;
            const int64_t count = p - j - behind;
            ald_row_add(count, -tau[j] * ald_row_product(count, v, x + j + behind), v, x + j + behind);
        }
    }
}

/* Rows of ut and vt (p x p) from the largest singular value to the smallest. R is destroyed. */
static ald_status decompose(ald_run *run, int64_t p, double *r, double *ut, double *s, double *vt)
{
    bidiagonal b = {.p = p, .a = r};
    int64_t *places;
    ALD_TRY(ald_scratch(run, p, 1, sizeof *places, &places));
    ALD_TRY(ALD_SCRATCH(run, {&b.left, p, p}, {&b.left_tau, p, 1}, {&b.right_tau, p, 1}, {&b.d, p, 1},
                        {&b.e, p, 1}, {&b.room, p, 1}));
    reduce(&b);
    ALD_TRY(diagonalize(run, &b));
    for (int64_t i = 0; i < p; i++) b.room[i] = fabs(b.d[i]);
    ald_plain_order(p, b.room, places);
    for (int64_t k = 0; k < p; k++) {
        s[k] = b.d[places[k]];
        places[k] = p - 1 - places[k];
    }
    ALD_TRY(ald_sweeps_unfold(run, b.left_turns, p, p, places, ut));
    ALD_TRY(ald_sweeps_unfold(run, b.right_turns, p, p, places, vt));
    turn_back(p, 0, b.left, b.left_tau, ut);
    turn_back(p, 1, b.a, b.right_tau, vt);
    for (int64_t k = 0; k < p; k++) {
        for (int64_t i = 0; s[k] < 0.0 && i < p; i++) vt[k * p + i] = -vt[k * p + i];
        s[k] = fabs(s[k]);
    }
    return ALD_OK;
}

/* `to` (n x m) <- `from` (m x n) transposed. */
static void transpose(int64_t m, int64_t n, const double *from, double *to)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) to[j * m + i] = from[i * n + j];
}

/* The long vectors are Q times those of R: the columns of u (m x p), or the rows of vt (p x n) where A is
 * wide. */
ald_status ald_plain_svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *s, double *vt)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int is_wide = m < n;
    const int64_t p = is_wide ? m : n, q = is_wide ? n : m;
    double *tall = a, *r, *left, *right;
    double scale;
    if (p == 0) return ALD_OK;
    ALD_TRY(ald_plain_moderate(run, what, m * n, a, &scale));
    ALD_TRY(ALD_SCRATCH(run, {&r, p, p}, {&left, p, p}, {&right, p, p}));
    if (is_wide) ALD_TRY(ald_scratch_reals(run, q, p, &tall));
    if (is_wide) transpose(m, n, a, tall);
    ALD_TRY(ald_plain_qr(run, q, p, tall, r));
    ALD_TRY(decompose(run, p, r, left, s, right));
    for (int64_t k = 0; k < p; k++) s[k] *= scale;
    if (is_wide)
        transpose(p, p, right, u);
    else
        memcpy(vt, right, (size_t)(p * p) * sizeof *vt);
    ALD_TRY(ald_plain_multiply(run, &(ald_plain_product){
                                        .trans_b = 1,
                                        .m = is_wide ? p : q,
                                        .n = is_wide ? q : p,
                                        .k = p,
                                        .alpha = 1.0,
                                        .a = is_wide ? left : tall,
                                        .b = is_wide ? tall : left,
                                        .c = is_wide ? vt : u,
                                        .lda = p,
                                        .ldb = p,
                                        .ldc = is_wide ? q : p,
                                    }));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
