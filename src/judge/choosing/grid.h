/* Grids of values as text: a list with commas whose parts are values, or ranges that are written out,
 *   log:LOW:HIGH:COUNT   evenly by logarithms, 0 < LOW < HIGH, both ends included
 *   lin:LOW:HIGH:COUNT   evenly
 * COUNT is left out only where values are drawn. */
#ifndef ALD_CHOOSING_GRID_H
#define ALD_CHOOSING_GRID_H

#include "base/core/text.h"

#include <stdint.h>

/* Values for one parameter. */
typedef struct ald_grid {
    const char *name, *values;
    int whole; /* the parameter is a whole number */
} ald_grid;

/* The values with commas between them, at least one; ranges are written with six digits. */
ald_status ald_grid_write(ald_run *run, const ald_grid *grid, ald_text *list);
/* One value, by number `index` of the sequence of `seed`: of a range anything in it, else one of the list. */
ald_status ald_grid_draw(ald_run *run, const ald_grid *grid, uint64_t seed, uint64_t index, char *value,
                         size_t size);

#endif
