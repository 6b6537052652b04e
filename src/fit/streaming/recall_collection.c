/* The rows of each block are those of as many ranks, and so is all of it, but for the target of all rows. */
#include "fit/streaming/recall_collection.h"

#include "base/ranks/communicator.h"

#include <string.h>

typedef struct counts {
    int64_t n, blocks;
    double entries;
} counts;

enum { of_counts, of_classes, of_values, of_weights, of_first, of_mean, of_square, n_arrays };

static const char name[] = "collection";

ald_target ald_collection_target(const ald_collection *c, int64_t n, const int32_t *classes,
                                 const double *values, const double *weights)
{
    const ald_target *y = &c->survey->target;
    const int64_t q = y->kind == ALD_TARGET_CLASSES ? 0 : y->values.cols;
    const ald_matrix view = ald_matrix_row_major(values, n, q, q);
    ald_target target = {.rows = n};
    if (classes) target = ald_target_classes(classes, n, y->n_classes);
    if (y->kind == ALD_TARGET_REAL) target = ald_target_real(view);
    if (y->kind == ALD_TARGET_LABELS) target = ald_target_labels(view);
    target.weights = weights;
    return target;
}

static ald_step step_of(const ald_collection *c, double *weight, const ald_piece *arrays)
{
    return (ald_step){
        .name = name,
        .own = !c->gather,
        .head = weight,
        .head_size = sizeof *weight,
        .pieces = arrays,
        .n_pieces = n_arrays,
    };
}

/* Bytes of each array, as the counts have it; those that are not there have none. */
static void sizes_of(const ald_collection *c, const counts *of, int means, int64_t *sizes)
{
    const ald_target *y = &c->survey->target;
    const int64_t real = (int64_t)sizeof(double), n = of->n, d = means ? c->survey->x.cols : 0;
    const int classes = y->kind == ALD_TARGET_CLASSES;
    const int64_t all[n_arrays] = {
        [of_counts] = (int64_t)sizeof *of,
        [of_classes] = classes ? n * (int64_t)sizeof(int32_t) : 0,
        [of_values] = classes || y->kind == ALD_TARGET_NONE ? 0 : n * y->values.cols * real,
        [of_weights] = y->weights ? n * real : 0,
        [of_first] = c->gather ? 0 : (of->blocks + 1) * (int64_t)sizeof(int64_t),
        [of_mean] = d * real,
        [of_square] = d * real,
    };
    memcpy(sizes, all, sizeof all);
}

static ald_piece_kind kind_of(const ald_collection *c, int array)
{
    return c->gather || array >= of_mean ? ALD_ALIKE : ALD_OWN;
}

ald_status ald_collection_note(ald_run *run, const ald_collection *c)
{
    counts of = {c->n, c->blocks, c->entries};
    double weight = c->weight;
    int64_t sizes[n_arrays];
    ald_piece arrays[n_arrays];
    /* only read */
    const void *const data[n_arrays] = {
        &of, c->target.classes, c->target.values.values, c->target.weights, c->first, c->mean, c->square,
    };
    sizes_of(c, &of, c->mean != NULL, sizes);
    for (int i = 0; i < n_arrays; i++) arrays[i] = (ald_piece){.size = sizes[i], .kind = kind_of(c, i)};
    for (int i = 0; i < n_arrays; i++) memcpy(&arrays[i].data, &data[i], sizeof data[i]);
    const ald_step step = step_of(c, &weight, arrays);
    return ald_log_step(run, c->logbook, &step);
}

/* Room for the arrays, in scratch. */
static ald_status make_room(ald_run *run, const ald_collection *c, const int64_t *sizes, counts *of,
                            ald_piece *arrays)
{
    arrays[of_counts] = (ald_piece){of, sizeof *of, kind_of(c, of_counts)};
    for (int i = of_classes; i < n_arrays; i++) {
        arrays[i] = (ald_piece){NULL, sizes[i], kind_of(c, i)};
        if (sizes[i] > 0) ALD_TRY(ald_scratch(run, sizes[i], 1, 1, &arrays[i].data));
    }
    return ALD_OK;
}

static ald_status check(ald_run *run, const ald_collection *c, const counts *of, const int64_t *sizes)
{
    int64_t expected[n_arrays];
    sizes_of(c, of, sizes[of_mean] > 0, expected);
    if (of->n >= 0 && of->blocks >= 0 && memcmp(sizes, expected, sizeof expected) == 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "the checkpoint is damaged: remove it to start anew");
}

static ald_status fill(ald_run *run, ald_collection *c, const int64_t *sizes, double *weight)
{
    counts of = {0};
    ald_piece arrays[n_arrays];
    ALD_TRY(ald_all_agree(run, make_room(run, c, sizes, &of, arrays)));
    const ald_step step = step_of(c, weight, arrays);
    ALD_TRY(ald_recall_pieces(run, c->logbook, &step));
    ALD_TRY(ald_all_agree(run, check(run, c, &of, sizes)));
    c->n = of.n;
    c->blocks = of.blocks;
    c->entries = of.entries;
    c->weight = *weight;
    c->first = arrays[of_first].data;
    c->mean = arrays[of_mean].data;
    c->square = arrays[of_square].data;
    c->target = ald_collection_target(c, of.n, arrays[of_classes].data, arrays[of_values].data,
                                      arrays[of_weights].data);
    return ALD_OK;
}

ald_status ald_collection_recall(ald_run *run, ald_collection *c, int *found)
{
    double weight = 0.0;
    int64_t sizes[n_arrays];
    const ald_step step = step_of(c, &weight, NULL);
    ALD_TRY(ald_recall_head(run, c->logbook, &step, found));
    if (!*found) return ALD_OK;
    ALD_TRY(c->logbook->sizes(run, c->logbook, &step, sizes));
    return fill(run, c, sizes, &weight);
}
