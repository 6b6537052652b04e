/* Which column is what, by the load options. */
#ifndef ALD_ENCODE_ROLES_H
#define ALD_ENCODE_ROLES_H

#include "data/encode/preparation.h"

enum {
    ALD_ROLE_FEATURE = 0,
    ALD_ROLE_TARGET,
    ALD_ROLE_WEIGHTS,
    ALD_ROLE_IGNORED,
    ALD_ROLE_GROUPS,
    ALD_ROLE_SPLIT,
    ALD_ROLE_ID,
};

ald_status ald_prepare_choices(ald_run *run, ald_preparation *p);
ald_status ald_prepare_second_files(ald_run *run, ald_preparation *p);
/* The columns that name the rows: by the option, with or without a model to read like. */
ald_status ald_prepare_ids(ald_run *run, ald_preparation *p);
/* The columns of groups, likewise. */
ald_status ald_prepare_group_columns(ald_run *run, ald_preparation *p);
ald_status ald_prepare_roles(ald_run *run, ald_preparation *p);

#endif
