/* What sdpp asks of its rows and pairs, wherever they are. They are here, or they are remote: a table of
 * functions answers then, and what is summed over pairs comes from there. Up to 62 coordinates remote
 * pairs are added up (optimize/quadratic.h), beyond that values and gradients are summed at each point. */
#ifndef ALD_SDPP_SDPP_REMOTE_H
#define ALD_SDPP_SDPP_REMOTE_H

#include "base/numbers/random.h"
#include "math/kernel/features.h"
#include "math/optimize/quadratic.h"
#include "methods/sdpp/sdpp_starts.h"

/* Which rows are neighbours: the nearest so many, those within a radius, those of a kind of graph that is
 * found of all rows at once, or (all of them 0) those of the given graph. */
typedef struct ald_sdpp_wanted {
    int64_t neighbours;
    double radius;
    int64_t kind; /* an ald_graph_kind */
} ald_sdpp_wanted;

typedef struct ald_sdpp_found {
    int64_t count, isolated; /* pairs; rows without a neighbour of their own */
    const char *how;         /* of a graph that was found of all rows at once; NULL: another */
    double total, wanted;    /* sums of w and of w delta^2 */
} ald_sdpp_found;

typedef struct ald_remote_pairs {
    void *self;
    ald_status (*find)(ald_run *run, void *self, const ald_sdpp_wanted *wanted, ald_sdpp_found *found);
    /* Features take the place of the rows, once the pairs are found; `here` receives those of the rows of
     * X. */
    ald_status (*map)(ald_run *run, void *self, const ald_feature_map *map, ald_operator *here);
    /* For d columns: sum w (z_i - z_j)(z_i - z_j)' and Z'Z (d x d), and the deviations (d). */
    ald_status (*scatter)(ald_run *run, void *self, int64_t d, double *c);
    ald_status (*normal)(ald_run *run, void *self, int64_t d, double *c);
    ald_status (*deviations)(ald_run *run, void *self, int64_t d, double *deviation);
    /* Coordinates, by M of the basis or its diagonal, and c of the stress; pairs are added up, or begun. */
    ald_status (*add_up)(ald_run *run, void *self, const ald_basis *basis, double scale, ald_quadratic *sums);
    ald_status (*begin)(ald_run *run, void *self, const ald_basis *basis, double scale,
                        ald_remote_stress *stress);
    /* v (p) = F'u, u random multiples of the differences of pairs; `random` is left as if they were here. */
    ald_status (*draw)(ald_run *run, void *self, ald_random *random, int64_t p, double *v);
    /* w (p x k) <- F'L F w. */
    ald_status (*laplacian)(ald_run *run, void *self, int64_t p, int64_t k, double *w);
} ald_remote_pairs;

/* The coordinates, s->basis. */
ald_status ald_sdpp_make_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s);
/* What the stress has of remote pairs. */
ald_status ald_sdpp_make_sums(ald_run *run, ald_sdpp_solving *s);
/* v (p): a random combination of the differences of pairs. */
ald_status ald_sdpp_draw(ald_run *run, const ald_sdpp_solving *s, ald_random *random, double *v);
/* w (p x r) <- C w, as ald_basis_scatter_times. */
ald_status ald_sdpp_scatter_times(ald_run *run, const ald_sdpp_solving *s, double *w);
/* The stress `inside`, in the coordinates of its basis, in the columns of z: its sizes alone are asked
 * for. */
typedef struct ald_sdpp_plain {
    ald_basis basis;
    ald_quadratic sums;
    ald_remote_stress remote;
    ald_stress inside, stress;
} ald_sdpp_plain;
ald_status ald_sdpp_make_plain(ald_run *run, const ald_operator *z, const ald_stress *inside,
                               ald_sdpp_plain *plain);

/* Features of the rows of z, which ald_kernel_rows made, in place of the rows: an operator in scratch. */
ald_status ald_sdpp_map(ald_run *run, const ald_problem *problem, const ald_feature_map *map,
                        const ald_operator *z, ald_operator *f);

#endif
