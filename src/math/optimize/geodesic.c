#include "math/optimize/geodesic.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

ald_status ald_geodesic_new(ald_run *run, int64_t p, int64_t k, ald_geodesic *line)
{
    *line = (ald_geodesic){.p = p, .k = k};
    return ALD_SCRATCH(run, {&line->x, p, k}, {&line->u, p, k}, {&line->work, p, k}, {&line->vt, k, k},
                       {&line->small, k, k}, {&line->rate, k, 1}, {&line->cosine, k, 1}, {&line->sine, k, 1});
}

ald_status ald_geodesic_set(ald_run *run, const double *a, const double *h, ald_geodesic *line)
{
    const int64_t p = line->p, k = line->k;
    memcpy(line->work, h, (size_t)(p * k) * sizeof *h);
    ALD_TRY(
        ald_svd(run, ald_at(line->work, p, k), ald_at(line->u, p, k), line->rate, ald_at(line->vt, k, k)));
    ald_geodesic_go(line, 0.0);
    return ald_product(run, ald_of(a, p, k), ald_t(ald_of(line->vt, k, k)), ald_at(line->x, p, k));
}

void ald_geodesic_go(ald_geodesic *line, double t)
{
    for (int64_t j = 0; j < line->k; j++) {
        line->cosine[j] = cos(line->rate[j] * t);
        line->sine[j] = sin(line->rate[j] * t);
    }
}

/* a <- its polar factor, which is a (3 I - a'a) / 2 when a'a is I to half the digits. */
static ald_status orthonormalise(ald_run *run, int64_t p, int64_t k, double *small, double *work, double *a)
{
    ALD_TRY(ald_product_add(run, -0.5, ald_t(ald_of(a, p, k)), ald_of(a, p, k), 0.0, ald_at(small, k, k)));
    ald_add_ridge(1.5, ald_at(small, k, k));
    memcpy(work, a, (size_t)(p * k) * sizeof *a);
    return ald_product(run, ald_of(work, p, k), ald_of(small, k, k), ald_at(a, p, k));
}

ald_status ald_geodesic_point(ald_run *run, ald_geodesic *line, double *a)
{
    const int64_t p = line->p, k = line->k;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < k; j++)
            line->work[i * k + j] = line->x[i * k + j] * line->cosine[j] + line->u[i * k + j] * line->sine[j];
    ALD_TRY(ald_product(run, ald_of(line->work, p, k), ald_of(line->vt, k, k), ald_at(a, p, k)));
    return orthonormalise(run, p, k, line->small, line->work, a);
}

ald_status ald_geodesic_tangent(ald_run *run, ald_geodesic *line, double *h)
{
    const int64_t p = line->p, k = line->k;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < k; j++)
            line->work[i * k + j] =
                line->rate[j] * (line->u[i * k + j] * line->cosine[j] - line->x[i * k + j] * line->sine[j]);
    return ald_product(run, ald_of(line->work, p, k), ald_of(line->vt, k, k), ald_at(h, p, k));
}

ald_status ald_geodesic_carry(ald_run *run, ald_geodesic *line, double *g)
{
    const int64_t p = line->p, k = line->k;
    ALD_TRY(ald_product(run, ald_t(ald_of(line->u, p, k)), ald_of(g, p, k), ald_at(line->small, k, k)));
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < k; j++)
            line->work[i * k + j] =
                line->x[i * k + j] * line->sine[j] + line->u[i * k + j] * (1.0 - line->cosine[j]);
    return ald_product_add(run, -1.0, ald_of(line->work, p, k), ald_of(line->small, k, k), 1.0,
                           ald_at(g, p, k));
}

ald_status ald_project_tangent(ald_run *run, int64_t p, int64_t k, const double *a, double *small, double *g)
{
    ALD_TRY(ald_product(run, ald_t(ald_of(a, p, k)), ald_of(g, p, k), ald_at(small, k, k)));
    return ald_product_add(run, -1.0, ald_of(a, p, k), ald_of(small, k, k), 1.0, ald_at(g, p, k));
}

ald_status ald_geodesic_form_new(ald_run *run, int64_t k, ald_geodesic_form *form)
{
    return ALD_SCRATCH(run, {&form->xx, k, k}, {&form->xu, k, k}, {&form->uu, k, k});
}

ald_status ald_geodesic_form_set(ald_run *run, const ald_geodesic *line, const double *mx, const double *mu,
                                 ald_geodesic_form *form)
{
    const int64_t p = line->p, k = line->k;
    const ald_view x = ald_of(line->x, p, k), u = ald_of(line->u, p, k);
    ALD_TRY(ald_product(run, ald_t(x), ald_of(mx, p, k), ald_at(form->xx, k, k)));
    ALD_TRY(ald_product(run, ald_t(x), ald_of(mu, p, k), ald_at(form->xu, k, k)));
    return ald_product(run, ald_t(u), ald_of(mu, p, k), ald_at(form->uu, k, k));
}

void ald_geodesic_form_at(const ald_geodesic *line, const ald_geodesic_form *form, double *value,
                          double *slope)
{
    const double *c = line->cosine, *s = line->sine, *rate = line->rate;
    const int64_t k = line->k;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            const double xx = form->xx[i * k + j], xu = form->xu[i * k + j], ux = form->xu[j * k + i],
                         uu = form->uu[i * k + j];
            /* Row i of X c + U s against column j, and of its derivative rate (U c - X s). */
            value[i * k + j] = c[i] * (xx * c[j] + xu * s[j]) + s[i] * (ux * c[j] + uu * s[j]);
            slope[i * k + j] = rate[i] * (c[i] * (ux * c[j] + uu * s[j]) - s[i] * (xx * c[j] + xu * s[j])) +
                               rate[j] * (c[j] * (xu * c[i] + uu * s[i]) - s[j] * (xx * c[i] + ux * s[i]));
        }
}
