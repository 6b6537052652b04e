/* eigenpairs, under mpirun: eigenpairs of matrices that are divided over the ranks, given by their columns
 * and by products, against LAPACK. The same twice in every byte, the same on all ranks; a product that fails
 * is told; PETSc catches no signal. `eigenpairs MICROSECONDS` takes that time for a product, to be killed;
 * with `eigenpairs alone` one fails on one rank only. Status 77: there is no SLEPc. */
#include "base/ranks/communicator.h"
#include "cluster/strips/krylov_schur.h"
#include "cluster/strips/stretch.h"
#include "math/linalg/linalg.h"
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 200, most_wanted = 8 };

typedef struct trial {
    ald_run run;
    ald_error error;
    const ald_eigen_module *module;
    int rank, ranks, failures;
    double *a;      /* n x n, on every rank */
    int fails_at;   /* product that fails; 0: none */
    int slow;       /* microseconds that a product takes */
    int only_one;   /* the product fails on the last rank, and nobody else knows */
    int64_t called; /* products */
} trial;

static void expect(trial *t, int holds, const char *title, const char *what, double found)
{
    if (holds) return;
    printf("rank %d of %d: %s: %s (%g)\n", t->rank, t->ranks, title, what, found);
    t->failures++;
}

/* Spectra: what the eigenvalue number i is. */
static double apart(int i)
{
    return i < 10 ? 10.0 - i : 0.5 / (i - 8);
}

static double multiple(int i)
{
    if (i < 3) return 4.0;
    return i < 5 ? 3.0 : 2.0 - 0.001 * i;
}

static double clustered(int i)
{
    return i < 4 ? 2.0 - 1e-7 * i : 1.0 / i;
}

static double low_rank(int i)
{
    return i < 3 ? 5.0 - i : 0.0;
}

static double negative(int i)
{
    return i < 2 ? 0.5 - 0.1 * i : -3.0 + 0.01 * i;
}

static const struct {
    const char *name;
    double (*value)(int i);
    int wanted, vectors; /* pairs whose vectors are the only ones */
} spectra[] = {
    {"apart", apart, 6, 6},         {"multiple", multiple, 4, 0},    {"multiple, cut", multiple, 2, 0},
    {"clustered", clustered, 4, 4}, {"of low rank", low_rank, 6, 3}, {"negative", negative, 5, 5},
    {"one pair", apart, 1, 1},
};

/* A = Q D Q'. */
static void make_matrix(trial *t, double (*value)(int i))
{
    double unused[n * n];
    double *q = support_normals(5, n * n), *scaled = malloc(sizeof(double) * n * n);
    if (!scaled) abort();
    ald_qr(&t->run, ald_at(q, n, n), ald_at(unused, n, n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) scaled[i * n + j] = q[i * n + j] * value(j);
    ald_product(&t->run, ald_of(scaled, n, n), ald_t(ald_of(q, n, n)), ald_at(t->a, n, n));
    ald_symmetrise(ald_at(t->a, n, n));
    ald_all_hear(&t->run, 0, t->a, (int64_t)sizeof(double) * n * n);
    free(q);
    free(scaled);
}

static ald_status apply(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    trial *t = self;
    if (t->slow) usleep((useconds_t)t->slow);
    if (++t->called == t->fails_at && (!t->only_one || t->rank == t->ranks - 1))
        return ald_fail(run->error, ALD_ERROR_DATA, "this product fails");
    return ald_product(run, ald_of(t->a, n, n), ald_of(v, n, k), ald_at(w, n, k));
}

static ald_status solve(trial *t, int by_columns, int wanted, double *values, double *vectors)
{
    const ald_stretch own = ald_stretch_of(n, t->rank, t->ranks);
    double *columns = NULL;
    ald_lanczos task = {
        .apply = apply,
        .self = t,
        .n = n,
        .wanted = wanted,
        .tol = 1e-13,
        .max_products = 5000,
        .seed = 3,
        .stage = "finding eigenvalues",
        .values = values,
        .vectors = vectors,
    };
    if (by_columns) ALD_TRY(ald_scratch_reals(&t->run, n, own.count, &columns));
    for (int64_t i = 0; columns && i < n; i++)
        memcpy(columns + i * own.count, t->a + i * n + own.first, (size_t)own.count * sizeof *columns);
    t->called = 0;
    ALD_TRY(ald_krylov_schur_solve(&t->run, t->module, columns, &task));
    expect(t, task.converged, "solve", "did not converge", (double)task.products);
    expect(t, by_columns || t->called == task.products, "solve", "products counted", (double)t->called);
    return ALD_OK;
}

/* Largest entry of A V - V diag(values), and of V'V - I. */
static double largest_residual(const trial *t, int wanted, const double *values, const double *vectors)
{
    double product[n * most_wanted], largest = 0.0;
    support_multiply(0, 0, n, wanted, n, t->a, vectors, product);
    for (int i = 0; i < n * wanted; i++)
        largest = fmax(largest, fabs(product[i] - values[i % wanted] * vectors[i]));
    return largest;
}

static double largest_slant(int wanted, const double *vectors)
{
    double gram[most_wanted * most_wanted], largest = 0.0;
    support_multiply(1, 0, wanted, wanted, n, vectors, vectors, gram);
    for (int i = 0; i < wanted; i++)
        for (int j = 0; j < wanted; j++) largest = fmax(largest, fabs(gram[i * wanted + j] - (i == j)));
    return largest;
}

/* `right` as rows against the columns of `vectors`. */
static double largest_angle(int count, int wanted, const double *right, const double *vectors)
{
    double rows[n * most_wanted];
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++) rows[k * n + i] = vectors[i * wanted + k];
    return support_sine(count, n, right, rows);
}

static void check_spectrum(trial *t, size_t which, int by_columns)
{
    const char *name = spectra[which].name;
    const int wanted = spectra[which].wanted;
    double copy[n * n], right[n], rows[n * most_wanted];
    double values[2][most_wanted], vectors[2][n * most_wanted];
    make_matrix(t, spectra[which].value);
    memcpy(copy, t->a, sizeof copy);
    ald_eigen(&t->run, ald_at(copy, n, n), right, ald_at(rows, wanted, n));
    for (int i = 0; i < 2; i++)
        expect(t, solve(t, by_columns, wanted, values[i], vectors[i]) >= 0, name, t->error.message, 0.0);
    const double norm = 10.0, apart_by = support_largest_difference(wanted, right, values[0]);
    expect(t, apart_by <= 1e-9 * norm, name, "values", apart_by);
    const double residual = largest_residual(t, wanted, values[0], vectors[0]),
                 slant = largest_slant(wanted, vectors[0]);
    expect(t, residual <= 1e-9 * norm && slant <= 1e-9, name, "residual and angles", residual + slant);
    const double sine =
        spectra[which].vectors ? largest_angle(spectra[which].vectors, wanted, rows, vectors[0]) : 0.0;
    expect(t, sine <= 1e-9, name, "vectors", sine);
    const size_t size = sizeof(double) * (size_t)wanted;
    expect(t, !memcmp(vectors[0], vectors[1], size * n) && !memcmp(values[0], values[1], size), name,
           "twice is not the same", 0.0);
    ald_all_hear(&t->run, 0, vectors[1], (int64_t)size * n);
    expect(t, !memcmp(vectors[0], vectors[1], size * n), name, "not the same as on rank 0", 0.0);
}

static void check_failure(trial *t)
{
    double values[most_wanted], vectors[n * most_wanted];
    t->fails_at = 7;
    const ald_status status = solve(t, 0, 3, values, vectors);
    expect(t, status == ALD_ERROR_DATA && strcmp(t->error.message, "this product fails") == 0, "failure",
           t->error.message, status);
}

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGTERM, SIGINT, SIGILL, SIGHUP, SIGUSR1, SIGUSR2};
enum { signal_count = sizeof signals / sizeof *signals };

static void note_signals(struct sigaction *actions)
{
    for (int i = 0; i < signal_count; i++) sigaction(signals[i], NULL, &actions[i]);
}

/* Open MPI catches some; nothing may have come since. */
static void check_signals(trial *t, const struct sigaction *before)
{
    struct sigaction now[signal_count];
    note_signals(now);
    for (int i = 0; i < signal_count; i++)
        expect(t, now[i].sa_handler == before[i].sa_handler, "signals", "is caught", signals[i]);
}

static void run_trials(trial *t)
{
    for (size_t which = 0; which < sizeof spectra / sizeof *spectra; which++)
        for (int by_columns = 0; by_columns < 2; by_columns++) check_spectrum(t, which, by_columns);
    check_failure(t);
}

/* The others wait within SLEPc. */
static void fail_alone(trial *t)
{
    make_matrix(t, apart);
    t->only_one = 1;
    check_failure(t);
    t->failures++; /* as a program that failed ends */
}

static void run_slowly(trial *t)
{
    double values[most_wanted], vectors[n * most_wanted];
    make_matrix(t, apart);
    printf("begun\n");
    fflush(stdout);
    solve(t, 0, most_wanted, values, vectors);
}

int main(int argc, char **words)
{
    const char *mode = argc > 1 ? words[1] : "all";
    trial t = {.slow = atoi(mode)};
    ald_ranks *ranks = NULL;
    int speaker;
    struct sigaction before[signal_count];
    ald_context *context = support_context(1, NULL);
    if (ald_ranks_join(&ranks, &t.error) < 0 || !ranks) {
        printf("%s\n", t.error.message);
        return 1;
    }
    t.rank = ald_ranks_rank(ranks);
    t.ranks = ald_ranks_size(ranks);
    ald_context_set_ranks(context, ranks, &t.error);
    ald_run_begin(&t.run, context, &t.error);
    note_signals(before);
    if (ald_eigen_module_find(&t.run, &t.module) < 0) expect(&t, 0, "module", t.error.message, 0.0);
    t.a = malloc(sizeof(double) * n * n);
    if (t.a && t.module && t.slow) run_slowly(&t);
    if (t.a && t.module && strcmp(mode, "alone") == 0) fail_alone(&t);
    if (t.a && t.module && strcmp(mode, "all") == 0) run_trials(&t);
    check_signals(&t, before);
    free(t.a);
    ald_run_end(&t.run, ALD_OK);
    ald_context_free(context);
    if (t.rank == 0) printf("%d ranks: %d failures\n", t.ranks, t.failures);
    const int failed = ald_ranks_settle(ranks, t.module ? t.failures > 0 : 77, &speaker);
    if (failed < 0) ald_ranks_stop(ranks, 1);
    ald_ranks_leave(ranks);
    return failed;
}
