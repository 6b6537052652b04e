#include "fit/checkpoints/part_way.h"

#include "fit/checkpoints/alone.h"
#include "fit/checkpoints/checkpoint_key.h"
#include "fit/checkpoints/record_file.h"
#include "fit/checkpoints/saved.h"

#include <stdio.h>
#include <string.h>

/* What stands before the pieces. */
typedef struct label {
    uint64_t settings, name, input;
    int64_t pieces;
} label;

ald_part_way ald_part_way_of(ald_checkpoint *c, const char *name, const ald_partial *partial)
{
    return (ald_part_way){.checkpoint = c, .name = name, .partial = partial, .saved = ald_checkpoint_clock()};
}

static label label_of(const ald_run *run, const ald_part_way *way)
{
    return (label){
        .settings = ald_key_of_settings(run->settings),
        .name = ald_record_file_sum(0, way->name, (int64_t)strlen(way->name)),
        .input = way->partial->input,
        .pieces = way->partial->n_pieces,
    };
}

static ald_status put_told(ald_run *own, const ald_part_told *told, ald_record_file *r)
{
    ald_record parcel = {.arena = &own->scratch};
    ALD_TRY(told->tell(own, told->work, &parcel));
    ALD_TRY(ald_record_file_put(own, r, &parcel.size, sizeof parcel.size));
    return ald_record_file_put(own, r, parcel.bytes, parcel.size);
}

/* Its bytes, in the scratch of the run. */
static ald_status take_told(ald_run *own, ald_record_file *r, ald_record *parcel)
{
    *parcel = (ald_record){.arena = &own->scratch};
    ALD_TRY(ald_record_file_take(own, r, &parcel->size, sizeof parcel->size));
    ALD_TRY(ald_record_file_expect(own, r, parcel->size, 1));
    ALD_TRY(ald_scratch(own, parcel->size, 1, 1, &parcel->bytes));
    return ald_record_file_take(own, r, parcel->bytes, parcel->size);
}

static ald_status put(ald_run *own, const ald_part_way *way, const label *l, const ald_leg *reached,
                      ald_record_file *r)
{
    const ald_partial *p = way->partial;
    ALD_TRY(ald_record_file_put(own, r, l, sizeof *l));
    ALD_TRY(ald_leg_put(own, reached, r));
    for (int i = 0; i < p->n_pieces; i++)
        ALD_TRY(ald_record_file_put(own, r, &p->pieces[i].size, sizeof p->pieces[i].size));
    ALD_TRY(ald_record_file_seal(own, r));
    for (int i = 0; i < p->n_pieces; i++)
        ALD_TRY(ald_record_file_put(own, r, p->pieces[i].data, p->pieces[i].size));
    if (way->told) ALD_TRY(put_told(own, way->told, r));
    return ald_record_file_commit(own, r);
}

static ald_status write_file(ald_run *run, ald_run *own, const ald_part_way *way, const ald_leg *reached)
{
    const label l = label_of(run, way);
    ald_record_file r = {0};
    char *name;
    ALD_TRY(ald_checkpoint_name_pass(run, way->checkpoint, &name));
    ald_status status = ald_record_file_create(own, name, ald_checkpoint_key(way->checkpoint), &r);
    if (status >= 0) status = put(own, way, &l, reached, &r);
    ald_record_file_abandon(&r);
    ald_arena_drop(&run->scratch, name);
    return status;
}

ald_status ald_part_way_save(ald_run *run, ald_part_way *way, const ald_leg *reached)
{
    const double now = ald_checkpoint_clock();
    ald_alone_run alone;
    if (now - way->saved < 10.0 * way->cost) return ALD_OK;
    const ald_status status = write_file(run, ald_alone_begin(run, &alone), way, reached);
    way->saved = ald_checkpoint_clock();
    way->cost = way->saved - now;
    return ald_run_join(run, &alone.run, status);
}

/* Up to the seal; whether the pieces that follow are those that are wanted. */
static ald_status take_label(ald_run *own, const ald_part_way *way, const label *wanted, ald_record_file *r,
                             ald_leg *leg, int *same)
{
    const ald_partial *p = way->partial;
    label l;
    ALD_TRY(ald_record_file_take(own, r, &l, sizeof l));
    *same = memcmp(&l, wanted, sizeof l) == 0;
    if (!*same) return ALD_OK;
    ALD_TRY(ald_leg_take(own, r, leg));
    for (int i = 0; i < p->n_pieces; i++) {
        int64_t size;
        ALD_TRY(ald_record_file_take(own, r, &size, sizeof size));
        *same = *same && size == p->pieces[i].size;
    }
    return ald_record_file_check(own, r);
}

static ald_status read_file(ald_run *own, const ald_part_way *way, const label *wanted, const char *name,
                            ald_record_file *r, ald_leg *leg, int *found)
{
    const ald_partial *p = way->partial;
    ald_leg reached;
    ald_record parcel;
    ALD_TRY(ald_record_file_open(own, name, ald_checkpoint_key(way->checkpoint), r));
    if (!r->in) return ALD_OK;
    ALD_TRY(take_label(own, way, wanted, r, &reached, found));
    if (!*found) return ALD_OK;
    for (int i = 0; i < p->n_pieces; i++)
        ALD_TRY(ald_record_file_take(own, r, p->pieces[i].data, p->pieces[i].size));
    if (way->told) ALD_TRY(take_told(own, r, &parcel));
    *leg = reached;
    ALD_TRY(ald_record_file_check(own, r));
    return way->told ? way->told->restore(own, way->told->work, &parcel) : ALD_OK;
}

ald_status ald_part_way_find(ald_run *run, const ald_part_way *way, ald_leg *leg, int *found)
{
    const label wanted = label_of(run, way);
    ald_alone_run alone;
    ald_record_file r = {0};
    char *name;
    *found = 0;
    ALD_TRY(ald_checkpoint_name_pass(run, way->checkpoint, &name));
    ald_run *own = ald_alone_begin(run, &alone);
    const ald_status status = read_file(own, way, &wanted, name, &r, leg, found);
    ald_record_file_close(&r);
    ald_arena_drop(&run->scratch, name);
    return ald_run_join(run, own, status);
}
