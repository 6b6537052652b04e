#include "cluster/strips/route.h"

#include "cluster/strips/divided_scatter.h"

#include <math.h>

/* Of dense rows and of sparse ones: seconds for an entry in a pass, to fetch it and for each column; steps of
 * Lanczos for ten pairs; products of Krylov-Schur for each of them. Sparse rows have flatter spectra. */
static const double fetch[] = {1.5e-9, 4.8e-9}, multiply[] = {0.1e-9, 1.1e-9};
static const double usual_steps[] = {12.0, 50.0}, products_a_step[] = {2.6, 1.65};
/* Seconds for: an operation of the scatter, and of the orthogonalization of blocks and of vectors; a byte of
 * the memory, a byte sent; a message; loading SLEPc. */
static const double scatter_operation = 0.02e-9, block_operation = 0.1e-9, vector_operation = 0.5e-9;
static const double memory_byte = 0.15e-9, sent_byte = 1e-9, message = 1e-4, loading = 0.5;

/* One pass over the rows of a rank, with k columns. */
static double pass(const ald_route_case *c, double k)
{
    const double entry = 1e-9 * c->reading + fetch[c->sparse] + multiply[c->sparse] * k;
    return entry * c->entries / c->ranks / c->threads;
}

static double width(const ald_route_case *c)
{
    return c->pairs < 8 ? (double)c->pairs : 8.0;
}

static double basis(const ald_route_case *c)
{
    const double r = (double)c->pairs;
    return r + fmax(r, 24.0);
}

/* Steps of block Lanczos, the confirmation and the last products. */
static double steps(const ald_route_case *c)
{
    return usual_steps[c->sparse] * ((double)c->pairs + 4.0) / 14.0 * 8.0 / width(c) + 5.0;
}

/* A Krylov space of one vector needs fewer products than blocks do, but not as few as they have steps; and
 * the confirmation. */
static double products(const ald_route_case *c)
{
    const double more = (products_a_step[c->sparse] - 1.0) * (width(c) - 1.0) / 7.0;
    return (steps(c) - 5.0) * (1.0 + more) + 24.0;
}

/* So many numbers summed over the ranks and told to all. */
static double sum(const ald_route_case *c, double numbers)
{
    return c->ranks > 1 ? 4.0 * message + 16.0 * numbers * sent_byte : 0.0;
}

static double by_lanczos(const ald_route_case *c)
{
    const double d = (double)c->columns, b = width(c), m = basis(c);
    const double orthogonal = 8.0 * d * m * b * block_operation; /* on every rank */
    return steps(c) * (pass(c, b) + orthogonal + 2.0 * sum(c, d * b));
}

static double by_krylov_schur(const ald_route_case *c)
{
    const double d = (double)c->columns, m = basis(c);
    const double orthogonal =
        8.0 * d * m * vector_operation / c->ranks + 4.0 * (c->ranks > 1 ? message : 0.0);
    return loading + products(c) * (pass(c, 1.0) + orthogonal + 3.0 * sum(c, d));
}

static double by_scatter(const ald_route_case *c)
{
    const double d = (double)c->columns, share = 1.0 / c->ranks;
    const double passes = (double)ald_divided_passes(c->columns, c->ranks, c->threads, c->most_square);
    const double operations = (double)c->rows * d * d * share / c->threads;
    const double forming = passes * pass(c, 0.0) + operations * scatter_operation + sum(c, 0.5 * d * d);
    const double orthogonal = 8.0 * d * basis(c) * vector_operation * share;
    return loading + forming + products(c) * (8.0 * d * d * share * memory_byte + orthogonal + sum(c, d));
}

/* Bytes of the basis of Lanczos. */
static double whole_basis(const ald_route_case *c)
{
    return 8.0 * (double)c->columns * 2.0 * (basis(c) + width(c));
}

void ald_route_seconds(const ald_route_case *c, double seconds[ALD_ROUTES])
{
    const double most_columns = 40000.0, most_bytes = 4e9;
    const int fits = (double)c->columns <= most_columns;
    seconds[ALD_BY_LANCZOS] = by_lanczos(c);
    seconds[ALD_BY_SCATTER] = c->has_slepc && fits ? by_scatter(c) : INFINITY;
    seconds[ALD_BY_KRYLOV_SCHUR] = c->has_slepc ? by_krylov_schur(c) : INFINITY;
    if (c->has_slepc && c->ranks > 1 && whole_basis(c) > most_bytes) seconds[ALD_BY_LANCZOS] = INFINITY;
}

ald_route ald_route_choose(const double seconds[ALD_ROUTES])
{
    ald_route best = ALD_BY_LANCZOS;
    for (int i = 0; i < ALD_ROUTES; i++)
        if (seconds[i] < seconds[best]) best = (ald_route)i;
    return best;
}

const char *ald_route_name(ald_route route)
{
    static const char *const names[] = {
        [ALD_BY_SCATTER] = "scatter",
        [ALD_BY_LANCZOS] = "lanczos",
        [ALD_BY_KRYLOV_SCHUR] = "krylov-schur",
    };
    return names[route];
}
