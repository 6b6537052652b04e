/* The sums of all divisions of a set of splits, where they cost less than refitting, for the fits that they
 * can serve.
 *
 * With n rows, d columns, e entries (n d where dense), q classes, labels or responses, a part p of the rows
 * for training, and D divisions of the rows into S splits in all, in operations of a matrix product:
 *
 *   sums        D n d^2  (sparse: 4 D e d)
 *               + 15 S (d + q)^3      rows that have the moments
 *               +  4 S (d + q)^3      a fit
 *   refitting   p n d min(d, 30 r)    a fit by r directions from products with X (sparse: 4 e for n d)
 *               p n d^2 + d^3/3       a fit with a ridge, or LSQR's 720 e p q where that is less
 *
 * Where X stands on a card the sums are formed there, which takes next to nothing: they are taken always.
 *
 * 15 and 4 are measured: an eigendecomposition runs at about a third of the speed of a product, and the
 * problem of few rows is multiplied out again. 30 and 720 are the methods' own figures (pls.c, pencil.c). */
#include "base/settings/limits.h"
#include "base/settings/method.h"
#include "base/threads/jobs.h"
#include "judge/cells/folds.h"
#include "math/device/held.h"

#include <math.h>
#include <string.h>

/* Operations on an entry of X, as those of a dense product: sparse ones run at a quarter of the speed. */
static double entries(const ald_fold_work *w)
{
    return w->dense ? w->n * w->d : 4.0 * w->entries;
}

double ald_refit_operations(const ald_fold_work *w, const ald_settings *settings, int64_t r)
{
    const double pass = w->train * entries(w);
    if (ald_settings_method(settings)->inverse == ALD_INVERTS_NOTHING)
        return pass * fmin(w->d, 30.0 * (double)r);
    return fmin(pass * w->d + w->d * w->d * w->d / 3.0, 720.0 * w->train * w->entries * w->q);
}

double ald_fold_operations(const ald_fold_work *w, int64_t fits)
{
    const double order = w->d + w->q, cube = order * order * order;
    return w->divisions * entries(w) * w->d + w->splits * (15.0 + 4.0 * (double)fits) * cube;
}

int ald_folds_fit_memory(const ald_fold_work *w)
{
    return w->d <= ALD_SQUARE_ORDER && 8.0 * w->divisions * w->parts * w->d * w->d <= ALD_FOLD_BYTES;
}

typedef struct summing {
    const ald_subset *data;
    const ald_settings *like; /* the first settings that can be served */
    ald_sums *sums;
    int64_t parts;
} summing;

/* Parts of a division: 0 where rows are in none, which are those without a target. */
static int64_t count_parts(const ald_splits *splits)
{
    int32_t last = -1;
    for (int64_t i = 0; i < splits->repeats * splits->rows; i++) {
        if (splits->part_of[i] < 0) return 0;
        if (splits->part_of[i] > last) last = splits->part_of[i];
    }
    return last + 1;
}

static int64_t response_columns(const ald_target *y)
{
    if (y->kind == ALD_TARGET_NONE) return 0;
    return y->kind == ALD_TARGET_CLASSES ? y->n_classes : y->values.cols;
}

static ald_fold_work work_of(const ald_subset *data, const ald_splits *splits, int64_t parts)
{
    const double n = (double)data->x.rows;
    int64_t tested = 0;
    for (int64_t i = 0; i < splits->rows; i++)
        tested += splits->part_of[i] >= splits->first_test &&
                  splits->part_of[i] < splits->first_test + splits->tests;
    return (ald_fold_work){
        .n = n,
        .d = (double)data->x.cols,
        .entries = (double)ald_matrix_entries(&data->x),
        .dense = data->x.storage == ALD_DENSE,
        .q = (double)response_columns(&data->y),
        .train = 1.0 - (double)tested / (double)splits->tests / n,
        .divisions = (double)splits->repeats,
        .parts = (double)parts,
        .splits = (double)(splits->repeats * splits->tests),
    };
}

static int serves(ald_run *run, const ald_settings *settings, const ald_settings *like, const ald_target *y)
{
    const ald_settings *before = run->settings;
    run->settings = settings;
    const int served = ald_folds_serve(run, like, y);
    run->settings = before;
    return served;
}

/* The first settings that can be served, if serving all with the same row scaling costs less than refitting
 * them: always where X is on a card, to which it is copied here if that pays. */
static ald_status find_lead(ald_run *run, const ald_fold_work *work, const ald_subset *data,
                            const ald_sums_fit *fits, int64_t count, const ald_settings **found)
{
    const ald_settings *lead = NULL;
    double refitting = 0.0;
    int64_t served = 0;
    for (int64_t i = 0; i < count; i++) {
        const ald_settings *like = lead ? lead : fits[i].settings;
        if (!serves(run, fits[i].settings, like, &data->y)) continue;
        if (!lead) lead = fits[i].settings;
        refitting += work->splits * ald_refit_operations(work, fits[i].settings, fits[i].r);
        served++;
    }
    int64_t first;
    if (lead) ALD_TRY(ald_card_hold(run, &data->x, work->divisions * work->n * work->d * work->d));
    const int pays = ald_card_find(run, &data->x, &first) || ald_fold_operations(work, served) < refitting;
    *found = pays ? lead : NULL;
    return ALD_OK;
}

int ald_sums_is_quick(ald_run *run, const ald_subset *data, const ald_splits *splits, const ald_sums_fit *fit)
{
    const double quick = 1e8;
    const ald_fold_work work = work_of(data, splits, 1);
    return serves(run, fit->settings, fit->settings, &data->y) &&
           ald_refit_operations(&work, fit->settings, fit->r) < quick;
}

static ald_status sum_one(void *user, const ald_run *outer, int lane, int64_t job, ald_error *error)
{
    const summing *s = user;
    ald_run run;
    (void)lane;
    ald_run_inside(&run, outer, error);
    run.settings = s->like;
    return ald_run_end(&run, ald_folds_sum(&run, s->data, job % s->parts, &s->sums->of[job / s->parts]));
}

static ald_status sum_all(ald_run *run, const ald_splits *splits, summing *s)
{
    ald_sums *sums = s->sums;
    const ald_settings *before = run->settings;
    ald_status status = ALD_OK;
    ALD_TRY(ald_scratch_clear(run, splits->repeats, 1, sizeof *sums->of, &sums->of));
    run->settings = s->like;
    for (; status >= 0 && sums->divisions < splits->repeats; sums->divisions++)
        status = ald_folds_begin(run, splits->rows, splits->part_of + sums->divisions * splits->rows,
                                 s->parts, &sums->of[sums->divisions]);
    run->settings = before;
    ALD_TRY(status);
    return ald_jobs_run(run, splits->repeats * s->parts, "summing parts", sum_one, s);
}

ald_status ald_sums_make(ald_run *run, const ald_subset *data, const ald_splits *splits,
                         const ald_sums_fit *fits, int64_t count, ald_sums *sums)
{
    const ald_error before = *run->error;
    int64_t row, column;
    summing s = {.data = data, .sums = sums, .parts = count_parts(splits)};
    *sums = (ald_sums){0};
    if (s.parts == 0) return ALD_OK;
    const ald_fold_work work = work_of(data, splits, s.parts);
    if (!ald_folds_fit_memory(&work) || work.d >= work.train * work.n) return ALD_OK;
    ALD_TRY(find_lead(run, &work, data, fits, count, &s.like));
    if (!s.like) return ALD_OK;
    ALD_TRY(ald_matrix_find_bad(run, &data->x, &row, &column));
    if (row >= 0) return ALD_OK;
    const ald_status status = sum_all(run, splits, &s);
    if (status >= 0 || status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED) return status;
    ald_sums_free(sums);
    *run->error = before;
    return ALD_OK;
}

void ald_sums_free(ald_sums *sums)
{
    for (int64_t i = 0; i < sums->divisions; i++) ald_folds_free(&sums->of[i]);
    *sums = (ald_sums){0};
}
