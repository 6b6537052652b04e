/* Rows that are kept between readings of a file. The survey parses all of them anyway; where they fit, the
 * readings that follow take them from here. What is kept is the blocks of the stream, with their numbers, so
 * that sums are formed by the same additions as from the file.
 *
 * The rule (`keep_rows`): "auto" keeps rows of text in memory if all of them take at most a quarter of what
 * the context may use (context.h: divided by its sharers); "file" puts them into a file without a name where
 * they take more; "none" keeps nothing. An npy file has numbers already, and is read again. */
#ifndef ALD_STREAMING_ROW_STORE_H
#define ALD_STREAMING_ROW_STORE_H

#include "data/encode/dataset.h"
#include "io/reading/stream.h"

/* A store for the rows of a file; NULL where none are kept. An unknown `keep_rows` is an error. */
ald_status ald_row_store_new(ald_run *run, const char *path, const ald_load_options *options,
                             ald_row_store **store);
/* The next block, and the place behind it. What does not fit ends the keeping, and *store becomes NULL; a
 * file that cannot be written is an error. `ignored` as for ald_table_pack. */
ald_status ald_row_store_add(ald_run *run, const ald_table *block, const int64_t *ignored,
                             const ald_stream_place *after, ald_row_store **store);
/* After the last one: whether they still fit when a row has `bytes` bytes. */
void ald_row_store_end(double rows, double bytes, ald_row_store **store);
void ald_row_store_free(ald_row_store *store);

/* For one reading at a time; NULL: there is none, or another has it. */
ald_row_store *ald_row_store_take(const ald_dataset *survey);
void ald_row_store_leave(ald_row_store *store);
int64_t ald_row_store_count(const ald_row_store *store);
/* The place in the file behind block `number`. */
ald_stream_place ald_row_store_after(const ald_row_store *store, int64_t number);
/* Frees the rows if less than `bytes` of memory are left. */
void ald_row_store_yield(ald_run *run, const ald_dataset *survey, double bytes);
/* Block `number` as a dataset, made by the options of the first call, which are those of all. `temporary`
 * becomes one that the caller frees; NULL: the block stays in the store. By several threads, each with blocks
 * of its own. *fresh: it was made just now. */
ald_status ald_row_store_block(ald_run *run, ald_row_store *store, int64_t number,
                               const ald_load_options *options, ald_dataset **block, ald_dataset **temporary,
                               int *fresh);

#endif
