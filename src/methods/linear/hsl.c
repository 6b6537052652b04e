/* Hypergraph spectral learning, for several labels per row: the pencil of engines/pencil.h.
 *
 * Labels are hyperedges over the rows. With Y (n x k, 0/1), size_e the number (weight) of rows of label e
 * and De = diag(size_e), the normalised hypergraph similarity S = H H', the diagonal of Y Y' kept, has
 *
 *   clique   H = Dc^(-1/2) Y               dc(u) = sum_e Y(u,e) (size_e - 1)
 *   star     H = Ds^(-1/2) Y De^(-1)       ds(u) = sum_e Y(u,e) / size_e
 *   zhou     H = Dv^(-1/2) Y De^(-1/2)     dv(u) = sum_e Y(u,e)
 *
 * Cost: pencil.h with k = the number of labels.
 *
 * Edge cases: a row of degree 0 (no label, or only one that no other row has) is a zero row of H. With
 * weights size_e sums them and rows of H are times their roots, so a row of weight w is w rows; the 1 of
 * size_e - 1 is one row of weight 1, and a label that weighs no more than that joins no rows.
 *
 * Reference: Sun, Ji and Ye (2008). */
#include "base/settings/settings.h"
#include "math/operator/all_rows.h"
#include "methods/engines/pencil.h"

#include <math.h>

static const char *const expansions[] = {"clique", "star", "zhou", NULL};
typedef enum expansion { expansion_clique, expansion_star, expansion_zhou } expansion;

static const ald_param expansion_param = ALD_CHOICE_PARAM(
    "expansion", "clique", expansions, "how the hypergraph of labels becomes a graph of rows");

static const ald_param *const params[] = {
    &expansion_param,
    NULL,
};

/* What an edge of this size adds to the degree of its rows, and the factor of its column of H. */
static void edge_shares(expansion how, double size, double *degree, double *factor)
{
    const double degrees[] = {
        [expansion_clique] = fmax(size - 1.0, 0.0),
        [expansion_star] = 1.0 / size,
        [expansion_zhou] = 1.0,
    };
    const double factors[] = {
        [expansion_clique] = 1.0,
        [expansion_star] = 1.0 / size,
        [expansion_zhou] = 1.0 / sqrt(size),
    };
    *degree = degrees[how];
    *factor = factors[how];
}

/* Weights of less than 1, which are no numbers of rows, can leave every label without a pair. */
static ald_status check_degrees(ald_run *run, const ald_problem *problem, int64_t k, const double *degree)
{
    double largest = 0.0;
    for (int64_t e = 0; e < k; e++) largest = fmax(largest, degree[e]);
    if (!problem->weights || largest > 0.0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "no label weighs more than 1, so with `expansion=clique` it joins no two rows: a row of weight w "
        "counts as w rows; multiply the weights, or use `expansion=star`");
}

static ald_status hsl_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const double *w = problem->weights;
    const expansion how = (expansion)ald_setting_choice(run, &expansion_param);
    ald_pencil pencil = {.ridge_unit = 1.0, .unit = 1.0, .limit = "the rank of the labels, or of the data"};
    double *size, *degree, *factor;
    ALD_TRY(ald_target_numbers(run, problem->target, &pencil.h, &pencil.k));
    const int64_t k = pencil.k;
    ALD_TRY(ald_scratch_zeros(run, k, 1, &size));
    ALD_TRY(ald_scratch_zeros(run, k, 1, &degree));
    ALD_TRY(ald_scratch_zeros(run, k, 1, &factor));
    for (int64_t i = 0; i < problem->n; i++)
        for (int64_t e = 0; e < k; e++) size[e] += (w ? w[i] : 1.0) * pencil.h[i * k + e];
    ALD_TRY(ald_rows_sum(run, &problem->x, size, k));
    for (int64_t e = 0; e < k; e++)
        if (size[e] > 0.0) edge_shares(how, size[e], &degree[e], &factor[e]);
    ALD_TRY(check_degrees(run, problem, k, degree));
    for (int64_t i = 0; i < problem->n; i++) {
        double *row = pencil.h + i * k;
        double sum = 0.0;
        for (int64_t e = 0; e < k; e++) sum += row[e] * degree[e];
        const double weight = w ? w[i] : 1.0, share = sum > 0.0 ? sqrt(weight) / sqrt(sum) : 0.0;
        for (int64_t e = 0; e < k; e++) row[e] *= share * factor[e];
    }
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_hsl = {
    .name = "hsl",
    .title = "Hypergraph spectral learning",
    .synonyms = "hypergraph, multi-label dimension reduction",
    .summary = "Directions in which rows that share labels lie close, by the hypergraph of the labels.",
    .reference = "Sun, Ji and Ye (2008); Sun, Ceran and Ye (2010) for the two-stage solver",
    ALD_PENCIL_METHOD(ALD_CAN_LABELS),
    .tables = (const ald_param_table[]){params, ald_pencil_params, NULL},
    .fit = hsl_fit,
};
