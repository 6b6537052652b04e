/* Z'Z where ranks share the rows of Z and each gets its own columns of it: no rank ever has the whole.
 *
 * Only the upper triangle is summed, in pieces of some columns. Each rank sums a piece over its own rows, and
 * the sums meet on the rank that has these columns; the lower triangle comes from the upper ones of the later
 * ranks at the end. As many pieces are summed in one pass over the rows as fit: 8 d^2 / P bytes, or 200
 * MB where that is more, the largest square that is formed on one rank; the whole triangle takes 4 d^2. So
 * there are about P / 2 passes for each thread, or one where d is not much larger.
 *
 * Operations of a rank: its rows times d^2. Memory: 8 d^2 / P bytes for the result, the sums, and 256 rows
 * for each thread; then the result and 8 (d / P)^2. Sent: d^2 / 2 numbers by each rank, and half of its
 * columns at the end. */
#ifndef ALD_STRIPS_DIVIDED_SCATTER_H
#define ALD_STRIPS_DIVIDED_SCATTER_H

#include "math/operator/operator.h"

/* By all ranks together, z with a source (linalg/source.h); columns (d x count) are those of the own stretch
 * (strips/stretch.h). */
ald_status ald_divided_scatter(ald_run *run, const ald_operator *z, double *columns);
/* How many passes over the rows it takes, with so many threads on each rank; most_square is that of the
 * context. */
int64_t ald_divided_passes(int64_t d, int ranks, int threads, int64_t most_square);

#endif
