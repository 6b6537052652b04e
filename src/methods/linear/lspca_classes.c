/* The loss of classes in lspca, as a function of the span of A (lspca.c has the formulas): a logistic fit on
 * the scores at every point, from the slopes of the last one on. Along a geodesic the scores are those of
 * F X and F U, which are made once. */
#include "methods/linear/lspca.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/predict/logistic_solve.h"

#include <math.h>
#include <string.h>

typedef struct class_loss {
    const ald_lspca *p;
    ald_logistic fit;
    double none;  /* the loss of the intercept alone */
    double scale; /* of the gradient without slopes on the scores of pca, for the tolerance of a fit */
    double *rows; /* F over the root mean square, without weights, n x k */
    double *t1;   /* [1 Z], n x (r + 1) */
    double *c;    /* intercepts and slopes, (r + 1) x q */
    double *zx;   /* F X, F U along a geodesic, n x r */
    double *zu;
    double *room;                   /* k x max(q, r): s A, F'(P - Y) */
    double *other;                  /* k x r: s U */
    double *turned, *value, *slope; /* r x max(q, r) */
    ald_geodesic_form form;
} class_loss;

/* F over the root mean square. */
static ald_status class_rows(ald_run *run, class_loss *l)
{
    const ald_problem *problem = l->p->problem;
    const int64_t n = problem->n, k = l->p->k;
    const double unit = sqrt(problem->total * (double)problem->d / l->p->sum);
    ALD_TRY(ald_row_space_rows(run, &l->p->space, l->rows));
    for (int64_t i = 0; i < n; i++) {
        const double factor = unit / sqrt(problem->weights ? problem->weights[i] : 1.0);
        for (int64_t j = 0; j < k; j++) l->rows[i * k + j] *= factor;
    }
    return ALD_OK;
}

static ald_status class_begin(ald_run *run, const ald_lspca *p, double ridge, class_loss *l)
{
    const int64_t n = p->problem->n, k = p->k, r = p->r, q = p->q, most = q > r ? q : r;
    double *y, *ones;
    int64_t columns;
    *l = (class_loss){.p = p};
    ALD_TRY(ALD_SCRATCH(run, {&l->rows, n, k}, {&l->t1, n, r + 1}, {&l->c, r + 1, q}, {&l->zx, n, r},
                        {&l->zu, n, r}, {&l->room, k, most}, {&l->other, k, r}, {&l->turned, r, most},
                        {&l->value, r, r}, {&l->slope, r, r}, {&ones, n, 1}));
    ALD_TRY(ald_geodesic_form_new(run, r, &l->form));
    ALD_TRY(ald_target_numbers(run, p->problem->target, &y, &columns));
    ALD_TRY(class_rows(run, l));
    for (int64_t i = 0; i < n; i++) {
        ones[i] = p->problem->weights ? p->problem->weights[i] : 1.0;
        l->t1[i * (r + 1)] = 1.0;
        memcpy(l->t1 + i * (r + 1) + 1, l->rows + i * k, (size_t)r * sizeof *l->t1);
    }
    l->fit = (ald_logistic){
        .run = run,
        .n = n,
        .p = r + 1,
        .q = q,
        .penalty = ridge,
        .t1 = l->t1,
        .y = y,
        .w = ones,
        .tol = 1e-11,
        .inner = 1,
    };
    ALD_TRY(ald_logistic_room(&l->fit, 1));
    ald_logistic_start(&l->fit, l->c);
    ALD_TRY(ald_logistic_slope(&l->fit, l->c, &l->scale));
    l->none = l->fit.value;
    return ALD_OK;
}

/* The logistic fit of z (n x r) from l->c on; `work` of it is then w (P - Y). */
static ald_status class_fit(class_loss *l, const double *z, double *loss)
{
    ald_logistic *fit = &l->fit;
    const int64_t r = l->p->r;
    for (int64_t i = 0; i < fit->n; i++) memcpy(l->t1 + i * (r + 1) + 1, z + i * r, (size_t)r * sizeof *z);
    ALD_TRY(ald_logistic_minimize(fit, l->scale, l->c));
    *loss = (1.0 - l->p->g) * fit->value / l->none;
    for (int64_t i = 0; i < fit->n * fit->q; i++)
        fit->work[i] = fit->w[i / fit->q] * (fit->prob[i] - fit->y[i]);
    return ALD_OK;
}

static ald_status class_gradient(ald_run *run, void *self, const double *a, double *value, double *g,
                                 double *size)
{
    class_loss *l = self;
    const ald_lspca *p = l->p;
    const int64_t n = p->problem->n, k = p->k, r = p->r, q = p->q;
    double kept = 0.0;
    ALD_TRY(ald_product(run, ald_of(l->rows, n, k), ald_of(a, k, r), ald_at(l->zx, n, r)));
    ALD_TRY(class_fit(l, l->zx, value));
    ALD_TRY(ald_product(run, ald_t(ald_of(l->rows, n, k)), ald_of(l->fit.work, n, q), ald_at(l->room, k, q)));
    ALD_TRY(ald_product_add(run, (1.0 - p->g) / l->none, ald_of(l->room, k, q), ald_t(ald_of(l->c + q, r, q)),
                            0.0, ald_at(g, k, r)));
    *size = ald_norm(k * r, g);
    for (int64_t i = 0; i < k * r; i++) {
        l->other[i] = -2.0 * p->g * p->share[i / r] * a[i];
        kept -= 0.5 * l->other[i] * a[i];
        g[i] += l->other[i];
    }
    *value += p->g - kept;
    *size += ald_norm(k * r, l->other);
    return ALD_OK;
}

static ald_status class_line(ald_run *run, void *self, const ald_geodesic *line)
{
    class_loss *l = self;
    const int64_t n = l->p->problem->n, k = l->p->k, r = l->p->r;
    for (int64_t i = 0; i < k * r; i++) {
        l->room[i] = l->p->share[i / r] * line->x[i];
        l->other[i] = l->p->share[i / r] * line->u[i];
    }
    ALD_TRY(ald_product(run, ald_of(l->rows, n, k), ald_of(line->x, k, r), ald_at(l->zx, n, r)));
    ALD_TRY(ald_product(run, ald_of(l->rows, n, k), ald_of(line->u, k, r), ald_at(l->zu, n, r)));
    return ald_geodesic_form_set(run, line, l->room, l->other, &l->form);
}

/* The slopes belong to A; here, where the scores are those of A(t)V, they are V'C. */
static ald_status class_along(ald_run *run, void *self, const ald_geodesic *line, double *value,
                              double *slope)
{
    class_loss *l = self;
    const ald_lspca *p = l->p;
    const int64_t n = p->problem->n, r = p->r, q = p->q;
    const ald_area slopes = ald_at(l->c + q, r, q);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *z, *by;
    ALD_TRY(ALD_SCRATCH(run, {&z, n, r}, {&by, n, r}));
    for (int64_t i = 0; i < n * r; i++) z[i] = l->zx[i] * line->cosine[i % r] + l->zu[i] * line->sine[i % r];
    memcpy(l->turned, slopes.data, (size_t)(r * q) * sizeof *l->turned);
    ALD_TRY(ald_product(run, ald_of(line->vt, r, r), ald_of(l->turned, r, q), slopes));
    ALD_TRY(class_fit(l, z, value));
    ALD_TRY(ald_product_add(run, (1.0 - p->g) / l->none, ald_of(l->fit.work, n, q), ald_t(ald_read(slopes)),
                            0.0, ald_at(by, n, r)));
    ald_geodesic_form_at(line, &l->form, l->value, l->slope);
    *value += p->g * (1.0 - ald_trace(r, l->value));
    *slope = -p->g * ald_trace(r, l->slope);
    for (int64_t i = 0; i < n * r; i++)
        *slope += by[i] * line->rate[i % r] * (l->zu[i] * line->cosine[i % r] - l->zx[i] * line->sine[i % r]);
    memcpy(l->turned, slopes.data, (size_t)(r * q) * sizeof *l->turned);
    ALD_TRY(ald_product(run, ald_t(ald_of(line->vt, r, r)), ald_of(l->turned, r, q), slopes));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_lspca_classes(ald_run *run, const ald_lspca *p, double ridge,
                             ald_grassmann_objective *objective)
{
    class_loss *l;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *l, &l));
    *objective = (ald_grassmann_objective){p->k, p->r, l, class_gradient, class_line, class_along};
    return class_begin(run, p, ridge, l);
}
