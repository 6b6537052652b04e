/* Entries of sparse X, and panels, on the card of plain loops. */
#include "support/loops_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a column gives, entry by entry. */
static void sum_column(const ald_card_rows *z, const ald_card_entries *s, int64_t j)
{
    const loops_held *h = z->x;
    double count = 0.0, stored = 0.0, first = 0.0, sum = 0.0, square = 0.0, peak = 0.0;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < z->n; i++) {
        const double factor = z->row_factor ? z->row_factor[i] : 1.0, w = s->weights ? s->weights[i] : 1.0;
        const double v = factor * h->values[i * h->d + j], o = z->row_shift ? -factor * z->row_shift[i] : 0.0;
        const double from = s->mean ? s->mean[j] : 0.0;
        if (!h->stored[i * h->d + j]) continue;
        if (count == 0.0) first = v;
        count += 1.0;
        stored += w;
        sum += w * (v - (s->base ? s->base[j] : 0.0));
        square += w * ((v + o - from) * (v + o - from) - (s->differences ? (o - from) * (o - from) : 0.0));
        peak = fmax(peak, fabs(v + o));
        low = fmin(low, v + o);
        high = fmax(high, v + o);
    }
    double *const to[] = {s->counts, s->stored, s->first, s->sums, s->squares, s->peak, s->low, s->high};
    const double found[] = {count, stored, first, sum, square, peak, low, high};
    for (int kind = 0; kind < 8; kind++)
        if (to[kind]) to[kind][j] = found[kind];
}

ald_card_code loops_entry_sums(void *card, const ald_card_rows *rows, const ald_card_entries *sums)
{
    double *z = loops_begin(card, rows);
    for (int64_t j = 0; z && j < rows->d; j++) sum_column(rows, sums, j);
    return loops_end(card, z, 2.0 * (double)rows->d, 8.0 * (double)rows->d);
}

ald_card_code loops_panel(void *card, int64_t rows, int64_t k, const double *values, void **made)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    loops_held *h = calloc(1, sizeof *h);
    h->d = k;
    h->values = calloc((size_t)(rows * k) + 1, sizeof(double));
    if (values) memcpy(h->values, values, (size_t)(rows * k) * sizeof *values);
    loops_tally(c, 1, 0, 0, values ? 8.0 * (double)(rows * k) : 0.0, 0.0);
    *made = h;
    return ALD_CARD_OK;
}

static double *of(void *panel_of)
{
    return ((loops_held *)panel_of)->values;
}

ald_card_code loops_panel_advance(void *card, const ald_card_rows *z, void *v, int64_t k, const double *alpha,
                                  void *u, void *w)
{
    const double numbers = (double)((z->n + z->d) * k);
    const ald_card_code code = loops_advance(card, z, of(v), k, alpha, of(u), of(w));
    if (code == ALD_CARD_OK) loops_tally(card, 0, 0, 0, -8.0 * numbers, -8.0 * numbers); /* they were there */
    return code;
}

ald_card_code loops_panel_combine(void *card, int64_t rows, int64_t k, void *a, const double *f, void *b,
                                  const double *g)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    for (int64_t e = 0; e < rows * k; e++) of(a)[e] = f[e % k] * of(a)[e] + (b ? g[e % k] * of(b)[e] : 0.0);
    return ALD_CARD_OK;
}

ald_card_code loops_panel_squares(void *card, int64_t rows, int64_t k, void *a, double *squares)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    for (int64_t j = 0; j < k; j++) squares[j] = 0.0;
    for (int64_t e = 0; e < rows * k; e++) squares[e % k] += of(a)[e] * of(a)[e];
    return ALD_CARD_OK;
}

ald_card_code loops_panel_take(void *card, int64_t rows, int64_t k, void *from, int64_t count,
                               const int64_t *which, void *to)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < count; j++) of(to)[i * count + j] = of(from)[i * k + which[j]];
    ((loops_held *)to)->d = count;
    return ALD_CARD_OK;
}
