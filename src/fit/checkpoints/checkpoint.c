#include "fit/checkpoints/checkpoint.h"

#include "base/core/given.h"
#include "base/ranks/communicator.h"
#include "base/settings/settings.h"
#include "fit/checkpoints/alone.h"
#include "fit/checkpoints/checkpoint_key.h"
#include "fit/checkpoints/record_file.h"
#include "fit/checkpoints/saved.h"
#include "fit/checkpoints/steps.h"
#include "io/reading/file_list.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ald_checkpoint {
    ald_arena *memory; /* of the survey */
    const char *path;
    double seconds, last; /* between two states; when the last one was written */
    double cost;          /* seconds that writing it took, if that was all ranks' time */
    int secured;          /* a state of this rank that has the survey of all rows is there */
    uint64_t key;
    int64_t size;          /* ranks whose states are there; 0: nobody's */
    int64_t other;         /* another number, whose states do not count if they are there; 0: none */
    ald_portion *portions; /* of each of these */
    unsigned char *told;   /* the survey of all rows; NULL: it is not known yet */
    int64_t told_size;
};

enum { usual_seconds = 30, most_ranks = 1 << 20 };

double ald_checkpoint_clock(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static ald_status name_file(ald_run *run, const ald_checkpoint *c, int64_t size, int64_t rank,
                            const char *ending, char **name)
{
    const int64_t room = (int64_t)strlen(c->path) + 50;
    ALD_TRY(ald_scratch(run, room, 1, 1, name));
    snprintf(*name, (size_t)room, "%s.%lld.%lld%s", c->path, (long long)size, (long long)rank, ending);
    return ALD_OK;
}

static ald_status name_state(ald_run *run, const ald_checkpoint *c, int64_t size, int64_t rank, char **name)
{
    return name_file(run, c, size, rank, "", name);
}

ald_status ald_checkpoint_name_pass(ald_run *run, const ald_checkpoint *c, char **name)
{
    return name_file(run, c, ald_rank_count(run), ald_rank(run), ".pass", name);
}

/* --- FILE --- */

static ald_status take_ranks(ald_run *run, ald_record_file *r, ald_checkpoint *c)
{
    int64_t numbers[ALD_PORTION_NUMBERS];
    ALD_TRY(ald_record_file_take(run, r, &c->size, sizeof c->size));
    ALD_TRY(ald_record_file_take(run, r, &c->other, sizeof c->other));
    ALD_TRY(ald_record_file_expect(run, r, c->other >= 0 && c->other < most_ranks ? 0 : -1, 1));
    ALD_TRY(ald_record_file_expect(run, r, c->size < most_ranks ? c->size : -1, sizeof numbers));
    c->portions = ald_arena_get(c->memory, c->size, 1, sizeof *c->portions);
    if (!c->portions) return ald_out_of_memory(run, c->size, 1, sizeof *c->portions);
    for (int64_t i = 0; i < c->size; i++) {
        ALD_TRY(ald_record_file_take(run, r, numbers, sizeof numbers));
        c->portions[i] = ald_portion_from(numbers);
    }
    return ald_record_file_check(run, r);
}

static ald_status read_ranks(ald_run *run, ald_checkpoint *c)
{
    ald_record_file r;
    ald_status status = ald_record_file_open(run, c->path, c->key, &r);
    if (status >= 0 && r.in) status = take_ranks(run, &r, c);
    ald_record_file_close(&r);
    return status;
}

static ald_status put_ranks(ald_run *run, const ald_checkpoint *c, ald_record_file *r)
{
    ALD_TRY(ald_record_file_create(run, c->path, c->key, r));
    ALD_TRY(ald_record_file_put(run, r, &c->size, sizeof c->size));
    ALD_TRY(ald_record_file_put(run, r, &c->other, sizeof c->other));
    for (int64_t i = 0; i < c->size; i++) {
        int64_t numbers[ALD_PORTION_NUMBERS];
        ald_portion_numbers(&c->portions[i], numbers);
        ALD_TRY(ald_record_file_put(run, r, numbers, sizeof numbers));
    }
    return ald_record_file_commit(run, r);
}

/* By rank 0. */
static ald_status write_ranks(ald_run *run, const ald_checkpoint *c)
{
    ald_alone_run a;
    ald_record_file r = {0};
    if (ald_rank(run) > 0) return ALD_OK;
    const ald_status status = put_ranks(ald_alone_begin(run, &a), c, &r);
    ald_record_file_abandon(&r);
    return ald_run_join(run, &a.run, status);
}

static ald_status remove_states(ald_run *run, const ald_checkpoint *c, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        char *name;
        ALD_TRY(name_state(run, c, size, r, &name));
        unlink(name);
        ALD_TRY(name_file(run, c, size, r, ".pass", &name));
        unlink(name);
    }
    return size > 0 ? ald_steps_remove(run, c->path, size) : ALD_OK;
}

/* A new beginning, whatever an old one has left. */
static ald_status clear(ald_run *run, const ald_checkpoint *c, int64_t size)
{
    ALD_TRY(remove_states(run, c, size));
    return ald_steps_remove(run, c->path, 0);
}

static ald_status find(ald_run *run, const char *path, const ald_load_options *options, ald_dataset *dataset)
{
    ald_alone_run a;
    ald_checkpoint *c = ald_arena_get(&dataset->memory, 1, 1, sizeof *c);
    if (!c) return ald_out_of_memory(run, 1, 1, sizeof *c);
    *c = (ald_checkpoint){
        .memory = &dataset->memory,
        .path = options->checkpoint,
        .seconds = options->checkpoint_seconds,
        .last = ald_checkpoint_clock(),
    };
    if (c->seconds == 0.0) c->seconds = usual_seconds;
    dataset->checkpoint = c;
    if (!(c->seconds > 0.0))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`checkpoint_seconds` is above 0, not %g",
                        c->seconds);
    ald_run *own = ald_alone_begin(run, &a);
    ald_status status = ald_key_mark(own, path, &dataset->surveyed);
    c->key = ald_key_of_data(&dataset->surveyed, options);
    if (status >= 0 && ald_rank(run) == 0) status = read_ranks(own, c);
    if (status >= 0 && c->other != c->size) status = remove_states(own, c, c->other);
    return ald_run_join(run, own, status);
}

ald_status ald_checkpoint_open(ald_run *run, const char *path, const ald_load_options *options,
                               ald_dataset *dataset)
{
    ald_status status = ALD_OK;
    if (!options->checkpoint) return ALD_OK;
    ALD_TRY(ald_all_agree(run, find(run, path, options, dataset)));
    ald_checkpoint *c = dataset->checkpoint;
    ALD_TRY(ald_all_hear(run, 0, &c->key, sizeof c->key));
    ALD_TRY(ald_all_hear(run, 0, &c->size, sizeof c->size));
    if (!c->portions) c->portions = ald_arena_get(c->memory, c->size, 1, sizeof *c->portions);
    if (!c->portions) status = ald_out_of_memory(run, c->size, 1, sizeof *c->portions);
    ALD_TRY(ald_all_agree(run, status));
    return ald_all_hear(run, 0, c->portions, c->size * (int64_t)sizeof *c->portions);
}

int ald_checkpoint_portion(const ald_run *run, const ald_checkpoint *c, ald_portion *portion)
{
    if (!c || c->size != ald_rank_count(run)) return 0;
    *portion = c->portions[ald_rank(run)];
    return 1;
}

/* FILE is about these ranks from now on, and the states of others are gone. */
static ald_status replace_ranks(ald_run *run, ald_checkpoint *c, const ald_portion *portion)
{
    ald_gathered all;
    ald_status status = ALD_OK;
    c->other = c->size;
    if (c->size == 0 && ald_rank(run) == 0) status = clear(run, c, ald_rank_count(run));
    ALD_TRY(ald_all_gather(run, status, c->memory, portion, (int64_t)sizeof *portion, &all));
    c->size = ald_rank_count(run);
    c->portions = (ald_portion *)(void *)all.bytes;
    status = write_ranks(run, c);
    if (status >= 0 && ald_rank(run) == 0) status = remove_states(run, c, c->other);
    return ald_all_agree(run, status);
}

ald_status ald_checkpoint_begin(ald_run *run, ald_dataset *dataset)
{
    ald_checkpoint *c = dataset->checkpoint;
    if (!c || c->size == ald_rank_count(run)) return ALD_OK;
    return replace_ranks(run, c, &dataset->portion);
}

/* --- the survey --- */

/* States that this rank looks after: its own, or each P-th of those that others have left. */
static ald_status look_for_survey(ald_run *run, const ald_checkpoint *c, ald_saved *own, ald_saved *whole)
{
    const int64_t size = ald_rank_count(run);
    for (int64_t r = ald_rank(run); r < c->size && !whole->told; r += size) {
        ald_saved found;
        ALD_TRY(ald_checkpoint_state_of(run, c, r, &found));
        if (found.sums) *whole = found;
        if (!found.sums && c->size == size) *own = found;
    }
    return ALD_OK;
}

/* The survey of all rows by the first rank that has it. */
static ald_status hear_survey(ald_run *run, ald_status status, ald_dataset *dataset, ald_saved *whole)
{
    ald_gathered sizes;
    int from = 0;
    ALD_TRY(ald_all_gather(run, status, &run->scratch, &whole->told_size, sizeof whole->told_size, &sizes));
    const int64_t *each = (const int64_t *)(const void *)sizes.bytes;
    while (from < ald_rank_count(run) && each[from] == 0) from++;
    if (from == ald_rank_count(run)) return ALD_OK;
    unsigned char *bytes = ald_arena_get(&dataset->memory, each[from], 1, 1);
    ALD_TRY(ald_all_agree(run, bytes ? ALD_OK : ald_out_of_memory(run, each[from], 1, 1)));
    if (from == ald_rank(run)) memcpy(bytes, whole->told, (size_t)each[from]);
    whole->told_size = each[from];
    whole->told = bytes;
    whole->sums = 1;
    return ald_all_hear(run, from, bytes, whole->told_size);
}

ald_status ald_checkpoint_survey(ald_run *run, ald_dataset *dataset, ald_saved *saved)
{
    ald_checkpoint *c = dataset->checkpoint;
    ald_saved whole = {0};
    *saved = (ald_saved){0};
    if (!c || c->size == 0) return ALD_OK;
    ALD_TRY(hear_survey(run, look_for_survey(run, c, saved, &whole), dataset, &whole));
    if (!whole.told) return ALD_OK;
    *saved = whole;
    c->secured = 1;
    c->told = whole.told;
    c->told_size = whole.told_size;
    return ALD_OK;
}

ald_status ald_checkpoint_told(ald_run *run, const ald_record *told, ald_dataset *dataset)
{
    ald_checkpoint *c = dataset->checkpoint;
    c->told = ald_arena_get(c->memory, told->size, 1, 1);
    if (!c->told) return ald_out_of_memory(run, told->size, 1, 1);
    memcpy(c->told, told->bytes, (size_t)told->size);
    c->told_size = told->size;
    return ALD_OK;
}

/* --- the sums --- */

double ald_checkpoint_seconds(const ald_checkpoint *c)
{
    return c->seconds;
}

int64_t ald_checkpoint_ranks(const ald_checkpoint *c)
{
    return c->size;
}

const ald_portion *ald_checkpoint_portion_of(const ald_checkpoint *c, int64_t rank)
{
    return &c->portions[rank];
}

ald_status ald_checkpoint_state_of(ald_run *run, const ald_checkpoint *c, int64_t rank, ald_saved *found)
{
    char *name;
    ALD_TRY(name_state(run, c, c->size, rank, &name));
    return ald_saved_read(run, name, c->key, NULL, 0, found);
}

const char *ald_checkpoint_path(const ald_checkpoint *c)
{
    return c->path;
}

uint64_t ald_checkpoint_key(const ald_checkpoint *c)
{
    return c->key;
}

int ald_checkpoint_due(const ald_checkpoint *c)
{
    const double least = c ? 10.0 * c->cost : 0.0;
    return c && ald_checkpoint_clock() - c->last >= (c->seconds > least ? c->seconds : least);
}

void ald_checkpoint_written(ald_checkpoint *c, double began)
{
    c->last = ald_checkpoint_clock();
    c->cost = c->last - began;
}

static ald_status write_state(ald_run *run, const ald_checkpoint *c, int64_t size, int64_t rank,
                              const ald_saved *saved)
{
    ald_saved state = *saved;
    char *name;
    ALD_TRY(name_state(run, c, size, rank, &name));
    if (state.sums) {
        state.told = c->told;
        state.told_size = c->told_size;
    }
    return ald_saved_write(run, name, c->key, &state);
}

ald_status ald_checkpoint_save(ald_run *run, ald_checkpoint *c, const ald_saved *saved)
{
    ald_alone_run a;
    ald_run *own = ald_alone_begin(run, &a);
    const ald_status status = write_state(own, c, ald_rank_count(run), ald_rank(run), saved);
    c->last = ald_checkpoint_clock();
    c->secured = c->secured || (status >= 0 && saved->sums);
    return ald_run_join(run, own, status);
}

static ald_status check_settings(ald_run *run, const ald_checkpoint *c, const ald_saved *found, uint64_t key)
{
    if (!found->sums || found->settings == key) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "%s is a checkpoint of a fit with other settings: remove it to start anew, or give another "
        "`checkpoint`",
        c->path);
}

/* Its legs and sums become some of this rank's. A rank that has saved no sums has all of its portion before
 * it. */
static ald_status take_over(ald_run *run, const ald_saved *found, const ald_portion *portion, int parts,
                            ald_arena *arenas, ald_saved *to)
{
    const ald_leg all = {.portion = *portion};
    const ald_leg *legs = found->sums ? found->legs : &all;
    const int64_t count = found->sums ? found->n_legs : 1;
    ald_leg *more;
    ALD_TRY(ald_scratch(run, to->n_legs + count, 1, sizeof *more, &more));
    if (to->n_legs) memcpy(more, to->legs, (size_t)to->n_legs * sizeof *more);
    memcpy(more + to->n_legs, legs, (size_t)count * sizeof *more);
    to->legs = more;
    to->n_legs += count;
    for (int64_t p = 0; found->sums && p < found->parts; p++) {
        ald_moments *total = &to->total[p % parts];
        if (total->d == 0)
            *total = found->total[p];
        else if (found->total[p].d > 0)
            ALD_TRY(ald_moments_add(run, &arenas[p % parts], &found->total[p], total));
    }
    return ALD_OK;
}

static ald_status take_states(ald_run *run, const ald_dataset *survey, int parts, ald_arena *arenas,
                              ald_saved *to)
{
    const ald_checkpoint *c = survey->checkpoint;
    for (int64_t r = ald_rank(run); r < c->size; r += ald_rank_count(run)) {
        char *name;
        ald_saved found;
        ALD_TRY(name_state(run, c, c->size, r, &name));
        ALD_TRY(ald_saved_read(run, name, c->key, arenas, parts, &found));
        ALD_TRY(check_settings(run, c, &found, to->settings));
        for (int64_t p = 0; found.sums && p < found.parts; p++)
            if (found.total[p].d > 0 && found.total[p].d != survey->x.cols)
                return ald_fail(run->error, ALD_ERROR_FORMAT, "%s is damaged: remove it to start anew", name);
        ALD_TRY(take_over(run, &found, &c->portions[r], parts, arenas, to));
    }
    return ALD_OK;
}

/* From another number of ranks: all have written what they have taken over before anything is removed. */
static ald_status become_ours(ald_run *run, const ald_dataset *survey, const ald_saved *saved)
{
    ald_checkpoint *c = survey->checkpoint;
    if (c->size == ald_rank_count(run)) return ALD_OK;
    c->other = ald_rank_count(run); /* what is written from here on does not count until all is there */
    ALD_TRY(ald_all_agree(run, write_ranks(run, c)));
    ALD_TRY(ald_all_agree(run, ald_checkpoint_save(run, c, saved)));
    return replace_ranks(run, c, &survey->portion);
}

ald_status ald_checkpoint_resume(ald_run *run, const char *path, const ald_load_options *options,
                                 const ald_dataset *survey, int parts, ald_arena *arenas, ald_saved *saved)
{
    saved->sums = 1;
    saved->parts = parts;
    saved->settings = ald_key_of_settings(run->settings);
    ALD_TRY(ald_all_agree(run, take_states(run, survey, parts, arenas, saved)));
    if (survey->checkpoint->size != ald_rank_count(run))
        ALD_TRY(ald_legs_share(run, path, options, survey->surveyed.size, &saved->legs, &saved->n_legs));
    return become_ours(run, survey, saved);
}

/* The survey of all rows, and none of them summed. */
static ald_saved nothing_summed(ald_run *run, ald_leg *whole)
{
    return (ald_saved){
        .sums = 1,
        .legs = whole,
        .n_legs = 1,
        .settings = ald_key_of_settings(run->settings),
    };
}

ald_status ald_checkpoint_secure(ald_run *run, const ald_dataset *survey)
{
    ald_leg whole = {.portion = survey->portion};
    const ald_saved saved = nothing_summed(run, &whole);
    return survey->checkpoint->secured ? ALD_OK : ald_checkpoint_save(run, survey->checkpoint, &saved);
}

ald_status ald_checkpoint_adopt(ald_run *run, const ald_dataset *survey)
{
    ald_leg whole = {.portion = survey->portion};
    const ald_saved saved = nothing_summed(run, &whole);
    return become_ours(run, survey, &saved);
}

ald_status ald_checkpoint_remove(ald_context *context, const char *path, ald_error *error)
{
    ald_run run;
    ald_arena memory;
    ald_checkpoint c = {.memory = &memory, .path = path};
    ALD_GIVEN(error, context, path);
    ald_run_begin(&run, context, error);
    ald_arena_init(&memory, &context->allocator);
    ald_status status = ald_rank(&run) == 0 ? read_ranks(&run, &c) : ALD_OK;
    if (status >= 0 && c.size > 0) status = remove_states(&run, &c, c.size);
    if (status >= 0 && c.size > 0) status = remove_states(&run, &c, c.other);
    if (status >= 0 && c.size > 0) status = ald_steps_remove(&run, path, 0);
    if (status >= 0 && c.size > 0) unlink(path);
    ald_arena_free(&memory);
    return ald_run_end(&run, status);
}
