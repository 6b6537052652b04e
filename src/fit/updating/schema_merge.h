/* Schemas of parts of the rows: whether they describe the same columns, and that of all rows. */
#ifndef ALD_UPDATING_SCHEMA_MERGE_H
#define ALD_UPDATING_SCHEMA_MERGE_H

#include "base/core/model.h"

/* An error that says in what the part differs from the first model. Classes, labels that came as a list, and
 * what fills empty cells may differ. Models without schemas are alike. */
ald_status ald_schema_check_alike(ald_run *run, const ald_model *first, const ald_model *part);
/* The text of `a`, of so many rows, with the rows of b added: means that fill empty cells, and how often each
 * level was seen. In `arena`. */
ald_status ald_schema_add_rows(ald_run *run, ald_arena *arena, const char *a, double a_rows, const char *b,
                               double b_rows, char **text);

#endif
