/* rows, under mpirun: rows that are divided among the ranks against the same rows in one process. Nearest
 * neighbours, with ties, are the same in every bit; what one rank has for another comes to it; a rank that
 * fails ends the others with its message. */
#include "cluster/divided/neighbours.h"
#include "cluster/ranks/communicator.h"
#include "math/graph/graph.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { n = 211, d = 4, k = 6 };

typedef struct tester {
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

/* Where the rows of one rank begin: evenly, all on the last rank, or none on every other rank. */
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
    check(t, t->ranks == 1 || ald_all_end(&t->run, ALD_OK) == ALD_ERROR_MEMORY, "what all know");
    check(t, ald_divided_count(&t->run, ALD_OK, &rows) >= 0, "and then does not");
    check(t, ald_ring_nearest(&t->run, &rows, rows.total, &found, &squares) == ALD_ERROR_ARGUMENT,
          "more neighbours than rows");
    check(t, t->ranks == 1 || ald_all_end(&t->run, ALD_OK) == ALD_ERROR_ARGUMENT,
          "what all know of neighbours");
}

/* Ranks that do not make the same call are found in builds with sanitizers. */
static void check_unlike(tester *t)
{
#ifdef ALD_SANITIZED
    int64_t counts[2] = {0};
    if (t->ranks == 1) return;
    const ald_status status = ald_all_count(&t->run, counts, t->rank == 0 ? 1 : 2);
    check(t, status == ALD_ERROR_NUMERICAL, "ranks that count one and two numbers");
    check(t, ald_all_end(&t->run, status) == ALD_ERROR_NUMERICAL, "what all know of counting");
#else
    (void)t;
#endif
}

int main(void)
{
    tester t = {.rank = 0};
    ald_ranks *ranks;
    int speaker;
    if (ald_ranks_join(&ranks, &t.error) < 0) return 1;
    t.rank = ald_ranks_rank(ranks);
    t.ranks = ald_ranks_size(ranks);
    ald_context *context = support_context(1 + t.rank % 2, NULL);
    ald_context_set_ranks(context, ranks, &t.error);
    ald_run_begin(&t.run, context, &t.error);
    check_exchange(&t);
    check_all_nearest(&t);
    check_failure(&t);
    check_unlike(&t);
    ald_run_end(&t.run, ALD_OK);
    ald_context_free(context);
    if (t.rank == 0) printf("%d ranks: %d failures\n", t.ranks, t.failures);
    const int failed = ald_ranks_settle(ranks, t.failures > 0, &speaker);
    ald_ranks_leave(ranks);
    return failed;
}
