/* Which rows the statistics of a model are of: a hash for each part that was added, in the text
 * `alidade.parts` where these are several. Rows that are added once more are noticed by it. */
#ifndef ALD_UPDATING_COUNTED_PARTS_H
#define ALD_UPDATING_COUNTED_PARTS_H

#include "methods/moments/moments.h"

/* Those of a model with statistics m, in `arena`: its text, or, without one, the hash of m. */
ald_status ald_parts_of(ald_run *run, ald_arena *arena, const ald_model *model, const ald_moments *m,
                        char **parts);
/* Adds `others` to `parts`, in `arena`; gives back how many of them were there already. */
ald_status ald_parts_add(ald_run *run, ald_arena *arena, const char *others, char **parts, int64_t *already);
/* Takes the part m away; one that is not there is all that is left known of the rows. */
ald_status ald_parts_take(ald_run *run, const ald_moments *m, const ald_moments *left, char **parts);
/* In a model whose statistics are m. */
ald_status ald_parts_store(ald_run *run, const char *parts, const ald_moments *m, ald_model *model);

#endif
