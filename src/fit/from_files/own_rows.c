/* One pass keeps the rows: dense blocks are copied to their places, sparse ones are put together at the
 * end. */
#include "fit/from_files/own_rows.h"

#include "base/core/budget.h"
#include "base/settings/common_params.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/blocks.h"
#include "fit/streaming/row_store.h"
#include "math/operator/sparse.h"

#include <math.h>
#include <string.h>

/* The entries of a sparse block, until the place of its rows is known. */
typedef struct piece {
    struct piece *older;
    int64_t number, rows, entries;
    int64_t *lengths, *indices; /* a row, an entry */
    double *values;
} piece;

typedef struct keeping {
    const ald_collection *c;
    int64_t n, d;
    double *dense;     /* n x d; NULL: sparse */
    ald_arena *memory; /* a part */
    piece **newest;    /* a part */
} keeping;

static int64_t rows_of(const ald_collection *c)
{
    return c->first[c->blocks];
}

static ald_status part_room(ald_run *run, ald_arena *arena, int64_t count, size_t size, void *block)
{
    void *made = ald_arena_get(arena, count, 1, size);
    if (!made) return ald_out_of_memory(run, count, 1, size);
    memcpy(block, &made, sizeof made);
    return ALD_OK;
}

static void add_entry(void *work, int64_t row, int64_t column, double value)
{
    piece *p = work;
    p->lengths[row]++;
    p->indices[p->entries] = column;
    p->values[p->entries++] = value;
}

static ald_status keep_sparse(ald_run *run, const keeping *k, int part, int64_t number, const ald_matrix *x)
{
    const int64_t entries = ald_matrix_entries(x);
    ald_arena *arena = &k->memory[part];
    piece *p = NULL;
    ALD_TRY(part_room(run, arena, 1, sizeof *p, &p));
    *p = (piece){.older = k->newest[part], .number = number, .rows = x->rows};
    ALD_TRY(part_room(run, arena, x->rows, sizeof *p->lengths, &p->lengths));
    ALD_TRY(part_room(run, arena, entries, sizeof *p->indices, &p->indices));
    ALD_TRY(part_room(run, arena, entries, sizeof *p->values, &p->values));
    memset(p->lengths, 0, (size_t)x->rows * sizeof *p->lengths);
    k->newest[part] = p;
    return ald_sparse_visit(run, x, add_entry, p);
}

static ald_status keep_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const keeping *k = work;
    const ald_collection *c = k->c;
    const ald_operator rows = {.x = block->x};
    if (number >= c->blocks || c->first[number + 1] - c->first[number] != block->x.rows)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has changed since it was first read", c->path);
    if (!k->dense) return keep_sparse(run, k, part, number, &block->x);
    return ald_operator_rows(run, &rows, 0, ald_at(k->dense + c->first[number] * k->d, block->x.rows, k->d));
}

/* Bytes that the rows take. What is left of the limit must do for them, and for a few percent more. */
static ald_status check_room(ald_run *run, const ald_collection *c)
{
    const double n = (double)rows_of(c), d = (double)c->survey->x.cols,
                 bytes = c->survey->x.storage == ALD_DENSE ? 8.0 * n * d : 32.0 * c->entries + 16.0 * n;
    ald_row_store_yield(run, c->survey, 1.1 * bytes);
    const double left = run->context->budget ? (double)ald_budget_left(run->context->budget) : INFINITY;
    if (bytes <= left) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_MEMORY,
                    "%s keeps its rows in memory: those of one rank take %.3g GB, but %.3g GB are available. "
                    "Use more ranks or more memory (`max_memory`)",
                    ald_settings_method(run->settings)->name, bytes / 1e9, left / 1e9);
}

static void place_piece(const piece *p, int64_t row, int64_t *pointers)
{
    for (int64_t i = 0; i < p->rows; i++) pointers[row + i + 1] = p->lengths[i];
}

static ald_status assemble_sparse(ald_run *run, const keeping *k, ald_matrix *x)
{
    int64_t entries = 0;
    int64_t *pointers, *indices;
    double *values;
    ALD_TRY(ald_scratch(run, k->n + 1, 1, sizeof *pointers, &pointers));
    memset(pointers, 0, (size_t)(k->n + 1) * sizeof *pointers);
    for (int part = 0; part < k->c->parts; part++)
        for (const piece *p = k->newest[part]; p; p = p->older) {
            place_piece(p, k->c->first[p->number], pointers);
            entries += p->entries;
        }
    for (int64_t i = 0; i < k->n; i++) pointers[i + 1] += pointers[i];
    ALD_TRY(ald_scratch(run, entries, 1, sizeof *indices, &indices));
    ALD_TRY(ald_scratch_reals(run, entries, 1, &values));
    for (int part = 0; part < k->c->parts; part++)
        for (const piece *p = k->newest[part]; p; p = p->older) {
            const int64_t at = pointers[k->c->first[p->number]];
            memcpy(indices + at, p->indices, (size_t)p->entries * sizeof *indices);
            memcpy(values + at, p->values, (size_t)p->entries * sizeof *values);
        }
    *x = ald_matrix_csr(k->n, k->d, pointers, indices, values);
    return ALD_OK;
}

static ald_status read_rows(ald_run *run, keeping *k, ald_matrix *x)
{
    const ald_collection *c = k->c;
    const ald_blocks blocks = {
        .path = c->path,
        .options = c->like,
        .survey = c->survey,
        .visit = keep_block,
        .work = k,
    };
    if (c->survey->x.storage == ALD_DENSE) {
        ALD_TRY(ald_scratch_reals(run, k->n, k->d, &k->dense));
        *x = ald_matrix_row_major(k->dense, k->n, k->d, k->d);
        return ald_blocks_read(run, &blocks, c->parts);
    }
    ALD_TRY(ald_scratch(run, c->parts, 1, sizeof *k->newest, &k->newest));
    ALD_TRY(ald_scratch(run, c->parts, 1, sizeof *k->memory, &k->memory));
    for (int i = 0; i < c->parts; i++) ald_arena_init(&k->memory[i], run->call.allocator);
    memset(k->newest, 0, (size_t)c->parts * sizeof(piece *));
    ald_status status = ald_blocks_read(run, &blocks, c->parts);
    if (status >= 0) status = assemble_sparse(run, k, x);
    for (int i = 0; i < c->parts; i++) ald_arena_free(&k->memory[i]);
    return status;
}

/* The means and deviations of all ranks. */
static ald_status prepare_columns(ald_run *run, const ald_collection *c, double **deviation, ald_operator *z)
{
    const int64_t d = c->survey->x.cols;
    ald_problem scaled = {.d = d};
    z->mean = c->mean;
    *deviation = NULL;
    if (ald_common_settings_of(run->settings).scale == ALD_COLUMNS_PLAIN) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, 1, deviation));
    for (int64_t j = 0; j < d; j++) (*deviation)[j] = sqrt(c->square[j] / c->weight);
    ALD_TRY(ald_problem_scale(run, &scaled, c->mean, *deviation));
    z->inverse_scale = scaled.x.inverse_scale;
    return ALD_OK;
}

static ald_status read_own(ald_run *run, const ald_collection *c, double **deviation, ald_operator *z)
{
    keeping k = {.c = c, .n = rows_of(c), .d = c->survey->x.cols};
    ALD_TRY(check_room(run, c));
    ALD_TRY(read_rows(run, &k, &z->x));
    ald_row_store_yield(run, c->survey, INFINITY); /* nothing is read again */
    if (k.n > 0) ALD_TRY(ald_prepare_rows(run, &c->plan, z));
    return prepare_columns(run, c, deviation, z);
}

ald_status ald_own_rows_read(ald_run *run, const ald_collection *c, double **deviation, ald_divided *rows)
{
    *rows = (ald_divided){.first = 0};
    return ald_divided_count(run, read_own(run, c, deviation, &rows->z), rows);
}
