/* From one file format to another, and what splitting shares with it. */
#ifndef ALD_WRITING_CONVERT_H
#define ALD_WRITING_CONVERT_H

#include "io/table/table.h"

/* Refuses the options that change cells: files are passed through as they are. */
ald_status ald_convert_check(ald_run *run, const ald_load_options *options);
/* The column that becomes the label if `path` is an svmlight file: the one options->target names, or the
 * file's own; -1: the file's labels, or none. */
ald_status ald_convert_target(ald_run *run, const ald_table *table, const ald_load_options *options,
                              const char *path, int64_t *target);
/* Reads `from`, writes `to` in the format of its name. */
ald_status ald_convert_file(ald_run *run, const char *from, const char *to, const ald_load_options *options);

#endif
