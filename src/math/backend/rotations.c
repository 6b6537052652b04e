#include "math/backend/rotations.h"

#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"

#include <string.h>

enum { lanes = 8 };

ald_status ald_sweep_add(ald_run *run, const ald_sweep **newest, int64_t first, int64_t count, double **turns)
{
    ald_sweep *sweep;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *sweep, &sweep));
    ALD_TRY(ald_scratch_reals(run, count, 2, turns));
    *sweep = (ald_sweep){.before = *newest, .first = first, .count = count, .turns = *turns};
    *newest = sweep;
    return ALD_OK;
}

/* Rows of eight numbers; the upper one of a turn is finished by it, the lower one is carried on. */
ALD_WIDE static void turn_rows(const ald_sweep *sweep, double *rows)
{
    const double *turn = sweep->turns;
    double *row = rows + sweep->first * lanes;
    ald_eight carried = ALD_EIGHT_OF(row);
    for (int64_t i = 0; i < sweep->count; i++, turn += 2, row += lanes) {
        const ald_eight below = ALD_EIGHT_OF(row + lanes);
        ALD_EIGHT(row) = turn[0] * carried + turn[1] * below;
        carried = turn[0] * below - turn[1] * carried;
    }
    ALD_EIGHT(row) = carried;
}

ald_status ald_sweeps_unfold(ald_run *run, const ald_sweep *newest, int64_t n, int64_t count,
                             const int64_t *k, double *vectors)
{
    double *rows;
    ALD_TRY(ald_scratch_reals(run, n, lanes, &rows));
    for (int64_t at = 0; at < count; at += lanes) {
        const int64_t columns = ald_least(lanes, count - at);
        memset(rows, 0, (size_t)(n * lanes) * sizeof *rows);
        for (int64_t c = 0; c < columns; c++) rows[k[at + c] * lanes + c] = 1.0;
        for (const ald_sweep *sweep = newest; sweep; sweep = sweep->before) turn_rows(sweep, rows);
        for (int64_t c = 0; c < columns; c++)
            for (int64_t i = 0; i < n; i++) vectors[(at + c) * n + i] = rows[i * lanes + c];
    }
    return ALD_OK;
}
