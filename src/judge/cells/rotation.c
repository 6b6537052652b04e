/* Rotations of the rows of a split (rotation.h): for which settings, when they pay, and how they are made.
 *
 * With n training and m test rows of d columns, in operations of a matrix product, a rotation takes some
 *
 *   3 (n + m)^2 d          (n + m)^2 d at a third of the speed
 *
 * and spares a fit by r directions
 *
 *   n (d - n) min(n, 30 r) where it is made of products with X,
 *   n^2 (d - n)            where X X' is formed, or distances are,
 *   50 n (d - n)           means, checks and projections of the rows.
 *
 * It pays where all fits of the comparison that prepare X alike spare more. */
#include "judge/cells/rotation.h"

#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "fit/prepare/prepare_x.h"
#include "math/kernel/kernel.h"
#include "math/linalg/linalg.h"
#include "methods/engines/engine_params.h"

#include <math.h>
#include <string.h>

/* A solver that was asked for by name works on the columns that there are. */
static int by_any_solver(const ald_run *run)
{
    const ald_param *solver = ald_settings_param_with(run->settings, ALD_PARAM_IS_SOLVER);
    return !solver || ald_setting_is(run, solver, "auto");
}

static int by_distances(const ald_run *run)
{
    const ald_kernel_settings kernel = ald_kernel_settings_of(run);
    return kernel.kernel == ALD_KERNEL_RBF && kernel.features == 0;
}

/* By the settings of the run. */
static int can_turn(const ald_run *run)
{
    const ald_turning turning = ald_settings_method(run->settings)->turning;
    if (turning == ALD_NOT_TURNED || ald_gaps_in(run->settings) || !by_any_solver(run)) return 0;
    if (turning == ALD_TURNED_DISTANCES) return by_distances(run);
    return ald_settings_real_with(run->settings, ALD_PARAM_IS_CENTER, 1.0) != 0.0;
}

static int may_turn(ald_run *run, const ald_settings *settings)
{
    const ald_settings *before = run->settings;
    run->settings = settings;
    const int may = can_turn(run);
    run->settings = before;
    return may;
}

static double spared(const ald_sums_fit *fit, double n, double d)
{
    const ald_method *method = ald_settings_method(fit->settings);
    const int products = method->turning == ALD_TURNED_ROWS && method->inverse == ALD_INVERTS_NOTHING;
    return n * (d - n) * (50.0 + (products ? fmin(n, 30.0 * (double)fit->r) : n));
}

static int pays(ald_run *run, const ald_rotations *rotations, const ald_settings *like,
                const ald_subset *train, const ald_subset *test)
{
    const double n = (double)train->x.rows, m = (double)test->x.rows, d = (double)train->x.cols;
    double sum = 0.0;
    for (int64_t i = 0; i < rotations->count; i++) {
        const ald_sums_fit *fit = &rotations->fits[i];
        if (ald_same_preparation(fit->settings, like) && may_turn(run, fit->settings))
            sum += spared(fit, n, d);
    }
    return sum > 3.0 * (n + m) * (n + m) * d;
}

/* Rows that can be turned, whatever their values are. */
static int has_place(const ald_subset *train, const ald_subset *test)
{
    const ald_matrix *x = &train->x;
    return x->storage == ALD_DENSE && x->cols > x->rows && test->x.rows <= x->rows;
}

/* Beyond, what the rounding of the means leaves in Z is of the size that methods take for small directions,
 * and they must see the means (ald_rounding_of_means). */
static ald_status means_are_small(ald_run *run, const ald_operator *z, int *small)
{
    const double most = 1e-24;
    double square;
    ALD_TRY(ald_operator_square_norm(run, z, &square));
    *small = isfinite(square) && ald_rounding_of_means(z) < most * square;
    return ALD_OK;
}

/* Training and test rows prepared as those of a fit, without weights. */
static ald_status prepare(ald_run *run, const ald_subset *train, const ald_subset *test, ald_operator *z,
                          ald_operator *t, int *served)
{
    ald_problem problem;
    ald_row_plan plan;
    ALD_TRY(ald_prepare_fit(run, &train->x, train->y.weights, &plan, &problem));
    const int scaled = ald_common_settings_of(run->settings).scale != ALD_COLUMNS_PLAIN;
    *served = !problem.which && !problem.gappy && scaled == (problem.scale != NULL);
    if (!*served) return ALD_OK;
    *z = problem.x;
    z->row_weight = NULL;
    *t = (ald_operator){.x = test->x};
    ALD_TRY(ald_prepare_rows(run, &plan, t));
    t->mean = z->mean;
    t->inverse_scale = z->inverse_scale;
    return means_are_small(run, z, served);
}

/* r (k x k), k = n + m: the triangle of the rows of both, which stand as columns over as many zeros as a tall
 * matrix needs. */
static ald_status decompose(ald_run *run, const ald_operator *z, const ald_operator *t, double *r)
{
    const int64_t n = z->x.rows, m = t->x.rows, d = z->x.cols, k = n + m, tall = d > k ? d : k;
    double *rows, *columns;
    ALD_TRY(ALD_SCRATCH(run, {&rows, k, d}, {&columns, tall, k}));
    ALD_TRY(ald_operator_rows(run, z, 0, ald_at(rows, n, d)));
    ALD_TRY(ald_operator_rows(run, t, 0, ald_at(rows + n * d, m, d)));
    ald_transpose(k, d, rows, columns);
    memset(columns + d * k, 0, (size_t)((tall - d) * k) * sizeof *columns);
    return ald_triangle(run, ald_at(columns, tall, k), ald_at(r, k, k));
}

/* Column `from` of r, its first n numbers and the length of the others, as a row. */
static void read_column(int64_t n, int64_t k, const double *r, int64_t from, double *row)
{
    double square = 0.0;
    for (int64_t j = 0; j < n; j++) row[j] = r[j * k + from];
    for (int64_t j = n; j < k; j++) square += r[j * k + from] * r[j * k + from];
    row[n] = sqrt(square);
}

static ald_status take_rows(ald_run *keeper, int64_t n, int64_t m, const double *r, ald_turned *turned)
{
    double *train, *test;
    ALD_TRY(ALD_SCRATCH(keeper, {&train, n, n + 1}, {&test, m, n + 1}));
    for (int64_t i = 0; i < n; i++) read_column(n, n + m, r, i, train + i * (n + 1));
    for (int64_t i = 0; i < m; i++) read_column(n, n + m, r, n + i, test + i * (n + 1));
    turned->train.x = ald_matrix_row_major(train, n, n + 1, n + 1);
    turned->test.x = ald_matrix_row_major(test, m, n + 1, n + 1);
    return ALD_OK;
}

/* `run` is for what is needed on the way. */
static ald_status turn(ald_run *run, ald_run *keeper, const ald_subset *train, const ald_subset *test,
                       ald_turned *turned)
{
    const int64_t n = train->x.rows, m = test->x.rows;
    ald_operator z, t;
    double *r;
    turned->train.y = train->y;
    turned->test.y = test->y;
    ALD_TRY(prepare(run, train, test, &z, &t, &turned->served));
    if (!turned->served) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n + m, n + m, &r));
    ALD_TRY(decompose(run, &z, &t, r));
    return take_rows(keeper, n, m, r, turned);
}

/* What cannot be prepared cannot be fitted either: the fit says why. */
static ald_status make(ald_run *outer, ald_rotations *rotations, const ald_subset *train,
                       const ald_subset *test, double (*clock)(void), ald_turned *turned)
{
    ald_error error;
    ald_run run;
    const double began = clock ? clock() : 0.0;
    ald_run_inside(&run, outer, &error);
    run.call.log = NULL;
    run.settings = turned->like;
    rotations->run.error = &error;
    const ald_status status = ald_run_end(&run, turn(&run, &rotations->run, train, test, turned));
    rotations->run.error = outer->error;
    turned->seconds = clock ? clock() - began : 0.0;
    if (status >= 0) return ALD_OK;
    turned->served = 0;
    if (status != ALD_ERROR_MEMORY && status != ALD_ERROR_CANCELLED) return ALD_OK;
    return ald_fail(outer->error, status, "%s", error.message);
}

void ald_rotations_begin(ald_run *run, const ald_sums_fit *fits, int64_t count, ald_rotations *rotations)
{
    *rotations = (ald_rotations){.fits = fits, .count = count};
    ald_run_fork(run, &rotations->run);
    rotations->run.error = run->error;
}

void ald_rotations_end(ald_rotations *rotations)
{
    if (rotations->run.context) ald_arena_free(&rotations->run.scratch);
    rotations->run.context = NULL;
    rotations->made = NULL;
}

/* A new place, and the old ones gone where they have become too large. */
static ald_status new_place(ald_rotations *rotations, const ald_settings *like, const ald_subset *train,
                            const ald_subset *test, ald_turned **place)
{
    const double n = (double)train->x.rows, bytes = 8.0 * (n + (double)test->x.rows) * (n + 1.0);
    if (rotations->bytes + bytes > ALD_ROTATION_BYTES) {
        ald_arena_free(&rotations->run.scratch);
        rotations->made = NULL;
        rotations->bytes = 0.0;
    }
    ALD_TRY(ald_scratch(&rotations->run, 1, 1, sizeof **place, place));
    **place = (ald_turned){
        .like = like,
        .from = train->x.values,
        .number = ++rotations->numbers,
        .next = rotations->made,
    };
    rotations->bytes += bytes;
    return ALD_OK;
}

ald_status ald_rotations_find(ald_run *run, ald_rotations *rotations, const ald_settings *settings,
                              const ald_subset *train, const ald_subset *test, double (*clock)(void),
                              const ald_turned **turned)
{
    ald_turned *found;
    *turned = NULL;
    if (!rotations || !has_place(train, test) || !may_turn(run, settings)) return ALD_OK;
    for (found = rotations->made; found; found = found->next)
        if (found->from == train->x.values && ald_same_preparation(found->like, settings)) break;
    rotations->run.error = run->error;
    if (!found) {
        ALD_TRY(new_place(rotations, settings, train, test, &found));
        if (pays(run, rotations, settings, train, test))
            ALD_TRY(make(run, rotations, train, test, clock, found));
        rotations->made = found;
    }
    if (found->served) *turned = found;
    return ALD_OK;
}

int64_t ald_turned_columns(const ald_turned *turned, const ald_settings *settings)
{
    const int64_t n = turned->train.x.rows;
    return ald_settings_method(settings)->turning == ALD_TURNED_DISTANCES ? n + 1 : n;
}
