/* Columns by their names: an index of names, and lists of columns as a user names them. */
#ifndef ALD_TABLE_COLUMNS_H
#define ALD_TABLE_COLUMNS_H

#include "base/core/run.h"
#include "io/table/table.h"

/* Names looked up by hashing, so that a million columns are no burden. */

typedef struct ald_name_slot {
    const char *name; /* NULL: free */
    int64_t value;
} ald_name_slot;

/* Lives in the scratch of the run; the names stay the caller's. */
typedef struct ald_name_index {
    ald_name_slot *slots;
    uint64_t mask;
} ald_name_index;

ald_status ald_name_index_new(ald_run *run, int64_t capacity, ald_name_index *index);
/* A name that is there already keeps its value, and the result is 1; NULL is passed over. At most `capacity`
 * of them. */
int ald_name_index_add(ald_name_index *index, const char *name, int64_t value);
/* The value of name[0 .. length), or -1. */
int64_t ald_name_index_find(const ald_name_index *index, const char *name, size_t length);

/* Gives a column its name, as UTF-8; "" is none. Two columns may have one name as long as nobody looks for
 * it. */
ald_status ald_name_column(ald_run *run, ald_table *table, int64_t column, const char *name, size_t length);

/* The error for a column that has the name of an earlier one, which is in the index. */
ald_status ald_fail_twins(ald_run *run, const ald_table *table, const ald_name_index *index, int64_t column);

/* Columns as the command line names them: names, #3, 3, A..B, with commas. Marks them in chosen[0 .. cols)
 * with their rank in the list from 1 (others 0) and counts them. A name stands for all columns that have it.
 * `what` is for messages, e.g. "`target`". An unknown name is an error with the nearest one. */
ald_status ald_columns_choose(ald_run *run, const ald_table *table, const char *list, const char *what,
                              int64_t *chosen, int64_t *count);

/* How often each cell of some columns occurs, by hashing, in the scratch of the run. */

typedef struct ald_tally_entry {
    double cell; /* texts and numbers, distinguished by their bits */
    int64_t column, count;
} ald_tally_entry;

typedef struct ald_tally {
    ald_tally_entry *entries;
    int64_t n, capacity;
    int64_t *slots; /* number of an entry + 1, 0 is free; at most half full */
    uint64_t mask;
} ald_tally;

/* Counts a cell that was seen `times` times; `count` receives how often it has been seen now. New cells are
 * refused with 0 where `more` is 0. */
ald_status ald_tally_add(ald_run *run, ald_tally *tally, int64_t column, double cell, int64_t times, int more,
                         int64_t *count);

#endif
