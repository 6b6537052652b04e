/* Two passes over the file: what is small (streaming/collect.h), then the rows, which stay. The first part of
 * the rows lets the method work and the others serve it (divided/service.h). A predictor learns from the
 * scores of all rows, which each part makes of its own. */
#include "fit/from_files/fit_divided.h"

#include "base/core/budget.h"
#include "base/settings/common_params.h"
#include "cluster/divided/divided_methods.h"
#include "cluster/divided/divided_rows.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/blocks.h"
#include "fit/streaming/collect.h"
#include "fit/streaming/row_store.h"
#include "io/formats/square.h"
#include "methods/engines/problem.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

/* The rows of this part: dense blocks are copied to their places, sparse ones are put together at the end. */
typedef struct keeping {
    const ald_collection *c;
    int64_t n, d;
    double *dense;       /* n x d; NULL: sparse */
    ald_arena *memory;   /* a part */
    ald_record *records; /* a block: its rows, until their place is known */
} keeping;

static int64_t rows_of(const ald_collection *c)
{
    return c->first[c->blocks];
}

static ald_status keep_sparse(ald_run *run, const keeping *k, int part, int64_t number,
                              const ald_operator *rows)
{
    const int64_t bytes = 16 * ald_matrix_entries(&rows->x) + 8 * (rows->x.rows + 2) + ALD_RECORD_EXTRA;
    ald_record *record = &k->records[number];
    record->arena = &k->memory[part];
    ALD_TRY(ald_record_reserve(run, record, bytes));
    return ald_rows_put(run, rows, NULL, 0, rows->x.rows, record);
}

static ald_status keep_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const keeping *k = work;
    const ald_collection *c = k->c;
    const ald_operator rows = {.x = block->x};
    if (number >= c->blocks || c->first[number + 1] - c->first[number] != block->x.rows)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has changed since it was first read", c->path);
    if (!k->dense) return keep_sparse(run, k, part, number, &rows);
    return ald_operator_rows(run, &rows, 0, ald_at(k->dense + c->first[number] * k->d, block->x.rows, k->d));
}

/* Bytes that the rows take. What is left of the limit must do for them, and for a few percent more. */
static ald_status check_room(ald_run *run, const ald_collection *c)
{
    const double n = (double)rows_of(c), d = (double)c->survey->x.cols,
                 bytes = c->survey->x.storage == ALD_DENSE ? 8.0 * n * d : 32.0 * c->entries + 16.0 * n;
    ald_row_store_yield(run, c->survey, 1.1 * bytes);
    const double left = run->context->budget ? (double)ald_budget_left(run->context->budget) : INFINITY;
    if (bytes <= left) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_MEMORY,
                    "%s keeps its rows in memory: those of one rank take %.3g GB, but %.3g GB are available. "
                    "Use more ranks or more memory (`max_memory`)",
                    ald_settings_method(run->settings)->name, bytes / 1e9, left / 1e9);
}

/* Blocks whose rows are all left out have none. */
static ald_status assemble_sparse(ald_run *run, const keeping *k, ald_matrix *x)
{
    const ald_operator like = {.x = *x};
    ald_operator rows;
    int count = 0;
    for (int64_t b = 0; b < k->c->blocks; b++)
        if (k->records[b].bytes) k->records[count++] = k->records[b];
    ALD_TRY(ald_rows_take(run, k->records, count, &like, &rows));
    *x = rows.x;
    return ALD_OK;
}

static ald_status read_rows(ald_run *run, keeping *k, ald_matrix *x)
{
    const ald_collection *c = k->c;
    const ald_blocks blocks = {
        .path = c->path,
        .options = c->like,
        .survey = c->survey,
        .visit = keep_block,
        .work = k,
    };
    if (c->survey->x.storage == ALD_DENSE) {
        ALD_TRY(ald_scratch_reals(run, k->n, k->d, &k->dense));
        *x = ald_matrix_row_major(k->dense, k->n, k->d, k->d);
        return ald_blocks_read(run, &blocks, c->parts);
    }
    *x = c->survey->x;
    ALD_TRY(ald_scratch(run, c->blocks, 1, sizeof *k->records, &k->records));
    ALD_TRY(ald_scratch(run, c->parts, 1, sizeof *k->memory, &k->memory));
    for (int i = 0; i < c->parts; i++) ald_arena_init(&k->memory[i], run->call.allocator);
    memset(k->records, 0, (size_t)c->blocks * sizeof *k->records);
    ald_status status = ald_blocks_read(run, &blocks, c->parts);
    if (status >= 0) status = assemble_sparse(run, k, x);
    for (int i = 0; i < c->parts; i++) ald_arena_free(&k->memory[i]);
    return status;
}

/* The means and deviations of all rows. */
static ald_status prepare_columns(ald_run *run, const ald_collection *c, double **deviation, ald_operator *z)
{
    const int64_t d = c->survey->x.cols;
    ald_problem scaled = {.d = d};
    z->mean = c->mean;
    *deviation = NULL;
    if (ald_common_settings_of(run->settings).scale == ALD_COLUMNS_PLAIN) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, 1, deviation));
    for (int64_t j = 0; j < d; j++) (*deviation)[j] = sqrt(c->square[j] / c->weight);
    ALD_TRY(ald_problem_scale(run, &scaled, c->mean, *deviation));
    z->inverse_scale = scaled.x.inverse_scale;
    return ALD_OK;
}

static ald_status read_own(ald_run *run, const ald_collection *c, double **deviation, ald_operator *z)
{
    keeping k = {.c = c, .n = rows_of(c), .d = c->survey->x.cols};
    ALD_TRY(check_room(run, c));
    ALD_TRY(read_rows(run, &k, &z->x));
    ald_row_store_yield(run, c->survey, INFINITY); /* nothing is read again */
    if (k.n > 0) ALD_TRY(ald_prepare_rows(run, &c->plan, z));
    return prepare_columns(run, c, deviation, z);
}

/* One more pass over a file that was collected, with its columns: fills `rows` with the rows of this part
 * as the plan of the collection prepares them, centred and scaled by the run's settings. Dense, or CSR
 * with indices of 64 bits, in scratch. Refuses rows that need more memory than is left before it reads
 * them. Agrees on the outcome. `deviation` (d, in scratch, or NULL): what columns were divided by. */
static ald_status read_divided(ald_run *run, const ald_collection *c, double **deviation, ald_divided *rows)
{
    *rows = (ald_divided){.first = 0};
    return ald_divided_count(run, read_own(run, c, deviation, &rows->z), rows);
}

ald_status ald_check_divided(ald_run *run, const ald_dataset *survey)
{
    const ald_common_settings asked = ald_common_settings_of(run->settings);
    const ald_method *method = ald_settings_method(run->settings);
    if (asked.scale == ALD_COLUMNS_MINMAX)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`scale=minmax` is not available for rows that are read in blocks: use `scale=standard` or none");
    if (asked.keep_statistics)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s cannot be fitted from statistics, so there are none to keep: leave "
                        "`keep_statistics` at 0",
                        method->name);
    ALD_TRY(ald_check_predictor(run, &survey->target));
    return ald_divided_check(run, survey->x.cols);
}

/* The first part speaks of columns of unlike size. */
static ald_status note_unlike(ald_run *run, const ald_collection *c)
{
    const int64_t d = c->survey->x.cols;
    double *deviations;
    if (!ald_is_first(c->survey->all) || c->survey->x.storage != ALD_DENSE) return ALD_OK;
    run->feature_names = (const char *const *)c->survey->feature_names;
    ALD_TRY(ald_scratch_reals(run, d, 1, &deviations));
    for (int64_t j = 0; j < d; j++) deviations[j] = sqrt(c->square[j] / c->weight);
    ald_note_unlike_deviations(run, d, deviations);
    return ALD_OK;
}

/* x has the rows of this part, and everything else is of all. */
static ald_status make_problem(ald_run *run, const ald_collection *c, const ald_divided *rows,
                               const double *deviation, ald_problem *problem)
{
    *problem = (ald_problem){
        .n = rows->total,
        .d = c->survey->x.cols,
        .samples = (double)rows->total,
        .r = ald_common_settings_of(run->settings).n_components,
        .scale = deviation,
        .target = &c->target,
    };
    ALD_TRY(ald_problem_weigh(run, c->target.weights, problem));
    problem->x = rows->z;
    return note_unlike(run, c);
}

/* Each part reads all of a given graph. */
static ald_status read_graph(ald_run *run, const ald_collection *c, ald_matrix *graph, ald_problem *problem)
{
    const char *const file = c->like->graph_file;
    if (!file) return ALD_OK;
    ALD_TRY(ald_read_square(run, file, &run->scratch, problem->n, graph));
    ALD_TRY(ald_check_matrix(run, graph, "graph"));
    problem->graph = graph;
    return ald_check_finite(run, graph, "graph");
}

/* The scores of the rows of this part by the model that the first one has made. */
static ald_status map_own(ald_run *run, const ald_problem *problem, const ald_model *model, double **z)
{
    const int64_t r = ald_model_component_count(model), own = problem->x.x.rows;
    ALD_TRY(ald_scratch_reals(run, own, r, z));
    return own > 0 ? ald_map_prepared(run, model, &problem->x, *z) : ALD_OK;
}

/* The model is that of the first part, which learns from the scores of all. */
static ald_status add_predictor(ald_run *run, const ald_divided *rows, const ald_problem *problem,
                                ald_model **model)
{
    ald_gathered all;
    double *z = NULL;
    if (!ald_predictor_asked(run->settings)) return ALD_OK;
    ALD_TRY(rows->all.share(run, model));
    const int64_t r = ald_model_component_count(*model);
    const ald_status status = map_own(run, problem, *model, &z);
    ALD_TRY(rows->all.gather(run, status, z, problem->x.x.rows * r * (int64_t)sizeof *z, &all));
    if (!ald_is_first(&rows->all)) return ALD_OK;
    return ald_predictor_learn(run, problem->target, problem->weights, r, (double *)(void *)all.bytes,
                               ald_is_nested(run), *model);
}

static ald_status divided_fit(ald_run *run, ald_collection *c, ald_model **model)
{
    ald_divided rows;
    ald_problem problem;
    ald_matrix graph;
    double *deviation;
    ALD_TRY(ald_collect(run, c));
    ALD_TRY(read_divided(run, c, &deviation, &rows));
    ALD_TRY(make_problem(run, c, &rows, deviation, &problem));
    ALD_TRY(read_graph(run, c, &graph, &problem));
    ALD_TRY(ald_divided_fit(run, &rows, &problem, ald_fit_problem, *model));
    ALD_TRY(add_predictor(run, &rows, &problem, model));
    if (!ald_is_first(&rows.all)) return ALD_OK;
    ALD_TRY(ald_copy_names(run, c->like->like, *model));
    return ald_fit_note(run, *model);
}

ald_status ald_fit_divided(ald_run *run, const char *path, const ald_load_options *like,
                           const ald_dataset *survey, const ald_row_plan *plan, ald_model **model)
{
    ald_collection c = {
        .path = path,
        .like = like,
        .survey = survey,
        .columns = 1,
        .gather = 1,
        .plan = *plan,
    };
    const ald_status status = divided_fit(run, &c, model);
    ald_collection_free(&c);
    return status;
}
