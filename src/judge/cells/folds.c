/* Moments of the parts of a division, their sums as training parts, and fits from these as far as they have
 * the digits of a fit of the rows. */
#include "judge/cells/folds.h"

#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "math/device/held.h"
#include "math/linalg/view.h"
#include "math/solvers/subspace.h"
#include "methods/engines/slices.h"
#include "methods/moments/moments.h"

#include <math.h>
#include <string.h>

/* Whether a fit from moments has the digits of a fit of the rows.
 *
 * Moments are squares: with a unit eps of rounding, X'X is known to eps |X'X|. What is lost shows in how
 * small the parts of X are that the method divides by, against the largest:
 * - methods with a ridge solve with A = Z'Z + ridge I: the smallest pivot of A at a unit diagonal
 *   (solvers/subspace.h);
 * - the others use scores t = Z w: |t|^2 / |w|^2 of every direction, as a part of the largest of them.
 * Neither may be below ALD_TRUST, at which some 1e-10 of the directions is rounding. */
#define ALD_TRUST 1e-6

static int inverts_scatter(const ald_run *run)
{
    return ald_settings_method(run->settings)->inverse == ALD_INVERTS_SCATTER;
}

/* A, with no more of a ridge than there is: of ridge_rel the part that goes by the mean eigenvalue instead of
 * the largest, and sir's without its factor n. */
static void add_ridge(const ald_run *run, int64_t d, double *a)
{
    double trace = 0.0;
    for (int64_t j = 0; j < d; j++) trace += a[j * d + j];
    const double ridge =
        ald_settings_real_with(run->settings, ALD_PARAM_IS_RIDGE, 0.0) +
        ald_settings_real_with(run->settings, ALD_PARAM_IS_RIDGE_REL, 0.0) * trace / (double)d;
    ald_add_ridge(ridge, ald_at(a, d, d));
}

/* Before the fit, for methods with a ridge; others are trusted as yet. The problem is settled. */
static ald_status trust_problem(ald_run *run, const ald_moments *m, const ald_problem *problem, int *trusted)
{
    const int64_t d = m->d;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const double *inverse = problem->x.inverse_scale;
    double *a;
    double pivot;
    *trusted = 1;
    if (!inverts_scatter(run)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, d, &a));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            a[i * d + j] = m->scatter[i * d + j] * (inverse ? inverse[i] * inverse[j] : 1.0);
    add_ridge(run, d, a);
    ALD_TRY(ald_smallest_pivot(run, d, a, &pivot));
    ald_arena_release(&run->scratch, mark);
    *trusted = pivot >= ALD_TRUST;
    return ALD_OK;
}

/* After it, for methods without. */
static ald_status trust_model(ald_run *run, const ald_problem *problem, const ald_model *model, int *trusted)
{
    const int64_t r = ald_model_component_count(model), d = problem->d;
    const double *w = ald_model_reals(model, "components", r, d);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *z;
    double smallest = INFINITY, largest = 0.0;
    *trusted = 1;
    if (inverts_scatter(run)) return ALD_OK;
    ALD_TRY(ald_project_problem(run, problem, model, &z));
    for (int64_t k = 0; k < r; k++) {
        double score = 0.0, length = 0.0;
        for (int64_t i = 0; i < problem->n; i++) score += z[i * r + k] * z[i * r + k];
        for (int64_t j = 0; j < d; j++) length += w[k * d + j] * w[k * d + j];
        smallest = fmin(smallest, score / length);
        largest = fmax(largest, score / length);
    }
    ald_arena_release(&run->scratch, mark);
    *trusted = smallest >= ALD_TRUST * largest;
    return ALD_OK;
}

/* The rows of every part one after the other, and where each part begins. */
static ald_status sort_rows(ald_run *run, int64_t n, const int32_t *part_of, ald_folds *folds)
{
    const int64_t count = folds->count;
    int64_t *next;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *folds->order, &folds->order));
    ALD_TRY(ald_scratch(run, count + 1, 1, sizeof *folds->starts, &folds->starts));
    ALD_TRY(ald_scratch(run, count + 1, 1, sizeof *next, &next));
    memset(folds->starts, 0, (size_t)(count + 1) * sizeof *folds->starts);
    for (int64_t i = 0; i < n; i++) folds->starts[part_of[i] + 1]++;
    for (int64_t part = 0; part < count; part++) folds->starts[part + 1] += folds->starts[part];
    memcpy(next, folds->starts, (size_t)(count + 1) * sizeof *next);
    for (int64_t i = 0; i < n; i++) folds->order[next[part_of[i]]++] = i;
    return ALD_OK;
}

ald_status ald_folds_begin(ald_run *run, int64_t n, const int32_t *part_of, int64_t count, ald_folds *folds)
{
    *folds = (ald_folds){.like = run->settings, .count = count};
    ALD_TRY(ald_scratch_clear(run, count, 1, sizeof *folds->parts, &folds->parts));
    for (int64_t part = 0; part < count; part++)
        ald_arena_init(&folds->parts[part].memory, run->call.allocator);
    return sort_rows(run, n, part_of, folds);
}

/* Rows that stand on a card are taken there, unless they have steps or weights; else own->x.values is NULL.
 */
static ald_status take_on_card(ald_run *run, const ald_subset *data, const int64_t *rows, int64_t n,
                               const ald_row_plan *plan, ald_subset *own)
{
    own->x.values = NULL;
    if (plan->steps.count > 0 || plan->scale != ALD_ROWS_PLAIN || data->y.weights) return ALD_OK;
    return ald_subset_take_on_card(run, data, rows, n, own);
}

ald_status ald_folds_sum(ald_run *run, const ald_subset *data, int64_t part, ald_folds *folds)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t *rows = folds->order + folds->starts[part];
    const int64_t n = folds->starts[part + 1] - folds->starts[part];
    ald_subset own;
    ald_moments moments;
    const ald_row_plan plan = ald_row_plan_of(folds->like);
    if (n == 0) return ALD_OK;
    const struct ald_held *before = run->call.held;
    ald_status status = take_on_card(run, data, rows, n, &plan, &own);
    if (status >= 0 && !own.x.values) status = ald_subset_take(run, data, rows, n, &own);
    ald_operator prepared = {.x = own.x};
    if (status >= 0) status = ald_prepare_rows(run, &plan, &prepared);
    if (status >= 0) status = ald_moments_of_rows(run, &prepared, &own.y, &moments);
    ald_card_release(run, before);
    ALD_TRY(status);
    ALD_TRY(ald_moments_copy(run, &folds->parts[part].memory, &moments, &folds->parts[part].moments));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

void ald_folds_free(ald_folds *folds)
{
    for (int64_t part = 0; folds->parts && part < folds->count; part++)
        ald_arena_free(&folds->parts[part].memory);
    *folds = (ald_folds){0};
}

ald_status ald_fold_begin(ald_run *run, const ald_folds *folds, int64_t left_out, const ald_subset *data,
                          const int64_t *rows, int64_t n, ald_fold *fold)
{
    memset(fold, 0, sizeof *fold);
    ald_run_fork(run, &fold->run);
    fold->run.error = run->error; /* the fold outlives the call: failures are reported where it is used */
    fold->data = data;
    fold->rows = rows;
    fold->n = n;
    fold->like = folds->like;
    ALD_TRY(ald_target_take(&fold->run, &data->y, rows, n, &fold->y));
    for (int64_t part = 0; part < folds->count; part++)
        if (part != left_out && folds->parts[part].moments.d > 0)
            ALD_TRY(
                ald_moments_add(&fold->run, &fold->run.scratch, &folds->parts[part].moments, &fold->moments));
    return ALD_OK;
}

ald_status ald_fold_train(ald_run *run, ald_fold *fold, const ald_subset **train)
{
    fold->run.error = run->error;
    if (!fold->taken) ALD_TRY(ald_subset_take(&fold->run, fold->data, fold->rows, fold->n, &fold->train));
    fold->taken = 1;
    *train = &fold->train;
    return ALD_OK;
}

ald_status ald_fold_train_by_products(ald_run *run, ald_fold *fold, ald_subset *own, const ald_subset **train)
{
    const ald_row_plan plan = ald_row_plan_of(run->settings);
    *train = own;
    ALD_TRY(take_on_card(run, fold->data, fold->rows, fold->n, &plan, own));
    return own->x.values ? ALD_OK : ald_fold_train(run, fold, train);
}

void ald_fold_end(ald_fold *fold)
{
    ald_arena_free(&fold->run.scratch);
}

static int all_labelled(const ald_target *y)
{
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i]) return 0;
    return 1;
}

/* A solver that was asked for by name is the one that is used. */
static int by_any_solver(const ald_run *run)
{
    const ald_param *solver = ald_settings_param_with(run->settings, ALD_PARAM_IS_SOLVER);
    return !solver || ald_setting_is(run, solver, "auto") || ald_setting_is(run, solver, "direct");
}

int ald_folds_serve(ald_run *run, const ald_settings *like, const ald_target *y)
{
    const ald_method *method = ald_settings_method(run->settings);
    const ald_error before = *run->error;
    const ald_status status = ald_check_moments_map(run, method, y);
    *run->error = before;
    return status >= 0 && !method->class_scatters && !method->curvature && by_any_solver(run) &&
           all_labelled(y) && !y->events && ald_same_rows(run->settings, like);
}

int ald_fold_serves(ald_run *run, const ald_fold *fold)
{
    const ald_moments *m = &fold->moments;
    return ald_folds_serve(run, fold->like, &fold->y) && m->mean && ald_moments_extreme(m) < 0 &&
           (double)m->patterns <= 0.5 * m->n && (double)m->d < m->n;
}

/* The real response in slices of the training part: the scatter stays, the target is another. */
static ald_status group_by_slices(ald_fold *fold, const ald_slices *slices, ald_moments *moments)
{
    const ald_row_plan plan = ald_row_plan_of(fold->like);
    const ald_subset *train;
    ald_target target;
    ALD_TRY(ald_fold_train(&fold->run, fold, &train));
    ald_operator rows = {.x = train->x};
    ALD_TRY(ald_slice_target(&fold->run, slices->edges, slices->count, &train->y, &target));
    ALD_TRY(ald_prepare_rows(&fold->run, &plan, &rows));
    ALD_TRY(ald_moments_group(&fold->run, &rows, &target, moments));
    moments->y_mean = moments->cross = moments->y_scatter = NULL;
    return ALD_OK;
}

/* slices NULL: the target as it is. */
static ald_status make_form(ald_run *run, ald_fold *fold, const ald_slices *slices, ald_fold_form *form)
{
    fold->run.error = run->error;
    fold->run.settings = run->settings;
    form->made = 0;
    form->moments = fold->moments;
    if (slices) ALD_TRY(group_by_slices(fold, slices, &form->moments));
    ALD_TRY(ald_moments_rows(&fold->run, &form->moments, &form->target, &form->problem));
    form->made = 1;
    return ALD_OK;
}

/* Slices are cut for every fit, as the model records them; their means are found once. */
static ald_status sliced_form(ald_run *run, ald_fold *fold, ald_model *model, ald_fold_form *form)
{
    const int64_t n_slices = ald_slices_asked(run);
    ald_problem plain = {.n = fold->n, .target = &fold->y};
    ald_slices slices;
    ALD_TRY(ald_problem_weigh(run, fold->y.weights, &plain));
    ALD_TRY(ald_problem_slices(run, &plain, n_slices, model, &slices));
    if (!fold->sliced.made || fold->sliced.n_slices != n_slices)
        ALD_TRY(make_form(run, fold, &slices, &fold->sliced));
    fold->sliced.n_slices = n_slices;
    *form = fold->sliced;
    form->moments.edges = slices.edges;
    return ALD_OK;
}

static ald_status whole_form(ald_run *run, ald_fold *fold, ald_fold_form *form)
{
    if (!fold->whole.made) ALD_TRY(make_form(run, fold, NULL, &fold->whole));
    *form = fold->whole;
    return ALD_OK;
}

ald_status ald_fold_fit(ald_run *run, ald_fold *fold, ald_model *model, ald_fold_form *form, int *trusted)
{
    const ald_target *y = &fold->y;
    ALD_TRY(ald_check_target(run, y, fold->n, ald_settings_method(run->settings)));
    ALD_TRY(ald_takes_slices(run, y) ? sliced_form(run, fold, model, form) : whole_form(run, fold, form));
    form->problem.target = &form->target;
    form->problem.moments = &form->moments;
    ALD_TRY(ald_moments_settle(run, &form->moments, &form->problem));
    ALD_TRY(trust_problem(run, &form->moments, &form->problem, trusted));
    if (!*trusted) return ALD_OK;
    ALD_TRY(ald_fit_moments_map(run, &form->moments, &form->problem, model));
    return trust_model(run, &form->problem, model, trusted);
}
