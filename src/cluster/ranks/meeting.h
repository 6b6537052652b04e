/* Where ranks wait for each other. A rank that has failed on its own reports it at its next meeting: that of
 * the call in which the others wait, of the agreement that ends the public call (ald_all_end), or of an
 * agreement on the way. There all others receive it. */
#ifndef ALD_RANKS_MEETING_H
#define ALD_RANKS_MEETING_H

#include "cluster/ranks/communicator.h"

/* How a public call has ended before its end, on this rank. */
struct ald_ending {
    int known;   /* a rank has failed, and all know: nothing more is said until all are at the end */
    int lost;    /* the others did not come: nothing is said any more */
    int stopped; /* cancelled while it waited: reported at the next meeting */
    ald_error error;
};

/* All ranks meet, each with how it went. Gives back `status` where nobody has failed, else the failure of the
 * lowest rank that has, with its message. A rank that has failed waits for some seconds only: the others may
 * have long to compute. */
ald_status ald_meet(ald_run *run, const ald_communicator *ranks, ald_status status);
/* What all know already; ALD_OK: nothing. */
ald_status ald_meet_known(ald_run *run, const ald_communicator *ranks);

#endif
