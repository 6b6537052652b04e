/* An operation is sent as its number and the size of its arguments first; a negative number ends the
 * service. */
#include "cluster/divided/service.h"

#include <string.h>

enum { the_end = -1 };

typedef struct order {
    int64_t number, size;
} order;

void ald_service_begin(ald_run *run, ald_service *s)
{
    ald_run_fork_here(run, &s->run);
}

/* In `arena`; rank 0 has it already. */
static ald_status hear_given(ald_run *run, const order *told, ald_arena *arena, ald_record *given)
{
    ald_status status = ALD_OK;
    given->arena = arena;
    given->size = told->size;
    if (ald_rank(run) != 0) given->bytes = ald_arena_get(arena, told->size + 1, 1, 1);
    if (ald_rank(run) != 0 && !given->bytes) status = ald_out_of_memory(run, told->size + 1, 1, 1);
    ALD_TRY(ald_all_agree(run, status));
    return ald_all_hear(run, 0, given->bytes, told->size);
}

static ald_service_fn operation_of(const ald_service_table *table, int64_t number)
{
    return number < table->count ? table->operations[number] : table->more[number - table->count];
}

/* The arguments and results, on all ranks. */
static ald_status operate(ald_service *s, const order *told, ald_record *given, void *result)
{
    ald_run *run = &s->run;
    ald_arena heard;
    ald_arena_init(&heard, run->call.allocator);
    ald_status status = hear_given(run, told, &heard, given);
    if (status >= 0) status = ald_all_agree(run, operation_of(s->table, told->number)(run, s, given, result));
    ald_arena_free(&heard);
    return status;
}

/* A failure is reported by the run of the caller. */
static ald_status hand_on(ald_run *run, ald_service *s, ald_status status)
{
    if (status >= 0) return status;
    s->over = 1;
    *run->error = *s->run.error;
    return status;
}

ald_status ald_service_ask(ald_run *run, ald_service *s, int number, ald_status status,
                           const ald_record *given, void *result)
{
    ald_record said = given ? *given : (ald_record){0};
    order told = {.number = number};
    ALD_TRY(status);
    if (said.size > 0) ALD_TRY(ald_record_seal(run, &said));
    told.size = said.size;
    status = ald_all_hear(&s->run, 0, &told, (int64_t)sizeof told);
    if (status >= 0) status = operate(s, &told, &said, result);
    return hand_on(run, s, status);
}

static ald_status wait(ald_service *s)
{
    order told = {0};
    for (;;) {
        ald_record given = {0};
        ALD_TRY(ald_all_hear(&s->run, 0, &told, (int64_t)sizeof told));
        if (told.number < 0) return ALD_OK;
        ALD_TRY(operate(s, &told, &given, NULL));
    }
}

ald_status ald_service_wait(ald_run *run, ald_service *s)
{
    return hand_on(run, s, wait(s));
}

ald_status ald_service_end(ald_run *run, ald_service *s, ald_status status)
{
    order told = {.number = the_end};
    if (!s->over && ald_rank(run) == 0) {
        const ald_status heard = ald_all_hear(run, 0, &told, (int64_t)sizeof told);
        if (status >= 0) status = heard;
    }
    if (!s->over) status = ald_all_agree(run, status);
    ald_run_join(run, &s->run, status);
    return status;
}
