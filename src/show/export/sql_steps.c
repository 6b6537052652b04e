/* The steps of a recipe as tables of a SELECT (write_sql.c): d numbers x1 .. xd of a row become others of the
 * same names; what is found of a row on the way, its mean, size or slope, is a column beside them. */
#include "show/export/write_sql.h"

#include <float.h>
#include <math.h>

static void plain_term(ald_sql *s, const void *letter, int64_t i)
{
    ald_sql_column(s, letter, i);
}

static void square_term(ald_sql *s, const void *letter, int64_t i)
{
    ald_sql_column(s, letter, i);
    ald_pen_put(&s->pen, "*");
    ald_sql_column(s, letter, i);
}

/* A number of the row, `what` over a divisor, as LETTER beside all that is there. */
static void add_sum(ald_sql *s, int64_t d, ald_sql_term what, double divisor, const char *root,
                    const char *letter)
{
    ald_sql_begin(s, 1);
    ald_pen_print(&s->pen, "%s(", root);
    ald_sql_sum(s, d, what, "x");
    ald_pen_put(&s->pen, "/");
    ald_sql_real(s, divisor);
    ald_pen_put(&s->pen, ")");
    ald_sql_as(s, letter, 0);
    ald_sql_end(s, NULL);
}

/* x_j less a column of the row; `also` passes on. */
static void subtract(ald_sql *s, int64_t d, const char *letter, const char *also)
{
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < d; j++) {
        ald_sql_column(s, "x", j);
        ald_pen_put(&s->pen, " - ");
        ald_sql_column(s, letter, 0);
        ald_sql_as(s, "x", j);
    }
    if (also) {
        ald_sql_column(s, also, 0);
        ald_sql_as(s, also, 0);
    }
    ald_sql_end(s, NULL);
}

/* x_j / size where size is above a bound, else x_j, or where it `vanishes` 0 (NULL where there is no x_j). */
static void divide(ald_sql *s, int64_t d, const char *bound, int vanishes)
{
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < d; j++) {
        ald_pen_put(&s->pen, "CASE WHEN ");
        ald_sql_column(s, "v", 0);
        ald_pen_put(&s->pen, " > ");
        if (bound) {
            ald_sql_real(s, 8.0 * DBL_EPSILON);
            ald_pen_put(&s->pen, "*");
            ald_sql_column(s, bound, 0);
        } else { /* a row that is too large to be scaled is no number */
            ald_sql_real(s, DBL_MAX);
            ald_pen_put(&s->pen, " THEN NULL WHEN ");
            ald_sql_column(s, "v", 0);
            ald_pen_put(&s->pen, " > 0e0");
        }
        ald_pen_put(&s->pen, " THEN ");
        ald_sql_column(s, "x", j);
        ald_pen_put(&s->pen, "/");
        ald_sql_column(s, "v", 0);
        ald_pen_put(&s->pen, " ELSE ");
        if (vanishes) ald_pen_put(&s->pen, "0e0*");
        ald_sql_column(s, "x", j);
        ald_pen_put(&s->pen, " END");
        ald_sql_as(s, "x", j);
    }
    ald_sql_end(s, NULL);
}

/* A row does not vary where its deviation is nothing beside its length; a cell without a value makes it
 * NULL. */
static void snv(ald_sql *s, const ald_export_step *step)
{
    const int64_t d = step->in;
    add_sum(s, d, square_term, 1.0, "sqrt", "n");
    add_sum(s, d, plain_term, (double)d, "", "m");
    subtract(s, d, "m", "n");
    add_sum(s, d, square_term, d > 1 ? (double)(d - 1) : 1.0, "sqrt", "v");
    divide(s, d, "n", 1);
}

static void row_scale(ald_sql *s, const ald_export_step *step)
{
    const int64_t d = step->in;
    const int standard = step->number[0].value > 0.0;
    if (standard) add_sum(s, d, plain_term, (double)d, "", "m");
    if (standard) subtract(s, d, "m", NULL);
    add_sum(s, d, square_term, standard ? (double)d : 1.0, "sqrt", "v");
    divide(s, d, NULL, 0);
}

/* The reference and its moments. */
typedef struct line {
    const double *r;
    double centre, square;
} line;

static void cross_term(ald_sql *s, const void *of, int64_t i)
{
    const line *l = of;
    ald_pen_put(&s->pen, "(");
    ald_sql_column(s, "x", i);
    ald_pen_put(&s->pen, " - ");
    ald_sql_column(s, "m", 0);
    ald_pen_put(&s->pen, ")*");
    ald_sql_real(s, l->r[i] - l->centre);
}

static void own_term(ald_sql *s, const void *of, int64_t i)
{
    (void)of;
    for (int k = 0; k < 2; k++) {
        ald_pen_put(&s->pen, k ? "*(" : "(");
        ald_sql_column(s, "x", i);
        ald_pen_put(&s->pen, " - ");
        ald_sql_column(s, "m", 0);
        ald_pen_put(&s->pen, ")");
    }
}

static void add_slope(ald_sql *s, int64_t d, const line *l)
{
    ald_sql_begin(s, 1);
    ald_sql_sum(s, d, cross_term, l);
    ald_sql_as(s, "c", 0);
    ald_sql_sum(s, d, own_term, l);
    ald_sql_as(s, "o", 0);
    ald_sql_end(s, NULL);
    ald_sql_begin(s, 1);
    ald_pen_put(&s->pen, "CASE WHEN abs(");
    ald_sql_column(s, "c", 0);
    ald_pen_put(&s->pen, ") > ");
    ald_sql_real(s, 8.0 * DBL_EPSILON * sqrt(l->square));
    ald_pen_put(&s->pen, "*sqrt(");
    ald_sql_column(s, "o", 0);
    ald_pen_put(&s->pen, ") THEN ");
    ald_sql_column(s, "c", 0);
    ald_pen_put(&s->pen, "/");
    ald_sql_real(s, l->square);
    ald_pen_put(&s->pen, " ELSE ");
    ald_sql_real(s, 0.0);
    ald_pen_put(&s->pen, " END");
    ald_sql_as(s, "v", 0);
    ald_sql_end(s, NULL);
}

static void msc(ald_sql *s, const ald_export_step *step)
{
    const int64_t d = step->in;
    line l = {.r = step->table[0].data};
    for (int64_t j = 0; j < d; j++) l.centre += l.r[j] / (double)d;
    for (int64_t j = 0; j < d; j++) l.square += (l.r[j] - l.centre) * (l.r[j] - l.centre);
    add_sum(s, d, plain_term, (double)d, "", "m");
    add_slope(s, d, &l);
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < d; j++) {
        ald_pen_put(&s->pen, "(");
        ald_sql_column(s, "x", j);
        ald_pen_put(&s->pen, " - (");
        ald_sql_column(s, "m", 0);
        ald_pen_put(&s->pen, " - ");
        ald_sql_column(s, "v", 0);
        ald_pen_put(&s->pen, "*");
        ald_sql_real(s, l.centre);
        ald_pen_put(&s->pen, "))/CASE WHEN ");
        ald_sql_column(s, "v", 0);
        ald_pen_put(&s->pen, " = 0e0 THEN 1e0 ELSE ");
        ald_sql_column(s, "v", 0);
        ald_pen_put(&s->pen, " END");
        ald_sql_as(s, "x", j);
    }
    ald_sql_end(s, NULL);
}

static void detrend(ald_sql *s, const ald_export_step *step)
{
    const int64_t d = step->in, count = step->table[0].rows;
    const double *p = step->table[0].data;
    ald_sql_begin(s, 1);
    for (int64_t k = 0; k < count; k++) {
        ald_sql_product(s, "x", p + k * d, 1, d);
        ald_sql_as(s, "t", k);
    }
    ald_sql_end(s, NULL);
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < d; j++) {
        ald_sql_column(s, "x", j);
        ald_pen_put(&s->pen, " - ");
        ald_sql_product(s, "t", p + j, d, count);
        ald_sql_as(s, "x", j);
    }
    ald_sql_end(s, NULL);
}

/* A part of a row. */
typedef struct window {
    const double *weights;
    int64_t first;
} window;

static void window_term(ald_sql *s, const void *of, int64_t i)
{
    const window *w = of;
    ald_sql_column(s, "x", w->first + i);
    ald_pen_put(&s->pen, "*");
    ald_sql_real(s, w->weights[i]);
}

static void savgol(ald_sql *s, const ald_export_step *step)
{
    const int64_t d = step->in, w = step->table[0].rows;
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < d; j++) {
        int64_t first = j - w / 2;
        if (first < 0) first = 0;
        if (first > d - w) first = d - w;
        const window of = {step->table[0].data + (j - first) * w, first};
        ald_sql_sum(s, w, window_term, &of);
        ald_sql_as(s, "x", j);
    }
    ald_sql_end(s, NULL);
}

/* (x - mean) inverse, then the sums, which are z1 .. zr. */
static void linear(ald_sql *s, const ald_export_step *step)
{
    const double *mean = step->table[0].data, *inverse = step->table[1].data;
    ald_sql_begin(s, 0);
    for (int64_t j = 0; j < step->in; j++) {
        ald_pen_put(&s->pen, "(");
        ald_sql_column(s, "x", j);
        ald_pen_put(&s->pen, " - ");
        ald_sql_real(s, mean ? mean[j] : 0.0);
        ald_pen_put(&s->pen, ")*");
        ald_sql_real(s, inverse ? inverse[j] : 1.0);
        ald_sql_as(s, "x", j);
    }
    ald_sql_end(s, NULL);
    ald_sql_begin(s, 0);
    for (int64_t k = 0; k < step->out; k++) {
        ald_sql_product(s, "x", step->table[2].data + k, step->out, step->in);
        ald_sql_as(s, "z", k);
    }
    ald_sql_end(s, NULL);
}

static void affine(ald_sql *s, const ald_export_step *step)
{
    ald_sql_begin(s, 1);
    for (int64_t c = 0; c < step->out; c++) {
        ald_sql_real(s, step->table[1].data[c]);
        ald_pen_put(&s->pen, " + ");
        ald_sql_product(s, "z", step->table[0].data + c, step->out, step->in);
        ald_sql_as(s, "s", c);
    }
    ald_sql_end(s, NULL);
}

static void distance_term(ald_sql *s, const void *centre, int64_t i)
{
    const double *c = centre;
    for (int k = 0; k < 2; k++) {
        ald_pen_put(&s->pen, k ? "*(" : "(");
        ald_sql_column(s, "z", i);
        ald_pen_put(&s->pen, " - ");
        ald_sql_real(s, c[i]);
        ald_pen_put(&s->pen, ")");
    }
}

static void centroid(ald_sql *s, const ald_export_step *step)
{
    ald_sql_begin(s, 1);
    for (int64_t c = 0; c < step->out; c++) {
        ald_pen_put(&s->pen, "-(");
        ald_sql_sum(s, step->in, distance_term, step->table[0].data + c * step->in);
        ald_pen_put(&s->pen, ")");
        ald_sql_as(s, "s", c);
    }
    ald_sql_end(s, NULL);
}

/* The largest score as `l`. */
static void add_largest(ald_sql *s, int64_t q)
{
    ald_sql_begin(s, 1);
    ald_pen_put(&s->pen, "CASE");
    for (int64_t c = 0; c + 1 < q; c++) {
        for (int64_t e = c + 1; e < q; e++) {
            ald_pen_put(&s->pen, e > c + 1 ? " AND " : " WHEN ");
            ald_sql_column(s, "s", c);
            ald_pen_put(&s->pen, " >= ");
            ald_sql_column(s, "s", e);
        }
        ald_pen_put(&s->pen, " THEN ");
        ald_sql_column(s, "s", c);
    }
    if (q == 1) ald_pen_put(&s->pen, " WHEN 1 = 0 THEN 0e0");
    ald_pen_put(&s->pen, " ELSE ");
    ald_sql_column(s, "s", q - 1);
    ald_pen_put(&s->pen, " END");
    ald_sql_as(s, "l", 0);
    ald_sql_end(s, NULL);
}

static void softmax(ald_sql *s, const ald_export_step *step)
{
    const int64_t q = step->out;
    add_largest(s, q);
    ald_sql_begin(s, 1);
    for (int64_t c = 0; c < q; c++) {
        ald_pen_put(&s->pen, "CASE WHEN ");
        ald_sql_column(s, "s", c);
        ald_pen_put(&s->pen, " - ");
        ald_sql_column(s, "l", 0);
        ald_pen_put(&s->pen, " < -7e2 THEN 0e0 ELSE exp(");
        ald_sql_column(s, "s", c);
        ald_pen_put(&s->pen, " - ");
        ald_sql_column(s, "l", 0);
        ald_pen_put(&s->pen, ") END");
        ald_sql_as(s, "e", c);
    }
    ald_sql_end(s, NULL);
    ald_sql_begin(s, 1);
    for (int64_t c = 0; c < q; c++) {
        ald_sql_column(s, "e", c);
        ald_pen_put(&s->pen, "/");
        ald_sql_sum(s, q, plain_term, "e");
        ald_sql_as(s, "p", c);
    }
    ald_sql_end(s, NULL);
}

static void logit(ald_sql *s, const ald_export_step *step)
{
    ald_sql_begin(s, 1);
    for (int64_t c = 0; c < step->out; c++) {
        ald_pen_put(&s->pen, "CASE WHEN ");
        ald_sql_column(s, "s", c);
        ald_pen_put(&s->pen, " < -7e2 THEN 0e0 WHEN ");
        ald_sql_column(s, "s", c);
        ald_pen_put(&s->pen, " > 7e2 THEN 1e0 ELSE 1e0/(1e0 + exp(-");
        ald_sql_column(s, "s", c);
        ald_pen_put(&s->pen, ")) END");
        ald_sql_as(s, "p", c);
    }
    ald_sql_end(s, NULL);
}

/* NULL: there is none. */
static void (*maker_of(const ald_export_step *step))(ald_sql *, const ald_export_step *)
{
    static void (*const make[])(ald_sql *, const ald_export_step *) = {
        [ALD_STEP_SNV] = snv,
        [ALD_STEP_MSC] = msc,
        [ALD_STEP_DETREND] = detrend,
        [ALD_STEP_SAVGOL] = savgol,
        [ALD_STEP_ROW_SCALE] = row_scale,
        [ALD_STEP_LINEAR] = linear,
        [ALD_STEP_AFFINE] = affine,
        [ALD_STEP_CENTROID] = centroid,
        [ALD_STEP_SOFTMAX] = softmax,
        [ALD_STEP_LOGIT] = logit,
        [ALD_STEP_KINDS] = NULL,
    };
    return make[step->kind];
}

int ald_sql_has(const ald_export_step *step)
{
    return maker_of(step) != NULL;
}

void ald_sql_step(ald_sql *s, const ald_export_step *step)
{
    maker_of(step)(s, step);
}
