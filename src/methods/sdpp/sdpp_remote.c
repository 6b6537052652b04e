/* Where rows and pairs are here this is done by optimize/basis.h and optimize/stress.h, and otherwise by
 * the table of the problem. */
#include "methods/sdpp/sdpp_remote.h"

#include "math/linalg/linalg.h"
#include "methods/sdpp/sdpp_cost.h"

#include <math.h>
#include <string.h>

static ald_status remote_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    const ald_remote_pairs *remote = s->problem->remote;
    const int64_t d = z->x.cols, asked = s->settings.pca_dims, dims = asked < d ? asked : 0;
    double *scatter, *normal = NULL, *deviation;
    if (d > ALD_BASIS_ORDER) {
        ALD_TRY(ald_scratch_reals(run, d, 1, &deviation));
        ALD_TRY(remote->deviations(run, remote->self, d, deviation));
        ALD_TRY(ald_basis_of_deviations(run, z, deviation, &s->basis));
    } else {
        ALD_TRY(ald_scratch_reals(run, d, d, &scatter));
        ALD_TRY(remote->scatter(run, remote->self, d, scatter));
        for (int64_t i = 0; i < d * d; i++) scatter[i] /= s->pairs->pairs.total;
        if (dims > 0) ALD_TRY(ald_scratch_reals(run, d, d, &normal));
        if (dims > 0) ALD_TRY(remote->normal(run, remote->self, d, normal));
        ALD_TRY(ald_basis_of_scatter(run, z, scatter, normal, dims, &s->basis));
    }
    s->basis.n = 0; /* its rows are elsewhere */
    return ALD_OK;
}

/* Early stopping keeps directions of small variance out for as long as the conjugate gradient has not come to
 * them, which it does last in the columns of X but not in whitened coordinates. */
ald_status ald_sdpp_make_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s)
{
    const int64_t dims = s->settings.pca_dims;
    if (s->problem->remote) return remote_basis(run, z, s);
    if (s->settings.early_stopping == 0.0)
        return ald_basis_of_pairs(run, z, &s->pairs->pairs, dims, &s->basis);
    ALD_TRY(ald_basis_plain(run, z, dims, &s->basis));
    return ald_basis_in_unit(run, &s->basis);
}

ald_status ald_sdpp_make_sums(ald_run *run, ald_sdpp_solving *s)
{
    const ald_remote_pairs *remote = s->problem->remote;
    ald_quadratic *sums;
    ald_remote_stress *stress;
    if (!remote) return ALD_OK;
    s->stress.wanted = s->pairs->wanted;
    if (ald_svec_size(s->basis.p) <= ALD_QUADRATIC_UNKNOWNS) {
        ALD_TRY(ald_scratch(run, 1, 1, sizeof *sums, &sums));
        ALD_TRY(remote->add_up(run, remote->self, &s->basis, s->stress.scale, sums));
        s->stress.sums = sums;
        return ALD_OK;
    }
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *stress, &stress));
    ALD_TRY(remote->begin(run, remote->self, &s->basis, s->stress.scale, stress));
    s->stress.remote = stress;
    return ALD_OK;
}

/* u (rows) += random multiples of the differences of pairs. */
static void draw(const ald_pairs *pairs, ald_random *random, double *u)
{
    const int64_t every = ald_sdpp_drawn_every(pairs->count);
    int64_t number = 0;
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            if (number++ % every) continue;
            const double g = sqrt(pairs->weights[e]) * ald_random_normal(random);
            u[i] += g;
            u[pairs->partners[e]] -= g;
        }
}

ald_status ald_sdpp_draw(ald_run *run, const ald_sdpp_solving *s, ald_random *random, double *v)
{
    const ald_remote_pairs *remote = s->problem->remote;
    double *u;
    if (remote) return remote->draw(run, remote->self, random, s->basis.p, v);
    ALD_TRY(ald_scratch_zeros(run, s->basis.n, 1, &u));
    draw(&s->pairs->pairs, random, u);
    return ald_basis_apply_transposed(run, &s->basis, u, 1, v);
}

ald_status ald_sdpp_scatter_times(ald_run *run, const ald_sdpp_solving *s, double *w)
{
    const ald_remote_pairs *remote = s->problem->remote;
    const int64_t p = s->basis.p, r = s->r;
    if (!remote) return ald_basis_scatter_times(run, &s->basis, s->stress.pairs, r, w);
    ALD_TRY(remote->laplacian(run, remote->self, p, r, w));
    for (int64_t i = 0; i < p * r; i++) w[i] /= s->pairs->pairs.total;
    return ALD_OK;
}

/* M^-1 b M^-1 v; columns that do not vary have no part in it. */
static ald_status plain_times(ald_run *run, void *self, const double *v, int64_t p, int64_t k, double *z)
{
    const ald_stress *inside = self;
    const int64_t count = p * k;
    const double *diagonal = inside->basis->diagonal;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *scaled;
    ALD_TRY(ald_scratch_reals(run, count, 1, &scaled));
    for (int64_t i = 0; i < count; i++) scaled[i] = diagonal[i / k] > 0.0 ? v[i] / diagonal[i / k] : 0.0;
    ALD_TRY(inside->remote->times(run, inside->remote->self, scaled, p, k, z));
    for (int64_t i = 0; i < count; i++) z[i] = diagonal[i / k] > 0.0 ? z[i] / diagonal[i / k] : 0.0;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* b of the sums in the columns of Z (d), which is all of them that is made. tau = M'(z_i - z_j), and with the
 * columns of M orthogonal z_i - z_j = N tau, N = M (M'M)^-1. */
static ald_status plain_sums(ald_run *run, const ald_stress *stress, ald_quadratic *plain)
{
    const ald_basis *basis = stress->basis;
    const int64_t d = basis->d, p = basis->p;
    double *n, *z, *nz, *b;
    *plain = (ald_quadratic){.p = d, .s = ald_svec_size(d)};
    ALD_TRY(ALD_SCRATCH(run, {&plain->b, plain->s, 1}, {&n, d, p}, {&z, p, p}, {&nz, d, p}, {&b, d, d}));
    for (int64_t i = 0; i < d * p; i++) n[i] = basis->matrix[i] / basis->lengths[i % p];
    ALD_TRY(ald_remote_matrix(run, stress, NULL, 0, z));
    ALD_TRY(ald_product(run, ald_of(n, d, p), ald_of(z, p, p), ald_at(nz, d, p)));
    ALD_TRY(ald_product(run, ald_of(nz, d, p), ald_t(ald_of(n, d, p)), ald_at(b, d, d)));
    ald_svec(d, b, plain->b);
    return ALD_OK;
}

ald_status ald_sdpp_make_plain(ald_run *run, const ald_operator *z, const ald_stress *inside,
                               ald_sdpp_plain *plain)
{
    plain->inside = plain->stress = *inside;
    ALD_TRY(ald_basis_plain(run, z, 0, &plain->basis));
    plain->stress.basis = &plain->basis;
    plain->stress.remote = NULL;
    if (inside->remote && !inside->basis->whitened) {
        plain->remote = (ald_remote_stress){.self = &plain->inside, .times = plain_times};
        plain->stress.remote = &plain->remote;
    } else if (ald_stress_is_remote(inside)) {
        ALD_TRY(plain_sums(run, inside, &plain->sums));
        plain->stress.sums = &plain->sums;
    }
    return ALD_OK;
}

ald_status ald_sdpp_map(ald_run *run, const ald_problem *problem, const ald_feature_map *map,
                        const ald_operator *z, ald_operator *f)
{
    const ald_remote_pairs *remote = problem->remote;
    if (remote) return remote->map(run, remote->self, map, f);
    return ald_feature_map_rows(run, map, z, f);
}
