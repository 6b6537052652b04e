/* The three choices of landmarks, and the map T of the chosen ones (choose_landmarks.h). */
#include "math/kernel/choose_landmarks.h"

#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"

#include <math.h>
#include <string.h>

const char *const ald_landmark_choices[] = {"uniform", "kmeans", "leverage", NULL};

/* m of n rows, in rising order; stream tells apart what else is drawn with the seed. */
static ald_status draw_rows(ald_run *run, int64_t n, int64_t m, uint64_t seed, uint64_t stream,
                            int64_t **rows)
{
    ald_random random;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **rows, rows));
    ald_random_seed(&random, seed, stream);
    ald_random_permutation(&random, n, *rows);
    ald_sort_whole(m, *rows);
    return ALD_OK;
}

typedef struct grouping {
    const ald_operator *z; /* the rows that are grouped */
    int64_t m, d;
    double *centres, *sums; /* m x d */
    int64_t *sizes;
    double *distances; /* a block */
    int64_t step;
} grouping;

static int64_t nearest(int64_t m, const double *distances)
{
    int64_t best = 0;
    for (int64_t k = 1; k < m; k++)
        if (distances[k] < distances[best]) best = k;
    return best;
}

/* One step of Lloyd's: every row to its nearest centre, every centre to the mean of its rows. A centre
 * without rows stays. */
static ald_status lloyd_step(ald_run *run, grouping *g)
{
    const ald_kernel distance = {.kind = ALD_SQUARE_DISTANCE};
    const int64_t n = g->z->x.rows, m = g->m, d = g->d;
    ald_landmarks l;
    double *row;
    ALD_TRY(ald_scratch_reals(run, d, 1, &row));
    ALD_TRY(ald_landmarks_of_rows(run, &distance, m, d, g->centres, &l));
    memset(g->sums, 0, (size_t)(m * d) * sizeof *g->sums);
    memset(g->sizes, 0, (size_t)m * sizeof *g->sizes);
    for (int64_t i = 0; i < n; i += g->step) {
        const int64_t count = g->step < n - i ? g->step : n - i;
        const ald_kernel_block block = {&distance, g->z, &l, i, count, 0, m, g->distances, m};
        ALD_TRY(ald_kernel_block_make(run, &block));
        for (int64_t a = 0; a < count; a++) {
            const int64_t k = nearest(m, g->distances + a * m);
            ALD_TRY(ald_operator_rows(run, g->z, i + a, ald_at(row, 1, d)));
            for (int64_t j = 0; j < d; j++) g->sums[k * d + j] += row[j];
            g->sizes[k]++;
        }
    }
    for (int64_t k = 0; k < m; k++)
        for (int64_t j = 0; j < d && g->sizes[k] > 0; j++)
            g->centres[k * d + j] = g->sums[k * d + j] / (double)g->sizes[k];
    return ALD_OK;
}

static ald_status choose_kmeans(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t m,
                                uint64_t seed, ald_landmarks *l)
{
    enum { steps = 10, rows_a_centre = 20, least_rows = 5000 };
    const int64_t n = ald_rows_total(z), d = z->x.cols,
                  want = m * rows_a_centre > least_rows ? m * rows_a_centre : least_rows,
                  used = want < n ? want : n;
    int64_t *sample, *start;
    ald_landmarks rows;
    if (z->x.storage != ALD_DENSE)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`landmark_choice=kmeans` needs dense rows, and X is sparse: use uniform or leverage");
    grouping g = {.m = m, .d = d, .step = ald_kernel_block_rows(d, m)};
    ALD_TRY(ALD_SCRATCH(run, {&g.centres, m, d}, {&g.sums, m, d}));
    ALD_TRY(ald_scratch(run, m, 1, sizeof *g.sizes, &g.sizes));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, g.step, m, &g.distances));
    ALD_TRY(draw_rows(run, n, used, seed, 2, &sample));
    ALD_TRY(draw_rows(run, used, m, seed, 3, &start));
    const ald_kernel plain = {.kind = ALD_KERNEL_LINEAR};
    ALD_TRY(ald_landmarks_take(run, &plain, z, used, sample, &rows));
    const ald_operator chosen = ald_landmarks_operator(&rows);
    g.z = &chosen;
    for (int64_t k = 0; k < m; k++)
        memcpy(g.centres + k * d, rows.rows + start[k] * d, (size_t)d * sizeof *g.centres);
    for (int step = 0; step < steps; step++) {
        const uint64_t inner = ald_arena_mark(&run->scratch);
        ALD_TRY(lloyd_step(run, &g));
        ald_arena_release(&run->scratch, inner);
        ALD_TRY(ald_progress(run, "grouping rows for landmarks", (double)(step + 1) / steps));
    }
    ald_arena_release(&run->scratch, mark);
    return ald_landmarks_of_rows(run, kernel, m, d, g.centres, l);
}

/* k(x_i, x_i). */
static ald_status diagonal(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t i,
                           double *k)
{
    const ald_kernel linear = {.kind = ALD_KERNEL_LINEAR};
    ald_landmarks row;
    *k = ald_kernel_diagonal(kernel, 0.0);
    if (ald_kernel_is_shift_invariant(kernel)) return ALD_OK;
    ALD_TRY(ald_landmarks_take(run, &linear, z, 1, &i, &row));
    *k = ald_kernel_diagonal(kernel, row.squares[0]);
    return ALD_OK;
}

/* C = sum phi phi' (p x p) with the eigenvectors as rows, of the features mapped by t. */
static ald_status decompose_products(ald_run *run, const ald_features *first, const ald_operator *z,
                                     const double *t, int64_t p, double *values, double *vectors)
{
    const int64_t m = first->m;
    double *scatter, *mean, *mapped;
    ALD_TRY(ALD_SCRATCH(run, {&scatter, p, p}, {&mean, m, 1}, {&mapped, p, 1}));
    ald_feature_sums sums = {.mean = mean, .scatter = scatter, .t = t, .p = p};
    ALD_TRY(ald_features_sum(run, first, z, &sums));
    ALD_TRY(ald_product(run, ald_t(ald_of(t, m, p)), ald_of(mean, m, 1), ald_at(mapped, p, 1)));
    ALD_TRY(ald_product_add(run, (double)z->x.rows, ald_of(mapped, p, 1), ald_t(ald_of(mapped, p, 1)), 1.0,
                            ald_at(scatter, p, p)));
    return ald_eigen(run, ald_at(scatter, p, p), values, ald_at(vectors, p, p));
}

/* What leverage scores are made of. */
typedef struct leverage {
    const ald_features *first;
    const ald_operator *z;
    const double *values; /* of C */
    double ridge;
} leverage;

/* Scores of rows i0 .. from phi'V (count x p): with C = V c V' the quadratic form is a sum of squares. */
static ald_status score_rows(ald_run *run, const leverage *l, int64_t i0, ald_view phi, double *scores)
{
    const int64_t p = phi.cols;
    for (int64_t i = 0; i < phi.rows; i++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        double inside = 0.0, length = 0.0, whole;
        for (int64_t k = 0; k < p; k++) {
            const double square = phi.data[i * p + k] * phi.data[i * p + k];
            inside += square / (fmax(l->values[k], 0.0) + l->ridge);
            length += square;
        }
        ALD_TRY(diagonal(run, &l->first->kernel, l->z, i0 + i, &whole));
        scores[i0 + i] = inside + fmax(whole - length, 0.0) / l->ridge;
        ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

/* What half of the landmarks cannot explain of tr K, spread over them: the trace that the first set misses,
 * and the eigenvalues of C beyond the first m/2. */
static ald_status leverage_ridge(ald_run *run, const ald_features *first, const ald_operator *z, int64_t p,
                                 const double *values, double *ridge)
{
    const int64_t half = (first->m + 1) / 2;
    double whole = 0.0, seen = 0.0, tail = 0.0;
    for (int64_t i = 0; i < z->x.rows; i++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        double k;
        ALD_TRY(diagonal(run, &first->kernel, z, i, &k));
        ald_arena_release(&run->scratch, mark);
        whole += k;
    }
    for (int64_t k = 0; k < p; k++) {
        seen += fmax(values[k], 0.0);
        if (k >= half) tail += fmax(values[k], 0.0);
    }
    *ridge = fmax((fmax(whole - seen, 0.0) + tail) / (double)half, 1e-12 * seen);
    return ALD_OK;
}

static ald_status leverages(ald_run *run, const ald_features *first, const ald_operator *z, double *scores)
{
    const int64_t n = z->x.rows, m = first->m, step = ald_kernel_block_rows(first->d, m);
    double *t, *values, *vectors, *both, *phi;
    double ridge;
    int64_t p;
    ALD_TRY(ald_landmarks_whiten(run, &first->kernel, &first->landmarks, &t, &p));
    ALD_TRY(ALD_SCRATCH(run, {&values, p, 1}, {&vectors, p, p}, {&both, m, p}, {&phi, step, p}));
    ALD_TRY(decompose_products(run, first, z, t, p, values, vectors));
    ALD_TRY(leverage_ridge(run, first, z, p, values, &ridge));
    const leverage l = {first, z, values, ridge};
    ALD_TRY(ald_product(run, ald_of(t, m, p), ald_t(ald_of(vectors, p, p)), ald_at(both, m, p)));
    for (int64_t i = 0; i < n; i += step) {
        const int64_t count = step < n - i ? step : n - i;
        const ald_operator slice = ald_operator_slice(z, i, count);
        ALD_TRY(ald_features_apply(run, first, &slice, NULL, both, p, phi));
        ALD_TRY(score_rows(run, &l, i, ald_of(phi, count, p), scores));
    }
    return ALD_OK;
}

/* Weighted draws without replacement: the m largest of log(u)/weight (Efraimidis and Spirakis 2006). */
static ald_status choose_leverage(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t m,
                                  uint64_t seed, ald_landmarks *l)
{
    const int64_t n = z->x.rows;
    ald_features first = {.kernel = *kernel, .m = m, .d = z->x.cols};
    int64_t *rows;
    double *scores;
    ald_ranked *keys;
    ald_random random;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *rows, &rows));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_landmarks_choose(run, kernel, z, m, ALD_UNIFORM, seed, &first.landmarks));
    ALD_TRY(ald_scratch_reals(run, n, 1, &scores));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *keys, &keys));
    ALD_TRY(leverages(run, &first, z, scores));
    ald_random_seed(&random, seed, 4);
    for (int64_t i = 0; i < n; i++) {
        const double u = 1.0 - ald_random_uniform(&random);
        keys[i] = (ald_ranked){scores[i] > 0.0 ? log(u) / scores[i] : -INFINITY, i};
    }
    ald_rank_falling(n, keys);
    for (int64_t k = 0; k < m; k++) rows[k] = keys[k].place;
    ald_arena_release(&run->scratch, mark);
    ald_sort_whole(m, rows);
    return ald_landmarks_take(run, kernel, z, m, rows, l);
}

ald_status ald_landmarks_choose(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t m,
                                ald_landmark_choice choice, uint64_t seed, ald_landmarks *l)
{
    int64_t *rows;
    const int64_t n = ald_rows_total(z);
    if (m == n) return ald_landmarks_take(run, kernel, z, m, NULL, l);
    if (choice == ALD_KMEANS) return choose_kmeans(run, kernel, z, m, seed, l);
    if (choice == ALD_LEVERAGE) return choose_leverage(run, kernel, z, m, seed, l);
    ALD_TRY(draw_rows(run, n, m, seed, 5, &rows));
    return ald_landmarks_take(run, kernel, z, m, rows, l);
}

ald_status ald_landmarks_whiten(ald_run *run, const ald_kernel *kernel, const ald_landmarks *l, double **t,
                                int64_t *p)
{
    const int64_t m = l->m;
    const ald_operator z = ald_landmarks_operator(l);
    double *k, *values, *vectors;
    ALD_TRY(ald_scratch_reals(run, m, m, t));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&k, m, m}, {&values, m, 1}, {&vectors, m, m}));
    ALD_TRY(ald_kernel_square(run, kernel, &z, l, k));
    ALD_TRY(ald_eigen(run, ald_at(k, m, m), values, ald_at(vectors, m, m)));
    *p = 0;
    while (*p < m && values[*p] > 1e-10 * values[0] && values[*p] > 0.0) ++*p;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < *p; j++) (*t)[i * *p + j] = vectors[j * m + i] / sqrt(values[j]);
    ald_arena_release(&run->scratch, mark);
    if (*p == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the kernel is 0 between all landmarks: there is nothing to map");
    return ALD_OK;
}

static ald_status choose_landmarks_measure(ald_run *run, const ald_features *features, const ald_operator *z,
                                           const double *t, int64_t p, uint64_t seed, double *error)
{
    enum { most_rows = 200 };
    const int64_t n = ald_rows_total(z), s = n < most_rows ? n : most_rows, m = features->m;
    int64_t *rows;
    double *exact, *phi, *mapped;
    double whole = 0.0, off = 0.0;
    ald_landmarks sample;
    ALD_TRY(draw_rows(run, n, s, seed, 6, &rows));
    ALD_TRY(ald_landmarks_take(run, &features->kernel, z, s, rows, &sample));
    const ald_operator chosen = ald_landmarks_operator(&sample);
    ALD_TRY(ALD_SCRATCH(run, {&exact, s, s}, {&phi, s, m}, {&mapped, s, p}));
    ALD_TRY(ald_kernel_square(run, &features->kernel, &chosen, &sample, exact));
    for (int64_t i = 0; i < s * s; i++) whole += exact[i] * exact[i];
    ALD_TRY(ald_features_block(run, features, &chosen, 0, s, phi));
    if (t) ALD_TRY(ald_product(run, ald_of(phi, s, m), ald_of(t, m, p), ald_at(mapped, s, p)));
    const double *f = t ? mapped : phi;
    ALD_TRY(ald_product_add(run, -1.0, ald_of(f, s, p), ald_t(ald_of(f, s, p)), 1.0, ald_at(exact, s, s)));
    for (int64_t i = 0; i < s * s; i++) off += exact[i] * exact[i];
    *error = whole > 0.0 ? sqrt(off / whole) : 0.0;
    return ALD_OK;
}

ald_status ald_features_error(ald_run *run, const ald_features *features, const ald_operator *z,
                              const double *t, int64_t p, uint64_t seed, double *error)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status status = choose_landmarks_measure(run, features, z, t, p, seed, error);
    ald_arena_release(&run->scratch, mark);
    return status;
}
