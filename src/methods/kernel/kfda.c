/* Kernel Fisher discriminant analysis (Mika's).
 *
 * The features of a row are its kernel values with the training rows (or with the landmarks), k(x) of length
 * m. With m_c and m the means of k over class c and over all rows,
 *
 *   N = sum_c sum_{i in c} (k_i - m_c)(k_i - m_c)',     M = sum_c n_c (m_c - m)(m_c - m)',
 *   M a = lambda (N + e I) a,   a'(N + e I)a = 1,   e = ridge + ridge_rel tr(N) / m.
 *
 * The kernel is not centred: new rows are k(x)'a, given less their mean over the training rows. M = B B' with
 * B_c = sqrt(n_c) (m_c - m), so that X = (N + e I)^-1 B and the C x C matrix B'X are enough. N is summed from
 * rows centred by their class, never as a difference.
 *
 * Cost: n m d + n m^2 + m^3 / 3 (m = n without landmarks), memory 2 m^2. At most C - 1 directions. The ridge
 * acts on the coefficients, not on the length of a direction in feature space, so there is no form with
 * random features. */
#include "base/settings/settings.h"
#include "math/linalg/view.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"

#include <math.h>

static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0", 0, "added to the diagonal of N, the scatter within classes");
static const ald_param ridge_rel_param =
    ALD_RIDGE_REL_PARAM("0.001", "the same as a part of the mean of that diagonal; the two are added");

static const ald_param *const params[] = {
    &ridge_param,
    &ridge_rel_param,
    NULL,
};

/* f (n x C): 1/sqrt(n_c) in the column of the row's class. */
static ald_status indicators(ald_run *run, const ald_target *y, int64_t n, double **f)
{
    const int64_t c = y->n_classes;
    double *size;
    ALD_TRY(ald_scratch_zeros(run, c, 1, &size));
    ALD_TRY(ald_scratch_zeros(run, n, c, f));
    for (int64_t i = 0; i < n; i++) size[y->classes[i]] += 1.0;
    for (int64_t i = 0; i < n; i++) (*f)[i * c + y->classes[i]] = 1.0 / sqrt(size[y->classes[i]]);
    return ALD_OK;
}

static ald_status kfda_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    static const char limit[] = "the number of classes less one";
    ald_kernel_space space;
    double *f;
    double trace = 0.0;
    ALD_TRY(ald_check_bounds(run, problem, limit));
    ALD_TRY(indicators(run, problem->target, problem->n, &f));
    ALD_TRY(ald_kernel_space_make(run, problem, model, f, problem->target->n_classes,
                                  ALD_KERNEL_SPACE_COLUMNS, &space));
    const int64_t m = space.order;
    for (int64_t i = 0; i < m; i++) trace += space.q[i * m + i];
    const double ridge =
        ald_setting_real(run, &ridge_param) + ald_setting_real(run, &ridge_rel_param) * trace / (double)m;
    ald_add_ridge(ridge, ald_at(space.q, m, m));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.ridge", ridge));
    return ald_kernel_space_pencil(run, &space, space.q, limit, model);
}

const ald_method ald_method_kfda = {
    .name = "kfda",
    .title = "Kernel Fisher discriminant analysis",
    .synonyms = "kernel lda, kernel discriminant analysis, kda, gda, generalized discriminant analysis",
    .summary = "Curved directions along which the classes lie apart most, measured against their spread.",
    .reference = "Mika, Rätsch, Weston, Schölkopf and Müller (1999)",
    .capabilities =
        ALD_CAN_CLASSES | ALD_CAN_SPARSE | ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_IS_NESTED,
    .own_rule = ALD_ALL_THERE_ARE,
    .bounds = ALD_BY_ROWS | ALD_BY_TARGET,
    .inverse = ALD_INVERTS_OTHER,
    .turning = ALD_TURNED_DISTANCES,
    .tables = (const ald_param_table[]){params, ald_kernel_params, NULL},
    .fit = kfda_fit,
};
