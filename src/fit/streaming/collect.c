/* Every part keeps what it sees of its blocks; at the end the pieces are put together in the order of the
 * file. */
#include "fit/streaming/collect.h"

#include "base/settings/common_params.h"
#include "base/threads/threads.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/blocks.h"
#include "io/reading/stream.h"
#include "math/operator/all_rows.h"

#include <string.h>

/* A block as far as it is kept. */
typedef struct piece {
    struct piece *older;
    int64_t number, rows;
    int32_t *classes;
    double *values;  /* rows x q */
    double *weights; /* rows, or NULL */
} piece;

/* What one part has seen. */
struct ald_share {
    ald_arena memory;
    piece *newest;
    int64_t rows, blocks;
    double weight, entries;
    double *mean, *square; /* d; NULL before the first block of any weight */
};

static ald_status keep_target(ald_run *run, ald_arena *arena, const ald_target *y, piece *p)
{
    double *numbers;
    int64_t q;
    ALD_TRY(ald_keep(run, arena, y->weights, p->rows, sizeof *y->weights, &p->weights));
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    if (y->kind == ALD_TARGET_CLASSES)
        return ald_keep(run, arena, y->classes, p->rows, sizeof *y->classes, &p->classes);
    ALD_TRY(ald_target_numbers(run, y, &numbers, &q));
    return ald_keep(run, arena, numbers, p->rows * q, sizeof *numbers, &p->values);
}

/* to += from, by Chan's update of each column. */
static void merge_columns(int64_t d, double *mean, double *square, double weight, const double *change_mean,
                          const double *change_square, double change)
{
    const double part = change / (weight + change), shared = weight * part;
    for (int64_t j = 0; j < d; j++) {
        const double apart = change_mean[j] - mean[j];
        mean[j] += part * apart;
        square[j] += change_square[j] + shared * apart * apart;
    }
}

static ald_status add_columns(ald_run *run, int64_t d, const double *mean, const double *square,
                              double weight, ald_share *to)
{
    if (!(weight > 0.0)) return ALD_OK;
    if (to->mean) {
        merge_columns(d, to->mean, to->square, to->weight, mean, square, weight);
    } else {
        ALD_TRY(ald_keep(run, &to->memory, mean, d, sizeof *mean, &to->mean));
        ALD_TRY(ald_keep(run, &to->memory, square, d, sizeof *square, &to->square));
    }
    to->weight += weight;
    return ALD_OK;
}

/* Means and sums of squares of the columns of a block. */
static ald_status columns_of(ald_run *run, const ald_operator *rows, const double *weights, double *weight,
                             ald_column_moments *moments)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    *weight = (double)n;
    ALD_TRY(ALD_SCRATCH(run, {&moments->mean, d, 1}, {&moments->deviation, d, 1}));
    if (weights) {
        *weight = 0.0;
        for (int64_t i = 0; i < n; i++) *weight += weights[i];
    }
    ALD_TRY(ald_column_statistics(run, rows, weights, *moments));
    for (int64_t j = 0; j < d; j++) moments->deviation[j] *= moments->deviation[j] * *weight;
    return ALD_OK;
}

static ald_status collect_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    ald_share *s = &((ald_collection *)work)->shares[part];
    ald_operator rows = {.x = block->x};
    ald_column_moments moments = {0};
    piece *p = NULL;
    double weight;
    const piece made = {.older = s->newest, .number = number, .rows = block->x.rows};
    ALD_TRY(ald_keep(run, &s->memory, &made, 1, sizeof made, &p));
    ALD_TRY(keep_target(run, &s->memory, &block->target, p));
    s->newest = p;
    s->rows += p->rows;
    s->blocks = number + 1;
    s->entries += ald_operator_entries(&rows);
    if (!((ald_collection *)work)->columns) return ALD_OK;
    ALD_TRY(ald_prepare_rows(run, &((ald_collection *)work)->plan, &rows));
    ALD_TRY(columns_of(run, &rows, block->target.weights, &weight, &moments));
    return add_columns(run, block->x.cols, moments.mean, moments.deviation, weight, s);
}

/* Adds the shares up in the first one, and finds where the blocks begin. */
static ald_status add_shares(ald_run *run, ald_collection *c)
{
    for (int part = 0; part < c->parts; part++) {
        const ald_share *s = &c->shares[part];
        c->n += s->rows;
        c->entries += s->entries;
        if (s->blocks > c->blocks) c->blocks = s->blocks;
        if (part > 0) ALD_TRY(add_columns(run, c->survey->x.cols, s->mean, s->square, s->weight, c->shares));
    }
    ALD_TRY(ald_scratch_clear(run, c->blocks + 1, 1, sizeof *c->first, &c->first));
    for (int part = 0; part < c->parts; part++)
        for (const piece *p = c->shares[part].newest; p; p = p->older) c->first[p->number + 1] = p->rows;
    for (int64_t b = 0; b < c->blocks; b++) c->first[b + 1] += c->first[b];
    if (c->first[c->blocks] != c->n) return ald_step_damaged(run); /* a block that is there twice */
    c->weight = c->shares->weight;
    c->mean = c->shares->mean;
    c->square = c->shares->square;
    return ALD_OK;
}

int64_t ald_collection_values(const ald_collection *c)
{
    const ald_target *y = &c->survey->target;
    return y->kind == ALD_TARGET_CLASSES ? 0 : y->values.cols;
}

ald_target ald_collection_target(const ald_collection *c, int64_t n, const int32_t *classes,
                                 const double *values, const double *weights)
{
    const ald_target *y = &c->survey->target;
    const int64_t q = ald_collection_values(c);
    const ald_matrix view = ald_matrix_row_major(values, n, q, q);
    ald_target target = {.rows = n};
    if (classes) target = ald_target_classes(classes, n, y->n_classes);
    if (y->kind == ALD_TARGET_REAL) target = ald_target_real(view);
    if (y->kind == ALD_TARGET_LABELS) target = ald_target_labels(view);
    target.weights = weights;
    return target;
}

/* The target and the weights of all rows, in scratch. */
static ald_status assemble(ald_run *run, ald_collection *c)
{
    const ald_target *y = &c->survey->target;
    const int64_t q = y->kind == ALD_TARGET_CLASSES ? 0 : y->values.cols;
    int32_t *classes = NULL;
    double *values = NULL, *weights = NULL;
    if (y->kind == ALD_TARGET_CLASSES) ALD_TRY(ald_scratch(run, c->n, 1, sizeof *classes, &classes));
    if (q > 0) ALD_TRY(ald_scratch_reals(run, c->n, q, &values));
    if (y->weights) ALD_TRY(ald_scratch_reals(run, c->n, 1, &weights));
    for (int part = 0; part < c->parts; part++)
        for (const piece *p = c->shares[part].newest; p; p = p->older) {
            const int64_t at = c->first[p->number];
            if (classes) memcpy(classes + at, p->classes, (size_t)p->rows * sizeof *classes);
            if (values) memcpy(values + at * q, p->values, (size_t)(p->rows * q) * sizeof *values);
            if (weights) memcpy(weights + at, p->weights, (size_t)p->rows * sizeof *weights);
        }
    c->target = ald_collection_target(c, c->n, classes, values, weights);
    return ald_collection_check(run, c);
}

/* --- the state of a collection under way --- */

/* What a part has, apart from its arrays. */
typedef struct share_counts {
    int64_t rows, blocks, pieces, means;
    double weight, entries;
} share_counts;

static ald_status put_piece(ald_run *run, const ald_collection *c, const piece *p, ald_record *to)
{
    const int64_t counts[] = {p->number, p->rows};
    ALD_TRY(ald_record_put(run, to, counts, 2, sizeof *counts));
    if (p->classes) ALD_TRY(ald_record_put(run, to, p->classes, p->rows, sizeof *p->classes));
    if (p->values)
        ALD_TRY(ald_record_put(run, to, p->values, p->rows * ald_collection_values(c), sizeof *p->values));
    return p->weights ? ald_record_put(run, to, p->weights, p->rows, sizeof *p->weights) : ALD_OK;
}

static ald_status put_share(ald_run *run, const ald_collection *c, const ald_share *s, ald_record *to)
{
    const int64_t d = c->survey->x.cols;
    share_counts counts = {s->rows, s->blocks, 0, s->mean != NULL, s->weight, s->entries};
    for (const piece *p = s->newest; p; p = p->older) counts.pieces++;
    ALD_TRY(ald_record_put(run, to, &counts, 1, sizeof counts));
    if (s->mean) ALD_TRY(ald_record_put(run, to, s->mean, d, sizeof *s->mean));
    if (s->mean) ALD_TRY(ald_record_put(run, to, s->square, d, sizeof *s->square));
    for (const piece *p = s->newest; p; p = p->older) ALD_TRY(put_piece(run, c, p, to));
    return ALD_OK;
}

static ald_status put_shares(ald_run *run, void *work, ald_record_file *file)
{
    const ald_collection *c = work;
    ald_record to = {.arena = &file->alone.scratch, .kind = "shares"};
    for (int part = 0; part < c->parts; part++) ALD_TRY(put_share(run, c, &c->shares[part], &to));
    ALD_TRY(ald_record_seal(run, &to));
    return ald_record_file_put_sealed(run, file, &to);
}

/* A block and its rows, as far as a file can have them; sums of these do not overflow. */
static int can_be(const int64_t counts[2])
{
    const int64_t most = (int64_t)1 << 40;
    return counts[0] >= 0 && counts[0] < most && counts[1] >= 0 && counts[1] < most;
}

/* In the memory of the record, which is that of the share. */
static ald_status take_piece(ald_run *run, const ald_collection *c, ald_record *from, ald_share *s)
{
    const ald_target *y = &c->survey->target;
    const int64_t q = ald_collection_values(c);
    int64_t counts[2];
    piece *p = NULL;
    ALD_TRY(ald_record_take(run, from, counts, 2, sizeof *counts));
    if (!can_be(counts)) return ald_step_damaged(run);
    const piece made = {.older = s->newest, .number = counts[0], .rows = counts[1]};
    ALD_TRY(ald_keep(run, &s->memory, &made, 1, sizeof made, &p));
    if (y->kind == ALD_TARGET_CLASSES)
        ALD_TRY(ald_record_take_array(run, from, &p->classes, p->rows, sizeof *p->classes));
    if (q > 0) ALD_TRY(ald_record_take_array(run, from, &p->values, p->rows * q, sizeof *p->values));
    if (y->weights) ALD_TRY(ald_record_take_array(run, from, &p->weights, p->rows, sizeof *p->weights));
    s->newest = p;
    s->rows += p->rows;
    if (p->number >= s->blocks) s->blocks = p->number + 1;
    return ALD_OK;
}

static ald_status take_share(ald_run *run, const ald_collection *c, ald_record *from, ald_share *s)
{
    const int64_t d = c->survey->x.cols;
    share_counts counts;
    from->arena = &s->memory;
    ALD_TRY(ald_record_take(run, from, &counts, 1, sizeof counts));
    s->weight = counts.weight;
    s->entries = counts.entries;
    if (counts.means) ALD_TRY(ald_record_take_array(run, from, &s->mean, d, sizeof *s->mean));
    if (counts.means) ALD_TRY(ald_record_take_array(run, from, &s->square, d, sizeof *s->square));
    for (int64_t i = 0; i < counts.pieces; i++) ALD_TRY(take_piece(run, c, from, s));
    return s->rows == counts.rows && s->blocks == counts.blocks ? ALD_OK : ald_step_damaged(run);
}

static ald_status take_shares(ald_run *run, void *work, ald_record_file *file)
{
    const ald_collection *c = work;
    ald_record from = {.arena = &file->alone.scratch, .kind = "shares"};
    ALD_TRY(ald_record_file_next(run, file, &from));
    for (int part = 0; part < c->parts; part++) ALD_TRY(take_share(run, c, &from, &c->shares[part]));
    return ALD_OK;
}

/* --- rows that are divided --- */

/* With w_p, m_p, q_p the weight, means and sums of squares of part p, w = sum of w_p:
 *
 *     m = sum of w_p m_p / w
 *     q = sum of q_p + w_p (m_p - m)^2 */
static ald_status add_means(ald_run *run, ald_collection *c)
{
    double *mean, *square;
    const ald_all_rows *all = c->survey->all;
    const int64_t d = c->survey->x.cols;
    const double own = c->mean ? c->weight : 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&mean, d, 1}, {&square, d, 1}));
    c->weight = own;
    ALD_TRY(all->sum(run, &c->weight, 1));
    for (int64_t j = 0; j < d; j++) mean[j] = own > 0.0 ? own * c->mean[j] / c->weight : 0.0;
    ALD_TRY(all->sum(run, mean, d));
    for (int64_t j = 0; j < d; j++) {
        const double apart = own > 0.0 ? c->mean[j] - mean[j] : 0.0;
        square[j] = own > 0.0 ? c->square[j] + own * apart * apart : 0.0;
    }
    ALD_TRY(all->sum(run, square, d));
    c->mean = c->weight > 0.0 ? mean : NULL;
    c->square = c->weight > 0.0 ? square : NULL;
    return ALD_OK;
}

/* `array` (size bytes for each row of this part, or NULL) becomes that of all rows, in scratch. */
static ald_status gather_rows(ald_run *run, const ald_collection *c, const void *array, size_t size,
                              void **all)
{
    ald_gathered gathered;
    ALD_TRY(c->survey->all->gather(run, ALD_OK, array, c->n * (int64_t)size, &gathered));
    *all = gathered.bytes;
    return ALD_OK;
}

static ald_status gather_target(ald_run *run, ald_collection *c)
{
    const ald_target own = c->target;
    const ald_target *y = &c->survey->target;
    const int64_t q = own.values.cols;
    void *classes = NULL, *values = NULL, *weights = NULL;
    if (y->kind == ALD_TARGET_CLASSES)
        ALD_TRY(gather_rows(run, c, own.classes, sizeof *own.classes, &classes));
    if (q > 0) ALD_TRY(gather_rows(run, c, own.values.values, (size_t)q * sizeof(double), &values));
    if (y->weights) ALD_TRY(gather_rows(run, c, own.weights, sizeof(double), &weights));
    ALD_TRY(c->survey->all->count(run, &c->n, 1));
    c->target = ald_collection_target(c, c->n, classes, values, weights);
    return ALD_OK;
}

static ald_status read_own(ald_run *run, ald_collection *c)
{
    const int64_t which = 4 * c->number + 2 * c->columns + c->gather;
    const ald_partial partial = {
        .input = 2 * (uint64_t)(which * ALD_MOST_PARTS + c->parts) + ald_stream_kind(run),
    };
    ald_pass_state state = ald_pass_state_of(c->survey->checkpoint, "collection", partial);
    const ald_blocks blocks = {
        .path = c->path,
        .options = c->like,
        .survey = c->survey,
        .visit = collect_block,
        .work = c,
        .state = state.checkpoint ? &state : NULL,
    };
    state.put = put_shares;
    state.take = take_shares;
    state.work = c;
    ALD_TRY(ald_scratch_clear(run, c->parts, 1, sizeof *c->shares, &c->shares));
    for (int i = 0; i < c->parts; i++) ald_arena_init(&c->shares[i].memory, run->call.allocator);
    ALD_TRY(ald_blocks_read(run, &blocks, c->parts));
    ALD_TRY(add_shares(run, c));
    return assemble(run, c);
}

static ald_status collect_rows(ald_run *run, ald_collection *c)
{
    ALD_TRY(read_own(run, c));
    if (c->survey->all && c->columns) ALD_TRY(add_means(run, c));
    if (c->survey->all && c->gather) ALD_TRY(gather_target(run, c));
    int64_t rows = c->n;
    if (!c->gather) ALD_TRY(ald_all_rows_count(run, c->survey->all, &rows, 1));
    if (rows >= 2) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has fewer than two rows%s", c->path,
                    c->survey->target.weights ? " of a weight above 0" : "");
}

ald_status ald_collect(ald_run *run, ald_collection *c)
{
    int found;
    c->parts = ald_blocks_parts(run);
    ALD_TRY(ald_collection_recall(run, c, &found));
    if (found) return ALD_OK;
    ALD_TRY(collect_rows(run, c));
    return ald_collection_log(run, c);
}

void ald_collection_free(ald_collection *c)
{
    for (int i = 0; c->shares && i < c->parts; i++) ald_arena_free(&c->shares[i].memory);
}
