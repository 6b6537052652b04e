/* What one of several ranks reads of a file.
 *
 * The file is cut into as many ranges of bytes as there are ranks. A range need not begin where a record
 * does, and in csv a line end within quotes ends none. So every rank looks through its range once,
 * without parsing, from every state in which it may begin (io/reading/record_ends.h): in which state it
 * ends then, and where its first record begins. Put together these tell each rank where the records that
 * are its own begin and end, and how many lines stand before them. NPY has rows of equal length and needs
 * none of this. */
#ifndef ALD_SHARING_FIND_PORTION_H
#define ALD_SHARING_FIND_PORTION_H

#include "base/core/run.h"
#include "io/reading/input.h"
#include "io/reading/record_ends.h"

#include <alidade/dataset.h>

/* What a look through a range [begin, end) tells. */
typedef struct ald_range_look {
    int64_t lines; /* how many line ends */
    /* If the range begins in a state: in which it ends; behind the first line end that ends a record, as a
     * place in the file, or -1; and the line ends of the range up to there. */
    struct {
        int64_t state, record, lines;
    } from[ALD_RECORD_STATES];
} ald_range_look;

void ald_range_look_begin(ald_range_look *look);
/* Looks at the next bytes of a range; `at` is the place of the first of them. */
void ald_range_look_at(ald_range_look *look, const ald_record_manner *manner, const char *bytes, int64_t size,
                       int64_t at);
/* The portion of `rank` from the looks of all `size` ranks at a file of `bytes` bytes. */
ald_portion ald_portion_of(const ald_range_look *looks, int rank, int size, int64_t bytes);

/* The first of `items` that is one of `rank`. Rank 0 has other work besides, as much as `others` items. */
int64_t ald_portion_begin(int64_t items, int64_t others, int size, int rank);

/* The portion of this rank; agreed on by all. Compressed files, and files that are not the same on all ranks,
 * are errors. `fits`: rank 0 also runs the fit, so of an NPY file of d columns it gets about 10 d fewer
 * rows. With one rank it is the whole file. */
ald_status ald_portion_find(ald_run *run, const char *path, const ald_load_options *options, int fits,
                            ald_portion *portion);

#endif
