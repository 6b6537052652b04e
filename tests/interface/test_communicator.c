/* The communicator by itself: what goes out in pieces, and that one process needs nobody. The real one, over
 * MPI, is tried in tests/ranks. */
#include "cluster/ranks/meeting.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Two ranks one of which is pretended: the other one has the same values. */
typedef struct echo {
    int calls, largest, stopped;
} echo;

static int meet(void *self, int failed, int (*stop)(void *), void *user)
{
    (void)stop;
    (void)user;
    return ((echo *)self)->stopped ? -1 : 2 * failed;
}

static void note(void *self, int count)
{
    echo *e = self;
    e->calls++;
    if (count > e->largest) e->largest = count;
}

static void sum(void *self, double *values, int count)
{
    note(self, count);
    for (int i = 0; i < count; i++) values[i] *= 2.0;
}

static void add(void *self, int64_t *values, int count)
{
    note(self, count);
    for (int i = 0; i < count; i++) values[i] *= 2;
}

static void hear(void *self, int from, void *bytes, int count)
{
    (void)from;
    (void)bytes;
    note(self, count);
}

static void send(void *self, int to, const void *bytes, int count)
{
    (void)to;
    (void)bytes;
    note(self, count);
}

static void receive(void *self, int from, void *bytes, int count)
{
    hear(self, from, bytes, count);
}

static const ald_messages echoes = {
    .meet = meet,
    .hear = hear,
    .send = send,
    .receive = receive,
    .count = add,
    .sum = sum,
};

typedef struct fixture {
    echo e;
    ald_communicator ranks;
    ald_context *context;
    ald_error error;
    ald_run run;
} fixture;

static void begin(fixture *f, int size)
{
    memset(f, 0, sizeof *f);
    f->ranks = (ald_communicator){.size = size, .most = 7, .messages = &echoes, .self = &f->e};
    assert_int_equal(ald_context_new(NULL, &f->context, &f->error), ALD_OK);
    f->context->ranks = &f->ranks;
    ald_run_begin(&f->run, f->context, &f->error);
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

static void long_messages_go_in_pieces(void **state)
{
    fixture f;
    double values[20];
    int64_t counts[15];
    (void)state;
    begin(&f, 2);
    for (int i = 0; i < 20; i++) values[i] = i;
    for (int i = 0; i < 15; i++) counts[i] = i;
    assert_int_equal(ald_all_sum(&f.run, values, 20), ALD_OK);
    for (int i = 0; i < 20; i++) assert_true(values[i] == 2.0 * i);
    assert_int_equal(f.e.calls, 3);
    assert_int_equal(ald_all_count(&f.run, counts, 15), ALD_OK);
    for (int i = 0; i < 15; i++) assert_int_equal(counts[i], 2 * i);
    assert_int_equal(f.e.calls, 6);
    assert_int_equal(ald_send(&f.run, 1, values, 14), ALD_OK);
    assert_int_equal(ald_receive(&f.run, 1, values, 8), ALD_OK);
    assert_int_equal(ald_all_hear(&f.run, 0, values, 1), ALD_OK);
    assert_int_equal(f.e.calls, 11);
    assert_int_equal(f.e.largest, 7);
    end(&f);
}

static void one_rank_says_nothing(void **state)
{
    fixture f;
    double values[3] = {1, 2, 3};
    ald_gathered all;
    (void)state;
    begin(&f, 1);
    assert_int_equal(ald_all_sum(&f.run, values, 3), ALD_OK);
    assert_true(values[2] == 3.0);
    assert_int_equal(ald_all_agree(&f.run, ALD_ERROR_DATA), ALD_ERROR_DATA);
    assert_int_equal(ald_all_gather(&f.run, ALD_OK, &f.run.scratch, values, 24, &all), ALD_OK);
    assert_memory_equal(all.bytes, values, 24);
    assert_int_equal(all.begin[1], 24);
    assert_int_equal(f.e.calls, 0);
    f.run.call.ranks = NULL;
    assert_int_equal(ald_rank_count(&f.run), 1);
    assert_int_equal(ald_rank(&f.run), 0);
    end(&f);
}

/* Rank 0 failed, and so did the pretended one. */
static void a_failure_is_everybodys(void **state)
{
    fixture f;
    (void)state;
    begin(&f, 2);
    const ald_status status = ald_fail(f.run.error, ALD_ERROR_DATA, "bad cell");
    assert_int_equal(ald_all_agree(&f.run, status), ALD_ERROR_DATA);
    assert_string_equal(f.error.message, "bad cell");
    assert_int_equal(ald_all_agree(&f.run, ALD_OK), ALD_OK);
    end(&f);
}

/* What all know is not told again until the call ends; what the others did not hear never. */
static void a_failure_lasts_until_the_end(void **state)
{
    fixture f;
    struct ald_ending ending = {0};
    double value = 1.0;
    (void)state;
    begin(&f, 2);
    f.ranks.ending = &ending;
    assert_int_equal(ald_all_agree(&f.run, ald_fail(f.run.error, ALD_ERROR_DATA, "bad cell")),
                     ALD_ERROR_DATA);
    const int calls = f.e.calls;
    ald_clear_error(&f.error);
    assert_int_equal(ald_all_sum(&f.run, &value, 1), ALD_ERROR_DATA);
    assert_int_equal(ald_send(&f.run, 1, &value, 8), ALD_ERROR_DATA);
    assert_string_equal(f.error.message, "bad cell");
    assert_int_equal(f.e.calls, calls);
    assert_int_equal(ald_all_end(&f.run, ALD_OK), ALD_ERROR_DATA);
    assert_int_equal(ald_all_sum(&f.run, &value, 1), ALD_OK);
    f.e.stopped = 1;
    assert_int_equal(ald_all_end(&f.run, ald_fail(f.run.error, ALD_ERROR_DATA, "bad cell")), ALD_ERROR_DATA);
    f.e.stopped = 0;
    assert_int_equal(ald_all_sum(&f.run, &value, 1), ALD_ERROR_DATA);
    end(&f);
}

/* A rank is told to stop while it waits, and the others come: they hear of it next time. */
static void who_is_stopped_tells_the_others(void **state)
{
    fixture f;
    struct ald_ending ending = {.stopped = 1};
    (void)state;
    begin(&f, 2);
    f.ranks.ending = &ending;
    assert_int_equal(ald_all_agree(&f.run, ALD_OK), ALD_ERROR_CANCELLED);
    assert_true(ending.known);
    end(&f);
}

static void who_is_stopped_does_not_wait(void **state)
{
    fixture f;
    double value = 1.0;
    (void)state;
    begin(&f, 2);
    f.e.stopped = 1;
    assert_int_equal(ald_all_sum(&f.run, &value, 1), ALD_ERROR_CANCELLED);
    assert_int_equal(f.e.calls, 0);
    end(&f);
}

/* Which ranks a rank meets in the tree, as text. */
typedef struct walk {
    char text[100];
} walk;

static ald_status give(ald_run *run, int to, void *work)
{
    walk *w = work;
    (void)run;
    snprintf(w->text + strlen(w->text), sizeof w->text - strlen(w->text), ">%d", to);
    return ALD_OK;
}

static ald_status take(ald_run *run, int from, void *work)
{
    walk *w = work;
    (void)run;
    snprintf(w->text + strlen(w->text), sizeof w->text - strlen(w->text), "<%d", from);
    return ALD_OK;
}

static void the_tree_ends_at_rank_0(void **state)
{
    static const char *const expected[] = {"<1<2<4", ">0", "<3>0", ">2", "<5<6>0", ">4", ">4"};
    fixture f;
    (void)state;
    begin(&f, 7);
    for (int rank = 0; rank < 7; rank++) {
        walk w = {""};
        const ald_tree tree = {give, take, &w};
        f.ranks.rank = rank;
        assert_int_equal(ald_all_unite(&f.run, &tree), ALD_OK);
        assert_string_equal(w.text, expected[rank]);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_messages_go_in_pieces),      cmocka_unit_test(one_rank_says_nothing),
        cmocka_unit_test(a_failure_is_everybodys),         cmocka_unit_test(who_is_stopped_does_not_wait),
        cmocka_unit_test(the_tree_ends_at_rank_0),         cmocka_unit_test(a_failure_lasts_until_the_end),
        cmocka_unit_test(who_is_stopped_tells_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
