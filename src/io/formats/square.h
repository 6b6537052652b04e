#ifndef ALD_FORMATS_SQUARE_H
#define ALD_FORMATS_SQUARE_H

#include "base/core/run.h"

#include <alidade/matrix.h>

/* Reads an n x n matrix into the arena; stored zeros stay stored. */
ald_status ald_read_square(ald_run *run, const char *path, ald_arena *arena, int64_t n, ald_matrix *matrix);

/* Directions over d columns of these names (NULL: unnamed), a row each. */
ald_status ald_read_start(ald_run *run, const char *path, ald_arena *arena, int64_t d, char *const *names,
                          ald_matrix *matrix);

#endif
