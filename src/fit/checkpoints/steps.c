/* Finished steps are held in memory until a checkpoint is due, then appended; a run that resumes finds them
 * by their labels. */
#include "fit/checkpoints/steps.h"

#include "fit/checkpoints/record_file.h"
#include "math/operator/all_rows.h"

#include <string.h>

enum { most_pieces = 64 };

/* What stands before the head and the pieces of a step. */
typedef struct label {
    uint64_t settings;
    int64_t number;
    uint64_t name, input;
    int64_t head_size, pieces;
    int64_t bytes;              /* of the records behind this one */
    double stamp;               /* of a state: when the first part began to write it; 0: of a result */
    int64_t sizes[most_pieces]; /* of the pieces, as all parts or this one have them */
} label;

/* A result that is in no file yet. */
typedef struct waiting {
    struct waiting *next;
    int64_t number;
    ald_step step;
} waiting;

typedef struct steps {
    ald_logbook book;
    ald_checkpoint *checkpoint;
    const ald_all_rows *all; /* NULL: all rows are here */
    char *done_name, *now_name;
    int64_t number;            /* of the step that is next or under way */
    double stamp;              /* of the state that is written */
    ald_record_file done, now; /* what an earlier run has left */
    ald_record_file *found;    /* where the step that was found is read from */
    label label;               /* of that step */
    int recalls;               /* whether `done` may have more steps, */
    int64_t kept;              /* and how many of its bytes are steps of this run */
    ald_arena memory;          /* of what waits */
    waiting *first, **last;
} steps;

/* Bytes of a piece in the file of this part. */
static int64_t stored(const steps *s, const ald_piece *p)
{
    return p->kind == ALD_OWN || ald_is_first(s->all) ? p->size : 0;
}

/* By what a step is known; a step that is looked for may not have sizes of its pieces yet. */
static label name_of(const ald_run *run, const ald_step *step, int64_t number)
{
    return (label){
        .settings = ald_checkpoint_settings(run),
        .number = number,
        .name = ald_hash_text((uint64_t)step->under_way, step->name),
        .input = step->input,
        .head_size = step->head_size,
        .pieces = step->n_pieces,
    };
}

/* The same with the sizes of the pieces. */
static label label_of(const ald_run *run, const steps *s, const ald_step *step, int64_t number)
{
    label l = name_of(run, step, number);
    l.bytes = step->head_size + (1 + step->n_pieces) * ALD_RECORD_EXTRA;
    for (int i = 0; step->pieces && i < step->n_pieces; i++) {
        l.sizes[i] = step->pieces[i].size;
        l.bytes += stored(s, &step->pieces[i]);
    }
    return l;
}

/* --- what an earlier run has left --- */

/* The next step of a file, if it is this one. Behind the last one nothing is found, and nothing in what an
 * interrupted writer has left there. */
static ald_status look(ald_run *run, const steps *s, const ald_step *step, ald_record_file *f, label *l,
                       int *same)
{
    const label wanted = name_of(run, step, s->number);
    if (f->file < 0 || ald_record_file_is_torn(f)) return ALD_OK;
    ALD_TRY(ald_record_file_take(run, f, "step", l, sizeof *l));
    ALD_TRY(ald_checkpoint_check_settings(run, s->checkpoint, l->settings));
    *same = l->number == wanted.number && l->name == wanted.name && l->head_size == wanted.head_size &&
            l->pieces == wanted.pieces && (l->input == wanted.input || !ald_is_first(s->all)) &&
            l->bytes <= f->size - f->place;
    return ALD_OK;
}

/* The step is found if all parts have all of it. A part that was killed while the others wrote has an older
 * state than they: these do not go together. */
static ald_status find_in(ald_run *run, steps *s, const ald_step *step, ald_record_file *f, int *found)
{
    int same = 0;
    ALD_TRY(look(run, s, step, f, &s->label, &same));
    double stamp = s->label.stamp;
    ALD_TRY(ald_all_rows_settle(run, s->all, &stamp, (int64_t)sizeof stamp));
    int64_t missing = !same || memcmp(&stamp, &s->label.stamp, sizeof stamp) != 0;
    ALD_TRY(ald_all_rows_count(run, s->all, &missing, 1));
    *found = missing == 0;
    s->found = f;
    return *found ? ald_record_file_take(run, f, "head", step->head, step->head_size) : ALD_OK;
}

static ald_status find_step(ald_run *run, ald_logbook *book, const ald_step *step, int *found)
{
    steps *s = (steps *)(void *)book;
    const uint64_t key = ald_checkpoint_key(s->checkpoint);
    if (!step->under_way) {
        if (!s->recalls) return ALD_OK;
        ALD_TRY(find_in(run, s, step, &s->done, found));
        s->recalls = *found;
        return ALD_OK;
    }
    ald_record_file_end(run, &s->now, ALD_OK);
    ALD_TRY(ald_record_file_open(run, s->now_name, key, &s->now));
    return find_in(run, s, step, &s->now, found);
}

static ald_status take_pieces(ald_run *run, steps *s, const ald_step *step)
{
    for (int i = 0; i < step->n_pieces; i++) {
        const ald_piece *p = &step->pieces[i];
        if (s->label.sizes[i] != p->size) return ald_record_file_damaged(run, s->found);
        ALD_TRY(ald_record_file_take(run, s->found, "piece", p->data, stored(s, p)));
    }
    return ALD_OK;
}

static ald_status take_step(ald_run *run, ald_logbook *book, const ald_step *step)
{
    steps *s = (steps *)(void *)book;
    ALD_TRY(take_pieces(run, s, step));
    for (int i = 0; i < step->n_pieces; i++)
        if (step->pieces[i].kind == ALD_ALIKE)
            ALD_TRY(ald_all_rows_settle(run, s->all, step->pieces[i].data, step->pieces[i].size));
    if (step->under_way) return ALD_OK;
    s->number++;
    s->kept = s->done.place;
    return ALD_OK;
}

/* --- what this run leaves --- */

static ald_status put_step(ald_run *run, const steps *s, ald_record_file *f, int64_t number,
                           const ald_step *step)
{
    label l = label_of(run, s, step, number);
    if (step->under_way) l.stamp = s->stamp;
    ALD_TRY(ald_record_file_put(run, f, "step", &l, sizeof l));
    ALD_TRY(ald_record_file_put(run, f, "head", step->head, step->head_size));
    for (int i = 0; i < step->n_pieces; i++) {
        const ald_piece *p = &step->pieces[i];
        ALD_TRY(ald_record_file_put(run, f, "piece", p->data, stored(s, p)));
    }
    return ALD_OK;
}

/* Those that wait go behind those of the file that were recalled. */
static ald_status append_done(ald_run *run, steps *s)
{
    ald_record_file f;
    if (!s->first) return ALD_OK;
    ald_status status =
        ald_record_file_extend(run, s->done_name, ald_checkpoint_key(s->checkpoint), s->kept, &f);
    for (const waiting *w = s->first; status >= 0 && w; w = w->next)
        status = put_step(run, s, &f, w->number, &w->step);
    s->kept = f.place;
    return ald_record_file_end(run, &f, status);
}

static ald_status write_now(ald_run *run, const steps *s, const ald_step *state)
{
    ald_record_file f;
    ald_status status = ald_record_file_create(run, s->now_name, ald_checkpoint_key(s->checkpoint), &f);
    if (status >= 0) status = put_step(run, s, &f, s->number, state);
    return ald_record_file_end(run, &f, status);
}

static void forget(steps *s)
{
    const ald_allocator *allocator = s->memory.allocator;
    ald_arena_free(&s->memory);
    ald_arena_init(&s->memory, allocator);
    s->first = NULL;
    s->last = &s->first;
}

/* All that waits, then the state, if one is given. */
static ald_status write_all(ald_run *run, steps *s, const ald_step *state)
{
    const double began = ald_checkpoint_clock();
    ald_status status = append_done(run, s);
    if (status >= 0 && state) status = write_now(run, s, state);
    forget(s);
    ALD_TRY(ald_all_rows_agree(run, s->all, status));
    ald_checkpoint_written(s->checkpoint, began);
    return ALD_OK;
}

/* Head and pieces of a step, as far as this part writes them. */
static ald_status copy_step(ald_run *run, steps *s, ald_step *step)
{
    ald_arena *arena = &s->memory;
    ald_piece *pieces;
    ALD_TRY(ald_keep(run, arena, step->pieces, step->n_pieces, sizeof *pieces, &pieces));
    ALD_TRY(ald_keep(run, arena, step->head, step->head_size, 1, &step->head));
    for (int i = 0; i < step->n_pieces; i++)
        ALD_TRY(ald_keep(run, arena, pieces[i].data, stored(s, &pieces[i]), 1, &pieces[i].data));
    step->pieces = pieces;
    return ALD_OK;
}

static ald_status let_wait(ald_run *run, steps *s, const waiting *w)
{
    void *made;
    ALD_TRY(ald_keep(run, &s->memory, w, 1, sizeof *w, &made));
    waiting *added = made;
    ALD_TRY(copy_step(run, s, &added->step));
    *s->last = added;
    s->last = &added->next;
    return ALD_OK;
}

static ald_status keep_step(ald_run *run, ald_logbook *book, const ald_step *step)
{
    steps *s = (steps *)(void *)book;
    waiting w = {.number = s->number, .step = *step};
    int due = ald_checkpoint_due(s->checkpoint);
    ALD_TRY(ald_all_rows_settle(run, s->all, &due, (int64_t)sizeof due));
    s->stamp = ald_checkpoint_clock();
    if (due) ALD_TRY(ald_all_rows_settle(run, s->all, &s->stamp, (int64_t)sizeof s->stamp));
    if (step->under_way) return due ? write_all(run, s, step) : ALD_OK;
    s->number++;
    if (!due) return let_wait(run, s, &w);
    *s->last = &w; /* written from where it is */
    return write_all(run, s, NULL);
}

static ald_status open_done(ald_run *run, steps *s)
{
    ALD_TRY(ald_checkpoint_name(run, s->checkpoint, ".steps", &s->done_name));
    ALD_TRY(ald_checkpoint_name(run, s->checkpoint, ".now", &s->now_name));
    ALD_TRY(ald_record_file_open(run, s->done_name, ald_checkpoint_key(s->checkpoint), &s->done));
    s->recalls = 1;
    if (s->done.file >= 0) s->kept = s->done.place;
    return ALD_OK;
}

ald_status ald_steps_open(ald_run *run, const ald_dataset *survey, ald_logbook **book)
{
    steps *s = NULL;
    *book = NULL;
    if (!survey->checkpoint) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *s, &s));
    *s = (steps){
        .book = {.find = find_step, .take = take_step, .keep = keep_step},
        .checkpoint = survey->checkpoint,
        .all = survey->all,
    };
    s->last = &s->first;
    ald_arena_init(&s->memory, run->call.allocator);
    *book = &s->book;
    return open_done(run, s);
}

void ald_steps_close(ald_run *run, ald_logbook *book)
{
    steps *s = (steps *)(void *)book;
    if (!s) return;
    ald_record_file_end(run, &s->done, ALD_OK);
    ald_record_file_end(run, &s->now, ALD_OK);
    ald_arena_free(&s->memory);
}
