/* Which way to the leading eigenpairs of Z'Z (d x d, too large for one square) is the shortest on ranks that
 * share the rows of Z: a function of sizes, no clock is read.
 *
 *   scatter       Z'Z divided over the ranks (strips/divided_scatter.h), then Krylov-Schur on it
 *   lanczos       products with Z, several columns in each pass; every rank has the whole basis
 *   krylov-schur  products with Z, one column in each pass; the basis is divided over the ranks
 *
 * A pass over e entries of a rank costs e (reading + first + more k) for k columns: reading is the price of
 * text, `first` that of fetching an entry from memory. So text and dense rows are for few passes with many
 * columns (lanczos), sparse rows in memory for many with one (krylov-schur), and the scatter is for long
 * narrow text, and for many threads. The constants were measured on one core of two (bench/ranks_eigen.py,
 * docs/clusters.md); they matter where two ways are about as long. */
#ifndef ALD_STRIPS_ROUTE_H
#define ALD_STRIPS_ROUTE_H

#include <stdint.h>

typedef enum ald_route { ALD_BY_SCATTER, ALD_BY_LANCZOS, ALD_BY_KRYLOV_SCHUR, ALD_ROUTES } ald_route;

typedef struct ald_route_case {
    int64_t rows, columns;
    int64_t most_square; /* columns of a square that one rank forms */
    double entries;      /* of all rows: those that are stored */
    int sparse;
    int ranks, threads; /* threads of each rank */
    int64_t pairs;
    double reading; /* nanoseconds for an entry in each pass, beside the products */
    int has_slepc;
} ald_route_case;

/* Estimated seconds of each; infinite where it is not possible: the scatter above 40000 columns, a basis of
 * more than 4 GB on each rank where it can be divided, both of SLEPc's where it is not there. */
void ald_route_seconds(const ald_route_case *c, double seconds[ALD_ROUTES]);
/* The shortest. */
ald_route ald_route_choose(const double seconds[ALD_ROUTES]);
const char *ald_route_name(ald_route route);

#endif
