/* Every rank sends the rows that it has kept, its sums and its counts; each rank then lets the rows of all of
 * them pass in the order of the file. A row that a survey of the whole file keeps is among the first two with
 * some value of the target, or the first with some text, hence also among the first of its rank; and of the
 * rows that pass, those are kept which it would have kept: where a value has been seen twice in the file, its
 * first two rows have passed. */
#include "fit/streaming/survey_ranks.h"

#include "base/ranks/communicator.h"
#include "io/table/grow.h"

#include <math.h>
#include <string.h>

/* What one rank tells, apart from its rows. */
typedef struct tale {
    int64_t rows, dropped, seen;
    int64_t kept_rows, cols, entries, labels, cells; /* cells: in the tally */
    int sparse, columns, sums, many_labels, lines, labelled;
} tale;

typedef struct part {
    tale t;
    ald_table block;
    double *sums, *first;     /* cols */
    int64_t *numbers, *lines; /* cols; of each kept row */
    ald_tally_entry *entries;
} part;

static tale tale_of(const ald_survey *s, int64_t rows)
{
    const ald_table *k = s->kept;
    return (tale){
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

static ald_status put_sparse(ald_run *run, const tale *t, const ald_table *k, ald_record *p)
{
    ALD_TRY(ald_record_put(run, p, k->pointers, k->rows + 1, sizeof *k->pointers));
    ALD_TRY(ald_record_put(run, p, k->indices, t->entries, sizeof *k->indices));
    ALD_TRY(ald_record_put(run, p, k->values, t->entries, sizeof *k->values));
    if (!t->labelled) return ALD_OK;
    ALD_TRY(ald_record_put(run, p, k->label_pointers, k->rows + 1, sizeof *k->label_pointers));
    ALD_TRY(ald_record_put(run, p, k->label_values, t->labels, sizeof *k->label_values));
    return ald_record_put(run, p, k->labelled, k->rows, 1);
}

static ald_status take_sparse(ald_run *run, const tale *t, ald_record *p, ald_table *block)
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

ald_status ald_survey_tell(ald_run *run, const ald_survey *s, int64_t rows, ald_record *p)
{
    const tale t = tale_of(s, rows);
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

static ald_status take_survey(ald_run *run, ald_record *p, const char *path, part *to)
{
    tale *t = &to->t;
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

static ald_status begin_totals(ald_run *run, const ald_survey *all, totals *to)
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

/* After the rows of the rank have passed, whose levels are matched. */
static ald_status add_tally(ald_run *run, const ald_survey *all, const part *from, totals *to)
{
    for (int64_t i = 0; i < from->t.cells; i++) {
        const ald_tally_entry *e = &from->entries[i];
        int64_t level, count;
        double cell = e->cell;
        if (all->codes && all->codes[e->column] && ald_cell_is_text(cell, &level))
            cell = ald_cell_text(all->codes[e->column][level]);
        ALD_TRY(ald_tally_add_times(run, &run->scratch, &to->tally, e->column, cell, e->count, 1, &count));
    }
    return ALD_OK;
}

static ald_status add_part(ald_run *run, const part *from, ald_survey *all, totals *to)
{
    if (from->t.kept_rows > 0) {
        if (all->kept->rows == 0) {
            ALD_TRY(ald_survey_begin(run, &from->block, all));
            ALD_TRY(begin_totals(run, all, to));
        }
        ALD_TRY(ald_survey_look(run, &from->block, all));
        ALD_TRY(add_tally(run, all, from, to));
        add_sums(from, to);
    }
    to->rows += from->t.rows;
    to->dropped += from->t.dropped;
    to->seen += from->t.seen;
    return ALD_OK;
}

static void settle(ald_survey *all, const totals *t)
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

static ald_status unite(ald_run *run, const ald_told_rows *told, int64_t count, const char *path,
                        ald_survey *all, int64_t *rows)
{
    totals t = {0};
    for (int64_t i = 0; i < count; i++) {
        ald_record parcel = {.arena = &run->scratch, .bytes = told[i].bytes, .size = told[i].size};
        part from = {0};
        ALD_TRY(take_survey(run, &parcel, path, &from));
        ALD_TRY(add_part(run, &from, all, &t));
    }
    settle(all, &t);
    *rows = t.rows;
    return ALD_OK;
}

ald_status ald_survey_restore(ald_run *run, const char *path, ald_record *parcel, ald_survey *s,
                              int64_t *rows)
{
    totals t = {0};
    part from = {0};
    ALD_TRY(take_survey(run, parcel, path, &from));
    ALD_TRY(add_part(run, &from, s, &t));
    settle(s, &t);
    *rows = t.rows;
    return ALD_OK;
}

/* What the ranks have told, one behind the other, each with its place before it. */
static ald_status put_told(ald_run *run, const ald_told_rows *told, int64_t count, ald_record *to)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t place[] = {told[i].begin, told[i].rest, told[i].size};
        ALD_TRY(ald_record_put(run, to, place, 3, sizeof *place));
        ALD_TRY(ald_record_put(run, to, told[i].bytes, told[i].size, 1));
    }
    return ald_record_seal(run, to);
}

/* Put among those before it by its place. */
static void put_in_order(ald_told_rows *told, int64_t count, ald_told_rows added)
{
    int64_t at = count;
    while (at > 0 && (told[at - 1].begin > added.begin ||
                      (told[at - 1].begin == added.begin && told[at - 1].rest > added.rest)))
        at--;
    memmove(told + at + 1, told + at, (size_t)(count - at) * sizeof *told);
    told[at] = added;
}

static ald_status take_told(ald_run *run, const ald_gathered *all, int64_t most, ald_told_rows **told,
                            int64_t *count)
{
    ald_record from = {.arena = &run->scratch, .bytes = all->bytes, .size = all->begin[ald_rank_count(run)]};
    ALD_TRY(ald_scratch(run, most, 1, sizeof **told, told));
    for (*count = 0; *count < most; ++*count) {
        while (ald_record_left(&from) == 0) ALD_TRY(ald_record_next(run, &from));
        int64_t place[3];
        ALD_TRY(ald_record_take(run, &from, place, 3, sizeof *place));
        ald_told_rows added = {.begin = place[0], .rest = place[1], .size = place[2]};
        ALD_TRY(ald_record_take_array(run, &from, &added.bytes, added.size, 1));
        put_in_order(*told, *count, added);
    }
    return ALD_OK;
}

ald_status ald_survey_unite_told(ald_run *run, ald_status status, const char *path, const ald_told_rows *told,
                                 int64_t count, ald_survey *s, int64_t *rows)
{
    ald_arena *memory = s->kept->arena;
    ald_record own = {.arena = &run->scratch};
    ald_gathered gathered;
    ald_told_rows *each = NULL;
    int64_t all_count = count, taken = 0;
    if (status >= 0) status = put_told(run, told, count, &own);
    ALD_TRY(ald_all_gather(run, status, &run->scratch, own.bytes, own.size, &gathered));
    ALD_TRY(ald_all_count(run, &all_count, 1));
    *s->kept = (ald_table){.arena = memory, .partial = 1};
    ald_survey all = {.run = run, .options = s->options, .kept = s->kept};
    status = take_told(run, &gathered, all_count, &each, &taken);
    if (status >= 0) status = unite(run, each, taken, path, &all, rows);
    *s = all;
    return ald_all_agree(run, status);
}

ald_status ald_survey_unite(ald_run *run, ald_status status, const char *path, ald_survey *s, int64_t *rows)
{
    ald_record own = {.arena = &run->scratch};
    ald_told_rows told = {.begin = ald_rank(run)};
    if (ald_rank_count(run) == 1) return status;
    if (status >= 0) status = ald_survey_tell(run, s, *rows, &own);
    told.bytes = own.bytes;
    told.size = own.size;
    return ald_survey_unite_told(run, status, path, &told, 1, s, rows);
}
