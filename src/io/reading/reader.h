/* Readers: one per format, found by name or by the ending of the file's name. */
#ifndef ALD_READING_READER_H
#define ALD_READING_READER_H

#include "io/reading/input.h"
#include "io/reading/record_ends.h"
#include "io/table/table.h"

/* What a table begins with by which its delimiter is found out. */
enum { ald_sample_bytes = ALD_BUFFER(1 << 20) };

typedef struct ald_reader {
    const char *name;           /* as in --format */
    const char *const *endings; /* ".csv", ...; ends with NULL; a further .gz is taken off before */
    const char *title;
    int is_sheet; /* rows of cells like those of delimited text: `header`, `na` and `skip` apply as well */
    /* Fills the table (its arena and source are set). `options` is never NULL. */
    ald_status (*read)(ald_run *run, ald_input *input, const ald_load_options *options, ald_table *table);
    /* For a format whose library wants a path (mat); then `read` is NULL. */
    ald_status (*read_path)(ald_run *run, const char *path, const ald_load_options *options,
                            ald_table *table);
    /* Of delimited text: the delimiter by the options, or else by the first bytes of the table; a blank
     * stands for runs of them. `whole`: there are no others. */
    ald_status (*delimiter)(ald_run *run, const ald_load_options *options, const char *bytes, size_t size,
                            int whole, char *delimiter);
} ald_reader;

extern const ald_reader ald_csv_reader, ald_tsv_reader, ald_xlsx_reader, ald_npy_reader, ald_svmlight_reader,
    ald_matrixmarket_reader, ald_arff_reader, ald_mat_reader;

/* By options->format or the path's name; csv where neither says. Unknown formats are an error that lists the
 * known ones.
 */
ald_status ald_reader_find(ald_run *run, const char *path, const char *format, const ald_reader **reader);
/* The reader that the ending of the path stands for; NULL if it stands for none. */
const ald_reader *ald_reader_by_ending(const char *path);
/* Whether it reads text with delimiters: csv and its kin. */
int ald_reader_is_delimited(const ald_reader *reader);
/* Finds the reader, opens, reads, closes. An error comes with the file's name in front, and line and column.
 */
ald_status ald_table_read(ald_run *run, const char *path, const ald_load_options *options, ald_arena *arena,
                          ald_table *table);
/* The same for a portion of the file (NULL: all of it). */
ald_status ald_table_read_portion(ald_run *run, const char *path, const ald_load_options *options,
                                  const ald_portion *portion, ald_arena *arena, ald_table *table);

/* Columns whose cells are kept as texts: by the options `id` and `keep`, and by the model that is read like.
 */

/* Lists them in table->kept, ids first, without their texts. */
ald_status ald_kept_choose(ald_run *run, const ald_load_options *options, ald_table *table);
/* The texts of those that have none yet, from the cells. */
ald_status ald_kept_fill(ald_run *run, ald_table *table);

/* How the file of a model was read: what the caller leaves open is done alike. */

/* `whole` is `options` completed by what the schema of options->like records about reading; the table learns
 * which columns named the rows. Texts are in the scratch of the run. */
ald_status ald_options_like(ald_run *run, const ald_load_options *options, ald_load_options *whole,
                            ald_table *table);

#endif
