/* What the ranks do for sdpp (divided/service.h); rank 0 asks for it in sdpp_far.c. */
#ifndef ALD_SDPP_SDPP_OPERATIONS_H
#define ALD_SDPP_SDPP_OPERATIONS_H

#include "base/numbers/random.h"
#include "cluster/divided/service.h"

extern const ald_service_table ald_sdpp_others, ald_ksdpp_others;

/* Numbers of the operations, what is given with each, and the result. */
typedef enum ald_sdpp_operation {
    ALD_SDPP_FIND,         /* ald_sdpp_near: finds the pairs and fetches the partners; ald_sdpp_found */
    ALD_SDPP_SCATTER,      /* sum w (z_i - z_j)(z_i - z_j)' over the pairs, d x d */
    ALD_SDPP_NORMAL,       /* Z'Z over all rows, d x d */
    ALD_SDPP_ADD_UP,       /* ald_sdpp_coordinates and M: A, b and c; an ald_quadratic that lasts */
    ALD_SDPP_DRAW,         /* ald_random: F'u; an ald_sdpp_drawn */
    ALD_SDPP_BEGIN_POINTS, /* ald_sdpp_coordinates and M: J(0) of pairs that are not added up */
    /* sdpp_points.h */
    ALD_SDPP_PLACE,
    ALD_SDPP_GRADIENT,
    ALD_SDPP_LINE,
    ALD_SDPP_MOVE,
    ALD_SDPP_MATRIX,
    ALD_SDPP_WITHIN,
    /* sdpp_wide.h */
    ALD_SDPP_SPREAD,
    ALD_SDPP_BEGIN_WIDE,
    ALD_SDPP_TIMES,
    ALD_SDPP_MAP, /* ald_feature_map (divided/kernel_others.h): features of rank 0's rows, an ald_operator */
    ALD_SDPP_OPERATIONS,
} ald_sdpp_operation;

typedef struct ald_sdpp_found {
    int64_t count, isolated; /* pairs; rows without a neighbour of their own */
    const char *how;         /* of a graph that rank 0 has found; NULL: another */
    double total, wanted;    /* sums of w and of w delta^2 */
} ald_sdpp_found;

typedef struct ald_sdpp_coordinates {
    int64_t p;
    double scale; /* what sums are multiplied by */
} ald_sdpp_coordinates;

typedef struct ald_sdpp_drawn {
    ald_random *random;
    double *v; /* p */
} ald_sdpp_drawn;

#endif
