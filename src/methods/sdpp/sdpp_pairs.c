/* delta^2 of a pair: |y_i - y_j|^2 of real responses and labels; classes 0 if equal, else 1; or given
 * distances, squared. Where given distances are a sparse list only its pairs are kept. With
 * response_kernel=rbf, for methods that have it, the distance in the feature space of that kernel: K_ii +
 * K_jj - 2 K_ij. */
#include "methods/sdpp/sdpp_pairs.h"

#include "math/graph/build.h"
#include "math/graph/graph_params.h"
#include "math/operator/entry.h"
#include "methods/engines/response_kernel.h"
#include "methods/sdpp/sdpp_remote.h"

#include <math.h>
#include <string.h>

static const double smallest_square = 1e-45, largest_square = 1e45;

static int is_labelled(const ald_target *y, int64_t i)
{
    return !y->labelled || y->labelled[i];
}

/* Rows with a target; NULL in `which` when all have one. */
static ald_status labelled_rows(ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                                ald_rows *rows)
{
    const ald_target *y = problem->target;
    int64_t *which;
    int64_t count = 0;
    for (int64_t i = 0; i < problem->n; i++) count += is_labelled(y, i);
    if (count == problem->n) return ALD_OK;
    if (settings->manifold == 0.0)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "%lld of %lld rows %s no target: set `manifold` above 0 to use them, or leave them out "
            "(`unlabelled_rows=drop`)",
            (long long)(problem->n - count), (long long)problem->n, problem->n - count == 1 ? "has" : "have");
    if (count < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "%lld row%s a target: two or more are needed",
                        (long long)count, count == 1 ? " has" : "s have");
    ALD_TRY(ald_scratch(run, count, 1, sizeof *which, &which));
    for (int64_t i = 0, k = 0; i < problem->n; i++)
        if (is_labelled(y, i)) which[k++] = i;
    rows->which = which;
    rows->count = count;
    return ALD_OK;
}

/* The graph of some rows as one of all: the others have no neighbours. */
static ald_status number_all(ald_run *run, const ald_rows *rows, int64_t n, ald_graph *graph)
{
    int64_t *pointers;
    int64_t k = 0;
    if (!rows->which) return ALD_OK;
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *pointers, &pointers));
    for (int64_t e = 0; e < graph->pointers[graph->n]; e++)
        graph->neighbours[e] = rows->which[graph->neighbours[e]];
    for (int64_t i = 0; i <= n; i++) {
        pointers[i] = graph->pointers[k];
        if (k < rows->count && rows->which[k] == i) k++;
    }
    graph->pointers = pointers;
    graph->n = n;
    return ALD_OK;
}

static ald_status describe_graph(ald_run *run, const ald_graph *graph, int64_t neighbours, ald_model *model)
{
    if (graph->how) ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.graph", graph->how));
    if (neighbours > 0)
        ALD_TRY(
            ald_model_set_printed(run, model, "alidade.resolved.n_neighbors", "%lld", (long long)neighbours));
    if (graph->radius > 0.0)
        ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.radius", graph->radius));
    if (graph->recall < 1.0)
        ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.recall", graph->recall));
    if (graph->isolated > 0)
        ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.isolated_rows", "%lld",
                                      (long long)graph->isolated));
    return ALD_OK;
}

int64_t ald_sdpp_neighbours(int64_t rows)
{
    if (rows >= 100) return 20;
    return rows > 10 ? 10 : rows - 1;
}

/* `times` the usual number of neighbours, no more than there are, nor so many that the pairs fill the memory.
 */
static int64_t more_neighbours(int64_t rows, int64_t times)
{
    const int64_t usual = ald_sdpp_neighbours(rows), most_pairs = 4000000;
    const int64_t most = most_pairs / rows < rows - 1 ? most_pairs / rows : rows - 1;
    if (most <= usual) return usual;
    return usual * times < most ? usual * times : most;
}

/* Where nobody said how many. *more: it is ours to choose, and there could be more of them. */
static void choose_neighbours(int64_t rows, int64_t times, ald_graph_options *options, int *more)
{
    *more = 0;
    if (options->n_neighbors > 0) return;
    options->n_neighbors = more_neighbours(rows, times);
    *more = options->kind == ALD_GRAPH_KNN && options->n_neighbors < more_neighbours(rows, 2 * times);
}

static ald_status find_graph(ald_run *run, const ald_problem *problem, const ald_operator *z,
                             const ald_sdpp_settings *settings, int64_t times, int *more, ald_model *model,
                             ald_graph *graph)
{
    ald_rows rows = {.z = z, .count = problem->n};
    *more = 0;
    if (problem->graph) {
        ALD_TRY(ald_graph_from_matrix(run, problem->graph, problem->n, graph));
        return describe_graph(run, graph, 0, model);
    }
    ALD_TRY(labelled_rows(run, problem, settings, &rows));
    ald_graph_options options = ald_graph_options_of(run, 0);
    choose_neighbours(rows.count, times, &options, more);
    ALD_TRY(ald_graph_build_rows(run, &rows, &options, graph));
    ALD_TRY(number_all(run, &rows, problem->n, graph));
    return describe_graph(run, graph, options.kind == ALD_GRAPH_KNN ? options.n_neighbors : 0, model);
}

/* Drops the entries of the graph whose rows have no target or, with a sparse list of distances, no distance.
 */
static void keep_known(const ald_problem *problem, const ald_matrix *known, ald_graph *graph)
{
    int64_t kept = 0, begin = graph->pointers[0];
    for (int64_t i = 0; i < graph->n; i++) {
        const int64_t end = graph->pointers[i + 1];
        for (int64_t e = begin; e < end; e++) {
            const int64_t j = graph->neighbours[e];
            if (!known && !(is_labelled(problem->target, i) && is_labelled(problem->target, j))) continue;
            if (known && !(ald_matrix_has(known, i, j) || ald_matrix_has(known, j, i))) continue;
            graph->neighbours[kept] = j;
            if (graph->weights) graph->weights[kept] = graph->weights[e];
            kept++;
        }
        begin = end;
        graph->pointers[i + 1] = kept;
    }
}

static void class_squares(const ald_target *y, ald_sdpp_pairs *out)
{
    for (int64_t i = 0; i < out->pairs.n; i++)
        for (int64_t e = out->pairs.pointers[i]; e < out->pairs.pointers[i + 1]; e++)
            out->squares[e] = y->classes[i] != y->classes[out->pairs.partners[e]];
}

static ald_status value_squares(ald_run *run, int64_t q, const double *y, ald_sdpp_pairs *out)
{
    for (int64_t i = 0; i < out->pairs.n; i++) {
        const int64_t partners = out->pairs.pointers[i + 1] - out->pairs.pointers[i];
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(q * partners)));
        for (int64_t e = out->pairs.pointers[i]; e < out->pairs.pointers[i + 1]; e++) {
            const double *a = y + i * q, *b = y + out->pairs.partners[e] * q;
            double sum = 0.0;
            for (int64_t k = 0; k < q; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
            out->squares[e] = sum;
        }
    }
    return ALD_OK;
}

/* From 1, as the caller counts its rows. */
static long long row_number(const ald_problem *problem, int64_t i)
{
    return (long long)(problem->which ? problem->which[i] : i) + 1;
}

/* Where a pair stands in the matrix in both orders, the two entries must agree. */
static ald_status given_squares(ald_run *run, const ald_problem *problem, ald_sdpp_pairs *out)
{
    const ald_matrix *distances = problem->distances;
    for (int64_t i = 0; i < out->pairs.n; i++)
        for (int64_t e = out->pairs.pointers[i]; e < out->pairs.pointers[i + 1]; e++) {
            const int64_t j = out->pairs.partners[e];
            const int there = ald_matrix_has(distances, i, j), back = ald_matrix_has(distances, j, i);
            const double a = ald_matrix_at(distances, i, j), b = ald_matrix_at(distances, j, i),
                         distance = there ? a : b;
            if (!(distance >= 0.0) || !isfinite(distance))
                return ald_fail(run->error, ALD_ERROR_DATA,
                                "target distances: rows %lld and %lld have %g; a distance is a number >= 0",
                                row_number(problem, i), row_number(problem, j), distance);
            if (there && back && fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b)))
                return ald_fail(run->error, ALD_ERROR_DATA,
                                "target distances: rows %lld and %lld have %g one way and %g the other",
                                row_number(problem, i), row_number(problem, j), a, b);
            out->squares[e] = distance * distance;
        }
    return ALD_OK;
}

/* |y_i - y_j|^2 to K_ii + K_jj - 2 K_ij = 2 - 2 exp(-|y_i - y_j|^2 / (2 s^2)). */
static ald_status bend_squares(ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                               int64_t q, const double *y, ald_model *model, ald_sdpp_pairs *out)
{
    double s = settings->response_width;
    if (!settings->response_rbf) return ALD_OK;
    if (s == 0.0) ALD_TRY(ald_response_median(run, problem, q, y, &s));
    for (int64_t e = 0; e < out->pairs.pointers[out->pairs.n]; e++)
        out->squares[e] = -2.0 * expm1(-out->squares[e] / (2.0 * s * s));
    return ald_model_set_real(run, model, "alidade.resolved.response_width", s);
}

static ald_status find_squares(ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                               ald_model *model, ald_sdpp_pairs *out)
{
    const int of_numbers = !problem->distances && problem->target->kind != ALD_TARGET_CLASSES;
    if (!of_numbers && settings->response_rbf)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`response_kernel=rbf` needs a target of numbers, and here it is %s: use linear",
                        problem->distances ? "given by its distances" : "classes, which are 0 or 1 apart");
    ALD_TRY(ald_scratch_reals(run, out->pairs.count, 2, &out->squares));
    if (problem->distances) return given_squares(run, problem, out);
    if (problem->target->kind == ALD_TARGET_CLASSES) {
        class_squares(problem->target, out);
        return ALD_OK;
    }
    int64_t q;
    double *y;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_target_numbers(run, problem->target, &y, &q));
    ALD_TRY(value_squares(run, q, y, out));
    ALD_TRY(bend_squares(run, problem, settings, q, y, model, out));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static double sum_squares(const ald_sdpp_pairs *out)
{
    double sum = 0.0;
    for (int64_t i = 0; i < out->pairs.n; i++)
        for (int64_t e = out->pairs.upper[i]; e < out->pairs.pointers[i + 1]; e++)
            sum += out->pairs.weights[e] * out->squares[e];
    return sum;
}

ald_status ald_sdpp_find_squares(ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                                 ald_model *model, ald_sdpp_pairs *out)
{
    ALD_TRY(find_squares(run, problem, settings, model, out));
    out->wanted = sum_squares(out);
    return ALD_OK;
}

/* The sums of delta^2 over the pairs, which must not be 0. A search along the gradient, which goes with
 * |delta|^3, takes its fourth power: beyond these bounds that is no number. */
static ald_status check_squares(ald_run *run, const ald_problem *problem, ald_sdpp_pairs *out)
{
    const double sum = out->wanted;
    out->mean_square = sum / out->pairs.total;
    if (out->mean_square > smallest_square && out->mean_square < largest_square) return ALD_OK;
    if (sum > 0.0)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the distances of the target are too %s to be worked with, their mean square is %.1g: give the "
            "target in another unit",
            sum > 1.0 ? "large" : "small", out->mean_square);
    return ald_fail(run->error, ALD_ERROR_DATA,
                    problem->target->kind == ALD_TARGET_CLASSES && !problem->distances
                        ? "no two neighbours are of different classes, so there is no distance to preserve: "
                          "raise `n_neighbors`"
                        : "all neighbours have the same target, so there is no distance to preserve: raise "
                          "`n_neighbors`");
}

static double weight_of_labelled(const ald_problem *problem)
{
    double sum = 0.0;
    for (int64_t i = 0; i < problem->n; i++)
        if (problem->distances || is_labelled(problem->target, i))
            sum += problem->weights ? problem->weights[i] : 1.0;
    return sum;
}

static ald_status refuse_empty(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "the graph has no pairs of rows with known targets: raise `n_neighbors` or `radius`");
}

/* The pairs of one graph, with the distances of their targets. */
static ald_status find_once(ald_run *run, const ald_problem *problem, const ald_operator *z,
                            const ald_sdpp_settings *settings, int64_t times, int *more, ald_model *model,
                            ald_sdpp_pairs *out)
{
    const ald_matrix *known =
        problem->distances && problem->distances->storage != ALD_DENSE ? problem->distances : NULL;
    ald_graph graph;
    ALD_TRY(find_graph(run, problem, z, settings, times, more, model, &graph));
    if (known || problem->graph) keep_known(problem, known, &graph);
    ALD_TRY(ald_pairs_merge(run, graph.n, graph.pointers, graph.neighbours, graph.weights, problem->weights,
                            &out->pairs));
    if (out->pairs.count == 0) return refuse_empty(run);
    return ald_sdpp_find_squares(run, problem, settings, model, out);
}

/* The same for remote rows: the number and weight of the pairs, and the sum of delta^2; nothing of the pairs
 * themselves. */
static ald_status find_remote(ald_run *run, const ald_problem *problem, int64_t times, int *more,
                              ald_model *model, ald_sdpp_pairs *out)
{
    ald_graph graph = {.recall = 1.0, .how = "the nearest neighbours, exact"};
    ald_graph_options options = ald_graph_options_of(run, 0);
    ald_sdpp_wanted wanted = {0};
    ald_sdpp_found found;
    *more = 0;
    if (problem->graph) {
        ALD_TRY(ald_graph_from_matrix(run, problem->graph, problem->n, &graph));
    } else if (options.kind == ALD_GRAPH_KNN) {
        choose_neighbours(problem->n, times, &options, more);
        wanted.neighbours = options.n_neighbors;
    } else if (options.kind == ALD_GRAPH_EPSILON) {
        graph.how = "all rows within the radius";
        wanted.radius = graph.radius = ald_graph_radius(&options, problem->n, problem->d);
    } else {
        wanted.kind = (int64_t)options.kind;
    }
    ALD_TRY(problem->remote->find(run, problem->remote->self, &wanted, &found));
    if (found.count == 0) return refuse_empty(run);
    if (wanted.radius > 0.0 || wanted.kind > 0) graph.isolated = found.isolated;
    if (found.how) graph.how = found.how;
    *out = (ald_sdpp_pairs){
        .pairs = {.count = found.count, .total = found.total},
        .wanted = found.wanted,
    };
    return describe_graph(run, &graph, wanted.neighbours, model);
}

/* Where nobody said how many neighbours, and those of every row have its own target (classes that lie far
 * apart), there are twice as many, until some differ. */
ald_status ald_sdpp_find_pairs(ald_run *run, const ald_problem *problem, const ald_operator *z,
                               const ald_sdpp_settings *settings, ald_model *model, ald_sdpp_pairs *out)
{
    int more = 1;
    for (int64_t times = 1; more; times *= 2) {
        ALD_TRY(problem->remote ? find_remote(run, problem, times, &more, model, out)
                                : find_once(run, problem, z, settings, times, &more, model, out));
        if (out->wanted > 0.0) break;
    }
    ALD_TRY(check_squares(run, problem, out));
    out->rows = weight_of_labelled(problem);
    return ald_model_set_printed(run, model, "alidade.resolved.pairs", "%lld", (long long)out->pairs.count);
}
