/* Messages longer than an MPI count go out in pieces, on every way that ranks talk to each other.
 *
 * Two ranks are two threads here, with messages of 5 elements at most: a piece that is longer is a failure,
 * so a way that does not cut its message cannot pass, and what arrives is looked at. That nobody passes
 * messages but by these functions is a promise of tests/deps. */
#include "cluster/divided/neighbours.h"
#include "cluster/ranks/communicator.h"
#include "math/graph/graph.h"
#include "support/support.h"

#include <alidade/ranks.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ranks = 2, most = 5, rows = 14, cols = 3, nearest = 4 };

/* What the two threads share: each puts its own here, then both look at it. */
typedef struct table {
    pthread_barrier_t barrier;
    const void *put[ranks];
    int failed[ranks];
} table;

typedef struct seat {
    table *at;
    int rank, pieces, too_long;
    ald_communicator ranks;
    ald_context *context;
    int failures;
    const char *failed;
} seat;

static int meet(void *self, int failed, int (*stop)(void *), void *user)
{
    seat *s = self;
    (void)stop;
    (void)user;
    s->at->failed[s->rank] = failed;
    pthread_barrier_wait(&s->at->barrier);
    const int many = s->at->failed[0] + s->at->failed[1];
    pthread_barrier_wait(&s->at->barrier);
    return many;
}

static void put(seat *s, const void *values, int count)
{
    s->pieces++;
    s->too_long += count > most;
    s->at->put[s->rank] = values;
    pthread_barrier_wait(&s->at->barrier);
}

static void take_from(void *self, int from, void *bytes, int count)
{
    seat *s = self;
    put(s, bytes, count);
    if (s->rank != from) memcpy(bytes, s->at->put[from], (size_t)count);
    pthread_barrier_wait(&s->at->barrier);
}

static void send(void *self, int to, const void *bytes, int count)
{
    seat *s = self;
    (void)to;
    put(s, bytes, count);
    pthread_barrier_wait(&s->at->barrier);
}

static void sum(void *self, double *values, int count)
{
    seat *s = self;
    double made[most] = {0.0};
    put(s, values, count);
    for (int i = 0; i < count && i < most; i++)
        for (int r = 0; r < ranks; r++) made[i] += ((const double *)s->at->put[r])[i];
    pthread_barrier_wait(&s->at->barrier);
    memcpy(values, made, (size_t)(count < most ? count : most) * sizeof *made);
}

static void add(void *self, int64_t *values, int count)
{
    seat *s = self;
    int64_t made[most] = {0};
    put(s, values, count);
    for (int i = 0; i < count && i < most; i++)
        for (int r = 0; r < ranks; r++) made[i] += ((const int64_t *)s->at->put[r])[i];
    pthread_barrier_wait(&s->at->barrier);
    memcpy(values, made, (size_t)(count < most ? count : most) * sizeof *made);
}

static const ald_messages between_threads = {
    .meet = meet,
    .hear = take_from,
    .send = send,
    .receive = take_from,
    .count = add,
    .sum = sum,
};

static void check(seat *s, int holds, const char *what)
{
    if (holds) return;
    s->failures++;
    s->failed = what;
}

static void fill(double *values, int count, double from)
{
    for (int i = 0; i < count; i++) values[i] = from + i;
}

static void try_sums(ald_run *run, seat *s)
{
    double values[23];
    int64_t counts[23];
    fill(values, 23, s->rank);
    for (int i = 0; i < 23; i++) counts[i] = i + s->rank;
    check(s, ald_all_sum(run, values, 23) >= 0, "sums");
    check(s, ald_all_count(run, counts, 23) >= 0, "counts");
    for (int i = 0; i < 23; i++)
        check(s, values[i] == 2.0 * i + 1.0 && counts[i] == 2 * i + 1, "values of sums");
    fill(values, 23, s->rank);
    values[0] = 9.0 - s->rank;
    check(s, ald_all_largest(run, values, 23) >= 0 && values[0] == 9.0 && values[22] == 23.0, "largest");
}

static void try_broadcast(ald_run *run, seat *s)
{
    double values[23];
    fill(values, 23, 100.0 * s->rank);
    check(s, ald_all_hear(run, 1, values, (int64_t)sizeof values) >= 0, "a broadcast");
    for (int i = 0; i < 23; i++) check(s, values[i] == 100.0 + i, "values of a broadcast");
    const ald_status own = s->rank == 1 ? ald_fail(run->error, ALD_ERROR_DATA, "a long message") : ALD_OK;
    check(s, ald_all_agree(run, own) == ALD_ERROR_DATA, "an agreement");
    check(s, strcmp(run->error->message, "a long message") == 0, "the message of an agreement");
}

static void try_one_to_one(ald_run *run, seat *s)
{
    double values[23], taken[23] = {0.0};
    const int other = 1 - s->rank;
    fill(values, 23, s->rank);
    if (s->rank == 0) check(s, ald_send(run, 1, values, (int64_t)sizeof values) >= 0, "a message");
    if (s->rank == 1) check(s, ald_receive(run, 0, taken, (int64_t)sizeof taken) >= 0, "a message");
    check(s, s->rank == 0 || taken[22] == 22.0, "values of a message");
    const ald_status passed =
        ald_pass_on(run, other, values, (int64_t)sizeof values, other, taken, (int64_t)sizeof taken);
    check(s, passed >= 0 && taken[0] == other && taken[22] == 22.0 + other, "passing on");
}

/* 12 + rank letters of each rank. */
static void try_gather(ald_run *run, seat *s)
{
    char letters[13];
    unsigned char *all;
    size_t sizes[ranks] = {0};
    ald_gathered got;
    ald_error error;
    memset(letters, 'a' + s->rank, sizeof letters);
    const int64_t own = 12 + s->rank;
    check(s, ald_all_gather(run, ALD_OK, &run->scratch, letters, own, &got) >= 0, "a gathering");
    check(s, memcmp(got.bytes, "aaaaaaaaaaaabbbbbbbbbbbbb", 25) == 0, "what was gathered");
    check(s, ald_ranks_gather(s->context, ALD_OK, letters, (size_t)own, &all, sizes, &error) >= 0,
          "a gathering at rank 0");
    check(s, !all || memcmp(all, "aaaaaaaaaaaabbbbbbbbbbbbb", 25) == 0, "what rank 0 gathered");
    check(s, (all != NULL) == (s->rank == 0), "who gathered");
    ald_bytes_free(s->context, all);
}

static void try_exchange(ald_run *run, seat *s)
{
    const int64_t begin[] = {0, 9, 20};
    unsigned char bytes[20];
    ald_gathered got;
    memset(bytes, s->rank, sizeof bytes);
    check(s, ald_all_exchange(run, ALD_OK, &run->scratch, bytes, begin, &got) >= 0, "an exchange");
    check(s, got.begin[2] == 2 * (begin[s->rank + 1] - begin[s->rank]), "the size of an exchange");
    check(s, got.bytes[0] == 0 && got.bytes[got.begin[2] - 1] == 1, "what was exchanged");
}

/* The ring, and rows of the other rank by their numbers. */
static void try_rows(ald_run *run, seat *s)
{
    double x[rows * cols] = {0.0};
    const int64_t half = rows / 2, wanted[] = {1, 3, rows - 2};
    int64_t *neighbours;
    double *squares;
    int64_t expected[rows * nearest];
    double distances[rows * nearest];
    ald_operator fetched;
    const ald_operator all = {.x = ald_matrix_row_major(x, rows, cols, cols)};
    ald_divided own = {.z = {.x = ald_matrix_row_major(x + s->rank * half * cols, half, cols, cols)}};
    const ald_rows whole = {.z = &all};
    for (int i = 0; i < rows * cols; i++) x[i] = (double)(i * i % 17);
    check(s, ald_neighbours_between(run, &whole, &whole, nearest, 1, expected, distances) >= 0, "neighbours");
    check(s, ald_divided_count(run, ALD_OK, &own) >= 0, "rows");
    check(s, ald_ring_nearest(run, &own, nearest, &neighbours, &squares) >= 0, "a ring");
    const size_t bytes = (size_t)(half * nearest) * sizeof *neighbours;
    check(s, memcmp(neighbours, expected + s->rank * half * nearest, bytes) == 0, "neighbours by a ring");
    check(s, ald_fetch_rows(run, ALD_OK, &own, wanted, 3, &fetched) >= 0 && fetched.x.rows == 3,
          "rows fetched");
    for (int i = 0; i < 3; i++)
        check(s,
              memcmp((const double *)fetched.x.values + i * fetched.x.row_stride, x + wanted[i] * cols,
                     cols * sizeof *x) == 0,
              "what was fetched");
}

static void (*const ways[])(ald_run *, seat *) = {
    try_sums, try_broadcast, try_one_to_one, try_gather, try_exchange, try_rows,
};

static void *sit(void *user)
{
    seat *s = user;
    ald_error error;
    ald_run run;
    s->ranks = (ald_communicator){
        .rank = s->rank,
        .size = ranks,
        .most = most,
        .messages = &between_threads,
        .self = s,
    };
    if (ald_context_new(NULL, &s->context, &error) < 0) abort();
    s->context->ranks = &s->ranks;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ald_run_begin(&run, s->context, &error);
        ways[i](&run, s);
        ald_run_end(&run, ALD_OK);
    }
    ald_context_free(s->context);
    return NULL;
}

static void no_piece_is_too_long(void **state)
{
    table at;
    seat seats[ranks] = {{.at = &at, .rank = 0}, {.at = &at, .rank = 1}};
    pthread_t other;
    (void)state;
    assert_int_equal(pthread_barrier_init(&at.barrier, NULL, ranks), 0);
    assert_int_equal(pthread_create(&other, NULL, sit, &seats[1]), 0);
    sit(&seats[0]);
    pthread_join(other, NULL);
    pthread_barrier_destroy(&at.barrier);
    for (int r = 0; r < ranks; r++) {
        if (seats[r].failures) print_message("rank %d: %s\n", r, seats[r].failed);
        assert_int_equal(seats[r].failures, 0);
        assert_int_equal(seats[r].too_long, 0);
        assert_true(seats[r].pieces > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_piece_is_too_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
