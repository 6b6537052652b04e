/* The state of a pass as one file: a label with name and input, which blocks are done, then the pieces. */
#include "fit/checkpoints/pass_state.h"

#include <string.h>

/* What stands before the pieces. */
typedef struct label {
    uint64_t settings, name, input, sizes;
} label;

ald_pass_state ald_pass_state_of(ald_checkpoint *c, const char *name, ald_partial partial)
{
    return (ald_pass_state){
        .checkpoint = c,
        .name = name,
        .ending = ".pass",
        .partial = partial,
        .saved = ald_checkpoint_clock(),
    };
}

/* Sizes follow from the number of threads, too. */
static label label_of(const ald_run *run, const ald_pass_state *s)
{
    const ald_partial *p = &s->partial;
    uint64_t sizes = ALD_HASH_START;
    for (int i = 0; i < p->n_pieces; i++)
        sizes = ald_hash(sizes, &p->pieces[i].size, sizeof p->pieces[i].size);
    return (label){
        .settings = ald_checkpoint_settings(run),
        .name = ald_hash_text(ALD_HASH_START, s->name),
        .input = p->input,
        .sizes = sizes,
    };
}

static ald_status put(ald_run *run, const ald_pass_state *s, const ald_reached *reached, ald_record_file *f)
{
    const label l = label_of(run, s);
    const ald_partial *p = &s->partial;
    ALD_TRY(ald_record_file_put(run, f, "pass", &l, sizeof l));
    ALD_TRY(ald_record_file_put(run, f, "reached", reached, sizeof *reached));
    for (int i = 0; i < p->n_pieces; i++)
        ALD_TRY(ald_record_file_put(run, f, "array", p->pieces[i].data, p->pieces[i].size));
    return s->put ? s->put(run, s->work, f) : ALD_OK;
}

static ald_status write(ald_run *run, ald_pass_state *s)
{
    const double began = ald_checkpoint_clock();
    ald_record_file f;
    char *name;
    ALD_TRY(ald_checkpoint_name(run, s->checkpoint, s->ending, &name));
    ald_status status = ald_record_file_create(run, name, ald_checkpoint_key(s->checkpoint), &f);
    if (status >= 0) status = put(run, s, &s->reached, &f);
    status = ald_record_file_end(run, &f, status);
    ald_arena_drop(&run->scratch, name);
    s->saved = ald_checkpoint_clock();
    s->cost = s->saved - began;
    return status;
}

ald_status ald_pass_state_save(ald_run *run, ald_pass_state *s, const ald_reached *reached)
{
    s->reached = *reached;
    return ald_checkpoint_clock() - s->saved < 10.0 * s->cost ? ALD_OK : write(run, s);
}

ald_status ald_pass_state_end(ald_run *run, ald_pass_state *s, int always)
{
    if (!s->checkpoint || s->reached.done || !(always || ald_checkpoint_due(s->checkpoint))) return ALD_OK;
    s->reached.done = 1;
    return write(run, s);
}

static ald_status take(ald_run *run, ald_pass_state *s, ald_record_file *f)
{
    const label wanted = label_of(run, s);
    const ald_partial *p = &s->partial;
    ald_reached found;
    label l;
    if (f->file < 0) return ALD_OK;
    ALD_TRY(ald_record_file_take(run, f, "pass", &l, sizeof l));
    if (l.settings) ALD_TRY(ald_checkpoint_check_settings(run, s->checkpoint, l.settings));
    if (memcmp(&l, &wanted, sizeof l) != 0) return ALD_OK;
    ALD_TRY(ald_record_file_take(run, f, "reached", &found, sizeof found));
    if (found.number < 0 || found.number > INT64_MAX / 2) return ald_record_file_damaged(run, f);
    for (int i = 0; i < p->n_pieces; i++)
        ALD_TRY(ald_record_file_take(run, f, "array", p->pieces[i].data, p->pieces[i].size));
    if (s->take) ALD_TRY(s->take(run, s->work, f));
    s->reached = found;
    return ALD_OK;
}

ald_status ald_pass_state_find(ald_run *run, ald_pass_state *s)
{
    ald_record_file f;
    char *name;
    ALD_TRY(ald_checkpoint_name(run, s->checkpoint, s->ending, &name));
    ald_status status = ald_record_file_open(run, name, ald_checkpoint_key(s->checkpoint), &f);
    if (status >= 0) status = take(run, s, &f);
    status = ald_record_file_end(run, &f, status);
    ald_arena_drop(&run->scratch, name);
    return status;
}
