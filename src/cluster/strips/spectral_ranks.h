/* The leading eigenpairs of c Z'Z + B B' (engines/spectral.h) under mpirun, for more columns than a square is
 * formed of on one rank: by the shortest of the ways of strips/route.h. */
#ifndef ALD_STRIPS_SPECTRAL_RANKS_H
#define ALD_STRIPS_SPECTRAL_RANKS_H

#include "base/core/model.h"
#include "cluster/strips/route.h"
#include "math/solvers/lanczos.h"

typedef struct ald_spectral_ranks {
    const ald_operator *z; /* its rows come from a source */
    int identity;          /* c, 0 or 1 */
    const double *b;       /* d x m */
    int64_t m;
    int is_asked; /* for the route `asked`, whatever it costs */
    ald_route asked;
} ald_spectral_ranks;

/* Does the task, whose products are those of the matrix; by all ranks together. Tells *solver and the model
 * (NULL: not told) which way it was, and why. */
ald_status ald_spectral_on_ranks(ald_run *run, const ald_spectral_ranks *with, ald_lanczos *task,
                                 const char **solver, ald_model *model);

#endif
