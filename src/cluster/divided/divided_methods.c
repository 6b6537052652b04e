/* Which methods can be fitted to rows that are divided among ranks, and what each refuses then. */
#include "cluster/divided/divided_methods.h"

#include "base/settings/common_params.h"
#include "cluster/divided/kernel_rows.h"
#include "cluster/divided/remote_pairs.h"
#include "math/graph/graph_params.h"
#include "methods/engines/engine_params.h"
#include "methods/sdpp/sdpp_cost.h"

static ald_status refuse(ald_run *run, const char *what, const char *why)
{
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s does not support %s for rows that are streamed or divided among ranks, as %s: omit "
                    "it, or load all rows in one process",
                    ald_settings_method(run->settings)->name, what, why);
}

/* What needs more of the pairs and rows than sums over them. */
static ald_status check_pairs(ald_run *run, const ald_sdpp_settings *settings)
{
    const ald_graph_options graph = ald_graph_options_of(run, 0);
    const int reduced = settings->pca_dims > 0;
    if (graph.approximate) return refuse(run, "`neighbors=approximate`", "its index is of all rows");
    if (!settings->divergence->quartic)
        return refuse(run, "divergences other than `divergence=squared`",
                      "their search along a line goes over all pairs again and again");
    if (settings->early_stopping > 0.0)
        return refuse(run, "`early_stopping`", "it looks at single pairs after every step");
    if (settings->manifold > 0.0) return refuse(run, "`manifold`", "it has a graph of its own");
    if (settings->repulsion > 0.0) return refuse(run, "`repulsion`", "it is of rows and not of pairs");
    if (reduced && settings->ridge_rel > 0.0)
        return refuse(run, "`ridge_rel` beside `pca_dims`", "its unit is of all columns");
    if (reduced && settings->penalty != ALD_SDPP_NO_PENALTY)
        return refuse(run, "`penalty` beside `pca_dims`", "it is of all columns");
    return ALD_OK;
}

/* What needs a square of the columns. */
static ald_status check_wide(ald_run *run, const ald_sdpp_settings *settings)
{
    const char *const why = "there are more than 2000 columns";
    if (settings->pca_dims > 0) return refuse(run, "`pca_dims`", why);
    if (settings->solver != ALD_SDPP_AUTO && settings->solver != ALD_SDPP_CG)
        return refuse(run, "solvers other than `solver=cg`", why);
    if (ald_common_settings_of(run->settings).n_components == 0) return refuse(run, "`n_components=0`", why);
    return ALD_OK;
}

static ald_status check_sdpp(ald_run *run, int64_t columns)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    ALD_TRY(check_pairs(run, &settings));
    return columns > ALD_BASIS_ORDER ? check_wide(run, &settings) : ALD_OK;
}

/* Comparing all rows with each other is not for divided rows. */
static ald_status check_kernel(ald_run *run, int64_t columns)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    (void)columns;
    if (asked.kernel == ALD_KERNEL_PRECOMPUTED)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "`kernel=precomputed` is not available for rows that are streamed or divided among "
                        "ranks: load them in one process");
    if (!ald_kernel_is_approximate(&asked))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s compares all rows with each other, but they are streamed or divided among ranks: "
                        "set `landmarks=1000`, which compares them with that many only",
                        ald_settings_method(run->settings)->name);
    if (asked.landmarks > 0 && asked.choice == ALD_LEVERAGE)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`landmark_choice=leverage` is not available for rows that are streamed or divided among "
            "ranks: use uniform or kmeans");
    return ALD_OK;
}

static ald_status check_ksdpp(ald_run *run, int64_t columns)
{
    const ald_kernel_settings kernel = ald_kernel_settings_of(run);
    const int64_t features = kernel.features > 0 ? kernel.features : kernel.landmarks;
    ALD_TRY(check_kernel(run, columns));
    if (ald_sdpp_settings_of(run).response_rbf)
        return refuse(run, "`response_kernel=rbf`", "its width is of the targets of all rows");
    if (features > ALD_BASIS_ORDER)
        return refuse(run, "more than 2000 `landmarks` or `features`", "a square of them is formed");
    return check_sdpp(run, features);
}

extern const ald_method ald_method_sdpp, ald_method_ksdpp, ald_method_kcca, ald_method_kfda, ald_method_kpca,
    ald_method_kpls, ald_method_kplssb, ald_method_kspca;

static const struct divided {
    const ald_method *method;
    ald_status (*check)(ald_run *run, int64_t columns);
} methods[] = {
    {&ald_method_sdpp, check_sdpp},    {&ald_method_ksdpp, check_ksdpp},   {&ald_method_kcca, check_kernel},
    {&ald_method_kfda, check_kernel},  {&ald_method_kpca, check_kernel},   {&ald_method_kpls, check_kernel},
    {&ald_method_kspca, check_kernel}, {&ald_method_kplssb, check_kernel},
};

static const struct divided *find(const ald_run *run)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (methods[i].method == ald_settings_method(run->settings)) return &methods[i];
    return NULL;
}

int ald_method_divides(const ald_run *run)
{
    return find(run) != NULL;
}

ald_status ald_divided_check(ald_run *run, int64_t columns)
{
    return find(run)->check(run, columns);
}

const ald_service_fn ald_service_operations[ALD_OPERATIONS] = {
    [ALD_TAKE_ROWS] = ald_service_take_rows,     [ALD_SUM_FEATURES] = ald_service_sum_features,
    [ALD_SUM_SQUARES] = ald_service_sum_squares, [ALD_FIND_PAIRS] = ald_service_find_pairs,
    [ALD_MAP_ROWS] = ald_service_map_rows,       [ALD_DEVIATIONS] = ald_service_deviations,
    [ALD_SUM_PAIRS] = ald_service_sum_pairs,
};

ald_status ald_divided_fit(ald_run *run, const ald_divided *rows, const ald_problem *problem,
                           ald_status (*fit)(ald_run *run, const ald_problem *problem, ald_model *model),
                           ald_model *model)
{
    ald_service service = {.rows = rows, .target = problem->target, .graph = problem->graph};
    const ald_remote_rows remote_rows = ald_service_rows(&service);
    const ald_remote_pairs remote_pairs = ald_service_pairs(&service);
    ald_problem asking = *problem;
    asking.x.remote = &remote_rows;
    asking.remote = &remote_pairs;
    ALD_TRY(ald_all_agree(run, ALD_OK)); /* all can serve */
    ald_service_begin(run, &service);
    const ald_status status = ald_rank(run) == 0 ? fit(run, &asking, model) : ald_service_wait(run, &service);
    return ald_service_end(run, &service, status);
}
