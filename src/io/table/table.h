/* A table as a reader found it: cells before anyone has said which column is the target.
 *
 * Dense: `cells` is row major, rows x cols, rows `cols` apart. A cell is a number, or one of two kinds of NaN
 * made by the functions below: missing, or text number k of its column. Sparse: CSR in `pointers`, `indices`,
 * `values`. svmlight files have their labels beside the matrix. Everything belongs to the arena. */
#ifndef ALD_TABLE_TABLE_H
#define ALD_TABLE_TABLE_H

#include "base/core/run.h"

#include <alidade/dataset.h>

/* Arrays that grow while a file is read, for readers that do not know (or do not believe) the size
 * beforehand. */

/* Makes `*block` (`*capacity` elements of `size` bytes in `arena`; NULL and 0 at first) hold at least
 * `needed` elements. It grows by half, so that adding n elements one by one costs O(n). `block` is the
 * address of a pointer to the elements. */
ald_status ald_grow(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t needed,
                    size_t size);
/* Gives back what is not used: exactly `count` elements stay. */
ald_status ald_grow_trim(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t count,
                         size_t size);

/* What a survey has seen of a column in all rows of its file. */
typedef struct ald_column_summary {
    double mean;     /* of its numbers; NaN: there are none */
    int64_t rows;    /* of the file, without those that are left out */
    int64_t numbers; /* cells that are some */
    double first;    /* its first cell where its cells count the rows; else NaN */
    int64_t n;       /* different cells that were counted, of columns of texts and categories */
    double *cells;   /* n */
    int64_t *counts; /* n */
} ald_column_summary;

typedef struct ald_column {
    char *name;  /* NULL: unnamed */
    int nominal; /* the file says that it is categorical (ARFF): `levels` are all it may hold, in their order
                  */
    char **levels; /* distinct texts in order of appearance */
    int64_t n_levels;
    int64_t n_numbers; /* cells of each kind */
    int64_t n_texts;
    int64_t n_missing;
    int64_t first_number_line; /* where the first of each stands, 0 if unknown or none */
    int64_t first_text_line;
    const char *text_source; /* the file in which that is; NULL: the table has one file */
    int64_t first_missing_line;
    char *unit;         /* that stood behind its numbers; NULL: none */
    int64_t n_infinite; /* of the numbers; an error once the column is used */
    int64_t first_infinite_line;
    int64_t position;                  /* of the column in its file, from 1 */
    const ald_column_summary *summary; /* of a survey; NULL: the table has all rows */
} ald_column;

/* A column whose cells are kept as the file has them, whatever else becomes of it. */
typedef struct ald_kept_column {
    int64_t column;
    int is_id;    /* it names the rows */
    char **texts; /* one per row; "" where there is no value */
} ald_kept_column;

/* A column that named the rows of a model. */
typedef struct ald_known_id {
    const char *name; /* NULL: unnamed */
    int64_t position; /* from 1 */
} ald_known_id;

typedef struct ald_table {
    ald_arena *arena;
    const char *source; /* the file's name, for messages */
    int64_t rows, cols;
    int sparse;
    int keep_zeros; /* sparse: zeros that are given stay stored */
    double *cells;
    int64_t *pointers, *indices;
    double *values;
    ald_column *columns; /* cols of them; NULL: all numeric, unnamed, nothing missing (npy, svmlight, mtx) */
    /* svmlight labels: row i has label_values[label_pointers[i] .. label_pointers[i+1]); `labelled`[i] is 0
     * for "?". NULL where the format has none. */
    int64_t *label_pointers;
    double *label_values;
    unsigned char *labelled;
    int many_labels;    /* some row has a list of labels */
    int has_lines;      /* first_*_line and those of the rows are lines of a text file */
    int64_t first_line; /* line of the first row, 0: unknown */
    int64_t *lines;     /* of each row where they are not simply first_line + row; else NULL */
    int64_t line_capacity;
    int64_t rows_before; /* rows of the file that stand before those of the table, where it is a part of it */
    const struct ald_portion *portion; /* the rows that are read (reading/input.h); NULL: all */
    int partial;                       /* some rows of a file only: none may be left, weights may all be 0 */
    ald_kept_column *kept;
    int64_t n_kept;
    const ald_known_id *known_ids;      /* set before it is read: looked for, and kept where they are found */
    int64_t n_known_ids, known_columns; /* columns of the file of the model */
    int64_t id_column; /* 1 + the column that names the rows where the file says so itself (transposed); 0:
                          none */
    int decimal_comma; /* csv: numbers were read with one */
    int64_t
        n_target_columns; /* the last columns, where the file itself says that they are the target (mat) */
} ald_table;

/* Notes on what line the row begins, row after row. Costs nothing as long as every row has a line of its own.
 */
ald_status ald_table_note_line(ald_run *run, ald_table *table, int64_t row, int64_t line);
/* The line of a row (from 0), 0 if unknown. */
int64_t ald_table_line(const ald_table *table, int64_t row);
/* What to do where the lines of a text file, of several cells, were read as one cell each; "" elsewhere. */
const char *ald_one_cell_hint(const ald_table *table);
/* The file in which the first text of a column stands, for messages. */
const char *ald_text_source(const ald_table *table, int64_t column);

/* Cells that are not numbers. */
double ald_cell_missing(void);
double ald_cell_text(int64_t level);
int ald_cell_is_missing(double cell);
int ald_cell_is_text(double cell, int64_t *level);

/* The texts that mean "no value here": empty, NA, N/A, NaN, null (in any case), "?". */
int ald_text_is_missing(const char *text, size_t length);
/* Those that mean it in most columns but are a level in others: "-" and ".". */
int ald_text_may_be_missing(const char *text, size_t length);

/* Growing a table's own arrays, names and levels. A level that is there already keeps its number. The lookup
 * may keep a hash table in the run's scratch, one per column, made on demand. */
typedef struct ald_levels ald_levels;
ald_status ald_levels_new(ald_run *run, ald_table *table, ald_levels **levels);
ald_status ald_levels_find(ald_run *run, ald_levels *levels, int64_t column, const char *text, size_t length,
                           int64_t *level);

/* Cells that are not finite, and the counts of the columns, for the formats made of numbers (npy, mat, sparse
 * arff). */

/* The columns of a table that has none yet: unnamed, nothing counted, positions set. */
ald_status ald_table_make_columns(ald_run *run, ald_table *table);
/* Takes a NaN as missing: writes the missing cell over it and counts it, making the columns at the first one
 * (10^6 columns without NaN cost nothing). An infinity is counted too: the column may not be in use. From 0
 * here. */
ald_status ald_cell_not_finite(ald_run *run, ald_table *table, int64_t row, int64_t column, double *cell);
/* Counts as numbers all cells that are neither missing nor text, if there are columns. */
void ald_table_count_numbers(ald_table *table);

/* Whether any column has a name. */
int ald_table_is_named(const ald_table *table);

/* The error for a file without rows or columns. */
ald_status ald_table_check_size(ald_run *run, const ald_table *table);

/* Places in a file, for messages. */

/* Where a cell is, for messages: "line 7, column 3 ('width')" or "row 7, column 3". `line` 0: that of the
 * row, if the table knows it. `row` from 0. */
typedef struct ald_place {
    char text[160];
} ald_place;
ald_place ald_cell_place(const ald_table *table, int64_t row, int64_t column, int64_t line);
/* "'width'" or "column 3". */
ald_place ald_column_label(const ald_table *table, int64_t column);
/* "line 7" or "row 7". */
ald_place ald_row_place(const ald_table *table, int64_t row);

#endif
