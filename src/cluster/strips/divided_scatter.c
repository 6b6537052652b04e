#include "cluster/strips/divided_scatter.h"

#include "base/ranks/communicator.h"
#include "cluster/strips/stretch.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "math/operator/logbook.h"
#include "math/operator/shared_rows.h"
#include "math/operator/source.h"

#include <string.h>

enum { widest = 512, held_rows = 256 };

/* Columns first .. first + count of the upper triangle: `rows` rows of them. */
typedef struct piece {
    int owner;
    int64_t first, count, rows;
    int64_t at; /* its place in the sums of its pass */
} piece;

/* The pieces in their order, some for each pass: the same on all ranks. */
typedef struct division {
    int64_t d, room; /* room: numbers for the sums of one thread */
    int ranks;
    int rank;      /* that the next piece belongs to */
    int64_t first; /* and its first column */
} division;

typedef struct summing {
    const ald_operator *z;
    const piece *pieces;
    int64_t count, size; /* pieces of this pass, and the numbers they have */
    double *sums;        /* parts x room */
    double *rows;        /* parts x held_rows x d: of Z, not yet multiplied */
    int64_t *held;       /* parts */
    int64_t room;
} summing;

static division division_of(int64_t d, int ranks, int threads, int64_t most_square)
{
    const int64_t least = most_square * most_square, own = d * d / ranks, all = own > least ? own : least;
    const int64_t room = all / threads > d ? all / threads : d, triangle = d * (d + widest) / 2;
    return (division){.d = d, .ranks = ranks, .room = room < triangle ? room : triangle};
}

/* The next piece, of no more than `left` numbers; 0: it is for the next pass, or there is none. */
static int next_piece(division *v, int64_t left, piece *p)
{
    if (v->first >= v->d) return 0;
    const ald_stretch of_rank = ald_stretch_of(v->d, v->rank, v->ranks);
    int64_t count = of_rank.first + of_rank.count - v->first;
    const int64_t fit = v->room / v->d;
    if (count > widest) count = widest;
    if (count > fit) count = fit;
    *p = (piece){.owner = v->rank, .first = v->first, .count = count, .rows = v->first + count};
    if (p->rows * count > left) return 0;
    v->first += count;
    if (v->first == of_rank.first + of_rank.count) v->rank++;
    return 1;
}

/* The pieces of one pass; counts them, and writes them where there is room for them. */
static int64_t next_pass(division *v, piece *pieces, int64_t *size)
{
    piece p;
    int64_t count = 0;
    for (*size = 0; next_piece(v, v->room - *size, &p); count++) {
        p.at = *size;
        *size += p.rows * p.count;
        if (pieces) pieces[count] = p;
    }
    return count;
}

int64_t ald_divided_passes(int64_t d, int ranks, int threads, int64_t most_square)
{
    division v = division_of(d, ranks, threads, most_square);
    int64_t passes = 0, size;
    while (next_pass(&v, NULL, &size) > 0) passes++;
    return passes;
}

/* Row i of the sparse rows of a block, as it is in Z. */
static void write_sparse(const ald_operator *z, int64_t i, double *row)
{
    const double shift = z->row_shift ? z->row_shift[i] : 0.0,
                 factor = z->row_factor ? z->row_factor[i] : 1.0,
                 weight = z->row_weight ? z->row_weight[i] : 1.0;
    const int64_t begin = ald_matrix_index(&z->x, z->x.pointers, i),
                  end = ald_matrix_index(&z->x, z->x.pointers, i + 1);
    for (int64_t j = 0; j < z->x.cols; j++) row[j] = -factor * shift;
    for (int64_t e = begin; e < end; e++)
        row[ald_matrix_index(&z->x, z->x.indices, e)] += factor * ald_matrix_value(&z->x, e);
    for (int64_t j = 0; j < z->x.cols; j++) {
        if (z->mean) row[j] -= z->mean[j];
        row[j] *= z->inverse_scale ? weight * z->inverse_scale[j] : weight;
    }
}

static ald_status write_rows(ald_run *run, const ald_operator *block, int64_t first, ald_area rows)
{
    if (block->x.storage == ALD_DENSE) return ald_operator_rows(run, block, first, rows);
    if (block->x.storage != ALD_CSR)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "sparse rows must come row by row");
    for (int64_t i = 0; i < rows.rows; i++) write_sparse(block, first + i, rows.data + i * rows.stride);
    return ALD_OK;
}

/* sums += Z[:, 0 .. rows)' Z[:, first .. first + count) over the rows that are held, for every piece. */
static ald_status multiply_held(ald_run *run, const summing *s, int part)
{
    const int64_t d = s->z->x.cols;
    const ald_view rows = ald_of(s->rows + part * held_rows * d, s->held[part], d);
    for (int64_t i = 0; i < s->count; i++) {
        const piece *p = &s->pieces[i];
        const ald_view right = ald_view_block(rows, 0, p->first, rows.rows, p->count);
        ALD_TRY(ald_product_add(run, 1.0, ald_t(ald_left(rows, p->rows)), right, 1.0,
                                ald_at(s->sums + part * s->room + p->at, p->rows, p->count)));
    }
    s->held[part] = 0;
    return ALD_OK;
}

static ald_status hold_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const summing *s = work;
    const int64_t d = s->z->x.cols;
    const ald_operator block = ald_source_block(s->z, first, rows);
    for (int64_t i = 0; i < block.x.rows;) {
        const int64_t free = held_rows - s->held[part],
                      count = block.x.rows - i < free ? block.x.rows - i : free;
        double *to = s->rows + (part * held_rows + s->held[part]) * d;
        ALD_TRY(write_rows(run, &block, i, ald_at(to, count, d)));
        s->held[part] += count;
        i += count;
        if (s->held[part] == held_rows) ALD_TRY(multiply_held(run, s, part));
    }
    return ALD_OK;
}

/* The rest of the rows, and the parts added in their order. */
static ald_status end_pass(ald_run *run, const summing *s)
{
    for (int part = 0; part < s->z->source->parts; part++) {
        ALD_TRY(multiply_held(run, s, part));
        const double *more = s->sums + part * s->room;
        for (int64_t i = 0; part > 0 && i < s->size; i++) s->sums[i] += more[i];
    }
    return ALD_OK;
}

/* What all ranks have of a piece, into the columns of its owner. */
static ald_status unite_piece(ald_run *run, const summing *s, const piece *p, ald_stretch own,
                              double *columns)
{
    double *sums = s->sums + p->at;
    ALD_TRY(ald_all_sum_at(run, p->owner, sums, p->rows * p->count));
    if (p->owner != ald_rank(run)) return ALD_OK;
    for (int64_t i = 0; i < p->rows; i++)
        memcpy(columns + i * own.count + p->first - own.first, sums + i * p->count,
               (size_t)p->count * sizeof *columns);
    return ALD_OK;
}

static ald_status sum_pass(ald_run *run, summing *s, ald_stretch own, double *columns)
{
    const ald_source *source = s->z->source;
    for (int part = 0; part < source->parts; part++)
        memset(s->sums + part * s->room, 0, (size_t)s->size * sizeof *s->sums);
    memset(s->held, 0, (size_t)source->parts * sizeof *s->held);
    const ald_piece pieces[] = {
        {s->sums, source->parts * s->room * (int64_t)sizeof *s->sums, ALD_OWN},
        {s->rows, source->parts * held_rows * s->z->x.cols * (int64_t)sizeof *s->rows, ALD_OWN},
        {s->held, source->parts * (int64_t)sizeof *s->held, ALD_OWN},
    };
    const ald_partial partial = {
        .input = (uint64_t)s->pieces->first + 1, /* of the columns of this pass */
        .pieces = pieces,
        .n_pieces = 3,
    };
    ALD_TRY(source->pass(run, source, hold_block, s, &partial));
    ALD_TRY(ald_all_agree(run, end_pass(run, s)));
    for (int64_t i = 0; i < s->count; i++) ALD_TRY(unite_piece(run, s, &s->pieces[i], own, columns));
    return ALD_OK;
}

/* What a later rank has of the rows of `to` are the columns of `to` below them. */
static ald_status give_block(ald_run *run, int64_t d, int to, ald_stretch own, const double *columns)
{
    const ald_stretch theirs = ald_stretch_of(d, to, ald_rank_count(run));
    return ald_send(run, to, columns + theirs.first * own.count,
                    theirs.count * own.count * (int64_t)sizeof *columns);
}

static ald_status take_block(ald_run *run, int64_t d, int from, ald_stretch own, double *room,
                             double *columns)
{
    const ald_stretch theirs = ald_stretch_of(d, from, ald_rank_count(run));
    ALD_TRY(ald_receive(run, from, room, theirs.count * own.count * (int64_t)sizeof *room));
    for (int64_t i = 0; i < own.count; i++)
        for (int64_t j = 0; j < theirs.count; j++)
            columns[(theirs.first + j) * own.count + i] = room[i * theirs.count + j];
    return ALD_OK;
}

/* The lower triangle: within the own columns, and from every later rank. */
static ald_status mirror(ald_run *run, int64_t d, ald_stretch own, double *columns)
{
    const int rank = ald_rank(run), ranks = ald_rank_count(run);
    const int64_t longest = ranks > 1 ? d / ranks + 1 : 0;
    double *diagonal = columns + own.first * own.count;
    double *room = NULL;
    ALD_TRY(ald_all_agree(run, ald_scratch_reals(run, longest, longest, &room)));
    ald_mirror(ald_at(diagonal, own.count, own.count));
    for (int from = 1; from < ranks; from++)
        for (int to = 0; to < from; to++) {
            if (rank == from) ALD_TRY(give_block(run, d, to, own, columns));
            if (rank == to) ALD_TRY(take_block(run, d, from, own, room, columns));
        }
    return ALD_OK;
}

static ald_status room_for(ald_run *run, const division *v, summing *s, piece **pieces)
{
    const int64_t d = v->d, parts = s->z->source->parts;
    ALD_TRY(ald_scratch(run, d, 1, sizeof **pieces, pieces));
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *s->held, &s->held));
    return ALD_SCRATCH(run, {&s->sums, parts, v->room}, {&s->rows, parts * held_rows, d});
}

/* Where the passes are, as far as another run has the same ones. */
typedef struct place {
    int64_t rank, first, room;
} place;

/* The sums so far: of as many ranks and threads. */
static ald_step state_of(place *at, const ald_piece *columns)
{
    return (ald_step){
        .name = "scatter",
        .under_way = 1,
        .own = 1,
        .head = at,
        .head_size = sizeof *at,
        .pieces = columns,
        .n_pieces = 1,
    };
}

static ald_status save_state(ald_run *run, const division *v, const ald_piece *columns, ald_logbook *book)
{
    place at = {v->rank, v->first, v->room};
    const ald_step state = state_of(&at, columns);
    return ald_log_step(run, book, &state);
}

static ald_status restore(ald_run *run, division *v, const ald_piece *columns, ald_logbook *book)
{
    place at = {0};
    const ald_step state = state_of(&at, columns);
    int found;
    ALD_TRY(ald_recall(run, book, &state, &found));
    if (!found) return ALD_OK;
    if (at.room == v->room && at.rank >= 0 && at.rank <= v->ranks) {
        v->rank = (int)at.rank;
        v->first = at.first;
    }
    return ALD_OK;
}

/* The upper triangle. */
static ald_status sum_passes(ald_run *run, const ald_operator *z, ald_stretch own, double *columns)
{
    const int64_t d = z->x.cols;
    const ald_piece strip = {columns, d * own.count * (int64_t)sizeof *columns, ALD_OWN};
    double threads = z->source->parts;
    piece *pieces = NULL;
    ALD_TRY(ald_shared_largest(run, z, &threads, 1));
    division v = division_of(d, ald_rank_count(run), (int)threads, run->context->most_square);
    summing s = {.z = z, .room = v.room};
    ALD_TRY(ald_all_agree(run, room_for(run, &v, &s, &pieces)));
    ALD_TRY(restore(run, &v, &strip, ald_logbook_of(z)));
    s.pieces = pieces;
    while ((s.count = next_pass(&v, pieces, &s.size)) > 0) {
        ALD_TRY(sum_pass(run, &s, own, columns));
        ALD_TRY(save_state(run, &v, &strip, ald_logbook_of(z)));
    }
    return ALD_OK;
}

static ald_status form(ald_run *run, const ald_operator *z, ald_stretch own, double *columns)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_logbook *book = ald_logbook_of(z);
    ald_logbook_enter(book);
    const ald_status status = sum_passes(run, z, own, columns);
    ald_logbook_leave(book);
    ALD_TRY(status);
    ald_arena_release(&run->scratch, mark);
    ALD_TRY(mirror(run, z->x.cols, own, columns));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* C is symmetric: the own columns (d x count) as rows (count x d), which follow each other whatever the
 * number of ranks is. */
static ald_status keep_rows(ald_run *run, const ald_operator *z, ald_stretch own, const double *columns,
                            ald_step *step, ald_piece *rows)
{
    double *turned;
    ALD_TRY(ald_shared_agree(run, z, ald_scratch_reals(run, own.count, z->x.cols, &turned)));
    ald_transpose(z->x.cols, own.count, columns, turned);
    rows->data = turned;
    ALD_TRY(ald_log_step(run, ald_logbook_of(z), step));
    ald_arena_drop(&run->scratch, turned);
    return ALD_OK;
}

static ald_status recall_rows(ald_run *run, const ald_operator *z, ald_stretch own, double *columns,
                              ald_step *step, ald_piece *rows)
{
    double *turned;
    ALD_TRY(ald_shared_agree(run, z, ald_scratch_reals(run, own.count, z->x.cols, &turned)));
    rows->data = turned;
    ALD_TRY(ald_recall_pieces(run, ald_logbook_of(z), step));
    ald_transpose(own.count, z->x.cols, turned, columns);
    ald_arena_drop(&run->scratch, turned);
    return ALD_OK;
}

ald_status ald_divided_scatter(ald_run *run, const ald_operator *z, double *columns)
{
    const int64_t d = z->x.cols;
    const ald_stretch own = ald_stretch_of(d, ald_rank(run), ald_rank_count(run));
    ald_piece rows = {.size = d * own.count * (int64_t)sizeof *columns, .kind = ALD_DIVIDED};
    ald_step step = {.name = "scatter", .pieces = &rows, .n_pieces = 1};
    int found;
    ALD_TRY(ald_recall_head(run, ald_logbook_of(z), &step, &found));
    if (found) return recall_rows(run, z, own, columns, &step, &rows);
    ALD_TRY(form(run, z, own, columns));
    return ald_logbook_of(z) ? keep_rows(run, z, own, columns, &step, &rows) : ALD_OK;
}
