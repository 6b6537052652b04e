#include "support/pair_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { others = 6 };

/* Six others for each row; weights 1 and 2 come of pairs that were drawn both ways. */
static void draw_pairs(pair_problem *p, uint64_t stream, ald_pairs *pairs)
{
    int64_t *pointers, *neighbours;
    ald_random random;
    ald_random_seed(&random, 77, stream);
    assert_done(ald_scratch(&p->run, p->n + 1, 1, sizeof *pointers, &pointers), p->error);
    assert_done(ald_scratch(&p->run, p->n, others, sizeof *neighbours, &neighbours), p->error);
    for (int64_t i = 0; i <= p->n; i++) pointers[i] = others * i;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t k = 0; k < others; k++)
            neighbours[others * i + k] = (i + 1 + ald_random_below(&random, p->n - 1)) % p->n;
    assert_done(ald_pairs_merge(&p->run, p->n, pointers, neighbours, NULL, NULL, pairs), p->error);
}

static void make_rows(pair_problem *p)
{
    p->x = support_normals(41, p->n * p->d);
    p->noise = support_normals(42, p->n);
    p->z = malloc((size_t)(p->n * p->d) * sizeof *p->z);
    p->mean = calloc((size_t)p->d, sizeof *p->mean);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->d; j++) {
            p->x[i * p->d + j] = p->x[i * p->d + j] * (1.0 + (double)(j % 5)) + (double)(j % 3);
            p->mean[j] += p->x[i * p->d + j] / (double)p->n;
        }
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->d; j++) p->z[i * p->d + j] = p->x[i * p->d + j] - p->mean[j];
}

static void make_squares(pair_problem *p)
{
    assert_done(ald_scratch_reals(&p->run, p->pairs.count, 2, &p->squares), p->error);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t e = p->pairs.pointers[i]; e < p->pairs.pointers[i + 1]; e++) {
            double y[2];
            const int64_t rows[2] = {i, p->pairs.partners[e]};
            for (int k = 0; k < 2; k++) {
                const double *row = p->x + rows[k] * p->d;
                y[k] = row[0] + 0.3 * row[1 % p->d] * row[1 % p->d] + 0.3 * p->noise[rows[k]];
            }
            p->squares[e] = (y[0] - y[1]) * (y[0] - y[1]);
        }
}

void pair_problem_begin(pair_problem *p, int64_t n, int64_t d, int threads, int plain)
{
    *p = (pair_problem){.context = support_context(threads, NULL), .n = n, .d = d};
    support_run(&p->run, p->context, &p->error);
    make_rows(p);
    p->rows = (ald_operator){.x = ald_matrix_row_major(p->x, n, d, d), .mean = p->mean};
    draw_pairs(p, 1, &p->pairs);
    make_squares(p);
    assert_done(plain ? ald_basis_plain(&p->run, &p->rows, 0, &p->basis)
                      : ald_basis_of_pairs(&p->run, &p->rows, &p->pairs, 0, &p->basis),
                p->error);
    p->stress = (ald_stress){
        .basis = &p->basis,
        .pairs = &p->pairs,
        .squares = p->squares,
        .scale = 1.0 / (double)n,
        .divergence = ald_divergence_find("squared"),
        .floor = 0.1,
    };
}

void pair_problem_end(pair_problem *p)
{
    ald_run_end(&p->run, ALD_OK);
    ald_context_free(p->context);
    free(p->x);
    free(p->z);
    free(p->mean);
    free(p->noise);
}

void pair_problem_add_terms(pair_problem *p, int ridge, int smoothness, int spread)
{
    ald_pairs *smooth;
    if (ridge) p->stress.ridge = 3.0;
    if (spread) p->stress.spread = 0.2;
    if (!smoothness) return;
    assert_done(ald_scratch(&p->run, 1, 1, sizeof *smooth, &smooth), p->error);
    draw_pairs(p, 2, smooth);
    p->stress.smooth = smooth;
    p->stress.smoothness = 0.05;
}

const double *pair_problem_matrix(pair_problem *p)
{
    double *unit, *m;
    assert_done(ald_scratch_zeros(&p->run, p->basis.p, p->basis.p, &unit), p->error);
    assert_done(ald_scratch_reals(&p->run, p->d, p->basis.p, &m), p->error);
    for (int64_t j = 0; j < p->basis.p; j++) unit[j * p->basis.p + j] = 1.0;
    assert_done(ald_basis_directions(&p->run, &p->basis, unit, p->basis.p, m), p->error);
    return m;
}

void pair_problem_scatter(const pair_problem *p, const double *a, int64_t k, double *c)
{
    memset(c, 0, (size_t)(k * k) * sizeof *c);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t e = p->pairs.upper[i]; e < p->pairs.pointers[i + 1]; e++) {
            const double *one = a + i * k, *two = a + p->pairs.partners[e] * k;
            const double w = p->pairs.weights[e];
            for (int64_t s = 0; s < k; s++)
                for (int64_t t = 0; t < k; t++)
                    c[s * k + t] += w * (one[s] - two[s]) * (one[t] - two[t]) / p->pairs.total;
        }
}

static double square_distance(const double *u, int64_t r, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t k = 0; k < r; k++) sum += (u[i * r + k] - u[j * r + k]) * (u[i * r + k] - u[j * r + k]);
    return sum;
}

double pair_problem_value(pair_problem *p, const double *w, int64_t r)
{
    const uint64_t mark = ald_arena_mark(&p->run.scratch);
    const ald_stress *s = &p->stress;
    const double floor = s->divergence->quartic ? 0.0 : s->floor;
    const double *m = pair_problem_matrix(p);
    double *mw, *u;
    double value = 0.0;
    assert_done(ald_scratch_reals(&p->run, p->d, r, &mw), p->error);
    assert_done(ald_scratch_reals(&p->run, p->n, r, &u), p->error);
    support_multiply(0, 0, p->d, r, p->basis.p, m, w, mw);
    support_multiply(0, 0, p->n, r, p->d, p->z, mw, u);
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t e = p->pairs.upper[i]; e < p->pairs.pointers[i + 1]; e++)
            value += s->scale * p->pairs.weights[e] *
                     s->divergence->value(square_distance(u, r, i, p->pairs.partners[e]) + floor,
                                          s->squares[e] + floor);
        for (int64_t e = s->smooth ? s->smooth->upper[i] : 0; s->smooth && e < s->smooth->pointers[i + 1];
             e++)
            value += s->smoothness * s->smooth->weights[e] * square_distance(u, r, i, s->smooth->partners[e]);
    }
    value +=
        s->ridge * pow(support_norm(p->d * r, mw), 2.0) - s->spread * pow(support_norm(p->n * r, u), 2.0);
    ald_arena_release(&p->run.scratch, mark);
    return value;
}
