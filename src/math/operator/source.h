/* Rows that are not in memory: they come in blocks, all of them once a pass. */
#ifndef ALD_OPERATOR_SOURCE_H
#define ALD_OPERATOR_SOURCE_H

#include "math/operator/operator.h"

/* What is done with a block: rows `first` .. of the whole, as an operator with their row scaling and nothing
 * else. Blocks of one part come one after the other, those of several at the same time; `run` is the part's
 * own. */
typedef ald_status (*ald_source_fn)(ald_run *run, void *work, int part, int64_t first,
                                    const ald_operator *rows);

struct ald_logbook;
struct ald_partial;
struct ald_source {
    /* `partial` (logbook.h) is what the visits fill; a pass that an earlier run has begun is resumed. */
    ald_status (*pass)(ald_run *run, const ald_source *source, ald_source_fn visit, void *work,
                       const struct ald_partial *partial);
    int parts;      /* at most this many */
    double entries; /* that a pass reads; of all rows where they are divided (all_rows.h), and then a pass
                       fails for all parts or none */
    struct ald_logbook *logbook; /* of what passes have found (logbook.h); NULL: none is kept */
    const void *self;
};

/* The rows of a block as they are in Z. */
static inline ald_operator ald_source_block(const ald_operator *z, int64_t first, const ald_operator *rows)
{
    ald_operator block = *rows;
    block.mean = z->mean;
    block.inverse_scale = z->inverse_scale;
    block.row_weight = z->row_weight ? z->row_weight + first : NULL;
    return block;
}

#endif
