#include "fit/checkpoints/step_file.h"

#include "base/ranks/communicator.h"

#include <string.h>

enum { at_once = 1 << 16, most_pieces = 64, most_ranks = 1 << 20 };

uint64_t ald_step_name(const ald_step *step)
{
    return ald_record_file_sum((uint64_t)step->under_way, step->name, (int64_t)strlen(step->name));
}

/* --- writing --- */

static void put(ald_step_file *f, const void *bytes, int64_t size)
{
    if (f->open && f->status >= 0) f->status = ald_record_file_put(&f->alone.run, &f->record, bytes, size);
}

static void seal(ald_step_file *f)
{
    if (f->open && f->status >= 0) f->status = ald_record_file_seal(&f->alone.run, &f->record);
}

void ald_step_file_create(ald_run *run, const char *path, uint64_t key, uint64_t settings, int64_t first,
                          ald_step_file *f)
{
    *f = (ald_step_file){.path = path};
    if (ald_rank(run) > 0) return;
    f->open = 1;
    f->status = ald_record_file_create(ald_alone_begin(run, &f->alone), path, key, &f->record);
    put(f, &settings, sizeof settings);
    put(f, &first, sizeof first);
}

/* The bytes of all ranks behind each other. */
static ald_status put_divided(ald_run *run, ald_step_file *f, const ald_piece *piece, const int64_t *sizes)
{
    char some[at_once];
    const char *own = piece->data;
    if (ald_rank(run) > 0) {
        for (int64_t at = 0; at < piece->size; at += at_once)
            ALD_TRY(ald_send(run, 0, own + at, piece->size - at < at_once ? piece->size - at : at_once));
        return ALD_OK;
    }
    put(f, own, piece->size);
    for (int r = 1; r < ald_rank_count(run); r++)
        for (int64_t at = 0; at < sizes[r]; at += at_once) {
            const int64_t size = sizes[r] - at < at_once ? sizes[r] - at : at_once;
            ALD_TRY(ald_receive(run, r, some, size));
            put(f, some, size);
        }
    return ALD_OK;
}

/* Bytes of each piece on each rank, ranks x pieces, in scratch. */
static ald_status gather_sizes(ald_run *run, const ald_step *step, const int64_t **sizes)
{
    int64_t own[most_pieces] = {0};
    ald_gathered all;
    for (int i = 0; i < step->n_pieces; i++) own[i] = step->pieces[i].size;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, own, step->n_pieces * (int64_t)sizeof *own, &all));
    *sizes = (const int64_t *)(const void *)all.bytes;
    return ALD_OK;
}

static void put_label(const ald_run *run, ald_step_file *f, int64_t number, const ald_step *step,
                      const int64_t *sizes)
{
    const int64_t ranks = ald_rank_count(run), n = step->n_pieces;
    const ald_step_label label = {
        .more = 1,
        .number = number,
        .name = ald_step_name(step),
        .input = step->input,
        .head_size = step->head_size,
        .pieces = n,
        .ranks = ranks,
    };
    put(f, &label, sizeof label);
    for (int64_t i = 0; i < n; i++) {
        const int64_t kind = (int64_t)step->pieces[i].kind;
        put(f, &kind, sizeof kind);
        for (int64_t r = 0; r < ranks; r++) put(f, &sizes[r * n + i], sizeof *sizes);
    }
    put(f, step->head, step->head_size);
    seal(f);
}

ald_status ald_step_file_put(ald_run *run, ald_step_file *f, int64_t number, const ald_step *step)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t ranks = ald_rank_count(run), n = step->n_pieces;
    const int64_t *sizes;
    int64_t *each;
    ALD_TRY(gather_sizes(run, step, &sizes));
    ALD_TRY(ald_all_agree(run, ald_scratch(run, ranks, 1, sizeof *each, &each)));
    put_label(run, f, number, step, sizes);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t r = 0; r < ranks; r++) each[r] = sizes[r * n + i];
        if (step->pieces[i].kind == ALD_ALIKE)
            put(f, step->pieces[i].data, step->pieces[i].size);
        else
            ALD_TRY(put_divided(run, f, &step->pieces[i], each));
    }
    seal(f);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_step_file_commit(ald_run *run, ald_step_file *f)
{
    const ald_step_label end = {0};
    ald_status status = ALD_OK;
    put(f, &end, sizeof end);
    if (f->open) {
        if (f->status >= 0) f->status = ald_record_file_commit(&f->alone.run, &f->record);
        ald_record_file_abandon(&f->record);
        status = ald_run_join(run, &f->alone.run, f->status);
    }
    f->open = 0;
    return ald_all_agree(run, status);
}

/* --- reading --- */

static ald_status close_with(ald_run *run, ald_step_file *f, ald_status status)
{
    if (!f->open) return status;
    ald_record_file_close(&f->record);
    ald_record_file_abandon(&f->record);
    f->open = 0;
    return ald_run_join(run, &f->alone.run, status);
}

void ald_step_file_close(ald_run *run, ald_step_file *f)
{
    close_with(run, f, ALD_OK);
}

/* A failure of rank 0 closes the file and is one of all ranks. */
static ald_status agree(ald_run *run, ald_step_file *f, ald_status status)
{
    if (status < 0) status = close_with(run, f, status);
    return ald_all_agree(run, status);
}

/* Names the file of the checkpoint: without it the others do not count. */
static ald_status refuse_settings(ald_run *own, const char *checkpoint)
{
    return ald_fail(own->error, ALD_ERROR_ARGUMENT,
                    "%s is a checkpoint of a fit with other settings: remove it to start anew, or give "
                    "another `checkpoint`",
                    checkpoint);
}

static ald_status open_own(ald_run *own, const char *checkpoint, uint64_t key, uint64_t settings,
                           ald_step_file *f, int64_t *first)
{
    uint64_t found;
    ALD_TRY(ald_record_file_open(own, f->path, key, &f->record));
    if (!f->record.in) return ALD_OK;
    ALD_TRY(ald_record_file_take(own, &f->record, &found, sizeof found));
    if (found != settings) return refuse_settings(own, checkpoint);
    ALD_TRY(ald_record_file_take(own, &f->record, first, sizeof *first));
    return *first < 0 ? ald_record_file_expect(own, &f->record, -1, 1) : ALD_OK;
}

ald_status ald_step_file_open(ald_run *run, const char *path, const char *checkpoint, uint64_t key,
                              uint64_t settings, ald_step_file *f, int64_t *first)
{
    ald_status status = ALD_OK;
    *f = (ald_step_file){.path = path};
    *first = -1;
    if (ald_rank(run) == 0) {
        f->open = 1;
        status = open_own(ald_alone_begin(run, &f->alone), checkpoint, key, settings, f, first);
    }
    ALD_TRY(agree(run, f, status));
    ALD_TRY(ald_all_hear(run, 0, first, (int64_t)sizeof *first));
    if (*first < 0) ald_step_file_close(run, f);
    return ALD_OK;
}

/* What stands before the step and the kinds and sizes of its pieces. */
static ald_status read_label(ald_step_file *f)
{
    ald_run *own = &f->alone.run;
    ald_record_file *r = &f->record;
    ald_step_label *l = &f->label;
    ALD_TRY(ald_record_file_take(own, r, l, sizeof *l));
    if (!l->more) return ald_record_file_check(own, r);
    ALD_TRY(ald_record_file_expect(own, r, l->pieces <= most_pieces ? l->pieces : -1, sizeof(int64_t)));
    ALD_TRY(ald_record_file_expect(own, r, l->ranks < most_ranks ? l->ranks : -1, 1));
    ALD_TRY(ald_record_file_expect(own, r, l->pieces * (l->ranks + 1), sizeof *f->sizes));
    ALD_TRY(ald_scratch(own, l->pieces, l->ranks + 1, sizeof *f->sizes, &f->sizes));
    return ald_record_file_take(own, r, f->sizes, l->pieces * (l->ranks + 1) * (int64_t)sizeof *f->sizes);
}

ald_status ald_step_file_next(ald_run *run, ald_step_file *f, ald_step_label *label)
{
    ALD_TRY(agree(run, f, f->open ? read_label(f) : ALD_OK));
    *label = f->label;
    return ald_all_hear(run, 0, label, (int64_t)sizeof *label);
}

static ald_status read_head(ald_step_file *f, const ald_step *step)
{
    ald_run *own = &f->alone.run;
    ALD_TRY(ald_record_file_take(own, &f->record, step->head, step->head_size));
    return ald_record_file_check(own, &f->record);
}

ald_status ald_step_file_head(ald_run *run, ald_step_file *f, const ald_step *step)
{
    ALD_TRY(agree(run, f, f->open ? read_head(f, step) : ALD_OK));
    return ald_all_hear(run, 0, step->head, step->head_size);
}

/* Of rank r, if they were as many ranks. */
static void sizes_of(const ald_run *run, const ald_step_file *f, int64_t n, int r, int64_t *sizes)
{
    const int64_t then = f->label.ranks;
    for (int64_t i = 0; i < n; i++) {
        const int64_t *was = f->sizes + i * (then + 1);
        const int own = was[0] == ALD_OWN && then == ald_rank_count(run);
        sizes[i] = was[1 + (own ? r : 0)];
    }
}

/* Sizes that the file cannot hold are refused before anybody asks for so much memory. */
static ald_status check_sizes(ald_step_file *f, const ald_step *step)
{
    const int64_t then = f->label.ranks;
    int fits = f->label.pieces == step->n_pieces && then > 0;
    for (int64_t i = 0; fits && i < f->label.pieces; i++)
        for (int64_t r = 0; r < then; r++) {
            const int64_t size = f->sizes[i * (then + 1) + 1 + r];
            fits = fits && size >= 0 && size <= f->record.left;
        }
    return ald_record_file_expect(&f->alone.run, &f->record, fits ? 0 : -1, 1);
}

ald_status ald_step_file_sizes(ald_run *run, ald_step_file *f, const ald_step *step, int64_t *sizes)
{
    const int64_t n = step->n_pieces, bytes = n * (int64_t)sizeof *sizes;
    ALD_TRY(agree(run, f, f->open ? check_sizes(f, step) : ALD_OK));
    if (ald_rank(run) > 0) return ald_receive(run, 0, sizes, bytes);
    for (int r = ald_rank_count(run) - 1; r >= 0; r--) {
        sizes_of(run, f, n, r, sizes);
        if (r > 0) ALD_TRY(ald_send(run, r, sizes, bytes));
    }
    return ALD_OK;
}

/* Whether piece i has the sizes that it had. */
static ald_status check_piece(const ald_run *run, ald_step_file *f, const ald_step *step, int64_t i,
                              const int64_t *sizes)
{
    const int64_t ranks = ald_rank_count(run), then = f->label.ranks, n = step->n_pieces;
    const int64_t *was = f->sizes + i * (then + 1) + 1;
    const ald_piece *piece = &step->pieces[i];
    int64_t all = 0, all_then = 0;
    int same = was[-1] == (int64_t)piece->kind && was[0] >= 0;
    for (int64_t r = 0; r < ranks; r++) all += sizes[r * n + i];
    for (int64_t r = 0; r < then && same; r++) {
        same = was[r] >= 0 && was[r] <= f->record.left - all_then;
        all_then += same && piece->kind != ALD_ALIKE ? was[r] : 0;
    }
    if (piece->kind == ALD_ALIKE) same = same && was[0] == piece->size;
    if (piece->kind == ALD_DIVIDED) same = same && all == all_then;
    if (piece->kind == ALD_OWN) same = same && then == ranks;
    for (int64_t r = 0; piece->kind == ALD_OWN && same && r < ranks; r++) same = was[r] == sizes[r * n + i];
    return ald_record_file_expect(&f->alone.run, &f->record, same ? 0 : -1, 1);
}

/* What cannot be read is sent as it is: the failure is told behind it. */
static ald_status take_divided(ald_run *run, ald_step_file *f, const ald_piece *piece, const int64_t *sizes)
{
    char some[at_once] = {0};
    if (ald_rank(run) > 0) {
        for (int64_t at = 0; at < piece->size; at += at_once)
            ALD_TRY(ald_receive(run, 0, (char *)piece->data + at,
                                piece->size - at < at_once ? piece->size - at : at_once));
        return ALD_OK;
    }
    ald_status status = ald_record_file_take(&f->alone.run, &f->record, piece->data, piece->size);
    for (int r = 1; r < ald_rank_count(run); r++)
        for (int64_t at = 0; at < sizes[r]; at += at_once) {
            const int64_t size = sizes[r] - at < at_once ? sizes[r] - at : at_once;
            if (status >= 0) status = ald_record_file_take(&f->alone.run, &f->record, some, size);
            ALD_TRY(ald_send(run, r, some, size));
        }
    return status;
}

static ald_status take_alike(ald_run *run, ald_step_file *f, const ald_piece *piece)
{
    ALD_TRY(
        agree(run, f,
              f->open ? ald_record_file_take(&f->alone.run, &f->record, piece->data, piece->size) : ALD_OK));
    return ald_all_hear(run, 0, piece->data, piece->size);
}

static ald_status take_piece(ald_run *run, ald_step_file *f, const ald_step *step, int i,
                             const int64_t *sizes, int64_t *each)
{
    const ald_piece *piece = &step->pieces[i];
    for (int r = 0; r < ald_rank_count(run); r++) each[r] = sizes[r * step->n_pieces + i];
    ALD_TRY(agree(run, f, f->open ? check_piece(run, f, step, i, sizes) : ALD_OK));
    if (piece->kind == ALD_ALIKE) return take_alike(run, f, piece);
    return agree(run, f, take_divided(run, f, piece, each));
}

static ald_status check_count(ald_step_file *f, const ald_step *step)
{
    const int fits = f->label.pieces == step->n_pieces;
    return ald_record_file_expect(&f->alone.run, &f->record, fits ? 0 : -1, 1);
}

ald_status ald_step_file_take(ald_run *run, ald_step_file *f, const ald_step *step)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t *sizes;
    int64_t *each;
    ALD_TRY(gather_sizes(run, step, &sizes));
    ALD_TRY(ald_all_agree(run, ald_scratch(run, ald_rank_count(run), 1, sizeof *each, &each)));
    ALD_TRY(agree(run, f, f->open ? check_count(f, step) : ALD_OK));
    for (int i = 0; i < step->n_pieces; i++) ALD_TRY(take_piece(run, f, step, i, sizes, each));
    ald_arena_release(&run->scratch, mark);
    return agree(run, f, f->open ? ald_record_file_check(&f->alone.run, &f->record) : ALD_OK);
}
