/* What the grids of ranks share: a model fitted by all ranks together and one by rank 0 alone. A check that
 * fails is printed and counted; the program goes on, so that no rank waits in vain. */
#ifndef ALD_TESTS_RANKS_TOGETHER_H
#define ALD_TESTS_RANKS_TOGETHER_H

#include "cluster/ranks/communicator.h"
#include "support/support.h"

typedef struct grid grid;
/* Complains where the array of rank 0's model of all ranks is not that of the single one. */
typedef void (*grid_compare)(grid *g, const char *title, const ald_array *ours, const ald_array *single,
                             int64_t count);

struct grid {
    const char *folder;
    ald_ranks *ranks;
    ald_context *together, *alone;
    ald_run run; /* on the ranks, to compare what they have */
    ald_error error;
    grid_compare compare;
    int rank, asked, cases, failures; /* cases: done, of those asked for */
};

/* Joins the ranks; a failure ends the program. Contexts of one or two threads. */
void grid_begin(grid *g, const char *folder, grid_compare compare);
/* What the program ends with: not 0 where a rank has a failure or there were fewer cases than `least`. */
int grid_end(grid *g, int least);
/* All ranks have come here, so what rank 0 has written is there. */
void grid_meet(const grid *g);

void grid_complain(grid *g, const char *what, const char *name, double number);
/* Of a file in the folder; until the next call. */
const char *grid_path(const grid *g, const char *name);
void grid_write(const grid *g, const char *name, const void *bytes, size_t size);

/* Surveys and fits the file. */
ald_status grid_fit(grid *g, ald_context *context, const char *method, const char *set, const char *name,
                    const ald_load_options *load, ald_model **model);
/* Fits by all ranks (every third time twice) and alone, and compares; of the cases asked for every one, or
 * with ALD_SAMPLE every so many. */
void grid_check(grid *g, const char *method, const char *set, const char *name, const ald_load_options *load);

#endif
