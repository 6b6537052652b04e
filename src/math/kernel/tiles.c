/* Tiles of kernel values, see the header. A tile of h x w values takes 2 h w d operations and the kernel
 * function h w times; its inner products read (h + w) d numbers, of rows that were packed once for all tiles
 * (linalg/panels.h), or else by BLAS. */
#include "math/kernel/tiles.h"

#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/linalg/panels.h"
#include "math/linalg/vector.h"
#include "math/operator/dense.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* A tile has at most this many rows of either side, so that it stays in cache with its share of both. BLAS
 * packs the rows of each tile, so its tiles are larger, and its kernels see multiples of `step`. */
enum { thickest = 384, thinnest = 144, step = 16, thickest_packed = 192, thinnest_packed = 48 };
/* How often the rows are cut, by few threads, and a square by many. */
enum { cuts = 5, cuts_of_many = 7 };

typedef struct tiling tiling;
/* What becomes of the tile of rows i .. i + m and j .. j + w, whose rows are t->width apart. */
typedef ald_status (*tile_fn)(const tiling *t, int64_t i, int64_t m, int64_t j, int64_t w, double *tile);

struct tiling {
    ald_run *run;
    const ald_kernel_pairs *pairs;
    tile_fn use;
    int own; /* a side with itself: tiles from the diagonal on */
    int packed;
    ald_panels a, b; /* `columns` of both sides, from `first` on */
    int64_t first, columns;
    int64_t height, width;
    double *
        buffers; /* height x width for each part, or for each tile where the columns come one lot at a time */
    int64_t next, end;
    atomic_llong taken;
    atomic_int failed;
    int parts;
    ald_status status[ALD_MOST_PARTS];
    /* square: the result */
    double *k;
    /* apply: for each cut of b a result of its own */
    const double *mean;
    ald_view c;
    double *sums;
};

static int is_packed(ald_run *run, const ald_kernel_pairs *pairs)
{
    return ald_panels_serve(run) && !ald_kernel_is_city(pairs->kernel);
}

int64_t ald_tile_size(int64_t count)
{
    const int64_t even = ((count + cuts - 1) / cuts + step - 1) / step * step;
    return ald_within(even, thinnest, thickest);
}

static int64_t size_of_tile(int packed, int64_t cut, int64_t count)
{
    const int64_t even = ((count + cut - 1) / cut + ald_panel_step - 1) / ald_panel_step * ald_panel_step;
    return packed ? ald_within(even, thinnest_packed, thickest_packed) : ald_tile_size(count);
}

/* Rows are packed so many columns at a time that this takes little more memory than a square of their number,
 * or 4 MB. */
static int64_t columns_at_once(const tiling *t)
{
    enum { little = 1 << 19, some = 256 };
    const ald_kernel_pairs *p = t->pairs;
    const int64_t rows = ald_most(p->a.count, p->b.count), most = ald_most(rows, little / rows);
    return t->packed ? ald_least(p->d, (most / some + 1) * some) : p->d;
}

/* For each a share of the values that takes as long as to wake a thread: d products and an exponential. */
static int parts_of_work(const ald_run *run, const ald_kernel_pairs *p)
{
    enum { share = 1 << 20, exponential = 20 };
    return ald_parts(run, p->a.count * p->b.count * (p->d + exponential), share);
}

static int64_t tiles_along(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

/* A tile on the diagonal counts by what is above it. */
static void finish_tile(const tiling *t, int64_t i, int64_t m, int64_t j, int64_t w, double *tile)
{
    const ald_kernel_pairs *p = t->pairs;
    for (int64_t r = 0; r < m; r++) {
        const int64_t from = t->own && i == j ? r : 0;
        double *row = tile + r * t->width + from;
        ald_kernel_finish(p->kernel, p->a.squares[i + r], w - from, p->b.squares + j + from, row);
    }
}

static ald_status multiply_rows(const tiling *t, int64_t i, int64_t j, ald_area tile)
{
    const ald_kernel_pairs *p = t->pairs;
    if (t->packed) {
        const ald_panel_tile packed = {
            i, tile.rows, j, tile.cols, t->own && i == j, t->first > 0,
        };
        ald_panels_multiply(&t->a, &t->b, &packed, tile.data, tile.stride);
        return ALD_OK;
    }
    const ald_view a = ald_of(p->a.rows + i * p->d, tile.rows, p->d),
                   b = ald_of(p->b.rows + j * p->d, tile.cols, p->d);
    if (ald_kernel_is_city(p->kernel)) {
        for (int64_t r = 0; r < tile.rows; r++)
            ald_city_distances(p->d, a.data + r * p->d, tile.cols, b.data, tile.data + r * tile.stride);
        return ALD_OK;
    }
    if (t->own && i == j) return ald_gram_add(t->run, 1.0, ald_t(a), 0.0, tile);
    return ald_product(t->run, a, ald_t(b), tile);
}

static ald_status make_tile(const tiling *t, int64_t i, int64_t j, double *tile)
{
    const int64_t m = ald_least(t->height, t->pairs->a.count - i),
                  w = ald_least(t->width, t->pairs->b.count - j);
    ALD_TRY(multiply_rows(t, i, j, ald_area_block(ald_at(tile, m, t->width), 0, 0, m, w)));
    if (t->first + t->columns < t->pairs->d) return ALD_OK;
    finish_tile(t, i, m, j, w, tile);
    return t->use(t, i, m, j, w, tile);
}

static int has_all(const tiling *t)
{
    return t->columns == t->pairs->d;
}

/* Tiles by their numbers, row by row, each by whoever is free. */
static void tiles_part(void *work, int part)
{
    tiling *t = work;
    const int64_t across = tiles_along(t->pairs->b.count, t->width);
    for (int64_t at; !atomic_load(&t->failed) && (at = atomic_fetch_add(&t->taken, 1)) < t->end;) {
        const int64_t i = at / across, j = at % across, place = has_all(t) ? part : at;
        if (t->own && j < i) continue;
        t->status[part] =
            make_tile(t, i * t->height, j * t->width, t->buffers + place * t->height * t->width);
        if (t->status[part] < 0) atomic_store(&t->failed, 1);
    }
}

/* So many tiles at a time that the caller is asked often enough. The first row of tiles has its mirror in all
 * rows of K, whose memory is new: the system clears it, where memory is shared with others as slowly as a
 * byte in the time of 16 products. */
static ald_status go_through_tiles(ald_run *run, tiling *t, int64_t all)
{
    const ald_kernel_pairs *p = t->pairs;
    const double work = (double)(t->height * t->width) * ((double)t->columns + 20.0), enough = 1e9,
                 clearing = t->k ? 16.0 * 8.0 * (double)(t->width * p->b.count) : 0.0;
    for (t->end = 0; t->end < all;) {
        const int is_first = t->end < tiles_along(p->b.count, t->width);
        const double each = is_first ? work + clearing : work;
        atomic_store(&t->taken, t->end);
        t->end = ald_least(all, t->end + t->parts * (1 + (int64_t)(enough / each)));
        ald_parallel(t->parts, tiles_part, t);
        for (int part = 0; part < t->parts; part++) ALD_TRY(t->status[part]);
        const double done = (double)t->first + (double)t->columns * (double)t->end / (double)all;
        ALD_TRY(ald_progress(run, "comparing rows by the kernel", fmin(1.0, done / (double)p->d)));
    }
    return ALD_OK;
}

static ald_status pack_side(ald_run *run, const tiling *t, const ald_kernel_side *side, ald_panels *panels)
{
    const int64_t columns = ald_least(t->columns, t->pairs->d - t->first);
    const ald_view rows = ald_of(side->rows, side->count, t->pairs->d);
    panels->d = columns;
    return ald_panels_pack(run, ald_view_block(rows, 0, t->first, side->count, columns), panels);
}

static ald_status make_all(ald_run *run, tiling *t)
{
    const ald_kernel_pairs *p = t->pairs;
    const int64_t all = tiles_along(p->a.count, t->height) * tiles_along(p->b.count, t->width);
    t->run = run;
    t->columns = columns_at_once(t);
    t->parts = (int)ald_least(parts_of_work(run, p), all);
    ALD_TRY(ald_scratch_reals(run, (has_all(t) ? t->parts : all) * t->height, t->width, &t->buffers));
    if (t->packed)
        ALD_TRY(
            ald_scratch_reals(run, ald_panels_count(p->b.count) * ald_panel_rows, t->columns, &t->b.values));
    if (t->packed && !t->own)
        ALD_TRY(
            ald_scratch_reals(run, ald_panels_count(p->a.count) * ald_panel_rows, t->columns, &t->a.values));
    for (t->first = 0; t->first < p->d; t->first += t->columns) {
        if (t->packed) ALD_TRY(pack_side(run, t, &p->b, &t->b));
        if (t->packed && !t->own) ALD_TRY(pack_side(run, t, &p->a, &t->a));
        if (t->own) t->a = t->b;
        ALD_TRY(go_through_tiles(run, t, all));
    }
    return ALD_OK;
}

/* Into both triangles, some rows at a time for the one that is mirrored. */
static ald_status put_tile(const tiling *t, int64_t i, int64_t m, int64_t j, int64_t w, double *tile)
{
    enum { rows_at_once = 8 };
    const int64_t n = t->pairs->a.count;
    for (int64_t r = 0; r < m; r++) {
        const int64_t from = j == i ? r : 0;
        memcpy(t->k + (i + r) * n + j + from, tile + r * t->width + from, (size_t)(w - from) * sizeof *tile);
    }
    for (int64_t r0 = 0; j > i && r0 < m; r0 += rows_at_once)
        for (int64_t c = 0; c < w; c++)
            for (int64_t r = r0; r < ald_least(m, r0 + rows_at_once); r++)
                t->k[(j + c) * n + i + r] = tile[r * t->width + c];
    for (int64_t r = 0; j == i && r < m; r++)
        for (int64_t c = 0; c < r; c++) t->k[(i + r) * n + i + c] = tile[c * t->width + r];
    return ALD_OK;
}

ald_status ald_tiles_square(ald_run *run, const ald_kernel_pairs *pairs, double *k)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int packed = is_packed(run, pairs);
    const int64_t size = size_of_tile(packed, run->call.threads > 4 ? cuts_of_many : cuts, pairs->a.count);
    tiling t = {.pairs = pairs, .use = put_tile, .own = 1, .height = size, .width = size, .k = k};
    t.packed = packed;
    ALD_TRY(make_all(run, &t));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ALD_WIDE static void subtract(int64_t count, const double *restrict what, double *restrict from)
{
    for (int64_t i = 0; i < count; i++) from[i] -= what[i];
}

static ald_status multiply_tile(const tiling *t, int64_t i, int64_t m, int64_t j, int64_t w, double *tile)
{
    const int64_t r = t->c.cols, n = t->pairs->a.count;
    double *out = t->sums + j / t->width * n * r + i * r;
    for (int64_t a = 0; t->mean && a < m; a++) subtract(w, t->mean + j, tile + a * t->width);
    return ald_product(t->run, ald_left(ald_of(tile, m, t->width), w), ald_of(t->c.data + j * r, w, r),
                       ald_at(out, m, r));
}

ald_status ald_tiles_apply(ald_run *run, const ald_kernel_pairs *pairs, const double *mean, ald_view c,
                           double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = pairs->a.count, r = c.cols;
    tiling t = {.pairs = pairs, .use = multiply_tile, .mean = mean, .c = c};
    t.packed = is_packed(run, pairs);
    t.height = size_of_tile(t.packed, cuts, n);
    t.width = size_of_tile(t.packed, cuts, pairs->b.count);
    const int64_t across = tiles_along(pairs->b.count, t.width);
    ALD_TRY(ald_scratch_reals(run, across * n, r, &t.sums));
    ALD_TRY(make_all(run, &t));
    memcpy(out, t.sums, (size_t)(n * r) * sizeof *out);
    for (int64_t j = 1; j < across; j++)
        for (int64_t i = 0; i < n * r; i++) out[i] += t.sums[j * n * r + i];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

typedef struct writing {
    const ald_operator *z;
    int64_t i0, count;
    double *rows, *squares;
    int parts;
} writing;

/* In lanes, so that long rows do not wait for one sum. */
ALD_WIDE static double square_length(int64_t d, const double *row)
{
    return ald_square_length(d, row);
}

static void write_part(void *work, int part)
{
    enum { rows_at_once = 16 };
    const writing *w = work;
    const int64_t d = w->z->x.cols, begin = ald_part_begin(w->count, w->parts, part),
                  end = ald_part_begin(w->count, w->parts, part + 1);
    const double *stands = (const double *)w->z->x.values + w->i0 * w->z->x.row_stride;
    for (int64_t i = begin; i < end; i += rows_at_once) {
        const int64_t m = ald_least(rows_at_once, end - i);
        if (w->rows) ald_dense_write_rows(w->z, w->i0 + i, m, w->rows + i * d);
        for (int64_t r = i; w->squares && r < i + m; r++)
            w->squares[r] = square_length(d, w->rows ? w->rows + r * d : stands + r * w->z->x.row_stride);
    }
}

/* Many rows at a time; the caller is asked in between. */
ald_status ald_tiles_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t count, double *rows,
                          double *squares)
{
    enum { values = 1 << 20 }; /* of each part */
    const int64_t d = z->x.cols;
    const int parts = ald_parts(run, count * (d + 1), 1 << 16);
    const int64_t at_once = parts * (1 + values / (d + 1));
    for (int64_t i = 0; i < count; i += at_once) {
        writing w = {z, i0 + i, ald_least(at_once, count - i), NULL, NULL, parts};
        if (rows) w.rows = rows + i * d;
        if (squares) w.squares = squares + i;
        ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)(w.count * d) / parts));
        ald_parallel(parts, write_part, &w);
    }
    return ALD_OK;
}

typedef struct averaging {
    ald_view rows;
    double *mean;
    int parts;
} averaging;

/* The means of some columns, row after row. */
static void average_part(void *work, int part)
{
    const averaging *a = work;
    const int64_t begin = ald_part_begin(a->rows.cols, a->parts, part),
                  end = ald_part_begin(a->rows.cols, a->parts, part + 1);
    const double share = 1.0 / (double)a->rows.rows;
    for (int64_t i = 0; i < a->rows.rows; i++)
        for (int64_t j = begin; j < end; j++) a->mean[j] += share * a->rows.data[i * a->rows.stride + j];
}

ald_status ald_tiles_mean(ald_run *run, ald_view rows, double *mean)
{
    const int64_t entries = rows.rows * rows.cols;
    averaging a = {rows, mean, (int)ald_least(ald_parts(run, entries, 1 << 16), 1 + rows.cols / 64)};
    ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)entries / a.parts));
    ald_parallel(a.parts, average_part, &a);
    return ALD_OK;
}
