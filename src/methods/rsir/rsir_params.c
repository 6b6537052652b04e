/* The parameters of rsir, and their values. */
#include "methods/rsir/rsir_matrices.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "math/graph/graph_params.h"

static const char *const graphs[] = {"knn", "full", "epsilon", NULL};

static const ald_param eta_param = ALD_REAL_PARAM(
    "eta", "1", 0, 1e9,
    "how much neighbours should stay together; unless set, 10 when labelled rows are fewer than columns",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_PENALTY);
static const ald_param graph_param =
    ALD_CHOICE_PARAM("graph", "knn", graphs, "which rows are neighbours: the nearest, all, or within radius");
static const ald_param n_neighbors_param =
    ALD_INT_PARAM("n_neighbors", "5", 1, 1e9, "knn: neighbours of a row", .grid = "5,10,20",
                  .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_NEIGHBORS);
static const ald_param heat_width_param = ALD_REAL_PARAM(
    "heat_width", "0", 0, ALD_NO_LIMIT,
    "knn, full: weights are exp(-d^2 / heat_width); 0: the mean d^2 of neighbours, the median of all "
    "pairs");
static const ald_param n_starts_param = ALD_INT_PARAM(
    "n_starts", "1", 1, 1000, "number of starts: the first from eigenvectors, the others at random");
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-07", 1e-15, "conjugate gradient: stop when the gradient is this small");
static const ald_param max_iter_param =
    ALD_MAX_ITER_PARAM("2000", "conjugate gradient: at most this many steps");

static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0", 0, "added to the diagonal of the covariance of the labelled rows");
static const ald_param ridge_rel_param = ALD_RIDGE_REL_PARAM(
    "0", "the same as a part of its largest eigenvalue; the two are added. Where both are 0 and the "
         "covariance is singular, 1e-4 is taken");

const ald_param *const ald_rsir_params[] = {
    &eta_param,
    &graph_param,
    &n_neighbors_param,
    &ald_radius_param,
    &heat_width_param,
    &n_starts_param,
    &tol_param,
    &max_iter_param,
    &ridge_param,
    &ridge_rel_param,
    NULL,
};

ald_rsir_settings ald_rsir_settings_of(const ald_run *run)
{
    return (ald_rsir_settings){
        .eta = ald_setting_real(run, &eta_param),
        .eta_given = ald_setting_given(run, &eta_param),
        .graph = (ald_rsir_graph)ald_setting_choice(run, &graph_param),
        .n_neighbors = ald_setting_int(run, &n_neighbors_param),
        .radius = ald_setting_real(run, &ald_radius_param),
        .heat_width = ald_setting_real(run, &heat_width_param),
        .n_starts = ald_setting_int(run, &n_starts_param),
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
        .ridge = ald_setting_real(run, &ridge_param),
        .ridge_rel = ald_setting_real(run, &ridge_rel_param),
        .seed = ald_seed(run),
    };
}
