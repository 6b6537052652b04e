#include "support/loops_criteria.h"
#include "support/loops_inside.h"

#include "math/operator/entry.h"
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The device is opened for the card that was made last. */
static loops_card *opening;

static void *open_card(int number, ald_device_facts *facts, char *trouble, size_t size)
{
    opening->number = number;
    (void)trouble;
    (void)size;
    strcpy(facts->name, "loops");
    facts->memory = opening->memory > 0.0 ? opening->memory : 1e9;
    return opening;
}

static int cards(void)
{
    return opening->cards;
}

static void close_card(void *card)
{
    assert_int_equal(((loops_card *)card)->standing, 0);
}

static void count(void *card, ald_device_facts *facts)
{
    const loops_card *c = card;
    facts->bytes_in += c->bytes_in;
    facts->bytes_out += c->bytes_out;
    facts->held += c->held;
    facts->calls += c->calls;
}

static const char *trouble(void *card)
{
    return ((loops_card *)card)->code == ALD_CARD_FULL ? "its memory is full" : "it has disappeared";
}

/* Several threads may call at the same time. */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

int loops_fails(loops_card *c)
{
    pthread_mutex_lock(&counting);
    const int first = ++c->asked == c->fail_at,
              failed = first || (c->for_good && c->fail_at > 0 && c->asked > c->fail_at);
    if (first && c->softens) c->softens->always = 0;
    pthread_mutex_unlock(&counting);
    return failed;
}

/* What is added to the counts. */
void loops_tally(loops_card *c, int standing, int held, int calls, double in, double out)
{
    pthread_mutex_lock(&counting);
    c->standing += standing;
    c->held += held;
    c->calls += calls;
    c->bytes_in += in;
    c->bytes_out += out;
    pthread_mutex_unlock(&counting);
}

static ald_card_code hold(void *card, const ald_matrix *x, void **made)
{
    loops_card *c = card;
    if (c->memory > 0.0 && ald_matrix_bytes(x) > c->memory) {
        c->code = ALD_CARD_FULL;
        return c->code;
    }
    if (loops_fails(c)) return c->code;
    loops_held *h = calloc(1, sizeof *h);
    h->d = x->cols;
    h->values = malloc((size_t)(x->rows * x->cols) * sizeof(double));
    if (x->storage != ALD_DENSE) h->stored = malloc((size_t)(x->rows * x->cols));
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->cols; j++) {
            h->values[i * h->d + j] = ald_matrix_at(x, i, j);
            if (h->stored) h->stored[i * h->d + j] = ald_matrix_has(x, i, j) != 0;
        }
    loops_tally(c, 1, 1, 0, ald_matrix_bytes(x), 0.0);
    *made = h;
    return ALD_CARD_OK;
}

/* Memory of the card is that of the host, seen from elsewhere (loops_card.h). */
static ald_card_code adopt(void *card, const ald_matrix *x, void **made)
{
    loops_card *c = card;
    ald_matrix seen = *x;
    seen.storage = ALD_DENSE;
    seen.values = (const char *)x->values - c->away;
    const double before = c->bytes_in;
    const ald_card_code code = hold(card, &seen, made);
    c->bytes_in = before;
    return code;
}

static void release(void *card, void *on_card)
{
    loops_held *h = on_card;
    free(h->values);
    free(h->stored);
    free(h);
    loops_tally(card, -1, 0, 0, 0.0, 0.0);
}

static _Thread_local int failing; /* the call that this thread is in, with late failures */

static double *write_out(loops_card *c, const ald_card_rows *z)
{
    const loops_held *h = z->x;
    double *out = malloc((size_t)(z->n * z->d) * sizeof *out);
    loops_tally(c, 0, 0, 1, 0.0, 0.0);
    for (int64_t i = 0; i < z->n; i++)
        for (int64_t j = 0; j < z->d; j++) {
            double v = h->values[(z->first + i) * h->d + j];
            if (z->row_shift) v -= z->row_shift[i];
            if (z->row_factor) v *= z->row_factor[i];
            if (z->mean) v -= z->mean[j];
            if (z->inverse_scale) v *= z->inverse_scale[j];
            if (z->row_weight) v *= z->row_weight[i];
            out[i * z->d + j] = v;
        }
    return out;
}

double *loops_begin(loops_card *c, const ald_card_rows *z)
{
    failing = loops_fails(c);
    return failing && !c->late ? NULL : write_out(c, z);
}

double *loops_begin_whole(loops_card *c, const ald_card_rows *z)
{
    failing = 0;
    return loops_fails(c) ? NULL : write_out(c, z);
}

ald_card_code loops_end(loops_card *c, double *z, double in, double out)
{
    if (!z) return c->code;
    free(z);
    if (failing) return c->code;
    loops_tally(c, 0, 0, 0, 8.0 * in, 8.0 * out);
    return ALD_CARD_OK;
}

static ald_card_code apply(void *card, const ald_card_rows *rows, const double *v, int64_t k, double *u)
{
    double *z = loops_begin(card, rows);
    if (z) support_multiply(0, 0, rows->n, k, rows->d, z, v, u);
    return loops_end(card, z, (double)(rows->d * k), (double)(rows->n * k));
}

static ald_card_code apply_squared(void *card, const ald_card_rows *rows, const double *v, int64_t k,
                                   const double *f, int64_t p, double *u)
{
    const int64_t n = rows->n, d = rows->d;
    double *z = loops_begin(card, rows), *product = malloc((size_t)(n * k) * sizeof *product);
    if (z) support_multiply(0, 0, n, k, d, z, v, product);
    for (int64_t e = 0; z && e < n * k; e++) product[e] *= product[e];
    if (z) support_multiply(0, 0, n, p, k, product, f, u);
    free(product);
    return loops_end(card, z, (double)(d * k + k * p), (double)(n * p));
}

static ald_card_code apply_transposed(void *card, const ald_card_rows *rows, const double *u, int64_t k,
                                      double *v)
{
    double *z = loops_begin(card, rows);
    if (z) support_multiply(1, 0, rows->d, k, rows->n, z, u, v);
    return loops_end(card, z, (double)(rows->n * k), (double)(rows->d * k));
}

ald_card_code loops_advance(void *card, const ald_card_rows *rows, const double *v, int64_t k,
                            const double *alpha, double *u, double *w)
{
    const int64_t n = rows->n;
    double *z = loops_begin_whole(card, rows), *product = malloc((size_t)(n * k) * sizeof *product);
    if (z) {
        support_multiply(0, 0, n, k, rows->d, z, v, product);
        for (int64_t e = 0; u && e < n * k; e++) u[e] = product[e] -= alpha[e % k] * u[e];
        support_multiply(1, 0, rows->d, k, n, z, product, w);
    }
    free(product);
    return loops_end(card, z, (double)((n + rows->d) * k), (double)((n + rows->d) * k));
}

static ald_card_code scatter(void *card, const ald_card_rows *rows, const double *h, int64_t k, double *c,
                             double *b)
{
    double *z = loops_begin(card, rows);
    if (z) support_multiply(1, 0, rows->d, rows->d, rows->n, z, z, c);
    if (z && k > 0) support_multiply(1, 0, rows->d, k, rows->n, z, h, b);
    return loops_end(card, z, (double)(rows->n * k), (double)(rows->d * (rows->d + k)));
}

static ald_card_code scatter_codes(void *card, const ald_card_rows *rows, const int32_t *code,
                                   const double *value, int64_t k, double *c, double *b)
{
    double *z = loops_begin(card, rows);
    if (z) support_multiply(1, 0, rows->d, rows->d, rows->n, z, z, c);
    if (z) memset(b, 0, (size_t)(rows->d * k) * sizeof *b);
    for (int64_t i = 0; z && i < rows->n; i++)
        for (int64_t j = 0; j < rows->d; j++) b[j * k + code[i]] += value[i] * z[i * rows->d + j];
    return loops_end(card, z, 1.5 * (double)rows->n, (double)(rows->d * (rows->d + k)));
}

static ald_card_code gram(void *card, const ald_card_rows *rows, double *g)
{
    double *z = loops_begin(card, rows);
    if (z) support_multiply(0, 1, rows->n, rows->n, rows->d, z, z, g);
    return loops_end(card, z, 0.0, (double)(rows->n * rows->n));
}

static ald_card_code square_norm(void *card, const ald_card_rows *rows, double *sum)
{
    double *z = loops_begin(card, rows);
    *sum = 0.0;
    for (int64_t e = 0; z && e < rows->n * rows->d; e++) *sum += z[e] * z[e];
    return loops_end(card, z, 0.0, 1.0);
}

static ald_card_code column_sums(void *card, const ald_card_rows *rows, const ald_card_sums *s)
{
    double *z = loops_begin(card, rows);
    for (int64_t j = 0; z && j < rows->d; j++) {
        double sum = 0.0, square = 0.0, peak = 0.0, low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < rows->n; i++) {
            const double v = z[i * rows->d + j], off = v - s->base[j], w = s->weights ? s->weights[i] : 1.0;
            sum += w * off;
            square += w * off * off;
            peak = fmax(peak, fabs(off));
            low = fmin(low, v);
            high = fmax(high, v);
        }
        if (s->sums) s->sums[j] = sum;
        if (s->squares) s->squares[j] = square;
        if (s->peak) s->peak[j] = peak;
        if (s->low) s->low[j] = low;
        if (s->high) s->high[j] = high;
    }
    return loops_end(card, z, (double)rows->d, 5.0 * (double)rows->d);
}

static ald_card_code put(void *card, const void *from, int64_t bytes, void *to)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    memcpy((char *)to - c->away, from, (size_t)bytes);
    loops_tally(c, 0, 0, 0, (double)bytes, 0.0);
    return ALD_CARD_OK;
}

static ald_card_code fetch(void *card, const ald_card_rows *rows, double *out)
{
    double *z = loops_begin(card, rows);
    if (z) memcpy(out, z, (size_t)(rows->n * rows->d) * sizeof *z);
    return loops_end(card, z, 0.0, (double)(rows->n * rows->d));
}

static ald_card_code find_bad(void *card, const ald_card_rows *rows, int64_t *place)
{
    double *z = loops_begin(card, rows);
    *place = -1;
    for (int64_t e = rows->n * rows->d - 1; z && e >= 0; e--)
        if (!isfinite(z[e])) *place = e;
    return loops_end(card, z, 0.0, 1.0);
}

static double kernel_of(const ald_card_kernel *k, double ab, double aa, double bb)
{
    if (k->kind == ALD_CARD_RBF) return exp(-fmax(aa + bb - 2.0 * ab, 0.0) / (2.0 * k->width * k->width));
    if (k->kind == ALD_CARD_POLYNOMIAL) return pow(ab + k->coef0, (double)k->degree);
    if (k->kind == ALD_CARD_COSINE) return aa > 0.0 && bb > 0.0 ? ab / sqrt(aa * bb) : 0.0;
    return ab;
}

static ald_card_code kernel(void *card, const ald_card_rows *rows, const ald_card_kernel *of, void **made,
                            double *mean, double *diagonal)
{
    const int64_t n = rows->n;
    double *z = loops_begin_whole(card, rows);
    double all = 0.0;
    if (!z) return loops_end(card, z, 0.0, 0.0);
    loops_held *h = calloc(1, sizeof *h);
    double *squares = malloc((size_t)n * sizeof *squares);
    h->d = n;
    h->values = malloc((size_t)(n * n) * sizeof(double));
    support_multiply(0, 1, n, n, rows->d, z, z, h->values);
    for (int64_t i = 0; i < n; i++) squares[i] = h->values[i * n + i];
    for (int64_t i = 0; i < n; i++) {
        mean[i] = 0.0;
        for (int64_t j = 0; j < n; j++) {
            double *at = &h->values[i * n + j];
            *at = kernel_of(of, *at, squares[i], squares[j]);
            mean[i] += *at / (double)n;
        }
        all += mean[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) h->values[i * n + j] -= mean[i] + mean[j] - all;
    for (int64_t i = 0; i < n; i++) diagonal[i] = h->values[i * n + i];
    free(squares);
    loops_tally(card, 1, 0, 0, 0.0, 0.0);
    *made = h;
    return loops_end(card, z, 0.0, 2.0 * (double)n);
}

static ald_card_code select_rows(void *card, const ald_card_rows *x, const int64_t *rows, int64_t count,
                                 void **made)
{
    loops_card *c = card;
    const loops_held *from = x->x;
    if (loops_fails(c)) return c->code;
    loops_held *h = calloc(1, sizeof *h);
    h->d = x->d;
    h->values = malloc((size_t)(count * x->d) * sizeof(double));
    for (int64_t i = 0; i < count; i++)
        memcpy(h->values + i * h->d, from->values + (x->first + rows[i]) * h->d,
               (size_t)h->d * sizeof *h->values);
    loops_tally(c, 1, 0, 1, 8.0 * (double)count, 0.0);
    *made = h;
    return ALD_CARD_OK;
}

/* Of a diagonal matrix whose entries fall: the fits of tests are smaller than what is asked of a card. */
static ald_card_code eigen(void *card, int64_t n, double *a, int64_t wanted, double *values, double *vectors)
{
    loops_card *c = card;
    if (loops_fails(c)) return c->code;
    for (int64_t k = 0; k < wanted; k++) {
        values[k] = a[k * n + k];
        for (int64_t j = 0; vectors && j < n; j++) vectors[k * n + j] = j == k;
    }
    loops_tally(c, 0, 0, 1, 8.0 * (double)(n * n), 8.0 * (double)(vectors ? wanted * (n + 1) : wanted));
    return ALD_CARD_OK;
}

static const ald_card_table table = {
    .format = ALD_CARD_FORMAT,
    .open = open_card,
    .close = close_card,
    .count = count,
    .trouble = trouble,
    .hold = hold,
    .adopt = adopt,
    .release = release,
    .apply = apply,
    .apply_squared = apply_squared,
    .apply_transposed = apply_transposed,
    .advance = loops_advance,
    .scatter = scatter,
    .gram = gram,
    .square_norm = square_norm,
    .column_sums = column_sums,
    .put = put,
    .fetch = fetch,
    .find_bad = find_bad,
    .kernel = kernel,
    .eigen = eigen,
    .nearest = loops_nearest,
    .scatter_codes = scatter_codes,
    .entry_sums = loops_entry_sums,
    .panel = loops_panel,
    .panel_advance = loops_panel_advance,
    .panel_combine = loops_panel_combine,
    .panel_squares = loops_panel_squares,
    .panel_take = loops_panel_take,
    .cards = cards,
    .kdr_open = loops_kdr_open,
    .kdr_close = loops_kdr_close,
    .kdr_target = loops_kdr_target,
    .kdr_value = loops_kdr_value,
    .kdr_pull = loops_kdr_pull,
    .stress_open = loops_stress_open,
    .stress_close = loops_stress_close,
    .stress_place = loops_stress_place,
    .stress_gradient = loops_stress_gradient,
    .stress_line = loops_stress_line,
    .stress_move = loops_stress_move,
    .pair_scatter = loops_pair_scatter,
    .select = select_rows,
};

const ald_card_table *loops_table(loops_card *card)
{
    opening = card;
    return &table;
}

ald_device *loops_device(loops_card *card, int always)
{
    ald_device *device = NULL;
    char said[100];
    assert_int_equal(ald_device_with(loops_table(card), 0, always, &device, said, sizeof said), ALD_OK);
    return device;
}

ald_device *real_device(void)
{
    static ald_device *device;
    const char *name = getenv("ALD_TEST_DEVICE");
    ald_error error;
    if (name && !device) assert_done(ald_device_open(name, &device, &error), error);
    return device;
}
