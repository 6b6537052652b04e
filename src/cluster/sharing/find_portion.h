/* The portion of a file that each of several ranks reads. */
#ifndef ALD_SHARING_FIND_PORTION_H
#define ALD_SHARING_FIND_PORTION_H

#include "base/core/run.h"
#include "io/reading/portion.h"

#include <alidade/dataset.h>

/* The portion of this rank; agreed on by all. Compressed files, and files that are not the same on all ranks,
 * are errors. `fits`: rank 0 also runs the fit, so of an NPY file of d columns it gets about 10 d fewer
 * rows. With one rank it is the whole file. */
ald_status ald_portion_find(ald_run *run, const char *path, const ald_load_options *options, int fits,
                            ald_portion *portion);

#endif
