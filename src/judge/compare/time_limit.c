#include "judge/compare/time_limit.h"

#include <math.h>

ald_status ald_time_limit_begin(ald_run *run, double seconds, double (*timer)(void), ald_deadline *deadline)
{
    if (seconds == 0.0) return ALD_OK;
    if (!(seconds > 0.0) || isinf(seconds))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`time_limit` is %g, but it is a number of seconds above 0 (0: no limit)", seconds);
    if (!timer)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`time_limit` needs a clock: give `timer`, which tells the seconds");
    ald_deadline_begin(deadline, timer, seconds);
    run->call.deadline = deadline;
    return ALD_OK;
}
