/* What iterative methods ask of a card beyond products: neighbours, the criterion of kdr, the stress of
 * pairs; and that the processor takes over where one of their calls fails. The card is one of plain loops. */
#include "support/card_bench.h"
#include "support/fitting.h"

#include "math/graph/graph.h"
#include "math/optimize/stress_on_card.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n = 60, d = 7 };

/* A card that fails where it is asked to. */
static void bench_begin(card_bench *b, int always, int64_t rows)
{
    card_bench_begin(b, rows, d, always);
    b->card.code = ALD_CARD_FAILED;
}

/* Neighbours are the processor's to the last bit, ties and all, for all rows and for some of them; an X that
 * came for the search alone is given up after it. */
static void neighbours_are_the_processors(void **state)
{
    (void)state;
    enum { k = 4, some = 15 };
    card_bench b;
    ald_run run;
    ald_error error;
    int64_t found[n * k], want[n * k], queries[some], references[some];
    double squares[n * k], expected[n * k], scale[d];
    bench_begin(&b, 1, n);
    for (int e = 0; e < n * d; e++) b.s.x[e] = floor(b.s.x[e]); /* many ties */
    for (int j = 0; j < d; j++) scale[j] = 1.0 + 0.25 * (j % 3);
    for (int i = 0; i < some; i++) queries[i] = 3 * i, references[i] = 50 - 2 * i;
    const ald_operator z = {.x = b.s.view, .inverse_scale = scale};
    const ald_rows all = {.z = &z}, from = {&z, queries, some}, among = {&z, references, some};
    for (int way = 0; way < 4; way++) {
        const ald_rows *const a = way % 2 ? &from : &all, *const r = way / 2 ? &among : &all;
        const size_t count = (size_t)((way % 2 ? some : n) * k);
        support_run(&run, b.context, &error);
        const int64_t calls = b.card.calls;
        assert_done(ald_neighbours_between(&run, a, r, k, 1, found, squares), error);
        assert_int_equal(b.card.calls, calls + 1);
        b.device->always = 0; /* too small: the processor */
        assert_done(ald_neighbours_between(&run, a, r, k, 1, want, expected), error);
        assert_int_equal(b.card.calls, calls + 1);
        b.device->always = 1;
        assert_memory_equal(found, want, count * sizeof *found);
        assert_memory_equal(squares, expected, count * sizeof *squares);
        assert_int_equal(b.card.standing, 0);
        for (int call = 1; call <= 2; call++) { /* the copy of X, the search */
            b.card.fail_at = b.card.asked + call;
            assert_int_equal(ald_neighbours_between(&run, a, r, k, 1, found, squares), ALD_ERROR_UNSUPPORTED);
        }
        b.card.fail_at = 0;
        ald_run_end(&run, ALD_OK);
    }
    card_bench_end(&b);
}

/* The criterion of kdr on a card. Whichever of its first calls fails (open, target, value, pull), a card
 * that was not asked for by name gives way to the processor with the same directions, and one that was is
 * an error. */
static void kdr_survives_its_card(void **state)
{
    (void)state;
    enum { rows = 300 }; /* as many as a card is asked for */
    static const char set[] = "n_components=1 rank=0 n_stages=1 n_starts=1";
    double want[rows], z[rows];
    for (int64_t at = -1; at <= 4; at++)
        for (int always = 0; always <= 1; always++) {
            card_bench b;
            ald_model *model;
            ald_error error;
            bench_begin(&b, always, rows);
            ald_settings *settings = support_settings(b.context, "kdr", set);
            if (at < 0) ald_context_set_device(b.context, NULL, &error);
            b.card.fail_at = at > 0 ? at + 4 * always : 0; /* X and its statistics come before */
            const ald_status status = ald_fit(b.context, settings, &b.s.view, &b.y, &model, &error);
            ald_settings_free(settings);
            assert_true(b.card.asked > 4 || at != 0);
            assert_int_equal(status, at > 0 && always ? ALD_ERROR_UNSUPPORTED : ALD_OK);
            if (status < 0) assert_non_null(strstr(error.message, "loops: it has disappeared"));
            if (status >= 0)
                assert_done(ald_transform(b.context, model, &b.s.view, at < 0 ? want : z, &error), error);
            if (status >= 0 && at >= 0)
                assert_below(support_largest_difference(rows, z, want), 1e-9 * support_norm(rows, want));
            if (status >= 0) assert_int_equal(b.notes, at > 0);
            ald_model_free(model);
            card_bench_end(&b);
        }
}

/* A step of the conjugate gradient on the stress of pairs i, i + 1 and i, i + 5: values, gradients, steps. */
enum { points = 2, columns = 2 * points, told = 2 * (points + d * columns) + 2 * points };

static void take_step(ald_run *run, ald_stress *stress, double *out)
{
    const ald_objective f = ald_stress_objective(stress);
    double w[d * columns];
    for (int e = 0; e < d * columns; e++) w[e] = sin(1.0 + e);
    assert_done(ald_stress_prepare(run, stress, 2, points), *run->error);
    assert_done(f.place(run, f.self, w, 2, points), *run->error);
    assert_done(f.gradient(run, f.self, out, out + points), *run->error);
    for (int e = 0; e < d * columns; e++) w[e] = -out[points + e];
    double *steps = out + points + d * columns;
    assert_done(f.search(run, f.self, w, steps, steps + points), *run->error);
    assert_true(steps[0] > 0.0 && steps[points] < 0.0);
    assert_done(f.move(run, f.self, steps), *run->error);
    assert_done(f.gradient(run, f.self, steps + 2 * points, steps + 3 * points), *run->error);
}

/* The stress of pairs on a card is the processor's, and whichever call fails the processor continues where
 * the card has stopped. */
static void stress_survives_its_card(void **state)
{
    (void)state;
    card_bench b;
    ald_run run;
    ald_error error;
    int64_t pointers[n + 1], partners[2 * n];
    double squares[4 * n], scale[d], mean[d], here[told], there[told];
    bench_begin(&b, 1, n);
    support_run(&run, b.context, &error);
    for (int64_t i = 0; i <= n; i++) pointers[i] = 2 * i;
    for (int64_t i = 0; i < 2 * n; i++) partners[i] = (i / 2 + (i % 2 ? 1 : 5)) % n;
    for (int j = 0; j < d; j++) scale[j] = 1.0 + 0.1 * j, mean[j] = 0.3 * j;
    const ald_operator z = {.x = b.s.view, .mean = mean, .inverse_scale = scale};
    ald_pairs pairs;
    ald_basis basis;
    ald_stress_card card;
    assert_done(ald_pairs_merge(&run, n, pointers, partners, NULL, NULL, &pairs), error);
    for (int64_t e = 0; e < 2 * pairs.count; e++) squares[e] = 2.0;
    assert_done(ald_basis_plain(&run, &z, 0, &basis), error);
    ald_stress stress = {.basis = &basis, .pairs = &pairs, .squares = squares, .scale = 0.1, .ridge = 0.2};
    stress.divergence = ald_divergence_find("squared");
    take_step(&run, &stress, here);
    assert_done(ald_card_hold_now(&run, &b.s.view), error);
    for (int at = 0; at <= 6; at++) { /* none, open, place, gradient, line, move, gradient */
        const int64_t calls = b.card.calls;
        b.device->always = 0;
        b.card.fail_at = at ? b.card.asked + at : 0;
        assert_done(ald_stress_card_open(&run, &stress, &card), error);
        take_step(&run, &stress, there);
        assert_true(at > 0 || b.card.calls == calls + 6);
        assert_int_equal(stress.card != NULL, at == 0);
        assert_below(support_largest_difference(told, here, there), 1e-12 * support_norm(told, here));
        ald_stress_card_close(&run, &stress);
        assert_int_equal(b.card.standing, 1);
    }
    b.device->always = 1;
    b.card.fail_at = b.card.asked + 1;
    assert_int_equal(ald_stress_card_open(&run, &stress, &card), ALD_ERROR_UNSUPPORTED);
    ald_card_release(&run, NULL);
    ald_run_end(&run, ALD_OK);
    card_bench_end(&b);
}

/* The scatter of the pairs, by which sdpp whitens: a fit is the processor's, and survives a card that
 * fails. */
static void sdpp_is_the_processors(void **state)
{
    (void)state;
    static const char set[] = "n_components=2 solver=cg n_starts=2";
    double want[2 * n], z[2 * n];
    for (int device = 0; device <= 1; device++) {
        card_bench b;
        ald_model *model;
        ald_error error;
        bench_begin(&b, 1, n);
        if (!device) ald_context_set_device(b.context, NULL, &error);
        ald_settings *settings = support_settings(b.context, "sdpp", set);
        assert_done(ald_fit(b.context, settings, &b.s.view, &b.y, &model, &error), error);
        assert_done(ald_transform(b.context, model, &b.s.view, device ? z : want, &error), error);
        assert_true(device ? b.card.calls > 10 : b.card.calls == 0);
        ald_settings_free(settings);
        ald_model_free(model);
        card_bench_end(&b);
    }
    assert_below(support_largest_difference(2 * n, z, want), 1e-9 * support_norm(2 * n, want));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_the_processors),
        cmocka_unit_test(kdr_survives_its_card),
        cmocka_unit_test(stress_survives_its_card),
        cmocka_unit_test(sdpp_is_the_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
