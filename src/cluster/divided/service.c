/* Rank 0 sends the number of an operation and the size of what is given first; a negative number ends the
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
static ald_status receive_given(ald_run *run, const order *asked, ald_arena *arena, ald_record *given)
{
    ald_status status = ALD_OK;
    given->arena = arena;
    given->size = asked->size;
    if (ald_rank(run) != 0) given->bytes = ald_arena_get(arena, asked->size + 1, 1, 1);
    if (ald_rank(run) != 0 && !given->bytes) status = ald_out_of_memory(run, asked->size + 1, 1, 1);
    ALD_TRY(ald_all_agree(run, status));
    return ald_all_hear(run, 0, given->bytes, asked->size);
}

/* On all ranks. */
static ald_status operate(ald_service *s, const order *asked, ald_record *given, void *result)
{
    ald_run *run = &s->run;
    ald_arena heard;
    ald_arena_init(&heard, run->call.allocator);
    ald_status status = receive_given(run, asked, &heard, given);
    if (status >= 0)
        status = ald_all_agree(run, ald_service_operations[asked->number](run, s, given, result));
    ald_arena_free(&heard);
    return status;
}

/* An error goes to the run of the caller. */
static ald_status hand_on(ald_run *run, ald_service *s, ald_status status)
{
    if (status >= 0) return status;
    s->over = 1;
    *run->error = *s->run.error;
    return status;
}

ald_status ald_service_ask(ald_run *run, ald_service *s, ald_operation operation, ald_status status,
                           const ald_record *given, void *result)
{
    ald_record sent = given ? *given : (ald_record){0};
    order asked = {.number = (int64_t)operation};
    ALD_TRY(status);
    if (sent.size > 0) ALD_TRY(ald_record_seal(run, &sent));
    asked.size = sent.size;
    status = ald_all_hear(&s->run, 0, &asked, (int64_t)sizeof asked);
    if (status >= 0) status = operate(s, &asked, &sent, result);
    return hand_on(run, s, status);
}

static ald_status wait(ald_service *s)
{
    order asked = {0};
    for (;;) {
        ald_record given = {0};
        ALD_TRY(ald_all_hear(&s->run, 0, &asked, (int64_t)sizeof asked));
        if (asked.number < 0) return ALD_OK;
        ALD_TRY(operate(s, &asked, &given, NULL));
    }
}

ald_status ald_service_wait(ald_run *run, ald_service *s)
{
    return hand_on(run, s, wait(s));
}

ald_status ald_service_end(ald_run *run, ald_service *s, ald_status status)
{
    order asked = {.number = the_end};
    if (!s->over && ald_rank(run) == 0) {
        const ald_status heard = ald_all_hear(run, 0, &asked, (int64_t)sizeof asked);
        if (status >= 0) status = heard;
    }
    if (!s->over) status = ald_all_agree(run, status);
    ald_run_join(run, &s->run, status);
    return status;
}
