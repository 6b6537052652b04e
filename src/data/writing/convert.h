/* Files to files: from one format to another, and at random into a training and a test part. */
#ifndef ALD_WRITING_CONVERT_H
#define ALD_WRITING_CONVERT_H

#include "io/table/table.h"

/* Reads `from`, writes `to` in the format of its name. */
ald_status ald_convert_file(ald_run *run, const char *from, const char *to, const ald_load_options *options);

/* Choosing the rows of the training part of a file at random, and writing both parts. */

/* Marks the rows of the training part in in_train[0 .. rows) and counts them. Of n rows round(train n) are
 * taken: stratify  from each class of the target (a number, a text, or missing; a combination where there are
 * several columns or labels) train times its rows, the fractions rounded by the largest remainder, ties at
 * random; groups whole groups, in random order, as long as each brings the number of rows nearer to what is
 * wanted. Each part has at least one row, or it is an error. The same seed gives the same rows. */
ald_status ald_split_rows(ald_run *run, const ald_table *table, const ald_split_file_options *options,
                          unsigned char *in_train, int64_t *n_train);

/* Reads, chooses, writes; rows keep their order. Both outputs are whole before either is put in its place. */
ald_status ald_split_write(ald_run *run, const char *path, const ald_split_file_options *options,
                           const char *train_path, const char *test_path, int64_t *train_rows,
                           int64_t *test_rows);

#endif
