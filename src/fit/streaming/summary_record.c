/* A summary as a record holds the rows that were kept, sums and counts. Several summaries are put together by
 * letting the kept rows of all of them pass in the order of the file. A row that a survey of the whole file
 * keeps is among the first two with some value of the target, or the first with some text, hence also among
 * the first of its part; and of the rows that pass, exactly those are kept which it would have kept: where a
 * value occurs twice in the file, its first two rows have passed. */
#include "fit/streaming/row_summary.h"

#include "io/table/table.h"
#include "math/operator/all_rows.h"

#include <math.h>
#include <string.h>

/* A summary apart from its rows. */
typedef struct counts {
    int64_t rows, dropped, seen;
    int64_t kept_rows, cols, entries, labels, cells; /* cells: in the tally */
    int sparse, columns, sums, many_labels, lines, labelled;
} counts;

typedef struct part {
    counts t;
    ald_table block;
    double *sums, *first;     /* cols */
    int64_t *numbers, *lines; /* cols; of each kept row */
    ald_tally_entry *entries;
} part;

static counts counts_of(const ald_row_summary *s, int64_t rows)
{
    const ald_table *k = s->kept;
    return (counts){
        .rows = rows,
        .dropped = s->dropped,
        .seen = s->seen,
        .kept_rows = k->rows,
        .cols = k->cols,
        .entries = k->rows > 0 && k->sparse ? s->csr.entries : 0,
        .labels = s->n_labels,
        .cells = s->tally.n,
        .sparse = k->sparse,
        .columns = k->columns != NULL,
        .sums = s->sums != NULL,
        .many_labels = k->many_labels,
        .lines = k->has_lines,
        .labelled = k->label_pointers != NULL,
    };
}

static ald_status put_columns(ald_run *run, const ald_table *k, ald_record *p)
{
    for (int64_t j = 0; j < k->cols; j++) {
        const ald_column *c = &k->columns[j];
        const int64_t counts[] = {
            c->position, c->first_text_line, c->first_number_line, c->n_numbers, c->n_texts, c->n_levels,
        };
        ALD_TRY(ald_record_put_text(run, p, c->name));
        ALD_TRY(ald_record_put_text(run, p, c->first_text_line ? ald_text_source(k, j) : NULL));
        ALD_TRY(ald_record_put(run, p, counts, 6, sizeof *counts));
        for (int64_t i = 0; i < c->n_levels; i++) ALD_TRY(ald_record_put_text(run, p, c->levels[i]));
    }
    return ALD_OK;
}

static ald_status take_columns(ald_run *run, ald_record *p, ald_table *block)
{
    block->columns = ald_arena_get(p->arena, block->cols, 1, sizeof *block->columns);
    if (!block->columns) return ald_out_of_memory(run, block->cols, 1, sizeof *block->columns);
    memset(block->columns, 0, (size_t)block->cols * sizeof *block->columns);
    for (int64_t j = 0; j < block->cols; j++) {
        ald_column *c = &block->columns[j];
        int64_t counts[6];
        char *source;
        ALD_TRY(ald_record_take_text(run, p, &c->name));
        ALD_TRY(ald_record_take_text(run, p, &source));
        ALD_TRY(ald_record_take(run, p, counts, 6, sizeof *counts));
        c->text_source = source;
        c->position = counts[0];
        c->first_text_line = counts[1];
        c->first_number_line = counts[2];
        c->n_numbers = counts[3];
        c->n_texts = counts[4];
        c->n_levels = counts[5];
        c->levels = ald_arena_get(p->arena, c->n_levels, 1, sizeof *c->levels);
        if (!c->levels) return ald_out_of_memory(run, c->n_levels, 1, sizeof *c->levels);
        for (int64_t i = 0; i < c->n_levels; i++) ALD_TRY(ald_record_take_text(run, p, &c->levels[i]));
    }
    return ALD_OK;
}

static ald_status put_sparse(ald_run *run, const counts *t, const ald_table *k, ald_record *p)
{
    ALD_TRY(ald_record_put(run, p, k->pointers, k->rows + 1, sizeof *k->pointers));
    ALD_TRY(ald_record_put(run, p, k->indices, t->entries, sizeof *k->indices));
    ALD_TRY(ald_record_put(run, p, k->values, t->entries, sizeof *k->values));
    if (!t->labelled) return ALD_OK;
    ALD_TRY(ald_record_put(run, p, k->label_pointers, k->rows + 1, sizeof *k->label_pointers));
    ALD_TRY(ald_record_put(run, p, k->label_values, t->labels, sizeof *k->label_values));
    return ald_record_put(run, p, k->labelled, k->rows, 1);
}

static ald_status take_sparse(ald_run *run, const counts *t, ald_record *p, ald_table *block)
{
    ALD_TRY(ald_record_take_array(run, p, &block->pointers, t->kept_rows + 1, sizeof *block->pointers));
    ALD_TRY(ald_record_take_array(run, p, &block->indices, t->entries, sizeof *block->indices));
    ALD_TRY(ald_record_take_array(run, p, &block->values, t->entries, sizeof *block->values));
    if (!t->labelled) return ALD_OK;
    ALD_TRY(ald_record_take_array(run, p, &block->label_pointers, t->kept_rows + 1,
                                  sizeof *block->label_pointers));
    ALD_TRY(ald_record_take_array(run, p, &block->label_values, t->labels, sizeof *block->label_values));
    return ald_record_take_array(run, p, &block->labelled, t->kept_rows, 1);
}

static ald_status put_lines(ald_run *run, const ald_table *k, ald_record *p)
{
    for (int64_t i = 0; i < k->rows; i++) ALD_TRY(ald_record_put_count(run, p, ald_table_line(k, i)));
    return ALD_OK;
}

ald_status ald_summary_put(ald_run *run, const ald_row_summary *s, int64_t rows, ald_record *p)
{
    const counts t = counts_of(s, rows);
    const ald_table *k = s->kept;
    ALD_TRY(ald_record_put(run, p, &t, 1, sizeof t));
    if (t.kept_rows == 0) return ald_record_seal(run, p);
    if (t.columns) ALD_TRY(put_columns(run, k, p));
    if (t.sums) {
        ALD_TRY(ald_record_put(run, p, s->sums, t.cols, sizeof *s->sums));
        ALD_TRY(ald_record_put(run, p, s->first, t.cols, sizeof *s->first));
        ALD_TRY(ald_record_put(run, p, s->numbers, t.cols, sizeof *s->numbers));
    }
    if (t.sparse) ALD_TRY(put_sparse(run, &t, k, p));
    if (!t.sparse) ALD_TRY(ald_record_put(run, p, k->cells, t.kept_rows * t.cols, sizeof *k->cells));
    if (t.lines) ALD_TRY(put_lines(run, k, p));
    ALD_TRY(ald_record_put(run, p, s->tally.entries, t.cells, sizeof *s->tally.entries));
    return ald_record_seal(run, p);
}

static ald_status take_part(ald_run *run, ald_record *p, const char *path, part *to)
{
    counts *t = &to->t;
    ald_table *block = &to->block;
    ALD_TRY(ald_record_take(run, p, t, 1, sizeof *t));
    *block =
        (ald_table){.arena = p->arena, .source = path, .partial = 1, .rows = t->kept_rows, .cols = t->cols};
    block->sparse = t->sparse;
    block->many_labels = t->many_labels;
    if (t->kept_rows == 0) return ALD_OK;
    if (t->columns) ALD_TRY(take_columns(run, p, block));
    if (t->sums) {
        ALD_TRY(ald_record_take_array(run, p, &to->sums, t->cols, sizeof *to->sums));
        ALD_TRY(ald_record_take_array(run, p, &to->first, t->cols, sizeof *to->first));
        ALD_TRY(ald_record_take_array(run, p, &to->numbers, t->cols, sizeof *to->numbers));
    }
    if (t->sparse) ALD_TRY(take_sparse(run, t, p, block));
    if (!t->sparse)
        ALD_TRY(ald_record_take_array(run, p, &block->cells, t->kept_rows * t->cols, sizeof *block->cells));
    if (t->lines) {
        ALD_TRY(ald_record_take_array(run, p, &block->lines, t->kept_rows, sizeof *block->lines));
        block->has_lines = 1;
        block->first_line = block->lines[0];
    }
    return ald_record_take_array(run, p, &to->entries, t->cells, sizeof *to->entries);
}

/* What is not to be had from the rows that were kept. */
typedef struct totals {
    ald_tally tally;
    double *sums, *first;
    int64_t *numbers;
    int64_t rows, dropped, seen;
} totals;

static ald_status begin_totals(ald_run *run, const ald_row_summary *all, totals *to)
{
    const int64_t cols = all->kept->cols;
    if (!all->sums) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, cols, 1, &to->sums));
    ALD_TRY(ald_scratch_reals(run, cols, 1, &to->first));
    ALD_TRY(ald_scratch(run, cols, 1, sizeof *to->numbers, &to->numbers));
    memset(to->numbers, 0, (size_t)cols * sizeof *to->numbers);
    for (int64_t j = 0; j < cols; j++) to->first[j] = NAN;
    return ALD_OK;
}

static void add_sums(const part *from, totals *to)
{
    for (int64_t j = 0; to->sums && j < from->t.cols; j++) {
        const double first = from->sums ? from->first[j] : NAN;
        if (to->seen == 0) to->first[j] = first;
        if (!(first - to->first[j] == (double)to->seen)) to->first[j] = NAN;
        if (!from->sums) continue;
        to->sums[j] += from->sums[j];
        to->numbers[j] += from->numbers[j];
    }
}

/* After the rows of the part have passed, whose levels are matched. */
static ald_status add_tally(ald_run *run, const ald_row_summary *all, const part *from, totals *to)
{
    for (int64_t i = 0; i < from->t.cells; i++) {
        const ald_tally_entry *e = &from->entries[i];
        int64_t level, count;
        double cell = e->cell;
        if (all->codes && all->codes[e->column] && ald_cell_is_text(cell, &level))
            cell = ald_cell_text(all->codes[e->column][level]);
        ALD_TRY(ald_tally_add(run, &to->tally, e->column, cell, e->count, 1, &count));
    }
    return ALD_OK;
}

static ald_status add_part(ald_run *run, const part *from, ald_row_summary *all, totals *to)
{
    if (from->t.kept_rows > 0) {
        if (all->kept->rows == 0) {
            ALD_TRY(ald_summary_begin(run, &from->block, all));
            ALD_TRY(begin_totals(run, all, to));
        }
        ALD_TRY(ald_summary_add(run, &from->block, all));
        ALD_TRY(add_tally(run, all, from, to));
        add_sums(from, to);
    }
    to->rows += from->t.rows;
    to->dropped += from->t.dropped;
    to->seen += from->t.seen;
    return ALD_OK;
}

static void settle(ald_row_summary *all, const totals *t)
{
    const int64_t cols = all->kept->sparse ? 1 : all->kept->cols;
    all->dropped = t->dropped;
    all->seen = t->seen;
    all->tally = t->tally;
    if (t->sums) {
        all->sums = t->sums;
        all->first = t->first;
        all->numbers = t->numbers;
    }
    for (int64_t j = 0; all->distinct && j < cols; j++) all->distinct[j] = 0;
    for (int64_t i = 0; all->distinct && i < t->tally.n; i++) all->distinct[t->tally.entries[i].column]++;
}

static ald_status add_record(ald_run *run, const char *path, ald_record *record, ald_row_summary *all,
                             totals *to)
{
    part from = {0};
    ALD_TRY(take_part(run, record, path, &from));
    return add_part(run, &from, all, to);
}

ald_status ald_summary_take(ald_run *run, const char *path, ald_record *record, ald_row_summary *s,
                            int64_t *rows)
{
    totals t = {0};
    ALD_TRY(add_record(run, path, record, s, &t));
    settle(s, &t);
    *rows = t.rows;
    return ALD_OK;
}

ald_status ald_summary_unite(ald_run *run, const ald_all_rows *all_rows, const char *path, ald_row_summary *s,
                             int64_t *rows)
{
    ald_record own = {.arena = &run->scratch, .kind = ALD_SUMMARY_KIND};
    ald_gathered gathered;
    totals t = {0};
    if (!all_rows) return ALD_OK;
    ALD_TRY(ald_summary_put(run, s, *rows, &own));
    ALD_TRY(all_rows->gather(run, ALD_OK, own.bytes, own.size, &gathered));
    *s->kept = (ald_table){.arena = s->kept->arena, .partial = 1};
    ald_row_summary all = {.run = run, .options = s->options, .kept = s->kept};
    for (int p = 0; p < all_rows->parts; p++) {
        ald_record from = {
            .arena = &run->scratch,
            .kind = ALD_SUMMARY_KIND,
            .bytes = gathered.bytes + gathered.begin[p],
            .size = gathered.begin[p + 1] - gathered.begin[p],
        };
        ALD_TRY(add_record(run, path, &from, &all, &t));
    }
    settle(&all, &t);
    *s = all;
    *rows = t.rows;
    return ALD_OK;
}
