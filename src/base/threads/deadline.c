#include "base/threads/deadline.h"

void ald_deadline_begin(ald_deadline *deadline, double (*clock)(void), double seconds)
{
    deadline->clock = clock;
    deadline->at = clock() + seconds;
    deadline->armed = 0;
    atomic_init(&deadline->passed, 0);
}

void ald_deadline_arm(const ald_run *run)
{
    if (run->call.deadline) run->call.deadline->armed = 1;
}

int ald_deadline_passes(const ald_run *run)
{
    ald_deadline *deadline = run->call.deadline;
    if (!deadline || !deadline->armed) return 0;
    if (deadline->clock() >= deadline->at) atomic_store(&deadline->passed, 1);
    return atomic_load(&deadline->passed);
}

int ald_deadline_was_passed(const ald_run *run)
{
    return run->call.deadline && atomic_load(&run->call.deadline->passed);
}
