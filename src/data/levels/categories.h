/* The categories of a column, found in a table or known from a model. */
#ifndef ALD_LEVELS_CATEGORIES_H
#define ALD_LEVELS_CATEGORIES_H

#include "io/table/table.h"

/* The categories of a column (or the classes of a target) in the order of their codes, and the way from a
 * cell to its code. */
typedef struct ald_categories {
    int64_t count;
    char **levels;       /* their names, in the dataset's memory */
    int64_t *counts;     /* rows of each, in scratch; NULL: not known */
    int64_t commonest;   /* code of the most frequent one, the first of several */
    int64_t *text_codes; /* code of text k of the table's column, -1: none; NULL: no texts */
    int64_t n_texts;
    int64_t n_numbers;
    double *numbers; /* rising */
    int64_t *number_codes;
} ald_categories;

/* The cells of a column, `stride` apart. */
typedef struct ald_column_cells {
    const double *first;
    int64_t stride, rows;
    const unsigned char *dropped; /* one byte per row; NULL: none is left out */
} ald_column_cells;

/* `all_levels`: those too that a nominal column declares and no row has. */
ald_status ald_categories_find(ald_run *run, ald_arena *arena, const ald_column *column, int all_levels,
                               const ald_column_cells *cells, ald_categories **categories);
/* Categories that are known already, for a column of a new table. */
ald_status ald_categories_match(ald_run *run, const ald_column *column, char **levels, int64_t count,
                                ald_categories **categories);
/* The code of a cell, -1: not among them. */
int64_t ald_category_of(const ald_categories *categories, double cell);
/* Whether most of the rows have a level of their own: names and dates, not categories. */
int ald_are_too_many_levels(int64_t levels, int64_t rows);
/* Whether a name is a number; and names in the order in which categories are found: by their numbers, where
 * all are, else bytewise. */
int ald_name_is_number(const char *name);
ald_status ald_names_sort(ald_run *run, int64_t count, char **names, int numbers);
/* The first few names of a list, for messages. */
ald_status ald_names_listed(ald_run *run, char *const *names, int64_t count, const char **text);
/* The text of a cell as a person would write it. */
const char *ald_cell_shown(const ald_column *column, double cell, char *buffer, size_t size);

#endif
