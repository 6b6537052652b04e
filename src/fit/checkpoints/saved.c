#include "fit/checkpoints/saved.h"

#include <string.h>

void ald_portion_numbers(const ald_portion *portion, int64_t *numbers)
{
    numbers[0] = portion->divided;
    numbers[1] = portion->begin;
    numbers[2] = portion->end;
    numbers[3] = portion->lines;
}

ald_portion ald_portion_from(const int64_t *numbers)
{
    return (ald_portion){
        .divided = numbers[0] != 0,
        .begin = numbers[1],
        .end = numbers[2],
        .lines = numbers[3],
    };
}

enum { leg_numbers = ALD_PORTION_NUMBERS + 6, n_heads = 5 };

ald_status ald_leg_put(ald_run *run, const ald_leg *leg, ald_record_file *r)
{
    int64_t numbers[leg_numbers] = {
        [ALD_PORTION_NUMBERS] = leg->number,
        leg->at.file,
        leg->at.place,
        leg->at.lines,
        leg->at.row,
        leg->done,
    };
    ald_portion_numbers(&leg->portion, numbers);
    return ald_record_file_put(run, r, numbers, sizeof numbers);
}

ald_status ald_leg_take(ald_run *run, ald_record_file *r, ald_leg *leg)
{
    int64_t numbers[leg_numbers];
    const int64_t *rest = numbers + ALD_PORTION_NUMBERS;
    ALD_TRY(ald_record_file_take(run, r, numbers, sizeof numbers));
    *leg = (ald_leg){
        .portion = ald_portion_from(numbers),
        .number = rest[0],
        .at = {.file = rest[1], .place = rest[2], .lines = rest[3], .row = rest[4]},
        .done = rest[5],
    };
    return ALD_OK;
}

/* Sizes and which arrays there are, then these. */
typedef struct sizes {
    double n, weight, curved_squares;
    int64_t d, k, patterns, weighted, kind, arrays;
} sizes;

static ald_status put_moments(ald_run *run, ald_moments *m, ald_record_file *r)
{
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    sizes s = {m->n, m->weight, m->curved_squares, m->d, m->k, m->patterns, m->weighted, (int64_t)m->kind, 0};
    ald_moments_slots(m, slots);
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) s.arrays |= (int64_t)(*slots[i].array != NULL) << i;
    ALD_TRY(ald_record_file_put(run, r, &s, sizeof s));
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++)
        if (*slots[i].array)
            ALD_TRY(ald_record_file_put(run, r, *slots[i].array, slots[i].count * (int64_t)sizeof(double)));
    return ALD_OK;
}

/* Products of sizes up to here do not overflow. */
static ald_status check_sizes(ald_run *run, const sizes *s, const ald_record_file *r)
{
    const int64_t most = 1 << 20;
    ALD_TRY(ald_record_file_expect(run, r, s->d, sizeof(double)));
    ALD_TRY(ald_record_file_expect(run, r, s->k, 1));
    ALD_TRY(ald_record_file_expect(run, r, s->patterns, sizeof(double)));
    if (s->d < most && s->k < most && s->patterns < most && s->kind >= 0 && s->kind <= ALD_TARGET_LABELS)
        return ALD_OK;
    return ald_record_file_expect(run, r, -1, 1);
}

static ald_status take_moments(ald_run *run, ald_arena *arena, ald_record_file *r, ald_moments *m)
{
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    sizes s;
    ALD_TRY(ald_record_file_take(run, r, &s, sizeof s));
    ALD_TRY(check_sizes(run, &s, r));
    *m = (ald_moments){
        .n = s.n,
        .weight = s.weight,
        .curved_squares = s.curved_squares,
        .weighted = (int)s.weighted,
        .d = s.d,
        .k = s.k,
        .kind = (ald_target_kind)s.kind,
        .patterns = s.patterns,
    };
    ald_moments_slots(m, slots);
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) {
        if (!(s.arrays >> i & 1)) continue;
        ALD_TRY(ald_record_file_expect(run, r, slots[i].count, sizeof(double)));
        *slots[i].array = ald_arena_get(arena, slots[i].count, 1, sizeof(double));
        if (!*slots[i].array) return ald_out_of_memory(run, slots[i].count, 1, sizeof(double));
        ALD_TRY(ald_record_file_take(run, r, *slots[i].array, slots[i].count * (int64_t)sizeof(double)));
    }
    return ALD_OK;
}

static ald_status put_state(ald_run *run, const ald_saved *saved, ald_record_file *r)
{
    const int64_t heads[n_heads] = {
        saved->sums, saved->told_size, saved->n_legs, (int64_t)saved->settings, saved->parts,
    };
    ALD_TRY(ald_record_file_put(run, r, heads, sizeof heads));
    ALD_TRY(ald_record_file_put(run, r, saved->told, saved->told_size));
    for (int64_t i = 0; i < saved->n_legs; i++) ALD_TRY(ald_leg_put(run, &saved->legs[i], r));
    ALD_TRY(ald_record_file_seal(run, r));
    for (int64_t p = 0; saved->sums && p < saved->parts; p++) ALD_TRY(put_moments(run, &saved->total[p], r));
    return ald_record_file_commit(run, r);
}

ald_status ald_saved_write(ald_run *run, const char *path, uint64_t key, const ald_saved *saved)
{
    ald_record_file r;
    ald_status status = ald_record_file_create(run, path, key, &r);
    if (status >= 0) status = put_state(run, saved, &r);
    ald_record_file_abandon(&r);
    return status;
}

static ald_status take_head(ald_run *run, ald_record_file *r, ald_saved *saved)
{
    int64_t heads[n_heads];
    ALD_TRY(ald_record_file_take(run, r, heads, sizeof heads));
    *saved = (ald_saved){
        .sums = heads[0],
        .told_size = heads[1],
        .n_legs = heads[2],
        .settings = (uint64_t)heads[3],
        .parts = heads[4],
    };
    ALD_TRY(ald_record_file_expect(run, r, saved->told_size, 1));
    ALD_TRY(ald_scratch(run, saved->told_size + 1, 1, 1, &saved->told));
    ALD_TRY(ald_record_file_take(run, r, saved->told, saved->told_size));
    ALD_TRY(ald_record_file_expect(run, r, saved->n_legs, leg_numbers * sizeof(int64_t)));
    ALD_TRY(ald_scratch(run, saved->n_legs, 1, sizeof *saved->legs, &saved->legs));
    for (int64_t i = 0; i < saved->n_legs; i++) ALD_TRY(ald_leg_take(run, r, &saved->legs[i]));
    return ald_record_file_check(run, r);
}

static ald_status take_sums(ald_run *run, ald_record_file *r, ald_arena *arenas, int n_arenas,
                            ald_saved *saved)
{
    ALD_TRY(ald_record_file_expect(run, r, saved->parts, sizeof(sizes)));
    ALD_TRY(ald_scratch(run, saved->parts, 1, sizeof *saved->total, &saved->total));
    for (int64_t p = 0; p < saved->parts; p++)
        ALD_TRY(take_moments(run, &arenas[p % n_arenas], r, &saved->total[p]));
    return ald_record_file_check(run, r);
}

ald_status ald_saved_read(ald_run *run, const char *path, uint64_t key, ald_arena *arenas, int n_arenas,
                          ald_saved *saved)
{
    ald_record_file r;
    *saved = (ald_saved){0};
    ald_status status = ald_record_file_open(run, path, key, &r);
    if (status >= 0 && r.in) status = take_head(run, &r, saved);
    if (status >= 0 && r.in && saved->sums && arenas) status = take_sums(run, &r, arenas, n_arenas, saved);
    ald_record_file_close(&r);
    return status;
}
