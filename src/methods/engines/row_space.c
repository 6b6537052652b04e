/* Coordinates of rows by the eigenvectors of the smaller of Z'Z and Z Z' (row_space.h has the formulas). An
 * eigenvalue counts as 0 up to max(n, d) eps of the largest, and up to the rounding of the means. */
#include "methods/engines/row_space.h"

#include "base/settings/limits.h"
#include "math/linalg/linalg.h"

#include <float.h>
#include <math.h>

static ald_status check_order(ald_run *run, int64_t n, int64_t d, int64_t order)
{
    if (order <= ALD_LARGEST_ORDER) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED, "%s needs a matrix of order %lld here and supports at most %d: %s",
        run->settings ? ald_method_name(ald_settings_method(run->settings)) : "the method", (long long)order,
        ALD_LARGEST_ORDER,
        d <= ALD_LARGEST_ORDER || n <= ALD_LARGEST_ORDER ? "use `solver=auto`"
                                                         : "reduce X first, or use lda, which is iterative");
}

ald_status ald_row_space_find(ald_run *run, const ald_problem *problem, const ald_operator *z, int dual,
                              double *square, ald_row_space *space)
{
    const int64_t n = problem->n, d = problem->d, order = dual ? n : d;
    *space = (ald_row_space){.z = z, .n = n, .d = d, .dual = dual};
    ALD_TRY(check_order(run, n, d, order));
    ALD_TRY(ALD_SCRATCH(run, {&space->values, order, 1}, {&space->vectors, order, order}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (!square) {
        ALD_TRY(ald_scratch_reals(run, order, order, &square));
        ALD_TRY(dual ? ald_operator_gram(run, z, ald_at(square, n, n))
                     : ald_operator_scatter(run, z, ald_at(square, d, d)));
    }
    ALD_TRY(
        ald_eigen(run, ald_at(square, order, order), space->values, ald_at(space->vectors, order, order)));
    ald_arena_release(&run->scratch, mark);
    const double relative = fmax(problem->total, (double)d) * DBL_EPSILON * space->values[0];
    const double floor = fmax(relative, ald_rounding_of_means(z));
    while (space->k < order && space->values[space->k] > floor) space->k++;
    if (space->k == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "all columns are constant: there is no direction to find");
    if (problem->r > space->k) return ald_too_many_components(run, problem, space->k, "the rank of the data");
    return ALD_OK;
}

ald_status ald_row_space_rows(ald_run *run, const ald_row_space *space, double *rows)
{
    const int64_t n = space->n, d = space->d, k = space->k;
    double *v;
    if (space->dual) {
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < k; j++)
                rows[i * k + j] = space->vectors[j * n + i] * sqrt(space->values[j]);
        return ALD_OK;
    }
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, d, k, &v));
    ald_transpose(k, d, space->vectors, v);
    ALD_TRY(ald_operator_apply(run, space->z, ald_of(v, d, k), ald_at(rows, n, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_row_space_turn(ald_run *run, const ald_row_space *space, double total, int64_t r, double *w,
                              double *values)
{
    const int64_t k = space->k;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *scaled, *covariance, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&scaled, k, r}, {&covariance, r, r}, {&vectors, r, r}));
    for (int64_t i = 0; i < k * r; i++) scaled[i] = w[i] * space->values[i / r] / total;
    ALD_TRY(ald_product(run, ald_t(ald_of(w, k, r)), ald_of(scaled, k, r), ald_at(covariance, r, r)));
    ald_symmetrise(ald_at(covariance, r, r));
    ALD_TRY(ald_eigen(run, ald_at(covariance, r, r), values, ald_at(vectors, r, r)));
    ALD_TRY(ald_multiply(run, ald_at(w, k, r), ald_t(ald_of(vectors, r, r))));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* By the dual: Z'(U lambda^(-1/2) coordinates). */
static ald_status back_by_rows(ald_run *run, const ald_row_space *space, int64_t r, const double *coordinates,
                               double *components)
{
    const int64_t n = space->n, d = space->d, k = space->k;
    double *scaled, *left, *columns;
    ALD_TRY(ALD_SCRATCH(run, {&scaled, k, r}, {&left, n, r}, {&columns, d, r}));
    for (int64_t i = 0; i < k * r; i++) scaled[i] = coordinates[i] / sqrt(space->values[i / r]);
    ALD_TRY(ald_product(run, ald_t(ald_of(space->vectors, k, n)), ald_of(scaled, k, r), ald_at(left, n, r)));
    ALD_TRY(ald_operator_apply_transposed(run, space->z, ald_of(left, n, r), ald_at(columns, d, r)));
    ald_transpose(d, r, columns, components);
    return ALD_OK;
}

ald_status ald_row_space_back(ald_run *run, const ald_row_space *space, int64_t r, const double *coordinates,
                              double *components)
{
    const int64_t d = space->d, k = space->k;
    if (!space->dual)
        return ald_product(run, ald_t(ald_of(coordinates, k, r)), ald_of(space->vectors, k, d),
                           ald_at(components, r, d));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(back_by_rows(run, space, r, coordinates, components));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
