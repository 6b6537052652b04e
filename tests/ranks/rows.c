/* rows, under mpirun: rows that are divided among the ranks against the same rows in one process. Nearest
 * neighbours, with ties, are the same in every bit; what one rank has for another comes to it; a rank that
 * fails ends the others with its message, wherever in a fit it has no memory. */
#include "divided/ring_nearest.h"
#include "graph/graph.h"
#include "ranks/exchange.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 211, d = 4, k = 6 };

typedef struct tester {
    ald_context *plain;
    ald_run run;
    ald_error error;
    int rank, ranks, failures;
} tester;

static void check(tester *t, int holds, const char *what)
{
    if (holds) return;
    t->failures++;
    printf("rank %d of %d: %s: %s\n", t->rank, t->ranks, what, t->error.message);
    fflush(stdout);
}

/* Where the rows of a rank begin: evenly, all on the last rank, or none on every other rank. */
static int64_t begin_of(const tester *t, int manner, int rank)
{
    if (rank == 0) return 0;
    if (rank == t->ranks) return n;
    if (manner == 1) return 0;
    if (manner == 2) return (int64_t)n * (rank - rank % 2) / t->ranks;
    return (int64_t)n * rank / t->ranks;
}

/* Small whole numbers, so that many distances are equal, and some rows too. */
static void draw(double *x, double *shift, double *factor)
{
    ald_random random;
    ald_random_seed(&random, 3, 0);
    for (int i = 0; i < n * d; i++) x[i] = (double)(int)(4.0 * ald_random_uniform(&random));
    for (int i = 0; i < n; i++) {
        shift[i] = (double)(i % 3);
        factor[i] = i % 2 ? 1.0 : 0.5;
    }
}

static ald_operator make_sparse(const double *x, int64_t *pointers, int64_t *indices, double *values)
{
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        pointers[i] = at;
        for (int64_t j = 0; j < d; j++)
            if (x[i * d + j] != 0.0) {
                indices[at] = j;
                values[at++] = x[i * d + j];
            }
    }
    pointers[n] = at;
    return (ald_operator){.x = ald_matrix_csr(n, d, pointers, indices, values)};
}

/* The rows `from` .. `to` of z, which lie there still. */
static ald_operator part_of(const ald_operator *z, int64_t from, int64_t to, int64_t *pointers)
{
    ald_operator part = *z;
    part.x.rows = to - from;
    if (part.row_shift) part.row_shift += from;
    if (part.row_factor) part.row_factor += from;
    if (part.x.storage == ALD_DENSE) {
        part.x.values = (const double *)z->x.values + from * z->x.row_stride;
        return part;
    }
    const int64_t *all = z->x.pointers;
    for (int64_t i = from; i <= to; i++) pointers[i - from] = all[i] - all[from];
    part.x.pointers = pointers;
    part.x.indices = (const int64_t *)z->x.indices + all[from];
    part.x.values = (const double *)z->x.values + all[from];
    return part;
}

static void check_nearest(tester *t, const ald_operator *z, int manner, const char *what)
{
    static int64_t expected[n * k], pointers[n + 1];
    static double squares[n * k];
    const ald_rows all = {.z = z};
    const int64_t from = begin_of(t, manner, t->rank), to = begin_of(t, manner, t->rank + 1);
    ald_divided rows = {.z = part_of(z, from, to, pointers), .at_once = manner ? 7 : 0};
    int64_t *found;
    double *found_squares;
    check(t, ald_neighbours_between(&t->run, &all, &all, k, 1, expected, squares) >= 0, what);
    check(t, ald_divided_count(&t->run, ALD_OK, &rows) >= 0 && rows.total == n && rows.first == from, what);
    const ald_status status = ald_ring_nearest(&t->run, &rows, k, &found, &found_squares);
    check(t, status >= 0, what);
    if (status < 0 || to == from) return;
    const size_t count = (size_t)((to - from) * k);
    check(t, memcmp(found, expected + from * k, count * sizeof *found) == 0, what);
    check(t, memcmp(found_squares, squares + from * k, count * sizeof *squares) == 0, what);
}

static void check_all_nearest(tester *t)
{
    static double x[n * d], shift[n], factor[n], values[n * d];
    static const double scale[d] = {1.0, 0.5, 3.0, 1.0};
    static int64_t pointers[n + 1], indices[n * d];
    draw(x, shift, factor);
    const ald_operator plain[] = {
        {.x = ald_matrix_row_major(x, n, d, d)},
        make_sparse(x, pointers, indices, values),
    };
    for (int manner = 0; manner < 3; manner++)
        for (int s = 0; s < 2; s++) {
            ald_operator z = plain[s];
            check_nearest(t, &z, manner, s ? "neighbours of sparse rows" : "neighbours");
            z.row_shift = shift;
            z.row_factor = factor;
            z.inverse_scale = scale;
            check_nearest(t, &z, manner,
                          s ? "neighbours of sparse scaled rows" : "neighbours of scaled rows");
        }
}

/* Rank a has for rank b the bytes a, a, ... (a + 2 b of them). */
static void check_exchange(tester *t)
{
    unsigned char bytes[4096];
    int64_t begin[64] = {0};
    ald_gathered got;
    for (int r = 0; r < t->ranks; r++) begin[r + 1] = begin[r] + t->rank + 2 * r;
    memset(bytes, t->rank, sizeof bytes);
    check(t, ald_all_exchange(&t->run, ALD_OK, &t->run.scratch, bytes, begin, &got) >= 0, "exchange");
    for (int r = 0; r < t->ranks; r++) {
        int right = got.begin[r + 1] - got.begin[r] == r + 2 * t->rank;
        for (int64_t i = got.begin[r]; i < got.begin[r + 1]; i++) right &= got.bytes[i] == r;
        check(t, right, "exchanged bytes");
    }
}

/* The last rank has no memory for its rows; all others hear of it. */
static void check_failure(tester *t)
{
    static double x[n * d], shift[n], factor[n];
    ald_divided rows = {.z = {.x = ald_matrix_row_major(x, n, d, d)}};
    int64_t *found;
    double *squares;
    draw(x, shift, factor);
    const ald_status own = t->rank == t->ranks - 1 ? ald_out_of_memory(&t->run, 12345, 1, 8) : ALD_OK;
    check(t, ald_divided_count(&t->run, own, &rows) == ALD_ERROR_MEMORY, "a rank that fails");
    check(t, ald_all_end(&t->run, ALD_OK) == ALD_ERROR_MEMORY, "what all know");
    check(t, ald_divided_count(&t->run, ALD_OK, &rows) >= 0, "and then does not");
    check(t, ald_ring_nearest(&t->run, &rows, rows.total, &found, &squares) == ALD_ERROR_ARGUMENT,
          "more neighbours than rows");
    check(t, ald_all_end(&t->run, ALD_OK) == ALD_ERROR_ARGUMENT, "what all know of neighbours");
}

static void write_rows(const char *path)
{
    static double x[n * d], shift[n], factor[n];
    FILE *file = fopen(path, "w");
    if (!file) abort();
    draw(x, shift, factor);
    fprintf(file, "a,b,c,d,y\n");
    for (int i = 0; i < n / 3; i++)
        fprintf(file, "%g,%g,%g,%g,%g\n", x[i * d], x[i * d + 1], x[i * d + 2], x[i * d + 3],
                x[i * d] + shift[i]);
    if (fclose(file) != 0) abort();
}

/* So many columns that sdpp does not add up its pairs. */
static void write_wide_rows(const char *path)
{
    enum { rows = 70, columns = 63 };
    ald_random random;
    FILE *file = fopen(path, "w");
    if (!file) abort();
    ald_random_seed(&random, 4, 0);
    for (int j = 0; j < columns; j++) fprintf(file, "x%d,", j);
    fprintf(file, "y\n");
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) fprintf(file, "%.6f,", ald_random_normal(&random));
        fprintf(file, "%d\n", i % 7);
    }
    if (fclose(file) != 0) abort();
}

static ald_status fit(ald_context *context, ald_context *plain, const char *path, const char *method,
                      const char *set, ald_error *error)
{
    const ald_load_options load = {.size = sizeof load, .target = "y", .task = "regression"};
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    ald_settings *settings = NULL;
    int64_t rows;
    ald_status status = ald_dataset_survey(context, path, &load, &survey, &rows, error);
    if (status >= 0) {
        settings = support_settings(plain, method, set);
        status = ald_fit_stream(context, settings, path, &load, survey, &model, error);
    }
    ald_model_free(model);
    ald_settings_free(settings);
    ald_dataset_free(survey);
    return status;
}

/* Request number `at` of one of the ranks fails; whether it made fewer. */
static int fit_with_failure(tester *t, ald_ranks *ranks, const char *path, const char *method,
                            const char *set, int at)
{
    int left = t->rank == at % t->ranks ? at : 0;
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .allocator = {.user = &left, .resize = support_failing_resize},
    };
    ald_context *context = NULL;
    ald_error error;
    int64_t made = ald_context_new(&options, &context, &error) >= 0;
    check(t, ald_all_count(&t->run, &made, 1) >= 0, "counting contexts");
    if (made == t->ranks) ald_context_set_ranks(context, ranks, &error);
    const ald_status status =
        made == t->ranks ? fit(context, t->plain, path, method, set, &error) : ALD_ERROR_MEMORY;
    ald_context_free(context);
    t->error = error;
    check(t, status >= 0 || status == ALD_ERROR_MEMORY, method);
    int64_t spared = left > 0; /* there were fewer requests */
    check(t, ald_all_count(&t->run, &spared, 1) >= 0, "counting requests");
    return spared > 0;
}

/* Every so many requests, or with ALD_LONG all of them. */
static void check_memory(tester *t, ald_ranks *ranks, const char *path)
{
    static const char *const fits[][2] = {
        {"sdpp", "n_components=1 n_neighbors=3 predictor=knn"},
        {"kpls", "n_components=1 landmarks=5 predictor=linear"},
        {"kpca", "n_components=1 features=5"},
    };
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++)
        for (int at = 1; !fit_with_failure(t, ranks, path, fits[f][0], fits[f][1], at);)
            at += getenv("ALD_LONG") ? 1 : 1 + at / 6;
}

static void check_wide_memory(tester *t, ald_ranks *ranks, const char *path)
{
    static const char set[] =
        "n_components=1 n_neighbors=3 ridge_rel=0.3 max_iter=3 n_starts=2 predictor=none";
    for (int at = 1; !fit_with_failure(t, ranks, path, "sdpp", set, at);) at += 1 + at / 20;
}

int main(int argc, char **argv)
{
    tester t = {.rank = 0};
    char path[4096];
    ald_ranks *ranks;
    int speaker;
    if (ald_ranks_join(&ranks, &t.error) < 0) return 1;
    t.rank = ald_ranks_rank(ranks);
    t.ranks = ald_ranks_size(ranks);
    ald_context *context = support_context(1 + t.rank % 2, NULL);
    ald_context_set_ranks(context, ranks, &t.error);
    t.plain = context;
    ald_run_begin(&t.run, context, &t.error);
    check_exchange(&t);
    check_all_nearest(&t);
    check_failure(&t);
    snprintf(path, sizeof path, "%s/rows.csv", argc > 1 ? argv[1] : ".");
    if (t.rank == 0) write_rows(path);
    ald_ranks_settle(ranks, 0, &speaker);
    check_memory(&t, ranks, path);
    if (t.rank == 0) write_wide_rows(path);
    ald_ranks_settle(ranks, 0, &speaker);
    if (getenv("ALD_LONG")) check_wide_memory(&t, ranks, path);
    ald_run_end(&t.run, ALD_OK);
    ald_context_free(context);
    if (t.rank == 0) printf("%d ranks: %d failures\n", t.ranks, t.failures);
    const int failed = ald_ranks_settle(ranks, t.failures > 0, &speaker);
    ald_ranks_leave(ranks);
    return failed;
}
