#include "fit/checkpoints/alone.h"

ald_run *ald_alone_begin(const ald_run *run, ald_alone_run *alone)
{
    ald_run_fork(run, &alone->run);
    alone->run.call.ranks = NULL;
    alone->run.call.batch = NULL;
    return &alone->run;
}
