/* On the card of plain loops: neighbours, and the criteria of kdr and of sdpp. */
#include "support/loops_criteria.h"
#include "support/loops_inside.h"

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The best of a query so far, in order, and one more. */
static void put_nearest(int64_t k, int64_t number, double square, int64_t *numbers, double *squares)
{
    int64_t at = k;
    while (at > 0 && (square < squares[at - 1] || (square == squares[at - 1] && number < numbers[at - 1])))
        at--;
    for (int64_t e = k - 1; e > at; e--) {
        squares[e] = squares[e - 1];
        numbers[e] = numbers[e - 1];
    }
    if (at == k) return;
    squares[at] = square;
    numbers[at] = number;
}

static double square_of(const ald_card_nearest *asked, int64_t columns, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < columns; j++) {
        const double apart = (a[j] - b[j]) * (asked->scale ? asked->scale[j] : 1.0);
        sum += apart * apart;
    }
    return sum;
}

ald_card_code loops_nearest(void *card, const ald_card_rows *rows, const ald_card_nearest *asked)
{
    const int64_t k = asked->k;
    loops_card *c = card;
    double *z = loops_begin_whole(c, rows);
    if (!z) return c->code;
    for (int64_t q = 0; q < asked->n_queries; q++) {
        const int64_t own = asked->queries ? asked->queries[q] : q;
        int64_t *numbers = asked->neighbours + q * k;
        double *squares = asked->squares + q * k;
        for (int64_t e = 0; e < k; e++) squares[e] = INFINITY, numbers[e] = INT64_MAX;
        for (int64_t p = 0; p < asked->n_references; p++) {
            const int64_t other = asked->references ? asked->references[p] : p;
            if (asked->skip_same && own == other) continue;
            put_nearest(k, p, square_of(asked, rows->d, z + own * rows->d, z + other * rows->d), numbers,
                        squares);
        }
    }
    free(z);
    loops_tally(c, 0, 0, 0, 0.0, 16.0 * (double)(asked->n_queries * k));
    return ALD_CARD_OK;
}

/* The criterion of kdr: K, and A, its factor or P P' in turn. */
typedef struct kdr_room {
    int64_t n, r, m;
    double *f, *y, *z, *k, *a;
} kdr_room;

ald_card_code loops_kdr_open(void *card, int64_t n, int64_t r, void **made)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    kdr_room *kdr = calloc(1, sizeof *kdr);
    kdr->n = n;
    kdr->r = r;
    kdr->z = malloc((size_t)(n * r) * sizeof(double));
    kdr->k = malloc((size_t)(n * n) * sizeof(double));
    kdr->a = malloc((size_t)(n * n) * sizeof(double));
    loops_tally(c, 1, 0, 0, 0.0, 0.0);
    *made = kdr;
    return ALD_CARD_OK;
}

void loops_kdr_close(void *card, void *made)
{
    kdr_room *kdr = made;
    free(kdr->f), free(kdr->y), free(kdr->z), free(kdr->k), free(kdr->a);
    free(kdr);
    loops_tally(card, -1, 0, 0, 0.0, 0.0);
}

ald_card_code loops_kdr_target(void *card, void *made, int64_t m, const double *f)
{
    loops_card *c = card;
    kdr_room *kdr = made;
    const size_t bytes = (size_t)(kdr->n * m) * sizeof *f;
    if (loops_fails(c)) return c->code;
    kdr->m = m;
    kdr->f = realloc(kdr->f, bytes);
    kdr->y = realloc(kdr->y, bytes);
    memcpy(kdr->f, f, bytes);
    return ALD_CARD_OK;
}

/* Rows of y (n x m) <- L^-1 y, or L'^-1 y. */
static void kdr_solve(const kdr_room *kdr, int transposed)
{
    const int64_t n = kdr->n, m = kdr->m;
    for (int64_t at = 0; at < n; at++) {
        const int64_t i = transposed ? n - 1 - at : at;
        for (int64_t c = 0; c < m; c++) {
            double sum = kdr->y[i * m + c];
            for (int64_t j = transposed ? i + 1 : 0; j < (transposed ? n : i); j++)
                sum -= (transposed ? kdr->a[j * n + i] : kdr->a[i * n + j]) * kdr->y[j * m + c];
            kdr->y[i * m + c] = sum / kdr->a[i * n + i];
        }
    }
}

ald_card_code loops_kdr_value(void *card, void *made, const double *z, double width, double penalty,
                              double *value, int *definite)
{
    loops_card *c = card;
    kdr_room *kdr = made;
    const int64_t n = kdr->n, r = kdr->r;
    if (loops_fails(c)) return c->code;
    memcpy(kdr->z, z, (size_t)(n * r) * sizeof *z);
    memcpy(kdr->y, kdr->f, (size_t)(n * kdr->m) * sizeof *z);
    double *mean = calloc((size_t)n + 1, sizeof *mean);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double square = 0.0;
            for (int64_t q = 0; q < r; q++) square += pow(z[i * r + q] - z[j * r + q], 2.0);
            kdr->k[i * n + j] = exp(-0.5 * square / (width * width));
            mean[i] += kdr->k[i * n + j] / (double)n;
        }
    for (int64_t i = 0; i < n; i++) mean[n] += mean[i] / (double)n;
    *definite = 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double left = kdr->k[i * n + j] - mean[i] - mean[j] + mean[n] + (i == j ? penalty : 0.0);
            for (int64_t q = 0; q < j; q++) left -= kdr->a[i * n + q] * kdr->a[j * n + q];
            if (i == j && !(left > 0.0)) *definite = 0;
            kdr->a[i * n + j] = i == j ? sqrt(left) : left / kdr->a[j * n + j];
        }
    free(mean);
    kdr_solve(kdr, 0);
    *value = 0.0;
    for (int64_t e = 0; e < n * kdr->m; e++) *value += kdr->y[e] * kdr->y[e];
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    return ALD_CARD_OK;
}

ald_card_code loops_kdr_pull(void *card, void *made, double *pull)
{
    loops_card *c = card;
    const kdr_room *kdr = made;
    const int64_t n = kdr->n, r = kdr->r, m = kdr->m;
    if (loops_fails(c)) return c->code;
    kdr_solve(kdr, 1);
    for (int64_t e = 0; e < n * r; e++) pull[e] = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double g = 0.0;
            for (int64_t q = 0; q < m; q++) g -= kdr->y[i * m + q] * kdr->y[j * m + q];
            for (int64_t q = 0; q < r; q++)
                pull[i * r + q] += g * kdr->k[i * n + j] * (kdr->z[i * r + q] - kdr->z[j * r + q]);
        }
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    return ALD_CARD_OK;
}

/* The stress: F = Z M written out, and the scores of the point and of the line. */
typedef struct stress_room {
    ald_card_stress what; /* the caller's, which stays as it is */
    int64_t n, k;
    double *f, *u, *uv;
} stress_room;

ald_card_code loops_stress_open(void *card, const ald_card_rows *z, const ald_card_stress *what, void **made)
{
    loops_card *c = card;
    const int64_t n = z->n, d = z->d, p = what->p;
    double *rows = loops_begin_whole(c, z);
    if (!rows) return c->code;
    stress_room *s = calloc(1, sizeof *s);
    s->what = *what;
    s->n = n;
    s->f = malloc((size_t)(n * p) * sizeof *s->f);
    if (what->matrix)
        support_multiply(0, 0, n, p, d, rows, what->matrix, s->f);
    else
        for (int64_t e = 0; e < n * d; e++)
            s->f[e] = rows[e] * (what->diagonal ? what->diagonal[e % d] : 1.0);
    free(rows);
    loops_tally(c, 1, 0, 0, 0.0, 0.0);
    *made = s;
    return ALD_CARD_OK;
}

void loops_stress_close(void *card, void *made)
{
    stress_room *s = made;
    free(s->f), free(s->u), free(s->uv);
    free(s);
    loops_tally(card, -1, 0, 0, 0.0, 0.0);
}

ald_card_code loops_stress_place(void *card, const ald_card_rows *z, void *made, const double *w, int64_t k)
{
    loops_card *c = card;
    stress_room *s = made;
    (void)z;
    if (loops_fails(c)) return c->code;
    s->k = k;
    s->u = realloc(s->u, (size_t)(s->n * k) * sizeof *s->u);
    s->uv = realloc(s->uv, (size_t)(s->n * k) * sizeof *s->uv);
    support_multiply(0, 0, s->n, k, s->what.p, s->f, w, s->u);
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    return ALD_CARD_OK;
}

ald_card_code loops_stress_gradient(void *card, const ald_card_rows *z, void *made, int64_t r, double scale,
                                    double *values, double *g)
{
    loops_card *c = card;
    const stress_room *s = made;
    const int64_t k = s->k;
    (void)z;
    if (loops_fails(c)) return c->code;
    double *work = calloc((size_t)(s->n * k), sizeof *work);
    for (int64_t q = 0; q < k; q += r) values[q / r] = 0.0;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t e = s->what.pointers[i]; e < s->what.pointers[i + 1]; e++)
            for (int64_t first = 0; first < k; first += r) {
                const double *own = s->u + i * k + first, *other = s->u + s->what.partners[e] * k + first;
                double off = -s->what.squares[e];
                for (int64_t q = 0; q < r; q++) off += pow(own[q] - other[q], 2.0);
                values[first / r] += 0.5 * scale * s->what.weights[e] * off * off;
                for (int64_t q = 0; q < r; q++)
                    work[i * k + first + q] += 4.0 * scale * s->what.weights[e] * off * (own[q] - other[q]);
            }
    support_multiply(1, 0, s->what.p, k, s->n, s->f, work, g);
    free(work);
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    return ALD_CARD_OK;
}

ald_card_code loops_stress_line(void *card, const ald_card_rows *z, void *made, int64_t r, double scale,
                                const double *v, double *coefficients)
{
    loops_card *c = card;
    const stress_room *s = made;
    const int64_t k = s->k;
    (void)z;
    if (loops_fails(c)) return c->code;
    support_multiply(0, 0, s->n, k, s->what.p, s->f, v, s->uv);
    memset(coefficients, 0, (size_t)(5 * k / r) * sizeof *coefficients);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t e = s->what.upper[i]; e < s->what.pointers[i + 1]; e++)
            for (int64_t first = 0; first < k; first += r) {
                double c0 = -s->what.squares[e], c1 = 0.0, c2 = 0.0;
                for (int64_t q = first; q < first + r; q++) {
                    const double a = s->u[i * k + q] - s->u[s->what.partners[e] * k + q],
                                 b = s->uv[i * k + q] - s->uv[s->what.partners[e] * k + q];
                    c0 += a * a, c1 += 2.0 * a * b, c2 += b * b;
                }
                const double found[] = {
                    c0 * c0, 2.0 * c0 * c1, c1 * c1 + 2.0 * c0 * c2, 2.0 * c1 * c2, c2 * c2,
                };
                for (int q = 0; q < 5; q++)
                    coefficients[5 * (first / r) + q] += scale * s->what.weights[e] * found[q];
            }
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    return ALD_CARD_OK;
}

ald_card_code loops_stress_move(void *card, void *made, int64_t r, const double *steps)
{
    loops_card *c = card;
    const stress_room *s = made;
    if (loops_fails(c)) return c->code;
    for (int64_t e = 0; e < s->n * s->k; e++) s->u[e] += steps[e % s->k / r] * s->uv[e];
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    return ALD_CARD_OK;
}

ald_card_code loops_pair_scatter(void *card, const ald_card_rows *z, const ald_card_stress *what,
                                 double scale, double *scatter)
{
    loops_card *c = card;
    const int64_t n = z->n, d = z->d;
    double *rows = loops_begin_whole(c, z);
    if (!rows) return c->code;
    memset(scatter, 0, (size_t)(d * d) * sizeof *scatter);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = what->pointers[i]; e < what->pointers[i + 1]; e++)
            for (int64_t p = 0; p < d; p++)
                for (int64_t q = 0; q < d; q++)
                    scatter[p * d + q] += scale * what->weights[e] * rows[i * d + p] *
                                          (rows[i * d + q] - rows[what->partners[e] * d + q]);
    free(rows);
    return ALD_CARD_OK;
}
