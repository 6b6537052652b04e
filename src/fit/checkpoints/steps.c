#include "fit/checkpoints/steps.h"

#include "base/ranks/communicator.h"
#include "fit/checkpoints/checkpoint_key.h"
#include "fit/checkpoints/step_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A result that is in no file yet. */
typedef struct waiting {
    struct waiting *next;
    int64_t number;
    int64_t own; /* the number of its own file, or -1 */
    ald_step step;
} waiting;

typedef struct steps {
    ald_logbook book;
    const ald_dataset *survey;
    ald_checkpoint *checkpoint;
    uint64_t settings;
    int64_t number, owns; /* of the step, and of the own file, that is next or under way */
    int recalls;          /* whether there may be results of an earlier run */
    int64_t files;        /* of these */
    int64_t *firsts;      /* the first step in each */
    int64_t opened;       /* the one that is being read; -1: none */
    ald_step_file done, single;
    ald_step_file *found; /* where the pieces of the step that was found are */
    ald_arena names;      /* of the file that is being read, which outlives the scratch of a step */
    ald_arena memory;     /* of what waits */
    waiting *first, **last;
} steps;

static ald_status name_file(ald_run *run, const char *path, const char *kind, int64_t ranks, int64_t number,
                            char **name)
{
    const int64_t room = (int64_t)strlen(path) + 64;
    ALD_TRY(ald_scratch(run, room, 1, 1, name));
    if (ranks)
        snprintf(*name, (size_t)room, "%s.%s.%lld.%lld", path, kind, (long long)ranks, (long long)number);
    else
        snprintf(*name, (size_t)room, "%s.%s.%lld", path, kind, (long long)number);
    return ALD_OK;
}

static ald_status name_now(ald_run *run, const char *path, char **name)
{
    const int64_t room = (int64_t)strlen(path) + 8;
    ALD_TRY(ald_scratch(run, room, 1, 1, name));
    snprintf(*name, (size_t)room, "%s.now", path);
    return ALD_OK;
}

static const char *path_of(const steps *s)
{
    return ald_checkpoint_path(s->checkpoint);
}

/* Until one is not there. */
static ald_status remove_row(ald_run *run, const char *path, const char *kind, int64_t ranks)
{
    for (int64_t k = 0;; k++) {
        char *name;
        ALD_TRY(name_file(run, path, kind, ranks, k, &name));
        if (unlink(name) != 0) return ALD_OK;
    }
}

ald_status ald_steps_remove(ald_run *run, const char *path, int64_t ranks)
{
    char *now;
    if (ranks) return remove_row(run, path, "own", ranks);
    ALD_TRY(name_now(run, path, &now));
    unlink(now);
    return remove_row(run, path, "done", 0);
}

/* --- what an earlier run has left --- */

static ald_status open_file(ald_run *run, const steps *s, const char *path, ald_step_file *file,
                            int64_t *first)
{
    return ald_step_file_open(run, path, path_of(s), ald_checkpoint_key(s->checkpoint), s->settings, file,
                              first);
}

/* Opens file k of those that are done. */
static ald_status open_done(ald_run *run, steps *s, int64_t k, int64_t *first)
{
    char *name;
    ALD_TRY(ald_all_agree(run, name_file(run, path_of(s), "done", 0, k, &name)));
    ald_step_file_close(run, &s->done);
    s->opened = -1;
    ald_arena_release(&s->names, 0);
    char *kept = ald_arena_text(&s->names, name, strlen(name));
    ALD_TRY(ald_all_agree(run, kept ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(name), 1, 1)));
    ALD_TRY(open_file(run, s, kept, &s->done, first));
    s->opened = *first < 0 ? -1 : k;
    return ALD_OK;
}

/* How many there are, and where each begins. */
static ald_status find_files(ald_run *run, steps *s)
{
    int64_t room = 0;
    for (s->files = 0;; s->files++) {
        int64_t first;
        ALD_TRY(open_done(run, s, s->files, &first));
        if (first < 0) break;
        if (s->files == room) {
            int64_t *more = ald_arena_resize(&run->scratch, s->firsts, 2 * room + 8, 1, sizeof *more);
            ALD_TRY(ald_all_agree(run, more ? ALD_OK : ald_out_of_memory(run, 2 * room + 8, 1, 8)));
            s->firsts = more;
            room = 2 * room + 8;
        }
        s->firsts[s->files] = first;
    }
    s->recalls = s->files > 0;
    return ALD_OK;
}

/* Whether the step is the one that stands there; rank 0 knows. */
static ald_status compare(ald_run *run, const ald_step_label *label, const ald_step *step, int64_t number,
                          int *same)
{
    *same = label->more == 1 && label->number == number && label->name == ald_step_name(step) &&
            label->input == step->input && label->head_size == step->head_size &&
            (!step->own || label->ranks == ald_rank_count(run));
    return ald_all_hear(run, 0, same, (int64_t)sizeof *same);
}

static ald_status recall_from(ald_run *run, steps *s, ald_step_file *file, const ald_step *step, int *found)
{
    ald_step_label label;
    ALD_TRY(ald_step_file_next(run, file, &label));
    ALD_TRY(compare(run, &label, step, s->number, found));
    if (!*found) {
        ald_step_file_close(run, file);
        return ALD_OK;
    }
    s->found = file;
    return ald_step_file_head(run, file, step);
}

/* Of a file that has one step. */
static ald_status recall_single(ald_run *run, steps *s, const char *path, const ald_step *step, int *found)
{
    int64_t first;
    ALD_TRY(open_file(run, s, path, &s->single, &first));
    return first < 0 ? ALD_OK : recall_from(run, s, &s->single, step, found);
}

/* Of the last file that begins no later. What does not fit ends it. */
static ald_status recall_done(ald_run *run, steps *s, const ald_step *step, int *found)
{
    int64_t k = s->files - 1, first;
    if (!s->recalls) return ALD_OK;
    while (k >= 0 && s->firsts[k] > s->number) k--;
    if (k >= 0 && k != s->opened) ALD_TRY(open_done(run, s, k, &first));
    if (k >= 0) ALD_TRY(recall_from(run, s, &s->done, step, found));
    s->recalls = *found;
    return ALD_OK;
}

static ald_status find_step(ald_run *run, ald_logbook *book, const ald_step *step, int *found)
{
    steps *s = (steps *)(void *)book;
    char *name = NULL;
    if (step->under_way) {
        ALD_TRY(ald_all_agree(run, name_now(run, path_of(s), &name)));
        return recall_single(run, s, name, step, found);
    }
    if (!step->own) return recall_done(run, s, step, found);
    ALD_TRY(ald_all_agree(run, name_file(run, path_of(s), "own", ald_rank_count(run), s->owns, &name)));
    return recall_single(run, s, name, step, found);
}

static ald_status step_sizes(ald_run *run, ald_logbook *book, const ald_step *step, int64_t *sizes)
{
    return ald_step_file_sizes(run, ((steps *)(void *)book)->found, step, sizes);
}

/* It is over. */
static void count(steps *s, const ald_step *step)
{
    s->number += !step->under_way;
    s->owns += step->own && !step->under_way;
}

static ald_status take_step(ald_run *run, ald_logbook *book, const ald_step *step)
{
    steps *s = (steps *)(void *)book;
    ALD_TRY(ald_step_file_take(run, s->found, step));
    if (s->found == &s->single) ald_step_file_close(run, &s->single);
    count(s, step);
    return ALD_OK;
}

/* --- what this run leaves --- */

static void create(ald_run *run, const steps *s, const char *path, int64_t first, ald_step_file *file)
{
    ald_step_file_create(run, path, ald_checkpoint_key(s->checkpoint), s->settings, first, file);
}

/* A file of one step. */
static ald_status write_single(ald_run *run, steps *s, const char *path, int64_t number, const ald_step *step)
{
    create(run, s, path, number, &s->single);
    ALD_TRY(ald_step_file_put(run, &s->single, number, step));
    return ald_step_file_commit(run, &s->single);
}

static ald_status write_owns(ald_run *run, steps *s)
{
    for (const waiting *w = s->first; w; w = w->next) {
        char *name;
        if (w->own < 0) continue;
        ALD_TRY(ald_all_agree(run, name_file(run, path_of(s), "own", ald_rank_count(run), w->own, &name)));
        ALD_TRY(write_single(run, s, name, w->number, &w->step));
    }
    return ALD_OK;
}

/* The others as the next file. */
static ald_status write_done(ald_run *run, steps *s)
{
    const waiting *w = s->first;
    char *name;
    while (w && w->own >= 0) w = w->next;
    if (!w) return ALD_OK;
    ALD_TRY(ald_all_agree(run, name_file(run, path_of(s), "done", 0, s->files, &name)));
    create(run, s, name, w->number, &s->single);
    for (; w; w = w->next)
        if (w->own < 0) ALD_TRY(ald_step_file_put(run, &s->single, w->number, &w->step));
    s->files++;
    return ald_step_file_commit(run, &s->single);
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
    const uint64_t mark = ald_arena_mark(&run->scratch);
    char *name;
    const double began = ald_checkpoint_clock();
    ALD_TRY(ald_all_agree(run, ald_checkpoint_secure(run, s->survey)));
    ALD_TRY(write_owns(run, s));
    ALD_TRY(write_done(run, s));
    forget(s);
    ALD_TRY(ald_all_agree(run, name_now(run, path_of(s), &name)));
    if (state) ALD_TRY(write_single(run, s, name, s->number, state));
    ald_checkpoint_written(s->checkpoint, began);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status copy_bytes(ald_run *run, ald_arena *arena, const void *from, int64_t size, void **to)
{
    *to = ald_arena_get(arena, size, 1, 1);
    if (!*to) return ald_out_of_memory(run, size, 1, 1);
    if (size > 0) memcpy(*to, from, (size_t)size);
    return ALD_OK;
}

/* Head and pieces of a step, as far as this rank writes them. */
static ald_status copy_step(ald_run *run, ald_arena *arena, ald_step *step)
{
    ald_piece *pieces = ald_arena_get(arena, step->n_pieces, 1, sizeof *pieces);
    if (!pieces) return ald_out_of_memory(run, step->n_pieces, 1, sizeof *pieces);
    ALD_TRY(copy_bytes(run, arena, step->head, step->head_size, &step->head));
    for (int i = 0; i < step->n_pieces; i++) {
        pieces[i] = step->pieces[i];
        if (pieces[i].kind == ALD_ALIKE && ald_rank(run) > 0) continue;
        ALD_TRY(copy_bytes(run, arena, pieces[i].data, pieces[i].size, &pieces[i].data));
    }
    step->pieces = pieces;
    return ALD_OK;
}

static ald_status let_wait(ald_run *run, steps *s, const waiting *w)
{
    void *made;
    ALD_TRY(copy_bytes(run, &s->memory, w, (int64_t)sizeof *w, &made));
    waiting *added = made;
    ALD_TRY(copy_step(run, &s->memory, &added->step));
    *s->last = added;
    s->last = &added->next;
    return ALD_OK;
}

static ald_status keep_step(ald_run *run, ald_logbook *book, const ald_step *step)
{
    steps *s = (steps *)(void *)book;
    waiting w = {.number = s->number, .own = step->own ? s->owns : -1, .step = *step};
    int due = ald_checkpoint_due(s->checkpoint);
    ALD_TRY(ald_all_hear(run, 0, &due, (int64_t)sizeof due));
    if (step->under_way) return due ? write_all(run, s, step) : ALD_OK;
    count(s, step);
    if (!due) return ald_all_agree(run, let_wait(run, s, &w));
    *s->last = &w; /* written from where it is */
    return write_all(run, s, NULL);
}

ald_status ald_steps_open(ald_run *run, const ald_dataset *survey, int passes, ald_logbook **book)
{
    steps *s = NULL;
    *book = NULL;
    if (!survey->checkpoint) return ALD_OK;
    ALD_TRY(ald_all_agree(run, ald_scratch(run, 1, 1, sizeof *s, &s)));
    *s = (steps){
        .book = {.find = find_step, .sizes = step_sizes, .take = take_step, .keep = keep_step},
        .survey = survey,
        .checkpoint = survey->checkpoint,
        .settings = ald_key_of_settings(run->settings),
        .opened = -1,
    };
    s->last = &s->first;
    ald_arena_init(&s->memory, run->call.allocator);
    ald_arena_init(&s->names, run->call.allocator);
    *book = &s->book;
    ALD_TRY(find_files(run, s)); /* before anything of theirs is touched */
    return passes ? ald_checkpoint_adopt(run, survey) : ALD_OK;
}

void ald_steps_close(ald_run *run, ald_logbook *book)
{
    steps *s = (steps *)(void *)book;
    if (!s) return;
    ald_step_file_close(run, &s->done);
    ald_step_file_close(run, &s->single);
    ald_arena_free(&s->memory);
    ald_arena_free(&s->names);
}
