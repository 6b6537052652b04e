/* Making the space of a kernel method from its settings, once for all fits of a comparison that have the same
 * kernel of the same rows. */
#include "methods/engines/kernel_space.h"

#include "base/core/tryout.h"
#include "base/numbers/hash.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/threads/large_copy.h"
#include "math/kernel/gram.h"
#include "math/kernel/width.h"
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"
#include "math/solvers/subspace.h"
#include "methods/engines/engine_params.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char avoid_square[] = "set `landmarks=1000`, which compares rows with that many only";

/* What does not go together. */
static ald_status check_settings(ald_run *run, const ald_kernel *kernel)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const int landmarks = asked.landmarks > 0, features = asked.features > 0;
    const ald_common_settings common = ald_common_settings_of(run->settings);
    if (landmarks && features)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "landmarks and features cannot be combined: set one of them");
    if (kernel->kind != ALD_KERNEL_PRECOMPUTED) return ALD_OK;
    if (landmarks || features)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`kernel=precomputed` takes neither landmarks nor features");
    if (common.scale != ALD_COLUMNS_PLAIN || common.row_scale != ALD_ROWS_PLAIN || common.rows.count > 0)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`kernel=precomputed` takes X as it is: leave `scale`, `row_scale` and `rows` at none");
    return ALD_OK;
}

/* Whether the fit makes all entries of Q. */
static int makes_square(ald_kernel_space_need need, int64_t n)
{
    return need != ALD_KERNEL_SPACE_INNER && (need != ALD_KERNEL_SPACE_PRODUCTS || n <= ALD_SQUARE_ORDER);
}

/* The median of the distances, which are kept where the kernel of all rows (`whole`) is made of them: with
 * fewer columns than these it is made anew as fast (1 and 2 threads). The fits of a comparison share theirs.
 */
static ald_status take_median(ald_run *run, int whole, double part, ald_kernel_space *s)
{
    enum { columns_worth_keeping = 128 };
    ald_kernel *kernel = &s->features.kernel;
    if (whole && kernel->kind == ALD_KERNEL_RBF && s->n <= ALD_MEDIAN_ROWS && !ald_tryout_shares(run) &&
        s->problem->d >= columns_worth_keeping && !s->rows.remote && !s->rows.all)
        ALD_TRY(ald_scratch_reals(run, s->n, s->n, &s->squares));
    ALD_TRY(ald_kernel_median(run, kernel, &s->rows, ald_seed(run), s->squares, &kernel->width));
    kernel->width *= part;
    return ALD_OK;
}

static ald_status resolve_width(ald_run *run, ald_model *model, int whole, double part, ald_kernel_space *s)
{
    ald_kernel *kernel = &s->features.kernel;
    if (kernel->kind != ALD_KERNEL_RBF && kernel->kind != ALD_KERNEL_LAPLACIAN) return ALD_OK;
    if (kernel->width == 0.0) ALD_TRY(take_median(run, whole, part, s));
    if (!(kernel->width > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "`kernel_width=0` stands for the median distance between rows, which is 0 here: the "
                        "rows examined are all equal. Set `kernel_width`");
    if (!isfinite(kernel->width))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "X is too large to be squared: scale it (`scale=standard`)");
    return ald_model_set_real(run, model, "alidade.resolved.kernel_width", kernel->width);
}

/* (x'y + coef0)^degree is the same number for all rows, to rounding, where coef0 is far above x'y; and
 * centring then leaves nothing but that rounding. At least four digits of what is left must be right. */
static ald_status check_polynomial(ald_run *run, const ald_operator *rows, const ald_kernel *kernel)
{
    double squares;
    if (kernel->kind != ALD_KERNEL_POLYNOMIAL) return ALD_OK;
    if (rows->remote)
        ALD_TRY(rows->remote->norm(run, rows->remote, kernel, &squares));
    else
        ALD_TRY(ald_operator_square_norm(run, rows, &squares));
    const double product = squares / (double)ald_rows_total(rows);
    if (!isfinite(pow(kernel->coef0 + product, (double)kernel->degree)))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the polynomial kernel is too large to be a number, with products of rows of about %.1e, "
            "coef0 = %g and degree = %lld: lower `coef0` or `degree`, or use `scale=standard`",
            product, kernel->coef0, (long long)kernel->degree);
    if (!(DBL_EPSILON * kernel->coef0 > 1e-4 * product)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "coef0 = %g is so much larger than the products of rows, about %.1e, that the polynomial "
                    "kernel is the same for all of them to rounding: lower `coef0`",
                    kernel->coef0, product);
}

static ald_status make_kernel(ald_run *run, const ald_problem *problem, ald_model *model, int whole,
                              double part, ald_kernel_space *s)
{
    ald_kernel *kernel = &s->features.kernel;
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    *kernel = (ald_kernel){(ald_kernel_kind)asked.kernel, asked.width, asked.coef0, asked.degree};
    ALD_TRY(check_settings(run, kernel));
    s->rows = problem->x;
    ALD_TRY(ald_kernel_rows(run, kernel, problem->shift, &s->rows));
    if (kernel->kind == ALD_KERNEL_PRECOMPUTED)
        ALD_TRY(ald_kernel_check_precomputed(run, &s->rows, ald_seed(run)));
    ALD_TRY(check_polynomial(run, &s->rows, kernel));
    return resolve_width(run, model, whole, part, s);
}

/* All training rows. */
static ald_status take_all(ald_run *run, ald_kernel_space *s)
{
    s->features.m = s->n;
    return ald_landmarks_take(run, &s->features.kernel, &s->rows, s->n, NULL, &s->features.landmarks);
}

/* b = F, centred. */
static ald_status take_centred(ald_run *run, const double *f, ald_kernel_space *s)
{
    const int64_t n = s->n, k = s->k;
    ALD_TRY(ald_scratch_reals(run, n, k, &s->b));
    ALD_TRY(ald_copy_large(run, n * k, f, s->b));
    ALD_TRY(ald_progress(run, "centring the target", -1.0));
    ALD_TRY(ald_centre_columns(run, n, k, s->b));
    return ald_progress(run, "centring the target", 1.0);
}

ald_status ald_kernel_space_write(ald_run *run, ald_kernel_space *s)
{
    const ald_kernel *kernel = &s->features.kernel;
    if (s->squares) {
        s->q = s->squares;
        s->squares = NULL;
        ALD_TRY(ald_kernel_of_distances(run, kernel, s->n, s->q));
    } else {
        ALD_TRY(ald_kernel_check_size(run, s->n, 2, avoid_square));
        ALD_TRY(ald_scratch_reals(run, s->n, s->n, &s->q));
        ALD_TRY(ald_kernel_square(run, kernel, &s->rows, &s->features.landmarks, s->q));
    }
    ALD_TRY(ald_kernel_centre(run, s->n, s->q, s->mean));
    return ald_progress(run, "centring the kernel", 1.0);
}

static ald_status make_dual(ald_run *run, ald_kernel_space_need need, ald_kernel_space *s)
{
    const int64_t n = s->n;
    s->dual = 1;
    s->order = n;
    ALD_TRY(take_all(run, s));
    if (!makes_square(need, n)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, 1, &s->mean));
    if (need == ALD_KERNEL_SPACE_TOP)
        ALD_TRY(ald_kernel_on_card(run, &s->features.kernel, &s->rows, s->mean, &s->trace, &s->on_card));
    return s->on_card.values ? ALD_OK : ald_kernel_space_write(run, s);
}

static ald_status choose_features(ald_run *run, ald_kernel_space *s)
{
    const ald_kernel_settings settings = ald_kernel_settings_of(run);
    const int64_t m = settings.features, asked = settings.landmarks;
    ald_features *features = &s->features;
    if (m > 0) {
        features->m = m;
        return ald_fourier_draw(run, &features->kernel, m, features->d, ald_seed(run), &features->fourier);
    }
    if (asked == 0) return take_all(run, s);
    features->m = asked < s->n ? asked : s->n;
    return ald_landmarks_choose(run, &features->kernel, &s->rows, features->m, settings.choice, ald_seed(run),
                                &features->landmarks);
}

/* T for landmarks, and how much of the kernel the explicit features miss. */
static ald_status make_map(ald_run *run, ald_kernel_space *s)
{
    const ald_features *features = &s->features;
    if (features->fourier.m == 0) {
        ALD_TRY(ald_landmarks_whiten(run, &features->kernel, &features->landmarks, &s->t, &s->order));
        s->rank = s->order;
    }
    if (features->fourier.m == 0 && features->m == s->n) return ALD_OK;
    return ald_features_error(run, features, &s->rows, s->t, s->order, ald_seed(run), &s->missed);
}

/* What became of the settings of explicit features. */
static ald_status tell_features(ald_run *run, const ald_kernel_space *s, ald_model *model)
{
    const long long m = (long long)s->features.m, rank = (long long)s->rank;
    if (ald_kernel_settings_of(run).landmarks > 0)
        ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.landmarks", "%lld", m));
    if (rank > 0) ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.kernel_rank", "%lld", rank));
    if (s->missed < 0.0) return ALD_OK;
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.approximation_error", s->missed));
    if (s->missed > 0.2)
        ald_warn(
            run, ALD_RANK_REDUCED,
            "the approximation misses %.0f %% of the kernel (root mean square of entries between 200 rows): "
            "raise `landmarks` or `features`, or `kernel_width`",
            100.0 * s->missed);
    return ALD_OK;
}

/* Means, Q and B in two passes over the rows. */
static ald_status sum_features(ald_run *run, const double *f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const ald_target *y = s->problem->target;
    const int columns = need == ALD_KERNEL_SPACE_COLUMNS;
    ald_feature_sums sums = {.f = f, .k = s->k, .t = s->t, .p = s->order};
    ALD_TRY(ald_scratch_reals(run, s->features.m, 1, &s->mean));
    if (f) ALD_TRY(ald_scratch_reals(run, s->order, s->k, &s->b));
    if (need != ALD_KERNEL_SPACE_INNER) ALD_TRY(ald_scratch_reals(run, s->order, s->order, &s->q));
    sums.group = columns ? y->classes : NULL;
    sums.groups = columns ? y->n_classes : 0;
    sums.mean = s->mean;
    sums.cross = s->b;
    sums.scatter = s->q;
    return ald_features_sum(run, &s->features, &s->rows, &sums);
}

static ald_status make_primal(ald_run *run, const double *f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const int columns = need == ALD_KERNEL_SPACE_COLUMNS;
    ALD_TRY(choose_features(run, s));
    s->order = s->features.m;
    ALD_TRY(
        ald_kernel_check_size(run, s->order, 3, columns ? avoid_square : "lower `landmarks` or `features`"));
    if (!columns || s->features.m < s->n) ALD_TRY(make_map(run, s));
    if (columns) { /* the map only served to measure the landmarks */
        s->t = NULL;
        s->order = s->features.m;
    }
    return sum_features(run, f, need, s);
}

/* Everything but what the target gives in the dual. */
static ald_status build(ald_run *run, int primal, const double *f, ald_kernel_space_need need,
                        ald_kernel_space *s)
{
    return primal ? make_primal(run, f, need, s) : make_dual(run, need, s);
}

/* All that a space is made from: its kernel, its rows, and in the primal the target. */
static uint64_t space_key(const ald_run *run, int primal, const double *f, ald_kernel_space_need need,
                          const ald_kernel_space *s)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const ald_kernel *kernel = &s->features.kernel;
    const ald_target *y = s->problem->target;
    const double reals[] = {kernel->width, kernel->coef0};
    const int64_t whole[] = {
        kernel->kind,   kernel->degree, need,          primal, asked.landmarks,        asked.choice,
        asked.features, s->n,           s->problem->d, s->k,   (int64_t)ald_seed(run),
    };
    uint64_t key = ald_hash(ald_hash(ALD_HASH_START, reals, sizeof reals), whole, sizeof whole);
    if (primal && f) key = ald_hash_reals(key, f, s->n * s->k);
    if (need == ALD_KERNEL_SPACE_COLUMNS) key = ald_hash(key, y->classes, (size_t)s->n * sizeof *y->classes);
    return ald_operator_print(key, &s->rows);
}

ald_status ald_kernel_space_own(ald_run *run, ald_kernel_space *s)
{
    const double *const shared = s->q;
    if (!ald_tryout_shares(run) || !shared) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, s->order, s->order, &s->q));
    return ald_copy_large(run, s->order * s->order, shared, s->q);
}

/* The sums of explicit features, which methods overwrite, for the fit alone. */
static ald_status copy_sums(ald_run *run, ald_kernel_space *s)
{
    const double *const shared = s->b;
    if (s->dual) return ALD_OK;
    ALD_TRY(ald_kernel_space_own(run, s));
    if (!shared) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, s->order, s->k, &s->b));
    memcpy(s->b, shared, (size_t)(s->order * s->k) * sizeof *s->b);
    return ALD_OK;
}

static ald_status keep_space(ald_run *keeper, int primal, const double *f, ald_kernel_space_need need,
                             ald_kernel_space *s, ald_kept *kept)
{
    ald_kernel_space *made;
    ALD_TRY(build(keeper, primal, f, need, s));
    ALD_TRY(ald_scratch(keeper, 1, 1, sizeof *made, &made));
    *made = *s;
    kept->thing = made;
    return ALD_OK;
}

/* In a comparison that of an earlier fit, with the rows of this one. */
static ald_status find_or_build(ald_run *run, int primal, const double *f, ald_kernel_space_need need,
                                ald_kernel_space *s)
{
    const int64_t m = ald_kernel_settings_of(run).landmarks;
    const double order = (double)(m > 0 && m < s->n ? m : s->n), d = (double)s->problem->d;
    const ald_kernel_space given = *s;
    ald_kept *kept = NULL;
    ald_run keeper;
    if (!ald_tryout_shares(run) || s->rows.source || s->rows.remote || s->rows.all ||
        need == ALD_KERNEL_SPACE_INNER)
        return build(run, primal, f, need, s);
    ALD_TRY(ald_tryout_common(run, space_key(run, primal, f, need, s), 8.0 * order * (2.0 * order + 2.0 * d),
                              &kept));
    if (!kept) return build(run, primal, f, need, s);
    if (!kept->thing) {
        ald_tryout_open(run, kept, &keeper);
        const ald_status status = keep_space(&keeper, primal, f, need, s, kept);
        ALD_TRY(ald_tryout_close(run, kept, &keeper, status));
    }
    *s = *(const ald_kernel_space *)kept->thing;
    s->problem = given.problem;
    s->rows = given.rows;
    return copy_sums(run, s);
}

static ald_status make_space(ald_run *run, const ald_problem *problem, ald_model *model, double part,
                             ald_view f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const int primal = ald_kernel_is_approximate(&asked) || need == ALD_KERNEL_SPACE_COLUMNS;
    *s = (ald_kernel_space){
        .problem = problem,
        .n = problem->n,
        .k = f.cols,
        .features = {.d = problem->d},
        .missed = -1.0,
    };
    ALD_TRY(make_kernel(run, problem, model, !primal && makes_square(need, s->n), part, s));
    ALD_TRY(find_or_build(run, primal, f.data, need, s));
    if (primal) return tell_features(run, s, model);
    return f.data ? take_centred(run, f.data, s) : ALD_OK;
}

ald_status ald_kernel_space_make(ald_run *run, const ald_problem *problem, ald_model *model, const double *f,
                                 int64_t k, ald_kernel_space_need need, ald_kernel_space *s)
{
    return make_space(run, problem, model, 1.0, ald_of(f, problem->n, k), need, s);
}

ald_status ald_kernel_space_make_narrow(ald_run *run, const ald_problem *problem, ald_model *model,
                                        double part, ald_kernel_space_need need, ald_kernel_space *s)
{
    return make_space(run, problem, model, part, ald_of(NULL, problem->n, 0), need, s);
}

ald_status ald_kernel_space_of_features(ald_run *run, const ald_problem *problem, ald_area features,
                                        ald_view f, ald_kernel_space_need need, ald_kernel_space *s)
{
    const int64_t n = problem->n, p = features.cols, k = f.cols;
    double *const phi = features.data;
    *s = (ald_kernel_space){.problem = problem, .n = n, .order = p, .k = k, .phi = phi};
    if (f.data) {
        ALD_TRY(ald_scratch_reals(run, p, k, &s->b));
        ALD_TRY(ald_product(run, ald_t(ald_of(phi, n, p)), f, ald_at(s->b, p, k)));
    }
    if (need == ALD_KERNEL_SPACE_INNER) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, p, p, &s->q));
    return ald_product(run, ald_t(ald_of(phi, n, p)), ald_of(phi, n, p), ald_at(s->q, p, p));
}
