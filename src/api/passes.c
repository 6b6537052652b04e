/* The first pass collects what is small: the target, the weights, how many rows each block has, and the means and
 * deviations of the columns. Then the method is given a problem whose rows come from the file (linalg/source.h): each
 * product with X is one pass over it. X is never in memory; what is as long as its rows or its columns is. */
#include "api/passes.h"

#include "api/blocks.h"
#include "api/fit.h"
#include "api/prepare.h"
#include "linalg/source.h"
#include "methods/problem.h"

#include <math.h>
#include <string.h>

/* A block as far as it is kept. */
typedef struct piece {
    struct piece *older;
    int64_t number, rows;
    int32_t *classes;
    double *values;  /* rows x q */
    double *weights; /* rows, or NULL */
} piece;

/* What one part has seen. */
typedef struct share {
    ald_arena memory;
    piece *newest;
    int64_t rows, blocks;
    double weight, entries;
    double *mean, *square; /* d; NULL before the first block of any weight */
} share;

typedef struct file_rows {
    const char *path;
    const ald_load_options *like;
    const ald_dataset *survey;
    share *shares; /* parts of them */
    int parts;
    int64_t n, q, blocks;
    int64_t *first; /* blocks + 1: the first row of each */
    double weight, entries;
} file_rows;

static ald_status copy(ald_run *run, ald_arena *arena, const void *from, int64_t count, size_t size, void *to)
{
    void *made = ald_arena_get(arena, count, 1, size);
    if (!made) return ald_out_of_memory(run, count, 1, size);
    memcpy(made, from, (size_t)count * size);
    memcpy(to, &made, sizeof made);
    return ALD_OK;
}

static ald_status keep_target(ald_run *run, ald_arena *arena, const ald_target *y, piece *p)
{
    double *numbers;
    int64_t q;
    if (y->weights) ALD_TRY(copy(run, arena, y->weights, p->rows, sizeof *y->weights, &p->weights));
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    if (y->kind == ALD_TARGET_CLASSES) return copy(run, arena, y->classes, p->rows, sizeof *y->classes, &p->classes);
    ALD_TRY(ald_target_numbers(run, y, &numbers, &q));
    return copy(run, arena, numbers, p->rows * q, sizeof *numbers, &p->values);
}

/* to += from, by Chan's update of each column. */
static void merge_columns(int64_t d, double *mean, double *square, double weight, const double *change_mean,
                          const double *change_square, double change)
{
    const double part = change / (weight + change), shared = weight * part;
    for (int64_t j = 0; j < d; j++) {
        const double apart = change_mean[j] - mean[j];
        mean[j] += part * apart;
        square[j] += change_square[j] + shared * apart * apart;
    }
}

static ald_status add_columns(ald_run *run, int64_t d, const double *mean, const double *square, double weight,
                              share *to)
{
    if (!(weight > 0.0)) return ALD_OK;
    if (to->mean) {
        merge_columns(d, to->mean, to->square, to->weight, mean, square, weight);
    } else {
        ALD_TRY(copy(run, &to->memory, mean, d, sizeof *mean, &to->mean));
        ALD_TRY(copy(run, &to->memory, square, d, sizeof *square, &to->square));
    }
    to->weight += weight;
    return ALD_OK;
}

/* Means and sums of squares of the columns of a block. */
static ald_status columns_of(ald_run *run, const ald_operator *rows, const double *weights, double *weight,
                             ald_column_moments *moments)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    double *scaled = NULL;
    *weight = (double)n;
    ALD_TRY(ald_scratch_reals(run, d, 1, &moments->mean));
    ALD_TRY(ald_scratch_reals(run, d, 1, &moments->deviation));
    if (weights) {
        *weight = 0.0;
        for (int64_t i = 0; i < n; i++) *weight += weights[i];
        if (!(*weight > 0.0)) return ALD_OK;
        ALD_TRY(ald_scratch_reals(run, n, 1, &scaled));
        for (int64_t i = 0; i < n; i++) scaled[i] = weights[i] * ((double)n / *weight);
    }
    ALD_TRY(ald_column_statistics(run, rows, scaled, *moments));
    for (int64_t j = 0; j < d; j++) moments->deviation[j] *= moments->deviation[j] * *weight;
    return ALD_OK;
}

static ald_status collect_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    share *s = &((file_rows *)work)->shares[part];
    ald_operator rows = {.x = block->x};
    ald_column_moments moments = {0};
    piece *p = NULL;
    double weight;
    const piece made = {.older = s->newest, .number = number, .rows = block->x.rows};
    ALD_TRY(copy(run, &s->memory, &made, 1, sizeof made, &p));
    ALD_TRY(keep_target(run, &s->memory, &block->target, p));
    s->newest = p;
    s->rows += p->rows;
    s->blocks++;
    s->entries += ald_operator_entries(&rows);
    ALD_TRY(ald_prepare_rows(run, ald_settings_text(run->settings, "row_scale"), &rows));
    ALD_TRY(columns_of(run, &rows, block->target.weights, &weight, &moments));
    return add_columns(run, block->x.cols, moments.mean, moments.deviation, weight, s);
}

/* Adds the shares up in the first one, and finds where the blocks begin. */
static ald_status add_shares(ald_run *run, file_rows *f)
{
    for (int part = 0; part < f->parts; part++) {
        const share *s = &f->shares[part];
        f->n += s->rows;
        f->blocks += s->blocks;
        f->entries += s->entries;
        if (part > 0) ALD_TRY(add_columns(run, f->survey->x.cols, s->mean, s->square, s->weight, f->shares));
    }
    f->weight = f->shares->weight;
    if (f->n < 2) return ald_fail(run->error, ALD_ERROR_DATA, "%s has fewer than two rows", f->path);
    if (!(f->weight > 0.0)) return ald_fail(run->error, ALD_ERROR_DATA, "%s: all weights are zero", f->path);
    ALD_TRY(ald_scratch(run, f->blocks + 1, 1, sizeof *f->first, &f->first));
    for (int part = 0; part < f->parts; part++)
        for (const piece *p = f->shares[part].newest; p; p = p->older) f->first[p->number + 1] = p->rows;
    f->first[0] = 0;
    for (int64_t b = 0; b < f->blocks; b++) f->first[b + 1] += f->first[b];
    return ALD_OK;
}

/* The target and the weights of all rows, in scratch. */
static ald_status assemble_target(ald_run *run, const file_rows *f, ald_target *target, double **weights)
{
    const ald_target *y = &f->survey->target;
    const int64_t q = y->kind == ALD_TARGET_CLASSES ? 0 : y->values.cols;
    int32_t *classes = NULL;
    double *values = NULL;
    *weights = NULL;
    if (y->kind == ALD_TARGET_CLASSES) ALD_TRY(ald_scratch(run, f->n, 1, sizeof *classes, &classes));
    if (q > 0) ALD_TRY(ald_scratch_reals(run, f->n, q, &values));
    if (f->shares->newest->weights) ALD_TRY(ald_scratch_reals(run, f->n, 1, weights));
    for (int part = 0; part < f->parts; part++)
        for (const piece *p = f->shares[part].newest; p; p = p->older) {
            const int64_t at = f->first[p->number];
            if (classes) memcpy(classes + at, p->classes, (size_t)p->rows * sizeof *classes);
            if (values) memcpy(values + at * q, p->values, (size_t)(p->rows * q) * sizeof *values);
            if (*weights) memcpy(*weights + at, p->weights, (size_t)p->rows * sizeof **weights);
        }
    const ald_matrix view = ald_matrix_rows(values, f->n, q, q);
    *target = classes                        ? ald_target_classes(classes, f->n, y->n_classes)
              : y->kind == ALD_TARGET_REAL   ? ald_target_real(view)
              : y->kind == ALD_TARGET_LABELS ? ald_target_labels(view)
                                             : (ald_target){.rows = f->n};
    target->weights = *weights;
    return ALD_OK;
}

/* A pass of the source: blocks of the file become operators at their place. */
typedef struct passing {
    const file_rows *f;
    ald_source_fn visit;
    void *work;
} passing;

static ald_status pass_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const passing *p = work;
    const file_rows *f = p->f;
    ald_operator rows = {.x = block->x};
    if (number >= f->blocks || f->first[number + 1] - f->first[number] != block->x.rows)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has changed since it was read first", f->path);
    ALD_TRY(ald_prepare_rows(run, ald_settings_text(run->settings, "row_scale"), &rows));
    return p->visit(run, p->work, part, f->first[number], &rows);
}

static ald_status pass(ald_run *run, const ald_source *source, ald_source_fn visit, void *work)
{
    const file_rows *f = source->self;
    passing p = {f, visit, work};
    const ald_blocks blocks = {f->path, f->like, f->survey, pass_block, &p};
    return ald_blocks_read(run, &blocks, f->parts);
}

static ald_status make_problem(ald_run *run, const file_rows *f, const ald_source *source, ald_target *target,
                               ald_problem *problem)
{
    const share *all = f->shares;
    double *weights, *deviation;
    memset(problem, 0, sizeof *problem);
    problem->x = (ald_operator){.x = f->survey->x, .source = source, .mean = all->mean};
    problem->x.x.rows = problem->n = f->n;
    problem->total = (double)f->n;
    problem->d = f->survey->x.cols;
    problem->r = ald_setting_int(run, "n_components");
    ALD_TRY(assemble_target(run, f, target, &weights));
    problem->target = target;
    ALD_TRY(ald_problem_weigh(run, weights, problem));
    if (ald_setting_is(run, "scale", "none")) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, problem->d, 1, &deviation));
    for (int64_t j = 0; j < problem->d; j++) deviation[j] = sqrt(all->square[j] / f->weight);
    return ald_problem_scale(run, problem, all->mean, deviation);
}

static ald_status fit(ald_run *run, file_rows *f, ald_model *model)
{
    const ald_blocks blocks = {f->path, f->like, f->survey, collect_block, f};
    ald_target target;
    ald_problem problem;
    ALD_TRY(ald_blocks_read(run, &blocks, f->parts));
    ALD_TRY(add_shares(run, f));
    const ald_source source = {.pass = pass, .parts = f->parts, .entries = f->entries, .self = f};
    ALD_TRY(make_problem(run, f, &source, &target, &problem));
    ALD_TRY(ald_fit_problem(run, &problem, model));
    ALD_TRY(ald_fit_predictor(run, &problem, model));
    ALD_TRY(ald_copy_names(run, f->like->like, model));
    return ald_fit_note(run, model);
}

ald_status ald_fit_passes(ald_run *run, const char *path, const ald_load_options *like, const ald_dataset *survey,
                          ald_model *model)
{
    file_rows f = {.path = path, .like = like, .survey = survey, .parts = ald_blocks_parts(run)};
    ALD_TRY(ald_scratch(run, f.parts, 1, sizeof *f.shares, &f.shares));
    memset(f.shares, 0, (size_t)f.parts * sizeof *f.shares);
    for (int i = 0; i < f.parts; i++) ald_arena_init(&f.shares[i].memory, &run->context->allocator);
    const ald_status status = fit(run, &f, model);
    for (int i = 0; i < f.parts; i++) ald_arena_free(&f.shares[i].memory);
    return status;
}
