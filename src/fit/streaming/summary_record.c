/* A summary as a record holds the rows that were kept, sums and counts. Several summaries are put together by
 * letting the kept rows of all of them pass in the order of the file. A row that a survey of the whole file
 * keeps is among the first two with some value of the target, or the first with some text, hence also among
 * the first of its part; and of the rows that pass, exactly those are kept which it would have kept: where a
 * value occurs twice in the file, its first two rows have passed. */
#include "fit/streaming/row_summary.h"

#include "fit/streaming/table_record.h"
#include "math/operator/all_rows.h"

#include <math.h>
#include <string.h>

/* A summary apart from its rows. */
typedef struct counts {
    int64_t rows, dropped, seen;
    int64_t kept_rows, cells; /* cells: in the tally */
    int64_t sums;             /* there are some */
} counts;

typedef struct part {
    counts t;
    ald_table block;
    double *sums, *first; /* cols */
    int64_t *numbers;     /* cols */
    ald_tally_entry *entries;
} part;

ald_status ald_summary_put(ald_run *run, const ald_row_summary *s, int64_t rows, ald_record *p)
{
    const int64_t cols = s->kept->cols;
    const counts t = {rows, s->dropped, s->seen, s->kept->rows, s->tally.n, s->sums != NULL};
    ALD_TRY(ald_record_put(run, p, &t, 1, sizeof t));
    if (t.kept_rows == 0) return ald_record_seal(run, p);
    ALD_TRY(ald_table_pack(run, s->kept, NULL, p));
    if (t.sums) {
        ALD_TRY(ald_record_put(run, p, s->sums, cols, sizeof *s->sums));
        ALD_TRY(ald_record_put(run, p, s->first, cols, sizeof *s->first));
        ALD_TRY(ald_record_put(run, p, s->numbers, cols, sizeof *s->numbers));
    }
    ALD_TRY(ald_record_put(run, p, s->tally.entries, t.cells, sizeof *s->tally.entries));
    return ald_record_seal(run, p);
}

static ald_status take_part(ald_run *run, ald_record *p, part *to)
{
    const counts *t = &to->t;
    const int64_t most = (int64_t)1 << 56; /* so that the rows of all parts can be added */
    ALD_TRY(ald_record_take(run, p, &to->t, 1, sizeof to->t));
    if (t->rows < 0 || t->rows > most || t->dropped < 0 || t->dropped > t->rows || t->seen < 0 ||
        t->seen > t->rows || t->kept_rows < 0)
        return ald_record_damaged(run);
    if (t->kept_rows == 0) return ALD_OK;
    ALD_TRY(ald_table_unpack(run, p, &to->block));
    if (t->sums) {
        ALD_TRY(ald_record_take_array(run, p, &to->sums, to->block.cols, sizeof *to->sums));
        ALD_TRY(ald_record_take_array(run, p, &to->first, to->block.cols, sizeof *to->first));
        ALD_TRY(ald_record_take_array(run, p, &to->numbers, to->block.cols, sizeof *to->numbers));
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
    for (int64_t j = 0; to->sums && j < from->block.cols; j++) {
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

/* Columns and texts of a part that was read from a file are looked up: all of them must be there. */
static ald_status check_part(ald_run *run, const part *from, const ald_row_summary *all)
{
    const ald_table *t = &from->block;
    const int64_t counted = t->sparse ? 1 : t->cols;
    int sound = t->rows == from->t.kept_rows && t->sparse == all->kept->sparse &&
                (t->sparse || t->cols == all->kept->cols);
    for (int64_t j = 0; sound && !t->sparse && j < t->cols; j++)
        for (int64_t i = 0; !all->ignored[j] && i < t->rows; i++)
            sound = sound && ald_cell_can_be(t, j, t->cells[i * t->cols + j]);
    for (int64_t i = 0; i < from->t.cells; i++) {
        const ald_tally_entry *e = &from->entries[i];
        sound = sound && e->column >= 0 && e->column < counted && ald_cell_can_be(t, e->column, e->cell);
    }
    return sound ? ALD_OK : ald_record_damaged(run);
}

static ald_status add_part(ald_run *run, const part *from, ald_row_summary *all, totals *to)
{
    if (from->t.kept_rows > 0) {
        if (all->kept->rows == 0) {
            ALD_TRY(ald_summary_begin(run, &from->block, all));
            ALD_TRY(begin_totals(run, all, to));
        }
        ALD_TRY(check_part(run, from, all));
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

static ald_status add_record(ald_run *run, ald_record *record, ald_row_summary *all, totals *to)
{
    part from = {0};
    ALD_TRY(take_part(run, record, &from));
    return add_part(run, &from, all, to);
}

ald_status ald_summary_take(ald_run *run, ald_record *record, ald_row_summary *s, int64_t *rows)
{
    totals t = {0};
    ALD_TRY(add_record(run, record, s, &t));
    settle(s, &t);
    *rows = t.rows;
    return ALD_OK;
}

ald_status ald_summary_unite(ald_run *run, const ald_all_rows *all_rows, ald_row_summary *s, int64_t *rows)
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
        ALD_TRY(add_record(run, &from, &all, &t));
    }
    settle(&all, &t);
    *s = all;
    *rows = t.rows;
    return ALD_OK;
}
