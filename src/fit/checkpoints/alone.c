#include "fit/checkpoints/alone.h"

ald_run *ald_alone_begin(const ald_run *run, ald_alone_run *alone)
{
    alone->context = *run->context;
    alone->context.ranks = NULL;
    alone->context.batch = NULL;
    ald_run_fork(run, &alone->context, &alone->run);
    return &alone->run;
}
