#include "base/threads/team.h"

#include "base/threads/waiting.h"

void ald_team_begin(ald_team *team, int members)
{
    team->members = members;
    for (int i = 0; i < ALD_TEAM_PLACES; i++) {
        atomic_init(&team->places[i].block, i);
        atomic_init(&team->places[i].begun, 0);
        atomic_init(&team->places[i].made, 0);
        atomic_init(&team->places[i].readers, members);
    }
}

int ald_team_make(ald_team *team, int64_t block, const atomic_int *stopped, ald_part_fn piece, void *work)
{
    const int64_t at = block % ALD_TEAM_PLACES;
    int waited = 0, number;
    while (atomic_load(&team->places[at].block) != block) {
        if (atomic_load(stopped)) return 0;
        ald_wait_a_little(&waited);
    }
    while ((number = atomic_fetch_add(&team->places[at].begun, 1)) < team->members) {
        piece(work, number);
        atomic_fetch_add(&team->places[at].made, 1);
    }
    while (atomic_load(&team->places[at].made) < team->members) {
        if (atomic_load(stopped)) return 0;
        ald_wait_a_little(&waited);
    }
    return 1;
}

void ald_team_leave(ald_team *team, int64_t block)
{
    const int64_t at = block % ALD_TEAM_PLACES;
    if (atomic_fetch_sub(&team->places[at].readers, 1) > 1) return;
    atomic_store(&team->places[at].begun, 0);
    atomic_store(&team->places[at].made, 0);
    atomic_store(&team->places[at].readers, team->members);
    atomic_store(&team->places[at].block, block + ALD_TEAM_PLACES);
}
