/* Inner products of many long rows with many others, C = A B', from rows that are packed once for all
 * products with them: panels of eight rows, entry after entry, with zeros in place of rows that are missing.
 * BLAS would pack both sides again for every tile of C.
 *
 * An inner product is summed from the first entry to the last, so that it does not depend on the tile that it
 * is in, nor on the number of threads. */
#ifndef ALD_LINALG_PANELS_H
#define ALD_LINALG_PANELS_H

#include "math/linalg/view.h"

enum { ald_panel_rows = 8, ald_panel_step = 24 }; /* tiles begin at multiples of the step */

typedef struct ald_panels {
    int64_t d;
    double *values; /* panels of d x ald_panel_rows, as many as ald_panels_count says */
} ald_panels;

/* Whether they may stand for products of the backend, and this processor is faster by them. */
int ald_panels_serve(const ald_run *run);

int64_t ald_panels_count(int64_t rows);
/* The rows, packed by all threads. */
ald_status ald_panels_pack(ald_run *run, ald_view rows, const ald_panels *panels);

/* Rows i .. i + m of A with rows j .. j + w of B; i and j are multiples of the step. */
typedef struct ald_panel_tile {
    int64_t i, m, j, w;
    int upper; /* i is j, and what is below the diagonal may be left out */
    int more;  /* added to what is there */
} ald_panel_tile;

/* The tile at c, rows `stride` apart, a multiple of the step; written is up to the next multiple of it in
 * both directions. */
void ald_panels_multiply(const ald_panels *a, const ald_panels *b, const ald_panel_tile *tile, double *c,
                         int64_t stride);

#endif
