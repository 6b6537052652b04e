/* A cell as a line of a journal has it: an object of JSON with all its fields. */
#ifndef ALD_CELLS_JOURNAL_CELL_H
#define ALD_CELLS_JOURNAL_CELL_H

#include "base/core/json.h"
#include "base/core/text.h"
#include "judge/cells/cell.h"

ald_status ald_journal_cell_print(ald_run *run, ald_text *text, const ald_cell *cell);
/* 0 if a field is missing, too many, of another type or out of its range. */
int ald_journal_cell_read(const json_t *object, ald_cell *cell);

#endif
