/* Kernel dimension reduction.
 *
 * Directions B (d x r) such that the target depends on x through B'x only, as far as kernels can tell:
 *
 *   minimise f(B) = Tr[Ky^c (Kz^c + n eps I)^-1]   over B'B = I,   K^c = H K H
 *
 * with Kz an rbf kernel on z = B'x, Ky one on the target (rbf for numbers and labels, 1 for equal classes).
 * f estimates what of the target's features is left when z is known; no model of how they depend is
 * assumed, and none of how x is distributed. Gradient, exact and low rank: kdr_objective.h. Descent:
 * kdr_search.c. The rows: kdr_data.h.
 *
 * Widths, where they are 0, with p the rank of the data (the first is the typical distance of z):
 *
 *   0.5 median |x_i - x_j| sqrt(r / p)
 *   0.5 median |y_i - y_j|
 *
 * f has local minima, hence the annealing and the starts; the lowest f at the final width wins. f(B Q) =
 * f(B): the result is turned so that the covariance of z is diagonal, descending (`eigenvalues`).
 *
 * Cost of a start and stage, with two to three values and one gradient:
 *
 *   exact      about n^3 + n^2 (5 m + r),   memory n^2 per thread
 *   low rank   about n l (8 l + 7 m),       memory n (2 l + m) per thread, l and m <= `rank`
 *
 * Above 1000 rows the low rank form with rank 100 is used where `rank` is not given: there it is as good
 * and ten times as fast.
 *
 * Edge cases: no more directions than the rank of the data. Targets or rows that are all equal are refused,
 * and so are more than 5000 rows with `rank=0`.
 *
 * Reference: Fukumizu, Bach and Jordan (2009). */
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "methods/kdr/kdr_objective.h"

#include <math.h>

static const ald_param ridge_param = ALD_RIDGE_PARAM(
    "0.001", 1e-12, "eps: n times this is added to the diagonal of the kernel of the projection");
static const ald_param n_starts_param = ALD_INT_PARAM(
    "n_starts", "6", 1, 10000, "number of random starts; the one with the lowest criterion is kept");
static const ald_param n_stages_param =
    ALD_INT_PARAM("n_stages", "50", 1, 100000,
                  "number of steps; the kernels become narrower with each, from twice the final width");
static const ald_param rank_param = ALD_INT_PARAM(
    "rank", "0", 0, 1e6,
    "at most this many columns of the kernels' factors; 0: whole matrices, n x n. Not given: 0 up to "
    "1000 rows, 100 above",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_ZERO_IS_AUTO | ALD_PARAM_CHOSEN_UNLESS_GIVEN);

static const ald_param *const params[] = {
    &ridge_param, &n_starts_param, &n_stages_param, &rank_param, NULL,
};

enum { most_whole = 1000, usual_rank = 100 };

static int64_t choose_rank(const ald_run *run, int64_t n)
{
    if (n <= most_whole || ald_setting_given(run, &rank_param)) return ald_setting_int(run, &rank_param);
    ald_log(run, ALD_LOG_INFO,
            "kdr uses kernels of rank %d, because there are more than %d rows: `rank=0` uses the full ones, "
            "in time n^3",
            usual_rank, most_whole);
    return usual_rank;
}

static ald_status check_size(ald_run *run, int64_t rank, int64_t n)
{
    if (n <= ALD_SQUARE_ORDER || rank > 0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "kdr with full kernel matrices handles up to %d rows; %lld rows would take %.1f GB per thread and "
        "n^3 operations per step. Set `rank=100`, which needs memory and time proportional to n",
        ALD_SQUARE_ORDER, (long long)n, (double)n * (double)n * 8e-9);
}

static ald_status kdr_describe(ald_run *run, const ald_kdr_search *search, ald_model *model)
{
    ALD_TRY(
        ald_model_set_text(run, model, "alidade.resolved.solver", search->rank > 0 ? "low-rank" : "exact"));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", search->value));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.gradient", search->slope));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)search->n_stages));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.evaluations", "%lld",
                                  (long long)search->evaluations));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.best_start", "%lld",
                                  (long long)search->best + 1));
    ALD_TRY(ald_model_add_vector(run, model, "objectives", search->n_starts, search->values));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.response_rank", "%lld",
                                  (long long)search->response_rank));
    if (search->rank == 0) return ALD_OK;
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.kernel_rank", "%lld",
                                  (long long)search->kernel_rank));
    return ald_model_set_real(run, model, "alidade.resolved.kernel_left", search->kernel_left);
}

/* More than a hundredth of a kernel missing may hide what it should show. */
static void warn(ald_run *run, const ald_kdr_search *search)
{
    const double left = fmax(search->kernel_left, search->response_left);
    if (left > 0.01)
        ald_warn(run, ALD_RANK_REDUCED,
                 "`rank=%lld` leaves out %.1f %% of the %s kernel: raise `rank` or the widths",
                 (long long)search->rank, 100.0 * left,
                 search->kernel_left > search->response_left ? "projection's" : "target's");
}

static ald_status kdr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_kdr_settings settings = ald_kdr_settings_of(run);
    const int64_t r = problem->r;
    ald_kdr_rows rows;
    ald_kdr_target target;
    double *turned, *values;
    ald_kdr_search search = {
        .rows = &rows,
        .target = &target,
        .r = r,
        .n_starts = ald_setting_int(run, &n_starts_param),
        .n_stages = ald_setting_int(run, &n_stages_param),
        .rank = choose_rank(run, problem->n),
        .eps = ald_setting_real(run, &ridge_param),
        .seed = settings.seed,
    };
    ALD_TRY(check_size(run, search.rank, problem->n));
    ald_kdr_search_announce(run, &search, problem->n, problem->d);
    ALD_TRY(ald_kdr_rows_make(run, problem, &settings, model, &rows));
    ALD_TRY(ald_kdr_target_make(run, problem, &settings, 0.5, model, &target));
    ALD_TRY(ald_kdr_rows_width(run, &rows, &settings, 0.5 * sqrt((double)r / (double)rows.p), model,
                               &search.width));
    ALD_TRY(ald_kdr_search_run(run, &search));
    warn(run, &search);
    ALD_TRY(kdr_describe(run, &search, model));
    ALD_TRY(ALD_SCRATCH(run, {&turned, r, rows.p}, {&values, r, 1}));
    ALD_TRY(ald_kdr_rows_turn(run, &rows, r, search.b, turned, values));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", r, values));
    return ald_kdr_rows_add(run, problem, &rows, turned, model);
}

const ald_method ald_method_kdr = {
    .name = "kdr",
    .title = "Kernel dimension reduction",
    .synonyms = "sufficient dimension reduction, kernel sdr",
    .summary = "Directions that hold all that X says about the target, whatever the form of the dependence.",
    .reference = "Fukumizu, Bach and Jordan (2009)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
    .relation = ALD_BY_OBJECTIVE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .ignores_units = ald_kdr_ignores_units,
    .tables = (const ald_param_table[]){params, ald_kdr_params, NULL},
    .fit = kdr_fit,
};
