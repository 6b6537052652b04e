/* Neighbours, and a step of sdpp, on a card and on the processor: how long each takes.
 *
 *     gcc -O2 -fopenmp bench/steps_on_card.c -Isrc -Iinclude build/libalidade.a LIBRARIES -o steps_on_card
 *     ./steps_on_card near DEVICE ROWS COLUMNS NEIGHBOURS
 *     ./steps_on_card step DEVICE ROWS COLUMNS NEIGHBOURS
 *
 * LIBRARIES: -lopenblas -ljansson -lz -lm -ldl -lpthread, and those that the build found besides. DEVICE:
 * cpu, cuda. near: the nearest of all rows, X in the memory of the host. step: X is put on the card, each row
 * is paired with rows drawn at random, and a step of the conjugate gradient (line, move, gradient) in two
 * dimensions is timed. The best of five is printed. */
#include "base/core/memory.h"
#include "base/threads/threads.h"
#include "math/device/held.h"
#include "math/graph/graph.h"
#include "math/optimize/stress_on_card.h"

#include <alidade/alidade.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { times = 5, r = 2 };

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/* About normal: the sum of four uniform numbers. */
static double *draw(int64_t count)
{
    double *x = malloc((size_t)count * sizeof *x);
#pragma omp parallel for schedule(static)
    for (int64_t e = 0; e < count; e++) {
        x[e] = -2.0;
        for (uint64_t q = 0; q < 4; q++) x[e] += (double)(mix((uint64_t)e * 4 + q) >> 11) * 0x1p-53;
    }
    return x;
}

static int near(ald_run *run, const ald_operator *z, int64_t k)
{
    const int64_t n = z->x.rows;
    const ald_rows rows = {.z = z};
    int64_t *neighbours = malloc((size_t)(n * k) * sizeof *neighbours);
    double *squares = malloc((size_t)(n * k) * sizeof *squares);
    double best = INFINITY;
    for (int t = 0; t < times; t++) {
        const double began = now();
        if (ald_neighbours_between(run, &rows, &rows, k, 1, neighbours, squares) < 0) return -1;
        best = fmin(best, now() - began);
    }
    return printf("%.4f s\n", best);
}

static int draw_pairs(ald_run *run, int64_t n, int64_t k, ald_pairs *pairs)
{
    int64_t *pointers = malloc((size_t)(n + 1) * sizeof *pointers),
            *others = malloc((size_t)(n * k) * sizeof *others);
    for (int64_t i = 0; i <= n; i++) pointers[i] = i * k;
    for (int64_t e = 0; e < n * k; e++) others[e] = (int64_t)(mix((uint64_t)e) % (uint64_t)n);
    return ald_pairs_merge(run, n, pointers, others, NULL, NULL, pairs);
}

static int step(ald_run *run, const ald_operator *z, int64_t k)
{
    const int64_t d = z->x.cols;
    ald_pairs pairs;
    ald_basis basis;
    ald_stress_card card;
    double values[1], steps[1], changes[1], best = INFINITY;
    if (draw_pairs(run, z->x.rows, k, &pairs) < 0 || ald_card_hold_now(run, &z->x) < 0) return -1;
    double *squares = malloc((size_t)(2 * pairs.count) * sizeof *squares), *w = draw(d * r), *g = draw(d * r);
    for (int64_t e = 0; e < 2 * pairs.count; e++) squares[e] = 1.0;
    if (ald_basis_plain(run, z, 0, &basis) < 0) return -1;
    ald_stress stress = {.basis = &basis, .pairs = &pairs, .squares = squares, .scale = 1e-6};
    stress.divergence = ald_divergence_find("squared");
    const ald_objective f = ald_stress_objective(&stress);
    if (ald_stress_card_open(run, &stress, &card) < 0 || ald_stress_prepare(run, &stress, r, 1) < 0 ||
        f.place(run, f.self, w, r, 1) < 0 || f.gradient(run, f.self, values, g) < 0)
        return -1;
    for (int t = 0; t < times; t++) {
        for (int64_t e = 0; e < d * r; e++) g[e] = -g[e];
        const double began = now();
        if (f.search(run, f.self, g, steps, changes) < 0 || f.move(run, f.self, steps) < 0 ||
            f.gradient(run, f.self, values, g) < 0)
            return -1;
        best = fmin(best, now() - began);
    }
    ald_stress_card_close(run, &stress);
    ald_card_release(run, NULL);
    return printf("%lld pairs: %.2f ms, J %.12g\n", (long long)pairs.count, 1e3 * best, values[0]);
}

int main(int argc, char **argv)
{
    ald_device *device;
    ald_context *context;
    ald_error error;
    ald_run run;
    if (argc < 6) return fprintf(stderr, "steps_on_card near|step DEVICE ROWS COLUMNS NEIGHBOURS\n"), 2;
    const int64_t n = atoll(argv[3]), d = atoll(argv[4]), k = atoll(argv[5]);
    if (ald_device_open(argv[2], &device, &error) < 0 || ald_context_new(NULL, &context, &error) < 0 ||
        ald_context_set_device(context, device, &error) < 0)
        return fprintf(stderr, "%s\n", error.message), 1;
    double *x = draw(n * d), *mean = calloc((size_t)d, sizeof *mean);
    const ald_operator points = {.x = ald_matrix_row_major(x, n, d, d)};
    ald_operator centred = points;
    centred.mean = mean;
    ald_run_begin(&run, context, &error);
    ald_threads_begin(run.call.threads);
    const int done = strcmp(argv[1], "near") == 0 ? near(&run, &points, k) : step(&run, &centred, k);
    if (done < 0) fprintf(stderr, "%s\n", error.message);
    ald_threads_end();
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    ald_device_close(device);
    return done < 0;
}
