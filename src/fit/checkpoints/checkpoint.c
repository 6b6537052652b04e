/* FILE: which ranks there are, and the summary of all rows; names, keys and when to save. */
#include "fit/checkpoints/checkpoint.h"

#include "base/core/error.h"
#include "base/numbers/hash.h"
#include "base/settings/settings.h"
#include "fit/checkpoints/record_file.h"
#include "io/reading/input.h"
#include "math/operator/all_rows.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ald_checkpoint {
    const char *path;
    double seconds, last; /* between two states; when the last one was written */
    double cost;          /* seconds that writing it took, if all ranks waited */
    uint64_t key;
    int64_t ranks;           /* whose states are there; 0: none */
    const ald_all_rows *all; /* NULL: all rows are here */
};

enum { usual_seconds = 30, most_ranks = 1 << 20 };

/* Everything that stands beside FILE for one rank. */
static const char *const endings[] = {"", ".pass", ".steps", ".now"};

double ald_checkpoint_clock(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static ald_status name_file(ald_run *run, const char *path, int64_t ranks, int64_t rank, const char *ending,
                            char **name)
{
    const int64_t room = (int64_t)strlen(path) + 60;
    ALD_TRY(ald_scratch(run, room, 1, 1, name));
    snprintf(*name, (size_t)room, "%s.%lld.%lld%s", path, (long long)ranks, (long long)rank, ending);
    return ALD_OK;
}

static int64_t ranks_of(const ald_checkpoint *c)
{
    return c->all ? c->all->parts : 1;
}

ald_status ald_checkpoint_name(ald_run *run, const ald_checkpoint *c, const char *ending, char **name)
{
    return name_file(run, c->path, ranks_of(c), c->all ? c->all->part : 0, ending, name);
}

/* --- keys --- */

uint64_t ald_checkpoint_key(const ald_checkpoint *c)
{
    return c->key;
}

static uint64_t hash_options(uint64_t hash, const ald_load_options *o)
{
    const char *const texts[] = {
        o->format,  o->delimiter, o->header,      o->comment, o->target,    o->task,
        o->weights, o->ignore,    o->categorical, o->encode,  o->missing,   o->unlabelled_rows,
        o->id,      o->decimal,   o->na,          o->dates,   o->thousands,
    };
    const int64_t numbers[] = {o->prefer_real, o->keep_missing, o->block_bytes, o->skip};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) hash = ald_hash_text(hash, texts[i]);
    return ald_hash(hash, numbers, sizeof numbers);
}

/* The file as it is; not its device, which another machine may number differently. */
static ald_status mark_file(ald_run *run, const char *path, ald_file_mark *mark)
{
    const ald_file_list *list;
    ald_input *input;
    ALD_TRY(ald_file_list_find(run, path, &list));
    if (list) {
        *mark = ald_file_list_mark(list);
        return ALD_OK;
    }
    const ald_status status = ald_input_open(run, path, &input);
    if (status >= 0) *mark = ald_input_mark(input);
    ald_input_close(input);
    return status;
}

/* A key of the file, how it is read, and the version; never 0. */
static uint64_t key_of(const ald_file_mark *mark, const ald_load_options *options)
{
    const int64_t numbers[] = {mark->inode, mark->size, mark->seconds, mark->nanoseconds};
    const uint64_t hash = ald_hash(ald_hash_text(ALD_HASH_START, ald_version()), numbers, sizeof numbers);
    const uint64_t key = hash_options(hash, options);
    return key ? key : 1;
}

uint64_t ald_checkpoint_settings(const ald_run *run)
{
    const ald_settings *settings = run->settings;
    if (!settings) return 0; /* a survey, which has none */
    uint64_t hash = ald_hash_text(ALD_HASH_START, ald_method_name(ald_settings_method(settings)));
    for (int i = 0; ald_settings_param_at(settings, i); i++)
        hash = ald_hash_text(hash, ald_settings_text_at(settings, i));
    return hash;
}

ald_status ald_checkpoint_check_settings(ald_run *run, const ald_checkpoint *c, uint64_t found)
{
    if (found == ald_checkpoint_settings(run)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s is a checkpoint of a fit with other settings: remove it to start over, or use "
                    "another `checkpoint`",
                    c->path);
}

/* --- FILE --- */

static ald_status remove_states(ald_run *run, const char *path, int64_t ranks)
{
    for (int64_t r = 0; r < ranks; r++)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            char *name;
            ALD_TRY(name_file(run, path, ranks, r, endings[i], &name));
            unlink(name);
        }
    return ALD_OK;
}

/* `ranks` 0: there is no such file. */
static ald_status take_ranks(ald_run *run, ald_record_file *f, int64_t *ranks)
{
    *ranks = 0;
    if (f->file < 0) return ALD_OK;
    ALD_TRY(ald_record_file_take(run, f, "ranks", ranks, sizeof *ranks));
    return *ranks > 0 && *ranks < most_ranks ? ALD_OK : ald_record_file_damaged(run, f);
}

static ald_status read_ranks(ald_run *run, const char *path, uint64_t key, int64_t *ranks)
{
    ald_record_file f;
    ald_status status = ald_record_file_open(run, path, key, &f);
    if (status >= 0) status = take_ranks(run, &f, ranks);
    return ald_record_file_end(run, &f, status);
}

/* FILE with the summary, if there is one. */
static ald_status write_file(ald_run *run, const ald_checkpoint *c, const ald_record *summary)
{
    const int64_t ranks = ranks_of(c);
    ald_record_file f;
    ald_status status = ald_record_file_create(run, c->path, c->key, &f);
    if (status >= 0) status = ald_record_file_put(run, &f, "ranks", &ranks, sizeof ranks);
    if (status >= 0 && summary) status = ald_record_file_put_sealed(run, &f, summary);
    return ald_record_file_end(run, &f, status);
}

/* By rank 0: states of another number of ranks go, and so do those without a FILE. */
static ald_status settle_ranks(ald_run *run, ald_checkpoint *c)
{
    const int64_t ranks = ranks_of(c);
    ALD_TRY(read_ranks(run, c->path, c->key, &c->ranks));
    if (c->ranks == ranks) return ALD_OK;
    if (c->ranks > 0)
        ald_log(run, ALD_LOG_WARNING,
                "%s is a checkpoint of %lld ranks, but there are %lld now: the fit starts over", c->path,
                (long long)c->ranks, (long long)ranks);
    ALD_TRY(remove_states(run, c->path, c->ranks));
    ALD_TRY(remove_states(run, c->path, ranks));
    c->ranks = 0;
    return write_file(run, c, NULL);
}

static ald_status find(ald_run *run, const char *path, const ald_load_options *options, ald_dataset *dataset)
{
    const double seconds = options->checkpoint_seconds;
    ald_run own;
    ald_checkpoint *c = ald_arena_get(&dataset->memory, 1, 1, sizeof *c);
    if (!c) return ald_out_of_memory(run, 1, 1, sizeof *c);
    *c = (ald_checkpoint){
        .path = options->checkpoint,
        .seconds = seconds == 0.0 ? usual_seconds : seconds,
        .last = ald_checkpoint_clock(),
        .all = dataset->all,
    };
    dataset->checkpoint = c;
    if (!(c->seconds > 0.0))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`checkpoint_seconds` must be above 0, not %g",
                        seconds);
    ald_run_fork(run, &own); /* it shows no progress */
    const ald_status status = ald_run_join(run, &own, mark_file(&own, path, &dataset->surveyed));
    c->key = key_of(&dataset->surveyed, options);
    return status >= 0 && ald_is_first(c->all) ? settle_ranks(run, c) : status;
}

ald_status ald_checkpoint_open(ald_run *run, const char *path, const ald_load_options *options,
                               ald_dataset *dataset)
{
    if (!options->checkpoint) return ALD_OK;
    ALD_TRY(find(run, path, options, dataset));
    ald_checkpoint *c = dataset->checkpoint;
    ALD_TRY(ald_all_rows_settle(run, c->all, &c->key, sizeof c->key));
    return ald_all_rows_settle(run, c->all, &c->ranks, sizeof c->ranks);
}

static ald_status read_summary(ald_run *run, const ald_checkpoint *c, ald_record *summary)
{
    ald_record_file f;
    int64_t ranks;
    ald_status status = ald_record_file_open(run, c->path, c->key, &f);
    if (status >= 0) status = take_ranks(run, &f, &ranks);
    if (status >= 0 && f.place < f.size) status = ald_record_file_next(run, &f, summary);
    return ald_record_file_end(run, &f, status);
}

ald_status ald_checkpoint_find_summary(ald_run *run, const ald_checkpoint *c, ald_record *summary)
{
    if (!c || c->ranks == 0) return ALD_OK;
    if (ald_is_first(c->all)) ALD_TRY(read_summary(run, c, summary));
    ALD_TRY(ald_all_rows_settle(run, c->all, &summary->size, sizeof summary->size));
    if (!ald_is_first(c->all)) ALD_TRY(ald_scratch(run, summary->size, 1, 1, &summary->bytes));
    summary->at = summary->end = 0;
    return ald_all_rows_settle(run, c->all, summary->bytes, summary->size);
}

ald_status ald_checkpoint_keep_summary(ald_run *run, const ald_checkpoint *c, const ald_record *summary)
{
    return ald_is_first(c->all) ? write_file(run, c, summary) : ALD_OK;
}

void ald_checkpoint_forget(ald_run *run, const ald_checkpoint *c)
{
    if (!c || c->ranks > 0 || !ald_is_first(c->all)) return;
    remove_states(run, c->path, ranks_of(c));
    unlink(c->path);
}

ald_status ald_checkpoint_remove(ald_context *context, const char *path, ald_error *error)
{
    ald_run run;
    int64_t ranks = 0;
    ALD_GIVEN(error, context, path);
    ald_run_begin(&run, context, error);
    ald_status status = run.call.discards ? ALD_OK : read_ranks(&run, path, 0, &ranks);
    if (status >= 0) status = remove_states(&run, path, ranks);
    if (status >= 0 && ranks > 0) unlink(path);
    return ald_run_end(&run, status);
}

/* --- when --- */

double ald_checkpoint_seconds(const ald_checkpoint *c)
{
    return c->seconds;
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
