/* Local Fisher discriminant analysis; semi-supervised where rows have no class.
 *
 *   S_b w = mu (S_b + S_w + rho I) w,     W'(S_b + S_w + rho I) W = I,     the largest mu, in [0, 1]
 *
 * Within a class only rows near each other are to stay together. With tau = x_i - x_j, n_c rows of class c of
 * n, and s_i the distance of row i to the k-th nearest of its class, k = min(n_neighbors, n_c - 1),
 *
 *   A_ij = exp(-|tau|^2 / (s_i s_j))         where s_i s_j = 0: 1 for equal rows, 0 for others
 *   S_w  = 1/2 sum of A_ij / n_c tau tau'    over the pairs of a class
 *   S_b  = 1/2 sum of A_ij (1/n - 1/n_c) tau tau' over these, and of tau tau' / n over all others
 *   rho  = ridge + ridge_rel lambda_1(S_b + S_w)
 *
 * A = 1 is Fisher's analysis (lda), with its directions and eigenvalues. With B the scatter of the class
 * means, C_c that of class c, L_c the Laplacian of A in class c and Q_c = X'L_c X,
 *
 *   S_w = sum_c Q_c / n_c,     S_b = B + sum_c (1 - n_c/n) (C_c - Q_c / n_c),
 *
 * where every term is positive semidefinite, so that nothing cancels. With rows that have no class, and the
 * scatter S_t of all rows about their mean,
 *
 *   S_b <- (1 - beta) S_b + beta S_t,     S_w <- (1 - beta) S_w + beta I;
 *
 * beta = 1 is pca of all rows. A row of weight w counts as w in n, n_c and the scatters, its pairs by the
 * product of the two weights; s_i is found as without weights.
 *
 * Everything is done in the coordinates of the rows in what they span (engines/row_space.h), k of them. Cost:
 * that decomposition; sum_c n_c^2 (3 d + k + 20) operations for neighbours and Laplacians, which are made in
 * blocks and forgotten; 2 n k^2 + 5 k^3. Memory: n k and 5 k^2; nothing is n_c x n_c.
 *
 * Edge cases: at most k directions. If every class has one row, nothing is within: refused. A class without
 * a row adds nothing.
 *
 * Reference: Sugiyama (2007); Sugiyama, Ide, Nakajima and Sese (2010). */
#include "base/settings/settings.h"
#include "math/graph/laplacian.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/pencil.h"
#include "methods/engines/row_space.h"

#include <math.h>
#include <string.h>

static const ald_param n_neighbors_param =
    ALD_INT_PARAM("n_neighbors", "7", 1, 1e9,
                  "the neighbour of its class whose distance is the scale of a row: rows farther apart than "
                  "that need not stay together",
                  .grid = "3,7,15", .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_NEIGHBORS);
static const ald_param beta_param = ALD_REAL_PARAM(
    "beta", "0.5", 0, 1,
    "where rows have no class: from 0, the rows with one alone, to 1, which is pca of all rows");
static const ald_param ridge_param = ALD_RIDGE_PARAM("0", 0, "added to the diagonal of S_b + S_w");
static const ald_param ridge_rel_param =
    ALD_RIDGE_REL_PARAM("0", "the same as a part of its largest eigenvalue; the two are added");

static const ald_param *const params[] = {
    &n_neighbors_param, &beta_param, &ridge_param, &ridge_rel_param, NULL,
};

typedef struct lfda {
    const ald_problem *problem;
    const ald_labelled *labelled;
    int64_t k;
    double total;             /* n: the weight of the rows with a class */
    double *rows;             /* F, rows of the problem x k */
    double *mean;             /* k: of the rows with a class */
    double *between, *within; /* S_b and S_w, k x k */
    int64_t *members;         /* of a class: numbers of rows */
} lfda;

static double weight_of(const lfda *f, int64_t row)
{
    return f->problem->weights ? f->problem->weights[row] : 1.0;
}

/* mean (k) of `count` rows; gives their weight. */
static double mean_of(const lfda *f, int64_t count, const int64_t *which, double *mean)
{
    double sum = 0.0;
    memset(mean, 0, (size_t)f->k * sizeof *mean);
    for (int64_t i = 0; i < count; i++) {
        sum += weight_of(f, which[i]);
        ald_add_times(f->k, weight_of(f, which[i]), f->rows + which[i] * f->k, mean);
    }
    for (int64_t j = 0; j < f->k; j++) mean[j] /= sum;
    return sum;
}

/* scale (count): s_i of the rows of a class. */
static ald_status find_scales(ald_run *run, const lfda *f, int64_t count, double *scale)
{
    const int64_t asked = ald_setting_int(run, &n_neighbors_param), most = count - 1;
    const int64_t nearest = asked < most ? asked : most;
    const ald_rows class = {&f->problem->x, f->members, count};
    int64_t *found;
    double *squares;
    ALD_TRY(ald_scratch(run, count, nearest, sizeof *found, &found));
    ALD_TRY(ald_scratch_reals(run, count, nearest, &squares));
    ALD_TRY(ald_neighbours_between(run, &class, &class, nearest, 1, found, squares));
    for (int64_t i = 0; i < count; i++) scale[i] = sqrt(squares[i * nearest + nearest - 1]);
    return ALD_OK;
}

/* local (k x k) = Q_c / n_c, and spread (k x k) = C_c - Q_c / n_c, of the class of the members. */
static ald_status class_scatters(ald_run *run, const lfda *f, int64_t count, const double *mean,
                                 double weight, double *local, double *spread)
{
    const int64_t k = f->k;
    const ald_rows class = {&f->problem->x, f->members, count};
    ald_laplacian l;
    double *scale, *factor, *own, *product;
    ALD_TRY(
        ALD_SCRATCH(run, {&scale, count, 1}, {&factor, count, 1}, {&own, count, k}, {&product, count, k}));
    ALD_TRY(find_scales(run, f, count, scale));
    for (int64_t i = 0; i < count; i++) {
        factor[i] = weight_of(f, f->members[i]);
        for (int64_t j = 0; j < k; j++) own[i * k + j] = f->rows[f->members[i] * k + j] - mean[j];
    }
    ALD_TRY(ald_laplacian_of_scaled(run, &class, scale, factor, &l));
    ALD_TRY(ald_laplacian_apply(run, &l, own, k, product));
    ALD_TRY(ald_product_add(run, 1.0 / weight, ald_t(ald_of(own, count, k)), ald_of(product, count, k), 0.0,
                            ald_at(local, k, k)));
    ald_symmetrise(ald_at(local, k, k));
    for (int64_t i = 0; i < count; i++) factor[i] = sqrt(factor[i]);
    ald_scale_rows(factor, ald_at(own, count, k));
    ALD_TRY(ald_gram(run, ald_of(own, count, k), ald_at(spread, k, k)));
    ald_add_times(k * k, -1.0, local, spread);
    return ALD_OK;
}

/* Adds the class of `count` members to S_b and S_w. */
static ald_status add_class(ald_run *run, const lfda *f, int64_t count)
{
    const int64_t k = f->k;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *mean, *local, *spread;
    ALD_TRY(ALD_SCRATCH(run, {&mean, k, 1}, {&local, k, k}, {&spread, k, k}));
    const double weight = mean_of(f, count, f->members, mean);
    if (count > 1) {
        ALD_TRY(class_scatters(run, f, count, mean, weight, local, spread));
        ald_add_times(k * k, 1.0, local, f->within);
        ald_add_times(k * k, 1.0 - weight / f->total, spread, f->between);
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            f->between[i * k + j] += weight * (mean[i] - f->mean[i]) * (mean[j] - f->mean[j]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status add_classes(ald_run *run, lfda *f)
{
    const ald_labelled *l = f->labelled;
    int64_t largest = 0;
    ALD_TRY(ald_scratch(run, l->count, 1, sizeof *f->members, &f->members));
    f->total = mean_of(f, l->count, l->which, f->mean);
    for (int32_t c = 0; c < l->target.n_classes; c++) {
        int64_t count = 0;
        for (int64_t i = 0; i < l->count; i++)
            if (l->target.classes[i] == c) f->members[count++] = l->which[i];
        if (count > largest) largest = count;
        if (count > 0) ALD_TRY(add_class(run, f, count));
    }
    if (largest > 1) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "every class has only one row, so that nothing is within a class: lfda needs a class with "
        "two, better with `n_neighbors` and more");
}

/* S_b and S_w with their part of all rows. */
static ald_status add_all_rows(ald_run *run, lfda *f, const ald_row_space *space)
{
    const double beta = ald_setting_real(run, &beta_param);
    const int64_t k = f->k;
    ald_scale(1.0 - beta, ald_at(f->between, k, k));
    ald_scale(1.0 - beta, ald_at(f->within, k, k));
    ald_add_ridge(beta, ald_at(f->within, k, k));
    if (!f->problem->weights) {
        for (int64_t j = 0; j < k; j++) f->between[j * k + j] += beta * space->values[j];
        return ALD_OK;
    }
    ald_scale_rows(f->problem->x.row_weight, ald_at(f->rows, f->problem->n, k));
    ALD_TRY(ald_gram_add(run, beta, ald_of(f->rows, f->problem->n, k), 1.0, ald_at(f->between, k, k)));
    ald_mirror(ald_at(f->between, k, k));
    return ALD_OK;
}

static ald_status lfda_solve(ald_run *run, const lfda *f, ald_generalized *solved)
{
    *solved = (ald_generalized){
        .k = f->k,
        .r = f->problem->r,
        .a = f->between,
        .b = f->within,
        .ridge = ald_setting_real(run, &ridge_param),
        .ridge_rel = ald_setting_real(run, &ridge_rel_param),
        .singular = "S_b + S_w is singular: raise `ridge_rel`, or leave out redundant columns",
    };
    ald_add_times(f->k * f->k, 1.0, f->between, f->within);
    return ald_generalized_solve(run, solved);
}

static ald_status lfda_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_operator z = problem->x;
    ald_row_space space;
    ald_labelled labelled;
    ald_generalized solved;
    double *components;
    lfda f = {.problem = problem, .labelled = &labelled};
    if (problem->r == 0) return ald_no_own_rule(run);
    ALD_TRY(ald_labelled_find(run, problem, model, &labelled));
    z.row_weight = NULL;
    ALD_TRY(ald_row_space_find(run, problem, &z, problem->d > problem->n, NULL, &space));
    f.k = space.k;
    ALD_TRY(ALD_SCRATCH(run, {&f.rows, problem->n, f.k}, {&f.mean, f.k, 1},
                        {&components, problem->r, problem->d}));
    ALD_TRY(ald_scratch_zeros(run, f.k, f.k, &f.between));
    ALD_TRY(ald_scratch_zeros(run, f.k, f.k, &f.within));
    ALD_TRY(ald_row_space_rows(run, &space, f.rows));
    ALD_TRY(add_classes(run, &f));
    if (labelled.others_count > 0) ALD_TRY(add_all_rows(run, &f, &space));
    ALD_TRY(lfda_solve(run, &f, &solved));
    ALD_TRY(ald_row_space_back(run, &space, problem->r, solved.w, components));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", problem->r, solved.values));
    if (solved.rho > 0.0) ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.ridge", solved.rho));
    return ald_add_components(run, problem, problem->r, components, NULL, model);
}

const ald_method ald_method_lfda = {
    .name = "lfda",
    .title = "Local Fisher discriminant analysis",
    .synonyms = "local lda, local fda, self, semi-supervised lda, multimodal discriminant analysis",
    .summary = "Directions along which classes lie apart, where a class may consist of several clusters.",
    .reference = "Sugiyama (2007); Sugiyama, Ide, Nakajima and Sese (2010)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_UNLABELLED |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = lfda_fit,
};
