/* Metric learning for kernel regression: a projection in which near rows have near responses.
 *
 *   least  f = mean over i of |y_i - sum_j p_ij y_j|^2
 *
 * the squared error of the kernel regression of each row on the others (distances/soft_neighbours.h has p
 * and the gradient), several responses summed: in their own units, so scale those that differ much. L-BFGS
 * from the leading eigenvectors of X'X over the deviation of the first score, or from a start that is
 * given, and from random orthonormal directions of the same length where n_starts asks for more; the lowest
 * end is taken. W is turned so that the covariance of the scores is diagonal, descending.
 *
 * Cost of an iteration: n^2 (4 r + 4 q + 30) + 4 n d r.
 *
 * Edge cases: poor minima are common where the response is even in x (y = x1^2): raise n_starts. W may grow
 * without bound where near rows determine the response: max_iter ends that.
 *
 * Reference: Weinberger and Tesauro (2007). */
#include "base/numbers/random.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "methods/distances/soft_neighbours.h"

#include <math.h>

static const ald_param n_starts_param = ALD_INT_PARAM(
    "n_starts", "1", 1, 1000, "number of starts: the first by pca or as given, the others at random");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("100", "at most this many iterations of L-BFGS");
static const ald_param tol_param = ALD_TOL_PARAM(
    "1e-07", 1e-15, "stop when the largest entry of the gradient is this part of that at the start");

static const ald_param *const params[] = {&n_starts_param, &max_iter_param, &tol_param, NULL};

/* w (k x r): random orthonormal columns times the length of those of pca. */
static ald_status random_start(ald_run *run, const ald_soft *s, int64_t number, double *w)
{
    ald_random random;
    ald_random_seed(&random, ald_seed(run), (uint64_t)number);
    for (int64_t i = 0; i < s->k * s->r; i++) w[i] = ald_random_normal(&random);
    ALD_TRY(ald_orthonormal(run, ald_at(w, s->k, s->r)));
    ald_scale(sqrt((double)s->n / s->space.values[0]), ald_at(w, s->k, s->r));
    return ALD_OK;
}

static ald_status mlkr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t turns = ald_setting_int(run, &n_starts_param);
    ald_soft s = {
        .problem = problem,
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
    };
    double *w;
    ALD_TRY(ald_soft_begin(run, turns, &s));
    ALD_TRY(ald_scratch_reals(run, s.k, s.r, &w));
    if (problem->start)
        ALD_TRY(ald_soft_given(run, &s, w));
    else
        ald_soft_pca(&s, w);
    ALD_TRY(ald_soft_descend(run, &s, w, 0, turns, problem->start ? "given" : "pca"));
    for (int64_t turn = 1; turn < turns; turn++) {
        ALD_TRY(random_start(run, &s, turn, w));
        ALD_TRY(ald_soft_descend(run, &s, w, turn, turns,
                                 problem->start ? "random, beside the given one" : "random"));
    }
    return ald_soft_add(run, &s, model);
}

const ald_method ald_method_mlkr = {
    .name = "mlkr",
    .title = "Metric learning for kernel regression",
    .synonyms = "kernel regression metric, metric learning for numbers",
    .summary = "Directions in which near rows have near responses.",
    .reference = "Weinberger and Tesauro (2007)",
    .capabilities = ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_SPARSE | ALD_CAN_MAP_NEW_ROWS | ALD_CAN_START |
                    ALD_IS_LINEAR,
    .relation = ALD_BY_OBJECTIVE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = mlkr_fit,
};
