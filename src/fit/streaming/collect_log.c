/* What the logbook keeps of a collection: its counts, then the target, the weights, where blocks begin and
 * the means. It is read as hostile input: classes are looked up and blocks are places in arrays. */
#include "fit/prepare/check.h"
#include "fit/streaming/collect.h"
#include "io/reading/stream.h"

#include <string.h>

ald_status ald_collection_check(ald_run *run, const ald_collection *c)
{
    int sound = 1;
    if (c->first) sound = c->first[0] == 0 && c->first[c->blocks] == c->n;
    for (int64_t b = 0; c->first && b < c->blocks; b++) sound = sound && c->first[b] <= c->first[b + 1];
    if (!sound) return ald_step_damaged(run);
    if (c->target.kind == ALD_TARGET_NONE || c->n == 0) return ALD_OK;
    const ald_status status = ald_check_truth(run, &c->target, c->n);
    const int refused = status == ALD_ERROR_DATA || status == ALD_ERROR_ARGUMENT;
    return refused ? ald_step_damaged(run) : status;
}

typedef struct counts {
    double weight, entries;
    int64_t n, blocks, means;
} counts;

enum { of_classes, of_values, of_weights, of_first, of_mean, of_square, n_arrays };

/* The arrays of so many rows and blocks; those that are not there have no bytes. */
static void list_arrays(const ald_collection *c, const counts *of, ald_piece *arrays)
{
    const ald_target *y = &c->survey->target;
    const int64_t real = (int64_t)sizeof(double), n = of->n, d = of->means ? c->survey->x.cols : 0;
    const ald_piece_kind kind = c->gather ? ALD_ALIKE : ALD_OWN;
    const int64_t q = y->kind == ALD_TARGET_NONE ? 0 : ald_collection_values(c);
    const int64_t labels = y->kind == ALD_TARGET_CLASSES ? n * (int64_t)sizeof(int32_t) : 0;
    arrays[of_classes] = (ald_piece){NULL, labels, kind};
    arrays[of_values] = (ald_piece){NULL, n * q * real, kind};
    arrays[of_weights] = (ald_piece){NULL, y->weights ? n * real : 0, kind};
    arrays[of_first] = (ald_piece){NULL, c->gather ? 0 : (of->blocks + 1) * real, kind};
    arrays[of_mean] = arrays[of_square] = (ald_piece){NULL, d * real, ALD_ALIKE};
}

static ald_step step_of(const ald_run *run, counts *of, const ald_piece *arrays)
{
    return (ald_step){
        .name = "collection",
        .input = ald_stream_kind(run), /* where blocks begin follows from it */
        .head = of,
        .head_size = sizeof *of,
        .pieces = arrays,
        .n_pieces = n_arrays,
    };
}

ald_status ald_collection_log(ald_run *run, const ald_collection *c)
{
    counts of = {c->weight, c->entries, c->n, c->blocks, c->mean != NULL};
    ald_piece arrays[n_arrays];
    /* only read */
    const void *const data[n_arrays] = {
        c->target.classes, c->target.values.values, c->target.weights, c->first, c->mean, c->square,
    };
    list_arrays(c, &of, arrays);
    for (int i = 0; i < n_arrays; i++) memcpy(&arrays[i].data, &data[i], sizeof data[i]);
    const ald_step step = step_of(run, &of, arrays);
    return ald_log_step(run, c->logbook, &step);
}

/* Room for the arrays, in scratch. */
static ald_status make_room(ald_run *run, const ald_collection *c, const counts *of, ald_piece *arrays)
{
    if (of->n < 0 || of->blocks < 0 || of->n > INT64_MAX / 64 || of->blocks > INT64_MAX / 64)
        return ald_step_damaged(run);
    list_arrays(c, of, arrays);
    for (int i = 0; i < n_arrays; i++)
        if (arrays[i].size > 0) ALD_TRY(ald_scratch(run, arrays[i].size, 1, 1, &arrays[i].data));
    return ALD_OK;
}

ald_status ald_collection_recall(ald_run *run, ald_collection *c, int *found)
{
    counts of = {0};
    ald_piece arrays[n_arrays];
    ald_step step = step_of(run, &of, NULL);
    ALD_TRY(ald_recall_head(run, c->logbook, &step, found));
    if (!*found) return ALD_OK;
    ALD_TRY(make_room(run, c, &of, arrays));
    step.pieces = arrays;
    ALD_TRY(ald_recall_pieces(run, c->logbook, &step));
    c->n = of.n;
    c->blocks = of.blocks;
    c->entries = of.entries;
    c->weight = of.weight;
    c->first = arrays[of_first].data;
    c->mean = arrays[of_mean].data;
    c->square = arrays[of_square].data;
    c->target = ald_collection_target(c, of.n, arrays[of_classes].data, arrays[of_values].data,
                                      arrays[of_weights].data);
    if (c->columns && !c->mean) return ald_step_damaged(run);
    return ald_collection_check(run, c);
}
