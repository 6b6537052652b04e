/* Neighbourhood components analysis: a projection in which rows of one class are each other's neighbours.
 *
 *   largest  f = mean over i of sum over j of i's class of p_ij - ridge |W|^2
 *
 * the share of rows that a neighbour drawn at random classifies correctly, the row itself left out, where
 * near ones are drawn most often (distances/soft_neighbours.h has p and the gradient). L-BFGS from
 *
 *   init=pca    the leading eigenvectors of X'X over the deviation of the first score
 *   init=lda    Fisher's directions with W'S_w W = n I, filled up by those of pca
 *   init=auto   both; the better end is taken. A start that is given takes their place
 *
 * f depends on the units of W: it is turned so that the covariance of the scores is diagonal, descending,
 * and not scaled; 1-NN in the scores is what f is about. On separable classes f approaches 1 as W grows
 * without bound: max_iter ends that, or a ridge.
 *
 * Cost of an iteration: n^2 (4 r + 4 C + 30) + 4 n d r for C classes, two to four times for init=auto.
 *
 * Edge cases: in the lda start, what varies within classes by less than 1e-4 of the whole counts as that. A
 * class of one row adds nothing to f. Local maxima are many; the ends of two starts differ by a few per
 * cent.
 *
 * Reference: Goldberger, Roweis, Hinton and Salakhutdinov (2004). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "methods/distances/soft_neighbours.h"
#include "methods/engines/pencil.h"

#include <math.h>
#include <string.h>

static const char *const starts[] = {"auto", "pca", "lda", NULL};
enum { start_auto, start_pca, start_lda };

static const ald_param init_param = ALD_CHOICE_PARAM(
    "init", "auto", starts,
    "where to start: pca, lda, or both and take the better end; auto: from a start that comes "
    "with the rows, where there is one");
static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0", 0, "penalty of the squared length of W; keeps W finite on separable classes");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("100", "at most this many iterations of L-BFGS");
static const ald_param tol_param = ALD_TOL_PARAM(
    "1e-07", 1e-15, "stop when the largest entry of the gradient is this part of that at the start");

static const ald_param *const params[] = {
    &init_param, &ridge_param, &max_iter_param, &tol_param, NULL,
};

/* between (k x k): the scatter of the class means, of rows in coordinates. */
static ald_status between_classes(ald_run *run, const ald_soft *s, double *between)
{
    const int64_t k = s->k;
    double *means;
    ALD_TRY(ald_scratch_reals(run, s->q, k, &means));
    ALD_TRY(
        ald_product(run, ald_t(ald_of(s->y, s->n, s->q)), ald_of(s->rows, s->n, k), ald_at(means, s->q, k)));
    for (int64_t c = 0; c < s->q; c++) {
        double count = 0.0;
        for (int64_t i = 0; i < s->n; i++) count += s->y[i * s->q + c];
        for (int64_t j = 0; count > 0.0 && j < k; j++) means[c * k + j] /= sqrt(count);
    }
    return ald_gram(run, ald_of(means, s->q, k), ald_at(between, k, k));
}

/* w (k x r): Fisher's directions; those of pca where there are no more. */
static ald_status lda_start(ald_run *run, const ald_soft *s, double *w)
{
    const int64_t k = s->k, r = s->r, there = s->q - 1 < r ? s->q - 1 : r;
    const double least = 1e-4;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_generalized g = {.k = k, .r = there, .singular = "the scatter of X is singular"};
    ALD_TRY(ald_scratch_reals(run, k, k, &g.a));
    ALD_TRY(ald_scratch_zeros(run, k, k, &g.b));
    ALD_TRY(between_classes(run, s, g.a));
    /* in coordinates of unit variance, as eigenvalues of X'X may differ by all digits */
    for (int64_t i = 0; i < k; i++) {
        g.b[i * k + i] = 1.0;
        for (int64_t j = 0; j < k; j++) g.a[i * k + j] /= sqrt(s->space.values[i] * s->space.values[j]);
    }
    ALD_TRY(ald_generalized_solve(run, &g));
    ald_soft_pca(s, w);
    for (int64_t c = r - 1; c >= there; c--)
        for (int64_t i = 0; i < k; i++) w[i * r + c] = w[i * r + c - there];
    for (int64_t i = 0; i < k; i++)
        for (int64_t c = 0; c < there; c++)
            w[i * r + c] = g.w[i * there + c] *
                           sqrt((double)s->n / (s->space.values[i] * fmax(1.0 - g.values[c], least)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status refuse_both(ald_run *run, int init)
{
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "a start is given, and `init=%s` is another: leave one of them out", starts[init]);
}

static ald_status nca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int init = ald_setting_choice(run, &init_param), turns = init == start_auto ? 2 : 1;
    ald_soft s = {
        .problem = problem,
        .share = 1,
        .ridge = ald_setting_real(run, &ridge_param),
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
    };
    double *w;
    ALD_TRY(ald_soft_begin(run, problem->start ? 1 : turns, &s));
    ALD_TRY(ald_scratch_reals(run, s.k, s.r, &w));
    if (problem->start) {
        if (init != start_auto) return refuse_both(run, init);
        ALD_TRY(ald_soft_given(run, &s, w));
        ALD_TRY(ald_soft_descend(run, &s, w, 0, 1, "given"));
        return ald_soft_add(run, &s, model);
    }
    if (init != start_pca) {
        ALD_TRY(lda_start(run, &s, w));
        ALD_TRY(ald_soft_descend(run, &s, w, 0, turns, starts[start_lda]));
    }
    if (init != start_lda) {
        ald_soft_pca(&s, w);
        ALD_TRY(ald_soft_descend(run, &s, w, turns - 1, turns, starts[start_pca]));
    }
    return ald_soft_add(run, &s, model);
}

const ald_method ald_method_nca = {
    .name = "nca",
    .title = "Neighbourhood components analysis",
    .synonyms = "neighborhood components analysis, metric learning, mahalanobis metric",
    .summary = "Directions in which the nearest rows of a row are of its class.",
    .reference = "Goldberger, Roweis, Hinton and Salakhutdinov (2004)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_SPARSE | ALD_CAN_MAP_NEW_ROWS | ALD_CAN_START | ALD_IS_LINEAR,
    .relation = ALD_BY_OBJECTIVE,
    .sense = ALD_IS_SHARE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = nca_fit,
};
