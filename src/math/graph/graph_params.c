#include "math/graph/graph_params.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"

const char *const ald_graph_kinds[] = {"knn", "epsilon", "enclosing", "natural", NULL};
static const char *const searches[] = {"exact", "approximate", NULL};

enum { search_exact, search_approximate };

static const ald_param graph_param =
    ALD_CHOICE_PARAM("graph", "knn", ald_graph_kinds, "which rows are neighbours: see docs/graphs.md");
static const ald_param n_neighbors_param = ALD_INT_PARAM(
    "n_neighbors", "0", 0, 1e9,
    "knn: neighbours of a row; 0: 20 of 100 rows or more, else up to 10 (cmvu, mkdr: 5)", .grid = "5,10,20",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_NEIGHBORS | ALD_PARAM_ZERO_IS_AUTO);
const ald_param ald_radius_param = ALD_REAL_PARAM(
    "radius", "0", 0, ALD_NO_LIMIT, "epsilon: distance below which rows are neighbours; 0: (ln n / n)^(1/d)");
static const ald_param search_param =
    ALD_CHOICE_PARAM("neighbors", "exact", searches,
                     "knn: search all pairs, or an index that may miss some (its recall is reported)");

const ald_param *const ald_graph_params[] = {
    &graph_param, &n_neighbors_param, &ald_radius_param, &search_param, NULL,
};

ald_graph_options ald_graph_options_of(const ald_run *run, int64_t own_rule)
{
    const int64_t n_neighbors = ald_setting_int(run, &n_neighbors_param);
    return (ald_graph_options){
        .kind = (ald_graph_kind)ald_setting_choice(run, &graph_param),
        .n_neighbors = n_neighbors > 0 ? n_neighbors : own_rule,
        .radius = ald_setting_real(run, &ald_radius_param),
        .approximate = ald_setting_choice(run, &search_param) == search_approximate,
        .seed = ald_seed(run),
    };
}
